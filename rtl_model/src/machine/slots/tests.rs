//! Fields are put together and taken apart, and a machine of one slot is served as any other.

use super::*;
use crate::language::lanes::{Lanes, Words};
use crate::machine::arrivals;
use crate::machine::fabric::Fabric;
use crate::machine::simulation::Simulation;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::enumeration::EnumerationRouter;
use crate::routers::kuszmaul::plain::PlainRouter;
use crate::traffic::Relation;
use crate::traffic::pattern::Pattern;

#[test]
fn every_bit_of_a_field_is_in_one_piece_and_nothing_else_is() {
    for slots in 0..=9 {
        for width in (1..=9).chain([63, 64, 65, 127, 128, 129, 200]) {
            let mut bits = (0..slots).flat_map(|slot| (0..width).map(move |at| (slot, at)));
            let end = slots * width;
            for from in (0..end + 129).step_by(64) {
                let mut place = 0;
                for piece in pieces(slots, width, from) {
                    assert!(piece.width > 0 && piece.place == place);
                    for bit in 0..piece.width {
                        assert_eq!(bits.next(), Some((piece.slot, piece.at + bit)));
                    }
                    place += piece.width;
                }
                assert_eq!(place, end.saturating_sub(from).min(64));
            }
            assert_eq!(bits.next(), None);
        }
    }
}

#[test]
fn a_piece_is_cut_out_and_put_in_its_place() {
    let bits = 0x0123_4567_89ab_cdef_u64;
    for place in 0..64 {
        for width in 1..=64 - place {
            let piece = Piece {
                slot: 0,
                at: 0,
                place,
                width,
            };
            let (cut, placed) = (piece.of(bits), piece.placed(bits));
            for bit in 0..64 {
                let is_in = |first, bit: usize| (first..first + width).contains(&bit);
                assert_eq!(
                    cut >> bit & 1 == 1,
                    is_in(0, bit) && bits >> (place + bit) & 1 == 1
                );
                let of_it = is_in(place, bit) && bits >> (bit - place) & 1 == 1;
                assert_eq!(placed >> bit & 1 == 1, of_it);
            }
        }
    }
}

/// Seats of the nodes `first ..`, in descending order, and two that are none of the first machine.
fn some_seats(first: usize, nodes: usize) -> Seats {
    let mut seats = array::from_fn(|place| match first + NODES_AT_ONCE - 1 - place {
        node if node < nodes => node,
        _ => usize::MAX,
    });
    seats[5] = nodes;
    seats[9] = nodes + 3;
    seats
}

/// All bits of a field that the host has for these nodes, by place: some more than the slots have.
fn field_bits(host: &mut Sending<'_>, field: Field, bits: usize) -> Vec<[bool; NODES_AT_ONCE]> {
    let mut values: Square = [u64::MAX; NODES_AT_ONCE];
    let bit_of_all = (0..bits).map(|bit| {
        if bit % 64 == 0 {
            host.values(field, bit, &mut values).unwrap();
        }
        values.map(|value| value >> (bit % 64) & 1 == 1)
    });
    bit_of_all.collect()
}

