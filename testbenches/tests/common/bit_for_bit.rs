//! The dump of a run beside that of its Verilog: every register and wire in every bit time.

use std::collections::BTreeMap;
use std::fmt;

use rtl_model::machine::topology::Topology;

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

/// What a signal of cubewave's dump is called in the Verilog's; none for what the
/// simulator adds.
fn verilog_name(topology: &dyn Topology, path: &str) -> Option<String> {
    let machine = format!("tb.{}", topology.machine_name());
    let node = |scope: &str| {
        let node = topology.node_named(scope.strip_prefix("node_").unwrap());
        format!("{machine}.node[{}]", node.unwrap())
    };
    let parts: Vec<&str> = path.split('.').collect();
    match parts[1..] {
        ["clk"] => Some(format!("{machine}.clk")),
        ["driven"] | ["sequencer", "step_name"] | [_, "occupied_bits" | "bits_to_send_on"] => None,
        [user] if user.starts_with("user_") => None,
        [_, "numbers" | "told", ..] | ["sequencer", "way" | "sent" | "slots" | "tree_program"] => {
            None
        }
        // What a stage of a pipeline is about.
        ["sequencer", stage] if stage.starts_with("stage_") => None,
        ["sequencer", ..] => Some(format!("{machine}.sequencer.{}", parts[2..].join("_"))),
        [scope, link, wire @ ("tx" | "rx")] => {
            let link = match topology.as_hypercube() {
                Some(_) => format!("dim[{}]", link.strip_prefix("dim_").unwrap()),
                None => link.to_owned(),
            };
            Some(format!("{}.{link}.{wire}", node(scope)))
        }
        // Several wires across a dimension carry the numbers of their stages, and so does who drives them.
        [scope, block, wire] if wire.starts_with("tx_") || wire.starts_with("rx_") => {
            Some(format!("{}.{block}.{wire}", node(scope)))
        }
        [scope, ..] => Some(format!("{}.router.{}", node(scope), parts[2..].join("_"))),
        [] => None,
    }
}

/// Compares all registers and wires, bit time by bit time; returns the first difference and how many
/// bits were compared in each bit time. Bit time 0 follows the reset in the Verilog's dump.
pub fn first_difference(
    cubewave: &Dump,
    verilog: &Dump,
    bit_times: u64,
    topology: &dyn Topology,
) -> (Option<Difference>, usize) {
    let mut first: Option<Difference> = None;
    let mut compared = 0;
    // Text is told by the simulator: no register or wire has it.
    let is_hardware = |(path, _): &(&String, _)| !cubewave.texts.contains(*path);
    let sorted: BTreeMap<_, _> = cubewave.signals.iter().filter(is_hardware).collect();
    for path in sorted.into_keys() {
        let Some(name) = verilog_name(topology, path) else {
            continue;
        };
        if !verilog.signals.contains_key(&name) {
            // Where steps overlap no register holds it. (That all registers are compared is counted.)
            assert_eq!(path, "cube.sequencer.step", "no {name} in Verilog");
            continue;
        }
        let ours = cubewave.by_bit_time(path, 0, bit_times + 1);
        compared += ours[0].len();
        let theirs = verilog.by_bit_time(&name, 1, bit_times + 2);
        let until = first.as_ref().map_or(ours.len(), |first| first.bit_time);
        for bit_time in 0..until {
            if ours[bit_time] != theirs[bit_time] {
                first = Some(Difference {
                    bit_time,
                    signal: path.clone(),
                    cubewave: ours[bit_time].to_owned(),
                    verilog: theirs[bit_time].to_owned(),
                });
                break;
            }
        }
    }
    (first, compared)
}
