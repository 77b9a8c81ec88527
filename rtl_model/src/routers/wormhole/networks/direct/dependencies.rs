//! The dependencies of hypercubes, tori and meshes.
//!
//! A *kind* is a link, a class of its channels and, in a grid, the digit from which the link leads: what the other digits are changes
//! no route through this dimension. A circle of channels whose routes are in order of dimensions stays in one line of the grid, but
//! for Valiant's phases with one class, where two links there and back are one.
//!
//! # Adaptive
//!
//! Adaptive channels depend on each other all round. By Duato's theorem that does no harm if every worm can take an escape channel
//! wherever it is, and the escape channels have no circle in their own *extended* graph: one depends on another also where a worm
//! goes over adaptive channels between them.

use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::Channels;

mod adaptive;
mod ordered;
mod pairs;
#[cfg(test)]
mod tests;

/// The dependencies of a direct network.
pub fn of(channels: Channels) -> Dependencies {
    match channels.network.routing {
        Routing::Adaptive => adaptive::dependencies(channels),
        Routing::Order | Routing::Valiant { .. } => ordered::dependencies(channels),
    }
}
