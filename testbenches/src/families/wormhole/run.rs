//! Runs a wormhole machine to its end.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::machine::memory;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::traffic::injection::Injection;
use waves::picture::{self, run::Band};

use crate::error::Error;
use crate::families::wormhole::continuous::{Continuous, continuous};
use crate::families::wormhole::dating::first_closed;
use crate::families::wormhole::deliveries;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::expected::Expected;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::lanes::{WithLanes, in_lanes, side_by_side};
use crate::families::wormhole::links::{self, Carried, LinkMeters};
use crate::families::wormhole::memory::{created, room_for};
use crate::families::wormhole::message::Message;
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::parameters::{LINKS, VIRTUAL_CHANNELS};
use crate::families::wormhole::phases::Phases;
use crate::families::wormhole::report::{Facts, report};
use crate::families::wormhole::sending::{Over, Sending};
use crate::families::wormhole::shown::{Shown, Wish};
use crate::families::wormhole::traffic;
use crate::families::wormhole::wave::Observed;
use crate::interrupt;
use crate::lockstep::Identity;
use crate::lockstep::parameters::{load, traffic_name};
use crate::log;
use crate::options::staging_beside;
use crate::output::{Staged, Staging, Stream, note};
use crate::picture::Looks;
use crate::progress::Progress;
use crate::report::{Outputs, Report, TracedNodes};
use crate::testbench::bench::{Files, RunOptions};
use crate::wave::{Asked, Wave};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All worms have arrived; in continuous injection, all that count.
    Complete,
    /// Some never will.
    Deadlock(Deadlock),
    /// Continuous injection: not all that count have arrived when the time for it was over.
    NotDrained {
        /// How many have not.
        missing: usize,
    },
    /// More bit times than it can take.
    OutOfTime,
}

/// Runs it.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(job: &Job, of: &Identity, options: &RunOptions) -> Result<Report, Error> {
    run_of(job, of, options, None)
}

/// The same of messages that were read or drawn before, if there are any: a traffic file may be a pipe, which nobody reads
/// twice.
pub(crate) fn run_of(
    job: &Job,
    of: &Identity,
    options: &RunOptions,
    messages: Option<Vec<Message>>,
) -> Result<Report, Error> {
    let (machine, nodes) = (&job.machine, job.machine.network().nodes());
    let mut staging = staging_beside(&job.chosen.inputs())?;
    let files = Files::begun(&job.chosen, options, &mut staging)?;
    let map = job
        .chosen
        .path(&LINKS)
        .map(|path| path.with_extension("svg"));
    let map = map.map(|path| staging.create(&path, "the map of the links"));
    let map = map.transpose()?;
    let traffic = match (messages, job.continuous) {
        (Some(messages), _) => Traffic::Listed(messages),
        (None, None) => Traffic::Listed(traffic::messages(job)?),
        (None, Some((load, phases))) => {
            let injection = traffic::injection(job, load)?;
            Traffic::Continuous(Box::new(injection), load, phases)
        }
    };
    let (messages, bits) = match &traffic {
        Traffic::Listed(messages) => {
            let bits = messages.iter().map(|one| one.bits.len() as u64).sum();
            (messages.len() as u64, bits)
        }
        Traffic::Continuous(_, load, phases) => {
            created(machine, (*load, job.message_bits), (&job.chosen, phases))
        }
    };
    let mut bytes = room_for(machine, messages, bits)?;
    if map.is_some() {
        bytes += LinkMeters::<u64>::bytes(machine, nodes as u64);
        let what = format!("a run of {nodes} nodes with counts of their wires");
        memory::require_for_nodes(what, nodes, bytes, memory::available())?;
    }
    // Where the deliveries or the report are read, notes are not wanted.
    let tables = [&options.deliveries, &options.log].into_iter().flatten();
    let has_stream = tables.filter_map(|path| Stream::of(path)).count() > 0;
    if !options.quiet && !has_stream {
        foretell(machine);
    }
    let mut shown = None;
    let mut look = |asked: &Asked<'_>| {
        let found = Shown::of(machine, &traffic, &wish(options, asked))?;
        let nodes = found.nodes.clone();
        shown = Some(found);
        Ok(nodes)
    };
    let wave = |staging: &mut Staging| match Wave::plan_open(options, staging, machine, &mut look) {
        Ok(None) if options.trace_message.is_some() => look(&Asked::EVERYTHING).map(|_| None),
        planned => planned,
    };
    let looks = Looks::plan((&job.chosen, options), &mut staging, nodes, wave)?;
    if let (None, Traffic::Listed(messages), true) = (&shown, &traffic, looks.picture.is_some()) {
        shown = Shown::foreseen(machine, messages, &wish(options, &Asked::EVERYTHING))?;
    }
    if shown.is_none() && looks.picture.is_some() {
        // A second engine goes through the run once more, for the picture's waveforms.
        let what = format!("a run of {nodes} nodes with a picture of it");
        memory::require_for_nodes(what, nodes, 2 * bytes, memory::available())?;
    }
    in_lanes(
        side_by_side(machine),
        InLanes {
            options,
            of,
            job: Job {
                bytes,
                ..job.clone()
            },
            traffic,
            looks,
            shown,
            files,
            map,
        },
    )
}

