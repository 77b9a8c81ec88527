//! Routers that are given the same messages a set at a time: those of other testbenches, run as the command line runs them.
//!
//! A set is a file of traffic. Schedules of Algorithm 2 on one wire a dimension carry partial permutations, so somebody has to have
//! coloured an h-relation for them; worms may have any number of messages for a node, and are given a message of each node at a time.

use hosts::deliveries::hexadecimal;
use rtl_model::traffic::Traffic;

use crate::error::Error;
use crate::families::relations::measure::row::Facts;
use crate::families::relations::report;
use crate::measure::beside::{self, Told};
use crate::measure::ranges;

/// Levels that the networks of worms come in. One of n levels has n 2^n nodes.
const LEVELS: [usize; 4] = [2, 4, 8, 16];

/// Such a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// Algorithm 2 by a schedule.
    OneWire(&'static str),
    /// Worms in dimension order: the one of their networks that is a hypercube.
    Worms,
}

const OTHERS: [(&str, Other); 6] = [
    ("plain", Other::OneWire("plain")),
    ("overlapped", Other::OneWire("overlapped")),
    ("folded", Other::OneWire("folded")),
    ("spread", Other::OneWire("spread")),
    ("radix4", Other::OneWire("radix4")),
    ("wormhole", Other::Worms),
];

/// Those of a list.
///
/// # Errors
/// A name that there is not.
pub(super) fn named(list: &str) -> Result<Vec<Other>, Error> {
    ranges::named("router", list, &OTHERS)
}

impl Other {
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
    pub fn machine(self, dims: usize, bits: usize) -> Result<(&'static str, String), Error> {
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
                let levels = fitting.next().ok_or_else(|| Error::Refused {
                    by: self.name(),
                    why: format!(
                        "its hypercubes have {} dimensions, and none of them {dims}",
                        LEVELS
                            .map(|levels| dimensions(levels).to_string())
                            .join(", ")
                    ),
                })?;
                let network = format!("--network ecube --dims {levels}");
                Ok(("wormhole", format!("{network} --message-bits {bits}")))
            }
        }
    }

    /// Sends the sets, one after the other.
    ///
    /// # Errors
    /// Whatever keeps a run from its end.
    pub fn run(self, dims: usize, bits: usize, sets: &[Traffic]) -> Result<Facts, Error> {
        let (bench, machine) = self.machine(dims, bits)?;
        let mut all = Facts::default();
        for (number, set) in sets.iter().enumerate() {
            let told = with_file(set, |path| {
                let mut words: Vec<String> = machine.split(' ').map(str::to_owned).collect();
                words.extend(["--traffic-file".to_owned(), path]);
                beside::run(bench, &words)
            })?;
            let one = facts(&told).ok_or_else(|| Error::Refused {
                by: self.name(),
                why: "its report does not say what it took".to_owned(),
            })?;
            all = if number == 0 { one } else { all.and(&one) };
        }
        // A wire each way across each dimension; what worms need beside it, credits, is no such wire.
        let one_a_dimension = matches!(self, Other::OneWire(_)).then(|| vec![1; dims]);
        all.wire_cost = one_a_dimension.map(|wires| report::cost(&wires));
        Ok(all)
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

/// What a report says; none, where something of it is missing.
fn facts(told: &Told) -> Option<Facts> {
    let nodes = told.number("topology.nodes")?;
    let links = told.number("topology.directed_wires")? / nodes;
    Some(Facts {
        bit_times: told.number("bit_times")?,
        bit_times_formula: told.number("bit_times_formula.value"),
        messages: told.number("messages")?,
        delivered: told.number("delivered")?,
        storage_bits: told.number("storage_bits_per_node.total")?,
        router_storage_bits: told.number("storage_bits_per_node.total")?,
        occupied_bits: told.number("peak.occupied_bits_per_node"),
        // A router whose links have more than a data wire says so.
        wires_per_node: told.number("wires_per_node").unwrap_or(links),
        wire_use: told.real("wire_use")?,
        logic_depth: told.number("logic_depth.total"),
        serial_adders: told.number("serial_adders_per_node").unwrap_or(0),
        passed: told.passed(),
        ..Facts::default()
    })
}
