//! What a run is asked to do, and what of that is refused before any work starts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use rtl_model::error::Error as ModelError;
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{self, NodeSet, Traffic, file};
use rtl_model::wormhole::machine::WormholeMachine;
use rtl_model::wormhole::network::Network;

use crate::catalogue::{Bench, Schedule};
use crate::error::Error;
use crate::output::{DASH, Staging};
use crate::wormhole;
use crate::wormhole::options::{InjectionSetup, WormholeSetup};

/// The machine and its traffic: what all commands that take a testbench have in common.
#[derive(Args, Clone, Debug, Default)]
pub struct Setup {
    /// Dimensions of the hypercube, 1 to 28; of wormhole, levels n of the cube-connected cycles, 2 to 16
    /// [default: 6; of wormhole: 4]
    #[arg(
        long,
        value_name = "K",
        help_heading = "Machine",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub dims: Option<usize>,

    /// Payload bits of every message, 1 to 65536 [default: 8]
    #[arg(
        long,
        value_name = "D",
        help_heading = "Machine",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub payload_bits: Option<usize>,

    /// Schedule; of kuszmaul: plain, overlapped, folded, spread or radix4 [default: plain]; of bitonic
    /// and radix: sort-and-unpack or sort [default: sort-and-unpack]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub schedule: Option<String>,

    /// Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity or
    /// packed; of wormhole also uniform [default: randperm; of packing: packed]
    #[arg(long, value_name = "NAME", help_heading = "Traffic")]
    pub traffic: Option<String>,

    /// Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a
    /// row a message. Nodes go by number, in cube-connected cycles also by name, as in 2_6 (level and column).
    /// Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from the seed.
    /// Of the set that `enumeration` ranks, only `source` is read. `-` reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Traffic", conflicts_with_all = ["traffic", "load"])]
    pub traffic_file: Option<PathBuf>,

    /// Share of the nodes that send a message each (all at bit time 0), 0 to 1 [default: 0.75; of schedule sort and of
    /// wormhole: 1]
    #[arg(
        long,
        value_name = "FRACTION",
        help_heading = "Traffic",
        allow_negative_numbers = true,
        value_parser = share
    )]
    pub load: Option<f64>,

    /// Seed of all random choices
    #[arg(
        long,
        value_name = "N",
        help_heading = "Traffic",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = whole_number::<u64>
    )]
    pub seed: u64,

    /// Of wormhole routers.
    #[command(flatten)]
    pub wormhole: WormholeSetup,
}

/// Options of `run`.
#[derive(Args, Clone, Debug, Default)]
pub struct RunOptions {
    /// The machine and its traffic.
    #[command(flatten)]
    pub setup: Setup,

    /// Continuous injection.
    #[command(flatten)]
    pub injection: InjectionSetup,

    /// Write a waveform here (VCD, or FST by the ending .fst), and beside it a GTKWave view. A view that was edited is left as
    /// it is, and the new one is called .new.gtkw
    #[arg(long, value_name = "FILE.vcd", help_heading = "Output")]
    pub wave: Option<PathBuf>,

    /// Nodes in the waveform: numbers with commas between (of cube-connected cycles also names as in 2_6, level and
    /// column), or all [default: two or three that the testbench finds worth a look; of wormhole the way of one worm (with
    /// --offered-load one that is measured), or nodes that wait for each other]
    #[arg(long, value_name = "LIST", help_heading = "Output", requires = "wave")]
    pub trace_nodes: Option<String>,

    /// First bit time in the waveform [default: 0]
    #[arg(
        long,
        value_name = "T",
        help_heading = "Output",
        requires = "wave",
        allow_negative_numbers = true,
        value_parser = whole_number::<u64>
    )]
    pub trace_from: Option<u64>,

    /// Bit time before which the waveform ends [default: the end of the run]
    #[arg(
        long,
        value_name = "T",
        help_heading = "Output",
        requires = "wave",
        allow_negative_numbers = true,
        value_parser = whole_number::<u64>
    )]
    pub trace_to: Option<u64>,

    /// Write what arrived here, as CSV: node,source,payload,bit_time; of wormhole also when each message was created and
    /// sent, when its head and its tail arrived, and the nodes on its way. `-` is standard output; the report then goes to
    /// standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub deliveries: Option<PathBuf>,

    /// Threads, of a run without a waveform; all give the same [default: as many as there are processors]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Machine",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub threads: Option<usize>,

    /// Form of the report
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "text"
    )]
    pub format: Format,

    /// Without a progress bar of its own.
    #[arg(skip)]
    pub quiet: bool,
}

/// Options of `verilog`.
#[derive(Args, Clone, Debug, Default)]
pub struct VerilogOptions {
    /// The machine and its traffic.
    #[command(flatten)]
    pub setup: Setup,

    /// Rounds of the testbench, 1 to 64: the first sends the traffic that is asked for, the others what is drawn from the
    /// seed to reach the rest of the router, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator
    /// takes longer over them, and 2 of the largest]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Traffic",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub rounds: Option<usize>,

    /// The folder to write; made if it is not there
    #[arg(long, value_name = "DIR", help_heading = "Output", required = true)]
    pub out: PathBuf,

    /// Write into a folder that is not empty; its other files stay
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Form of what is printed
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "text"
    )]
    pub format: Format,
}

/// Form of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts.
    Json,
}

/// Reads a share, and says what is wanted where there is none.
pub(crate) fn share(text: &str) -> Result<f64, &'static str> {
    text.parse()
        .map_err(|_| "a number is wanted, from 0 to 1, as in 0.75")
}

