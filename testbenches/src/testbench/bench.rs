//! A testbench as a value: what it is called, its parameters, its job, and with what it is measured. Everything else follows.

use std::fmt;
use std::path::Path;

use clap::{ArgMatches, Args, Command};
use rtl_model::machine::device::Device;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;

use crate::error::Error;
use crate::lockstep::plan::{self, ComputersArguments};
use crate::lockstep::schedule::Schedule;
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, Requirement, Stimulus, carry_out, require_memory};
use crate::measure::sweep::Sweep;
use crate::measure::{self, timing};
use crate::options::{
    self, CheckpointArguments, DeliveriesArgument, Format, FormatArgument, Input, NoArguments,
    ThreadsArgument, TraceMessageArgument, VerilogArguments, VerilogOptions, WaveArguments,
    check_reaches_all, reworded,
};
use crate::output::Stream;
use crate::progress::UnderWay;
use crate::report::{Report, Told, json};
use crate::testbench::arguments::{add_options, read_options};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter, Scope};
use crate::testbench::{Choice, NOT_PLANNED, Ran, Testbench, parsed, refusing_all};
use crate::verilog;

/// Options of a run beside its parameters.
pub type RunOptions = options::RunOptions<()>;

/// A testbench.
pub struct Bench {
    /// Its name on the command line.
    pub name: &'static str,
    /// The option that picks it, where several testbenches have its name.
    pub chosen_by: Option<Choice>,
    /// What it models, in a line.
    pub models: &'static str,
    /// Where it comes from: paper and section.
    pub source: &'static str,
    /// What there is to choose: lines for `list`.
    pub choices: fn(&Chosen) -> Vec<String>,
    /// Parameters whose values are looked for where somebody types them in place of a testbench.
    pub names: &'static [&'static Parameter],
    /// Command lines that show what it can do.
    pub examples: &'static [&'static str],
    /// Its schedules, where it has several; the first is the default.
    pub schedules: &'static [Schedule],
    /// Its parameters, in the order of its help.
    pub parameters: &'static [&'static Parameter],
    /// What its runs offer beside them; help has outputs in this order.
    pub offers: &'static [Offer],
    /// What is chosen, worked out; nothing is drawn, built or read.
    pub job: fn(&Chosen) -> Result<Box<dyn Job>, Error>,
    /// How long runs take.
    pub timing: timing::Timing,
    /// What it is measured with.
    pub sweep: &'static Sweep,
    /// What is said of its Verilog project.
    pub project: Project,
}

impl fmt::Debug for Bench {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// What a testbench has beside its parameters, or has not though others have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// To be planned: smaller machines of its kind are those of fewer dimensions.
    Plan,
    /// Checkpoints, of machines that run as programs.
    Checkpoints,
    /// To follow a message.
    TraceMessage,
    /// A file of what arrived.
    Deliveries,
    /// One thread, whatever there is: nobody is asked for more.
    OneThread,
    /// No plan, for that reason.
    NoPlan(&'static str),
}

/// What is said of a Verilog project of a testbench.
pub struct Project {
    /// What the rounds of its testbench are, for help; empty, where that is what help says of most.
    pub rounds: &'static str,
    /// What help says of parameters here, if not what it says of runs.
    pub help: &'static [(&'static str, &'static str)],
    /// What is chosen of it, as facts call it: the algorithm, the guest.
    pub choice: &'static str,
    /// How the first round is asked for again.
    pub first_round: FirstRound,
    /// What writes it, if not what writes machines in lockstep.
    pub export: Option<Export>,
}

/// Writes what is chosen as a Verilog project.
pub type Export = fn(&Chosen, &VerilogOptions<()>) -> Result<verilog::Project, Error>;

/// What is chosen of a testbench, worked out: a machine, and what it takes to run it. Nothing is drawn, built or read yet.
pub trait Job {
    /// The machine.
    fn device(&self) -> &dyn Device;

    /// What a run takes.
    fn requirement(&self) -> Requirement;

    /// What is modelled, in a line, where that depends on what is chosen.
    fn models(&self) -> Option<&'static str> {
        None
    }

