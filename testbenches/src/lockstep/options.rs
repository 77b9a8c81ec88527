//! What a testbench in lockstep is asked to do, and what of that is refused before any work starts.

use std::cell::OnceCell;
use std::marker::PhantomData;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, Computed, NodeSet, Nodes, Traffic, file};

use crate::error::Error;
use crate::lockstep::family::{Bench, Schedule};
use crate::lockstep::plan::{self, ComputersArguments};
use crate::lockstep::sent::{Held, Sent};
use crate::options::{
    self, CheckpointArguments, DeliveriesArgument, FormatArgument, SeedArgument, ThreadsArgument,
    TraceMessageArgument, VerilogArguments, WaveArguments, check_reaches_all, file_name, open_file,
    read_traffic_file, reworded, share, whole_number,
};
use crate::ranks;
use crate::testbench::parsed;

/// The machine and its traffic. A testbench has options for some of it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Dimensions of the hypercube.
    pub dims: Option<usize>,
    /// Payload bits of every message.
    pub payload_bits: Option<usize>,
    /// The schedule, by its name.
    pub schedule: Option<String>,
    /// The traffic pattern, by its name.
    pub traffic: Option<String>,
    /// A file with the traffic.
    pub traffic_file: Option<PathBuf>,
    /// The share of nodes that send.
    pub load: Option<f64>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Something needs all messages as a list, such as deliveries or a waveform.
    pub needs_list: bool,
}

/// Options of `run`.
pub type RunOptions = options::RunOptions<Setup>;

/// Options of `verilog`.
pub type VerilogOptions = options::VerilogOptions<Setup>;

/// Options of a testbench's machine and traffic.
pub trait SetupArguments: Args {
    /// What they ask for.
    fn setup(self) -> Setup;
}

/// The cube.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub struct CubeArguments {
    /// Dimensions of the hypercube, 1 to 34 [default: 6]
    #[arg(long, value_name = "K", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,
}

/// Messages, and who sends them where.
#[derive(Args, Clone, Debug, Default)]
pub struct MessageArguments {
    /// Payload bits of every message, 1 to 65536 [default: 8]
    #[arg(long, value_name = "D", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub payload_bits: Option<usize>,

    /// Traffic pattern
    #[arg(long, value_name = "NAME", help_heading = "Traffic")]
    pub traffic: Option<String>,

    /// Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message.
    /// Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from the seed. `-` reads
    /// standard input
    #[arg(long, value_name = "FILE", help_heading = "Traffic", conflicts_with_all = ["traffic", "load"])]
    pub traffic_file: Option<PathBuf>,

    /// Share of the nodes that send
    #[arg(long, value_name = "FRACTION", help_heading = "Traffic", value_parser = share)]
    pub load: Option<f64>,
}

/// Options of a testbench of messages that has one schedule.
#[derive(Args, Clone, Debug, Default)]
pub struct OfMessages {
    /// The cube.
    #[command(flatten)]
    pub cube: CubeArguments,
    /// Messages.
    #[command(flatten)]
    pub messages: MessageArguments,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl SetupArguments for OfMessages {
    fn setup(self) -> Setup {
        let messages = self.messages;
        Setup {
            dims: self.cube.dims,
            payload_bits: messages.payload_bits,
            schedule: None,
            traffic: messages.traffic,
            traffic_file: messages.traffic_file,
            load: messages.load,
            seed: self.seed.seed,
            needs_list: false,
        }
    }
}

/// Options of a testbench of messages that has several schedules.
#[derive(Args, Clone, Debug, Default)]
pub struct OnSchedules {
    /// Schedule
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub schedule: Option<String>,
    /// The others.
    #[command(flatten)]
    pub of_messages: OfMessages,
}

impl SetupArguments for OnSchedules {
    fn setup(self) -> Setup {
        Setup {
            schedule: self.schedule,
            ..self.of_messages.setup()
        }
    }
}

/// Options of a testbench of a set of nodes.
#[derive(Args, Clone, Debug, Default)]
pub struct OfSets {
    /// The cube.
    #[command(flatten)]
    pub cube: CubeArguments,