/// Reads a number, and says what is wanted where there is none.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse()
        .map_err(|_| "a whole number is wanted, 0 or more")
}

/// More threads than any machine for this has.
const MOST_THREADS: usize = 256;

/// Processors that there are.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads that were asked for, or one a processor.
pub(crate) fn checked_threads(threads: Option<usize>) -> Result<usize, Error> {
    match threads {
        None => Ok(processors()),
        Some(threads @ 1..=MOST_THREADS) => Ok(threads),
        Some(threads) => Err(Error::List {
            option: "--threads",
            why: format!("{threads} is out of range: choose 1 to {MOST_THREADS}"),
        }),
    }
}

impl RunOptions {
    /// Threads that the run may take.
    ///
    /// # Errors
    /// Out of range.
    pub(crate) fn threads(&self) -> Result<usize, Error> {
        checked_threads(self.threads)
    }
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

    /// Refuses options that mean nothing to an enumeration.
    ///
    /// # Errors
    /// The first of them.
    pub fn check_for_enumeration(&self) -> Result<(), Error> {
        let given = [
            (
                "--payload-bits",
                self.payload_bits.is_some(),
                "nodes are counted and no message is sent",
            ),
            (
                "--traffic",
                self.traffic.is_some(),
                "it ranks a set of nodes: give --load, or the set in a --traffic-file",
            ),
        ];
        match given.into_iter().find(|(_, given, _)| *given) {
            Some((option, _, why)) => Err(Error::NotApplicable {
                bench: Bench::Enumeration.name(),
                option,
                why,
            }),
            None => Ok(()),
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
        let name = file_name(path);
        let input = open_file(path)?;
        Ok(file::read_traffic(
            &name,
            input,
            &dimensions,
            payload_bits,
            self.seed,
        )?)
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
                let name = file_name(path);
                Ok(file::read_set(&name, open_file(path)?, &dimensions)?)
            }
        }
    }

    fn share_of_senders(&self) -> f64 {
        self.load.unwrap_or(DEFAULT_LOAD)
    }
}

/// What a traffic file is called.
pub(crate) fn file_name(path: &Path) -> String {
    match path.as_os_str() == DASH {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// Opens a traffic file; `-` is standard input.
///
/// # Errors
/// [`Error::Unreadable`].
pub(crate) fn open_file(path: &Path) -> Result<Box<dyn Read>, Error> {
    if path.as_os_str() == DASH {
        return Ok(Box::new(io::stdin()));
    }
    let unreadable = |reason| Error::Unreadable {
        path: path.to_owned(),
        reason,
    };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(file))
}

/// The most rounds of a Verilog testbench.
const MOST_ROUNDS: usize = 64;
/// Rounds where none are asked for.
const DEFAULT_ROUNDS: usize = 12;
/// With more nodes there are fewer rounds, so that all of them together take a simulator no longer than one of the
/// largest cubes takes it alone, or twice as long.
const NODES_OF_DEFAULT_ROUNDS: usize = 128;

impl VerilogOptions {
    /// Rounds of the testbench of a machine with so many nodes, or switches, if a node has several.
    ///
    /// # Errors
    /// None, or too many.
    pub(crate) fn rounds(&self, nodes: usize) -> Result<usize, Error> {
        match self.rounds {
            None => {
                let affordable = DEFAULT_ROUNDS * NODES_OF_DEFAULT_ROUNDS / nodes.max(1);
                Ok(affordable.clamp(2, DEFAULT_ROUNDS))
            }
            Some(rounds @ 1..=MOST_ROUNDS) => Ok(rounds),
            Some(rounds) => Err(Error::List {
                option: "--rounds",
                why: format!("{rounds} is out of range: choose 1 to {MOST_ROUNDS}"),
            }),
        }
    }

    /// The command that asks for the same machine again, defaults spelled out.
    pub fn machine_command(&self, bench: Bench) -> String {
        let setup = &self.setup;
        let dims = setup.dims.unwrap_or(DEFAULT_DIMENSIONS);
        let mut command = format!("cubewave verilog {} --dims {dims}", bench.name());
        if bench != Bench::Enumeration {
            command += &format!(" --payload-bits {}", setup.payload_bits());
        }
        if let Some(schedule) = &setup.schedule {
            command += &format!(" --schedule {schedule}");
        }
        command
    }

    /// The same for a machine of wormhole routers, whose messages have so many bits.
    pub fn wormhole_command(&self, machine: &WormholeMachine, message_bits: usize) -> String {
        let wormhole = &self.setup.wormhole;
        let parameters = machine.parameters();
        let mut command = format!(
            "cubewave verilog {} --network {} --dims {} --message-bits {message_bits}",
            wormhole::options::NAME,
            wormhole.network.unwrap_or_default().name(),
            self.setup.dims.unwrap_or(wormhole::options::DEFAULT_LEVELS),
        );
        if let Network::Copies { used, .. } = machine.network() {
            command += &format!(" --copies {used}");
        }
        command += &format!(
            " --virtual-channels {} --buffer-bits {} --switch {}",
            parameters.virtual_channels,
            parameters.buffer_bits,
            wormhole.switch.unwrap_or_default().name(),
        );
        command
    }
}

impl RunOptions {
    /// The files of the run, the traffic file among them.
    ///
    /// # Errors
    /// None of its own.
    pub fn staging(&self) -> Result<Staging, Error> {
        let mut staging = Staging::default();
        if let Some(path) = &self.setup.traffic_file
            && path.as_os_str() != DASH
        {
            staging.keep(path, "the traffic")?;
        }
        Ok(staging)
    }
}