    /// Where what is modelled comes from, where that depends on what is chosen.
    fn source(&self) -> Option<&'static str> {
        None
    }

    /// Its schedule, where there are several.
    fn schedule(&self) -> Option<&'static str> {
        None
    }

    /// The dimensions of the hypercube whose nodes it has, by whatever wires, if it has such.
    fn dimensions(&self) -> Option<Dimensions> {
        self.device().topology().as_hypercube()
    }

    /// What is chosen of it, by [`Project::choice`]; none where there is only one way.
    fn choice(&self) -> Option<&'static str> {
        None
    }

    /// The parameters that a command line says which asks for the machine again, in its order; none, where it says those of the
    /// testbench in theirs.
    fn said(&self) -> &'static [&'static Parameter] {
        &[]
    }

    /// What the router relies on and cannot see.
    fn relies_on(&self) -> Option<&'static str> {
        None
    }

    /// Refuses traffic that a run would refuse, as far as that is known without drawing or reading any.
    ///
    /// # Errors
    /// What is refused of it.
    fn check_traffic(&self) -> Result<(), Error> {
        Ok(())
    }

    /// With what is put into it: drawn, or read.
    ///
    /// # Errors
    /// Files that cannot be used; [`Error::Refused`] of what is not run in lockstep, and runs by itself ([`Job::run`]).
    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Err(Error::Refused {
            by: "testbench",
            why: "it is not run in lockstep".to_owned(),
        })
    }

    /// Whether it is run in lockstep, with what [`Job::with_traffic`] gives.
    fn is_in_lockstep(&self) -> bool {
        true
    }

    /// Runs it; `inputs` are the files that are read.
    ///
    /// # Errors
    /// What is refused, before any work starts; and a file that could not be written after all.
    fn run(
        self: Box<Self>,
        of: &Identity,
        options: &RunOptions,
        inputs: &[Input<'_>],
    ) -> Result<Report<Told>, Error> {
        let drawing = UnderWay::new("drawing the traffic", options.quiet);
        require_memory(self.device(), &self.requirement())?;
        let stimulus = self.with_traffic()?;
        drop(drawing);
        carry_out(of, options, inputs, stimulus)
    }
}

impl Bench {
    /// What words behind `cubewave run` and the testbench's name choose.
    ///
    /// # Errors
    /// Words that it does not take; values that are refused.
    pub fn asked(&'static self, words: &str) -> Result<Chosen, Error> {
        let command = self.run_arguments(Command::new(self.name).no_binary_name(true));
        self.chosen(&command.try_get_matches_from(words.split_whitespace())?)
    }

    /// Its parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        let mut all = self.parameters.iter();
        all.find(|parameter| parameter.name == name).copied()
    }

    fn offers(&self, offer: Offer) -> bool {
        self.offers.contains(&offer)
    }

    /// What a report says first.
    pub fn identity(&self, job: &dyn Job) -> Identity {
        Identity {
            name: self.name,
            models: job.models().unwrap_or(self.models),
            source: job.source().unwrap_or(self.source),
            schedule: job.schedule(),
        }
    }

    /// What is chosen on a command line.
    ///
    /// # Errors
    /// As [`Chosen::check`].
    fn chosen(&'static self, arguments: &ArgMatches) -> Result<Chosen, Error> {
        let chosen = read_options(Chosen::of(self), arguments);
        chosen.check()?;
        Ok(chosen)
    }

    /// The options of all that is told of machine and traffic.
    fn of_machine(&self) -> impl Iterator<Item = &&'static Parameter> {
        let of_machine = |one: &&&Parameter| one.scope == Scope::Machine;
        self.parameters.iter().filter(of_machine)
    }
}

/// A job with its traffic, if it fits into memory.
///
/// # Errors
/// A size that does not fit; files that cannot be used.
pub fn with_traffic(job: Box<dyn Job>) -> Result<Box<dyn Stimulus>, Error> {
    require_memory(job.device(), &job.requirement())?;
    job.with_traffic()
}

/// Runs what is chosen.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub fn run(chosen: Chosen, options: &RunOptions) -> Result<Report<Told>, Error> {
    prepared(chosen, options, |_| Ok(()))
}

/// The same, which says before it begins how long it will take if that is some minutes or more; not where the file `beside` is
/// printed.
fn run_foretold(
    chosen: Chosen,
    options: &RunOptions,
    beside: Option<&Path>,
) -> Result<Report<Told>, Error> {
    let of = chosen.clone();
    prepared(chosen, options, |job| {
        timing::foretell((&of, job), options, beside)
    })
}

