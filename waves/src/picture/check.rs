//! What of a run contradicts itself is refused before anything is drawn.

use super::run::{Change, Route, Run};
use super::{Error, MOST_NODES};

/// Whether the run can be drawn.
pub fn check(run: &Run) -> Result<(), Error> {
    let nodes = run.nodes.len();
    match nodes {
        0 => return Err(Error::NoNodes),
        _ if nodes > MOST_NODES => return Err(Error::TooManyNodes { nodes }),
        _ => {}
    }
    if run.bit_times == 0 {
        return Err(Error::NoBitTimes);
    }
    if let Some(dimensions) = run.dimensions
        && 1usize.checked_shl(dimensions) != Some(nodes)
    {
        return Err(Error::Dimensions { dimensions, nodes });
    }
    if ![0, nodes].contains(&run.occupancy.len()) {
        let given = run.occupancy.len();
        return Err(Error::Occupancy { nodes, given });
    }
    for (name, changes) in run.nodes.iter().zip(&run.occupancy) {
        ordered(times(changes), || format!("the occupancy of node {name}"))?;
    }
    for number in &run.numbers {
        if number.nodes.len() != nodes {
            let given = number.nodes.len();
            return Err(Error::Occupancy { nodes, given });
        }
        for (name, changes) in run.nodes.iter().zip(&number.nodes) {
            let what = || format!("the {} of node {name}", number.name);
            ordered(times(changes), what)?;
            let known = number.values.len();
            if let Some(change) = changes.iter().find(|it| it.value as usize >= known) {
                let (what, value) = (what(), change.value);
                return Err(Error::NoSuchValue { what, value, known });
            }
        }
    }
    for wire in &run.wires {
        for node in [wire.sender, wire.receiver] {
            there(nodes, node, &|| "a wire".to_owned())?;
        }
    }
    let named = run.roles.iter().map(|(node, _)| *node).chain(run.node);
    for node in named {
        there(nodes, node, &|| "what is chosen".to_owned())?;
    }
    for failure in &run.failures {
        for node in [failure.sender, failure.receiver] {
            there(nodes, node, &|| "a wire that fails".to_owned())?;
        }
    }
    for link in &run.links {
        ordered(times(&link.used), || {
            format!("the use of link {}", link.name)
        })?;
    }
    routes(run)
}

fn times(changes: &[Change]) -> impl Iterator<Item = u32> {
    changes.iter().map(|change| change.from)
}

fn ordered(times: impl Iterator<Item = u32>, what: impl Fn() -> String) -> Result<(), Error> {
    let mut last: Option<u32> = None;
    for earlier in times {
        if let Some(later) = last.filter(|later| *later >= earlier) {
            let what = what();
            return Err(Error::Order {
                what,
                later,
                earlier,
            });
        }
        last = Some(earlier);
    }
    Ok(())
}

/// The nodes of which messages and the deadlock speak, and the message that is chosen.
fn routes(run: &Run) -> Result<(), Error> {
    let there = |node: u32, what: &dyn Fn() -> String| there(run.nodes.len(), node, what);
    for route in &run.messages {
        for node in ends(route) {
            there(node, &|| format!("message {}", route.name))?;
        }
    }
    if let Some(circle) = &run.deadlock {
        let waits = circle.messages.iter().map(|message| message.node);
        for node in circle.nodes.iter().copied().chain(waits) {
            there(node, &|| "a message of the deadlock".to_owned())?;
        }
    }
    match run.shown.filter(|shown| *shown >= run.messages.len()) {
        Some(shown) => Err(Error::NoSuchMessage {
            shown,
            messages: run.messages.len(),
        }),
        None => Ok(()),
    }
}

fn there(nodes: usize, node: u32, what: &dyn Fn() -> String) -> Result<(), Error> {
    match (node as usize) < nodes {
        true => Ok(()),
        false => Err(Error::NoSuchNode {
            what: what(),
            node,
            nodes,
        }),
    }
}

/// All nodes that a route names, some of them several times.
fn ends(route: &Route) -> impl Iterator<Item = u32> {
    let stays = route.stays.iter().map(|stay| stay.node);
    let crossings = route.crossings.iter();
    let crossings = crossings.flat_map(|crossing| [crossing.sender, crossing.receiver]);
    [route.source, route.destination]
        .into_iter()
        .chain(stays)
        .chain(crossings)
}
