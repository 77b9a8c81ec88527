//! How many bins and samples there are, how wide counts are, and what of that a node has no room for.

use crate::error::Error;
use crate::families::collectives::histogram::Samples;
use crate::families::collectives::job::Extent;
use crate::families::collectives::options::{MOST_NODE_BITS, Setup, in_range};
use crate::report::counted;

/// Samples of a node.
const DEFAULT_SAMPLES: usize = 100;
/// The most samples of all nodes.
pub(super) const MOST_SAMPLES: usize = 1 << 26;
/// The most bins.
const MOST_BINS: usize = 1 << 20;
/// The most bits of a count.
const MOST_WORD_BITS: usize = 32;

/// The most bits of the memories of all nodes.
const MOST_MACHINE_BITS: usize = 1 << 32;

/// Bins.
///
/// # Errors
/// Out of range.
pub(super) fn bins(setup: &Setup) -> Result<usize, Error> {
    let cube = setup.cube()?;
    let bins = setup.bins.unwrap_or(cube.count() * cube.nodes());
    in_range("--bins", bins, [1, MOST_BINS])
}

/// Samples that are drawn for each node.
///
/// # Errors
/// Out of range.
pub(super) fn samples(setup: &Setup) -> Result<usize, Error> {
    let most = MOST_SAMPLES / setup.cube()?.nodes();
    let samples = setup.samples.unwrap_or(DEFAULT_SAMPLES);
    in_range("--samples", samples, [0, most])
}

/// Bits of a count of so many samples.
///
/// # Errors
/// Too narrow, or out of range.
pub(super) fn word_bits(setup: &Setup, samples: usize) -> Result<usize, Error> {
    let least = (usize::BITS - samples.leading_zeros()).max(1) as usize;
    match setup.word_bits.unwrap_or(least) {
        bits if (least..=MOST_WORD_BITS).contains(&bits) => Ok(bits),
        bits => Err(Error::List {
            option: "--word-bits",
            why: format!(
                "{bits} bits are out of range: all {samples} samples may lie in one bin; choose {least} to {MOST_WORD_BITS}"
            ),
        }),
    }
}

/// How much is sent, of samples that have been read or are to be drawn.
///
/// # Errors
/// As [`Samples::drawn`]; more counts than a node has room for.
pub fn extent(setup: &Setup, read: Option<&Samples>) -> Result<Extent, Error> {
    let extent = unchecked(setup, read)?;
    let dims = setup.cube()?.count();
    let most = most_bins(dims, extent.message_bits);
    let Extent { message_bits, bins } = extent;
    if bins <= most {
        return Ok(extent);
    }
    let counts = format!(
        "every node of {} has a count of {} for each bin",
        counted(dims, "dimension"),
        counted(message_bits, "bit")
    );
    if setup.bins.is_some() && most > 0 {
        return Err(Error::List {
            option: "--bins",
            why: format!("{counts}: choose {most} bins at the most, and not {bins}"),
        });
    }
    let fewer = |dims: &usize| {
        let setup = Setup {
            dims: Some(*dims),
            ..setup.clone()
        };
        let extent = unchecked(&setup, read);
        extent.is_ok_and(|extent| extent.bins <= most_bins(*dims, extent.message_bits))
    };
    let advice = match (1..dims).rev().find(fewer) {
        Some(dims) => format!("; choose {} at the most", counted(dims, "dimension")),
        None => String::new(),
    };
    let by_default = match setup.bins {
        Some(_) => "",
        None => ", as many as there are by default",
    };
    Err(Error::List {
        option: "--dims",
        why: format!("{counts}, and there is no room for {bins} of them{by_default}{advice}"),
    })
}

fn unchecked(setup: &Setup, read: Option<&Samples>) -> Result<Extent, Error> {
    let message_bits = match read {
        Some(samples) => samples.word_bits(),
        None => word_bits(setup, setup.cube()?.nodes() * samples(setup)?)?,
    };
    Ok(Extent {
        message_bits,
        bins: bins(setup)?,
    })
}

/// The most bins whose counts a node has room for: of every node's share it has a multiple of `d`.
fn most_bins(dims: usize, word_bits: usize) -> usize {
    let room = MOST_NODE_BITS.min(MOST_MACHINE_BITS >> dims);
    let share = (room / word_bits) >> dims;
    (share / dims * dims) << dims
}

#[cfg(test)]
mod tests {
    use rtl_model::routers::collectives::algorithms::Operation;

    use super::*;
    use crate::families::collectives::stimulus::job;

    fn setup(dims: usize, bins: Option<usize>) -> Setup {
        Setup {
            dims: Some(dims),
            bins,
            ..Setup::of(Operation::Histogram)
        }
    }

    fn wide(dims: usize, bins: usize) -> Setup {
        Setup {
            word_bits: Some(32),
            ..setup(dims, Some(bins))
        }
    }

    fn refusal(setup: &Setup) -> String {
        extent(setup, None).unwrap_err().to_string()
    }

    #[test]
    fn bins_that_were_not_asked_for_are_not_blamed() {
        assert_eq!(
            refusal(&setup(16, None)),
            "--dims: every node of 16 dimensions has a count of 23 bits for each bin, and there is no room for 1048576 of them, \
             as many as there are by default; choose 12 dimensions at the most"
        );
        // However few.
        assert!(refusal(&setup(16, Some(1))).starts_with("--dims: "));
        assert!(extent(&setup(12, None), None).is_ok());
    }

    #[test]
    fn the_most_bins_are_told_and_taken() {
        assert_eq!(
            refusal(&wide(3, 1 << 20)),
            "--bins: every node of 3 dimensions has a count of 32 bits for each bin: choose 524280 bins at the most, and not \
             1048576"
        );
        assert!(job(&wide(3, 524_280)).is_ok());
        for dims in [1, 5, 10, 11] {
            let most = most_bins(dims, 32);
            assert!(extent(&wide(dims, most), None).is_ok());
            assert!(job(&wide(dims, most)).is_ok(), "{dims}");
        }
    }
}
