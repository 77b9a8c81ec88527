//! Runs of the router of relations beside the model.

use reference_models::relations::{self, Listed, Outcome, Variant};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::slots::{self, SlotArrivals};
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::traffic::{Message, Relation, Traffic};

use super::cube;

/// A machine, used for one relation after the other.
pub struct Beside {
    k: usize,
    payload_bits: usize,
    h: usize,
    machine: Box<dyn Lockstep>,
}

impl Beside {
    pub fn new(k: usize, payload_bits: usize, h: usize) -> Self {
        let router = CountingRouter::new(cube(k), payload_bits, h).unwrap();
        let bit_times = relations::bit_times(k, payload_bits, h) as u64;
        assert_eq!(Device::bit_times(&router).value, bit_times);
        Beside {
            k,
            payload_bits,
            h,
            machine: Device::build(&router, 1).unwrap(),
        }
    }

    /// Routes the messages in the machine and in the model: each slot of each node must hold the same in the end, and
    /// if it ticks, each node as many after every iteration.
    pub fn holds(&mut self, mut messages: Vec<Listed>, ticks: bool) {
        messages.sort_by_key(|listed| (listed.message.source, listed.slot));
        let what = format!(
            "k={} D={} H={} {messages:?}",
            self.k, self.payload_bits, self.h
        );
        let outcome = relations::route(cube(self.k), self.h, &messages, Variant::CORRECT)
            .unwrap_or_else(|violation| panic!("{violation}: {what}"));
        let plain: Vec<Message> = messages.iter().map(|listed| listed.message).collect();
        // In ascending order of source and slot, which is that of the messages here.
        let relation = Relation::new(cube(self.k), self.payload_bits, plain, 5).unwrap();
        relation.check(self.h).unwrap();
        let slots = self.slots(&messages, &relation);
        self.machine.restart();
        slots::load(&mut *self.machine, &slots).unwrap();
        match ticks {
            true => self.tick(&outcome, &what),
            false => self.machine.advance(u64::MAX, &How::default()).unwrap(),
        }
        assert!(self.machine.is_done());
        let bit_times = relations::bit_times(self.k, self.payload_bits, self.h) as u64;
        assert_eq!(self.machine.bit_time(), bit_times, "{what}");
        let arrivals = SlotArrivals::read(&*self.machine, self.h, self.payload_bits).unwrap();
        let lists = &outcome.after_iteration[self.k - 1];
        for (node, list) in lists.iter().enumerate() {
            for (slot, message) in list.iter().enumerate() {
                let expected = message.map(|message| relation.payload(message));
                let found = arrivals.at(node, slot);
                assert_eq!(found, expected, "node {node} slot {slot} of {what}");
            }
        }
    }

    /// The messages of each slot, with the payloads that they have in the relation.
    fn slots(&self, messages: &[Listed], relation: &Relation) -> Vec<Traffic> {
        let of_slot = |slot| {
            let here = |listed: &&Listed| listed.slot == slot;
            let plain = messages.iter().filter(here).map(|listed| listed.message);
            let mut traffic =
                Traffic::many_to_one(cube(self.k), self.payload_bits, plain.collect(), 0).unwrap();
            for (index, listed) in messages.iter().enumerate().filter(|(_, one)| here(one)) {
                let place = traffic.index_from(listed.message.source).unwrap();
                let payload = relation.payload(index);
                traffic.payload_mut(place).copy_from_bitslice(payload);
            }
            traffic
        };
        (0..self.h).map(of_slot).collect()
    }

    /// Runs bit time by bit time, and counts messages after each iteration.
    fn tick(&mut self, outcome: &Outcome, what: &str) {
        let (mut iteration, mut ended) = (0, 0);
        while !self.machine.is_done() {
            let position = self.machine.position();
            self.machine.tick().unwrap();
            let now = self.machine.position().iteration as usize;
            if now != iteration || self.machine.is_done() {
                let lists = &outcome.after_iteration[iteration];
                let held = self.machine.messages(Some(position));
                for (node, list) in lists.iter().enumerate() {
                    assert_eq!(
                        held[node],
                        list.iter().flatten().count() as u32,
                        "node {node} after iteration {iteration} of {what}"
                    );
                }
                iteration = now;
                ended += 1;
            }
        }
        assert_eq!(ended, outcome.after_iteration.len(), "{what}");
    }
}
