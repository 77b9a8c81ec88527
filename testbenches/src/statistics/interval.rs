//! Confidence intervals: by Student's t of independent observations, and of the observations of one run by batch means; by Wilson of a
//! share.

/// Batches of a run: 10 to 30 are enough whatever the length of the run (Schmeiser, *Batch size effects in the analysis of
/// simulation output*, 1982).
const BATCHES: usize = 20;

/// The 97.5 % quantile of Student's t, by degrees of freedom from 1 on.
const QUANTILES: [f64; 30] = [
    12.706_204_736_432_1,
    4.302_652_729_911_3,
    3.182_446_305_284_3,
    2.776_445_105_197_8,
    2.570_581_835_636_2,
    2.446_911_848_791_7,
    2.364_624_251_592_8,
    2.306_004_135_204_2,
    2.262_157_162_854_1,
    2.228_138_851_964_9,
    2.200_985_160_082_9,
    2.178_812_829_663_4,
    2.160_368_656_461_0,
    2.144_786_687_916_9,
    2.131_449_545_559_3,
    2.119_905_299_221_0,
    2.109_815_577_833_2,
    2.100_922_040_241_0,
    2.093_024_054_408_3,
    2.085_963_447_265_9,
    2.079_613_844_727_7,
    2.073_873_067_904_0,
    2.068_657_610_419_1,
    2.063_898_561_628_0,
    2.059_538_552_753_3,
    2.055_529_438_642_9,
    2.051_830_516_480_3,
    2.048_407_141_795_2,
    2.045_229_642_132_7,
    2.042_272_456_301_2,
];

/// The 97.5 % quantile of Student's t; `degrees` is 1 or more.
fn quantile(degrees: usize) -> f64 {
    match QUANTILES.get(degrees.saturating_sub(1)) {
        Some(quantile) => *quantile,
        None => {
            // Cornish and Fisher's expansion about the normal quantile: exact to 6 digits from 31 degrees on.
            let (z, v) = (1.959_963_984_540_054_f64, degrees as f64);
            let first = (z.powi(3) + z) / 4.0;
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            z + first / v + second / v.powi(2) + third / v.powi(3)
        }
    }
}

/// A mean, and how far from it the expected value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The average.
    pub mean: f64,
    /// Half of the width of the 95 % confidence interval around it.
    pub half_width: f64,
}

impl Interval {
    /// Of independent observations, by Student's t; none of fewer than two.
    pub fn of(observations: &[f64]) -> Option<Self> {
        let count = observations.len();
        if count < 2 {
            return None;
        }
        let mean = observations.iter().sum::<f64>() / count as f64;
        let squares: f64 = observations.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (squares / (count - 1) as f64 / count as f64).sqrt();
        Some(Interval {
            mean,
            half_width: quantile(count - 1) * error,
        })
    }

