//! Waveforms of simulated routers, and the views that open them.
//!
//! A [`probe::Probe`] observes a machine and says, bit time by bit time, what changed, through one
//! seam: [`trace::Trace`]. [`vcd::VcdTrace`] and [`fst::FstTrace`] write files;
//! [`memory::MemoryTrace`] keeps the wave for a test. What the probe declared is also what
//! [`gtkwave`] makes a view of, so a view never names a signal that the dump lacks.
//!
//! One bit time is 1 ns on the axis; the clock rises at its start.

pub mod coverage;
pub mod fst;
pub mod gtkwave;
pub mod memory;
pub mod picture;
pub mod probe;
pub mod provenance;
mod rows;
mod surfer;
pub mod trace;
pub mod vcd;

/// The program that writes, as all that it writes says.
pub const VERSION: &str = concat!("cubewave ", env!("CARGO_PKG_VERSION"));
