//! Properties of the routers on routings, payloads and sets that proptest draws and shrinks.

use crate::common::beside::run_beside_reference;
use crate::common::metered::delivers_with_meters_on;
use crate::common::structured::{Family, part_of};
use crate::common::{
    cube, device, generator, live_bits, load, loaded, on_each_schedule, registers, schedule, score,
    served, traffic,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::{Machine, MessageRouter};
use rtl_model::routers::kuszmaul;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::{self, PackingRouter};
use rtl_model::routers::permutation::{self, PermutationRouter};
use rtl_model::routers::sorting::{bitonic, radix};
use rtl_model::traffic::Traffic;
use testbenches::lockstep::Schedule;
use testbenches::lockstep::simulation::{self, Run};

/// Dimensions, payload bits, and a partial permutation: each source's place in a shuffled list of the
/// nodes, or none.
fn routing(most_dimensions: usize) -> impl Strategy<Value = (usize, usize, Vec<(usize, usize)>)> {
    (1..=most_dimensions, 1usize..=20).prop_flat_map(|(k, payload_bits)| {
        let destinations = Just((0..1usize << k).collect::<Vec<_>>()).prop_shuffle();
        let sends = prop::collection::vec(any::<bool>(), 1 << k);
        (Just(k), Just(payload_bits), destinations, sends).prop_map(
            |(k, payload_bits, destinations, sends)| {
                let pairs = destinations.into_iter().enumerate().zip(sends);
                let sent = pairs.filter(|(_, sends)| *sends).map(|(pair, _)| pair);
                (k, payload_bits, sent.collect())
            },
        )
    })
}

/// The same of a routing with structure, or of a part of one.
fn structured(
    most_dimensions: usize,
) -> impl Strategy<Value = (usize, usize, Vec<(usize, usize)>)> {
    let family = prop::sample::select(&Family::ALL[..]);
    let drawn = (
        1..=most_dimensions,
        1usize..=20,
        family,
        any::<bool>(),
        any::<u64>(),
    );
    drawn.prop_map(|(k, payload_bits, family, is_full, seed)| {
        let mut random = generator(seed);
        let pairs = family.drawn(k, &mut random);
        let sent = match is_full {
            true => pairs,
            false => part_of(k, &pairs, &mut random),
        };
        (k, payload_bits, sent)
    })
}

/// A semi-contraction: sources in ascending order, destinations that move by at most as much.
fn semi_contraction() -> impl Strategy<Value = (usize, usize, Vec<(usize, usize)>)> {
    (1usize..=8, 1usize..=20).prop_flat_map(|(k, payload_bits)| {
        let sends = prop::collection::vec(any::<bool>(), 1 << k);
        // How much of each gap between sources the destinations keep, and which way they run.
        let kept = prop::collection::vec(0.0f64..1.0, 1 << k);
        (Just(k), Just(payload_bits), sends, kept, any::<bool>()).prop_map(
            |(k, payload_bits, sends, kept, turned)| {
                let nodes = 1usize << k;
                let sources: Vec<usize> = (0..nodes).filter(|&node| sends[node]).collect();
                let mut pairs: Vec<(usize, usize)> = Vec::new();
                for &source in &sources {
                    let destination = match pairs.last() {
                        None => (kept[source] * (source + 1) as f64) as usize,
                        Some(&(before, destination)) => {
                            let gap = (source - before) as f64 * kept[source];
                            destination + (gap as usize).max(1)
                        }
                    };
                    pairs.push((source, destination));
                }
                if turned {
                    for (_, destination) in &mut pairs {
                        *destination = nodes - 1 - *destination;
                    }
                }
                (k, payload_bits, pairs)
            },
        )
    })
}

/// Every register bit of a node of the carrier `bool`, in order.
fn bits<R: Machine>(fabric: &Fabric<R, bool>, node: usize) -> Vec<bool> {
    struct Bits(Vec<bool>);
    impl Visitor<bool> for Bits {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
            self.0.extend((0..width).map(bit));
        }
    }
    let mut bits = Bits(Vec::new());
    Registers::<bool>::visit(fabric.node(node).0, Name::Field("node"), &mut bits);
    bits.0
}

