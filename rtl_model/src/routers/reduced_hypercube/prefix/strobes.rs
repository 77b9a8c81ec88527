//! What the nodes of a prefix operation are told.

use crate::language::bit::Strobe;
use crate::routers::reduced_hypercube::combiner::WordStrobes;
use crate::routers::reduced_hypercube::route::RouteStrobes;
use crate::routers::reduced_hypercube::steps::prefix::{Prefixing, Word};
use crate::routers::reduced_hypercube::steps::sequencer::{Now, Orders};
use crate::strobes;

strobes! {
    /// What the nodes are told.
    #[derive(Clone, Debug)]
    pub struct PrefixStrobes<S> {
        /// Where in a word this bit time is.
        pub word: WordStrobes<S>,
        /// Who sends to whom.
        pub route: RouteStrobes<S>,
        /// The result is sent.
        pub send_result: S,
        /// What precedes is sent.
        pub send_preceding: S,
        /// Receivers combine their message with what comes.
        pub exchange: S,
        /// Receivers keep what comes as their message.
        pub take_message: S,
        /// Receivers keep what comes as what precedes them.
        pub take_preceding: S,
        /// Receivers put what comes before what precedes them.
        pub precede: S,
        /// Receivers combine their share of what precedes with what comes.
        pub share: S,
        /// Receivers put what comes before their results.
        pub add: S,
        /// All put what their share becomes before their results.
        pub add_share: S,
        /// Only receivers with a one in the crossed bit precede and add.
        pub upper_only: S,
    }
}

impl Orders for Prefixing {
    type Broadcast<S: Strobe> = PrefixStrobes<S>;

    const SAYS: &'static str = "sent";

    fn says(&self, word: usize) -> String {
        match self.sent[word] {
            Word::Result => "result",
            Word::Message => "message",
            Word::Preceding => "preceding",
        }
        .to_owned()
    }

    fn broadcast<S: Strobe>(
        now: &Now<'_, S, Self>,
        network: (usize, usize),
        strobes: &mut PrefixStrobes<S>,
    ) {
        let on = now.running();
        let any = |is_so: &dyn Fn(&Prefixing) -> bool| on & now.any(|row| is_so(&row.orders));
        let sends = |word: Word, is_so: &dyn Fn(&Prefixing) -> bool| {
            on & now.any_in_words(
                |row| (row.words, row.orders.sent, is_so(&row.orders)),
                |(_, sent, is_so), number| is_so && sent[number] == word,
            )
        };
        strobes.word.drive(now);
        strobes.route.drive(now, network);
        strobes.send_result = sends(Word::Result, &|_| true);
        strobes.send_preceding = sends(Word::Preceding, &|_| true);
        strobes.exchange = any(&|orders| orders.exchange);
        strobes.take_message = sends(Word::Message, &|orders| orders.take)
            | sends(Word::Result, &|orders| orders.take);
        strobes.take_preceding = sends(Word::Preceding, &|orders| orders.take);
        strobes.precede = any(&|orders| orders.precede);
        strobes.share = any(&|orders| orders.share);
        strobes.add = any(&|orders| orders.add);
        strobes.add_share = any(&|orders| orders.add_share);
        strobes.upper_only = any(&|orders| orders.upper_only);
    }
}
