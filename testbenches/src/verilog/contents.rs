//! What a project is made of: what a kind of machine adds to what the projects of all have.

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::device::Device;
use waves::gtkwave::{FileNames, View};

use crate::error::Error;
use crate::report::{Formula, Section, value};
use crate::verilog::FlipFlops;
use crate::verilog::readme::Readme;
use crate::verilog::testbench::Testbench;

/// A project, as a value.
pub(crate) struct Contents {
    /// The machine.
    pub hardware: Hardware,
    /// What is said of the machine and its traffic, beside what is chosen and the size.
    pub facts: Section,
    /// What each round sends, for people.
    pub rounds: Vec<String>,
    /// The traffic of the first round, as an option reads it.
    pub traffic_file: String,
    /// What `tb.v` reads.
    pub memories: Vec<Memory>,
    /// What it promises, for tools that prove it, if that is asked for.
    pub properties: Option<String>,
    /// The view of what it dumps, and what its files are called.
    pub view: Option<(FileNames, View)>,
    /// What `tb.v` does bit time by bit time, and what it compares.
    pub testbench: Testbench,
    /// What people are told.
    pub readme: Readme,
}

/// A machine that is written down.
pub(crate) struct Hardware {
    /// Dimensions of the cube, or levels.
    pub dims: usize,
    /// Nodes.
    pub nodes: usize,
    /// Its modules.
    pub design: Design,
    /// The address, as a number, of a node that may well have a use for all of them.
    pub address: usize,
    /// Its registers.
    pub flip_flops: FlipFlops,
    /// Gates on the longest path between two registers.
    pub depth: LogicDepth,
    /// When it is done.
    pub end: End,
}

/// When a machine is done.
pub(crate) enum End {
    /// Its sequencer says so, after as many bit times in every round.
    Sequenced(Formula),
    /// Hosts see it, and `bit_times` of `tb.v` has what is due in a round.
    Seen {
        /// The condition, in Verilog.
        is_done: &'static str,
        /// The bit times of the first round, for people.
        bit_times: String,
    },
}

/// A memory of `tb.v`, and the file that it is read from, which is called as it is.
pub(crate) struct Memory {
    pub name: &'static str,
    /// What it holds, for people.
    pub holds: String,
    /// The number of its last bit, and of its last word, in Verilog.
    pub last: [String; 2],
    /// What the file holds, as `$readmemh` reads it.
    pub contents: String,
}

impl Hardware {
    /// A machine that a sequencer steers; its files begin with this title.
    ///
    /// # Errors
    /// Of a machine whose logic has no longest path.
    pub fn of_device(device: &dyn Device, title: &str) -> Result<Self, Error> {
        let topology = device.topology();
        Ok(Hardware {
            dims: topology.dims(),
            nodes: topology.nodes(),
            design: device.design(title),
            address: (1 << topology.address_bits()) - 1,
            flip_flops: FlipFlops {
                node: device.storage().total,
                sequencer: Some(device.sequencer_storage().total),
            },
            depth: device.logic_depth()?,
            end: End::Sequenced(device.bit_times().into()),
        })
    }

    /// The bit times of the first round, for people.
    pub fn bit_times(&self) -> String {
        match &self.end {
            End::Sequenced(form) => form.value.to_string(),
            End::Seen { bit_times, .. } => bit_times.clone(),
        }
    }

    /// What is said of it, behind what is said of its traffic.
    pub fn facts(&self) -> Section {
        let form = match &self.end {
            End::Sequenced(form) => Some(("bit_times_formula", value(form))),
            End::Seen { .. } => None,
        };
        let flip_flops = ("flip_flops", value(&self.flip_flops));
        form.into_iter().chain([flip_flops]).collect()
    }

    /// The same for people.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let FlipFlops { node, sequencer } = self.flip_flops;
        let of_node = format!("{node} a node");
        let depth = &self.depth;
        let all = format!("{} gates", depth.total);
        let (registers, gates) = match sequencer {
            None => (of_node, all),
            Some(sequencer) => (
                format!("{of_node}, {sequencer} in the sequencer"),
                format!("{all} (node {}, sequencer {})", depth.node, depth.sequencer),
            ),
        };
        let bit_times = match &self.end {
            End::Sequenced(form) => form.to_string(),
            End::Seen { bit_times, .. } => bit_times.clone(),
        };
        vec![
            ("flip-flops", registers),
            ("logic depth", gates),
            ("bit times", bit_times),
        ]
    }
}

impl Memory {
    /// Its file.
    pub fn file(&self) -> String {
        format!("{}.hex", self.name)
    }
}
