//! A node of a prefix operation: three words, each with a unit that combines it with what comes.
//!
//! ```text
//!                 what comes --+---------------+----------------+
//!                              v               v                v
//!            [unit] <--> [ message ]  [unit] [ preceding ]  [unit] [ result ]
//!                              |                   |   |         ^     |
//!                              |                   |   +---------+     |
//!                              +----- the one that is sent --> tx <----+
//! ```
//!
//! On the hypercube nothing precedes a building block, so that word and its unit are not there.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::reduced_hypercube::collective::{MESSAGE, VALUE, Words, read_word, write_word};
use crate::routers::reduced_hypercube::combiner::{Combiner, WordStrobes};
use crate::routers::reduced_hypercube::operator::Operator;
use crate::routers::reduced_hypercube::prefix::strobes::PrefixStrobes;
use crate::routers::reduced_hypercube::shown::show_word;

/// A word that goes round, and the unit that combines it.
#[derive(Clone, Debug)]
pub struct Combined<B: Bit> {
    word: ShiftRegister<B>,
    unit: Combiner<B>,
}
registers!(Combined { word, unit });

impl<B: Bit> Combined<B> {
    fn new(operator: Operator, word_bits: usize) -> Self {
        Combined {
            word: ShiftRegister::new(word_bits),
            unit: Combiner::new(operator),
        }
    }

    #[inline]
    fn shift(&mut self, at: &WordStrobes<B::Strobe>, (left, right): (B, B), next: B) {
        B::when(at.shift, &mut self.unit, |unit| unit.clock(at, left, right));
        B::when(at.shift, &mut self.word, |word| word.shift_in(next));
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct PrefixNode<B: Bit> {
    operator: Operator,
    result: Combined<B>,
    message: Combined<B>,
    preceding: Option<Combined<B>>,
}
registers!(PrefixNode {
    result: "what the node ends up with",
    message: "the combination of a subcube, or a word in transit",
    preceding: "what precedes the building block; in the beginning the identity",
});

impl<B: Bit> PrefixNode<B> {
    /// A node, all its words 0 but for what precedes.
    pub fn new(operator: Operator, word_bits: usize, has_blocks: bool) -> Self {
        let combined = || Combined::new(operator, word_bits);
        let mut preceding = has_blocks.then(combined);
        if let Some(preceding) = &mut preceding {
            for bit in (0..word_bits).filter(|bit| operator.identity_bit(*bit)) {
                let place = operator.bit_order().place(bit, word_bits);
                *preceding.word.bit_mut(place) = B::ONE;
            }
        }
        PrefixNode {
            operator,
            result: combined(),
            message: combined(),
            preceding,
        }
    }

    fn preceding_head(&self) -> B {
        self.preceding
            .as_ref()
            .map_or(B::ZERO, |preceding| preceding.word.head())
    }

    /// The bit that is sent, where the node sends.
    #[inline]
    fn outgoing(&self, strobes: &PrefixStrobes<B::Strobe>) -> B {
        B::choose(
            strobes.send_result,
            || self.result.word.head(),
            || {
                B::choose(
                    strobes.send_preceding,
                    || self.preceding_head(),
                    || self.message.word.head(),
                )
            },
        )
        .named("outgoing")
    }
}

/// What comes, where.
struct Incoming<B> {
    bit: B,
    /// The node receives.
    here: B,
    /// The node receives from a lower address.
    from_below: B,
    /// The node receives, and it counts for results and what precedes.
    counts: B,
}

impl<B: Bit> PrefixNode<B> {
    #[inline]
    fn clock_message(&mut self, strobes: &PrefixStrobes<B::Strobe>, incoming: &Incoming<B>) {
        let (at, head) = (&strobes.word, self.message.word.head());
        let (left, right) = in_order(incoming.from_below, incoming.bit, head);
        let combined = || self.message.unit.output(at, left, right);
        let taken = B::choose(strobes.take_message, || incoming.bit, || head);
        let next = B::choose(strobes.exchange, combined, || taken);
        let next = incoming.here.mux(next, head);
        self.message.shift(at, (left, right), next);
    }

    /// What the share of what precedes becomes in this bit time.
    #[inline]
    fn clock_preceding(&mut self, strobes: &PrefixStrobes<B::Strobe>, incoming: &Incoming<B>) -> B {
        let Some(preceding) = &mut self.preceding else {
            return B::ZERO;
        };
        let (at, head) = (&strobes.word, preceding.word.head());
        // Shares of higher sub-blocks came from lower building blocks' larger groups: they are the left operands.
        let own_is_left = B::gated(strobes.share, || incoming.from_below);
        let (left, right) = in_order(!own_is_left, incoming.bit, head);
        let combined = preceding.unit.output(at, left, right);
        let taken = B::choose(
            strobes.take_preceding,
            || incoming.here.mux(incoming.bit, head),
            || head,
        );
        let preceded = B::choose(
            strobes.precede,
            || incoming.counts.mux(combined, head),
            || taken,
        );
        let next = B::choose(
            strobes.share,
            || incoming.here.mux(combined, head),
            || preceded,
        );
        preceding.shift(at, (left, right), next);
        combined
    }

    #[inline]
    fn clock_result(
        &mut self,
        strobes: &PrefixStrobes<B::Strobe>,
        incoming: &Incoming<B>,
        share: B,
    ) {
        let (at, head) = (&strobes.word, self.result.word.head());
        let left = B::choose(strobes.add_share, || share, || incoming.bit);
        let combined = self.result.unit.output(at, left, head);
        let added = B::choose(strobes.add, || incoming.counts.mux(combined, head), || head);
        let next = B::choose(strobes.add_share, || combined, || added);
        self.result.shift(at, (left, head), next);
    }
}

/// Both words, that of `first` on the left where that is 1.
#[inline]
fn in_order<B: Bit>(first: B, one: B, other: B) -> (B, B) {
    (first.mux(one, other), first.mux(other, one))
}

impl<B: Bit> Node<B> for PrefixNode<B> {
    type Broadcast = PrefixStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let route = &strobes.route;
        for (wire, given) in route.wire.iter() {
            wires.drive(wire, "word", given, || {
                route.sends(address) & self.outgoing(strobes)
            });
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let route = &strobes.route;
        let here = route.receives(address);
        let from_below = route.side(address);
        let incoming = Incoming {
            bit: route.incoming(received),
            here,
            from_below,
            counts: here & (from_below | !B::from_strobe(strobes.upper_only)),
        };
        self.clock_message(strobes, &incoming);
        let share = self.clock_preceding(strobes, &incoming);
        self.clock_result(strobes, &incoming, share);
    }
}

impl<B: Bit> Words<B> for PrefixNode<B> {
    /// The host writes the word into both registers that begin with it.
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        write_word(
            &mut self.result.word,
            (VALUE, 0, self.operator.bit_order()),
            port,
        );
        write_word(
            &mut self.message.word,
            (MESSAGE, 0, self.operator.bit_order()),
            port,
        );
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        read_word(
            &self.result.word,
            (VALUE, 0, self.operator.bit_order()),
            port,
        );
    }

    fn show(&self, turned: &dyn Fn(usize) -> usize, bit: &mut dyn FnMut(B)) {
        let order = self.operator.bit_order();
        let words = [
            Some(&self.result),
            Some(&self.message),
            self.preceding.as_ref(),
        ];
        for (number, combined) in words.into_iter().flatten().enumerate() {
            show_word(&combined.word, (order, turned(number)), bit);
        }
    }
}
