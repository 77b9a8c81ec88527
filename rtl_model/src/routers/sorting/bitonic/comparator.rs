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
