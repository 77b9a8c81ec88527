//! The formulas of Stout & Wagar, for lengths that divide.

use super::*;

/// Expects stages and bit times: `numerator / denominator` of the message, and a start-up for each stage.
fn expect(algorithm: &Algorithm, dims: usize, (numerator, denominator): (u64, u64), stages: u64) {
    for (bits, start_up) in even() {
        assert!((numerator * bits).is_multiple_of(denominator));
        let expected = numerator * bits / denominator + stages * start_up;
        let (found_stages, found, _) = ran(algorithm, dims, bits, start_up);
        let what = format!("{algorithm:?}, {dims} dimensions, {bits} bits, start-up {start_up}");
        assert_eq!((found_stages, found), (stages, expected), "{what}");
    }
}

/// The paper's `K`, times 60 so that it is whole: the sum of the reciprocals of a row of binomials.
fn sixty_k(row: u64) -> u64 {
    (0..=row).map(|place| 60 / binomial(row, place)).sum()
}

#[test]
fn k_is_as_printed() {
    let printed = [60, 120, 150, 160, 160, 156];
    assert_eq!([0, 1, 2, 3, 4, 5].map(sixty_k), printed);
}

#[test]
fn sends_to_the_opposite_corner() {
    for dims in 1..=6 {
        let d = dims as u64;
        expect(&Algorithm::OcSend1, dims, (d, 1), d);
        expect(&Algorithm::OcSend2, dims, (1, 1), d);
        expect(&Algorithm::OcSend3, dims, (sixty_k(d - 1), 60 * d), d);
        for groups in [1, 2, 4, 8] {
            let g = groups as u64;
            let bits = (60 * (g - 1) + sixty_k(d - 1), 60 * d * g);
            expect(&Algorithm::OcSend4 { groups }, dims, bits, g + d - 1);
        }
    }
}

#[test]
fn sends_to_any_distance() {
    for dims in 1..=6 {
        let d = dims as u64;
        for distance in 1..=dims {
            let n = distance as u64;
            for groups in [1, 2, 4, 8] {
                let g = groups as u64;
                let near = (60 * (g - 1) + sixty_k(n - 1), 60 * n * g);
                expect(
                    &Algorithm::ArbitrarySend1 { distance, groups },
                    dims,
                    near,
                    g + n - 1,
                );
                let stages = (n + 2).min(d) + g - 1;
                let flood = Algorithm::ArbitrarySend2 { distance, groups };
                expect(&flood, dims, (stages, d * g), stages);
            }
        }
    }
}

#[test]
fn sends_through_another_subcube() {
    for dims in 2..=6 {
        for distance in 1..dims {
            let n = distance as u64;
            let first = (120 * n + sixty_k(n - 1), 60 * n);
            expect(&Algorithm::XocSend1 { distance }, dims, first, n + 2);
            for groups in [1, 2, 4, 8] {
                let g = groups as u64;
                let second = (60 * (g * n + n) + sixty_k(n - 1), 60 * g * n);
                expect(
                    &Algorithm::XocSend2 { distance, groups },
                    dims,
                    second,
                    g + n + 1,
                );
            }
        }
    }
}

#[test]
fn arbitrary_send_3_takes_as_long_as_the_longer_of_its_parts() {
    for dims in 1..=6 {
        for distance in 1..=dims {
            for (groups, outer_groups) in [(1, 1), (2, 1), (1, 3), (4, 2), (2, 8)] {
                for (bits, start_up) in even() {
                    let send = Algorithm::ArbitrarySend3 {
                        distance,
                        groups,
                        outer_groups,
                    };
                    let (_, found, _) = ran(&send, dims, bits, start_up);
                    let share = bits / dims as u64;
                    let corner = Algorithm::OcSend4 { groups };
                    let inner = ran(&corner, distance, share * distance as u64, start_up).1;
                    let extended = Algorithm::XocSend2 {
                        distance,
                        groups: outer_groups,
                    };
                    let outer = if distance < dims {
                        ran(&extended, dims, share, start_up).1
                    } else {
                        0
                    };
                    assert_eq!(found, inner.max(outer), "{dims} {distance}");
                }
            }
        }
    }
}

