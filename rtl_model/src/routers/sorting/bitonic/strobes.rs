//! What passes from the sequencer of a bitonic sort to all nodes.

use crate::routers::sorting::bitonic::comparators::ComparatorStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of a bitonic sort broadcasts.
    #[derive(Clone, Debug)]
    pub struct BitonicStrobes<S> {
        /// The record moves on by one position.
        pub shift: S,
        /// The record's last bit leaves comparator 0: whether it is a message is now what the node
        /// holds.
        pub settle: S,
        /// The valid bit of what the unpacking brings.
        pub arrival: S,
        /// The comparators' strobes.
        pub comparators: ComparatorStrobes<S>,
    }
}
