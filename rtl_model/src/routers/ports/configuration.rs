//! A node's place in a tree that no closed rule gives: registers that the host writes before bit time 0.
//!
//! ```text
//!   parent         one of the ports, none at the source
//!   first, second  the ports of the children; the second where they are served one after the other
//!   turn, phase    from when on the node sends, in steps: turn * phases + phase
//! ```
//!
//! They are storage of the node, and are counted as such. What stands in them is worked out in
//! [`two_rooted_tree`](super::two_rooted_tree).

use crate::language::bit::Bit;
use crate::machine::host::Field;
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::counter::{Number, width_for};
use crate::parts::word::Word;
use crate::registers;
use crate::routers::ports::broadcast::Turns;

/// The port of the parent.
pub const PARENT: Field = Field("parent");
/// The port of the first child.
pub const FIRST: Field = Field("first_child");
/// The port of the second child.
pub const SECOND: Field = Field("second_child");
/// The turn from which the node sends.
pub const TURN: Field = Field("turn");
/// And the phase in it, one of all.
pub const PHASE: Field = Field("phase");

/// The registers.
#[derive(Clone, Debug)]
pub struct Configuration<B: Bit> {
    parent: Word<B>,
    first: Word<B>,
    second: Word<B>,
    turn: Word<B>,
    phase: Word<B>,
}
registers!(Configuration {
    parent: "the port of the parent",
    first: "the port of the first child; of all, where ports may all be busy",
    second: "the port of the second child",
    turn: "from which turn on it sends",
    phase: "from which phase of that turn on"
});

/// Bits of the number of a turn: no node of the tree is farther from the source than `2n` steps.
pub(super) fn turn_bits(cube: Dimensions, phases: usize) -> usize {
    width_for((2 * cube.count() / phases) as u32)
}

impl<B: Bit> Configuration<B> {
    pub(super) fn new(cube: Dimensions, turns: &Turns) -> Self {
        let n = cube.count();
        let of_phases = |width| if turns.phases > 1 { width } else { 0 };
        let word = |width| Word::new(width, B::ZERO);
        Configuration {
            parent: word(n),
            first: word(n),
            second: word(of_phases(n)),
            turn: word(turn_bits(cube, turns.phases)),
            phase: word(of_phases(turns.phases)),
        }
    }

    pub(super) fn parent(&self, port: usize) -> B {
        self.parent[port]
    }

    pub(super) fn first(&self, port: usize) -> B {
        self.first[port]
    }

    pub(super) fn second(&self, port: usize) -> B {
        self.second.or_zero(port)
    }

    pub(super) fn turn(&self) -> Number<B> {
        Number::of_bits((0..self.turn.width()).map(|place| self.turn[place]))
    }

    /// Whether that is its phase; where there is one, it is.
    pub(super) fn phase(&self, number: usize) -> B {
        match self.phase.width() {
            0 => B::ONE,
            _ => self.phase[number],
        }
    }

    /// The host's side.
    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let fields = [
            (PARENT, &mut self.parent),
            (FIRST, &mut self.first),
            (SECOND, &mut self.second),
            (TURN, &mut self.turn),
            (PHASE, &mut self.phase),
        ];
        for (field, word) in fields {
            for bit in 0..word.width() {
                port(field, bit, &mut word[bit]);
            }
        }
    }
}
