//! Options of `run` and `verilog`, as the command line has them.

use std::path::PathBuf;

use clap::Args;

use crate::families::embeddings::options::{RunOptions, Setup};
use crate::options::{
    FormatArgument, SeedArgument, ThreadsArgument, TraceMessageArgument, WaveArguments,
    whole_number,
};

/// The guest, its host, and how its packets go.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(super) struct GuestArguments {
    /// The guest, by its name in `cubewave embedding` [default: cycle]
    #[arg(long, value_name = "NAME")]
    pub guest: Option<String>,

    /// Dimensions n of the hypercube [default: as many as suit the guest]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,

    /// Axes of a grid, each of as many dimensions [default: 2]
    #[arg(long, value_name = "K", value_parser = whole_number::<usize>)]
    pub axes: Option<usize>,

    /// Sides of a grid, which decide the hypercube, as in 5,5 [default: powers of two]
    #[arg(long, value_name = "LIST", conflicts_with_all = ["dims", "axes"])]
    pub sides: Option<String>,

    /// Who goes first: hop-by-hop, as in the paper's proofs, or greedy, the farthest to go [default: hop-by-hop]
    #[arg(long, value_name = "NAME")]
    pub order: Option<String>,

    /// Send along every edge of the guest both ways
    #[arg(long)]
    pub both_ways: bool,

    /// Start-up T: bit times before a packet's first bit
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = whole_number::<usize>)]
    pub start_up: usize,
}

/// How messages are cut.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(super) struct PacketsArgument {
    /// Packets that every message is cut into [default: as many as the embedding sends at its cost]
    #[arg(long, value_name = "P", value_parser = whole_number::<usize>)]
    pub packets: Option<usize>,
}

impl GuestArguments {
    /// What they ask for.
    pub fn setup(self) -> Setup {
        Setup {
            guest: self.guest,
            dims: self.dims,
            axes: self.axes,
            sides: self.sides,
            order: self.order,
            both_ways: self.both_ways,
            start_up: self.start_up,
            ..Setup::default()
        }
    }
}

/// The messages of the guest's edges.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Messages")]
pub(super) struct MessageArguments {
    /// Bits of the message of every guest edge, M, 1 to 1048576 [default: 64]
    #[arg(long, value_name = "M", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// The messages from a CSV file: a header `edge,value`, then a row for each guest edge, hexadecimal; the least significant
    /// bit is the first of the first packet. `-` reads standard input [default: drawn from the seed]
    #[arg(long, value_name = "FILE.csv")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

/// Options of both.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SetupArguments {
    #[command(flatten)]
    pub guest: GuestArguments,

    #[command(flatten)]
    pub packets: PacketsArgument,

    #[command(flatten)]
    pub messages: MessageArguments,
}

impl SetupArguments {
    /// What they ask for.
    pub fn setup(self) -> Setup {
        let messages = self.messages;
        Setup {
            packets: self.packets.packets,
            message_bits: messages.message_bits,
            values: messages.values,
            seed: messages.seed.seed,
            ..self.guest.setup()
        }
    }
}

/// Options of `run`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub setup: SetupArguments,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub wave: WaveArguments,

    /// What it follows.
    #[command(flatten)]
    pub follow: TraceMessageArgument,

    /// Write the message of every guest edge as it arrived here, as CSV: edge,value. `-` is standard output; the report then
    /// goes to standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub results: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl RunArguments {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: Setup {
                results: self.results,
                ..self.setup.setup()
            },
            threads: self.threads.threads,
            format: self.format.format,
            trace_message: self.follow.trace_message,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}
