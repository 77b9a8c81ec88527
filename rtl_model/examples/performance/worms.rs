//! Wormhole machines: a bit time of all nodes, by their description and as a routine.

use rtl_model::routers::wormhole::networks::direct::Routing;
use std::hint::black_box;
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPoolBuilder;
use rtl_model::embedding::copies::Copies;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::router::Unsequenced;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::parameters::Parameters;

use crate::measured::Samples;
use crate::report::Table;
use crate::tables::digits;

const PARAMETERS: Parameters = Parameters {
    virtual_channels: 3,
    buffer_bits: 2,
    wire_bits: 1,
    weak_switch: false,
};

/// Bit times of a sample.
const BIT_TIMES: u32 = 100;

/// The ways in which a machine is run.
const WAYS: [&str; 5] = [
    "description, 64 side by side",
    "description, 512",
    "routine, 512, portable",
    "routine, 512",
    "routine, 512, two threads",
];
/// Of these, the widest instructions on one thread.
const ONE_THREAD: usize = 3;
/// And on two.
const TWO_THREADS: usize = 4;

/// A machine that is measured.
pub struct Worms {
    /// What it is called.
    name: String,
    /// Its nodes.
    nodes: usize,
    machine: WormholeMachine,
    /// Seconds of a bit time, by way.
    seconds: [Samples; WAYS.len()],
    making: Samples,
}

impl Worms {
    /// The machines, not measured yet: levels of the cube-connected cycles; of the others, always 8.
    ///
    /// # Errors
    /// None for levels that there are.
    pub fn all(levels: &[usize]) -> Result<Vec<Self>, Error> {
        let copies = Copies::new(8)?;
        let dimensions = copies.dimensions();
        let mut networks = Vec::new();
        for &levels in levels {
            let cycles = CubeConnectedCycles::new(levels)?;
            let name = format!("cube-connected cycles, {levels} levels");
            networks.push((name, Network::CubeConnectedCycles(cycles)));
        }
        let of = |used| Network::Copies {
            copies: copies.clone(),
            used,
        };
        networks.push(("copies, 1 of 8".to_owned(), of(1)));
        networks.push(("copies, 8 of 8".to_owned(), of(8)));
        let k = dimensions.count();
        let name = format!("order of dimensions, k = {k}");
        networks.push((name, Network::direct(dimensions, Routing::Order)));
        let machines = networks.into_iter().map(|(name, network)| {
            Ok(Worms {
                name,
                nodes: network.nodes(),
                machine: WormholeMachine::new(network, PARAMETERS)?,
                seconds: Default::default(),
                making: Samples::default(),
            })
        });
        machines.collect()
    }

    /// Measures each way once.
    ///
    /// # Errors
    /// What the machine reports.
    pub fn measure(&mut self) -> Result<(), Error> {
        let machine = &self.machine;
        let widest = || bit_time::<Words<8>>(machine, Some(Instructions::widest()));
        let samples = [
            on_threads(1, || bit_time::<u64>(machine, None))?,
            on_threads(1, || bit_time::<Words<8>>(machine, None))?,
            on_threads(1, || {
                bit_time::<Words<8>>(machine, Some(Instructions::Portable))
            })?,
            on_threads(1, widest)?,
            on_threads(2, widest)?,
        ];
        for (all, (seconds, _)) in self.seconds.iter_mut().zip(samples) {
            all.0.push(seconds);
        }
        self.making.0.push(samples[ONE_THREAD].1);
        Ok(())
    }

    /// Seconds of a bit time of all nodes.
    fn seconds(&self, way: usize) -> f64 {
        self.seconds[way].median()
    }

    /// Seconds of making the routine.
    fn making(&self) -> f64 {
        self.making.median()
    }
}

/// The table of `docs/performance-tables.md`.
pub fn table(measured: &[Worms]) -> Table {
    let mut columns: Vec<String> = vec!["machine".to_owned(), "nodes".to_owned()];
    columns.extend(WAYS.map(|way| format!("{way}, \u{b5}s")));
    columns.push("times as fast as the description".to_owned());
    columns.push("two threads, times as fast as one".to_owned());
    columns.push("making the routine, ms".to_owned());
    columns.push("node-bit-times a second".to_owned());
    let mut table = Table::new(
        "worms",
        "Wormhole machines, 3 virtual channels, buffers of 2 bits, strong switches: a bit time of all nodes, hosts and \
         bookkeeping left out. One thread, if nothing else is said; machines of fewer than 16,384 nodes are not shared out.",
        &[],
    );
    table.columns = columns;
    for worms in measured {
        let seconds: Vec<f64> = (0..WAYS.len()).map(|way| worms.seconds(way)).collect();
        let (first, one) = (seconds[0], seconds[ONE_THREAD]);
        let mut row = vec![worms.name.clone(), worms.nodes.to_string()];
        row.extend(seconds.iter().map(|seconds| digits(seconds * 1e6)));
        row.push(digits(first / one));
        row.push(digits(one / seconds[TWO_THREADS]));
        row.push(digits(worms.making() * 1e3));
        row.push(format!("{:.2e}", worms.nodes as f64 / one));
        table.rows.push(row);
    }
    table
}

/// Does it with so many threads to share out to.
///
/// # Panics
/// If the system has no threads to give.
#[expect(
    clippy::expect_used,
    reason = "a measurement without its threads is none"
)]
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("the system has threads").install(work)
}

/// Seconds of a bit time, stalls counted, and of making the routine. Hosts send anything at any time.
fn bit_time<B: Lanes>(
    machine: &WormholeMachine,
    routine: Option<Instructions>,
) -> Result<(f64, f64), Error> {
    let mut fabric = Fabric::<_, B>::new(machine.clone(), 1)?;
    let start = Instant::now();
    if let Some(instructions) = routine {
        fabric.make_routine(instructions);
    }
    let making = start.elapsed();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let groups = fabric.node_groups().len();
    let hosts = fabric.topology().wires_from_host();
    let (mut spent, mut stalls) = (0.0, [0; WormholeMachine::TALLIES]);
    for _ in 0..BIT_TIMES {
        let start = Instant::now();
        fabric.transmit()?;
        fabric.add_tallies(&mut stalls);
        black_box(&stalls);
        spent += start.elapsed().as_secs_f64();
        for group in 0..groups {
            for wire in 0..hosts {
                let bits = fabric.from_host(group, wire);
                (0..B::WORDS).for_each(|word| bits.set_word(word, random.random()));
            }
        }
        let start = Instant::now();
        fabric.clock();
        spent += start.elapsed().as_secs_f64();
    }
    Ok((spent / f64::from(BIT_TIMES), making.as_secs_f64()))
}
