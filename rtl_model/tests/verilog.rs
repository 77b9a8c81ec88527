//! The Verilog of a small router, whole, as a person would read it; of larger ones, whether one could. `CUBEWAVE_GOLDEN=overwrite` writes the
//! file anew.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::verilog::Design;

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

#[test]
fn no_line_is_too_long_to_read_and_every_wire_of_a_node_has_a_name() {
    for k in [2, 5, 10, 16] {
        let router = PlainRouter::new(Dimensions::new(k).unwrap(), 2 * k).unwrap();
        let design = Design::of(&router, "Algorithm 2.");
        for text in [&design.node, &design.sequencer, &design.cube] {
            for line in text.lines() {
                assert!(line.len() <= 105, "{} columns: {line}", line.len());
            }
        }
        let unnamed = design.node.matches("  wire n").count();
        assert_eq!(unnamed, 0, "in a node of {k} dimensions");
    }
}
