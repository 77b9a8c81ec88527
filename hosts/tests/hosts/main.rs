//! Machines with their hosts, bit time by bit time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod wormhole;
