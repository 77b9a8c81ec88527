//! Where the warm-up of a run ends: the truncation rule MSER-5.
//!
//! MSER (*marginal standard error rule*): of all places at which the beginning of a series can be cut off, that one is
//! taken which leaves the smallest standard error of the mean of the rest (White, *An effective truncation heuristic for
//! bias reduction in simulation output*, Simulation 69, 1997). MSER-5 takes the means of five observations in a row in place
//! of single ones (White, Cobb and Spratt, *A comparison of five steady-state truncation heuristics for simulation*, Winter
//! Simulation Conference 2000). A place in the second half says that the run is too short for the rule.

/// Observations that are taken together.
const TOGETHER: usize = 5;

/// How many observations are to be cut off at the beginning; none, if the series is too short for the rule to tell: its place
/// lies in the second half.
pub fn mser_5(observations: &[f64]) -> Option<usize> {
    let batches = observations.chunks_exact(TOGETHER);
    let batches: Vec<f64> = batches
        .map(|batch| batch.iter().sum::<f64>() / TOGETHER as f64)
        .collect();
    // Less than three of the rest say nothing about its error.
    let last = batches.len().checked_sub(3)?;
    // From the end on: how many there are, their mean, and their squared distances from it (Welford).
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for (place, batch) in batches.iter().enumerate().rev() {
        count += 1.0;
        let distance = batch - mean;
        mean += distance / count;
        squares += distance * (batch - mean);
        let error = squares / (count * count);
        // Of equal ones the first.
        if place <= last && best.is_none_or(|(least, _)| error <= least) {
            best = Some((error, place));
        }
    }
    let (_, place) = best?;
    (2 * place <= batches.len()).then_some(place * TOGETHER)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The rule as it is defined, batch by batch.
    fn plain(observations: &[f64]) -> Option<usize> {
        let batches: Vec<f64> = observations
            .chunks_exact(5)
            .map(|batch| batch.iter().sum::<f64>() / 5.0)
            .collect();
        let error = |rest: &[f64]| {
            let mean = rest.iter().sum::<f64>() / rest.len() as f64;
            let squares: f64 = rest.iter().map(|one| (one - mean).powi(2)).sum();
            squares / (rest.len() as f64).powi(2)
        };
        let places = 0..=batches.len().checked_sub(3)?;
        let least = places
            .min_by(|one, other| error(&batches[*one..]).total_cmp(&error(&batches[*other..])))?;
        (2 * least <= batches.len()).then_some(5 * least)
    }

    /// A mean of 10 with noise, from which the beginning is as far away as told.
    fn series(away: impl Fn(usize) -> f64, count: usize, seed: u64) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut noise = || random.random::<f64>() - 0.5;
        (0..count)
            .map(|place| 10.0 + noise() - away(place))
            .collect()
    }

    #[test]
    fn the_rule_is_the_published_one() {
        for seed in 0..50 {
            let count = 20 + 7 * seed as usize;
            for rate in [0.002, 0.05, 0.5] {
                let series = series(|place| 8.0 * (-rate * place as f64).exp(), count, seed);
                assert_eq!(mser_5(&series), plain(&series), "{count} {rate}");
            }
        }
    }

    #[test]
    fn the_beginning_is_cut_off_as_far_as_it_differs() {
        let step = |place| if place < 150 { 9.0 } else { 0.0 };
        for seed in 0..20 {
            let cut = mser_5(&series(step, 1000, seed));
            assert!(cut.is_some_and(|cut| (150..400).contains(&cut)), "{cut:?}");
            let none = mser_5(&series(|_| 0.0, 1000, seed));
            assert!(none.is_some_and(|cut| cut < 500), "{none:?}");
        }
        assert_eq!(mser_5(&[3.0; 100]), Some(0));
    }

    #[test]
    fn a_series_that_has_not_settled_is_too_short() {
        let rising = |place: usize| 1000.0 - place as f64;
        assert_eq!(mser_5(&series(rising, 1000, 1)), None);
        let late = |place| if place < 700 { 9.0 } else { 0.0 };
        assert_eq!(mser_5(&series(late, 1000, 1)), None);
        assert_eq!(mser_5(&[]), None);
        assert_eq!(mser_5(&[1.0; 14]), None);
    }
}
