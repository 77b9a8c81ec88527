//! The embeddings of Greenberg and Bhatt 1990, by the name of their guest: a file each, and a line in the list.
//!
//! Each says what the paper claims of it, and what holds: where the two differ, the file of the construction says why.

mod butterfly_copies;
mod ccc_copies;
mod construction;
mod cross_product;
mod cycle;
mod cycle_product;
mod cycles;
mod double_cycle;
mod gray_cycle;
mod grid;
mod large_cycle;
mod large_grid;
mod large_networks;
mod network_product;
mod product;
mod sizes;
mod split;
mod squaring;
#[cfg(test)]
mod tests;
mod tree;

pub use construction::{AXES, Ask, Claim, Construction, Figure, not_embedded};

use crate::embedding::constructions::grid::Grid;
use crate::embedding::constructions::large_cycle::LargeCycle;
use crate::embedding::constructions::large_networks::LargeNetwork;
use crate::embedding::constructions::network_product::NetworkProduct;

/// All of them, in the order of the paper.
pub static CONSTRUCTIONS: [&dyn Construction; 19] = [
    &gray_cycle::GrayCycle,
    &cycles::Cycles,
    &cycle::Cycle,
    &double_cycle::DoubleCycle::InThreeSteps,
    &double_cycle::DoubleCycle::Wide,
    &Grid::Wide,
    &Grid::Gray,
    &ccc_copies::CccCopies,
    &butterfly_copies::ButterflyCopies,
    &cycle_product::CycleProduct,
    &NetworkProduct::Ccc,
    &NetworkProduct::Butterfly,
    &tree::Tree,
    &LargeCycle::Directed,
    &LargeCycle::Undirected,
    &LargeNetwork::Ccc,
    &LargeNetwork::Butterfly,
    &LargeNetwork::Fft,
    &large_grid::LargeGrid,
];

/// The construction of that name.
pub fn construction(name: &str) -> Option<&'static dyn Construction> {
    let mut all = CONSTRUCTIONS.into_iter();
    all.find(|construction| construction.name() == name)
}
