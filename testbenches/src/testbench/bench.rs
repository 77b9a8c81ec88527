//! A testbench as a value: what it is called, its parameters, its job, and with what it is measured. Everything else follows.

mod files;
mod job;
mod run;

use std::ffi::OsString;
use std::fmt;

use clap::{ArgMatches, Args, Command};
use rtl_model::machine::memory;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::junit;
use crate::lockstep::Identity;
#[cfg(test)]
use crate::lockstep::Stimulus;
use crate::lockstep::campaign::{self, FaultsArguments};
use crate::lockstep::plan::{self, ComputersArguments};
use crate::lockstep::schedule::Schedule;
use crate::measure::reading::Reading;
use crate::measure::sweep::Sweep;
use crate::measure::timing;
pub use crate::options::RunOptions;
use crate::options::{
    CheckpointArguments, DeliveriesArgument, Format, FormatArgument, JunitArgument, LogArgument,
    SeedsArgument, ThreadsArgument, TraceMessageArgument, VerilogOptions, WaveArguments,
    processors, reworded,
};
use crate::output::{Stream, note};
use crate::report::{DateArgument, Entry, From, json};
use crate::search::Traffics;
use crate::testbench::arguments::{add_options, read_options};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter, SEED, Scope};
use crate::testbench::{Choice, NOT_PLANNED, Printed, Ran, parsed, refusing_all};
use crate::verilog::FirstRound;
pub use files::Files;
pub use job::{AnyMachine, ByItself, Job, for_faults, with_traffic};
use run::run_foretold;
pub use run::{export, run, run_beside_others};

/// A testbench.
pub struct Testbench {
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
    /// What its rows have beside the readings of its sweep.
    pub readings: &'static [Reading],
    /// What its reports and rows have beside what all have.
    pub entries: &'static [&'static [Entry]],
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
    /// Options of a run that somebody looks at, on a waveform or a picture, and that gives no size: one whose first screen can be
    /// read; none where that is so of any run.
    pub looked_at: fn(&Chosen) -> &'static str,
}

impl fmt::Debug for Testbench {
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
    /// A log of its messages.
    Log,
    /// A file of what arrived.
    Deliveries,
    /// One thread, whatever there is: nobody is asked for more.
    OneThread,
    /// No plan, for that reason.
    NoPlan(&'static str),
    /// One process, whatever ranks there are: what it is, and why they cannot share it.
    OneRank(&'static str, &'static str),
    /// To be searched for the worst of such traffics.
    Search(Traffics),
    /// An option that others have too, of which help says this here.
    Said(&'static str, &'static str),
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
    /// Whether the machine itself goes by the seed, and not its traffic alone.
    pub goes_by_seed: fn(&Chosen) -> bool,
    /// What it says of the machine and its traffic, and of its ports, beside what all projects say.
    pub facts: &'static [&'static [Entry]],
}

impl Project {
    /// One that is called by what is chosen of it.
    pub const fn of(choice: &'static str, first_round: FirstRound) -> Self {
        Project {
            rounds: "",
            help: &[],
            choice,
            first_round,
            goes_by_seed: |_| false,
            facts: &[],
        }
    }
}

/// A run that is asked for.
pub struct Asked {
    /// What it is of.
    pub chosen: Chosen,
    /// What it is to write, and how.
    pub options: RunOptions,
    /// It has a size to be looked at, since none was given.
    pub is_sized: bool,
}

impl Testbench {
    /// What words behind `cubewave run` and the testbench's name choose.
    ///
    /// # Errors
    /// Words that it does not take; values that are refused.
    pub fn asked(&'static self, words: &str) -> Result<Chosen, Error> {
        Ok(self.asked_with_options(words)?.0)
    }

    /// The same, with the options of the run beside it.
    ///
    /// # Errors
    /// As [`Testbench::asked`].
    pub fn asked_with_options(&'static self, words: &str) -> Result<(Chosen, RunOptions), Error> {
        let arguments = self.arguments(words.split_whitespace())?;
        Ok((self.chosen(&arguments)?, self.options_of_run(&arguments)?))
    }

