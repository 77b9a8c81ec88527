//! Whether a list keeps to the ports, whether each node has by then what it sends, and whether all nodes get everything.

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::routers::ports::algorithm::PortModel;
use crate::routers::ports::broadcast::Broadcast;
use crate::routers::ports::sends::Send;

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub send: Send,
    /// From 1.
    pub line: u64,
}

/// When a packet comes to a node for the first time, and the line that says so.
type Arrivals = FxHashMap<(usize, usize), (usize, u64)>;

impl Line {
    /// Memory for each line while a list is read and checked, at the most: vectors and tables may be half empty.
    pub const BYTES: u64 = 2 * (size_of::<Line>() + 4 * size_of::<usize>() + 1) as u64;

    /// How the node at one of its ends uses a port.
    fn uses(&self, receives: bool) -> String {
        let what = if receives { "receives" } else { "sends" };
        format!("{what} on port {}", self.send.port().unwrap_or_default())
    }
}

/// The sends of a file whose lines name links and packets that there are, by step.
///
/// # Errors
/// What is wrong in the first step in which something is; [`Error::NeverSent`].
pub(super) fn check(
    path: &str,
    broadcast: &Broadcast,
    mut lines: Vec<Line>,
) -> Result<Vec<Send>, Error> {
    lines.sort_by_key(|line| line.send.step);
    let mut arrivals = Arrivals::default();
    for Line { send, line } in &lines {
        let arrival = (send.step, *line);
        arrivals.entry((send.to, send.packet)).or_insert(arrival);
    }
    for step in lines.chunk_by(|one, next| one.send.step == next.send.step) {
        let refused = links(step)
            .and_then(|()| ports(broadcast.ports, step))
            .and_then(|()| has_what_it_sends(broadcast.source, &arrivals, step))
            .and_then(|()| comes_once(broadcast.source, &arrivals, step));
        refused.map_err(|refusal| refusal.about(path))?;
    }
    for node in (0..broadcast.cube.nodes()).filter(|node| *node != broadcast.source) {
        let never = (0..broadcast.packets).find(|&packet| !arrivals.contains_key(&(node, packet)));
        if let Some(packet) = never {
            let path = path.to_owned();
            return Err(Error::NeverSent { path, node, packet });
        }
    }
    Ok(lines.into_iter().map(|line| line.send).collect())
}

/// What is wrong, and in which line.
type Refused = Result<(), Refusal>;

/// Whether each link carries one packet each way.
fn links(step: &[Line]) -> Refused {
    let mut used = FxHashMap::default();
    for Line { send, line } in step {
        if let Some(first) = used.insert((send.from, send.to), (send.packet, *line)) {
            let Send { step, from, to, .. } = send;
            let (packet, before) = first;
            return Err(Refusal::why(format!(
                "the link from node {from} to node {to} carries packet {packet} in step {step} already (line {before})"
            ))
            .instead("it carries one packet a step each way, so move one of the two to another step")
            .at_line(*line));
        }
    }
    Ok(())
}

/// Whether nodes use no more ports than they may.
fn ports(model: PortModel, step: &[Line]) -> Refused {
    if model == PortModel::All {
        return Ok(());
    }
    let mut used = FxHashMap::default();
    for this in step {
        for (node, receives) in [(this.send.from, false), (this.send.to, true)] {
            // One way there is one of all, two ways one of either kind.
            let kind = model == PortModel::TwoWay && receives;
            if let Some(first) = used.insert((node, kind), (this, receives)) {
                let (before, received) = first;
                let (first, second) = (before.uses(received), this.uses(receives));
                return Err(Refusal::why(format!(
                    "in step {} node {node} {first} (line {}), and here it {second}",
                    this.send.step, before.line
                ))
                .instead(format!(
                    "with {model} ports {}, so move one of the two to another step",
                    model.allows()
                ))
                .at_line(this.line));
            }
        }
    }
    Ok(())
}

/// Whether what is sent has come in an earlier step.
fn has_what_it_sends(source: usize, arrivals: &Arrivals, step: &[Line]) -> Refused {
    for Line { send, line } in step {
        let Send {
            step, from, packet, ..
        } = *send;
        let arrival = arrivals.get(&(from, packet)).copied();
        if from != source && arrival.is_none_or(|(comes, _)| comes >= step) {
            let coming = match arrival {
                None => "no line sends it there at all".to_owned(),
                Some((comes, line)) => format!(
                    "it gets it in step {comes} (line {line}), and can send it from step {} on",
                    comes + 1
                ),
            };
            return Err(Refusal::why(format!(
                "node {from} does not have packet {packet} when step {step} begins: {coming}"
            ))
            .at_line(*line));
        }
    }
    Ok(())
}

/// Whether nothing comes to the source, and nothing twice to any node.
fn comes_once(source: usize, arrivals: &Arrivals, step: &[Line]) -> Refused {
    for Line { send, line } in step {
        let Send { to, packet, .. } = *send;
        if to == source {
            return Err(Refusal::why(format!(
                "packet {packet} is sent to node {source}, which is the source and has it anyway"
            ))
            .instead("leave this line out")
            .at_line(*line));
        }
        match arrivals.get(&(to, packet)) {
            Some(&(comes, first)) if first != *line => {
                return Err(Refusal::why(format!(
                    "packet {packet} comes to node {to} a second time: it has it already, since step {comes} (line {first})"
                ))
                .instead("leave one of the two lines out")
                .at_line(*line));
            }
            _ => {}
        }
    }
    Ok(())
}
