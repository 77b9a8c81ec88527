//! Prearranged communication on a machine of bit-serial ports: broadcasting by every tree of Ho & Johnsson 1986 and of Stout &
//! Wagar 1987.
//!
//! All nodes know what is going on, so packets have no headers: from its address, that of the source and the number of the step a
//! node works out on which ports it sends and receives, and where what arrives is to be sent on. A port sends a packet as START
//! (`T` bit times) and then its `B` bits; a packet can be sent on when it is complete.
//!
//! ```text
//!   step      |  0               |  1               |
//!   port 0    |  START  SHIFT    |                  |      tree 0
//!   port 1    |                  |  START  SHIFT    |      tree 1
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | [`algorithm`], [`broadcast`] | which broadcasts there are, on which ports; their closed forms |
//! | [`node`] | ports, packets, wires to the host |
//! | [`packets`] | one of five ways to send packets on: [`tree_path`], [`cycle_path`], [`wave_path`], [`doubling_path`], [`listed_path`] |
//! | [`packet_buffer`] | what a node keeps of a packet |
//! | [`arbiter`] | finds more ports busy than the port model admits |
//! | [`sequencer`], [`strobes`] | when what happens |
//! | [`wires`] | what passes between a node and its host |
//! | [`configuration`], [`two_rooted_tree`] | registers of a tree that no closed rule gives |
//! | [`sends`] | lists of sends: read, checked, and as the orders of each node |

pub mod algorithm;
pub mod arbiter;
pub mod broadcast;
pub mod configuration;
pub mod cycle_path;
pub mod doubling_path;
pub mod listed_path;
mod machine;
pub mod node;
mod orders;
pub mod packet_buffer;
pub mod packets;
mod relative;
pub mod sends;
pub mod sequencer;
pub mod strobes;
pub mod tree_path;
pub mod two_rooted_tree;
pub mod wave_path;
pub mod wires;

pub use machine::PortMachine;
