//! A switch of the greedy end of schedule `radix4`: messages whose address bit is not the node's
//! cross, and nobody is packed.
//!
//! ```text
//!   list in: item 0 .. 3 --(decide)-->[crossing 0 .. 3] --> the first that crosses, the second
//!                                  \->[keeping 0 .. 3 ] --> the first that stays, the second
//! ```
//!
//! Where two dimensions are left, four nodes' messages go to four nodes: at a node two at most
//! cross and two at most stay. Where one dimension is left, one at most crosses and one stays.

use crate::language::bit::Bit;
use crate::registers;
use crate::routers::kuszmaul::radix4::list_switch::Items;

/// Which messages of a list cross, and which stay.
#[derive(Clone, Debug)]
pub struct GreedySwitch<B: Bit> {
    crossing: Items<B>,
    keeping: Items<B>,
}
registers!(GreedySwitch {
    crossing,
    keeping: "once armed and before it decides: who is there",
});

/// 1 for the first of `flags` that is set, and 1 for the second.
#[inline(always)]
fn first_two<B: Bit>(flags: [B; 4], what: &str) -> ([B; 4], [B; 4]) {
    let (mut none, mut one) = (B::ONE, B::ZERO);
    let (mut first, mut second) = ([B::ZERO; 4], [B::ZERO; 4]);
    for (place, flag) in flags.into_iter().enumerate() {
        first[place] = (flag & none).named(format_args!("{what}_{place}_is_first"));
        second[place] = (flag & one).named(format_args!("{what}_{place}_is_second"));
        (none, one) = (
            (none & !flag).named(format_args!("{what}_none_to_{place}")),
            (flag.mux(none, one)).named(format_args!("{what}_one_to_{place}")),
        );
    }
    (first, second)
}

/// The one of `items` that a one-hot `choice` selects.
#[inline(always)]
fn select<B: Bit>(choice: [B; 4], items: [B; 4]) -> B {
    let [a, b, c, d] = std::array::from_fn(|place| choice[place] & items[place]);
    (a | b) | (c | d)
}

impl<B: Bit> GreedySwitch<B> {
    /// For a list of four messages or of two: nobody crosses, nobody stays.
    pub fn new(holds_four: bool) -> Self {
        GreedySwitch {
            crossing: Items::new(holds_four),
            keeping: Items::new(holds_four),
        }
    }

    /// Who is there, crossing or not.
    pub fn there(&self) -> [B; 4] {
        let (crossing, keeping) = (self.crossing.get(), self.keeping.get());
        std::array::from_fn(|place| crossing[place] | keeping[place])
    }

    /// Who crosses, by the address bits of those that are there.
    #[inline(always)]
    fn crosses(&self, address_bits: [B; 4], own_address_bit: B) -> [B; 4] {
        let there = self.keeping.get();
        std::array::from_fn(|place| {
            let differs = address_bits[place] ^ own_address_bit;
            (there[place] & differs.named(format_args!("differs_{place}")))
                .named(format_args!("crosses_{place}"))
        })
    }

    #[inline(always)]
    fn stays(&self, address_bits: [B; 4], own_address_bit: B) -> [B; 4] {
        let there = self.keeping.get();
        std::array::from_fn(|place| {
            let differs = address_bits[place] ^ own_address_bit;
            (there[place] & !differs.named(format_args!("differs_{place}")))
                .named(format_args!("stays_{place}"))
        })
    }

    /// While it decides: whether anybody crosses.
    #[inline(always)]
    pub fn any_crosses(&self, address_bits: [B; 4], own_address_bit: B) -> B {
        let [a, b, c, d] = self.crosses(address_bits, own_address_bit);
        ((a | b) | (c | d)).named("any_crosses")
    }

    /// While it decides: whether anybody stays.
    #[inline(always)]
    pub fn any_stays(&self, address_bits: [B; 4], own_address_bit: B) -> B {
        let [a, b, c, d] = self.stays(address_bits, own_address_bit);
        ((a | b) | (c | d)).named("any_stays")
    }

    /// The items of the first and of the second that cross.
    #[inline(always)]
    pub fn crossing_two(&self, items: [B; 4]) -> [B; 2] {
        let (first, second) = first_two(self.crossing.get(), "crossing");
        [
            select(first, items).named("first_crossing"),
            select(second, items).named("second_crossing"),
        ]
    }

    /// The items of the first and of the second that stay.
    #[inline(always)]
    pub fn keeping_two(&self, items: [B; 4]) -> [B; 2] {
        let (first, second) = first_two(self.keeping.get(), "keeping");
        [
            select(first, items).named("first_keeping"),
            select(second, items).named("second_keeping"),
        ]
    }

    /// The item of the only one that crosses.
    #[inline(always)]
    pub fn crossing_one(&self, items: [B; 4]) -> B {
        select(self.crossing.get(), items).named("crossing_item")
    }

    /// The item of the only one that stays.
    #[inline(always)]
    pub fn keeping_one(&self, items: [B; 4]) -> B {
        select(self.keeping.get(), items).named("keeping_item")
    }

    /// Notes who is there.
    #[inline(always)]
    pub fn arm(&mut self, there: [B; 4]) {
        self.keeping.set(there);
        self.crossing.set([B::ZERO; 4]);
    }

    /// Decides by the address bits.
    #[inline(always)]
    pub fn decide(&mut self, address_bits: [B; 4], own_address_bit: B) {
        let crosses = self.crosses(address_bits, own_address_bit);
        let stays = self.stays(address_bits, own_address_bit);
        self.crossing.set(crosses);
        self.keeping.set(stays);
    }
}
