//! From the logic of one bit time to operations.
//!
//! Each expression is covered with kernels, from its root: a kernel takes in gates as long as it has no more than three
//! operands. What is left over is worked out before, into a plane beside the tile.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::machine::program::kernels::{A, B, C, Kernel, find, of_table};
use crate::machine::program::operation::{FIRST, ONE, Operand, OperandKind, Operation, ZERO};
use operands::Operands;

mod operands;
#[cfg(test)]
pub(super) mod tests;

/// Where the variables of some logic are, in the order in which they are made: registers, bits of a memory, address bits, what comes
/// over the wires, from other nodes and from the host. Where there are none of the latter, all are in slots.
#[derive(Clone, Copy)]
pub(super) struct Variables<'a> {
    /// The slot of each register; none where it is known.
    pub slots: &'a [Option<u32>],
    /// So many bits of a memory behind the registers, fetched into planes beside the tile.
    pub fetched: usize,
    pub addresses: &'a [OperandKind],
    pub wires: &'a [OperandKind],
}

impl Variables<'_> {
    /// The plane beside the tile of the first bit that is fetched.
    pub(super) fn first_fetched(&self) -> usize {
        FIRST + self.addresses.len()
    }

    /// Registers, and bits that are fetched.
    fn registers(&self) -> usize {
        self.slots.len() + self.fetched
    }

    fn place(&self, number: usize) -> OperandKind {
        if let Some(slot) = self.slots.get(number) {
            return OperandKind::Slot(slot.map_or(0, |slot| slot as usize));
        }
        let Some(number) = number.checked_sub(self.registers()) else {
            return OperandKind::Scratch(self.first_fetched() + number - self.slots.len());
        };
        match number.checked_sub(self.addresses.len()) {
            None => self.addresses[number],
            Some(wire) => self.wires[wire],
        }
    }
}

/// Operations as they come, with what they have worked out so far.
pub(super) struct Translation<'a> {
    graph: &'a Graph,
    variables: Variables<'a>,
    /// Where each expression is, by its number.
    known: Vec<Option<Operand>>,
    /// Of no kernel, between two of them.
    search: Search,
    /// Planes beside the tile that are in use.
    pub scratch: usize,
    pub operations: Vec<Operation>,
}

/// Where the search for a kernel has been, and where it has yet to go.
#[derive(Default)]
struct Search {
    tried: Vec<Operands>,
    left: Vec<Operands>,
}

/// Gates that one kernel can take in: its operands, and its table.
struct Cover {
    operands: Operands,
    kernel: Kernel,
    order: [usize; 3],
}

/// How many operands have to be worked out, and how many there are. A kernel that takes in more leaves less, and what it leaves is
/// more often used again.
type Cost = (usize, Reverse<usize>);

/// There is none below it.
const LEAST: Cost = (0, Reverse(3));

impl<'a> Translation<'a> {
    pub(super) fn new(graph: &'a Graph, variables: Variables<'a>) -> Self {
        Translation {
            graph,
            scratch: variables.first_fetched() + variables.fetched,
            variables,
            known: vec![None; graph.len()],
            search: Search::default(),
            operations: Vec::new(),
        }
    }

    /// The logic.
    pub(super) fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// For each of some expressions which of up to 64 slots it reads, a bit for each in their order.
    pub(super) fn slots_read(
        &self,
        slots: &[u32],
        expressions: impl Iterator<Item = Expression>,
    ) -> Vec<u64> {
        let places: FxHashMap<usize, usize> = (slots.iter().enumerate())
            .map(|(place, &slot)| (slot as usize, place))
            .collect();
        let mut read: Vec<u64> = Vec::with_capacity(self.graph.len());
        for &gate in self.graph.gates() {
            let of_gate = match gate {
                Gate::Variable(number) => match self.variables.place(number as usize) {
                    OperandKind::Slot(slot) => places.get(&slot).map_or(0, |place| 1 << place),
                    _ => 0,
                },
                gate => (gate.inputs()).fold(0, |all, input| all | read[input.number() as usize]),
            };
            read.push(of_gate);
        }
        expressions
            .map(|expression| read[expression.number() as usize])
            .collect()
    }

    /// A new plane beside the tile.
    pub(super) fn beside(&mut self) -> Operand {
        self.scratch += 1;
        Operand::of(OperandKind::Scratch(self.scratch - 1))
    }

    /// The operation that works an expression out, after those that it needs.
    pub(super) fn work_out(&mut self, expression: Expression, to: Operand) {
        let same = |operand| (Kernel::Copy, [operand; 3]);
        let (kernel, operands) = match self.graph.gate(expression) {
            Gate::Constant(false) => same(Operand::of(OperandKind::Scratch(ZERO))),
            Gate::Constant(true) => same(Operand::of(OperandKind::Scratch(ONE))),
            Gate::Variable(_) => same(self.operand(expression)),
            _ => match self.known[expression.number() as usize] {
                Some(known) => same(known),
                None => {
                    let cover = self.cover(expression);
                    let mut at = [to; 3];
                    for (at, &operand) in at.iter_mut().zip(cover.operands.as_slice()) {
                        *at = self.operand(operand);
                    }
                    (cover.kernel, cover.order.map(|operand| at[operand]))
                }
            },
        };
        self.operations.push(Operation {
            kernel,
            to,
            operands,
        });
        // No slot is written twice.
        if let (OperandKind::Slot(_), true) = (to.place(), self.is_gate(expression)) {
            self.known[expression.number() as usize].get_or_insert(to);
        }
    }

