//! The Verilog of a small router, whole, as a person would read it. `CUBEWAVE_GOLDEN=overwrite` writes the
//! file anew.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rtl_model::kuszmaul::packing::PackingRouter;
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
