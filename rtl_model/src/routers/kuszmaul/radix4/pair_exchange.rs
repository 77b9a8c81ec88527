//! The exchange of schedule `radix4`: messages cross both dimensions of a group, `a` and `b`, at
//! once, each where it has to; or the one dimension of a group that has only one.
//!
//! ```text
//!   wire a:  [valid of what crosses a] [its bit b] ......... [bit] [   ] [bit] [   ] ..
//!   wire b:                            [valid K  ] [valid R] [ K ] [ R ] [ K ] [ R ] ..
//!            decide                    decide_kept decide_received
//!                                      K: kept over a, R: received over a
//!
//!   kept over a, kept over b ------------>[ 1 ]\
//!   received over a, kept over b -------->[ 2 ] \--> gathered: those that are there first
//!   kept over a by the neighbour over b ->[ 3 ] /
//!   received by it over a --------------->[ 4 ]/
//! ```
//!
//! One message of a node goes over wire `a`, so two may go over wire `b`, in turns. Four may come
//! together. The first dimension is exchanged as in Algorithm 2 ([`crate::parts::exchange`]).

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::parts::exchange::Exchange;
use crate::registers;
use crate::strobes;

strobes! {
    /// What a pair exchange hears from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct PairExchangeStrobes<S> {
        /// One-hot: the dimension that is crossed first, while its wire is in use.
        pub first: Lines<S>,
        /// One-hot: the dimension that is crossed second, while its wire is in use.
        pub second: Lines<S>,
        /// The first bit time: who crosses the first dimension.
        pub decide: S,
        /// The second: who of those that were kept crosses the second dimension.
        pub decide_kept: S,
        /// The third: who of those that were received does.
        pub decide_received: S,
        /// What comes over the wires waits for the second wire, or for the messages that use it.
        pub latch: S,
        /// A bit of the message that was kept goes over the second wire.
        pub send_kept: S,
        /// A bit of the message that was received does.
        pub send_received: S,
        /// The group has one dimension.
        pub lone: S,
    }
}

/// The decisions, and bits that wait for the second wire.
#[derive(Clone, Debug)]
pub struct PairExchange<B: Bit> {
    first: Exchange<B>,
    second: Option<Second<B>>,
}
registers!(PairExchange {
    first: "over the first dimension",
    second: "over the second",
});

/// What crossing the second dimension takes.
#[derive(Clone, Debug)]
struct Second<B: Bit> {
    received: B,
    address_bit: B,
    kept_crosses: B,
    received_crosses: B,
    received_bit: B,
    came: Option<Came<B>>,
}
registers!(Second {
    received: "a message came over the first dimension",
    address_bit: "its address bit of the second",
    kept_crosses,
    received_crosses,
    received_bit: "its bit of this pair of bit times",
    came,
});

/// What comes over the second dimension, and how many messages there are now.
#[derive(Clone, Debug)]
struct Came<B: Bit> {
    kept: B,
    received: B,
    kept_bit: B,
    count_0: B,
    count_1: B,
    count_2: Option<B>,
}
registers!(Came {
    kept: "a message came that its sender had kept over the first dimension",
    received: "a message came that its sender had received over the first",
    kept_bit,
    count_0: "messages here, lowest bit",
    count_1,
    count_2,
});

/// The number of `flags` that are set, low bit first.
#[inline(always)]
fn count<B: Bit>([a, b, c, d]: [B; 4]) -> [B; 3] {
    let half = (a ^ b).named("count_half");
    let sum = (half ^ c).named("count_of_three");
    let twos = ((a & b) | (half & c)).named("count_twos");
    let carry = (sum & d).named("count_carry");
    [
        (sum ^ d).named("count_0_in"),
        (twos ^ carry).named("count_1_in"),
        (twos & carry).named("count_2_in"),
    ]
}

impl<B: Bit> PairExchange<B> {
    /// An exchange of one dimension alone, of two, or of two behind which lists of so many messages
    /// are made.
    pub fn new(dimensions: usize, list: Option<usize>) -> Self {
        PairExchange {
            first: Exchange::new(),
            second: (dimensions > 1).then(|| Second {
                received: B::ZERO,
                address_bit: B::ZERO,
                kept_crosses: B::ZERO,
                received_crosses: B::ZERO,
                received_bit: B::ZERO,
                came: list.map(|list| Came {
                    kept: B::ZERO,
                    received: B::ZERO,
                    kept_bit: B::ZERO,
                    count_0: B::ZERO,
                    count_1: B::ZERO,
                    count_2: (list > 2).then_some(B::ZERO),
                }),
            }),
        }
    }

