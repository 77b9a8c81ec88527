//! Faults that are put into the hardware: a register that flips, a wire that is stuck. What comes of each must differ from
//! the run without it in something that is reported.

use hosts::tamper::Tampering;
use hosts::wormhole::engine::{Delivery, Engine, Stray};
use hosts::wormhole::message::Message;
use rand::Rng;
use reference_models::wormhole::{Machine, Network, Pieces, Routing, Switch};
use rtl_model::language::lanes::Words;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::simulation::Simulation;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::LinkWires;

use crate::wormhole::invariants::{flip, names};
use crate::wormhole::machines::{
    ccc, copies, cube, ecube, for_hardware, generator, hardware, machine, messages, nodes,
};

type Hardware = Fabric<WormholeMachine, Words<8>>;

/// Machines side by side, a traffic each. A fault is put into the same node of each.
const MACHINES: usize = 64;

/// What is reported of a run.
#[derive(Debug, PartialEq)]
struct Ending {
    bit_time: u64,
    crossed: u64,
    deliveries: Vec<Delivery>,
    strays: Vec<Stray>,
    not_conserved: Option<String>,
    is_shared: bool,
    is_conflict: bool,
}

/// Machines, a traffic for each, and what becomes of them without faults.
struct Bench {
    machine: Machine,
    hardware: WormholeMachine,
    traffics: Vec<Vec<Message>>,
    clean: Ending,
}

impl Bench {
    fn new(network: Network, virtual_channels: usize, switch: Switch) -> Self {
        let machine = Machine {
            switch,
            virtual_channels,
            // So that both copies carry all messages.
            pieces: Pieces::Even,
            ..machine(network)
        };
        let hardware = hardware(machine);
        let traffics: Vec<_> = (0..MACHINES).map(|on| traffic(machine, on)).collect();
        let mut engine = loaded(&hardware, &traffics);
        while engine.quiet() == 0 && engine.fabric.bit_time() < 10_000 {
            engine.tick(|_| Ok::<(), ()>(())).unwrap();
        }
        let clean = Ending::of(engine);
        let arrived = |one: &Delivery| one.tail_arrived.is_some();
        assert!(clean.deliveries.iter().all(arrived));
        assert!(clean.strays.is_empty() && clean.not_conserved.is_none());
        assert!(!clean.is_shared && !clean.is_conflict);
        Bench {
            machine,
            hardware,
            traffics,
            clean,
        }
    }

    /// Whether the run ends otherwise than it does without faults: when nothing moves or the time of that is over. `registers` may
    /// change registers at the start of each bit time, `wires` what is on the wires in it.
    fn is_noticed(
        &self,
        mut registers: impl FnMut(&mut Hardware),
        wires: impl FnMut(&mut dyn Simulation),
    ) -> bool {
        let mut engine = loaded(&self.hardware, &self.traffics);
        let mut tampering = Tampering {
            registers: |_: &mut dyn Simulation| (),
            wires,
        };
        while engine.quiet() == 0 && engine.fabric.bit_time() < self.clean.bit_time {
            registers(&mut engine.fabric);
            engine
                .tick_with(&mut tampering, |_| Ok::<(), ()>(()))
                .unwrap();
            // Now and then: to look takes time as well.
            if engine.fabric.bit_time().is_multiple_of(8) && self.is_lost(&engine) {
                return true;
            }
        }
        Ending::of(engine) != self.clean
    }

    /// Whether the run has gone wrong already, so that its ending is another whatever comes: none of this is ever taken back.
    fn is_lost(&self, engine: &Engine<Words<8>>) -> bool {
        let is_other = |(is, due): (&Delivery, &Delivery)| {
            is.injected.is_some() && is.injected != due.injected
                || is.tail_arrived.is_some() && is != due
        };
        !engine.strays.is_empty()
            || engine.meters.not_conserved.is_some()
            || engine.conflict.is_some()
            || engine.tracker.shared().is_some()
            || engine
                .deliveries
                .iter()
                .zip(&self.clean.deliveries)
                .any(is_other)
    }

    fn all_nodes(&self) -> std::ops::Range<usize> {
        0..MACHINES * nodes(self.machine)
    }

    /// All bit times, none soon after another.
    fn times(&self) -> impl Iterator<Item = u64> {
        let end = self.clean.bit_time;
        (0..end).map(move |turn| match end % 37 {
            0 => turn,
            _ => turn * 37 % end,
        })
    }

