//! What several test files need: traffic by hand, tests on every schedule, registers of a machine.
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each test file uses its part of this"
)]

pub mod beside;
pub mod dump;
pub mod follower;
pub mod hostile;
pub mod metered;
pub mod structured;
pub mod verilog;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::{Machine, MessageRouter, Router};
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::{Message, Traffic};
use testbenches::catalogue::Schedule;
use testbenches::scoreboard;

/// Runs each test on each schedule: `test::<S>(schedule)` for the schedule of the catalogue and its type, in
/// a module of its name.
macro_rules! on_each_schedule {
    ($($test:ident),+ $(,)?) => {
        $crate::common::on_each_schedule!(plain, Plain: $($test),+);
        $crate::common::on_each_schedule!(overlapped, Overlapped: $($test),+);
        $crate::common::on_each_schedule!(folded, Folded: $($test),+);
        $crate::common::on_each_schedule!(spread, Spread: $($test),+);
        $crate::common::on_each_schedule!(radix4, Radix4: $($test),+);
        $crate::common::on_each_schedule!(bitonic_sort_and_unpack, BitonicSortAndUnpack: $($test),+);
        $crate::common::on_each_schedule!(bitonic_sort, BitonicSort: $($test),+);
        $crate::common::on_each_schedule!(radix_sort_and_unpack, RadixSortAndUnpack: $($test),+);
        $crate::common::on_each_schedule!(radix_sort, RadixSort: $($test),+);
    };
    ($name:ident, $schedule:ident: $($test:ident),+) => {
        mod $name {
            use rtl_model::permutation;
            use testbenches::catalogue::{Schedule, WithSchedule};
            $(
                #[test]
                fn $test() {
                    struct Test;
                    impl WithSchedule for Test {
                        type Output = ();
                        fn on<S: permutation::Schedule>(self) {
                            super::$test::<S>(Schedule::$schedule);
                        }
                    }
                    let name = Schedule::$schedule.name().replace('-', "_");
                    assert!(stringify!($name).ends_with(&name));
                    Schedule::$schedule.with(Test);
                }
            )+
        }
    };
}
pub(crate) use on_each_schedule;

pub fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

/// Traffic of pairs (source, destination).
pub fn traffic(k: usize, payload_bits: usize, pairs: &[(usize, usize)], seed: u64) -> Traffic {
    let messages = pairs
        .iter()
        .map(|&(source, destination)| Message {
            source,
            destination,
        })
        .collect();
    Traffic::new(cube(k), payload_bits, messages, seed).unwrap()
}

/// A random partial permutation with any number of messages.
pub fn random_pairs(k: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..1 << k).collect();
    let mut destinations = sources.clone();
    sources.shuffle(random);
    destinations.shuffle(random);
    let amount = random.random_range(0..=1 << k);
    sources.into_iter().zip(destinations).take(amount).collect()
}

/// The same routing; for a schedule that carries nothing else, a full one that agrees with it.
pub fn served(schedule: Schedule, k: usize, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    if !schedule.is_full_only() {
        return pairs.to_vec();
    }
    let (mut sends, mut receives) = (vec![false; 1 << k], vec![false; 1 << k]);
    for &(source, destination) in pairs {
        sends[source] = true;
        receives[destination] = true;
    }
    let idle = (0..1 << k).filter(|&node: &usize| !sends[node]);
    let free = (0..1 << k).filter(|&node: &usize| !receives[node]);
    pairs.iter().copied().chain(idle.zip(free)).collect()
}

/// [`random_pairs`] that a schedule carries.
pub fn random_pairs_for(
    schedule: Schedule,
    k: usize,
    random: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    served(schedule, k, &random_pairs(k, random))
}

/// The loads that a schedule carries among these.
pub fn served_loads(schedule: Schedule, loads: &[f64]) -> Vec<f64> {
    let carries = |load: &&f64| !schedule.is_full_only() || **load >= 1.0;
    loads.iter().filter(carries).copied().collect()
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Every register bit of a node, in order.
pub fn registers<R: Router, B: Lanes>(fabric: &Fabric<R, B>, node: usize) -> Vec<bool> {
    struct Reading {
        place: usize,
        bits: Vec<bool>,
    }
    impl<B: Lanes> Visitor<B> for Reading {
        fn register(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> B) {
            self.bits
                .extend((0..width).map(|position| bit(position).get(self.place)));
        }
    }
    let (group, place) = fabric.node(node);
    let mut reading = Reading {
        place,
        bits: Vec::new(),
    };
    Registers::<B>::visit(group, Name::Field("node"), &mut reading);
    reading.bits
}

/// A machine with one traffic loaded.
pub fn loaded<R: MessageRouter + Copy, B: Lanes>(router: R, traffic: &Traffic) -> Fabric<R, B> {
    let mut fabric = Fabric::new(router, 1).unwrap();
    scoreboard::load(&mut fabric, 0, traffic);
    fabric
}
