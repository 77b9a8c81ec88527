//! Machines in lockstep: many bit times at once.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::JoinHandle;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::strobes::Strobes;
use crate::machine::fabric::advance::{Stopped, advance};
use crate::machine::fabric::how::{How, OnWires};
use crate::machine::fabric::passing::OfProgram;
use crate::machine::fabric::tallies::Tallies;
use crate::machine::fabric::tiles::Tiles;
use crate::machine::fabric::wiring::{Wiring, numbered};
use crate::machine::fabric::{Fabric, Read, Write};
use crate::machine::memory;
use crate::machine::occupancy::Occupancy;
use crate::machine::program::{Aligned, Code, LARGEST, Layout, Program};
use crate::machine::router::{Position, Router, Sequencer};
use crate::machine::topology::Topology;
use crate::machine::transmitted::Shown;

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// Wires of a node that are driven, summed over the bit times that have passed. Strobes are broadcast: where one node
    /// drives a wire, all do; where nodes decide for themselves, each may.
    pub fn driven_wire_bit_times(&self) -> u64 {
        self.driven
    }

    /// Where the schedule stands in this bit time.
    pub fn position(&self) -> Position {
        self.router.position(&self.sequencer)
    }

    /// The program of a run, with meters or without. It is made when it is first asked for, unless [`Fabric::begin_program`] had it
    /// made before, and kept.
    ///
    /// # Panics
    /// As making it did on another thread.
    pub fn program(&mut self, measures: bool) -> Arc<Program<R>> {
        match &self.program {
            Some(program) if program.code().measures() || !measures => Arc::clone(program),
            _ => {
                let share = (self.nodes.len(), self.rank().share());
                let program = match self.making.take().map(JoinHandle::join) {
                    Some(Ok(made)) => Program::keep(&*self.router, made),
                    Some(Err(panic)) => resume_unwind(panic),
                    None => Program::last_or_made::<B>(&*self.router, share, measures),
                };
                self.program = Some(Arc::clone(&program));
                program
            }
        }
    }

    /// Has another thread make the program of a measured run while hosts load, which takes about as long; [`Fabric::program`] waits
    /// for it. Where no thread can be had, the program is made when it is asked for.
    pub fn begin_program(&mut self) {
        let share = (self.nodes.len(), self.rank().share());
        let router = self.shared_router();
        if Program::<R>::can_be_made(&router)
            && Program::<R>::last::<B>(&router, share, true).is_none()
        {
            let make = move || Program::<R>::of_share::<B>(&router, share, true);
            self.making = memory::on_another_thread(make);
        }
    }

    fn layout(&self) -> Layout {
        Layout::of_share::<B>(self.nodes.len(), self.rank().share())
    }

    /// Hands out one lane group after the other, with its number, to be loaded. A node is made for
    /// each group, and its registers go into tiles, where a program looks for them: so there are never nodes of all groups.
    /// There are, where the machine is [watched](Fabric::watch), where somebody has asked for nodes before, where no program can be made, or in mid-run, where the program knows
    /// a register and keeps no plane of it.
    ///
    /// # Errors
    /// The first that `load` returns; the groups after it are not loaded.
    pub fn load_groups(&mut self, load: &mut Write<'_, B>) -> Result<(), Error> {
        if self.is_watched || !Program::<R>::can_be_made(&self.router) {
            return self.nodes.write_nodes(load);
        }
        self.nodes.write(self.layout(), load)
    }

    /// As [`Fabric::load_groups`], on all threads of the pool that it is called in: of each tile's groups one after the other,
    /// with a `load` of their own. Where groups are not held in tiles, one thread does it.
    ///
    /// # Errors
    /// One that a `load` returns.
    pub fn load_groups_on_threads<'t>(
        &mut self,
        load: &(dyn Fn() -> Box<Write<'t, B>> + Sync),
    ) -> Result<(), Error> {
        if self.is_watched
            || !Program::<R>::can_be_made(&self.router)
            || !self.nodes.are_as_they_begin()
        {
            return self.load_groups(&mut *load());
        }
        self.nodes.write_on_threads(self.layout(), load)
    }

    /// As [`Fabric::read_groups`], on all threads of the pool that it is called in.
    ///
    /// # Errors
    /// One that a `read` returns.
    pub fn read_groups_on_threads<'t>(
        &self,
        read: &(dyn Fn() -> Box<Read<'t, B>> + Sync),
    ) -> Result<(), Error> {
        self.nodes.read_on_threads(read)
    }

    /// Begins anew, with all registers as they begin. The program is kept.
    pub fn restart(&mut self) {
        self.registers_change();
        self.nodes.restart();
        self.stand_at(self.router.sequencer(), 0);
        self.driven = 0;
    }

    /// In this bit time the sequencer is that one, and nothing is on any wire.
    pub(super) fn stand_at(&mut self, sequencer: R::Sequencer<bool>, bit_time: u64) {
        self.sequencer = sequencer;
        self.broadcast = R::Broadcast::idle();
        self.sequencer.broadcast(&mut self.broadcast);
        self.wiring.ledger.begin();
        self.bit_time = bit_time;
    }

    /// Advances to the bit time `to`, or to the end if that is earlier: as a program, in any order that keeps cause before
    /// effect. Registers are then what [`Fabric::tick`] would have made of them, hosts driving all the time what they drive
    /// now; nothing is on the wires then. Where [no program can be made](Program::can_be_made), it ticks, and measures nothing.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire, in the bit time in which they do;
    /// [`Error::BrokenOff`] if it was broken off: the fabric can then only be restarted.
    pub fn advance(&mut self, to: u64, how: &How<'_>) -> Result<(), Error> {
        self.advance_shown(to, how, None)
    }

    /// Whether a run that goes as a program can be [shown](Fabric::advance_shown): its tiles are large, and no other rank holds any.
    pub fn can_be_shown(&self) -> bool {
        let is_alone = self.rank().share().ranks() == 1;
        is_alone && self.layout().shape == LARGEST && Program::<R>::can_be_made(&self.router)
    }

    /// The same, with somebody who is shown what is on the wires in each bit time, if it [can be](Fabric::can_be_shown).
    ///
    /// # Errors
    /// As [`Fabric::advance`].
    pub fn advance_shown(
        &mut self,
        to: u64,
        how: &How<'_>,
        mut shown: Option<&mut Shown<'_>>,
    ) -> Result<(), Error> {
        self.advance_to(to, how, &mut shown)?;
        if self.is_done()
            && let Some(shown) = shown
        {
            self.show_end(shown);
        }
        Ok(())
    }

    fn advance_to(
        &mut self,
        to: u64,
        how: &How<'_>,
        shown: &mut Option<&mut Shown<'_>>,
    ) -> Result<(), Error> {
        if !Program::<R>::can_be_made(&self.router) {
            return self.tick_to(to, how, shown);
        }
        let program = self.program(how.readings.is_some());
        let code = program.code();
        let (from, length) = (self.bit_time as usize, program.length());
        if from > length {
            return Ok(());
        }
        let until = usize::try_from(to).unwrap_or(usize::MAX);
        let Some(mut tiles) = self.nodes.take(*program.layout(), code.held(from)) else {
            return self.tick_to(to, how, shown);
        };
        let bit_times = from..until.clamp(from, length);
        let mut passing = OfProgram {
            router: &*self.router,
            code,
            sequencer: self.sequencer.clone(),
            bit_time: from,
        };
        let mut show = shown.as_deref_mut().map(|shown| {
            let passing = &mut passing;
            move |bit_time: usize, wires: &[u64]| passing.show(bit_time, wires, &mut *shown)
        });
        let on_wires = show.as_mut().map(|show| show as &mut OnWires<'_>);
        let (reached, outcome) =
            (self.wiring).advance((&self.topology, code), &mut tiles, bit_times, how, on_wires);
        self.nodes.put(tiles);
        self.stand_at(program.sequencer(reached), reached as u64);
        self.driven += program.driven_wire_bit_times(from..reached);
        match outcome {
            Ok(()) => {}
            Err(Stopped::BrokenOff) => return Err(Error::BrokenOff),
            // The description says which node it is, and which units: of this bit time, whatever was found before.
            Err(Stopped::Clash(_)) => return self.tick_to(to, how, shown),
        }
        match program.conflict() {
            Some(conflict) if until > length => Err(conflict.clone()),
            _ => Ok(()),
        }
    }

    /// How full the nodes are, the bit time `after` being over (`None`: as loaded).
    pub fn measure_occupancy(&mut self, after: Option<Position>) -> Occupancy {
        let router = &*self.router;
        let tallies = self.tallies.get_or_insert_with(|| {
            Tallies::new(&self.wiring, &self.topology, &router.node::<bool>())
        });
        let mut occupancy = Occupancy::default();
        for (group, node) in self.nodes.iter().enumerate() {
            let bits = &mut tallies.bits;
            bits.clear();
            router.occupancy(node, after, &mut |flag, count| bits.add(flag, count));
            let messages = &mut tallies.messages;
            messages.clear();
            router.messages(node, after, &mut |flag| messages.add(flag, 1));
            tallies.group(group, &mut occupancy);
        }
        occupancy.of_all(self.rank())
    }

    /// Bit time by bit time, where no program can be made, or where somebody has changed a register of which the program
    /// knows better.
    fn tick_to(
        &mut self,
        to: u64,
        how: &How<'_>,
        shown: &mut Option<&mut Shown<'_>>,
    ) -> Result<(), Error> {
        let all_nodes = self.machines() * self.topology.nodes();
        let nodes = self.rank().share().nodes(all_nodes) as u64;
        while self.bit_time < to && !self.is_done() {
            self.transmit()?;
            if let Some(shown) = shown {
                self.show(*shown);
            }
            self.clock();
            if !how.watch.goes_on(nodes) {
                return Err(Error::BrokenOff);
            }
        }
        Ok(())
    }
}

