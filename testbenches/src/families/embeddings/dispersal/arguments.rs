//! Options of `run` and `verilog`, as the command line has them.

use std::path::PathBuf;

use clap::Args;

use crate::families::embeddings::arguments::GuestArguments;
use crate::families::embeddings::dispersal::options::{RunOptions, Setup};
use crate::families::embeddings::options as of_embedding;
use crate::options::{
    FormatArgument, SeedArgument, ThreadsArgument, TraceMessageArgument, WaveArguments,
    whole_number,
};

/// The paths, and how the shares go.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SetupArguments {
    /// Which paths shares take: edge, those of a guest's edge, or copies, from any node to any other in each copy of
    /// cube-connected cycles [default: edge]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub over: Option<String>,

    #[command(flatten)]
    pub guest: GuestArguments,

    /// Who sends to whom, over copies: a traffic pattern [default: randperm]
    #[arg(long, value_name = "NAME", help_heading = "Messages")]
    pub traffic: Option<String>,

    /// Shares m that restore a message, of as many as it has paths [default: one fewer than paths]
    #[arg(long, value_name = "M", help_heading = "Messages", value_parser = whole_number::<usize>)]
    pub needed: Option<usize>,

    /// Bits of every message, 1 to 1048576 [default: 256]
    #[arg(long, value_name = "BITS", help_heading = "Messages", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// The messages from a CSV file: a header `edge,value`, then a row for each message, hexadecimal. `-` reads standard input
    /// [default: drawn from the seed]
    #[arg(long, value_name = "FILE.csv", help_heading = "Messages")]
    pub values: Option<PathBuf>,

    /// The seed of messages, traffic and wires that fail.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl SetupArguments {
    /// What they ask for.
    pub fn setup(self) -> Setup {
        Setup {
            guest: of_embedding::Setup {
                message_bits: self.message_bits,
                values: self.values,
                seed: self.seed.seed,
                ..self.guest.setup()
            },
            over: self.over,
            traffic: self.traffic,
            needed: self.needed,
            ..Setup::default()
        }
    }
}

/// Options of `run`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub setup: SetupArguments,

    /// Cut or jam so many wires while bits are on their way: which, when, and whether cut or stuck at 0 or 1, is drawn from the
    /// seed [default: 0]
    #[arg(long, value_name = "N", help_heading = "Faults", value_parser = whole_number::<usize>)]
    pub cut_wires: Option<usize>,

    /// Wires that fail, from a CSV file: a header `node,dimension,bit_time,stuck` (the last column, cut, 0 or 1, may be left
    /// out), then a row for each directed wire. `-` reads standard input
    #[arg(
        long,
        value_name = "FILE.csv",
        help_heading = "Faults",
        conflicts_with = "cut_wires"
    )]
    pub cut: Option<PathBuf>,

    /// Write the wires that failed here, as --cut reads them. `-` is standard output; the report then goes to standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub cuts_out: Option<PathBuf>,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub wave: WaveArguments,

    /// What it follows.
    #[command(flatten)]
    pub follow: TraceMessageArgument,

    /// Write every message that was restored here, as CSV: edge,value; one that was lost has no row. `-` is standard output; the
    /// report then goes to standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub results: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl RunArguments {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let mut setup = self.setup.setup();
        setup.guest.results = self.results;
        let options = RunOptions {
            setup: Setup {
                cut_wires: self.cut_wires,
                cut: self.cut,
                cuts_out: self.cuts_out,
                ..setup
            },
            threads: self.threads.threads,
            format: self.format.format,
            trace_message: self.follow.trace_message,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}
