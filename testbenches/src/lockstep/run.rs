//! A run: traffic is drawn, the machine built and loaded, run to its end, read, and judged.

use rtl_model::machine::share::gathered;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::family::Bench;
use crate::lockstep::observed::{Observed, about, title, who_is_where};
use crate::lockstep::options;
use crate::lockstep::report::report;
use crate::lockstep::sections::Steps;
use crate::lockstep::simulation;
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::options::{Input, RunOptions, staging_beside};
use crate::picture::Picture;
use crate::progress::{Stage, UnderWay};
use crate::ranks;
use crate::report::Report;
use crate::wave::{Asked, Wave};

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

/// Refuses on several ranks what only one can do.
fn require_one<S>(options: &RunOptions<S>) -> Result<(), Error> {
    const WHY: &str = "it is written by who sees all nodes";
    if options.wave.is_some() {
        ranks::require_one("--wave", WHY)?;
    }
    if options.picture.is_some() {
        ranks::require_one("--picture", WHY)?;
    }
    Ok(())
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
    let rank = ranks::here();
    let is_shared = rank.share().ranks() > 1;
    let is_first = rank.share().rank() == 0;
    if is_shared {
        require_one(options)?;
        stimulus.device().check_share(rank.share())?;
    }
    // Loading and comparing take threads of the process.
    _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    let mut staging = staging_beside(inputs)?;
    let mut known = None;
    let topology = stimulus.device().topology();
    let picture = Picture::plan(options.picture.as_deref(), &mut staging, topology.nodes())?;
    let message = options.trace_message.as_deref();
    if message.is_some() && options.wave.is_none() && picture.is_none() {
        return Err(Error::NothingFollows);
    }
    let wave = Wave::plan(options, &mut staging, stimulus.device(), |asked| {
        let (found, nodes) = who_is_where(&*stimulus, asked, message, options.quiet)?;
        known = found;
        Ok(nodes)
    })?;
    if wave.is_none() && picture.is_some() {
        let everything = Asked {
            nodes: None,
            window: 0..u64::MAX,
        };
        (known, _) = who_is_where(&*stimulus, &everything, message, options.quiet)?;
    }
    let deliveries = options.deliveries.as_deref();
    stimulus.stage(deliveries.filter(|_| is_first), &mut staging)?;
    let mut machine = match is_shared {
        true => stimulus.device().build_share(rank.clone())?,
        false => stimulus.device().build(1)?,
    };
    if wave.is_some() || picture.is_some() {
        machine.watch();
    }
    let nodes = rank.share().nodes(machine.nodes()) as u64;
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
    let observed = Observed {
        title: title(of, &*topology),
        about: about(of, &*stimulus, &*topology),
        known,
        stimulus: &*stimulus,
    };
    let (measurement, mut outputs) = observed.simulate(&mut *machine, run, (wave, picture))?;
    if !is_first {
        stimulus.attend(&*machine, deliveries.is_some())?;
        return Err(Error::ReportedElsewhere);
    }
    let verdict = stimulus.judge(machine, &measurement, &mut outputs, options.quiet)?;
    gathered::finish(&rank);
    report(of, &*stimulus, verdict, measurement, outputs)
}

#[cfg(test)]
mod tests;
