//! Lanes are many nodes at once: all registers of all nodes, in every bit time, are what they are node by node.

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Router;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::reduced_hypercube::common::{full, reduced};
use crate::reduced_hypercube::machines::{Visit, load, on_keys, on_messages, on_words, registers};

/// Four machines like one, of different lanes, compared in each bit time that is a multiple of `every`, and at the end.
struct SideBySide {
    machines: usize,
    every: u64,
}

impl SideBySide {
    fn loaded<R: Router, B: Lanes>(&self, machine: &R) -> Fabric<R, B> {
        let mut fabric = Fabric::new(machine.clone(), self.machines).unwrap();
        load(&mut fabric, 7);
        fabric
    }
}

impl Visit for SideBySide {
    fn machine<R: Router<Topology = BlockNetwork>>(&mut self, machine: R, what: &str) {
        let mut single = self.loaded::<R, bool>(&machine);
        let mut word = self.loaded::<R, u64>(&machine);
        let mut eight = self.loaded::<R, Words<8>>(&machine);
        loop {
            let (bit_time, is_done) = (single.bit_time(), single.is_done());
            if bit_time.is_multiple_of(self.every) || is_done {
                let due = registers(&single);
                assert!(registers(&word) == due, "{what}: u64, {bit_time}");
                assert!(registers(&eight) == due, "{what}: 8 words, {bit_time}");
            }
            assert_eq!([word.is_done(), eight.is_done()], [is_done; 2]);
            if is_done {
                return;
            }
            single.tick().unwrap();
            word.tick().unwrap();
            eight.tick().unwrap();
        }
    }
}

#[test]
fn small_machines() {
    let mut visit = SideBySide {
        machines: 1,
        every: 1,
    };
    for network in [reduced(1, 1), reduced(2, 1), full(3)] {
        on_words(network, &Operator::ALL, 4, &mut visit);
        on_keys(network, (1, 3), &mut visit);
        on_keys(network, (3, 2), &mut visit);
        on_messages(network, 3, &mut visit);
    }
    visit.every = 3;
    on_words(reduced(2, 2), &Operator::ALL, 2, &mut visit);
    visit.every = 7;
    on_keys(reduced(2, 2), (2, 1), &mut visit);
    on_messages(reduced(2, 2), 3, &mut visit);
}

/// A group holds nodes of several machines, or a machine lies in several groups beside others.
#[test]
fn machines_side_by_side() {
    for (network, machines) in [(reduced(1, 1), 11), (full(3), 9), (reduced(2, 2), 3)] {
        let mut visit = SideBySide { machines, every: 5 };
        on_words(network, &[Operator::Min, Operator::Carry], 2, &mut visit);
        on_keys(network, (1, 2), &mut visit);
        on_messages(network, 2, &mut visit);
    }
}

/// Of 512 nodes a machine is one group of eight words, of 1024 two; wires lead from group to group.
#[test]
fn machines_of_several_groups() {
    let mut visit = SideBySide {
        machines: 1,
        every: 37,
    };
    for network in [reduced(6, 2), full(10)] {
        on_words(network, &[Operator::Add], 1, &mut visit);
        on_messages(network, 1, &mut visit);
    }
    visit.every = 97;
    on_keys(reduced(6, 2), (1, 1), &mut visit);
    on_keys(full(10), (1, 1), &mut visit);
}
