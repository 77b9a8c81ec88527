//! What a wormhole testbench is asked to do, and what of that is refused before any work starts.

mod injection;
mod names;
mod phases;
mod routers;

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use clap::Args;

use crate::options::{
    self, DeliveriesArgument, FormatArgument, TraceMessageArgument, WaveArguments, share,
    whole_number,
};

pub use injection::{InjectionName, InjectionSetup};
pub use names::{NetworkName, PiecesName, SwitchName};
pub use phases::{LeftOpen, Phases};
pub use routers::WormholeSetup;

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

/// The machine and its traffic: what all commands have in common.
#[derive(Args, Clone, Debug, Default)]
pub struct Setup {
    /// Levels n of the cube-connected cycles, 2 to 16 [default: 4]
    #[arg(long, value_name = "N", help_heading = "Machine", value_parser = whole_number::<usize>)]
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
    #[arg(long, value_name = "FRACTION", help_heading = "Traffic", value_parser = share)]
    pub hot_share: Option<f64>,

    /// Traffic from a CSV file: a header such as `source,destination,time,payload`, then a row a message, any number of them
    /// from a node and to one. `time` is the bit time in which the host has it ready, 0 if there is no such column; rows go in
    /// the order of their times. A column `bits` gives each message a length of its own. Nodes go by number, in cube-connected cycles also by name, as in 2_6 (level and column).
    /// Payloads are hexadecimal, their least significant bit is sent first; those left out are drawn from the seed. What
    /// --deliveries has written is such a file too, of the same messages. `-` reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Traffic", conflicts_with_all = ["traffic", "load"])]
    pub traffic_file: Option<PathBuf>,

    /// Share of the nodes that send a message each (all at bit time 0), 0 to 1 [default: 1]
    #[arg(long, value_name = "FRACTION", help_heading = "Traffic", value_parser = share)]
    pub load: Option<f64>,

    /// Seed of all random choices
    #[arg(
        long,
        value_name = "N",
        help_heading = "Traffic",
        default_value_t = 1,
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
    follow: TraceMessageArgument,
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
            trace_message: self.follow.trace_message,
            format: self.format.format,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}
