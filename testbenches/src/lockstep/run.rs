//! A run: traffic is drawn, the machine built and loaded, run to its end, read, and judged.

use std::thread::JoinHandle;

use rtl_model::machine::device::Device;
use rtl_model::machine::share::gathered;
use rtl_model::traffic::Nodes;

use crate::depth;
use crate::error::Error;
use crate::interrupt;
use crate::lockstep::checkpoint::{self, Checkpoints};
use crate::lockstep::joined::Joined;
use crate::lockstep::logged;
use crate::lockstep::observed::{Observed, about, is_seen_on_wires, title_in_words, who_is_where};
use crate::lockstep::report::report;
use crate::lockstep::simulation;
use crate::lockstep::stimulus::{Ended, Identity, Stimulus};
use crate::log;
use crate::options::{RunOptions, staging_beside};
use crate::output::Staging;
use crate::picture::{Looks, Seen};
use crate::progress::in_stage;
use crate::ranks;
use crate::report::{Outputs, Report};
use crate::testbench::bench::Files;
use crate::testbench::chosen::Chosen;
use crate::wave::{Asked, Wave};

/// Refuses on several ranks what only one can do.
fn require_one(options: &RunOptions) -> Result<(), Error> {
    for (option, is_given, why) in [
        (
            "--picture",
            options.picture.is_some(),
            "it is drawn by who sees all nodes",
        ),
        (
            "--log",
            options.log.is_some(),
            "routes are seen by who sees all nodes",
        ),
        (
            "--coverage",
            options.coverage,
            "it is counted by who sees all nodes",
        ),
    ] {
        if is_given {
            ranks::require_one(option, why)?;
        }
    }
    Ok(())
}

/// Refuses checkpoints of a run that goes bit time by bit time.
fn require_checkpoints(
    option: &'static str,
    options: &RunOptions,
    stimulus: &dyn Stimulus,
) -> Result<(), Error> {
    let why = match () {
        () if options.wave.is_some() => "--wave looks at every bit time",
        () if options.picture.is_some() => "--picture looks at every bit time",
        () if options.coverage => "--coverage looks at every bit time",
        () if !stimulus.faults().is_empty() => "its wires fail, so it goes bit time by bit time",
        () if !stimulus.device().has_program() => checkpoint::NO_PROGRAM,
        () => return Ok(()),
    };
    Err(checkpoint::cannot(option, why))
}

/// A machine, as checkpoints tell it from others.
fn in_words(title: &str, device: &dyn Device) -> String {
    format!(
        "{title}: {} bit times, {} register bits a node",
        device.bit_times().value,
        device.storage().total
    )
}

