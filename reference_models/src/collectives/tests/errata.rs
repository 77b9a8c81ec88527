//! Where the papers are wrong, or say less than they have to.

use std::collections::BTreeSet;

use super::*;

/// Stout & Wagar's map from a place of a 0 to the first place of a 1 after it, around the end.
fn next_one(address: usize, place: usize) -> Option<usize> {
    let ones = schedule::ones(address);
    let after = ones.iter().find(|one| **one > place);
    after.or(ones.first()).copied()
}

#[test]
fn the_next_one_after_a_zero_is_undefined_for_node_0() {
    assert_eq!(
        (next_one(0b01001, 1), next_one(0b01001, 4)),
        (Some(3), Some(0))
    );
    for place in 0..5 {
        assert_eq!(next_one(0, place), None);
        assert!((1..32).all(|address| next_one(address, place).is_some()));
    }
}

/// The fewest stages of BROADCAST 4 after which the node at a distance has everything.
fn fewest_stages(dims: usize, distance: usize, groups: usize) -> usize {
    let algorithm = Algorithm::ArbitrarySend2 { distance, groups };
    let send = collective(algorithm, dims, (dims * groups) as u64, 0);
    let enough = |stages: &usize| {
        let schedule = corner::flood(&send, distance, groups, *stages);
        check(&send.task(), &schedule.sends).is_ok()
    };
    (0..=dims + groups).find(enough).unwrap()
}

#[test]
fn arbitrary_send_2_needs_two_stages_more_than_printed() {
    for dims in 1..=6 {
        for distance in 1..=dims {
            for groups in 1..=4 {
                let fewest = fewest_stages(dims, distance, groups);
                assert_eq!(fewest, corner::flood_stages(dims, distance, groups));
                if distance + 2 <= dims {
                    // The paper prints two less, and has this in the times that it works out. It says
                    // that one more can be saved in half of the dimensions or more: not without another
                    // schedule.
                    assert_eq!(fewest, distance + groups + 1);
                } else {
                    assert_eq!(fewest, dims + groups - 1);
                }
            }
        }
    }
}

#[test]
fn arbitrary_send_3_uses_a_subcube_across_every_other_dimension() {
    for dims in 2..=6_usize {
        for distance in 1..dims {
            let send = Algorithm::ArbitrarySend3 {
                distance,
                groups: 1,
                outer_groups: 1,
            };
            let sends = collective(send, dims, 2880, 0).sends();
            let subcubes: BTreeSet<usize> = sends.iter().map(|send| send.to >> distance).collect();
            let across = (0..dims - distance).map(|place| 1 << place);
            let expected: BTreeSet<usize> = [0].into_iter().chain(across).collect();
            // The paper's begin at 2^(n+1), which leaves out the one at 2^n.
            assert_eq!(subcubes, expected);
            assert_eq!(subcubes.len(), dims - distance + 1);
        }
    }
}

#[test]
fn arbitrary_send_3_waits_for_start_ups_at_greater_distances_too() {
    // Six dimensions, distance 5, 600 units, and a time of 1 for a unit and for a start-up.
    let (d, n, m) = (6.0, 5.0, 600.0);
    let k = 1.0 + 0.25 + 1.0 / 6.0 + 0.25 + 1.0;
    let extended = |g: f64| (g * n + n + k) / (g * n) * m / d + g + n + 1.0;
    let corner = |g: f64| (g + k - 1.0) / g * m / d + g + n - 1.0;
    let best = |time: &dyn Fn(f64) -> f64| {
        (1..100)
            .map(|g| time(f64::from(g)))
            .fold(f64::INFINITY, f64::min)
    };
    // The paper has the time of the O.C. SEND 4 alone, which is the shorter one.
    assert_eq!(format!("{:.2}", best(&corner)), "129.82");
    assert_eq!(format!("{:.2}", best(&extended)), "130.78");
    // A number of groups that is not whole would make it a little less.
    assert_eq!(
        format!("{:.2}", extended((m * (n + k) / (d * n)).sqrt())),
        "130.77"
    );
}

#[test]
fn distribute_1_loads_wires_unevenly() {
    for dims in 3..=6 {
        let run = collective(Algorithm::Scatter(Scatter::Distribute1), dims, 60, 0);
        let sends = run.sends();
        let begins: BTreeSet<u64> = sends.iter().map(|send| send.begin).collect();
        let mut uneven = 0;
        for (stage, begin) in begins.into_iter().enumerate() {
            let mut loads = vec![vec![]; dims];
            for send in sends.iter().filter(|send| send.begin == begin) {
                loads[send.from.count_ones() as usize].push(send.units);
            }
            for (distance, loads) in loads.iter().enumerate().take(stage + 1) {
                // The wires between two distances together carry what the paper says.
                let d = dims as u64;
                let messages = binomial(d, stage as u64 - distance as u64);
                assert_eq!(loads.iter().sum::<u64>(), 60 * messages);
                let wires = binomial(d - 1, distance as u64) * d;
                let even =
                    loads.len() as u64 == wires && loads.iter().all(|load| *load == loads[0]);
                assert!(even || distance > 0);
                uneven += usize::from(!even);
                // None of them carries more than those of the root.
                assert!(loads.iter().all(|load| *load <= loads_of_root(dims, stage)));
            }
        }
        assert!(uneven > 0, "{dims} dimensions");
    }
    // In three dimensions, what node 1 has for node 7 goes over dimension 1 only.
    let sends = collective(Algorithm::Scatter(Scatter::Distribute1), 3, 60, 0).sends();
    let early = |to| {
        sends
            .iter()
            .any(|it| (it.from, it.to, it.begin) == (1, to, 20))
    };
    assert_eq!((early(3), early(5)), (true, false));
}

