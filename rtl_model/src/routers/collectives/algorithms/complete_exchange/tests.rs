use std::collections::BTreeMap;

use super::*;
use crate::routers::collectives::algorithms::tests::ask;

#[test]
fn where_it_divides_the_time_is_the_papers() {
    for (d, m, start_up) in [(1, 5, 2), (2, 6, 1), (3, 6, 0), (4, 12, 3), (5, 60, 1)] {
        let plan = CompleteExchange.plan(&ask(d, m, start_up)).unwrap();
        assert!(plan.divides);
        assert_eq!(
            plan.bit_times.value as usize,
            (1 << (d - 1)) * m + d * start_up
        );
        assert_eq!(
            plan.forwarding_buffer.value as usize,
            ((1 << d) - 1 - d) * m
        );
    }
    assert!(!CompleteExchange.plan(&ask(3, 4, 0)).unwrap().divides);
}

/// In stage `k` all messages of weight `d - k` or more are moved (the paper has distance `k`).
#[test]
fn erratum_7_messages_for_distance_d_minus_k_start_in_stage_k() {
    let (d, m) = (4, 12);
    let program = CompleteExchange.plan(&ask(d, m, 3)).unwrap().program;
    for stage in 0..d {
        let end = program.steps.get(stage + 1).unwrap_or(&program.bit_times);
        let moved: usize = (d - stage..=d)
            .map(|weight| choose(d - 1, weight - 1) * m / weight)
            .sum();
        assert_eq!(end - program.steps[stage], 3 + moved);
        let started: Vec<usize> = program
            .transfers
            .iter()
            .filter(|one| (program.steps[stage]..*end).contains(&one.begin))
            .filter(|one| !one.sends.lines[0].counted)
            .map(|one| one.bits)
            .collect();
        assert_eq!(started, vec![m / (d - stage); choose(d - 1, d - stage - 1)]);
    }
}

/// Each hop crosses the next one above, circularly; the first is the one that the part starts at.
#[test]
fn parts_cross_the_ones_of_their_destination_upwards() {
    let (d, m) = (4, 12);
    let program = CompleteExchange.plan(&ask(d, m, 0)).unwrap().program;
    let mut crossed: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for transfer in &program.transfers {
        assert_eq!(
            transfer
                .sends
                .lines
                .iter()
                .map(|line| line.address)
                .collect::<Vec<_>>(),
            transfer
                .receives
                .lines
                .iter()
                .map(|line| line.address)
                .collect::<Vec<_>>()
        );
        for line in &transfer.sends.lines {
            crossed.entry(line.address).or_default().push(line.line);
        }
    }
    for (address, ports) in crossed {
        let destination = address / m + 1;
        let ones: Vec<usize> = (0..d).filter(|port| destination >> port & 1 == 1).collect();
        let number = address % m * ones.len() / m;
        let upwards: Vec<usize> = (0..ones.len())
            .map(|hop| ones[(number + hop) % ones.len()])
            .collect();
        assert_eq!(ports, upwards, "address {address}");
    }
}

/// If nothing of a stage were given up before all of it has been sent, and all of it counted from the first bit time of the stage
/// on, nodes would hold [2(2^d - 1 - d) - C(d,2)] m.
#[test]
fn stages_counted_as_a_whole_would_hold_more() {
    for (d, m) in [(2, 2), (3, 6), (4, 12), (5, 60)] {
        let program = CompleteExchange.plan(&ask(d, m, 1)).unwrap().program;
        let (mut held, mut peak) = (0, 0);
        for stage in 0..d {
            let end = program.steps.get(stage + 1).unwrap_or(&program.bit_times);
            let moves = program.transfers.iter();
            let moves = moves.filter(|one| (program.steps[stage]..*end).contains(&one.begin));
            let (mut comes, mut goes) = (0, 0);
            for one in moves {
                comes += if one.receives.lines[0].counted {
                    d * one.bits
                } else {
                    0
                };
                goes += if one.sends.lines[0].counted {
                    d * one.bits
                } else {
                    0
                };
            }
            peak = peak.max(held + comes);
            held = held + comes - goes;
        }
        assert_eq!(held, 0);
        assert_eq!(peak, (2 * ((1 << d) - 1 - d) - choose(d, 2)) * m);
    }
}

#[test]
fn memories_hold_a_message_for_each_other_node_and_nothing_besides() {
    let program = CompleteExchange.plan(&ask(4, 12, 0)).unwrap().program;
    assert_eq!(program.memory_bits, 15 * 12);
}

#[test]
fn what_there_is_no_room_for_is_refused() {
    let why = |d, m, start_up| {
        let refused = CompleteExchange.plan(&ask(d, m, start_up));
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        why(10, usize::MAX, 0),
        format!(
            "complete-exchange: {} message bits: the memories of 2^10 nodes would have more than 2^32 bits; it takes 4086 at most",
            usize::MAX
        )
    );
    assert_eq!(
        why(20, 1, 0),
        "complete-exchange: 1 message bits: the memories of 2^20 nodes would have more than 2^32 bits; it takes fewer dimensions or bits"
    );
    assert_eq!(
        why(3, 0, 0),
        "complete-exchange: 0 message bits: it takes 1 at least"
    );
    assert_eq!(
        why(3, 1, 1 << 33),
        "complete-exchange: 8589934592 bit times of START: it takes 2^32 = 4294967296 at most"
    );
}
