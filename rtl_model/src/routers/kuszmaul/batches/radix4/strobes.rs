//! What passes from the sequencer to the stages of schedule `radix4`.

use crate::routers::kuszmaul::radix4::count_row::CountRowStrobes;
use crate::routers::kuszmaul::radix4::greedy_end::GreedyEndStrobes;
use crate::routers::kuszmaul::radix4::list_row::ListRowStrobes;
use crate::routers::kuszmaul::radix4::pair_exchange::PairExchangeStrobes;
use crate::strobes;

strobes! {
    /// What a stage hears from the sequencer: one of the last two parts.
    #[derive(Clone, Debug)]
    pub struct Radix4StageStrobes<S> {
        /// The exchange's strobes.
        pub exchange: PairExchangeStrobes<S>,
        /// Those of the rows, in a stage of two dimensions.
        pub pair: PairStageStrobes<S>,
        /// Those of the switches, in the greedy end.
        pub end: EndStageStrobes<S>,
    }
}

strobes! {
    /// What the rows of a stage of two dimensions hear from the sequencer.
    #[derive(Clone, Debug)]
    pub struct PairStageStrobes<S> {
        /// A message bit begins to wait, or goes on.
        pub wait_shift: S,
        /// Whether a message arrives is known.
        pub arrives: S,
        /// The count row's strobes.
        pub counting: CountRowStrobes<S>,
        /// The list row's strobes.
        pub packing: ListRowStrobes<S>,
    }
}

strobes! {
    /// What the switches behind the exchange hear from the sequencer.
    #[derive(Clone, Debug)]
    pub struct EndStageStrobes<S> {
        /// A bit of all messages that are here enters the first list.
        pub load: S,
        /// The switches' strobes.
        pub switches: GreedyEndStrobes<S>,
    }
}
