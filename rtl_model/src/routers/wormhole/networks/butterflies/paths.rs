//! Where the paths of the lanes lie: the links of a node, and the levels that it tells from its address.
//!
//! Lane `k` of an edge in a row goes via the row whose number differs in bit `k`, lane `k` of one in
//! a column via such a column. A bit that came aside lies at a relay of a node of that line, whose
//! label is `ρ`; the line whose edge it is has the label `ρ ^ (k mod m)` (Lemma 2), and the level of the
//! vertex there follows from the place in the line, which is the same. So a node tells from its own
//! address over which link a relay sends on: where its label is such and its place spells this or that
//! level of the copy with the other label.
//!
//! ```text
//!   row i          x                            y          [out] at x, [in] at y
//!                  | aside                      ^ back
//!                  v                            |
//!   row i ^ 2^k    . --cross--> . --straight--> .          a relay at each
//! ```

use crate::language::register::Name;
use crate::routers::wormhole::networks::butterflies::lanes::Lanes;
use crate::routers::wormhole::networks::butterflies::vertices::{Butterflies, Edge, Line};
use crate::routers::wormhole::plan::{ChannelPlan, End, LevelCode, LinkPlan, Port, Standing};

/// What the levels of other lines are called, by line and by the difference of labels.
const BESIDE: [[&str; 4]; 2] = [
    [
        "row_is_copy",
        "beside_by_1_is_row_copy",
        "beside_by_2_is_row_copy",
        "beside_by_3_is_row_copy",
    ],
    [
        "column_is_copy",
        "beside_by_1_is_column_copy",
        "beside_by_2_is_column_copy",
        "beside_by_3_is_column_copy",
    ],
];

/// The code by which a node tells where a line whose label differs from its own by `difference` stands,
/// if that one holds the copy.
fn code(network: &Butterflies, line: Line, difference: usize, copy: usize) -> usize {
    (line as usize * network.levels() + difference) * network.levels() + copy
}

/// All codes.
pub(super) fn level_codes(network: &Butterflies) -> Vec<LevelCode> {
    let (levels, copies) = (network.levels(), network.copies());
    let of = |line: Line, difference: usize, copy: usize| {
        // Bit `t` of a moment is the exclusive or of the bits whose numbers have bit `t`.
        let bits = |bit: usize| {
            let numbers = (0..network.lanes()).filter(move |number| number >> bit & 1 == 1);
            numbers.map(|number| network.aside(line) + number).collect()
        };
        let own = copy ^ difference;
        let label = (0..levels.ilog2() as usize).map(|bit| (bits(bit), own >> bit & 1 == 1));
        let window = copies.window(copy).iter();
        LevelCode {
            name: Name::Numbered(BESIDE[line as usize][difference], copy),
            of: (difference == 0).then_some((0, line as usize)),
            label: label.collect(),
            window: window.map(|bit| network.along(line) + bit).collect(),
            codes: (0..levels).map(|level| copies.cycle(copy, level)).collect(),
        }
    };
    let lines = Line::ALL.into_iter();
    let differences = lines.flat_map(|line| (0..levels).map(move |difference| (line, difference)));
    differences
        .flat_map(|(line, difference)| (0..levels).map(move |copy| of(line, difference, copy)))
        .collect()
}

/// A hop of a path: what sends and what receives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) sender: Port,
    pub(super) receiver: Port,
}

/// By link, the hops that lie on it at some address.
pub(super) fn hops(network: &Butterflies, lanes: Lanes) -> Vec<Vec<Hop>> {
    let mut hops = vec![Vec::new(); network.host().count()];
    for line in Line::ALL {
        for edge in Edge::ALL {
            for lane in 0..lanes.lanes {
                let output = lanes.output(line, edge, lane);
                let relay = |number| End::Relay(lanes.relay(line, edge, lane, number));
                let channel = |channel| Port::lone(channel).end;
                let always = |end| Port { end, at: None };
                let aside = network.aside(line) + lane;
                hops[aside].push(Hop {
                    sender: always(channel(output)),
                    receiver: always(relay(0)),
                });
                hops[aside].push(Hop {
                    sender: always(relay(edge.relays() - 1)),
                    receiver: always(channel(output + 1)),
                });
                for (number, (dimension, [from, to])) in
                    along(network, line, edge, lane).flat_map(|hops| hops.into_iter().enumerate())
                {
                    hops[dimension].push(Hop {
                        sender: Port {
                            end: relay(number),
                            at: Some(from),
                        },
                        receiver: Port {
                            end: relay(number + 1),
                            at: Some(to),
                        },
                    });
                }
            }
        }
    }
    hops
}

