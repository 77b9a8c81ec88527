//! The netlist of a wormhole node is the node: its gates, worked out for every node in every bit time while hosts send worms,
//! give the same wires and registers as the fabric. And its logic depth.

use std::collections::VecDeque;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::{Netlist, Register};
use rtl_model::embedding::copies::Copies;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{Network, Parameters};
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::plan::host_wires::{
    EJECT, EJECT_VALID, FROM_HOST, INJECT, INJECT_CREDIT, INJECT_TAIL, INJECT_VALID, TO_HOST,
};

/// Body bits of a worm.
const BODY: usize = 6;

/// Every register bit of a node, in order.
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

/// A host's end of a switch: worms to send, and credits.
struct Host {
    worms: VecDeque<Vec<bool>>,
    sent: usize,
    credits: usize,
}

impl Host {
    /// The wires that it drives: the bit, that there is one, and that it is the last.
    fn send(&mut self, buffer_bits: usize) -> [bool; FROM_HOST] {
        let mut wires = [false; FROM_HOST];
        let may = match self.sent {
            0 => self.credits == buffer_bits,
            _ => self.credits > 0,
        };
        if let Some(worm) = self.worms.front().filter(|_| may) {
            wires[INJECT] = worm[self.sent];
            wires[INJECT_VALID] = true;
            self.sent += 1;
            self.credits -= 1;
            if self.sent == worm.len() {
                wires[INJECT_TAIL] = true;
                self.sent = 0;
                self.worms.pop_front();
            }
        }
        wires
    }
}

/// Two worms from each switch of each node, to different ends.
fn hosts(machine: &WormholeMachine) -> Vec<Host> {
    let network = machine.network();
    let nodes = network.nodes();
    let worm = |node: usize, switch: usize, turn: usize| {
        let number = 2 * node + turn;
        let destination = (node * [3, 5][turn] + switch + 1) % nodes;
        let mut bits = machine.header(switch, network.trip(number, node, destination));
        bits.extend((0..BODY).map(|place| (node + turn + place * place).count_ones() % 2 == 1));
        bits
    };
    (0..nodes)
        .flat_map(|node| (0..network.switches()).map(move |switch| (node, switch)))
        .map(|(node, switch)| Host {
            worms: (0..2).map(|turn| worm(node, switch, turn)).collect(),
            sent: 0,
            credits: machine.plan().buffer_bits,
        })
        .collect()
}

/// Runs the machine beside its netlist until all worms have come out. Returns the bit times that it took.
fn run_beside_netlist(network: Network, parameters: Parameters) -> u64 {
    let (bit_times, missing) = beside_netlist(network, parameters, 2000);
    assert_eq!(missing, 0, "bits have not come out");
    bit_times
}

/// The same for so many bit times at the most: how many it took, and bits that have not come out.
fn beside_netlist(network: Network, parameters: Parameters, limit: u64) -> (u64, usize) {
    let machine = WormholeMachine::new(network, parameters).unwrap();
    let netlist = Netlist::of(&machine);
    let (graph, node) = (&netlist.graph, &netlist.node);
    let all = |side: &dyn Fn(&Register) -> &[Expression]| -> Vec<Expression> {
        let registers = node.parts.iter().flat_map(|part| &part.registers);
        registers
            .flat_map(|register| side(register).to_vec())
            .collect()
    };
    let (held, next) = (all(&|one| &one.bits), all(&|one| &one.next));
    let mut fabric = Fabric::<_, bool>::new(machine.clone(), 1).unwrap();
    let topology = machine.wiring();
    let (nodes, switches) = (topology.nodes(), machine.plan().switches());
    assert_eq!(held.len(), Storage::of(fabric.node(0).0).total);
    assert_eq!(node.links, topology.links());
    assert_eq!(
        (node.tx.len(), node.rx.len()),
        (topology.driven(), topology.received())
    );
    assert!(node.strobes.is_empty() && netlist.sequencer.parts.is_empty());

    let zeros = || Variables(vec![false; graph.len()]);
    let reset = graph.evaluate(&zeros().0);
    let reset: Vec<bool> = all(&|one| &one.reset)
        .into_iter()
        .map(|bit| reset.of(bit))
        .collect();
    let mut state = vec![reset; nodes];
    for (number, state) in state.iter().enumerate() {
        assert_eq!(*state, registers(fabric.node(number).0), "at reset");
    }

    let mut hosts = hosts(&machine);
    let body_bits = 2 * BODY * hosts.len();
    let mut ejected = 0;
    while ejected < body_bits && fabric.bit_time() < limit {
        let mut inputs: Vec<Variables> = (0..nodes)
            .map(|number| {
                let mut variables = zeros();
                variables.set(graph, &held, &state[number]);
                variables.set(graph, &node.address, &topology.address_of::<bool>(number));
                variables
            })
            .collect();
        let tx: Vec<Vec<bool>> = inputs
            .iter()
            .map(|variables| {
                let values = graph.evaluate(&variables.0);
                node.tx.iter().map(|wire| values.of(*wire)).collect()
            })
            .collect();
        fabric.transmit().unwrap();
        for (number, wires) in tx.iter().enumerate() {
            for (wire, value) in wires.iter().enumerate() {
                assert_eq!(
                    *value,
                    fabric.wire(number, wire),
                    "node {number}, wire {wire}"
                );
            }
        }
        let mut sent = Vec::new();
        for (number, host) in hosts.iter_mut().enumerate() {
            let (number, switch) = (number / switches, number % switches);
            let to_host = |wire| tx[number][topology.links() + switch * TO_HOST + wire];
            sent.extend(host.send(parameters.buffer_bits));
            host.credits += usize::from(to_host(INJECT_CREDIT));
            ejected += usize::from(to_host(EJECT_VALID));
            assert!(!to_host(EJECT) || to_host(EJECT_VALID));
        }
        let from_host = topology.wires_from_host();
        for (number, sent) in sent.chunks(from_host).enumerate() {
            let (group, _) = topology.seat::<bool>(number);
            for (wire, value) in sent.iter().enumerate() {
                *fabric.from_host(group, wire) = *value;
            }
        }
        fabric.clock();
        for (number, variables) in inputs.iter_mut().enumerate() {
            let links = (0..node.links).map(|wire| tx[topology.sender(number, wire)][wire]);
            let host = sent[number * from_host..][..from_host].iter().copied();
            variables.set(graph, &node.rx, &links.chain(host).collect::<Vec<_>>());
            let values = graph.evaluate(&variables.0);
            state[number] = next.iter().map(|next| values.of(*next)).collect();
            assert_eq!(
                state[number],
                registers(fabric.node(number).0),
                "node {number} after bit time {}",
                fabric.bit_time()
            );
        }
    }
    (fabric.bit_time(), body_bits - ejected)
}

