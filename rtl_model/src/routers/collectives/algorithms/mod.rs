//! Personalized and complete communication of both papers, as programs: a file an algorithm or a few that share their hops, and a
//! line in [`ALGORITHMS`].

mod algorithm;
mod by_submatrices;
mod complete_broadcast;
mod complete_exchange;
mod counting;
mod distribute;
mod gathering;
mod histogram;
mod inversion;
mod operation;
mod permuted_send;
mod room;
mod scattering;
mod sends;
mod trees;

pub use algorithm::{Algorithm, Ask, Groups, OperationPlan};
pub use operation::Operation;

use crate::routers::collectives::algorithms::gathering::Backwards;
use crate::routers::collectives::algorithms::trees::Kind;
use crate::routers::collectives::algorithms::trees::halving::Halving;
use crate::routers::collectives::algorithms::trees::levels::Levels;
use crate::routers::collectives::algorithms::trees::packets::Packets;
use crate::routers::collectives::algorithms::trees::subtrees::Subtrees;

/// All of them, by operation; the first of an operation is run if none is asked for.
pub const ALGORITHMS: &[&dyn Algorithm] = &[
    &distribute::Distribute1,
    &distribute::two::Distribute2,
    &Packets(Kind::Binomial),
    &Packets(Kind::Balanced),
    &Packets(Kind::TwoRooted),
    &Halving,
    &Levels(Kind::Binomial),
    &Levels(Kind::Balanced),
    &Levels(Kind::TwoRooted),
    &Subtrees::Balanced,
    &Subtrees::TwoRooted,
    &Subtrees::OneShot,
    &distribute::Collect,
    &Backwards(&Packets(Kind::Binomial)),
    &Backwards(&Packets(Kind::Balanced)),
    &Backwards(&Packets(Kind::TwoRooted)),
    &inversion::Inversion,
    &complete_broadcast::CompleteBroadcast,
    &complete_exchange::CompleteExchange,
    &permuted_send::PermutedSend,
    &complete_exchange::ByRows,
    &by_submatrices::BySubmatrices,
    &histogram::Histogram,
    &sends::Extended::Arbitrary,
    &sends::Waves,
    &sends::Opposite::Arbitrary,
    &sends::Paths::One,
    &sends::Paths::Each,
    &sends::Opposite::Three,
    &sends::Opposite::Four,
    &sends::Extended::One,
    &sends::Extended::Two,
];

/// The algorithm of that name for an operation.
pub fn algorithm(operation: Operation, name: &str) -> Option<&'static dyn Algorithm> {
    let mut all = ALGORITHMS.iter().copied();
    all.find(|one| one.operation() == operation && one.name() == name)
}

#[cfg(test)]
mod tests;
