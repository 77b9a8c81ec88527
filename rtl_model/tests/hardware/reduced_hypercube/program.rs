//! A compiled program leaves the registers that a run bit time by bit time leaves, at all widths of lanes and with any number of
//! threads, and reads the same occupancy.

use rand::Rng;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::Registers;
use rtl_model::machine::fabric::{Blocking, Fabric, How};
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::reduced_hypercube::common::{full, reduced};
use crate::reduced_hypercube::machines::{Visit, generator, load, on_keys, on_messages, on_words};

/// Every register of every group, word by word.
fn registers<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> Vec<u64> {
    let mut words = Vec::new();
    for group in fabric.node_groups_mut() {
        group.visit_mut(&mut |register: &mut B| {
            words.extend((0..B::WORDS).map(|word| register.word(word)));
        });
    }
    words
}

/// What two machines agree in that do the same: where they stand, and all registers.
fn state<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> impl PartialEq + use<R, B> {
    (
        fabric.bit_time(),
        fabric.position(),
        fabric.is_done(),
        fabric.driven_wire_bit_times(),
        registers(fabric),
    )
}

/// Ways to run: instructions, threads, and blocks so small that everything that can be is run apart.
fn ways() -> Vec<How<'static>> {
    let small = Blocking {
        cache: 0,
        shortest_pause: 1,
        bytes_per_thread: 1,
    };
    let each = |instructions| {
        [1, 2, 3].map(move |threads| How {
            threads,
            instructions,
            blocking: if threads == 1 {
                Blocking::default()
            } else {
                small
            },
            ..How::default()
        })
    };
    Instructions::ALL.into_iter().flat_map(each).collect()
}

/// So many machines side by side.
struct Compare {
    machines: usize,
}

impl Compare {
    fn compare<R: Router<Topology = BlockNetwork>, B: Lanes>(&self, machine: &R, what: &str) {
        let loaded = || {
            let mut fabric = Fabric::<R, B>::new(machine.clone(), self.machines).unwrap();
            load(&mut fabric, 3);
            fabric
        };
        let mut ticked = loaded();
        let mut states = vec![state(&mut ticked)];
        let mut live = vec![ticked.measure_occupancy(None).live_bits];
        while !ticked.is_done() {
            let position = ticked.position();
            ticked.tick().unwrap();
            states.push(state(&mut ticked));
            live.push(ticked.measure_occupancy(Some(position)).live_bits);
        }
        let end = states.len() as u64 - 1;
        assert_eq!(end, Router::bit_times(machine).value, "{what}");

        let mut by_bit_time = loaded();
        for to in 0..=end {
            by_bit_time.advance(to, &How::default()).unwrap();
            assert!(
                state(&mut by_bit_time) == states[to as usize],
                "{what}, {} lanes: bit time {to}",
                B::NODES
            );
        }
        let mut random = generator(end);
        for how in ways() {
            let mut in_strides = loaded();
            while !in_strides.is_done() {
                let to = in_strides.bit_time() + random.random_range(1..=end / 2 + 1);
                in_strides.advance(to, &how).unwrap();
                let to = in_strides.bit_time();
                assert!(
                    state(&mut in_strides) == states[to as usize],
                    "{what}, {} lanes, {} threads: stride to {to}",
                    B::NODES,
                    how.threads
                );
            }
        }
        let mut in_one_go = loaded();
        let readings = in_one_go.program(true).readings();
        let how = How {
            readings: Some(&readings),
            ..How::default()
        };
        in_one_go.advance(u64::MAX, &how).unwrap();
        assert!(state(&mut in_one_go) == states[end as usize], "{what}");
        if in_one_go.nodes().is_power_of_two() {
            for (bit_time, live) in live.iter().enumerate() {
                assert_eq!(readings.live_bits(bit_time), *live, "{what}: {bit_time}");
            }
        }
    }
}

impl Visit for Compare {
    fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str) {
        self.compare::<R, bool>(&machine, what);
        self.compare::<R, u64>(&machine, what);
        self.compare::<R, Words<8>>(&machine, what);
    }
}

#[test]
fn small_machines() {
    let mut visit = Compare { machines: 1 };
    for network in [reduced(1, 1), full(3)] {
        on_words(network, &Operator::ALL, 4, &mut visit);
        on_keys(network, (1, 3), &mut visit);
        on_keys(network, (3, 2), &mut visit);
        on_messages(network, 3, &mut visit);
    }
}

/// Three machines do not fill their lanes, or are tiles that are no power of two; one of them is a node in each lane.
#[test]
fn sub_blocks_and_machines_side_by_side() {
    for machines in [1, 3] {
        let mut visit = Compare { machines };
        on_words(
            reduced(2, 2),
            &[Operator::Max, Operator::Carry],
            2,
            &mut visit,
        );
        on_messages(reduced(2, 2), 2, &mut visit);
        on_keys(reduced(2, 1), (2, 2), &mut visit);
    }
    on_keys(reduced(2, 2), (1, 1), &mut Compare { machines: 1 });
}
