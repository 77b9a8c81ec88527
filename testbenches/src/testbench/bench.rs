//! A testbench as a value: what it is called, its parameters, its job, and with what it is measured. Everything else follows.

use clap::{ArgMatches, Args, Command};
use rtl_model::machine::device::Device;

use crate::error::Error;
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, Requirement, Steps, Stimulus, carry_out, require_memory};
use crate::measure::sweep::Sweep;
use crate::measure::{self, timing};
use crate::options::{
    CheckpointArguments, DeliveriesArgument, Format, FormatArgument, NoArguments, RunOptions,
    ThreadsArgument, TraceMessageArgument, VerilogArguments, WaveArguments, reworded,
};
use crate::output::Stream;
use crate::report::{Report, json};
use crate::testbench::arguments::{add_options, read_options};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter, Scope};
use crate::testbench::{Choice, Ran, Testbench, parsed};

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
    /// Its parameters, in the order of its help.
    pub parameters: &'static [&'static Parameter],
    /// What its runs offer beside them.
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

/// What runs of a testbench may offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Checkpoints, of machines that run as programs.
    Checkpoints,
    /// To follow a message.
    TraceMessage,
    /// A file of what arrived.
    Deliveries,
}

/// What is said of a Verilog project of a testbench.
pub struct Project {
    /// What the rounds of its testbench are, for help.
    pub rounds: &'static str,
    /// What help says of parameters here, if not what it says of runs.
    pub help: &'static [(&'static str, &'static str)],
    /// What is chosen of it, as facts call it: the algorithm, the guest.
    pub choice: &'static str,
    /// How the first round is asked for again.
    pub first_round: FirstRound,
}

/// What is chosen of a testbench, worked out: a machine, and what it takes to run it. Nothing is drawn, built or read yet.
pub trait Job {
    /// The machine.
    fn device(&self) -> &dyn Device;

    /// What a run takes.
    fn requirement(&self) -> Requirement;

    /// Where what is modelled comes from, where that depends on what is chosen.
    fn source(&self) -> Option<&'static str> {
        None
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

    /// With what is put into it: drawn, or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error>;
}

impl Bench {
    fn offers(&self, offer: Offer) -> bool {
        self.offers.contains(&offer)
    }

    /// What a report says first.
    pub fn identity(&self, job: &dyn Job) -> Identity {
        Identity {
            name: self.name,
            models: self.models,
            source: job.source().unwrap_or(self.source),
            schedule: None,
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

/// Runs what is chosen beside others: on one thread, and without a word.
///
/// # Errors
/// What is refused of it, and whatever keeps it from its end.
pub fn run_beside_others(chosen: &Chosen) -> Result<Report<Steps>, Error> {
    let job = (chosen.bench().job)(chosen)?;
    let identity = chosen.bench().identity(&*job);
    carry_out(
        &identity,
        &RunOptions::<()>::beside_others(()),
        &[],
        with_traffic(job)?,
    )
}

/// An option of a command, if it is among those that a testbench has.
fn offered<A: Args + Default>(arguments: &ArgMatches, is_offered: bool) -> Result<A, Error> {
    match is_offered {
        true => parsed(arguments),
        false => Ok(A::default()),
    }
}

impl Testbench for &'static Bench {
    fn name(&self) -> &'static str {
        self.name
    }

    fn chosen_by(&self) -> Option<Choice> {
        self.chosen_by
    }

    fn models(&self) -> &'static str {
        self.models
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn choices(&self) -> Vec<String> {
        (self.choices)(&Chosen::of(self))
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let nothing = Chosen::of(self);
        let names = |parameter: &&'static Parameter| match parameter.kind {
            Kind::Name(_, known) => {
                Some((parameter.option.trim_start_matches('-'), known(&nothing)))
            }
            _ => None,
        };
        self.names.iter().filter_map(names).collect()
    }

    fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    fn run_arguments(&self, command: Command) -> Command {
        let nothing = Chosen::of(self);
        let is_output = |parameter: &&&Parameter| matches!(parameter.kind, Kind::Output(_));
        let all = self.parameters.iter();
        let all = all.filter(|parameter| parameter.scope != Scope::Sweep);
        let first = all.clone().filter(|parameter| !is_output(parameter));
        let mut command = add_options(command, first, &nothing);
        command = ThreadsArgument::augment_args(command);
        if self.offers(Offer::Checkpoints) {
            command = CheckpointArguments::augment_args(command);
        }
        command = WaveArguments::augment_args(command);
        if self.offers(Offer::TraceMessage) {
            command = TraceMessageArgument::augment_args(command);
        }
        if self.offers(Offer::Deliveries) {
            command = DeliveriesArgument::augment_args(command);
        }
        let command = add_options(command, all.filter(is_output), &nothing);
        FormatArgument::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let chosen = self.chosen(arguments)?;
        let follow: TraceMessageArgument = offered(arguments, self.offers(Offer::TraceMessage))?;
        let arrived: DeliveriesArgument = offered(arguments, self.offers(Offer::Deliveries))?;
        let options = RunOptions {
            threads: parsed::<ThreadsArgument>(arguments)?.threads,
            checkpoints: offered(arguments, self.offers(Offer::Checkpoints))?,
            format: parsed::<FormatArgument>(arguments)?.format,
            trace_message: follow.trace_message,
            deliveries: arrived.deliveries,
            ..RunOptions::<()>::default()
        };
        let options = options.with_wave(parsed::<WaveArguments>(arguments)?);
        options.threads()?;
        let written = chosen
            .outputs()
            .into_iter()
            .map(|(path, _)| path.to_owned());
        let written = options.deliveries.iter().cloned().chain(written);
        let beside = written.min_by_key(|path| Stream::of(path).is_none());
        let job = (self.job)(&chosen)?;
        timing::foretell(
            (&chosen, &*job),
            (options.wave.is_some(), beside.as_deref()),
        )?;
        let identity = self.identity(&*job);
        let report = carry_out(&identity, &options, &chosen.inputs(), with_traffic(job)?)?;
        Ok(Ran {
            report: Box::new(report),
            format: options.format,
            deliveries: beside,
        })
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        let command = add_options(command, self.of_machine(), &Chosen::of(self));
        let command = VerilogArguments::<NoArguments>::augment_args(command);
        let help = [("rounds", self.project.rounds)];
        let help = help.iter().chain(self.project.help);
        help.fold(command, |command, (option, help)| {
            reworded(command, option, *help)
        })
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let chosen = self.chosen(arguments)?;
        let options = parsed::<VerilogArguments<NoArguments>>(arguments)?.options(|_| ());
        let inputs = chosen.inputs();
        let mut job = None;
        let plan = Plan::begun(&options, &inputs, || {
            let worked_out = job.insert((self.job)(&chosen)?);
            Ok(worked_out.device().topology())
        })?;
        let job = match job {
            Some(job) => job,
            None => (self.job)(&chosen)?,
        };
        let (identity, choice, relies_on) = (self.identity(&*job), job.choice(), job.relies_on());
        let command = match job.said() {
            [] => chosen.command("verilog"),
            said => chosen.saying("verilog", said),
        };
        let stimulus = with_traffic(job)?;
        let mut facts = stimulus.facts();
        // What is chosen a project tells by itself.
        facts.retain(|(name, _)| *name != self.project.choice);
        let exported = Exported {
            identity,
            choice: (self.project.choice, choice),
            command,
            first_round: self.project.first_round,
            seed: chosen.seed(),
            relies_on,
            facts,
        };
        let project = plan.write(&exported, &*stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn measure::Family {
        self.sweep
    }
}

/// What words behind `cubewave run` and the testbench's name choose.
#[cfg(test)]
pub(crate) fn asked(bench: &'static Bench, words: &str) -> Chosen {
    chosen_by(bench, words).unwrap()
}

/// What is said of words that are refused.
#[cfg(test)]
pub(crate) fn refused(bench: &'static Bench, words: &str) -> Error {
    chosen_by(bench, words).unwrap_err()
}

#[cfg(test)]
fn chosen_by(bench: &'static Bench, words: &str) -> Result<Chosen, Error> {
    let command = bench.run_arguments(Command::new(bench.name).no_binary_name(true));
    let arguments = command.try_get_matches_from(words.split_whitespace());
    bench.chosen(&arguments.unwrap())
}