impl<B: Lanes> Wiring<B> {
    /// Goes through bit times of a program; says how far it came.
    fn advance<T: Topology>(
        &self,
        (topology, code): (&T, &Code),
        tiles: &mut Tiles,
        bit_times: Range<usize>,
        how: &How<'_>,
        on_wires: Option<&mut OnWires<'_>>,
    ) -> (usize, Result<(), Stopped>) {
        let hosts = (self.first_group, &self.from_host[..]);
        let fixed = fixed_planes(topology, self.groups, hosts, code);
        let present = how.readings.and_then(|_| self.present(topology));
        let nodes = words(present.as_deref().unwrap_or_default());
        let run = (bit_times.clone(), &self.rank);
        let outcome = advance(
            code,
            (&fixed, &nodes),
            &mut tiles.planes,
            run,
            how,
            on_wires,
        );
        let reached = match outcome {
            Err(Stopped::Clash(bit_time)) => bit_time,
            _ => bit_times.end,
        };
        tiles.now_hold(code.held(reached));
        (reached, outcome)
    }
}

/// The words of lane groups, one group after the other.
fn words<B: Lanes>(groups: &[B]) -> Vec<u64> {
    let mut words = Vec::with_capacity(groups.len() * B::WORDS);
    for group in groups {
        words.extend((0..B::WORDS).map(|word| group.word(word)));
    }
    words
}

