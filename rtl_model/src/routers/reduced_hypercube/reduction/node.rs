//! A node of a reduction: one word, and a unit that combines it with what comes.
//!
//! ```text
//!             rx of the wire that is given out
//!               |
//!               v right                        receives, combine: out of the unit
//!   head --> [combiner] --> mux --> [ word, w bits ] --> head --> tx, where the node sends
//!            left           ^ ^                          receives, take: what comes
//!                           | +-- what comes             else: goes round
//!                           +---- head
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::shift_register::ShiftRegister;
use crate::routers::reduced_hypercube::collective::{VALUE, Words, read_word, write_word};
use crate::routers::reduced_hypercube::combiner::{Combiner, WordStrobes};
use crate::routers::reduced_hypercube::operator::Operator;
use crate::routers::reduced_hypercube::route::RouteStrobes;
use crate::routers::reduced_hypercube::shown::show_word;
use crate::routers::reduced_hypercube::steps::reduction::Reducing;
use crate::routers::reduced_hypercube::steps::sequencer::{Now, Orders};
use crate::{registers, strobes};

strobes! {
    /// What the nodes are told.
    #[derive(Clone, Debug)]
    pub struct ReductionStrobes<S> {
        /// Where in a word this bit time is.
        pub word: WordStrobes<S>,
        /// Who sends to whom.
        pub route: RouteStrobes<S>,
        /// Receivers combine.
        pub combine: S,
        /// Receivers take what comes.
        pub take: S,
    }
}

impl Orders for Reducing {
    type Broadcast<S: Strobe> = ReductionStrobes<S>;

    fn broadcast<S: Strobe>(
        now: &Now<'_, S, Self>,
        network: (usize, usize),
        strobes: &mut ReductionStrobes<S>,
    ) {
        let on = now.running();
        strobes.word.drive(now);
        strobes.route.drive(now, network);
        strobes.combine = on & now.any(|row| row.orders == Reducing::Combine);
        strobes.take = on & now.any(|row| row.orders == Reducing::Take);
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct ReductionNode<B: Bit> {
    operator: Operator,
    word: ShiftRegister<B>,
    unit: Combiner<B>,
}
registers!(ReductionNode {
    word: "the word of the node, or one in transit",
    unit: "what combines two words",
});

impl<B: Bit> ReductionNode<B> {
    /// A node, its word 0.
    pub fn new(operator: Operator, word_bits: usize) -> Self {
        ReductionNode {
            operator,
            word: ShiftRegister::new(word_bits),
            unit: Combiner::new(operator),
        }
    }
}

impl<B: Bit> Node<B> for ReductionNode<B> {
    type Broadcast = ReductionStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let route = &strobes.route;
        for (wire, given) in route.wire.iter() {
            wires.drive(wire, "word", given, || {
                route.sends(address) & self.word.head()
            });
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let (head, route) = (self.word.head(), &strobes.route);
        let receives = route.receives(address);
        let incoming = route.incoming(received);
        let at = &strobes.word;
        let kept = B::choose(strobes.take, || receives.mux(incoming, head), || head);
        let next = B::choose(
            strobes.combine,
            || receives.mux(self.unit.output(at, head, incoming), head),
            || kept,
        );
        B::when(at.shift, &mut self.unit, |unit| {
            unit.clock(at, head, incoming)
        });
        B::when(at.shift, &mut self.word, |word| word.shift_in(next));
    }
}

impl<B: Bit> Words<B> for ReductionNode<B> {
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        write_word(&mut self.word, (VALUE, 0, self.operator.bit_order()), port);
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        read_word(&self.word, (VALUE, 0, self.operator.bit_order()), port);
    }

    fn show(&self, turned: &dyn Fn(usize) -> usize, bit: &mut dyn FnMut(B)) {
        show_word(&self.word, (self.operator.bit_order(), turned(0)), bit);
    }
}
