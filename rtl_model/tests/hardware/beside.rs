//! A netlist is the machine: its gates, worked out for nodes in every bit time, give the same wires, to other nodes and to hosts, and
//! the same registers as the fabric, sequencer included. In a netlist no strobe is known, so this also shows that what a
//! simulation skips decides nothing.

use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Bundle, Netlist, Part, Register};
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;

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

fn lines(bundles: &[Bundle]) -> Vec<Expression> {
    bundles.iter().flat_map(|one| one.lines.clone()).collect()
}

/// What the hosts of all nodes drive in a bit time, node by node, given all wires; nothing once they have had enough.
pub type Hosts<'a> = dyn FnMut(u64, &[Vec<bool>]) -> Option<Vec<Vec<bool>>> + 'a;

/// Runs a loaded machine beside its netlist, until it is done or its hosts have had enough. In each bit time one node of `every` is
/// worked out, each in its turn.
pub fn runs_beside_its_netlist<R: Machine>(
    mut fabric: Fabric<R, bool>,
    every: usize,
    hosts: &mut Hosts<'_>,
    what: &str,
) {
    let Netlist {
        graph,
        node,
        sequencer,
    } = Netlist::of(fabric.router());
    let topology = fabric.topology().clone();
    let (nodes, links) = (topology.nodes(), topology.links());
    assert_eq!(
        [node.links, node.tx.len(), node.rx.len()],
        [links, topology.driven(), topology.received()],
        "{what}"
    );
    let held = all(&node.parts, |one| &one.bits);
    let next = all(&node.parts, |one| &one.next);
    assert_eq!(held.len(), Storage::of(fabric.node(0).0).total, "{what}");
    let counters = all(&sequencer.parts, |one| &one.bits);
    let counted = all(&sequencer.parts, |one| &one.next);
    let (heard, told) = (lines(&node.strobes), lines(&sequencer.strobes));
    let at_reset = graph.evaluate(&variables(&graph, &[]));
    let reset = |parts: &[Part]| -> Vec<bool> {
        let bits = all(parts, |one| &one.reset).into_iter();
        bits.map(|bit| at_reset.of(bit)).collect()
    };
    let begins = registers(&fabric.router().node::<bool>());
    assert_eq!(reset(&node.parts), begins, "{what}");
    let mut counts = reset(&sequencer.parts);
    assert_eq!(counts, registers(fabric.sequencer()), "{what}");
    loop {
        let bit_time = fabric.bit_time();
        let values = graph.evaluate(&variables(&graph, &[(&counters, &counts)]));
        assert_eq!(values.of(sequencer.done), fabric.is_done(), "{what}");
        let strobes: Vec<bool> = told.iter().map(|line| values.of(*line)).collect();
        counts = counted.iter().map(|next| values.of(*next)).collect();
        fabric.transmit().unwrap();
        let wires: Vec<Vec<bool>> = (0..nodes)
            .map(|number| {
                let driven = 0..topology.driven();
                driven.map(|wire| fabric.wire(number, wire)).collect()
            })
            .collect();
        let Some(from_hosts) = hosts(bit_time, &wires) else {
            return;
        };
        for (number, from_host) in from_hosts.iter().enumerate() {
            let (group, _) = topology.seat::<bool>(number);
            for (wire, bit) in from_host.iter().enumerate() {
                *fabric.from_host(group, wire) = *bit;
            }
        }
        let mut worked_out = Vec::new();
        for number in (bit_time as usize % every..nodes).step_by(every) {
            let from_links = (0..links).map(|wire| {
                topology.is_there(number, wire) && wires[topology.sender(number, wire)][wire]
            });
            let rx: Vec<bool> = from_links.chain(from_hosts[number].clone()).collect();
            let values = graph.evaluate(&variables(
                &graph,
                &[
                    (&held, &registers(fabric.node(number).0)),
                    (&heard, &strobes),
                    (&node.address, &topology.address_of::<bool>(number)),
                    (&node.rx, &rx),
                ],
            ));
            let tx: Vec<bool> = node.tx.iter().map(|wire| values.of(*wire)).collect();
            assert_eq!(tx, wires[number], "{what}: node {number} in {bit_time}");
            let due: Vec<bool> = next.iter().map(|next| values.of(*next)).collect();
            worked_out.push((number, due));
        }
        // What a node tells its host in the end it tells when all is over.
        if fabric.is_done() {
            return;
        }
        fabric.clock();
        for (number, due) in worked_out {
            let found = registers(fabric.node(number).0);
            assert_eq!(due, found, "{what}: node {number} after {bit_time}");
        }
        assert_eq!(counts, registers(fabric.sequencer()), "{what}");
    }
}
