//! A clock edge as operations, and where registers are after it.

use rustc_hash::FxHashSet;

use crate::circuit::expression::Expression;
use crate::language::bit::Bit;
use crate::machine::program::Held;
use crate::machine::program::kernels::Kernel;
use crate::machine::program::logic::Logic;
use crate::machine::program::operation::{Operand, OperandKind, Operation};
use crate::machine::program::translate::Translation;

/// What the clock edge puts into bits of the memory that have been fetched, which are behind so many registers: planes beside the
/// tile, worked out before the edge overwrites what they come of.
pub(super) fn put(
    edge: &mut Translation<'_>,
    logic: &Logic,
    registers: usize,
) -> Vec<(usize, Operand)> {
    let fetched = logic.before.iter().zip(&logic.after).skip(registers);
    let changed = (fetched.enumerate()).filter(|(_, (before, after))| before != after);
    let put = changed.map(|(number, (_, &after))| {
        let beside = edge.beside();
        edge.work_out(after, beside);
        (number, beside)
    });
    put.collect()
}

/// The operations of a clock edge, in an order in which none reads what another has overwritten; and where the registers
/// are then: in the same `slots`, as many as registers.
pub(super) fn clock_edge(
    edge: &mut Translation<'_>,
    logic: &Logic,
    held: &[Held],
    slots: &[u32],
) -> Vec<Held> {
    let mut next: Vec<Option<Held>> = vec![None; held.len()];
    let mut taken = FxHashSet::default();
    let mut take = |slot: u32| taken.insert(slot);
    // Registers that hold still keep their slots; then those that move on take theirs along.
    for (register, &after) in logic.after[..held.len()].iter().enumerate() {
        if after == logic.before[register] {
            if let Held::In(slot) = held[register] {
                take(slot);
            }
            next[register] = Some(held[register]);
        }
    }
    for (next, &after) in next.iter_mut().zip(&logic.after) {
        if next.is_some() {
            continue;
        }
        *next = match after {
            Expression::ZERO => Some(Held::Known(false)),
            Expression::ONE => Some(Held::Known(true)),
            _ => logic
                .register_before(after)
                .and_then(|from| match *held.get(from)? {
                    Held::In(slot) => take(slot).then_some(Held::In(slot)),
                    Held::Known(_) => None,
                }),
        };
    }
    // The others are worked out: into their own slots, where these are free, or any.
    let mut results: Vec<Result> = Vec::new();
    for ((next, &held), &after) in next.iter_mut().zip(held).zip(&logic.after) {
        if next.is_none()
            && let Held::In(slot) = held
            && take(slot)
        {
            *next = Some(Held::In(slot));
            results.push(Result {
                expression: after,
                slot,
            });
        }
    }
    let mut free = (slots.iter().copied()).filter(|slot| !taken.contains(slot));
    for (next, &after) in next.iter_mut().zip(&logic.after) {
        if next.is_none() {
            // As many slots as registers: there is one.
            let slot = free.next().unwrap_or(0);
            *next = Some(Held::In(slot));
            results.push(Result {
                expression: after,
                slot,
            });
        }
    }
    in_order(edge, &results);
    next.into_iter()
        .map(|held| held.unwrap_or(Held::Known(false)))
        .collect()
}

/// A register's next bit, to be worked out into a slot.
struct Result {
    expression: Expression,
    slot: u32,
}

/// Works results out: each when no other is left that reads what its slot holds. Where they wait for each other in a circle,
/// one is kept beside the tile until the end.
fn in_order(edge: &mut Translation<'_>, results: &[Result]) {
    let slots: Vec<u32> = results.iter().map(|result| result.slot).collect();
    let expressions = || results.iter().map(|result| result.expression);
    let reads: Vec<Vec<u64>> = (slots.chunks(64))
        .map(|slots| edge.slots_read(slots, expressions()))
        .collect();
    // Whether one result reads what the slot of another holds.
    let reads = |reader: usize, other: usize| reads[other / 64][reader] >> (other % 64) & 1 == 1;
    let others = |of: usize| (0..results.len()).filter(move |&other| other != of);
    let mut readers: Vec<usize> = (0..results.len())
        .map(|of| others(of).filter(|&reader| reads(reader, of)).count())
        .collect();
    let mut left: Vec<usize> = (0..results.len()).collect();
    let mut kept = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|&number| readers[number] == 0);
        let number = left.remove(free.unwrap_or(0));
        for &other in &left {
            readers[other] -= usize::from(reads(number, other));
        }
        let Result { expression, slot } = results[number];
        let slot = Operand::of(OperandKind::Slot(slot as usize));
        if free.is_some() {
            edge.work_out(expression, slot);
        } else {
            let beside = edge.beside();
            edge.work_out(expression, beside);
            kept.push((slot, beside));
        }
    }
    for (to, from) in kept {
        edge.operations.push(Operation {
            kernel: Kernel::Copy,
            to,
            operands: [from; 3],
        });
    }
}
