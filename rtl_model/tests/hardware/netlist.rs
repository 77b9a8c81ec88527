//! The netlist is the router: its gates, worked out for every node in every bit time, give the same
//! wires and registers as the fabric, sequencer included. In a netlist no strobe is known, so this also
//! shows that what a simulation skips decides nothing.

use std::collections::HashMap;

use bitvec::vec::BitVec;
use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Part};
use rtl_model::language::lanes::Lanes;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::host::Field;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::{Machine, MessageRouter, Router};
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::{Dimensions, address_bit};
use rtl_model::routers::kuszmaul::batches::BatchRouter;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::folded::Folded;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::{Plain, PlainRouter};
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

/// Every register bit of a module, in order.
fn registers<B: Lanes>(module: &impl Registers<B>) -> Vec<bool> {
    struct Reading(Vec<bool>);
    impl<B: Lanes> Visitor<B> for Reading {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
            self.0
                .extend((0..width).map(|position| bit(position).get(0)));
        }
    }
    let mut reading = Reading(Vec::new());
    module.visit(Name::Field("module"), &mut reading);
    reading.0
}

/// What variables stand at, by expression.
#[derive(Default)]
struct Variables(HashMap<Expression, bool>);

impl Variables {
    fn set(&mut self, variables: &[Expression], values: impl IntoIterator<Item = bool>) {
        self.0.extend(variables.iter().copied().zip(values));
    }

    /// By number, 0 where nothing was set.
    fn by_number(&self, graph: &Graph) -> Vec<bool> {
        let mut numbered = vec![false; graph.len()];
        for (expression, value) in &self.0 {
            let Gate::Variable(number) = graph.gate(*expression) else {
                panic!("{expression:?} is no variable");
            };
            numbered[number as usize] = *value;
        }
        numbered
    }
}

fn all(
    parts: &[Part],
    side: impl Fn(&rtl_model::circuit::netlist::Register) -> &[Expression],
) -> Vec<Expression> {
    parts
        .iter()
        .flat_map(|part| &part.registers)
        .flat_map(|register| side(register).to_vec())
        .collect()
}

/// Runs a loaded machine beside its netlist.
fn run_beside_netlist<R: Router>(mut fabric: Fabric<R, bool>) {
    let Netlist {
        graph,
        node,
        sequencer,
    } = Netlist::of(fabric.router());
    let topology = fabric.router().topology();
    let (nodes, address_bits) = (topology.nodes(), topology.address_bits());
    let held = all(&node.parts, |register| &register.bits);
    assert_eq!(held.len(), Storage::of(fabric.node(0).0).total);
    let counters = all(&sequencer.parts, |register| &register.bits);
    let mut state: Vec<Vec<bool>> = (0..nodes)
        .map(|number| registers(fabric.node(number).0))
        .collect();
    let zero = graph.evaluate(&Variables::default().by_number(&graph));
    let mut sequencer_state: Vec<bool> = all(&sequencer.parts, |register| &register.reset)
        .into_iter()
        .map(|reset| zero.of(reset))
        .collect();
    assert_eq!(sequencer_state, registers(fabric.sequencer()));

    loop {
        let mut variables = Variables::default();
        variables.set(&counters, sequencer_state.iter().copied());
        let values = graph.evaluate(&variables.by_number(&graph));
        assert_eq!(values.of(sequencer.done), fabric.is_done());
        if fabric.is_done() {
            break;
        }
        let strobes: Vec<bool> = sequencer
            .strobes
            .iter()
            .flat_map(|bundle| &bundle.lines)
            .map(|line| values.of(*line))
            .collect();
        sequencer_state = all(&sequencer.parts, |register| &register.next)
            .into_iter()
            .map(|next| values.of(next))
            .collect();

        let ports: Vec<Expression> = node
            .strobes
            .iter()
            .flat_map(|bundle| bundle.lines.clone())
            .collect();
        let mut inputs: Vec<Variables> = Vec::new();
        for (number, registers) in state.iter().enumerate() {
            let mut variables = Variables::default();
            variables.set(&held, registers.iter().copied());
            variables.set(&ports, strobes.iter().copied());
            let address = (0..address_bits).map(|bit| address_bit(number, bit));
            variables.set(&node.address, address);
            inputs.push(variables);
        }
        let tx: Vec<Vec<bool>> = inputs
            .iter()
            .map(|variables| {
                let values = graph.evaluate(&variables.by_number(&graph));
                node.tx.iter().map(|wire| values.of(*wire)).collect()
            })
            .collect();
        fabric.transmit().unwrap();
        for (number, wires) in tx.iter().enumerate() {
            for (wire, bit) in wires.iter().enumerate() {
                assert_eq!(*bit, fabric.wire(number, wire));
            }
        }
        fabric.clock();
        let bit_time = fabric.bit_time();
        let next = all(&node.parts, |register| &register.next);
        for (number, variables) in inputs.iter_mut().enumerate() {
            let rx = (0..topology.links()).map(|wire| tx[topology.sender(number, wire)][wire]);
            variables.set(&node.rx, rx);
            let values = graph.evaluate(&variables.by_number(&graph));
            state[number] = next.iter().map(|next| values.of(*next)).collect();
            assert_eq!(
                state[number],
                registers(fabric.node(number).0),
                "node {number} after bit time {bit_time}"
            );
        }
        assert_eq!(sequencer_state, registers(fabric.sequencer()));
    }
}

