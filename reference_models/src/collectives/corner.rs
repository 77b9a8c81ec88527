//! O.C. SEND 3 and what is made of it (Stout & Wagar, sections 3 and 4).

use super::schedule::{Schedule, part, units};
use super::{Collective, Message, Run, Send};
use crate::broadcast::{self, Broadcast};

/// A packet that has no time yet.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) runs: Vec<Run>,
}

/// The packets of each stage, which are of the same length.
type Chain = Vec<Vec<Packet>>;

/// O.C. SEND 3 of what is at the corner `from` of the subcube of these dimensions, which ascend. A node
/// puts what arrived in the order of the dimensions over which it came, and cuts it into parts of the
/// same length, with padding at the end, for the dimensions over which nothing came. Returns the packets
/// of each stage, and what is in the opposite corner then, in the order of dimensions.
pub(super) fn oc_send_3(from: usize, dimensions: &[usize], what: Vec<Run>) -> (Chain, Vec<Run>) {
    let many = dimensions.len();
    let mut held: Vec<Vec<Run>> = vec![Vec::new(); 1 << many];
    held[0] = what;
    let mut chain = Chain::new();
    let address = |place: usize| {
        let across = |index: usize| (place >> index & 1) << dimensions[index];
        (0..many).fold(from, |node, index| node ^ across(index))
    };
    for stage in 0..many {
        let mut packets = Vec::new();
        let mut arrived: Vec<Vec<(usize, Vec<Run>)>> = vec![Vec::new(); 1 << many];
        for place in (0..1_usize << many).filter(|place| place.count_ones() as usize == stage) {
            let missing: Vec<usize> = (0..many).filter(|index| place >> index & 1 == 0).collect();
            let parts = cut(std::mem::take(&mut held[place]), missing.len());
            for (index, runs) in missing.into_iter().zip(parts) {
                let next = place | 1 << index;
                packets.push(Packet {
                    from: address(place),
                    to: address(next),
                    runs: runs.clone(),
                });
                arrived[next].push((index, runs));
            }
        }
        for (held, mut arrived) in held.iter_mut().zip(arrived) {
            arrived.sort_by_key(|(index, _)| *index);
            held.extend(arrived.into_iter().flat_map(|(_, runs)| runs));
        }
        chain.push(packets);
    }
    (chain, held.pop().unwrap_or_default())
}

/// Cuts runs into parts of the same length, with padding at the end.
fn cut(runs: Vec<Run>, parts: usize) -> Vec<Vec<Run>> {
    let length = units(&runs).div_ceil(parts as u64);
    let end = runs.last().map(|last| Run {
        message: last.message,
        bits: last.bits.end..last.bits.end,
        padding: 0,
    });
    let mut left = runs.into_iter();
    let mut next = left.next();
    let mut cut = Vec::new();
    for _ in 0..parts {
        let mut room = length;
        let mut part = Vec::new();
        while room > 0 {
            let Some(run) = next.take() else {
                break;
            };
            let (taken, rest) = split(run, room);
            room -= taken.units();
            part.push(taken);
            next = rest.or_else(|| left.next());
        }
        match (part.last_mut(), end.clone()) {
            (Some(last), _) => last.padding += room,
            (None, Some(end)) => part.push(Run {
                padding: room,
                ..end
            }),
            (None, None) => {}
        }
        cut.push(part);
    }
    cut
}

/// The first `units` bits of a run, and the rest.
fn split(run: Run, units: u64) -> (Run, Option<Run>) {
    if run.units() <= units {
        return (run, None);
    }
    let place = run.bits.end.min(run.bits.start + units);
    let padding = units - (place - run.bits.start);
    let rest = Run {
        message: run.message,
        bits: place..run.bits.end,
        padding: run.padding - padding,
    };
    let taken = Run {
        message: run.message,
        bits: run.bits.start..place,
        padding,
    };
    (taken, Some(rest))
}

/// One chain for each group, each a stage behind the other. The longest stage sets the pace.
fn pipelined(chains: Vec<Chain>, start_up: u64) -> Schedule {
    let length = |packets: &Vec<Packet>| packets.iter().map(|it| units(&it.runs)).max();
    let lengths: Vec<u64> = chains
        .first()
        .into_iter()
        .flatten()
        .map(|packets| length(packets).unwrap_or(0))
        .collect();
    let pace = lengths.iter().copied().max().unwrap_or(0) + start_up;
    let stages = chains.len() + lengths.len() - 1;
    let mut sends = Vec::new();
    for (group, chain) in (0..).zip(chains) {
        let mut begin = group * pace;
        for (packets, length) in chain.into_iter().zip(&lengths) {
            sends.extend(packets.into_iter().map(|packet| Send {
                begin,
                start_up,
                units: *length,
                from: packet.from,
                to: packet.to,
                items: packet.runs,
            }));
            begin += start_up + length;
        }
    }
    Schedule { stages, sends }
}

/// The groups of a message, of which `bits` go here, padded to `length`.
fn groups(message: Message, bits: std::ops::Range<u64>, length: u64, groups: usize) -> Vec<Run> {
    (0..groups)
        .map(|group| part(message, &bits, length, (group, groups)))
        .collect()
}

