//! What passes from the sequencer of schedule `plain` to all nodes.

use crate::language::lines::Lines;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of schedule `plain` broadcasts.
    #[derive(Clone, Debug)]
    pub struct PlainStrobes<S> {
        /// One-hot by iteration: where message bits enter their buffer.
        pub message_tap: Lines<S>,
        /// One-hot: the dimension on which messages are exchanged (step 1).
        pub exchange: Lines<S>,
        /// The first bit time of step 1.
        pub exchange_decide: S,
        /// The enumerator's strobes (steps 2 and 4, and the ranks drained in 3 and 5).
        pub enumerator: EnumeratorStrobes<S>,
        /// The packer's strobes (steps 3, 5 and 6).
        pub packer: PackerStrobes<S>,
        /// Empty nodes are meant, not nodes with two messages.
        pub empties: S,
        /// The second message is the body of the packing.
        pub send_second: S,
        /// One-hot by dimension: the bit of its own address that a node sends.
        pub send_address: Lines<S>,
        /// The valid bit of a second message arrives.
        pub second_arrival: S,
        /// The valid bit of a first message arrives.
        pub first_arrival: S,
        /// First message buffers shift.
        pub first_shift: S,
        /// First message buffers take a bit at the tap.
        pub first_fill: S,
        /// Second message buffers shift.
        pub second_shift: S,
        /// Second message buffers take a bit at the tap.
        pub second_fill: S,
        /// An address bit of an empty node arrives.
        pub rendezvous_push: S,
        /// An address bit of an empty node is the header of the way back.
        pub rendezvous_pop: S,
    }
}
