//! The netlist is the machine: its gates, worked out node by node in every bit time, give the same wires and the same registers as
//! the fabric, sequencer included. In a netlist no strobe is known, so this also shows that what a simulation skips decides
//! nothing.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Part, Register};
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Router;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::reduced_hypercube::common::{full, reduced};
use crate::reduced_hypercube::machines::{Visit, load, on_keys, on_messages, on_words};

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

/// What variables stand at, by number; 0 where nothing was set.
struct Variables(Vec<bool>);

impl Variables {
    fn of(graph: &Graph) -> Self {
        Variables(vec![false; graph.len()])
    }

    fn set(&mut self, graph: &Graph, variables: &[Expression], values: &[bool]) {
        assert_eq!(variables.len(), values.len());
        for (variable, value) in variables.iter().zip(values) {
            let Gate::Variable(number) = graph.gate(*variable) else {
                panic!("{variable:?} is no variable");
            };
            self.0[number as usize] = *value;
        }
    }
}

fn all(parts: &[Part], side: impl Fn(&Register) -> &[Expression]) -> Vec<Expression> {
    let registers = parts.iter().flat_map(|part| &part.registers);
    registers.flat_map(|one| side(one).to_vec()).collect()
}

/// Runs a machine beside its netlist. In each bit time one node of so many is worked out, each in its turn; all of them before
/// the first.
struct BesideNetlist {
    of: usize,
}

impl Visit for BesideNetlist {
    fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str) {
        let Netlist {
            graph,
            node,
            sequencer,
        } = Netlist::of(&machine);
        let mut fabric = Fabric::<_, bool>::new(machine, 1).unwrap();
        let topology = *fabric.topology();
        assert_eq!(
            (node.tx.len(), node.rx.len()),
            (topology.links(), topology.links())
        );
        let held = all(&node.parts, |one| &one.bits);
        let next = all(&node.parts, |one| &one.next);
        assert_eq!(held.len(), Storage::of(fabric.node(0).0).total);
        let ports = node.strobes.iter().flat_map(|one| one.lines.clone());
        let ports: Vec<Expression> = ports.collect();
        let counters = all(&sequencer.parts, |one| &one.bits);
        let counted = all(&sequencer.parts, |one| &one.next);
        let before = graph.evaluate(&Variables::of(&graph).0);
        let reset = |parts: &[Part]| -> Vec<bool> {
            let bits = all(parts, |one| &one.reset).into_iter();
            bits.map(|bit| before.of(bit)).collect()
        };
        let mut sequencer_state = reset(&sequencer.parts);
        assert_eq!(sequencer_state, registers(fabric.sequencer()), "{what}");
        for number in 0..topology.nodes() {
            assert_eq!(
                reset(&node.parts),
                registers(fabric.node(number).0),
                "{what}"
            );
        }
        load(&mut fabric, 1);
        loop {
            let bit_time = fabric.bit_time();
            let mut variables = Variables::of(&graph);
            variables.set(&graph, &counters, &sequencer_state);
            let values = graph.evaluate(&variables.0);
            assert_eq!(values.of(sequencer.done), fabric.is_done(), "{what}");
            let strobes = sequencer.strobes.iter().flat_map(|one| &one.lines);
            let strobes: Vec<bool> = strobes.map(|line| values.of(*line)).collect();
            sequencer_state = counted.iter().map(|next| values.of(*next)).collect();
            if fabric.is_done() {
                return;
            }
            fabric.transmit().unwrap();
            let turn = bit_time as usize % self.of;
            let mut worked_out = Vec::new();
            for number in (turn..topology.nodes()).step_by(self.of) {
                let mut variables = Variables::of(&graph);
                variables.set(&graph, &held, &registers(fabric.node(number).0));
                variables.set(&graph, &ports, &strobes);
                let address = topology.address_of::<bool>(number);
                variables.set(&graph, &node.address, &address);
                let links = 0..topology.links();
                let rx: Vec<bool> = links
                    .map(|wire| fabric.wire(topology.sender(number, wire), wire))
                    .collect();
                variables.set(&graph, &node.rx, &rx);
                let values = graph.evaluate(&variables.0);
                for (wire, tx) in node.tx.iter().enumerate() {
                    assert_eq!(
                        values.of(*tx),
                        fabric.wire(number, wire),
                        "{what}: node {number}, wire {wire}, bit time {bit_time}"
                    );
                }
                let due: Vec<bool> = next.iter().map(|next| values.of(*next)).collect();
                worked_out.push((number, due));
            }
            fabric.clock();
            for (number, due) in worked_out {
                assert_eq!(
                    due,
                    registers(fabric.node(number).0),
                    "{what}: node {number} after bit time {bit_time}"
                );
            }
            assert_eq!(sequencer_state, registers(fabric.sequencer()), "{what}");
        }
    }
}

/// What a node sends is decided by its registers alone, so all gates can be worked out at once.
#[test]
fn what_comes_decides_nothing_that_is_sent() {
    struct NoLoop;
    impl Visit for NoLoop {
        fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str) {
            let netlist = Netlist::of(&machine);
            let mut variables = Variables::of(&netlist.graph);
            let quiet = netlist.graph.evaluate(&variables.0);
            let ones = vec![true; netlist.node.rx.len()];
            variables.set(&netlist.graph, &netlist.node.rx, &ones);
            let loud = netlist.graph.evaluate(&variables.0);
            for tx in &netlist.node.tx {
                assert_eq!(quiet.of(*tx), loud.of(*tx), "{what}");
            }
            assert!(LogicDepth::of_netlist(&netlist).is_ok(), "{what}");
        }
    }
    on_words(reduced(2, 2), &Operator::ALL, 4, &mut NoLoop);
    on_keys(reduced(2, 2), (2, 3), &mut NoLoop);
    on_messages(reduced(2, 2), 3, &mut NoLoop);
}

#[test]
fn of_words() {
    let mut every_node = BesideNetlist { of: 1 };
    for bits in [1, 2, 4, 5] {
        on_words(reduced(1, 1), &Operator::ALL, bits, &mut every_node);
        on_words(full(3), &Operator::ALL, bits, &mut every_node);
    }
    on_words(reduced(3, 1), &Operator::ALL, 2, &mut every_node);
    let mut a_third = BesideNetlist { of: 3 };
    on_words(reduced(2, 2), &Operator::ALL, 4, &mut a_third);
}

#[test]
fn of_keys() {
    let mut every_node = BesideNetlist { of: 1 };
    for size in [(1, 1), (1, 4), (2, 2), (3, 2)] {
        on_keys(reduced(1, 1), size, &mut every_node);
        on_keys(full(3), size, &mut every_node);
    }
    on_keys(reduced(3, 1), (2, 1), &mut every_node);
    on_keys(reduced(2, 2), (1, 2), &mut BesideNetlist { of: 3 });
    on_keys(reduced(2, 2), (3, 1), &mut BesideNetlist { of: 7 });
}

#[test]
fn of_messages() {
    let mut every_node = BesideNetlist { of: 1 };
    for bits in [1, 2, 5] {
        on_messages(reduced(1, 1), bits, &mut every_node);
        on_messages(full(3), bits, &mut every_node);
    }
    for network in [reduced(3, 1), reduced(2, 2), reduced(3, 2)] {
        on_messages(network, 3, &mut every_node);
    }
}
