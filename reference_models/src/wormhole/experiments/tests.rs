//! The check first: the model is the reference's, the rules are acyclic or not, and everything arrives.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::dependencies::{dependencies, is_acyclic};
use super::model::{End, run};
use super::network::{Network, header_bits};
use super::pieces::{Cut, apart, by_way, load, shared, worms};
use super::rule::{Rule, slack};
use super::switch::Switch;
use crate::wormhole::{self, Machine, Message, Outcome, Pieces, Wire};

/// A permutation of all nodes.
pub fn random(nodes: usize, seed: u64) -> Vec<usize> {
    let mut destinations: Vec<usize> = (0..nodes).collect();
    destinations.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    destinations
}

/// The complement of each address.
pub fn complement(nodes: usize) -> Vec<usize> {
    (0..nodes).map(|node| nodes - 1 - node).collect()
}

/// Each address rotated by half of its length, rounded down.
pub fn rotation(nodes: usize) -> Vec<usize> {
    let bits = nodes.ilog2() as usize;
    let half = bits / 2;
    (0..nodes)
        .map(|node| (node << half | node >> (bits - half)) % nodes)
        .collect()
}

const CUTS: [Cut; 5] = [
    Cut::Even,
    Cut::Shortest(2),
    Cut::ByWay,
    Cut::ByLoad,
    Cut::Apart,
];

#[test]
fn as_designed_it_is_the_reference_to_the_bit_time() {
    is_the_reference(&[(2, 2, 8), (4, 4, 3), (4, 1, 3)]);
}

#[test]
#[ignore = "long: 2048 nodes, and more seeds"]
fn so_it_is_on_eight_copies_of_eight_levels() {
    is_the_reference(&[(4, 4, 6), (8, 8, 1)]);
}

fn is_the_reference(sizes: &[(usize, usize, u64)]) {
    for &(levels, copies, seeds) in sizes {
        let network = Network::new(levels, copies);
        for (buffer_bits, pieces, cut) in [
            (1, Pieces::Even, Cut::Even),
            (2, Pieces::Even, Cut::Even),
            (2, Pieces::ByWay, Cut::ByWay),
            (4, Pieces::ByWay, Cut::ByWay),
        ] {
            if levels == 8 && buffer_bits != 2 {
                continue;
            }
            for seed in 0..seeds {
                let to = random(network.nodes(), seed);
                let machine = Machine {
                    network: wormhole::Network::Copies { levels, copies },
                    virtual_channels: 3,
                    buffer_bits,
                    wire_bits: 1,
                    switch: wormhole::Switch::Strong,
                    pieces,
                };
                let messages: Vec<Message> = (to.iter().enumerate())
                    .map(|(source, &destination)| Message {
                        source,
                        destination,
                        intermediate: None,
                        created: 0,
                        bits: vec![true; 40 + seed as usize],
                    })
                    .collect();
                let reference = wormhole::run(machine, &messages, 1_000_000).unwrap();
                let worms = worms(&network, &to, 40 + seed as usize, cut);
                let own = run(
                    &network,
                    &worms,
                    Switch {
                        buffer_bits,
                        ..Switch::with(Rule::Dateline)
                    },
                );
                let Outcome::Done { bit_times } = reference.outcome else {
                    panic!()
                };
                assert_eq!(own.end, End::Done(bit_times));
                for (wire, bits) in reference.wires {
                    if let Wire::Dimension { node, dimension } = wire {
                        assert_eq!(own.carried[node * network.dimensions + dimension], bits);
                    }
                }
            }
        }
    }
}

/// With two lanes a class, and with large buffers.
#[test]
fn everything_is_delivered_over_lanes() {
    let network = Network::new(4, 4);
    for seed in 0..10 {
        let worms = worms(&network, &random(64, seed), 256, Cut::Even);
        let one = Switch::with(Rule::Dateline);
        for switch in [
            Switch { lanes: 2, ..one },
            Switch {
                buffer_bits: 8,
                ..one
            },
        ] {
            let run = run(&network, &worms, switch);
            assert!(matches!(run.end, End::Done(_)));
            assert_eq!(run.carried, load(&network, &worms));
        }
    }
}