fn cycles(levels: usize) -> Network {
    Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap())
}

fn copies(levels: usize, used: usize) -> Network {
    Network::Copies {
        copies: Copies::new(levels).unwrap(),
        used,
    }
}

fn e_cube(levels: usize) -> Network {
    Network::ECube(Copies::new(levels).unwrap().dimensions())
}

fn valiant(levels: usize) -> Network {
    Network::Valiant {
        dimensions: Copies::new(levels).unwrap().dimensions(),
        seed: 5,
    }
}

/// Strong and weak, and buffers of one, two and three bits.
fn all_machines(network: &Network) {
    for buffer_bits in 1..=3 {
        let run = |weak_switch| {
            let parameters = Parameters {
                virtual_channels: 3,
                buffer_bits,
                weak_switch,
            };
            run_beside_netlist(network.clone(), parameters)
        };
        assert!(run(false) <= run(true), "a weak switch saves no time here");
    }
}

#[test]
fn cube_connected_cycles_of_two_levels() {
    all_machines(&cycles(2));
}

/// The third virtual channel is used from four levels on.
#[test]
fn cube_connected_cycles_of_four_levels() {
    for virtual_channels in [2, 3] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            weak_switch: false,
        };
        run_beside_netlist(cycles(4), parameters);
    }
}

#[test]
fn two_copies_of_two_levels() {
    all_machines(&copies(2, 2));
    all_machines(&copies(2, 1));
}

#[test]
fn dimension_order() {
    all_machines(&e_cube(2));
}

/// By way of nodes drawn at random, each phase on channels of its own; on one that they share, into a deadlock.
#[test]
fn valiants_two_phases() {
    all_machines(&valiant(2));
    let shared = Parameters {
        virtual_channels: 1,
        buffer_bits: 2,
        weak_switch: false,
    };
    let (bit_times, missing) = beside_netlist(valiant(2), shared, 300);
    assert!(
        bit_times == 300 && missing > 0,
        "{missing} missing after {bit_times}"
    );
}

/// Two phases on the cross product of butterflies, with relays and lanes.
#[test]
fn butterflies() {
    let network = Network::Butterflies(Butterflies::new(2).unwrap());
    for (virtual_channels, buffer_bits, weak_switch) in [(2, 2, false), (1, 1, true)] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            weak_switch,
        };
        run_beside_netlist(network.clone(), parameters);
    }
}

/// No loop of gates runs through a wire: what a node sends is decided by its registers alone. A path begins and ends at a
/// register, and there is no sequencer.
#[test]
fn logic_depth() {
    let depth = |network, virtual_channels, weak_switch| {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            weak_switch,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        let depth = LogicDepth::of(&machine).unwrap();
        assert_eq!((depth.sequencer, depth.total), (0, depth.node));
        assert_eq!(depth.path.last().unwrap().gates, depth.total);
        depth.node
    };
    for weak_switch in [false, true] {
        // A node of cube-connected cycles is the same at every size but for the bits that tell level 0.
        let of_cycles: Vec<usize> = (2..=4)
            .map(|levels| depth(cycles(levels), 3, weak_switch))
            .collect();
        assert!(of_cycles.is_sorted() && of_cycles[2] <= of_cycles[0] + 2);
        let of_copies: Vec<usize> = [2, 4]
            .map(|levels| depth(copies(levels, levels), 3, weak_switch))
            .into();
        // The wire is shared with another copy, and found by address.
        assert!(of_copies.is_sorted() && of_copies[0] > of_cycles[0]);
        let of_e_cube: Vec<usize> = [2, 4]
            .map(|levels| depth(e_cube(levels), 1, weak_switch))
            .into();
        assert!(of_e_cube.is_sorted());
    }
    let butterflies = |levels| Network::Butterflies(Butterflies::new(levels).unwrap());
    for (network, virtual_channels) in [
        (cycles(4), 3),
        (copies(4, 4), 3),
        (e_cube(4), 1),
        (butterflies(2), 2),
        (butterflies(4), 3),
    ] {
        let strong = depth(network.clone(), virtual_channels, false);
        assert!(depth(network, virtual_channels, true) >= strong);
    }
}
