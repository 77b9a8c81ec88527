//! The routine of wormhole nodes against their description: all registers, wires and tallies in every bit time.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::copies::Copies;
use rtl_model::language::bit::Bit;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::Registers;
use rtl_model::language::wires::Transmit;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::router::{Machine, Node, Unsequenced};
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::grid::Grid;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::irregular::Irregular;
use rtl_model::registers;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::networks::direct::Routing;
use rtl_model::routers::wormhole::networks::irregular::TableRouted;
use rtl_model::routers::wormhole::parameters::Parameters;
use rtl_model::routers::wormhole::silence::{NoSequencer, Silence};

fn networks() -> Vec<Network> {
    let copies = Copies::new(4).unwrap();
    let mut networks: Vec<Network> = [2, 3, 7]
        .map(|levels| Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap()))
        .into();
    let cube = |k| Dimensions::new(k).unwrap();
    let grid = |radix, dimensions, wraps| Grid::new(radix, dimensions, wraps).unwrap();
    let valiant = Routing::Valiant { seed: 3 };
    networks.push(Network::direct(cube(1), Routing::Order));
    networks.push(Network::direct(cube(7), Routing::Order));
    networks.push(Network::direct(cube(6), valiant));
    networks.push(Network::direct(cube(5), Routing::Adaptive));
    networks.push(Network::direct(grid(5, 3, true), Routing::Order));
    networks.push(Network::direct(grid(9, 2, false), valiant));
    networks.push(Network::direct(grid(8, 2, true), Routing::Adaptive));
    let ring: Vec<(usize, usize)> = (0..9)
        .flat_map(|node| [(node, (node + 1) % 9), (node, (node + 4) % 9)])
        .collect();
    let ring = Irregular::new(9, &ring).unwrap();
    networks.push(Network::TableRouted(
        TableRouted::shortest("", ring).unwrap(),
    ));
    networks.extend([1, 3, 4].map(|used| Network::Copies {
        copies: copies.clone(),
        used,
    }));
    networks
}

fn registers_of<R: Machine, B: Lanes>(fabric: &mut Fabric<R, B>) -> Vec<B> {
    let mut registers = Vec::new();
    for node in fabric.node_groups_mut() {
        node.visit_mut(&mut |register| registers.push(*register));
    }
    registers
}

fn wires_of<R: Machine, B: Lanes>(fabric: &Fabric<R, B>) -> Vec<B> {
    let wires = fabric.topology().driven();
    (0..fabric.node_groups().len())
        .flat_map(|group| (0..wires).map(move |wire| (group, wire)))
        .map(|(group, wire)| fabric.group_wire(group, wire))
        .collect()
}

fn tallies_of<R: Unsequenced, B: Lanes>(fabric: &Fabric<R, B>) -> Vec<u64> {
    let mut tallies = vec![0; R::TALLIES];
    fabric.add_tallies(&mut tallies);
    tallies
}

