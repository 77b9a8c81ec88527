//! What a bit time of routers in lockstep takes.
//!
//! Of a small cube it is mostly the sequencer's; of a large one, its stages', a word of 64 nodes at a
//! time. So a point takes `bit times x (a + b x words x k)` seconds. Which `a` and `b` a schedule has on this
//! machine is found out by running a small cube and a larger one. A single run is foretold in the same way.

use crate::lockstep::parameters::{DIMS, LOAD, PAYLOAD_BITS, TRAFFIC, TRAFFIC_FILE};
use crate::measure::timing::{Timing, words};
use crate::testbench::chosen::{Chosen, Given};

/// Dimensions of the cubes that are run to find `a` and `b`; the last of runs that go bit time by bit time, which takes
/// longer.
const SMALL: usize = 3;
const LARGE: usize = 16;
const LARGE_TICKING: usize = 12;
/// Payload bits of them.
const SAMPLED_BITS: usize = 8;

/// What runs of routers in lockstep take.
pub const TIMING: Timing = Timing {
    size: |chosen, nodes| words(chosen, nodes) * chosen.number(&DIMS) as f64,
    most_seconds: 2e-8,
    most_seconds_ticking: 1e-6,
    samples: |chosen, ticks| {
        let large = if ticks { LARGE_TICKING } else { LARGE };
        [SMALL, large].map(|dims| sample(chosen, dims))
    },
};

/// The machine that is run in place of another.
fn sample(chosen: &Chosen, dims: usize) -> Chosen {
    let bits = chosen
        .given(&PAYLOAD_BITS)
        .map(|_| Given::number(SAMPLED_BITS));
    let machine = chosen.clone().with(&DIMS, Given::number(dims));
    let machine = machine.with(&PAYLOAD_BITS, bits).with(&TRAFFIC, None);
    machine.with(&TRAFFIC_FILE, None).with(&LOAD, None)
}
