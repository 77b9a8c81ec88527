//! Runs a wormhole machine to its end.

use std::io::{self, Write};

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::memory;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::traffic::injection::Injection;
use waves::trace::Trace;

use crate::error::Error;
use crate::families::wormhole::continuous::{Continuous, continuous};
use crate::families::wormhole::deliveries;
use crate::families::wormhole::engine::{Deadlock, Engine};
use crate::families::wormhole::expected::Expected;
use crate::families::wormhole::lanes::{WithLanes, in_lanes};
use crate::families::wormhole::message::{Message, worms};
use crate::families::wormhole::observe::Observer;
use crate::families::wormhole::options::Phases;
use crate::families::wormhole::options::RunOptions;
use crate::families::wormhole::report::{Facts, WormholeReport, dependency_graph, report};
use crate::families::wormhole::requirement::{bytes, check_options, created, side_by_side};
use crate::families::wormhole::shown::{Shown, Wish};
use crate::families::wormhole::traffic;
use crate::interrupt;
use crate::options::staging;
use crate::output::{Staged, Stream};
use crate::progress::Progress;
use crate::report::{Outputs, TracedNodes};
use crate::wave::Wave;

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

/// Runs the testbench.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(options: &RunOptions) -> Result<WormholeReport, Error> {
    run_of(options, None)
}

/// The same of messages that were read or drawn before, if there are any: a traffic file may be a pipe, which nobody reads
/// twice.
pub(crate) fn run_of(
    options: &RunOptions,
    messages: Option<Vec<Message>>,
) -> Result<WormholeReport, Error> {
    let setup = &options.setup;
    check_options(options)?;
    let machine = setup.wormhole.machine(setup.dims)?;
    let message_bits = setup.wormhole.checked_message_bits(&machine)?;
    let mut staging = staging(setup.traffic_file.as_deref())?;
    let deliveries_file = match &options.deliveries {
        Some(path) => Some(staging.create_text(path, "the deliveries")?),
        None => None,
    };
    let traffic = match (messages, options.setup.injection.offered_load) {
        (Some(messages), _) => Traffic::Once(messages),
        (None, None) => Traffic::Once(traffic::messages(setup, &machine, message_bits)?),
        (None, Some(load)) => Traffic::Continuous(
            Box::new(traffic::injection(setup, &machine, (load, message_bits))?),
            load,
            options.setup.injection.phases(load, message_bits)?,
        ),
    };
    let messages = match &traffic {
        Traffic::Once(messages) => messages.len() as u64,
        Traffic::Continuous(_, load, phases) => created(&machine, (*load, message_bits), phases),
    };
    let nodes = machine.network().nodes();
    let bytes = bytes(&machine, messages, message_bits);
    memory::require_for_nodes(
        format!("a run of {nodes} nodes and {messages} messages"),
        nodes,
        bytes,
        memory::available(),
    )?;
    // Where the deliveries or the report are read, notes are not wanted.
    let has_stream = options.deliveries.as_deref().and_then(Stream::of).is_some();
    if !options.quiet && !has_stream {
        foretell(&machine);
    }
    let wish = |nodes| Wish {
        nodes,
        window: options.trace_from.unwrap_or(0)..options.trace_to.unwrap_or(u64::MAX),
        quiet: options.quiet,
    };
    let mut shown = Ok(Shown::default());
    let wave = Wave::plan_open(options, &mut staging, &machine, || {
        shown = Shown::of(&machine, &traffic, &wish(None));
        let nodes = shown.as_ref().map(|shown| shown.nodes.clone());
        nodes.unwrap_or_default()
    })?;
    if let (Some(wave), Some(_)) = (&wave, &options.trace_nodes) {
        shown = Shown::of(&machine, &traffic, &wish(wave.named_nodes()));
    }
    let worm_shown = shown?.worm;
    in_lanes(
        side_by_side(&machine),
        InLanes {
            options,
            machine,
            message_bits,
            bytes,
            traffic,
            wave,
            worm_shown,
            deliveries_file,
        },
    )
}

struct InLanes<'a> {
    options: &'a RunOptions,
    machine: WormholeMachine,
    message_bits: usize,
    bytes: u64,
    traffic: Traffic,
    wave: Option<Wave>,
    worm_shown: Option<usize>,
    deliveries_file: Option<Staged>,
}