/// What is to be shown, of what was asked for.
fn wish<'a>(options: &'a RunOptions, asked: &Asked<'a>) -> Wish<'a> {
    Wish {
        nodes: asked.nodes,
        message: options.trace_message.as_deref(),
        window: asked.window.clone(),
        quiet: options.quiet,
    }
}

struct InLanes<'a> {
    options: &'a RunOptions,
    of: &'a Identity,
    job: Job,
    traffic: Traffic,
    looks: Looks,
    /// What is shown, as far as that is known before the run.
    shown: Option<Shown>,
    files: Files,
    map: Option<Staged>,
}

impl WithLanes for InLanes<'_> {
    type Output = Result<Report, Error>;

    fn run<B: WormLanes>(mut self) -> Result<Report, Error> {
        let quiet = self.options.quiet;
        let mut engine = Engine::<B>::new(self.job.machine.clone(), 1)?;
        if self.map.is_some() {
            engine.count_links();
        }
        let worm = self.shown.as_ref().and_then(|shown| shown.worm);
        engine.followed = worm;
        if self.looks.wave.is_some() || self.looks.picture.is_some() {
            engine.traffic = in_words(&self.job)?;
        }
        let coverage = (self.looks).coverage(WormLanes::subject(&Observed(&engine)))?;
        let mut observe = Observer::new(self.looks.wave.as_mut(), &engine, worm)?;
        observe.coverage = coverage;
        // Nobody knows how long it takes: worms that are sent at once are gone soon.
        let bit_times = match &self.traffic {
            Traffic::Listed(_) => 1 << 10,
            Traffic::Continuous(..) => 1 << 15,
        };
        let mut again = None;
        if self.looks.picture.is_some() {
            observe = observe.and_draw(&engine);
            match &self.shown {
                Some(shown) => observe.keep_waves(&engine, shown, bit_times),
                None => again = Some(Engine::<B>::new(self.job.machine.clone(), 1)?),
            }
        }
        let ran = match self.traffic {
            Traffic::Listed(messages) => listed(&mut engine, messages, quiet, &mut observe)?,
            Traffic::Continuous(injection, load, phases) => {
                let load = (load, phases);
                continuous(&mut engine, *injection, load, quiet, &mut observe)?
            }
        };
        if let Some(again) = again {
            let shown = Shown::after(&engine, &ran, &wish(self.options, &Asked::EVERYTHING))?;
            observe.keep_waves_of(&engine, again, &shown, bit_times)?;
        }
        let route = observe.route(&engine);
        let route = route.filter(|_| self.options.trace_message.is_some());
        let drawn = observe.drawn(&engine, &ran.outcome);
        let drawn = drawn.map(|drawn| picture::run::Run {
            bands: bands(&ran),
            steps: Some("phase"),
            ..drawn
        });
        let coverage = observe.coverage.take();
        let recording = observe.finish(&engine, &ran.outcome)?;
        let mut outputs = Outputs::default();
        if let Some(file) = self.files.deliveries(&mut outputs) {
            deliveries::write(file, &engine)?;
        }
        if let Some(file) = self.files.log(&mut outputs) {
            log::write(file, deliveries::logged(&engine))?;
        }
        let carried = Carried::of(&engine);
        let table = self.files.of(&LINKS, &mut outputs);
        if let (Some(table), Some(map), Some(carried)) = (table, self.map, &carried) {
            outputs.add("map_of_links", map.path());
            links::write(table, carried)?;
            links::write_map(map, carried)?;
        }
        let mut report = report(
            &engine,
            Facts {
                job: &self.job,
                of: self.of,
                ran,
                outputs,
                route,
                carried,
            },
        );
        let seen = self.looks.seen(recording, drawn, coverage);
        seen.put_in_place(&mut report)?;
        if let Some(TracedNodes::List(nodes)) = &report.outputs.traced_nodes {
            let nodes = nodes
                .iter()
                .map(|&node| engine.fabric.topology().node_name(node));
            report.outputs.traced_nodes = Some(TracedNodes::Named(nodes.collect()));
        }
        Ok(report)
    }
}

