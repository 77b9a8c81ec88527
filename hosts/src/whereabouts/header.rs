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

use rayon::prelude::*;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;

use crate::whereabouts::by_owner::ByOwner;
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
    let address_bits = address_bits(carried, positions);
    let on_wires = (0..)
        .zip(&*stays)
        .filter_map(|(number, stay): (u32, &Stay)| match stay.location {
            Location::Wire(wire) => {
                let wire_of_all = stay.node as usize * wires.links + usize::from(wire);
                Some((wire_of_all, number))
            }
            Location::Module(_) => None,
        });
    let mut on_wires = ByOwner::of(on_wires, wires.seat_of.len() * wires.links);
    on_wires.sort_by_key(|&number| (stays[number as usize].from, number));
    // One wire after the other, on all threads.
    let on_wire = on_wires.each().filter(|numbers| !numbers.is_empty());
    let on_wire = on_wire.collect::<Vec<_>>().into_par_iter();
    let headers = on_wire.flat_map_iter(|numbers| {
        let mut there: Vec<Stay> = (numbers.iter().map(|&number| stays[number as usize])).collect();
        let mut headers = Vec::new();
        for place in 0..there.len() {
            let address_bits = &address_bits[slot_of(there[place].message)];
            if let Some(header) = header(&there, place, wires, address_bits) {
                headers.push((numbers[place] as usize, header));
                if let Header::Whole(from) = header {
                    there[place].from = from;
                }
            }
        }
        headers
    });
    let headers: Vec<(usize, Header)> = headers.collect();
    for (number, header) in headers {
        let first = stays[number];
        match header {
            Header::Whole(from) => stays[number].from = from,
            Header::Turns(from) => {
                let bits = (from..first.from).step_by(TURNS as usize);
                stays.extend(bits.map(|from| Stay {
                    from,
                    to: from + 1,
                    ..first
                }));
            }
        }
    }
}

/// From when on the bits of a header are on a wire.
#[derive(Clone, Copy)]
enum Header {
    /// Without a pause.
    Whole(u32),
    /// By turns with those of another message.
    Turns(u32),
}

/// The header that goes before the stay at this place of all those on a wire, which are in order of time; nothing, where none does.
/// So many address bits are left in each bit time.
fn header(there: &[Stay], place: usize, wires: &Wires, address_bits: &[u32]) -> Option<Header> {
    let first = there[place];
    let Location::Wire(wire) = first.location else {
        return None;
    };
    // A bit at a time is on a wire, so those that end later began later: only the nearest are looked at.
    let others = || there[..place].iter().rev();
    let is_free = |bit_time: u32| {
        let mut there = others().take_while(|stay| bit_time < stay.to);
        !there.any(|stay| stay.from <= bit_time)
    };
    // A payload that comes bit by bit has its header before the first of them.
    let mut before = others().take_while(|other| first.from <= other.to + 1);
    let same = |other: &Stay| other.message == first.message && other.to + 1 == first.from;
    if first.to - first.from == 1 && before.any(same) {
        return None;
    }
    let mut later = there[place + 1..]
        .iter()
        .take_while(|next| next.from <= first.from + TURNS);
    let next = later.find(|next| next.message == first.message);
    let takes_turns =
        first.to - first.from == 1 && next.is_some_and(|next| next.from == first.from + TURNS);
    let stride = if takes_turns { TURNS } else { 1 };
    let unit = wires.unit(first.from, wire);
    let mut begins = first.from;
    for bits in 1.. {
        let Some(from) = first.from.checked_sub(bits * stride) else {
            break;
        };
        let address_bits = address_bits[from as usize];
        let is_driven = unit.is_some() && wires.unit(from, wire) == unit;
        let is_valid = bits == address_bits + 1 && wires.bit(from, wire, first.node);
        if !is_driven || !is_free(from) || bits > address_bits && !is_valid {
            break;
        }
        begins = from;
    }
    let header = if takes_turns {
        Header::Turns
    } else {
        Header::Whole
    };
    (begins < first.from).then(|| header(begins))
}

/// By slot and bit time: bits of a message beside its payload that are left when the bit time begins.
fn address_bits(carried: &Carried<'_>, positions: &[Position]) -> Vec<Vec<u32>> {
    let payload_bits = carried.sent.first().map_or(0, |slot| slot.payload_bits());
    let device = carried.device;
    let of_slot = |slot: usize| {
        let after = [None]
            .into_iter()
            .chain(positions.iter().copied().map(Some));
        let live = after
            .take(positions.len())
            .map(|after| match carried.sent.len() {
                1 => device.live_bits_per_message(after),
                _ => device.live_bits_of_slot(after, slot),
            });
        live.map(|live| live.unwrap_or(0).saturating_sub(payload_bits as u32))
            .collect()
    };
    (0..carried.sent.len()).map(of_slot).collect()
}

/// The slot of a message.
fn slots(carried: &Carried<'_>) -> impl Fn(u32) -> usize + use<> {
    let mut ends = Vec::new();
    let mut end = 0;
    for slot in carried.sent {
        end += slot.messages().len();
        ends.push(end);
    }
    move |message| ends.partition_point(|&end| end <= message as usize)
}
