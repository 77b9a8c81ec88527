//! What a project is asked for by, and what of that is refused before traffic is drawn.

use std::ops::Deref;
use std::path::PathBuf;

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::Topology;

use crate::error::Error;
use crate::folder::Folder;
use crate::lockstep::Identity;
use crate::options::{Input, VerilogOptions};
use crate::report::Section;
use crate::verilog::rounds::rounds_again;
use crate::verilog::unreasonable;
use crate::verilog::{Origin, WIDEST_VECTOR};

/// The largest cube that is written: Icarus takes 1.5 GB to build its 1,024 nodes of Algorithm 2.
pub const MOST_DIMENSIONS: usize = 10;
/// The most nodes of any network.
pub const MOST_NODES: usize = 1 << MOST_DIMENSIONS;

/// What a testbench says of a project, beside its machine and traffic.
#[derive(Clone, Debug)]
pub struct Exported {
    /// What the heads of files say first.
    pub identity: Identity,
    /// What was chosen of it, by what that is called: the schedule, the algorithm. None if there is only one way.
    pub choice: (&'static str, Option<&'static str>),
    /// The command that asks for the same machine as Verilog again, defaults spelled out, without its traffic and `--out`.
    pub command: String,
    /// The same as it stands before the file of its first round, without what means nothing beside that.
    pub again: String,
    /// How the first round is asked for again.
    pub first_round: FirstRound,
    /// What traffic and later rounds are drawn from, if it takes such an option.
    pub seed: Option<u64>,
    /// Where the project comes from.
    pub origin: Origin,
    /// What the router relies on and cannot see.
    pub relies_on: Option<&'static str>,
    /// What is told of the machine and its traffic, before the closed form of its bit times.
    pub facts: Section,
}

/// The file of a project that has the traffic of its first round
/// ([`traffic_file`](crate::lockstep::Stimulus::traffic_file)), and how it is asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRound {
    /// The file's name.
    pub file: &'static str,
    /// The option that reads the file, with its dashes. None where traffic is always drawn: the command and the seed then say
    /// what, and the file is there to be looked at.
    pub option: Option<&'static str>,
}

impl FirstRound {
    /// Of what has traffic.
    pub const TRAFFIC: Self = FirstRound {
        file: "traffic.csv",
        option: Some("--traffic-file"),
    };
    /// Of what has values.
    pub const VALUES: Self = FirstRound {
        file: "values.csv",
        option: Some("--values"),
    };

    /// As it stands on a command line behind the machine, of that seed.
    pub(super) fn words(self, seed: Option<u64>) -> String {
        match self.option {
            Some(option) => format!(" {option} {}", self.file),
            None => seed.map_or(String::new(), |seed| format!(" --seed {seed}")),
        }
    }

    /// The same with so many rounds, the later ones of that seed too.
    pub(super) fn words_of_rounds(self, rounds: usize, seed: Option<u64>) -> String {
        let words = self.words(seed);
        match (self.option, seed) {
            (Some(_), Some(seed)) => rounds_again(&words[1..], rounds, seed),
            _ => format!("{words} --rounds {rounds}"),
        }
    }
}

/// A project that was asked for: its folder and its size are checked, and nothing is drawn.
#[derive(Debug)]
pub struct Plan {
    pub(super) folder: Folder,
    pub(super) rounds: usize,
    /// The folder as it was asked for.
    pub(super) shown: PathBuf,
}

impl Plan {
    /// Checks what is asked for; `inputs` are the files that are read.
    ///
    /// # Errors
    /// A folder that cannot be written, or is not empty; more nodes, or rounds, than are written.
    pub fn new(
        options: &VerilogOptions,
        inputs: &[Input<'_>],
        topology: &dyn Topology,
    ) -> Result<Self, Error> {
        Self::begun(options, inputs, || Ok(topology))
    }

    /// The same where the network itself may be refused, after the folder.
    ///
    /// # Errors
    /// As [`Plan::new`]; what is refused of the network.
    pub fn begun<T: Deref<Target: Topology>>(
        options: &VerilogOptions,
        inputs: &[Input<'_>],
        topology: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Self, Error> {
        let mut folder = Folder::plan(&options.out, options.force)?;
        inputs.iter().for_each(|input| folder.keep(*input));
        let topology = topology()?;
        let nodes = topology.nodes();
        if nodes > MOST_NODES {
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
            return Err(unreasonable(what)
                .because(format!(
                    "its traffic.hex and expected.hex have a line for each of the {nodes} nodes, and a Verilog simulator builds \
                     every node from its gates"
                ))
                .instead(format!("choose {most} (`cubewave run` goes further)"))
                .into());
        }
        Ok(Plan {
            folder,
            rounds: options.rounds(nodes)?,
            shown: options.out.clone(),
        })
    }
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