/// O.C. SEND 3 of each group, pipelined: O.C. SEND 3 itself, O.C. SEND 4 and ARBITRARY SEND 1, in the
/// subcube of the lowest dimensions.
pub(super) fn oc_send_4(collective: &Collective, distance: usize, many: usize) -> Schedule {
    let length = collective.message_bits;
    let runs = groups(message(collective, distance), 0..length, length, many);
    pipelined(
        corner_chains(collective, distance, runs),
        collective.start_up,
    )
}

/// O.C. SEND 3 of every group.
fn corner_chains(collective: &Collective, distance: usize, runs: Vec<Run>) -> Vec<Chain> {
    let dimensions: Vec<usize> = (0..distance).collect();
    runs.into_iter()
        .map(|run| oc_send_3(collective.root, &dimensions, vec![run]).0)
        .collect()
}

/// X.O.C. SEND of every group via the subcube that is across a dimension.
fn extended_chains(
    collective: &Collective,
    distance: usize,
    dimension: usize,
    runs: Vec<Run>,
) -> Vec<Chain> {
    let dimensions: Vec<usize> = (0..distance).collect();
    let source = collective.root;
    let entry = source ^ (1 << dimension);
    let exit = entry ^ ((1 << distance) - 1);
    let extended = |run: Run| {
        let (between, last) = oc_send_3(entry, &dimensions, vec![run.clone()]);
        let first = Packet {
            from: source,
            to: entry,
            runs: vec![run],
        };
        let last = Packet {
            from: exit,
            to: exit ^ (1 << dimension),
            runs: last,
        };
        [vec![vec![first]], between, vec![vec![last]]].concat()
    };
    runs.into_iter().map(extended).collect()
}

/// X.O.C. SEND 1, of one group, and 2, via the subcube across the dimension above its own.
pub(super) fn xoc_send(collective: &Collective, distance: usize, many: usize) -> Schedule {
    let length = collective.message_bits;
    let runs = groups(message(collective, distance), 0..length, length, many);
    let chains = extended_chains(collective, distance, distance, runs);
    pipelined(chains, collective.start_up)
}

/// ARBITRARY SEND 2: BROADCAST 4 without its last stages.
pub(super) fn flood(
    collective: &Collective,
    distance: usize,
    many: usize,
    stages: usize,
) -> Schedule {
    let packets = collective.dims * many;
    let broadcast = Broadcast {
        algorithm: broadcast::Algorithm::Broadcast4,
        ports: broadcast::Ports::All,
        dims: collective.dims,
        source: collective.root,
        packets,
    };
    let message = Message::Flooded {
        source: collective.root,
        destination: collective.root ^ ((1 << distance) - 1),
    };
    let bits = 0..collective.message_bits;
    let length = collective.message_bits.div_ceil(packets as u64) + collective.start_up;
    let kept = broadcast.sends().into_iter().filter(|it| it.step < stages);
    let sends = kept.map(|it| {
        let run = part(message, &bits, bits.end, (it.packet, packets));
        Send {
            begin: it.step as u64 * length,
            start_up: collective.start_up,
            units: run.units(),
            from: it.from,
            to: it.to,
            items: vec![run],
        }
    });
    Schedule {
        stages,
        sends: sends.collect(),
    }
}

/// How many stages ARBITRARY SEND 2 needs: one more than the distance and the groups together, which the
/// paper has two too low, and no more than BROADCAST 4.
pub(super) fn flood_stages(dims: usize, distance: usize, groups: usize) -> usize {
    (distance + 2).min(dims) + groups - 1
}

/// ARBITRARY SEND 3: O.C. SEND 4 of one share of the message for each dimension in which the nodes
/// differ, and X.O.C. SEND 2 of one share via each of the subcubes that are across the others, at
/// once.
pub(super) fn arbitrary_send_3(
    collective: &Collective,
    distance: usize,
    (inner, outer): (usize, usize),
) -> Schedule {
    let all = collective.message_bits;
    let message = message(collective, distance);
    let share = all.div_ceil(collective.dims as u64);
    let place = |shares: usize| (shares as u64 * share).min(all);
    let runs = groups(message, 0..place(distance), distance as u64 * share, inner);
    let chains = corner_chains(collective, distance, runs);
    let mut schedule = pipelined(chains, collective.start_up);
    for dimension in distance..collective.dims {
        let bits = place(dimension)..place(dimension + 1);
        let runs = groups(message, bits, share, outer);
        let chains = extended_chains(collective, distance, dimension, runs);
        let extended = pipelined(chains, collective.start_up);
        schedule.stages = schedule.stages.max(extended.stages);
        schedule.sends.extend(extended.sends);
    }
    schedule
}

/// The message from the root to the node that differs from it in the lowest dimensions.
fn message(collective: &Collective, distance: usize) -> Message {
    Message::Personal {
        source: collective.root,
        destination: collective.root ^ ((1 << distance) - 1),
    }
}
