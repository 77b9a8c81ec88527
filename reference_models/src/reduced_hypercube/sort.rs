//! Sorting (chapter 5): keys come to be in ascending order of address, the same number of them at each node.
//!
//! Where a sort has single keys, here nodes have a block of keys each, in ascending order. Two nodes send
//! their blocks to each other, and one of them keeps the smaller half, the other one the larger half.
//!
//! The nodes of each building block first sort by themselves: bitonic sort on `k` dimensions. Then the blocks
//! gather in subblock 0. From there they move together to the subblocks with the links to be used, and in
//! the end they are scattered again. While they are together, a node with `2^n` blocks does what `2^n` nodes
//! of its building block would, so that dimensions of subblocks are free.
//!
//! A virtual address is that of the node that a block of keys would be at if it had not moved: the building
//! block, then the number of the block at its node, then the low bits.

mod gathering;

use super::wires::{Sent, Wires};
use super::{Network, Violation};

/// How building blocks sort together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// One bitonic sort over the virtual address, of which the sorts within building blocks are part.
    OneSort,
    /// The same, and building blocks always sort upwards. This does not sort.
    OneSortUpwards,
    /// The same as `OneSort`, and blocks gather in another order, in which a node is to send what it has not
    /// yet got.
    OneSortGatheredBackwards,
    /// As in the thesis: bitonic sort of building blocks as a whole. Two building blocks are sorted by a
    /// whole bitonic sort on a virtual cube of `k + 1` dimensions. Directions, for which the thesis has no
    /// rule, are those of bitonic sort.
    PairSorts,
    /// The same, and pairs of building blocks are always sorted upwards. This does not sort.
    PairSortsUpwards,
    /// The same as `PairSorts` on virtual cubes of `n + 1` dimensions, as printed. This does not sort unless
    /// `k` is `n`.
    PairSortsPrinted,
}

/// What came of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorted {
    /// Steps, in each of which a wire carries one key each way at most.
    pub steps: u64,
    /// The keys, node by node.
    pub keys: Vec<u64>,
}

/// The state of all nodes.
struct State {
    network: Network,
    wires: Wires,
    /// Keys in a block.
    size: usize,
    /// The blocks that a node has, one after the other.
    held: Vec<Vec<u64>>,
    /// The subblock that has all keys of its building block, if they are gathered.
    gathered: Option<usize>,
}

/// Sorts keys, which are given node by node, the same number for each. In the full hypercube this is bitonic
/// sort, upwards at every stage for the variants upwards.
///
/// # Errors
///
/// A network that there is not, not the same number of keys for each node, or keys that do not move along
/// links.
pub fn sort(network: Network, keys: &[u64], variant: Variant) -> Result<Sorted, Violation> {
    let wires = Wires::new(network)?;
    let nodes = network.nodes();
    let size = keys.len() / nodes;
    if size == 0 || size * nodes != keys.len() {
        return Err(Violation::Entries {
            entries: keys.len(),
            nodes,
        });
    }
    let mut held: Vec<Vec<u64>> = keys.chunks(size).map(<[u64]>::to_vec).collect();
    for block in &mut held {
        block.sort_unstable();
    }
    let mut state = State {
        network,
        wires,
        size,
        held,
        gathered: None,
    };
    match variant {
        Variant::OneSort | Variant::OneSortUpwards | Variant::OneSortGatheredBackwards => {
            state.one_sort(variant)?;
        }
        _ => state.pair_sorts(variant)?,
    }
    Ok(Sorted {
        steps: state.wires.steps,
        keys: state.held.concat(),
    })
}

impl State {
    /// Bitonic sort over the virtual address.
    fn one_sort(&mut self, variant: Variant) -> Result<(), Violation> {
        let bits = self.network.address_bits();
        let (inner, upwards_from) = match self.network {
            Network::Reduced(shape) => (shape.k, shape.k),
            Network::Full { dims } => (dims, 1),
        };
        let backwards = variant == Variant::OneSortGatheredBackwards;
        for stage in 1..=bits {
            let upwards = variant == Variant::OneSortUpwards && stage >= upwards_from;
            if stage == inner + 1 {
                self.gather(backwards)?;
            }
            for bit in (0..stage).rev() {
                self.walk(bit)?;
                self.compare(bit, if upwards { bits } else { stage })?;
            }
        }
        self.scatter()
    }