    /// Of the observations of one run, in their order, which depend on those near to them: by the means of 20 batches of as
    /// many in a row, which hardly do if the run is long. The mean is that of all observations. None of fewer than two a
    /// batch.
    pub fn by_batch_means(observations: &[f64]) -> Option<Self> {
        let count = observations.len();
        if count < 2 * BATCHES {
            return None;
        }
        let batches = (0..BATCHES).map(|batch| {
            let place = |batch: usize| batch * count / BATCHES;
            let inside = &observations[place(batch)..place(batch + 1)];
            inside.iter().sum::<f64>() / inside.len() as f64
        });
        let batches: Vec<f64> = batches.collect();
        Some(Interval {
            mean: observations.iter().sum::<f64>() / count as f64,
            ..Interval::of(&batches)?
        })
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Between which the share of a whole is, with 95 % confidence, if `some` of so many are of it that were drawn from it (Wilson,
/// *Probable inference, the law of succession, and statistical inference*, 1927). Where a large part of the whole was drawn it is
/// nearer still.
pub fn share_of(some: usize, drawn: usize) -> [f64; 2] {
    if drawn == 0 {
        return [0.0, 1.0];
    }
    let (n, squared) = (drawn as f64, NORMAL * NORMAL);
    let share = some as f64 / n;
    let middle = share + squared / (2.0 * n);
    let around = NORMAL * (share * (1.0 - share) / n + squared / (4.0 * n * n)).sqrt();
    let bound = |sign: f64| ((middle + sign * around) / (1.0 + squared / n)).clamp(0.0, 1.0);
    // What is at an end is there exactly, whatever the digits say.
    let least = if some == 0 { 0.0 } else { bound(-1.0) };
    [least, if some == drawn { 1.0 } else { bound(1.0) }]
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The share of what is positive of Student's t that is at most `t`, by Simpson's rule over its density.
    fn share(degrees: usize, t: f64) -> f64 {
        let v = degrees as f64;
        let density = |x: f64| (1.0 + x * x / v).powf(-(v + 1.0) / 2.0);
        let simpson = |from: f64, to: f64| {
            let steps = 20_000;
            let width = (to - from) / steps as f64;
            let inner = (0..=steps).map(|step| {
                let weight = match step {
                    0 => 1.0,
                    step if step == steps => 1.0,
                    step if step % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * density(from + step as f64 * width)
            });
            inner.sum::<f64>() * width / 3.0
        };
        // All of it, its tail by the substitution x = 1/u where it is long.
        let tail = {
            let steps = 20_000;
            let width = 1.0 / 10.0 / steps as f64;
            let middle = |step: usize| (step as f64 + 0.5) * width;
            let inner = (0..steps).map(|step| density(1.0 / middle(step)) / middle(step).powi(2));
            inner.sum::<f64>() * width
        };
        simpson(0.0, t) / (simpson(0.0, 10.0) + tail)
    }

    #[test]
    fn quantiles_are_those_of_the_density() {
        for degrees in [1, 2, 3, 4, 7, 15, 19, 29, 30, 31, 32, 50, 99, 1000] {
            let half = share(degrees, quantile(degrees));
            // 6 digits of a quantile are 3e-7 of what lies below it.
            assert!((half - 0.95).abs() < 3e-7, "{degrees}: {half}");
        }
        assert!((1..100).all(|degrees| quantile(degrees) > quantile(degrees + 1)));
    }

    #[test]
    fn an_interval_is_that_of_the_textbook() {
        let Interval { mean, half_width } = Interval::of(&[1.0, 2.0, 4.0, 5.0]).unwrap();
        assert_eq!(mean, 3.0);
        // The standard deviation is sqrt(10/3), that of the mean half of it.
        let expected = 3.182_446 * (10.0_f64 / 3.0).sqrt() / 2.0;
        assert!((half_width - expected).abs() < 1e-5);
        assert_eq!(Interval::of(&[7.0]), None);
        assert_eq!(Interval::of(&[]), None);
        assert_eq!(Interval::of(&[7.0; 3]).unwrap().half_width, 0.0);
        assert_eq!(Interval::by_batch_means(&[7.0; 39]), None);
        let uneven: Vec<f64> = (0..47).map(f64::from).collect();
        assert_eq!(Interval::by_batch_means(&uneven).unwrap().mean, 23.0);
    }

    /// How often, of 1000 times, an interval has the expected value 0 in it.
    fn covers(of: impl Fn(&mut ChaCha8Rng) -> Interval) -> usize {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut inside = || {
            let Interval { mean, half_width } = of(&mut random);
            usize::from(mean.abs() <= half_width)
        };
        (0..1000).map(|_| inside()).sum()
    }

    /// Against Wilson's formula as textbooks print it, for 8 of 10; and what is so of any: shares lie between, ends are ends.
    #[test]
    fn a_share_is_between_wilsons_bounds() {
        let [least, most] = share_of(8, 10);
        assert!((least - 0.490_162).abs() < 1e-6 && (most - 0.943_318).abs() < 1e-6);
        assert_eq!((share_of(0, 7)[0], share_of(7, 7)[1]), (0.0, 1.0));
        assert_eq!(share_of(0, 0), [0.0, 1.0]);
        for (some, drawn) in (1..40).flat_map(|drawn| (0..=drawn).map(move |some| (some, drawn))) {
            let ([least, most], share) = (share_of(some, drawn), some as f64 / drawn as f64);
            assert!(least <= share && share <= most && most - least > 0.0);
            let [other, _] = share_of(drawn - some, drawn);
            assert!((1.0 - most - other).abs() < 1e-12);
        }
    }

    /// About normally distributed.
    fn noise(random: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
    }

    #[test]
    fn nineteen_in_twenty_intervals_have_the_expected_value_in_them() {
        for count in [2, 5, 20] {
            let covered = covers(|random| {
                let observations: Vec<f64> = (0..count).map(|_| noise(random)).collect();
                Interval::of(&observations).unwrap()
            });
            assert!((930..=970).contains(&covered), "{count}: {covered}");
        }
    }

    #[test]
    fn batch_means_allow_for_observations_that_depend_on_each_other() {
        let correlated = |random: &mut ChaCha8Rng| -> Vec<f64> {
            let mut value = 0.0;
            let mut next = || {
                value = 0.9 * value + noise(random);
                value
            };
            (0..4000).map(|_| next()).collect()
        };
        let covered = covers(|random| Interval::by_batch_means(&correlated(random)).unwrap());
        assert!((920..=970).contains(&covered), "{covered}");
        // As if they did not, most intervals would be too narrow.
        let covered = covers(|random| Interval::of(&correlated(random)).unwrap());
        assert!(covered < 600, "{covered}");
    }
}
