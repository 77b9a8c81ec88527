//! The netlist is the machine: its gates, worked out for every node in every bit time, give the same wires, to other nodes and to
//! hosts, and the same registers as the fabric, sequencer included.

use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Part, Register};
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::configuration::{FIRST, PARENT, PHASE, SECOND, TURN};
use rtl_model::routers::ports::node::SUPPLY;

use crate::ports::common::{each, let_hosts_drive, load, machine, supply, taken};

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
#[derive(Clone)]
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

/// Runs a machine beside its netlist, from registers that the host has written.
fn run_beside_netlist(device: PortMachine, seed: u64) {
    let what = format!("{:?}", device.broadcast());
    let Netlist {
        graph,
        node,
        sequencer,
    } = Netlist::of(&device);
    let mut fabric = Fabric::<_, bool>::new(device, 1).unwrap();
    let topology = fabric.topology().clone();
    assert_eq!(node.links, topology.links());
    assert_eq!(
        (node.tx.len(), node.rx.len()),
        (topology.driven(), topology.received())
    );
    let (held, next) = (
        all(&node.parts, |one| &one.bits),
        all(&node.parts, |one| &one.next),
    );
    assert_eq!(held.len(), Storage::of(fabric.node(0).0).total);
    let ports = node.strobes.iter().flat_map(|one| one.lines.clone());
    let ports: Vec<Expression> = ports.collect();
    let (counters, counted) = (
        all(&sequencer.parts, |one| &one.bits),
        all(&sequencer.parts, |one| &one.next),
    );
    let reset = graph.evaluate(&Variables::of(&graph).0);
    let reset = |parts: &[Part]| -> Vec<bool> {
        let bits = all(parts, |one| &one.reset).into_iter();
        bits.map(|bit| reset.of(bit)).collect()
    };
    let mut sequencer_state = reset(&sequencer.parts);
    assert_eq!(sequencer_state, registers(fabric.sequencer()));
    assert_eq!(reset(&node.parts), registers(fabric.node(0).0));
    load(&mut fabric, seed);
    let nodes = topology.nodes();
    let mut state: Vec<Vec<bool>> = (0..nodes)
        .map(|number| registers(fabric.node(number).0))
        .collect();
    loop {
        let mut variables = Variables::of(&graph);
        variables.set(&graph, &counters, &sequencer_state);
        let values = graph.evaluate(&variables.0);
        assert_eq!(values.of(sequencer.done), fabric.is_done(), "{what}");
        let strobes = sequencer.strobes.iter().flat_map(|one| &one.lines);
        let strobes: Vec<bool> = strobes.map(|line| values.of(*line)).collect();
        sequencer_state = counted.iter().map(|next| values.of(*next)).collect();
        let mut inputs: Vec<Variables> = (state.iter().enumerate())
            .map(|(number, registers)| {
                let mut variables = Variables::of(&graph);
                variables.set(&graph, &held, registers);
                variables.set(&graph, &ports, &strobes);
                let address = topology.address_of::<bool>(number);
                variables.set(&graph, &node.address, &address);
                variables
            })
            .collect();
        let tx: Vec<Vec<bool>> = (inputs.iter())
            .map(|variables| {
                let values = graph.evaluate(&variables.0);
                node.tx.iter().map(|wire| values.of(*wire)).collect()
            })
            .collect();
        fabric.transmit().unwrap();
        let bit_time = fabric.bit_time();
        for (number, wires) in tx.iter().enumerate() {
            for (wire, value) in wires.iter().enumerate() {
                let on_wire = fabric.wire(number, wire);
                assert_eq!(
                    *value, on_wire,
                    "{what}: node {number}, wire {wire}, bit time {bit_time}"
                );
            }
        }
        // What arrives in the last bit time is told when all is over.
        if fabric.is_done() {
            return;
        }
        let_hosts_drive(&mut fabric);
        fabric.clock();
        for (number, variables) in inputs.iter_mut().enumerate() {
            let links = (0..node.links).map(|wire| tx[topology.sender(number, wire)][wire]);
            let hosts = (0..topology.wires_from_host()).map(|wire| supply(bit_time, number, wire));
            let rx: Vec<bool> = links.chain(hosts).collect();
            variables.set(&graph, &node.rx, &rx);
            let values = graph.evaluate(&variables.0);
            state[number] = next.iter().map(|next| values.of(*next)).collect();
            assert_eq!(
                state[number],
                registers(fabric.node(number).0),
                "{what}: node {number} after bit time {bit_time}"
            );
        }
        assert_eq!(sequencer_state, registers(fabric.sequencer()), "{what}");
    }
}

fn in_dimensions(n: usize) {
    for kind in each() {
        for packets in taken(kind.0, n, &[1, 2, n, n + 1, 2 * n + 1, 3 * n]) {
            for (number, size) in [(1, 0), (2, 1), (3, 0)].into_iter().enumerate() {
                let source = (packets * 3 + number) % (1 << n);
                let device = machine(kind, n, source, packets, size);
                run_beside_netlist(device, (packets + number) as u64);
            }
        }
    }
}

#[test]
fn in_one_dimension() {
    in_dimensions(1);
}

#[test]
fn in_two_dimensions() {
    in_dimensions(2);
}

#[test]
fn in_three_dimensions() {
    in_dimensions(3);
}

/// While a machine is reset the host writes first bits, and the configuration of a tree that no rule gives.
#[test]
fn what_the_host_writes() {
    for kind in each() {
        for n in 1..=4 {
            let device = machine(kind, n, 0, 1, (2, 0));
            let (channels, places) = (device.wires().channels, device.places());
            let netlist = Netlist::of(&device);
            let fields =
                (netlist.node.host_writes.iter()).map(|(field, bits)| (*field, bits.len()));
            let fields: Vec<_> = fields.collect();
            assert_eq!(fields[0], (SUPPLY, channels));
            let names: Vec<_> = fields[1..].iter().map(|(field, _)| *field).collect();
            match (places.is_some(), kind.1.name()) {
                (false, _) => assert!(names.is_empty()),
                (true, "all") => assert_eq!(names, [PARENT, FIRST, TURN]),
                (true, _) if n == 1 => assert_eq!(names, [PARENT, FIRST, TURN]),
                (true, _) => assert_eq!(names, [PARENT, FIRST, SECOND, TURN, PHASE]),
            }
        }
    }
}
