//! Broadcasting (chapter 2): one word goes from a source to all nodes.
//!
//! The word first spreads over the low bits of the source's block and subblock, and then independently over
//! the building blocks from each of these nodes. The tree program ([`tree`](super::tree)) says which building
//! blocks are neighbours in a tree of building blocks. In each of them the word comes in at the node whose
//! subblock has the port to the parent, spreads over the subblocks, and goes out at the nodes whose
//! subblocks have ports to children.
//!
//! A node sends on all the ports that its trees use in the step after it received.
//!
//! All this is for node 0 as the source. For other sources it is seen from the source: see [`Seen`].

use super::tree::{Program, Relation, places};
use super::wires::{Sent, Wires};
use super::{Network, Shape, Violation};

/// How the word spreads over the subblocks of a building block. Over the low bits of the source's subblock it
/// spreads along a tree with two roots in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// Along a tree with two roots, as in the thesis.
    TwoRooted,
    /// Along a binomial tree: a node sends across the dimensions above the one that it received across.
    Binomial,
}

/// What a broadcast may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// How the word spreads over the subblocks of a building block.
    pub inner: Inner,
    /// The tree program. Only the correct one works, but small trees need none of the corrections.
    pub program: Program,
    /// Whether a source in another subblock sees the dimensions of the cube of building blocks exchanged, as
    /// it must.
    pub exchanges_dimensions: bool,
}

impl Variant {
    /// What works.
    #[must_use]
    pub fn correct(inner: Inner) -> Variant {
        Variant {
            inner,
            program: Program::CORRECT,
            exchanges_dimensions: true,
        }
    }
}

/// What came of a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    /// For each node the number of steps after which it has the word: 0 for the source.
    pub steps: Vec<u32>,
    /// How often the word crossed a wire.
    pub sends: u64,
}

impl Arrivals {
    /// The steps after which all nodes have the word.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.steps.iter().copied().max().unwrap_or(0)
    }
}

/// How a source sees the network: a symmetry of RH(k, n) that takes the source to node 0, and each wire to
/// the same wire.
///
/// With the source in subblock `s`, subblock `t` is seen as `t ^ s`, and bit `j` of the number of a building
/// block is seen as bit `j ^ s`. The source's own address is taken off by exclusive or.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    shape: Shape,
    source: usize,
    exchanges_dimensions: bool,
}

impl Seen {
    /// How a source sees the network.
    #[must_use]
    pub fn from(shape: Shape, source: usize) -> Seen {
        Seen {
            shape,
            source,
            exchanges_dimensions: true,
        }
    }

    /// The node that the source sees as this one.
    #[must_use]
    pub fn physical(self, seen: usize) -> usize {
        let in_block = seen % (1 << self.shape.k);
        let block = self.exchanged(self.shape.block(seen));
        ((block << self.shape.k) + in_block) ^ self.source
    }

    /// As what the source sees a node.
    #[must_use]
    pub fn seen(self, node: usize) -> usize {
        let differs = node ^ self.source;
        let block = self.exchanged(self.shape.block(differs));
        (block << self.shape.k) + differs % (1 << self.shape.k)
    }

    /// The bits of a building block's number, each in its other place.
    fn exchanged(self, block: usize) -> usize {
        if !self.exchanges_dimensions {
            return block;
        }
        let subblock = self.shape.subblock(self.source);
        let bits = 0..self.shape.subblocks();
        bits.map(|bit| ((block >> bit) % 2) << (bit ^ subblock))
            .sum()
    }
}

/// The trees of a broadcast, each by node and port.
struct Trees {
    shape: Shape,
    inner: Inner,
    low: Vec<Vec<Relation>>,
    subblocks: Vec<Vec<Relation>>,
    blocks: Vec<Vec<Relation>>,
}

impl Trees {
    fn new(shape: Shape, variant: Variant) -> Result<Trees, Violation> {
        let tree = |dims| {
            let places = places(dims, variant.program)?;
            Ok(places.into_iter().map(|place| place.relations).collect())
        };
        Ok(Trees {
            shape,
            inner: variant.inner,
            low: tree(shape.low_bits())?,
            subblocks: tree(shape.n)?,
            blocks: tree(shape.subblocks())?,
        })
    }