/// Two messages in three nodes; those of even sources change places by threes.
fn destination(nodes: usize, source: usize) -> Option<usize> {
    (source % 3 != 1).then_some((source * 3 + 1) % nodes)
}

fn loaded<R: MessageRouter + Copy>(
    router: R,
    destination: impl Fn(usize) -> Option<usize>,
) -> Fabric<R, bool> {
    let mut fabric = Fabric::new(router, 1).unwrap();
    for source in 0..router.topology().nodes() {
        if let Some(destination) = destination(source) {
            let payload: BitVec<u64> = (0..router.payload_bits())
                .map(|bit| (source + 5) >> (bit % 4) & 1 == 1)
                .collect();
            let (node, place) = fabric.node_mut(source);
            router.load(node, place, destination, &payload);
        }
    }
    fabric
}

fn on_schedule<S: Schedule>() {
    for k in 1..=4 {
        for payload_bits in [1, 4, 9] {
            let cube = Dimensions::new(k).unwrap();
            let router = PermutationRouter::<S>::new(cube, payload_bits).unwrap();
            run_beside_netlist(loaded(router, |source| match S::FULL_ONLY {
                true => Some((source * 3 + 1) % (1 << k)),
                false => destination(1 << k, source),
            }));
        }
    }
}

#[test]
fn plain() {
    on_schedule::<Plain>();
}

#[test]
fn overlapped() {
    on_schedule::<Overlapped>();
}

#[test]
fn folded() {
    on_schedule::<Folded>();
}

#[test]
fn radix4() {
    on_schedule::<Radix4>();
    // From five dimensions on there are groups, of one dimension or of two.
    for (k, payload_bits) in [(5, 1), (5, 2), (6, 3), (7, 1), (7, 2), (8, 1)] {
        let cube = Dimensions::new(k).unwrap();
        let router = PermutationRouter::<Radix4>::new(cube, payload_bits).unwrap();
        run_beside_netlist(loaded(router, |source| destination(1 << k, source)));
    }
}

#[test]
fn spread() {
    on_schedule::<Spread>();
}

/// Batches of partial permutations, each shifted by one more; what they are matters little here, since gates are compared and not
/// deliveries.
fn in_batches<P: Pipelined>() {
    for k in 1..=5 {
        for (payload_bits, batches) in [(1, 3), (4, 2), (9, 1)] {
            let cube = Dimensions::new(k).unwrap();
            let router = BatchRouter::<P>::new(cube, payload_bits, batches, None).unwrap();
            let mut fabric = Fabric::<_, bool>::new(router.clone(), 1).unwrap();
            for source in 0..1 << k {
                let (node, _) = fabric.node_mut(source);
                router.host_writes(node, &mut |field, bit, register| {
                    let sends = |batch| destination(1 << k, (source + batch) % (1 << k));
                    *register = match field {
                        Field::VALID => sends(bit).is_some(),
                        Field::DESTINATION => sends(bit / k).unwrap_or(0) >> (bit % k) & 1 == 1,
                        _ => (source + 5 * bit) >> (bit % 4) & 1 == 1,
                    };
                });
            }
            run_beside_netlist(fabric);
        }
    }
}