/// Hosts that send anything at any time; and a register is flipped now and then, in mid-run.
fn routine_is_the_description<B: Lanes>(machine: &WormholeMachine, instructions: Instructions) {
    let mut described = machine.clone().fabric::<B>(2).unwrap();
    let mut routine = machine.clone().fabric::<B>(2).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(B::NODES as u64);
    let mut moved = 0;
    for bit_time in 0..120 {
        // Made in mid-run as well as at first.
        if bit_time == 3 {
            routine.make_routine(instructions);
            assert_eq!(wires_of(&routine), wires_of(&described));
        }
        described.transmit().unwrap();
        routine.transmit().unwrap();
        assert_eq!(tallies_of(&routine), tallies_of(&described), "{bit_time}");
        let (groups, hosts) = (
            described.node_groups().len(),
            described.topology().wires_from_host(),
        );
        for group in 0..groups {
            for wire in 0..hosts {
                let mut bits = B::ZERO;
                (0..B::WORDS).for_each(|word| bits.set_word(word, random.random()));
                *described.from_host(group, wire) = bits;
                *routine.from_host(group, wire) = bits;
            }
        }
        assert_eq!(wires_of(&routine), wires_of(&described), "{bit_time}");
        for wire in 0..described.topology().driven() {
            assert_eq!(routine.driver(wire), described.driver(wire));
        }
        if bit_time % 16 == 7 {
            let node = random.random_range(0..2 * described.topology().nodes());
            let wire = random.random_range(0..described.topology().driven());
            for fabric in [&mut described, &mut routine] {
                let bit = fabric.wire(node, wire);
                fabric.force_wire(node, wire, !bit);
            }
        }
        if bit_time % 16 == 15 {
            let node = random.random_range(0..2 * described.topology().nodes());
            let which = random.random_range(0..machine.storage_bits().1);
            for fabric in [&mut described, &mut routine] {
                let (group, place) = fabric.node_mut(node);
                let mut left = which;
                group.visit_mut(&mut |register| {
                    if left == 0 {
                        register.set(place, !register.get(place));
                    }
                    left = left.wrapping_sub(1);
                });
            }
            assert_eq!(
                tallies_of(&routine),
                tallies_of(&described),
                "after a fault"
            );
        }
        described.clock();
        routine.clock();
        assert_eq!(tallies_of(&routine), tallies_of(&described));
        let registers = registers_of(&mut described);
        assert_eq!(registers_of(&mut routine), registers, "{bit_time}");
        assert_eq!(routine.bit_time(), bit_time + 1);
        moved += tallies_of(&described).iter().sum::<u64>();
    }
    assert!(moved > 0, "nothing ever stalls");
}

/// Three threads, of which none has as many groups as another.
#[test]
fn threads_share_a_bit_time() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let cycles = CubeConnectedCycles::new(8).unwrap();
    for network in [
        Network::direct(Dimensions::new(11).unwrap(), Routing::Order),
        Network::direct(Grid::new(13, 3, true).unwrap(), Routing::Order),
        Network::CubeConnectedCycles(cycles),
    ] {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        (pool.as_ref().unwrap())
            .install(|| routine_is_the_description::<u64>(&machine, Instructions::widest()));
    }
}

#[test]
fn the_routine_does_what_the_description_does() {
    for network in networks() {
        for virtual_channels in 1..=3 {
            for weak_switch in [false, true] {
                let parameters = Parameters {
                    virtual_channels,
                    buffer_bits: 1 + virtual_channels,
                    wire_bits: [1, 3, 1, 1][virtual_channels],
                    weak_switch,
                };
                let machine = WormholeMachine::new(network.clone(), parameters).unwrap();
                for instructions in Instructions::ALL {
                    routine_is_the_description::<u64>(&machine, instructions);
                }
                routine_is_the_description::<Words<8>>(&machine, Instructions::widest());
            }
        }
    }
}

/// Relays, and output channels any of which will do.
#[test]
fn the_routine_does_what_the_description_of_butterflies_does() {
    for (levels, virtual_channels, weak_switch) in [(2, 1, true), (2, 2, false), (4, 3, false)] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch,
        };
        let network = Network::Butterflies(Butterflies::new(levels).unwrap());
        let machine = WormholeMachine::new(network, parameters).unwrap();
        if levels == 2 {
            routine_is_the_description::<u64>(&machine, Instructions::Portable);
        }
        routine_is_the_description::<Words<8>>(&machine, Instructions::widest());
    }
}

/// All networks but one of 896 nodes, of whose kind there are two more.
const MOST_NODES_ALONE: usize = 128;

#[test]
fn the_routine_is_the_description_in_lanes_of_every_width() {
    for network in networks() {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        // One node at a time takes as much longer as there are nodes.
        if machine.network().nodes() <= MOST_NODES_ALONE {
            routine_is_the_description::<bool>(&machine, Instructions::Portable);
        }
        routine_is_the_description::<Words<2>>(&machine, Instructions::widest());
        routine_is_the_description::<Words<8>>(&machine, Instructions::Portable);
    }
}

