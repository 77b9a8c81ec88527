//! Bit-serial hypercube routers, described once and run bit by bit.
//!
//! A router is written once, as hardware over a [`bit::Bit`]: a [`router::Node`] that sees its
//! registers, its address, the bits it receives and the [`router::Sequencer`]'s broadcast, and
//! nothing else. Run over `bool` it is one readable node; run over [`lanes`] it is 64 nodes and more
//! in each machine word; run over [`expression`]s it comes out as [`verilog`]. A [`fabric::Fabric`]
//! joins nodes into a hypercube; one tick is one bit time, and one bit crosses each wire in it.
//!
//! ```
//! use rtl_model::{fabric::Fabric, kuszmaul::enumeration::EnumerationRouter};
//! use rtl_model::topology::hypercube::Dimensions;
//!
//! // Theorem 2: number the members of a set, here nodes 2, 3 and 7 of a cube of 8.
//! let router = EnumerationRouter::new(Dimensions::new(3)?);
//! let mut fabric = Fabric::<_, u64>::new(router, 1)?;
//! for member in [2, 3, 7] {
//!     let (node, place) = fabric.node_mut(member);
//!     node.set_member(place, true);
//! }
//! while !fabric.is_done() {
//!     fabric.tick()?;
//! }
//! let (node, place) = fabric.node(7);
//! assert_eq!(node.rank(place), 2);
//! assert_eq!(node.total(place), 3);
//! assert_eq!(fabric.bit_time(), 2 * 3);
//! # Ok::<(), rtl_model::error::Error>(())
//! ```

// To read: bit, register; parts/serial_adder, shift_register, switch_stage; router; kuszmaul/packing;
// fabric. Then kuszmaul/plain, which is Algorithm 2, and kuszmaul/held and kuszmaul/spread, which are faster;
// kuszmaul/radix4, which is fastest; sorting, which routes by other means;
// expression, netlist and verilog for how all of it becomes gates, depth for how many there are between registers.
pub mod arrivals;
pub mod batch;
pub mod bit;
pub mod depth;
pub mod embedding;
pub mod error;
pub mod expression;
pub mod fabric;
pub mod host;
pub mod instructions;
pub mod kuszmaul;
pub mod lanes;
pub mod lines;
pub mod memory;
pub mod meter;
pub mod netlist;
pub mod parts;
pub mod permutation;
pub mod program;
pub mod register;
pub mod router;
pub mod sorting;
pub mod strobes;
pub mod topology;
pub mod traffic;
pub mod verilog;
pub mod wires;
pub mod wormhole;
