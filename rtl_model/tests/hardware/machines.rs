//! Small machines of all families, with what their hosts write and drive: any bits, but always the same.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Machine, Router};
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::MEMORY;
use rtl_model::routers::kuszmaul::batches::BatchRouter;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::{
    folded::Folded, overlapped::Overlapped, plain::Plain, radix4::Radix4, spread::Spread,
};
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::phase::CELLS;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::node::SUPPLY;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::sorting::{bitonic, radix};

use crate::reduced_hypercube::machines::{on_keys, on_messages, on_words};
use crate::{ports, prearranged, reduced_hypercube};

/// What a host writes: to a node, to a field of it, to a bit of that. The nodes of several machines are numbered one after the other.
pub type Writes<'a> = dyn Fn(usize, Field, usize) -> bool + 'a;

/// What is done with a machine, whatever it does.
pub trait Visit {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, writes: &Writes<'_>);
}

/// A bit that has to do with all of these.
pub fn drawn(of: [usize; 3]) -> bool {
    let mut hash = (of[0] << 40 ^ of[1] << 20 ^ of[2]) as u64 ^ 0x51_7cc1_b727_220a;
    for _ in 0..2 {
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    hash >> 60 & 1 == 1
}

/// Machines side by side, loaded.
pub fn loaded<R: Machine + Clone, B: Lanes>(
    machine: &R,
    machines: usize,
    writes: &Writes<'_>,
) -> Fabric<R, B> {
    let mut fabric = Fabric::new(machine.clone(), machines).unwrap();
    for number in 0..machines * machine.topology().nodes() {
        let (node, place) = fabric.node_mut(number);
        machine.host_writes(node, &mut |field, bit, register: &mut B| {
            register.set(place, writes(number, field, bit));
        });
    }
    fabric
}

/// Has all hosts drive what they drive in this bit time.
pub fn let_hosts_drive<R: Machine, B: Lanes>(fabric: &mut Fabric<R, B>) {
    let (topology, bit_time) = (fabric.topology().clone(), fabric.bit_time());
    for node in 0..fabric.machines() * topology.nodes() {
        let (group, place) = topology.seat::<B>(node);
        for wire in 0..topology.wires_from_host() {
            let bit = drawn([bit_time as usize, node, wire]);
            fabric.from_host(group, wire).set(place, bit);
        }
    }
}

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

/// Two messages in three nodes, or slots of nodes; those of a slot are for different nodes.
fn messages(visit: &mut impl Visit, router: &impl Router, what: &str) {
    let (nodes, address_bits) = (router.topology().nodes(), router.topology().address_bits());
    visit.machine(router, what, &|number, field, bit| {
        let sends = |slot: usize| (number + slot) % 3 != 1;
        match field {
            Field::MEMBER | Field::VALID => sends(bit),
            Field::DESTINATION => {
                let slot = bit / address_bits;
                let to = ((number + slot) * 3 + 1) % nodes;
                sends(slot) && to >> (bit % address_bits) & 1 == 1
            }
            _ => drawn([number, bit, 0]),
        }
    });
}

fn on_schedule<S: Schedule>(visit: &mut impl Visit, name: &str, sizes: &[(usize, usize)]) {
    for &(k, payload_bits) in sizes {
        let router = PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
        messages(visit, &router, &format!("{name}, k={k}, D={payload_bits}"));
    }
}

const SIZES: [(usize, usize); 7] = [(1, 1), (1, 4), (2, 1), (2, 9), (3, 1), (3, 4), (4, 4)];

/// Of schedule `radix4` there are groups from five dimensions on, of one dimension or of two.
pub fn kuszmaul(visit: &mut impl Visit) {
    on_schedule::<Plain>(visit, "plain", &SIZES);
    on_schedule::<Overlapped>(visit, "overlapped", &SIZES);
    on_schedule::<Folded>(visit, "folded", &SIZES);
    on_schedule::<Spread>(visit, "spread", &SIZES);
    on_schedule::<Radix4>(visit, "radix4", &SIZES);
    let with_groups = [(5, 1), (5, 2), (6, 3), (7, 1), (7, 2)];
    on_schedule::<Radix4>(visit, "radix4", &with_groups);
}

pub fn sorting(visit: &mut impl Visit) {
    on_schedule::<bitonic::SortAndUnpack>(visit, "bitonic sort and unpack", &SIZES);
    on_schedule::<bitonic::Sort>(visit, "bitonic sort", &SIZES);
    on_schedule::<radix::SortAndUnpack>(visit, "radix sort and unpack", &SIZES);
    on_schedule::<radix::Sort>(visit, "radix sort", &SIZES);
}

fn in_batches<P: Pipelined>(visit: &mut impl Visit, name: &str) {
    for (k, payload_bits, batches) in [(1, 1, 3), (2, 4, 2), (3, 9, 1), (4, 1, 3), (5, 4, 2)] {
        let router = BatchRouter::<P>::new(cube(k), payload_bits, batches, None).unwrap();
        let what = format!("{batches} batches of {name}, k={k}, D={payload_bits}");
        messages(visit, &router, &what);
    }
}

pub fn batches(visit: &mut impl Visit) {
    in_batches::<Overlapped>(visit, "overlapped");
    in_batches::<Spread>(visit, "spread");
    in_batches::<Radix4>(visit, "radix4");
    in_batches::<VertexPacking>(visit, "packing");
}

pub fn counting(visit: &mut impl Visit) {
    for (k, payload_bits, h) in [(1, 1, 2), (1, 4, 3), (2, 9, 1), (3, 2, 2), (3, 9, 3)] {
        let router = CountingRouter::new(cube(k), payload_bits, h).unwrap();
        messages(
            visit,
            &router,
            &format!("counting, k={k}, D={payload_bits}, H={h}"),
        );
    }
}

pub fn enumeration_and_packing(visit: &mut impl Visit) {
    for k in 1..=5 {
        let enumeration = EnumerationRouter::new(cube(k));
        messages(visit, &enumeration, &format!("enumeration, k={k}"));
        let packing = PackingRouter::new(cube(k), 3).unwrap();
        messages(visit, &packing, &format!("packing, k={k}"));
    }
}

/// First bits at the source, which are drawn, and configurations or lists of sends.
pub fn broadcast(visit: &mut impl Visit, machine: &PortMachine) {
    let (places, orders) = (machine.places(), machine.order_bits());
    let (nodes, source) = (machine.topology().nodes(), machine.broadcast().source);
    let what = format!("{:?}", machine.broadcast());
    visit.machine(machine, &what, &|number, field, bit| {
        let node = number % nodes;
        let of_list = orders
            .as_ref()
            .and_then(|orders| orders.word(field, node, bit));
        match (field, &places, of_list) {
            (_, _, Some(word)) => word & 1 == 1,
            (SUPPLY, ..) => node == source && drawn([number, bit, 0]),
            (_, Some(places), _) => {
                machine
                    .configuration(&places[node ^ source], field)
                    .unwrap()
                    >> bit
                    & 1
                    == 1
            }
            _ => node == source && drawn([number, bit, 0]),
        }
    });
}

pub fn ports(visit: &mut impl Visit) {
    for n in 1..=3 {
        for kind in ports::common::each() {
            for packets in ports::common::taken(kind.0, n, &[1, 2, n + 1, 3 * n]) {
                let size = [(1, 0), (2, 1), (3, 0)][packets % 3];
                let source = (packets * 3 + n) % (1 << n);
                let machine = ports::common::machine(kind, n, source, packets, size);
                broadcast(visit, &machine);
            }
        }
    }
    for machine in crate::listed::machines(3) {
        broadcast(visit, &machine);
    }
}

pub fn reduced_hypercube(visit: &mut impl Visit) {
    use reduced_hypercube::common::{full, reduced};
    for (network, bits) in [
        (reduced(1, 1), 1),
        (full(3), 2),
        (reduced(1, 1), 4),
        (full(2), 5),
    ] {
        on_words(network, &Operator::ALL, bits, visit);
        on_messages(network, bits, visit);
    }
    for size in [(1, 1), (1, 4), (2, 2), (3, 2)] {
        on_keys(reduced(1, 1), size, visit);
        on_keys(full(3), size, visit);
    }
    on_words(reduced(2, 2), &[Operator::Add], 2, visit);
    on_messages(reduced(2, 2), 3, visit);
}

pub fn collectives(visit: &mut impl Visit) {
    for (dims, bits, start_up) in [(1, 2, 0), (2, 3, 1), (3, 3, 0)] {
        for (what, _, machine) in prearranged::collectives::common::machines(dims, bits, start_up) {
            let nodes = machine.topology().nodes();
            visit.machine(&machine, &what, &|number, field, bit| match field {
                MEMORY => drawn([number, bit, 0]),
                _ => machine.word(field, number % nodes, bit).unwrap() & 1 == 1,
            });
        }
    }
}

/// Of a guest's communication.
pub fn phases(visit: &mut impl Visit) {
    use prearranged::phase::common::{embeddings, machine};
    use rtl_model::embedding::phase::Order;
    let sizes = [(1, 0), (3, 1), (2, 0), (5, 3)];
    for (number, (what, embedding)) in embeddings().iter().enumerate() {
        for (order, at) in Order::EACH.into_iter().zip([0, 1]) {
            let (bits, start_up) = sizes[(number + at) % sizes.len()];
            let machine = machine(embedding, order, bits, start_up);
            let nodes = machine.topology().nodes();
            visit.machine(&machine, what, &|number, field, bit| match field {
                CELLS => drawn([number, bit, 0]),
                _ => machine.plan().word(field, number % nodes, bit).unwrap() & 1 == 1,
            });
        }
    }
}

/// A test of the machines of each family, by the visitor that the expression makes.
macro_rules! on_each_family {
    ($visit:expr) => {
        $crate::machines::on_each_family!(
            $visit; kuszmaul, sorting, batches, counting, enumeration_and_packing, ports, reduced_hypercube, collectives, phases
        );
    };
    ($visit:expr; $($family:ident),+) => {
        $(
            #[test]
            fn $family() {
                $crate::machines::$family(&mut $visit);
            }
        )+
    };
}
pub(crate) use on_each_family;
