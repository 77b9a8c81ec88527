//! Faults that are put into the hardware must be caught: a wire that is stuck, a register that flips. And
//! what is no fault, whatever stands in buffers that hold no message, must do no harm.

mod relations;
mod runs;
mod several;

use crate::common::beside::run_beside_reference_from;
use crate::common::{
    cube, device, generator, live_bits, loaded, on_each_schedule, random_pairs, random_pairs_for,
    schedule, score, served, traffic,
};
use hosts::scoreboard::Score;
use rand::Rng;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::neighbour;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::traffic::{Traffic, senders};
use testbenches::lockstep::Schedule;
use testbenches::lockstep::simulation::{self, Run};

const K: usize = 3;
/// Long enough for messages to be sent on while they still come in.
const PAYLOAD_BITS: usize = 7;

on_each_schedule!(
    every_stuck_wire_is_caught_by_some_traffic,
    every_register_of_the_router_matters,
    a_lost_message_is_noticed_in_the_bit_time_in_which_it_is_lost,
    buffers_without_a_message_may_hold_anything,
);

fn router(schedule: Schedule) -> Box<dyn Device> {
    device(schedule, K, PAYLOAD_BITS)
}

/// Random routings of any load: enough of them that every node at some time holds two messages, waits
/// with somebody else's, and is empty. And one in which the halves of the cube change places, which a sort
/// meets once in 70 full permutations, and needs for the wire from the middle node to node 0.
fn traffics(schedule: Schedule) -> Vec<Traffic> {
    let mut random = generator(17);
    let pairs: Vec<_> = (0..1 << K)
        .map(|node| (node, (1 << K) - 1 - node))
        .collect();
    let turned_round = traffic(K, PAYLOAD_BITS, &pairs, 60);
    (0..60)
        .map(|seed| {
            let pairs = random_pairs_for(schedule, K, &mut random);
            traffic(K, PAYLOAD_BITS, &pairs, seed)
        })
        .chain(std::iter::once(turned_round))
        .collect()
}

/// Whether the scoreboard objects.
fn is_caught(machine: &dyn Lockstep, traffic: &Traffic) -> bool {
    score(machine, traffic).first_fault.is_some()
}

/// Runs with the wire that `node` drives across `dimension` stuck at `value` for the whole run.
fn stuck_wire_is_caught(
    device: &dyn Device,
    traffic: &Traffic,
    (node, dimension, value): (usize, usize, bool),
) -> bool {
    let mut machine = loaded(device, traffic);
    while !machine.is_done() {
        machine.transmit().unwrap();
        machine.force_wire(node, dimension, value);
        machine.clock();
    }
    is_caught(&*machine, traffic)
}

fn every_stuck_wire_is_caught_by_some_traffic(schedule: Schedule) {
    let (traffics, device) = (traffics(schedule), router(schedule));
    for node in 0..1 << K {
        for dimension in 0..K {
            for value in [false, true] {
                let stuck = (node, dimension, value);
                assert!(
                    traffics
                        .iter()
                        .any(|traffic| stuck_wire_is_caught(&*device, traffic, stuck)),
                    "the wire from node {node} to node {} stuck at {value}",
                    neighbour(node, dimension)
                );
            }
        }
    }
}

/// Runs with register bit `number` of `node` flipped at the start of bit time `when`: after the last
/// clock edge, if the run is over then.
fn run_with_flip(machine: &mut dyn Lockstep, (node, number, when): (usize, usize, u64)) {
    run_with_flips(machine, &[node], (number, when));
}

/// The same with some nodes.
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

/// For every register bit there is a time at which flipping it is caught: no register is counted as
/// storage that the router could do without. `is_caught` runs one flip. Node 0 is where messages wait
/// first; node 7 has a 1 in every address bit. (What it tells the lower half of its totals is not
/// used, but its offset is.)
fn every_register_matters(device: &dyn Device, is_caught: impl Fn((usize, usize, u64)) -> bool) {
    for number in 0..device.storage().total {
        let caught = [0, 7]
            .into_iter()
            .any(|node| (0..=device.bit_times().value).any(|when| is_caught((node, number, when))));
        assert!(caught, "no flip of register bit {number} was caught");
    }
}

