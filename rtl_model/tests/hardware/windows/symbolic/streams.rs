//! Bits on a wire, one after the other, and what is to be shown of them.

use std::fmt::Display;

use rtl_model::parts::windows::Window;

use super::forms::{At, Form, ONE, OTHER, Shown, System, number};

/// Bits of a wire, `every` so many bit times one: all of a window, or what of it comes before or behind a pause.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The number of its first bit.
    pub first: Form,
    /// The first bit time.
    pub from: Form,
    /// The last one is the earlier of these.
    pub ends: [Form; 2],
    pub every: i64,
}

impl Piece {
    /// A window, at a stage.
    pub fn of(window: Window, at: At) -> Self {
        Piece {
            first: number(0),
            from: at.time(window.from),
            ends: window.ends.map(|end| at.time(end)),
            every: i64::from(window.every),
        }
    }

    /// The bit time of a bit.
    pub fn time(&self, bit: Form) -> Form {
        self.from + (bit - self.first) * self.every
    }

    /// There is such a bit.
    pub fn has(&self, bit: Form) -> [Form; 3] {
        let [end, other] = self.ends.map(|end| end - self.time(bit));
        [bit - self.first, end, other]
    }

    /// Two have no bit time in common.
    pub fn never_meets(&self, other: &Piece, sizes: &System, what: &dyn Display) -> Shown {
        let (one, two) = (sizes.and(&self.has(ONE)), sizes.and(&other.has(OTHER)));
        one.may_be(what)?;
        two.may_be(what)?;
        let both = one.and(&other.has(OTHER));
        let meet = both.equal(self.time(ONE), other.time(OTHER));
        meet.refuted(what)
    }

    /// No bit comes later than that bit time.
    pub fn ends_by(&self, end: Form, sizes: &System, what: &dyn Display) -> Shown {
        let later = sizes.and(&self.has(ONE)).and(&[self.time(ONE) - end - 1]);
        later.refuted(what)
    }

    /// No bit comes before bit time 0 of the iteration.
    pub fn begins_with(&self, begins: Form, sizes: &System, what: &dyn Display) -> Shown {
        sizes.and(&[begins - self.from - 1]).refuted(what)
    }
}
