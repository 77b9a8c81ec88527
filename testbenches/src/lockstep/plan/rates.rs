//! How fast machines run here: measured when a plan is asked for, by smaller machines of the same kind.
//!
//! A bit time is operations on planes, a bit a node. In parts of a machine that stay in a core's cache, an operation takes as
//! long in any of them. In larger parts, the planes that it touches come from a farther cache, or from memory, and that takes
//! longer, up to a size beyond which it is the same again. So
//!
//! ```text
//!   seconds of a word of 64 nodes  =  operations x a  +  planes touched in parts of a size x b(size)
//! ```
//!
//! `a` is what a machine takes that fits into the cache, all threads having one. Machines of growing sizes give `b`: each of
//! those parts of it that are larger than the machine before. How many operations and planes there are in parts of which
//! sizes is counted from the program of each machine, the planned one included, which none of its nodes is needed for.

use std::time::Instant;

use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::{Blocking, Foreseen, Part};
use rtl_model::machine::memory;
use rtl_model::machine::share::Share;
use rtl_model::machine::simulation::Lockstep;

use crate::depth::logic_depth;
use crate::error::Error;
use crate::interrupt;
use crate::lockstep::plan::subject::Subject;
use crate::lockstep::simulation::{self, Run};
use crate::lockstep::stimulus::{Ended, Stimulus};
use crate::progress::broken_off;
use crate::report::Outputs;

/// Dimensions of the machines that are run, beside one that fits into a cache. The last two have traffic that is computed, as
/// that of larger ones is; the last is larger than the farthest cache of most processors.
const SAMPLES: [usize; 4] = [17, 19, 21, 23];
/// The largest machine that is looked at for one that fits into a cache.
const MOST_IN_CACHE: usize = 14;
/// Machines that go bit time by bit time are at most so large.
const MOST_TICKING: usize = 14;
/// A sample is not run that would take longer.
const MOST_SECONDS: f64 = 4.0;
/// How many times as long a sample may take as the one before, which has a quarter of the nodes.
const GROWTH: f64 = 6.0;
/// Small machines are run so often, and the shortest time counts.
const REPETITIONS: usize = 3;
/// What is repeated takes less than this.
const SHORT_SECONDS: f64 = 0.5;
/// A machine that goes bit time by bit time is given up after so long.
const TICKING_SECONDS: f64 = 0.5;

/// A machine that was run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// Its dimensions, and nodes.
    pub dims: usize,
    pub nodes: u64,
    /// What its bit times took.
    pub seconds: f64,
    /// What it did in them.
    pub parts: Vec<Part>,
}

/// What bit times take.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BitTimes {
    /// As a program: an operation, for a word of 64 nodes; and what a plane takes beside, if it is touched in a part of more
    /// than so many bytes, in rising order.
    Program {
        operation: f64,
        planes: Vec<(u64, f64)>,
    },
    /// Bit time by bit time, on one thread: a storage bit of a node, in a bit time.
    Ticking { storage_bit: f64 },
}

/// What a run takes, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rates {
    /// Whatever the nodes: making its program, and what else is worked out of a machine without nodes.
    pub preparing: f64,
    /// Drawing what one node sends.
    pub drawing: f64,
    /// Loading a node.
    pub loading: f64,
    /// Reading what a node received, and comparing.
    pub comparing: f64,
    /// Its bit times.
    pub bit_times: BitTimes,
    /// Dimensions of the machines that were run.
    pub samples: Vec<usize>,
}

/// Words of 64 nodes.
fn words(nodes: u64) -> f64 {
    (nodes as f64 / 64.0).max(1.0)
}

fn planes(part: &Part) -> f64 {
    (part.touched.fetched + part.touched.written) as f64
}

/// What a plane takes that is touched in parts of so many bytes.
fn beside(sizes: &[(u64, f64)], bytes: u64) -> f64 {
    let larger = sizes.iter().rev().find(|(above, _)| bytes > *above);
    larger.map_or(0.0, |(_, seconds)| *seconds)
}

/// Seconds that bit times of a program take.
pub(super) fn seconds((operation, sizes): (f64, &[(u64, f64)]), parts: &[Part], nodes: u64) -> f64 {
    let of =
        |part: &Part| part.operations as f64 * operation + planes(part) * beside(sizes, part.bytes);
    words(nodes) * parts.iter().map(of).sum::<f64>()
}

/// What bit times take, from machines of growing sizes, the first of which fits into the cache of so many bytes.
pub(super) fn fitted(samples: &[Sample], cache: u64) -> BitTimes {
    let Some((first, others)) = samples.split_first() else {
        return BitTimes::Program {
            operation: 0.0,
            planes: Vec::new(),
        };
    };
    let operations: u64 = first.parts.iter().map(|part| part.operations).sum();
    let operation = first.seconds / words(first.nodes) / operations.max(1) as f64;
    let largest = |sample: &Sample| sample.parts.iter().map(|part| part.bytes).max();
    let mut sizes = Vec::new();
    let mut above = largest(first).unwrap_or(0).max(cache);
    for sample in others {
        let known = seconds((operation, &sizes), &sample.parts, sample.nodes);
        let rest = sample.parts.iter().filter(|part| part.bytes > above);
        let rest: f64 = rest.map(planes).sum();
        if rest == 0.0 {
            continue;
        }
        // As if the larger parts were known to take what those before them do.
        let so_far = sizes.last().map_or(0.0, |(_, seconds)| *seconds);
        let more = (sample.seconds - known) / words(sample.nodes) / rest;
        sizes.push((above, (so_far + more).max(0.0)));
        above = largest(sample).unwrap_or(above);
    }
    BitTimes::Program {
        operation,
        planes: sizes,
    }
}

