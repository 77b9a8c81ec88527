//! A round-robin arbiter: of several requests it grants one, and whoever was granted last comes
//! last.
//!
//! ```text
//!   request ---&---> first one ----+
//!              |                   |--> grant (one-hot)
//!   after  ----+                   |
//!   request -------> first one ----+   while no request is after the last granted
//! ```
//!
//! `after[i]` is 1 where requester `i + 1` comes after the one that was granted last. At first all
//! are 0, as if the last one had been granted: requester 0 comes first. So a request that stays
//! waits for at most as many grants as there are other requesters.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::parts::word::Word;

/// One grant a requester, of `N` at the most; at most one of them 1.
pub type Grants<B, const N: usize> = ArrayVec<B, N>;

/// The arbiter.
#[derive(Clone, Debug)]
pub struct RoundRobin<B: Bit> {
    requesters: usize,
    after: Word<B>,
}

/// It is a register of its own, under the name that its holder gives it; none where there is
/// nothing to choose.
impl<B: Bit> Registers<B> for RoundRobin<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        self.after.visit(name, visitor);
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.after.visit_mut(visitor);
    }
}

impl<B: Bit> RoundRobin<B> {
    /// For so many requesters, of which there may be none.
    pub fn new(requesters: usize) -> Self {
        RoundRobin {
            requesters,
            after: Word::new(requesters.saturating_sub(1), B::ZERO),
        }
    }

    /// Combinational: the grants, where `enable` is 1. Of more than `N` requesters it panics.
    #[inline]
    pub fn grants<const N: usize>(&self, enable: B, request: impl Fn(usize) -> B) -> Grants<B, N> {
        let requests: Grants<B, N> = (0..self.requesters)
            .map(|place| (enable & request(place)).named(format_args!("request_{place}")))
            .collect();
        let after: Grants<B, N> = requests
            .iter()
            .enumerate()
            .map(|(place, &request)| match place {
                0 => B::ZERO,
                _ => (request & self.after[place - 1]).named(format_args!("in_turn_{place}")),
            })
            .collect();
        let (mut after_up_to, mut up_to) = (after.clone(), requests.clone());
        any_up_to("in_turn", &mut after_up_to);
        any_up_to("requested", &mut up_to);
        let some_after = before(&after_up_to, self.requesters);
        (0..self.requesters)
            .map(|place| {
                let first_after = after[place] & !before(&after_up_to, place);
                // Nobody after the last one asks: the first of all.
                let first = requests[place] & !before(&up_to, place);
                (first_after | first & !some_after).named(format_args!("grant_{place}"))
            })
            .collect()
    }

    /// The clock edge: what was granted.
    #[inline]
    pub fn clock<const N: usize>(&mut self, grants: &[B]) {
        let mut up_to: Grants<B, N> = grants.iter().copied().collect();
        any_up_to("granted", &mut up_to);
        let any = before(&up_to, grants.len());
        for place in 1..grants.len() {
            self.after[place - 1] = any.mux(before(&up_to, place), self.after[place - 1]);
        }
    }
}

/// Of several bits that are 1, the first alone.
#[inline]
pub fn firsts<B: Bit, const N: usize>(bits: &Grants<B, N>) -> Grants<B, N> {
    let mut up_to = bits.clone();
    any_up_to("some", &mut up_to);
    let bits = bits.iter().enumerate();
    bits.map(|(place, &bit)| bit & !before(&up_to, place))
        .collect()
}

/// Makes each bit whether it or one of those before it is 1: where it is written down, by doubling steps, so that no path is
/// long. The bits are called `name`.
#[inline]
fn any_up_to<B: Bit>(name: &'static str, bits: &mut [B]) {
    if !B::WRITES_LOGIC {
        for place in 1..bits.len() {
            bits[place] = bits[place] | bits[place - 1];
        }
    }
    let mut step = 1;
    while B::WRITES_LOGIC && step < bits.len() {
        for place in (step..bits.len()).rev() {
            let bit = bits[place] | bits[place - step];
            let first = (place + 1).saturating_sub(2 * step);
            bits[place] = bit.named(format_args!("{name}_{first}_to_{place}"));
        }
        step *= 2;
    }
}

/// Whether one of those before a place is 1, of what [`any_up_to`] has made; before the place after the last one: any.
#[inline]
fn before<B: Bit>(up_to: &[B], place: usize) -> B {
    place.checked_sub(1).map_or(B::ZERO, |last| up_to[last])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every state, every set of requests.
    #[test]
    fn the_next_one_in_turn_is_granted() {
        for requesters in 1..=5 {
            for last in 0..requesters {
                for requests in 0..1u32 << requesters {
                    let mut arbiter = RoundRobin::<bool>::new(requesters);
                    let only_last: Vec<bool> = (0..requesters).map(|place| place == last).collect();
                    arbiter.clock::<8>(&only_last);
                    let asks = |place: usize| requests >> place & 1 == 1;
                    let turn = (1..=requesters).map(|step| (last + step) % requesters);
                    let expected = turn.clone().find(|&place| asks(place));

                    assert!(!arbiter.grants::<8>(false, asks).contains(&true));
                    let grants = arbiter.grants::<8>(true, asks);
                    let granted: Vec<usize> =
                        (0..requesters).filter(|&place| grants[place]).collect();
                    assert_eq!(granted, Vec::from_iter(expected));

                    arbiter.clock::<8>(&grants);
                    let now_last = expected.unwrap_or(last);
                    let next = arbiter.grants::<8>(true, |_| true);
                    assert!(next[(now_last + 1) % requesters]);
                }
            }
        }
    }

    #[test]
    fn the_first_grant_goes_to_the_first_requester() {
        assert_eq!(
            RoundRobin::<bool>::new(3).grants::<8>(true, |_| true)[..],
            [true, false, false]
        );
        assert!(
            RoundRobin::<bool>::new(0)
                .grants::<8>(true, |_| true)
                .is_empty()
        );
    }
}
