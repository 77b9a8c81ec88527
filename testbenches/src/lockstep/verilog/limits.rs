//! What is refused of a project: more nodes than a Verilog simulator builds, wider ports than tools need take.

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::Topology;

use crate::error::Error;
use crate::verilog::{WIDEST_VECTOR, unreasonable};

/// The largest cube that is written: Icarus takes 1.5 GB to build its 1,024 nodes of Algorithm 2.
pub const MOST_DIMENSIONS: usize = 10;
/// The most nodes of any network.
pub const MOST_NODES: usize = 1 << MOST_DIMENSIONS;

/// Refuses more nodes than are written, before traffic is drawn.
pub(crate) fn check_nodes(topology: &dyn Topology) -> Result<(), Error> {
    let nodes = topology.nodes();
    if nodes <= MOST_NODES {
        return Ok(());
    }
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
    Err(unreasonable(what)
        .because(format!(
            "its traffic.hex and expected.hex have a line for each of the {nodes} nodes, and a Verilog simulator builds every node \
             from its gates"
        ))
        .instead(format!("choose {most} (`cubewave run` goes further)"))
        .into())
}

/// Refuses ports that Verilog tools need not take.
pub(super) fn check_ports(design: &Design, topology: &dyn Topology) -> Result<(), Error> {
    let nodes = topology.nodes();
    let mut ports = design.host_writes.iter().chain(&design.host_reads);
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
    Err(unreasonable(what)
        .because(format!(
            "port {port} of its {whose} would have {bits} bits, all nodes together, and Verilog tools need not take more than \
             {WIDEST_VECTOR}"
        ))
        .instead(format!("use {fewer}"))
        .into())
}
