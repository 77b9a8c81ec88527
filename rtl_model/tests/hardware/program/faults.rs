//! Registers that somebody flips, and runs that are broken off.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::Rng;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::Registers;
use rtl_model::machine::fabric::{Fabric, How, Watch};
use rtl_model::machine::router::Router;

use crate::program::common::{
    Family, advance, assert_state, generator, load, registers, restart_with, state, ticked,
};
use crate::program::on_each_router;

on_each_router!(
    a_flipped_register_has_the_same_consequences,
    a_run_that_is_broken_off_can_be_begun_anew,
);

fn flip<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, node: usize, number: usize) {
    let (group, place) = fabric.node_mut(node);
    let mut index = 0;
    group.visit_mut(&mut |register: &mut B| {
        if index == number {
            register.set(place, !register.get(place));
        }
        index += 1;
    });
    assert!(number < index);
}

/// Every register, each at a few times: among them are those of which the program knows at that time what they hold.
fn a_flipped_register_has_the_same_consequences<F: Family>() {
    flipped::<F, Words<8>>(3, 2, 1);
    flipped::<F, u64>(3, 2, 3);
    flipped::<F, u64>(5, 1, 1);
}

fn flipped<F: Family, B: Lanes>(k: usize, payload_bits: usize, times: usize) {
    let mut random = generator(k as u64);
    let mut fabric = Fabric::<_, B>::new(F::router(k, payload_bits), 1).unwrap();
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let of_group = loaded.len() / fabric.node_groups().len() / B::WORDS;
    let end = fabric.program(false).length() as u64;
    for number in 0..of_group {
        for _ in 0..times {
            let (node, when) = (random.random_range(0..1 << k), random.random_range(0..=end));
            let to_the_flip = |fabric: &mut Fabric<F::Router, B>| {
                restart_with(fabric, &loaded);
                advance(fabric, when, &How::default());
                flip(fabric, node, number);
            };
            to_the_flip(&mut fabric);
            let mut states: Vec<_> = (0..when).map(|_| None).collect();
            states.extend(ticked(&mut fabric).into_iter().map(Some));
            let note = format!("register {number} of node {node} flipped in bit time {when}");

            to_the_flip(&mut fabric);
            advance(&mut fabric, u64::MAX, &How::default());
            assert_eq!(Some(state(&mut fabric)), states.pop().unwrap(), "{note}");

            to_the_flip(&mut fabric);
            while fabric.bit_time() + 1 < end {
                let to = fabric.bit_time() + random.random_range(1..=3);
                advance(&mut fabric, to.min(end - 1), &How::default());
                let now = state(&mut fabric);
                let expected = &states[fabric.bit_time() as usize];
                assert_eq!(Some(now), *expected, "{note}");
            }
        }
    }
}

/// Breaks a run off when so much has been done.
struct Patience {
    left: AtomicU64,
}

impl Watch for Patience {
    fn goes_on(&self, node_bit_times: u64) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        self.left
            .store(left.saturating_sub(node_bit_times), Ordering::Relaxed);
        left > node_bit_times
    }
}

fn a_run_that_is_broken_off_can_be_begun_anew<F: Family>() {
    let mut random = generator(4);
    let mut fabric = Fabric::<_, u64>::new(F::router(4, 3), 8).unwrap();
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let states = ticked(&mut fabric);
    let length = states.len() as u64 - 1;
    let of_a_bit_time = {
        restart_with(&mut fabric, &loaded);
        let all = Patience {
            left: AtomicU64::new(u64::MAX),
        };
        let how = How {
            watch: &all,
            ..How::default()
        };
        advance(&mut fabric, u64::MAX, &how);
        (u64::MAX - all.left.load(Ordering::Relaxed)) / length
    };
    for bit_times in [1, 2, length - 1, length] {
        restart_with(&mut fabric, &loaded);
        let patience = Patience {
            left: AtomicU64::new(bit_times * of_a_bit_time),
        };
        let outcome = fabric.advance(
            u64::MAX,
            &How {
                watch: &patience,
                ..How::default()
            },
        );
        assert_eq!(outcome, Err(Error::BrokenOff), "after {bit_times}");
        restart_with(&mut fabric, &loaded);
        advance(&mut fabric, u64::MAX, &How::default());
        assert_state(&mut fabric, &states, "after one that was broken off");
    }
    // Exactly as much as there is, and a little more.
    restart_with(&mut fabric, &loaded);
    let patience = Patience {
        left: AtomicU64::new(length * of_a_bit_time + 1),
    };
    let how = How {
        watch: &patience,
        ..How::default()
    };
    fabric.advance(u64::MAX, &how).unwrap();
    assert_eq!(patience.left.into_inner(), 1);
    assert_state(&mut fabric, &states, "while somebody looked on");
}
