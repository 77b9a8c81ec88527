//! What the nodes of a sort are told, and how it follows from the step table.

use crate::language::bit::Strobe;
use crate::language::lines::Lines;
use crate::routers::reduced_hypercube::combiner::WordStrobes;
use crate::routers::reduced_hypercube::route::RouteStrobes;
use crate::routers::reduced_hypercube::steps::sequencer::{Now, Orders};
use crate::routers::reduced_hypercube::steps::slots::{Pair, Slots};
use crate::routers::reduced_hypercube::steps::sort::{Action, Sorting};
use crate::strobes;

strobes! {
    /// What the nodes are told.
    #[derive(Clone, Debug)]
    pub struct SortStrobes<S> {
        /// Where in a word this bit time is.
        pub word: WordStrobes<S>,
        /// Who sends to whom.
        pub route: RouteStrobes<S>,
        /// The slot of the lower end, or of the key that moves.
        pub first: Lines<S>,
        /// The slot of the upper end.
        pub second: Lines<S>,
        /// Each end keeps one of two keys.
        pub exchange: S,
        /// Receivers take the key.
        pub take: S,
        /// Two slots of a node are put into order.
        pub order: S,
        /// Towards sub-block 0, across this bit of its number.
        pub gather: Lines<S>,
        /// And back.
        pub scatter: Lines<S>,
        /// Descending where this address bit is 1.
        pub by_address: Lines<S>,
        /// Descending, because of the block.
        pub flip: S,
    }
}

/// Which slots a row of that class uses, and how.
type Class = (Slots, usize, Option<usize>);

fn class(orders: &Sorting) -> Class {
    (orders.slots, orders.keys, orders.by_block)
}

impl Orders for Sorting {
    type Broadcast<S: Strobe> = SortStrobes<S>;

    const SAYS: &'static str = "slots";

    fn says(&self, word: usize) -> String {
        let Pair { first, second } = self.slots.pair(self.keys, word);
        let both = matches!(self.action, Action::Exchange | Action::Order);
        match both && first != second {
            true => format!("{first}<->{second}"),
            false => first.to_string(),
        }
    }

    fn turn(&self) -> &'static str {
        match self.action {
            Action::Gather => "all->SB0",
            Action::Scatter => "SB0->all",
            _ => "",
        }
    }

    fn shifts(&self, number: usize, word: usize) -> bool {
        let Pair { first, second } = self.slots.pair(self.keys, word);
        // The slots that meet a wire are as far behind those of the turn as the highest bit of their block says.
        let highest = (number / self.keys).checked_ilog2();
        let in_turn = highest.is_some_and(|bit| number == first + (self.keys << bit));
        number == first
            || match self.action {
                Action::Exchange | Action::Order => number == second,
                Action::Gather | Action::Scatter => in_turn,
                Action::Move => false,
            }
    }

    fn broadcast<S: Strobe>(
        now: &Now<'_, S, Self>,
        network: (usize, usize),
        strobes: &mut SortStrobes<S>,
    ) {
        let on = now.running();
        let orders = now.table().rows.first().map(|row| row.orders);
        let (slots, keys) = orders.map_or((0, 1), |orders| (orders.slots_of_node, orders.keys));
        let is = |action: Action| on & now.any(|row| row.orders.action == action);
        let slot = |side: fn(Class, usize) -> usize, slot: usize| {
            now.any_in_words(|row| class(&row.orders), |of, word| side(of, word) == slot)
        };
        strobes.word.drive(now);
        strobes.route.drive(now, network);
        let first = |(slots, keys, _): Class, word: usize| slots.pair(keys, word).first;
        let second = |(slots, keys, _): Class, word: usize| slots.pair(keys, word).second;
        strobes
            .first
            .drive(on, 0..slots, |number| slot(first, number));
        strobes
            .second
            .drive(on, 0..slots, |number| slot(second, number));
        strobes.exchange = is(Action::Exchange);
        strobes.take = is(Action::Move);
        strobes.order = is(Action::Order);
        // In turn t those send whose lowest bits have room for it.
        let bits = (slots / keys).ilog2() as usize;
        let in_turn = |action: Action, bit: usize| {
            now.any(|row| {
                let Slots::Of { first: turn, .. } = row.orders.slots else {
                    return false;
                };
                row.orders.action == action && turn < 1 << bit
            })
        };
        (strobes.gather).drive(on, 0..bits, |bit| in_turn(Action::Gather, bit));
        (strobes.scatter).drive(on, 0..bits, |bit| in_turn(Action::Scatter, bit));
        strobes.by_address.drive(on, 0..network.1, |bit| {
            now.any(|row| row.orders.by_address == Some(bit))
        });
        strobes.flip = on
            & now.any_in_words(
                |row| class(&row.orders),
                |(slots, keys, by_block), word| {
                    let block = slots.pair(keys, word).first / keys;
                    by_block.is_some_and(|bit| block >> bit & 1 == 1)
                },
            );
    }
}
