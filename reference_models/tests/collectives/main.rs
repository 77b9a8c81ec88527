//! The machines of collective communication are held against the model: times, stages, wires, contents and
//! buffers, and the model's judge reads the hardware's programs. So are routers of several messages a node.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod asks;
mod closed_forms;
mod compare;
mod delivery;
mod drawn;
mod followed;
mod pairs;
mod relations;
mod run;
mod small;
