//! Whether a list keeps to the ports, whether each node has by then what it sends, and whether all nodes get everything.

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::error::sends_file::{Problem, Use};
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
    fn uses(&self, receives: bool) -> Use {
        Use {
            receives,
            port: self.send.port().unwrap_or_default(),
        }
    }
}

/// The sends of a file whose lines name links and packets that there are, by step.
///
/// # Errors
/// [`Error::SendsFile`], of the first step in which something is wrong; [`Error::NeverSent`].
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
        refused.map_err(|(line, problem)| Error::SendsFile {
            path: path.to_owned(),
            line,
            problem: Box::new(problem),
        })?;
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
type Refused = Result<(), (u64, Problem)>;

/// Whether each link carries one packet each way.
fn links(step: &[Line]) -> Refused {
    let mut used = FxHashMap::default();
    for Line { send, line } in step {
        if let Some(first) = used.insert((send.from, send.to), (send.packet, *line)) {
            let problem = Problem::LinkTwice {
                step: send.step,
                from: send.from,
                to: send.to,
                packet: first.0,
                line: first.1,
            };
            return Err((*line, problem));
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
            let now = this.uses(receives);
            if let Some((first, line)) = used.insert((node, kind), (now, this.line)) {
                let problem = Problem::Ports {
                    step: this.send.step,
                    node,
                    first,
                    line,
                    second: now,
                    model,
                };
                return Err((this.line, problem));
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
            let problem = Problem::NotThere {
                step,
                node: from,
                packet,
                arrival,
            };
            return Err((*line, problem));
        }
    }
    Ok(())
}

/// Whether nothing comes to the source, and nothing twice to any node.
fn comes_once(source: usize, arrivals: &Arrivals, step: &[Line]) -> Refused {
    for Line { send, line } in step {
        let Send { to, packet, .. } = *send;
        if to == source {
            let node = source;
            return Err((*line, Problem::ToSource { node, packet }));
        }
        match arrivals.get(&(to, packet)) {
            Some(&(comes, first)) if first != *line => {
                let problem = Problem::ComesTwice {
                    node: to,
                    packet,
                    step: comes,
                    line: first,
                };
                return Err((*line, problem));
            }
            _ => {}
        }
    }
    Ok(())
}
