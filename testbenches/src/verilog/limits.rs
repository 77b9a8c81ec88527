//! What is refused of a project: what a Verilog simulator would take too long for, and what tools need not take.

use std::fmt::Display;

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::Topology;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// The widest vector that every Verilog tool takes (IEEE 1364-2005, 4.3.1).
pub const WIDEST_VECTOR: usize = 1 << 16;
/// The largest cube that is written: Icarus takes 1.5 GB to build its 1,024 nodes of Algorithm 2.
pub const MOST_DIMENSIONS: usize = 10;
/// The most nodes of any network whose nodes all do the same in a bit time.
pub const MOST_NODES: usize = 1 << MOST_DIMENSIONS;

/// Refuses a project that is so: of what, why, and what to ask for instead.
pub(crate) fn refuse(
    is_so: bool,
    what: impl Display,
    why: impl Display,
    instead: impl Display,
) -> Result<(), Error> {
    match is_so {
        false => Ok(()),
        true => Err(
            Refusal::of(format!("a Verilog project of {what} would be unreasonable"))
                .because(why)
                .instead(format!("{instead} (`cubewave run` goes further)"))
                .into(),
        ),
    }
}

/// Refuses more nodes than are written.
pub(crate) fn check_nodes(topology: &dyn Topology) -> Result<(), Error> {
    let nodes = topology.nodes();
    let (what, most) = match topology.as_hypercube() {
        Some(dimensions) => (
            format!("{} dimensions", dimensions.count()),
            format!("1 to {MOST_DIMENSIONS} dimensions"),
        ),
        None => (
            format!("a {}", topology.summary()),
            format!("a network of {MOST_NODES} nodes at the most"),
        ),
    };
    refuse(
        nodes > MOST_NODES,
        what,
        format!("a Verilog simulator builds each of the {nodes} nodes from its gates"),
        format!("choose {most}"),
    )
}

/// Refuses ports that Verilog tools need not take.
pub(crate) fn check_ports(design: &Design, topology: &dyn Topology) -> Result<(), Error> {
    let nodes = topology.nodes();
    let mut ports = design.ports().into_iter().flatten();
    let Some((port, width)) = ports.find(|(_, width)| width * nodes > WIDEST_VECTOR) else {
        return Ok(());
    };
    let (what, whose, fewer) = match topology.as_hypercube() {
        Some(_) => (
            "these dimensions and payload bits".to_owned(),
            "cube",
            "fewer dimensions or fewer payload bits",
        ),
        None => (
            format!("such a {}", topology.summary()),
            "machine",
            "fewer nodes or shorter words",
        ),
    };
    let bits = width * nodes;
    refuse(
        true,
        what,
        format!(
            "port {port} of its {whose} would have {bits} bits, all nodes together, and Verilog tools need not take more than \
             {WIDEST_VECTOR}"
        ),
        format!("use {fewer}"),
    )
}
