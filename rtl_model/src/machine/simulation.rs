//! The hardware seam, one half: a machine that runs, behind an object, whatever its router and its lanes.
//!
//! ```text
//!   testbenches, probe, meters, faults, tests
//!        |   nodes and wires by number, registers by name, hosts 64 nodes at once
//!        v
//!   dyn Simulation      any machine: transmit, clock, wires, registers
//!   dyn Lockstep        one with a schedule as well: position, advance, load, unload, occupancy
//!        |
//!        v   implemented once, here
//!   Fabric<router, lanes>, its inner loops compiled for both
//! ```
//!
//! What is asked for in every bit time of every node stays below the seam.

mod of_fabric;
mod visitors;

use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::language::register::{Registers, Visitor};
use crate::machine::device::Device;
use crate::machine::fabric::{How, MidRun};
use crate::machine::host::{Field, Loads, Seats, Unloads};
use crate::machine::program::Readings;
use crate::machine::router::Position;
use crate::machine::share::Rank;
use crate::machine::topology::{Tap, Topology};
use crate::machine::transmitted::Shown;

pub use crate::machine::occupancy::Occupancy;
pub use crate::machine::transmitted::Transmitted;

/// Where the modules of a node end, in the order in which they begin: the numbers of the register and of the module that come next.
#[derive(Clone, Debug, Default)]
pub struct ModuleEnds(pub(super) Vec<(usize, usize)>);

/// A machine that runs, or several like ones side by side: machine `m`'s node `x` is node `m * nodes + x`.
pub trait Simulation {
    /// The network of each machine.
    fn topology(&self) -> &dyn Topology;

    /// Machines side by side.
    fn machines(&self) -> usize;

    /// Nodes of all machines; of a share, those of the whole machine.
    fn nodes(&self) -> usize {
        self.machines() * self.topology().nodes()
    }

    /// Bit times that have passed.
    fn bit_time(&self) -> u64;

    /// Whether the sequencer has passed its last step.
    fn is_done(&self) -> bool;

    /// First half of a bit time: every node puts its bits onto its wires.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    fn transmit(&mut self) -> Result<(), Error>;

    /// Second half of a bit time: every node receives and takes its clock edge.
    fn clock(&mut self);

    /// One bit time.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    fn tick(&mut self) -> Result<(), Error> {
        self.transmit()?;
        self.clock();
        Ok(())
    }

    /// Somebody is going to look at single nodes in every bit time: they are kept where that is quick.
    fn watch(&mut self);

    /// The unit that drives a wire in this bit time, if any.
    fn driver(&self, wire: usize) -> Option<&'static str>;

    /// What is on a wire at a node in this bit time, to be read between the two halves: 0 where nobody drives.
    fn tapped(&self, node: usize, wire: Tap) -> bool;

    /// Words of 64 nodes in which all of them lie that are here: what hosts on wires read and write at once.
    fn words(&self) -> usize;

    /// The nodes of a word, by place; `usize::MAX` or a number beyond all nodes at a place without one.
    fn seats(&self, word: usize) -> Seats;

    /// What the nodes of a word drive onto a wire in this bit time, to be read between the two halves: 0 where nobody drives.
    fn driven_word(&self, word: usize, wire: usize) -> u64;

    /// The same of all words, into as many.
    fn copy_driven(&self, wire: usize, words: &mut [u64]) {
        for (number, word) in words.iter_mut().enumerate() {
            *word = self.driven_word(number, wire);
        }
    }

    /// What the hosts of a word's nodes drive onto wire `wire` of those that lead from a host: to be written between the two
    /// halves; it stays until it is written again.
    fn drive_from_host(&mut self, word: usize, wire: usize, bits: u64);

    /// Forces the wire that `node` drives in this bit time, between the two halves: an injected fault. It has no effect
    /// while nobody drives the wire.
    fn force_wire(&mut self, node: usize, wire: usize, value: bool);

    /// The sequencer's registers.
    fn sequencer(&self) -> &dyn Registers<bool>;

    /// The bits of its own address that a node has, that of dimension 0 first.
    fn address(&self, node: usize) -> Vec<bool>;

    /// Shows the registers of a node, by name and in order.
    fn show_registers(&self, node: usize, visitor: &mut dyn Visitor<bool>);

    /// Appends the register bits of a node, in the same order.
    fn append_registers(&self, node: usize, bits: &mut Vec<bool>);

    /// Copies register bits of all nodes, 64 nodes at once, as [`Simulation::seats`] has them: those whose numbers in that order
    /// are `wanted`, in ascending order. The words of the bit of number `n` begin at `words[n * self.words()]`; the others stay
    /// what they are. `changed` is shown each number whose words were not that already, some more than once. The ends of modules
    /// are empty at the first call, which fills them, and go with this machine alone: all lane groups are the same circuit, and of it
    /// modules are passed by of which nothing is wanted.
    fn copy_registers(
        &self,
        wanted: (&[usize], &mut ModuleEnds),
        words: &mut [u64],
        changed: &mut dyn FnMut(usize),
    );

    /// Replaces the register bits of a node, in the same order: `change(number, bit)` gives what one is to be.
    fn change_registers(&mut self, node: usize, change: &mut dyn FnMut(usize, bool) -> bool);

    /// Flips a register bit of a node, by its number in that order: an injected fault.
    fn flip_register(&mut self, node: usize, number: usize) {
        self.change_registers(node, &mut |at, bit| bit ^ (at == number));
    }
}

