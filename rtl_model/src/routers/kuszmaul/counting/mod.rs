//! Routing of h-relations on line: every node sends and receives up to `H` messages.
//!
//! Schedule [`spread`](crate::routers::kuszmaul::spread) carries `H = 1`. Here each of its iterations
//! makes `H` passes, one behind the other; pass `h` takes the message in slot `h` of each node's list.
//! After step 1 of iteration `i` a subcube of `m` dimensions holds at most `H 2^m` messages, since all of
//! them are for its nodes. They are numbered, pass after pass, each going on where the one before ended
//! ([`header`]), and the one of number `E` is sent to member `E mod 2^m`: then every node holds `H` at the
//! most, and the next iteration can begin. Nothing is coloured or arranged beforehand.
//!
//! | step | what happens in a pass | from bit time |
//! |---|---|---|
//! | 1 | messages of slot `h` whose address bit `i` is not the node's cross dimension `i` | 0 |
//! | 2 | the messages of the pass are enumerated | 1 |
//! | 3 | all of them are packed, on two tracks | m+1 |
//!
//! In a pass the messages of a block of 2^r nodes are at most `2 * 2^r`, of consecutive ranks. So after
//! `r` stages a node has two of them at most, whose ranks differ by 2^r: in the next header bit. One at
//! most crosses then, and one at most stays: two tracks carry them, whatever `H` is. Behind the last stage
//! there may be two at one node, and both go into its other list
//! ([`message_list`]).
//!
//! One pass follows another after 3m+D bit times (D+1 in the last iteration), the next iteration one bit
//! time later: H(3k(k-1)/2+kD+1)+k-1 in all. This is not in the paper.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens and [`passes`] its counters,
//! [`strobes`] what passes between the two, [`occupancy`] how much of the storage is in use.

pub mod header;
pub mod message_list;
pub mod node;
pub mod occupancy;
pub mod passes;
pub mod sequencer;
pub mod strobes;
pub mod waiting;

#[cfg(test)]
mod tests;

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::language::bit::{Bit, Strobe};
use crate::machine::device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Promise, Router};
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::counting::occupancy::Moment;
use crate::routers::permutation::Size;
use crate::traffic::check_payload_bits;

pub use message_list::MAX_MESSAGES;
pub use node::CountingNode;
pub use sequencer::CountingSequencer;
pub use strobes::CountingStrobes;

/// The router of h-relations.
///
/// The host writes the list that iteration 0 reads, of `H` slots: [`Field::VALID`] has a bit for each,
/// [`Field::DESTINATION`] the `k` bits of slot 0, then those of slot 1 and so on, [`Field::PAYLOAD`] `D`
/// bits each in the same way. Any slots may be empty. It reads [`Field::VALID`] and [`Field::PAYLOAD`] in
/// this form of the list that the last iteration has filled, where messages stand in the lowest slots, in
/// no particular order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingRouter {
    dimensions: Dimensions,
    size: Size,
    messages: usize,
}

impl CountingRouter {
    /// It behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn device(self) -> Box<dyn device::Device> {
        Box::new(self)
    }

    /// For a cube of the given dimensions, messages of `payload_bits`, and up to `h` of them from and to
    /// every node.
    ///
    /// # Errors
    /// [`Error::PayloadBits`]; messages of a node out of range.
    pub fn new(dimensions: Dimensions, payload_bits: usize, h: usize) -> Result<Self, Error> {
        if !(1..=MAX_MESSAGES).contains(&h) {
            return Err(Refusal::of(format!("{h} messages a node are out of range"))
                .instead(format!(
                    "choose 1 to {MAX_MESSAGES} (a node has as many slots in each of its two lists)"
                ))
                .into());
        }
        Ok(CountingRouter {
            dimensions,
            size: Size {
                dimensions: dimensions.count(),
                payload_bits: check_payload_bits(payload_bits)?,
            },
            messages: h,
        })
    }

    /// `H`: messages from and to a node, at the most.
    pub fn h(&self) -> usize {
        self.messages
    }

    /// `D`: payload bits of every message.
    pub fn payload_bits(&self) -> usize {
        self.size.payload_bits
    }

    /// The closed form of the serial adders of a node.
    pub fn serial_adders(&self) -> ClosedForm {
        // The last stage of the scan has one for the total, and two add to the base.
        self.form("0 (k=1); 2(k-2) (H=1); 2k-1")
    }

    /// The value of a closed form in `k`, `D` and `H`.
    fn form(&self, text: &'static str) -> ClosedForm {
        let [k, payload] = self.size.letters();
        ClosedForm::of(text, &[k, payload, ("H", self.messages as u64)])
    }

    /// Message bits that are left in an iteration.
    fn length(&self, iteration: u32) -> u32 {
        self.size.message_bits(iteration) as u32
    }
}

impl Machine for CountingRouter {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = CountingStrobes<S>;
    type Node<B: Bit> = CountingNode<B>;
    type Sequencer<S: Strobe> = CountingSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> CountingNode<B> {
        CountingNode::new(self.size, self.messages)
    }

    fn sequencer<S: Strobe>(&self) -> CountingSequencer<S> {
        CountingSequencer::new(self.size, self.messages)
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut CountingNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.even_list.host_writes(self.size.bits(), port);
    }

    fn host_reads<B: Bit>(&self, node: &CountingNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        // An odd number of iterations ends in the other list.
        match self.size.dimensions.is_multiple_of(2) {
            true => node.even_list.host_reads(port),
            false => node.odd_list.host_reads(port),
        }
    }
}

impl Router for CountingRouter {
    const STEPS: &'static [&'static str] = &[
        "",
        "1_cross",
        "2_enumerate_messages",
        "3_pack_messages",
        "done",
    ];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["exchange", "enumeration", "packing"];

    fn bit_times(&self) -> ClosedForm {
        self.form("H(3k(k-1)/2+kD+1)+k-1")
    }

    /// Two lists, two delay lines, and what enumeration and packing take. A cube of one dimension has
    /// lists alone, and a single pass no base to go on from.
    fn storage_bits(&self) -> ClosedForm {
        self.form(
            "H(2D+3)+4 (k=1); 14k+2D-12+2min(k-1+D,2k-2) (H=1); \
             H(2k+2D+1)+13k-10+2min(k-1+D,2k-2)",
        )
    }

    fn position(&self, sequencer: &CountingSequencer<bool>) -> Position {
        sequencer.position()
    }

    fn occupancy<B: Bit>(
        &self,
        node: &CountingNode<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        match after {
            None => {
                let bits = self.length(0) + 1;
                (0..self.messages).for_each(|slot| count(node.even_list.valid(slot), bits));
            }
            Some(after) => {
                let at = Moment::of(self.size, self.messages, after);
                occupancy::occupancy(node, at, count);
            }
        }
    }

    /// Before an iteration's last pass, messages that are still to be sent have a bit more than others.
    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32> {
        let Some(after) = after else {
            return Some(self.length(0) + 1);
        };
        let at = Moment::of(self.size, self.messages, after);
        (at.pass + 1 == self.messages).then(|| self.length(after.iteration))
    }

    fn promise(&self) -> Option<Promise> {
        Some(Promise {
            most_messages: None,
            full_only: false,
            in_order: false,
        })
    }

    fn messages<B: Bit>(
        &self,
        node: &CountingNode<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        match after {
            None => (0..self.messages).for_each(|slot| count(node.even_list.valid(slot))),
            Some(after) => {
                let at = Moment::of(self.size, self.messages, after);
                occupancy::messages(node, at, count);
            }
        }
    }
}
