//! A quantity that is sampled in every bit time, kept as its means over slots of equal length.

/// Bit times of a slot, as long as there are not too many of them.
const SLOT: u64 = 16;
/// The most slots: when there are more, each two become one.
const MOST_SLOTS: usize = 1 << 15;

/// The means of a quantity over slots of equal length, from bit time 0 on.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    slot: u64,
    means: Vec<f64>,
    /// What was sampled in the slot that is not full yet, and how often.
    begun: (u64, u64),
}

impl Default for Series {
    fn default() -> Self {
        Series {
            slot: SLOT,
            means: Vec::new(),
            begun: (0, 0),
        }
    }
}

impl Series {
    /// The value in the next bit time.
    pub fn sample(&mut self, value: u64) {
        self.repeat(value, 1);
    }

    /// The same value in each of the next `times` bit times.
    pub fn repeat(&mut self, value: u64, mut times: u64) {
        while times > 0 {
            let (sum, samples) = &mut self.begun;
            let taken = times.min(self.slot - *samples);
            *sum += value * taken;
            *samples += taken;
            times -= taken;
            if *samples == self.slot {
                self.means.push(*sum as f64 / self.slot as f64);
                self.begun = (0, 0);
                if self.means.len() == MOST_SLOTS {
                    self.merge();
                }
            }
        }
    }

    /// Makes one slot of each two.
    fn merge(&mut self) {
        let pairs = self.means.chunks_exact(2);
        self.means = pairs.map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        self.slot *= 2;
    }

    /// Bit times of a slot.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// The means of all slots that are full, the first one from bit time 0 on.
    pub fn means(&self) -> &[f64] {
        &self.means
    }
}

impl FromIterator<u64> for Series {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut series = Series::default();
        values.into_iter().for_each(|value| series.sample(value));
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_means_and_what_is_not_full_is_none() {
        let series: Series = (0..3 * SLOT - 1).collect();
        assert_eq!(series.means(), [7.5, 23.5]);
        assert_eq!(series.slot(), SLOT);
        assert_eq!(Series::default().means(), [0.0; 0]);
    }

    #[test]
    fn a_value_repeated_is_as_often_sampled() {
        let (mut one, mut other) = (Series::default(), Series::default());
        for (value, times) in [
            (3, 5),
            (0, 11),
            (7, 1),
            (2, 0),
            (1, 40 * SLOT),
            (9, 1 << 20),
        ] {
            one.repeat(value, times);
            (0..times).for_each(|_| other.sample(value));
            assert_eq!(one, other, "{value} {times}");
        }
        assert!(one.slot() > SLOT);
        // Nobody waits for what takes years.
        one.repeat(0, 1 << 50);
        assert!(one.means().len() < MOST_SLOTS);
    }

    #[test]
    fn long_series_keep_their_mean_in_longer_slots() {
        let bit_times = 3 * SLOT * MOST_SLOTS as u64;
        let series: Series = (0..bit_times).collect();
        assert_eq!(series.slot(), 4 * SLOT);
        assert_eq!(series.means().len() as u64, bit_times / series.slot());
        for (place, mean) in series.means().iter().enumerate() {
            let first = place as u64 * series.slot();
            assert_eq!(*mean, first as f64 + (series.slot() - 1) as f64 / 2.0);
        }
    }
}