    fn flip_is_noticed(&self, number: usize, nodes: &[usize], when: u64) -> bool {
        let flip = |fabric: &mut Hardware| {
            if fabric.bit_time() == when {
                nodes.iter().for_each(|&node| flip(fabric, node, number));
            }
        };
        self.is_noticed(flip, |_| ())
    }

    /// Every wire that the node drives, stuck at 0 or at 1 throughout, is noticed; but for those that are of no consequence.
    fn every_stuck_wire_is_noticed(&self, node: usize, of_no_consequence: &[&str]) {
        let unnoticed: Vec<String> = (wires(&self.hardware).into_iter().enumerate())
            .flat_map(|(wire, name)| [false, true].map(|value| (wire, name.clone(), value)))
            .filter(|&(wire, _, value)| !self.stuck_wire_is_noticed(node, wire, value))
            .map(|(_, name, value)| format!("{name} at {}", u8::from(value)))
            .collect();
        assert_eq!(
            unnoticed, of_no_consequence,
            "{:?}, node {node}",
            self.machine
        );
    }

    fn stuck_wire_is_noticed(&self, node: usize, wire: usize, value: bool) -> bool {
        let nodes = self.beside(node);
        let stuck = |fabric: &mut dyn Simulation| {
            (nodes.iter()).for_each(|&node| fabric.force_wire(node, wire, value));
        };
        self.is_noticed(|_| (), stuck)
    }

    /// The node in every machine.
    fn beside(&self, node: usize) -> Vec<usize> {
        self.all_nodes()
            .skip(node)
            .step_by(nodes(self.machine))
            .collect()
    }

    /// For every register bit there is a node, of these, and a bit time in which its flip is noticed; but for those that are
    /// of no consequence, of which none is noticed wherever and whenever.
    fn every_register_matters(&self, nodes: &[usize], of_no_consequence: &[&str]) {
        let all = Vec::from_iter(self.all_nodes());
        let mut spared = 0;
        for (name, range) in names(&self.hardware) {
            for number in range.clone() {
                let name = format!("{name}[{}]", number - range.start);
                if of_no_consequence.contains(&name.as_str()) {
                    spared += 1;
                    let mut times = self.times().step_by(20);
                    let noticed = times.find(|&when| self.flip_is_noticed(number, &all, when));
                    assert_eq!(noticed, None, "{:?}: {name}", self.machine);
                    continue;
                }
                let noticed = self.times().any(|when| {
                    let mut nodes = nodes.iter();
                    nodes.any(|&node| self.flip_is_noticed(number, &self.beside(node), when))
                });
                assert!(noticed, "{:?}: no flip of {name} was noticed", self.machine);
            }
        }
        assert_eq!(spared, of_no_consequence.len());
    }
}

impl Ending {
    fn of(engine: Engine<Words<8>>) -> Self {
        Ending {
            bit_time: engine.fabric.bit_time(),
            crossed: engine.meters.crossed,
            not_conserved: engine.meters.not_conserved,
            is_shared: engine.tracker.shared().is_some(),
            is_conflict: engine.conflict.is_some(),
            deliveries: engine.deliveries,
            strays: engine.strays,
        }
    }
}

/// That of one machine: three worms from every node; on some machines half of them to one.
fn traffic(machine: Machine, on: usize) -> Vec<Message> {
    let nodes = nodes(machine);
    let mut random = generator(on as u64);
    let pairs: Vec<(usize, usize)> = (0..3 * nodes)
        .map(|number| match on.is_multiple_of(4) && random.random() {
            true => (number % nodes, on % nodes),
            false => (number % nodes, random.random_range(0..nodes)),
        })
        .collect();
    let messages = messages(pairs, 6, &mut random);
    messages.iter().map(for_hardware).collect()
}

/// Machines side by side before their first bit time.
fn loaded(hardware: &WormholeMachine, traffics: &[Vec<Message>]) -> Engine<Words<8>> {
    let mut engine = Engine::new(hardware.clone(), traffics.len()).unwrap();
    for (on, traffic) in traffics.iter().enumerate() {
        for message in traffic {
            engine.send(on, message.clone());
        }
    }
    engine
}

