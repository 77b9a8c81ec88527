//! Lanes are many nodes at once: all registers of all nodes, and all wires, are what they are node by node.

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Router;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::machines::{self, Visit, Writes, let_hosts_drive, loaded, on_each_family};
use crate::reduced_hypercube::common::{full, reduced};
use crate::reduced_hypercube::machines::{on_messages, on_words};

/// Four machines like one, of different lanes, compared in each bit time that is a multiple of `every`, and at the end.
struct SideBySide {
    machines: usize,
    every: u64,
}

/// All registers of all nodes, and what they drive.
fn bits<R: Router, B: Lanes>(fabric: &Fabric<R, B>) -> Vec<bool> {
    let mut bits = Vec::new();
    for node in 0..fabric.machines() * fabric.topology().nodes() {
        fabric.append_registers(node, &mut bits);
        let driven = 0..fabric.topology().driven();
        bits.extend(driven.map(|wire| fabric.wire(node, wire)));
    }
    bits
}

impl Visit for SideBySide {
    fn machine<R: Router>(&mut self, machine: &R, what: &str, writes: &Writes<'_>) {
        let mut single = loaded::<R, bool>(machine, self.machines, writes);
        let mut word = loaded::<R, u64>(machine, self.machines, writes);
        let mut eight = loaded::<R, Words<8>>(machine, self.machines, writes);
        loop {
            single.transmit().unwrap();
            word.transmit().unwrap();
            eight.transmit().unwrap();
            let (bit_time, is_done) = (single.bit_time(), single.is_done());
            if bit_time.is_multiple_of(self.every) || is_done {
                let due = bits(&single);
                assert!(bits(&word) == due, "{what}: u64, {bit_time}");
                assert!(bits(&eight) == due, "{what}: 8 words, {bit_time}");
            }
            assert_eq!([word.is_done(), eight.is_done()], [is_done; 2]);
            if is_done {
                return;
            }
            let_hosts_drive(&mut single);
            let_hosts_drive(&mut word);
            let_hosts_drive(&mut eight);
            single.clock();
            word.clock();
            eight.clock();
        }
    }
}

// A group holds nodes of several machines, or a machine lies in several groups beside others.
on_each_family!(SideBySide {
    machines: 5,
    every: 3
});

/// Of 512 nodes a machine is one group of eight words, of 1024 two; wires lead from group to group.
#[test]
fn machines_of_several_groups() {
    let mut visit = SideBySide {
        machines: 1,
        every: 37,
    };
    let kind = (Algorithm::BinomialTree, PortModel::All);
    let broadcast = crate::ports::common::machine(kind, 10, 0b10_1101_0011, 3, (1, 1));
    machines::broadcast(&mut visit, &broadcast);
    for network in [reduced(6, 2), full(10)] {
        on_words(network, &[Operator::Add], 1, &mut visit);
        on_messages(network, 1, &mut visit);
    }
}