/// Runs a machine with its traffic, as it was chosen.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn carry_out(
    chosen: &Chosen,
    of: &Identity,
    options: &RunOptions,
    mut stimulus: Box<dyn Stimulus>,
) -> Result<Report, Error> {
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
    stimulus.take_threads(threads);
    let topology = stimulus.device().topology();
    if options.is_watched() || options.deliveries.is_some() || options.log.is_some() {
        Nodes::new(topology.nodes())?.check_listed()?;
    }
    if let Some(option) = options.checkpoints.asked() {
        require_checkpoints(option, options, &*stimulus)?;
    }
    let mut staging = staging_beside(&chosen.inputs())?;
    // Who looks on does so on one thread.
    let has_depth = is_first && threads > 1 && options.is_watched() && stimulus.has_logic_depth();
    let depth = has_depth.then(|| depth::begin(stimulus.device())).flatten();
    let (mut known, mut routes) = (None, None);
    let (message, has_picture) = (options.trace_message.as_deref(), options.picture.is_some());
    let wave = |staging: &mut Staging| {
        let wave = match rank.share().rank() {
            0 => {
                let mut look = |asked: &Asked<'_>| {
                    let drawn = has_picture.then_some(&mut routes);
                    let how = (options.quiet, options.wave.is_some());
                    let (found, nodes) = who_is_where(&*stimulus, asked, message, how, drawn)?;
                    known = found;
                    Ok(nodes)
                };
                match Wave::plan(options, staging, stimulus.device(), &mut look) {
                    Ok(None) if has_picture || message.is_some() => {
                        look(&Asked::EVERYTHING).map(|_| None)
                    }
                    planned => planned,
                }
            }
            // The first writes it.
            _ => Ok(None),
        };
        ranks::agree(&rank, wave)
    };
    let looks = Looks::plan((chosen, options), &mut staging, topology.nodes(), wave)?;
    let mut checkpoints = match options.checkpoints.asked() {
        Some(_) => {
            let device = stimulus.device();
            let title = format!("{} {}", of.on(&*topology), stimulus.in_words());
            let machine = (in_words(title.trim_end(), device), device.fingerprint());
            let planned = Checkpoints::plan(&options.checkpoints, machine, &rank, options.quiet);
            Some(planned?)
        }
        None => None,
    };
    let has_deliveries = options.deliveries.is_some();
    // One process writes them.
    let mut files = match is_first {
        true => {
            stimulus.begin(has_deliveries)?;
            Files::begun(chosen, options, &mut staging)?
        }
        false => Files::default(),
    };
    let mut outputs = Outputs::default();
    let log = files.log(&mut outputs);
    let logged = log
        .as_ref()
        .map(|_| logged::find(&*stimulus, options.quiet));
    let logged = logged.transpose()?;
    let faults = stimulus.faults();
    let mut machine = match is_shared {
        true => stimulus.device().build_share(rank.clone())?,
        false => stimulus.device().build(1)?,
    };
    // A picture alone may be content with what is on wires.
    let is_shown =
        options.wave.is_none() && !options.coverage && is_seen_on_wires(&*machine, &faults);
    match options.is_watched() && !is_shown {
        true => machine.watch(),
        false if threads > 1 => machine.prepare_timetable(),
        false => {}
    }
    let nodes = rank.share().nodes(machine.nodes());
    in_stage(("loading", nodes), options.quiet, |passed| {
        stimulus.load(&mut *machine, passed)
    })?;
    let sends_since = match &mut checkpoints {
        Some(checkpoints) => checkpoints.look_at(&mut *machine)?,
        None => 0,
    };
    let run = simulation::Run {
        faults: &faults,
        live_bits: &|after| stimulus.live_bits(after),
        quiet: options.quiet,
        threads,
        sends_since,
    };
    let route = known.as_ref().filter(|_| message.is_some());
    let route = route.and_then(|known| known.route(&*topology, faults.is_empty()));
    let observed = Observed {
        title: title_in_words(of, &*stimulus, &*topology),
        about: about(of, &*stimulus, &*topology),
        known,
        routes,
        stimulus: &*stimulus,
    };
    let (measurement, seen) = match &mut checkpoints {
        Some(checkpoints) => {
            let measured = simulation::advance_with(&mut *machine, run, Some(checkpoints))?;
            (measured, Seen::default())
        }
        None => {
            let joined = (is_shared && options.wave.is_some()).then(|| {
                let planned = looks.wave.as_ref();
                let planned = planned.map(|wave| (wave.nodes(), wave.window()));
                Joined::begin(&*machine, planned)
            });
            observed.simulate(&mut *machine, run, looks, joined)?
        }
    };
    if !is_first {
        stimulus.attend(&*machine, has_deliveries)?;
        return Err(Error::ReportedElsewhere);
    }
    let ended = Ended {
        machine,
        measurement: &measurement,
        files,
        outputs: &mut outputs,
        quiet: options.quiet,
    };
    let verdict = stimulus.judge(ended)?;
    gathered::finish(&rank);
    if let Some((file, logged)) = log.zip(logged) {
        log::write(file, logged.into_iter())?;
    }
    // Where it came to nothing, the report says why.
    _ = depth.map(JoinHandle::join);
    let mut report = report(of, &*stimulus, verdict, measurement, (outputs, route))?;
    seen.put_in_place(&mut report)?;
    Ok(report)
}

#[cfg(test)]
mod tests;
