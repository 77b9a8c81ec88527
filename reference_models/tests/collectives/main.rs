//! The machines of collective communication are held against the model: times, stages, wires, contents and
//! buffers, and the model's judge reads the hardware's programs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod asks;
mod closed_forms;
mod compare;
mod delivery;
mod drawn;
mod followed;
mod pairs;
mod run;
mod small;
