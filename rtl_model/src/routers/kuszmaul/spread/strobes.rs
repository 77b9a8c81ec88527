//! What passes from the sequencer of schedule `spread` to all nodes.

use crate::language::lines::Lines;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of schedule `spread` broadcasts.
    #[derive(Clone, Debug)]
    pub struct SpreadStrobes<S> {
        /// One-hot: the dimension on which messages are exchanged (step 1).
        pub exchange: Lines<S>,
        /// The first bit time of step 1.
        pub exchange_decide: S,
        /// The iteration is the last: who receives a message keeps it.
        pub is_last: S,
        /// A number, line 0 its lowest bit: the position of the bit that step 1 sends.
        pub read_at: Lines<S>,
        /// First message buffers shift.
        pub first_shift: S,
        /// A bit of the packing enters the first message's buffer as it shifts.
        pub first_fill: S,
        /// A bit of the last step 1 enters it as it shifts.
        pub first_home: S,
        /// One-hot by bit time: a bit of the packing enters it as it stands, so far above the
        /// others.
        pub first_tail: Lines<S>,
        /// The valid bit of the packing comes.
        pub first_arrival: S,
        /// Second message buffers shift.
        pub second_shift: S,
        /// One-hot by iteration: a bit of step 1 enters them where it is in time for the packing.
        pub second_fill: Lines<S>,
        /// Of the number of messages at a node, the second bit is counted.
        pub count_of_two: S,
        /// The enumerator's strobes.
        pub enumerator: EnumeratorStrobes<S>,
        /// The packing's source gives header bits, not messages.
        pub header: S,
        /// The first header bit.
        pub header_begins: S,
        /// The packer's strobes.
        pub packer: PackerStrobes<S>,
    }
}
