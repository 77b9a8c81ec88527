//! A machine that runs a list of sends, three times: as it is described, as its netlist, and as a compiled program. It takes no bits
//! from hosts while it runs, so all three can be run to the end on their own.

use std::collections::HashMap;

use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Part, Register};
use rtl_model::language::lanes::Lanes;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::hypercube::{Dimensions, address_bit};
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::listed_path::MESSAGE;
use rtl_model::routers::ports::sends::Send;

/// Packet by packet down the spanning binomial tree, with a step between two packets in which nothing is sent.
fn machine(n: usize, packets: usize, size: (usize, usize), ports: PortModel) -> PortMachine {
    let (packet_bits, start_up) = size;
    let mut sends = Vec::new();
    for packet in 0..packets {
        for port in 0..n {
            for from in 0..1 << port {
                sends.push(Send {
                    step: packet * (n + 1) + port,
                    from,
                    to: from ^ 1 << port,
                    packet,
                });
            }
        }
    }
    let broadcast = Broadcast {
        cube: Dimensions::new(n).unwrap(),
        algorithm: Algorithm::Listed { steps: 0 },
        ports,
        source: 0,
        packets,
        packet_bits,
        start_up,
    };
    PortMachine::listed(broadcast, &sends).unwrap()
}

/// Bit `bit` of the message.
fn of_message(bit: usize) -> bool {
    bit.wrapping_mul(0x9e37_79b9) >> 7 & 1 == 1
}

fn loaded<B: Lanes>(machine: &PortMachine) -> Fabric<PortMachine, B> {
    let mut fabric = Fabric::new(machine.clone(), 1).unwrap();
    let orders = machine.order_bits().unwrap();
    for number in 0..1 << machine.wires().dimensions {
        let (node, place) = fabric.node_mut(number);
        machine.host_writes(node, &mut |field, bit, register: &mut B| {
            let value = match field {
                MESSAGE => number == 0 && of_message(bit),
                _ => orders.word(field, number, bit).unwrap() & 1 == 1,
            };
            register.set(place, value);
        });
    }
    fabric
}

/// Every register bit at a place, in order.
fn registers<B: Lanes>((module, place): (&impl Registers<B>, usize)) -> Vec<bool> {
    struct Reading(usize, Vec<bool>);
    impl<B: Lanes> Visitor<B> for Reading {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
            let place = self.0;
            self.1.extend((0..width).map(|at| bit(at).get(place)));
        }
    }
    let mut reading = Reading(place, Vec::new());
    module.visit(Name::Field("module"), &mut reading);
    reading.1
}

/// Machines of all ports and some sizes, in cubes of up to so many dimensions.
fn machines(most: usize) -> impl Iterator<Item = PortMachine> {
    PortModel::EACH.into_iter().flat_map(move |ports| {
        (1..=most).flat_map(move |n| {
            let sizes = [(1, (1, 0)), (2, (3, 1)), (3, (2, 0)), (2, (1, 2))];
            sizes.map(|(packets, size)| machine(n, packets, size, ports))
        })
    })
}

#[test]
fn a_program_ends_with_the_registers_of_the_description() {
    for machine in machines(7) {
        let mut described = loaded::<u64>(&machine);
        while !described.is_done() {
            described.tick().unwrap();
        }
        let mut compiled = loaded::<u64>(&machine);
        compiled.advance(u64::MAX, &How::default()).unwrap();
        assert_eq!(compiled.bit_time(), described.bit_time());
        for number in 0..1 << machine.wires().dimensions {
            let found = registers(compiled.node(number));
            assert_eq!(found, registers(described.node(number)), "node {number}");
            // All have the message.
            let (node, place) = described.node_mut(number);
            machine.host_writes(node, &mut |field, bit, register: &mut u64| {
                assert_eq!(register.get(place), field == MESSAGE && of_message(bit));
            });
        }
    }
}

/// What variables stand at.
type Variables = HashMap<Expression, bool>;

fn by_number(variables: &Variables, graph: &Graph) -> Vec<bool> {
    let mut numbered = vec![false; graph.len()];
    for (expression, value) in variables {
        let Gate::Variable(number) = graph.gate(*expression) else {
            panic!("{expression:?} is no variable");
        };
        numbered[number as usize] = *value;
    }
    numbered
}

fn all(parts: &[Part], side: impl Fn(&Register) -> &[Expression]) -> Vec<Expression> {
    let registers = parts.iter().flat_map(|part| &part.registers);
    registers
        .flat_map(|register| side(register).to_vec())
        .collect()
}

fn runs_beside_its_netlist(machine: &PortMachine) {
    let n = machine.wires().dimensions;
    let mut fabric = loaded::<bool>(machine);
    let Netlist {
        graph,
        node,
        sequencer,
    } = Netlist::of(machine);
    let held = all(&node.parts, |register| &register.bits);
    let counters = all(&sequencer.parts, |register| &register.bits);
    let lines: Vec<Expression> = (node.strobes.iter())
        .flat_map(|bundle| bundle.lines.clone())
        .collect();
    let driven = (sequencer.strobes.iter()).flat_map(|bundle| &bundle.lines);
    let driven: Vec<Expression> = driven.copied().collect();
    assert_eq!(lines.len(), driven.len());
    while !fabric.is_done() {
        let counts = registers((fabric.sequencer(), 0));
        let variables: Variables = counters.iter().copied().zip(counts).collect();
        let values = graph.evaluate(&by_number(&variables, &graph));
        let strobes: Vec<bool> = driven.iter().map(|line| values.of(*line)).collect();
        let counts: Vec<bool> = all(&sequencer.parts, |register| &register.next)
            .iter()
            .map(|next| values.of(*next))
            .collect();
        let mut inputs: Vec<Variables> = (0..1 << n)
            .map(|number| {
                let mut variables = Variables::new();
                let bits = registers(fabric.node(number));
                assert_eq!(bits.len(), held.len());
                variables.extend(held.iter().copied().zip(bits));
                variables.extend(lines.iter().copied().zip(strobes.iter().copied()));
                let address = (0..n).map(|d| address_bit(number, d));
                variables.extend(node.address.iter().copied().zip(address));
                variables
            })
            .collect();
        let tx: Vec<Vec<bool>> = (inputs.iter())
            .map(|variables| {
                let values = graph.evaluate(&by_number(variables, &graph));
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
        assert_eq!(counts, registers((fabric.sequencer(), 0)));
        let next = all(&node.parts, |register| &register.next);
        for (number, variables) in inputs.iter_mut().enumerate() {
            let rx = (0..n).map(|d| tx[number ^ 1 << d][d]);
            variables.extend(node.rx.iter().copied().zip(rx));
            let values = graph.evaluate(&by_number(variables, &graph));
            let next: Vec<bool> = next.iter().map(|next| values.of(*next)).collect();
            assert_eq!(next, registers(fabric.node(number)), "node {number}");
        }
    }
}

#[test]
fn its_netlist_is_the_description() {
    for machine in machines(3) {
        runs_beside_its_netlist(&machine);
    }
}

#[test]
fn nothing_comes_from_a_host_while_it_runs() {
    for machine in machines(3) {
        let design = machine.design("a list of sends");
        assert_eq!(design.from_host, []);
        let written: Vec<&str> = (design.host_writes.iter())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(written, ["load_sends", "load_receives", "load_message"]);
        for text in [&design.node, &design.sequencer, &design.cube] {
            let is_there = |name: &str| text.contains(name);
            assert!(
                !["ask", "supply", "ahead", "source"]
                    .into_iter()
                    .any(is_there)
            );
        }
    }
}
