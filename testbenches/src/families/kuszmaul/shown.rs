//! The nodes that a waveform shows where none are named: some where what the schedule is about can be seen. Messages are
//! followed over whole dimensions, as far as this choice needs it; in which bit time a message is where does not matter.

#[cfg(test)]
mod tests;

use rtl_model::parts::dimensions::RowOrder;
use rtl_model::routers::kuszmaul::radix4::dimension_groups::DimensionGroups;
use rtl_model::routers::permutation::Size;
use rtl_model::traffic::Traffic;

use crate::lockstep::permutations::all_differ;

/// Of Algorithm 2 where rows pass the dimensions upwards: as in [`rendezvous`].
pub fn ascending(traffic: &Traffic) -> Option<[usize; 3]> {
    rendezvous(traffic, RowOrder::Ascending)
}

/// The same where rows are folded.
pub fn folded(traffic: &Traffic) -> Option<[usize; 3]> {
    rendezvous(traffic, RowOrder::Folded)
}

/// Three nodes that meet in Algorithm 2: one with two messages, the node where its second message waits, and the
/// empty node that takes it. The first such three in order of iterations, and there of ranks.
fn rendezvous(traffic: &Traffic, order: RowOrder) -> Option<[usize; 3]> {
    let k = traffic.dimensions()?.count();
    let mut held = destinations_by_source(traffic);
    for iteration in 0..k.saturating_sub(1) {
        let (mut first, mut second) = crossed(&held, iteration);
        let detours = detours(&first, &second, &order.row(iteration + 1..k));
        if let Some(three) = detours.iter().copied().find(all_differ) {
            return Some(three);
        }
        for [two, _, empty] in detours {
            first[empty] = second[two].take();
        }
        held = first;
    }
    None
}

/// For each node, where the message that it sends goes.
fn destinations_by_source(traffic: &Traffic) -> Vec<Option<usize>> {
    let mut held = vec![None; traffic.nodes().count()];
    for message in traffic.messages().iter() {
        held[message.source] = Some(message.destination);
    }
    held
}

/// Step 1, given the destination of each node's message: those of each node's first message and of its second, which
/// is the one that crossed where another stayed.
fn crossed(held: &[Option<usize>], dimension: usize) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let belongs = |from: usize, to: usize| {
        held[from].filter(|destination| (destination ^ to) >> dimension & 1 == 0)
    };
    (0..held.len())
        .map(|node| {
            let stayed = belongs(node, node);
            let came = belongs(node ^ 1 << dimension, node);
            (stayed.or(came), stayed.and(came))
        })
        .unzip()
}

/// Steps 2 to 6 in the subcubes of the dimensions of `row`, by rank: a node with two messages, the node of its rank
/// in the subcube, and the empty node of the same rank among the empty ones.
fn detours(first: &[Option<usize>], second: &[Option<usize>], row: &[usize]) -> Vec<[usize; 3]> {
    let subcubes = first.len() >> row.len();
    let member = |subcube: usize, place: usize| {
        let bits = row.iter().enumerate();
        bits.fold(subcube, |node, (bit, dimension)| {
            node | (place >> bit & 1) << dimension
        })
    };
    let mut ranked = Vec::new();
    for subcube in 0..subcubes {
        let members = || (0..1 << row.len()).map(|place| member(subcube, place));
        let twos = members().filter(|&node| second[node].is_some());
        let empties = members().filter(|&node| first[node].is_none());
        for (rank, (two, empty)) in twos.zip(empties).enumerate() {
            ranked.push((rank, [two, member(subcube, rank), empty]));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, three)| three).collect()
}

/// For each node, where the packing sends the messages that it holds after the first dimensions have been crossed:
/// all messages of a subcube are numbered, and each goes to the node of its number.
fn packed_to(traffic: &Traffic, dimensions_crossed: usize) -> Vec<Vec<usize>> {
    let lower_bits = (1 << dimensions_crossed) - 1;
    let mut sent_to = vec![Vec::new(); traffic.nodes().count()];
    let mut held = vec![0; sent_to.len()];
    for message in traffic.messages().iter() {
        held[message.source & !lower_bits | message.destination & lower_bits] += 1;
    }
    let mut next: Vec<usize> = (0..=lower_bits).collect();
    for (node, messages) in held.into_iter().enumerate() {
        let next = &mut next[node & lower_bits];
        for _ in 0..messages {
            sent_to[node].push(*next);
            *next += lower_bits + 1;
        }
    }
    sent_to
}

/// A node that holds two messages after the first step 1, and the nodes that these are spread to, in order of their
/// sources.
pub fn parting(traffic: &Traffic) -> Option<[usize; 3]> {
    let packed = packed_to(traffic, 1);
    packed.iter().enumerate().find_map(|(met, sent_to)| {
        let [stayed, crossed] = sent_to[..] else {
            return None;
        };
        // What crossed to an even node came from the odd one, and the other way round.
        let by_source = match met % 2 {
            0 => [met, stayed, crossed],
            _ => [met, crossed, stayed],
        };
        Some(by_source).filter(all_differ)
    })
}

/// The node that holds most messages after the first group's exchange, and two that its packing sends some of
/// them to.
pub fn gathering(traffic: &Traffic) -> Option<[usize; 3]> {
    let plan = DimensionGroups::new(Size {
        dimensions: traffic.dimensions()?.count(),
        payload_bits: traffic.payload_bits(),
    });
    if !plan.packs() {
        return None;
    }
    let packed = packed_to(traffic, plan.first_dimension(1));
    let nodes = packed.into_iter().enumerate();
    // Of equals the last is taken: from behind it is the lowest.
    let (met, sent_to) = nodes.rev().max_by_key(|(_, sent_to)| sent_to.len())?;
    let mut others = sent_to.into_iter().filter(|node| *node != met);
    Some([met, others.next()?, others.next()?])
}
