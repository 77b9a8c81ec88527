//! The exchanges of the four nodes of a square, with all messages that they may have.

use super::*;
use crate::language::strobes::Strobes;
use crate::language::wires::Ledger;

/// The first dimension, and the second.
const A: usize = 0;
const B: usize = 1;

/// A message at a node, or none and garbage in its buffer.
#[derive(Clone, Copy, Debug)]
struct Here {
    valid: bool,
    to: usize,
}

/// What is behind the address of the message from a node, bit by bit: a 1, and the node.
fn body(from: usize) -> [bool; 3] {
    [true, from & 1 == 1, from >> 1 & 1 == 1]
}

/// All messages that four nodes may have.
fn squares() -> impl Iterator<Item = [Here; 4]> {
    (0..1 << 12).map(|square| {
        std::array::from_fn(|node| Here {
            valid: square >> (3 * node) & 1 == 1,
            to: square >> (3 * node + 1) & 3,
        })
    })
}

fn address(node: usize) -> [bool; 2] {
    [node & 1 == 1, node >> 1 & 1 == 1]
}

/// What `node` hears: over each wire, what the neighbour sends.
fn heard(sent: &[[bool; 2]; 4], node: usize) -> [bool; 2] {
    [sent[node ^ 1][A], sent[node ^ 2][B]]
}

/// The dimension that a one-hot bundle names.
fn name(lines: &mut Lines<bool>, dimension: usize) {
    lines.drive(true, dimension..dimension + 1, |_| true);
}

/// A bit time of all nodes, each with a bit for the first wire and one for the second: what they
/// send.
fn bit_time(
    nodes: &mut [PairExchange<bool>; 4],
    strobes: &PairExchangeStrobes<bool>,
    valid: [bool; 4],
    bits: impl Fn(usize) -> (bool, bool),
) -> [[bool; 2]; 4] {
    let sent = std::array::from_fn(|node| {
        let (mut wires, mut ledger) = ([false; 2], Ledger::new(2));
        let mut wires_of_node = Transmit::new(&mut wires, &mut ledger);
        let address = address(node);
        nodes[node].transmit(
            strobes,
            valid[node],
            bits(node),
            &address,
            &mut wires_of_node,
        );
        wires
    });
    for (node, exchange) in nodes.iter_mut().enumerate() {
        let message = (valid[node], bits(node).1);
        exchange.clock(strobes, message, &address(node), &heard(&sent, node));
    }
    sent
}

/// The strobes of bit time `t` of the decisions.
fn deciding(t: usize) -> PairExchangeStrobes<bool> {
    let mut strobes = PairExchangeStrobes::idle();
    strobes.decide = t == 0;
    strobes.decide_kept = t == 1;
    strobes.decide_received = t == 2;
    if t < 2 {
        name(&mut strobes.first, A);
    }
    if t > 0 {
        name(&mut strobes.second, B);
    }
    strobes
}

/// The three bit times of the decisions: what is sent in each.
fn decide(nodes: &mut [PairExchange<bool>; 4], square: &[Here; 4]) -> [[[bool; 2]; 4]; 3] {
    let valid = square.map(|here| here.valid);
    [0, 1, 2].map(|t| {
        bit_time(nodes, &deciding(t), valid, |node| {
            let bit = t < 2 && address(square[node].to)[t];
            (bit, bit)
        })
    })
}

/// The nodes whose messages come together at `node`, by place: its own, that of the neighbour over
/// `a`, over `b`, and over both.
fn together(square: &[Here; 4], node: usize) -> [Option<usize>; 4] {
    [node, node ^ 1, node ^ 2, node ^ 3].map(|from| {
        let Here { valid, to } = square[from];
        (valid && to == node).then_some(from)
    })
}

/// A bit of each message that comes together at a node, those that are there first.
fn closed_up(places: [Option<usize>; 4], bit: usize) -> [bool; 4] {
    let mut there = places.into_iter().flatten();
    [0; 4].map(|_| there.next().is_some_and(|from| body(from)[bit]))
}

fn number([ones, twos, four]: [bool; 3]) -> usize {
    usize::from(ones) + 2 * usize::from(twos) + 4 * usize::from(four)
}

#[test]
fn whose_address_bits_differ_crosses_a_and_then_b() {
    let mut nodes = [0; 4].map(|_| PairExchange::new(2, Some(4)));
    for square in squares() {
        let sent = decide(&mut nodes, &square);
        for node in 0..4 {
            let crosses = |from: usize, dimension: usize| {
                let Here { valid, to } = square[from];
                valid && address(to)[dimension] != address(from)[dimension]
            };
            let neighbour = node ^ 1;
            let crosses_a = crosses(node, A);
            let address_bit = crosses_a && address(square[node].to)[B];
            let kept = !crosses_a && crosses(node, B);
            let received = crosses(neighbour, A) && crosses(neighbour, B);
            let expected = [[crosses_a, false], [address_bit, kept], [false, received]];
            assert_eq!(sent.map(|sent| sent[node]), expected, "{square:?} {node}");
        }
    }
}

