//! Bit-serial hypercube routers, described once and run bit by bit.
//!
//! A router is written once, as hardware over a [`Bit`](language::bit::Bit): a
//! [`Node`](machine::router::Node) that sees its registers, its address, the bits it receives and
//! the [`Sequencer`](machine::router::Sequencer)'s broadcast, and nothing else. Run over `bool` it
//! is one readable node; run over [`lanes`](language::lanes) it is 64 nodes and more in each
//! machine word; run over [`expression`](circuit::expression)s it comes out as
//! [`verilog`](circuit::verilog). A [`Fabric`](machine::fabric::Fabric) joins nodes by the wires of
//! a [`topology`](machine::topology); one tick is one bit time, and one bit crosses each wire in
//! it.
//!
//! ```text
//!   language   bits, registers, strobes ------------------+
//!   parts      adders, switch stages, buffers             |  a description, written once
//!   routers    kuszmaul, sorting, wormhole ---------------+
//!                  |                       |
//!   machine    run: bool, lanes,        circuit    written down: netlist, logic depth,
//!              compiled program                    Verilog
//!                  |
//!   traffic    who sends what where; embedding: one network's paths in another
//!   closed_form   what all of it is held against: texts that are evaluated
//! ```
//!
//! To read: [`language::bit`], [`language::register`]; [`parts::serial_adder`],
//! [`parts::shift_register`], [`parts::switch_stage`]; [`machine::router`], which says what a
//! router is; [`routers::kuszmaul::packing`], a whole one in a file; [`machine::fabric`]. Then
//! [`routers::kuszmaul::plain`], which is Algorithm 2, [`routers::kuszmaul::held`] and
//! [`routers::kuszmaul::spread`], which are faster, and [`routers::kuszmaul::radix4`], which is
//! fastest; [`routers::sorting`] and [`routers::wormhole`], which route by other means; [`circuit`]
//! for how all of it becomes gates; [`machine::program`] for how it runs at the speed of memory.
//!
//! ```
//! use rtl_model::machine::fabric::Fabric;
//! use rtl_model::machine::topology::hypercube::Dimensions;
//! use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
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

pub mod circuit;
pub mod closed_form;
pub mod csv_file;
pub mod embedding;
pub mod error;
pub mod language;
pub mod machine;
pub mod parts;
pub mod routers;
pub mod traffic;
