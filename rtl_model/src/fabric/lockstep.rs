//! Machines in lockstep: many bit times at once.

use std::sync::Arc;

use crate::error::Error;
use crate::fabric::Fabric;
use crate::fabric::advance::{Block, Blocking, BrokenOff, Watch, advance};
use crate::instructions::Instructions;
use crate::lanes::Lanes;
use crate::program::{Aligned, Layout, Program, Readings};
use crate::router::{Position, Router, Sequencer};
use crate::strobes::Strobes;

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// Dimensions driven, summed over the bit times that have passed. Strobes are broadcast: where
    /// one node drives its wire of a dimension, all do.
    pub fn driven_wire_bit_times(&self) -> u64 {
        self.driven
    }

    /// Where the schedule stands in this bit time.
    pub fn position(&self) -> Position {
        self.router.position(&self.sequencer)
    }

    /// The program of a run, with meters or without. It is made when it is first asked for, and kept.
    pub fn program(&mut self, measures: bool) -> Arc<Program<R>> {
        match &self.program {
            Some(program) if program.code().measures() || !measures => Arc::clone(program),
            _ => {
                let layout = self.layout();
                let program = Program::last_or_made(&*self.router, layout, measures);
                self.program = Some(Arc::clone(&program));
                program
            }
        }
    }

    fn layout(&self) -> Layout {
        Layout::of::<B>(self.topology, self.nodes.len())
    }

    /// Hands out one lane group after the other, with its number, to be loaded. A node is made for
    /// each group, and its registers go into tiles, where a program looks for them: so there are never nodes of all groups.
    /// There are, where somebody has asked for nodes before, where no program can be made, or in mid-run, where the program knows
    /// a register and keeps no plane of it.
    ///
    /// # Errors
    /// The first that `load` returns; the groups after it are not loaded.
    pub fn load_groups<E>(
        &mut self,
        mut load: impl FnMut(usize, &mut R::Node<B>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !Program::<R>::can_be_made(&self.router) {
            let mut groups = self.nodes.iter_mut().enumerate();
            return groups.try_for_each(|(group, node)| load(group, node));
        }
        self.nodes.write(self.layout(), load)
    }

    /// Begins anew, with all registers as they begin. The program is kept.
    pub fn restart(&mut self) {
        self.registers_change();
        self.nodes.restart();
        self.sequencer = self.router.sequencer();
        self.broadcast = R::Broadcast::idle();
        self.sequencer.broadcast(&mut self.broadcast);
        (self.bit_time, self.driven) = (0, 0);
    }

    /// Advances to the bit time `to`, or to the end if that is earlier: as a program, in any order that keeps cause before
    /// effect. Registers are then what [`Fabric::tick`] would have made of them. Where [no program can be
    /// made](Program::can_be_made), it ticks, and measures nothing.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire, in the bit time in which they do;
    /// [`Error::BrokenOff`] if it was broken off: the fabric can then only be restarted.
    pub fn advance(&mut self, to: u64, how: &How<'_>) -> Result<(), Error> {
        if !Program::<R>::can_be_made(&self.router) {
            return self.tick_to(to, how);
        }
        let program = self.program(how.readings.is_some());
        let code = program.code();
        let layout = program.layout();
        let (from, length) = (self.bit_time as usize, program.length());
        if from > length {
            return Ok(());
        }
        let until = usize::try_from(to).unwrap_or(usize::MAX);
        let bit_times = from..until.clamp(from, length);
        let Some(mut tiles) = self.nodes.take(*layout, code.held(from)) else {
            return self.tick_to(to, how);
        };
        let wires = match code.is_in_one_slice() {
            true => 0,
            false => layout.tiles() * layout.dimensions() * layout.shape.words(),
        };
        let (mut now, mut next) = (Aligned::new(wires), Aligned::new(wires));
        let mut gauges = match how.readings {
            Some(_) => vec![0; layout.tiles() * code.gauge_words()],
            None => Vec::new(),
        };
        let block = Block {
            first: 0,
            tiles: tiles.planes.tiles_mut(),
            now: now.words_mut(),
            next: next.words_mut(),
            gauges: &mut gauges,
        };
        let outcome = advance(code, block, bit_times.clone(), how);
        drop((now, next));
        tiles.now_hold(code.held(bit_times.end));
        self.nodes.put(tiles);
        self.sequencer = program.sequencer(bit_times.end);
        self.broadcast = R::Broadcast::idle();
        self.sequencer.broadcast(&mut self.broadcast);
        self.bit_time = bit_times.end as u64;
        self.driven += program.driven_wire_bit_times(bit_times);
        outcome.map_err(|BrokenOff| Error::BrokenOff)?;
        match program.conflict() {
            Some(conflict) if until > length => Err(conflict.clone()),
            _ => Ok(()),
        }
    }

    /// The same without a program, or where somebody has changed a register of which the program knows better.
    fn tick_to(&mut self, to: u64, how: &How<'_>) -> Result<(), Error> {
        let nodes = (self.machines * self.topology.nodes()) as u64;
        while self.bit_time < to && !self.is_done() {
            self.tick()?;
            if !how.watch.goes_on(nodes) {
                return Err(Error::BrokenOff);
            }
        }
        Ok(())
    }
}

/// How to [advance](Fabric::advance).
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Threads at the most; beyond the first they are of the pool of threads that it is called in.
    pub threads: usize,
    /// The instructions.
    pub instructions: Instructions,
    /// Is told how far it is.
    pub watch: &'a dyn Watch,
    /// Where the meters are read, of the program's making; `None`: nothing is measured. They are read as loaded and after
    /// each bit time.
    pub readings: Option<&'a Readings>,
    /// When parts are run apart.
    pub blocking: Blocking,
}

impl Default for How<'_> {
    /// One thread, and the widest instructions that there are.
    fn default() -> Self {
        How {
            threads: 1,
            instructions: Instructions::widest(),
            watch: &(),
            readings: None,
            blocking: Blocking::default(),
        }
    }
}
