//! The greedy end of schedule `radix4`: behind two dimensions of a pair exchange, up to four
//! messages a node cross the last dimension, or the last two, and are at home.
//!
//! ```text
//!   list of messages --> [before_last]==two lanes==> list --> [last]--> the message at home
//! ```
//!
//! Nodes that differ only in their last `f` address bits send only to each other. So at a node two
//! messages at most cross the last dimension but one and two stay; on the last dimension one
//! crosses or stays. Where one dimension is left, two messages at most are here; where two are,
//! four. Lists stand in the switches of the packing
//! ([`crate::routers::kuszmaul::radix4::list_switch`]), which is over. Windows of the last
//! dimension but one, `c`, and of the last, `d`, from the beginning of the end:
//!
//! ```text
//!   c, of two:  who 5, 6    bits 7+2p, 8+2p       d:  who 9    bits 11+2p
//!   d, alone:   who 5       bits 7+2p
//! ```

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::registers;
use crate::routers::kuszmaul::radix4::greedy_switch::GreedySwitch;
use crate::routers::kuszmaul::radix4::list_row::ListRow;
use crate::strobes;

strobes! {
    /// What a greedy end hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct GreedyEndStrobes<S> {
        /// The switch of the last dimension but one notes who is there.
        pub arm_before_last: S,
        /// It decides who crosses.
        pub decide_before_last: S,
        /// It tells who crosses, in place of their bits.
        pub announce: S,
        /// Its wire carries the first lane.
        pub first_lane: S,
        /// Its wire carries the second.
        pub second_lane: S,
        /// The switch of the last dimension notes who is there.
        pub arm_last: S,
        /// It decides who crosses.
        pub decide_last: S,
        /// Its wire carries a bit of who crosses.
        pub last_lane: S,
    }
}

/// The switches of the last dimension, and of the one before it where there are two.
#[derive(Clone, Debug)]
pub struct GreedyEnd<B: Bit> {
    before_last: Option<GreedySwitch<B>>,
    last: GreedySwitch<B>,
}
registers!(GreedyEnd { before_last, last });

/// What the lists held before a clock edge.
#[derive(Clone, Copy, Debug)]
pub struct Before<B> {
    /// The list before the last switch but one.
    list: [B; 4],
    /// What was received with it.
    lane: B,
    /// The list before the last switch.
    last_list: [B; 4],
}

impl<B: Bit> GreedyEnd<B> {
    /// The lists of the dimensions `last - 1` and `last`.
    #[inline(always)]
    pub fn before(&self, lists: &ListRow<B>, last: usize) -> Before<B> {
        let (list, lane) = match &self.before_last {
            Some(_) => (lists.stage(last - 1).list(), lists.stage(last - 1).lane()),
            None => ([B::ZERO; 4], B::ZERO),
        };
        Before {
            list,
            lane,
            last_list: lists.stage(last).list(),
        }
    }

    /// For one dimension or for two.
    pub fn new(dimensions: usize) -> Self {
        GreedyEnd {
            before_last: (dimensions == 2).then(|| GreedySwitch::new(true)),
            last: GreedySwitch::new(dimensions == 2),
        }
    }

    /// Who is at the last switch, from where it was armed on.
    pub fn at_last(&self) -> [B; 4] {
        self.last.there()
    }

    /// Who is at the last switch but one, from where it was armed on; nobody, where there is none.
    pub fn at_before_last(&self) -> [B; 4] {
        let switch = self.before_last.as_ref();
        switch.map_or([B::ZERO; 4], GreedySwitch::there)
    }

    /// Items of the list before the last switch but one; all 1 while it tells who is there.
    #[inline(always)]
    fn items(strobes: &GreedyEndStrobes<B::Strobe>, list: [B; 4]) -> [B; 4] {
        let announces = B::from_strobe(strobes.announce);
        let mut place = 0;
        list.map(|item| {
            place += 1;
            (item | announces).named(format_args!("item_{}_or_1", place - 1))
        })
    }

    /// Drives the wires of the dimensions `last - 1` and `last`.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &GreedyEndStrobes<B::Strobe>,
        lists: &ListRow<B>,
        last: usize,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        if let Some(before_last) = &self.before_last {
            let dimension = last - 1;
            let list = lists.stage(dimension).list();
            wires.drive(dimension, "greedy_lane_0", strobes.first_lane, || {
                B::within(format_args!("greedy_{dimension}"), || {
                    B::choose(
                        strobes.decide_before_last,
                        || before_last.any_crosses(list, address[dimension]),
                        || before_last.crossing_two(Self::items(strobes, list))[0],
                    )
                    .named("sent_first")
                })
            });
            wires.drive(dimension, "greedy_lane_1", strobes.second_lane, || {
                B::within(format_args!("greedy_{dimension}"), || {
                    before_last.crossing_two(Self::items(strobes, list))[1]
                })
            });
        }
        wires.drive(last, "greedy", strobes.last_lane, || {
            let list = lists.stage(last).list();
            B::within(format_args!("greedy_{last}"), || {
                B::choose(
                    strobes.decide_last,
                    || self.last.any_crosses(list, address[last]),
                    || self.last.crossing_one(list),
                )
                .named("sent")
            })
        });
    }

    /// The bit of the message that is at home; while the last switch decides, whether there is one.
    #[inline(always)]
    pub fn delivered(
        &self,
        strobes: &GreedyEndStrobes<B::Strobe>,
        lists: &ListRow<B>,
        last: usize,
        address: &[B],
        received: &[B],
    ) -> B {
        B::gated(strobes.last_lane, || {
            let list = lists.stage(last).list();
            B::within(format_args!("greedy_{last}"), || {
                let stays = B::choose(
                    strobes.decide_last,
                    || self.last.any_stays(list, address[last]),
                    || self.last.keeping_one(list),
                );
                (stays | received[last]).named("arrives")
            })
        })
        .named("greedy_end_arrives")
    }

    /// One bit time, of the list between the two switches as well. `there` is who is there at
    /// first, `before` the row of lists as it was before this clock edge.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &GreedyEndStrobes<B::Strobe>,
        lists: &mut ListRow<B>,
        before: Before<B>,
        (last, there): (usize, [B; 4]),
        address: &[B],
        received: &[B],
    ) {
        let first = match &self.before_last {
            None => there,
            Some(_) => before.last_list,
        };
        B::within(format_args!("greedy_{last}"), || {
            B::when(strobes.decide_last, &mut self.last, |switch| {
                switch.decide(before.last_list, address[last]);
            });
            B::when(strobes.arm_last, &mut self.last, |switch| switch.arm(first));
        });
        let Some(switch) = &mut self.before_last else {
            return;
        };
        let dimension = last - 1;
        B::within(format_args!("greedy_{dimension}"), || {
            B::when(strobes.second_lane, lists, |lists| {
                let items = Self::items(strobes, before.list);
                let [first, second] = switch.keeping_two(items);
                let merged = [first, second, before.lane, received[dimension]];
                lists.stage_mut(last).load(merged);
            });
            B::when(strobes.first_lane, lists, |lists| {
                lists.stage_mut(dimension).receive(received[dimension]);
            });
            B::when(strobes.decide_before_last, &mut *switch, |switch| {
                switch.decide(before.list, address[dimension]);
            });
            B::when(strobes.arm_before_last, switch, |switch| switch.arm(there));
        });
    }
}