/// Bit by bit what the machine is written, and what comes of it when it is read.
fn slots_are_written_and_read(k: usize, slots: usize, payload_bits: usize) {
    let cube = Dimensions::new(k).unwrap();
    let relation = Relation::drawn(cube, payload_bits, slots, 0.6, 3).unwrap();
    let traffic = relation.by_source(slots).unwrap();
    let mut watched = Vec::new();
    let passed = &mut |nodes| {
        watched.push(nodes);
        Ok(())
    };
    let mut sending = Sending {
        nodes: cube.nodes(),
        address_bits: k,
        slots: &traffic,
        found: vec![[None; NODES_AT_ONCE]; slots],
        written: 0,
        passed,
    };
    let none = Arrivals::none(cube.nodes(), payload_bits);
    let mut arrivals = SlotArrivals(vec![none; slots]);
    let mut receiving = Receiving {
        nodes: cube.nodes(),
        payload_bits,
        arrivals: &mut arrivals,
        seats: [usize::MAX; NODES_AT_ONCE],
        read: 0,
        passed: &mut |_| Ok(()),
    };
    let mut served = Vec::new();
    for first in (0..cube.nodes()).step_by(64) {
        let seats = some_seats(first, cube.nodes());
        let places = sending.places(&seats).unwrap();
        // Two slots beyond the last one are zeros.
        let room = slots + 2;
        let valid = field_bits(&mut sending, Field::VALID, room);
        let destinations = field_bits(&mut sending, Field::DESTINATION, room * k);
        let payloads = field_bits(&mut sending, Field::PAYLOAD, room * payload_bits);
        for (place, &node) in seats.iter().enumerate() {
            assert_eq!(places >> place & 1 == 1, node < cube.nodes());
            if node >= cube.nodes() {
                continue;
            }
            served.push(node);
            for slot in 0..room {
                let here = traffic.get(slot);
                let message = here.and_then(|here| Some((here, here.index_from(node)?)));
                assert_eq!(valid[slot][place], message.is_some());
                for bit in 0..k {
                    let expected =
                        message.is_some_and(|(here, at)| here.destination(at) >> bit & 1 == 1);
                    assert_eq!(destinations[slot * k + bit][place], expected);
                }
                for bit in 0..payload_bits {
                    let expected = message.is_some_and(|(here, at)| here.payload(at)[bit]);
                    assert_eq!(payloads[slot * payload_bits + bit][place], expected);
                }
            }
        }
        // The machine hands back what it was given, and ones in the places that are none of its nodes.
        receiving.seats(&seats).unwrap();
        for (field, bits) in [(Field::PAYLOAD, payloads), (Field::VALID, valid)] {
            for (chunk, bits) in bits.chunks(64).enumerate() {
                let values = array::from_fn(|place| match seats[place] < cube.nodes() {
                    true => (0..bits.len())
                        .fold(0, |word, bit| word | u64::from(bits[bit][place]) << bit),
                    false => u64::MAX,
                });
                receiving.values(field, 64 * chunk, &values).unwrap();
            }
        }
    }
    for field in [Field::DESTINATION, Field::RANK] {
        let refused = receiving.values(field, 0, &[0; NODES_AT_ONCE]);
        assert_eq!(refused, Err(field.unknown()));
    }
    let refused = sending.values(Field::MEMBER, 0, &mut [0; NODES_AT_ONCE]);
    assert_eq!(refused, Err(Field::MEMBER.unknown()));
    let words = cube.nodes().div_ceil(64);
    assert_eq!(
        watched,
        (0..words).map(|word| 64 * word).collect::<Vec<_>>()
    );
    assert_eq!(arrivals.slots(), slots);
    for (slot, traffic) in traffic.iter().enumerate() {
        for &node in &served {
            let sent = traffic.index_from(node).map(|index| traffic.payload(index));
            assert_eq!(arrivals.at(node, slot), sent);
            assert_eq!(arrivals.in_slot(slot).holds(node), sent.is_some());
        }
    }
}

#[test]
fn slots_of_all_widths_are_written_and_read() {
    for payload_bits in [1, 3, 8, 21, 32, 33, 63, 64, 65, 130] {
        for slots in [0, 1, 2, 3, 5, 8, 16] {
            for k in [1, 3, 5, 7] {
                slots_are_written_and_read(k, slots, payload_bits);
            }
        }
    }
    // More than 64 slots.
    slots_are_written_and_read(2, 70, 5);
}