    /// The set, from a CSV file: a header `source`, then a row a member. A traffic file will do: its columns `destination` and
    /// `payload` mean nothing here. `-` reads standard input
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Traffic",
        conflicts_with = "load"
    )]
    pub traffic_file: Option<PathBuf>,

    /// Share of the nodes that are in the set, 0 to 1 [default: 0.75]
    #[arg(long, value_name = "FRACTION", help_heading = "Traffic", value_parser = share)]
    pub load: Option<f64>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl SetupArguments for OfSets {
    fn setup(self) -> Setup {
        Setup {
            dims: self.cube.dims,
            traffic_file: self.traffic_file,
            load: self.load,
            seed: self.seed.seed,
            ..Setup::default()
        }
    }
}

/// Options of `run`, as the command line has them: `A` of the machine and its traffic, `D` of what arrives.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments<A: Args, D: Args> {
    #[command(flatten)]
    pub setup: A,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub checkpoints: CheckpointArguments,
    #[command(flatten)]
    pub wave: WaveArguments,
    #[command(flatten)]
    pub messages: D,
    #[command(flatten)]
    pub format: FormatArgument,
}

/// Where nothing arrives.
#[derive(Args, Clone, Debug, Default)]
pub struct NoMessages {}

/// What is asked of messages that arrive.
#[derive(Args, Clone, Debug, Default)]
pub struct OfArrivals {
    /// Where they are written.
    #[command(flatten)]
    pub deliveries: DeliveriesArgument,
    /// Which one is followed.
    #[command(flatten)]
    pub follow: TraceMessageArgument,
}

/// What is asked of messages, if there are such.
pub trait Arriving: Args {
    /// The options with it.
    fn with(self, options: RunOptions) -> RunOptions;
}

impl Arriving for NoMessages {
    fn with(self, options: RunOptions) -> RunOptions {
        options
    }
}

impl Arriving for OfArrivals {
    fn with(self, options: RunOptions) -> RunOptions {
        RunOptions {
            deliveries: self.deliveries.deliveries,
            trace_message: self.follow.trace_message,
            ..options
        }
    }
}

impl<A: SetupArguments, D: Arriving> RunArguments<A, D> {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: self.setup.setup(),
            threads: self.threads.threads,
            checkpoints: self.checkpoints,
            format: self.format.format,
            ..RunOptions::default()
        };
        let mut options = self.messages.with(options.with_wave(self.wave));
        let shown = [&options.wave, &options.picture, &options.deliveries];
        options.setup.needs_list = shown.into_iter().any(Option::is_some);
        options
    }
}

/// The options that a testbench has.
pub trait Takes: Sync {
    /// Adds those of `run`.
    fn run(&self, command: Command) -> Command;

    /// What they ask for.
    fn run_options(&self, arguments: &ArgMatches) -> Result<RunOptions, Error>;

    /// Adds those of `plan`.
    fn plan(&self, command: Command) -> Command;

    /// What they ask for: of the machine and its traffic, and of computers.
    fn plan_options(&self, arguments: &ArgMatches) -> Result<(Setup, ComputersArguments), Error>;

    /// Adds those of `verilog`.
    fn verilog(&self, command: Command) -> Command;

    /// What they ask for.
    fn verilog_options(&self, arguments: &ArgMatches) -> Result<VerilogOptions, Error>;
}

/// Options `A` of its machine and traffic, and `D` of what arrives.
pub struct Taking<A, D>(PhantomData<fn() -> (A, D)>);

impl<A, D> Taking<A, D> {
    /// These.
    pub const THESE: Self = Taking(PhantomData);
}

impl<A: SetupArguments, D: Arriving> Takes for Taking<A, D> {
    fn run(&self, command: Command) -> Command {
        RunArguments::<A, D>::augment_args(command)
    }

    fn run_options(&self, arguments: &ArgMatches) -> Result<RunOptions, Error> {
        Ok(parsed::<RunArguments<A, D>>(arguments)?.options())
    }

    fn plan(&self, command: Command) -> Command {
        plan::arguments::<A>(command)
    }

    fn plan_options(&self, arguments: &ArgMatches) -> Result<(Setup, ComputersArguments), Error> {
        let asked = plan::read::<A>(arguments)?;
        Ok((asked.setup.setup(), asked.computers))
    }

