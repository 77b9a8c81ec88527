//! Properties of the routers on routings, payloads and sets that proptest draws and shrinks.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::beside::run_beside_reference;
use common::metered::delivers_with_meters_on;
use common::structured::{Family, part_of};
use common::{cube, generator, loaded, on_each_schedule, registers, served, traffic};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::lanes::{Lanes, Words};
use rtl_model::permutation;
use rtl_model::permutation::PermutationRouter;
use rtl_model::router::{MessageRouter, Router};
use rtl_model::traffic::Traffic;
use testbenches::catalogue::Schedule;
use testbenches::scoreboard::{Arrivals, Score};
use testbenches::simulation::{self, Run};

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

/// The same run in lanes and node by node: every register of every node in every bit time.
fn lanes_agree_with_bool<B: Lanes, R: MessageRouter + Copy>(
    router: R,
    traffic: &rtl_model::traffic::Traffic,
) {
    let mut lanes = loaded::<R, B>(router, traffic);
    let mut single = loaded::<R, bool>(router, traffic);
    while !single.is_done() {
        lanes.tick().unwrap();
        single.tick().unwrap();
        for node in 0..router.dimensions().nodes() {
            assert_eq!(
                registers(&lanes, node),
                registers(&single, node),
                "node {node} after bit time {}",
                single.bit_time()
            );
        }
    }
    assert!(lanes.is_done());
}

/// The meters of a program against those of ticks. Of more messages than there are, bits are missing: both say when.
fn meters_agree<B: Lanes, R: MessageRouter + Copy>(router: R, traffic: &Traffic, threads: usize) {
    let messages = traffic.messages().len() as u64;
    for messages in [messages, messages + 1] {
        let run = Run {
            threads,
            ..Run::of(messages)
        };
        let mut ticked = loaded::<_, B>(router, traffic);
        let ticked = simulation::run(&mut ticked, run, |_| Ok::<(), ()>(())).unwrap();
        let advanced = simulation::advance(&mut loaded::<_, B>(router, traffic), run).unwrap();
        assert_eq!(advanced.bit_times, ticked.bit_times);
        assert_eq!(advanced.driven_wire_bit_times, ticked.driven_wire_bit_times);
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
    lanes_of_every_width_are_64_nodes_and_more_at_once,
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

fn any_partial_permutation_is_delivered_as_the_reference_says<S: permutation::Schedule>(
    schedule: Schedule,
) {
    holds(
        200,
        (prop_oneof![routing(7), structured(8)], any::<u64>()),
        |((k, payload_bits, pairs), seed)| {
            let pairs = served(schedule, k, &pairs);
            let traffics = [traffic(k, payload_bits, &pairs, seed)];
            run_beside_reference::<S, u64>(schedule, k, payload_bits, &traffics);
            run_beside_reference::<S, Words<4>>(schedule, k, payload_bits, &traffics);
            let router = PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
            delivers_with_meters_on::<_, u64>(router, &traffics[0]);
        },
    );
}

fn lanes_of_every_width_are_64_nodes_and_more_at_once<S: permutation::Schedule>(
    schedule: Schedule,
) {
    holds(
        24,
        prop_oneof![routing(7), structured(7)],
        |(k, payload_bits, pairs)| {
            let traffic = traffic(k, payload_bits, &served(schedule, k, &pairs), 1);
            let router = PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
            lanes_agree_with_bool::<u64, _>(router, &traffic);
            lanes_agree_with_bool::<Words<2>, _>(router, &traffic);
        },
    );
}

fn a_program_measures_what_ticks_do<S: permutation::Schedule>(schedule: Schedule) {
    let router = |k, payload_bits| PermutationRouter::<S>::new(cube(k), payload_bits).unwrap();
    holds(
        48,
        prop_oneof![routing(7), structured(9)],
        |(k, payload_bits, pairs)| {
            let traffic = traffic(k, payload_bits, &served(schedule, k, &pairs), 1);
            meters_agree::<u64, _>(router(k, payload_bits), &traffic, 1);
            meters_agree::<Words<2>, _>(router(k, payload_bits), &traffic, 1);
        },
    );
    // Of one small tile of each shape; then of several large ones, on two threads.
    for k in [8, 9, 10, 11, 13] {
        let pairs: Vec<(usize, usize)> = (0..1 << k)
            .filter(|source| source % 3 > 0)
            .map(|source| (source, (source * 0x9e5 + 77) % (1 << k)))
            .collect();
        let traffic = traffic(k, 5, &served(schedule, k, &pairs), 1);
        match k {
            8 => meters_agree::<Words<2>, _>(router(k, 5), &traffic, 1),
            13 => meters_agree::<Words<8>, _>(router(k, 5), &traffic, 2),
            _ => {}
        }
        if k > 8 {
            meters_agree::<Words<8>, _>(router(k, 5), &traffic, 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_semi_contraction_is_packed((k, payload_bits, pairs) in semi_contraction()) {
        let traffic = traffic(k, payload_bits, &pairs, 1);
        prop_assert!(traffic.check_semi_contraction().is_ok());
        let router = PackingRouter::new(cube(k), payload_bits).unwrap();
        let mut fabric = loaded::<_, u64>(router, &traffic);
        let measured = simulation::run(&mut fabric, Run::of(pairs.len() as u64), |_| Ok::<(), ()>(()));
        prop_assert_eq!(measured.unwrap().not_conserved, None);
        prop_assert_eq!(fabric.bit_time(), router.bit_times().value);
        let score = Score::new(&traffic, &Arrivals::read(&fabric, 0));
        prop_assert_eq!(score.first_fault, None);
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
        let router = PackingRouter::new(cube(k), payload_bits).unwrap();
        lanes_agree_with_bool::<u64, _>(router, &traffic);
        lanes_agree_with_bool::<Words<2>, _>(router, &traffic);
        meters_agree::<u64, _>(router, &traffic, 1);
    }
}