/// Between the hops aside and back, for every copy and level: dimensions, and the node's standings before
/// and behind.
fn along(
    network: &Butterflies,
    line: Line,
    edge: Edge,
    lane: usize,
) -> impl Iterator<Item = Vec<(usize, [Standing; 2])>> {
    let levels = network.levels();
    let of_level = move |copy: usize, level: usize| {
        let code = code(network, line, lane % levels, copy);
        let here = Standing { code, level };
        let next = Standing {
            code,
            level: (level + 1) % levels,
        };
        let across = |dimension| network.along(line) + dimension;
        let cross = across(network.copies().cross_dimension(copy, level));
        let straight = across(network.copies().straight_dimension(copy, level));
        match edge {
            Edge::Straight => vec![(straight, [here, next])],
            Edge::Cross => vec![(cross, [here, here]), (straight, [here, next])],
        }
    };
    (0..levels).flat_map(move |copy| (0..levels).map(move |level| of_level(copy, level)))
}

/// The links. Hops that never lie on a link out of one node share a channel of it: each has the first
/// channel that it can have.
pub(super) fn links(network: &Butterflies, lanes: Lanes) -> Vec<LinkPlan> {
    let codes = level_codes(network);
    let nodes = representatives(network);
    let places: Vec<Vec<Option<usize>>> = (codes.iter())
        .map(|code| nodes.iter().map(|&node| code.level(node)).collect())
        .collect();
    let stands = |port: &Port| -> Vec<bool> {
        match port.at {
            None => vec![true; nodes.len()],
            Some(at) => (places[at.code].iter())
                .map(|level| *level == Some(at.level))
                .collect(),
        }
    };
    let link = |(dimension, hops): (usize, Vec<Hop>)| {
        let mut channels: Vec<(Vec<bool>, ChannelPlan)> = Vec::new();
        let (always, somewhere): (Vec<Hop>, Vec<Hop>) =
            hops.into_iter().partition(|hop| hop.sender.at.is_none());
        for hop in always.into_iter().chain(somewhere) {
            let here = stands(&hop.sender);
            let fits =
                |taken: &[bool]| taken.iter().zip(&here).all(|(taken, here)| !(taken & here));
            match channels.iter_mut().find(|(taken, _)| fits(taken)) {
                Some((taken, channel)) => {
                    taken
                        .iter_mut()
                        .zip(&here)
                        .for_each(|(taken, here)| *taken |= here);
                    channel.senders.push(hop.sender);
                    channel.receivers.push(hop.receiver);
                }
                None => channels.push((
                    here,
                    ChannelPlan {
                        senders: vec![hop.sender],
                        receivers: vec![hop.receiver],
                    },
                )),
            }
        }
        let channels = channels.into_iter().map(|(_, channel)| channel);
        LinkPlan::new(Name::Dimension(dimension), channels.collect())
    };
    hops(network, lanes)
        .into_iter()
        .enumerate()
        .map(link)
        .collect()
}

/// Nodes among which every level of a line occurs with every other one with which it does in any: a line
/// with each label, and all places in it.
fn representatives(network: &Butterflies) -> Vec<usize> {
    let places = 1 << network.lanes();
    let of_line = |line: Line| {
        // The moment of 2^k is k.
        let numbers = (0..network.levels()).map(|label| 1 << label);
        numbers.flat_map(move |number| {
            (0..places)
                .map(move |place| number << network.aside(line) | place << network.along(line))
        })
    };
    Line::ALL.into_iter().flat_map(of_line).collect()
}
