//! What the command line refuses, and why: a [`Refusal`] next to the code that refuses it. A variant of its own has what code
//! asks for.

pub mod refusal;

use std::io;
use std::path::{Path, PathBuf};

use rtl_model::csv_file::visible;
use rtl_model::error::Error as ModelError;

use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::near::nearest;

/// A path, as messages have it: on a line.
pub(super) fn shown_path(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// Bad usage or input: shown as it is, exit status 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What the code that refuses it says.
    #[error("{0}")]
    Refusal(Refusal),

    /// The model refuses it.
    #[error(transparent)]
    Model(#[from] ModelError),

    /// A name that is not in a list.
    #[error("there is no {what} `{}`{}; there are: {}", visible(.name), nearest_hint(.name, .known), .known.join(", "))]
    Unknown {
        /// What the name should name.
        what: &'static str,
        /// As given.
        name: String,
        /// The list.
        known: Vec<&'static str>,
    },

    /// What was met at a point of a sweep.
    #[error("{point}: {reason}")]
    AtPoint {
        /// Its machine and its traffic.
        point: String,
        /// What it was.
        reason: Box<Error>,
    },

    /// It is over, and the first rank says what came of it.
    #[error("the first rank reports")]
    ReportedElsewhere,

    /// What all ranks know of, and end because of: the first says it.
    #[error("{0}")]
    Agreed(#[source] Box<Error>),

    /// What another rank met at a point.
    #[error("{said}")]
    AtPointOnRank {
        /// What it says: the point and the reason.
        said: String,
    },

    /// Ctrl-C, or the system's wish to end.
    #[error("interrupted: {}", interrupt::left())]
    Interrupted,

    /// What clap has to say of a command line: why it refuses it, or help.
    #[error("{0}")]
    CommandLine(#[from] clap::Error),

    // What is below has its words here, and not yet next to the code that refuses it: mostly that of worms.
    /// A plot with nothing to compare.
    #[error(
        "--plot draws {what} against {against}: with {only} alone each curve would be a single point; measure at least \
         two, as in {example}"
    )]
    NothingVaries {
        /// What is drawn.
        what: &'static str,
        /// And against what.
        against: &'static str,
        /// What all points have in common.
        only: String,
        /// What to write.
        example: String,
    },

    /// A plot that could not be drawn.
    #[error("cannot draw the plot: {reason}")]
    Undrawable {
        /// What the drawing library says.
        reason: String,
    },

    /// A load so small that its messages are waited for for hours.
    #[error(
        "--offered-load {load:e}: a run that chooses its own length waits for messages of every node, here for about {hours:.1} \
         hours, going by a smaller one that was run just now: offer more, or give --warm-up and --measurement"
    )]
    LoadTakesHours {
        /// As asked for.
        load: f64,
        /// The estimate.
        hours: f64,
    },

    /// A load so small that a run that chooses its own length has no message to expect.
    #[error(
        "--offered-load {load:e}: in the longest run, {bit_times} bit times of {nodes} nodes, less than one message is to be \
         expected: offer {least:.1e} or more, or give --measurement"
    )]
    NoMessageToExpect {
        /// As asked for.
        load: f64,
        /// To the end of the longest measurement.
        bit_times: u64,
        /// Of the machine.
        nodes: usize,
        /// A load at which there is one.
        least: f64,
    },

    /// An option that means nothing to this network.
    #[error("network {network} takes no {option}: {why}")]
    NotOfNetwork {
        /// The network.
        network: &'static str,
        /// The option.
        option: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// Virtual channels of which this network does not have so many.
    #[error(
        "network {network} takes {}, not {virtual_channels}: {why}; leave --virtual-channels out",
        match most {
            1 => "1 virtual channel".to_owned(),
            most => format!("1 to {most} virtual channels"),
        }
    )]
    ChannelsOfNetwork {
        /// The network.
        network: &'static str,
        /// As asked for.
        virtual_channels: usize,
        /// The most that it has.
        most: usize,
        /// The reason.
        why: &'static str,
    },

    /// More copies than there are, or none.
    #[error("{used} copies in use are out of range: there are {copies}, choose 1 to {copies}")]
    CopiesInUse {
        /// As asked for.
        used: usize,
        /// How many there are.
        copies: usize,
    },

    /// Something that an algorithm does not take, though others may.
    #[error("{by}: {why}")]
    Refused {
        /// What the algorithm is called.
        by: &'static str,
        /// What is wrong, and what it takes.
        why: String,
    },

    /// A list of numbers or names that cannot be read, or says nothing.
    #[error("{option}: {why}")]
    List {
        /// The option.
        option: &'static str,
        /// The item, and what is wrong with it.
        why: String,
    },

    /// A phase of continuous injection in which more messages would be created than there is memory for.
    #[error(
        "{option} {bit_times}: about {messages} messages would be created, and there is no memory for more than {fit}: give \
         {most} bit times at the most"
    )]
    PhaseDoesNotFit {
        /// The option.
        option: &'static str,
        /// As given.
        bit_times: u64,
        /// Of all phases.
        messages: u64,
        /// How many there is memory for.
        fit: u64,
        /// The longest for which there is.
        most: u64,
    },

    /// A phase of continuous injection that is too short or too long.
    #[error("{option} {bit_times} is out of range: choose {least} to {most} bit times")]
    Phase {
        /// The option.
        option: &'static str,
        /// As given.
        bit_times: u64,
        /// The shortest that is accepted.
        least: u64,
        /// The longest.
        most: u64,
    },

    /// A message that is too short or too long.
    #[error("a message of {bits} bits is out of range: choose 1 to {limit}")]
    MessageBits {
        /// As asked for.
        bits: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// An option that means nothing to this testbench.
    #[error("testbench {bench} takes no {option}: {why}")]
    NotApplicable {
        /// The testbench.
        bench: &'static str,
        /// The option.
        option: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// A testbench of which no run can be planned.
    #[error("no run of testbench {bench} can be planned: {why}")]
    NotPlanned {
        /// The testbench.
        bench: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// A message to be followed that there is not.
    #[error(
        "--trace-message: there is no message `{text}`: {}",
        match .messages {
            0 => "none is sent".to_owned(),
            messages => format!(
                "give SOURCE->DESTINATION, as in \"{example}\", or a number in the order of traffic, 0 to {}",
                messages - 1
            ),
        }
    )]
    TraceMessage {
        /// As given.
        text: String,
        /// How many there are.
        messages: usize,
        /// What the first of them is called.
        example: String,
    },

    /// A Verilog project of too many wormhole switches.
    #[error(
        "a Verilog project of {nodes} nodes would be unreasonable: a Verilog simulator builds every switch from its \
         gates, {} all together, and {most} are the most: use fewer --dims{} (`cubewave run` goes further)",
        .nodes * .switches, if *.switches > 1 { " or --copies" } else { "" }
    )]
    TooManySwitchesForVerilog {
        /// Nodes of such a network.
        nodes: usize,
        /// Switches of a node.
        switches: usize,
        /// The most that are written, all nodes together.
        most: usize,
    },

    /// Worms that are too long for a Verilog testbench.
    #[error(
        "a Verilog project of these messages would be unreasonable: traffic.hex would have {lines} lines of {bits} bits \
         each, and its testbench takes lines of {widest} at the most, {most} bits in all: use fewer --message-bits, or fewer messages"
    )]
    WormsTooLongForVerilog {
        /// Switches of all nodes.
        lines: usize,
        /// Bits of the longest worm.
        bits: usize,
        /// Of one worm, at the most.
        widest: usize,
        /// Of all lines together, at the most.
        most: usize,
    },

    /// A report that could not be printed.
    #[error("cannot print the report: {reason}")]
    Unprintable {
        /// What the system says.
        reason: io::Error,
    },

    /// A file that cannot be written.
    #[error("cannot write {}: {reason}", shown_path(.path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

