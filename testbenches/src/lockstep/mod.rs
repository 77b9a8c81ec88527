//! What the testbenches of routers in lockstep share: they load traffic, run a schedule to its end, compare what the nodes
//! hold with what was sent, and report.
//!
//! ```text
//!   a testbench (crate::testbench)             here
//!   parameters --> Chosen --> Job ----------> run, verilog, measure, plan
//!                              |                 |
//!                              +--> Stimulus: a device and its traffic --> Device, Lockstep (the hardware seam)
//!                                   loads it, says which wires fail, reads it back, judges
//! ```
//!
//! Nothing here knows a testbench. [`permutations`] is what routers of any partial permutation have in common.

pub mod between_ranks;
pub mod campaign;
mod checkpoint;
mod compared;
mod entries;
mod faults;
mod follow;
mod forms;
mod joined;
mod logged;
pub mod messages;
mod observed;
pub mod parameters;
pub mod permutations;
pub mod plan;
mod report;
mod requirement;
mod rounds;
mod run;
pub mod schedule;
pub mod scoreboard;
mod sections;
pub mod sent;
pub mod simulation;
mod stimulus;
pub mod sweep;
pub mod timing;
pub mod verilog;
pub mod whereabouts;

use crate::families;
use crate::testbench::Testbench;
pub use compared::{Compared, first};
pub use entries::OF_LOCKSTEP;
pub use faults::WireFault;
pub use messages::drawn;
pub use requirement::{Beside, Requirement, require_memory};
pub use rounds::{Carries, Later};
pub use run::carry_out;
pub use schedule::{Schedule, ScheduleEntry};
pub use sections::StepReport;
pub use stimulus::{Ended, Followed, Identity, Stimulus, Verdict};

/// The testbenches of routers in lockstep that have no sweep of their own.
pub fn benches() -> impl Iterator<Item = &'static Testbench> {
    families::testbenches().filter(|bench| std::ptr::eq(bench.sweep, &sweep::SWEEP))
}