    /// Words behind `cubewave run` and the testbench's name, as options.
    ///
    /// # Errors
    /// Words that it does not take.
    pub fn arguments<W: Into<OsString> + Clone>(
        &'static self,
        words: impl IntoIterator<Item = W>,
    ) -> Result<ArgMatches, Error> {
        let command = self.run_arguments(Command::new(self.name).no_binary_name(true));
        Ok(command.try_get_matches_from(words)?)
    }

    /// Its parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        let mut all = self.parameters.iter();
        all.find(|parameter| parameter.name == name).copied()
    }

    /// Whether it offers that.
    pub fn offers(&self, offer: Offer) -> bool {
        self.offers.contains(&offer)
    }

    /// What its traffics are, if the worst of them can be searched for.
    pub fn searched(&self) -> Option<Traffics> {
        self.offers.iter().find_map(|offer| match offer {
            Offer::Search(traffics) => Some(*traffics),
            _ => None,
        })
    }

    /// How the first round of its project is asked for again: by a file, if it has an option that reads such.
    pub(crate) fn first_round(&self) -> FirstRound {
        let first = self.project.first_round;
        let mut all = self.parameters.iter();
        let is_read = all.any(|parameter| Some(parameter.option) == first.option);
        FirstRound {
            option: first.option.filter(|_| is_read),
            ..first
        }
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

/// The threads that runs share are begun, where there is room: in the middle nobody could be told that the system gives none.
fn begin_threads() -> Result<(), Error> {
    if !memory::has_room_for_threads(processors()) {
        return Ok(());
    }
    match rayon::ThreadPoolBuilder::new().build_global() {
        // What has no reason of its own says that they are there.
        Err(refused) if std::error::Error::source(&refused).is_some() => {
            Err(Error::no_threads(refused))
        }
        _ => Ok(()),
    }
}

/// An option of a command, if it is among those that a testbench has.
fn offered<A: Args + Default>(arguments: &ArgMatches, is_offered: bool) -> Result<A, Error> {
    match is_offered {
        true => parsed(arguments),
        false => Ok(A::default()),
    }
}

impl Testbench {
    /// What there is to choose: lines for `list`.
    pub fn choices(&'static self) -> Vec<String> {
        (self.choices)(&Chosen::of(self))
    }

    /// Its options that take a name of a list, and these names: whoever types one where a testbench is wanted is told of it.
    pub fn named_choices(&'static self) -> Vec<(&'static str, Vec<&'static str>)> {
        let nothing = Chosen::of(self);
        let names = |parameter: &&'static Parameter| match parameter.kind {
            Kind::Name(_, known) => {
                Some((parameter.option.trim_start_matches('-'), known(&nothing)))
            }
            _ => None,
        };
        let own = self.names.iter();
        let own = own.filter(|one| self.parameter(one.name).is_some());
        own.filter_map(names).collect()
    }

    /// Adds the options of `run`.
    pub fn run_arguments(&'static self, command: Command) -> Command {
        let nothing = Chosen::of(self);
        let is_output = |parameter: &&&Parameter| matches!(parameter.kind, Kind::Output(_));
        let all = self.parameters.iter();
        let all = all.filter(|parameter| matches!(parameter.scope, Scope::Machine | Scope::Run));
        let first = all.clone().filter(|parameter| !is_output(parameter));
        let mut command = add_options(command, first, &nothing);
        if self.parameter(SEED.name).is_some() {
            command = SeedsArgument::augment_args(command);
        }
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
                Offer::Log => LogArgument::augment_args(command),
                _ => command,
            });
        let command = add_options(command, all.filter(is_output), &nothing);
        let command = JunitArgument::augment_args(command);
        let command = DateArgument::augment_args(FormatArgument::augment_args(command));
        let said = self.offers.iter();
        said.fold(command, |command, offer| match offer {
            Offer::Said(option, help) => reworded(command, option, *help),
            _ => command,
        })
    }

    /// Runs it.
    ///
    /// # Errors
    /// What is refused, before any work starts; and a file that could not be written after all.
    pub fn run(&'static self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let Asked {
            chosen,
            options,
            is_sized,
        } = self.asked_by(arguments)?;
        let sizes = (self.looked_at)(&chosen);
        let written = chosen
            .outputs()
            .into_iter()
            .map(|(path, _)| path.to_owned());
        let texts = [&options.deliveries, &options.log, &options.picture];
        let texts = texts.into_iter().flatten();
        let junit = options.junit.as_ref().map(|junit| junit.path().to_owned());
        let written = texts.cloned().chain(written).chain(junit);
        let beside = written.min_by_key(|path| Stream::of(path).is_none());
        begin_threads()?;
        let report = run_foretold(chosen, &options, beside.as_deref())?;
        if is_sized {
            note(&format!(
                "a run to look at has {sizes}, as no size was given; give one for another"
            ));
        }
        Ok(Ran {
            report,
            format: options.format,
            deliveries: beside,
        })
    }

    /// What a run is asked for, as options of [`Testbench::run_arguments`] say it.
    ///
    /// # Errors
    /// What is refused of them.
    pub fn asked_by(&'static self, arguments: &ArgMatches) -> Result<Asked, Error> {
        let (chosen, options) = (self.chosen(arguments)?, self.options_of_run(arguments)?);
        let sized = self.at_a_glance(&chosen, &options)?;
        Ok(Asked {
            is_sized: sized.is_some(),
            chosen: sized.unwrap_or(chosen),
            options,
        })
    }

    /// What is chosen, of a size at which somebody can look at it, if somebody will and nothing that is given goes by a size: no number,
    /// no file, no node and no bit time. None where that is not so, and beside choices for which there is no such size.
    fn at_a_glance(
        &'static self,
        chosen: &Chosen,
        options: &RunOptions,
    ) -> Result<Option<Chosen>, Error> {
        let sizes = (self.looked_at)(chosen);
        let names = [&options.trace_nodes, &options.trace_message];
        let times = [options.trace_from, options.trace_to];
        let mut sized = self.parameters.iter().filter(|one| one.is_size());
        let is_sized = sized.any(|parameter| chosen.has(parameter))
            || names.into_iter().any(Option::is_some)
            || times.iter().any(Option::is_some);
        if sizes.is_empty() || !options.is_looked_at() || is_sized {
            return Ok(None);
        }
        let sizes = self.arguments(sizes.split_whitespace())?;
        let small = read_options(chosen.clone(), &sizes);
        let is_one = small.check().and_then(|()| (self.job)(&small)).is_ok();
        Ok(Some(small).filter(|_| is_one))
    }

    /// The options of a run beside its parameters.
    fn options_of_run(&self, arguments: &ArgMatches) -> Result<RunOptions, Error> {
        let follow: TraceMessageArgument = offered(arguments, self.offers(Offer::TraceMessage))?;
        let log: LogArgument = offered(arguments, self.offers(Offer::Log))?;
        let arrived: DeliveriesArgument = offered(arguments, self.offers(Offer::Deliveries))?;
        let threads: ThreadsArgument = offered(arguments, !self.offers(Offer::OneThread))?;
        let seeds: SeedsArgument = offered(arguments, self.parameter(SEED.name).is_some())?;
        let options = RunOptions {
            seeds: seeds.seeds,
            threads: threads.threads,
            checkpoints: offered(arguments, self.offers(Offer::Checkpoints))?,
            format: parsed::<FormatArgument>(arguments)?.format,
            date: parsed(arguments)?,
            trace_message: follow.trace_message,
            deliveries: arrived.deliveries,
            log: log.log,
            junit: parsed::<JunitArgument>(arguments)?
                .junit
                .map(junit::SuiteFile::new),
            ..RunOptions::default()
        };
        Ok(options.with_wave(parsed::<WaveArguments>(arguments)?))
    }

    /// Why a run of it cannot be planned, where it cannot.
    pub fn why_not_planned(&'static self) -> &'static str {
        let why = |offer: &Offer| match offer {
            Offer::NoPlan(why) => Some(*why),
            _ => None,
        };
        let mut all = self.offers.iter();
        all.find_map(why).unwrap_or(NOT_PLANNED)
    }

    /// The refusal of a plan.
    pub fn not_planned(&'static self) -> Error {
        let what = format!("no run of testbench {} can be planned", self.name);
        Refusal::of(what).because(self.why_not_planned()).into()
    }

    /// Adds the options of `plan`. Where it cannot be planned, all words are taken, to be refused with the reason.
    pub fn plan_arguments(&'static self, command: Command) -> Command {
        match self.offers(Offer::Plan) {
            true => plan::add_computers(add_options(command, self.of_machine(), &Chosen::of(self))),
            false => refusing_all(command),
        }
    }

    /// Plans a run of it; returns what is to be printed.
    ///
    /// # Errors
    /// What is refused, before any work starts; that it cannot be planned.
    pub fn plan(&'static self, arguments: &ArgMatches) -> Result<String, Error> {
        if !self.offers(Offer::Plan) {
            return Err(self.not_planned());
        }
        let chosen = self.chosen(arguments)?;
        let computers = parsed::<ComputersArguments>(arguments)?;
        let date = computers.date.date()?;
        let plan = plan::plan(&chosen, &computers)?;
        let found = (self.job)(&chosen)?.found();
        let chosen = chosen.with_found(found);
        let meta = chosen.meta_of("plan", &computers.words(), date);
        plan.formatted(computers.format.format, &meta)
    }

    /// Adds the options of `faults`.
    pub fn faults_arguments(&'static self, command: Command) -> Command {
        let command = add_options(command, self.of_machine(), &Chosen::of(self));
        FaultsArguments::augment_args(command)
    }

    /// Puts faults into its machine; returns what is to be printed, and whether it is for people, and none is silent.
    ///
    /// # Errors
    /// What is refused, before any work starts; a file that could not be written after all.
    pub fn faults(&'static self, arguments: &ArgMatches) -> Result<Printed, Error> {
        let chosen = self.chosen(arguments)?;
        let options: FaultsArguments = parsed(arguments)?;
        let date = options.date.date()?;
        let job = (self.job)(&chosen)?;
        let (identity, topology) = (self.identity(&*job), job.machine().topology());
        let chosen = chosen.with_found(job.found());
        let meta = &chosen.meta_of("faults", &options.words(), date);
        let ask = campaign::Ask {
            chosen: &chosen,
            identity,
            topology,
            options: &options,
            meta,
        };
        let campaign = campaign::campaign(for_faults(job)?, ask)?;
        let files = [&options.csv, &options.plot].into_iter().flatten();
        Ok(Printed {
            text: campaign.formatted(options.format.format, meta)?,
            passed: campaign.passed(),
            beside: files.min_by_key(|path| Stream::of(path).is_none()).cloned(),
        })
    }

    /// Adds the options of `verilog`.
    pub fn verilog_arguments(&'static self, command: Command) -> Command {
        let command = add_options(command, self.of_machine(), &Chosen::of(self));
        let command = VerilogOptions::augment_args(command);
        let help = [("rounds", self.project.rounds)];
        let help = help.iter().chain(self.project.help);
        let said = help.filter(|(_, help)| !help.is_empty());
        said.fold(command, |command, (option, help)| {
            reworded(command, option, *help)
        })
    }

    /// Writes it down as a Verilog project; returns what is to be printed.
    ///
    /// # Errors
    /// What is refused of the options, before anything is written; a folder that cannot be written.
    pub fn verilog(&'static self, arguments: &ArgMatches) -> Result<String, Error> {
        let chosen = self.chosen(arguments)?;
        let options: VerilogOptions = parsed(arguments)?;
        options.date.date()?;
        let project = export(&chosen, &options)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&From {
                result: &project,
                meta: &project.meta,
            }),
        }
    }
}

/// What words behind `cubewave run` and the testbench's name choose.
#[cfg(test)]
pub(crate) fn asked(bench: &'static Testbench, words: &str) -> Chosen {
    bench.asked(words).unwrap()
}

/// What is said of words that are refused.
#[cfg(test)]
pub(crate) fn refused(bench: &'static Testbench, words: &str) -> Error {
    bench.asked(words).unwrap_err()
}

/// What such words choose, with its traffic.
#[cfg(test)]
pub(crate) fn stimulus(bench: &'static Testbench, words: &str) -> Box<dyn Stimulus> {
    with_traffic((bench.job)(&asked(bench, words)).unwrap()).unwrap()
}
