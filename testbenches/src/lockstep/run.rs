//! A run: traffic is drawn, the machine built and loaded, run to its end, read, and judged.

use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::family::{Bench, Stimulus};
use crate::lockstep::options::RunOptions;
use crate::lockstep::report::report;
use crate::lockstep::sections::Steps;
use crate::lockstep::simulation::{self, Measurement};
use crate::options::staging;
use crate::progress::{Stage, UnderWay};
use crate::report::{Outputs, Report};
use crate::wave::Wave;

/// Runs a testbench.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(bench: Bench, options: &RunOptions) -> Result<Report<Steps>, Error> {
    options.threads()?;
    let drawing = UnderWay::new("drawing the traffic", options.quiet);
    let mut stimulus = bench.stimulus(&options.setup)?;
    drop(drawing);
    interrupt::check()?;
    let mut staging = staging(options.setup.traffic_file.as_deref())?;
    let interesting = || stimulus.interesting();
    let wave = Wave::plan(options, &mut staging, stimulus.device(), interesting)?;
    stimulus.stage(options, &mut staging)?;
    let mut machine = stimulus.device().build(1)?;
    if wave.is_some() {
        machine.watch();
    }
    let nodes = machine.nodes() as u64;
    let mut loading = Stage::new(nodes, "{wide_bar} loading, {percent} %", options.quiet);
    stimulus.load(&mut *machine, &mut |node| loading.passed(node))?;
    drop(loading);
    let (measurement, mut outputs) = simulate(&mut *machine, &*stimulus, (wave, options))?;
    let verdict = stimulus.judge(machine, &measurement, &mut outputs, options.quiet)?;
    report(bench, &*stimulus, verdict, measurement, outputs)
}

/// Runs the machine, with a waveform if one was asked for.
fn simulate(
    machine: &mut dyn Lockstep,
    stimulus: &dyn Stimulus,
    (wave, options): (Option<Wave>, &RunOptions),
) -> Result<(Measurement, Outputs), Error> {
    let live_bits = |after| stimulus.live_bits(after);
    let run = simulation::Run {
        live_bits: &live_bits,
        quiet: options.quiet,
        threads: options.threads()?,
    };
    let Some(mut wave) = wave else {
        let measurement = simulation::advance(machine, run)?;
        return Ok((measurement, Outputs::default()));
    };
    let path = wave.path().to_owned();
    let unwritable = |reason| Error::Unwritable {
        path: path.clone(),
        reason,
    };
    let mut probe = wave.attach(machine)?;
    let measurement = simulation::run(machine, run, |machine| {
        interrupt::check()?;
        probe.sample(machine).map_err(unwritable)
    })?;
    let (_, recording) = probe.finish().map_err(unwritable)?;
    let written = wave.commit(&recording)?;
    Ok((measurement, written.into()))
}
