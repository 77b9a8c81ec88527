//! A run: traffic is drawn, the machine built and loaded, run to its end, read, and judged.

use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::family::Bench;
use crate::lockstep::options;
use crate::lockstep::report::report;
use crate::lockstep::sections::Steps;
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::options::{Input, RunOptions, staging_beside};
use crate::progress::{Stage, UnderWay};
use crate::report::{Outputs, Report};
use crate::wave::Wave;

/// Runs a testbench.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(bench: Bench, options: &options::RunOptions) -> Result<Report<Steps>, Error> {
    options.threads()?;
    let setup = &options.setup;
    let drawing = UnderWay::new("drawing the traffic", options.quiet);
    let stimulus = bench.stimulus(setup)?;
    drop(drawing);
    let input = setup.traffic_file.as_deref().map(Input::traffic);
    carry_out(&bench.identity(setup)?, options, input.as_slice(), stimulus)
}

/// Runs a machine with its traffic, whatever testbench they are of and whatever options they were made by; `inputs` are the
/// files that were read.
///
/// # Errors
/// As [`run`], but for what is refused of the traffic.
pub fn carry_out<S>(
    of: &Identity,
    options: &RunOptions<S>,
    inputs: &[Input<'_>],
    mut stimulus: Box<dyn Stimulus>,
) -> Result<Report<Steps>, Error> {
    let threads = options.threads()?;
    interrupt::check()?;
    let mut staging = staging_beside(inputs)?;
    let interesting = || stimulus.interesting();
    let wave = Wave::plan(options, &mut staging, stimulus.device(), interesting)?;
    stimulus.stage(options.deliveries.as_deref(), &mut staging)?;
    let mut machine = stimulus.device().build(1)?;
    if wave.is_some() {
        machine.watch();
    }
    let nodes = machine.nodes() as u64;
    let mut loading = Stage::new(nodes, "{wide_bar} loading, {percent} %", options.quiet);
    stimulus.load(&mut *machine, &mut |node| loading.passed(node))?;
    drop(loading);
    let faults = stimulus.faults();
    let run = simulation::Run {
        faults: &faults,
        live_bits: &|after| stimulus.live_bits(after),
        quiet: options.quiet,
        threads,
    };
    let (measurement, mut outputs) = simulate(&mut *machine, run, wave, &*stimulus)?;
    let verdict = stimulus.judge(machine, &measurement, &mut outputs, options.quiet)?;
    report(of, &*stimulus, verdict, measurement, outputs)
}

/// Runs the machine, with a waveform if one was asked for.
fn simulate(
    machine: &mut dyn Lockstep,
    run: simulation::Run<'_>,
    wave: Option<Wave>,
    stimulus: &dyn Stimulus,
) -> Result<(Measurement, Outputs), Error> {
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
    if let Some(begin) = stimulus.followed() {
        probe.follow(&begin);
    }
    let measurement = simulation::run(machine, run, |machine| {
        interrupt::check()?;
        probe.sample(machine).map_err(unwritable)
    })?;
    let (_, mut recording) = probe.finish().map_err(unwritable)?;
    for (bit_time, name) in stimulus.marks() {
        recording.mark(bit_time, &name);
    }
    for (node, role) in stimulus.roles() {
        if let Some(place) = wave.place_of(node) {
            recording.entitle(place, &role);
        }
    }
    for path in stimulus.failing() {
        recording.fail(&path.each_ref().map(String::as_str));
    }
    let written = wave.commit(&recording)?;
    Ok((measurement, written.into()))
}

#[cfg(test)]
mod tests;
