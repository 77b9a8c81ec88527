//! What stands in the registers of every node, worked out from the schedule of a phase.
//!
//! ```text
//!   boundary    0      1      2      3        between steps
//!   node u     2 0    2 .    . .    . .       cell by cell, the packet in it: 0 goes in step 0, 2 in step 1
//!   node v     1 .    1 0    2 0    2 0       packet 2 takes the cell that packet 1 leaves in the same step
//! ```
//!
//! A packet takes the lowest cell that is free when it comes: one that nothing lies in, or that is sent in this very step. So no node
//! needs more cells than the most packets that lie at one between two steps, `C`: packets that are still to be sent, are on
//! their way, or have arrived. Fewer cannot hold them.

use std::fmt::Write;

use crate::embedding::paths::{Embedding, Packet, wire};
use crate::embedding::phase::{Hop, Phase};
use crate::machine::host::Field;
use crate::machine::topology::hypercube::{Dimensions, neighbour};
use crate::parts::counter::width_for;
use crate::routers::phase::node::{RECEIVES, SENDS};

#[cfg(test)]
mod tests;

/// The configuration of every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhasePlan {
    host: Dimensions,
    steps: usize,
    packets: Vec<Planned>,
    /// Of the packets of an edge: every edge has the same ones.
    names: Vec<Name>,
    /// By boundary, the most packets at a node.
    held: Vec<usize>,
    /// By step, how many packets cross a wire.
    crossing: Vec<usize>,
    /// By wire, and one more: where its orders begin.
    first_order: Vec<u32>,
    /// By wire and step.
    orders: Vec<Order>,
}

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Planned {
    source: u32,
    destination: u32,
    begins: u32,
    ends: u32,
    arrives: Option<u32>,
}

/// What a packet of an edge is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name {
    path: usize,
    /// Which it is of those that take the path, if there are several.
    number: Option<usize>,
}

/// In a step a packet crosses a wire, from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    step: u32,
    packet: u32,
    from: u32,
    to: u32,
}

/// Which cells of each node are free.
struct FreeCells {
    words: usize,
    free: Vec<u64>,
}

impl FreeCells {
    fn new(nodes: usize, cells: usize) -> Self {
        let words = cells.div_ceil(64);
        let of_word = |word: usize| match cells - 64 * word {
            left @ ..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        let node = (0..words).map(of_word);
        FreeCells {
            words,
            free: (0..nodes).flat_map(|_| node.clone()).collect(),
        }
    }

    fn release(&mut self, node: usize, cell: u32) {
        let (word, bit) = (cell as usize / 64, cell % 64);
        self.free[node * self.words + word] |= 1 << bit;
    }

    /// The lowest that is free, which is taken. A plan has as many cells as are ever needed at once.
    fn take(&mut self, node: usize) -> u32 {
        let words = &mut self.free[node * self.words..][..self.words];
        let free = words.iter_mut().enumerate().find(|(_, word)| **word != 0);
        debug_assert!(free.is_some(), "node {node} has no cell for a packet");
        free.map_or(0, |(number, word)| {
            let bit = word.trailing_zeros();
            *word &= *word - 1;
            64 * number as u32 + bit
        })
    }
}

impl PhasePlan {
    /// Of a phase of an embedding's packets.
    pub fn of(embedding: &Embedding, phase: &Phase) -> Self {
        let (host, steps) = (phase.host(), phase.steps());
        let mut packets = packets(embedding);
        let mut hops: Vec<Hop> = phase.hops().to_vec();
        hops.sort_unstable_by_key(|hop| (hop.step, hop.from, hop.dimension));
        let by_step = |step: usize| {
            let at = |step| hops.partition_point(|hop| (hop.step as usize) < step);
            &hops[at(step)..at(step + 1)]
        };
        let held = held(host, steps, &packets, &by_step);
        let cells = held.iter().copied().max().unwrap_or(0);

        let mut free = FreeCells::new(host.nodes(), cells);
        for packet in &mut packets {
            packet.begins = free.take(packet.source as usize);
            packet.ends = packet.begins;
        }
        let mut by_wire: Vec<(usize, Order)> = Vec::with_capacity(hops.len());
        for step in 0..steps {
            for hop in by_step(step) {
                free.release(hop.from as usize, packets[hop.packet as usize].ends);
            }
            for hop in by_step(step) {
                let (from, dimension) = (hop.from as usize, usize::from(hop.dimension));
                let packet = &mut packets[hop.packet as usize];
                let to = free.take(neighbour(from, dimension));
                let order = Order {
                    step: hop.step,
                    packet: hop.packet,
                    from: packet.ends,
                    to,
                };
                by_wire.push((wire(host, from, dimension), order));
                packet.ends = to;
                packet.arrives = Some(hop.step);
            }
        }
        by_wire.sort_by_key(|(wire, order)| (*wire, order.step));
        let mut first_order = vec![0; host.wires() + 1];
        for (wire, _) in &by_wire {
            first_order[wire + 1] += 1;
        }
        for wire in 0..host.wires() {
            first_order[wire + 1] += first_order[wire];
        }
        PhasePlan {
            host,
            steps,
            packets,
            names: names(embedding),
            held,
            crossing: (0..steps).map(|step| by_step(step).len()).collect(),
            first_order,
            orders: by_wire.into_iter().map(|(_, order)| order).collect(),
        }
    }

