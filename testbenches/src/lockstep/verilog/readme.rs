//! What the `README.md` of a project says of a machine that is loaded, and read when all is over.

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::{Labelled, Tap, Topology};

use crate::report::counted;
use crate::verilog::readme::Readme;

/// `relies_on` is what the router relies on and cannot see.
pub(super) fn of(topology: &dyn Topology, design: &Design, relies_on: Option<&str>) -> Readme {
    let mut rules = "- Before `done` the `unload_` ports show bits on their way.\n".to_owned();
    if (design.host_reads.iter()).any(|(name, _)| name == "unload_valid") {
        rules += "- Where `unload_valid` is 0 there is no message, whatever the other bits.\n";
    }
    if let Some(relies_on) = relies_on {
        rules += &format!(
            "- It relies on this: {relies_on}. Where that is not so, messages are lost, and no port says it.\n"
        );
    }
    rules += "- From `rx` to `tx` of a node there is no path within a bit time.\n";
    let [wires, wire, dropped] = match topology.as_hypercube() {
        Some(cube) => [
            format!("one each way for each of {} dimensions", cube.count()),
            "node[i].dim[d].tx".to_owned(),
            format!(
                ". In a node whose address has\n\
                 zeros some registers may never change, and tools drop them; node {} keeps all.",
                cube.nodes() - 1
            ),
        ],
        None => [
            format!(
                "{} from each node to others, by the table in that file; a {}",
                counted(topology.links(), "wire"),
                topology.summary()
            ),
            first_wire(topology),
            ". Where it follows from\n\
             a node's address that a register never changes, tools drop it: they may find fewer in one node."
                .to_owned(),
        ],
    };
    Readme {
        passes_if: "every node ends up with what it should".to_owned(),
        wires,
        rules,
        wire,
        dropped,
        ..Readme::default()
    }
}

/// A wire of a link as the module that joins the nodes calls it.
fn first_wire(topology: &dyn Topology) -> String {
    let links = topology.links();
    let mut labelled = topology.labelled().into_iter();
    let is_sent = |label: &Labelled| matches!(label.wires[..], [Tap::Driven(wire)] if wire < links);
    match labelled.find(is_sent) {
        Some(label) => format!("node[i].{}.{}", label.scope, label.name),
        None => "node[i].sent".to_owned(),
    }
}
