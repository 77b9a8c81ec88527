//! Runs Algorithm 2, schedule `plain`, again and again on the traffic of an exported project, and prints how
//! long a bit time takes: cubewave's side of `scripts/compare`.
//!
//! ```text
//! repeated_run PROJECT DIMS PAYLOAD_BITS SECONDS
//! ```
//!
//! Timed are the bit times only, on one thread: not the loading of the nodes, and not the check of what
//! they hold at the end, which follows every run; nor the making of the program, once for all runs, as others
//! compile once. Prints one line of JSON: of the median run, the seconds a
//! bit time takes.
//! `scripts/comparison/repeated_run.cpp` does the same to a verilated machine.

use std::env;
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use hosts::scoreboard::Score;
use rtl_model::machine::arrivals::{self, Arrivals};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PLAIN;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::file::read_traffic;

/// What the runs took.
struct Timing {
    /// Seconds a bit time, of the median run.
    seconds_per_bit_time: f64,
    /// Bit times of a run.
    bit_times: u64,
    /// How many there were.
    runs: usize,
}

/// Loads the machine, runs it and checks what arrived; the time that the run took, and its bit times.
fn timed_run(
    machine: &mut dyn Lockstep,
    traffic: &Traffic,
) -> Result<(Duration, u64), Box<dyn Error>> {
    machine.restart();
    arrivals::load(machine, std::slice::from_ref(traffic))?;
    let start = Instant::now();
    machine.advance(u64::MAX, &How::default())?;
    let elapsed = start.elapsed();
    let score = Score::new(traffic, &Arrivals::read(machine, traffic.payload_bits())?);
    match score.first_fault {
        Some(fault) => Err(fault.into()),
        None => Ok((elapsed, machine.bit_time())),
    }
}

/// Runs until so many seconds are over, at least once.
fn repeat(device: &dyn Device, traffic: &Traffic, seconds: f64) -> Result<Timing, Box<dyn Error>> {
    let mut machine = device.build(1)?;
    machine.timetable(false);
    let begun = Instant::now();
    let mut of_a_bit_time = Vec::new();
    loop {
        let (elapsed, bit_times) = timed_run(&mut *machine, traffic)?;
        of_a_bit_time.push(elapsed.as_secs_f64() / bit_times as f64);
        if begun.elapsed().as_secs_f64() < seconds {
            continue;
        }
        of_a_bit_time.sort_by(f64::total_cmp);
        let runs = of_a_bit_time.len();
        return Ok(Timing {
            seconds_per_bit_time: f64::midpoint(
                of_a_bit_time[runs / 2],
                of_a_bit_time[(runs - 1) / 2],
            ),
            bit_times,
            runs,
        });
    }
}

fn parsed<T: FromStr>(argument: &str, what: &str) -> Result<T, String> {
    argument
        .parse()
        .map_err(|_| format!("{what} is to be a number, not `{argument}`"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [project, dimensions, payload_bits, seconds] = arguments.as_slice() else {
        return Err("usage: repeated_run PROJECT DIMS PAYLOAD_BITS SECONDS".into());
    };
    let dimensions = Dimensions::new(parsed(dimensions, "DIMS")?)?;
    let payload_bits = parsed(payload_bits, "PAYLOAD_BITS")?;
    let seconds = parsed(seconds, "SECONDS")?;
    let path = Path::new(project).join("traffic.csv");
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let path = path.display().to_string();
    // The seed draws payloads that a file does not give; this one gives all.
    let traffic = read_traffic(&path, file, &dimensions, payload_bits, 1)?;
    let device = PLAIN.device(dimensions, payload_bits)?;
    let timing = repeat(&*device, &traffic, seconds)?;
    println!(
        "{{\"seconds_per_bit_time\": {:e}, \"bit_times\": {}, \"runs\": {}}}",
        timing.seconds_per_bit_time, timing.bit_times, timing.runs
    );
    Ok(())
}
