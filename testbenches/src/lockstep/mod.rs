//! What the testbenches of routers in lockstep share: they load traffic, run a schedule to its end, compare what the nodes
//! hold with what was sent, and report.
//!
//! ```text
//!   a family's folder                          here
//!   Family: names, schedules, devices ----->  run, verilog, measure
//!      |                                          |
//!      +--> Stimulus: a device and its traffic ---+--> Device, Lockstep (the hardware seam)
//!           loads it, says which wires fail, reads it back, judges
//! ```
//!
//! Below the stimulus nothing knows a family or its options: a testbench that has others than [`options::Setup`] is on the
//! testbench seam itself, and calls [`carry_out`] and [`verilog::Plan`].

pub mod between_ranks;
mod checkpoint;
mod family;
mod faults;
mod follow;
mod joined;
pub mod measure;
pub mod messages;
mod observed;
pub mod options;
pub mod permutations;
pub mod plan;
mod report;
mod requirement;
mod rounds;
mod run;
pub mod scoreboard;
mod sections;
pub mod sent;
pub mod simulation;
mod stimulus;
mod testbench;
pub mod verilog;
pub mod whereabouts;

pub use family::{Bench, Family, Schedule, ScheduleEntry};
pub use faults::WireFault;
pub use messages::drawn;
pub use requirement::{Beside, Requirement, require_memory};
pub use rounds::{Carries, Later};
pub use run::{carry_out, run};
pub use sections::{StepReport, Steps};
pub use stimulus::{Followed, Further, Identity, Stimulus, Verdict};
