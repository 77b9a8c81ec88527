//! What the model of batches objects to.

use crate::violation;

/// An invariant that did not hold. Batches and stages of a pipeline count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A batch that its schedule does not route.
    #[error("batch {batch}: {violation}")]
    InBatch {
        /// Which.
        batch: usize,
        /// What the model of the schedule says.
        violation: violation::Violation,
    },
    /// A message that is not at its destination in the end.
    #[error("batch {batch}: the message for node {destination} is not there")]
    Astray {
        /// Which batch.
        batch: usize,
        /// Where it should be.
        destination: usize,
    },
    /// A wire that two batches have at once, or one batch for two things.
    #[error(
        "stage {stage}, dimension {dimension}, bit time {bit_time}: batches {} and {} have one wire; \
         choose a longer interval",
        batches[0], batches[1]
    )]
    WireTaken {
        /// Whose wire.
        stage: usize,
        /// What it crosses.
        dimension: usize,
        /// When, from the first batch's beginning at the stage.
        bit_time: i64,
        /// The batches, the one that had it first and the other.
        batches: [usize; 2],
    },
    /// More wires across a dimension than a quadratic hypercube has.
    #[error("{wires} stages use dimension {dimension}, which has {} wires", dimension + 1)]
    TooManyWires {
        /// The dimension.
        dimension: usize,
        /// How many stages have a wire across it.
        wires: usize,
    },
}