/// The planes that stay as they are, tile after tile, of so many groups from `first` on: address bits that are no bits of seats'
/// numbers, and what the hosts drive. All routers of a network share it.
#[inline(never)]
fn fixed_planes<T: Topology, B: Lanes>(
    topology: &T,
    groups: usize,
    (first, from_host): (usize, &[B]),
    code: &Code,
) -> Aligned {
    let (layout, of_tile) = (code.layout(), code.roads().fixed());
    let words_of_tile = layout.shape.words();
    let mut planes = Aligned::new(layout.tiles() * of_tile * words_of_tile);
    if of_tile == 0 {
        return planes;
    }
    let words = planes.words_mut();
    let mut address = vec![B::ZERO; topology.address_bits()];
    for group in 0..groups {
        let (number, before) = numbered(first, group);
        topology.address(number, before, &mut address);
        let hosts = topology.wires_from_host();
        let addresses = code.roads().fixed_addresses().map(|bit| address[bit]);
        let from_host = from_host[group * hosts..][..hosts].iter().copied();
        let (tile, from) = layout.seat::<B>(group);
        for (plane, bits) in addresses.chain(from_host).enumerate() {
            let plane = &mut words[(tile * of_tile + plane) * words_of_tile + from..];
            for (index, word) in plane[..B::WORDS].iter_mut().enumerate() {
                *word = bits.word(index);
            }
        }
    }
    planes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::enumeration::EnumerationRouter;

    #[test]
    fn a_program_is_made_by_another_thread_unless_one_is_kept() {
        let router = EnumerationRouter::new(Dimensions::new(10).unwrap());
        let fabric = || Fabric::<_, Words<8>>::new(router, 1).unwrap();
        let due = Program::of::<Words<8>>(&router, 2, true);
        let mut first = fabric();
        first.begin_program();
        assert!(first.making.is_some());
        let made = first.program(true);
        assert!(first.making.is_none() && made.code().measures());
        assert_eq!((made.length(), made.layout()), (due.length(), due.layout()));
        assert!((0..due.length()).all(|at| made.position(at) == due.position(at)));
        let mut second = fabric();
        second.begin_program();
        assert!(second.making.is_none());
        assert!(Arc::ptr_eq(&made, &second.program(false)));
    }
}
