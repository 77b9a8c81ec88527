//! Options of `run` and `verilog`, as the command line has them: of each operation its own.

mod help;

use std::path::PathBuf;

use clap::Args;
use rtl_model::routers::collectives::algorithms::Operation;

use crate::families::collectives::options::{RunOptions, Setup};
use crate::options::{
    FormatArgument, SeedArgument, ThreadsArgument, TraceMessageArgument, WaveArguments,
    whole_number,
};

pub(super) use help::of_operation;

/// The algorithm and its machine.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub(super) struct MachineArguments {
    /// Algorithm
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,

    /// Ports of a node that may be busy at once: one-way (it sends or receives on one), two-way (it sends on one and receives
    /// on one) or all [default: the first that the algorithm is defined for]
    #[arg(long, value_name = "MODEL")]
    pub ports: Option<String>,

    /// Dimensions n of the hypercube, 1 to 16 [default: 6]
    #[arg(long, value_name = "K", value_parser = whole_number::<usize>)]
    pub dims: Option<usize>,

    /// Bit times before the first bit of each packet, T [default: 8]
    #[arg(long, value_name = "T", value_parser = whole_number::<usize>)]
    pub start_up: Option<usize>,

    /// Groups g of packets, where the algorithm has such [default: those for which the formula has the fewest bit times]
    #[arg(long, value_name = "G", value_parser = whole_number::<usize>)]
    pub groups: Option<usize>,

    /// Bits of a packet, B, where the algorithm does not choose them [default: those for which the formula has the fewest bit
    /// times]
    #[arg(long, value_name = "B", value_parser = whole_number::<usize>)]
    pub packet_bits: Option<usize>,
}

impl MachineArguments {
    fn setup(self, operation: Operation) -> Setup {
        Setup {
            algorithm: self.algorithm,
            ports: self.ports,
            dims: self.dims,
            start_up: self.start_up,
            groups: self.groups,
            packet_bits: self.packet_bits,
            ..Setup::of(operation)
        }
    }
}

/// Messages, drawn or from a file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Messages")]
pub(super) struct MessageArguments {
    /// Bits of a message, M, 1 to 1048576 [default: 64]
    #[arg(long, value_name = "M", value_parser = whole_number::<usize>)]
    pub message_bits: Option<usize>,

    /// The messages from a CSV file
    #[arg(long, value_name = "FILE.csv")]
    pub values: Option<PathBuf>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl MessageArguments {
    fn setup(self, machine: Setup) -> Setup {
        Setup {
            message_bits: self.message_bits,
            values: self.values,
            seed: self.seed.seed,
            ..machine
        }
    }
}

/// Options of an operation.
pub(super) trait OfOperation: Args + Clone + 'static {
    /// What they ask for.
    fn setup(self, operation: Operation) -> Setup;
}

/// Of scatter and gather.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OfOneNode {
    #[command(flatten)]
    pub machine: MachineArguments,

    /// The one node: it has all messages, or is sent them [default: 0]
    #[arg(long, value_name = "NODE", help_heading = "Messages", value_parser = whole_number::<usize>)]
    pub source: Option<usize>,

    #[command(flatten)]
    pub messages: MessageArguments,
}

impl OfOperation for OfOneNode {
    fn setup(self, operation: Operation) -> Setup {
        let setup = self.messages.setup(self.machine.setup(operation));
        Setup {
            source: self.source,
            ..setup
        }
    }
}

/// Of a send.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OfTwoNodes {
    #[command(flatten)]
    pub one: OfOneNode,

    /// The node that the message is for [default: the opposite corner of the source]
    #[arg(long, value_name = "NODE", help_heading = "Messages", value_parser = whole_number::<usize>)]
    pub destination: Option<usize>,
}

impl OfOperation for OfTwoNodes {
    fn setup(self, operation: Operation) -> Setup {
        Setup {
            destination: self.destination,
            ..self.one.setup(operation)
        }
    }
}

/// Of all-gather, all-to-all and inversion.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OfAllNodes {
    #[command(flatten)]
    pub machine: MachineArguments,

    #[command(flatten)]
    pub messages: MessageArguments,
}

impl OfOperation for OfAllNodes {
    fn setup(self, operation: Operation) -> Setup {
        self.messages.setup(self.machine.setup(operation))
    }
}