fn every_register_of_the_router_matters(schedule: Schedule) {
    let (traffics, device) = (traffics(schedule), router(schedule));
    every_register_matters(&*device, |flip| {
        traffics.iter().any(|traffic| {
            let mut machine = loaded(&*device, traffic);
            run_with_flip(&mut *machine, flip);
            is_caught(&*machine, traffic)
        })
    });
}

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

#[test]
fn every_register_of_packing_matters() {
    let router = PackingRouter::new(cube(K), PAYLOAD_BITS).unwrap();
    // Random sets, packed to the bottom and to the top.
    let traffics: Vec<Traffic> = (0..20)
        .map(|seed| {
            let set = senders(cube(K), 0.5, seed).unwrap();
            let target = |rank| if seed % 2 == 0 { rank } else { 7 - rank };
            let pairs: Vec<_> = (set.iter().enumerate())
                .map(|(rank, &source)| (source, target(rank)))
                .collect();
            traffic(K, PAYLOAD_BITS, &pairs, seed)
        })
        .collect();
    every_register_matters(&router, |flip| {
        traffics.iter().any(|traffic| {
            let mut machine = loaded(&router, traffic);
            run_with_flip(&mut *machine, flip);
            is_caught(&*machine, traffic)
        })
    });
}

#[test]
fn every_register_of_enumeration_matters() {
    let router = EnumerationRouter::new(cube(K));
    every_register_matters(&router, |flip| {
        (0u32..256).any(|set| {
            let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
            for node in 0..1 << K {
                let (group, place) = fabric.node_mut(node);
                group.set_member(place, set >> node & 1 == 1);
            }
            run_with_flip(&mut fabric, flip);
            (0..1 << K).any(|node| {
                let (group, place) = fabric.node(node);
                let before = (set & ((1 << node) - 1)).count_ones();
                (group.rank(place), group.total(place)) != (before, set.count_ones())
            })
        })
    });
}

/// Flip-flops of message buffers other than valid bits, for each register bit of a node in order.
fn is_message_storage(machine: &dyn Lockstep) -> Vec<bool> {
    #[derive(Default)]
    struct Listing {
        modules: Vec<String>,
        bits: Vec<bool>,
    }
    impl Visitor<bool> for Listing {
        fn enter(&mut self, name: Name, _kind: &'static str) {
            self.modules.push(name.to_string());
        }
        fn leave(&mut self) {
            self.modules.pop();
        }
        fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
            let is_buffer = (self.modules.iter()).any(|module| module.ends_with("_message"));
            let is_storage = is_buffer && name != Name::Field("valid");
            self.bits.extend(std::iter::repeat_n(is_storage, width));
        }
    }
    let mut listing = Listing::default();
    machine.show_registers(0, &mut listing);
    listing.bits
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

fn a_lost_message_is_noticed_in_the_bit_time_in_which_it_is_lost(schedule: Schedule) {
    let pairs = served(schedule, K, &[(0, 7), (5, 5), (6, 1)]);
    let messages = pairs.len() as u64;
    let traffic = traffic(K, PAYLOAD_BITS, &pairs, 1);
    let device = router(schedule);
    let mut machine = loaded(&*device, &traffic);
    // Node 5 forgets its message before the run begins: its valid bit is its first register.
    machine.change_registers(5, &mut |number, bit| bit && number > 0);
    let live_bits = live_bits(&*device, messages);
    let run = simulation::run(
        &mut *machine,
        Run::held_to(&live_bits),
        |_| Ok::<(), ()>(()),
    );
    let (live, expected) = (10 * (messages - 1), 10 * messages);
    assert_eq!(
        run.unwrap().not_conserved,
        Some(format!(
            "after bit time 0 {live} message bits are live in place of {expected}"
        ))
    );
    assert!(is_caught(&*machine, &traffic));
}
