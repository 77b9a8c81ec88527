//! Routers that are given the same messages a set at a time: those of other testbenches, run as the command line runs them.
//!
//! A set is a file of traffic. Schedules of Algorithm 2 on one wire a dimension carry partial permutations, so somebody has to have
//! coloured an h-relation for them; worms may have any number of messages for a node, and are given a message of each node at a time.

use hosts::deliveries::hexadecimal;
use rtl_model::traffic::Traffic;

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::relations::job::Job;
use crate::families::relations::parameters::AGAINST;
use crate::families::relations::{report, traffic};
use crate::measure::beside::{self, Told};
use crate::measure::row::values;
use crate::measure::sweep::{Beside, ReadBeside, Size, row_beside};
use crate::measure::timing;
use crate::report::Check;
use crate::testbench::bench::Job as _;
use crate::testbench::chosen::Chosen;

/// Levels that the networks of worms come in. One of n levels has n 2^n nodes.
const LEVELS: [usize; 4] = [2, 4, 8, 16];

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
        let requirement = job.requirement();
        let nodes = job.cube.nodes();
        Ok(Size {
            nodes,
            bytes: requirement.bytes,
            work: timing::work(chosen, nodes, requirement.bit_times.value),
        })
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
    let reports: Vec<Told> = reports.collect::<Result<_, Error>>()?;
    // A wire each way across each dimension; what worms need beside it, credits, is no such wire.
    let one_a_dimension = matches!(other, Other::OneWire(_)).then(|| vec![1; job.cube.count()]);
    let cost = one_a_dimension.map(|wires| report::cost(&wires));
    let (mut values, checks) = together(&reports)
        .ok_or_else(|| not_by(other.name(), "its report does not say what it took"))?;
    values.push(("wire_cost", cost.into()));
    Ok((values, checks))
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
                let dimensions = |levels: usize| levels + levels.trailing_zeros() as usize;
                let mut fitting = LEVELS
                    .into_iter()
                    .filter(|levels| dimensions(*levels) == dims);
                let levels = fitting.next().ok_or_else(|| {
                    let all = LEVELS.map(|levels| dimensions(levels).to_string());
                    let all = all.join(", ");
                    not_by(
                        self.name(),
                        format!("its hypercubes have {all} dimensions, and none of them {dims}"),
                    )
                })?;
                let network = format!("--network ecube --dims {levels}");
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

/// What reports of runs on one machine, one after the other, say together; none, where something of it is missing.
fn together(reports: &[Told]) -> Option<ReadBeside> {
    let first = reports.first()?;
    let sum = |path: &str| reports.iter().map(|told| told.number(path)).sum();
    let messages: Option<u64> = sum("messages");
    let delivered: Option<u64> = sum("delivered");
    let formula: Option<u64> = sum("bit_times_formula.value");
    let occupied = |told: &Told| told.number("peak.occupied_bits_per_node");
    let times = reports
        .iter()
        .map(|told| Some((told.number("bit_times")?, told.real("wire_use")?)));
    let times = times.collect::<Option<Vec<(u64, f64)>>>()?;
    let (bit_times, wire_use) = times.into_iter().reduce(|(before, used), (then, using)| {
        let all = before + then;
        let busy = used * before as f64 + using * then as f64;
        (all, busy / all.max(1) as f64)
    })?;
    let links = first.number("topology.directed_wires")? / first.number("topology.nodes")?;
    let storage = first.number("storage_bits_per_node.total")?;
    let values = values! {
        messages: messages?,
        delivered: delivered?,
        bit_times: bit_times,
        bit_times_formula: formula,
        // A router whose links have more than a data wire says so.
        wires_per_node: first.number("wires_per_node").unwrap_or(links),
        wire_use: wire_use,
        storage_bits_per_node: storage,
        router_storage_bits_per_node: storage,
        peak_occupied_bits_per_node: reports.iter().filter_map(occupied).max(),
        serial_adders_per_node: first.number("serial_adders_per_node").unwrap_or(0),
        logic_depth: first.number("logic_depth.total"),
    };
    let passed = reports.iter().all(Told::passed);
    let held = Check::new("checks", passed, String::new());
    Some((values.to_vec(), vec![held]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::measure::row::Row;

    /// Delivered messages, bits that are held, the share of wires in use; bit times, and whether there is a closed form of them.
    type Run = ((u64, u64, f64), (u64, bool));

    fn told(((delivered, bits, wire_use), (bit_times, has_formula)): Run, passed: bool) -> Told {
        Told::of(json!({
            "topology": { "nodes": 4, "directed_wires": 8 },
            "messages": 4,
            "delivered": delivered,
            "bit_times": bit_times,
            "bit_times_formula": has_formula.then(|| json!({ "value": bit_times })),
            "storage_bits_per_node": { "total": 50 },
            "peak": { "occupied_bits_per_node": bits },
            "wire_use": wire_use,
            "passed": passed,
        }))
    }

    #[test]
    fn sets_add_up_and_one_that_failed_fails_all() {
        let runs: [Run; 2] = [((4, 7, 0.5), (30, true)), ((3, 9, 0.1), (10, false))];
        let row = |passed: [bool; 2]| {
            let told = [told(runs[0], passed[0]), told(runs[1], passed[1])];
            let (values, checks) = together(&told).unwrap();
            Row::of(values, &checks)
        };
        let both = row([true, true]);
        let numbers = [
            ("bit_times", 40.0),
            ("messages", 8.0),
            ("delivered", 7.0),
            // They are on the same machine.
            ("wires_per_node", 2.0),
            ("storage_bits_per_node", 50.0),
            ("peak_occupied_bits_per_node", 9.0),
        ];
        for (name, number) in numbers {
            assert_eq!(both.number(name), Some(number), "{name}");
        }
        assert!(!both.has("bit_times_formula"));
        let used = both.number("wire_use").unwrap();
        assert!((used - 0.4).abs() < 1e-12);
        assert!(both.passed() && !row([true, false]).passed() && !row([false, true]).passed());
        assert!(together(&[Told::of(json!({ "messages": 4 }))]).is_none());
        assert!(together(&[]).is_none());
    }
}