#[test]
fn messages_come_together_counted_and_closed_up() {
    let mut nodes = [0; 4].map(|_| PairExchange::new(2, Some(4)));
    for square in squares() {
        decide(&mut nodes, &square);
        for (node, exchange) in nodes.iter().enumerate() {
            let places = together(&square, node).map(|from| from.is_some());
            let messages = places.into_iter().filter(|there| *there).count();
            assert_eq!(exchange.places(), places, "{square:?} {node}");
            assert_eq!(number(exchange.count()), messages);
            let there = std::array::from_fn(|item| item < messages);
            assert_eq!(exchange.there(), there);
        }
        let valid = square.map(|here| here.valid);
        for bit in 0..3 {
            let bits = |node: usize| (body(node)[bit], body(node)[bit]);
            let mut strobes = PairExchangeStrobes::idle();
            name(&mut strobes.first, A);
            name(&mut strobes.second, B);
            (strobes.latch, strobes.send_kept) = (true, true);
            bit_time(&mut nodes, &strobes, valid, bits);

            let mut strobes = PairExchangeStrobes::idle();
            name(&mut strobes.second, B);
            strobes.send_received = true;
            let before = nodes.clone();
            let sent = bit_time(&mut nodes, &strobes, valid, bits);
            for (node, exchange) in before.iter().enumerate() {
                let gathered = exchange.gathered(&strobes, bits(node).0, &heard(&sent, node));
                let expected = closed_up(together(&square, node), bit);
                assert_eq!(gathered, expected, "{square:?} {node}");
            }
        }
    }
}

/// What crossed in the group of two dimensions before does not matter.
#[test]
fn alone_a_dimension_brings_two_together_at_most() {
    let mut nodes = [0; 4].map(|_| PairExchange::new(2, Some(4)));
    let everywhere = [3, 2, 1, 0].map(|to| Here { valid: true, to });
    for square in squares() {
        decide(&mut nodes, &everywhere);
        let valid = square.map(|here| here.valid);
        let mut strobes = PairExchangeStrobes::idle();
        name(&mut strobes.first, A);
        strobes.decide = true;
        bit_time(&mut nodes, &strobes, valid, |node| {
            let bit = address(square[node].to)[A];
            (bit, bit)
        });
        strobes.decide = false;
        strobes.lone = true;
        for bit in 0..3 {
            let bits = |node: usize| (body(node)[bit], body(node)[bit]);
            let before = nodes.clone();
            let sent = bit_time(&mut nodes, &strobes, valid, bits);
            for (node, exchange) in before.iter().enumerate() {
                let from = |from: usize| {
                    let Here { valid, to } = square[from];
                    (valid && address(to)[A] == address(node)[A]).then_some(from)
                };
                let places = [from(node), from(node ^ 1), None, None];
                let messages = places.into_iter().flatten().count();
                assert_eq!(number(exchange.count()), messages, "{square:?} {node}");
                let gathered = exchange.gathered(&strobes, bits(node).0, &heard(&sent, node));
                assert_eq!(gathered, closed_up(places, bit), "{square:?} {node}");
            }
        }
    }
}

/// The second wire is one bit time behind the first.
#[test]
fn in_a_square_of_its_own_a_message_arrives_where_one_is_to() {
    let mut nodes = [0; 4].map(|_| PairExchange::new(2, None));
    for square in squares() {
        let to = |node| together(&square, node).into_iter().flatten();
        if (0..4).any(|node| to(node).count() > 1) {
            continue;
        }
        let valid = square.map(|here| here.valid);
        let mut will_have = valid;
        for t in 0..6 {
            let mut strobes = deciding(t);
            name(&mut strobes.first, A);
            name(&mut strobes.second, B);
            strobes.latch = (2..5).contains(&t);
            (strobes.send_kept, strobes.send_received) = (t > 2, t > 2);
            // Bits for the first wire: both of the address, and then those behind it.
            let bit = |node: usize, place: usize| match place {
                0 | 1 => address(square[node].to)[place],
                _ => place < 5 && body(node)[place - 2],
            };
            let behind = |node: usize| match t {
                0 => bit(node, 0),
                _ => bit(node, t - 1),
            };
            let bits = |node: usize| match t {
                1 => (bit(node, 1), bit(node, 1)),
                _ => (bit(node, t), behind(node)),
            };
            let before = nodes.clone();
            let sent = bit_time(&mut nodes, &strobes, will_have, bits);
            for (node, exchange) in before.iter().enumerate() {
                let (message, heard) = ((will_have[node], bits(node).1), heard(&sent, node));
                if t == 1 || t == 2 {
                    will_have[node] = exchange.arrives(&strobes, message, &address(node), &heard);
                }
                if t > 2 {
                    let expected = to(node).any(|from| body(from)[t - 3]);
                    let arriving = exchange.arriving(&strobes, message.1, &heard);
                    assert_eq!(arriving, expected, "{square:?} {node}");
                }
            }
        }
        let expected = [0, 1, 2, 3].map(|node| to(node).next().is_some());
        assert_eq!(will_have, expected, "{square:?}");
    }
}
