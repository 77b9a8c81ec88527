//! What passes from the sequencer of a radix sort to all nodes.

use crate::language::lines::Lines;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of a radix sort broadcasts.
    #[derive(Clone, Debug)]
    pub struct RadixStrobes<S> {
        /// The message moves on by one position.
        pub shift: S,
        /// The valid bit of what a packing brings.
        pub arrival: S,
        /// The first pass: its key is where the host has written the destination.
        pub first: S,
        /// The last pass, by no key: all messages are packed.
        pub compacts: S,
        /// Of the next pass's key, the higher of two destination bits arrives.
        pub key_begins: S,
        /// There is such a higher one.
        pub key_has_higher: S,
        /// The lower of the two arrives.
        pub key_ends: S,
        /// The enumerator's strobes.
        pub enumerator: EnumeratorStrobes<S>,
        /// The subtraction's carry stands at 1 before the first header bit.
        pub header_prepares: S,
        /// The packing's source gives header bits, not the message.
        pub header: S,
        /// One-hot: the number of the header bit.
        pub header_bit: Lines<S>,
        /// The packer's strobes.
        pub packer: PackerStrobes<S>,
    }
}
