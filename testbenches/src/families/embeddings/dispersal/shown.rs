//! Which nodes a waveform shows where none are named: those of the first share that a failing wire takes.

use rtl_model::machine::topology::hypercube::neighbour;
use waves::probe::TOLD;

use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::dispersal::job::hops_hit;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::shown::{MOST, edge as any_edge, interesting as of_any_message};

/// The edge that a view follows: that of the first message that loses a share; where no wire takes any, that of some message.
pub fn edge(job: &Job, cuts: &[Cut]) -> Option<usize> {
    match hops_hit(job, cuts).min_by_key(|hop| hop.step) {
        Some(hop) => Some(job.carried().edge_of(hop.packet as usize)),
        None => any_edge(job),
    }
}

/// The signals of a waveform that are of a wire that fails, at both of its ends, and how it fails.
pub fn failing(cut: &Cut) -> [([String; 3], String); 4] {
    let Cut {
        node, dimension, ..
    } = *cut;
    let [sender, receiver] = [node, neighbour(node, dimension)].map(|node| format!("node_{node}"));
    let [wire, told] = [format!("dim_{dimension}"), TOLD.to_owned()];
    let port = |what| format!("port_{dimension}_{what}");
    let how = format!("{} from {}", cut.stuck.in_words(), cut.from_bit_time);
    [
        [sender.clone(), wire.clone(), "tx".to_owned()],
        [receiver.clone(), wire, "rx".to_owned()],
        [sender, told.clone(), port("sends")],
        [receiver, told, port("receives")],
    ]
    .map(|signal| (signal, how.clone()))
}

/// The nodes on a path that begins at a node, each once.
fn on_way(source: usize, path: &[u8]) -> Vec<usize> {
    let mut nodes = vec![source];
    let mut node = source;
    for &dimension in path {
        node = neighbour(node, usize::from(dimension));
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}

/// The nodes to trace where none are named: those on the way of the first share that is lost, if they are few, or else source and
/// destination of its message, and both ends of the wire that takes it; where no wire takes any, those of some message.
pub fn interesting(job: &Job, cuts: &[Cut]) -> Vec<usize> {
    let Some(hop) = hops_hit(job, cuts).min_by_key(|hop| hop.step) else {
        return of_any_message(job);
    };
    let (embedding, packet) = (&job.embedding, hop.packet as usize);
    let edge = job.carried().edge_of(packet);
    let ends = embedding.edge(edge).map(|vertex| embedding.place(vertex));
    let packets = embedding.packets();
    let path = embedding.path(edge, packets[packet % packets.len()].path);
    if path.len() < MOST {
        return on_way(ends[0], path);
    }
    let [source, destination] = ends;
    let sender = hop.from as usize;
    let receiver = neighbour(sender, usize::from(hop.dimension));
    let mut nodes = Vec::new();
    for node in [source, sender, receiver, destination] {
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}

#[cfg(test)]
mod tests;
