//! A netlist is the machine: its gates, worked out for every node in every bit time, give the same wires and the same registers as
//! the fabric, sequencer included.

use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Part, Register};
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::host::Loads;
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::machine::topology::hypercube::{Dimensions, neighbour};
/// Every register bit of a module, in order.
fn registers(module: &impl Registers<bool>) -> Vec<bool> {
    struct Reading(Vec<bool>);
    impl Visitor<bool> for Reading {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
            self.0.extend((0..width).map(bit));
        }
    }
    let mut reading = Reading(Vec::new());
    module.visit(Name::Field("module"), &mut reading);
    reading.0
}

/// What variables stand at, by number; 0 where nothing is said.
fn variables(graph: &Graph, said: &[(&[Expression], &[bool])]) -> Vec<bool> {
    let mut numbered = vec![false; graph.len()];
    for (variables, values) in said {
        assert_eq!(variables.len(), values.len());
        for (variable, value) in variables.iter().zip(*values) {
            let Gate::Variable(number) = graph.gate(*variable) else {
                panic!("{variable:?} is no variable");
            };
            numbered[number as usize] = *value;
        }
    }
    numbered
}

fn all(parts: &[Part], side: impl Fn(&Register) -> &[Expression]) -> Vec<Expression> {
    let registers = parts.iter().flat_map(|part| &part.registers);
    registers.flat_map(|one| side(one).to_vec()).collect()
}

/// Runs a machine on a hypercube beside its netlist, from what a host loads.
pub fn runs_beside_its_netlist<R: Router<Topology = Dimensions>>(
    device: &R,
    host: &mut dyn Loads,
    what: &str,
) {
    let mut fabric = Fabric::<_, bool>::new(device.clone(), 1).unwrap();
    fabric.load(host).unwrap();
    let Netlist {
        graph,
        node,
        sequencer,
    } = Netlist::of(device);
    let (ports, nodes) = (device.topology().count(), device.topology().nodes());
    let held = all(&node.parts, |one| &one.bits);
    let next = all(&node.parts, |one| &one.next);
    let counters = all(&sequencer.parts, |one| &one.bits);
    let counted = all(&sequencer.parts, |one| &one.next);
    let lines = |bundles: &[rtl_model::circuit::netlist::Bundle]| -> Vec<Expression> {
        bundles.iter().flat_map(|one| one.lines.clone()).collect()
    };
    let (heard, told) = (lines(&node.strobes), lines(&sequencer.strobes));
    assert_eq!(heard.len(), told.len());
    while !fabric.is_done() {
        let bit_time = Simulation::bit_time(&fabric);
        let counts = registers(Fabric::sequencer(&fabric));
        let values = graph.evaluate(&variables(&graph, &[(&counters, &counts)]));
        let strobes: Vec<bool> = told.iter().map(|line| values.of(*line)).collect();
        let counts: Vec<bool> = counted.iter().map(|one| values.of(*one)).collect();
        Fabric::transmit(&mut fabric).unwrap();
        let due: Vec<Vec<bool>> = (0..nodes)
            .map(|number| {
                let rx: Vec<bool> = (0..ports)
                    .map(|port| fabric.wire(neighbour(number, port), port))
                    .collect();
                let held_now = registers(fabric.node(number).0);
                let address: Vec<bool> = (0..ports).map(|bit| number >> bit & 1 == 1).collect();
                let said: [(&[Expression], &[bool]); 4] = [
                    (&held, &held_now),
                    (&heard, &strobes),
                    (&node.address, &address),
                    (&node.rx, &rx),
                ];
                let values = graph.evaluate(&variables(&graph, &said));
                for (port, tx) in node.tx.iter().enumerate() {
                    let wire = fabric.wire(number, port);
                    assert_eq!(values.of(*tx), wire, "{what}: {number}, {port}, {bit_time}");
                }
                next.iter().map(|next| values.of(*next)).collect()
            })
            .collect();
        Fabric::clock(&mut fabric);
        assert_eq!(counts, registers(Fabric::sequencer(&fabric)), "{what}");
        for (number, due) in due.iter().enumerate() {
            let found = registers(fabric.node(number).0);
            assert_eq!(*due, found, "{what}: node {number} after {bit_time}");
        }
    }
    let counts = registers(Fabric::sequencer(&fabric));
    let values = graph.evaluate(&variables(&graph, &[(&counters, &counts)]));
    assert!(values.of(sequencer.done), "{what}");
}
