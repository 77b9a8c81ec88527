//! What the testbenches of routers in lockstep share: they load traffic, run a schedule to its end, compare what the nodes
//! hold with what was sent, and report.
//!
//! ```text
//!   a family's folder                          here
//!   Family: names, schedules, devices ----->  run, verilog, measure
//!      |                                          |
//!      +--> Stimulus: a device and its traffic ---+--> Device, Lockstep (the hardware seam)
//!           loads it, reads it back, judges
//! ```

mod family;
pub mod measure;
pub mod messages;
pub mod options;
pub mod permutations;
mod report;
mod requirement;
mod rounds;
mod run;
pub mod scoreboard;
mod sections;
pub mod simulation;
mod testbench;
pub mod verilog;

pub use family::{Bench, Family, Schedule, ScheduleEntry, Stimulus, Verdict};
pub use messages::drawn;
pub use requirement::{Beside, Requirement, require_memory};
pub use rounds::{Carries, Later};
pub use run::run;
pub use sections::{StepReport, Steps};