    /// The hypercube.
    pub fn host(&self) -> Dimensions {
        self.host
    }

    /// Cells of a node, `C`: the most packets that lie at one node between two steps.
    pub fn cells(&self) -> usize {
        self.held.iter().copied().max().unwrap_or(0)
    }

    /// Bits of a code, `W`: it is 0, or the number of a cell and one.
    pub fn code_bits(&self) -> usize {
        width_for(self.cells() as u32)
    }

    /// Steps of the schedule, `S`.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Packets of all edges: packet `i` of edge `e` is `e * packets_per_edge + i`.
    pub fn packets(&self) -> usize {
        self.packets.len()
    }

    /// The node at which a packet begins.
    pub fn source(&self, packet: usize) -> usize {
        self.packets[packet].source as usize
    }

    /// The node that it is for.
    pub fn destination(&self, packet: usize) -> usize {
        self.packets[packet].destination as usize
    }

    /// The cell at its source that holds it before step 0.
    pub fn begins(&self, packet: usize) -> usize {
        self.packets[packet].begins as usize
    }

    /// The cell at its destination that holds it after the last step: the one in which it begins, if it never moves.
    pub fn ends(&self, packet: usize) -> usize {
        self.packets[packet].ends as usize
    }

    /// The step in which it arrives; none if it never moves.
    pub fn arrives(&self, packet: usize) -> Option<usize> {
        self.packets[packet].arrives.map(|step| step as usize)
    }

    /// The code of what a port of a node sends in a step: 0 of nothing, and one more than the cell.
    pub fn sends(&self, node: usize, port: usize, step: usize) -> usize {
        let order = self.order(wire(self.host, node, port), step);
        order.map_or(0, |order| 1 + order.from as usize)
    }

    /// The code of what comes across a port of a node in a step: 0 of nothing, and one more than the cell that it goes to.
    pub fn receives(&self, node: usize, port: usize, step: usize) -> usize {
        let order = self.order(wire(self.host, neighbour(node, port), port), step);
        order.map_or(0, |order| 1 + order.to as usize)
    }

    /// The packet that crosses the wire of a port in a step, away from the node: its number, if there is one.
    pub fn crosses(&self, node: usize, port: usize, step: usize) -> Option<usize> {
        let order = self.order(wire(self.host, node, port), step);
        order.map(|order| order.packet as usize)
    }

    /// Appends the name of a packet: its edge, its path, and which it is of those that take the path, if there are several. So
    /// `e12_p3` goes on path 3 of edge 12, and `e12_p3_1` is the second that does.
    pub fn append_name(&self, packet: usize, text: &mut String) {
        let each = self.names.len();
        let Name { path, number } = self.names[packet % each];
        // Writing to a string cannot fail.
        let _ = write!(text, "e{}_p{path}", packet / each);
        if let Some(number) = number {
            let _ = write!(text, "_{number}");
        }
    }

