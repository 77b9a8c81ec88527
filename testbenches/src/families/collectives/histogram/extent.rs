//! How many bins and samples there are, how wide counts are, and what of that a node has no room for.

use std::rc::Rc;

use crate::error::Error;
use crate::families::collectives::histogram::Samples;
use crate::families::collectives::job::{Amount, Extent};
use crate::families::collectives::parameters::{
    BINS, COUNTS, DIMS, MOST_NODE_BITS, SAMPLED, SAMPLES, cube, in_range,
};
use crate::report::counted;
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::Parameter;

/// Samples of a node.
const DEFAULT_SAMPLES: usize = 100;
/// The most samples of all nodes.
pub(super) const MOST_SAMPLES: usize = 1 << 26;
/// The most bits of a count.
const MOST_WORD_BITS: usize = 32;

/// The most bits of the memories of all nodes.
const MOST_MACHINE_BITS: usize = 1 << 32;

/// Bins.
///
/// # Errors
/// A cube out of range.
pub fn bins(chosen: &Chosen) -> Result<usize, Error> {
    let cube = cube(chosen)?;
    let default = cube.count() * cube.nodes();
    Ok(chosen.whole(&BINS).unwrap_or(default))
}

/// Samples that are drawn for each node.
///
/// # Errors
/// Out of range.
pub(super) fn samples(chosen: &Chosen) -> Result<usize, Error> {
    let most = MOST_SAMPLES / cube(chosen)?.nodes();
    let samples = chosen.whole(&SAMPLES).unwrap_or(DEFAULT_SAMPLES);
    in_range(&SAMPLES, samples, [0, most])
}

/// Bits of a count of so many samples.
///
/// # Errors
/// Too narrow, or out of range.
pub(super) fn word_bits(chosen: &Chosen, samples: usize) -> Result<usize, Error> {
    let least = (usize::BITS - samples.leading_zeros()).max(1) as usize;
    match chosen.whole(&COUNTS).unwrap_or(least) {
        bits if (least..=MOST_WORD_BITS).contains(&bits) => Ok(bits),
        bits => Err(COUNTS.blamed(format!(
            "{bits} bits are out of range: all {samples} samples may lie in one bin; choose {least} to {MOST_WORD_BITS}"
        ))),
    }
}

/// Bins, samples that are drawn for each node, and bits of a count, which are known, where nothing of it is asked for.
pub fn found(chosen: &Chosen, word_bits: usize) -> Vec<(&'static Parameter, Given)> {
    let drawn = samples(chosen).ok().filter(|_| !chosen.has(&SAMPLED));
    let numbers = [
        (&BINS, bins(chosen).ok()),
        (&SAMPLES, drawn),
        (&COUNTS, Some(word_bits)),
    ];
    let numbers = numbers.into_iter();
    numbers
        .filter_map(|(one, number)| Some((one, Given::number(number?))))
        .collect()
}

/// How much is sent, with the samples, if they are read.
///
/// # Errors
/// As [`Samples::drawn`]; a file that cannot be used; more counts than a node has room for.
pub fn sized(chosen: &Chosen) -> Result<Amount, Error> {
    let Some(path) = chosen.path(&SAMPLED) else {
        return Ok((extent(chosen, None)?, None));
    };
    let samples = Samples::read(chosen, path)?;
    let extent = extent(chosen, Some(&samples))?;
    Ok((extent, Some(Rc::new(samples))))
}

/// How much is sent, of samples that have been read or are to be drawn.
///
/// # Errors
/// As [`Samples::drawn`]; more counts than a node has room for.
fn extent(chosen: &Chosen, read: Option<&Samples>) -> Result<Extent, Error> {
    let extent = unchecked(chosen, read)?;
    let dims = cube(chosen)?.count();
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
    if chosen.has(&BINS) && most > 0 {
        let why = format!("{counts}: choose {most} bins at the most, and not {bins}");
        return Err(BINS.blamed(why));
    }
    let fewer = |dims: &usize| {
        let smaller = chosen.clone();
        let smaller = smaller.with(&DIMS, Given::Whole(Form::number(*dims)));
        let extent = unchecked(&smaller, read);
        extent.is_ok_and(|extent| extent.bins <= most_bins(*dims, extent.message_bits))
    };
    let advice = |dims| format!("; choose {} at the most", counted(dims, "dimension"));
    let advice = (1..dims).rev().find(fewer).map_or(String::new(), advice);
    let by_default = match chosen.has(&BINS) {
        true => "",
        false => ", as many as there are by default",
    };
    let why = format!("{counts}, and there is no room for {bins} of them{by_default}{advice}");
    Err(DIMS.blamed(why))
}

fn unchecked(chosen: &Chosen, read: Option<&Samples>) -> Result<Extent, Error> {
    let message_bits = match read {
        Some(samples) => samples.word_bits(),
        None => word_bits(chosen, cube(chosen)?.nodes() * samples(chosen)?)?,
    };
    Ok(Extent {
        message_bits,
        bins: bins(chosen)?,
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
    use super::*;
    use crate::families::collectives::job::Job;
    use crate::families::collectives::testbench::HISTOGRAM;
    use crate::testbench::bench::asked;

    fn wide(dims: usize, bins: usize) -> Chosen {
        let words = format!("--dims {dims} --bins {bins} --word-bits 32");
        asked(&HISTOGRAM, &words)
    }

    fn refusal(chosen: &Chosen) -> String {
        extent(chosen, None).unwrap_err().to_string()
    }

    #[test]
    fn bins_that_were_not_asked_for_are_not_blamed() {
        assert_eq!(
            refusal(&asked(&HISTOGRAM, "--dims 16")),
            "--dims: every node of 16 dimensions has a count of 23 bits for each bin, and there is no room for 1048576 of them, \
             as many as there are by default; choose 12 dimensions at the most"
        );
        // However few.
        assert!(refusal(&asked(&HISTOGRAM, "--dims 16 --bins 1")).starts_with("--dims: "));
        assert!(extent(&asked(&HISTOGRAM, "--dims 12"), None).is_ok());
    }

    #[test]
    fn the_most_bins_are_told_and_taken() {
        assert_eq!(
            refusal(&wide(3, 1 << 20)),
            "--bins: every node of 3 dimensions has a count of 32 bits for each bin: choose 524280 bins at the most, and not \
             1048576"
        );
        assert!(Job::new(&wide(3, 524_280)).is_ok());
        for dims in [1, 5, 10, 11] {
            let most = most_bins(dims, 32);
            assert!(extent(&wide(dims, most), None).is_ok());
            assert!(Job::new(&wide(dims, most)).is_ok(), "{dims}");
        }
    }
}
