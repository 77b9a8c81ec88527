//! What a wormhole testbench is asked to do, and what of that is refused before any work starts.

mod injection;

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rtl_model::embedding::copies::Copies;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{MAX_VIRTUAL_CHANNELS, Network, Parameters};
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::pieces::Pieces;
use rtl_model::traffic::check_payload_bits;

use crate::error::Error;
use crate::options::{
    self, DeliveriesArgument, FormatArgument, WaveArguments, share, whole_number,
};

pub use injection::InjectionName;
use injection::amount;

/// The testbench's name.
pub const NAME: &str = "wormhole";

/// Levels where none are asked for.
pub const DEFAULT_LEVELS: usize = 4;
/// Bits of a message.
pub const DEFAULT_MESSAGE_BITS: usize = 64;
/// Virtual channels of a straight link.
pub const DEFAULT_VIRTUAL_CHANNELS: usize = 3;
/// Bits of a channel's buffer.
pub const DEFAULT_BUFFER_BITS: usize = 2;
/// The share of messages that is for the hot spots.
pub const DEFAULT_HOT_SHARE: f64 = 0.2;

/// Which network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum NetworkName {
    /// Cube-connected cycles: n levels of 2^n columns
    #[default]
    Ccc,
    /// The n copies of them in the hypercube of as many nodes; messages go in pieces
    Copies,
    /// The same hypercube in order of dimensions
    Ecube,
    /// The same hypercube, twice in order of dimensions: to a node drawn at random, and from there on
    Valiant,
    /// The cross product of butterflies in a hypercube, n = 4 or 8 levels in its rows and columns together: along the row's
    /// butterfly, then along the column's
    Butterflies,
}

impl NetworkName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            NetworkName::Ccc => "ccc",
            NetworkName::Copies => "copies",
            NetworkName::Ecube => "ecube",
            NetworkName::Valiant => "valiant",
            NetworkName::Butterflies => "butterflies",
        }
    }
}

impl NetworkName {
    /// The most virtual channels that its links have use for, where it has so many levels.
    pub fn most_virtual_channels(self, levels: usize) -> usize {
        match self {
            NetworkName::Butterflies if levels <= 4 => 2,
            NetworkName::Ccc | NetworkName::Copies | NetworkName::Butterflies => {
                MAX_VIRTUAL_CHANNELS
            }
            NetworkName::Ecube => 1,
            NetworkName::Valiant => 2,
        }
    }

    /// Why it has no use for more virtual channels, where three would be more than it has use for.
    fn why_no_more_channels(self) -> Option<&'static str> {
        match self {
            NetworkName::Ccc | NetworkName::Copies => None,
            NetworkName::Butterflies => Some(
                "a worm takes lanes of the class whose number is how often it has come to level 0 in its row or column, which \
                 is once at the most on 2 levels and twice on 4, but for the end of its way",
            ),
            NetworkName::Ecube => Some(
                "worms correct address bits in ascending order, so a channel waits only for one of a higher dimension, and \
                 no circle can close",
            ),
            NetworkName::Valiant => Some(
                "each of the two phases has a channel of its own, in which worms correct address bits in ascending order, \
                 and no circle can close",
            ),
        }
    }
}

/// How many connections a node makes in a bit time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum SwitchName {
    /// Any number
    #[default]
    Strong,
    /// One
    Weak,
}

impl SwitchName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SwitchName::Strong => "strong",
            SwitchName::Weak => "weak",
        }
    }
}

/// How the n copies cut messages into pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum PiecesName {
    /// The longer the way, the shorter the piece: all arrive together if they meet no others
    #[default]
    ByWay,
    /// Of the same length
    Even,
}

impl PiecesName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PiecesName::ByWay => "by-way",
            PiecesName::Even => "even",
        }
    }

    /// What it is called on the command line.
    pub fn of(pieces: Pieces) -> Self {
        match pieces {
            Pieces::ByWay => PiecesName::ByWay,
            Pieces::Even => PiecesName::Even,
        }
    }
}

impl From<PiecesName> for Pieces {
    fn from(name: PiecesName) -> Self {
        match name {
            PiecesName::ByWay => Pieces::ByWay,
            PiecesName::Even => Pieces::Even,
        }
    }
}

/// The machine and its traffic: what all commands have in common.
#[derive(Args, Clone, Debug, Default)]
pub struct Setup {
    /// Levels n of the cube-connected cycles, 2 to 16 [default: 4]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Machine",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub dims: Option<usize>,

    /// The routers.
    #[command(flatten)]
    pub wormhole: WormholeSetup,