/// Measures, on so many threads, for a run of a share of a machine; and says what that does, if it runs as a program.
///
/// # Errors
/// [`Error::Interrupted`]; machines that do not fit; threads that cannot be had.
pub(super) fn measured(
    subject: &Subject,
    (device, share): (&dyn Device, Share),
    threads: usize,
) -> Result<(Rates, Option<Foreseen>), Error> {
    // Loading and comparing take threads of the process.
    _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    let dims = subject.dims();
    let begin = Instant::now();
    let foreseen = device.foreseen(share, threads);
    logic_depth(device)?;
    let preparing = begin.elapsed().as_secs_f64();
    let mut rates = Rates {
        preparing,
        drawing: 0.0,
        loading: 0.0,
        comparing: 0.0,
        bit_times: BitTimes::Ticking { storage_bit: 0.0 },
        samples: Vec::new(),
    };
    match &foreseen {
        Some(_) => as_programs(subject, dims, threads, &mut rates)?,
        None => ticking(subject, dims, &mut rates)?,
    }
    Ok((rates, foreseen))
}

fn as_programs(
    subject: &Subject,
    dims: usize,
    threads: usize,
    rates: &mut Rates,
) -> Result<(), Error> {
    let cache = Blocking::default().cache as u64;
    let in_cache = (1..=dims.min(MOST_IN_CACHE)).rev().find(|dims| {
        let device = subject.with_dims(*dims).device();
        device.is_ok_and(|device| device.bytes(1) <= cache)
    });
    let first = in_cache.unwrap_or(1);
    let mut samples = vec![match first < dims {
        true => in_caches(subject, first, threads, rates)?,
        false => whole(subject, dims, threads, rates)?,
    }];
    let available = memory::available() / 2;
    let larger = SAMPLES.map(|sample| sample.min(dims));
    for dims in larger {
        let last = samples.last();
        let (before, took) = last.map_or((0, 0.0), |last| (last.dims, last.seconds));
        let fits = subject.with_dims(dims).requirement()?.bytes <= available;
        if dims <= before || !fits || (samples.len() > 1 && took * GROWTH > MOST_SECONDS) {
            break;
        }
        samples.push(whole(subject, dims, threads, rates)?);
    }
    rates.samples = samples.iter().map(|sample| sample.dims).collect();
    rates.bit_times = fitted(&samples, cache);
    Ok(())
}

