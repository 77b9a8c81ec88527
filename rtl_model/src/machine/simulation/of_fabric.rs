//! A fabric, whatever its router and its lanes, as a machine that runs behind an object.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::device::Device;
use crate::machine::fabric::{Fabric, How, LaneGroup, LaneGroupMut, MidRun};
use crate::machine::host::{self, Field, Loads, NODES_AT_ONCE, Seats, Unloads};
use crate::machine::meter::Tally;
use crate::machine::program::{Program, Readings};
use crate::machine::router::{Machine, Position, Router};
use crate::machine::share::{Rank, gathered};
use crate::machine::simulation::visitors::{Appending, Copying, OfPlace};
use crate::machine::simulation::{
    LoadingHosts, Lockstep, ModuleEnds, Occupancy, Simulation, Timetable, UnloadingHosts,
};
use crate::machine::topology::{Tap, Topology};
use crate::machine::transmitted::Shown;

impl<R: Router> Timetable for Program<R> {
    fn length(&self) -> usize {
        Program::length(self)
    }

    fn position(&self, bit_time: usize) -> Position {
        Program::position(self, bit_time)
    }

    fn readings(&self) -> Readings {
        Program::readings(self)
    }

    fn words_to_ranks(&self, bit_times: Range<usize>) -> u64 {
        self.code().words_to_ranks(bit_times)
    }

    fn pause(&self, bit_time: u64) -> u64 {
        let bit_time = usize::try_from(bit_time).unwrap_or(usize::MAX);
        self.code().between_streams(bit_time) as u64
    }
}

impl<M: Machine, B: Lanes> Simulation for Fabric<M, B>
where
    M::Topology: 'static,
    M::Sequencer<bool>: 'static,
{
    fn topology(&self) -> &dyn Topology {
        Fabric::topology(self)
    }

    fn machines(&self) -> usize {
        Fabric::machines(self)
    }

    fn bit_time(&self) -> u64 {
        Fabric::bit_time(self)
    }

    fn is_done(&self) -> bool {
        Fabric::is_done(self)
    }

    fn transmit(&mut self) -> Result<(), Error> {
        Fabric::transmit(self)
    }

    fn clock(&mut self) {
        Fabric::clock(self);
    }

    fn watch(&mut self) {
        Fabric::watch(self);
    }

    fn driver(&self, wire: usize) -> Option<&'static str> {
        Fabric::driver(self, wire)
    }

    fn tapped(&self, node: usize, wire: Tap) -> bool {
        let topology = Fabric::topology(self);
        let links = topology.links();
        match wire {
            Tap::Driven(wire) => self.wire(node, wire),
            Tap::Received(wire) if wire < links => {
                let here = node % topology.nodes();
                let sender = node - here + topology.sender(here, wire);
                topology.is_there(here, wire) && self.wire(sender, wire)
            }
            Tap::Received(wire) => {
                let (group, place) = self.seat(node);
                self.from_host_now(group, wire - links).get(place)
            }
        }
    }

    fn words(&self) -> usize {
        self.groups() * B::WORDS
    }

    fn seats(&self, word: usize) -> Seats {
        let group = self.number_of(word / B::WORDS);
        seats::<_, B>(Fabric::topology(self), group, word % B::WORDS)
    }

    fn driven_word(&self, word: usize, wire: usize) -> u64 {
        self.group_wire(word / B::WORDS, wire).word(word % B::WORDS)
    }

    fn drive_from_host(&mut self, word: usize, wire: usize, bits: u64) {
        self.from_host(word / B::WORDS, wire)
            .set_word(word % B::WORDS, bits);
    }

    fn force_wire(&mut self, node: usize, wire: usize, value: bool) {
        Fabric::force_wire(self, node, wire, value);
    }

    fn sequencer(&self) -> &dyn Registers<bool> {
        Fabric::sequencer(self)
    }

    fn address(&self, node: usize) -> Vec<bool> {
        let topology = Fabric::topology(self);
        topology.address_of::<bool>(node % topology.nodes())
    }

    fn show_registers(&self, node: usize, visitor: &mut dyn Visitor<bool>) {
        let (group, place) = self.node(node);
        group.visit(Name::Field("node"), &mut OfPlace { place, visitor });
    }

    fn append_registers(&self, node: usize, bits: &mut Vec<bool>) {
        let (group, place) = self.node(node);
        group.visit(Name::Field("node"), &mut Appending { place, bits });
    }

    fn copy_registers(
        &self,
        (wanted, ends): (&[usize], &mut ModuleEnds),
        words: &mut [u64],
        changed: &mut dyn FnMut(usize),
    ) {
        let mut copying = Copying::new((wanted, ends), (words, Simulation::words(self)), changed);
        for node in self.node_groups() {
            node.visit(Name::Field("node"), &mut copying);
            copying.turn_to_next::<B>();
        }
    }

    fn change_registers(&mut self, node: usize, change: &mut dyn FnMut(usize, bool) -> bool) {
        let (group, place) = self.node_mut(node);
        let mut number = 0;
        group.visit_mut(&mut |register: &mut B| {
            let bit = register.get(place);
            let changed = change(number, bit);
            if changed != bit {
                register.set(place, changed);
            }
            number += 1;
        });
    }
}

