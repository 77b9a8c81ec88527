//! What passes from the sequencer of the router of h-relations to all nodes.

use crate::language::lines::Lines;
use crate::parts::enumerator::EnumeratorStrobes;
use crate::parts::packer::PackerStrobes;
use crate::routers::kuszmaul::counting::header::HeaderStrobes;
use crate::routers::kuszmaul::counting::message_list::ListStrobes;
use crate::routers::kuszmaul::counting::waiting::WaitingStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of the router of h-relations broadcasts.
    #[derive(Clone, Debug)]
    pub struct CountingStrobes<S> {
        /// One-hot: the dimension on which messages are exchanged (step 1).
        pub exchange: Lines<S>,
        /// The first bit time of step 1.
        pub exchange_decide: S,
        /// The iteration is the last: whom step 1 brings a message keeps it.
        pub is_last: S,
        /// Those of the list that even iterations read and odd ones fill.
        pub even_list: ListStrobes<S>,
        /// Those of the list that odd iterations read and even ones fill.
        pub odd_list: ListStrobes<S>,
        /// Those of the messages that wait for the packing.
        pub waiting: WaitingStrobes<S>,
        /// Of the number of messages at a node, the second bit is counted.
        pub count_of_two: S,
        /// The enumerator's strobes.
        pub enumerator: EnumeratorStrobes<S>,
        /// The header's strobes.
        pub header: HeaderStrobes<S>,
        /// The packer's strobes.
        pub packer: PackerStrobes<S>,
    }
}