#[test]
fn from_one_to_all_and_back() {
    for dims in 1..=6 {
        let d = dims as u64;
        let nodes = 1 << d;
        let all = (nodes - 1, d);
        expect(&Algorithm::Scatter(Scatter::Distribute1), dims, all, d);
        expect(&Algorithm::Gather(Scatter::Distribute1), dims, all, d);
    }
}

#[test]
fn from_all_to_all() {
    for dims in 1..=6 {
        let d = dims as u64;
        let nodes = 1 << d;
        expect(&Algorithm::CompleteBroadcast, dims, (nodes - 1, d), d);
        expect(&Algorithm::Inversion, dims, (1, 1), d);
        expect(&Algorithm::CompleteExchange, dims, (nodes / 2, 1), d);
    }
}

#[test]
fn permuted_sends_take_as_long_whatever_the_permutation() {
    for dims in 1..=5 {
        let nodes = 1 << dims;
        let bits = 60 * nodes as u64;
        let opposite = (0..nodes).map(|node| node ^ (nodes - 1)).collect();
        let swapped = (0..nodes)
            .map(|node| node ^ usize::from(node < 2))
            .collect();
        for permutation in [rotation(nodes), opposite, swapped, (0..nodes).collect()] {
            for start_up in START_UPS {
                let send = Algorithm::PermutedSend {
                    permutation: permutation.clone(),
                };
                let outcome = collective(send, dims, bits, start_up).run().unwrap();
                assert_eq!(outcome.stages, 2 * dims);
                if outcome.judgement.packets > 0 {
                    let expected = bits + 2 * dims as u64 * start_up;
                    assert_eq!(outcome.judgement.bit_times, expected);
                }
            }
        }
    }
}

#[test]
fn a_transpose_of_submatrices_takes_one_send_more_than_its_packets() {
    for (dims, all) in [
        (2, vec![1, 2, 3, 12]),
        (4, vec![4, 6, 12]),
        (6, vec![6, 12, 18]),
    ] {
        for sends in all {
            let transpose = Algorithm::TransposeBySubmatrices { sends };
            expect(&transpose, dims, (sends + 1, 2 * sends), sends + 1);
        }
    }
}

#[test]
fn histograms() {
    for dims in 1..=6 {
        let nodes = 1_u64 << dims;
        for (bits, start_up) in even().map(|(bits, start_up)| (bits * 2, start_up)) {
            let (stages, found, _) = ran(
                &Algorithm::Histogram { value_bits: 1 },
                dims,
                bits,
                start_up,
            );
            let d = dims as u64;
            let expected = (nodes - 1) * bits / (nodes * d) + d * start_up;
            assert_eq!((stages, found), (d, expected));
        }
    }
}

#[test]
fn any_node_may_be_the_root() {
    for dims in 1..=4 {
        for scatter in [Scatter::Distribute1, Scatter::Distribute2] {
            for algorithm in [Algorithm::Scatter(scatter), Algorithm::Gather(scatter)] {
                let at = |root| Collective {
                    root,
                    ..collective(algorithm.clone(), dims, 120, 5)
                };
                let first = at(0).run().unwrap();
                for root in 1..1 << dims {
                    let outcome = at(root).run().unwrap();
                    assert_eq!(outcome.judgement.bit_times, first.judgement.bit_times);
                }
            }
        }
        for algorithm in [Algorithm::OcSend2, Algorithm::OcSend4 { groups: 3 }] {
            for root in 0..1 << dims {
                let send = collective(algorithm.clone(), dims, 120, 5);
                Collective { root, ..send }.run().unwrap();
            }
        }
    }
}
