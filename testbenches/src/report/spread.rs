//! How a reading is spread over seeds.

use schemars::JsonSchema;
use serde::Serialize;

use crate::statistics::interval::Interval;

/// How a reading is spread over the seeds of a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Spread {
    /// Its name, as a column.
    pub name: String,
    /// The average.
    pub mean: f64,
    /// Half of the width of its 95 % confidence interval, by Student's t.
    pub half_width: f64,
    /// The smallest value.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    /// Of a reading with these values; none, if they are all the same.
    pub fn of(name: &str, values: &[f64]) -> Option<Self> {
        let Interval { mean, half_width } = Interval::of(values)?;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least < most).then(|| Spread {
            name: name.to_owned(),
            mean,
            half_width,
            least,
            most,
        })
    }

    /// Mean, half width, least and most, as people read them.
    pub fn in_words(&self) -> [String; 4] {
        let digits = match self.mean.abs() {
            ..0.1 => 5,
            0.1..10.0 => 3,
            _ => 1,
        };
        let rounded = |number: f64| format!("{number:.digits$}");
        let exact = |number: f64| match number.fract() == 0.0 {
            true => number.to_string(),
            false => rounded(number),
        };
        [
            rounded(self.mean),
            rounded(self.half_width),
            exact(self.least),
            exact(self.most),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_has_a_mean_an_interval_and_ends() {
        let spread = Spread::of("peak", &[11.0, 18.0, 20.0, 20.0]).unwrap();
        assert_eq!(spread.in_words(), ["17.2", "6.8", "11", "20"]);
        assert_eq!(Spread::of("peak", &[3.0, 3.0]), None);
        assert_eq!(Spread::of("peak", &[3.0]), None);
        let share = Spread::of("wire_use", &[0.01, 0.0225]).unwrap();
        assert_eq!(
            share.in_words(),
            ["0.01625", "0.07941", "0.01000", "0.02250"]
        );
    }
}