    fn verilog(&self, command: Command) -> Command {
        VerilogArguments::<A>::augment_args(command)
    }

    fn verilog_options(&self, arguments: &ArgMatches) -> Result<VerilogOptions, Error> {
        Ok(parsed::<VerilogArguments<A>>(arguments)?.options(A::setup))
    }
}

/// Says in the help what a testbench has of schedules, and what it takes where nothing is asked for.
pub(super) fn with_defaults(command: Command, bench: Bench) -> Command {
    let names: Vec<&str> = bench.schedules().iter().map(|one| one.name()).collect();
    let full_only = bench.schedules().iter().filter(|one| one.is_full_only());
    let loads: Vec<String> = std::iter::once(DEFAULT_LOAD.to_string())
        .chain(full_only.map(|one| format!("of schedule {}: 1", one.name())))
        .collect();
    let command = match names.first() {
        Some(default) => {
            let help = format!("Schedule: {} [default: {default}]", names.join(", "));
            reworded(command, "schedule", help)
        }
        None => command,
    };
    match bench.has_messages() {
        true => {
            let pattern = format!("{TRAFFIC} [default: {}]", bench.default_pattern().name());
            let load = format!("{LOAD} [default: {}]", loads.join("; "));
            reworded(reworded(command, "traffic", pattern), "load", load)
        }
        false => command,
    }
}

const TRAFFIC: &str = "Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, \
                       neighbor, identity or packed";
const LOAD: &str = "Share of the nodes that send a message each (all at bit time 0), 0 to 1";

/// The command that asks for the same machine as Verilog again, defaults spelled out.
pub(crate) fn machine_command(setup: &Setup, bench: Bench) -> String {
    let dims = setup.dims.unwrap_or(DEFAULT_DIMENSIONS);
    let mut command = format!("cubewave verilog {} --dims {dims}", bench.name());
    if bench.has_messages() {
        command += &format!(" --payload-bits {}", setup.payload_bits());
    }
    if let Some(schedule) = &setup.schedule {
        command += &format!(" --schedule {schedule}");
    }
    command
}

const DEFAULT_DIMENSIONS: usize = 6;
const DEFAULT_PAYLOAD_BITS: usize = 8;
const DEFAULT_LOAD: f64 = 0.75;

/// The share of nodes that send where none is asked for: as many as a schedule can carry of a load that shows what partial
/// routings are like.
pub(crate) fn default_load(schedule: Option<Schedule>) -> f64 {
    match schedule {
        Some(schedule) if schedule.is_full_only() => 1.0,
        _ => DEFAULT_LOAD,
    }
}

impl Setup {
    /// The cube.
    ///
    /// # Errors
    /// Out of range.
    pub fn dimensions(&self) -> Result<Dimensions, Error> {
        Ok(Dimensions::new(self.dims.unwrap_or(DEFAULT_DIMENSIONS))?)
    }

    /// Payload bits, not yet checked.
    pub fn payload_bits(&self) -> usize {
        self.payload_bits.unwrap_or(DEFAULT_PAYLOAD_BITS)
    }

    /// The schedule, if the testbench has any.
    ///
    /// # Errors
    /// A name that it has not.
    pub fn schedule(&self, bench: Bench) -> Result<Option<Schedule>, Error> {
        match &self.schedule {
            None => Ok(bench.schedules().first().copied()),
            Some(name) => bench.schedule(name).map(Some),
        }
    }

    /// The share of nodes that send; none with a file.
    pub fn load(&self) -> Option<f64> {
        match self.traffic_file {
            Some(_) => None,
            // A zero has no sign here.
            None => Some(self.load.unwrap_or(DEFAULT_LOAD) + 0.0),
        }
    }

    fn pattern(&self, default: Pattern) -> Result<Pattern, Error> {
        let Some(name) = &self.traffic else {
            return Ok(default);
        };
        Pattern::from_name(name).map_err(|error| match error {
            ModelError::UnknownTraffic { name } => Error::Unknown {
                what: "traffic pattern",
                name,
                known: Pattern::PERMUTATIONS
                    .iter()
                    .map(|(name, ..)| *name)
                    .collect(),
            },
            other => other.into(),
        })
    }

