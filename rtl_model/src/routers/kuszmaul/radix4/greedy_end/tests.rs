//! The greedy ends of two nodes, and of four, with all messages that they may have.

use super::*;
use crate::language::strobes::Strobes;
use crate::language::wires::Ledger;
use crate::routers::kuszmaul::radix4::list_switch::ListSwitch;

/// Bits of a message behind its address: a 1, and where it is to, once more.
const BODY: usize = 3;

fn strobes(dimensions: usize, t: usize) -> GreedyEndStrobes<bool> {
    let mut strobes = GreedyEndStrobes::idle();
    let odd = t % 2 == 1;
    let decide_last = if dimensions == 2 {
        strobes.arm_before_last = t == 4;
        strobes.decide_before_last = t == 5;
        strobes.announce = t == 6;
        strobes.first_lane = t >= 5 && odd;
        strobes.second_lane = t >= 5 && !odd;
        strobes.arm_last = t == 7;
        9
    } else {
        strobes.arm_last = t == 4;
        5
    };
    strobes.decide_last = t == decide_last;
    strobes.last_lane = t >= decide_last && odd;
    strobes
}

/// Each node's list of messages, given as where they are to: by node, whether one is at home, and
/// its bits.
fn run(dimensions: usize, lists: &[Vec<usize>]) -> Vec<(bool, usize)> {
    let last = dimensions - 1;
    let bit = |to: usize, place: usize| match place.checked_sub(dimensions) {
        None => to >> place & 1 == 1,
        Some(place) => (1 + 2 * to) >> place & 1 == 1,
    };
    let mut nodes: Vec<_> = lists
        .iter()
        .map(|_| {
            let row = ListRow::new(0..dimensions, |_| ListSwitch::new(dimensions == 2, true));
            (GreedyEnd::<bool>::new(dimensions), row)
        })
        .collect();
    let address = |node: usize| [node & 1 == 1, node >> 1 & 1 == 1];
    let mut at_home = vec![(false, 0); nodes.len()];
    let decides = 5 + 4 * (dimensions - 1);
    for t in 4..=decides + 2 * BODY {
        let strobes = strobes(dimensions, t);
        let send = |(node, (end, row)): (usize, &(GreedyEnd<bool>, ListRow<bool>))| {
            let (mut wires, mut ledger) = ([false; 2], Ledger::new(2));
            let mut transmit = Transmit::new(&mut wires, &mut ledger);
            end.transmit(&strobes, row, last, &address(node), &mut transmit);
            assert_eq!(ledger.conflict(), None);
            wires
        };
        let sent: Vec<[bool; 2]> = nodes.iter().enumerate().map(send).collect();
        for (node, (end, row)) in nodes.iter_mut().enumerate() {
            let over = |dimension: usize| sent.get(node ^ 1 << dimension);
            let heard = [0, 1].map(|dimension| over(dimension).is_some_and(|sent| sent[dimension]));
            let arrives = end.delivered(&strobes, row, last, &address(node), &heard);
            match t.checked_sub(decides) {
                Some(0) => at_home[node].0 = arrives,
                Some(since) if since % 2 == 0 => {
                    at_home[node].1 |= usize::from(arrives) << (since / 2 - 1);
                }
                _ => {}
            }
            let there = std::array::from_fn(|item| item < lists[node].len());
            let before = end.before(row, last);
            end.clock(&strobes, row, before, (last, there), &address(node), &heard);
            if t % 2 == 0 {
                let list = &lists[node];
                let item = |item: usize| list.get(item).is_some_and(|&to| bit(to, t / 2 - 2));
                row.stage_mut(0).load(std::array::from_fn(item));
            }
        }
    }
    at_home
}

/// Every message at any node, or missing; the lists in either order.
fn each_message_gets_home(dimensions: usize) {
    let nodes = 1 << dimensions;
    for choice in 0..(nodes + 1_usize).pow(nodes as u32) {
        let at = |to: usize| choice / (nodes + 1).pow(to as u32) % (nodes + 1);
        let mut lists = vec![Vec::new(); nodes + 1];
        for to in 0..nodes {
            lists[at(to)].push(to);
        }
        lists.truncate(nodes);
        for _ in 0..2 {
            let expected: Vec<_> = (0..nodes)
                .map(|to| match at(to) < nodes {
                    true => (true, 1 + 2 * to),
                    false => (false, 0),
                })
                .collect();
            assert_eq!(run(dimensions, &lists), expected, "{lists:?}");
            lists.iter_mut().for_each(|list| list.reverse());
        }
    }
}

#[test]
fn of_two_nodes_messages_each_gets_home() {
    each_message_gets_home(1);
}

#[test]
fn of_four_nodes_messages_each_gets_home() {
    each_message_gets_home(2);
}