    /// The wires on which a node sends, as the source sees it.
    fn wires(&self, node: usize) -> Vec<usize> {
        let shape = self.shape;
        let (block, subblock) = (shape.block(node), shape.subblock(node));
        let mut wires = Vec::new();
        if block == 0 && subblock == 0 {
            wires.extend(children(&self.low[shape.low(node)]));
        }
        let relations = &self.blocks[block];
        let parent = relations.iter().position(|it| *it == Relation::Parent);
        let from_entry = subblock ^ parent.unwrap_or(0);
        let within = match self.inner {
            Inner::TwoRooted => children(&self.subblocks[from_entry]),
            Inner::Binomial => (0..shape.n).filter(|bit| from_entry >> bit == 0).collect(),
        };
        wires.extend(within.iter().map(|port| shape.low_bits() + port));
        if relations[subblock] == Relation::Child {
            wires.push(shape.k);
        }
        wires
    }
}

/// The ports to children.
fn children(relations: &[Relation]) -> Vec<usize> {
    let is_child = |port: &usize| relations[*port] == Relation::Child;
    (0..relations.len()).filter(is_child).collect()
}

/// Broadcasts a word over RH(k, n).
///
/// # Errors
///
/// A shape or a source that there is not, or the first thing that goes wrong.
pub fn broadcast(shape: Shape, source: usize, variant: Variant) -> Result<Arrivals, Violation> {
    shape.exists()?;
    let trees = Trees::new(shape, variant)?;
    let network = Network::Reduced(shape);
    let seen = Seen {
        shape,
        source,
        exchanges_dimensions: variant.exchanges_dimensions,
    };
    spread(network, source, |node| {
        let wires = trees.wires(seen.seen(node));
        wires
            .iter()
            .map(|wire| network.neighbour(node, *wire))
            .collect()
    })
}

/// Broadcasts a word over the full hypercube of `dims` dimensions along a binomial tree: a node sends across
/// the dimensions above the one that it received across.
///
/// # Errors
///
/// Dimensions or a source that there are not.
pub fn broadcast_full(dims: usize, source: usize) -> Result<Arrivals, Violation> {
    spread(Network::Full { dims }, source, |node| {
        let bits = (0..dims).filter(|bit| (node ^ source) >> bit == 0);
        bits.map(|bit| node ^ (1 << bit)).collect()
    })
}

/// For each node of RH(k, n) the number of steps after which it has the word from the source.
///
/// # Errors
///
/// A shape or a source that there is not.
pub fn arrival_steps(
    k: usize,
    n: usize,
    source: usize,
    inner: Inner,
) -> Result<Vec<u32>, Violation> {
    let arrivals = broadcast(Shape { k, n }, source, Variant::correct(inner))?;
    Ok(arrivals.steps)
}

/// Spreads a word step by step. A node that received it sends it to its `children` in the next step, and
/// must not receive it again.
fn spread(
    network: Network,
    source: usize,
    children: impl Fn(usize) -> Vec<usize>,
) -> Result<Arrivals, Violation> {
    let mut wires = Wires::new(network)?;
    let nodes = network.nodes();
    if source >= nodes {
        return Err(Violation::NoSuchNode {
            node: source,
            nodes,
        });
    }
    let mut steps = vec![None; nodes];
    steps[source] = Some(0);
    let mut new = vec![source];
    for step in 1.. {
        let mut sends = Vec::new();
        for &from in &new {
            let to = children(from).into_iter();
            sends.extend(to.map(|to| Sent { from, to, load: () }));
        }
        if sends.is_empty() {
            break;
        }
        wires.carry(1, &sends)?;
        new.clear();
        for Sent { from, to, .. } in sends {
            if steps[to].replace(step).is_some() {
                return Err(Violation::Again {
                    step: wires.steps,
                    node: to,
                    from,
                });
            }
            new.push(to);
        }
    }
    let reached = |(node, step): (usize, Option<u32>)| step.ok_or(Violation::Missing { node });
    Ok(Arrivals {
        steps: steps
            .into_iter()
            .enumerate()
            .map(reached)
            .collect::<Result<_, _>>()?,
        sends: wires.sends,
    })
}
