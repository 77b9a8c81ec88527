//! What a program fetches from memory, and writes back to it.

use std::collections::HashSet;
use std::iter::Sum;
use std::ops::{Add, Range};

use crate::machine::program::blocks::MovedBlocks;
use crate::machine::program::code::Code;
use crate::machine::program::operation::{OperandKind, Operation};

/// Planes that pass between memory and a cache that keeps nothing from one pass over the tiles to the next.
///
/// A tile's plane is counted as whole cache lines, which from 512 nodes on it is. A line is fetched before it is written, as
/// processors do whose stores allocate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Planes that are fetched, those to be written included.
    pub fetched: u64,
    /// Planes that are written back.
    pub written: u64,
}

impl Touched {
    /// Bytes in all, where a plane has one bit for each of so many nodes.
    pub fn bytes(self, nodes: u64) -> u64 {
        (self.fetched + self.written) * nodes / 8
    }
}

impl Add for Touched {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Touched {
            fetched: self.fetched + other.fetched,
            written: self.written + other.written,
        }
    }
}

impl Sum for Touched {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Touched::default(), Add::add)
    }
}

/// What is done in a pass over a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pass {
    /// Operations on a plane.
    pub operations: u64,
    /// What it touches; what is measured does not count.
    pub touched: Touched,
}

impl Code {
    /// Of each bit time its clock edge, and what is sent and measured after it. What is sent in the first goes with that.
    pub(crate) fn passes(&self) -> Vec<Pass> {
        let measured = |bit_time| {
            let (bits, messages) = self.gauges(bit_time);
            let operations = [bits, messages].map(|gauge| {
                gauge.flags.len() + gauge.counts.len() + gauge.sums.len() + gauge.planes.len()
            });
            operations.iter().sum::<usize>()
        };
        let length = self.length();
        let of = |bit_time: usize| {
            let edge = self.edge(bit_time);
            let next = bit_time + 1;
            let sending = (next < length).then(|| self.sending(next));
            let sending = sending.into_iter().flatten();
            let operations = edge.clone().count() + sending.clone().count();
            let blocks = self.blocks(bit_time);
            let moved = blocks.map_or(0, |blocks| blocks.read().count());
            let mut one = Pass {
                operations: (operations + moved + measured(next)) as u64,
                touched: pass((edge, blocks), sending),
            };
            if bit_time == 0 {
                one.operations += self.sending(0).count() as u64;
                one.touched = one.touched + pass(([], None), self.sending(0));
            }
            one
        };
        (0..length).map(of).collect()
    }

    /// What the passes of these bit times touch: registers and wires. A clock edge and what is sent after it are one pass.
    pub(super) fn touched(&self, bit_times: Range<usize>) -> Touched {
        let Range { start, end } = bit_times;
        (start..=end)
            .map(|bit_time| {
                let ended = (bit_time > start).then(|| bit_time - 1);
                let edge = ended.map(|bit_time| self.edge(bit_time));
                let blocks = ended.and_then(|bit_time| self.blocks(bit_time));
                let sending = (bit_time < end).then(|| self.sending(bit_time));
                let edge = (edge.into_iter().flatten(), blocks);
                pass(edge, sending.into_iter().flatten())
            })
            .sum()
    }
}

