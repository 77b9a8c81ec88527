//! A machine that is loaded and run, again and again.

use std::time::Instant;

use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::strobes::Strobes;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::program::Touched;
use rtl_model::machine::router::{Machine, Sequencer};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PlainRouter;

use crate::workload::Workload;

/// What is known of a run before it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Nodes.
    pub nodes: u64,
    /// Bit times.
    pub bit_times: u64,
    /// Dimensions driven, summed over bit times.
    pub driven: u64,
    /// Planes that are stored.
    pub stores: u64,
    /// Planes that pass between memory and cache.
    pub touched: Touched,
    /// Bits of a node that are stored.
    pub registers: u64,
    /// Seconds that it took to make the program.
    pub making: f64,
}

/// A machine of some router, in some lanes.
pub trait Subject {
    /// What is known of its run.
    fn facts(&self) -> Facts;

    /// Loads it, runs it to the end, and gives the seconds of the latter; none if it did not end as it ought to. What it
    /// holds is looked at where `looks`.
    ///
    /// # Errors
    /// As [`Fabric::advance`].
    fn run(
        &mut self,
        instructions: Instructions,
        threads: usize,
        looks: bool,
    ) -> Result<Option<f64>, Error>;

    /// Runs it from the beginning, whatever is loaded.
    ///
    /// # Errors
    /// As [`Fabric::advance`].
    fn run_empty(&mut self) -> Result<(), Error>;

    /// Seconds that it takes to lay the registers out in planes and to bring them back.
    ///
    /// # Errors
    /// As [`Fabric::advance`].
    fn laying_out(&mut self) -> Result<f64, Error>;
}

struct Simulated<R: Machine, B: Lanes> {
    fabric: Fabric<R, B>,
    facts: Facts,
}

/// A machine, in the lanes that its size is run in.
///
/// # Errors
/// As [`Dimensions::new`] and [`Fabric::new`].
pub fn subject<R: Workload + 'static>(k: usize) -> Result<Box<dyn Subject>, Error> {
    Ok(match k {
        0..=8 => Box::new(Simulated::<R, u64>::new(k)?),
        _ => Box::new(Simulated::<R, Words<8>>::new(k)?),
    })
}

impl<R: Workload, B: Lanes> Simulated<R, B> {
    fn new(k: usize) -> Result<Self, Error> {
        let cube = Dimensions::new(k)?;
        let mut fabric = Fabric::<R, B>::new(R::of(cube)?, 1)?;
        let start = Instant::now();
        let program = fabric.program(false);
        let making = start.elapsed().as_secs_f64();
        let all = 0..program.length();
        let facts = Facts {
            nodes: cube.nodes() as u64,
            bit_times: program.length() as u64,
            driven: program.driven_wire_bit_times(all.clone()),
            stores: program.stores(all.clone()),
            touched: program.touched(all),
            registers: Storage::of::<bool>(&fabric.router().node::<bool>()).total as u64,
            making,
        };
        Ok(Simulated { fabric, facts })
    }
}

impl<R: Workload, B: Lanes> Subject for Simulated<R, B> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn run(
        &mut self,
        instructions: Instructions,
        threads: usize,
        looks: bool,
    ) -> Result<Option<f64>, Error> {
        self.fabric.restart();
        R::load(&mut self.fabric);
        let how = How {
            threads,
            instructions,
            ..How::default()
        };
        let start = Instant::now();
        self.fabric.advance(u64::MAX, &how)?;
        // Laid out from nodes, and brought back to them.
        self.fabric.node_groups();
        let seconds = start.elapsed().as_secs_f64();
        let as_it_ought = self.fabric.is_done() && (!looks || R::wrong(&self.fabric) == 0);
        Ok(as_it_ought.then_some(seconds))
    }

    fn run_empty(&mut self) -> Result<(), Error> {
        self.fabric.restart();
        self.fabric.advance(u64::MAX, &How::default())
    }

    fn laying_out(&mut self) -> Result<f64, Error> {
        self.fabric.restart();
        self.fabric.node_groups();
        let start = Instant::now();
        self.fabric.advance(0, &How::default())?;
        self.fabric.node_groups();
        Ok(start.elapsed().as_secs_f64())
    }
}

/// The active stages of a run on schedule `plain`, summed over bit times: those whose adders run, or whose switch passes a
/// message on; step 1 is a stage for as long as it drives a dimension.
///
/// # Errors
/// As [`Dimensions::new`].
pub fn active_stages(k: usize) -> Result<u64, Error> {
    let router = PlainRouter::of(Dimensions::new(k)?)?;
    let mut sequencer = router.sequencer::<bool>();
    let mut strobes = <PlainRouter as Machine>::Broadcast::<bool>::idle();
    let mut active = 0;
    while !sequencer.is_done() {
        sequencer.broadcast(&mut strobes);
        let bundles = [
            &strobes.exchange,
            &strobes.enumerator.add,
            &strobes.packer.pass,
        ];
        active += bundles
            .iter()
            .map(|lines| lines.iter().count() as u64)
            .sum::<u64>();
        sequencer.clock();
    }
    Ok(active)
}
