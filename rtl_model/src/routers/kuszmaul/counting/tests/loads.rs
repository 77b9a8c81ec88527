//! Relations that are worth a test.

use rand::Rng;
use rand::seq::SliceRandom;

use super::{Relation, shuffled};

/// Each node sends a message to each of some permutations' images, as far as `load` goes.
fn of_permutations(
    nodes: usize,
    permutations: &[Vec<usize>],
    mut load: impl FnMut(usize, usize) -> bool,
) -> Relation {
    (0..nodes)
        .map(|node| {
            let slots = permutations.iter().enumerate();
            slots
                .map(|(slot, to)| load(node, slot).then(|| to[node]))
                .collect()
        })
        .collect()
}

/// Random ones, full and not; bit permutations with complement; shifts; all to few, and to one half.
pub(super) fn relations(k: usize, h: usize, random: &mut impl Rng) -> Vec<Relation> {
    let nodes = 1usize << k;
    let mut relations = vec![vec![vec![None; h]; nodes]];
    for load in [0.3, 0.8, 1.0] {
        let permutations: Vec<Vec<usize>> = (0..h)
            .map(|_| {
                let mut to: Vec<usize> = (0..nodes).collect();
                to.shuffle(random);
                to
            })
            .collect();
        let relation = of_permutations(nodes, &permutations, |_, _| random.random_bool(load));
        relations.push(shuffled(relation, random));
    }
    // All sockets drawn, so that a node may send many messages to one other.
    let mut sockets: Vec<usize> = (0..nodes * h).map(|socket| socket / h).collect();
    sockets.shuffle(random);
    relations.push(
        sockets
            .chunks(h)
            .map(|to| to.iter().map(|&to| Some(to)).collect())
            .collect(),
    );
    for _ in 0..2 {
        let mut places: Vec<usize> = (0..k).collect();
        places.shuffle(random);
        let complement = random.random_range(0..nodes);
        let image = |node: usize| {
            let bits = places.iter().enumerate();
            complement ^ bits.fold(0, |to, (from, &place)| to | (node >> from & 1) << place)
        };
        let to: Vec<usize> = (0..nodes).map(image).collect();
        relations.push(of_permutations(nodes, &vec![to; h], |_, _| true));
    }
    let shift = |by: usize| -> Vec<usize> { (0..nodes).map(|node| (node + by) % nodes).collect() };
    let shifts: Vec<_> = (0..h).map(|slot| shift(slot * 3 + 1)).collect();
    relations.push(of_permutations(nodes, &shifts, |_, _| true));
    relations.push(of_permutations(
        nodes,
        &vec![shift(nodes / 2); h],
        |node, slot| (node + slot) % 3 != 1,
    ));
    // `h` from each of a few sources to each of a few destinations.
    for few in [1, 2, nodes / 2] {
        let mut relation = vec![vec![None; h]; nodes];
        for (source, slots) in relation.iter_mut().enumerate().take(few) {
            slots.fill(Some(nodes - 1 - source));
        }
        relations.push(relation);
    }
    // Everything to one half, from all nodes: every other slot, each destination `h` times.
    for high in [0, 1] {
        for bit in [0, k - 1] {
            let mut relation = vec![vec![None; h]; nodes];
            let mut half = (0..nodes).filter(|to| to >> bit & 1 == high);
            let mut sockets = half.by_ref().flat_map(|to| std::iter::repeat_n(to, h));
            for slot in 0..h {
                for (source, slots) in relation.iter_mut().enumerate() {
                    if (source + slot) % 2 == 0 {
                        slots[slot] = sockets.next();
                    }
                }
            }
            relations.push(relation);
        }
    }
    // All to a few nodes, from as many as it takes.
    let mut relation = vec![vec![None; h]; nodes];
    for (number, to) in [0, nodes - 1]
        .into_iter()
        .flat_map(|to| vec![to; h])
        .enumerate()
    {
        relation[(number * 5 + 1) % nodes][number * 3 % h] = Some(to);
    }
    let sent = relation.iter().flatten().flatten().count();
    debug_assert!(sent <= 2 * h);
    relations.push(relation);
    relations
}
