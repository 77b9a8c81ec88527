//! The schedules that carry several messages a node.

use rtl_model::routers::kuszmaul::batches::{self, AnyPipeline};

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::relations::others::Other;
use crate::families::relations::parameters::{Amount, SCHEDULE_OF_BATCHES, SCHEDULE_OF_RELATIONS};
use crate::testbench::chosen::Chosen;

/// A schedule.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a few words.
    pub models: &'static str,
    /// The pipeline through which batch goes after batch, on redundant wires. Without one all that a node has is counted and spread out
    /// in every iteration, on one wire a dimension.
    pub pipeline: Option<&'static &'static dyn AnyPipeline>,
}

/// All of them.
pub static SCHEDULES: [Entry; 4] = [
    Entry {
        name: "spread",
        models: "batches in a pipeline; each iteration packs all messages (not in the paper)",
        pipeline: Some(&batches::SPREAD),
    },
    Entry {
        name: "overlapped",
        models: "batches in a pipeline; the paper's iterations, each with wires of its own",
        pipeline: Some(&batches::OVERLAPPED),
    },
    Entry {
        name: "radix4",
        models: "batches in a pipeline; two address bits a stage, on half as many wires (not in the paper)",
        pipeline: Some(&batches::RADIX4),
    },
    Entry {
        name: "counting",
        models: "no batches and no colouring: all messages of a node are counted and spread out (not in the paper)",
        pipeline: None,
    },
];

/// The packing of processors that share vertices, which has no choice.
pub static PACKING: Entry = Entry {
    name: "packing",
    models: "the messages of a vertex one after the other, through one row of switches",
    pipeline: Some(&batches::VERTEX_PACKING),
};

/// Those of Algorithm 2 that send no batches, and why.
const ONE_AFTER_THE_OTHER: [(&str, &str); 2] = [
    (
        "plain",
        "its steps wait for one another on the same wires; overlapped is the same algorithm without the waiting",
    ),
    (
        "folded",
        "its order of dimensions lets iterations share wires, and here each has its own; overlapped is the same algorithm",
    ),
];

/// Those that are there for batches, or for h-relations as well.
pub fn serving(batches: bool) -> impl Iterator<Item = &'static Entry> {
    let serves = move |entry: &&Entry| !batches || entry.pipeline.is_some();
    SCHEDULES.iter().filter(serves)
}

/// Their names.
pub fn names(batches: bool) -> Vec<&'static str> {
    serving(batches).map(|entry| entry.name).collect()
}

/// Why a schedule that there is elsewhere is none here.
pub fn why_not(name: &str, batches: bool) -> Option<Error> {
    let is_meant = |entry: &Entry| entry.name == name;
    let mut single = ONE_AFTER_THE_OTHER.iter();
    let why = match single.find(|(known, _)| *known == name) {
        Some((_, why)) => format!("sends one set of messages at a time: {why}; choose"),
        None if SCHEDULES.iter().any(is_meant) => {
            "has no batches: give --h for several messages a node, or choose".to_owned()
        }
        None => return None,
    };
    let batches = names(batches).join(", ");
    Some(not_by(
        "kuszmaul",
        format!("schedule {name} {why} {batches}"),
    ))
}

/// The schedule that is chosen. Routers beside are given what batches would be, or, where they take any destinations, what nodes have.
///
/// # Errors
/// A name of none; one that there is for single permutations alone, with the reason.
pub fn chosen(of: &Chosen) -> Result<&'static Entry, Error> {
    let name = match (Amount::of(of), Other::of(of)?) {
        (Amount::Processors, _) => return Ok(&PACKING),
        (Amount::Relation, Some(other)) if other.takes_any_destinations() => "counting",
        (_, Some(_)) => "spread",
        (Amount::Batches, None) => of.name(&SCHEDULE_OF_BATCHES)?,
        (Amount::Relation, None) => of.name(&SCHEDULE_OF_RELATIONS)?,
    };
    let found = SCHEDULES.iter().find(|entry| entry.name == name);
    found.ok_or_else(|| SCHEDULE_OF_RELATIONS.refused(of, name, names(false)))
}
