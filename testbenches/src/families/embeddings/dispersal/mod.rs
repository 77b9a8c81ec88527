//! A message in shares, one on each of the edge-disjoint paths of its edge, so that some of them restore it when wires fail.
//!
//! ```text
//!   message --- shares::Code::encode ---> w shares, one a path
//!                                             |  cuts::Cut: wires that fail, and when
//!   message <-- shares::Code::restore --- w shares, as they arrive
//! ```

mod arguments;
mod copies;
pub mod cuts;
mod job;
mod judged;
mod measure;
mod options;
mod report;
pub mod shares;
mod shown;
mod stimulus;
mod testbench;

pub use testbench::DISPERSAL;