/// The same run in lanes and node by node: every register of every node in every bit time. One machine runs in single
/// words, several side by side in eight. The carrier `bool` is compiled here, and lanes are not.
fn lanes_agree_with_bool<R: MessageRouter>(router: R, device: &dyn Device, traffic: &Traffic) {
    let nodes = traffic.nodes().count();
    let mut single = Fabric::<_, bool>::new(router.clone(), 1).unwrap();
    for (index, message) in traffic.messages().iter().enumerate() {
        let (node, place) = single.node_mut(message.source);
        router.load(node, place, message.destination, traffic.payload(index));
    }
    let mut in_lanes = [1, 512 / nodes + 1].map(|machines| {
        let mut machine = device.build(machines).unwrap();
        load(&mut *machine, traffic);
        machine
    });
    while !single.is_done() {
        single.tick().unwrap();
        for lanes in &mut in_lanes {
            lanes.tick().unwrap();
            for node in 0..nodes {
                assert_eq!(
                    registers(&**lanes, node),
                    bits(&single, node),
                    "node {node} of {} machines after bit time {}",
                    lanes.machines(),
                    single.bit_time()
                );
            }
        }
    }
    assert!(in_lanes.iter().all(|lanes| lanes.is_done()));
}

/// The meters of a program against those of ticks, of so many machines side by side. Of more messages than there are, bits
/// are missing: both say when.
fn meters_agree(device: &dyn Device, traffic: &Traffic, (machines, threads): (usize, usize)) {
    let messages = traffic.messages().len() as u64;
    for messages in [messages, messages + 1] {
        let live_bits = live_bits(device, messages);
        let run = Run {
            threads,
            ..Run::held_to(&live_bits)
        };
        let built = || {
            let mut machine = device.build(machines).unwrap();
            load(&mut *machine, traffic);
            machine
        };
        let ticked = simulation::run(&mut *built(), run, |_| Ok::<(), ()>(())).unwrap();
        let advanced = simulation::advance(&mut *built(), run).unwrap();
        assert_eq!(advanced.bit_times, ticked.bit_times);
        // Of one machine; a program counts the wires of all.
        let wires = machines as u64 * ticked.driven_wire_bit_times;
        assert_eq!(advanced.driven_wire_bit_times, wires);
        assert_eq!(advanced.loaded, ticked.loaded);
        assert_eq!(advanced.steps, ticked.steps);
        assert_eq!(advanced.peak_bits_per_node, ticked.peak_bits_per_node);
        assert_eq!(
            advanced.peak_messages_per_node,
            ticked.peak_messages_per_node
        );
        assert_eq!(advanced.not_conserved, ticked.not_conserved);
        assert_eq!(advanced.conflict, ticked.conflict);
    }
}

on_each_schedule!(
    any_partial_permutation_is_delivered_as_the_reference_says,
    a_program_measures_what_ticks_do,
);

