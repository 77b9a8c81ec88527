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

/// Bit `bit` of what the host writes into such a field of a node; none if the field is none of these.
pub(super) fn bit(
    program: &TransferProgram,
    field: Field,
    node: usize,
    bit: usize,
) -> Option<bool> {
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
        NUMBERS => {
            let numbers = &program.reorder.as_ref()?.numbers[relative];
            Some(numbers.get(bit / ports)? >> (bit % ports) & 1 == 1)
        }
        _ => None,
    }
}
