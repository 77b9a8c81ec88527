//! A compiled cube that delivers in time, and a router whose names are taken: in Verilator, Yosys and Icarus. Needs all three; without
//! them it fails.

use testbenches::error::Error;
use testbenches::families::kuszmaul;
use testbenches::families::reduced_hypercube::REDUCE;
use testbenches::testbench::bench;
use testbenches::testbench::chosen::Chosen;

use crate::common::cube;
use crate::common::hostile::HostileRouter;
use crate::common::sample::quietly;
use crate::common::synthesis::{cells, verilated, yosys};
use crate::common::verilog::{text, tool};
use crate::suite::Exported;
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;

#[test]
fn verilator_compiles_a_cube_of_8_nodes_that_delivers_in_time() {
    delivers_in_time(kuszmaul::BENCH.asked("--dims 3 --payload-bits 4"));
}

#[test]
#[ignore = "long: half a minute of a C++ compiler"]
fn verilator_compiles_other_networks_that_deliver_in_time() {
    delivers_in_time(kuszmaul::BENCH.asked("--dims 6"));
    let reduced = "--network reduced-hypercube --dims 1 --blocks 1 --word-bits 4";
    delivers_in_time(REDUCE.asked(reduced));
}

fn delivers_in_time(asked: Result<Chosen, Error>) {
    const ROUNDS: usize = 6;
    let chosen = asked.unwrap();
    let report = bench::run(chosen.clone(), &quietly()).unwrap();
    let exported = Exported::of(&chosen, ROUNDS);
    let network = exported.network_file().trim_end_matches(".v");
    let said = verilated(exported.path(), network, &exported.path().join("objects"));
    let (nodes, bit_times) = (report.topology.nodes, report.bit_times);
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of {ROUNDS} rounds"
    );
    assert!(said.contains(&passed), "{said}");
}

/// A router whose names are taken: by Verilog, by the modules around it.
#[test]
fn a_router_with_hostile_names_is_written_down_all_the_same() {
    let router = HostileRouter::new(cube(3));
    let design = Design::of(&router, "hostile");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in design.files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let files = "cube.v node.v sequencer.v";
    let compiled = tool(
        folder.path(),
        "iverilog",
        &format!("-g2005 -Wall -o cube.vvp {files}"),
    );
    assert!(
        compiled.status.success() && compiled.stderr.is_empty(),
        "{}",
        text(&compiled.stderr)
    );
    let lint = tool(
        folder.path(),
        "verilator",
        &format!("--lint-only -Wall --top-module cube {files}"),
    );
    assert!(lint.status.success(), "{}", text(&lint.stderr));
    let stat = yosys(
        folder.path(),
        "read_verilog node.v; chparam -set ADDRESS 7 node; synth -flatten -top node; check -assert",
    );
    let storage = Storage::of::<bool>(&router.node::<bool>()).total;
    assert_eq!(cells(&stat, "DFF"), storage, "{}{stat}", design.node);
    // A bundle with a gap comes as lone strobes.
    assert!(
        design.node.contains("input wire received_0,"),
        "{}",
        design.node
    );
    assert!(!design.node.contains("received_1"));
    assert!(design.node.contains("received_2"));
}
