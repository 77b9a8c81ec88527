//! Worms that did not arrive: where a run ended before they could, which they are and how far they have come.

use std::fmt::Write;

use comfy_table::CellAlignment::{Left, Right};
use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::topology::Topology as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::run::Outcome;
use crate::report::{aligned, counted};

/// The most worms that are listed at all, which is what JSON has.
const MOST: usize = 100;
/// The most that people are shown.
const MOST_LINES: usize = 10;

/// Worms that did not arrive.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Undelivered {
    /// How many there are.
    pub worms: usize,
    /// The first of them: those under way, then those at their hosts, then those of messages that the run has not come to;
    /// each in the order of messages.
    pub listed: Vec<UndeliveredWorm>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UndeliveredWorm {
    /// The number of its message.
    pub message: usize,
    /// The copy on which it goes, where messages go in pieces.
    pub copy: Option<usize>,
    /// Node.
    pub source: String,
    /// Node.
    pub destination: String,
    /// When its message was created, or is.
    pub created: u64,
    /// When its first bit was sent.
    pub injected: Option<u64>,
    /// The node to which its head has come.
    pub head: Option<String>,
    /// The bit time from which on the input channel there has been the worm's own.
    pub head_since: Option<u64>,
    /// It asks for an output channel there, and does not have it.
    pub head_waits: bool,
}

impl Undelivered {
    /// Of a run that did not end well; none of one in which all that was to arrive has.
    pub(super) fn of(engine: &Engine<impl WormLanes>, outcome: &Outcome) -> Option<Self> {
        if *outcome == Outcome::Complete {
            return None;
        }
        let is_missing = |worm: &usize| engine.deliveries[*worm].tail_arrived.is_none();
        let mut missing: Vec<usize> = (0..engine.worms.len()).filter(is_missing).collect();
        let now = engine.fabric.bit_time();
        // Stable: by message within each.
        missing.sort_by_key(|&worm| {
            let is_created = engine.messages[engine.worms[worm].message].created < now;
            match (engine.deliveries[worm].injected, is_created) {
                (Some(_), _) => 0,
                (None, true) => 1,
                (None, false) => 2,
            }
        });
        (!missing.is_empty()).then(|| Undelivered {
            worms: missing.len(),
            listed: (missing.iter().take(MOST))
                .map(|&worm| listed(engine, worm))
                .collect(),
        })
    }

    /// A line a worm, and how many more there are.
    pub(super) fn text(&self, bit_times: u64) -> String {
        let mut text = format!("\nnot delivered: {}\n", counted(self.worms, "worm"));
        let lines = self.listed.iter().take(MOST_LINES).map(|worm| {
            let copy = worm.copy.map_or(String::new(), |copy| format!("/{copy}"));
            let place = match (&worm.head, worm.head_since) {
                (Some(head), Some(since)) => {
                    let waits = if worm.head_waits { ", waits" } else { "" };
                    format!("head at {head} since bit time {since}{waits}")
                }
                _ if worm.created < bit_times => "at its host".to_owned(),
                _ => "not created yet".to_owned(),
            };
            vec![
                "message".to_owned(),
                worm.message.to_string(),
                format!("{} -> {}{copy}", worm.source, worm.destination),
                "created".to_owned(),
                worm.created.to_string(),
                place,
            ]
        });
        let lines: Vec<Vec<String>> = lines.collect();
        let shown = lines.len();
        text.push_str(&aligned(lines, &[Left, Right, Left, Left, Right, Left]));
        text.push('\n');
        if self.worms > shown {
            let _ = writeln!(text, "  and {} more", self.worms - shown);
        }
        text
    }
}

fn listed(engine: &Engine<impl WormLanes>, worm: usize) -> UndeliveredWorm {
    let machine = engine.fabric.router();
    let name = |node| machine.wiring().node_name(node);
    let (sent, head) = (&engine.worms[worm], engine.tracker.head(worm));
    let message = &engine.messages[sent.message];
    UndeliveredWorm {
        message: sent.message,
        copy: machine.network().has_pieces().then_some(sent.switch),
        source: name(message.source),
        destination: name(message.destination),
        created: message.created,
        injected: engine.deliveries[worm].injected,
        head: head.map(|(place, _)| name(place.node)),
        head_since: head.map(|(_, since)| since),
        head_waits: head.is_some_and(|(place, _)| {
            let (group, lane) = engine.fabric.node(place.node);
            let input = group.switches()[place.switch].input(place.input);
            engine.tracker.worm(place) == Some(worm) && input.requests().get(lane)
        }),
    }
}
