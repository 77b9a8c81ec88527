//! What runs say that they have covered: it is what their waveforms show; and over the suite nothing stays uncovered without a reason.

use rtl_model::machine::topology::Tap;
use testbenches::families;
use testbenches::report::Coverage;
use testbenches::testbench::bench::{self, RunOptions, Testbench};
use waves::coverage::{Covered, Toggles};

use crate::common::sample::{one, quietly, ran_of_choices};
use crate::suite::dumped::{Dumped, dumped};

/// What a signal of one bit did, by its values in each bit time.
fn of_signal(values: impl Iterator<Item = bool> + Clone) -> Covered {
    let pairs = values.clone().zip(values.clone().skip(1));
    let (rose, fell) = (
        pairs.clone().any(|pair| pair == (false, true)),
        pairs.clone().any(|pair| pair == (true, false)),
    );
    Covered {
        nodes: 1,
        changed: usize::from(rose || fell),
        toggled: usize::from(rose && fell),
        was_1: values.clone().any(|bit| bit),
        was_0: values.clone().any(|bit| !bit),
    }
}

/// What a bit did of that name, in these scopes of a waveform.
fn of_dump(dumped: &Dumped, scopes: &[String], bit: &str) -> Covered {
    let (signal, number) = bit.strip_suffix(']').unwrap().rsplit_once('[').unwrap();
    let number: usize = number.parse().unwrap();
    let none = Covered {
        nodes: 0,
        changed: 0,
        toggled: 0,
        was_1: false,
        was_0: false,
    };
    scopes.iter().fold(none, |all, scope| {
        let path = format!("{}.{scope}{signal}", dumped.machine);
        let values = dumped.signal(&path);
        let values = values.unwrap_or_else(|| panic!("{}: no {path}", dumped.name()));
        let one = of_signal(values.iter().map(|value| {
            // The most significant bit comes first.
            let digit = value.len() - 1 - number;
            value.as_bytes()[digit] == b'1'
        }));
        Covered {
            nodes: all.nodes + one.nodes,
            changed: all.changed + one.changed,
            toggled: all.toggled + one.toggled,
            was_1: all.was_1 || one.was_1,
            was_0: all.was_0 || one.was_0,
        }
    })
}

#[test]
fn coverage_is_what_waveforms_show() {
    let mut bits = 0;
    // At the ends of a mesh nodes have wires that lead nowhere.
    let bench = families::testbench("wormhole").unwrap();
    let mesh = Dumped::of(one(bench, "--network mesh --dims 2 --radix 3"));
    for dumped in dumped().iter().chain([&mesh]) {
        let name = dumped.name();
        let coverage = &dumped.report.coverage.as_ref().unwrap().0;
        let nodes = dumped.nodes.iter().map(|node| format!("node_{node}."));
        let nodes: Vec<String> = nodes.collect();
        let mut compare = |toggles: &Toggles, scopes: &dyn Fn(usize) -> Vec<String>| {
            for (number, bit) in toggles.names().iter().enumerate() {
                let shown = of_dump(dumped, &scopes(number), &bit.whole);
                assert_eq!(toggles.covered(number), shown, "{name}: {}", bit.whole);
                bits += 1;
            }
        };
        compare(&coverage.registers, &|_| nodes.clone());
        compare(&coverage.sequencer, &|_| vec!["sequencer.".to_owned()]);
        let topology = dumped.topology();
        let labelled = topology.labelled();
        let driven = labelled.iter().flat_map(|one| &one.wires);
        let driven = driven.filter_map(|tap| match *tap {
            Tap::Driven(wire) => Some(wire),
            Tap::Received(_) => None,
        });
        let driven: Vec<usize> = driven.collect();
        compare(&coverage.wires, &|number| {
            let wire = driven[number];
            let senders = (0..topology.nodes()).filter(|&node| topology.is_there(node, wire));
            let mut senders: Vec<usize> = match wire < topology.links() {
                true => senders.map(|node| topology.sender(node, wire)).collect(),
                false => (0..topology.nodes()).collect(),
            };
            senders.sort_unstable();
            senders.iter().map(|node| nodes[*node].clone()).collect()
        });
        let storage = &dumped.report.storage_bits_per_node;
        assert_eq!(coverage.registers.names().len(), storage.total, "{name}");
        for counter in &coverage.counters {
            let path = format!("{}.sequencer.{}", dumped.machine, counter.name.whole);
            let mut values = dumped.signal(&path).unwrap();
            values.sort_unstable();
            values.dedup();
            assert_eq!(counter.values(), values.len(), "{name}: {path}");
        }
        if !coverage.are_units && !coverage.states.is_empty() {
            let path = format!("{}.sequencer.step_name", dumped.machine);
            let shown = dumped.signal(&path).unwrap();
            for step in &coverage.states {
                let is_shown = !step.name.is_empty() && shown.contains(&step.name);
                assert_eq!(step.is_reached, is_shown, "{name}: step {}", step.name);
            }
        }
    }
    assert!(bits > 10_000, "{bits}");
}

