//! A message in shares, one on each of the edge-disjoint paths of its edge, so that some of them restore it when wires fail.
//!
//! ```text
//!   message --- shares::Code::encode ---> w shares, one a path
//!                                             |  cuts::Cut: wires that fail, and when
//!   message <-- shares::Code::restore --- w shares, as they arrive
//! ```

mod copies;
pub mod cuts;
pub mod job;
mod judged;
pub mod parameters;
pub mod report;
pub mod shares;
pub mod sweep;
