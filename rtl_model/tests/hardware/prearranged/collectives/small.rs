//! What holds of the list of algorithms, and of their machines as logic.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::machine::device::Device;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Operation};

use crate::prearranged::collectives::common::machines;

/// Every algorithm is run by the other tests in some small cube.
#[test]
fn every_algorithm_takes_some_small_cube() {
    let ran: Vec<String> = (2..=4)
        .flat_map(|dims| machines(dims, 4, 1))
        .map(|(what, ..)| what)
        .collect();
    for one in ALGORITHMS {
        let name = format!("{} {},", one.operation(), one.name());
        assert!(ran.iter().any(|what| what.starts_with(&name)), "{name}");
    }
    for operation in Operation::EACH {
        assert!(
            ALGORITHMS.iter().any(|one| one.operation() == operation),
            "{operation}"
        );
    }
}

/// Node, sequencer, total: the numbers of the descriptions as they are. Whoever finds them changed should look at what became longer.
#[test]
fn depths_are_those_of_the_descriptions() {
    let found: Vec<String> = machines(3, 6, 1)
        .iter()
        .map(|(what, _, device)| {
            let depth = LogicDepth::of(device).unwrap();
            let name = what.split(", d =").next().unwrap();
            format!("{name}: {} {} {}", depth.node, depth.sequencer, depth.total)
        })
        .collect();
    let found = found.join("\n") + "\n";
    assert_eq!(found, include_str!("depths.txt"), "{found}");
}

#[test]
fn verilog_has_no_line_that_is_too_long() {
    for (what, _, device) in machines(2, 4, 1) {
        let design = device.design("A collective.");
        let texts = [&design.node, &design.sequencer, &design.cube];
        let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        let long: Vec<&&str> = lines.iter().filter(|line| line.len() > 105).collect();
        assert!(long.is_empty(), "{what}: {long:#?}");
    }
}
