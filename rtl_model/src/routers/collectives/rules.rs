//! The closed rules with plain numbers: which ports of which nodes take part in a side of a transfer, and where its bits lie. Hardware
//! has the same rules as logic, in [`seen`](super::seen).

use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::program::{
    Condition, LineOrder, Segment, Side, TransferProgram, View,
};

/// What a node sees: bits.
fn sees(program: &TransferProgram, node: usize) -> usize {
    match &program.view {
        View::Relative => node,
        View::Differences => {
            let half = program.cube.count() / 2;
            let y = (node ^ node >> half) & ((1 << half) - 1);
            y | y << half
        }
        View::Tree(tree) => tree.places[node] as usize,
    }
}

fn meets(program: &TransferProgram, who: &Condition, node: usize, port: usize) -> bool {
    let (bits, n) = (sees(program, node), program.cube.count());
    let rotated = match &program.view {
        View::Tree(_) => bits,
        _ => (bits >> port | bits << (n - port)) & ((1 << n) - 1),
    };
    let low_part = program.low_part as usize;
    let low = (bits & low_part).count_ones() as usize;
    let high = (bits & !low_part).count_ones() as usize;
    node as u32 & program.unused == 0
        && (rotated as u32 ^ who.pattern) & who.care == 0
        && who.low.is_none_or(|due| due == low)
        && who.high.is_none_or(|due| due == high)
}

/// The next 1 circularly above a port, the port itself last.
fn next_one(bits: usize, port: usize, n: usize) -> Option<usize> {
    let mut places = (1..=n).map(|further| (port + further) % n);
    places.find(|place| bits >> place & 1 == 1)
}

/// The line that a port of a node is, if it is one.
fn line(
    program: &TransferProgram,
    (order, sends): (LineOrder, bool),
    node: usize,
    port: usize,
) -> Option<usize> {
    let (bits, n) = (sees(program, node), program.cube.count());
    let low_part = program.low_part as usize;
    let ranked = |bits: usize| {
        let (place, half) = match program.view {
            View::Differences => (port % (n / 2), Some(port / (n / 2))),
            _ => (port, None),
        };
        let is_one = bits & low_part & 1 << place != 0;
        let rank = (bits & low_part & ((1 << place) - 1)).count_ones() as usize;
        is_one.then(|| half.map_or(rank, |half| 2 * rank + half))
    };
    match (order, &program.view) {
        (LineOrder::Port, _) => Some(port),
        (LineOrder::Zeros, _) => ranked(!bits),
        (LineOrder::Ones, _) => ranked(bits),
        (LineOrder::NextOne, _) => {
            let sender = if sends { node } else { neighbour(node, port) };
            match sender >> port & 1 == 1 || sender == 0 {
                true => Some(port),
                false => next_one(sender, port, n),
            }
        }
        (LineOrder::Children, View::Tree(tree)) => tree.children[node]
            .iter()
            .position(|child| *child == Some(port)),
        (LineOrder::Parent, View::Tree(tree)) => (tree.parents[node] == Some(port)).then_some(0),
        _ => None,
    }
}

/// The address of the first bit that a port of a node sends or receives in a transfer, and whether it is counted.
pub fn part(
    program: &TransferProgram,
    (side, sends): (&Side, bool),
    node: usize,
    port: usize,
) -> Option<(usize, bool)> {
    if !meets(program, &side.who, node, port) {
        return None;
    }
    let line = line(program, (side.order, sends), node, port)?;
    let found = side.lines.iter().find(|one| one.line == line);
    found.map(|line| (line.address, line.counted))
}

/// Bits that cross wires in a run.
pub fn crossing_bits(program: &TransferProgram) -> u64 {
    let (nodes, ports) = (program.cube.nodes(), program.cube.count());
    // Packets of a group go out on the same ports as those of the group before.
    let mut known: Vec<(&Side, u64)> = Vec::new();
    let lines = |side: &Side| side.lines.iter().map(|line| line.line).collect::<Vec<_>>();
    let are_alike = |one: &Side, other: &Side| {
        one.who == other.who && one.order == other.order && lines(one) == lines(other)
    };
    let mut bits = 0;
    for transfer in &program.transfers {
        let side = &transfer.sends;
        let found = known.iter().find(|(one, _)| are_alike(one, side));
        let sending = found.map(|(_, sending)| *sending).unwrap_or_else(|| {
            let wires = (0..nodes).flat_map(|node| (0..ports).map(move |port| (node, port)));
            let sends = |(node, port)| part(program, (side, true), node, port).is_some();
            let sending = wires.filter(|wire| sends(*wire)).count() as u64;
            known.push((side, sending));
            sending
        });
        bits += sending * transfer.bits as u64;
    }
    bits
}

/// The nodes at which a segment lies.
pub fn nodes_of(program: &TransferProgram, segment: &Segment) -> std::ops::Range<usize> {
    match segment.at {
        Some(node) => node..node + 1,
        None => 0..program.cube.nodes(),
    }
}
