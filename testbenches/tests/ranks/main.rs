//! Several processes, started by `mpirun`, that share a machine or the points of a sweep.
#![cfg(feature = "mpi")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod checkpoints;
mod files;
#[path = "../common/journals.rs"]
mod journals;
mod machines;
mod on_ranks;
mod sweeps;
mod waves;
