//! Fractions: averages as they are, so that one can be compared with its closed form to the last digit.

use std::fmt;

/// A fraction that is not negative, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// One number by another, which is not 0.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        debug_assert_ne!(denominator, 0);
        let common = greatest_common_divisor(numerator, denominator).max(1);
        Fraction {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// As near as a floating-point number comes to it.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// `17/9`; a whole number alone.
impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => self.numerator.fmt(formatter),
            _ => write!(formatter, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn greatest_common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_equal_in_lowest_terms() {
        assert_eq!(Fraction::new(34, 18), Fraction::new(17, 9));
        assert_ne!(Fraction::new(34, 18), Fraction::new(17, 8));
        assert_eq!(Fraction::new(34, 18).to_string(), "17/9");
        assert_eq!(Fraction::new(40, 16).to_string(), "5/2");
        assert_eq!(Fraction::new(8, 4).to_string(), "2");
        assert_eq!(Fraction::new(0, 4), Fraction::new(0, 1));
        assert!((Fraction::new(5, 2).value() - 2.5).abs() < f64::EPSILON);
    }
}
