//! The testbench of wormhole routers, as a value.

use crate::families::wormhole::entries::{OF_PROJECTS, OF_WORMS};
use crate::families::wormhole::injection::{
    BURST_LOAD, BURST_MESSAGES, DRAIN, INJECTION, LATENCY_BOUND, MEASUREMENT, OFFERED_LOAD,
    REPLY_BITS, SATURATION, TOLERANCE, WARM_UP,
};
use crate::families::wormhole::job::{Job, channels};
use crate::families::wormhole::parameters::{
    BUFFER_BITS, COPIES, DIMS, HOT_SHARE, HOT_SPOTS, LINKS, LOAD, MESSAGE_BITS, NETWORK, NETWORKS,
    PIECES, STORAGE, SWITCH, TRAFFIC, TRAFFIC_FILE, VIRTUAL_CHANNELS,
};
use crate::families::wormhole::sweep::SWEEP;
use crate::families::wormhole::verilog;
use crate::lockstep::verilog::FirstRound;
use crate::measure::timing::Timing;
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;

/// Worms on networks.
pub static BENCH: Testbench = Testbench {
    name: "wormhole",
    chosen_by: None,
    models: "bit-serial worms on cube-connected cycles, their n copies, butterflies, hypercubes",
    source: "Greenberg and Bhatt 1990, sections 5 and 7",
    choices: |_| {
        vec![
            format!("networks: {}", NETWORKS.map(|(name, _)| name).join(", ")),
            "traffic: also hotspot, and files with times; injection: bernoulli, bursty, request-reply".to_owned(),
        ]
    },
    names: &[&NETWORK],
    examples: &[
        "cubewave run wormhole --dims 4 --virtual-channels 1 --wave deadlock.vcd",
        "cubewave run wormhole --network copies --dims 8 --message-bits 256",
        "cubewave run wormhole --network ecube --traffic uniform --offered-load 0.2",
        "cubewave run wormhole --network valiant --traffic bitrev --message-bits 256",
        "cubewave run wormhole --traffic-file mine.csv --deliveries arrived.csv",
        "cubewave run wormhole --traffic-file arrived.csv --wave again.vcd",
        "cubewave run wormhole --traffic hotspot --hot-spots 0,2_6 --offered-load 0.02",
        "cubewave run wormhole --offered-load 0.05 --injection bursty --burst-messages 20",
        "cubewave run wormhole --offered-load 0.02 --injection request-reply --reply-bits 256",
        "cubewave measure wormhole --network all --copies 1,all --traffic randperm,bitrev --seeds 5",
        "cubewave measure wormhole --dims 2,4,8 --network copies,ecube --message-bits 256 --plot bits.svg",
        "cubewave measure wormhole --network all --offered-load 0.05..0.9 --plot latency.svg",
        "cubewave measure wormhole --network all --traffic uniform --saturation --seeds 3",
        "cubewave measure wormhole --network ecube --offered-load 0.3,0.4 --warm-up 5000 --measurement 20000",
        "cubewave measure wormhole --virtual-channels 1..3 --offered-load 0.02..0.2:0.02 --format csv",
        "cubewave verilog wormhole --network copies --dims 4 --message-bits 64 --out copies4",
    ],
    schedules: &[],
    parameters: &[
        &DIMS,
        &NETWORK,
        &MESSAGE_BITS,
        &VIRTUAL_CHANNELS,
        &BUFFER_BITS,
        &STORAGE,
        &SWITCH,
        &COPIES,
        &PIECES,
        &TRAFFIC,
        &HOT_SPOTS,
        &HOT_SHARE,
        &TRAFFIC_FILE,
        &LOAD,
        &SEED,
        &OFFERED_LOAD,
        &INJECTION,
        &BURST_MESSAGES,
        &BURST_LOAD,
        &REPLY_BITS,
        &SATURATION,
        &LATENCY_BOUND,
        &TOLERANCE,
        &WARM_UP,
        &MEASUREMENT,
        &DRAIN,
        &LINKS,
    ],
    readings: &[],
    entries: &[OF_WORMS],
    offers: &[
        Offer::TraceMessage,
        Offer::Log,
        Offer::Deliveries,
        Offer::OneThread,
        Offer::NoPlan(
            "its nodes decide for themselves when they send, so its bit times have no closed form",
        ),
        Offer::OneRank(
            "a run of worms",
            "worms set their own pace, so ranks would have to meet in every bit time",
        ),
        Offer::Said(
            "trace_nodes",
            "Nodes in the waveform: numbers with commas between (of cube-connected cycles also names as in 2_6, level and column), or \
             all [default: the route of one worm (with --offered-load one that is measured), or nodes that wait for each other]",
        ),
        Offer::Said(
            "deliveries",
            "Write what arrived here, as CSV: node,source,payload,bit_time; also when each message was created and sent, when its head \
             and its tail arrived, the nodes on its way, its number and its bits; last those that did not arrive. --traffic-file takes \
             it. `-` is standard output; the report then goes to standard error",
        ),
    ],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: channels,
        most_seconds: MOST_SECONDS,
        most_seconds_ticking: MOST_SECONDS,
        samples: |chosen, _| [4, 8].map(|levels| sample(chosen, levels)),
    },
    sweep: &SWEEP,
    project: Project {
        help: &[(
            "dims",
            "Levels n of the cube-connected cycles, as long as there are 2048 switches at the most [default: 4]",
        )],
        facts: &[OF_PROJECTS],
        export: Some(verilog::export),
        ..Project::of("network", FirstRound::TRAFFIC)
    },
    looked_at: |_| "",
};

/// Seconds that a channel takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 5e-8;

/// The same network of so many levels, where each node sends a message: about as many nodes lie side by side in it as in larger
/// ones. Its runs are so short that nodes are run by their description for a part of them, so large machines take less than is
/// foretold.
fn sample(chosen: &Chosen, levels: usize) -> Chosen {
    let sample = chosen.clone().with(&DIMS, Given::number(levels));
    [
        COPIES,
        MESSAGE_BITS,
        TRAFFIC,
        LOAD,
        OFFERED_LOAD,
        SATURATION,
        LATENCY_BOUND,
        TOLERANCE,
        WARM_UP,
        MEASUREMENT,
        DRAIN,
        INJECTION,
        BURST_MESSAGES,
        BURST_LOAD,
        REPLY_BITS,
        HOT_SPOTS,
        HOT_SHARE,
        STORAGE,
    ]
    .iter()
    .fold(sample, |sample, parameter| sample.with(parameter, None))
}
