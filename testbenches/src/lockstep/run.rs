//! A run: traffic is drawn, the machine built and loaded, run to its end, read, and judged.

use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::probe::Recording;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::family::Bench;
use crate::lockstep::options;
use crate::lockstep::report::report;
use crate::lockstep::sections::Steps;
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::stimulus::{Identity, Stimulus};
use crate::lockstep::whereabouts::named::{Named, Names};
use crate::lockstep::whereabouts::{self, Choice, Wanted, Whereabouts};
use crate::options::{Input, RunOptions, staging_beside};
use crate::progress::{Stage, UnderWay};
use crate::report::{Outputs, Report};
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
    let mut known = None;
    let wave = Wave::plan(options, &mut staging, stimulus.device(), |asked| {
        let message = options.trace_message.as_deref();
        let (found, nodes) = who_is_where(&*stimulus, asked, message, options.quiet)?;
        known = found;
        Ok(nodes)
    })?;
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
    let observed = Observed {
        wave,
        known: known.as_ref(),
        stimulus: &*stimulus,
    };
    let (measurement, mut outputs) = observed.simulate(&mut *machine, run)?;
    let verdict = stimulus.judge(machine, &measurement, &mut outputs, options.quiet)?;
    report(of, &*stimulus, verdict, measurement, outputs)
}

/// Where messages are, and what a waveform shows of it.
struct Known {
    whereabouts: Whereabouts,
    choice: Option<Choice>,
}

/// Finds out where messages are, if they can be told apart, and which nodes a waveform is to show where none were named.
fn who_is_where(
    stimulus: &dyn Stimulus,
    asked: &Asked<'_>,
    message: Option<&str>,
    quiet: bool,
) -> Result<(Option<Known>, Vec<usize>), Error> {
    let Some(whereabouts) = whereabouts::find(stimulus, quiet)? else {
        let nodes = stimulus.device().topology().nodes();
        return match message {
            Some(_) if nodes > whereabouts::MOST_NODES => Err(Error::TooManyToFollow {
                nodes,
                most: whereabouts::MOST_NODES,
            }),
            Some(text) => Err(whereabouts::no_message(text, &[])),
            None => Ok((None, stimulus.interesting())),
        };
    };
    let message = match message {
        Some(text) => Some(
            (whereabouts.named(text))
                .ok_or_else(|| whereabouts::no_message(text, &whereabouts.messages))?,
        ),
        None => None,
    };
    let bit_time = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
    let choice = whereabouts.choose(&Wanted {
        message,
        nodes: asked.nodes,
        window: bit_time(asked.window.start)..bit_time(asked.window.end),
        frame: stimulus.live_bits_of_each(None).unwrap_or(1),
    });
    let nodes = match &choice {
        Some(choice) => choice.nodes.clone(),
        None => stimulus.interesting(),
    };
    let known = Known {
        whereabouts,
        choice,
    };
    Ok((Some(known), nodes))
}

/// A run, and what looks on.
struct Observed<'a> {
    wave: Option<Wave>,
    known: Option<&'a Known>,
    stimulus: &'a dyn Stimulus,
}

impl Observed<'_> {
    /// Runs the machine, with a waveform if one was asked for.
    fn simulate(
        mut self,
        machine: &mut dyn Lockstep,
        run: simulation::Run<'_>,
    ) -> Result<(Measurement, Outputs), Error> {
        let Some(wave) = &mut self.wave else {
            let measurement = simulation::advance(machine, run)?;
            return Ok((measurement, Outputs::default()));
        };
        let path = wave.path().to_owned();
        let unwritable = |reason| Error::Unwritable {
            path: path.clone(),
            reason,
        };
        let choice = self.known.and_then(|known| known.choice.as_ref());
        let names = self.known.map(|known| {
            let message = choice.map(|choice| choice.message);
            Names::new(&known.whereabouts, machine, wave.nodes(), message)
        });
        let names = names.as_ref();
        let mut probe = wave.attach(&Named { machine, names })?;
        if let (Some(known), Some(choice)) = (self.known, choice) {
            probe.follow(&known.whereabouts.messages[choice.message].name);
            probe.open_on(u64::from(choice.window.start)..u64::from(choice.window.end));
        } else if let Some(begin) = self.stimulus.followed() {
            probe.follow(&begin);
        }
        let measurement = simulation::run(machine, run, |machine| {
            interrupt::check()?;
            probe
                .sample(&Named { machine, names })
                .map_err(unwritable)
        })?;
        let (_, mut recording) = probe.finish().map_err(unwritable)?;
        self.say(&mut recording, machine.topology());
        let outputs = match self.wave {
            Some(wave) => wave.commit(&recording)?.into(),
            None => Outputs::default(),
        };
        Ok((measurement, outputs))
    }

    /// Has the view say what happens: marks, what nodes are for the message that is followed, what fails.
    fn say(&self, recording: &mut Recording, topology: &dyn Topology) {
        for (bit_time, name) in self.stimulus.marks() {
            recording.mark(bit_time, &name);
        }
        let mut roles = self.stimulus.roles();
        if let Some((whereabouts, choice)) =
            (self.known).and_then(|known| Some((&known.whereabouts, known.choice.as_ref()?)))
        {
            for (node, times) in whereabouts.at_nodes(choice.message).iter().skip(1) {
                let name = format!("to_{}", topology.node_name(*node));
                recording.mark(u64::from(times.start), &name);
            }
            roles.extend(whereabouts::roles(whereabouts, choice));
        }
        for (node, role) in roles {
            if let Some(place) = self.wave.as_ref().and_then(|wave| wave.place_of(node)) {
                recording.entitle(place, &role);
            }
        }
        for path in self.stimulus.failing() {
            recording.fail(&path.each_ref().map(String::as_str));
        }
    }
}

#[cfg(test)]
mod tests;
