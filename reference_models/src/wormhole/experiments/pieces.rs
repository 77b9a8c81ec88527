//! How a message is cut into pieces, of which each goes on a copy of its own.

use super::model::Worm;
use super::network::{Network, Step, Turn, header_bits};

/// A way to cut messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// The paper's: pieces of the same length.
    Even,
    /// So that all pieces of a message would finish together if they met no others: the hosts know the
    /// length of each way and header.
    ByWay,
    /// Pieces of the same length on so many copies with the shortest ways.
    Shortest(usize),
    /// So that the busiest wire of each piece's way carries as little as possible: somebody knows all
    /// messages beforehand.
    ByLoad,
    /// Pieces of the same length on the most copies whose ways have no wire in common.
    Apart,
}

/// The worms of one message from every node, of `bits` bits.
pub fn worms(network: &Network, destinations: &[usize], bits: usize, cut: Cut) -> Vec<Worm> {
    let messages: Vec<Vec<Vec<Step>>> = (destinations.iter().enumerate())
        .map(|(source, &destination)| {
            let way = |copy| network.way(copy, source, destination);
            (0..network.copies).map(way).collect()
        })
        .collect();
    let mut lengths: Vec<Vec<usize>> = messages
        .iter()
        .map(|ways| match cut {
            Cut::Even => even(bits, &vec![true; ways.len()]),
            Cut::Shortest(most) => even(bits, &shortest(ways, most)),
            Cut::Apart => even(bits, &apart(network, ways)),
            Cut::ByWay | Cut::ByLoad => by_way(bits, ways),
        })
        .collect();
    if cut == Cut::ByLoad {
        by_load(network, &messages, &mut lengths, bits);
    }
    let pieces = messages.into_iter().zip(lengths);
    let pieces = pieces.flat_map(|(ways, lengths)| ways.into_iter().zip(lengths));
    pieces
        .filter(|(_, body)| *body > 0)
        .map(|(way, body)| Worm { way, body })
        .collect()
}

/// Pieces of the same length on the copies that are `used`, the longer ones first.
fn even(bits: usize, used: &[bool]) -> Vec<usize> {
    let copies: Vec<usize> = (0..used.len()).filter(|&copy| used[copy]).collect();
    let mut lengths = vec![0; used.len()];
    for bit in 0..bits {
        lengths[copies[bit % copies.len()]] += 1;
    }
    lengths
}

/// So many copies with the shortest ways, the first of ways of the same length.
fn shortest(ways: &[Vec<Step>], most: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by_key(|&copy| overhead(&ways[copy]));
    let chosen = &order[..most.min(order.len())];
    (0..ways.len()).map(|copy| chosen.contains(&copy)).collect()
}

/// Bit times that a worm takes alone, without its body.
fn overhead(way: &[Step]) -> usize {
    2 * (way.len() - 1) + header_bits(way) + 2
}

/// Bit by bit to the piece that would be the first to finish. A copy that would be the last with a single
/// bit gets none.
pub fn by_way(bits: usize, ways: &[Vec<Step>]) -> Vec<usize> {
    let overhead: Vec<usize> = ways.iter().map(|way| overhead(way)).collect();
    let mut lengths = vec![0; ways.len()];
    for _ in 0..bits {
        let next = (0..ways.len()).min_by_key(|&copy| overhead[copy] + lengths[copy]);
        lengths[next.unwrap_or(0)] += 1;
    }
    lengths
}

/// The wires of a way, and how much of its header crosses each.
pub fn wires(network: &Network, way: &[Step]) -> Vec<(usize, usize)> {
    let mut header = header_bits(way);
    let mut wires = Vec::with_capacity(way.len());
    for step in way {
        header -= step.reads;
        if step.turn != Turn::Eject {
            wires.push((network.wire(step.switch, step.turn).0, header));
        }
    }
    wires
}

/// Bits that the worms put on each wire.
pub fn load(network: &Network, worms: &[Worm]) -> Vec<u64> {
    let mut load = vec![0; network.nodes() * network.dimensions];
    for worm in worms {
        for (wire, header) in wires(network, &worm.way) {
            load[wire] += (header + worm.body) as u64;
        }
    }
    load
}

