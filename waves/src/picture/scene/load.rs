//! How much wires are used: the share of bit times, for each pair of nodes and each way.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::picture::bins::{Bins, Cells};
use crate::picture::run::{Change, Run, Wire, WireUse};
use crate::picture::{MOST_GRAPH_NODES, sentences};

/// The loads of a network.
#[derive(Clone, Debug, Serialize)]
pub struct Loads {
    /// What they are, in words.
    pub words: String,
    /// The largest share.
    pub most: f64,
    /// Each.
    pub each: Vec<Load>,
}

/// How much is sent from one node to another.
#[derive(Clone, Debug, Serialize)]
pub struct Load {
    /// The node that sends.
    pub sender: u32,
    /// The one that receives.
    pub receiver: u32,
    /// The share of bit times, a mean over wires where there are several.
    pub share: f64,
    /// When something is sent, where that is known and no route of a message says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Cells>,
}

/// By sender and receiver.
type Pairs<T> = BTreeMap<(u32, u32), T>;

impl Loads {
    /// Of a small network, if anything is known of its wires.
    pub fn of(run: &Run, bins: &Bins) -> Option<Loads> {
        if run.nodes.len() > MOST_GRAPH_NODES {
            return None;
        }
        // What is said of messages is exact; wires alone tell where there are none, or what bits go beside them.
        let by_messages = run.wire_use == WireUse::Ones && !run.messages.is_empty();
        let each: Vec<Load> = match by_messages {
            true => of_messages(run),
            false => of_wires(run, bins),
        };
        let most = each.iter().map(|load| load.share).fold(0.0, f64::max);
        (most > 0.0).then(|| Loads {
            words: sentences::loads(by_messages, run.wire_use),
            most,
            each,
        })
    }
}

/// By bit times in which bits of messages cross.
fn of_messages(run: &Run) -> Vec<Load> {
    let mut times: Pairs<Vec<[u32; 2]>> = BTreeMap::new();
    for crossing in run.messages.iter().flat_map(|route| &route.crossings) {
        if crossing.sender != crossing.receiver {
            let of_pair = times
                .entry((crossing.sender, crossing.receiver))
                .or_default();
            of_pair.push([crossing.from, crossing.to.min(run.bit_times)]);
        }
    }
    let loads = times.into_iter().map(|((sender, receiver), mut times)| {
        times.sort_unstable();
        let (mut used, mut until) = (0, 0);
        for [from, to] in times {
            used += to.saturating_sub(from.max(until));
            until = to.max(until);
        }
        Load {
            sender,
            receiver,
            share: f64::from(used) / f64::from(run.bit_times),
            cells: None,
        }
    });
    loads.collect()
}

/// By what wires carry.
fn of_wires(run: &Run, bins: &Bins) -> Vec<Load> {
    let mut wires: Pairs<Vec<&Wire>> = BTreeMap::new();
    for wire in &run.wires {
        let of_pair = wires.entry((wire.sender, wire.receiver)).or_default();
        of_pair.push(wire);
    }
    let loads = wires.into_iter().map(|((sender, receiver), wires)| {
        let used: f64 = wires.iter().map(|wire| f64::from(wire.bit_times)).sum();
        let changes: Vec<&Vec<Change>> = wires.iter().map(|wire| &wire.used).collect();
        // Routes say when messages cross.
        let is_known = run.messages.is_empty() && changes.iter().all(|used| !used.is_empty());
        Load {
            sender,
            receiver,
            share: used / f64::from(run.bit_times) / wires.len() as f64,
            cells: is_known.then(|| bins.row_of(changes)),
        }
    });
    loads.collect()
}