/// A machine in lockstep that runs.
pub trait Lockstep: Simulation + Send {
    /// What it is built from.
    fn device(&self) -> &dyn Device;

    /// The rank that holds it, or a share of it.
    fn rank(&self) -> &Rank;

    /// The rank that holds a node.
    fn rank_of(&self, node: usize) -> usize;

    /// As a simulation of any machine.
    fn as_simulation(&self) -> &dyn Simulation;

    /// Where the schedule stands in this bit time.
    fn position(&self) -> Position;

    /// Wires of a node driven, summed over the bit times that have passed.
    fn driven_wire_bit_times(&self) -> u64;

    /// Begins anew, with all registers as they begin.
    fn restart(&mut self);

    /// Has a host write into all nodes, 64 at once.
    ///
    /// # Errors
    /// The first of the host; nodes that come later are then not written.
    fn load(&mut self, host: &mut dyn Loads) -> Result<(), Error>;

    /// Has a host read all nodes, 64 at once. Of several ranks all call it; the host of the first reads what all hold, and
    /// those of the others nothing.
    ///
    /// # Errors
    /// The first of the host.
    fn unload(&self, host: &mut dyn Unloads) -> Result<(), Error>;

    /// As [`Lockstep::load`], on all threads of the pool that it is called in, with hosts of their own.
    ///
    /// # Errors
    /// One of the hosts'; other nodes may then be written or not.
    fn load_on_threads(&mut self, hosts: &LoadingHosts<'_>) -> Result<(), Error>;

    /// As [`Lockstep::unload`], on all threads of the pool that it is called in, with hosts of their own; what other ranks
    /// hold is not read.
    ///
    /// # Errors
    /// One of the hosts'.
    fn unload_on_threads(&self, hosts: &UnloadingHosts<'_>) -> Result<(), Error>;

    /// What the registers hold that the host writes: bit by bit, the least significant first.
    fn host_writes(&mut self, node: usize) -> Vec<(Field, bool)>;

    /// What the registers hold that the host reads.
    fn host_reads(&self, node: usize) -> Vec<(Field, bool)>;

    /// Advances to the bit time `to`, or to the end if that is earlier: see [`Fabric::advance`](crate::machine::fabric::Fabric::advance).
    ///
    /// # Errors
    /// As [`Fabric::advance`](crate::machine::fabric::Fabric::advance).
    fn advance(&mut self, to: u64, how: &How<'_>) -> Result<(), Error>;

    /// Whether a run that goes as a program can be shown: see
    /// [`Fabric::can_be_shown`](crate::machine::fabric::Fabric::can_be_shown).
    fn can_be_shown(&self) -> bool;

    /// The same, with somebody who is shown each bit time: see
    /// [`Fabric::advance_shown`](crate::machine::fabric::Fabric::advance_shown).
    ///
    /// # Errors
    /// As [`Fabric::advance`](crate::machine::fabric::Fabric::advance).
    fn advance_shown(&mut self, to: u64, how: &How<'_>, shown: &mut Shown<'_>)
    -> Result<(), Error>;

    /// What there is of it in this bit time, to be written down: see [`Fabric::mid_run`](crate::machine::fabric::Fabric::mid_run).
    fn mid_run(&mut self) -> Option<MidRun>;

    /// Appends what is kept of a tile: see [`Fabric::copy_tile`](crate::machine::fabric::Fabric::copy_tile).
    fn copy_tile(&self, tile: usize, words: &mut Vec<u64>);

    /// Goes to another bit time: see [`Fabric::begin_at`](crate::machine::fabric::Fabric::begin_at).
    fn begin_at(&mut self, bit_time: u64) -> Option<MidRun>;

    /// Puts what was kept in the place of a tile: see [`Fabric::replace_tile`](crate::machine::fabric::Fabric::replace_tile).
    fn replace_tile(&mut self, tile: usize, words: &[u64]);

    /// What the compiled program of a run says of its bit times, if one can be made; with meters in it, or without.
    fn timetable(&mut self, measures: bool) -> Option<Arc<dyn Timetable>>;

    /// Has another thread make the program that [`Lockstep::timetable`] of a measured run will ask for, if one can be made.
    fn prepare_timetable(&mut self);

    /// How full the nodes are, the bit time `after` being over (`None`: as loaded).
    fn occupancy(&mut self, after: Option<Position>) -> Occupancy;

    /// Message bits that a node holds.
    fn occupied_bits(&self, node: usize, after: Option<Position>) -> u32;

    /// Appends the same of all nodes, 64 of each word, as [`Simulation::seats`] has them; at a place without a node it may be
    /// anything.
    fn append_occupied_bits(&self, after: Option<Position>, occupied: &mut Vec<u32>);

    /// Appends what a text about the sequencer says in this bit time: see [`Router::text`](crate::machine::router::Router::text).
    fn append_text(&self, number: usize, text: &mut String);

    /// Appends the bits of all numbers of a node: see [`Router::numbers`](crate::machine::router::Router::numbers).
    fn append_numbers(&self, node: usize, bits: &mut Vec<bool>);

    /// Appends what a told text says of a node in this bit time: see [`Router::told`](crate::machine::router::Router::told).
    fn append_told(&self, node: usize, number: usize, text: &mut String);

    /// Which told texts may say something else than in the bit time before: see
    /// [`Router::told_anew`](crate::machine::router::Router::told_anew).
    fn told_anew(&self, anew: &mut dyn FnMut(usize, usize)) -> bool;

    /// Appends the messages that each node holds, in the same order as [`Lockstep::append_occupied_bits`].
    fn append_messages(&self, after: Option<Position>, messages: &mut Vec<u32>);

    /// The same, by the numbers of the nodes.
    fn messages(&self, after: Option<Position>) -> Vec<u32> {
        let mut held = Vec::new();
        self.append_messages(after, &mut held);
        let mut by_node = vec![0; self.nodes()];
        let seats = (0..self.words()).flat_map(|word| self.seats(word));
        for (seat, held) in seats.zip(held) {
            by_node
                .get_mut(seat)
                .into_iter()
                .for_each(|node| *node = held);
        }
        by_node
    }
}

/// Makes a host that writes into nodes.
pub type LoadingHosts<'a> = dyn Fn() -> Box<dyn Loads + 'a> + Sync + 'a;

/// Makes a host that reads from nodes.
pub type UnloadingHosts<'a> = dyn Fn() -> Box<dyn Unloads + 'a> + Sync + 'a;

/// What is known of the bit times of a run beforehand.
pub trait Timetable {
    /// Bit times until the last step is over; up to a conflict, if there is one.
    fn length(&self) -> usize;

    /// Where the schedule stands.
    fn position(&self, bit_time: usize) -> Position;

    /// Room for what a run measures.
    fn readings(&self) -> Readings;

    /// Words of 64 bits that a rank sends to others in bit times.
    fn words_to_ranks(&self, bit_times: Range<usize>) -> u64;

    /// The first bit time from this one on whose bits are not exchanged with those of an earlier one. A run that pauses there
    /// exchanges bits with other ranks as often as one that does not.
    fn pause(&self, bit_time: u64) -> u64;
}