/// A router of one message a node is one of one slot: all of its nodes are written, those of other machines are not.
fn one_slot_is_served_as_by_the_host_of_one_message<B: Lanes>(k: usize, payload_bits: usize) {
    let cube = Dimensions::new(k).unwrap();
    let router = PlainRouter::new(cube, payload_bits).unwrap();
    let drawn = |load, seed| Traffic::drawn(cube, payload_bits, Pattern::Randperm, load, seed);
    let (all, sent) = (drawn(1.0, 4).unwrap(), [drawn(0.6, 5).unwrap()]);
    let mut slots = Fabric::<_, B>::new(router, 2).unwrap();
    arrivals::load(&mut slots, &[all.clone(), all.clone()]).unwrap();
    let mut expected = Fabric::<_, B>::new(router, 2).unwrap();
    arrivals::load(&mut expected, &[sent[0].clone(), all]).unwrap();
    load(&mut slots, &sent).unwrap();
    for node in 0..slots.nodes() {
        let [mut one, mut other] = [Vec::new(), Vec::new()];
        slots.append_registers(node, &mut one);
        expected.append_registers(node, &mut other);
        assert_eq!(one, other, "node {node}");
    }
    while !slots.is_done() {
        slots.tick().unwrap();
    }
    let there = Arrivals::read(&slots, payload_bits).unwrap();
    let in_slots = SlotArrivals::read(&slots, 1, payload_bits).unwrap();
    assert_eq!(in_slots.slots(), 1);
    assert_eq!(there.count(), sent[0].messages().len());
    for node in 0..cube.nodes() {
        assert_eq!(in_slots.at(node, 0), there.at(node));
    }
    // Nothing is written over when there is no traffic: then all becomes zeros.
    load(&mut slots, &[]).unwrap();
    assert_eq!(Arrivals::read(&slots, payload_bits).unwrap().count(), 0);
}

#[test]
fn a_router_of_one_message_a_node_is_one_of_one_slot() {
    for payload_bits in [1, 64, 70] {
        for k in [1, 3, 6, 8] {
            one_slot_is_served_as_by_the_host_of_one_message::<bool>(k, payload_bits);
            one_slot_is_served_as_by_the_host_of_one_message::<u64>(k, payload_bits);
            one_slot_is_served_as_by_the_host_of_one_message::<Words<8>>(k, payload_bits);
        }
    }
}

#[test]
fn who_watches_can_break_off_and_machines_without_messages_are_refused() {
    let cube = Dimensions::new(8).unwrap();
    let router = PlainRouter::new(cube, 3).unwrap();
    let traffic = [Traffic::drawn(cube, 3, Pattern::Randperm, 1.0, 1).unwrap()];
    let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
    let break_off = |asked: &mut Vec<usize>, nodes| {
        asked.push(nodes);
        match nodes < 128 {
            true => Ok(()),
            false => Err(Error::BrokenOff),
        }
    };
    let mut asked = Vec::new();
    let outcome = load_watched(&mut fabric, &traffic, &mut |nodes| {
        break_off(&mut asked, nodes)
    });
    assert_eq!((outcome, asked), (Err(Error::BrokenOff), vec![0, 64, 128]));
    let mut asked = Vec::new();
    let outcome =
        SlotArrivals::read_watched(&fabric, 1, 3, &mut |nodes| break_off(&mut asked, nodes));
    assert_eq!((outcome, asked), (Err(Error::BrokenOff), vec![0, 64, 128]));

    let mut fabric = Fabric::<_, u64>::new(EnumerationRouter::new(cube), 1).unwrap();
    assert_eq!(load(&mut fabric, &traffic), Err(Field::MEMBER.unknown()));
    assert!(SlotArrivals::read(&fabric, 1, 3).is_err());
}

#[test]
fn bytes_are_those_of_each_slot() {
    let cube = Dimensions::new(6).unwrap();
    assert_eq!(
        SlotArrivals::bytes(cube, 3, 24),
        3 * Arrivals::bytes(cube, 24)
    );
    assert_eq!(SlotArrivals::bytes(cube, 3, 24), 3 * (8 + 64 * 24 / 8));
}