    /// Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity, packed, uniform or hotspot
    /// [default: randperm]
    #[arg(long, value_name = "NAME", help_heading = "Traffic")]
    pub traffic: Option<String>,

    /// Nodes that get more than others, of --traffic hotspot: numbers with commas between, in cube-connected cycles also
    /// names [default: 0]
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Traffic",
        allow_hyphen_values = true
    )]
    pub hot_spots: Option<String>,

    /// Share of all messages that is for them, 0 to 1; the rest is for any node [default: 0.2]
    #[arg(
        long,
        value_name = "FRACTION",
        help_heading = "Traffic",
        allow_negative_numbers = true,
        value_parser = share
    )]
    pub hot_share: Option<f64>,

    /// Traffic from a CSV file: a header such as `source,destination,time,payload`, then a row a message, any number of them
    /// from a node and to one. `time` is the bit time in which the host has it ready, 0 if there is no such column; rows go in
    /// the order of their times. A column `bits` gives each message a length of its own. Nodes go by number, in cube-connected cycles also by name, as in 2_6 (level and column).
    /// Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from the seed. What
    /// --deliveries has written is such a file too, of the same messages. `-` reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Traffic", conflicts_with_all = ["traffic", "load"])]
    pub traffic_file: Option<PathBuf>,

    /// Share of the nodes that send a message each (all at bit time 0), 0 to 1 [default: 1]
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
}

/// What is run: a machine, its traffic, and how that is injected.
#[derive(Args, Clone, Debug, Default)]
pub struct RunSetup {
    /// The machine and its traffic.
    #[command(flatten)]
    pub setup: Setup,
    /// Continuous injection.
    #[command(flatten)]
    pub injection: InjectionSetup,
}

impl Deref for RunSetup {
    type Target = Setup;

    fn deref(&self) -> &Setup {
        &self.setup
    }
}

impl DerefMut for RunSetup {
    fn deref_mut(&mut self) -> &mut Setup {
        &mut self.setup
    }
}

/// Options of `run`.
pub type RunOptions = options::RunOptions<RunSetup>;

/// Options of `verilog`.
pub type VerilogOptions = options::VerilogOptions<Setup>;

/// Options of `run`, as the command line has them.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    setup: RunSetup,
    #[command(flatten)]
    wave: WaveArguments,
    #[command(flatten)]
    deliveries: DeliveriesArgument,
    #[command(flatten)]
    links: LinksArgument,
    #[command(flatten)]
    format: FormatArgument,
}

/// Where it is written what each wire carried.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
struct LinksArgument {
    /// Write what every wire between two nodes, and to and from every host, has carried here, as CSV: from, to, which wire, its
    /// bits, its load, the share of the bit times in which a worm held it, and what stalled there, by cause. A map of the loads
    /// is drawn beside it, under the same name with the ending .svg
    #[arg(long, value_name = "FILE.csv")]
    links: Option<PathBuf>,
}

impl RunArguments {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: self.setup,
            deliveries: self.deliveries.deliveries,
            links: self.links.links,
            format: self.format.format,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}

/// The routers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub struct WormholeSetup {
    /// Network of --dims n [default: ccc]
    #[arg(long, value_name = "NAME")]
    pub network: Option<NetworkName>,

    /// Bits of every message, headers not counted, 1 to 65536 [default: 64]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// Virtual channels of a straight link, 1 to 3; a cross link has two at the most. A link of ecube has one, of valiant
    /// two at the most. With fewer than that worms may wait for each other in a circle [default: as many as exclude it]
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = whole_number::<usize>)]
    pub virtual_channels: Option<usize>,

    /// Bits that each channel's buffer holds, 1 to 64 [default: 2]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = whole_number::<usize>)]
    pub buffer_bits: Option<usize>,

    /// New connections in a node in a bit time [default: strong]
    #[arg(long, value_name = "NAME")]
    pub switch: Option<SwitchName>,

    /// Copies in use, 1 to n, of --network copies: a message goes in as many pieces [default: n]
    #[arg(long, value_name = "C", allow_negative_numbers = true, value_parser = whole_number::<usize>)]
    pub copies: Option<usize>,

    /// How messages are cut, of --network copies [default: by-way]
    #[arg(long, value_name = "NAME")]
    pub pieces: Option<PiecesName>,
}

/// Continuous injection: `run` only.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Continuous injection")]
pub struct InjectionSetup {
    /// Message bits that each node offers in a bit time, on the average, over 0 to 1: messages are created at random, for
    /// as long as the run lasts. Without it each sender sends one message, all at bit time 0
    #[arg(long, value_name = "LOAD", allow_negative_numbers = true, value_parser = share)]
    pub offered_load: Option<f64>,

