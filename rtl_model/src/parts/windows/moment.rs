//! Bit times of an iteration, written as the schedules write them: `5m+L+1-r` is the bit time, from the
//! beginning of its iteration, in which something happens at stage `r` of a row, where `m` dimensions and
//! `L = m+D` message bits are left.

use std::ops::{Add, Sub};

/// A bit time that is linear in `m`, `D` and `r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub(super) m: i32,
    pub(super) payload_bits: i32,
    pub(super) r: i32,
    pub(super) constant: i32,
}

/// Reads a moment: a sum of `m`, `L`, `D`, `r`, of multiples of them and of whole numbers.
///
/// # Panics
/// If the text is none. In a constant that stops the compiler.
pub const fn moment(text: &str) -> Moment {
    let text = text.as_bytes();
    read(text, 0, text.len())
}

/// Reads the part of a text between two places.
pub(super) const fn read(text: &[u8], from: usize, to: usize) -> Moment {
    let mut sum = Moment::ZERO;
    let mut place = skip_spaces(text, from, to);
    assert!(place < to, "a moment is empty");
    while place < to {
        let mut sign = 1;
        match text[place] {
            b'-' => {
                sign = -1;
                place += 1;
            }
            b'+' => place += 1,
            _ => assert!(
                place == skip_spaces(text, from, to),
                "terms of a moment stand behind + or -"
            ),
        }
        place = skip_spaces(text, place, to);
        let (mut number, begin) = (0, place);
        while place < to && text[place].is_ascii_digit() {
            number = 10 * number + (text[place] - b'0') as i32;
            place += 1;
        }
        let is_number = place > begin;
        let times = sign * if is_number { number } else { 1 };
        let is_letter = place < to && text[place].is_ascii_alphabetic();
        assert!(is_number || is_letter, "a term of a moment is missing");
        if is_letter {
            match text[place] {
                b'm' => sum.m += times,
                b'D' => sum.payload_bits += times,
                b'L' => {
                    sum.m += times;
                    sum.payload_bits += times;
                }
                b'r' => sum.r += times,
                _ => panic!("the letters of a moment are m, L, D, r"),
            }
            place += 1;
        } else {
            sum.constant += times;
        }
        place = skip_spaces(text, place, to);
    }
    sum
}

/// The next place without a space.
pub(super) const fn skip_spaces(text: &[u8], from: usize, to: usize) -> usize {
    let mut place = from;
    while place < to && text[place] == b' ' {
        place += 1;
    }
    place
}

impl Moment {
    /// The beginning of the iteration.
    pub const ZERO: Moment = Moment {
        m: 0,
        payload_bits: 0,
        r: 0,
        constant: 0,
    };

    /// A constant: so many bit times after the beginning.
    pub const fn after(bit_times: usize) -> Moment {
        Moment {
            constant: bit_times as i32,
            ..Moment::ZERO
        }
    }

    /// Its value for stage `r` of a row of `m`.
    #[inline]
    pub const fn value(self, m: usize, payload_bits: usize, r: usize) -> i64 {
        self.m as i64 * m as i64
            + self.payload_bits as i64 * payload_bits as i64
            + self.r as i64 * r as i64
            + self.constant as i64
    }

    /// At the stage whose number is `m_times*m + plus`.
    #[inline]
    pub const fn at_stage(self, m_times: i32, plus: i32) -> Moment {
        Moment {
            m: self.m + self.r * m_times,
            r: 0,
            constant: self.constant + self.r * plus,
            ..self
        }
    }

    /// What `m`, `D` and `r` are multiplied with, and the number that is added.
    pub fn coefficients(self) -> [i64; 4] {
        [self.m, self.payload_bits, self.r, self.constant].map(i64::from)
    }

    /// What is added for each dimension that is left, and for each stage that stands before.
    #[inline]
    pub const fn multiples(self) -> (i32, i32) {
        (self.m, self.r)
    }

    /// That of stage `m+1-r`.
    #[inline]
    pub fn turned(self) -> Moment {
        Moment {
            m: self.m + self.r,
            r: -self.r,
            constant: self.constant + self.r,
            ..self
        }
    }

    /// By the `m` and `r` of an iteration, what it was in the one before, which left one dimension more and whose row had one
    /// stage more before each.
    #[inline]
    pub fn one_before(self) -> Moment {
        self + (self.m + self.r)
    }
}

impl Add<i32> for Moment {
    type Output = Moment;
    #[inline]
    fn add(self, bit_times: i32) -> Moment {
        Moment {
            constant: self.constant + bit_times,
            ..self
        }
    }
}

impl Sub for Moment {
    type Output = Moment;
    #[inline]
    fn sub(self, other: Moment) -> Moment {
        Moment {
            m: self.m - other.m,
            payload_bits: self.payload_bits - other.payload_bits,
            r: self.r - other.r,
            constant: self.constant - other.constant,
        }
    }
}
