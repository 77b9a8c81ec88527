//! Options of `run` and `verilog`, as the command line has them.

use std::path::PathBuf;

use clap::Args;

use crate::families::reduced_hypercube::options::{Operation, RunOptions, Setup};
use crate::options::{
    CheckpointArguments, FormatArgument, SeedArgument, ThreadsArgument, WaveArguments, whole_number,
};

/// The network.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(super) struct NetworkArguments {
    /// Network: reduced-hypercube, or hypercube, of as many nodes where --blocks is given [default: reduced-hypercube]
    #[arg(long, value_name = "NAME")]
    pub network: Option<String>,

    /// Dimensions k of a building block of the reduced hypercube RH(k,n), n to 28 - 2^n; of a hypercube without --blocks, all
    /// of them, 1 to 34 [default: 3; of a hypercube without --blocks 7]
    #[arg(long, value_name = "K", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,

    /// Bits n of a sub-block's number, 1 to 4: there are 2^n dimensions of building blocks, 2^(k+2^n) nodes [default: 2]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub blocks: Option<usize>,
}

/// Words that nodes begin with.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Words")]
pub(super) struct WordArguments {
    /// Bits of a word, w, 1 to 4096 [default: 16]
    #[arg(long, value_name = "W", value_parser = whole_number::<usize>)]
    pub word_bits: Option<usize>,

    /// The words from a CSV file: a header `node,value`, then a row for each word, hexadecimal; those of a node in their order.
    /// `-` reads standard input [default: drawn from the seed]
    #[arg(long, value_name = "FILE.csv")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

/// Words that are combined.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct CombinedArguments {
    /// What words are combined by: add, min, max, and, or, or carry (pairs of bits: bit 2i+1 propagates a carry,
    /// bit 2i generates one; not commutative)
    /// [default: add]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub operator: Option<String>,

    #[command(flatten)]
    pub words: WordArguments,
}

/// Options of a testbench's machine and words.
pub(super) trait SetupArguments: Args + Default {
    /// Of what.
    const OPERATION: Operation;

    /// What they ask for.
    fn setup(self) -> Setup;
}

fn setup_of(operation: Operation, network: NetworkArguments, words: WordArguments) -> Setup {
    Setup {
        operation,
        network: network.network,
        dims: network.dims,
        blocks: network.blocks,
        word_bits: words.word_bits,
        values: words.values,
        seed: words.seed.seed,
        ..Setup::default()
    }
}

/// Options of `reduce`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ReduceArguments {
    #[command(flatten)]
    pub network: NetworkArguments,

    /// Form on the reduced hypercube: printed, as in the thesis, or short, which goes home once [default: printed]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub algorithm: Option<String>,

    #[command(flatten)]
    pub combined: CombinedArguments,
}

impl SetupArguments for ReduceArguments {
    const OPERATION: Operation = Operation::Reduce;

    fn setup(self) -> Setup {
        Setup {
            algorithm: self.algorithm,
            operator: self.combined.operator,
            ..setup_of(Self::OPERATION, self.network, self.combined.words)
        }
    }
}

/// Options of `prefix`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PrefixArguments {
    #[command(flatten)]
    pub network: NetworkArguments,

    /// Form on the reduced hypercube: printed, as in the thesis, short, which walks from sub-block to sub-block, or in-place,
    /// in which messages alone walk [default: short]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub algorithm: Option<String>,

    #[command(flatten)]
    pub combined: CombinedArguments,
}

impl SetupArguments for PrefixArguments {
    const OPERATION: Operation = Operation::Prefix;

    fn setup(self) -> Setup {
        Setup {
            algorithm: self.algorithm,
            operator: self.combined.operator,
            ..setup_of(Self::OPERATION, self.network, self.combined.words)
        }
    }
}

/// Options of `sort`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct SortArguments {
    #[command(flatten)]
    pub network: NetworkArguments,

    /// Form on the reduced hypercube: virtual-cube, one bitonic sort, or pairs-of-blocks, the thesis's, mended [default:
    /// virtual-cube]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub algorithm: Option<String>,

    /// Keys of a node, p, 1 to 64 / 2^n; 64 on a hypercube [default: 1]
    #[arg(long, value_name = "P", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub keys: Option<usize>,

    #[command(flatten)]
    pub words: WordArguments,
}

impl SetupArguments for SortArguments {
    const OPERATION: Operation = Operation::Sort;

    fn setup(self) -> Setup {
        Setup {
            algorithm: self.algorithm,
            keys: self.keys,
            ..setup_of(Self::OPERATION, self.network, self.words)
        }
    }
}

/// Options of `broadcast`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct BroadcastArguments {
    #[command(flatten)]
    pub network: NetworkArguments,

    /// The tree in a building block of the reduced hypercube: double-rooted, as in the thesis, or e-cube [default:
    /// double-rooted]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub algorithm: Option<String>,

    /// How a node hands on the message: store-and-forward or cut-through [default: store-and-forward]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    pub switching: Option<String>,

    /// The node that has the message [default: 0]
    #[arg(
        long,
        value_name = "NODE",
        help_heading = "Message",
        value_parser = whole_number::<usize>
    )]
    pub source: Option<usize>,

    /// Bits of the message, M, 1 to 4096 [default: 64]
    #[arg(long, value_name = "M", help_heading = "Message", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// The message from a CSV file: a header `node,value`, then one row, of the source, hexadecimal; its least significant bit
    /// is sent first. `-` reads standard input [default: drawn from the seed]
    #[arg(long, value_name = "FILE.csv", help_heading = "Message")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl SetupArguments for BroadcastArguments {
    const OPERATION: Operation = Operation::Broadcast;

    fn setup(self) -> Setup {
        let words = WordArguments {
            word_bits: self.message_bits,
            values: self.values,
            seed: self.seed,
        };
        Setup {
            algorithm: self.algorithm,
            switching: self.switching,
            source: self.source,
            ..setup_of(Self::OPERATION, self.network, words)
        }
    }
}

/// Options of `run`, as the command line has them.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments<A: Args> {
    #[command(flatten)]
    pub setup: A,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub checkpoints: CheckpointArguments,

    #[command(flatten)]
    pub wave: WaveArguments,

    /// Write what the nodes end up with here, as CSV: node,value. `-` is standard output; the report then goes to standard
    /// error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub results: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl<A: SetupArguments> RunArguments<A> {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: Setup {
                results: self.results,
                ..self.setup.setup()
            },
            threads: self.threads.threads,
            checkpoints: self.checkpoints,
            format: self.format.format,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}
