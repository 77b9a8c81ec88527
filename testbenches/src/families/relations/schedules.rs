//! The schedules that carry several messages a node.

use rtl_model::routers::kuszmaul::batches::{self, AnyPipeline};

use crate::error::Error;

/// How messages go.
#[derive(Clone, Copy)]
pub enum Way {
    /// Batch after batch, on redundant wires.
    Pipeline(&'static &'static dyn AnyPipeline),
    /// All that a node has, counted and spread out in every iteration, on one wire a dimension.
    Counting,
}

/// A schedule.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a few words.
    pub models: &'static str,
    /// How messages go.
    pub way: Way,
}

/// All of them.
pub static SCHEDULES: [Entry; 4] = [
    Entry {
        name: "spread",
        models: "batches in a pipeline; each iteration packs all messages (not in the paper)",
        way: Way::Pipeline(&batches::SPREAD),
    },
    Entry {
        name: "overlapped",
        models: "batches in a pipeline; the paper's iterations, each with wires of its own",
        way: Way::Pipeline(&batches::OVERLAPPED),
    },
    Entry {
        name: "radix4",
        models: "batches in a pipeline; two address bits a stage, on half as many wires (not in the paper)",
        way: Way::Pipeline(&batches::RADIX4),
    },
    Entry {
        name: "counting",
        models: "no batches and no colouring: all messages of a node are counted and spread out (not in the paper)",
        way: Way::Counting,
    },
];

/// The packing of processors that share vertices, which has no choice.
pub static PACKING: Entry = Entry {
    name: "packing",
    models: "the messages of a vertex one after the other, through one row of switches",
    way: Way::Pipeline(&batches::VERTEX_PACKING),
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

impl Entry {
    /// Whether it sends batches.
    pub fn is_pipeline(&self) -> bool {
        matches!(self.way, Way::Pipeline(_))
    }
}

/// Those that are there for batches, or for h-relations as well.
pub fn serving(batches: bool) -> impl Iterator<Item = &'static Entry> + Clone {
    let serves = move |entry: &&Entry| !batches || entry.is_pipeline();
    SCHEDULES.iter().filter(serves)
}

/// The schedule of that name, for batches or for h-relations.
///
/// # Errors
/// A name of none; one that there is for single permutations alone, with the reason.
pub fn named(name: &str, batches: bool) -> Result<&'static Entry, Error> {
    if let Some(entry) = serving(batches).find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let names: Vec<&str> = serving(batches).map(|entry| entry.name).collect();
    let why = match SCHEDULES.iter().find(|entry| entry.name == name) {
        Some(_) => Some(format!(
            "schedule {name} has no batches: give --h for several messages a node, or choose {}",
            names.join(", ")
        )),
        None => ONE_AFTER_THE_OTHER
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, why)| {
                format!(
                    "schedule {name} sends one set of messages at a time: {why}; choose {}",
                    names.join(", ")
                )
            }),
    };
    Err(match why {
        Some(why) => Error::Refused {
            by: "kuszmaul",
            why,
        },
        None => Error::Unknown {
            what: "schedule",
            name: name.to_owned(),
            known: names,
        },
    })
}
