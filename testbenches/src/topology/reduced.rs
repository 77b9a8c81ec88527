//! Counts what is known of a reduced hypercube.

use rtl_model::closed_form::ClosedForm;
use rtl_model::embedding::reduced_hypercube::cycles::DisjointCycles;
use rtl_model::embedding::reduced_hypercube::emulation::{
    AVERAGE_DILATION, Dilations, dilation, end, path,
};
use rtl_model::embedding::reduced_hypercube::{DIAMETER, distances};
use rtl_model::machine::topology::hypercube::neighbour;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;

use crate::error::Error;
use crate::topology::count::{Size, field, found, hypercube, searched};
use crate::topology::facts::{Average, AverageFormula, Cycles, Emulation, Facts, Followed};
use crate::topology::network::NetworkName;

/// What is known of it.
///
/// # Errors
/// Of cycles that cannot be made; all of these can.
pub(super) fn facts(network: ReducedHypercube) -> Result<Facts, Error> {
    let nodes = network.nodes();
    let mut address_fields = vec![
        field("block", network.blocks_dimensions()),
        field("sub-block", network.subblock_bits()),
    ];
    if network.low_bits() > 0 {
        address_fields.push(field("low", network.low_bits()));
    }
    let size = Size {
        network: NetworkName::ReducedHypercube,
        name: network.to_string(),
        dims: network.block_dimensions(),
        nodes,
        address_fields,
        wires_per_node: network.directed_wires() / nodes,
        diameter_formula: ClosedForm::of(DIAMETER, &network.letters()).into(),
    };
    let distances = searched(nodes, || distances(network, 0));
    let shortest = distances.as_ref().and_then(|distances| {
        let dimensions = 0..network.cube().count();
        let ways: Option<Vec<usize>> = dimensions
            .map(|dimension| distances.to(neighbour(0, dimension)))
            .collect();
        ways.map(Dilations::of)
    });
    Ok(Facts {
        blocks: Some(network.subblock_bits()),
        hypercube: Some(hypercube(network.cube())),
        emulation: Some(emulation(network, shortest)),
        cycles: Some(cycles(network)?),
        ..size.facts(distances.as_ref().map(found))
    })
}

/// The paths of a node of each sub-block: nodes of one differ in nothing that paths depend on.
fn emulation(network: ReducedHypercube, shortest: Option<Dilations>) -> Emulation {
    let dimensions = || 0..network.cube().count();
    let nodes = (0..network.blocks_dimensions()).map(|subblock| network.node(0, subblock, 0));
    let all: Vec<(usize, usize)> = nodes
        .flat_map(|node| dimensions().map(move |dimension| (node, dimension)))
        .collect();
    let is_astray = |&&(node, dimension): &&(usize, usize)| {
        let path = path(network, node, dimension);
        let leads_there = end(network, node, &path) == neighbour(node, dimension);
        !leads_there || path.len() != dilation(network, node, dimension)
    };
    let counted = Dilations::of_node(network, 0);
    Emulation {
        average_dilation: counted.average().map(Average::from),
        dilation: counted,
        dilation_formula: Dilations::closed_form(network),
        shortest,
        average_dilation_formula: AverageFormula::of(AVERAGE_DILATION, &network.letters()),
        paths: all.len(),
        paths_astray: all.iter().filter(is_astray).count(),
    }
}

fn cycles(network: ReducedHypercube) -> Result<Cycles, Error> {
    let disjoint = DisjointCycles::new(network)?;
    let followed = searched(network.nodes(), || disjoint.follow());
    Ok(Cycles {
        copies: disjoint.copies(),
        levels: disjoint.cycles().levels(),
        followed: followed.map(|found| Followed {
            links: found.links,
            links_without_wire: found.without_wire,
            wires_taken: found.wires_taken,
            nodes_taken_once: found.nodes_taken_once,
        }),
    })
}
