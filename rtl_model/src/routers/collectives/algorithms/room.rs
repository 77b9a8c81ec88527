//! Sizes that do not fit anywhere are refused before anything is multiplied out.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, refused};

/// Bits that the memories of all nodes together may have, as a power of 2: 512 MiB.
const MOST_BITS_LOG: u32 = 32;

/// Bit times of START, at most, as a power of 2.
const MOST_START_UP_LOG: u32 = 32;

/// Refuses a quantity, such as ("message bits", 12), if it is 0 or if with it the nodes' memories, `memory(quantity)` bits each,
/// would be too large.
pub(super) fn room(
    of: &dyn Algorithm,
    ask: &Ask,
    (what, quantity): (&str, usize),
    memory: impl Fn(u128) -> u128,
) -> Result<(), Error> {
    let (dims, start_up) = (ask.dims(), ask.start_up);
    if start_up as u128 > 1 << MOST_START_UP_LOG {
        return refused(
            of,
            format!(
                "{start_up} bit times of START: it takes 2^{MOST_START_UP_LOG} = {} at most",
                1_u64 << MOST_START_UP_LOG
            ),
        );
    }
    if quantity == 0 {
        return refused(of, format!("0 {what}: it takes 1 at least"));
    }
    let fits = |quantity: u128| memory(quantity) <= 1 << MOST_BITS_LOG >> dims;
    if fits(quantity as u128) {
        return Ok(());
    }
    // All that there is room for fits, and nothing else does: halving finds the largest.
    let (mut most, mut too_many) = (0, (1_u128 << MOST_BITS_LOG) + 1);
    while too_many - most > 1 {
        let middle = (most + too_many) / 2;
        match fits(middle) {
            true => most = middle,
            false => too_many = middle,
        }
    }
    let takes = match most {
        0 => "it takes fewer dimensions or bits".to_string(),
        most => format!("it takes {most} at most"),
    };
    refused(
        of,
        format!(
            "{quantity} {what}: the memories of 2^{dims} nodes would have more than 2^{MOST_BITS_LOG} bits; {takes}"
        ),
    )
}
