//! What reports of machines in lockstep have beside what all have.

use crate::lockstep::between_ranks::Exchanged;
use crate::lockstep::sections::StepReport;
use crate::report::{Entry, SEQUENCER};

/// The entries.
pub const OF_LOCKSTEP: &[Entry] = &[
    Entry::form(
        "storage_bound",
        "storage_bits_bound_text",
        "The most register bits of a node that the design allows, where it says so",
    )
    .unit("bits")
    .column("storage_bits_bound"),
    SEQUENCER,
    Entry::of::<bool>(
        "steps_overlap",
        "Steps overlap: a bit time is counted for the one that began last",
    ),
    Entry::of::<Vec<StepReport>>(
        "occupancy_by_step",
        "What was occupied at nodes during each step",
    ),
    Entry::of::<Exchanged>(
        "between_ranks",
        "What ranks have sent each other, where there are several",
    ),
];
