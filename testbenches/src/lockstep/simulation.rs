//! Runs a machine to its end and measures it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::{How, Watch};
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::program::Readings;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::{Lockstep, Occupancy};
use rtl_model::machine::transmitted::Shown;

use crate::interrupt;
use crate::lockstep::between_ranks::BetweenRanks;
use crate::lockstep::faults::{self, WireFault};
use crate::progress::Progress;

const ADVANCE_TEMPLATE: &str = "{percent} % of all nodes' bit times";
const TEMPLATE: &str = "bit time {human_pos} of {human_len}";

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
    /// What ranks have exchanged, where there are several.
    pub between_ranks: Option<BetweenRanks>,
}

/// The message bits that are live in all nodes once a bit time is over (`None`: as loaded), if none is lost or doubled;
/// nothing where nobody can say.
pub type LiveBits<'a> = &'a dyn Fn(Option<Position>) -> Option<u64>;

/// What a run is to be held to, which wires fail in it, how many threads it may take, and whether to show how far it is.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// What a family knows of the message bits that are live.
    pub live_bits: LiveBits<'a>,
    /// Wires that fail while it runs, each of them a wire that the machine has.
    pub faults: &'a [WireFault],
    /// No progress bar.
    pub quiet: bool,
    /// Threads of a run that nobody watches.
    pub threads: usize,
    /// The bit time from which on ranks count what they send: 0, but of a run that others began.
    pub sends_since: u64,
}

impl<'a> Run<'a> {
    /// On one thread, without faults and without a progress bar.
    pub fn held_to(live_bits: LiveBits<'a>) -> Self {
        Run {
            live_bits,
            faults: &[],
            quiet: true,
            threads: 1,
            sends_since: 0,
        }
    }
}

impl Measurement {
    /// Of a machine, before it runs.
    fn before(device: &dyn Device) -> Self {
        Measurement {
            bit_times: 0,
            driven_wire_bit_times: 0,
            storage: device.storage(),
            sequencer: device.sequencer_storage(),
            loaded: StepOccupancy::default(),
            steps: vec![StepOccupancy::default(); device.steps().names.len()],
            peak_bits_per_node: 0,
            peak_messages_per_node: 0,
            not_conserved: None,
            conflict: None,
            simulation: Duration::ZERO,
            between_ranks: None,
        }
    }

    /// Notes the message bits that are live after a bit time; `None`: as loaded.
    fn note_live_bits(
        &mut self,
        (after, bit_time): (Option<Position>, u64),
        live: u64,
        expected: LiveBits<'_>,
    ) {
        if let Some(step) = self.step(after) {
            step.measurements += 1;
            step.bit_times += u64::from(after.is_some());
            // A checkpoint that somebody has changed may say anything.
            step.live_bits = step.live_bits.saturating_add(live);
        }
        let Some(expected) = expected(after) else {
            return;
        };
        if live != expected {
            self.not_conserved.get_or_insert_with(|| {
                format!(
                    "after bit time {bit_time} {live} message bits are live in place of {expected}"
                )
            });
        }
    }

    /// Where bit times of a step are counted.
    fn step(&mut self, after: Option<Position>) -> Option<&mut StepOccupancy> {
        match after {
            None => Some(&mut self.loaded),
            Some(after) => self.steps.get_mut(after.step as usize),
        }
    }

    /// Notes how full the nodes are after a bit time.
    fn note(&mut self, when: (Option<Position>, u64), occupancy: Occupancy, run: Run<'_>) {
        let peak = occupancy.most_bits;
        self.peak_bits_per_node = self.peak_bits_per_node.max(peak);
        self.peak_messages_per_node = self.peak_messages_per_node.max(occupancy.most_messages);
        if let Some(step) = self.step(when.0) {
            step.peak_bits_per_node = step.peak_bits_per_node.max(peak);
        }
        self.note_live_bits(when, occupancy.live_bits, run.live_bits);
    }
}

/// What is known of a machine that has not run to its end.
pub(super) fn before(machine: &dyn Lockstep) -> Measurement {
    Measurement {
        bit_times: machine.bit_time(),
        ..Measurement::before(machine.device())
    }
}

/// Where a run that nobody watches pauses.
pub trait Pauses {
    /// It begins, or goes on from where another has ended: adds what was read there, and gives how long that took.
    fn begin(&mut self, readings: &Readings) -> Duration;

    /// Up to which bit time it goes on, a later one than that of the machine; and then to where ranks have exchanged no bits of
    /// later ones.
    fn until(&mut self, machine: &dyn Lockstep) -> u64;

    /// It has come there, and not yet to its end.
    ///
    /// # Errors
    /// With which it ends.
    fn at(
        &mut self,
        machine: &mut dyn Lockstep,
        readings: &Readings,
    ) -> Result<(), crate::error::Error>;
}

/// Runs a machine until its sequencer is done, with nobody watching: as a compiled program, and bit time by bit time once a
/// wire has failed.
///
/// # Errors
/// [`Error::Interrupted`](crate::error::Error::Interrupted); threads that cannot be had.
pub fn advance(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
) -> Result<Measurement, crate::error::Error> {
    advance_as_program(machine, run, None, None)
}

/// The same, with somebody who is shown each bit time of a run without faults, and the end; where it [can
/// be](Lockstep::can_be_shown).
///
/// # Errors
/// As [`advance`].
pub fn advance_shown(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
    shown: &mut Shown<'_>,
) -> Result<Measurement, crate::error::Error> {
    advance_as_program(machine, run, None, Some(shown))
}

