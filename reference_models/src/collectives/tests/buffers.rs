//! The most that nodes keep at once only to send it on.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::*;

/// Expects `numerator / denominator` of the message.
fn expect(algorithm: &Algorithm, dims: usize, (numerator, denominator): (u64, u64)) {
    for (bits, start_up) in even() {
        let (_, _, peak) = ran(algorithm, dims, bits, start_up);
        let what = format!("{algorithm:?}, {dims} dimensions, {bits} bits, start-up {start_up}");
        assert_eq!(peak * denominator, numerator * bits, "{what}");
    }
}

#[test]
fn sends_from_one_to_one() {
    for dims in 1..=6 {
        let d = dims as u64;
        let passes = u64::from(dims > 1);
        expect(&Algorithm::OcSend1, dims, (passes, 1));
        expect(&Algorithm::OcSend2, dims, (passes, d));
        expect(&Algorithm::OcSend3, dims, (passes, d));
        for groups in [1, 2, 4, 8] {
            let g = groups as u64;
            let waves = g.min(2);
            expect(
                &Algorithm::OcSend4 { groups },
                dims,
                (passes * waves, d * g),
            );
            for distance in 1..=dims {
                let n = distance as u64;
                let near = (u64::from(distance > 1) * waves, n * g);
                expect(&Algorithm::ArbitrarySend1 { distance, groups }, dims, near);
                let flood = Algorithm::ArbitrarySend2 { distance, groups };
                expect(&flood, dims, (flooded(d, n, g), d * g));
                if distance < dims {
                    expect(&Algorithm::XocSend2 { distance, groups }, dims, (waves, g));
                }
            }
        }
    }
}

/// How many packets a node keeps at most in ARBITRARY SEND 2. A node that is `w` from the source sends on
/// `w` packets of each wave, and keeps those of two waves if it sends on two.
fn flooded(dims: u64, distance: u64, groups: u64) -> u64 {
    let stages = (distance + 2).min(dims) + groups - 1;
    let kept = |w: u64| {
        // The last group has a second wave, which does not go as far as the others.
        let waves = match dims - w {
            0 => groups - 1,
            1 => groups,
            _ => groups + 1,
        };
        w * waves.min(2).min(stages.saturating_sub(w))
    };
    if dims == 1 {
        return 0;
    }
    (1..=dims).map(kept).max().unwrap()
}

#[test]
fn many_groups_of_a_flood_keep_two_groups() {
    for dims in 2..=6 {
        for groups in 4..=8 {
            assert_eq!(flooded(dims, dims, groups), 2 * dims);
        }
    }
}

#[test]
fn arbitrary_send_3_keeps_what_its_parts_keep() {
    for dims in 1..=6 {
        for distance in 1..=dims {
            for (groups, outer_groups) in [(1_u64, 1_u64), (2, 1), (1, 2), (4, 2), (2, 8)] {
                let inner = |bits: u64| {
                    let waves = u64::from(distance > 1) * groups.min(2);
                    waves * bits / (dims as u64 * groups)
                };
                let outer = |bits: u64| {
                    let waves = u64::from(distance < dims) * outer_groups.min(2);
                    waves * bits / (dims as u64 * outer_groups)
                };
                for (bits, start_up) in even() {
                    let send = Algorithm::ArbitrarySend3 {
                        distance,
                        groups: groups as usize,
                        outer_groups: outer_groups as usize,
                    };
                    let peak = ran(&send, dims, bits, start_up).2;
                    assert_eq!(peak, inner(bits).max(outer(bits)));
                }
            }
        }
    }
}

#[test]
fn operations_of_all_nodes() {
    for dims in 1..=6 {
        let d = dims as u64;
        let nodes = 1_u64 << d;
        expect(&Algorithm::CompleteBroadcast, dims, (nodes / 2 - 1, 1));
        expect(&Algorithm::Inversion, dims, ((d - 1).min(2), 1));
        let exchange = 2 * (nodes - 1 - d) - binomial(d, 2);
        expect(&Algorithm::CompleteExchange, dims, (exchange, 1));
    }
}

