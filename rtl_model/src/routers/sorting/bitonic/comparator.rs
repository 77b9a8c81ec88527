//! The comparator: a compare-exchange of two messages that stream past, one dimension's stage of a
//! sorting network (Kuszmaul 1990, section VI: "a bitonic sort ... can be pipelined").
//!
//! ```text
//!   own bit ----+---------------------------------------------> tx
//!               +-------------------------> keep? --+
//!               |                            ^     (or)--> out
//!   rx ---------|--+----------------------> take? --+
//!               v  v                         ^
//!              (differ)-->[keeping][crossing]+    (set: undecided, both alike so far)
//!                   wants the higher --^
//! ```
//!
//! A key is a valid bit, then the destination from its most significant bit: a message sorts before
//! none, and among messages the first bit that differs decides. Until it comes, what leaves is the
//! same either way.
//!
//! ```text
//!   bit time   0       1 ..
//!   strobe     begin
//!   tx         valid   destination, payload: own, whatever stays
//!   out        valid   destination, payload: of the lower or of the higher
//! ```
//!
//! Both flip-flops are 0 where what leaves is no message. They are those of a switch stage, and
//! later serve as such ([`crate::parts::switch_stage`]): a sort is followed by a packing run
//! backwards.

use crate::language::bit::Bit;
use crate::parts::switch_stage::SwitchStage;
use crate::registers;

/// The comparator of one dimension.
#[derive(Clone, Debug)]
pub struct Comparator<B: Bit> {
    /// Its two flip-flops.
    pub switch: SwitchStage<B>,
}
registers!(Comparator { switch });

/// How a comparator stands once this bit time's bits are seen.
#[derive(Clone, Copy, Debug)]
pub struct Setting<B> {
    /// The neighbour's may be what leaves.
    pub crossing: B,
    /// The own may be what leaves.
    pub keeping: B,
}

impl<B: Bit> Comparator<B> {
    /// A comparator, its registers 0.
    pub fn new() -> Self {
        Comparator {
            switch: SwitchStage::new(false, false),
        }
    }

    /// The setting after this bit time; `own` and `received` are valid bits while `begin` is 1.
    #[inline(always)]
    pub fn setting(&self, begin: B::Strobe, own: B, received: B, wants_higher: B) -> Setting<B> {
        let (crossing, keeping) = (self.switch.crossing(), self.switch.keeping());
        let own_loses = (own ^ wants_higher).named("own_loses");
        let decides = || (crossing & keeping & (own ^ received)).named("decides");
        // Who wants the higher gets a message only where there are two.
        let takes = || received & (own | !wants_higher);
        let keeps = || own & (received | !wants_higher);
        let still_takes = || (crossing & !(decides() & !own_loses)).named("still_takes");
        let still_keeps = || (keeping & !(decides() & own_loses)).named("still_keeps");
        Setting {
            crossing: B::choose(begin, takes, still_takes).named("takes"),
            keeping: B::choose(begin, keeps, still_keeps).named("keeps"),
        }
    }

    /// What leaves in this bit time.
    #[inline(always)]
    pub fn output(setting: Setting<B>, own: B, received: B) -> B {
        ((setting.keeping & own) | (setting.crossing & received)).named("out")
    }
}

impl<B: Bit> Default for Comparator<B> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What two neighbours hold after a compare-exchange of `keys`, most significant bit first.
    fn exchange(keys: [u32; 2], width: usize, first_wants_higher: bool) -> [u32; 2] {
        let mut pair = [Comparator::<bool>::new(), Comparator::new()];
        let mut left = [0; 2];
        for place in (0..width).rev() {
            let bits = keys.map(|key| key >> place & 1 == 1);
            for (side, comparator) in pair.iter_mut().enumerate() {
                let (own, received) = (bits[side], bits[1 - side]);
                let wants_higher = first_wants_higher ^ (side == 1);
                let setting = comparator.setting(place == width - 1, own, received, wants_higher);
                let out = Comparator::output(setting, own, received);
                left[side] |= u32::from(out) << place;
                comparator.switch.set(setting.crossing, setting.keeping);
            }
        }
        for (side, comparator) in pair.iter().enumerate() {
            let is_message = left[side] >> (width - 1) == 1;
            assert_eq!(comparator.switch.engaged(), is_message);
        }
        left
    }

    #[test]
    fn every_pair_of_messages_is_put_in_order_and_none_comes_last() {
        const VALID: u32 = 1 << 5;
        for one in 0..2 * VALID {
            for two in 0..2 * VALID {
                let message = |key: u32| key & VALID != 0;
                let mut ordered: Vec<u32> =
                    [one, two].into_iter().filter(|&key| message(key)).collect();
                ordered.sort_unstable();
                ordered.resize(2, 0);
                assert_eq!(exchange([one, two], 6, false), ordered[..]);
                ordered.reverse();
                assert_eq!(exchange([one, two], 6, true), ordered[..]);
            }
        }
    }
}
