//! What reports of machines in lockstep have beside what all have.

use crate::lockstep::between_ranks::Exchanged;
use crate::lockstep::sections::StepReport;
use crate::report::of_all::SEQUENCER;
use crate::report::{Behind, Entry, Heading};

pub const STORAGE_BOUND: Entry = Entry::form(
    "storage_bound",
    "storage_bits_bound_text",
    "The most register bits of a node that the design allows, where it says so",
)
.unit("bits")
.column("storage_bits_bound")
.behind(Behind::Storage)
.heading(Heading::of("bound").if_any_has());

pub const OCCUPIED_BOUND: Entry = Entry::form(
    "occupied_bits_bound",
    "occupied_bits_bound_text",
    "The most message bits that a node holds, whatever the traffic: found by trying all of it in small cubes, and by search in others",
)
.unit("bits")
.behind(Behind::Peak);

pub const MESSAGES_BOUND: Entry = Entry::form(
    "messages_per_node_bound",
    "messages_per_node_bound_text",
    "The most messages that a node holds, whatever the traffic",
)
.unit("messages")
.behind(Behind::Peak);

pub const STEPS_OVERLAP: Entry = Entry::of::<bool>(
    "steps_overlap",
    "Steps overlap: a bit time is counted for the one that began last",
)
.behind(Behind::Peak);

pub const OCCUPANCY: Entry = Entry::of::<Vec<StepReport>>(
    "occupancy_by_step",
    "What was occupied at nodes during each step",
)
.behind(Behind::Peak);

pub const BETWEEN_RANKS: Entry = Entry::of::<Exchanged>(
    "between_ranks",
    "What ranks have sent each other, where there are several",
)
.behind(Behind::WireUse);

/// The entries.
pub const OF_LOCKSTEP: &[Entry] = &[
    STORAGE_BOUND,
    SEQUENCER,
    STEPS_OVERLAP,
    OCCUPANCY,
    BETWEEN_RANKS,
];
