//! What a project says of a network that is no hypercube.

use testbenches::families::reduced_hypercube::REDUCE;

use crate::suite::Exported;

#[test]
fn a_project_speaks_of_its_network() {
    let machine = "--network reduced-hypercube --dims 3 --blocks 2 --algorithm printed --operator add --word-bits 4";
    let exported = Exported::of(&REDUCE.asked(machine).unwrap(), 3);
    let readme = exported.read("README.md");
    for part in [
        "reduce, algorithm printed: all words into one,",
        &format!("Written by cubewave 0.1.0: cubewave verilog reduce {machine} --out DIR\n"),
        "| `rh.v` | the sequencer, 128 nodes, and the wires: 4 wires from each node to others, by the table in that file; \
         a reduced hypercube RH(3,2) |",
        &format!(
            "| `values.csv` | the same traffic, of round 1, for `cubewave run reduce {machine} --values values.csv` |"
        ),
        "## Using `rh`",
        "--top-module rh node.v sequencer.v rh.v",
        "(`node[i].dim_0.tx`)",
        "chparam -set ADDRESS 127 node",
    ] {
        assert!(readme.contains(part), "{part:?} is not in {readme}");
    }
    let view = exported.read("tb.gtkw");
    for path in [
        "tb.rh.done",
        "tb.rh.node[0].between_blocks.rx",
        "tb.rh.node[18].dim_2.tx",
        "tb.rh.node[0].router.word",
    ] {
        assert!(view.contains(path), "{path} is not in {view}");
    }
}