impl Error {
    pub(crate) fn no_threads(says: impl std::fmt::Display) -> Self {
        Refusal::of("cannot begin: the system gives no threads")
            .because(says)
            .into()
    }

    /// The kind of reason for which a sweep goes without a point, if it is one that a testbench has.
    pub fn kind_together(&self) -> Option<&'static str> {
        match self {
            Error::Refusal(refusal) | Error::Model(ModelError::Refusal(refusal)) => {
                refusal.kind_together()
            }
            Error::Refused { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Whether one point of a sweep cannot be, though each of its coordinates can: a sweep goes without such points.
    pub fn concerns_one_point(&self) -> bool {
        self.kind_together().is_some()
            || matches!(
                self,
                Error::NoMessageToExpect { .. }
                    | Error::CopiesInUse { used: 1.., .. }
                    | Error::Model(ModelError::NoTransposeAtOddDimensions { .. })
            )
    }
}

/// ` (did you mean X?)` where a known name is near.
fn nearest_hint(name: &str, known: &[&'static str]) -> String {
    let nearest = nearest(name, known.iter().copied());
    did_you_mean(nearest.map(str::to_owned).as_slice())
}

/// ` (did you mean X or Y?)` where there is something.
pub(crate) fn did_you_mean(all: &[String]) -> String {
    let quoted: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (did you mean {last}?)"),
        Some((last, others)) => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_right_is_guessed() {
        let message = |name: &str| {
            Error::Unknown {
                what: "router",
                name: name.to_owned(),
                known: vec!["enumeration", "packing", "kuszmaul"],
            }
            .to_string()
        };
        assert_eq!(
            message("kuzmaul"),
            "there is no router `kuzmaul` (did you mean `kuszmaul`?); there are: enumeration, packing, kuszmaul"
        );
        assert_eq!(
            message("q"),
            "there is no router `q`; there are: enumeration, packing, kuszmaul"
        );
    }
}
