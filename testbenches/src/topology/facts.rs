//! What is known of a network: counted, and by closed forms. What fields say is read by whoever asks for the schema.

use rtl_model::closed_form::fraction::Fraction;
use rtl_model::closed_form::{self, Letter};
use rtl_model::embedding::reduced_hypercube::emulation::Dilations;
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::Serializer;

use crate::report::Formula;

/// All of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Facts {
    /// The network, as one names it.
    pub network: &'static str,
    /// What the network is.
    pub models: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The network with its size, in words.
    pub name: String,
    /// Dimensions k, of a hypercube or of a building block of RH(k,n); or levels n.
    pub dims: usize,
    /// The n of RH(k,n); of other networks there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub blocks: Option<usize>,
    /// How many nodes there are.
    pub nodes: usize,
    /// The fields of a node's address, the most significant first.
    pub address_fields: Vec<Field>,
    /// Wires out of a node.
    pub wires_per_node: usize,
    /// Wires out of all nodes.
    pub directed_wires: usize,
    /// The hypercube with as many nodes, where that is another network and there is one.
    pub hypercube: Option<Hypercube>,
    /// The most links of a shortest way, by the closed form.
    #[schemars(extend("unit" = "links"))]
    pub diameter_formula: Formula,
    /// Links of a shortest way to another node on the average, by the closed form, where there is one.
    #[schemars(extend("unit" = "links"))]
    pub average_distance_formula: Option<AverageFormula>,
    /// The most nodes of a network that is searched.
    pub most_searched_nodes: usize,
    /// What was found by a search from node 0; none where there are too many nodes.
    pub search: Option<Search>,
    /// The hypercube with as many nodes, laid into a reduced one node on node.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Emulation")]
    pub emulation: Option<Emulation>,
    /// Copies of cube-connected cycles that share wires, where these are the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SharedCopies")]
    pub copies: Option<SharedCopies>,
    /// Cube-connected cycles that lie in a reduced hypercube and share nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Cycles")]
    pub cycles: Option<Cycles>,
}

/// A field of addresses.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Field {
    /// What the field says.
    pub name: &'static str,
    /// How many bits the field has.
    #[schemars(extend("unit" = "bits"))]
    pub bits: usize,
}

/// A hypercube.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hypercube {
    /// Dimensions of that hypercube, and wires out of a node.
    pub dims: usize,
    /// Wires out of all its nodes.
    pub directed_wires: usize,
}

/// An average, to the last digit and as a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Average {
    /// The average as a fraction, to the last digit.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub fraction: Fraction,
    /// The average as a number.
    pub value: f64,
}

fn as_text<S: Serializer>(fraction: &Fraction, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(fraction)
}

impl From<Fraction> for Average {
    fn from(fraction: Fraction) -> Self {
        let value = fraction.value();
        Average { fraction, value }
    }
}

/// A closed form of an average.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AverageFormula {
    /// The closed form as it is written.
    pub text: &'static str,
    /// Its value here.
    #[serde(flatten)]
    pub average: Average,
}

impl AverageFormula {
    /// Evaluated.
    pub fn of(text: &'static str, letters: &[Letter<'_>]) -> Self {
        let average = closed_form::exact_value(text, letters).into();
        AverageFormula { text, average }
    }
}

/// What was found from node 0.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Search {
    /// Nodes to which a way leads, node 0 among them.
    pub reached_nodes: usize,
    /// Links of a shortest way to the furthest node.
    #[schemars(extend("unit" = "links"))]
    pub diameter: usize,
    /// Links of a shortest way to another node, on the average.
    #[schemars(extend("unit" = "links"))]
    pub average_distance: Option<Average>,
}

/// The hypercube with as many nodes, laid into a network node on node.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Emulation {
    /// How many links of a node have which dilation, counted along their paths.
    #[serde(serialize_with = "as_list")]
    #[schemars(with = "Vec<Links>")]
    pub dilation: Dilations,
    /// The same by the closed form.
    #[serde(serialize_with = "as_list")]
    #[schemars(with = "Vec<Links>")]
    pub dilation_formula: Dilations,
    /// By shortest ways that the search found.
    #[serde(skip)]
    pub shortest: Option<Dilations>,
    /// The dilation of a link on the average, over all links of a node.
    #[schemars(extend("unit" = "wires"))]
    pub average_dilation: Option<Average>,
    /// The same by the closed form.
    #[schemars(extend("unit" = "wires"))]
    pub average_dilation_formula: AverageFormula,
    /// Paths that were followed: out of one node of each kind.
    pub paths: usize,
    /// Of these paths, those that do not lead to the neighbour, or are of another length than the table says.
    pub paths_astray: usize,
}

/// Links of one dilation.
#[derive(Serialize, JsonSchema)]
struct Links {
    /// Wires of the path of such a link.
    #[schemars(extend("unit" = "wires"))]
    dilation: usize,
    /// How many links of a node have it.
    links: usize,
}

fn as_list<S: Serializer>(dilations: &Dilations, serializer: S) -> Result<S::Ok, S::Error> {
    let links = dilations.links();
    serializer.collect_seq(links.map(|(dilation, links)| Links { dilation, links }))
}

/// Copies of cube-connected cycles that share wires.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SharedCopies {
    /// How many copies there are.
    pub copies: usize,
    /// Levels of each copy.
    pub levels: usize,
    /// The most wires of the path of a link.
    #[schemars(extend("unit" = "wires"))]
    pub dilation: usize,
    /// The fewest links on a directed wire.
    #[schemars(extend("unit" = "links"))]
    pub least_congestion: usize,
    /// The most links on a directed wire.
    #[schemars(extend("unit" = "links"))]
    pub congestion: usize,
    /// The most links on the two wires between two nodes.
    #[schemars(extend("unit" = "links"))]
    pub undirected_congestion: usize,
}

/// Cube-connected cycles that share nothing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cycles {
    /// How many copies there are.
    pub copies: usize,
    /// Levels of each copy.
    pub levels: usize,
    /// What was found when all links were followed; none where there are too many nodes.
    pub followed: Option<Followed>,
}

/// What was found when all links were followed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Followed {
    /// How many links were followed.
    pub links: usize,
    /// Of these links, those whose ends no wire joins.
    pub links_without_wire: usize,
    /// Directed wires on which one link lies.
    pub wires_taken: usize,
    /// Nodes on which one node of one copy lies.
    pub nodes_taken_once: usize,
}