/// Two units that may both drive dimension 0; what comes tells them whether they do.
#[derive(Clone)]
struct Quarrel;

#[derive(Clone)]
struct QuarrelNode<B: Bit> {
    first: B,
    second: B,
}
registers!(QuarrelNode { first, second });

impl<B: Bit> Node<B> for QuarrelNode<B> {
    type Broadcast = Silence;

    fn transmit(&self, _: &Silence, address: &[B], wires: &mut Transmit<'_, B>) {
        wires.drive_where(0, "the first", self.first, address[0]);
        wires.drive_where(0, "the second", self.second, B::ONE);
    }

    fn clock(&mut self, _: &Silence, _address: &[B], received: &[B]) {
        (self.first, self.second) = (self.second, self.first ^ received[0]);
    }
}

impl Machine for Quarrel {
    type Topology = Dimensions;
    type Broadcast<S: rtl_model::language::bit::Strobe> = Silence;
    type Node<B: Bit> = QuarrelNode<B>;
    type Sequencer<S: rtl_model::language::bit::Strobe> = NoSequencer<S>;

    fn topology(&self) -> Dimensions {
        Dimensions::new(7).unwrap()
    }

    fn node<B: Bit>(&self) -> QuarrelNode<B> {
        QuarrelNode {
            first: B::ZERO,
            second: B::ZERO,
        }
    }

    fn sequencer<S: rtl_model::language::bit::Strobe>(&self) -> NoSequencer<S> {
        NoSequencer::default()
    }
}

impl Unsequenced for Quarrel {
    const TALLIES: usize = 1;

    fn tallies<B: Bit>(
        &self,
        node: &QuarrelNode<B>,
        _address: &[B],
        count: &mut impl FnMut(usize, B),
    ) {
        count(0, node.first);
        count(0, node.second);
    }
}

/// What a machine does in which node 100 begins with a 1: two units drive one wire after some bit times, and again and again.
fn quarrel(routine_from: Option<u64>) -> Vec<(Option<String>, Vec<u64>)> {
    let mut fabric = Fabric::<_, u64>::new(Quarrel, 1).unwrap();
    let (group, place) = fabric.node_mut(100);
    group.second.set(place, true);
    let bit_times = (0..20).map(|bit_time| {
        if routine_from == Some(bit_time) {
            fabric.make_routine(Instructions::widest());
            assert!(bit_time > 0 || !fabric.wire(100, 0));
        }
        // Only dimension 0 is driven: the others carry nothing, forced or not.
        let conflict = fabric.transmit().err();
        fabric.force_wire(77, 0, true);
        fabric.force_wire(78, 3, true);
        fabric.clock();
        let conflict = conflict.map(|conflict| conflict.to_string());
        (conflict, registers_of(&mut fabric))
    });
    bit_times.collect()
}

#[test]
fn two_drivers_of_a_wire_are_named_as_the_description_names_them() {
    let expected = quarrel(None);
    let first = expected.iter().position(|(conflict, _)| conflict.is_some());
    let first = first.expect("no conflict") as u64;
    assert!(first > 1);
    let text = expected[first as usize].0.as_deref().unwrap_or_default();
    assert!(text.contains("by the first and by the second"), "{text}");
    for routine_from in [0, 1, first, first + 1, first + 3] {
        assert_eq!(quarrel(Some(routine_from)), expected, "{routine_from}");
    }
}

/// The description clocks without having transmitted: nothing is received.
#[test]
fn a_clock_edge_that_comes_first_finds_idle_wires() {
    let clocked = |with_routine: bool| {
        let mut fabric = Fabric::<_, u64>::new(Quarrel, 1).unwrap();
        let (group, place) = fabric.node_mut(5);
        group.second.set(place, true);
        if with_routine {
            fabric.make_routine(Instructions::widest());
        }
        fabric.clock();
        registers_of(&mut fabric)
    };
    assert_eq!(clocked(true), clocked(false));
}