#[test]
fn permuted_sends() {
    for dims in 1..=5 {
        let nodes = 1_usize << dims;
        let opposite: Vec<usize> = (0..nodes).map(|node| node ^ (nodes - 1)).collect();
        for permutation in [rotation(nodes), opposite] {
            let send = Algorithm::PermutedSend { permutation };
            let blocks = match dims {
                1 => 0,
                2 => 3,
                _ => 2 * nodes as u64 - dims as u64 - 2,
            };
            assert_eq!(ran(&send, dims, 60 * nodes as u64, 5).2, 60 * blocks);
        }
        let neighbours = Algorithm::PermutedSend {
            permutation: (0..nodes).map(|node| node ^ 1).collect(),
        };
        let blocks = match dims {
            1 => 0,
            2 => 3,
            _ => 2 * nodes as u64 - dims as u64 - 3,
        };
        assert_eq!(ran(&neighbours, dims, 60 * nodes as u64, 5).2, 60 * blocks);
    }
}

#[test]
fn no_permutation_keeps_more_than_the_inversion() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for dims in 3..=5 {
        let nodes = 1_usize << dims;
        for _ in 0..20 {
            let mut permutation: Vec<usize> = (0..nodes).collect();
            permutation.shuffle(&mut random);
            let send = Algorithm::PermutedSend { permutation };
            let (_, time, peak) = ran(&send, dims, 60 * nodes as u64, 5);
            assert_eq!(time, 60 * nodes as u64 + 10 * dims as u64);
            assert!(peak <= 60 * (2 * nodes as u64 - dims as u64 - 2));
        }
    }
}

#[test]
fn transposes_of_submatrices() {
    for sends in [1, 2, 4, 12] {
        let transpose = Algorithm::TransposeBySubmatrices { sends };
        expect(&transpose, 2, (sends.min(2), sends));
    }
    for (dims, all) in [(4, [4, 6, 12]), (6, [6, 12, 18])] {
        for sends in all {
            let transpose = Algorithm::TransposeBySubmatrices { sends };
            expect(&transpose, dims, (sends + dims as u64 - 4, sends));
        }
    }
}

#[test]
fn histograms() {
    for dims in 1..=6 {
        let nodes = 1 << dims;
        for bits in EVEN.map(|bits| 2 * bits) {
            let peak = ran(&Algorithm::Histogram { value_bits: 1 }, dims, bits, 3).2;
            assert_eq!(peak * nodes, (nodes / 2 - 1) * bits);
        }
    }
}

#[test]
fn distribute_1_keeps_what_arrives_and_what_leaves_at_distance_1() {
    for dims in 1..=6 {
        let d = dims as u64;
        let messages = if dims < 2 {
            0
        } else {
            binomial(d + 1, d.div_ceil(2).min(d - 2))
        };
        for algorithm in [Algorithm::Scatter, Algorithm::Gather] {
            expect(&algorithm(Scatter::Distribute1), dims, (messages, d));
        }
    }
}

#[test]
fn trees() {
    for dims in 1..=7 {
        let n = dims as u64;
        let nodes = 1_u64 << n;
        let run = |scatter, ports| {
            let both = [Algorithm::Scatter(scatter), Algorithm::Gather(scatter)];
            both.map(|algorithm| {
                let run = Collective {
                    ports,
                    ..collective(algorithm, dims, 12, 5)
                };
                run.run().unwrap().judgement.peak_forwarding_bits()
            })
        };
        for tree in [Tree::Binomial, Tree::Balanced, Tree::TwoRooted] {
            for packet_bits in [4, 6, 12] {
                let packets = Scatter::Packets { tree, packet_bits };
                let several = (n - 1).min(2);
                let one = if tree == Tree::Balanced {
                    several
                } else {
                    several.min(1)
                };
                assert_eq!(run(packets, Ports::OneWay), [one * packet_bits; 2]);
                assert_eq!(run(packets, Ports::TwoWay), [one * packet_bits; 2]);
                assert_eq!(run(packets, Ports::All), [several * packet_bits; 2]);
            }
            let subtree = match tree {
                Tree::Balanced => necklaces(n) - 1,
                _ => nodes / 2,
            };
            let inside = [12 * (subtree - 1); 2];
            assert_eq!(run(Scatter::OneShot(tree), Ports::All), inside);
            assert_eq!(run(Scatter::Subtrees(tree), Ports::OneWay), inside);
            let levels = match (tree, dims) {
                (_, 1) => 0,
                (_, 2) => 1,
                (Tree::Binomial, _) => binomial(n, (n / 2).min(n - 2)),
                (Tree::Balanced, _) => [2, 3, 4, 7, 10][dims - 3],
                (Tree::TwoRooted, _) => 3 * nodes / 8,
            };
            assert_eq!(run(Scatter::Levels(tree), Ports::All), [12 * levels; 2]);
        }
    }
}
