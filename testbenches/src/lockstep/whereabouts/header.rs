//! The header bits that go before a payload.
//!
//! ```text
//!   wire     valid  address bits  payload bits ........
//!   differ                        ^^^^^^^^^^^^^^^^^^^^^   shadow machines tell whose these are
//!   message  ^^^^^^^^^^^^^^^^^^^  and so whose those were
//! ```
//!
//! Header bits are the same in all shadow machines. But a message is as long as the schedule says that it is at this time, so
//! as many bits go before its payload as are left beside it; and they go without a pause, driven by the same unit.

use rtl_model::machine::router::Position;
use rustc_hash::FxHashMap;

use crate::lockstep::stimulus::Stimulus;
use crate::lockstep::whereabouts::{Place, Stay};

/// By bit time and wire, the unit that drives it.
#[derive(Debug, Default)]
pub(super) struct Drivers(Vec<Vec<Option<&'static str>>>);

impl Drivers {
    /// Of one more bit time.
    pub fn note(&mut self, units: impl Iterator<Item = Option<&'static str>>) {
        self.0.push(units.collect());
    }

    fn at(&self, bit_time: u32, wire: u16) -> Option<&'static str> {
        *self.0.get(bit_time as usize)?.get(usize::from(wire))?
    }
}

/// Bit times between bits of a message, where two take turns on a wire.
const TURNS: u32 = 2;

/// Has messages be on wires from their headers on.
pub(super) fn extend(
    stays: &mut Vec<Stay>,
    drivers: &Drivers,
    positions: &[Position],
    stimulus: &dyn Stimulus,
) {
    let slot_of = slots(stimulus);
    let mut on_wire: FxHashMap<(u32, u16), Vec<usize>> = FxHashMap::default();
    for (number, stay) in stays.iter().enumerate() {
        if let Place::Wire(wire) = stay.place {
            on_wire.entry((stay.node, wire)).or_default().push(number);
        }
    }
    let mut headers = Vec::new();
    for ((_, wire), mut numbers) in on_wire {
        numbers.sort_unstable_by_key(|&number| stays[number].from);
        let is_free = |bit_time: u32| {
            let there = numbers.iter().map(|&number| stays[number]);
            !there
                .take_while(|stay| stay.from <= bit_time)
                .any(|stay| bit_time < stay.to)
        };
        for (place, &number) in numbers.iter().enumerate() {
            let first = stays[number];
            let same = |other: &&usize| stays[**other].message == first.message;
            // A payload that comes bit by bit has its header before the first of them.
            let before = numbers[..place].iter().rev().find(same);
            if before.is_some_and(|&before| stays[before].to + TURNS > first.from) {
                continue;
            }
            let next = numbers[place + 1..].iter().find(same);
            let takes_turns = first.to - first.from == 1
                && next.is_some_and(|&next| stays[next].from == first.from + TURNS);
            let stride = if takes_turns { TURNS } else { 1 };
            let unit = drivers.at(first.from, wire);
            let mut left = header_bits(stimulus, slot_of(first.message), positions, first.from);
            let mut from = first.from;
            while left > 0
                && from >= stride
                && unit.is_some()
                && drivers.at(from - stride, wire) == unit
                && is_free(from - stride)
            {
                from -= stride;
                left -= 1;
                headers.push(Stay {
                    from,
                    to: from + 1,
                    ..first
                });
            }
        }
    }
    stays.append(&mut headers);
    join(stays);
}

/// Joins what follows upon each other.
fn join(stays: &mut Vec<Stay>) {
    stays.sort_unstable_by_key(|stay| (stay.message, stay.node, stay.place, stay.from));
    stays.dedup_by(|next, stay| {
        let goes_on = (next.message, next.node, next.place) == (stay.message, stay.node, stay.place)
            && next.from <= stay.to;
        if goes_on {
            stay.to = stay.to.max(next.to);
            stay.on_course |= next.on_course;
        }
        goes_on
    });
}

/// Bits of a message beside its payload that are left in a bit time.
fn header_bits(
    stimulus: &dyn Stimulus,
    slot: Option<usize>,
    positions: &[Position],
    bit_time: u32,
) -> u32 {
    let after = bit_time
        .checked_sub(1)
        .and_then(|before| positions.get(before as usize).copied());
    let device = stimulus.device();
    let live = match slot {
        None => device.live_bits_per_message(after),
        Some(slot) => device.live_bits_of_slot(after, slot),
    };
    let payload_bits = stimulus.sent().first().map_or(0, |slot| slot.payload_bits());
    live.unwrap_or(0).saturating_sub(payload_bits as u32)
}

/// The slot of a message, where there are several.
fn slots(stimulus: &dyn Stimulus) -> impl Fn(u32) -> Option<usize> {
    let mut ends = Vec::new();
    let mut end = 0;
    for slot in stimulus.sent() {
        end += slot.messages().len();
        ends.push(end);
    }
    move |message| {
        let slot = ends.partition_point(|&end| end <= message as usize);
        (ends.len() > 1).then_some(slot)
    }
}
