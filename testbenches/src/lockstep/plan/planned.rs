//! A plan for scripts, with all figures in bits, bytes and seconds. What fields say is read by whoever asks for the schema.

use schemars::JsonSchema;
use serde::Serialize;

use crate::lockstep::plan::{Bound, Plan, Volume};
use crate::report::Formula;

/// What is printed of a plan.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Planned {
    /// The testbench.
    bench: &'static str,
    /// The schedule, where there is a choice.
    schedule: Option<&'static str>,
    /// Dimensions of the hypercube.
    dims: usize,
    /// Nodes of the whole machine.
    nodes: u64,
    /// How many computers share the machine.
    machines: u64,
    /// Nodes on each computer.
    nodes_per_machine: u64,
    /// Threads on each computer.
    threads_per_machine: usize,
    /// What each computer needs of its memory, and what would fit where that is too much.
    memory: Memory,
    /// Bit times of the run.
    #[schemars(extend("unit" = "bit times"))]
    bit_times: u64,
    /// The closed form of bit times.
    #[schemars(extend("unit" = "bit times"))]
    bit_times_formula: Formula,
    /// The run is a compiled program, and does not go bit time by bit time.
    has_program: bool,
    /// What computers send each other; none of one computer, and where nothing is known of it.
    between_ranks: Option<BetweenRanks>,
    /// What each computer sends in a second, as it was said; none where nobody has said it.
    #[schemars(extend("unit" = "bits a second"))]
    bandwidth_bits_per_second: Option<u64>,
    /// What the run would take, a part after the other.
    #[schemars(extend("unit" = "s"))]
    seconds: Times,
    /// What bounds the run: `memory`, `network` or `processors`.
    bound: Bound,
    /// Dimensions of the smaller machines that were run here, to measure rates.
    measured_dims: Vec<usize>,
}

/// Memory of each computer.
#[derive(Debug, Serialize, JsonSchema)]
struct Memory {
    /// Memory that is needed on each computer.
    #[schemars(extend("unit" = "bytes"))]
    bytes_per_machine: u64,
    /// Memory that is there on each computer.
    #[schemars(extend("unit" = "bytes"))]
    available_bytes_per_machine: u64,
    /// The run fits into the memory.
    fits: bool,
    /// The fewest computers of this memory that hold the machine, where it does not fit; none, where no number of them does.
    fewest_machines: Option<usize>,
    /// The most dimensions that these computers hold, where the machine does not fit.
    most_dims: Option<usize>,
}

/// Bits that computers send each other.
#[derive(Debug, Serialize, JsonSchema)]
struct BetweenRanks {
    /// Bits that all computers send together.
    #[schemars(extend("unit" = "bits"))]
    bits: u64,
    /// Bits that each computer sends.
    #[schemars(extend("unit" = "bits"))]
    bits_per_machine: u64,
    /// How often each computer exchanges bits with another, where that is counted.
    exchanges_per_machine: Option<u64>,
    /// The closed form of the bits, where there is one; else they are counted in the program.
    #[schemars(extend("unit" = "bits"))]
    formula: Option<Formula>,
}

/// Seconds of a run.
#[derive(Debug, Serialize, JsonSchema)]
struct Times {
    /// Seconds before there is a machine.
    preparing: f64,
    /// Seconds of drawing the traffic, loading it, and comparing what arrived.
    loading_and_comparing: f64,
    /// Seconds of the bit times.
    bit_times: f64,
    /// Seconds of what computers send each other; none where nothing is known of that.
    network: Option<f64>,
    /// Seconds of all these together.
    total: Option<f64>,
}

impl BetweenRanks {
    fn of(volume: &Volume, machines: u64) -> Self {
        let formula = volume.formula.clone();
        BetweenRanks {
            bits: volume.bits,
            bits_per_machine: volume.bits / machines,
            exchanges_per_machine: volume.exchanges,
            formula: formula.map(|(text, value)| Formula { text, value }),
        }
    }
}

impl From<&Plan> for Planned {
    fn from(plan: &Plan) -> Self {
        let known = &plan.known;
        let machines = known.machines();
        let volume = plan.volume.as_ref().filter(|_| machines > 1);
        Planned {
            bench: known.identity.name,
            schedule: known.identity.schedule,
            dims: known.dims,
            nodes: known.nodes,
            machines,
            nodes_per_machine: known.nodes_here(),
            threads_per_machine: known.computers.threads,
            memory: Memory {
                bytes_per_machine: known.bytes,
                available_bytes_per_machine: known.computers.memory,
                fits: plan.fits(),
                fewest_machines: known.instead.machines,
                most_dims: known.instead.dims,
            },
            bit_times: known.bit_times.value,
            bit_times_formula: known.bit_times.clone().into(),
            has_program: known.foreseen.is_some(),
            between_ranks: volume.map(|volume| BetweenRanks::of(volume, machines)),
            bandwidth_bits_per_second: known.computers.bandwidth,
            seconds: Times {
                preparing: plan.seconds.preparing,
                loading_and_comparing: plan.seconds.loading_and_comparing,
                bit_times: plan.seconds.bit_times,
                network: plan.seconds.network,
                total: plan.seconds.total(),
            },
            bound: plan.bound,
            measured_dims: plan.samples.clone(),
        }
    }
}