impl<R: Router, B: Lanes> Lockstep for Fabric<R, B> {
    fn device(&self) -> &dyn Device {
        self.router()
    }

    fn rank(&self) -> &Rank {
        Fabric::rank(self)
    }

    fn rank_of(&self, node: usize) -> usize {
        (Fabric::rank(self).share()).rank_of(Fabric::topology(self), node)
    }

    fn as_simulation(&self) -> &dyn Simulation {
        self
    }

    fn position(&self) -> Position {
        Fabric::position(self)
    }

    fn driven_wire_bit_times(&self) -> u64 {
        Fabric::driven_wire_bit_times(self)
    }

    fn restart(&mut self) {
        Fabric::restart(self);
    }

    fn load(&mut self, host: &mut dyn Loads) -> Result<(), Error> {
        let (first, topology) = (self.number_of(0), Fabric::topology(self).clone());
        self.load_groups(&mut |group, lanes| write_group(&topology, (first + group, lanes), host))
    }

    fn unload(&self, host: &mut dyn Unloads) -> Result<(), Error> {
        let (first, topology) = (self.number_of(0), Fabric::topology(self));
        gathered::unload(Fabric::rank(self), self.words(), host, &|host| {
            self.read_groups(&mut |group, lanes| read_group(topology, (first + group, lanes), host))
        })
    }

    fn load_on_threads(&mut self, hosts: &LoadingHosts<'_>) -> Result<(), Error> {
        let (first, topology) = (self.number_of(0), Fabric::topology(self).clone());
        self.load_groups_on_threads(&|| {
            let (mut host, topology) = (hosts(), &topology);
            Box::new(move |group, lanes| write_group(topology, (first + group, lanes), &mut *host))
        })
    }

    fn unload_on_threads(&self, hosts: &UnloadingHosts<'_>) -> Result<(), Error> {
        let (first, topology) = (self.number_of(0), Fabric::topology(self));
        self.read_groups_on_threads(&|| {
            let mut host = hosts();
            Box::new(move |group, lanes| read_group(topology, (first + group, lanes), &mut *host))
        })
    }

    fn host_writes(&mut self, node: usize) -> Vec<(Field, bool)> {
        let router = self.shared_router();
        let (node, place) = self.node_mut(node);
        let router = &*router;
        let mut bits = Vec::new();
        router.host_writes(node, &mut |field, _, register: &mut B| {
            bits.push((field, register.get(place)));
        });
        bits
    }

    fn host_reads(&self, node: usize) -> Vec<(Field, bool)> {
        let (node, place) = self.node(node);
        let router = self.router();
        let mut bits = Vec::new();
        router.host_reads(node, &mut |field, _, register: B| {
            bits.push((field, register.get(place)));
        });
        bits
    }

    fn advance(&mut self, to: u64, how: &How<'_>) -> Result<(), Error> {
        Fabric::advance(self, to, how)
    }

    fn can_be_shown(&self) -> bool {
        Fabric::can_be_shown(self)
    }

    fn advance_shown(
        &mut self,
        to: u64,
        how: &How<'_>,
        shown: &mut Shown<'_>,
    ) -> Result<(), Error> {
        Fabric::advance_shown(self, to, how, Some(shown))
    }