/// What each wire of the root carries in a stage of DISTRIBUTE 1, of messages of 60 bits.
fn loads_of_root(dims: usize, stage: usize) -> u64 {
    60 * binomial(dims as u64, stage as u64) / dims as u64
}

#[test]
fn in_a_complete_exchange_the_furthest_messages_go_first() {
    for dims in 1..=5 {
        let sends = collective(Algorithm::CompleteExchange, dims, 60, 0).sends();
        let mut begins: Vec<u64> = sends.iter().map(|send| send.begin).collect();
        begins.sort_unstable();
        begins.dedup();
        for send in &sends {
            let stage = begins.binary_search(&send.begin).unwrap();
            for run in &send.items {
                let Message::Personal {
                    source,
                    destination,
                } = run.message
                else {
                    panic!("{:?}", run.message);
                };
                let distance = (source ^ destination).count_ones() as usize;
                if send.from == source {
                    // Not the stage of that number.
                    assert_eq!(distance, dims - stage);
                }
                let last = stage + 1 == dims;
                assert_eq!(send.to == destination, last);
            }
        }
    }
}

#[test]
fn logically_connected_subcubes_need_agreement_in_the_other_places() {
    for half in 1..=4_usize {
        let nodes = 1_usize << (2 * half);
        for node in 0..nodes {
            let places = transpose::differing(node, half);
            let same = |other: &usize| transpose::differing(*other, half) == places;
            // The paper's definition has all nodes whose halves differ in these places.
            assert_eq!((0..nodes).filter(same).count(), 1 << half);
            let mask = places.iter().fold(0, |mask, place| mask | 1 << place);
            let others = ((1 << half) - 1) & !mask;
            let agrees = |other: &usize| (node ^ other) & (others | others << half) == 0;
            let subcube: Vec<usize> = (0..nodes).filter(|it| same(it) && agrees(it)).collect();
            assert_eq!(subcube.len(), 1 << places.len());
            assert!(subcube.contains(&transpose::transposed(node, half)));
        }
    }
}

#[test]
fn wires_of_a_transpose_belong_to_one_logically_connected_subcube() {
    for (dims, sends) in [(2, 2), (4, 4), (6, 6)] {
        let transpose = Algorithm::TransposeBySubmatrices { sends };
        let run = collective(transpose, dims, 2 * sends, 0);
        let half = dims / 2;
        let mut owners = std::collections::BTreeMap::new();
        for send in run.sends() {
            let Message::Personal { source, .. } = send.items[0].message else {
                panic!("{:?}", send.items);
            };
            let places = transpose::differing(source, half);
            let mask = places.iter().fold(0, |mask, place| mask | 1_usize << place);
            let subcube = (mask, source & !(mask | mask << half));
            let owner = *owners.entry((send.from, send.to)).or_insert(subcube);
            assert_eq!(owner, subcube);
        }
    }
}

#[test]
fn a_logical_link_takes_as_long_as_o_c_send_4_in_two_dimensions() {
    for sends in [1, 2, 4, 12] {
        let transpose = Algorithm::TransposeBySubmatrices { sends };
        let groups = sends as usize;
        for (bits, start_up) in even() {
            let corner = ran(&Algorithm::OcSend4 { groups }, 2, bits, start_up);
            assert_eq!(ran(&transpose, 2, bits, start_up).1, corner.1);
        }
    }
}

#[test]
fn one_packet_for_each_logical_link_is_too_few() {
    let run = |dims, sends| {
        let transpose = Algorithm::TransposeBySubmatrices { sends };
        collective(transpose, dims, 2 * sends, 0)
    };
    for (dims, sends) in [(4, 2), (8, 4)] {
        let made = transpose::by_submatrices(&run(dims, sends), sends).laid_out(0);
        let there_is = if dims == 4 { 4 } else { 24 };
        let task = Task {
            messages: run(dims, there_is).task().messages,
            ..run(dims, sends).task()
        };
        let found = check(&task, &made.sends);
        assert!(matches!(found, Err(Violation::NotHeld { .. })), "{found:?}");
        assert!(run(dims, sends).run().is_err());
    }
    assert!(run(2, 1).run().is_ok());
    assert!(run(4, 4).run().is_ok());
    assert!(run(6, 6).run().is_ok());
}