#[test]
fn batches_of_spread() {
    in_batches::<Spread>();
}

#[test]
fn batches_of_overlapped() {
    in_batches::<Overlapped>();
}

#[test]
fn batches_of_radix4() {
    in_batches::<Radix4>();
}

#[test]
fn passes_of_a_packing() {
    in_batches::<VertexPacking>();
}

/// Slot `s` of a node sends as the node `s` further on does elsewhere, to a destination `3s` further on: so slots are empty
/// here and there.
#[test]
fn counting() {
    for (k, payload_bits, h) in [
        (1, 1, 2),
        (1, 4, 3),
        (2, 1, 3),
        (2, 9, 1),
        (3, 2, 2),
        (3, 9, 3),
        (4, 4, 2),
    ] {
        let router = CountingRouter::new(Dimensions::new(k).unwrap(), payload_bits, h).unwrap();
        let mut fabric = Fabric::<_, bool>::new(router, 1).unwrap();
        let nodes = 1 << k;
        for source in 0..nodes {
            let to = |slot: usize| {
                destination(nodes, (source + slot) % nodes).map(|to| (to + 3 * slot) % nodes)
            };
            let (node, _) = fabric.node_mut(source);
            router.host_writes(node, &mut |field, bit, register| {
                *register = match field {
                    Field::VALID => to(bit).is_some(),
                    Field::DESTINATION => to(bit / k).is_some_and(|to| to >> (bit % k) & 1 == 1),
                    _ => (source + bit) % 3 == 0,
                };
            });
        }
        run_beside_netlist(fabric);
    }
}

#[test]
fn bitonic_sort_and_unpack() {
    on_schedule::<bitonic::SortAndUnpack>();
}

#[test]
fn bitonic_sort() {
    on_schedule::<bitonic::Sort>();
}

#[test]
fn radix_sort_and_unpack() {
    on_schedule::<radix::SortAndUnpack>();
}

#[test]
fn radix_sort() {
    on_schedule::<radix::Sort>();
}

#[test]
fn packing() {
    for k in 1..=5 {
        let router = PackingRouter::new(Dimensions::new(k).unwrap(), 3).unwrap();
        // Every other node of the upper half, packed to the bottom.
        let half = 1 << (k - 1);
        run_beside_netlist(loaded(router, |source| {
            (source >= half && source % 2 == 0).then(|| (source - half) / 2)
        }));
    }
}

#[test]
fn enumeration() {
    for k in 1..=5 {
        let router = EnumerationRouter::new(Dimensions::new(k).unwrap());
        let mut fabric = Fabric::<_, bool>::new(router, 1).unwrap();
        for member in (0..1 << k).filter(|node| node % 5 < 3) {
            let (node, place) = fabric.node_mut(member);
            node.set_member(place, true);
        }
        run_beside_netlist(fabric);
    }
}

#[test]
fn while_the_machine_is_reset_the_host_writes_a_message() {
    let router = PlainRouter::new(Dimensions::new(3).unwrap(), 2).unwrap();
    let netlist = Netlist::of(&router);
    let written: Vec<(&str, usize)> = netlist
        .node
        .host_writes
        .iter()
        .map(|(field, bits)| (field.name(), bits.len()))
        .collect();
    assert_eq!(written, [("valid", 1), ("destination", 3), ("payload", 2)]);
    let first_message = &netlist.node.parts[0].registers;
    let ports: Vec<Expression> = netlist
        .node
        .host_writes
        .iter()
        .flat_map(|(_, bits)| bits.clone())
        .collect();
    assert_eq!(
        [&first_message[0].reset[..], &first_message[1].reset[..]].concat(),
        ports
    );
    let rest = all(&netlist.node.parts[1..], |register| &register.reset);
    assert!(
        rest.iter()
            .all(|reset| { netlist.graph.gate(*reset) == Gate::Constant(false) })
    );
}
