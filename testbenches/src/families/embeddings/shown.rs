//! Which nodes a waveform shows where none are named: those on the way of one message, from its source to its destination.

use rtl_model::machine::topology::hypercube::neighbour;

use crate::error::Error;
use crate::families::embeddings::job::Job;
use crate::lockstep::Followed;

/// The most nodes of a first screen.
pub const MOST: usize = 4;

/// The first edge whose message leaves its node.
pub fn edge(job: &Job) -> Option<usize> {
    let embedding = &job.embedding;
    let moves = |edge: &usize| embedding.paths(*edge).any(|path| !path.is_empty());
    (0..embedding.edges()).find(moves)
}

/// The edge that is called so, by its vertices or by its number.
///
/// # Errors
/// [`Error::TraceMessage`].
pub fn named(job: &Job, text: &str) -> Result<usize, Error> {
    let embedding = &job.embedding;
    let edges = || 0..embedding.edges();
    let name = |edge: usize| {
        let [from, to] = embedding.edge(edge);
        format!("{from}->{to}")
    };
    let by_number = || text.parse().ok().filter(|edge| edges().contains(edge));
    (edges().find(|edge| name(*edge) == text))
        .or_else(by_number)
        .ok_or_else(|| Error::TraceMessage {
            text: text.to_owned(),
            messages: embedding.edges(),
            example: edges().next().map(name).unwrap_or_default(),
        })
}

/// Of the name of a packet, such as `e5_p1`, that of its message.
pub fn message_in(text: &str) -> &str {
    text.split_once('_').map_or(text, |(message, _)| message)
}

/// The message of that name.
pub fn message_of(job: &Job, name: &str) -> Option<Followed> {
    let edge = name.strip_prefix('e')?.parse().ok()?;
    (edge < job.embedding.edges()).then(|| followed(job, edge, Vec::new()))
}

/// What names of packets and steps mean.
pub fn legend(job: &Job) -> Vec<String> {
    let names = "e5_p1_2 = edge 5, path 1, its packet 2";
    let steps = match job.machine.start_up() {
        0 => "SHIFT: bits cross",
        _ => "START: start-up of a packet, SHIFT: its bits",
    };
    [names, steps].map(str::to_owned).to_vec()
}

/// The message of an edge, as a waveform follows it.
pub fn followed(job: &Job, edge: usize, nodes: Vec<usize>) -> Followed {
    let [from, to] = job.embedding.edge(edge);
    let [source, destination] = [from, to].map(|vertex| job.embedding.place(vertex));
    Followed {
        begin: format!("e{edge}_"),
        name: format!("e{edge}: vertex {from} to {to}, node {source} to {destination}"),
        source,
        destination: Some(destination),
        nodes,
    }
}

/// The message that is asked for, or that of the first edge whose message leaves its node.
///
/// # Errors
/// [`Error::TraceMessage`].
pub fn follow(job: &Job, asked: Option<&str>) -> Result<Option<Followed>, Error> {
    let edge = match asked {
        Some(text) => Some(named(job, text)?),
        None => edge(job),
    };
    Ok(edge.map(|edge| followed(job, edge, on_way(job, edge))))
}

/// The nodes to trace where none are named and no message is followed.
pub fn interesting(job: &Job) -> Vec<usize> {
    edge(job).map_or_else(|| vec![0], |edge| on_way(job, edge))
}

/// The ends of an edge, and what lies on its longest path between them.
pub fn on_way(job: &Job, edge: usize) -> Vec<usize> {
    let embedding = &job.embedding;
    let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
    let longest = embedding.paths(edge).max_by_key(|path| path.len());
    let mut nodes = vec![from];
    let mut node = from;
    for &dimension in longest.unwrap_or_default() {
        node = neighbour(node, usize::from(dimension));
        if !nodes.contains(&node) && nodes.len() + 1 < MOST {
            nodes.push(node);
        }
    }
    if !nodes.contains(&to) {
        nodes.push(to);
    }
    nodes
}