/// The planes of one pass over a tile. What comes over a wire was put there in the pass before, into other planes than what
/// goes out.
fn pass<'a>(
    (edge, blocks): (
        impl IntoIterator<Item = &'a Operation>,
        Option<&MovedBlocks>,
    ),
    sending: impl IntoIterator<Item = &'a Operation>,
) -> Touched {
    let is_kept =
        |place: &OperandKind| !matches!(place, OperandKind::Scratch(_) | OperandKind::TileBit(_));
    let slots = |slot| (OperandKind::Slot(slot), false);
    let blocks = || blocks.into_iter();
    let mut read: HashSet<_> = blocks().flat_map(MovedBlocks::read).map(slots).collect();
    let mut written: HashSet<_> = blocks().flat_map(MovedBlocks::places).map(slots).collect();
    let edge = edge.into_iter().map(|operation| (false, operation));
    let sending = sending.into_iter().map(|operation| (true, operation));
    for (goes_out, operation) in edge.chain(sending) {
        // Most kernels of fewer than three operands are given one of them again.
        let operands = operation
            .operands
            .iter()
            .map(|operand| match operand.place() {
                OperandKind::Gathered(link) => OperandKind::Wire(link),
                place => place,
            });
        read.extend(operands.filter(is_kept).map(|place| (place, false)));
        let to = operation.to.place();
        if is_kept(&to) {
            written.insert((to, goes_out && matches!(to, OperandKind::Wire(_))));
        }
    }
    Touched {
        fetched: read.union(&written).count() as u64,
        written: written.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::machine::program::Program;
    use crate::machine::program::kernels::Kernel;
    use crate::machine::program::operation::Operand;
    use crate::machine::router::Router;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::collectives::CollectiveMachine;
    use crate::routers::collectives::algorithms::{self, Ask, algorithm};
    use crate::routers::kuszmaul::enumeration::EnumerationRouter;

    fn operation(to: OperandKind, operands: [OperandKind; 3]) -> Operation {
        Operation {
            kernel: Kernel::Sum,
            to: Operand::of(to),
            operands: operands.map(Operand::of),
        }
    }

    #[test]
    fn a_plane_counts_once_in_a_pass_and_what_is_kept_beside_a_tile_never() {
        use OperandKind::{Scratch, Slot, TileBit, Wire};
        let edge = [
            operation(Scratch(2), [Slot(0), TileBit(1), Wire(3)]),
            operation(Slot(1), [Slot(0), Slot(1), Scratch(2)]),
        ];
        let sending = [operation(Wire(3), [Slot(1), Slot(0), Scratch(0)])];
        // Fetched: slots 0 and 1, the wire as it comes and as it goes. Written: slot 1, the wire as it goes.
        let touched = pass((&edge, None), &sending);
        assert_eq!((touched.fetched, touched.written), (4, 2));
        assert_eq!(touched.bytes(1 << 12), 6 << 9);
        assert_eq!(pass(([], None), []), Touched::default());
    }

    #[test]
    fn passes_add_up_and_write_what_is_stored() {
        let cube = Dimensions::new(12).unwrap();
        add_up(&Program::of::<u64>(
            &EnumerationRouter::new(cube),
            1 << 6,
            false,
        ));
        // Of 32 nodes, blocks of five bits change places with each other: they and numbers of five bits are fetched.
        let ask = Ask {
            permutation: Some((0..32).rev().collect()),
            ..Ask::of(Dimensions::new(5).unwrap(), 64)
        };
        let algorithm = algorithm(algorithms::Operation::PermutedSend, "permuted-send");
        let plan = Arc::new(algorithm.unwrap().plan(&ask).unwrap());
        let changes = plan.program.reorder.as_ref().unwrap().bit_time;
        let program = Program::of::<u64>(&CollectiveMachine::new(plan).unwrap(), 1, false);
        add_up(&program);
        let moved = pass(([], program.code().blocks(changes)), []);
        assert_eq!((moved.fetched, moved.written), (32 * (5 + 5), 32 * 5));
    }

    fn add_up<R: Router>(program: &Program<R>) {
        let length = program.length();
        let all = program.touched(0..length);
        // Nothing is stored twice in a bit time, so what is written is what is stored.
        assert_eq!(all.written, program.stores(0..length));
        assert!(all.fetched >= all.written);
        let mut apart = Touched::default();
        for bit_time in 0..length {
            apart = apart + program.touched(bit_time..bit_time + 1);
        }
        // Apart, every bit time is two passes: none touches less.
        assert_eq!(apart.written, all.written);
        assert!(apart.fetched >= all.fetched);
    }
}
