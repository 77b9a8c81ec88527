//! Runs a machine to its end and measures it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtl_model::error::Error;
use rtl_model::fabric::{Fabric, How, Watch};
use rtl_model::instructions::Instructions;
use rtl_model::lanes::Lanes;
use rtl_model::meter::{Storage, Tally};
use rtl_model::program::Program;
use rtl_model::router::{Position, Router};

use crate::interrupt;
use crate::progress::Progress;

const ADVANCE_TEMPLATE: &str = "{wide_bar} {percent} % of all nodes' bit times, {eta} left";
const TEMPLATE: &str = "{wide_bar} bit time {human_pos} of {human_len}, {eta} left";

/// How full the nodes were during the bit times of one step, all iterations together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepOccupancy {
    /// Bit times.
    pub bit_times: u64,
    /// The most message bits that a node ever held.
    pub peak_bits_per_node: u32,
    /// How often it was looked at.
    pub measurements: u64,
    /// Message bits in the whole machine, summed over all looks.
    pub live_bits: u64,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Bit times that it took.
    pub bit_times: u64,
    /// Directed wires driven, summed over the bit times.
    pub driven_wire_bit_times: u64,
    /// Registers of a node.
    pub storage: Storage,
    /// Registers of the sequencer.
    pub sequencer: Storage,
    /// As loaded, before the first bit time.
    pub loaded: StepOccupancy,
    /// By the step's code.
    pub steps: Vec<StepOccupancy>,
    /// The most message bits that a node ever held, as loaded included.
    pub peak_bits_per_node: u32,
    /// The most messages that a node ever held.
    pub peak_messages_per_node: u32,
    /// The first bit time after which message bits were missing or doubled: what was found.
    pub not_conserved: Option<String>,
    /// Two drivers on a wire: the run ended there.
    pub conflict: Option<Error>,
    /// Spent ticking.
    pub simulation: Duration,
}

/// What a run is to be held to, how many threads it may take, and whether to show how far it is.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Messages that were loaded.
    pub messages: u64,
    /// No progress bar.
    pub quiet: bool,
    /// Threads of a run that nobody watches.
    pub threads: usize,
}

impl Run {
    /// Of so many messages, without a progress bar.
    pub fn of(messages: u64) -> Self {
        Run {
            messages,
            quiet: true,
            threads: 1,
        }
    }
}

impl Measurement {
    /// Of a machine, before it runs.
    fn before<R: Router, B: Lanes>(fabric: &Fabric<R, B>) -> Self {
        Measurement {
            bit_times: 0,
            driven_wire_bit_times: 0,
            storage: Storage::of(&fabric.router().node::<bool>()),
            sequencer: Storage::of::<bool>(fabric.sequencer()),
            loaded: StepOccupancy::default(),
            steps: vec![StepOccupancy::default(); R::STEPS.len()],
            peak_bits_per_node: 0,
            peak_messages_per_node: 0,
            not_conserved: None,
            conflict: None,
            simulation: Duration::ZERO,
        }
    }

    /// Notes the message bits that are live after a bit time; `None`: as loaded.
    fn note_live_bits<R: Router>(
        &mut self,
        router: &R,
        (after, bit_time): (Option<Position>, u64),
        (live, messages): (u64, u64),
    ) {
        let step = match after {
            None => Some(&mut self.loaded),
            Some(after) => self.steps.get_mut(after.step as usize),
        };
        if let Some(step) = step {
            step.measurements += 1;
            step.bit_times += u64::from(after.is_some());
            step.live_bits += live;
        }
        let expected = messages * u64::from(router.live_bits_per_message(after));
        if live != expected {
            self.not_conserved.get_or_insert_with(|| {
                format!(
                    "after bit time {bit_time} {live} message bits are live in place of {expected}"
                )
            });
        }
    }
}

/// Runs `fabric` until its sequencer is done, with nobody watching: as a program.
///
/// # Errors
/// [`Error::Interrupted`](crate::error::Error::Interrupted); threads that cannot be had.
pub fn advance<R: Router, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    run: Run,
) -> Result<Measurement, crate::error::Error> {
    if !Program::can_be_made(fabric.router()) {
        return self::run(fabric, run, |_| interrupt::check());
    }
    let mut measurement = Measurement::before(fabric);
    let program = fabric.program(true);
    let readings = program.readings();
    let nodes = (fabric.machines() * fabric.router().dimensions().nodes()) as u64;
    let watch = Watching {
        done: AtomicU64::new(0),
        progress: Mutex::new(Progress::new(
            nodes * program.length() as u64,
            ADVANCE_TEMPLATE,
            run.quiet,
        )),
    };
    let how = How {
        threads: run.threads,
        instructions: Instructions::widest(),
        watch: &watch,
        readings: Some(&readings),
        ..How::default()
    };
    let start = Instant::now();
    let outcome = match run.threads {
        1 => fabric.advance(u64::MAX, &how),
        threads => rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| crate::error::Error::NoThreads {
                reason: error.to_string(),
            })?
            .install(|| fabric.advance(u64::MAX, &how)),
    };
    measurement.simulation = start.elapsed();
    drop(watch);
    match outcome {
        Err(Error::BrokenOff) => return Err(crate::error::Error::Interrupted),
        outcome => measurement.conflict = outcome.err(),
    }
    measurement.bit_times = fabric.bit_time();
    measurement.driven_wire_bit_times = fabric.driven_wire_bit_times() * nodes;
    for bit_time in 0..=measurement.bit_times as usize {
        let after = bit_time
            .checked_sub(1)
            .map(|before| program.position(before));
        let live = (readings.live_bits(bit_time), run.messages);
        measurement.note_live_bits(fabric.router(), (after, bit_time as u64), live);
    }
    let peak = |step| readings.most_bits(step);
    measurement.loaded.peak_bits_per_node = peak(None);
    for (code, step) in measurement.steps.iter_mut().enumerate() {
        step.peak_bits_per_node = peak(Some(code as u32));
    }
    measurement.peak_bits_per_node = (measurement.steps.iter().chain([&measurement.loaded]))
        .map(|step| step.peak_bits_per_node)
        .max()
        .unwrap_or(0);
    measurement.peak_messages_per_node = readings.most_messages();
    Ok(measurement)
}

