//! The vector form that `scripts/compare` sets against cubewave (`scripts/comparison/vector/cube.v`): it delivers what the
//! exported machine delivers, and is the same circuit, register for register. Needs Icarus and Verilator;
//! without them it fails.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::verilog::{Machine, export, flip_flops, text, tool};
use testbenches::families::kuszmaul;
use testbenches::verilog::Project;

/// Exports a machine of Algorithm 2, and puts the vector form beside it, into the folder `vector`.
fn export_with_vector_form(k: usize, payload_bits: usize, load: f64, folder: &Path) -> Project {
    let setup = Machine::from(&kuszmaul::BENCH)
        .run(k, payload_bits, load)
        .setup;
    let project = export(&kuszmaul::BENCH, &setup, folder);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/comparison/vector/cube.v");
    std::fs::create_dir(folder.join("vector")).unwrap();
    std::fs::copy(source, folder.join("vector/cube.v")).unwrap();
    project
}

/// Compiles `files` and the testbench with all warnings, which must be none, and runs; what is printed.
fn icarus(folder: &Path, (k, payload_bits): (usize, usize), files: &str) -> String {
    let compiled = tool(
        folder,
        "iverilog",
        &format!(
            "-g2005 -Wall -DDIMS={k} -DPAYLOAD_BITS={payload_bits} -o tb.vvp {files} sequencer.v tb.v"
        ),
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    text(&tool(folder, "vvp", "tb.vvp").stdout)
}

#[test]
fn it_delivers_in_as_many_bit_times() {
    for (k, payload_bits) in [(3, 1), (4, 8), (5, 3), (6, 8)] {
        for load in [0.5, 1.0] {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            export_with_vector_form(k, payload_bits, load, &project);
            let printed = icarus(&project, (k, payload_bits), "vector/cube.v");
            assert!(
                printed.starts_with("PASS"),
                "k={k} D={payload_bits}: {printed}"
            );
        }
    }
}

#[test]
fn verilator_has_nothing_to_say() {
    for k in 3..=6 {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        export_with_vector_form(k, 8, 1.0, &project);
        let lint = tool(
            &project,
            "verilator",
            &format!("--lint-only -Wall -GK={k} -GD=8 --top-module cube vector/cube.v sequencer.v"),
        );
        assert!(lint.status.success(), "k={k}: {}", text(&lint.stderr));
        assert_eq!(text(&lint.stderr), "");
    }
}

/// Registers of the exported node, each with the vector that holds it for all nodes.
fn registers(k: usize, payload_bits: usize) -> Vec<(String, String)> {
    let places = (k + payload_bits + 1).next_power_of_two();
    let mut found: Vec<(String, String)> = [
        ("first_message_valid", "first_valid"),
        ("second_message_valid", "second_valid"),
        ("exchange_leaving", "leaving"),
        ("exchange_staying", "staying"),
    ]
    .map(|(node, vector)| (node.to_owned(), vector.to_owned()))
    .into();
    let mut shift_register = |node: &str, vector: &str, head: &str, width| {
        for position in 0..width {
            let place = format!("(tb.cube.{head} + {position}) % {places}");
            found.push((format!("{node}[{position}]"), format!("{vector}[{place}]")));
        }
    };
    shift_register(
        "first_message_bits",
        "first_bits",
        "first_head",
        k + payload_bits,
    );
    let second = k - 1 + payload_bits;
    shift_register("second_message_bits", "second_bits", "second_head", second);
    shift_register("enumeration_rank", "rank", "rank_head", k - 1);
    shift_register("rendezvous", "rendezvous", "rendezvous_head", k - 1);
    for d in 1..k {
        let mut of_dimension = |node: &str, vector: &str| {
            let (unit, register) = node.split_once('.').unwrap();
            found.push((
                format!("{unit}_dim_{d}_{register}"),
                format!("{vector}[{d}]"),
            ));
        };
        if d < k - 1 {
            of_dimension("enumeration.total_adder_carry", "total_carry");
            of_dimension("enumeration.total", "total");
            of_dimension("enumeration.offset", "offset");
        }
        if d > 1 {
            of_dimension("enumeration.offset_adder_carry", "offset_carry");
        }
        of_dimension("packing.valid", "packing_valid");
        of_dimension("packing.crossing", "packing_crossing");
        of_dimension("packing.keeping", "packing_keeping");
        of_dimension("packing.out", "packing_out");
    }
    found
}

/// A module that prints every register in every bit time, for all nodes together.
fn monitor<'a>(expressions: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut module =
        "`timescale 100 ps / 100 ps\nmodule monitor;\n  always @(negedge tb.clk) begin\n"
            .to_owned();
    for (name, expression) in expressions {
        writeln!(
            module,
            "    $display(\"%0t {name} %b\", $time, {expression});"
        )
        .unwrap();
    }
    module + "  end\nendmodule\n"
}

#[test]
fn every_register_is_that_of_the_exported_nodes_in_every_bit_time() {
    let (k, payload_bits) = (4, 5);
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let exported = export_with_vector_form(k, payload_bits, 0.75, &project);
    let registers = registers(k, payload_bits);
    assert_eq!(registers.len(), flip_flops(&exported, "node"));
    let of_nodes = registers.iter().map(|(node, _)| {
        let nodes = (0..1 << k).rev();
        let each: Vec<_> = nodes
            .map(|n| format!("tb.cube.node[{n}].router.{node}"))
            .collect();
        (node.as_str(), format!("{{{}}}", each.join(", ")))
    });
    let of_vectors = registers
        .iter()
        .map(|(node, vector)| (node.as_str(), format!("tb.cube.{vector}")));
    std::fs::write(project.join("nodes.v"), monitor(of_nodes)).unwrap();
    std::fs::write(project.join("vectors.v"), monitor(of_vectors)).unwrap();
    let run = |files| {
        icarus(
            &project,
            (k, payload_bits),
            &format!("-s tb -s monitor {files}"),
        )
    };
    let (nodes, vectors) = (run("nodes.v cube.v node.v"), run("vectors.v vector/cube.v"));
    assert!(nodes.contains("PASS") && vectors.contains("PASS"));
    for (node, vector) in nodes.lines().zip(vectors.lines()) {
        assert_eq!(node, vector);
    }
    assert_eq!(nodes.lines().count(), vectors.lines().count());
    assert!(nodes.lines().count() > 100 * registers.len());
}
