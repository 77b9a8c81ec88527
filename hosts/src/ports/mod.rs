//! Hosts of the machine of bit-serial ports: the source's message comes from them and all packets go to them.

mod arriving;
pub mod engine;
pub mod holdings;
pub mod hosts;
mod links;
pub mod message;
pub mod monitor;
mod seated;
pub mod wave;
