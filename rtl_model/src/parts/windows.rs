//! Windows: when each stage of a row is at work, as tables that sequencers decode.
//!
//! ```text
//!   "m+2r-1 .. 2m+r-1+L"  --read-->  [Window]  --of one stage of one machine-->  [Stretch] 7 .. 19
//!                                        |
//!                 bit time t ----------(Now)----------> strobe of each stage
//! ```
//!
//! A window is a text in `m`, the dimensions that an iteration leaves, `D`, the payload bits of a message, `L = m+D`, the message bits
//! that are left, and `r`, the stage's number in the row, from 1. The text is read while the program is compiled. [`Iteration`] is the table of a schedule: its steps
//! and who has which wire when.

mod at_times;
mod comparison;
mod iteration;
mod moment;
mod now;
mod single;
mod stretch;
mod window;

pub use at_times::AtTimes;
pub use comparison::Comparison;
pub use iteration::{Claim, Iteration, Stages, Step, Wire, of_crossed, of_row, step};
pub use moment::{Moment, moment};
pub use now::Now;
pub use single::SingleRow;
pub use stretch::Stretch;
pub use window::{Window, window};