/// The same, with pauses.
///
/// # Errors
/// As [`advance`], and those of the pauses.
pub fn advance_with(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
    pauses: Option<&mut dyn Pauses>,
) -> Result<Measurement, crate::error::Error> {
    advance_as_program(machine, run, pauses, None)
}

fn advance_as_program(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
    mut pauses: Option<&mut dyn Pauses>,
    mut shown: Option<&mut Shown<'_>>,
) -> Result<Measurement, crate::error::Error> {
    let first_fault = faults::first(run.faults).unwrap_or(u64::MAX);
    let program = match machine.bit_time() < first_fault {
        true => machine.timetable(true),
        false => None,
    };
    let Some(program) = program else {
        return self::run(machine, run, |_| interrupt::check());
    };
    let mut measurement = Measurement::before(machine.device());
    let readings = program.readings();
    let nodes = machine.nodes() as u64;
    let nodes_here = machine.rank().share().nodes(machine.nodes()) as u64;
    if let Some(pauses) = &mut pauses {
        measurement.simulation = pauses.begin(&readings);
    }
    let watch = Watching {
        done: AtomicU64::new(nodes_here * machine.bit_time()),
        progress: Mutex::new(Progress::of_bit_times(
            nodes_here * first_fault.min(program.length() as u64),
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
    let pool = match run.threads {
        1 => None,
        threads => Some(pool_of(threads)?),
    };
    loop {
        let pause = pauses.as_mut().map(|pauses| pauses.until(machine));
        let pause = pause.map(|pause| program.pause(pause));
        let to = pause.unwrap_or(u64::MAX).min(first_fault);
        let start = Instant::now();
        let outcome = match (&pool, &mut shown) {
            (_, Some(shown)) => machine.advance_shown(to, &how, shown),
            (None, None) => machine.advance(to, &how),
            (Some(pool), None) => pool.install(|| machine.advance(to, &how)),
        };
        measurement.simulation += start.elapsed();
        match outcome {
            Err(Error::BrokenOff) => return Err(crate::error::Error::Interrupted),
            outcome => measurement.conflict = outcome.err(),
        }
        let is_over = machine.is_done() || measurement.conflict.is_some() || to == first_fault;
        match &mut pauses {
            Some(pauses) if !is_over => pauses.at(machine, &readings)?,
            _ => break,
        }
    }
    drop(watch);
    readings.join(machine.rank());
    for bit_time in 0..=machine.bit_time() as usize {
        let after = bit_time
            .checked_sub(1)
            .map(|before| program.position(before));
        let live = readings.live_bits(bit_time);
        measurement.note_live_bits((after, bit_time as u64), live, run.live_bits);
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
    if measurement.conflict.is_none() {
        tick_to_the_end(machine, run, &mut measurement, |_| interrupt::check())?;
    }
    measurement.between_ranks = BetweenRanks::of(machine, Some(&*program), run.sends_since);
    measurement.bit_times = machine.bit_time();
    measurement.driven_wire_bit_times = machine.driven_wire_bit_times() * nodes;
    Ok(measurement)
}

fn pool_of(threads: usize) -> Result<rayon::ThreadPool, crate::error::Error> {
    crate::error::Error::require_threads(threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(crate::error::Error::no_threads)
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

/// Runs a machine until its sequencer is done. `observe` is shown the machine in every bit time, with its bits on the
/// wires and faults among them, and once more when it is done.
///
/// # Errors
/// Whatever `observe` returns.
pub fn run<E>(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
    mut observe: impl FnMut(&dyn Lockstep) -> Result<(), E>,
) -> Result<Measurement, E> {
    let mut measurement = Measurement::before(machine.device());
    let as_loaded = machine.occupancy(None);
    measurement.note((None, machine.bit_time()), as_loaded, run);
    tick_to_the_end(machine, run, &mut measurement, &mut observe)?;
    if measurement.conflict.is_none() {
        // Nobody drives a wire any more: what the last clock edge left.
        if let Err(conflict) = machine.transmit() {
            measurement.conflict = Some(conflict);
        }
        observe(machine)?;
    }
    measurement.between_ranks = BetweenRanks::of(machine, None, 0);
    measurement.bit_times = machine.bit_time();
    measurement.driven_wire_bit_times =
        machine.driven_wire_bit_times() * machine.topology().nodes() as u64;
    Ok(measurement)
}

/// Goes on bit time by bit time until the sequencer is done, or two units drive one wire. Wires are forced before `observe`
/// is shown the machine, and before anybody receives from them.
fn tick_to_the_end<E>(
    machine: &mut dyn Lockstep,
    run: Run<'_>,
    measurement: &mut Measurement,
    mut observe: impl FnMut(&dyn Lockstep) -> Result<(), E>,
) -> Result<(), E> {
    let bit_times = machine.device().bit_times().value;
    let mut progress = Progress::of_bit_times(bit_times, TEMPLATE, run.quiet);
    while !machine.is_done() {
        let position = Some(machine.position());
        let start = Instant::now();
        if let Err(conflict) = machine.transmit() {
            measurement.conflict = Some(conflict);
            break;
        }
        faults::force(machine, run.faults);
        measurement.simulation += start.elapsed();
        observe(machine)?;
        let start = Instant::now();
        machine.clock();
        measurement.simulation += start.elapsed();
        let occupancy = machine.occupancy(position);
        measurement.note((position, machine.bit_time()), occupancy, run);
        if machine.bit_time().is_multiple_of(16) {
            progress.passed(machine.bit_time());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
