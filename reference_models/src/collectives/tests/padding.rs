//! What messages cost that do not divide.

use super::*;

/// The lengths of the stages of O.C. SEND 3: a node cuts what it has, with the padding that came with it.
fn corner_lengths(dims: u64, length: u64) -> Vec<u64> {
    let mut lengths = vec![length.div_ceil(dims)];
    for stage in 1..dims {
        let before = lengths[stage as usize - 1];
        lengths.push((stage * before).div_ceil(dims - stage));
    }
    lengths
}

/// Groups of stages of these lengths: the longest sets the pace.
fn pipelined(lengths: &[u64], groups: u64, start_up: u64) -> u64 {
    let longest = lengths.iter().max().unwrap();
    let sum: u64 = lengths.iter().sum();
    (groups - 1) * (longest + start_up) + sum + lengths.len() as u64 * start_up
}

/// A run of O.C. SEND 3 with a stage before it and one behind it.
fn extended_lengths(distance: u64, length: u64) -> Vec<u64> {
    let between = corner_lengths(distance, length);
    let last = between.last().unwrap() * distance;
    [vec![length], between, vec![last]].concat()
}

#[test]
fn sends_from_one_to_one() {
    for dims in 1..=6 {
        let d = dims as u64;
        for (bits, start_up) in (1..=40_u64)
            .chain([97, 1000])
            .flat_map(|it| [(it, 0), (it, 3)])
        {
            let time = |algorithm: Algorithm| ran(&algorithm, dims, bits, start_up).1;
            let two = d * (bits.div_ceil(d) + start_up);
            assert_eq!(time(Algorithm::OcSend2), two);
            for groups in [1, 2, 3, 7] {
                let g = groups as u64;
                let group = bits.div_ceil(g);
                for distance in 1..=dims {
                    let n = distance as u64;
                    let near = pipelined(&corner_lengths(n, group), g, start_up);
                    let send = Algorithm::ArbitrarySend1 { distance, groups };
                    assert_eq!(time(send), near);
                    if distance < dims {
                        let far = pipelined(&extended_lengths(n, group), g, start_up);
                        let send = Algorithm::XocSend2 { distance, groups };
                        assert_eq!(time(send), far);
                    }
                }
            }
        }
    }
}

#[test]
fn sends_that_share_a_message() {
    for dims in 1..=5 {
        let d = dims as u64;
        for (bits, start_up) in (1..=20_u64).chain([97]).flat_map(|it| [(it, 0), (it, 3)]) {
            for groups in [1, 2, 3] {
                let g = groups as u64;
                for distance in 1..=dims {
                    let n = distance as u64;
                    let stages = (n + 2).min(d) + g - 1;
                    let packet = bits.div_ceil(d * g) + start_up;
                    let flood = Algorithm::ArbitrarySend2 { distance, groups };
                    assert_eq!(ran(&flood, dims, bits, start_up).1, stages * packet);
                    let share = bits.div_ceil(d);
                    let inner = corner_lengths(n, (n * share).div_ceil(g));
                    let mut longer = pipelined(&inner, g, start_up);
                    if distance < dims {
                        let outer = extended_lengths(n, share.div_ceil(2));
                        longer = longer.max(pipelined(&outer, 2, start_up));
                    }
                    let send = Algorithm::ArbitrarySend3 {
                        distance,
                        groups,
                        outer_groups: 2,
                    };
                    assert_eq!(ran(&send, dims, bits, start_up).1, longer);
                }
            }
        }
    }
}

