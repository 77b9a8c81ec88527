//! Options of `run` and `verilog`, as the command line has them.

use std::path::PathBuf;

use clap::Args;

use crate::families::embeddings::relaxation::options::{RunOptions, Setup};
use crate::options::{
    FormatArgument, SeedArgument, ThreadsArgument, TraceMessageArgument, WaveArguments,
    whole_number,
};

/// The torus, the grid of its processes, and how they send.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(super) struct SetupArguments {
    /// The grid of processes: gray-grid, one path an edge; grid, several; or large-grid, many processes a node [default: grid]
    #[arg(long, value_name = "NAME")]
    pub guest: Option<String>,

    /// Dimensions n of the hypercube, an even number; its nodes are N x N [default: 8]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,

    /// Points M of a side of the torus: the processes share M x M points evenly [default: N n/2]
    #[arg(long, value_name = "M", value_parser = whole_number::<usize>)]
    pub points: Option<usize>,

    /// Bits W of a point, 1 to 62 [default: 16]
    #[arg(long, value_name = "W", value_parser = whole_number::<usize>)]
    pub word_bits: Option<usize>,

    /// Packets that every message is cut into [default: as many as the embedding sends at its cost]
    #[arg(long, value_name = "P", value_parser = whole_number::<usize>)]
    pub packets: Option<usize>,

    /// Who goes first: hop-by-hop, as in the paper's proofs, or greedy, the farthest to go [default: hop-by-hop]
    #[arg(long, value_name = "NAME")]
    pub order: Option<String>,

    /// Start-up T: bit times before a packet's first bit
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = whole_number::<usize>)]
    pub start_up: usize,

    /// The points from a CSV file: a header `point,value`, then a row for each point, numbered row by row, hexadecimal. `-` reads
    /// standard input [default: drawn from the seed]
    #[arg(long, value_name = "FILE.csv", help_heading = "Points")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl SetupArguments {
    /// What they ask for.
    pub fn setup(self) -> Setup {
        Setup {
            guest: self.guest,
            dims: self.dims,
            points: self.points,
            word_bits: self.word_bits,
            packets: self.packets,
            order: self.order,
            start_up: self.start_up,
            values: self.values,
            seed: self.seed.seed,
            ..Setup::default()
        }
    }
}

/// Options of `run`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub setup: SetupArguments,

    /// Sweeps, 1 to 4096; a waveform is of the first [default: 4]
    #[arg(long, value_name = "K", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub sweeps: Option<usize>,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub wave: WaveArguments,

    /// What it follows.
    #[command(flatten)]
    pub follow: TraceMessageArgument,

    /// Write the points after the last sweep here, as CSV: point,value. `-` is standard output; the report then goes to standard
    /// error
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
                sweeps: self.sweeps,
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