    /// What the traffic is called in the report.
    ///
    /// # Errors
    /// A pattern that does not exist.
    pub fn traffic_name(&self, default: Pattern) -> Result<String, Error> {
        match &self.traffic_file {
            Some(path) => Ok(file_name(path)),
            None => Ok(self.pattern(default)?.name().to_owned()),
        }
    }

    /// The traffic.
    ///
    /// # Errors
    /// A load out of range, a pattern that does not exist (here), a file that cannot be used.
    pub fn traffic(&self, dimensions: Dimensions, default: Pattern) -> Result<Traffic, Error> {
        let payload_bits = self.payload_bits();
        let Some(path) = &self.traffic_file else {
            let (load, pattern) = (self.share_of_senders(), self.pattern(default)?);
            return Ok(Traffic::drawn(
                dimensions,
                payload_bits,
                pattern,
                load,
                self.seed,
            )?);
        };
        read_traffic_file(path, |name, input| {
            file::read_traffic(name, input, &dimensions, payload_bits, self.seed)
        })
    }

    /// Refuses traffic that there is not: as far as that is known without drawing or reading any.
    ///
    /// # Errors
    /// A pattern that does not exist (here), a file that cannot be opened; of traffic that `is_listed`, more nodes than a list
    /// has room for.
    pub(crate) fn check_traffic(&self, default: Pattern, is_listed: bool) -> Result<(), Error> {
        let nodes = Nodes::from(self.dimensions()?);
        if let Some(path) = &self.traffic_file {
            open_file(path)?;
        } else {
            self.pattern(default)?.check(nodes)?;
        }
        if is_listed {
            nodes.check_listed()?;
        }
        Ok(())
    }

    /// How a router of any partial permutation holds its traffic.
    ///
    /// # Errors
    /// A pattern that does not exist.
    pub fn held(&self, dimensions: Dimensions) -> Result<Held, Error> {
        Ok(match &self.traffic_file {
            Some(_) if !self.needs_list => Held::InParts,
            None if Computed::serves(dimensions.into())
                && Computed::knows(self.pattern(Pattern::Randperm)?) =>
            {
                Held::Computed
            }
            _ => Held::Listed,
        })
    }

    /// The traffic, [held](Setup::held) as it can be.
    ///
    /// # Errors
    /// As [`Setup::traffic`].
    pub fn sent(&self, dimensions: Dimensions, default: Pattern) -> Result<Sent, Error> {
        let (held, payload_bits) = (self.held(dimensions)?, self.payload_bits());
        let rank = ranks::here();
        match (held, &self.traffic_file) {
            (Held::Computed, _) => {
                let (load, pattern) = (self.share_of_senders(), self.pattern(default)?);
                let computed = Computed::new(dimensions, payload_bits, pattern, load, self.seed)?;
                Ok(Sent::Computed(Box::new(computed), OnceCell::new()))
            }
            (Held::InParts, Some(path)) if rank.share().ranks() > 1 => {
                // Nodes have places in shares of one node and more only.
                rank.share().check(&dimensions)?;
                let of = (dimensions, rank.share());
                let mut part = read_traffic_file(path, |name, input| {
                    file::read_part(name, input, of, payload_bits, self.seed)
                })?;
                part.join(&rank);
                Ok(Sent::Part(Box::new(part)))
            }
            _ => self.traffic(dimensions, default).map(Sent::Listed),
        }
    }

    /// Refuses a traffic file that not all ranks can read.
    ///
    /// # Errors
    /// [`Error::ReachesOneRank`].
    pub(crate) fn check_file(&self) -> Result<(), Error> {
        (self.traffic_file.as_deref()).map_or(Ok(()), check_reaches_all)
    }

    /// The set of nodes that an enumeration ranks.
    ///
    /// # Errors
    /// A load out of range, a file that cannot be used.
    pub fn set(&self, dimensions: Dimensions) -> Result<NodeSet, Error> {
        match &self.traffic_file {
            None => Ok(traffic::sender_set(
                dimensions,
                self.share_of_senders(),
                self.seed,
            )?),
            Some(path) => {
                read_traffic_file(path, |name, input| file::read_set(name, input, &dimensions))
            }
        }
    }

    fn share_of_senders(&self) -> f64 {
        self.load.unwrap_or(DEFAULT_LOAD)
    }
}