    fn mid_run(&mut self) -> Option<MidRun> {
        Fabric::mid_run(self)
    }

    fn copy_tile(&self, tile: usize, words: &mut Vec<u64>) {
        Fabric::copy_tile(self, tile, words);
    }

    fn begin_at(&mut self, bit_time: u64) -> Option<MidRun> {
        Fabric::begin_at(self, bit_time)
    }

    fn replace_tile(&mut self, tile: usize, words: &[u64]) {
        Fabric::replace_tile(self, tile, words);
    }

    fn timetable(&mut self, measures: bool) -> Option<Arc<dyn Timetable>> {
        match Program::<R>::can_be_made(self.router()) {
            true => Some(self.program(measures)),
            false => None,
        }
    }

    fn prepare_timetable(&mut self) {
        self.begin_program();
    }

    fn occupancy(&mut self, after: Option<Position>) -> Occupancy {
        self.measure_occupancy(after)
    }

    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32 {
        let (group, place) = self.node(node);
        let mut occupied = 0;
        self.router().occupancy(group, after, &mut |flag: B, bits| {
            occupied += if flag.get(place) { bits } else { 0 };
        });
        occupied
    }

    fn append_occupied_bits(&self, after: Option<Position>, occupied: &mut Vec<u32>) {
        let mut bits = Tally::<B>::new(usize::MAX);
        for group in self.node_groups() {
            bits.clear();
            (self.router()).occupancy(group, after, &mut |flag: B, count| bits.add(flag, count));
            bits.append_sums(occupied);
        }
    }

    fn append_text(&self, number: usize, text: &mut String) {
        self.router().text(Fabric::sequencer(self), number, text);
    }

    fn append_numbers(&self, node: usize, bits: &mut Vec<bool>) {
        let (group, place) = self.node(node);
        let topology = Fabric::topology(self);
        let address = topology.address_of::<B>(node % topology.nodes());
        let sequencer = Fabric::sequencer(self);
        self.router()
            .numbers(sequencer, group, &address, &mut |bit: B| {
                bits.push(bit.get(place));
            });
    }

    fn append_told(&self, node: usize, number: usize, text: &mut String) {
        let node = node % Fabric::topology(self).nodes();
        self.router()
            .told(Fabric::sequencer(self), node, number, text);
    }

    fn told_anew(&self, anew: &mut dyn FnMut(usize, usize)) -> bool {
        self.router().told_anew(Fabric::sequencer(self), anew)
    }

    fn append_messages(&self, after: Option<Position>, messages: &mut Vec<u32>) {
        let mut held = Tally::<B>::new(usize::MAX);
        for group in self.node_groups() {
            held.clear();
            (self.router()).messages(group, after, &mut |flag: B| held.add(flag, 1));
            held.append_sums(messages);
        }
    }
}

/// The nodes of a group, word by word.
fn all_seats<T: Topology, B: Lanes>(topology: &T, group: usize) -> Vec<Seats> {
    let words = 0..B::WORDS;
    words
        .map(|word| seats::<_, B>(topology, group, word))
        .collect()
}

/// Has a host write into the nodes of a group.
fn write_group<T: Topology, B: Lanes>(
    topology: &T,
    (group, lanes): (usize, &mut dyn LaneGroupMut<B>),
    host: &mut dyn Loads,
) -> Result<(), Error> {
    host::write_group(lanes, &all_seats::<_, B>(topology, group), host)
}

/// Has a host read the nodes of a group.
fn read_group<T: Topology, B: Lanes>(
    topology: &T,
    (group, lanes): (usize, &dyn LaneGroup<B>),
    host: &mut dyn Unloads,
) -> Result<(), Error> {
    host::read_group(lanes, &all_seats::<_, B>(topology, group), host)
}

/// The nodes at the places `64 * word ..` of a group; `usize::MAX` at a place without a node. All
/// routers of a network share it: what it is inlined into is there for each of them.
#[inline(never)]
pub(crate) fn seats<T: Topology, B: Lanes>(topology: &T, group: usize, word: usize) -> Seats {
    std::array::from_fn(|place| match place < B::NODES {
        true => topology.node_at::<B>(group, NODES_AT_ONCE * word + place),
        false => usize::MAX,
    })
}