/// Draws `cases` of a property that panics where it does not hold, and shrinks those that do.
fn holds<D: Strategy>(cases: u32, drawn: D, property: impl Fn(D::Value)) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let run = TestRunner::new(config).run(&drawn, |value| {
        property(value);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

fn any_partial_permutation_is_delivered_as_the_reference_says(schedule: Schedule) {
    holds(
        200,
        (prop_oneof![routing(7), structured(8)], any::<u64>()),
        |((k, payload_bits, pairs), seed)| {
            let pairs = served(schedule, k, &pairs);
            let traffics = [traffic(k, payload_bits, &pairs, seed)];
            run_beside_reference(schedule, k, payload_bits, &traffics);
            run_beside_reference(schedule, k, payload_bits, &traffics);
            let router = device(schedule, k, payload_bits);
            delivers_with_meters_on(&*router, &traffics[0]);
        },
    );
}

fn lanes_are_many_nodes_at_once<S: permutation::Schedule>(named: &str) {
    let schedule = schedule(named);
    holds(
        24,
        prop_oneof![routing(7), structured(7)],
        |(k, payload_bits, pairs)| {
            let traffic = traffic(k, payload_bits, &served(schedule, k, &pairs), 1);
            let router = PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
            lanes_agree_with_bool(router, &*device(schedule, k, payload_bits), &traffic);
        },
    );
}

macro_rules! lanes_are_many_nodes_at_once {
    ($($test:ident: $schedule:ty, $named:literal;)+) => {
        $(
            #[test]
            fn $test() {
                lanes_are_many_nodes_at_once::<$schedule>($named);
            }
        )+
    };
}

// The carrier `bool` is compiled for these alone.
lanes_are_many_nodes_at_once! {
    lanes_of_plain: kuszmaul::plain::Plain, "kuszmaul plain";
    lanes_of_overlapped: kuszmaul::overlapped::Overlapped, "kuszmaul overlapped";
    lanes_of_folded: kuszmaul::folded::Folded, "kuszmaul folded";
    lanes_of_spread: kuszmaul::spread::Spread, "kuszmaul spread";
    lanes_of_radix4: kuszmaul::radix4::Radix4, "kuszmaul radix4";
    lanes_of_bitonic_sort_and_unpack: bitonic::SortAndUnpack, "bitonic sort-and-unpack";
    lanes_of_bitonic_sort: bitonic::Sort, "bitonic sort";
    lanes_of_radix_sort_and_unpack: radix::SortAndUnpack, "radix sort-and-unpack";
    lanes_of_radix_sort: radix::Sort, "radix sort";
}

fn a_program_measures_what_ticks_do(schedule: Schedule) {
    holds(
        48,
        prop_oneof![routing(7), structured(9)],
        |(k, payload_bits, pairs)| {
            let traffic = traffic(k, payload_bits, &served(schedule, k, &pairs), 1);
            let device = device(schedule, k, payload_bits);
            meters_agree(&*device, &traffic, (1, 1));
            meters_agree(&*device, &traffic, (2, 1));
        },
    );
    // Of one small tile of each shape; then of several large ones, on two threads.
    for k in [8, 9, 10, 11, 13] {
        let pairs: Vec<(usize, usize)> = (0..1 << k)
            .filter(|source| source % 3 > 0)
            .map(|source| (source, (source * 0x9e5 + 77) % (1 << k)))
            .collect();
        let traffic = traffic(k, 5, &served(schedule, k, &pairs), 1);
        let device = device(schedule, k, 5);
        meters_agree(&*device, &traffic, (1, 1));
        if k == 13 {
            meters_agree(&*device, &traffic, (1, 2));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_semi_contraction_is_packed((k, payload_bits, pairs) in semi_contraction()) {
        let traffic = traffic(k, payload_bits, &pairs, 1);
        prop_assert!(traffic.check_semi_contraction().is_ok());
        let device = packing::device(cube(k), payload_bits).unwrap();
        let mut machine = loaded(&*device, &traffic);
        let live_bits = live_bits(&*device, pairs.len() as u64);
        let run = Run::held_to(&live_bits);
        let measured = simulation::run(&mut *machine, run, |_| Ok::<(), ()>(()));
        prop_assert_eq!(measured.unwrap().not_conserved, None);
        prop_assert_eq!(machine.bit_time(), device.bit_times().value);
        prop_assert_eq!(score(&*machine, &traffic).first_fault, None);
    }

    #[test]
    fn any_set_is_ranked(k in 1usize..=9, members in prop::collection::btree_set(0usize..512, 0..512)) {
        let router = EnumerationRouter::new(cube(k));
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let members: Vec<usize> = members.into_iter().filter(|&node| node < 1 << k).collect();
        for &member in &members {
            let (group, place) = fabric.node_mut(member);
            group.set_member(place, true);
        }
        while !fabric.is_done() {
            fabric.tick().unwrap();
        }
        for node in 0..1 << k {
            let (group, place) = fabric.node(node);
            let before = members.iter().filter(|&&member| member < node).count();
            prop_assert_eq!(group.rank(place) as usize, before);
            prop_assert_eq!(group.total(place) as usize, members.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn lanes_agree_on_packing((k, payload_bits, pairs) in semi_contraction()) {
        let traffic = traffic(k, payload_bits, &pairs, 1);
        let device = packing::device(cube(k), payload_bits).unwrap();
        let router = PackingRouter::new(cube(k), payload_bits).unwrap();
        lanes_agree_with_bool(router, &*device, &traffic);
        meters_agree(&*device, &traffic, (1, 1));
    }
}
