//! Relations that are worth a test.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use reference_models::relations::Listed;
use rtl_model::traffic::structured::Routing;
use rtl_model::traffic::{Message, Relation};

use super::cube;

/// A place in a node's list: node and slot.
type Socket = (usize, usize);

/// Messages between sockets and destinations, one after the other, as far as both reach.
fn joined(sockets: impl IntoIterator<Item = Socket>, ends: &[usize]) -> Vec<Listed> {
    let pairs = sockets.into_iter().zip(ends);
    pairs
        .map(|((source, slot), &destination)| Listed {
            message: Message {
                source,
                destination,
            },
            slot,
        })
        .collect()
}

/// All sockets of some nodes.
fn sockets(nodes: &[usize], h: usize) -> Vec<Socket> {
    let of_node = |&node| (0..h).map(move |slot| (node, slot));
    nodes.iter().flat_map(of_node).collect()
}

/// Each of some nodes `h` times.
fn ends(nodes: &[usize], h: usize) -> Vec<usize> {
    let nodes = nodes.iter();
    nodes
        .flat_map(|&node| std::iter::repeat_n(node, h))
        .collect()
}

fn shuffled<T>(mut all: Vec<T>, random: &mut ChaCha8Rng) -> Vec<T> {
    all.shuffle(random);
    all
}

/// The messages of each node in slots that are drawn, so that empty ones stand anywhere.
fn scattered(k: usize, h: usize, messages: &[Message], random: &mut ChaCha8Rng) -> Vec<Listed> {
    let mut free: Vec<Vec<usize>> = (0..1 << k)
        .map(|_| shuffled((0..h).collect(), random))
        .collect();
    let in_slot = |&message: &Message| Listed {
        message,
        slot: free[message.source].pop().unwrap(),
    };
    messages.iter().map(in_slot).collect()
}

/// Relations of a cube in which every node sends and receives up to `h` messages.
pub fn relations(k: usize, h: usize, random: &mut ChaCha8Rng) -> Vec<Vec<Listed>> {
    let all: Vec<usize> = (0..1 << k).collect();
    let nodes = all.len();
    let mut relations = vec![Vec::new()];
    for load in [0.2, 0.6, 0.9, 1.0] {
        let drawn = Relation::drawn(cube(k), 1, h, load, random.random()).unwrap();
        relations.push(scattered(k, h, drawn.messages(), random));
    }
    // Whoever has a free socket for whoever has one, so that a node may have several messages for another one.
    let any = sockets(&all, h);
    relations.push(joined(any.clone(), &shuffled(ends(&all, h), random)));
    relations.extend(structured(k, h, random));
    // All to a few nodes, `h` each, from as few nodes as can send so many, or from any.
    for few in [1, 2, nodes / 2] {
        let some = ends(&shuffled(all.clone(), random)[..few], h);
        let senders = shuffled(all.clone(), random);
        relations.push(joined(sockets(&senders[..few], h), &some));
        relations.push(joined(shuffled(any.clone(), random), &some));
    }
    // From one half of the cube to the other, or to itself, and from all of it to a half.
    for bit in [0, k / 2, k - 1] {
        for side in [0, 1] {
            let half = |side| {
                all.iter()
                    .copied()
                    .filter(move |node| node >> bit & 1 == side)
            };
            let here: Vec<usize> = half(side).collect();
            let there: Vec<usize> = half(1 - side).collect();
            relations.push(joined(sockets(&here, h), &ends(&there, h)));
            relations.push(joined(
                sockets(&here, h),
                &shuffled(ends(&there, h), random),
            ));
            relations.push(joined(sockets(&here, h), &shuffled(ends(&here, h), random)));
            relations.push(joined(shuffled(any.clone(), random), &ends(&there, h)));
        }
    }
    // Some of each.
    for number in 0..relations.len() {
        let load = [0.3, 0.8][number % 2];
        let mut some = relations[number].clone();
        some.retain(|_| random.random_bool(load));
        relations.push(some);
    }
    relations
}

/// A structured routing in each slot: `h` times the same, and `h` of a kind.
fn structured(k: usize, h: usize, random: &mut ChaCha8Rng) -> Vec<Vec<Listed>> {
    let mut relations = Vec::new();
    for routing in Routing::ALL {
        for same in [true, false] {
            let mut seed: u64 = random.random();
            let mut messages = Vec::new();
            for slot in 0..h {
                let once = routing.messages(cube(k), 1.0, seed).unwrap();
                messages.extend(once.into_iter().map(|message| Listed { message, slot }));
                seed += u64::from(!same);
            }
            relations.push(messages);
        }
    }
    relations
}
