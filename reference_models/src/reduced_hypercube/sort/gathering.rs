//! How the blocks of keys of a building block come to one subblock, move on together, and come back.

use super::super::wires::Sent;
use super::super::{Network, Shape, Violation};
use super::State;

/// A block of keys on its way: the subblock that it comes from, and its keys.
type Numbered = (usize, Vec<u64>);

impl State {
    /// Gathers the blocks in subblock 0. They cross the dimensions of subblocks from the lowest one on. In
    /// step `t`, counted in blocks, subblock `u` sends what comes from subblock `u` + `t` across the lowest
    /// dimension in which it differs from subblock 0, as long as it has any.
    pub(super) fn gather(&mut self, backwards: bool) -> Result<(), Violation> {
        let Network::Reduced(shape) = self.network else {
            return Ok(());
        };
        let mut blocks: Vec<Vec<Numbered>> = (self.held.iter().enumerate())
            .map(|(node, keys)| vec![(shape.subblock(node), keys.clone())])
            .collect();
        for step in 0..shape.subblocks() / 2 {
            let mut moves = Vec::new();
            for (subblock, lowest) in senders(shape, step) {
                let number = match backwards {
                    true => subblock + (lowest - 1 - step),
                    false => subblock + step,
                };
                moves.push((subblock, subblock - lowest, number));
            }
            self.relocate(shape, &mut blocks, &moves)?;
        }
        for (held, mut blocks) in self.held.iter_mut().zip(blocks) {
            blocks.sort_unstable();
            *held = blocks.into_iter().flat_map(|(_, keys)| keys).collect();
        }
        self.gathered = Some(0);
        Ok(())
    }

    /// Undoes what gathering does, the last step first.
    pub(super) fn scatter(&mut self) -> Result<(), Violation> {
        let (Network::Reduced(shape), Some(_)) = (self.network, self.gathered) else {
            return Ok(());
        };
        let mut blocks: Vec<Vec<Numbered>> = (self.held.iter())
            .map(|keys| {
                keys.chunks(self.size)
                    .map(<[u64]>::to_vec)
                    .enumerate()
                    .collect()
            })
            .collect();
        for step in (0..shape.subblocks() / 2).rev() {
            let moves: Vec<_> = (senders(shape, step).into_iter())
                .map(|(subblock, lowest)| (subblock - lowest, subblock, subblock + step))
                .collect();
            self.relocate(shape, &mut blocks, &moves)?;
        }
        for (held, blocks) in self.held.iter_mut().zip(blocks) {
            *held = blocks.into_iter().flat_map(|(_, keys)| keys).collect();
        }
        self.gathered = None;
        Ok(())
    }

    /// Moves all keys to the subblock whose links cross the dimension of building blocks with address bit
    /// `bit`, if it is one, and if keys are gathered.
    pub(super) fn walk(&mut self, bit: usize) -> Result<(), Violation> {
        let (Network::Reduced(shape), Some(mut subblock)) = (self.network, self.gathered) else {
            return Ok(());
        };
        if bit < shape.k {
            return Ok(());
        }
        for dimension in shape.path(subblock, bit - shape.k) {
            let mut sends = Vec::new();
            for block in 0..shape.blocks() {
                for low in 0..1 << shape.low_bits() {
                    let from = shape.node(block, subblock, low);
                    let to = from ^ (1 << dimension);
                    let load = std::mem::take(&mut self.held[from]);
                    sends.push(Sent { from, to, load });
                }
            }
            let keys = self.size * shape.subblocks();
            self.wires.carry(keys as u64, &sends)?;
            for Sent { to, load, .. } in sends {
                self.held[to] = load;
            }
            subblock ^= 1 << (dimension - shape.low_bits());
        }
        self.gathered = Some(subblock);
        Ok(())
    }

    /// Moves blocks from subblock to subblock, in all building blocks and for all low bits: from, to, and
    /// the subblock that the block comes from.
    fn relocate(
        &mut self,
        shape: Shape,
        blocks: &mut [Vec<Numbered>],
        moves: &[(usize, usize, usize)],
    ) -> Result<(), Violation> {
        let mut sends = Vec::new();
        for block in 0..shape.blocks() {
            for low in 0..1 << shape.low_bits() {
                for &(from, to, number) in moves {
                    let [from, to] = [from, to].map(|subblock| shape.node(block, subblock, low));
                    let place = blocks[from].iter().position(|it| it.0 == number);
                    let Some(place) = place else {
                        return Err(Violation::NotHeld {
                            step: self.wires.steps + 1,
                            node: from,
                            block: number,
                        });
                    };
                    let load = blocks[from].swap_remove(place);
                    sends.push(Sent { from, to, load });
                }
            }
        }
        self.wires.carry(self.size as u64, &sends)?;
        for Sent { to, load, .. } in sends {
            blocks[to].push(load);
        }
        Ok(())
    }
}

/// The subblocks that send in a step of gathering, each with its lowest bit that is set.
fn senders(shape: Shape, step: usize) -> Vec<(usize, usize)> {
    (1..shape.subblocks())
        .map(|subblock| (subblock, 1 << subblock.trailing_zeros()))
        .filter(|(_, lowest)| step < *lowest)
        .collect()
}
