//! What the host tells a node before bit time 0 that no closed rule gives: its place in a tree, and the order of blocks of a
//! permutation.

use crate::language::bit::Bit;
use crate::machine::host::Field;
use crate::parts::module_array::ModuleArray;
use crate::parts::word::Word;
use crate::registers;
use crate::routers::collectives::program::{TransferProgram, View};
use crate::routers::collectives::shape::Shape;

/// A node's place in the tree.
pub const PLACE: Field = Field("place");
/// Its children: bit `n` of these is 1 for child `n / ports` at port `n % ports`.
pub const CHILDREN: Field = Field("children");
/// Its parent: a bit a port.
pub const PARENT: Field = Field("parent");
/// The number that each block of its memory gets, `n` bits each.
pub const NUMBERS: Field = Field("numbers");

/// The registers.
#[derive(Clone, Debug)]
pub struct Configuration<B: Bit> {
    place: Option<Word<B>>,
    children: ModuleArray<Word<B>>,
    parent: Word<B>,
    numbers: ModuleArray<Word<B>>,
}
registers!(Configuration {
    place: "in the tree",
    children: "the port of each, one-hot",
    parent: "its port, one-hot",
    numbers: "of the blocks of memory, when they are put in another order"
});

impl<B: Bit> Configuration<B> {
    pub(super) fn new(shape: &Shape) -> Self {
        let ports = shape.ports;
        let of_tree = if shape.place_bits.is_some() { ports } else { 0 };
        let blocks = shape.blocks.map_or(0, |_| 1 << ports);
        Configuration {
            place: shape.place_bits.map(|bits| Word::new(bits, B::ZERO)),
            children: ModuleArray::new("child", (0..2).map(|_| Word::new(of_tree, B::ZERO))),
            parent: Word::new(of_tree, B::ZERO),
            numbers: ModuleArray::new("block", (0..blocks).map(|_| Word::new(ports, B::ZERO))),
        }
    }

    /// The node's place, if it has one.
    pub fn place(&self) -> Option<&Word<B>> {
        self.place.as_ref()
    }

    /// 1 where the child of that number is across a port.
    pub fn child(&self, number: usize, port: usize) -> B {
        self.children[number].or_zero(port)
    }

    /// 1 where the parent is across a port.
    pub fn parent(&self, port: usize) -> B {
        self.parent.or_zero(port)
    }

    /// The numbers that blocks get.
    pub fn numbers(&self) -> &[Word<B>] {
        &self.numbers
    }

    pub(super) fn numbers_mut(&mut self) -> &mut Vec<Word<B>> {
        self.numbers.modules()
    }

    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let mut word = |field, first: usize, word: &mut Word<B>| {
            for bit in 0..word.width() {
                port(field, first + bit, &mut word[bit]);
            }
        };
        if let Some(place) = &mut self.place {
            word(PLACE, 0, place);
        }
        let mut first = 0;
        for child in self.children.iter_mut() {
            word(CHILDREN, first, child);
            first += child.width();
        }
        word(PARENT, 0, &mut self.parent);
        let mut first = 0;
        for number in self.numbers.iter_mut() {
            word(NUMBERS, first, number);
            first += number.width();
        }
    }
}

/// 64 bits, or as many as there are, of what the host writes into such a field of a node, from bit `from` on; none if the field is
/// none of these.
pub(super) fn word(
    program: &TransferProgram,
    field: Field,
    node: usize,
    from: usize,
) -> Option<u64> {
    if field == NUMBERS {
        let numbers = &program.reorder.as_ref()?.numbers[node ^ program.source];
        return word_of_numbers(numbers, program.cube.count(), from);
    }
    let bit = |place| bit(program, field, node, from + place);
    bit(0)?;
    let bits = (0..64).map(|place| (place, bit(place) == Some(true)));
    Some(bits.fold(0, |word, (place, bit)| word | u64::from(bit) << place))
}

/// The same of numbers of so many bits each, up to 16.
fn word_of_numbers(numbers: &[u32], width: usize, from: usize) -> Option<u64> {
    let numbers = numbers
        .get(from / width..)
        .filter(|left| !left.is_empty())?;
    let numbers = numbers.iter().take(64 / width + 2).enumerate();
    let bits = numbers.fold(0, |bits, (place, &number)| {
        bits | u128::from(number) << (place * width)
    });
    Some((bits >> (from % width)) as u64)
}

/// Bit `bit` of a field that says a node's place in a tree.
fn bit(program: &TransferProgram, field: Field, node: usize, bit: usize) -> Option<bool> {
    let relative = node ^ program.source;
    let ports = program.cube.count();
    let tree = match &program.view {
        View::Tree(tree) => Some(tree),
        _ => None,
    };
    match field {
        PLACE => Some(bit < 32 && tree?.places[relative] >> bit & 1 == 1),
        CHILDREN => Some(tree?.children[relative].get(bit / ports)? == &Some(bit % ports)),
        PARENT => Some(tree?.parents[relative] == Some(bit)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_numbers_side_by_side_from_any_bit_on() {
        for width in [1, 3, 12, 16] {
            let numbers: Vec<u32> = (0..70).map(|of: u32| of * 0x9e37 % (1 << width)).collect();
            let bit = |at: usize| {
                u64::from(
                    numbers
                        .get(at / width)
                        .map_or(0, |of| of >> (at % width) & 1),
                )
            };
            for from in 0..70 * width {
                let due = (0..64).fold(0, |word, place| word | bit(from + place) << place);
                assert_eq!(
                    word_of_numbers(&numbers, width, from),
                    Some(due),
                    "{width}, {from}"
                );
            }
            assert_eq!(word_of_numbers(&numbers, width, 70 * width), None);
        }
    }
}
