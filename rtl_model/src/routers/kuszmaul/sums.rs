//! Sums of two counters, to be compared with constants.
//!
//! ```text
//!   bit time t --(+ c*i)--> is it at least, at most, just so much?
//!   iteration i --^
//! ```
//!
//! A window's bound that moves by `c` from one iteration to the next is the comparison of `t + c*i`
//! with one constant. Each multiple is added once, however many compare with it.

use std::cell::OnceCell;

use crate::language::bit::Strobe;
use crate::parts::counter::Number;

/// Multiples that bounds have.
const MULTIPLES: usize = 16;

/// What the sums are called, for either counter.
const NAMES: [[&str; MULTIPLES]; 2] = [
    [
        "t",
        "t_plus_i",
        "t_plus_2i",
        "t_plus_3i",
        "t_plus_4i",
        "t_plus_5i",
        "t_plus_6i",
        "t_plus_7i",
        "t_plus_8i",
        "t_plus_9i",
        "t_plus_10i",
        "t_plus_11i",
        "t_plus_12i",
        "t_plus_13i",
        "t_plus_14i",
        "t_plus_15i",
    ],
    [
        "t",
        "t_plus_j",
        "t_plus_2j",
        "t_plus_3j",
        "t_plus_4j",
        "t_plus_5j",
        "t_plus_6j",
        "t_plus_7j",
        "t_plus_8j",
        "t_plus_9j",
        "t_plus_10j",
        "t_plus_11j",
        "t_plus_12j",
        "t_plus_13j",
        "t_plus_14j",
        "t_plus_15j",
    ],
];

/// `t + c*i` for whoever compares with it.
pub struct Sums<S: Strobe> {
    bit_time: Number<S>,
    iteration: Number<S>,
    names: &'static [&'static str; MULTIPLES],
    sums: [OnceCell<Number<S>>; MULTIPLES],
}

impl<S: Strobe> Sums<S> {
    /// Of a bit time and a counter called `i`, or `j`.
    pub fn of(bit_time: Number<S>, iteration: Number<S>, called: char) -> Self {
        Sums {
            bit_time,
            iteration,
            names: &NAMES[usize::from(called == 'j')],
            sums: [const { OnceCell::new() }; MULTIPLES],
        }
    }

    /// The bit time and `multiple` times the counter.
    pub fn plus(&self, multiple: i32) -> &Number<S> {
        let multiple = multiple as usize;
        self.sums[multiple].get_or_init(|| match multiple {
            0 => self.bit_time,
            _ => self
                .bit_time
                .add(&self.iteration.times(multiple), self.names[multiple]),
        })
    }
}