    /// The exchange of the first dimension.
    pub fn first(&self) -> &Exchange<B> {
        &self.first
    }

    /// 1 where a message came over the first dimension.
    pub fn received(&self) -> B {
        (self.second.as_ref()).map_or(B::ZERO, |second| second.received)
    }

    /// The number of messages here, low bit first.
    #[inline(always)]
    pub fn count(&self) -> [B; 3] {
        match self.second.as_ref().and_then(|second| second.came.as_ref()) {
            Some(came) => [came.count_0, came.count_1, came.count_2.unwrap_or(B::ZERO)],
            None => [B::ZERO; 3],
        }
    }

    /// Which items of a list of them are there: as many as there are messages, from the first on.
    #[inline(always)]
    pub fn there(&self) -> [B; 4] {
        let [ones, twos, four] = self.count();
        [
            (ones | twos | four).named("at_least_one"),
            (twos | four).named("at_least_two"),
            ((ones & twos) | four).named("at_least_three"),
            four,
        ]
    }

    /// Where messages came together: one that stayed, one that came over the first dimension, and
    /// two over the second.
    #[inline(always)]
    pub fn places(&self) -> [B; 4] {
        let staying = self.first.staying();
        match &self.second {
            None => [staying, B::ZERO, B::ZERO, B::ZERO],
            Some(second) => {
                let (kept, received) = match &second.came {
                    Some(came) => (came.kept, came.received),
                    None => (B::ZERO, B::ZERO),
                };
                [
                    (staying & !second.kept_crosses).named("kept_stays"),
                    (second.received & !second.received_crosses).named("received_stays"),
                    kept,
                    received,
                ]
            }
        }
    }

    #[inline(always)]
    fn crosses(there: B, address_bit: B, own_address_bit: B) -> B {
        there & (address_bit ^ own_address_bit).named("address_differs")
    }

