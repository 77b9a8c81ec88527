//! One stage of the counting of schedule `radix4`: dimension `d`'s part of the enumeration of
//! message counts, and of the control of a packing without headers.
//!
//! ```text
//!                              to the neighbour (tx)
//!                               ^
//!   count in  ------------------+-->[ total adder  ]-->[total ]--> count out
//!   received  --+------------------>[              ]<-- carry in: 0 | c
//!               |
//!              (and)<-- own bit
//!               |
//!   place in -(xor)-->[ offset adder ]-(xor)-->[offset]--> place out
//!               |     [              ]<-- carry in: 0 | not own bit
//!            own bit, while packing
//! ```
//!
//! While it enumerates it is a scan stage ([`crate::parts::scan_stage`]): counts add up, and a node
//! whose own bit is 1 adds its neighbour's count to its offset.
//!
//! While it packs, `n` is the number of messages that a node holds, and `q` how many of its residue
//! class are held in earlier blocks: at first, its offset. The wire carries `n`. With `q_lo` the
//! place of the first message of the pair (`q` of the node whose own bit is 0; of the other, `q`
//! less the count that it receives), after the stage a node holds every second message of the pair:
//!
//! ```text
//!   n' = (n_lo + n_hi + c) / 2      c = 1 where the first of the pair is for this node:
//!   q' = (q_lo + 1 - own bit) / 2       q_lo mod 2 = own bit
//! ```
//!
//! The two adders do it: `q_lo + 1` where the own bit is 0; where it is 1, `q - n_lo` as the
//! complement of `~q + n_lo`. Halving costs nothing: a sum's bit `j` is taken as bit `j-1` one bit
//! time later. And `c`, which is the low bit of that sum, comes into the total adder as its first
//! carry.
//!
//! What the switch of this dimension has to know stays: whether messages 0, 2 cross or 1, 3
//! (`even_cross`), and how many messages of the low node this one will hold, `(n_lo + c) / 2`
//! (`share`).

use crate::language::bit::Bit;
use crate::parts::serial_adder::SerialAdder;
use crate::registers;

/// What passes from stage to stage, this bit of each.
#[derive(Clone, Copy, Debug)]
pub struct CountAndPlace<B> {
    /// How many messages.
    pub count: B,
    /// How many are before them.
    pub place: B,
}

/// What a stage hears in a bit time.
#[derive(Clone, Copy, Debug)]
pub struct CountStrobes<S> {
    /// The first bit of an enumeration.
    pub begins_enumerating: S,
    /// The first bit of a packing's control.
    pub begins_packing: S,
    /// The stage is controlling a packing.
    pub packing: S,
    /// The second bit of the counts of a packing.
    pub second_bit: S,
    /// The third.
    pub third_bit: S,
}

/// What the switch of this dimension does with its messages.
#[derive(Clone, Copy, Debug)]
pub struct Setting<B: Bit> {
    /// 1 where the messages 0 and 2 of the list cross, 0 where 1 and 3 do.
    pub even_cross: B,
    /// How many messages of the low node come first in the merged list: its low bit.
    pub share_0: B,
    /// Its high bit; a switch for two messages has none.
    pub share_1: Option<B>,
}
registers!(Setting {
    even_cross,
    share_0,
    share_1
});

/// One stage: two serial adders, a half adder, two pipeline registers and a setting.
#[derive(Clone, Debug)]
pub struct CountStage<B: Bit> {
    total_adder: SerialAdder<B>,
    offset_adder: SerialAdder<B>,
    share_carry: B,
    total: Option<B>,
    offset: B,
    setting: Setting<B>,
    /// The messages that the switch receives: for the meters, no register. The hardware forgets it.
    witness: Witness<B>,
}
registers!(CountStage {
    total_adder,
    offset_adder,
    share_carry: "carry of the low node's share",
    total,
    offset,
    setting;
    witness
});

/// The bits of a count as they pass by.
#[derive(Clone, Copy, Debug)]
struct Witness<B> {
    count: [B; 3],
    bit_times: usize,
}

/// What one bit time of the adders gives.
struct Sums<B> {
    total_carry: B,
    total: B,
    offset_carry: B,
    place_before: B,
    place: B,
    /// The place's low bit, while the first bit is added.
    low_place: B,
}

impl<B: Bit> CountStage<B> {
    /// A stage, all registers 0. The last of a row passes no count on; one before which nodes hold
    /// four messages may have to take two of the low node's.
    pub fn new(is_last: bool, takes_two: bool) -> Self {
        CountStage {
            total_adder: SerialAdder::new(),
            offset_adder: SerialAdder::new(),
            share_carry: B::ZERO,
            total: (!is_last).then_some(B::ZERO),
            offset: B::ZERO,
            setting: Setting {
                even_cross: B::ZERO,
                share_0: B::ZERO,
                share_1: takes_two.then_some(B::ZERO),
            },
            witness: Witness::new(),
        }
    }

