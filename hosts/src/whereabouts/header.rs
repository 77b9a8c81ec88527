//! The header bits that go before a payload.
//!
//! ```text
//!   wire     valid  address bits  payload bits ........
//!   differ                        ^^^^^^^^^^^^^^^^^^^^^   shadow machines tell whose these are
//!   message  ^^^^^^^^^^^^^^^^^^^  and so whose those were
//! ```
//!
//! Header bits are the same in all shadow machines. But when the first of them goes, a message is as long as the schedule says
//! that it is at that time, and all of it has yet to go: so as many address bits go before its payload as are left then, and
//! before them, where there is one, a valid bit, which is 1. They go without a pause, driven by the same unit.

use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rustc_hash::FxHashMap;

use crate::whereabouts::carried::Carried;
use crate::whereabouts::{Location, Stay};

/// What was on wires in which no payload bits were.
#[derive(Debug)]
pub(super) struct Wires {
    links: usize,
    words: usize,
    /// By bit time and wire, the unit that drives it.
    units: Vec<Option<&'static str>>,
    /// By bit time, wire and word of nodes: their bits.
    bits: Vec<u64>,
    /// By node, its place among all places of all words.
    seat_of: Vec<usize>,
}

impl Wires {
    /// Those of a machine whose nodes have these places.
    pub fn new(machine: &dyn Lockstep, seats: &[usize]) -> Self {
        let mut seat_of = vec![0; machine.nodes()];
        for (seat, &node) in seats.iter().enumerate() {
            // Not every place has a node.
            if let Some(seat_of) = seat_of.get_mut(node) {
                *seat_of = seat;
            }
        }
        Wires {
            links: machine.topology().links(),
            words: machine.words(),
            units: Vec::new(),
            bits: Vec::new(),
            seat_of,
        }
    }

    /// One more bit time of the machine, between its two halves: what its nodes drive, wire after wire.
    pub fn note(&mut self, machine: &dyn Lockstep, driven: &[u64]) {
        let units = (0..self.links).map(|wire| machine.driver(wire));
        self.units.extend(units);
        self.bits.extend(driven);
    }

    fn at(&self, bit_time: u32, wire: u16) -> usize {
        bit_time as usize * self.links + usize::from(wire)
    }

    fn unit(&self, bit_time: u32, wire: u16) -> Option<&'static str> {
        *self.units.get(self.at(bit_time, wire))?
    }

    fn bit(&self, bit_time: u32, wire: u16, node: u32) -> bool {
        let seat = self.seat_of[node as usize];
        let words = &self.bits[self.at(bit_time, wire) * self.words..][..self.words];
        words[seat / 64] >> (seat % 64) & 1 == 1
    }
}

/// Bit times between bits of a message, where two take turns on a wire.
const TURNS: u32 = 2;

/// Has messages be on wires from their headers on.
pub(super) fn extend(
    stays: &mut Vec<Stay>,
    wires: &Wires,
    positions: &[Position],
    carried: &Carried<'_>,
) {
    let slot_of = slots(carried);
    let mut on_wire: FxHashMap<(u32, u16), Vec<usize>> = FxHashMap::default();
    for (number, stay) in stays.iter().enumerate() {
        if let Location::Wire(wire) = stay.location {
            on_wire.entry((stay.node, wire)).or_default().push(number);
        }
    }
    let mut headers = Vec::new();
    for ((_, wire), mut numbers) in on_wire {
        numbers.sort_unstable_by_key(|&number| stays[number].from);
        for (place, &number) in numbers.iter().enumerate() {
            let first = stays[number];
            // A bit at a time is on a wire, so those that end later began later: only the nearest are looked at.
            let others = || numbers[..place].iter().rev().map(|&other| stays[other]);
            let is_free = |bit_time: u32| {
                let mut there = others().take_while(|stay| bit_time < stay.to);
                !there.any(|stay| stay.from <= bit_time)
            };
            // A payload that comes bit by bit has its header before the first of them.
            let mut before = others().take_while(|other| first.from <= other.to + 1);
            let same = |other: Stay| other.message == first.message && other.to + 1 == first.from;
            if first.to - first.from == 1 && before.any(same) {
                continue;
            }
            let later = numbers[place + 1..].iter().map(|&next| stays[next]);
            let mut later = later.take_while(|next| next.from <= first.from + TURNS);
            let next = later.find(|next| next.message == first.message);
            let takes_turns = first.to - first.from == 1
                && next.is_some_and(|next| next.from == first.from + TURNS);
            let stride = if takes_turns { TURNS } else { 1 };
            let unit = wires.unit(first.from, wire);
            let slot = slot_of(first.message);
            let mut begins = first.from;
            for bits in 1.. {
                let Some(from) = first.from.checked_sub(bits * stride) else {
                    break;
                };
                let is_driven = unit.is_some() && wires.unit(from, wire) == unit;
                let address_bits = address_bits(carried, slot, positions, from);
                let is_valid = bits == address_bits + 1 && wires.bit(from, wire, first.node);
                if !is_driven || !is_free(from) || bits > address_bits && !is_valid {
                    break;
                }
                match stride {
                    1 => begins = from,
                    _ => headers.push(Stay {
                        from,
                        to: from + 1,
                        ..first
                    }),
                }
            }
            stays[number].from = begins;
        }
    }
    stays.append(&mut headers);
}

/// Bits of a message beside its payload that are left when a bit time begins.
fn address_bits(
    carried: &Carried<'_>,
    slot: Option<usize>,
    positions: &[Position],
    bit_time: u32,
) -> u32 {
    let after = bit_time
        .checked_sub(1)
        .and_then(|before| positions.get(before as usize).copied());
    let live = match slot {
        None => carried.device.live_bits_per_message(after),
        Some(slot) => carried.device.live_bits_of_slot(after, slot),
    };
    let payload_bits = carried.sent.first().map_or(0, |slot| slot.payload_bits());
    live.unwrap_or(0).saturating_sub(payload_bits as u32)
}

/// The slot of a message, where there are several.
fn slots(carried: &Carried<'_>) -> impl Fn(u32) -> Option<usize> {
    let mut ends = Vec::new();
    let mut end = 0;
    for slot in carried.sent {
        end += slot.messages().len();
        ends.push(end);
    }
    move |message| {
        let slot = ends.partition_point(|&end| end <= message as usize);
        (ends.len() > 1).then_some(slot)
    }
}