    /// Where an expression is; it is worked out if need be.
    pub(super) fn operand(&mut self, expression: Expression) -> Operand {
        if let Some(known) = self.known[expression.number() as usize] {
            return known;
        }
        match self.graph.gate(expression) {
            Gate::Constant(value) => {
                Operand::of(OperandKind::Scratch(if value { ONE } else { ZERO }))
            }
            Gate::Variable(number) => {
                let number = number as usize;
                let place = self.variables.place(number);
                if !place.is_apart() {
                    return Operand::of(place);
                }
                // It is another in each tile. An address bit has its plane.
                let number = number - self.variables.registers();
                let to = match number < self.variables.addresses.len() {
                    true => Operand::of(OperandKind::Scratch(FIRST + number)),
                    false => self.beside(),
                };
                self.operations.push(Operation {
                    kernel: Kernel::Copy,
                    to,
                    operands: [Operand::of(place); 3],
                });
                self.known[expression.number() as usize] = Some(to);
                to
            }
            _ => {
                let to = self.beside();
                self.work_out(expression, to);
                self.known[expression.number() as usize] = Some(to);
                to
            }
        }
    }

    fn is_gate(&self, expression: Expression) -> bool {
        !matches!(
            self.graph.gate(expression),
            Gate::Constant(_) | Gate::Variable(_)
        )
    }

    fn is_at_hand(&self, expression: Expression) -> bool {
        matches!(self.graph.gate(expression), Gate::Variable(_))
            || self.known[expression.number() as usize].is_some()
    }

    fn is_wire(&self, expression: Expression) -> bool {
        let Gate::Variable(number) = self.graph.gate(expression) else {
            return false;
        };
        matches!(self.variables.place(number as usize), OperandKind::Wire(_))
            && self.known[expression.number() as usize].is_none()
    }

    /// The best kernel for an expression: the one that leaves least to be worked out before.
    fn cover(&mut self, expression: Expression) -> Cover {
        let mut best: Option<(Cost, Cover)> = None;
        let Search {
            mut tried,
            mut left,
        } = std::mem::take(&mut self.search);
        left.push(Operands::of(self.graph.gate(expression)));
        while let Some(operands) = left.pop() {
            // They are few.
            if tried.contains(&operands) {
                continue;
            }
            tried.push(operands);
            let list = operands.as_slice();
            let at_hand = list.iter().filter(|&&operand| self.is_at_hand(operand));
            let cost = (list.len() - at_hand.count(), Reverse(list.len()));
            if list.len() <= 3
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
                && let Some(cover) = self.kernel_over(expression, operands)
            {
                best = Some((cost, cover));
                if cost == LEAST {
                    break;
                }
            }
            for (place, &operand) in list.iter().enumerate() {
                if self.is_at_hand(operand) {
                    continue;
                }
                let wider = operands.without(place).and(self.graph.gate(operand));
                // One more than a kernel takes: two of them may come from the same two below.
                if wider.as_slice().len() <= 4 {
                    left.push(wider);
                }
            }
        }
        tried.clear();
        left.clear();
        self.search = Search { tried, left };
        if let Some((_, best)) = best {
            return best;
        }
        // Two wires, of which one kernel reads but one: the first is fetched before.
        let inputs = Operands::of(self.graph.gate(expression));
        let mut inputs = inputs.as_slice().iter();
        if let Some(&wire) = inputs.find(|&&input| self.is_wire(input)) {
            let from = self.operand(wire);
            let to = self.beside();
            self.operations.push(Operation {
                kernel: Kernel::Copy,
                to,
                operands: [from; 3],
            });
            self.known[wire.number() as usize] = Some(to);
        }
        self.cover(expression)
    }

    fn kernel_over(&self, expression: Expression, operands: Operands) -> Option<Cover> {
        let list = operands.as_slice();
        let mut wires = (0..list.len()).filter(|&operand| self.is_wire(list[operand]));
        let at_c = wires.next();
        if wires.next().is_some() {
            return None;
        }
        let (kernel, order) = match list.len() {
            3 => find(self.table(expression, list, &[A, B, C]), at_c)?,
            // Nobody reads b.
            2 => [([A, C], [0, 0, 1]), ([C, A], [1, 1, 0])]
                .into_iter()
                .filter(|(_, order)| at_c.is_none_or(|at_c| order[2] == at_c))
                .find_map(|(values, order)| {
                    Some((of_table(self.table(expression, list, &values))?, order))
                })?,
            _ => (of_table(self.table(expression, list, &[C]))?, [0; 3]),
        };
        Some(Cover {
            operands,
            kernel,
            order,
        })
    }

    /// The values of an expression over those of some others below it.
    fn table(&self, expression: Expression, operands: &[Expression], values: &[u8]) -> u8 {
        if let Some(place) = operands.iter().position(|operand| *operand == expression) {
            return values[place];
        }
        let of = |input| self.table(input, operands, values);
        match self.graph.gate(expression) {
            Gate::Constant(value) => u8::from(value).wrapping_neg(),
            Gate::Variable(_) => 0,
            Gate::Not(a) => !of(a),
            Gate::And(a, b) => of(a) & of(b),
            Gate::Or(a, b) => of(a) | of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Mux(a, b, c) => (of(a) & of(b)) | (!of(a) & of(c)),
        }
    }
}