#[test]
fn rules_that_keep_the_order_are_acyclic_and_those_that_break_it_are_not() {
    for levels in [2, 4, 8] {
        for rule in [Rule::Dateline, Rule::AtStart, Rule::Upwards] {
            assert!(
                is_acyclic(dependencies(levels, rule)),
                "{rule:?}, {levels} levels"
            );
        }
        for rule in [Rule::NotBelowClass, Rule::Any] {
            assert!(
                !is_acyclic(dependencies(levels, rule)),
                "{rule:?}, {levels} levels"
            );
        }
    }
}

#[test]
fn a_rule_that_breaks_the_order_deadlocks() {
    let network = Network::new(4, 4);
    let deadlocks = |rule| {
        let deadlock = |seed: &u64| {
            let worms = worms(&network, &random(64, *seed), 1024, Cut::Even);
            matches!(
                run(&network, &worms, Switch::with(rule)).end,
                End::Deadlock(_)
            )
        };
        (0..20).filter(deadlock).count()
    };
    for rule in [Rule::Dateline, Rule::AtStart, Rule::Upwards] {
        assert_eq!(deadlocks(rule), 0, "{rule:?}");
    }
    for rule in [Rule::NotBelowClass, Rule::Any] {
        let count = deadlocks(rule);
        println!("{rule:?}: {count} of 20 deadlock");
        assert!(count > 0, "{rule:?}");
    }
}

/// No wire carries more than a bit in a bit time, each carries what the ways put on it, and all arrives.
#[test]
fn everything_is_delivered() {
    for (levels, bits) in [(2, 16), (4, 4), (4, 64), (4, 333)] {
        let network = Network::new(levels, levels);
        let nodes = network.nodes();
        for to in [
            random(nodes, 1),
            random(nodes, 2),
            complement(nodes),
            rotation(nodes),
        ] {
            for cut in CUTS {
                let worms = worms(&network, &to, bits, cut);
                let load = load(&network, &worms);
                for rule in [Rule::Dateline, Rule::AtStart, Rule::Upwards] {
                    let run = run(&network, &worms, Switch::with(rule));
                    let End::Done(bit_times) = run.end else {
                        panic!("{cut:?} {rule:?}")
                    };
                    assert_eq!(run.arrived, nodes * bits);
                    assert!(run.carried.iter().all(|&bits| bits <= bit_times));
                    if rule.header_bits() == 0 {
                        assert_eq!(run.carried, load);
                    }
                }
            }
        }
    }
}

/// A worm alone takes body + 2 hops + header + 2 bit times, and with a slack to read two more.
#[test]
fn a_worm_alone() {
    let network = Network::new(4, 4);
    for to in 0..64 {
        let way = network.way(1, 5, to);
        let closed = (20 + 2 * (way.len() - 1) + header_bits(&way) + 2) as u64;
        assert!(slack(&way) <= 2);
        let worm = [super::model::Worm { way, body: 20 }];
        for (rule, more) in [(Rule::Dateline, 0), (Rule::AtStart, 2), (Rule::Upwards, 0)] {
            assert_eq!(
                run(&network, &worm, Switch::with(rule)).end,
                End::Done(closed + more)
            );
        }
    }
}

#[test]
fn pieces_by_way_would_finish_together() {
    let network = Network::new(4, 4);
    for to in 0..64 {
        let ways: Vec<_> = (0..4).map(|copy| network.way(copy, 9, to)).collect();
        let lengths = by_way(200, &ways);
        assert_eq!(lengths.iter().sum::<usize>(), 200);
        let ends = (0..4).filter(|&copy| lengths[copy] > 0);
        let ends = ends.map(|copy| 2 * ways[copy].len() + header_bits(&ways[copy]) + lengths[copy]);
        let (first, last) = (ends.clone().min().unwrap(), ends.max().unwrap());
        assert!(last - first <= 1);
    }
}

#[test]
fn pieces_kept_apart_share_no_wire() {
    let network = Network::new(4, 4);
    for source in 0..64 {
        for to in 0..64 {
            let ways: Vec<_> = (0..4).map(|copy| network.way(copy, source, to)).collect();
            let used = apart(&network, &ways);
            let both = |&(one, other): &(usize, usize)| used[one] && used[other];
            assert!(!shared(&network, &ways).iter().any(both));
        }
    }
}
