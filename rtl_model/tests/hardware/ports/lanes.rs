//! Lanes are many nodes at once: all registers of all nodes, and all wires, are what they are node by node.

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::Algorithm;

use crate::ports::common::{each, let_hosts_drive, load, machine, taken};

fn loaded<B: Lanes>(device: &PortMachine, machines: usize) -> Fabric<PortMachine, B> {
    let mut fabric = Fabric::new(device.clone(), machines).unwrap();
    load(&mut fabric, 7);
    fabric
}

/// The wires of all nodes in this bit time.
fn wires<B: Lanes>(fabric: &Fabric<PortMachine, B>) -> Vec<bool> {
    let nodes = 0..fabric.machines() * fabric.topology().nodes();
    let driven = fabric.topology().driven();
    nodes
        .flat_map(|node| (0..driven).map(move |wire| fabric.wire(node, wire)))
        .collect()
}

/// All registers of all nodes.
fn registers<B: Lanes>(fabric: &Fabric<PortMachine, B>) -> Vec<bool> {
    let mut bits = Vec::new();
    for node in 0..fabric.machines() * fabric.topology().nodes() {
        fabric.append_registers(node, &mut bits);
    }
    bits
}

/// Four machines like one, of different lanes, with the same hosts; they are compared in each bit time that is a multiple of
/// `every`, and at the end.
fn side_by_side(device: &PortMachine, machines: usize, every: u64) {
    let what = format!("{:?}, {machines} machines", device.broadcast());
    let mut single = loaded::<bool>(device, machines);
    let mut word = loaded::<u64>(device, machines);
    let mut eight = loaded::<Words<8>>(device, machines);
    loop {
        let is_compared = single.bit_time().is_multiple_of(every) || single.is_done();
        macro_rules! agree {
            ($what:ident) => {
                if is_compared {
                    let expected = $what(&single);
                    let note = concat!(stringify!($what), " in bit time");
                    let bit_time = single.bit_time();
                    assert!($what(&word) == expected, "{what}: u64, {note} {bit_time}");
                    assert!(
                        $what(&eight) == expected,
                        "{what}: 8 words, {note} {bit_time}"
                    );
                }
            };
        }
        macro_rules! all {
            ($fabric:ident => $do:expr) => {{
                let $fabric = &mut single;
                $do;
                let $fabric = &mut word;
                $do;
                let $fabric = &mut eight;
                $do;
            }};
        }
        agree!(registers);
        all!(fabric => fabric.transmit().unwrap());
        agree!(wires);
        if single.is_done() {
            assert!(word.is_done() && eight.is_done());
            return;
        }
        all!(fabric => { let_hosts_drive(fabric); fabric.clock() });
    }
}

#[test]
fn small_machines() {
    for kind in each() {
        for n in 1..=6 {
            let most = if n < 5 { 2 * n + 1 } else { n + 1 };
            for packets in taken(kind.0, n, &[2, most]) {
                let size = [(1, 0), (3, 0), (2, 1)][(n + packets) % 3];
                let device = machine(kind, n, (packets * 11 + n) % (1 << n), packets, size);
                side_by_side(&device, 1, 1);
            }
        }
    }
}

/// A group holds nodes of several machines, or a machine lies in several groups beside others.
#[test]
fn machines_side_by_side() {
    for kind in each() {
        for (n, machines) in [(1, 40), (2, 70), (3, 9), (4, 5)] {
            let packets = taken(kind.0, n, &[n + 1])[0];
            let device = machine(kind, n, n % (1 << n), packets, (2, 1));
            side_by_side(&device, machines, 1);
        }
    }
}

/// Of 512 nodes a machine is one group of eight words, of 1024 two.
#[test]
fn machines_of_several_groups() {
    for kind in each() {
        // A path takes as many steps as there are nodes.
        let (n, every) = match kind.0 {
            Algorithm::HamiltonianPath => (9, 61),
            _ => (10, 7),
        };
        let packets = taken(kind.0, n, &[3])[0];
        let device = machine(kind, n, 0b10_1101_0011 % (1 << n), packets, (1, 1));
        side_by_side(&device, 1, every);
    }
}
