//! Small machines, in every bit time: bit time by bit time, in strides, in one go, and in turn with ticks.

use std::ops::RangeInclusive;

use rand::Rng;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::router::Router;
use rtl_model::routers::kuszmaul::plain::Plain;

use crate::program::common::{
    Family, Permutation, advance, assert_state, generator, load, registers, restart_with, scramble,
    ticked,
};
use crate::program::networks::{Cycles, Joined, Scattered};
use crate::program::on_each_router;

on_each_router!(small_machines_in_u64, small_machines_in_eight_words,);

/// What layouts depend on are lanes, words and wires, not the router: lanes that machines are not built in are for some.
#[test]
fn small_machines_in_lanes_of_other_widths() {
    fn on<F: Family>() {
        small_machines::<F, bool>(1..=5, &[1, 3]);
        small_machines::<F, Words<2>>(1..=7, &[1, 9]);
    }
    on::<Permutation<Plain>>();
    on::<Joined<Cycles>>();
    on::<Joined<Scattered>>();
}

/// As many words as make tiles of every shape.
fn small_machines_in_u64<F: Family>() {
    small_machines::<F, u64>(1..=7, &[1, 2, 3, 5, 9, 17, 33, 70]);
}

fn small_machines_in_eight_words<F: Family>() {
    small_machines::<F, Words<8>>(1..=7, &[1, 40, 70]);
}

fn small_machines<F: Family, B: Lanes>(sizes: RangeInclusive<usize>, machines: &[usize]) {
    let payload_bits = F::PAYLOAD_BITS;
    for k in sizes {
        for (index, &payload_bits) in payload_bits.iter().enumerate() {
            // Of the larger ones, each length with other numbers of machines.
            let machines = machines.iter().skip(index % machines.len());
            let amount = if k < 4 { machines.len() } else { 1 };
            for &machines in machines.take(amount) {
                let machines = if k < 5 { machines } else { machines.min(3) };
                compare::<F, B>(k, payload_bits, machines);
            }
        }
    }
}

fn compare<F: Family, B: Lanes>(k: usize, payload_bits: usize, machines: usize) {
    let mut random = generator((k * 100 + payload_bits * 10 + machines) as u64);
    let mut fabric = Fabric::<_, B>::new(F::router(k, payload_bits), machines).unwrap();
    for scrambled in [false, true] {
        fabric.restart();
        if scrambled {
            scramble(&mut fabric, &mut random);
        }
        load(&mut fabric, &mut random);
        runs_as_it_ticks(&mut fabric, &mut random);
    }
}

/// A loaded machine.
pub fn runs_as_it_ticks<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, random: &mut impl Rng) {
    let loaded = registers(fabric);
    let states = ticked(fabric);
    let end = states.len() as u64 - 1;

    restart_with(fabric, &loaded);
    for to in 1..=end {
        advance(fabric, to, &How::default());
        assert_eq!(fabric.bit_time(), to);
        assert_state(fabric, &states, "bit time by bit time");
    }
    // The end is the end.
    advance(fabric, end + 10, &How::default());
    assert_state(fabric, &states, "beyond the end");

    restart_with(fabric, &loaded);
    advance(fabric, u64::MAX, &How::default());
    assert_eq!(fabric.bit_time(), end);
    assert_state(fabric, &states, "in one go");

    restart_with(fabric, &loaded);
    while !fabric.is_done() {
        let to = fabric.bit_time() + random.random_range(0..=end / 4 + 2);
        advance(fabric, to, &How::default());
        assert_eq!(fabric.bit_time(), to.min(end));
        assert_state(fabric, &states, "in strides");
    }

    restart_with(fabric, &loaded);
    while !fabric.is_done() {
        for _ in 0..random.random_range(0..4) {
            if !fabric.is_done() {
                fabric.tick().unwrap();
                assert_state(fabric, &states, "ticks between strides");
            }
        }
        let to = fabric.bit_time() + random.random_range(0..5);
        advance(fabric, to, &How::default());
        assert_state(fabric, &states, "strides between ticks");
    }
}
