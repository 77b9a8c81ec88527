//! A histogram of latencies, in bins that are as many times as wide as the latencies in them are long.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// The most bins.
const MOST_BINS: usize = 12;
/// Bins for each factor of 2, the finest first: each finer one has all limits of the coarser ones.
const FINENESS: [f64; 5] = [8.0, 4.0, 2.0, 1.0, 0.5];

/// How many latencies lie between two limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Bin {
    /// At least this.
    pub from: u64,
    /// Less than this.
    pub below: u64,
    /// How many.
    pub messages: u64,
}

/// Where bin number `place` begins: a power of 2, whole or not, as a whole number.
fn limit(place: u32, fineness: f64) -> u64 {
    (f64::from(place) / fineness).exp2().round() as u64
}

/// The bins from the smallest latency to the largest one, the finest of which there are 12 at the most. What lasts no bit
/// time is in the first one. Empty bins between others stay.
pub fn histogram(latencies: impl IntoIterator<Item = u64>) -> Vec<Bin> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for latency in latencies {
        *counts.entry(latency).or_default() += 1;
    }
    let finest = FINENESS.iter().map(|fineness| bins(&counts, *fineness));
    let mut coarser = Vec::new();
    for bins in finest {
        if bins.len() <= MOST_BINS {
            return bins;
        }
        coarser = bins;
    }
    coarser
}

fn bins(counts: &BTreeMap<u64, u64>, fineness: f64) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    let (mut place, mut from) = (0, 0);
    for (&latency, &messages) in counts {
        // The bin that it is in, and those on the way there.
        loop {
            if let Some(bin) = bins.last_mut().filter(|bin| latency < bin.below) {
                bin.messages += messages;
                break;
            }
            place += 1;
            let below = limit(place, fineness);
            // Small limits coincide.
            if below > from {
                if below > latency || !bins.is_empty() {
                    bins.push(Bin {
                        from,
                        below,
                        messages: 0,
                    });
                }
                from = below;
            }
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(latencies: impl IntoIterator<Item = u64>) -> Vec<(u64, u64, u64)> {
        let bins = histogram(latencies).into_iter();
        bins.map(|bin| (bin.from, bin.below, bin.messages))
            .collect()
    }

    #[test]
    fn bins_are_the_finest_that_are_few() {
        assert_eq!(all([]), []);
        // Eight for a factor of 2.
        assert_eq!(all([100, 108, 109, 100]), [(99, 108, 2), (108, 117, 2)]);
        // One.
        assert_eq!(
            all([70, 5000]),
            [
                (64, 128, 1),
                (128, 256, 0),
                (256, 512, 0),
                (512, 1024, 0),
                (1024, 2048, 0),
                (2048, 4096, 0),
                (4096, 8192, 1),
            ]
        );
        assert_eq!(all([0, 0, 1]), [(0, 1, 2), (1, 2, 1)]);
    }

    #[test]
    fn every_latency_is_in_one_bin_and_bins_join() {
        let mut value = 1u64;
        for factor in [3, 7, 100, 1 << 20] {
            let mut latencies = Vec::new();
            for _ in 0..200 {
                value = value
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                latencies.push((value >> 33) % factor);
            }
            let bins = all(latencies.clone());
            assert!(bins.len() <= 12 || factor == 1 << 20, "{bins:?}");
            assert!(bins.windows(2).all(|pair| pair[0].1 == pair[1].0));
            assert!(bins.first().is_some_and(|bin| bin.2 > 0));
            assert!(bins.last().is_some_and(|bin| bin.2 > 0));
            for (from, below, messages) in bins {
                let inside = latencies.iter().filter(|one| (from..below).contains(*one));
                assert_eq!(inside.count() as u64, messages, "{from}..{below}");
            }
        }
    }
}