/// What traffic a job has, in a few words.
pub(super) fn in_words(job: &Job) -> Result<String, Error> {
    let name = traffic_name(&job.chosen)?;
    let load = match job.continuous {
        Some((load, _)) => format!(", offered load {load}"),
        None => load(&job.chosen).map_or(String::new(), |load| format!(", load {load}")),
    };
    let may_deadlock = job.machine.dependencies().deadlock().is_some();
    let channels = match job.chosen.whole(&VIRTUAL_CHANNELS) {
        Some(1) if may_deadlock => "1 virtual channel, ",
        _ => "",
    };
    Ok(format!("{channels}traffic {name}{load}"))
}

/// The phases of continuous injection, as a page shows them; none of other traffic.
fn bands(ran: &Ran) -> Vec<Band> {
    let Some(continuous) = &ran.continuous else {
        return Vec::new();
    };
    let phases = continuous.phases;
    let begins = [0, phases.warm_up, phases.first_end()];
    let names = ["warm-up", "measurement", "drain"];
    let bands = begins.into_iter().zip(names).map(|(from, name)| Band {
        from: u32::try_from(from).unwrap_or(u32::MAX),
        name: name.to_owned(),
        iteration: None,
    });
    bands.collect()
}

/// Says on standard error, before a run that may be long, that worms may deadlock in it.
fn foretell(machine: &WormholeMachine) {
    let graph = machine.dependencies();
    if let Some(cycle) = graph.deadlock() {
        let which = match graph.escape {
            None => "the channel dependency graph",
            Some(_) => "the escape channels' dependency graph",
        };
        note(&format!(
            "{which} has a cycle of {}: worms may deadlock",
            cycle.len()
        ));
    }
}

/// The messages of a run.
pub(super) enum Traffic {
    /// Each once, in the order in which they are created.
    Listed(Vec<Message>),
    /// As long as the run lasts.
    Continuous(Box<Injection>, f64, Phases),
}

/// What came of a run.
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// What was known before; not of continuous injection.
    pub expected: Option<Expected>,
    /// What continuous injection gave.
    pub continuous: Option<Continuous>,
}

/// Bit times until the next message of an idle machine from which on it is worth while to look whether they can be left out.
pub(super) const LONG_PAUSE: u64 = 256;

/// One bit time; or, where nobody looks on and nothing is under way, all up to `until`, if they change nothing. Nobody may have
/// anything to send before that.
pub(super) fn pass(
    engine: &mut Engine<impl WormLanes>,
    until: u64,
    observe: &mut Observer<'_>,
) -> Result<(), Error> {
    let is_long = until > engine.fabric.bit_time() + LONG_PAUSE;
    match engine.in_flight() == 0 && observe.is_blind() && is_long {
        true => engine.rest_until(until),
        false => engine.tick(|engine| observe.sample(engine))?,
    }
    Ok(())
}

/// Sends each message when it is created, and waits for the last one.
pub(super) fn listed(
    engine: &mut Engine<impl WormLanes>,
    messages: Vec<Message>,
    quiet: bool,
    observe: &mut Observer<'_>,
) -> Result<Ran, Error> {
    let mut sending = Sending::of(engine.fabric.router(), messages);
    let worms = sending.worms();
    let mut progress =
        Progress::of_bit_times(worms, "{human_pos} of {human_len} worms arrived", quiet);
    let outcome = loop {
        let bit_time = engine.fabric.bit_time();
        match sending.next(engine) {
            Some(Over::Still) => break Outcome::Deadlock(standstill(engine)?),
            Some(Over::Complete) => break Outcome::Complete,
            Some(Over::OutOfTime) => break Outcome::OutOfTime,
            None => {}
        }
        let until = sending.next_created().unwrap_or(bit_time);
        pass(engine, until, observe)?;
        interrupt::check()?;
        if bit_time.is_multiple_of(16) {
            progress.passed(engine.delivered() as u64);
        }
    };
    Ok(Ran {
        outcome,
        expected: Some(sending.end(engine)),
        continuous: None,
    })
}

/// Nothing moves: who waits for whom, and whether registers stay as they are.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn standstill(engine: &mut Engine<impl WormLanes>) -> Result<Deadlock, Error> {
    let (bit_time, quiet) = (engine.fabric.bit_time(), engine.quiet());
    let before = engine.registers();
    let unchanged = match engine.tick(|_| Ok::<(), ()>(())) {
        Ok(()) => engine.registers() == before,
        Err(()) => false,
    };
    let (began, cycle) = first_closed(engine, bit_time)?;
    Ok(Deadlock {
        bit_time: bit_time - quiet,
        quiet,
        began,
        cycle,
        registers_unchanged: unchanged,
    })
}
