//! The judge of wires: bit time by bit time, who has which.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::violation::Violation;
use super::windows::Window;

/// Follows so many batches, one an interval behind the other, through the windows of each stage. A stage's
/// wires are its own.
///
/// # Errors
/// [`Violation::WireTaken`], the first; [`Violation::TooManyWires`].
pub fn judge(stages: &[Vec<Window>], interval: usize, batches: usize) -> Result<(), Violation> {
    let mut across: BTreeMap<usize, usize> = BTreeMap::new();
    for (stage, windows) in stages.iter().enumerate() {
        let mut taken: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        for batch in 0..batches {
            let begins = (batch * interval) as i64;
            for window in windows {
                for bit_time in window.bit_times().map(|bit_time| begins + bit_time) {
                    match taken.entry((window.dimension, bit_time)) {
                        Entry::Vacant(free) => {
                            free.insert(batch);
                        }
                        Entry::Occupied(other) => {
                            return Err(Violation::WireTaken {
                                stage,
                                dimension: window.dimension,
                                bit_time,
                                batches: [*other.get(), batch],
                            });
                        }
                    }
                }
            }
        }
        let mut dimensions: Vec<usize> = windows.iter().map(|window| window.dimension).collect();
        dimensions.sort_unstable();
        dimensions.dedup();
        for dimension in dimensions {
            *across.entry(dimension).or_default() += 1;
        }
    }
    let mut across = across.into_iter();
    match across.find(|(dimension, wires)| *wires > dimension + 1) {
        Some((dimension, wires)) => Err(Violation::TooManyWires { dimension, wires }),
        None => Ok(()),
    }
}

/// Batches that begin before the first has left all stages: if these do not meet, none do.
pub fn enough_batches(stages: &[Vec<Window>], interval: usize) -> usize {
    let all = || stages.iter().flatten();
    let first = all().map(|window| window.from).min().unwrap_or(0);
    let last = all().map(|window| window.to).max().unwrap_or(0);
    let span = usize::try_from(last - first).unwrap_or(0);
    span / interval.max(1) + 1
}

/// The smallest interval at which no wire is ever taken twice, tried one by one; nothing, if a batch takes a wire
/// twice by itself.
pub fn smallest_interval(stages: &[Vec<Window>]) -> Option<usize> {
    judge(stages, 1, 1).ok()?;
    (1..).find(|&interval| judge(stages, interval, enough_batches(stages, interval)).is_ok())
}
