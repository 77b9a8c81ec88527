//! The dump of a run beside that of its Verilog: every register and wire in every bit time.

use std::collections::BTreeMap;
use std::fmt;

use rtl_model::machine::topology::{Tap, Topology};

use crate::common::dump::Dump;

/// Where the two disagree.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub bit_time: usize,
    /// As in cubewave's dump.
    pub signal: String,
    pub cubewave: String,
    pub verilog: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            bit_time,
            signal,
            cubewave,
            verilog,
        } = self;
        write!(
            formatter,
            "{signal}, bit time {bit_time}: {cubewave} in cubewave, {verilog} in Verilog"
        )
    }
}

/// A signal of the Verilog's dump, or a bit of it.
type Found = (String, Option<usize>);

/// What a signal of cubewave's dump may be called in the Verilog's, the first that is there; nothing for what the simulator adds.
fn verilog_names(topology: &dyn Topology, path: &str) -> Vec<Found> {
    let machine = format!("tb.{}", topology.machine_name());
    let node = |scope: &str| {
        let node = topology.node_named(scope.strip_prefix("node_").unwrap());
        format!("{machine}.node[{}]", node.unwrap())
    };
    let whole = |name: String| vec![(name, None)];
    let parts: Vec<&str> = path.split('.').collect();
    match parts[1..] {
        ["clk"] => whole(format!("{machine}.clk")),
        ["driven"] | ["sequencer", "step_name"] | [_, "occupied_bits" | "bits_to_send_on"] => {
            Vec::new()
        }
        [user] if user.starts_with("user_") => Vec::new(),
        [_, "numbers" | "told", ..] | ["sequencer", "way" | "sent" | "slots" | "tree_program"] => {
            Vec::new()
        }
        // What a stage of a pipeline is about.
        ["sequencer", stage] if stage.starts_with("stage_") => Vec::new(),
        ["sequencer", ..] => whole(format!("{machine}.sequencer.{}", parts[2..].join("_"))),
        [_, host, wire] if comes_from_host(topology, host, wire) => Vec::new(),
        // Of a host with several switches each has a bit, or a flit.
        [scope, host, wire] if *host == *"host" || host.starts_with("host_") => {
            let switch = host
                .strip_prefix("host_")
                .map(|number| number.parse().unwrap());
            let router = format!("{}.router", node(scope));
            vec![
                (format!("{router}.host_{wire}"), None),
                (format!("{router}.{wire}"), switch),
            ]
        }
        // A block by that name, or one bit of all.
        [scope, link, wire] if wire.starts_with("tx") || wire.starts_with("rx") => {
            let (node, number) = (node(scope), link.strip_prefix("dim_"));
            let mut names = Vec::new();
            if let Some(number) = number {
                names.push((format!("{node}.dim[{number}].{wire}"), None));
            }
            names.push((format!("{node}.{link}.{wire}"), None));
            names.push((format!("{node}.{link}_link.{wire}"), None));
            let bits = if *wire == *"tx" { "sent" } else { "received" };
            let number = number.and_then(|number| number.parse().ok());
            names.extend(number.map(|number| (format!("{node}.{bits}"), Some(number))));
            names
        }
        [scope, ..] => whole(format!("{}.router.{}", node(scope), parts[2..].join("_"))),
        [] => Vec::new(),
    }
}

/// Whether hosts drive a wire, and no node does.
fn comes_from_host(topology: &dyn Topology, scope: &str, name: &str) -> bool {
    let labelled = topology.labelled();
    let mut labelled = labelled
        .iter()
        .filter(|label| label.scope == scope && label.name == name);
    let links = topology.links();
    labelled.any(|label| {
        label
            .wires
            .iter()
            .all(|tap| matches!(tap, Tap::Received(wire) if *wire >= links))
    })
}

/// Compares all registers and wires, bit time by bit time up to an end; returns the first difference and how many bits were compared
/// in each bit time. Bit time 0 follows the reset in the Verilog's dump.
pub fn first_difference(
    cubewave: &Dump,
    verilog: &Dump,
    end: u64,
    topology: &dyn Topology,
) -> (Option<Difference>, usize) {
    let mut first: Option<Difference> = None;
    let mut compared = 0;
    // Text is told by the simulator: no register or wire has it.
    let is_hardware = |(path, _): &(&String, _)| !cubewave.texts.contains(*path);
    let sorted: BTreeMap<_, _> = cubewave.signals.iter().filter(is_hardware).collect();
    for path in sorted.into_keys() {
        let names = verilog_names(topology, path);
        if names.is_empty() {
            continue;
        }
        let is_there = |found: &&Found| verilog.signals.contains_key(&found.0);
        let Some((name, bit)) = names.iter().find(is_there) else {
            // Where steps overlap no register holds it. (That all registers are compared is counted.)
            assert_eq!(path, "cube.sequencer.step", "no {names:?} in Verilog");
            continue;
        };
        let ours = cubewave.by_bit_time(path, 0, end);
        compared += ours[0].len();
        let width = ours[0].len();
        let theirs = verilog.by_bit_time(name, 1, end + 1);
        let theirs = theirs.into_iter().map(|bits| match bit {
            // As many bits as there are here, those of that number.
            Some(bit) => &bits[bits.len() - (bit + 1) * width..bits.len() - bit * width],
            None => bits,
        });
        let until = first.as_ref().map_or(ours.len(), |first| first.bit_time);
        let mut both = ours.into_iter().zip(theirs).take(until).enumerate();
        if let Some((bit_time, (ours, theirs))) = both.find(|(_, (ours, theirs))| ours != theirs) {
            first = Some(Difference {
                bit_time,
                signal: path.clone(),
                cubewave: ours.to_owned(),
                verilog: theirs.to_owned(),
            });
        }
    }
    (first, compared)
}
