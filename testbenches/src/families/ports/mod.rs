//! Prearranged communication on a machine of bit-serial ports.

pub mod engine;
pub mod hosts;
pub mod message;
pub mod monitor;
mod seated;