fn prepared(
    mut chosen: Chosen,
    options: &RunOptions,
    foretell: impl FnOnce(&dyn Job) -> Result<(), Error>,
) -> Result<Report<Told>, Error> {
    options.threads()?;
    for input in chosen.inputs() {
        check_reaches_all(input.path)?;
    }
    let shown = [&options.wave, &options.picture, &options.deliveries];
    chosen.needs_list = shown.into_iter().any(Option::is_some);
    let job = (chosen.bench().job)(&chosen)?;
    foretell(&*job)?;
    let identity = chosen.bench().identity(&*job);
    job.run(&identity, options, &chosen.inputs())
}

/// Runs what is chosen beside others: on one thread, and without a word.
///
/// # Errors
/// What is refused of it, and whatever keeps it from its end.
pub fn run_beside_others(chosen: &Chosen) -> Result<Report<Told>, Error> {
    run(chosen.clone(), &RunOptions::beside_others(()))
}

/// Writes what is chosen as a Verilog project.
///
/// # Errors
/// What is refused of it, before anything is written; a folder that cannot be written, or is not empty; a project that would be
/// unreasonably large.
pub fn export(chosen: &Chosen, options: &VerilogOptions<()>) -> Result<verilog::Project, Error> {
    let bench = chosen.bench();
    if let Some(export) = bench.project.export {
        return export(chosen, options);
    }
    let mut job = None;
    let topology = || -> Result<Box<dyn Topology>, Error> {
        let mut all = bench.parameters.iter();
        if let Some(cube) = all.find_map(|parameter| parameter.cube) {
            return Ok(Box::new(cube(chosen)?));
        }
        let worked_out = job.insert((bench.job)(chosen)?);
        Ok(match worked_out.dimensions() {
            Some(cube) => Box::new(cube),
            None => worked_out.device().topology(),
        })
    };
    let plan = Plan::begun(options, &chosen.inputs(), topology)?;
    let job = match job {
        Some(job) => job,
        None => (bench.job)(chosen)?,
    };
    let (identity, choice, relies_on) = (bench.identity(&*job), job.choice(), job.relies_on());
    let command = match job.said() {
        [] => chosen.command("verilog"),
        said => chosen.saying("verilog", said),
    };
    let mut stimulus = with_traffic(job)?;
    stimulus.foresee()?;
    let mut facts = stimulus.facts();
    // What is chosen a project tells by itself.
    facts.retain(|(name, _)| *name != bench.project.choice);
    let exported = Exported {
        identity,
        choice: (bench.project.choice, choice),
        command,
        first_round: bench.project.first_round,
        seed: chosen.seed(),
        relies_on,
        facts,
    };
    plan.write(&exported, &*stimulus)
}

/// An option of a command, if it is among those that a testbench has.
fn offered<A: Args + Default>(arguments: &ArgMatches, is_offered: bool) -> Result<A, Error> {
    match is_offered {
        true => parsed(arguments),
        false => Ok(A::default()),
    }
}

