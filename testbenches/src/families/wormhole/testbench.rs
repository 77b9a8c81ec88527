//! The testbench of wormhole routers, as a value.

use crate::families::wormhole::entries::{OF_PROJECTS, OF_WORMS};
use crate::families::wormhole::injection::{
    BURST_LOAD, BURST_MESSAGES, DRAIN, INJECTION, LATENCY_BOUND, MEASUREMENT, OFFERED_LOAD,
    REPLY_BITS, SATURATION, TOLERANCE, WARM_UP, offered_load,
};
use crate::families::wormhole::job::{Job, channels};
use crate::families::wormhole::network_file::{self, NETWORK_FILE, ROUTES_FILE};
use crate::families::wormhole::parameters::{
    BUFFER_BITS, COPIES, DIMS, HOT_SHARE, HOT_SPOTS, LINKS, LOAD, MESSAGE_BITS, NETWORK,
    NetworkName, PIECES, RADIX, ROUTING, ROUTINGS, STORAGE, SWITCH, TRAFFIC, TRAFFIC_FILE,
    VIRTUAL_CHANNELS, WIRE_BITS, names_of_networks, network,
};
use crate::families::wormhole::sweep::SWEEP;
use crate::measure::timing::Timing;
use crate::search::Traffics;
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;
use crate::verilog::{FirstRound, OF_HOSTS};

/// Worms on networks.
pub static BENCH: Testbench = Testbench {
    name: "wormhole",
    chosen_by: None,
    models: "bit-serial worms on cube-connected cycles, their n copies, butterflies, hypercubes, tori, meshes, networks from files",
    source: "Greenberg and Bhatt 1990, sections 5 and 7",
    choices: |_| {
        vec![
            format!("networks: {}; others from files", names_of_networks(false).join(", ")),
            format!(
                "routings of hypercube, torus and mesh: {}",
                ROUTINGS.map(|(name, _)| name).join(", ")
            ),
            format!("routings of a network from a file: {}, or tables from a file", network_file::ROUTINGS.join(", ")),
            "traffic: also hotspot, and files with times; injection: bernoulli, bursty, request-reply".to_owned(),
        ]
    },
    names: &[&NETWORK, &ROUTING],
    examples: &[
        "cubewave run wormhole --dims 4 --virtual-channels 1 --wave deadlock.vcd",
        "cubewave run wormhole --network copies --dims 11 --message-bits 256",
        "cubewave run wormhole --network torus --radix 5 --virtual-channels 1 --message-bits 256 --picture ring.html",
        "cubewave run wormhole --network hypercube --traffic uniform --offered-load 0.2",
        "cubewave run wormhole --network hypercube --routing valiant --traffic bitrev --message-bits 256",
        "cubewave run wormhole --network mesh --routing adaptive --traffic transpose --wave adaptive.vcd",
        "cubewave run wormhole --network-file examples/networks/chip.anynet --routing up-down --picture chip.html",
        "cubewave run wormhole --network mesh --wire-bits 8 --wave flits.vcd",
        "cubewave run wormhole --traffic-file mine.csv --deliveries arrived.csv",
        "cubewave run wormhole --traffic-file arrived.csv --wave again.vcd",
        "cubewave run wormhole --traffic hotspot --hot-spots 0,2_6 --offered-load 0.02",
        "cubewave run wormhole --offered-load 0.05 --injection bursty --burst-messages 20",
        "cubewave run wormhole --offered-load 0.02 --injection request-reply --reply-bits 256",
        "cubewave faults wormhole --dims 2 --message-bits 16",
        "cubewave search wormhole --network hypercube --maximise latency-largest --dims 3",
        "cubewave measure wormhole --network all --copies 1,all --traffic randperm,bitrev --seeds 5",
        "cubewave measure wormhole --dims 3,6,11 --network copies,hypercube --message-bits 256 --plot bits.svg",
        "cubewave measure wormhole --network torus --routing all --traffic uniform --offered-load 0.05..0.6 --plot torus.svg",
        "cubewave measure wormhole --network torus --routing all --wire-bits 1,8,64 --message-bits 64,512",
        "cubewave measure wormhole --network all --offered-load 0.05..0.9 --plot latency.svg",
        "cubewave measure wormhole --network all --traffic uniform --saturation --seeds 3",
        "cubewave measure wormhole --network hypercube --offered-load 0.3,0.4 --warm-up 5000 --measurement 20000",
        "cubewave measure wormhole --virtual-channels 1..3 --offered-load 0.02..0.2:0.02 --format csv",
        "cubewave verilog wormhole --network copies --dims 6 --message-bits 64 --out copies4",
    ],
    schedules: &[],
    parameters: &[
        &DIMS,
        &NETWORK_FILE,
        &ROUTES_FILE,
        &NETWORK,
        &RADIX,
        &ROUTING,
        &MESSAGE_BITS,
        &VIRTUAL_CHANNELS,
        &WIRE_BITS,
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
        Offer::Search(Traffics::Permutation),
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
            "Nodes in the waveform: numbers with commas between (also names: of ccc as in 2_6, level and column, of torus and mesh as in \
             3_5, digits), or all [default: the route of one worm (with --offered-load one that is measured), or nodes that wait for each other]",
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
        samples: |chosen, _| [64, 2048].map(|nodes| sample(chosen, nodes)),
    },
    sweep: &SWEEP,
    project: Project {
        help: &[(
            "dims",
            "Dimensions of the network, as of `run`, as long as there are 2048 switches at the most",
        )],
        facts: &[OF_PROJECTS, OF_HOSTS],
        ..Project::of("network", FirstRound::TRAFFIC)
    },
    looked_at: length_to_look_at,
};

/// Phases under load that can be looked at, unless the load is so light that hardly a node would send in them.
fn length_to_look_at(chosen: &Chosen) -> &'static str {
    let bits = chosen.number(&MESSAGE_BITS) as f64;
    match offered_load(chosen) {
        Some(load) if load * 3000.0 >= bits / 10.0 => {
            "--warm-up 1000 --measurement 2000 --drain 3000"
        }
        _ => "",
    }
}

/// Seconds that a channel takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 5e-8;

/// The same network of about so many nodes, where each node sends a message: about as many nodes lie side by side in it as in larger
/// ones. Its runs are so short that nodes are run by their description for a part of them, so large machines take less than is
/// foretold.
fn sample(chosen: &Chosen, nodes: usize) -> Chosen {
    let is_large = nodes > 64;
    let sample = match network(chosen) {
        // The radix that gives as many nodes in as many dimensions.
        Ok(NetworkName::Torus | NetworkName::Mesh) => {
            let dimensions = chosen.number(&DIMS).clamp(1, 6);
            let radix = (3..64).find(|radix: &usize| radix.pow(dimensions as u32) >= nodes);
            let sample = chosen.clone().with(&DIMS, Given::number(dimensions));
            sample.with(&RADIX, Given::number(radix.unwrap_or(64)))
        }
        // It has the size that it has.
        Ok(NetworkName::File) => chosen.clone(),
        of => {
            let dimensions = match of {
                Ok(NetworkName::Ccc) | Err(_) => [4, 8],
                Ok(NetworkName::Butterflies) => [6, 12],
                Ok(_) => [6, 11],
            };
            let dimensions = dimensions[usize::from(is_large)];
            chosen.clone().with(&DIMS, Given::number(dimensions))
        }
    };
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
