//! Figures that every report has.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use rtl_model::circuit::depth::LogicDepth;
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::report::counted;

/// The network.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Topology {
    /// What it is, such as `hypercube`.
    pub kind: &'static str,
    /// Dimensions: k of a hypercube, n of cube-connected cycles (levels), of a torus or a mesh; of a network from a file, which has
    /// none, the bits of an address.
    pub dims: usize,
    /// Nodes.
    pub nodes: usize,
    /// Wires between nodes, one for each direction.
    pub directed_wires: usize,
    /// For people: what it is and how large.
    #[serde(skip)]
    pub summary: String,
}

impl Topology {
    /// What it is, with its nodes and wires.
    pub fn in_words(&self) -> String {
        let (summary, nodes, wires) = (&self.summary, self.nodes, self.directed_wires);
        format!("{summary}: {nodes} nodes, {wires} directed wires")
    }
}

/// A formula and its value.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Formula {
    /// The form, in symbols of the parameters.
    pub text: String,
    /// Its value in this run.
    pub value: u64,
}

impl From<rtl_model::closed_form::ClosedForm> for Formula {
    fn from(form: rtl_model::closed_form::ClosedForm) -> Self {
        Formula {
            text: form.text.to_owned(),
            value: form.value,
        }
    }
}

impl From<(String, usize)> for Formula {
    fn from((text, value): (String, usize)) -> Self {
        let value = value as u64;
        Formula { text, value }
    }
}

impl Display for Formula {
    /// A constant is said once.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Formula { text, value } = self;
        match *text == value.to_string() {
            true => write!(f, "{value}"),
            false => write!(f, "{text} = {value}"),
        }
    }
}

/// Gates on the longest path from a register to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Depth {
    /// Where strobes come straight from flip-flops: out of a node and into its neighbour.
    pub node: usize,
    /// Inside the sequencer, to its registers and strobes.
    pub sequencer: usize,
    /// As the machine is: from the sequencer to nodes, and across a wire.
    pub total: usize,
}

impl From<&LogicDepth> for Depth {
    fn from(depth: &LogicDepth) -> Self {
        Depth {
            node: depth.node,
            sequencer: depth.sequencer,
            total: depth.total,
        }
    }
}

impl Display for Depth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Depth {
            node,
            sequencer,
            total,
        } = self;
        write!(
            f,
            "{total} gates between registers (nodes alone {node}, the sequencer {sequencer})"
        )
    }
}

/// Register bits of a node.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct StorageBits {
    /// All of them.
    pub total: usize,
    /// Those of each part of a node.
    #[serde(serialize_with = "as_map")]
    #[schemars(with = "BTreeMap<String, usize>")]
    pub by_part: Vec<(String, usize)>,
}

fn as_map<S: Serializer>(parts: &[(String, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(parts.len()))?;
    for (part, bits) in parts {
        map.serialize_entry(part, bits)?;
    }
    map.end()
}

/// The most that a node ever held; none of what nobody counts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Peak {
    /// The most messages at a node.
    pub messages_per_node: Option<u32>,
    /// The most message bits at a node.
    pub occupied_bits_per_node: Option<u32>,
    /// The most bits that a node was going to send on, those in flight to it among them; only where that is told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forwarding_buffer_bits: Option<u32>,
}

impl Peak {
    /// None, if nobody counted anything.
    pub fn if_counted(&self) -> Option<&Self> {
        let counted = [
            self.messages_per_node,
            self.occupied_bits_per_node,
            self.forwarding_buffer_bits,
        ];
        counted.iter().any(Option::is_some).then_some(self)
    }

    /// In words: so many things, and so many bits of the storage that hold theirs. None where nobody counts, or there are none.
    pub fn in_words(&self, (thing, theirs): (&str, &str), storage: usize) -> Option<String> {
        let things = self.messages_per_node.filter(|things| *things > 0)?;
        let bits = self.occupied_bits_per_node?;
        let things = counted(things as usize, thing);
        Some(format!(
            "at most {things}; at most {bits} of {storage} bits occupied by {theirs}"
        ))
    }
}
