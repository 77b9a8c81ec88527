//! What passes from the sequencer to all nodes where circuits are held.

use crate::language::lines::Lines;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::routers::kuszmaul::held::circuits::CircuitStrobes;
use crate::routers::kuszmaul::held::home_buffer::HomeStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of schedules `overlapped` and `folded` broadcasts.
    #[derive(Clone, Debug)]
    pub struct HeldStrobes<S> {
        /// One-hot: the dimension on which messages are exchanged (step 1).
        pub exchange: Lines<S>,
        /// The first bit time of step 1.
        pub exchange_decide: S,
        /// The first message's buffer (steps 1 and 6).
        pub first: HomeStrobes<S>,
        /// The second message's buffer moves on.
        pub second_shift: S,
        /// One-hot by iteration: a bit of step 1 enters it where it is in time for step 3.
        pub second_fill: Lines<S>,
        /// One-hot by iteration: a bit of step 3 enters it at the top of what is left of a message.
        pub second_refill: Lines<S>,
        /// The valid bit of step 3 comes.
        pub second_arrival: S,
        /// Empty nodes are enumerated, not nodes with two messages.
        pub enumerate_empties: S,
        /// The enumerator's strobes (steps 2 and 4, whose ranks steps 3 and 5 use).
        pub enumerator: EnumeratorStrobes<S>,
        /// Headers of empty nodes are packed, not second messages.
        pub pack_empties: S,
        /// The packing's source gives header bits, not the second message.
        pub header: S,
        /// The packer's strobes (steps 3 and 5).
        pub packer: PackerStrobes<S>,
        /// The way back gives the valid bit, not the second message.
        pub returns: S,
        /// The strobes of the circuits (set in step 5, used in step 6).
        pub circuits: CircuitStrobes<S>,
    }
}
