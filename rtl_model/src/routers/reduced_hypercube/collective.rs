//! A collective operation as a machine: whatever it does to words, it walks through a step table.
//!
//! ```text
//!   Collective: network, width of words, step table, node, closed forms
//!       |
//!   CollectiveMachine: StepSequencer --strobes--> nodes --wires--> nodes
//! ```

use std::sync::Arc;

use crate::closed_form::{ClosedForm, Letter};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::language::lines::MAX_LINES;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Node, Position, Router};
use crate::machine::shown::Shown;
use crate::parts::shift_register::ShiftRegister;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::operator::BitOrder;
use crate::routers::reduced_hypercube::shown;
use crate::routers::reduced_hypercube::steps::sequencer::{Orders, StepSequencer};
use crate::routers::reduced_hypercube::steps::table::Table;

/// The words of a node, in the order of keys, bit 0 least significant.
pub const VALUE: Field = Field("value");

/// The same word again, where two registers begin with it.
pub const MESSAGE: Field = Field("message");

/// The widest words.
pub const MAX_WORD_BITS: usize = 4096;

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

/// The machine of a collective operation.
#[derive(Clone, Debug)]
pub struct CollectiveMachine<C: Collective> {
    collective: C,
    table: Arc<Table<C::Orders>>,
}

/// Equal operations have equal tables.
impl<C: Collective> PartialEq for CollectiveMachine<C> {
    fn eq(&self, other: &Self) -> bool {
        self.collective == other.collective
    }
}

impl<C: Collective> CollectiveMachine<C> {
    /// The machine that does it.
    pub fn new(collective: C) -> Self {
        CollectiveMachine {
            table: Arc::new(collective.table()),
            collective,
        }
    }

    /// What it does.
    pub fn collective(&self) -> &C {
        &self.collective
    }

    /// The rows of its step table.
    pub fn table(&self) -> &Table<C::Orders> {
        &self.table
    }
}

impl<C: Collective> Machine for CollectiveMachine<C> {
    type Topology = BlockNetwork;
    type Broadcast<S: Strobe> = <C::Orders as Orders>::Broadcast<S>;
    type Node<B: Bit> = C::Node<B>;
    type Sequencer<S: Strobe> = StepSequencer<S, C::Orders>;

    fn topology(&self) -> BlockNetwork {
        self.collective.network()
    }

    fn node<B: Bit>(&self) -> Self::Node<B> {
        self.collective.node()
    }

    fn sequencer<S: Strobe>(&self) -> Self::Sequencer<S> {
        let network = self.collective.network();
        let size = (network.wires(), network.bits());
        StepSequencer::new(self.table.clone(), size, self.collective.word_bits())
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut Self::Node<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn host_reads<B: Bit>(&self, node: &Self::Node<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl<C: Collective> Router for CollectiveMachine<C> {
    const STEPS: &'static [&'static str] = C::KINDS;
    const ITERATIONS_DIFFER: bool = true;

    fn first_screen(&self) -> usize {
        shown::rows_to_begin_with(&self.table, self.collective.word_bits())
    }

    fn shown(&self) -> Shown {
        shown::shown(&self.collective, &self.table)
    }

    fn text(&self, sequencer: &Self::Sequencer<bool>, number: usize, text: &mut String) {
        if let Some((row, word, _)) = sequencer.under_way() {
            text.push_str(&match number {
                0 => row.text(self.topology()),
                _ => row.orders.says(word),
            });
        }
    }

    fn numbers<B: Lanes>(
        &self,
        sequencer: &Self::Sequencer<bool>,
        node: &Self::Node<B>,
        _address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        let under_way = sequencer.under_way();
        let turned = |number: usize| match under_way {
            Some((row, word, bit)) if row.orders.shifts(number, word) => bit,
            _ => 0,
        };
        node.show(&turned, bit);
    }

    fn bit_times(&self) -> ClosedForm {
        self.collective.bit_times()
    }

    fn storage_bits(&self) -> ClosedForm {
        self.collective.storage_bits()
    }

    fn position(&self, sequencer: &Self::Sequencer<bool>) -> Position {
        sequencer.position(C::KINDS.len() - 1)
    }
}

/// Refuses words that are too wide.
///
/// # Errors
/// A width out of range.
pub fn check_word_bits(what: &'static str, word_bits: usize) -> Result<(), Error> {
    match (1..=MAX_WORD_BITS).contains(&word_bits) {
        true => Ok(()),
        false => Err(
            Refusal::of(format!("{what} of {word_bits} bits are out of range"))
                .instead(format!("choose 1 to {MAX_WORD_BITS}"))
                .into(),
        ),
    }
}

/// Refuses more keys than a node has slots for.
///
/// # Errors
/// None, or too many.
pub fn check_keys(keys: usize, network: BlockNetwork) -> Result<(), Error> {
    let blocks = match network {
        BlockNetwork::Reduced(network) => network.blocks_dimensions(),
        BlockNetwork::Full(_) => 1,
    };
    let most = MAX_LINES / blocks;
    match (1..=most).contains(&keys) {
        true => Ok(()),
        false => {
            let refusal = Refusal::of(format!("{keys} keys a node are out of range")).instead(format!(
                "choose 1 to {most} (a node has 64 slots, and needs {blocks} for each of its keys)"
            ));
            Err(match keys {
                0 => refusal,
                _ => refusal.only_together("keys"),
            }
            .into())
        }
    }
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