    /// How messages are created [default: bernoulli]
    #[arg(long, value_name = "NAME", requires = "offered_load")]
    pub injection: Option<InjectionName>,

    /// Messages of a burst, on the average, of --injection bursty: 1 or more [default: 8]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = amount)]
    pub burst_messages: Option<f64>,

    /// Message bits that a node offers in a bit time of a burst, over 0 to 1, of --injection bursty; --offered-load is the
    /// average with the time between bursts, and less [default: 1]
    #[arg(long, value_name = "LOAD", allow_negative_numbers = true, value_parser = share)]
    pub burst_load: Option<f64>,

    /// Bits of a reply, of --injection request-reply, headers not counted, 1 to 65536 [default: those of a message]
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = whole_number::<usize>)]
    pub reply_bits: Option<usize>,

    /// Bit times before the measurement, taken as they are [default: the time of 5 messages of a node at this load, 1000 at
    /// least; twice as many, and so on, until MSER-5 finds the warm-up over and the backlog says whether it grows]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub warm_up: Option<u64>,

    /// Bit times of the measurement: messages created in it are the ones that count [default: twice the warm-up, 1000 at
    /// least; with --warm-up twice as many, and so on, until the backlog says whether it grows]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub measurement: Option<u64>,

    /// Bit times after it at the most, in which those that count may arrive [default: ten times the shortest measurement]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub drain: Option<u64>,

    /// No option: a run that is only to tell whether the network carries the load, and ends when that is known.
    #[arg(skip)]
    pub is_probe: bool,
}

/// The longest phase, in bit times.
const LONGEST: u64 = 1_000_000_000_000;
/// How often a run may become twice as long.
pub const MOST_DOUBLINGS: u32 = 6;
/// A run does not become longer if it then would create more worms, which take memory.
const MOST_WORMS: f64 = 1_048_576.0;

/// Bit times of continuous injection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    /// Before the measurement.
    pub warm_up: u64,
    /// Of the measurement.
    pub measurement: u64,
    /// After it, at the most.
    pub drain: u64,
    /// What of that the run may make longer.
    pub left_open: LeftOpen,
    /// How often the end of the measurement may be put off to twice the bit time.
    pub doublings: u32,
    /// If the network is saturated, nobody waits for what counts.
    pub is_probe: bool,
}

/// Which phases were not asked for, so that the run may make them longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOpen {
    /// Warm-up and measurement: of a longer run the warm-up is a third, or a half.
    Both,
    /// The warm-up.
    WarmUp,
    /// The measurement.
    Measurement,
    /// Nothing.
    Nothing,
}

impl Phases {
    /// When the measurement ends, at the earliest.
    pub fn first_end(&self) -> u64 {
        self.warm_up + self.measurement
    }

    /// When the measurement ends, at the latest.
    pub fn latest_end(&self) -> u64 {
        self.first_end() << self.doublings
    }
}

impl InjectionSetup {
    /// The phases of a run on this machine.
    ///
    /// # Errors
    /// A phase that is too short or too long.
    pub fn phases(
        &self,
        machine: &WormholeMachine,
        load: f64,
        message_bits: usize,
    ) -> Result<Phases, Error> {
        let messages = (5.0 * message_bits as f64 / load).ceil() as u64;
        let warm_up = self.warm_up.unwrap_or(messages.clamp(1000, LONGEST / 20));
        let measurement = self
            .measurement
            .unwrap_or(2 * warm_up.clamp(500, LONGEST / 20));
        let drain = self.drain.unwrap_or(10 * measurement.min(LONGEST / 10));
        let ranges = [
            ("--warm-up", warm_up, 0),
            ("--measurement", measurement, 1),
            ("--drain", drain, 0),
        ];
        for (option, bit_times, least) in ranges {
            if !(least..=LONGEST).contains(&bit_times) {
                return Err(Error::Phase {
                    option,
                    bit_times,
                    least,
                    most: LONGEST,
                });
            }
        }
        let network = machine.network();
        let worms = (network.nodes() * network.switches()) as f64 * load / message_bits as f64;
        let may_last = |doublings: u32| {
            let end = (warm_up + measurement) << doublings;
            end <= LONGEST && end as f64 * worms <= MOST_WORMS
        };
        let left_open = match (self.warm_up, self.measurement) {
            (None, None) => LeftOpen::Both,
            (None, Some(_)) => LeftOpen::WarmUp,
            (Some(_), None) => LeftOpen::Measurement,
            (Some(_), Some(_)) => LeftOpen::Nothing,
        };
        let doublings = match left_open {
            LeftOpen::Nothing => 0,
            _ => (1..=MOST_DOUBLINGS)
                .take_while(|more| may_last(*more))
                .count() as u32,
        };
        Ok(Phases {
            warm_up,
            measurement,
            drain,
            left_open,
            doublings,
            is_probe: self.is_probe,
        })
    }
}