    /// Bitonic sort of whole building blocks.
    fn pair_sorts(&mut self, variant: Variant) -> Result<(), Violation> {
        let bits = self.network.address_bits();
        let upwards = variant == Variant::PairSortsUpwards;
        let inner = self.network.cube_dims();
        for stage in 1..=inner {
            for bit in (0..stage).rev() {
                self.compare(
                    bit,
                    if upwards && stage == inner {
                        bits
                    } else {
                        stage
                    },
                )?;
            }
        }
        let Network::Reduced(shape) = self.network else {
            return Ok(());
        };
        let lowest = match variant {
            Variant::PairSortsPrinted => shape.low_bits(),
            _ => 0,
        };
        self.gather(false)?;
        for stage in shape.k..bits {
            for across in (shape.k..=stage).rev() {
                self.walk(across)?;
                let dimensions: Vec<usize> = (lowest..shape.k).chain([across]).collect();
                for end in 1..=dimensions.len() {
                    let direction = match dimensions.get(end) {
                        Some(dimension) => *dimension,
                        None if upwards => bits,
                        None => stage + 1,
                    };
                    for dimension in dimensions[..end].iter().rev() {
                        self.compare(*dimension, direction)?;
                    }
                }
            }
        }
        self.scatter()
    }

    /// Compares blocks across a bit of the virtual address. The block with the bit clear keeps the smaller
    /// keys where the bit `direction` of the virtual address is clear also, and the larger ones elsewhere.
    fn compare(&mut self, bit: usize, direction: usize) -> Result<(), Violation> {
        if let (Network::Reduced(shape), Some(_)) = (self.network, self.gathered)
            && (shape.low_bits()..shape.k).contains(&bit)
        {
            let other = 1 << (bit - shape.low_bits());
            for node in 0..self.held.len() {
                let before = self.held[node].clone();
                for number in 0..before.len() / self.size {
                    self.keep(
                        node,
                        number,
                        self.block(&before, number ^ other),
                        bit,
                        direction,
                    );
                }
            }
            return Ok(());
        }
        let holding = |(_, held): &(usize, &Vec<u64>)| !held.is_empty();
        let across = |(from, held): (usize, &Vec<u64>)| Sent {
            from,
            to: from ^ (1 << bit),
            load: held.clone(),
        };
        let sends: Vec<_> = (self.held.iter().enumerate())
            .filter(holding)
            .map(across)
            .collect();
        let keys = sends.first().map_or(0, |it| it.load.len());
        self.wires.carry(keys as u64, &sends)?;
        for Sent { to, load, .. } in sends {
            for number in 0..load.len() / self.size {
                self.keep(to, number, self.block(&load, number), bit, direction);
            }
        }
        Ok(())
    }

    /// A block of those that a node has or sent.
    fn block<'keys>(&self, keys: &'keys [u64], number: usize) -> &'keys [u64] {
        &keys[number * self.size..(number + 1) * self.size]
    }

    /// Keeps half of the keys of a block and another one.
    fn keep(&mut self, node: usize, number: usize, other: &[u64], bit: usize, direction: usize) {
        let address = match (self.network, self.gathered) {
            (Network::Reduced(shape), Some(_)) => {
                shape.node(shape.block(node), number, shape.low(node))
            }
            _ => node,
        };
        let size = self.size;
        let own = &mut self.held[node][number * size..(number + 1) * size];
        let mut both = [own, other].concat();
        both.sort_unstable();
        let smaller = (address >> bit) % 2 == (address >> direction) % 2;
        let first = if smaller { 0 } else { size };
        own.copy_from_slice(&both[first..first + size]);
    }
}