/// Message by message some bits move from the piece on the busiest way to the one that would be the least
/// busy with them; fewer in each round.
fn by_load(
    network: &Network,
    messages: &[Vec<Vec<Step>>],
    lengths: &mut [Vec<usize>],
    bits: usize,
) {
    type Ways = Vec<(Vec<(usize, usize)>, usize)>;
    let ways: Vec<Ways> = (messages.iter())
        .map(|ways| {
            let way = ways.iter().map(|way| (wires(network, way), overhead(way)));
            way.collect()
        })
        .collect();
    let mut load = vec![0i64; network.nodes() * network.dimensions];
    let put = |load: &mut [i64], way: &[(usize, usize)], from: usize, to: usize| {
        for &(wire, header) in way {
            let bits = |body: usize| if body > 0 { (body + header) as i64 } else { 0 };
            load[wire] += bits(to) - bits(from);
        }
    };
    for (ways, lengths) in ways.iter().zip(&*lengths) {
        for ((way, _), &length) in ways.iter().zip(lengths) {
            put(&mut load, way, 0, length);
        }
    }
    let mut most = bits.div_ceil(network.copies);
    while most > 0 {
        for _ in 0..8 {
            for (ways, lengths) in ways.iter().zip(&mut *lengths) {
                let time = |load: &[i64], copy: usize| {
                    let (way, overhead) = &ways[copy];
                    let busiest = way.iter().map(|&(wire, _)| load[wire]).max();
                    busiest.unwrap_or(0) + *overhead as i64
                };
                let used = (0..ways.len()).filter(|&copy| lengths[copy] > 0);
                let Some(from) = used.max_by_key(|&copy| time(&load, copy)) else {
                    continue;
                };
                let before = time(&load, from);
                let moved = most.min(lengths[from]);
                let old = lengths[from];
                put(&mut load, &ways[from].0, old, old - moved);
                let with = |load: &mut Vec<i64>, copy: usize, length: usize| {
                    put(load, &ways[copy].0, length, length + moved);
                    let time = time(load, copy);
                    put(load, &ways[copy].0, length + moved, length);
                    time
                };
                let others = (0..ways.len()).filter(|&copy| copy != from);
                let times: Vec<(i64, usize)> = others
                    .map(|copy| (with(&mut load, copy, lengths[copy]), copy))
                    .collect();
                match times.into_iter().min() {
                    Some((after, to)) if after < before => {
                        put(&mut load, &ways[to].0, lengths[to], lengths[to] + moved);
                        lengths[to] += moved;
                        lengths[from] -= moved;
                    }
                    _ => put(&mut load, &ways[from].0, old - moved, old),
                }
            }
        }
        most /= 2;
    }
}

/// Pairs of a message's ways that have a directed wire in common.
pub fn shared(network: &Network, ways: &[Vec<Step>]) -> Vec<(usize, usize)> {
    let wires: Vec<Vec<usize>> = (ways.iter())
        .map(|way| {
            wires(network, way)
                .into_iter()
                .map(|(wire, _)| wire)
                .collect()
        })
        .collect();
    let pairs = (0..ways.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
    let meet = |&(one, other): &(usize, usize)| {
        wires[one]
            .iter()
            .any(|wire: &usize| wires[other].contains(wire))
    };
    pairs.filter(meet).collect()
}

/// The most copies of which no two ways share a wire; of as many the ones with the shortest ways.
pub fn apart(network: &Network, ways: &[Vec<Step>]) -> Vec<bool> {
    let shared = shared(network, ways);
    let all = 1u32 << ways.len();
    let has = |set: u32, copy: usize| set >> copy & 1 == 1;
    let fits = |set: &u32| {
        !shared
            .iter()
            .any(|&(one, other)| has(*set, one) && has(*set, other))
    };
    let length = |set: u32| -> usize {
        let chosen = (0..ways.len()).filter(|&copy| has(set, copy));
        chosen.map(|copy| ways[copy].len()).sum()
    };
    let best = (1..all)
        .filter(fits)
        .max_by_key(|&set| (set.count_ones(), std::cmp::Reverse(length(set))))
        .unwrap_or(1);
    (0..ways.len()).map(|copy| has(best, copy)).collect()
}