    /// Characters of the longest name of a packet.
    pub fn longest_name(&self) -> usize {
        let mut text = String::new();
        // Edges with the greatest number have the longest names.
        let of_last_edge = self.packets.len().saturating_sub(self.names.len())..self.packets.len();
        let lengths = of_last_edge.map(|packet| {
            text.clear();
            self.append_name(packet, &mut text);
            text.len()
        });
        lengths.max().unwrap_or(0)
    }

    /// 64 bits of a field of a node's configuration, from bit `from` on; nothing where the field is none of configuration. Bit
    /// `place` of the code of a port in a step is at `(port * S + step) * W + place`.
    pub fn word(&self, field: Field, node: usize, from: usize) -> Option<u64> {
        let code = |port, step| match field {
            SENDS => Some(self.sends(node, port, step)),
            RECEIVES => Some(self.receives(node, port, step)),
            _ => None,
        };
        let bits = self.code_bits();
        let all = self.host.count() * self.steps;
        (from / bits..(from + 64).div_ceil(bits)).try_fold(0, |word, number| {
            let value = match number < all {
                true => code(number / self.steps, number % self.steps)? as u64,
                false => code(0, 0).map(|_| 0)?,
            };
            let at = number * bits;
            Some(match at.checked_sub(from) {
                Some(left) => word | value << left,
                None => word | value >> (from - at),
            })
        })
    }

    /// By boundary between steps, `0..=S`: the most packets that lie at a node.
    pub fn held(&self) -> &[usize] {
        &self.held
    }

    /// How many packets cross a wire in a step.
    pub fn crossing(&self, step: usize) -> usize {
        self.crossing[step]
    }

    fn order(&self, wire: usize, step: usize) -> Option<Order> {
        let [first, last] = [wire, wire + 1].map(|wire| self.first_order[wire] as usize);
        let of_wire = &self.orders[first..last];
        let at = of_wire.binary_search_by_key(&step, |order| order.step as usize);
        at.ok().map(|at| of_wire[at])
    }
}

/// What the packets of every edge are called by.
fn names(embedding: &Embedding) -> Vec<Name> {
    let packets = embedding.packets();
    let taking = |path: usize, among: &[Packet]| {
        let same = among.iter().filter(|packet| packet.path == path);
        same.count()
    };
    let each = packets.iter().enumerate();
    each.map(|(number, &Packet { path, .. })| Name {
        path,
        number: (taking(path, packets) > 1).then(|| taking(path, &packets[..number])),
    })
    .collect()
}

/// All packets, as they begin.
fn packets(embedding: &Embedding) -> Vec<Planned> {
    let of_edge = |edge: usize| {
        let [source, destination] = embedding
            .edge(edge)
            .map(|vertex| embedding.place(vertex) as u32);
        Planned {
            source,
            destination,
            begins: 0,
            ends: 0,
            arrives: None,
        }
    };
    let each = embedding.packets().len();
    (0..embedding.edges())
        .flat_map(|edge| std::iter::repeat_n(of_edge(edge), each))
        .collect()
}

/// By boundary, the most packets at a node.
fn held<'h>(
    host: Dimensions,
    steps: usize,
    packets: &[Planned],
    by_step: &impl Fn(usize) -> &'h [Hop],
) -> Vec<usize> {
    let mut at_node = vec![0u32; host.nodes()];
    for packet in packets {
        at_node[packet.source as usize] += 1;
    }
    let most = |at_node: &[u32]| at_node.iter().copied().max().unwrap_or(0) as usize;
    let mut held = vec![most(&at_node)];
    for step in 0..steps {
        for hop in by_step(step) {
            at_node[hop.from as usize] -= 1;
            at_node[neighbour(hop.from as usize, usize::from(hop.dimension))] += 1;
        }
        held.push(most(&at_node));
    }
    held
}
