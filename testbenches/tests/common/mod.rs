//! What several test files need: traffic by hand, tests on every schedule, registers of a machine.
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each test file uses its part of this"
)]

pub mod asked;
pub mod beside;
pub mod bit_for_bit;
pub mod by_path;
pub mod dump;
pub mod gtkwave;
pub mod hostile;
pub mod journals;
pub mod metered;
pub mod relation;
pub mod runs;
pub mod sample;
pub mod served;
pub mod structured;
pub mod surfer;
pub mod synthesis;
pub mod verilog;
pub mod worms;

use hosts::scoreboard::Score;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::{Message, Traffic};
use testbenches::lockstep::{Schedule, benches};

/// Runs each test on each schedule, in a module of its name: `test(schedule)`. The list is held against that of the
/// families.
macro_rules! on_each_schedule {
    ($($(#[$attribute:meta])? $test:ident),+ $(,)?) => {
        $crate::common::on_each_schedule!(plain, "kuszmaul plain": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(overlapped, "kuszmaul overlapped": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(folded, "kuszmaul folded": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(spread, "kuszmaul spread": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(radix4, "kuszmaul radix4": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(bitonic_sort_and_unpack, "bitonic sort-and-unpack": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(bitonic_sort, "bitonic sort": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(radix_sort_and_unpack, "radix sort-and-unpack": $($(#[$attribute])? $test),+);
        $crate::common::on_each_schedule!(radix_sort, "radix sort": $($(#[$attribute])? $test),+);

        #[test]
        fn these_are_all_schedules_there_are() {
            assert_eq!($crate::common::schedules().len(), 9);
        }
    };
    ($name:ident, $schedule:literal: $($(#[$attribute:meta])? $test:ident),+) => {
        mod $name {
            $(
                #[test]
                $(#[$attribute])?
                fn $test() {
                    super::$test($crate::common::schedule($schedule));
                }
            )+
        }
    };
}
pub(crate) use on_each_schedule;

/// All schedules of all testbenches.
pub fn schedules() -> Vec<Schedule> {
    benches()
        .flat_map(|bench| bench.schedules)
        .copied()
        .collect()
}

/// That of a testbench and a name, with a blank between.
pub fn schedule(named: &str) -> Schedule {
    let is_it = |schedule: &Schedule| format!("{} {}", schedule.bench, schedule.name) == named;
    schedules().into_iter().find(is_it).unwrap()
}

/// Its machine.
pub fn device(schedule: Schedule, k: usize, payload_bits: usize) -> Box<dyn Device> {
    schedule.hardware.device(cube(k), payload_bits).unwrap()
}

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
pub fn registers(machine: &dyn Lockstep, node: usize) -> Vec<bool> {
    let mut bits = Vec::new();
    machine.append_registers(node, &mut bits);
    bits
}

/// A machine with one traffic loaded.
pub fn loaded(device: &dyn Device, traffic: &Traffic) -> Box<dyn Lockstep> {
    let mut machine = device.build(1).unwrap();
    load(&mut *machine, traffic);
    machine
}

/// Loads the first of several machines.
pub fn load(machine: &mut dyn Lockstep, traffic: &Traffic) {
    arrivals::load(machine, std::slice::from_ref(traffic)).unwrap();
}

/// What the scoreboard says of the first of several machines.
pub fn score(machine: &dyn Lockstep, traffic: &Traffic) -> Score {
    let arrivals = Arrivals::read(machine, traffic.payload_bits()).unwrap();
    Score::new(traffic, &arrivals)
}

/// Message bits that are live if none is lost or doubled, of so many messages.
pub fn live_bits(device: &dyn Device, messages: u64) -> impl Fn(Option<Position>) -> Option<u64> {
    move |after| {
        let of_each = device.live_bits_per_message(after)?;
        Some(messages * u64::from(of_each))
    }
}
