//! What passes from the sequencer of schedule `radix4` to all nodes.

use crate::language::lines::Lines;
use crate::routers::kuszmaul::radix4::count_row::CountRowStrobes;
use crate::routers::kuszmaul::radix4::greedy_end::GreedyEndStrobes;
use crate::routers::kuszmaul::radix4::list_row::ListRowStrobes;
use crate::routers::kuszmaul::radix4::pair_exchange::PairExchangeStrobes;
use crate::strobes;

strobes! {
    /// What the sequencer of schedule `radix4` broadcasts.
    #[derive(Clone, Debug)]
    pub struct Radix4Strobes<S> {
        /// Message buffers shift.
        pub shift: S,
        /// One-hot: a bit arrives, so far above the lowest position at which any does.
        pub arrive: Lines<S>,
        /// Who will have a message is known.
        pub valid: S,
        /// The exchange's strobes.
        pub exchange: PairExchangeStrobes<S>,
        /// The count row's strobes.
        pub counting: CountRowStrobes<S>,
        /// The list row's strobes.
        pub packing: ListRowStrobes<S>,
        /// The greedy end's strobes.
        pub greedy: GreedyEndStrobes<S>,
    }
}
