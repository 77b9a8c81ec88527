//! Faults in groups of dimensions, which the smallest machines do not have; those of all testbenches are put in by the suite. And what
//! is no fault, whatever stands in buffers that hold no message, must do no harm.

use crate::common::beside::run_beside_reference_from;
use crate::common::{
    device, generator, on_each_schedule, random_pairs, random_pairs_for, schedule, traffic,
};
use hosts::scoreboard::Score;
use rand::Rng;
use rtl_model::language::register_names::{RegisterName, RegisterNames};
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::traffic::Traffic;
use testbenches::lockstep::Schedule;

on_each_schedule!(buffers_without_a_message_may_hold_anything);

/// Sizes at which schedule `radix4` has groups of dimensions: of one, or of two.
const GROUPED: [(usize, usize); 3] = [(5, 2), (6, 2), (7, 1)];

/// Traffics for these, crowded and partial ones.
fn grouped_traffics(k: usize, payload_bits: usize) -> Vec<Traffic> {
    let mut random = generator(29);
    (0..60)
        .map(|seed| {
            let pairs = match seed % 3 {
                0 => crowded_pairs(k, 4, &mut random),
                1 => crowded_pairs(k, 8, &mut random),
                _ => random_pairs(k, &mut random),
            };
            traffic(k, payload_bits, &pairs, seed)
        })
        .collect()
}

/// Whether the scoreboard objects to any of those side by side.
fn is_any_caught(machine: &dyn Lockstep, traffics: &[Traffic]) -> bool {
    let arrivals = Arrivals::read_each(machine, traffics[0].payload_bits()).unwrap();
    (traffics.iter().zip(&arrivals))
        .any(|(traffic, arrivals)| Score::new(traffic, arrivals).first_fault.is_some())
}

/// Runs with register bit `number` of some nodes flipped at the start of bit time `when`: after the last clock edge, if the run is over
/// then.
fn run_with_flips(machine: &mut dyn Lockstep, nodes: &[usize], (number, when): (usize, u64)) {
    loop {
        if machine.bit_time() == when {
            for &node in nodes {
                machine.flip_register(node, number);
            }
        }
        if machine.is_done() {
            return;
        }
        machine.tick().unwrap();
    }
}

fn radix4(k: usize, payload_bits: usize) -> Box<dyn Device> {
    device(schedule("kuszmaul radix4"), k, payload_bits)
}

#[test]
fn every_stuck_wire_of_groups_of_dimensions_is_caught() {
    for (k, payload_bits) in GROUPED {
        let traffics = grouped_traffics(k, payload_bits);
        let mut machine = radix4(k, payload_bits).build(traffics.len()).unwrap();
        for node in 0..1 << k {
            for dimension in 0..k {
                for value in [false, true] {
                    machine.restart();
                    arrivals::load(&mut *machine, &traffics).unwrap();
                    while !machine.is_done() {
                        machine.transmit().unwrap();
                        for cube in 0..traffics.len() {
                            machine.force_wire((cube << k) + node, dimension, value);
                        }
                        machine.clock();
                    }
                    assert!(
                        is_any_caught(&*machine, &traffics),
                        "k={k}: the wire from node {node} across dimension {dimension} stuck at {value}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_register_of_groups_of_dimensions_matters() {
    for (k, payload_bits) in GROUPED {
        let traffics = grouped_traffics(k, payload_bits);
        let device = radix4(k, payload_bits);
        let mut machine = device.build(traffics.len()).unwrap();
        let mut caught = |number, node| {
            let nodes: Vec<usize> = (0..traffics.len()).map(|cube| (cube << k) + node).collect();
            (0..=device.bit_times().value).any(|when| {
                machine.restart();
                arrivals::load(&mut *machine, &traffics).unwrap();
                run_with_flips(&mut *machine, &nodes, (number, when));
                is_any_caught(&*machine, &traffics)
            })
        };
        for number in 0..device.storage().total {
            assert!(
                [0, (1 << k) - 1, 1 << (k - 1)]
                    .into_iter()
                    .any(|node| caught(number, node)),
                "k={k}: no flip of register bit {number} was caught"
            );
        }
    }
}

/// A full permutation in which the messages of the first `amount` nodes, and of the last, have destinations
/// as alike as can be: four meet at the first node, and at the last.
fn crowded_pairs(k: usize, amount: usize, random: &mut impl Rng) -> Vec<(usize, usize)> {
    let nodes = 1 << k;
    let agree = nodes / amount;
    let mut pairs = Vec::new();
    let mut left: Vec<usize> = (0..nodes).collect();
    let mut take = |left: &mut Vec<usize>, fits: &dyn Fn(usize) -> bool| {
        let fitting: Vec<usize> = (0..left.len()).filter(|place| fits(left[*place])).collect();
        left.swap_remove(fitting[random.random_range(0..fitting.len())])
    };
    for source in (0..amount).chain(nodes - amount..nodes) {
        let meets_at = if source < amount { 0 } else { agree - 1 };
        let fits = move |destination: usize| destination % agree == meets_at;
        pairs.push((source, take(&mut left, &fits)));
    }
    for source in amount..nodes - amount {
        pairs.push((source, take(&mut left, &|_| true)));
    }
    pairs
}

/// Flip-flops of message buffers other than valid bits, for each register bit of a node in order.
fn is_message_storage(machine: &dyn Lockstep) -> Vec<bool> {
    let mut names = RegisterNames::default();
    machine.show_registers(0, &mut names);
    let is_storage = |register: &RegisterName| {
        let modules = register.whole.rsplit_once('.');
        modules.is_some_and(|(modules, name)| {
            name != "valid"
                && modules
                    .split('.')
                    .any(|module| module.ends_with("_message"))
        })
    };
    let bits = names.all.iter();
    let bits = bits.flat_map(|register| std::iter::repeat_n(is_storage(register), register.width));
    bits.collect()
}

/// The host writes the messages that there are, and nobody else's buffers.
fn buffers_without_a_message_may_hold_anything(schedule: Schedule) {
    let mut random = generator(23);
    for (k, amount) in [(1, 40), (2, 200), (3, 200), (4, 60), (5, 20), (7, 5)] {
        for payload_bits in [1, 3, 7, 3 * k + 1, 40] {
            let traffics: Vec<Traffic> = (0..amount)
                .map(|seed| {
                    let pairs = random_pairs_for(schedule, k, &mut random);
                    traffic(k, payload_bits, &pairs, seed)
                })
                .collect();
            run_beside_reference_from(schedule, k, payload_bits, &traffics, |machine| {
                let is_storage = is_message_storage(machine);
                let stored = is_storage.iter().filter(|is_storage| **is_storage).count();
                assert!(stored >= k + payload_bits);
                for node in 0..traffics.len() << k {
                    machine.change_registers(node, &mut |number, bit| match is_storage[number] {
                        true => random.random(),
                        false => bit,
                    });
                }
            });
        }
    }
}