impl WithLanes for InLanes<'_> {
    type Output = Result<WormholeReport, Error>;

    fn run<B: Lanes>(mut self) -> Result<WormholeReport, Error> {
        let setup = &self.options.setup;
        let quiet = self.options.quiet;
        let mut engine = Engine::<B>::new(self.machine, 1)?;
        let mut observe = Observer::new(self.wave.as_mut(), &engine, self.worm_shown)?;
        let ran = match self.traffic {
            Traffic::Once(messages) => once(&mut engine, messages, quiet, &mut observe)?,
            Traffic::Continuous(injection, load, phases) => {
                let load = (load, phases);
                continuous(&mut engine, *injection, load, quiet, &mut observe)?
            }
        };
        let recording = observe.finish(&ran.outcome)?;
        let mut outputs = match (self.wave, recording) {
            (Some(wave), Some(recording)) => Outputs::from(wave.commit(&recording)?),
            _ => Outputs::default(),
        };
        if let Some(TracedNodes::List(nodes)) = &outputs.traced_nodes {
            let nodes = nodes
                .iter()
                .map(|&node| engine.fabric.topology().node_name(node));
            outputs.traced_nodes = Some(TracedNodes::Named(nodes.collect()));
        }
        if let Some(file) = self.deliveries_file {
            outputs.deliveries = Some(file.path().display().to_string());
            deliveries::write(file, &engine)?;
        }
        Ok(report(
            &engine,
            Facts {
                setup,
                message_bits: self.message_bits,
                bytes: self.bytes,
                ran,
                outputs,
            },
        ))
    }
}

/// Says on standard error, before a run that may be long, that worms may deadlock in it.
fn foretell(machine: &WormholeMachine) {
    if let Some(cycle) = dependency_graph(machine).cycle {
        // Where nobody can read it, it is no loss: the report says so too.
        let _ = writeln!(
            io::stderr(),
            "note: the channel dependency graph has a cycle of {}: worms may deadlock",
            cycle.len()
        );
    }
}

/// The messages of a run.
pub(super) enum Traffic {
    /// All at bit time 0.
    Once(Vec<Message>),
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

/// Sends each message at bit time 0, and waits for the last one.
pub(super) fn once(
    engine: &mut Engine<impl Lanes>,
    messages: Vec<Message>,
    quiet: bool,
    observe: &mut Observer<impl Trace>,
) -> Result<Ran, Error> {
    let machine = engine.fabric.router().clone();
    let mut expected = Expected::default();
    let mut from_host: Vec<u64> = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        for worm in worms(machine.network(), number, message) {
            expected.add(&machine, &worm, (message.source, message.destination));
            from_host.push(worm.bits.len() as u64);
        }
    }
    expected.bound(from_host.into_iter());
    for message in messages {
        engine.send(0, message);
    }
    let mut progress = Progress::new(
        engine.worms.len() as u64,
        "{wide_bar} {human_pos} of {human_len} worms arrived, {eta} left",
        quiet,
    );
    let patience = engine.fabric.router().plan().arbitration_period();
    let outcome = loop {
        if engine.in_flight() == 0 {
            break Outcome::Complete;
        }
        if engine.quiet() > patience {
            break Outcome::Deadlock(standstill(engine));
        }
        if engine.fabric.bit_time() > expected.upper + patience {
            break Outcome::OutOfTime;
        }
        engine.tick(|engine| observe.sample(engine))?;
        interrupt::check()?;
        if engine.fabric.bit_time().is_multiple_of(16) {
            progress.passed((engine.worms.len() - engine.in_flight()) as u64);
        }
    };
    Ok(Ran {
        outcome,
        expected: Some(expected),
        continuous: None,
    })
}

/// Nothing moves: who waits for whom, and whether registers stay as they are.
pub(super) fn standstill(engine: &mut Engine<impl Lanes>) -> Deadlock {
    let (bit_time, quiet) = (engine.fabric.bit_time(), engine.quiet());
    let before = engine.registers();
    let unchanged = match engine.tick(|_| Ok::<(), ()>(())) {
        Ok(()) => engine.registers() == before,
        Err(()) => false,
    };
    Deadlock {
        bit_time: bit_time - quiet,
        quiet,
        cycle: engine.wait_for_cycle().unwrap_or_default(),
        registers_unchanged: unchanged,
    }
}
