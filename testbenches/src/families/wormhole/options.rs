//! What a wormhole testbench is asked to do, and what of that is refused before any work starts.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rtl_model::embedding::copies::Copies;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{Network, Parameters};
use rtl_model::traffic::check_payload_bits;

use crate::error::Error;
use crate::options::{
    self, DeliveriesArgument, FormatArgument, WaveArguments, share, whole_number,
};

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
}

impl NetworkName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            NetworkName::Ccc => "ccc",
            NetworkName::Copies => "copies",
            NetworkName::Ecube => "ecube",
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

    /// Traffic pattern: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity, packed or uniform
    /// [default: randperm]
    #[arg(long, value_name = "NAME", help_heading = "Traffic")]
    pub traffic: Option<String>,

    /// Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message. Nodes go
    /// by number, in cube-connected cycles also by name, as in 2_6 (level and column). Payloads are hexadecimal, their least
    /// significant bit is sent first; those left out are drawn from the seed. `-` reads standard input
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
    format: FormatArgument,
}

impl RunArguments {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: self.setup,
            deliveries: self.deliveries.deliveries,
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

    /// Virtual channels of a straight link, 1 to 3; a cross link has two at the most, a link of ecube one. With fewer than
    /// 3 worms may wait for each other in a circle [default: 3]
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
}

/// Continuous injection: `run` only.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Continuous injection")]
pub struct InjectionSetup {
    /// Message bits that each node offers in a bit time, on the average, over 0 to 1: messages are created at random, for
    /// as long as the run lasts. Without it each sender sends one message, all at bit time 0
    #[arg(long, value_name = "LOAD", allow_negative_numbers = true, value_parser = share)]
    pub offered_load: Option<f64>,

    /// Bit times before the measurement [default: the time of 5 messages of a node at this load, 1000 at least]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub warm_up: Option<u64>,

    /// Bit times of the measurement: messages created in it are the ones that count [default: twice the warm-up, 1000 at least]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub measurement: Option<u64>,

    /// Bit times after it at the most, in which those that count may arrive [default: ten times the measurement]
    #[arg(long, value_name = "T", requires = "offered_load", allow_negative_numbers = true, value_parser = whole_number::<u64>)]
    pub drain: Option<u64>,
}

/// The longest phase, in bit times.
const LONGEST: u64 = 1_000_000_000_000;

/// Bit times of continuous injection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    /// Before the measurement.
    pub warm_up: u64,
    /// Of the measurement.
    pub measurement: u64,
    /// After it, at the most.
    pub drain: u64,
}

impl InjectionSetup {
    /// The phases of a run at this load.
    ///
    /// # Errors
    /// A phase that is too short or too long.
    pub fn phases(&self, load: f64, message_bits: usize) -> Result<Phases, Error> {
        let messages = (5.0 * message_bits as f64 / load).ceil() as u64;
        let warm_up = self.warm_up.unwrap_or(messages.clamp(1000, LONGEST / 20));
        let measurement = self
            .measurement
            .unwrap_or(2 * warm_up.clamp(500, LONGEST / 20));
        let phases = Phases {
            warm_up,
            measurement,
            drain: self.drain.unwrap_or(10 * measurement.min(LONGEST / 10)),
        };
        let ranges = [
            ("--warm-up", phases.warm_up, 0),
            ("--measurement", phases.measurement, 1),
            ("--drain", phases.drain, 0),
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
        Ok(phases)
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

impl WormholeSetup {
    /// Bits of a message.
    ///
    /// # Errors
    /// Out of range; fewer than there are pieces.
    pub fn checked_message_bits(&self, machine: &WormholeMachine) -> Result<usize, Error> {
        let bits = self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS);
        let pieces = machine.network().switches();
        if (1..pieces).contains(&bits) {
            return Err(Error::EmptyPieces { bits, pieces });
        }
        check_payload_bits(bits).map_err(|error| match error {
            ModelError::PayloadBits { bits, limit } => Error::MessageBits { bits, limit },
            other => other.into(),
        })
    }

    /// The machine of `dims` levels.
    ///
    /// # Errors
    /// Whatever is out of range, or does not apply to the network.
    pub fn machine(&self, dims: Option<usize>) -> Result<WormholeMachine, Error> {
        let levels = dims.unwrap_or(DEFAULT_LEVELS);
        let name = self.network.unwrap_or_default();
        if let (Some(_), NetworkName::Ccc | NetworkName::Ecube) = (self.copies, name) {
            return Err(Error::NotOfNetwork {
                network: name.name(),
                option: "--copies",
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
            NetworkName::Ecube => Network::ECube(Copies::new(levels)?.dimensions()),
        };
        let virtual_channels = match (name, self.virtual_channels) {
            (NetworkName::Ecube, None | Some(1)) => 1,
            (NetworkName::Ecube, Some(_)) => {
                return Err(Error::NotOfNetwork {
                    network: name.name(),
                    option: "--virtual-channels other than 1",
                    why: "worms correct address bits in ascending order, so a channel waits only for one of a \
                          higher dimension, and no circle can close: it needs no more",
                });
            }
            (_, given) => given.unwrap_or(DEFAULT_VIRTUAL_CHANNELS),
        };
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: self.buffer_bits.unwrap_or(DEFAULT_BUFFER_BITS),
            weak_switch: self.switch.unwrap_or_default() == SwitchName::Weak,
        };
        Ok(WormholeMachine::new(network, parameters)?)
    }
}
