//! A collective operation on words: what is asked of each, whatever it does. It becomes a machine with its step table
//! ([`StepTableMachine`](crate::routers::reduced_hypercube::step_table_machine::StepTableMachine)).

use crate::closed_form::{ClosedForm, Letter};
use crate::language::bit::Bit;
use crate::machine::host::Field;
#[cfg(doc)]
use crate::machine::router::Machine;
use crate::machine::router::Node;
use crate::parts::shift_register::ShiftRegister;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::operator::BitOrder;
use crate::routers::reduced_hypercube::steps::sequencer::Orders;
use crate::routers::reduced_hypercube::steps::table::Table;

/// The words of a node, in the order of keys, bit 0 least significant.
pub const VALUE: Field = Field("value");

/// The same word again, where two registers begin with it.
pub const MESSAGE: Field = Field("message");

/// What a machine needs of a node beyond its wires.
pub trait Words<B: Bit> {
    /// As [`Machine::host_writes`].
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B));
    /// As [`Machine::host_reads`].
    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B));
    /// Calls `bit` for the bits of all words that a waveform shows, the least significant first, `turned(number)` saying how
    /// far each has shifted; there may be none.
    fn show(&self, turned: &dyn Fn(usize) -> usize, bit: &mut dyn FnMut(B)) {
        let _ = (turned, bit);
    }
}

/// A collective operation on words.
pub trait Collective: Clone + PartialEq + Send + Sync + 'static {
    /// What rows of its step table order.
    type Orders: Orders;
    /// A node.
    type Node<B: Bit>: Node<B, Broadcast = <Self::Orders as Orders>::Broadcast<B::Strobe>>
        + Words<B>
        + Send;

    /// Names of the kinds of rows; the last is that of none.
    const KINDS: &'static [&'static str];

    /// The network.
    fn network(&self) -> BlockNetwork;

    /// Bits of a word, `w`.
    fn word_bits(&self) -> usize;

    /// What a node's words are called.
    fn words(&self) -> Vec<String>;

    /// What happens, row by row.
    fn table(&self) -> Table<Self::Orders>;

    /// A node.
    fn node<B: Bit>(&self) -> Self::Node<B>;

    /// The value of a closed form in the letters of its network, in `w`, and in `more`.
    ///
    /// # Panics
    /// As [`ClosedForm::of`].
    fn form(&self, text: &'static str, more: &[Letter<'_>]) -> ClosedForm {
        let mut letters = self.network().letters();
        letters.push(("w", self.word_bits() as u64));
        letters.extend(more);
        ClosedForm::of(text, &letters)
    }

    /// The closed form of the steps: words that cross wires one after the other.
    fn steps(&self) -> ClosedForm;

    /// The closed form of the bit times.
    fn bit_times(&self) -> ClosedForm;

    /// The closed form of the storage of a node.
    fn storage_bits(&self) -> ClosedForm;
}

/// Shows the host the bits of a word, the least significant first, in whatever order they stream: those of a field from some bit on.
pub(super) fn write_word<B: Bit>(
    word: &mut ShiftRegister<B>,
    (field, from, order): (Field, usize, BitOrder),
    port: &mut dyn FnMut(Field, usize, &mut B),
) {
    let width = word.width();
    for bit in 0..width {
        let place = order.place(bit, width);
        port(field, from + bit, word.bit_mut(place));
    }
}

/// As [`write_word`].
pub(super) fn read_word<B: Bit>(
    word: &ShiftRegister<B>,
    (field, from, order): (Field, usize, BitOrder),
    port: &mut dyn FnMut(Field, usize, B),
) {
    let width = word.width();
    for bit in 0..width {
        let place = order.place(bit, width);
        port(field, from + bit, word.bit(place));
    }
}
