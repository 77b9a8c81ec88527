//! Figures that every report has.

use std::fmt::{self, Display, Formatter};

use rtl_model::circuit::depth::LogicDepth;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::report::counted;

/// The network.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Topology {
    /// As `hypercube`.
    pub kind: &'static str,
    /// `k`, or `n` levels.
    pub dims: usize,
    /// How many.
    pub nodes: usize,
    /// Between nodes.
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct Formula {
    /// In `k` and `D`, or what else the family writes its forms in.
    pub text: String,
    /// Here.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct StorageBits {
    /// All.
    pub total: usize,
    /// In the order of the description.
    #[serde(serialize_with = "as_map")]
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct Peak {
    /// Messages.
    pub messages_per_node: Option<u32>,
    /// Message bits.
    pub occupied_bits_per_node: Option<u32>,
    /// Bits that it was going to send on, those in flight to it among them; only where that is told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forwarding_buffer_bits: Option<u32>,
}

impl Peak {
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