/// The wires that a node drives, by name.
fn wires(machine: &WormholeMachine) -> Vec<String> {
    let mut names = Vec::new();
    for link in &machine.plan().links {
        let LinkWires {
            channel, credits, ..
        } = &link.wires;
        assert_eq!(link.wires.data.start, names.len());
        names.extend(["data", "valid", "tail"].map(|role| format!("{} {role}", link.name)));
        names.extend((0..channel.len()).map(|bit| format!("{} channel {bit}", link.name)));
        names.extend((0..credits.len()).map(|number| format!("{} credit {number}", link.name)));
    }
    for switch in 0..machine.plan().switches() {
        let roles = ["eject", "eject valid", "eject tail", "inject credit"];
        names.extend(roles.map(|role| format!("switch {switch} {role}")));
    }
    names
}

/// With two levels a worm that has not crossed when it arrives over a straight link crosses there or stays, and there is no
/// cross hop on virtual channel 1 at level 1. So of the requesters of `straight_out_0` the second never asks, and of
/// `straight_out_1` and `cross_out_1` only one ever does: nobody to choose between.
const TWO_LEVELS: [&str; 4] = [
    "straight_out_0.arbiter[0]",
    "straight_out_1.arbiter[0]",
    "straight_out_1.arbiter[1]",
    "cross_out_1.arbiter[0]",
];

#[test]
fn every_register_of_cube_connected_cycles_matters() {
    Bench::new(ccc(2), 2, Switch::Weak).every_register_matters(&[0, 4], &TWO_LEVELS);
}

/// Dimension 1 has the straight links of level 1 as its last two, dimension 2 the cross links of level 1: of both, virtual
/// channel 1 is not used.
#[test]
fn every_register_of_copies_matters() {
    let of_switches =
        (0..2).flat_map(|switch| TWO_LEVELS.map(|name| format!("switch_{switch}.{name}")));
    let of_wires = ["dim_1[2]", "dim_2[0]"];
    let of_wires = of_wires.map(|name| format!("wire_arbiters.{name}"));
    let names: Vec<String> = of_switches.chain(of_wires).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Bench::new(copies(2, 2), 2, Switch::Weak).every_register_matters(&[0, 7], &names);
}

#[test]
fn every_register_of_two_phases_matters() {
    let all = Vec::from_iter(0..8);
    Bench::new(cube(3, Routing::Valiant), 2, Switch::Weak).every_register_matters(&all, &[]);
}

#[test]
#[ignore = "long: a strong switch"]
fn every_register_of_two_phases_with_a_strong_switch_matters() {
    let all = Vec::from_iter(0..8);
    Bench::new(cube(3, Routing::Valiant), 2, Switch::Strong).every_register_matters(&all, &[]);
}

#[test]
fn every_stuck_wire_of_two_phases_is_noticed() {
    let bench = Bench::new(cube(3, Routing::Valiant), 2, Switch::Weak);
    for node in [0, 7] {
        bench.every_stuck_wire_is_noticed(node, &[]);
    }
}

#[test]
fn every_register_of_dimension_order_matters() {
    for switch in [Switch::Strong, Switch::Weak] {
        Bench::new(ecube(2), 1, switch).every_register_matters(&[0, 7], &[]);
    }
}

/// What is of no consequence belongs to virtual channel 1 where no route uses it: straight out of level 1, and across at
/// level 1. Its number is never said there, and nobody counts its credits.
#[test]
fn every_stuck_wire_of_cube_connected_cycles_is_noticed() {
    let bench = Bench::new(ccc(2), 2, Switch::Strong);
    bench.every_stuck_wire_is_noticed(0, &["straight credit 1 at 0", "straight credit 1 at 1"]);
    bench.every_stuck_wire_is_noticed(
        4,
        &[
            "straight channel 0 at 0",
            "cross channel 0 at 0",
            "cross credit 1 at 0",
            "cross credit 1 at 1",
        ],
    );
}

/// The same: dimension 1 has the straight links of level 1 as its last two channels, dimension 2 cross links of level 1.
#[test]
fn every_stuck_wire_of_copies_is_noticed() {
    let bench = Bench::new(copies(2, 2), 2, Switch::Strong);
    for node in [0, 7] {
        bench.every_stuck_wire_is_noticed(
            node,
            &[
                "dim_1 credit 3 at 0",
                "dim_1 credit 3 at 1",
                "dim_2 channel 0 at 0",
                "dim_2 credit 1 at 0",
                "dim_2 credit 1 at 1",
            ],
        );
    }
}

#[test]
fn every_stuck_wire_of_dimension_order_is_noticed() {
    let bench = Bench::new(ecube(2), 1, Switch::Weak);
    for node in 0..8 {
        bench.every_stuck_wire_is_noticed(node, &[]);
    }
}
