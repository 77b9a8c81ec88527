//! Routers that are given the same messages a set at a time: those of other testbenches, run as the command line runs them.
//!
//! A set is a file of traffic. Schedules of Algorithm 2 on one wire a dimension carry partial permutations, so somebody has to have
//! coloured an h-relation for them; worms may have any number of messages for a node, and are given a message of each node at a time.

use hosts::deliveries::hexadecimal;
use rtl_model::traffic::Traffic;

use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::parameters::AGAINST;
use crate::families::relations::{report, traffic};
use crate::measure::beside::{self, Runs, have_worms};
use crate::measure::row::values;
use crate::measure::sweep::{Beside, ReadBeside, Size, row_beside};
use crate::measure::timing;
use crate::report::Check;
use crate::testbench::bench::Job as _;
use crate::testbench::chosen::Chosen;

/// Such a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// Algorithm 2 by a schedule.
    OneWire(&'static str),
    /// Worms in dimension order: the one of their networks that is a hypercube.
    Worms,
}

/// All of them, by their names in lists.
pub const OTHERS: [(&str, Other); 6] = [
    ("plain", Other::OneWire("plain")),
    ("overlapped", Other::OneWire("overlapped")),
    ("folded", Other::OneWire("folded")),
    ("spread", Other::OneWire("spread")),
    ("radix4", Other::OneWire("radix4")),
    ("wormhole", Other::Worms),
];

/// Those that a sweep measures beside, as it does with its testbenches.
pub const BESIDE: Beside = Beside {
    named_by: &AGAINST,
    size: |chosen| {
        let job = Job::new(chosen)?;
        Other::named(chosen)?.machine(&job)?;
        Ok(Size::of(chosen, job.cube.nodes(), &job.requirement()))
    },
    cost: |chosen| {
        timing::cost_of(chosen, |small| {
            run(small)?;
            Ok(Job::new(small)?.device.bit_times().value)
        })
    },
    run: |chosen| Ok(row_beside(chosen, &run(chosen)?)),
};

/// Sends the sets of a point, one after the other.
///
/// # Errors
/// Whatever keeps a run from its end.
fn run(chosen: &Chosen) -> Result<ReadBeside, Error> {
    let (job, other) = (Job::new(chosen)?, Other::named(chosen)?);
    let (bench, machine) = other.machine(&job)?;
    let sent = traffic::sent(&job)?;
    let reports = sent.slots.iter().map(|set| {
        with_file(set, |path| {
            let mut words: Vec<String> = machine.split(' ').map(str::to_owned).collect();
            words.extend(["--traffic-file".to_owned(), path]);
            beside::run(bench, &words)
        })
    });
    let runs = Runs(reports.collect::<Result<_, Error>>()?);
    // A wire each way across each dimension; what worms need beside it, credits, is no such wire.
    let one_a_dimension = matches!(other, Other::OneWire(_)).then(|| vec![1; job.cube.count()]);
    let cost = one_a_dimension.map(|wires| report::cost(&wires));
    let values = values! {
        messages: runs.sum(|run| Some(run.messages as u64)),
        delivered: runs.sum(|run| Some(run.delivered as u64)),
        bit_times: runs.sum(|run| Some(run.bit_times)),
        bit_times_formula: runs.bit_times_formula(),
        bit_times_text: runs.bit_times_text(runs.0.len()),
        // Without those of credits, which worms have beside.
        wires_per_node: runs.data_wires_per_node(),
        wire_use: runs.wire_use(),
        storage_bits_per_node: runs.storage(),
        router_storage_bits_per_node: runs.storage(),
        peak_occupied_bits_per_node: runs.occupied(),
        serial_adders_per_node: runs.most(|run| Some(run.serial_adders_per_node as u64)),
        logic_depth: runs.logic_depth(),
        wire_cost: cost,
    };
    let held = Check::new("checks", runs.passed(), String::new());
    Ok((values.to_vec(), vec![held]))
}

impl Other {
    /// The one that is chosen, if one is.
    ///
    /// # Errors
    /// A name of none.
    pub fn of(chosen: &Chosen) -> Result<Option<Self>, Error> {
        let is_one = chosen.has(&AGAINST);
        is_one.then(|| Other::named(chosen)).transpose()
    }

    /// The one that is chosen, of a point that is one.
    fn named(chosen: &Chosen) -> Result<Self, Error> {
        chosen.named(&AGAINST, &OTHERS)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Other::OneWire(schedule) => schedule,
            Other::Worms => "wormhole ecube",
        }
    }

    /// Whether several messages of a set may be for one node.
    pub fn takes_any_destinations(self) -> bool {
        self == Other::Worms
    }

    /// Its testbench, and its machine as options.
    ///
    /// # Errors
    /// A size that there is not.
    fn machine(self, job: &Job) -> Result<(&'static str, String), Error> {
        let (dims, bits) = (job.size.dimensions, job.size.payload_bits);
        match self {
            Other::OneWire(schedule) => Ok((
                "kuszmaul",
                format!("--dims {dims} --payload-bits {bits} --schedule {schedule} --threads 1"),
            )),
            Other::Worms => {
                have_worms(self.name(), dims)?;
                let network = format!("--network hypercube --dims {dims}");
                Ok(("wormhole", format!("{network} --message-bits {bits}")))
            }
        }
    }
}

/// Gives the path of a file with this traffic to what runs it.
fn with_file<T>(
    traffic: &Traffic,
    run: impl FnOnce(String) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut text = "source,destination,payload\n".to_owned();
    for (index, message) in traffic.messages().iter().enumerate() {
        let payload = hexadecimal(traffic.payload(index));
        text += &format!("{},{},{payload}\n", message.source, message.destination);
    }
    beside::with_file(&text, run)
}
