//! DISTRIBUTE 2 (Stout & Wagar, section 5): fewer and longer waves, which break up on their way.

use std::collections::BTreeMap;

use super::corner::oc_send_3;
use super::schedule::{Schedule, ones, part, units};
use super::transpose::lcm;
use super::{Collective, Message, Run, Send};

/// What a wave carries of every message for nodes at a distance: the bits between two fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Portion {
    /// The distance.
    pub(super) distance: usize,
    /// The fraction from which on.
    pub(super) from: f64,
    /// The fraction up to which.
    pub(super) to: f64,
}

/// How many waves there are: the fewest that suffice if each is `d - 1` times as long as the next, and
/// the last has one message for each wire.
pub(super) fn waves(dims: usize) -> usize {
    let (mut many, mut length, mut sum) = (1, 1, 1);
    while dims * sum < (1 << dims) - 1 {
        length *= dims - 1;
        sum += length;
        many += 1;
    }
    many
}

/// How much longer each wave is than the next, if they are together as long as everything: the root of an
/// equation, by bisection.
pub(super) fn ratio(dims: usize) -> f64 {
    let many = waves(dims);
    let needed = ((1_u64 << dims) - 1) as f64 / dims as f64;
    let (mut low, mut high) = (0.0, dims as f64);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let sum = (0..many).fold(0.0, |sum, _| sum * middle + 1.0);
        if sum < needed {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// What each wave carries, the first wave first. The waves are filled from the last to the first, with
/// what is for the nearest nodes first. In the paper the last but one has everything for distance 2, and
/// the last everything for distance 1, for which there is not always room.
pub(super) fn contents(dims: usize) -> Vec<Vec<Portion>> {
    let mut room = 1.0;
    let mut waves = vec![Vec::new(); waves(dims)];
    let longer = ratio(dims);
    let (mut distance, mut used, mut ways) = (1, 0.0, dims as f64);
    for (index, wave) in waves.iter_mut().rev().enumerate() {
        let mut left = room;
        let last = index + 1 == self::waves(dims);
        while distance <= dims && (last || left > 1e-9) {
            let all = ways / dims as f64;
            let to = if last || all * (1.0 - used) <= left + 1e-9 {
                1.0
            } else {
                used + left / all
            };
            left -= all * (to - used);
            wave.push(Portion {
                distance,
                from: used,
                to,
            });
            if to < 1.0 {
                used = to;
                break;
            }
            ways = ways * (dims - distance) as f64 / (distance + 1) as f64;
            (distance, used) = (distance + 1, 0.0);
        }
        room *= longer;
    }
    waves
}

/// The waves with the furthest first in each. A portion of messages is cut and put together again on its
/// way as in O.C. SEND 3, so that it loads all wires between two distances evenly. The root sends its
/// waves one after the other, and other nodes send on each distance of a wave as a packet of its own, as
/// soon as they have it and the wire is free.
pub(super) fn distribute_2(collective: &Collective) -> Schedule {
    let mut packets: BTreeMap<Place, Vec<Run>> = BTreeMap::new();
    let contents = contents(collective.dims);
    for (wave, portions) in contents.iter().enumerate() {
        for portion in portions {
            let distance = portion.distance;
            let place = |fraction| rounded(collective.message_bits, fraction, distance);
            let bits = place(portion.from)..place(portion.to);
            let near = |node: &usize| node.count_ones() as usize == distance;
            for node in (0..collective.nodes())
                .filter(near)
                .filter(|_| !bits.is_empty())
            {
                let message = Message::Personal {
                    source: collective.root,
                    destination: collective.root ^ node,
                };
                let what = part(message, &bits, bits.end - bits.start, (0, 1));
                let (chain, _) = oc_send_3(collective.root, &ones(node), vec![what]);
                for (hop, packet) in chain
                    .into_iter()
                    .enumerate()
                    .flat_map(|(hop, sent)| sent.into_iter().map(move |packet| (hop, packet)))
                {
                    let nearness = if hop == 0 {
                        0
                    } else {
                        collective.dims - distance
                    };
                    let place = Place {
                        hop,
                        wave,
                        nearness,
                        from: packet.from,
                        to: packet.to,
                    };
                    packets.entry(place).or_default().extend(packet.runs);
                }
            }
        }
    }
    timed(collective, packets, contents.len())
}

/// A packet, in the order in which packets get their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// How many wires its contents have crossed.
    hop: usize,
    /// The wave.
    wave: usize,
    /// How much further it could be to where its contents are to go. The root, which does not tell
    /// distances apart, has 0 here.
    nearness: usize,
    /// The sender.
    from: usize,
    /// The receiver.
    to: usize,
}

/// Gives each packet its time, hop by hop and in the order in which each wire carries them.
fn timed(collective: &Collective, packets: BTreeMap<Place, Vec<Run>>, stages: usize) -> Schedule {
    let mut free: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    let mut arrived: BTreeMap<(usize, usize, usize, usize), u64> = BTreeMap::new();
    let mut sends = Vec::new();
    for (place, items) in packets {
        let Place {
            hop,
            wave,
            nearness,
            from,
            to,
        } = place;
        // What the root sent as one packet is there for every distance.
        let before = if hop == 1 { 0 } else { nearness };
        let has = arrived.get(&(hop, wave, before, from)).copied();
        let wire = free.entry((from, to)).or_default();
        let send = Send {
            begin: has.unwrap_or(0).max(*wire),
            start_up: collective.start_up,
            units: units(&items),
            from,
            to,
            items,
        };
        *wire = send.end();
        let there = arrived.entry((hop + 1, wave, nearness, to)).or_default();
        *there = send.end().max(*there);
        sends.push(send);
    }
    Schedule { stages, sends }
}

/// A fraction of a message in bits: a multiple of what divides evenly on every hop, if the message is.
fn rounded(message_bits: u64, fraction: f64, distance: usize) -> u64 {
    if fraction >= 1.0 {
        return message_bits;
    }
    let even = (1..=distance as u64).fold(1, lcm);
    let units = (message_bits as f64 * fraction / even as f64).round() as u64;
    (units * even).min(message_bits)
}
