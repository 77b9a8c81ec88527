//! What is known of a network: counted, and by closed forms.

use rtl_model::closed_form::fraction::Fraction;
use rtl_model::closed_form::{self, Letter};
use rtl_model::embedding::reduced_hypercube::emulation::Dilations;
use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeStruct, Serializer};

use crate::report::Formula;

/// All of it.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// As one names it.
    pub network: &'static str,
    /// What it is.
    pub models: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// With its size.
    pub name: String,
    /// `k`, or `n` levels.
    pub dims: usize,
    /// `n` of RH(k,n).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<usize>,
    /// How many.
    pub nodes: usize,
    /// Of a node's address, the most significant first.
    pub address_fields: Vec<Field>,
    /// Out of a node.
    pub wires_per_node: usize,
    /// Out of all nodes.
    pub directed_wires: usize,
    /// The hypercube with as many nodes, where that is another network and there is one.
    pub hypercube: Option<Hypercube>,
    /// The most links of a shortest way.
    pub diameter_formula: Formula,
    /// Links of a shortest way to another node; only where there is a closed form.
    pub average_distance_formula: Option<AverageFormula>,
    /// The most nodes that are searched.
    pub most_searched_nodes: usize,
    /// What was found from node 0; none where there are more nodes than that.
    pub search: Option<Search>,
    /// The hypercube with as many nodes, laid into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emulation: Option<Emulation>,
    /// Copies of cube-connected cycles that share wires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<SharedCopies>,
    /// Cube-connected cycles that share nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<Cycles>,
}

/// A field of addresses.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// What it says.
    pub name: &'static str,
    /// How many.
    pub bits: usize,
}

/// A hypercube.
#[derive(Clone, Debug, Serialize)]
pub struct Hypercube {
    /// Dimensions, and wires out of a node.
    pub dims: usize,
    /// Out of all nodes.
    pub directed_wires: usize,
}

/// An average, to the last digit and as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Average(pub Fraction);

impl Serialize for Average {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut average = serializer.serialize_struct("Average", 2)?;
        average.serialize_field("fraction", &self.0.to_string())?;
        average.serialize_field("value", &self.0.value())?;
        average.end()
    }
}

/// A closed form of an average.
#[derive(Clone, Debug, Serialize)]
pub struct AverageFormula {
    /// As it is written.
    pub text: &'static str,
    /// Here.
    #[serde(flatten)]
    pub average: Average,
}

impl AverageFormula {
    /// Evaluated.
    pub fn of(text: &'static str, letters: &[Letter<'_>]) -> Self {
        let average = Average(closed_form::exact_value(text, letters));
        AverageFormula { text, average }
    }
}

/// What was found from node 0.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// Nodes to which a way leads, node 0 among them.
    pub reached_nodes: usize,
    /// Links to the furthest.
    pub diameter: usize,
    /// Links to any other.
    pub average_distance: Option<Average>,
}

/// The hypercube with as many nodes, laid into a network node on node.
#[derive(Clone, Debug, Serialize)]
pub struct Emulation {
    /// Links of a node by dilation, counted along their paths.
    #[serde(serialize_with = "as_list")]
    pub dilation: Dilations,
    /// The closed form.
    #[serde(serialize_with = "as_list")]
    pub dilation_formula: Dilations,
    /// By shortest ways that the search found.
    #[serde(skip)]
    pub shortest: Option<Dilations>,
    /// Over all links of a node.
    pub average_dilation: Option<Average>,
    /// The closed form.
    pub average_dilation_formula: AverageFormula,
    /// Paths that were followed: out of one node of each kind.
    pub paths: usize,
    /// Of them, those that do not lead to the neighbour, or that are not as in the table.
    pub paths_astray: usize,
}

fn as_list<S: Serializer>(dilations: &Dilations, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Entry {
        dilation: usize,
        links: usize,
    }
    let mut list = serializer.serialize_seq(None)?;
    for (dilation, links) in dilations.links() {
        list.serialize_element(&Entry { dilation, links })?;
    }
    list.end()
}

/// Copies of cube-connected cycles that share wires.
#[derive(Clone, Debug, Serialize)]
pub struct SharedCopies {
    /// How many.
    pub copies: usize,
    /// Of each.
    pub levels: usize,
    /// The most wires of a link.
    pub dilation: usize,
    /// The fewest links on a directed wire.
    pub least_congestion: usize,
    /// The most.
    pub congestion: usize,
    /// The most on the two wires between two nodes.
    pub undirected_congestion: usize,
}

/// Cube-connected cycles that share nothing.
#[derive(Clone, Debug, Serialize)]
pub struct Cycles {
    /// How many.
    pub copies: usize,
    /// Of each.
    pub levels: usize,
    /// What was found when all links were followed; none where there are too many nodes.
    pub followed: Option<Followed>,
}

/// What was found when all links were followed.
#[derive(Clone, Debug, Serialize)]
pub struct Followed {
    /// How many.
    pub links: usize,
    /// Of them, those whose ends no wire joins.
    pub links_without_wire: usize,
    /// Directed wires on which one lies.
    pub wires_taken: usize,
    /// Nodes on which one node of one copy lies.
    pub nodes_taken_once: usize,
}