    /// Drives the two wires. `ahead` is the bit of the message that goes over the first, `bit` the
    /// one that is for the second.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &PairExchangeStrobes<B::Strobe>,
        valid: B,
        (ahead, bit): (B, B),
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        self.first.transmit(
            &strobes.first,
            strobes.decide,
            (valid, ahead),
            address,
            wires,
        );
        let Some(second) = &self.second else {
            return;
        };
        for (dimension, strobe) in strobes.second.iter() {
            wires.drive(dimension, "exchange", strobe, || {
                let own = address[dimension];
                B::within(format_args!("exchange_{dimension}_second"), || {
                    let kept = B::gated(strobes.decide_kept, || {
                        Self::crosses(self.first.staying(), bit, own).named("kept_crosses")
                    });
                    let received = B::gated(strobes.decide_received, || {
                        Self::crosses(second.received, second.address_bit, own)
                            .named("received_crosses")
                    });
                    let kept_bit = B::gated(strobes.send_kept, || {
                        (second.kept_crosses & bit).named("kept_bit")
                    });
                    let received_bit = B::gated(strobes.send_received, || {
                        (second.received_crosses & second.received_bit).named("received_bit")
                    });
                    let decides = (kept | received).named("decides");
                    (decides | (kept_bit | received_bit).named("streams")).named("sent")
                })
            });
        }
    }

    /// This bit of all messages that are here, closed up.
    #[inline(always)]
    pub fn gathered(
        &self,
        strobes: &PairExchangeStrobes<B::Strobe>,
        bit: B,
        received: &[B],
    ) -> [B; 4] {
        let over_first = || strobes.first.select(|dimension| received[dimension]);
        let over_second = strobes.second.select(|dimension| received[dimension]);
        let (received_bit, kept_bit) = match &self.second {
            Some(Second {
                received_bit,
                came: Some(came),
                ..
            }) => (*received_bit, came.kept_bit),
            _ => (B::ZERO, B::ZERO),
        };
        let received_bit = B::choose(strobes.lone, over_first, || received_bit);
        let bits = [
            bit,
            received_bit.named("gathered_received"),
            kept_bit,
            over_second.named("gathered_over_second"),
        ];
        let mut list = [B::ZERO; 4];
        // One-hot: so many messages so far.
        let mut so_far = [B::ONE, B::ZERO, B::ZERO, B::ZERO];
        for (place, there) in self.places().into_iter().enumerate() {
            for (item, so_many) in list.iter_mut().zip(so_far) {
                let chosen = (there & so_many).named(format_args!("place_{place}_enters"));
                *item = *item | (chosen & bits[place]);
            }
            let mut fewer = B::ZERO;
            for so_many in &mut so_far {
                let now = there.mux(fewer, *so_many);
                fewer = std::mem::replace(so_many, now.named(format_args!("so_far_{place}")));
            }
        }
        let mut item = 0;
        list.map(|bit| {
            item += 1;
            bit.named(format_args!("gathered_{}", item - 1))
        })
    }

    /// Where there is nothing else than two dimensions: this bit of the message that arrives.
    #[inline(always)]
    pub fn arriving(&self, strobes: &PairExchangeStrobes<B::Strobe>, bit: B, received: &[B]) -> B {
        let Some(second) = &self.second else {
            let over_first = strobes.first.select(|dimension| received[dimension]);
            return ((self.first.staying() & bit) | over_first).named("arriving");
        };
        let over_second = strobes.second.select(|dimension| received[dimension]);
        let [kept, came, ..] = self.places();
        ((kept & bit) | (came & second.received_bit) | over_second).named("arriving")
    }

    /// There: whether a message arrives, in each bit time of the decisions, given what was known
    /// before.
    #[inline(always)]
    pub fn arrives(
        &self,
        strobes: &PairExchangeStrobes<B::Strobe>,
        (valid, bit): (B, B),
        address: &[B],
        received: &[B],
    ) -> B {
        let Some(second) = &self.second else {
            let own = strobes.first.select(|dimension| address[dimension]);
            let own = own.named("own_first");
            let over_first = strobes.first.select(|dimension| received[dimension]);
            return (Exchange::stays(valid, bit, own) | over_first).named("arrives");
        };
        let own = strobes.second.select(|dimension| address[dimension]);
        let over_second = strobes.second.select(|dimension| received[dimension]);
        let stays = B::choose(
            strobes.decide_kept,
            || (self.first.staying() & !(bit ^ own).named("kept_differs")).named("kept_is_home"),
            || {
                let differs = (second.address_bit ^ own).named("received_differs");
                valid | (second.received & !differs).named("received_is_home")
            },
        );
        (stays.named("one_stays") | over_second).named("arrives")
    }

    /// One bit time.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &PairExchangeStrobes<B::Strobe>,
        (valid, bit): (B, B),
        address: &[B],
        received: &[B],
    ) {
        // What the registers hold before this clock edge.
        let own = |lines: &Lines<B::Strobe>| lines.select(|dimension| address[dimension]);
        let over = |lines: &Lines<B::Strobe>| lines.select(|dimension| received[dimension]);
        let own_first = own(&strobes.first).named("own_first");
        let over_first = over(&strobes.first).named("over_first");
        let over_second = over(&strobes.second).named("over_second");
        let stays = Exchange::stays(valid, bit, own_first);
        let staying = self.first.staying();

        B::when(strobes.decide, &mut self.first, |first| {
            first.decide(valid, bit, own_first);
        });
        let Some(second) = &mut self.second else {
            return;
        };
        let own_second = own(&strobes.second).named("own_second");
        let kept_crosses = Self::crosses(staying, bit, own_second).named("kept_crosses_in");
        let received_crosses = Self::crosses(second.received, second.address_bit, own_second)
            .named("received_crosses_in");
        let stay = [
            staying & !second.kept_crosses,
            (second.received & !received_crosses).named("received_stays_in"),
        ];
        let came_kept = second.came.as_ref().map_or(B::ZERO, |came| came.kept);
        B::when(strobes.decide, second, |second| {
            second.received = over_first;
            second.kept_crosses = B::ZERO;
            second.received_crosses = B::ZERO;
            if let Some(came) = &mut second.came {
                came.kept = B::ZERO;
                came.received = B::ZERO;
                came.set_count([stays ^ over_first, stays & over_first, B::ZERO]);
            }
        });
        B::when(strobes.decide_kept, second, |second| {
            second.address_bit = over_first;
            second.kept_crosses = kept_crosses;
            if let Some(came) = &mut second.came {
                came.kept = over_second;
            }
        });
        B::when(strobes.decide_received, second, |second| {
            second.received_crosses = received_crosses;
            if let Some(came) = &mut second.came {
                came.received = over_second;
                came.set_count(count([stay[0], stay[1], came_kept, over_second]));
            }
        });
        B::when(strobes.latch, second, |second| {
            second.received_bit = over_first;
            if let Some(came) = &mut second.came {
                came.kept_bit = over_second;
            }
        });
    }
}

impl<B: Bit> Came<B> {
    #[inline(always)]
    fn set_count(&mut self, [ones, twos, four]: [B; 3]) {
        (self.count_0, self.count_1) = (ones, twos);
        if let Some(count_2) = &mut self.count_2 {
            *count_2 = four;
        }
    }
}
