//! Netlists of the machines of all families are the machines.

use rtl_model::circuit::expression::{Expression, Gate};
use rtl_model::circuit::netlist::Netlist;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::routers::ports::configuration::{FIRST, PARENT, PHASE, SECOND, TURN};
use rtl_model::routers::ports::node::SUPPLY;

use crate::beside::runs_beside_its_netlist;
use crate::machines::{Visit, Writes, drawn, loaded, on_each_family};
use crate::ports::common::{each, machine};

/// Of more than sixteen nodes some are worked out in each bit time.
struct BesideItsNetlist;

impl Visit for BesideItsNetlist {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, writes: &Writes<'_>) {
        let topology = machine.topology();
        let (nodes, wires) = (topology.nodes(), topology.wires_from_host());
        let mut hosts = |bit_time: u64, _: &[Vec<bool>]| {
            let drives = |node| {
                let bit = |wire| drawn([bit_time as usize, node, wire]);
                (0..wires).map(bit).collect()
            };
            Some((0..nodes).map(drives).collect())
        };
        let fabric = loaded::<R, bool>(machine, 1, writes);
        runs_beside_its_netlist(fabric, nodes.div_ceil(16), &mut hosts, what);
    }
}

on_each_family!(BesideItsNetlist);

#[test]
fn while_the_machine_is_reset_the_host_writes_a_message() {
    let router = PlainRouter::new(Dimensions::new(3).unwrap(), 2).unwrap();
    let netlist = Netlist::of(&router);
    let written = netlist.node.host_writes.iter();
    let fields: Vec<(&str, usize)> = written
        .clone()
        .map(|(field, bits)| (field.name(), bits.len()))
        .collect();
    assert_eq!(fields, [("valid", 1), ("destination", 3), ("payload", 2)]);
    let first_message = &netlist.node.parts[0].registers;
    let ports: Vec<Expression> = written.flat_map(|(_, bits)| bits.clone()).collect();
    assert_eq!(
        [&first_message[0].reset[..], &first_message[1].reset[..]].concat(),
        ports
    );
    let rest = netlist.node.parts[1..]
        .iter()
        .flat_map(|part| &part.registers);
    assert!(
        rest.flat_map(|register| &register.reset)
            .all(|reset| { netlist.graph.gate(*reset) == Gate::Constant(false) })
    );
}

/// First bits, and the configuration of a tree that no rule gives.
#[test]
fn while_a_machine_of_ports_is_reset_the_host_writes_what_there_are_no_rules_for() {
    for kind in each() {
        for n in 1..=4 {
            let device = machine(kind, n, 0, 1, (2, 0));
            let (channels, places) = (device.wires().channels, device.places());
            let written = Netlist::of(&device).node.host_writes;
            assert_eq!((written[0].0, written[0].1.len()), (SUPPLY, channels));
            let names: Vec<_> = written[1..].iter().map(|(field, _)| *field).collect();
            match (places.is_some(), kind.1.name()) {
                (false, _) => assert!(names.is_empty()),
                (true, "all") => assert_eq!(names, [PARENT, FIRST, TURN]),
                (true, _) if n == 1 => assert_eq!(names, [PARENT, FIRST, TURN]),
                (true, _) => assert_eq!(names, [PARENT, FIRST, SECOND, TURN, PHASE]),
            }
        }
    }
}
