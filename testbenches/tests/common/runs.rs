//! What is run: every testbench of `cubewave list`, on each of its schedules and networks.

use testbenches::families;
use testbenches::testbench::Testbench;

/// Runs of routers of whole messages.
pub const OF_MESSAGES: &[&str] = &[
    "enumeration --dims 4",
    "packing --dims 4",
    "kuszmaul --dims 4 --schedule plain",
    "kuszmaul --dims 4 --schedule overlapped",
    "kuszmaul --dims 4 --schedule folded",
    "kuszmaul --dims 4 --schedule spread",
    "kuszmaul --dims 4 --schedule radix4",
    "kuszmaul --dims 5 --schedule radix4 --payload-bits 2",
    "bitonic --dims 4 --schedule sort-and-unpack",
    "bitonic --dims 4 --schedule sort --load 1",
    "radix --dims 4 --schedule sort-and-unpack",
    "radix --dims 4 --schedule sort --load 1",
];

/// Runs of routers of several messages a node.
pub const OF_SEVERAL: &[&str] = &[
    "kuszmaul --dims 4 --batches 4 --schedule spread",
    "kuszmaul --dims 4 --batches 4 --schedule overlapped",
    "kuszmaul --dims 4 --batches 4 --schedule radix4",
    "kuszmaul --dims 5 --batches 3 --schedule radix4",
    "kuszmaul --dims 4 --h 3 --schedule spread",
    "kuszmaul --dims 4 --h 3 --schedule overlapped",
    "kuszmaul --dims 4 --h 3 --schedule radix4",
    "kuszmaul --dims 4 --h 3 --schedule counting",
    "packing --dims 4 --processors 3",
];

/// Runs of wormhole routers.
pub const OF_WORMS: &[&str] = &[
    "wormhole --dims 3 --network ccc",
    "wormhole --dims 3 --network ccc --offered-load 0.05",
    "wormhole --dims 3 --network ccc --switch weak",
    "wormhole --dims 6 --network copies",
    "wormhole --dims 6 --network hypercube",
    "wormhole --dims 6 --network hypercube --routing valiant",
    "wormhole --dims 6 --network butterflies",
    "wormhole --radix 4 --network torus",
    "wormhole --radix 3 --network torus --routing adaptive",
    "wormhole --radix 3 --network mesh --routing valiant --virtual-channels 3",
    concat!(
        "wormhole --routing up-down --network-file ",
        env!("CARGO_MANIFEST_DIR"),
        "/examples/networks/chip.anynet"
    ),
];

/// Runs of what is arranged beforehand, and of what takes the roles of nodes from their addresses.
pub const OF_OPERATIONS: &[&str] = &[
    "broadcast --dims 3",
    "broadcast --dims 3 --ports all",
    "broadcast --dims 3 --algorithm broadcast-2",
    "scatter --dims 3",
    "scatter --dims 3 --algorithm tcbt",
    "gather --dims 3",
    "all-gather --dims 3",
    "all-to-all --dims 3",
    "send --dims 3",
    "permuted-send --dims 3",
    "inversion --dims 3",
    "transpose --dims 4",
    "histogram --dims 3",
    "broadcast --network reduced-hypercube --dims 3",
    "broadcast --network hypercube --dims 4",
    "reduce --network reduced-hypercube --dims 3",
    "reduce --network hypercube --dims 3",
    "prefix --network reduced-hypercube --dims 3",
    "prefix --network hypercube --dims 3",
    "sort --network reduced-hypercube --dims 3",
    "sort --network hypercube --dims 3",
    "embedding --dims 4",
    "dispersal --dims 4 --cut-wires 1",
    "relaxation",
];

/// All of them.
pub fn all() -> impl Iterator<Item = &'static str> {
    let lists = [OF_MESSAGES, OF_SEVERAL, OF_WORMS, OF_OPERATIONS];
    lists.into_iter().flatten().copied()
}

fn is_run_of(run: &str, bench: &'static Testbench) -> bool {
    let has = |option: &str| run.contains(&format!(" --{option} "));
    let namesakes = families::namesakes(bench.name);
    let mut others = namesakes.iter().filter_map(|bench| bench.chosen_by);
    let is_chosen = match bench.chosen_by {
        Some(choice) => has(choice.option),
        None => !others.any(|choice| has(choice.option)),
    };
    run.split(' ').next() == Some(bench.name) && is_chosen
}

/// What the lines that `list` has of a testbench name, as `schedules: plain, folded`, each with the option that chooses it.
fn chosen(bench: &'static Testbench) -> Vec<String> {
    let mut all = Vec::new();
    for line in bench.choices() {
        for (list, option) in [("schedules: ", "schedule"), ("networks: ", "network")] {
            let names = line.trim().strip_prefix(list).unwrap_or_default();
            let names = names.split(';').next().unwrap().split(", ");
            let named = names.filter(|name| !name.is_empty());
            all.extend(named.map(|name| format!(" --{option} {name} ")));
        }
    }
    all
}

/// No testbench is forgotten, and none of its schedules and networks.
#[test]
fn everything_on_the_list_is_run() {
    for bench in families::testbenches() {
        let runs = all().filter(|run| is_run_of(run, bench));
        let runs: Vec<String> = runs.map(|run| format!("{run} ")).collect();
        assert!(!runs.is_empty(), "{}: {}", bench.name, bench.models);
        for choice in chosen(bench) {
            let is_run = runs.iter().any(|run| run.contains(&choice));
            assert!(is_run, "{}{choice}", bench.name);
        }
    }
    let chosen: usize = families::testbenches()
        .map(|bench| chosen(bench).len())
        .sum();
    assert!(chosen >= 29, "{chosen}");
}
