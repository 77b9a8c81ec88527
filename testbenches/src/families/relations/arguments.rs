//! Options of `run` and `verilog`, as the command line has them.

use clap::Args;

use crate::families::relations::options::{Amount, RunOptions, Setup};
use crate::lockstep::options::{CubeArguments, OnSchedules};
use crate::options::{
    CheckpointArguments, DeliveriesArgument, FormatArgument, SeedArgument, ThreadsArgument,
    TraceMessageArgument, WaveArguments, share, whole_number,
};

/// How many messages a node has, as an option says it.
pub(super) trait AmountArguments: Args {
    /// What it asks for, and the interval.
    fn amount(&self) -> (Amount, Option<usize>);
}

/// Batches.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Machine")]
pub(super) struct BatchArguments {
    /// Batches of messages, each a partial permutation of its own, streamed one behind the other, 1 to 4096
    #[arg(long, value_name = "B", value_parser = whole_number::<usize>)]
    pub batches: usize,

    /// Bit times from the beginning of a batch to that of the next [default: the fewest at which no two units ever have one wire]
    #[arg(long, value_name = "P", value_parser = whole_number::<usize>)]
    pub interval: Option<usize>,
}

impl AmountArguments for BatchArguments {
    fn amount(&self) -> (Amount, Option<usize>) {
        (Amount::Batches(self.batches), self.interval)
    }
}

/// An h-relation.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Machine")]
pub(super) struct RelationArguments {
    /// The most messages that a node sends, and the most that it receives, H: 1 to 16
    #[arg(long, value_name = "H", value_parser = whole_number::<usize>)]
    pub h: usize,

    /// Bit times from the beginning of a batch to that of the next, where the messages go in batches [default: the fewest at which
    /// no two units ever have one wire]
    #[arg(long, value_name = "P", value_parser = whole_number::<usize>)]
    pub interval: Option<usize>,
}

impl AmountArguments for RelationArguments {
    fn amount(&self) -> (Amount, Option<usize>) {
        (Amount::Relation(self.h), self.interval)
    }
}

/// Processors that share a vertex, and who of them sends.
#[derive(Args, Clone, Debug)]
pub(super) struct ProcessorArguments {
    /// Processors at each vertex, 1 to 4096: as many as there are dimensions in cube-connected cycles as the paper puts them
    #[arg(long, value_name = "P", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub processors: usize,

    #[command(flatten)]
    pub cube: CubeArguments,

    /// Payload bits of every message, 1 to 65536 [default: 8]
    #[arg(long, value_name = "D", help_heading = "Machine", value_parser = whole_number::<usize>)]
    pub payload_bits: Option<usize>,

    /// Share of the processors that send, 0 to 1: the one of rank r sends to processor r [default: 0.75]
    #[arg(long, value_name = "FRACTION", help_heading = "Traffic", value_parser = share)]
    pub load: Option<f64>,

    #[command(flatten)]
    pub seed: SeedArgument,
}

impl AsSetup for ProcessorArguments {
    fn setup(self) -> Setup {
        Setup {
            amount: Amount::Processors(self.processors),
            interval: None,
            schedule: None,
            dims: self.cube.dims,
            payload_bits: self.payload_bits,
            traffic: None,
            traffic_file: None,
            load: self.load,
            seed: self.seed.seed,
        }
    }
}

/// Arguments that ask for a machine and its traffic.
pub(super) trait AsSetup: Args {
    /// What they ask for.
    fn setup(self) -> Setup;
}

/// The machine and its traffic.
#[derive(Args, Clone, Debug)]
pub(super) struct SetupArguments<A: Args> {
    #[command(flatten)]
    pub amount: A,

    #[command(flatten)]
    pub others: OnSchedules,
}

impl<A: AmountArguments> AsSetup for SetupArguments<A> {
    fn setup(self) -> Setup {
        let (amount, interval) = self.amount.amount();
        let OnSchedules {
            schedule,
            of_messages,
        } = self.others;
        let messages = of_messages.messages;
        Setup {
            amount,
            interval,
            schedule,
            dims: of_messages.cube.dims,
            payload_bits: messages.payload_bits,
            traffic: messages.traffic,
            traffic_file: messages.traffic_file,
            load: messages.load,
            seed: of_messages.seed.seed,
        }
    }
}

/// Options of `run`.
#[derive(Args, Clone, Debug)]
pub(super) struct RunArguments<A: Args> {
    #[command(flatten)]
    pub setup: A,

    #[command(flatten)]
    pub threads: ThreadsArgument,

    #[command(flatten)]
    pub checkpoints: CheckpointArguments,

    #[command(flatten)]
    pub wave: WaveArguments,

    #[command(flatten)]
    pub follow: TraceMessageArgument,

    #[command(flatten)]
    pub deliveries: DeliveriesArgument,

    #[command(flatten)]
    pub format: FormatArgument,
}

impl<A: AsSetup> RunArguments<A> {
    /// What they ask for.
    pub fn options(self) -> RunOptions {
        let options = RunOptions {
            setup: self.setup.setup(),
            wave: None,
            trace_nodes: None,
            trace_from: None,
            trace_to: None,
            picture: None,
            trace_message: self.follow.trace_message,
            deliveries: self.deliveries.deliveries,
            links: None,
            threads: self.threads.threads,
            checkpoints: self.checkpoints,
            format: self.format.format,
            quiet: false,
        };
        options.with_wave(self.wave)
    }
}
