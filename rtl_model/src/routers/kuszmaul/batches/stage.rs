//! What the hardware of one iteration is asked for, whichever schedule it is of; and the input that it has before it.
//!
//! ```text
//!   stage before --delivered--> [input: valid, bit] --incoming--> stage --delivered--> stage behind
//!
//!   bit time from the batch's beginning at this stage    -2      -1       0        1      ..
//!   delivered to it                                      valid   bit 0    bit 1    bit 2
//!   its incoming bit                                             -        bit 0    bit 1
//! ```
//!
//! Bit 0 is the address bit that the stage consumes first. A message is passed on while its end is still coming. This is so where a bit
//! is delivered in every bit time; a schedule may do it otherwise ([`Pipelined::delivers`], [`Pipelined::takes`]).

use crate::language::bit::{Bit, Strobe};
use crate::language::register::Registers;
use crate::language::strobes::Strobes;
use crate::language::wires::Transmit;
use crate::parts::windows::{Claim, Stretch};
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::permutation::Size;
use crate::strobes;

/// Bit times from a valid bit's delivery to the beginning of the next stage, where message bits follow it at once.
pub const LEAD: usize = 2;

/// A message on its way in.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<B> {
    /// There is one.
    pub valid: B,
    /// This bit time's bit of it.
    pub bit: B,
}

/// The hardware of one iteration. It sees what [`Node`](crate::machine::router::Node)s see; wires and received bits are numbered by
/// dimension, and are its own.
pub trait Stage<B: Bit>: Registers<B> + Clone {
    /// What it hears from the sequencer.
    type Strobes;

    /// Combinational: what goes onto its wires.
    fn transmit(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    );

    /// Combinational: what it delivers to the stage behind it: a valid bit, then the message that is left.
    fn delivered(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B;

    /// The clock edge.
    fn clock(
        &mut self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    );

    /// The message bits that it holds of the batch that began `t` bit times ago, once that bit time is over, as
    /// [`Router::occupancy`](crate::machine::router::Router::occupancy) counts them; those of its input apart.
    fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32));

    /// Its messages of that batch, as [`Router::messages`](crate::machine::router::Router::messages) counts them.
    fn messages(&self, t: i64, count: &mut dyn FnMut(B));
}

/// The closed forms of a schedule of batches, in `k` and `D`.
#[derive(Clone, Copy, Debug)]
pub struct BatchForms {
    /// Bit times from batch to batch, at least.
    pub interval: &'static str,
    /// Bit times of a single batch.
    pub latency: &'static str,
    /// Wires that a node drives.
    pub wires: &'static str,
    /// Storage of a node, but for the processor's outbox and inbox: bits.
    pub storage_bits: &'static str,
    /// Serial adders of a node.
    pub serial_adders: &'static str,
}

/// A schedule whose iterations can work side by side.
pub trait Pipelined: Copy + Default + PartialEq + Send + Sync + 'static {
    /// What one stage hears.
    type Strobes<S: Strobe>: Strobes<S> + Clone + Send + Sync;
    /// The stage, over any bit.
    type Stage<B: Bit>: Stage<B, Strobes = Self::Strobes<B::Strobe>> + Send;

    /// What drives wires.
    const UNITS: &'static [&'static str];
    /// What it is held against.
    const FORMS: BatchForms;

    /// The lowest dimension of each stage, from stage 0.
    fn lowest(size: Size) -> Vec<usize>;

    /// A stage, all registers 0.
    fn stage<B: Bit>(extent: Extent) -> Self::Stage<B>;

    /// The bit time in which it delivers its valid bit.
    fn delivers_at(extent: Extent) -> usize;

    /// The bit times in which it delivers the bits of the message that is left: all behind one another, unless the schedule says else.
    fn delivers(extent: Extent) -> Stretch {
        let first = Self::delivers_at(extent) as i64 + 1;
        Stretch::new(first, first + extent.message_bits() as i64 - 1)
    }

    /// The bit time in which a batch begins at the next stage.
    fn hands_on_at(extent: Extent) -> usize {
        Self::delivers_at(extent) + LEAD
    }

    /// The bit times in which it takes message bits from its input, which has the next ones behind them: those of the second window, if
    /// there are any, come after those of the first.
    fn takes(extent: Extent) -> [Stretch; 2] {
        let bits = extent.message_bits() as i64 + 1;
        [Stretch::new(0, bits - 1), Stretch::new(bits, bits - 1)]
    }

    /// Its wires, and when it has them.
    fn claims(extent: Extent) -> Vec<Claim>;

    /// Its steps, in the order in which they begin: what each is called, and its first bit time.
    fn steps(extent: Extent) -> Vec<(&'static str, i64)>;

    /// Its strobes in this bit time.
    fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut Self::Strobes<S>);

    /// Address bits of a message that its stage has consumed `t` bit times after the batch's beginning there.
    fn consumed(extent: Extent, t: i64) -> usize;
}

strobes! {
    /// What an input hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct InputStrobes<S> {
        /// A valid bit is delivered.
        pub arrival: S,
        /// A message bit is delivered.
        pub fill: S,
    }
}

/// What stands before a stage.
#[derive(Clone, Debug)]
pub struct Input<B: Bit> {
    valid: B,
    bit: B,
}
registers!(Input {
    valid: "a message is coming",
    bit: "the bit of it that has come",
});

impl<B: Bit> Input<B> {
    /// Nothing has come.
    pub fn new() -> Self {
        Input {
            valid: B::ZERO,
            bit: B::ZERO,
        }
    }

    /// What the stage takes in.
    #[inline]
    pub fn output(&self) -> Incoming<B> {
        Incoming {
            valid: self.valid,
            bit: self.bit,
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, strobes: &InputStrobes<B::Strobe>, delivered: B) {
        B::when(strobes.arrival, &mut self.valid, |valid| *valid = delivered);
        B::when(strobes.fill, &mut self.bit, |bit| *bit = delivered);
    }
}

impl<B: Bit> Default for Input<B> {
    fn default() -> Self {
        Self::new()
    }
}
