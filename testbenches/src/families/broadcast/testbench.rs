//! The testbench of broadcasts, as a value.

use crate::families::broadcast::entries::{OF_BROADCASTS, OF_TREES};
use crate::report::of_all::{OF_FORWARDING, OF_STEPS, SEQUENCER};
use rtl_model::routers::ports::algorithm::Algorithm;

use crate::families::broadcast::job::Job;
use crate::families::broadcast::parameters::{
    ALGORITHM, DIMS, MESSAGE_BITS, PACKET_BITS, PACKETS, PORTS, RESULTS, SENDS, SOURCE, START_UP,
    VALUES,
};
use crate::families::broadcast::sweep::SWEEP;
use crate::measure::timing::Timing;
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;
use crate::verilog::{FirstRound, OF_LOADED_WITH_HOSTS};

/// One node's message to all others.
pub static BENCH: Testbench = Testbench {
    name: "broadcast",
    chosen_by: None,
    models: "one node sends a message to all others over trees, on bit-serial ports",
    source: "Ho & Johnsson 1986, section 3; Stout & Wagar 1987, section 2",
    choices,
    names: &[&ALGORITHM],
    examples: &[
        "cubewave run broadcast --algorithm msbt --ports two-way --dims 6 --message-bits 4096 --packet-bits 64",
        "cubewave run broadcast --algorithm broadcast-4 --dims 4 --wave waves.vcd",
        "cubewave run broadcast --algorithm sbt --ports one-way --start-up 100 --source 5",
        "cubewave faults broadcast --dims 3 --message-bits 24",
        "cubewave measure broadcast --dims 4 --message-bits 4096",
        "cubewave measure broadcast --algorithm hp,sbt,tcbt,msbt --dims 3..10 --packets 1,10,100",
        "cubewave measure broadcast --algorithm sbt,msbt --dims 2..6 --packets 60 --plot trees.svg",
        "cubewave verilog broadcast --algorithm msbt --dims 4 --message-bits 64 --packet-bits 8 --out msbt4",
    ],
    schedules: &[],
    parameters: &[
        &ALGORITHM,
        &PORTS,
        &DIMS,
        &START_UP,
        &SOURCE,
        &MESSAGE_BITS,
        &PACKETS,
        &PACKET_BITS,
        &VALUES,
        &SEED,
        &SENDS,
        &RESULTS,
    ],
    readings: &[],
    entries: &[
        OF_BROADCASTS,
        OF_TREES,
        &[SEQUENCER],
        OF_STEPS,
        OF_FORWARDING,
    ],
    offers: &[
        Offer::Log,
        Offer::Deliveries,
        Offer::OneThread,
        Offer::OneRank(
            "a broadcast on this machine",
            "its hosts read and write wires in every bit time",
        ),
        Offer::NoPlan(
            "hosts read and write its wires in every bit time, so it is no program, and ranks cannot share it",
        ),
    ],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: wires,
        most_seconds: 5e-9,
        most_seconds_ticking: 5e-9,
        samples: |chosen, _| [3, 9].map(|dims| sample(chosen, dims)),
    },
    sweep: &SWEEP,
    project: Project {
        rounds: "Rounds of the testbench, 1 to 64: the first sends the message that is asked for, the others messages as long, some \
                 drawn from the seed, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes longer \
                 over them, and 2 of the largest]",
        help: &[
            (
                "dims",
                "Dimensions n of the hypercube, 1 to 10, as long as all nodes have 1048576 flip-flops at the most [default: 6]",
            ),
            (
                "message_bits",
                "Bits of the message, M; its packets have 65536 bits together at the most, and take 1048576 bit times [default: 1024]",
            ),
        ],
        facts: &[OF_BROADCASTS, OF_LOADED_WITH_HOSTS],
        ..Project::of("algorithm", FirstRound::VALUES)
    },
    looked_at: |_| "",
};

fn choices(_: &Chosen) -> Vec<String> {
    let names = Algorithm::EACH.map(Algorithm::name);
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let each = Algorithm::EACH.map(|one| format!("  {:<longest$}  {}", one.name(), one.models()));
    let mut lines = vec![format!("broadcasts: {}", names.join(", "))];
    lines.extend(each);
    lines.push("ports: one-way, two-way, all".to_owned());
    lines
}

/// Wires; none where only a file says what is sent, of which nothing is foretold.
fn wires(chosen: &Chosen, nodes: usize) -> f64 {
    match chosen.inputs().is_empty() {
        true => (nodes * chosen.number(&DIMS)) as f64,
        false => 0.0,
    }
}

/// The same broadcast of a small message on a cube of so many dimensions.
fn sample(chosen: &Chosen, dims: usize) -> Chosen {
    [(&DIMS, dims), (&START_UP, 4), (&MESSAGE_BITS, 256)]
        .into_iter()
        .fold(chosen.clone(), |chosen, (parameter, number)| {
            chosen.with(parameter, Given::number(number))
        })
        .with(&SOURCE, None)
        .with(&PACKETS, None)
        .with(&PACKET_BITS, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::broadcast::verilog::{MOST_BIT_TIMES, MOST_FLIP_FLOPS};
    use crate::verilog::{MOST_DIMENSIONS, WIDEST_VECTOR};

    /// Help is text that nobody fills in: its limits are those that are refused.
    #[test]
    fn help_of_projects_has_the_limits_that_there_are() {
        let help: Vec<&str> = BENCH.project.help.iter().map(|(_, help)| *help).collect();
        assert!(help[0].contains(&format!("1 to {MOST_DIMENSIONS}, as long")));
        assert!(help[0].contains(&format!("have {MOST_FLIP_FLOPS} flip-flops")));
        assert!(help[1].contains(&format!("have {WIDEST_VECTOR} bits")));
        assert!(help[1].contains(&format!("take {MOST_BIT_TIMES} bit times")));
    }
}
