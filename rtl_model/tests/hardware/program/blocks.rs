//! Machines of several tiles, with every choice of instructions, threads and blocks.

use rand::Rng;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Blocking, Fabric, How};
use rtl_model::machine::instructions::Instructions;
use rtl_model::routers::kuszmaul::plain::Plain;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::sorting::bitonic;

use crate::program::common::{
    Family, Packing, Permutation, State, advance, assert_state, generator, load, registers,
    restart_with, scramble, state, ticked,
};
use crate::program::on_each_router;

/// All instructions, with blocks as they are by themselves, and so small that everything that can be is run apart.
fn ways_to_run() -> Vec<How<'static>> {
    let deep = |shortest_pause| Blocking {
        cache: 0,
        shortest_pause,
        bytes_per_thread: 1,
    };
    let small = Blocking {
        cache: 200 << 10,
        ..deep(2)
    };
    let mut ways = Vec::new();
    for instructions in Instructions::ALL {
        for threads in 1..=4 {
            for blocking in [Blocking::default(), deep(1), deep(3), deep(1000), small] {
                ways.push(How {
                    threads,
                    instructions,
                    blocking,
                    ..How::default()
                });
            }
        }
    }
    ways
}

fn described(how: &How<'_>) -> String {
    let How {
        threads,
        instructions,
        blocking,
        ..
    } = how;
    format!("{threads} threads, {instructions:?}, {blocking:?}")
}

on_each_router!(several_tiles);

/// A node in a word: so small machines have several tiles. Three machines, and five, have tiles that are no power of two.
const SIZES: [(usize, usize); 3] = [(5, 5), (7, 3), (8, 1)];

/// Each way at one size; at which, does not depend on the router.
fn several_tiles<F: Family>() {
    for (number, (k, machines)) in SIZES.into_iter().enumerate() {
        in_ways::<F>(
            k,
            machines,
            ways_to_run().into_iter().skip(number).step_by(3),
        );
    }
}

#[test]
fn several_tiles_of_plain_in_all_ways_at_all_sizes() {
    for (k, machines) in SIZES {
        in_ways::<Permutation<Plain>>(k, machines, ways_to_run().into_iter());
    }
}

fn in_ways<F: Family>(k: usize, machines: usize, ways: impl Iterator<Item = How<'static>>) {
    let payload_bits = F::PAYLOAD_BITS[k % F::PAYLOAD_BITS.len()];
    let mut random = generator(k as u64);
    let mut fabric = Fabric::<_, bool>::new(F::router(k, payload_bits), machines).unwrap();
    scramble(&mut fabric, &mut random);
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let states = ticked(&mut fabric);
    let end = states.len() as u64 - 1;
    for (number, how) in ways.enumerate() {
        let note = described(&how);
        restart_with(&mut fabric, &loaded);
        advance(&mut fabric, u64::MAX, &how);
        assert_eq!(fabric.bit_time(), end);
        assert_state(&mut fabric, &states, &note);
        if number % 3 > 0 {
            continue;
        }
        restart_with(&mut fabric, &loaded);
        while !fabric.is_done() {
            let to = fabric.bit_time() + random.random_range(1..=end / 5 + 1);
            advance(&mut fabric, to, &how);
            assert_state(&mut fabric, &states, &format!("in strides, {note}"));
        }
    }
}

/// Bit times in which a large machine is looked at, besides the end.
const STOPS: u64 = 3;

fn large_machine<F: Family, B: Lanes>(k: usize, payload_bits: usize) {
    let mut random = generator(k as u64);
    let mut fabric = Fabric::<_, B>::new(F::router(k, payload_bits), 1).unwrap();
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let mut states: Vec<State> = Vec::new();
    let end = fabric.program(false).length() as u64;
    let stops: Vec<u64> = (1..=STOPS)
        .map(|stop| end * stop / (STOPS + 1) + 1)
        .chain([end])
        .collect();
    for &stop in &stops {
        while fabric.bit_time() < stop {
            fabric.tick().unwrap();
        }
        states.push(state(&mut fabric));
    }
    assert!(fabric.is_done());
    for how in ways_to_run().into_iter().step_by(2) {
        restart_with(&mut fabric, &loaded);
        for (&stop, expected) in stops.iter().zip(&states) {
            advance(&mut fabric, stop, &how);
            assert!(
                state(&mut fabric) == *expected,
                "k={k}, bit time {stop}, {}",
                described(&how)
            );
        }
    }
}

#[test]
fn large_machines_of_plain() {
    large_machine::<Permutation<Plain>, u64>(10, 3);
    large_machine::<Permutation<Plain>, Words<8>>(13, 5);
    large_machine::<Permutation<Plain>, Words<8>>(14, 2);
}

#[test]
fn large_machines_of_packing() {
    large_machine::<Packing, u64>(11, 20);
    large_machine::<Packing, Words<8>>(13, 7);
    large_machine::<Packing, Words<8>>(15, 9);
}

#[test]
fn large_machines_of_bitonic() {
    large_machine::<Permutation<bitonic::SortAndUnpack>, u64>(12, 4);
    large_machine::<Permutation<bitonic::SortAndUnpack>, Words<8>>(13, 1);
}

#[test]
fn large_machines_of_radix4() {
    large_machine::<Permutation<Radix4>, Words<8>>(11, 6);
    large_machine::<Permutation<Radix4>, Words<8>>(13, 1);
    large_machine::<Permutation<Radix4>, Words<8>>(14, 2);
}
