//! A testbench as a Verilog project: the router's own description written down, with a testbench in Verilog that sends the
//! same traffic and expects what the traffic says. What the projects of all families have is here; what a machine is and how
//! its host talks to it is the family's.

mod begun;
pub(crate) mod contents;
pub(crate) mod hex;
pub(crate) mod limits;
pub(crate) mod readme;
pub(crate) mod rounds;
pub(crate) mod testbench;
pub(crate) mod view;

use rtl_model::circuit::verilog::Design;
use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::report::{Depth, Entry, Formula, Meta, Section, value};
pub use begun::Begun;
pub use limits::{MOST_DIMENSIONS, MOST_NODES, WIDEST_VECTOR};
pub use rounds::FirstRound;

/// What to type in a project's folder: compile, then run.
pub(crate) fn commands(machine: &Design) -> [String; 2] {
    let files = machine.files().into_iter().map(|(file, _)| file);
    let files: Vec<String> = files.collect();
    [
        format!("iverilog -g2005 -o tb.vvp {} tb.v", files.join(" ")),
        "vvp tb.vvp".to_owned(),
    ]
}

/// The dump that the Verilog testbench writes when asked to.
pub(crate) const DUMP: &str = "tb.vcd";

/// Storage, as registers of the exported modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FlipFlops {
    /// Flip-flops of each node.
    pub node: usize,
    /// Flip-flops of the sequencer, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub sequencer: Option<usize>,
}

/// A port of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Port {
    /// The port's name.
    pub name: String,
    /// Bits of the port for each node.
    #[schemars(extend("unit" = "bits"))]
    pub bits_per_node: usize,
}

/// Ports of nodes that are loaded.
const HOST_WRITES: Entry =
    Entry::of::<Vec<Port>>("host_writes", "Ports by which the host loads nodes");
/// Ports of nodes that are read as a whole.
const HOST_READS: Entry =
    Entry::of::<Vec<Port>>("host_reads", "Ports by which the host reads nodes");
/// Ports of wires from hosts.
const FROM_HOST: Entry =
    Entry::of::<Vec<Port>>("from_host", "Ports that hosts drive while the machine runs");
/// Ports of wires to hosts.
const TO_HOST: Entry =
    Entry::of::<Vec<Port>>("to_host", "Ports that hosts read while the machine runs");

/// Of nodes that are loaded and read as a whole.
pub const OF_LOADED: &[Entry] = &[HOST_WRITES, HOST_READS];
/// Of nodes that are loaded, and have hosts in every bit time.
pub const OF_LOADED_WITH_HOSTS: &[Entry] = &[HOST_WRITES, FROM_HOST, TO_HOST];
/// Of nodes that have hosts in every bit time.
pub const OF_HOSTS: &[Entry] = &[FROM_HOST, TO_HOST];

/// What a project says; beside it, what was chosen, and what the family says of the machine and its traffic.
pub const OF_PROJECTS: &[Entry] = &[
    Entry::of::<String>("bench", "The testbench"),
    Entry::of::<u64>(
        "dims",
        "Dimensions of the hypercube or of a building block, or levels",
    ),
    Entry::of::<u64>("nodes", "Nodes of the machine"),
    Entry::of::<Formula>(
        "bit_times_formula",
        "The closed form of the bit times of a round",
    )
    .unit("bit times"),
    Entry::of::<FlipFlops>(
        "flip_flops",
        "Registers of the exported modules, before a tool drops any",
    )
    .unit("flip-flops"),
    Entry::of::<Depth>(
        "logic_depth",
        "Gates on the longest path from a register to a register",
    )
    .unit("gates"),
    Entry::of::<String>("folder", "The folder of the project"),
    Entry::of::<Vec<String>>("files", "Files that were written into the folder"),
    Entry::of::<String>(
        "kept_view",
        "A view, or its filter, that was edited and so is left as it is, where there is one",
    ),
    Entry::of::<[String; 2]>(
        "commands",
        "What to type in the folder: one line compiles, the other runs",
    ),
];

/// The ports of a machine, as far as there are any.
fn ports(machine: &Design) -> Section {
    let port = |(name, width): &(String, usize)| Port {
        name: name.clone(),
        bits_per_node: *width,
    };
    let all = [
        (HOST_WRITES, &machine.host_writes),
        (HOST_READS, &machine.host_reads),
        (FROM_HOST, &machine.from_host),
        (TO_HOST, &machine.to_host),
    ];
    let all = all.into_iter().filter(|(_, ports)| !ports.is_empty());
    all.map(|(entry, ports)| {
        (
            entry.path,
            value(&ports.iter().map(port).collect::<Vec<_>>()),
        )
    })
    .collect()
}

/// A project that was written.
#[derive(Clone, Debug)]
pub struct Project {
    /// The testbench.
    pub bench: &'static str,
    /// What was chosen of it, by what that is called: the schedule, the network.
    pub choice: (&'static str, Option<&'static str>),
    /// Dimensions of the cube, or levels.
    pub dims: usize,
    /// Nodes.
    pub nodes: usize,
    /// What the family says of the machine and its traffic.
    pub facts: Section,
    /// Gates on the longest path between two registers.
    pub logic_depth: Depth,
    /// Ports of the machine.
    pub ports: Section,
    /// The folder.
    pub folder: String,
    /// What was written into it.
    pub files: Vec<String>,
    /// A view, or its filter, that was edited and so is left as it is.
    pub kept_view: Option<String>,
    /// What to type there.
    pub commands: [String; 2],
    /// Where it comes from.
    pub meta: Meta,
    /// What stands between the files and the commands, for people.
    pub lines: Vec<(&'static str, String)>,
}

impl Serialize for Project {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("bench", self.bench)?;
        map.serialize_entry(self.choice.0, &self.choice.1)?;
        map.serialize_entry("dims", &self.dims)?;
        map.serialize_entry("nodes", &self.nodes)?;
        for (name, value) in &self.facts {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry("logic_depth", &self.logic_depth)?;
        for (name, value) in &self.ports {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry("folder", &self.folder)?;
        map.serialize_entry("files", &self.files)?;
        if let Some(kept) = &self.kept_view {
            map.serialize_entry("kept_view", kept)?;
        }
        map.serialize_entry("commands", &self.commands)?;
        map.end()
    }
}

/// A testbench, and what was chosen of it.
pub(crate) fn called(bench: &str, choice: (&str, Option<&str>)) -> String {
    match choice {
        (_, None) => bench.to_owned(),
        (what, Some(name)) => format!("{bench}, {what} {name}"),
    }
}

impl Project {
    /// Something that the family says of the machine and its traffic, by its name; null if it says no such thing.
    pub fn fact(&self, name: &str) -> &Value {
        let fact = self.facts.iter().find(|(known, _)| *known == name);
        fact.map_or(&Value::Null, |(_, value)| value)
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} nodes as Verilog in {}\n\n  files        {}\n",
            called(self.bench, self.choice),
            self.nodes,
            self.folder,
            self.files.join(" "),
        );
        if let Some(kept) = &self.kept_view {
            text +=
                &format!("  kept         {kept}, which was edited; so the view has another name\n");
        }
        for (name, line) in &self.lines {
            text += &format!("  {name:<11}  {line}\n");
        }
        let [compile, run] = &self.commands;
        text + &format!("\nthere, with Icarus Verilog:\n  {compile}\n  {run}\n")
    }
}
