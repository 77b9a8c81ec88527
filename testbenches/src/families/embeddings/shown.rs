//! Which nodes a waveform shows where none are named: those on the way of one message, from its source to its destination, or of
//! the first share that a failing wire takes.

use rtl_model::embedding::phase::Order;
use rtl_model::machine::topology::hypercube::neighbour;
use waves::probe::TOLD;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::dispersal::job::hops_hit;
use crate::families::embeddings::job::Job;
use crate::lockstep::Followed;
use crate::lockstep::whereabouts::no_such_message;

/// The most nodes of a first screen.
const MOST: usize = 4;

/// The first edge whose message leaves its node.
fn any_edge(job: &Job) -> Option<usize> {
    let embedding = &job.embedding;
    let moves = |edge: &usize| embedding.paths(*edge).any(|path| !path.is_empty());
    (0..embedding.edges()).find(moves)
}

/// The edge that is called so, by its vertices or by its number.
///
/// # Errors
/// That there is none.
fn named(job: &Job, text: &str) -> Result<usize, Error> {
    let embedding = &job.embedding;
    let edges = || 0..embedding.edges();
    let name = |edge: usize| {
        let [from, to] = embedding.edge(edge);
        format!("{from}->{to}")
    };
    let by_number = || text.parse().ok().filter(|edge| edges().contains(edge));
    (edges().find(|edge| name(*edge) == text))
        .or_else(by_number)
        .ok_or_else(|| no_such_message(text, embedding.edges(), edges().next().map(name)))
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

/// What names of packets and steps mean, and who goes first where packets wait for each other.
pub fn legend(job: &Job) -> Vec<String> {
    let names = "e5: 1->2 on 7->9 = edge 5, from vertex 1 to vertex 2, on nodes 7 and 9; e5_p1_2 = its path 1, packet 2";
    let steps = match job.machine.start_up() {
        0 => "SHIFT: bits cross",
        _ => "START: start-up of a packet, SHIFT: its bits",
    };
    let order = match job.order {
        Order::HopByHop => {
            "way: hop-by-hop, all first hops, then all second ones, and so on; packets wait for their turn at nodes"
        }
        Order::Greedy => {
            "way: greedy, of those that want a wire who has the farthest to go; the others wait at nodes"
        }
    };
    let waits = job.machine.plan().steps() > job.measures.dilation;
    let all = [Some(names), Some(steps), waits.then_some(order)];
    all.into_iter().flatten().map(str::to_owned).collect()
}

/// The nodes that the message of an edge goes from and to.
fn ends(job: &Job, edge: usize) -> [usize; 2] {
    let vertices = job.embedding.edge(edge);
    vertices.map(|vertex| job.embedding.place(vertex))
}

/// What the message of an edge is called.
pub fn name(job: &Job, edge: usize) -> String {
    let ([from, to], [source, destination]) = (job.embedding.edge(edge), ends(job, edge));
    format!("e{edge}: {from}->{to} on {source}->{destination}")
}

/// The message of an edge, as a waveform follows it.
fn followed(job: &Job, edge: usize, nodes: Vec<usize>) -> Followed {
    let [source, destination] = ends(job, edge);
    Followed {
        begin: format!("e{edge}_"),
        name: name(job, edge),
        source,
        destination: Some(destination),
        nodes,
    }
}

/// The edge that a view follows: that of the first message that loses a share; where no wire takes any, that of some message.
fn edge(job: &Job, cuts: &[Cut]) -> Option<usize> {
    match hops_hit(job, cuts).min_by_key(|hop| hop.step) {
        Some(hop) => Some(job.carried().edge_of(hop.packet as usize)),
        None => any_edge(job),
    }
}

/// The message that is asked for, or one that has something to show.
///
/// # Errors
/// A message that there is not.
pub fn follow((job, cuts): (&Job, &[Cut]), asked: Option<&str>) -> Result<Option<Followed>, Error> {
    if let Some(text) = asked {
        let edge = named(job, text)?;
        return Ok(Some(followed(job, edge, on_longest_way(job, edge))));
    }
    let edge = edge(job, cuts);
    Ok(edge.map(|edge| followed(job, edge, interesting(job, cuts))))
}

/// What the message has lost that a view follows if nobody names another, for the node that it is for: nothing, where no wire fails.
pub fn roles(job: &Job, cuts: &[Cut]) -> Vec<(usize, String)> {
    let Some(edge) = edge(job, cuts).filter(|_| !cuts.is_empty()) else {
        return Vec::new();
    };
    let shares = job.embedding.packets().len();
    let of_edge = |packet: &usize| job.carried().edge_of(*packet) == edge;
    let mut hit: Vec<usize> = hops_hit(job, cuts)
        .map(|hop| hop.packet as usize)
        .filter(of_edge)
        .collect();
    hit.sort_unstable();
    hit.dedup();
    let [_, to] = job.embedding.edge(edge);
    let role = format!("{} of {shares} shares of e{edge} hit", hit.len());
    vec![(job.embedding.place(to), role)]
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
        return any_edge(job).map_or_else(|| vec![0], |edge| on_longest_way(job, edge));
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

/// The ends of an edge, and what lies on its longest path between them.
fn on_longest_way(job: &Job, edge: usize) -> Vec<usize> {
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

#[cfg(test)]
mod tests;
