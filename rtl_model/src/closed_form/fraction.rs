//! Fractions: averages and closed forms as they are, so that one can be compared with the other to the last digit.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms, its denominator above 0. Operations give nothing where the result does not fit, and where one
/// divides by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// 0.
    pub const ZERO: Self = Fraction::whole(0);

    /// One number by another, which is not 0.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        debug_assert_ne!(denominator, 0);
        let common = greatest_common_divisor(numerator.into(), denominator.into()).max(1);
        Fraction {
            numerator: i128::from(numerator) / common as i128,
            denominator: i128::from(denominator) / common as i128,
        }
    }

    /// A whole number.
    pub(super) const fn whole(number: i128) -> Self {
        Fraction {
            numerator: number,
            denominator: 1,
        }
    }

    fn in_lowest_terms(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 1 {
            return Some(Fraction::whole(numerator));
        }
        let common = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = i128::try_from(common)
            .ok()?
            .checked_mul(denominator.signum())?;
        Some(Fraction {
            numerator: numerator.checked_div(common)?,
            denominator: denominator.checked_div(common)?,
        })
    }

    /// The number that it is, if it is a whole one.
    pub fn to_whole(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// As near as a floating-point number comes to it.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    pub(super) fn floor(self) -> Self {
        Fraction::whole(self.numerator.div_euclid(self.denominator))
    }

    pub(super) fn ceil(self) -> Self {
        let whole = self.numerator.div_euclid(self.denominator);
        Fraction::whole(whole + i128::from(self.denominator != 1))
    }

    pub(super) fn negative(self) -> Option<Self> {
        Some(Fraction {
            numerator: self.numerator.checked_neg()?,
            ..self
        })
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let one = self.numerator.checked_mul(other.denominator)?;
        let sum = one.checked_add(other.numerator.checked_mul(self.denominator)?)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Fraction::in_lowest_terms(sum, denominator)
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Fraction::in_lowest_terms(numerator, denominator)
    }

    pub(super) fn by(self, other: Self) -> Option<Self> {
        if other.numerator == 0 {
            return None;
        }
        let numerator = self.numerator.checked_mul(other.denominator)?;
        let denominator = self.denominator.checked_mul(other.numerator)?;
        Fraction::in_lowest_terms(numerator, denominator)
    }

    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let one = self.numerator.checked_mul(other.denominator)?;
        Some(one.cmp(&other.numerator.checked_mul(self.denominator)?))
    }

    /// To a power that is a whole number, also one below 0.
    pub(super) fn power(self, exponent: Self) -> Option<Self> {
        let exponent = i32::try_from(exponent.to_whole()?).ok()?;
        let times = exponent.unsigned_abs();
        let power = Fraction {
            numerator: self.numerator.checked_pow(times)?,
            denominator: self.denominator.checked_pow(times)?,
        };
        match exponent < 0 {
            true => Fraction::whole(1).by(power),
            false => Some(power),
        }
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

fn greatest_common_divisor(mut one: u128, mut other: u128) -> u128 {
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

    #[test]
    fn they_are_rounded_up_and_down_on_both_sides_of_0() {
        let halves = [(5, 2, 3), (4, 2, 2), (-5, -3, -2), (-1, -1, 0)];
        for (numerator, floor, ceil) in halves {
            let half = Fraction::whole(numerator).by(Fraction::whole(2)).unwrap();
            assert_eq!(half.floor(), Fraction::whole(floor), "{half}");
            assert_eq!(half.ceil(), Fraction::whole(ceil), "{half}");
        }
    }

    #[test]
    fn what_does_not_fit_is_nothing() {
        let (two, large) = (Fraction::whole(2), Fraction::whole(i128::MAX));
        assert_eq!(large.plus(two), None);
        assert_eq!(large.times(two), None);
        assert_eq!(two.by(Fraction::ZERO), None);
        assert_eq!(two.power(Fraction::whole(127)), None);
        assert_eq!(two.power(Fraction::new(1, 2)), None);
        assert_eq!(two.power(Fraction::whole(-2)), Some(Fraction::new(1, 4)));
        let least = Fraction::whole(i128::MIN);
        assert_eq!(
            (least.negative(), least.by(Fraction::whole(-1))),
            (None, None)
        );
        assert_eq!(large.compare(Fraction::new(1, 2)), None);
        assert_eq!(
            Fraction::new(1, 3).compare(Fraction::new(1, 2)),
            Some(Ordering::Less)
        );
    }
}
