//! Faults that are put into the hardware: a register that flips, a wire that is stuck. What comes of each must differ from
//! the run without it in something that is reported.

use std::collections::BTreeSet;

use rand::Rng;
use rtl_model::fabric::Fabric;
use rtl_model::wormhole::machine::WormholeMachine;
use testbenches::reference::wormhole::{Machine, Message, Network, Switch};
use testbenches::wormhole::engine::{Delivery, Engine, Stray};

use crate::invariants::{flip, names};
use crate::machines::{
    ccc, copies, ecube, for_hardware, generator, hardware, machine, messages, nodes,
};

/// What is reported of a run.
#[derive(Debug, PartialEq)]
struct Ending {
    bit_time: u64,
    deliveries: Vec<Delivery>,
    strays: Vec<Stray>,
    not_conserved: Option<String>,
    is_shared: bool,
    is_conflict: bool,
}

/// A machine and traffics that crowd it.
struct Bench {
    machine: Machine,
    traffics: Vec<Vec<Message>>,
    clean: Vec<Ending>,
}

impl Bench {
    fn new(machine: Machine, traffics: u64) -> Self {
        let traffic = |seed| {
            let mut random = generator(seed);
            let nodes = nodes(machine);
            let pairs: Vec<(usize, usize)> = (0..3 * nodes)
                .map(|number| (number % nodes, random.random_range(0..nodes)))
                .collect();
            messages(pairs, 6, &mut random)
        };
        let mut bench = Bench {
            machine,
            traffics: (0..traffics).map(traffic).collect(),
            clean: Vec::new(),
        };
        bench.clean = (0..bench.traffics.len())
            .map(|traffic| bench.run(traffic, |_| (), |_| ()))
            .collect();
        for clean in &bench.clean {
            let arrived = |one: &Delivery| one.tail_arrived.is_some();
            assert!(clean.deliveries.iter().all(arrived));
            assert!(clean.strays.is_empty() && clean.not_conserved.is_none());
            assert!(!clean.is_shared && !clean.is_conflict);
        }
        bench
    }

    /// Until nothing moves, or for twice as long as without faults. `registers` may change registers at the start of each bit
    /// time, `wires` what is on the wires in it.
    fn run(
        &self,
        traffic: usize,
        mut registers: impl FnMut(&mut Fabric<WormholeMachine, u64>),
        mut wires: impl FnMut(&mut Fabric<WormholeMachine, u64>),
    ) -> Ending {
        let mut engine = Engine::<u64>::new(hardware(self.machine), 1).unwrap();
        for message in &self.traffics[traffic] {
            engine.send(0, for_hardware(message));
        }
        let limit = self
            .clean
            .get(traffic)
            .map_or(10_000, |clean| 2 * clean.bit_time);
        while engine.quiet() == 0 && engine.fabric.bit_time() < limit {
            registers(&mut engine.fabric);
            engine.tick_with(&mut wires, |_| Ok::<(), ()>(())).unwrap();
        }
        Ending {
            bit_time: engine.fabric.bit_time(),
            not_conserved: engine.meters.not_conserved,
            is_shared: engine.tracker.shared().is_some(),
            is_conflict: engine.conflict.is_some(),
            deliveries: engine.deliveries,
            strays: engine.strays,
        }
    }

    /// Some flip of the register bit in one of these nodes is noticed.
    fn flip_is_noticed(&self, number: usize, nodes: &[usize]) -> bool {
        (0..self.traffics.len()).any(|traffic| {
            let clean = &self.clean[traffic];
            nodes.iter().any(|&node| {
                (0..clean.bit_time).any(|when| {
                    let flip = |fabric: &mut Fabric<WormholeMachine, u64>| {
                        if fabric.bit_time() == when {
                            flip(fabric, node, number);
                        }
                    };
                    self.run(traffic, flip, |_| ()) != *clean
                })
            })
        })
    }

    fn stuck_wire_is_noticed(&self, node: usize, wire: usize, value: bool) -> bool {
        (0..self.traffics.len()).any(|traffic| {
            let stuck = |fabric: &mut Fabric<WormholeMachine, u64>| {
                fabric.force_wire(node, wire, value);
            };
            self.run(traffic, |_| (), stuck) != self.clean[traffic]
        })
    }
}

#[test]
fn explore() {
    for (network, v, nodes) in [
        (ccc(2), 2, vec![0, 4]),
        (ccc(3), 2, vec![0, 8, 16]),
        (copies(2, 2), 2, (0..8).collect::<Vec<_>>()),
        (ecube(2), 1, vec![0, 7]),
    ] {
        for switch in [Switch::Strong, Switch::Weak] {
            let bench = Bench::new(
                Machine {
                    switch,
                    virtual_channels: v,
                    ..machine(network)
                },
                2,
            );
            let t = std::time::Instant::now();
            println!(
                "{network:?} {switch:?} {:?}",
                bench.clean.iter().map(|c| c.bit_time).collect::<Vec<_>>()
            );
            for (name, range) in names(&hardware(bench.machine)) {
                for number in range.clone() {
                    if !bench.flip_is_noticed(number, &nodes) {
                        println!("   {name} {}", number - range.start);
                    }
                }
            }
            println!("{:?}", t.elapsed());
        }
    }
}
