//! When an iteration has which wire, in bit times from a batch's beginning at it.
//!
//! With `m` free dimensions behind the lowest, of which a row's `r`-th is `r` above it, and `L = m+D` message
//! bits that are left once the lowest dimension's address bit is used up:
//!
//! ```text
//!   spread                            overlapped
//!   cross        0 .. L               cross                       0 .. L
//!   counts       r .. 2r              enumerate empty nodes       r .. 2r-1
//!   pack         m+2r-1 .. 2m+r-1+L   enumerate nodes with two    m+r .. m+2r-1
//!                                     addresses of empty nodes    m+2r .. 2m+r
//!                                     second messages             2m+2r .. 3m+r+L
//!                                     and on to empty nodes       5m+L+1-r .. 5m+2L+1-r
//! ```
//!
//! A count across the `r`-th dimension is that of `2^(r-1)` nodes with up to two messages each, of `r+1` bits.
//! Across the last, whose sums have to be known modulo `2^m` only, it has `m`.

use super::Schedule;

/// Bit times in which a wire of a stage is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The dimension that the wire crosses.
    pub dimension: usize,
    /// The first bit time.
    pub from: i64,
    /// The last one; nothing, if it is before the first.
    pub to: i64,
    /// Bit times from one of them to the next: 1, and 2 where every second one is another's.
    pub every: usize,
}

impl Window {
    /// Its bit times.
    pub fn bit_times(self) -> impl Iterator<Item = i64> {
        (self.from..=self.to).step_by(self.every)
    }
}

/// Those of all iterations, from iteration 0: nothing of schedules that have none here.
pub fn windows(schedule: Schedule, k: usize, payload_bits: usize) -> Option<Vec<Vec<Window>>> {
    let of_iteration = |iteration: usize| {
        let m = (k - 1 - iteration) as i64;
        let length = m + payload_bits as i64;
        let mut windows = vec![Window {
            dimension: iteration,
            from: 0,
            to: length,
            every: 1,
        }];
        for r in 1..=m {
            let of_row = match schedule {
                Schedule::Overlapped => overlapped(m, length, r).to_vec(),
                Schedule::Spread => spread(m, length, r).to_vec(),
                Schedule::Radix4 => return None,
            };
            windows.extend(of_row.into_iter().map(|(from, to)| Window {
                dimension: iteration + r as usize,
                from,
                to,
                every: 1,
            }));
        }
        Some(windows)
    };
    // Without free dimensions there is nothing to tell schedules by.
    if schedule == Schedule::Radix4 {
        return None;
    }
    (0..k).map(of_iteration).collect()
}

fn spread(m: i64, length: i64, r: i64) -> [(i64, i64); 2] {
    [
        (r, r - 1 + (r + 1).min(m)),
        (m + 2 * r - 1, 2 * m + r - 1 + length),
    ]
}

fn overlapped(m: i64, length: i64, r: i64) -> [(i64, i64); 5] {
    [
        (r, 2 * r - 1),
        (m + r, m + 2 * r - 1),
        (m + 2 * r, 2 * m + r),
        (2 * m + 2 * r, 3 * m + r + length),
        (5 * m + length + 1 - r, 5 * m + 2 * length + 1 - r),
    ]
}

/// The bit time in which a batch's valid bits come across the last wire of an iteration with `m` free
/// dimensions, 1 at least.
pub fn comes_at(schedule: Schedule, m: usize, payload_bits: usize) -> Option<usize> {
    match schedule {
        // Back through the first stage.
        Schedule::Overlapped => Some(5 * m + m + payload_bits),
        Schedule::Spread => Some(3 * m - 1),
        Schedule::Radix4 => None,
    }
}
