//! Bit times of an iteration, written as the schedules are: in `m`, `L` and `r`.
//!
//! `5 * M + L - R + 1` is the bit time, counted from the beginning of its iteration, at which
//! something happens at stage `r` of a row, if `m` dimensions and `L = m+D` message bits are left.

use std::ops::{Add, Mul, Sub};

/// A bit time that is linear in `m`, `D` and `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub(super) m: i64,
    pub(super) payload_bits: i64,
    pub(super) r: i64,
    pub(super) constant: i64,
}

const ZERO: Moment = Moment {
    m: 0,
    payload_bits: 0,
    r: 0,
    constant: 0,
};

/// `m`: the dimensions that the iteration leaves.
pub const M: Moment = Moment { m: 1, ..ZERO };
/// `L = m+D`: the message bits that are left.
pub const L: Moment = Moment {
    m: 1,
    payload_bits: 1,
    ..ZERO
};
/// `r`: the stage's number in its row, from 1.
pub const R: Moment = Moment { r: 1, ..ZERO };

/// A constant: bit times after the beginning of the iteration.
pub const fn after(bit_times: i64) -> Moment {
    Moment {
        constant: bit_times,
        ..ZERO
    }
}

impl Moment {
    /// Its value for stage `r` of a row of `m`.
    pub fn value(self, m: usize, payload_bits: usize, r: usize) -> i64 {
        self.m * m as i64
            + self.payload_bits * payload_bits as i64
            + self.r * r as i64
            + self.constant
    }
}

impl Add for Moment {
    type Output = Moment;
    fn add(self, other: Moment) -> Moment {
        Moment {
            m: self.m + other.m,
            payload_bits: self.payload_bits + other.payload_bits,
            r: self.r + other.r,
            constant: self.constant + other.constant,
        }
    }
}

impl Mul<Moment> for i64 {
    type Output = Moment;
    fn mul(self, moment: Moment) -> Moment {
        Moment {
            m: self * moment.m,
            payload_bits: self * moment.payload_bits,
            r: self * moment.r,
            constant: self * moment.constant,
        }
    }
}

impl Sub for Moment {
    type Output = Moment;
    fn sub(self, other: Moment) -> Moment {
        self + -1 * other
    }
}

impl Add<i64> for Moment {
    type Output = Moment;
    fn add(self, bit_times: i64) -> Moment {
        self + after(bit_times)
    }
}

impl Sub<i64> for Moment {
    type Output = Moment;
    fn sub(self, bit_times: i64) -> Moment {
        self + -bit_times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_what_it_reads_as() {
        for (m, payload_bits, r) in [(1, 1, 1), (4, 9, 3)] {
            let (m_, d, r_) = (m as i64, payload_bits as i64, r as i64);
            let value = |moment: Moment| moment.value(m, payload_bits, r);
            assert_eq!(value(5 * M + 2 * L - R + 1), 5 * m_ + 2 * (m_ + d) - r_ + 1);
            assert_eq!(value(2 * R - 1), 2 * r_ - 1);
            assert_eq!(value(after(3)), 3);
        }
    }
}
