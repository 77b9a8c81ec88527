//! Counts what is known of a network.

use rtl_model::closed_form::ClosedForm;
use rtl_model::embedding::congestion::{self, Congestion};
use rtl_model::embedding::copies::Copies;
use rtl_model::embedding::distances::{Distances, MOST_SEARCHED};
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::hypercube::{Dimensions, neighbour};

use crate::error::Error;
use crate::report::Formula;
use crate::topology::facts::{
    Average, AverageFormula, Facts, Field, Hypercube, Search, SharedCopies,
};
use crate::topology::network::{Network, NetworkName};
use crate::topology::reduced;

/// What is known of a network.
///
/// # Errors
/// Of networks that are made beside it.
pub fn facts(network: &Network) -> Result<Facts, Error> {
    Ok(match network {
        Network::Hypercube(cube) => of_hypercube(*cube),
        Network::Cycles(cycles) => of_cycles(*cycles),
        Network::Copies(copies) => of_copies(copies),
        Network::Reduced(network) => reduced::facts(*network)?,
    })
}

/// The size of a network, and its diameter by closed form.
pub(super) struct Size {
    pub network: NetworkName,
    pub name: String,
    pub dims: usize,
    pub nodes: usize,
    pub address_fields: Vec<Field>,
    pub wires_per_node: usize,
    pub diameter_formula: Formula,
}

impl Size {
    /// Facts of a network of this size, where nothing else is known.
    pub fn facts(self, search: Option<Search>) -> Facts {
        Facts {
            network: self.network.name(),
            models: self.network.models(),
            source: self.network.source(),
            name: self.name,
            dims: self.dims,
            blocks: None,
            nodes: self.nodes,
            address_fields: self.address_fields,
            wires_per_node: self.wires_per_node,
            directed_wires: self.wires_per_node * self.nodes,
            hypercube: None,
            diameter_formula: self.diameter_formula,
            average_distance_formula: None,
            most_searched_nodes: MOST_SEARCHED,
            search,
            emulation: None,
            copies: None,
            cycles: None,
        }
    }
}

pub(super) fn field(name: &'static str, bits: usize) -> Field {
    Field { name, bits }
}

pub(super) fn hypercube(cube: Dimensions) -> Hypercube {
    Hypercube {
        dims: cube.count(),
        directed_wires: cube.wires(),
    }
}

/// Where there are not too many nodes.
pub(super) fn searched<T>(nodes: usize, search: impl FnOnce() -> T) -> Option<T> {
    (nodes <= MOST_SEARCHED).then(search)
}

pub(super) fn found(distances: &Distances) -> Search {
    Search {
        reached_nodes: distances.reached(),
        diameter: distances.furthest(),
        average_distance: distances.average().map(Average::from),
    }
}

/// How far nodes of a hypercube are apart, by search.
fn search_hypercube(cube: Dimensions) -> Option<Search> {
    let (k, nodes) = (cube.count(), cube.nodes());
    let ends = |node| (0..k).map(move |dimension| neighbour(node, dimension));
    searched(nodes, || found(&Distances::from(0, nodes, ends)))
}

/// The same, on average, by closed form.
fn average_of_hypercube(cube: Dimensions) -> AverageFormula {
    AverageFormula::of("k2^(k-1)/(2^k-1)", &[("k", cube.count() as u64)])
}

fn of_hypercube(cube: Dimensions) -> Facts {
    let size = Size {
        network: NetworkName::Hypercube,
        name: format!("hypercube of k = {cube} dimensions"),
        dims: cube.count(),
        nodes: cube.nodes(),
        address_fields: vec![field("dimensions", cube.count())],
        wires_per_node: cube.count(),
        diameter_formula: ClosedForm::of("k", &[("k", cube.count() as u64)]).into(),
    };
    Facts {
        average_distance_formula: Some(average_of_hypercube(cube)),
        ..size.facts(search_hypercube(cube))
    }
}

fn of_cycles(cycles: CubeConnectedCycles) -> Facts {
    let (levels, nodes) = (cycles.levels(), cycles.nodes());
    let ends = |node| [cycles.straight(node), cycles.cross(node)];
    let size = Size {
        network: NetworkName::Ccc,
        name: format!("cube-connected cycles of n = {levels} levels"),
        dims: levels,
        nodes,
        address_fields: vec![
            field("level", (levels - 1).ilog2() as usize + 1),
            field("column", levels),
        ],
        wires_per_node: cycles.wires() / nodes,
        diameter_formula: ClosedForm::of("3n-2", &[("n", levels as u64)]).into(),
    };
    // Of as many nodes there is a hypercube where the levels are a power of two.
    let cube = levels
        .is_power_of_two()
        .then(|| Dimensions::new(nodes.ilog2() as usize));
    Facts {
        hypercube: cube.and_then(Result::ok).map(hypercube),
        ..size.facts(searched(nodes, || found(&Distances::from(0, nodes, ends))))
    }
}

fn of_copies(copies: &Copies) -> Facts {
    let (cube, levels) = (copies.dimensions(), copies.levels());
    let size = Size {
        network: NetworkName::Copies,
        name: format!(
            "hypercube of k = {cube} dimensions, and in it copies of n = {levels} levels"
        ),
        dims: cube.count(),
        nodes: cube.nodes(),
        address_fields: vec![field("dimensions", cube.count())],
        wires_per_node: cube.count(),
        diameter_formula: ClosedForm::of("n + log2(n)", &[("n", levels as u64)]).into(),
    };
    let on_wires = Congestion::of(copies).all();
    Facts {
        average_distance_formula: Some(average_of_hypercube(cube)),
        copies: Some(SharedCopies {
            copies: copies.copies(),
            levels,
            dilation: congestion::dilation(copies) as usize,
            least_congestion: *on_wires.total.start(),
            congestion: *on_wires.total.end(),
            undirected_congestion: *on_wires.undirected.end(),
        }),
        ..size.facts(search_hypercube(cube))
    }
}
