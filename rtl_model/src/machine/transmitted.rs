//! What is seen of a machine between the two halves of a bit time, without a look into nodes.

use crate::machine::router::Position;

/// A bit time of a machine whose bits are on the wires, as far as it is seen without a look into nodes.
pub trait Transmitted {
    /// Bit times that have passed.
    fn bit_time(&self) -> u64;

    /// Whether the sequencer has passed its last step.
    fn is_done(&self) -> bool;

    /// Where the schedule stands, if there is one.
    fn position(&self) -> Option<Position>;

    /// Appends what a text about the sequencer says: see [`Router::text`](crate::machine::router::Router::text).
    fn append_text(&self, number: usize, text: &mut String);

    /// Whether a link is driven.
    fn is_driven(&self, link: usize) -> bool;

    /// What the nodes of all words drive onto a wire, into as many, as
    /// [`Simulation::copy_driven`](crate::machine::simulation::Simulation::copy_driven).
    fn copy_driven(&self, wire: usize, words: &mut [u64]);
}

/// Is shown each bit time, with its bits on the wires.
pub type Shown<'s> = dyn FnMut(&dyn Transmitted) + 's;