/// Of a permuted send.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OfPermutation {
    #[command(flatten)]
    pub all: OfAllNodes,

    /// Where each node's message goes: randperm, bitrev, bitcomp, transpose, shuffle, tornado, neighbor, identity or packed, or
    /// a CSV file: a header `source,destination`, then a row for each node. `-` reads standard input [default: randperm]
    #[arg(long, value_name = "NAME|FILE.csv", help_heading = "Messages")]
    pub permutation: Option<String>,
}

impl OfOperation for OfPermutation {
    fn setup(self, operation: Operation) -> Setup {
        Setup {
            permutation: self.permutation,
            ..self.all.setup(operation)
        }
    }
}

/// Of a transposition.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Matrix")]
pub(super) struct OfMatrix {
    #[command(flatten)]
    pub machine: MachineArguments,

    /// The matrix from a CSV file without a header: rows of numbers, as many as there are columns, a power of two. `-` reads
    /// standard input [default: drawn from the seed]
    #[arg(
        long,
        value_name = "FILE.csv",
        help_heading = "Matrix",
        conflicts_with = "size"
    )]
    pub matrix: Option<PathBuf>,

    /// Rows N of a matrix that is drawn, a power of two [default: as many as nodes, 4096 at the most]
    #[arg(long, value_name = "N", help_heading = "Matrix", value_parser = whole_number::<usize>)]
    pub size: Option<usize>,

    /// Bits W of an entry: 64 are doubles, 32 single precision, 1 to 31 whole numbers without a sign [default: 64]
    #[arg(long, value_name = "W", help_heading = "Matrix", value_parser = whole_number::<usize>)]
    pub word_bits: Option<usize>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl OfOperation for OfMatrix {
    fn setup(self, operation: Operation) -> Setup {
        Setup {
            matrix: self.matrix,
            size: self.size,
            word_bits: self.word_bits,
            seed: self.seed.seed,
            ..self.machine.setup(operation)
        }
    }
}

/// Of a histogram.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OfSamples {
    #[command(flatten)]
    pub machine: MachineArguments,

    /// Bins b, which all nodes have even shares of [default: n 2^n]
    #[arg(long, value_name = "B", help_heading = "Samples", value_parser = whole_number::<usize>)]
    pub bins: Option<usize>,

    /// Samples from a CSV file: a header `node,value`, then a row a sample, in any order and any number a node; the value is the
    /// number of its bin, decimal. `-` reads standard input [default: drawn from the seed]
    #[arg(
        long,
        value_name = "FILE.csv",
        help_heading = "Samples",
        conflicts_with = "samples"
    )]
    pub values: Option<PathBuf>,

    /// Samples that are drawn for each node [default: 100]
    #[arg(long, value_name = "S", help_heading = "Samples", value_parser = whole_number::<usize>)]
    pub samples: Option<usize>,

    /// Bits of a count, 1 to 32 [default: as few as hold the number of all samples]
    #[arg(long, value_name = "W", help_heading = "Samples", value_parser = whole_number::<usize>)]
    pub word_bits: Option<usize>,

    /// The seed.
    #[command(flatten)]
    pub seed: SeedArgument,
}

impl OfOperation for OfSamples {
    fn setup(self, operation: Operation) -> Setup {
        Setup {
            bins: self.bins,
            values: self.values,
            samples: self.samples,
            word_bits: self.word_bits,
            seed: self.seed.seed,
            ..self.machine.setup(operation)
        }
    }
}

/// Options of `run`.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct RunArguments<A: Args> {
    #[command(flatten)]
    pub setup: A,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub wave: WaveArguments,

    /// What it follows.
    #[command(flatten)]
    pub follow: TraceMessageArgument,

    /// Write what arrived here, as CSV. `-` is standard output; the report then goes to standard error
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub results: Option<PathBuf>,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl<A: OfOperation> RunArguments<A> {
    /// What they ask for.
    pub fn options(self, operation: Operation) -> RunOptions {
        let options = RunOptions {
            setup: Setup {
                results: self.results,
                ..self.setup.setup(operation)
            },
            threads: self.threads.threads,
            format: self.format.format,
            trace_message: self.follow.trace_message,
            ..RunOptions::default()
        };
        options.with_wave(self.wave)
    }
}