impl Testbench for Bench {
    fn name(&'static self) -> &'static str {
        self.name
    }

    fn chosen_by(&'static self) -> Option<Choice> {
        self.chosen_by
    }

    fn models(&'static self) -> &'static str {
        self.models
    }

    fn source(&'static self) -> &'static str {
        self.source
    }

    fn choices(&'static self) -> Vec<String> {
        (self.choices)(&Chosen::of(self))
    }

    fn named_choices(&'static self) -> Vec<(&'static str, Vec<&'static str>)> {
        let nothing = Chosen::of(self);
        let names = |parameter: &&'static Parameter| match parameter.kind {
            Kind::Name(_, known) => {
                Some((parameter.option.trim_start_matches('-'), known(&nothing)))
            }
            _ => None,
        };
        self.names.iter().filter_map(names).collect()
    }

    fn examples(&'static self) -> &'static [&'static str] {
        self.examples
    }

    fn run_arguments(&'static self, command: Command) -> Command {
        let nothing = Chosen::of(self);
        let is_output = |parameter: &&&Parameter| matches!(parameter.kind, Kind::Output(_));
        let all = self.parameters.iter();
        let all = all.filter(|parameter| matches!(parameter.scope, Scope::Machine | Scope::Run));
        let first = all.clone().filter(|parameter| !is_output(parameter));
        let mut command = add_options(command, first, &nothing);
        if !self.offers(Offer::OneThread) {
            command = ThreadsArgument::augment_args(command);
        }
        if self.offers(Offer::Checkpoints) {
            command = CheckpointArguments::augment_args(command);
        }
        command = WaveArguments::augment_args(command);
        let command = self
            .offers
            .iter()
            .fold(command, |command, offer| match offer {
                Offer::Deliveries => DeliveriesArgument::augment_args(command),
                Offer::TraceMessage => TraceMessageArgument::augment_args(command),
                _ => command,
            });
        let command = add_options(command, all.filter(is_output), &nothing);
        FormatArgument::augment_args(command)
    }

    fn run(&'static self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let chosen = self.chosen(arguments)?;
        let follow: TraceMessageArgument = offered(arguments, self.offers(Offer::TraceMessage))?;
        let arrived: DeliveriesArgument = offered(arguments, self.offers(Offer::Deliveries))?;
        let threads: ThreadsArgument = offered(arguments, !self.offers(Offer::OneThread))?;
        let options = RunOptions {
            threads: threads.threads,
            checkpoints: offered(arguments, self.offers(Offer::Checkpoints))?,
            format: parsed::<FormatArgument>(arguments)?.format,
            trace_message: follow.trace_message,
            deliveries: arrived.deliveries,
            ..RunOptions::default()
        };
        let options = options.with_wave(parsed::<WaveArguments>(arguments)?);
        let written = chosen
            .outputs()
            .into_iter()
            .map(|(path, _)| path.to_owned());
        let written = options.deliveries.iter().cloned().chain(written);
        let beside = written.min_by_key(|path| Stream::of(path).is_none());
        let report = run_foretold(chosen, &options, beside.as_deref())?;
        Ok(Ran {
            report: Box::new(report),
            format: options.format,
            deliveries: beside,
        })
    }

    fn why_not_planned(&'static self) -> &'static str {
        let why = |offer: &Offer| match offer {
            Offer::NoPlan(why) => Some(*why),
            _ => None,
        };
        let mut all = self.offers.iter();
        all.find_map(why).unwrap_or(NOT_PLANNED)
    }

    fn plan_arguments(&'static self, command: Command) -> Command {
        match self.offers(Offer::Plan) {
            true => plan::add_computers(add_options(command, self.of_machine(), &Chosen::of(self))),
            false => refusing_all(command),
        }
    }

    fn plan(&'static self, arguments: &ArgMatches) -> Result<String, Error> {
        if !self.offers(Offer::Plan) {
            return Err(Error::NotPlanned {
                bench: self.name,
                why: self.why_not_planned(),
            });
        }
        let chosen = self.chosen(arguments)?;
        let computers = parsed::<ComputersArguments>(arguments)?;
        plan::plan(&chosen, &computers)?.formatted(computers.format.format)
    }

    fn verilog_arguments(&'static self, command: Command) -> Command {
        let command = add_options(command, self.of_machine(), &Chosen::of(self));
        let command = VerilogArguments::<NoArguments>::augment_args(command);
        let help = [("rounds", self.project.rounds)];
        let help = help.iter().chain(self.project.help);
        let said = help.filter(|(_, help)| !help.is_empty());
        said.fold(command, |command, (option, help)| {
            reworded(command, option, *help)
        })
    }

    fn verilog(&'static self, arguments: &ArgMatches) -> Result<String, Error> {
        let chosen = self.chosen(arguments)?;
        let options = parsed::<VerilogArguments<NoArguments>>(arguments)?.options(|_| ());
        let project = export(&chosen, &options)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn value(&'static self) -> Option<&'static Bench> {
        Some(self)
    }

    fn measured_as(&'static self) -> &'static dyn measure::Family {
        self.sweep
    }
}

/// What words behind `cubewave run` and the testbench's name choose.
#[cfg(test)]
pub(crate) fn asked(bench: &'static Bench, words: &str) -> Chosen {
    bench.asked(words).unwrap()
}

/// What is said of words that are refused.
#[cfg(test)]
pub(crate) fn refused(bench: &'static Bench, words: &str) -> Error {
    bench.asked(words).unwrap_err()
}

/// What such words choose, with its traffic.
#[cfg(test)]
pub(crate) fn stimulus(bench: &'static Bench, words: &str) -> Box<dyn Stimulus> {
    with_traffic((bench.job)(&asked(bench, words)).unwrap()).unwrap()
}