impl Setup {
    /// The command that asks for the same machine as Verilog again, whose messages have so many bits; defaults spelled out.
    pub fn machine_command(&self, machine: &WormholeMachine, message_bits: usize) -> String {
        let wormhole = &self.wormhole;
        let parameters = machine.parameters();
        let mut command = format!(
            "cubewave verilog {} --network {} --dims {} --message-bits {message_bits}",
            NAME,
            wormhole.network.unwrap_or_default().name(),
            self.dims.unwrap_or(DEFAULT_LEVELS),
        );
        if let Network::Copies { used, .. } = machine.network() {
            let pieces = wormhole.pieces.unwrap_or_default().name();
            command += &format!(" --copies {used} --pieces {pieces}");
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

/// Half of the levels are those of a row's butterfly, the other half those of a column's.
///
/// # Errors
/// Other than 4 and 8 levels.
fn butterflies(levels: usize) -> Result<Butterflies, Error> {
    match levels {
        4 | 8 => Ok(Butterflies::new(levels / 2)?),
        _ => Err(Error::Refused {
            by: "network butterflies",
            why: format!(
                "there are none of {levels} levels: choose --dims 4 (butterflies of 2 levels in rows and in columns, 64 nodes) or \
                 8 (of 4 levels, 4096 nodes), since rows of m + log m dimensions take m copies, and m = 8 would take 4,194,304 \
                 nodes"
            ),
        }),
    }
}

impl WormholeSetup {
    /// Bits of a message.
    ///
    /// # Errors
    /// Out of range.
    pub fn checked_message_bits(&self) -> Result<usize, Error> {
        let bits = self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS);
        check_payload_bits(bits).map_err(|error| match error {
            ModelError::PayloadBits { bits, limit } => Error::MessageBits { bits, limit },
            other => other.into(),
        })
    }

    /// The machine of `dims` levels; where its network draws anything at random, from `seed`.
    ///
    /// # Errors
    /// Whatever is out of range, or does not apply to the network.
    pub fn machine(&self, dims: Option<usize>, seed: u64) -> Result<WormholeMachine, Error> {
        let levels = dims.unwrap_or(DEFAULT_LEVELS);
        let name = self.network.unwrap_or_default();
        let of_copies = [
            ("--copies", self.copies.is_some()),
            ("--pieces", self.pieces.is_some()),
        ];
        if let Some((option, _)) = of_copies.into_iter().find(|(_, given)| *given)
            && name != NetworkName::Copies
        {
            return Err(Error::NotOfNetwork {
                network: name.name(),
                option,
                why: "a message goes whole; only --network copies splits it",
            });
        }
        let network = match name {
            NetworkName::Ccc => Network::CubeConnectedCycles(CubeConnectedCycles::new(levels)?),
            NetworkName::Copies => {
                let copies = Copies::new(levels)?;
                let used = self.copies.unwrap_or(copies.copies());
                if !(1..=copies.copies()).contains(&used) {
                    return Err(Error::CopiesInUse {
                        used,
                        copies: copies.copies(),
                    });
                }
                Network::Copies { copies, used }
            }
            NetworkName::Butterflies => Network::Butterflies(butterflies(levels)?),
            NetworkName::Ecube => Network::ECube(Copies::new(levels)?.dimensions()),
            NetworkName::Valiant => Network::Valiant {
                dimensions: Copies::new(levels)?.dimensions(),
                seed,
            },
        };
        let most = name.most_virtual_channels(levels);
        let virtual_channels = self.virtual_channels.unwrap_or(most);
        if let Some(why) = name.why_no_more_channels()
            && !(1..=most).contains(&virtual_channels)
        {
            return Err(Error::ChannelsOfNetwork {
                network: name.name(),
                virtual_channels,
                most,
                why,
            });
        }
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: self.buffer_bits.unwrap_or(DEFAULT_BUFFER_BITS),
            weak_switch: self.switch.unwrap_or_default() == SwitchName::Weak,
        };
        let machine = WormholeMachine::new(network, parameters)?;
        Ok(machine.with_pieces(self.pieces.unwrap_or_default().into()))
    }
}
