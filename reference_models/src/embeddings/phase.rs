//! A phase, step by step, with whole packets.

use std::collections::{BTreeMap, HashMap};

use super::Violation;

/// A guest edge in its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The node on which it begins.
    pub from: usize,
    /// The node on which it ends.
    pub to: usize,
    /// Its paths, each as the dimensions that it crosses.
    pub paths: Vec<Vec<usize>>,
}

/// A guest in a hypercube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// Dimensions of the hypercube.
    pub dimensions: usize,
    /// The guest's edges.
    pub edges: Vec<Edge>,
    /// The packets of every edge, each by the number of its path.
    pub packets: Vec<usize>,
}

/// A packet crosses a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// When.
    pub step: usize,
    /// The node that sends.
    pub from: usize,
    /// The dimension that is crossed.
    pub dimension: usize,
    /// The packet: packet `i` of edge `e` is `e * packets + i`.
    pub packet: usize,
}

/// What the model counts of a guest in its host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Paths of an edge.
    pub width: usize,
    /// Hops of the longest path.
    pub dilation: usize,
    /// The most paths over one wire in one direction.
    pub congestion: usize,
}

/// A phase that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// By edge, the message as its packets have brought it.
    pub messages: Vec<Vec<bool>>,
    /// Steps until the last packet has come.
    pub steps: usize,
    /// Before the first step and after each, the most packets at a node.
    pub held: Vec<usize>,
    /// Wires that carry a packet, summed over the steps.
    pub crossings: usize,
}

impl Laid {
    fn neighbour(&self, node: usize, dimension: usize) -> Result<usize, Violation> {
        match node >> self.dimensions == 0 && dimension < self.dimensions {
            true => Ok(node ^ (1 << dimension)),
            false => Err(Violation::NoSuchWire { node, dimension }),
        }
    }

    /// Looks at all paths and counts.
    pub fn measures(&self) -> Result<Measures, Violation> {
        let mut on_wire: HashMap<(usize, usize), usize> = HashMap::new();
        let mut measures = Measures::default();
        for (edge, Edge { from, to, paths }) in self.edges.iter().enumerate() {
            let width = self.edges[0].paths.len();
            if paths.len() != width {
                let paths = paths.len();
                return Err(Violation::Paths { edge, paths, width });
            }
            measures.width = width;
            for (path, dimensions) in paths.iter().enumerate() {
                let mut ends = *from;
                for &dimension in dimensions {
                    let next = self.neighbour(ends, dimension)?;
                    *on_wire.entry((ends, next)).or_default() += 1;
                    ends = next;
                }
                if ends != *to {
                    return Err(Violation::PathEnds {
                        edge,
                        path,
                        ends,
                        expected: *to,
                    });
                }
                measures.dilation = measures.dilation.max(dimensions.len());
            }
        }
        measures.congestion = on_wire.into_values().max().unwrap_or(0);
        Ok(measures)
    }

    /// Carries messages, one an edge and all of the same number of bits, as the hops say. They may be in any order.
    pub fn carry(&self, messages: &[Vec<bool>], hops: &[Hop]) -> Result<Carried, Violation> {
        self.measures()?;
        let each = self.packets.len();
        let mut crowd = Crowd::of(self, messages);
        let mut by_step: BTreeMap<usize, Vec<Hop>> = BTreeMap::new();
        for &hop in hops {
            by_step.entry(hop.step).or_default().push(hop);
        }
        let steps = by_step.keys().next_back().map_or(0, |last| last + 1);
        let mut held = vec![crowd.most_at_a_node()];
        for step in 0..steps {
            crowd.step(self, by_step.get(&step).map_or(&[], |hops| hops))?;
            held.push(crowd.most_at_a_node());
        }
        for (packet, at) in crowd.at.iter().enumerate() {
            let expected = self.edges[packet / each].to;
            if *at != expected {
                let at = *at;
                return Err(Violation::Lost {
                    packet,
                    at,
                    expected,
                });
            }
        }
        Ok(Carried {
            messages: crowd.content.chunks(each).map(<[_]>::concat).collect(),
            steps,
            held,
            crossings: hops.len(),
        })
    }
}

/// All packets, and where they are.
struct Crowd {
    at: Vec<usize>,
    /// Hops of its path that a packet has behind it.
    gone: Vec<usize>,
    content: Vec<Vec<bool>>,
}

impl Crowd {
    fn of(laid: &Laid, messages: &[Vec<bool>]) -> Self {
        let each = laid.packets.len();
        let mut crowd = Crowd {
            at: Vec::new(),
            gone: vec![0; laid.edges.len() * each],
            content: Vec::new(),
        };
        for (edge, message) in laid.edges.iter().zip(messages) {
            let bits = message.len().div_ceil(each.max(1));
            for packet in 0..each {
                let [begin, end] = [packet, packet + 1].map(|at| (at * bits).min(message.len()));
                crowd.at.push(edge.from);
                crowd.content.push(message[begin..end].to_vec());
            }
        }
        crowd
    }

    fn most_at_a_node(&self) -> usize {
        let mut at_node: HashMap<usize, usize> = HashMap::new();
        for &node in &self.at {
            *at_node.entry(node).or_default() += 1;
        }
        at_node.into_values().max().unwrap_or(0)
    }

    fn step(&mut self, laid: &Laid, hops: &[Hop]) -> Result<(), Violation> {
        let mut on_wire: HashMap<(usize, usize), usize> = HashMap::new();
        let mut moves: HashMap<usize, usize> = HashMap::new();
        for &Hop {
            step,
            from,
            dimension,
            packet,
        } in hops
        {
            let to = laid.neighbour(from, dimension)?;
            let Some(&at) = self.at.get(packet) else {
                return Err(Violation::NoSuchPacket { step, packet });
            };
            if let Some(other) = on_wire.insert((from, to), packet) {
                return Err(Violation::WireTwice {
                    step,
                    from,
                    dimension,
                    packets: [other, packet],
                });
            }
            if moves.get(&packet) == Some(&from) {
                return Err(Violation::TooEarly { step, from, packet });
            }
            if at != from || moves.contains_key(&packet) {
                return Err(Violation::NotHere {
                    step,
                    from,
                    packet,
                    at,
                });
            }
            let each = laid.packets.len();
            let path = &laid.edges[packet / each].paths[laid.packets[packet % each]];
            if path.get(self.gone[packet]) != Some(&dimension) {
                return Err(Violation::Strays {
                    step,
                    packet,
                    dimension,
                });
            }
            moves.insert(packet, to);
        }
        for (packet, to) in moves {
            self.at[packet] = to;
            self.gone[packet] += 1;
        }
        Ok(())
    }
}
