//! The Verilog of a small router, whole, as a person would read it; of larger ones, whether one could. `CUBEWAVE_GOLDEN=overwrite` writes the
//! file anew.

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::folded::Folded;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::Plain;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::sorting::{bitonic, radix};

#[test]
fn packing_on_four_nodes_reads_as_it_should() {
    let router = PackingRouter::new(Dimensions::new(2).unwrap(), 1).unwrap();
    let design = Design::of(&router, "Packing, k = 2, D = 1.");
    let written = [design.node, design.sequencer, design.cube].join("\n");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/packing.v");
    if std::env::var_os("CUBEWAVE_GOLDEN").is_some() {
        std::fs::write(golden, &written).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    for (number, (written, expected)) in written.lines().zip(expected.lines()).enumerate() {
        assert_eq!(written, expected, "line {}", number + 1);
    }
    assert_eq!(written, expected);
}

/// Lines that are too long to read, and wires of a node that have no name.
fn unreadable<S: Schedule>(k: usize) -> Vec<String> {
    let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), 2 * k).unwrap();
    let design = Design::of(&router, "A router of permutations.");
    let lines = [&design.node, &design.sequencer, &design.cube]
        .into_iter()
        .flat_map(|text| text.lines());
    let long = lines.filter(|line| line.len() > 105);
    let unnamed = design
        .node
        .lines()
        .filter(|line| line.starts_with("  wire n"));
    let kind = |what: &str, line: &str| format!("{what}, k={k}: {line}");
    long.map(|line| kind("long", line))
        .chain(unnamed.map(|line| kind("unnamed", line)))
        .collect()
}

#[test]
fn no_line_is_too_long_to_read_and_every_wire_of_a_node_has_a_name() {
    let unreadable = [1, 2, 3, 4, 5, 7, 10, 16].map(|k| {
        [
            unreadable::<Plain>(k),
            unreadable::<Overlapped>(k),
            unreadable::<Folded>(k),
            unreadable::<Spread>(k),
            unreadable::<Radix4>(k),
            unreadable::<bitonic::SortAndUnpack>(k),
            unreadable::<bitonic::Sort>(k),
            unreadable::<radix::SortAndUnpack>(k),
            unreadable::<radix::Sort>(k),
        ]
        .concat()
    });
    assert_eq!(unreadable.concat(), Vec::<String>::new());
}