/// Seeds with which each machine is run.
const SEEDS: u64 = 12;

/// What has not changed, and states in which the sequencer was not, in runs of these words.
fn unreached(bench: &'static Testbench, runs: &[String], seeds: u64) -> Vec<String> {
    let mut all: Option<Coverage> = None;
    for words in runs {
        let chosen = bench.asked(words).unwrap();
        let has_seeds = bench.parameter("seed").is_some();
        let is_one = (bench.project.goes_by_seed)(&chosen)
            || words.contains("--traffic ")
            || words.contains("--offered-load ");
        let options = RunOptions {
            coverage: true,
            seeds: (has_seeds && !is_one).then_some(seeds),
            ..quietly()
        };
        let report =
            bench::run(chosen, &options).unwrap_or_else(|error| panic!("{words}: {error}"));
        let coverage = report.coverage.unwrap();
        match &mut all {
            Some(all) => all.0.add(coverage.0),
            None => all = Some(coverage),
        }
    }
    let told = all.unwrap().told();
    let bits = told.unchanged.iter();
    let bits = bits.map(|bit| format!("{} {} {}", bit.kind, bit.bit, bit.does));
    let states = told.states.iter().filter(|state| !state.is_reached);
    let states = states.map(|state| format!("{} {}", state.kind, state.name));
    bits.chain(states).collect()
}

/// Why something is not reached in a small machine with random traffic.
enum Why {
    /// In these runs of the same testbench it is.
    Reached(&'static [&'static str]),
    /// It never is, for that reason.
    Never(#[allow(dead_code)] &'static str),
}
use Why::{Never, Reached};

const LOADED: Why = Never("it is loaded, and nothing writes it");
const CHECK: Why = Never("a check: a 1 says that the rule of one port is broken");

/// Of machines, what is not reached, as parts of what was asked for and of names; the first that fits counts.
const UNREACHED: [(&str, &str, Why); 31] = [
    (
        "--schedule radix4",
        "unit ",
        Reached(&["--schedule radix4 --dims 7"]),
    ),
    (
        "--schedule sort",
        "registers held_message.valid[0] stays 1",
        Never("these take full permutations, in which each node has a message"),
    ),
    ("enumeration ", "registers member[0] stays 0 or 1", LOADED),
    (
        "enumeration ",
        "registers enumeration.",
        Reached(&["--dims 3 --load 0.9", "--dims 3 --load 0.3"]),
    ),
    (
        "--network copies",
        ".straight_",
        Never("worms go round more than once from 4 levels on, as in one cube-connected cycles"),
    ),
    (
        "--network copies",
        "wires dim_",
        Never("the wires of these channels"),
    ),
    (
        "--network butterflies",
        "registers column_straight_in",
        Never("of 2 levels: with 4 (--dims 12) worms go straight on in columns"),
    ),
    (
        "--network butterflies",
        "_straight_out_1.arbiter",
        Never("of 2 levels, as above"),
    ),
    (
        "--network butterflies",
        "",
        Reached(&[
            "--network butterflies --dims 6 --load 1",
            "--network butterflies --dims 6 --offered-load 0.3 --message-bits 64",
        ]),
    ),
    (
        "wormhole ",
        "straight",
        Reached(&["--network ccc --dims 5 --message-bits 12 --load 1"]),
    ),
    ("broadcast ", "wires host.violation[0] stays 0", CHECK),
    ("broadcast ", "sequencer source", LOADED),
    (
        "broadcast ",
        ".phase[0] stays 0",
        Never("these algorithms have one phase"),
    ),
    (
        "broadcast ",
        "wires host.",
        Never("groups and trees that these algorithms do not have, or not in so small a cube"),
    ),
    ("broadcast ", "registers packets.configuration.", LOADED),
    ("", "registers configuration.", LOADED),
    ("", "registers violation[0] stays 0", CHECK),
    (
        "scatter ",
        "registers memory.bits",
        Never("what the source has for itself, and others never get"),
    ),
    (
        "all-gather ",
        "registers memory.bits",
        Never("what a node has from the beginning is different at each, and stays"),
    ),
    (
        "permuted-send ",
        "registers memory.bits",
        Never("blocks that no bit of so short a message is in"),
    ),
    (
        "send ",
        "registers memory.bits",
        Never("what is sent and what arrives have places of their own, at all nodes"),
    ),
    (
        "transpose ",
        "registers memory.bits",
        Reached(&["--dims 3 --size 8 --word-bits 6"]),
    ),
    (
        "histogram ",
        "registers memory.bits",
        Never("samples are loaded, and counts of so few leave their high bits 0"),
    ),
    (
        "--algorithm e-cube",
        "step 2_trees_in_blocks",
        Never("the algorithm goes without"),
    ),
    (
        "--algorithm in-place",
        "step 4_walk_back",
        Never("the algorithm goes without"),
    ),
    (
        "embedding ",
        "step START",
        Reached(&["--guest tree --dims 6 --start-up 2"]),
    ),
    (
        "dispersal ",
        "step START",
        Reached(&["--dims 3 --start-up 2"]),
    ),
    (
        "relaxation ",
        "step START",
        Reached(&["--dims 4 --start-up 2"]),
    ),
    (
        "",
        "registers sends.",
        Never("codes have bits for as many cells as there are, and a port is told some of them"),
    ),
    ("", "registers receives.", Never("the same")),
    (
        "--guest large-fft",
        "wires dim_",
        Never("the last butterflies of a column lie in one node"),
    ),
];

