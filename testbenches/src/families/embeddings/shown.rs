//! Which nodes a waveform shows where none are named: those on the way of one message, from its source to its destination.

use rtl_model::machine::topology::hypercube::neighbour;

use crate::families::embeddings::job::Job;

/// The most nodes of a first screen.
pub const MOST: usize = 4;

/// The first edge whose message leaves its node.
pub fn edge(job: &Job) -> Option<usize> {
    let embedding = &job.embedding;
    let moves = |edge: &usize| embedding.paths(*edge).any(|path| !path.is_empty());
    (0..embedding.edges()).find(moves)
}

/// How names of an edge's packets begin.
pub fn followed(edge: usize) -> String {
    format!("e{edge}_")
}

/// What the nodes at the ends of an edge are for its message.
pub fn roles(job: &Job, edge: usize) -> Vec<(usize, String)> {
    let [from, to] = job.embedding.edge(edge);
    let role = |vertex, role| (job.embedding.place(vertex), format!("{role} of e{edge}"));
    vec![role(from, "source"), role(to, "destination")]
}

/// The nodes to trace where none are named: the ends of the first edge whose message leaves its node, and what lies on its longest
/// path between them.
pub fn interesting(job: &Job) -> Vec<usize> {
    let embedding = &job.embedding;
    let Some(edge) = edge(job) else {
        return vec![0];
    };
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
