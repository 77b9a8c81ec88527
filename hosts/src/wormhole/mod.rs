//! Hosts that send and take worms bit by bit, and what is measured of them.
//!
//! ```text
//!   lanes    where all that is done in a bit time is compiled; what a machine does, in machine_lanes
//!   bit_time one bit time of an engine, with whoever looks on
//!   engine   a machine and all beside it
//!     |-- hosts     what each sends, and what it takes
//!     |-- tracker   which worm is where
//!     |-- meters    how full channels are, what crosses links; edges and links, where they are asked for
//!     '-- deadlock  channels that wait for each other
//!   wave     what a waveform shows of it (told), and a picture (drawn)
//! ```

mod bit_time;
pub mod deadlock;
pub mod drawn;
pub mod edges;
pub mod engine;
pub mod head_markers;
pub mod hosts;
pub mod lanes;
pub mod links;
pub mod machine_lanes;
pub mod message;
pub mod meters;
mod told;
pub mod tracker;
pub mod wave;