/// A machine for each thread that fits into a cache, all of them at work at the same time.
fn in_caches(
    subject: &Subject,
    dims: usize,
    threads: usize,
    rates: &mut Rates,
) -> Result<Sample, Error> {
    let stimulus = drawn(subject, dims, rates)?;
    let device = stimulus.device();
    let parts = device.foreseen(Share::WHOLE, 1);
    let machines: Result<Vec<_>, Error> = (0..threads).map(|_| loaded(&*stimulus, rates)).collect();
    let shortest = |mut machine: Box<dyn Lockstep>| -> Result<f64, Error> {
        let mut best = f64::INFINITY;
        for _ in 0..2 * REPETITIONS {
            machine.restart();
            let measured = simulation::advance(&mut *machine, Run::held_to(&|_| None))?;
            best = best.min(measured.simulation.as_secs_f64());
        }
        Ok(best)
    };
    let machines = machines?;
    let times: Result<Vec<f64>, Error> = std::thread::scope(|scope| {
        let running: Vec<_> = (machines.into_iter())
            .map(|machine| scope.spawn(move || shortest(machine)))
            .collect();
        let over = running.into_iter().map(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        over.collect()
    });
    let times = times?;
    Ok(Sample {
        dims,
        nodes: device.topology().nodes() as u64,
        // Each thread has done one.
        seconds: times.iter().sum::<f64>() / times.len().max(1) as f64 / threads as f64,
        parts: parts.map_or_else(Vec::new, |foreseen| foreseen.parts),
    })
}

/// A machine as it will be run, from the traffic to what arrives.
fn whole(
    subject: &Subject,
    dims: usize,
    threads: usize,
    rates: &mut Rates,
) -> Result<Sample, Error> {
    let mut shortest = f64::INFINITY;
    let mut repetitions = 0;
    loop {
        let mut stimulus = drawn(subject, dims, rates)?;
        let nodes = stimulus.device().topology().nodes() as u64;
        let foreseen = stimulus.device().foreseen(Share::WHOLE, threads);
        let mut machine = loaded(&*stimulus, rates)?;
        let run = Run {
            threads,
            ..Run::held_to(&|_| None)
        };
        let measured = simulation::advance(&mut *machine, run)?;
        let begin = Instant::now();
        stimulus.judge(Ended::quietly(machine, &measured, &mut Outputs::default()))?;
        rates.comparing = begin.elapsed().as_secs_f64() / nodes as f64;
        shortest = shortest.min(measured.simulation.as_secs_f64());
        repetitions += 1;
        if shortest > SHORT_SECONDS || repetitions == REPETITIONS {
            return Ok(Sample {
                dims,
                nodes,
                seconds: shortest,
                parts: foreseen.map_or_else(Vec::new, |foreseen| foreseen.parts),
            });
        }
    }
}

/// A machine that goes bit time by bit time, until it has for long enough.
fn ticking(subject: &Subject, dims: usize, rates: &mut Rates) -> Result<(), Error> {
    let mut stimulus = drawn(subject, dims.min(MOST_TICKING), rates)?;
    let mut machine = loaded(&*stimulus, rates)?;
    let nodes = machine.nodes() as f64;
    let storage_bits = stimulus.device().storage_bits().value as f64;
    let begin = Instant::now();
    let seconds = || begin.elapsed().as_secs_f64();
    while !machine.is_done() && (machine.bit_time() == 0 || seconds() < TICKING_SECONDS) {
        interrupt::check()?;
        let position = Some(machine.position());
        machine.tick()?;
        machine.occupancy(position);
    }
    let bits = machine.bit_time() as f64 * nodes * storage_bits;
    rates.bit_times = BitTimes::Ticking {
        storage_bit: seconds() / bits.max(1.0),
    };
    rates.samples = vec![dims.min(MOST_TICKING)];
    let measured = simulation::before(&*machine);
    let begin = Instant::now();
    stimulus.judge(Ended::quietly(machine, &measured, &mut Outputs::default()))?;
    rates.comparing = begin.elapsed().as_secs_f64() / nodes;
    Ok(())
}

/// A machine's traffic.
fn drawn(subject: &Subject, dims: usize, rates: &mut Rates) -> Result<Box<dyn Stimulus>, Error> {
    interrupt::check()?;
    let begin = Instant::now();
    let stimulus = subject.sample(dims)?;
    let nodes = stimulus.device().topology().nodes();
    rates.drawing = begin.elapsed().as_secs_f64() / nodes as f64;
    Ok(stimulus)
}

/// A machine with its traffic in it.
fn loaded(stimulus: &dyn Stimulus, rates: &mut Rates) -> Result<Box<dyn Lockstep>, Error> {
    let begin = Instant::now();
    let mut machine = stimulus.device().build(1)?;
    broken_off(&mut |_| interrupt::check(), |passed| {
        stimulus.load(&mut *machine, passed)
    })?;
    rates.loading = begin.elapsed().as_secs_f64() / machine.nodes() as f64;
    Ok(machine)
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::program::Touched;

    use super::*;

    fn part(bytes: u64, operations: u64, planes: u64) -> Part {
        Part {
            bytes,
            bit_times: 1,
            operations,
            touched: Touched {
                fetched: planes - planes / 3,
                written: planes / 3,
            },
        }
    }

    /// Machines that take exactly what rates say give these rates back.
    #[test]
    fn rates_are_found_again_in_what_machines_take() {
        let sizes = [(512 << 10, 3e-9), (1 << 23, 5e-9), (1 << 25, 4e-9)];
        let parts = [
            part(400 << 10, 1000, 900),
            part(4 << 20, 300, 240),
            part(1 << 23, 200, 150),
            part(1 << 25, 100, 90),
            part(1 << 27, 50, 60),
        ];
        let sample = |dims: usize, amount: usize| Sample {
            dims,
            nodes: 1 << dims,
            seconds: seconds((2e-9, &sizes), &parts[..amount], 1 << dims),
            parts: parts[..amount].to_vec(),
        };
        let samples = [sample(13, 1), sample(18, 3), sample(20, 4), sample(22, 5)];
        let BitTimes::Program { operation, planes } = fitted(&samples, 512 << 10) else {
            panic!("it is a program");
        };
        let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        assert!(is_near(operation, 2e-9));
        assert_eq!(planes.len(), sizes.len());
        for (found, given) in planes.iter().zip(sizes) {
            assert_eq!(found.0, given.0);
            assert!(is_near(found.1, given.1), "{found:?} {given:?}");
        }
    }

    #[test]
    fn a_machine_that_fits_into_the_cache_tells_operations_only() {
        let samples = [Sample {
            dims: 6,
            nodes: 64,
            seconds: 1e-3,
            parts: vec![part(1000, 500, 300)],
        }];
        let expected = BitTimes::Program {
            operation: 2e-6,
            planes: Vec::new(),
        };
        assert_eq!(fitted(&samples, 512 << 10), expected);
        assert_eq!(seconds((2e-6, &[]), &samples[0].parts, 128), 2e-3);
    }
}
