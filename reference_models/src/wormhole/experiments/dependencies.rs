//! Which rules are free from deadlock: the channel dependency graph of kinds of channels, where the
//! channels of all columns count as one (as in the hardware's `dependencies`).

use std::collections::{BTreeMap, BTreeSet};

use super::network::{Network, Step, Turn};
use super::rule::{Place, Rule, slack};

/// Level, whether it is straight, and channel.
type Kind = (usize, bool, usize);

/// For each kind of channel those for which a worm in it may wait, over all ways of one copy.
pub fn dependencies(levels: usize, rule: Rule) -> BTreeMap<Kind, BTreeSet<Kind>> {
    let network = Network::new(levels, 1);
    let mut edges: BTreeMap<Kind, BTreeSet<Kind>> = BTreeMap::new();
    // From every level of one column: the ways of other columns are the same.
    let column = network.way(0, 0, 0)[0].switch;
    let mut sources = vec![column];
    while sources.len() < levels {
        sources.push(network.far(sources[sources.len() - 1], Turn::Straight));
    }
    for source in sources {
        for destination in 0..network.nodes() {
            walk(&network.way(0, source, destination), rule, &mut edges);
        }
    }
    edges
}

fn walk(way: &[Step], rule: Rule, edges: &mut BTreeMap<Kind, BTreeSet<Kind>>) {
    let slack = slack(way);
    let mut datelines = 0;
    let mut held: BTreeSet<Kind> = BTreeSet::new();
    for (number, step) in way.iter().enumerate() {
        if step.turn == Turn::Eject {
            return;
        }
        datelines += usize::from(step.behind_dateline);
        let mut next = BTreeSet::new();
        let came: Vec<Option<Kind>> = match number {
            0 => vec![None],
            _ => held.iter().copied().map(Some).collect(),
        };
        for came in came {
            let place = Place {
                came: came.map(|(.., channel)| channel),
                datelines,
                slack,
            };
            for channel in rule.allowed(step, place) {
                let kind = (step.level, step.turn == Turn::Straight, channel);
                next.insert(kind);
                edges.entry(kind).or_default();
                if let Some(came) = came {
                    edges.entry(came).or_default().insert(kind);
                }
            }
        }
        assert!(!next.is_empty(), "{rule:?} leaves a worm no channel");
        held = next;
    }
}

/// Kinds are removed that wait for none that is left.
pub fn is_acyclic(mut edges: BTreeMap<Kind, BTreeSet<Kind>>) -> bool {
    loop {
        let before = edges.len();
        let left: BTreeSet<Kind> = edges.keys().copied().collect();
        edges.retain(|_, waits| waits.iter().any(|kind| left.contains(kind)));
        if edges.len() == before {
            return before == 0;
        }
    }
}