/// Shows how far a run is, and asks whether it is to end.
struct Watching {
    done: AtomicU64,
    progress: Mutex<Progress>,
}

/// log2 of the bit times of nodes between two looks at the clock.
const LOOK: u32 = 24;

impl Watch for Watching {
    fn goes_on(&self, node_bit_times: u64) -> bool {
        let before = self.done.fetch_add(node_bit_times, Ordering::Relaxed);
        let done = before + node_bit_times;
        if before >> LOOK == done >> LOOK {
            return true;
        }
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.passed(done);
        }
        interrupt::check().is_ok()
    }
}

/// Runs `fabric` until its sequencer is done. `observe` is shown the machine in
/// every bit time, with its bits on the wires, and once more when it is done; a run that nobody
/// observes passes a closure that does nothing, and pays nothing.
///
/// # Errors
/// Whatever `observe` returns.
pub fn run<R: Router, B: Lanes, E>(
    fabric: &mut Fabric<R, B>,
    run: Run,
    mut observe: impl FnMut(&Fabric<R, B>) -> Result<(), E>,
) -> Result<Measurement, E> {
    let bit_times = fabric.router().bit_times().value;
    let mut progress = Progress::new(bit_times, TEMPLATE, run.quiet);
    let mut occupancy = Occupancy::<B>::new(fabric, run.messages);
    let mut measurement = Measurement::before(fabric);
    occupancy.measure(fabric, None, &mut measurement);
    while !fabric.is_done() {
        let position = fabric.position();
        let start = Instant::now();
        if let Err(conflict) = fabric.transmit() {
            measurement.conflict = Some(conflict);
            break;
        }
        measurement.simulation += start.elapsed();
        observe(fabric)?;
        let start = Instant::now();
        fabric.clock();
        measurement.simulation += start.elapsed();
        occupancy.measure(fabric, Some(position), &mut measurement);
        if fabric.bit_time().is_multiple_of(16) {
            progress.passed(fabric.bit_time());
        }
    }
    drop(progress);
    if measurement.conflict.is_none() {
        // Nobody drives a wire any more: what the last clock edge left.
        if let Err(conflict) = fabric.transmit() {
            measurement.conflict = Some(conflict);
        }
        observe(fabric)?;
    }
    measurement.bit_times = fabric.bit_time();
    measurement.driven_wire_bit_times =
        fabric.driven_wire_bit_times() * fabric.router().dimensions().nodes() as u64;
    Ok(measurement)
}

/// The meters, read after every bit time.
struct Occupancy<B> {
    bits: Tally<B>,
    stored: Tally<B>,
    messages: u64,
}

impl<B: Lanes> Occupancy<B> {
    fn new<R: Router>(fabric: &Fabric<R, B>, messages: u64) -> Self {
        let registers = Storage::of(&fabric.router().node::<bool>()).total;
        Occupancy {
            bits: Tally::new(registers),
            stored: Tally::new(registers),
            messages,
        }
    }

    fn measure<R: Router>(
        &mut self,
        fabric: &Fabric<R, B>,
        after: Option<Position>,
        measurement: &mut Measurement,
    ) {
        let router = fabric.router();
        let (mut peak, mut live) = (0, 0);
        for node in fabric.node_groups() {
            self.bits.clear();
            self.stored.clear();
            router.occupancy(node, after, &mut |flag, bits| self.bits.add(flag, bits));
            router.messages(node, after, &mut |flag| self.stored.add(flag, 1));
            peak = peak.max(self.bits.largest());
            live += self.bits.sum();
            measurement.peak_messages_per_node = measurement
                .peak_messages_per_node
                .max(self.stored.largest());
        }
        measurement.peak_bits_per_node = measurement.peak_bits_per_node.max(peak);
        let step = match after {
            None => Some(&mut measurement.loaded),
            Some(after) => measurement.steps.get_mut(after.step as usize),
        };
        if let Some(step) = step {
            step.peak_bits_per_node = step.peak_bits_per_node.max(peak);
        }
        let when = (after, fabric.bit_time());
        measurement.note_live_bits(router, when, (live, self.messages));
    }
}

#[cfg(test)]
mod tests;
