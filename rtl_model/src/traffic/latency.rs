//! Latencies: how many bit times messages took.

use std::collections::BTreeMap;

/// Latencies in bit times, counted exactly: each value that occurs, with how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies {
    count: u64,
    total: u128,
    times: BTreeMap<u64, u64>,
}

impl Latencies {
    /// Counts one more message, of this latency.
    pub fn record(&mut self, latency: u64) {
        self.count += 1;
        self.total += u128::from(latency);
        *self.times.entry(latency).or_default() += 1;
    }

    /// How many messages there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their average; none if there were no messages.
    pub fn average(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total as f64 / self.count as f64)
    }

    /// The latency that a `share` of all messages do not exceed, by the nearest rank: of `count`
    /// latencies in ascending order, the one in place ceil(`share` * `count`), counted from 1 (for
    /// a share of 0, the first). So it is always a latency that occurred; `percentile(0.99)` of 50
    /// messages is the largest. None if there were no messages, or if `share` is outside 0..=1.
    pub fn percentile(&self, share: f64) -> Option<u64> {
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        let place = nearest_rank(share, self.count);
        let mut passed = 0;
        self.times
            .iter()
            .find(|(_, times)| {
                passed += **times;
                passed >= place
            })
            .map(|(latency, _)| *latency)
    }

    /// The largest; none if there were no messages.
    pub fn largest(&self) -> Option<u64> {
        self.times.last_key_value().map(|(latency, _)| *latency)
    }
}

impl FromIterator<u64> for Latencies {
    fn from_iter<I: IntoIterator<Item = u64>>(latencies: I) -> Self {
        let mut all = Latencies::default();
        all.extend(latencies);
        all
    }
}

impl Extend<u64> for Latencies {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, latencies: I) {
        for latency in latencies {
            self.record(latency);
        }
    }
}

/// ceil(`share` * `count`), at least 1.
fn nearest_rank(share: f64, count: u64) -> u64 {
    let exact = share * count as f64;
    let whole = exact.round();
    // 0.07 * 100 is 7.000000000000001 in binary, and place 7 is meant: the share and the product
    // are each rounded by at most half of `EPSILON`.
    let is_whole = (exact - whole).abs() <= exact * f64::EPSILON;
    let place = if is_whole { whole } else { exact.ceil() };
    (place as u64).clamp(1, count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_messages_there_is_nothing_to_say() {
        let none = Latencies::default();
        assert_eq!((none.count(), none.average()), (0, None));
        assert_eq!((none.percentile(0.5), none.largest()), (None, None));
    }

    #[test]
    fn latencies_are_summed_up_in_whatever_order_they_come() {
        let mut latencies: Latencies = [9, 4, 4].into_iter().collect();
        latencies.record(5);
        assert_eq!(latencies.count(), 4);
        assert_eq!(latencies.average(), Some(5.5));
        assert_eq!(latencies.largest(), Some(9));
        assert_eq!(latencies, [4, 5, 9, 4].into_iter().collect());
        let places = [0.0, 0.5, 0.51, 0.75, 0.76, 1.0].map(|share| latencies.percentile(share));
        assert_eq!(places, [4, 4, 5, 5, 9, 9].map(Some));
        for share in [-0.01, 1.01, f64::NAN] {
            assert_eq!(latencies.percentile(share), None);
        }
    }

    #[test]
    fn averages_of_long_latencies_do_not_overflow() {
        let latencies: Latencies = [u64::MAX; 2].into_iter().collect();
        assert_eq!(latencies.average(), Some(u64::MAX as f64));
        assert_eq!(latencies.largest(), Some(u64::MAX));
    }

    #[test]
    fn every_percentile_of_every_count_is_the_one_of_the_sorted_list() {
        for count in 1..=500_u64 {
            let sorted: Vec<u64> = (0..count).map(|place| 3 * (place / 2)).collect();
            let latencies: Latencies = sorted.iter().rev().copied().collect();
            for thousandths in 1..=1000 {
                let place = (thousandths * count).div_ceil(1000) as usize;
                assert_eq!(
                    latencies.percentile(thousandths as f64 / 1000.0),
                    Some(sorted[place - 1]),
                    "{thousandths} thousandths of {count}"
                );
            }
        }
    }
}