#[test]
fn operations_of_one_with_all_and_of_all() {
    for dims in 1..=4 {
        let d = dims as u64;
        let nodes = 1_u64 << d;
        for bits in (1..=26).chain([97]) {
            let time = |algorithm: Algorithm| ran(&algorithm, dims, bits, 3).1;
            let parts =
                |chosen: u64, bits: u64| binomial(d - 1, chosen) * bits.div_ceil(d - chosen);
            let distribute: u64 = (0..d).map(|stage| parts(stage, bits) + 3).sum();
            assert_eq!(time(Algorithm::Scatter(Scatter::Distribute1)), distribute);
            assert_eq!(time(Algorithm::Gather(Scatter::Distribute1)), distribute);
            let exchange = |bits: u64| -> u64 {
                let stage = |stage| (0..=stage).map(|chosen| parts(chosen, bits)).sum::<u64>();
                (0..d).map(|it| stage(it) + 3).sum()
            };
            assert_eq!(time(Algorithm::CompleteExchange), exchange(bits));
            let permutation = rotation(1 << dims);
            let blocks = 2 * exchange(bits.div_ceil(nodes));
            assert_eq!(time(Algorithm::PermutedSend { permutation }), blocks);
            let part = bits.div_ceil(d);
            let broadcast = (nodes - 1) * part + 3 * d;
            assert_eq!(time(Algorithm::CompleteBroadcast), broadcast);
            assert_eq!(time(Algorithm::Inversion), d * (part + 3));
            let sums = (nodes - 1) * bits.div_ceil(nodes).div_ceil(d) + 3 * d;
            assert_eq!(time(Algorithm::Histogram { value_bits: 1 }), sums);
            for value_bits in [2, 5] {
                let histogram = Algorithm::Histogram { value_bits };
                let values = bits.div_ceil(nodes).div_ceil(d);
                let expected = (nodes - 1) * values * value_bits + 3 * d;
                assert_eq!(ran(&histogram, dims, bits * value_bits, 3).1, expected);
            }
            if dims == 4 || dims == 2 {
                let transpose = Algorithm::TransposeBySubmatrices { sends: 6 };
                assert_eq!(time(transpose), 7 * (bits.div_ceil(12) + 3));
            }
        }
    }
}

#[test]
fn packets_down_trees_are_all_as_long() {
    for (bits, packet_bits) in [(10, 4), (10, 3), (7, 7), (7, 6), (1, 1)] {
        let packets = bits_up(bits, packet_bits);
        for tree in [Tree::Binomial, Tree::Balanced, Tree::TwoRooted] {
            let scatter = Scatter::Packets { tree, packet_bits };
            let run = Collective {
                ports: Ports::OneWay,
                ..collective(Algorithm::Scatter(scatter), 4, bits, 3)
            };
            let time = run.run().unwrap().judgement.bit_times;
            assert_eq!(time, 15 * packets * (packet_bits + 3));
        }
    }
}

/// How many packets a message is.
fn bits_up(bits: u64, packet_bits: u64) -> u64 {
    bits.div_ceil(packet_bits)
}

#[test]
fn a_long_last_stage_sets_the_pace() {
    // A bit for each of three wires becomes two bits on the last wires of the third stage.
    assert_eq!(corner_lengths(3, 3), [1, 1, 2]);
    assert_eq!(
        ran(&Algorithm::OcSend4 { groups: 5 }, 3, 15, 0).1,
        4 * 2 + 4
    );
}

#[test]
fn padding_is_kept_with_the_bits_before_it() {
    for dims in 2..=5 {
        let d = dims as u64;
        // No packet is padding only.
        for bits in (1..=40_u64).filter(|bits| (d - 1) * bits.div_ceil(d) < *bits) {
            let peak = |algorithm: Algorithm| ran(&algorithm, dims, bits, 3).2;
            let padded = d * bits.div_ceil(d);
            assert_eq!(peak(Algorithm::OcSend2) * d, padded);
            assert_eq!(peak(Algorithm::Inversion), (d - 1).min(2) * padded);
            let broadcast = ((1 << (d - 1)) - 1) * padded;
            assert_eq!(peak(Algorithm::CompleteBroadcast), broadcast);
        }
    }
}

#[test]
fn padding_stays_with_the_last_of_the_parts_of_a_run() {
    // Parts of 3 bits, of which the last is padded and cut into two parts of a bit and one of padding.
    let outcome = collective(Algorithm::OcSend3, 4, 11, 0).run().unwrap();
    let kept = outcome.judgement.forwarding_bits;
    assert_eq!([1, 2, 4, 8].map(|node| kept[node]), [3; 4]);
}