/// The number of the first reason that fits.
fn reason(asked: &str, item: &str) -> Option<usize> {
    let mut all = UNREACHED.iter();
    all.position(|(of, part, _)| asked.contains(of) && item.contains(part))
}

/// A machine of each choice of each testbench, and one more, with random traffic.
#[test]
fn what_is_never_reached_has_a_reason() {
    let mut is_needed = [false; UNREACHED.len()];
    let mut without = Vec::new();
    for (sampled, _) in ran_of_choices() {
        let name = sampled.name();
        for item in unreached(sampled.bench, std::slice::from_ref(&sampled.words), SEEDS) {
            let Some(number) = reason(&name, &item) else {
                without.push(format!("{name}: {item}"));
                continue;
            };
            let is_known = std::mem::replace(&mut is_needed[number], true);
            if let (Reached(runs), false) = (&UNREACHED[number].2, is_known) {
                let runs: Vec<String> = runs.iter().map(|words| (*words).to_owned()).collect();
                let others = unreached(sampled.bench, &runs, SEEDS);
                let still = others
                    .iter()
                    .filter(|item| reason(&name, item) == Some(number));
                without.extend(still.map(|item| format!("{runs:?}: {item}")));
            }
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
    let stale = UNREACHED
        .iter()
        .zip(is_needed)
        .filter(|(_, is_needed)| !is_needed);
    let stale: Vec<_> = stale.map(|((of, part, _), _)| (of, part)).collect();
    assert!(stale.is_empty(), "{stale:?}");
}

/// Traffics beside random ones.
const PATTERNS: [&str; 4] = ["bitrev", "bitcomp", "shuffle", "packed"];

/// Random traffic alone, with however many seeds, leaves a flip-flop of `radix4` at 7 dimensions idle that permutations of address bits
/// reach.
#[test]
fn no_register_of_routers_of_permutations_is_idle() {
    let schedules = ["plain", "overlapped", "folded", "spread", "radix4"];
    for (dims, schedule) in (4..=7).flat_map(|dims| schedules.map(|schedule| (dims, schedule))) {
        let router = format!("--dims {dims} --schedule {schedule}");
        let loads = ["0.3", "0.8", "1"].map(|load| format!("{router} --load {load}"));
        let patterns = PATTERNS.map(|pattern| format!("{router} --traffic {pattern}"));
        let runs = [&loads[..], &patterns].concat();
        // Four messages come together at a node more seldom than two.
        let seeds = if schedule == "radix4" { 120 } else { SEEDS };
        let idle = unreached(families::testbench("kuszmaul").unwrap(), &runs, seeds);
        // Windows of some of its units are those of larger cubes.
        let is_unit = |item: &String| item.starts_with("unit ");
        assert!(
            idle.iter().all(|item| is_unit(item) && dims < 7),
            "{router}: {idle:?}"
        );
    }
}
