//! Wormhole routing: a worm holds a chain of channels from its head to its tail, bit by bit.

pub mod dependencies;
