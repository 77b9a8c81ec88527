//! One stage of a packing without headers: dimension `d`'s switch, through which a node's messages
//! pass side by side, this bit of each (schedule `radix4`).
//!
//! ```text
//!   list in                     first bit time                second bit time
//!   [item 0]--+                 tx: item 0 or 1               tx: item 2 or 3
//!   [item 1]--+--(even_cross)   rx: into [lane]               rx
//!   [item 2]--+                                  |             |
//!   [item 3]--+--> the two that stay ------------+--(merge)----+--> list out: at most four
//! ```
//!
//! A list holds messages with consecutive places and has its empty items at the end, all 0. Of a
//! pair of nodes those that are for this one are every second message: so of items 0, 1 one
//! crosses, of 2, 3 another, and the setting says which
//! ([`crate::routers::kuszmaul::radix4::count_stage`]). The merged list is closed up again: first
//! the messages that were the low node's, `share` of them, then the high node's.
//!
//! Where nodes hold two messages at most, items 0 and 1 and one bit time are enough. Setting the
//! next switch still takes two bit times, so bits wait for one more in items 2 and 3, and advance
//! from there.

use crate::language::bit::Bit;
use crate::registers;
use crate::routers::kuszmaul::radix4::count_stage::Setting;

/// A bit of each message of a list, of four messages or of two.
#[derive(Clone, Copy, Debug)]
pub struct Items<B: Bit> {
    item_0: B,
    item_1: B,
    item_2: Option<B>,
    item_3: Option<B>,
}
registers!(Items {
    item_0,
    item_1,
    item_2,
    item_3
});

impl<B: Bit> Items<B> {
    /// All 0.
    pub fn new(holds_four: bool) -> Self {
        let further = holds_four.then_some(B::ZERO);
        Items {
            item_0: B::ZERO,
            item_1: B::ZERO,
            item_2: further,
            item_3: further,
        }
    }

    /// The items, 0 where there is none.
    #[inline(always)]
    pub fn get(&self) -> [B; 4] {
        let [item_2, item_3] = [self.item_2, self.item_3].map(|item| item.unwrap_or(B::ZERO));
        [self.item_0, self.item_1, item_2, item_3]
    }

    /// Takes these items, as far as there is room.
    #[inline(always)]
    pub fn set(&mut self, [item_0, item_1, item_2, item_3]: [B; 4]) {
        (self.item_0, self.item_1) = (item_0, item_1);
        self.set_further([item_2, item_3]);
    }

    /// Takes items 2 and 3.
    #[inline(always)]
    fn set_further(&mut self, further: [B; 2]) {
        for (item, bit) in [&mut self.item_2, &mut self.item_3]
            .into_iter()
            .zip(further)
        {
            if let Some(item) = item {
                *item = bit;
            }
        }
    }
}

/// The switch of one dimension.
#[derive(Clone, Debug)]
pub struct ListSwitch<B: Bit> {
    list: Items<B>,
    lane: Option<B>,
}
registers!(ListSwitch {
    list: "this bit of the messages that are here",
    lane: "the first bit that was received",
});

impl<B: Bit> ListSwitch<B> {
    /// A switch, all registers 0, for a list of four messages or of two; one that ever takes two
    /// bit times remembers what it received in the first.
    pub fn new(holds_four: bool, has_lanes: bool) -> Self {
        ListSwitch {
            list: Items::new(holds_four),
            lane: has_lanes.then_some(B::ZERO),
        }
    }

    /// This bit of the messages that are here.
    #[inline(always)]
    pub fn list(&self) -> [B; 4] {
        self.list.get()
    }

    /// What was received in the first bit time.
    #[inline(always)]
    pub fn lane(&self) -> B {
        self.lane.unwrap_or(B::ZERO)
    }

    /// The bit on the wire in the first bit time.
    #[inline(always)]
    pub fn first_sent(&self, setting: Setting<B>) -> B {
        let [item_0, item_1, ..] = self.list();
        setting.even_cross.mux(item_0, item_1).named("first_sent")
    }

    /// The bit on the wire in the second.
    #[inline(always)]
    pub fn second_sent(&self, setting: Setting<B>) -> B {
        let [_, _, item_2, item_3] = self.list();
        setting.even_cross.mux(item_2, item_3).named("second_sent")
    }

    /// The list behind the stage, given what was received in each bit time; where there is one lane
    /// `only`, in this.
    #[inline(always)]
    pub fn merged(
        &self,
        only: B::Strobe,
        setting: Setting<B>,
        own_address_bit: B,
        over_wire: B,
    ) -> [B; 4] {
        let [item_0, item_1, item_2, item_3] = self.list();
        let first_kept = setting.even_cross.mux(item_1, item_0).named("first_kept");
        let second_kept = B::gated(!only, || {
            let kept = setting.even_cross.mux(item_3, item_2);
            kept.named("second_kept_of_two")
        });
        let kept = [first_kept, second_kept.named("second_kept")];
        let received = [
            B::choose(only, || over_wire, || self.lane()).named("received_first"),
            B::gated(!only, || over_wire).named("received_second"),
        ];
        let side = |lane: usize| {
            let low = own_address_bit.mux(received[lane], kept[lane]);
            let high = own_address_bit.mux(kept[lane], received[lane]);
            (
                low.named(format_args!("low_{lane}")),
                high.named(format_args!("high_{lane}")),
            )
        };
        let ((low_0, high_0), (low_1, high_1)) = (side(0), side(1));
        let (one, two) = (setting.share_0, setting.share_1.unwrap_or(B::ZERO));
        let some = (one | two).named("low_first");
        let list = [
            some.mux(low_0, high_0),
            (!some & high_1) | ((one & high_0) | (two & low_1)),
            (one & high_1) | (two & high_0),
            two & high_1,
        ];
        let mut item = 0;
        list.map(|bit| {
            item += 1;
            bit.named(format_args!("merged_{}", item - 1))
        })
    }

    /// Takes a list in.
    #[inline(always)]
    pub fn load(&mut self, list: [B; 4]) {
        self.list.set(list);
    }

    /// Takes in a list of two that has to wait.
    #[inline(always)]
    pub fn load_waiting(&mut self, [item_0, item_1, ..]: [B; 4]) {
        self.list.set_further([item_0, item_1]);
    }

    /// The list of two that waited is next.
    #[inline(always)]
    pub fn advance(&mut self) {
        let [_, _, item_2, item_3] = self.list();
        (self.list.item_0, self.list.item_1) = (item_2, item_3);
    }

    /// Remembers what was received in the first bit time.
    #[inline(always)]
    pub fn receive(&mut self, received: B) {
        if let Some(lane) = &mut self.lane {
            *lane = received;
        }
    }
}