    /// What the stage behind receives in this bit time.
    #[inline(always)]
    pub fn output(&self) -> CountAndPlace<B> {
        CountAndPlace {
            count: self.total.unwrap_or(B::ZERO),
            place: self.offset,
        }
    }

    /// What the switch does.
    #[inline(always)]
    pub fn setting(&self) -> Setting<B> {
        self.setting
    }

    /// How many messages a node holds before the stage, low bit first: for measurement, as no
    /// register remembers it.
    pub fn messages(&self) -> [B; 3] {
        self.witness.count
    }

    #[inline(always)]
    fn sums(
        &self,
        strobes: &CountStrobes<B::Strobe>,
        input: CountAndPlace<B>,
        own_address_bit: B,
        received: B,
    ) -> Sums<B> {
        let complements = B::gated(strobes.packing, || own_address_bit).named("complements");
        let place_before = (input.place ^ complements).named("place_in");
        let before = (own_address_bit & received).named("before");
        let first = |begins_packing: B, carry: B, what: &str| {
            let goes_on = B::gated(!strobes.begins_enumerating, || carry);
            let goes_on = goes_on.named(format_args!("{what}_carry_goes_on"));
            B::choose(strobes.begins_packing, || begins_packing, || goes_on)
        };
        let offset_carry = first(!own_address_bit, self.offset_adder.carry(), "offset");
        let offset_carry = offset_carry.named("offset_carry_in");
        let offset = B::within("offset", || {
            SerialAdder::sum_with(offset_carry, place_before, before)
        });
        let place = (offset ^ complements).named("place_out");
        // The low bit of the place, without the way through the adder.
        let low_place = (input.place ^ !own_address_bit).named("own_place_low") ^ before;
        let low_place = low_place.named("place_low");
        let total_carry = first(low_place, self.total_adder.carry(), "total");
        let total_carry = total_carry.named("total_carry_in");
        let total = B::within("total", || {
            SerialAdder::sum_with(total_carry, input.count, received)
        });
        Sums {
            total_carry,
            total,
            offset_carry,
            place_before,
            place,
            low_place,
        }
    }

    /// The bit of the count on its way into the register behind the stage.
    #[inline(always)]
    pub fn total(
        &self,
        strobes: &CountStrobes<B::Strobe>,
        input: CountAndPlace<B>,
        own_address_bit: B,
        received: B,
    ) -> B {
        self.sums(strobes, input, own_address_bit, received).total
    }

    /// Takes the sums into the pipeline registers, keeps the carries, and sets the switch.
    #[inline(always)]
    pub fn clock(
        &mut self,
        strobes: &CountStrobes<B::Strobe>,
        input: CountAndPlace<B>,
        own_address_bit: B,
        received: B,
    ) {
        let sums = self.sums(strobes, input, own_address_bit, received);
        let low = own_address_bit
            .mux(received, input.count)
            .named("low_count");
        let begins = strobes.begins_packing;
        let share_carry = B::choose(begins, || sums.low_place, || self.share_carry);
        let share_carry = share_carry.named("share_carry_in");
        let share = (low ^ share_carry).named("share");
        let before = (own_address_bit & received).named("before");

        B::within("total", || {
            self.total_adder
                .clock_with(sums.total_carry, input.count, received);
        });
        B::within("offset", || {
            self.offset_adder
                .clock_with(sums.offset_carry, sums.place_before, before);
        });
        if let Some(total) = &mut self.total {
            *total = sums.total;
        }
        self.offset = sums.place;
        B::when(strobes.packing, &mut self.share_carry, |carry| {
            *carry = (low & share_carry).named("share_carry_out");
        });
        B::when(begins, &mut self.setting, |setting| {
            setting.even_cross = (input.place ^ own_address_bit).named("even_cross");
            if let Some(share_1) = &mut setting.share_1 {
                *share_1 = B::ZERO;
            }
        });
        B::when(strobes.second_bit, &mut self.setting, |setting| {
            setting.share_0 = share;
        });
        B::when(strobes.third_bit, &mut self.setting, |setting| {
            if let Some(share_1) = &mut setting.share_1 {
                *share_1 = share;
            }
        });
    }

    /// The stage before it has passed on a bit of its count, the low one if it `begins`.
    #[inline(always)]
    pub fn witnesses(&mut self, begins: bool, count: B) {
        self.witness.sees(begins, count);
    }
}

impl<B: Bit> Witness<B> {
    fn new() -> Self {
        Witness {
            count: [B::ZERO; 3],
            bit_times: 0,
        }
    }

    fn visit(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for bit in &mut self.count {
            visitor(bit);
        }
    }

    fn sees(&mut self, begins: bool, count: B) {
        if begins {
            // A group of one dimension passes two bits: what the group before has left must not
            // count as a third.
            *self = Witness::new();
        }
        if let Some(bit) = self.count.get_mut(self.bit_times) {
            *bit = count;
        }
        self.bit_times += 1;
    }
}
