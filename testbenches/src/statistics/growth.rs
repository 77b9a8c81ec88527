//! Whether a backlog is stable or grows without end: a test that may say that it cannot tell yet.
//!
//! A backlog that grows without end grows in proportion to time. That of a network which carries its load comes to rest.
//! Between them, exactly at its capacity, a queue is a random walk that cannot fall below zero, and its length grows as the
//! square root of time (Iglehart and Whitt, *Multiple channel queues in heavy traffic*, 1970). So what tells them apart is the
//! power of time with which the backlog grows, 0, 1/2 or 1; it is seen in the means over octaves of the run, each of which
//! is twice as long as the one before:
//!
//! ```text
//!   0  T/16 T/8   T/4      T/2                 T
//!      |--|-----|--------|-------------------|     each mean over the one before: 2^0 stable, 2^1 saturated
//! ```
//!
//! The powers of the last two, three and four octaves all have to be well on one side of 1/2. Chance makes them so as well,
//! as long as the backlog is about as large as a random walk would be after as many bit times. How far that goes is known
//! from the steps that the backlog takes in short times, in which no network pulls it back. Where the backlog is not much
//! smaller than that (stable), or its growth not much larger (saturated), the same has to be seen once more when the run is twice
//! as long.
//!
//! The thresholds are set by runs: `testbenches/tests/simulation/wormhole/saturation.rs` measures how often verdicts are wrong.

use crate::statistics::series::Series;

/// The means of so many octaves are looked at.
const OCTAVES: usize = 4;
/// A series with fewer slots than this says nothing: of its first octaves there would be nothing to average.
const LEAST_SLOTS: usize = 64;
/// Stable: the most that the powers over the last two, three and four octaves may be. The more of the beginning they have in
/// them, the more of them is its rise from an empty machine.
const STABLE: [f64; 3] = [0.3, 0.35, 0.45];
/// Saturated: the least.
const SATURATED: [f64; 3] = [0.7, 0.7, 0.65];
/// Stable at first sight: the backlog is at most this share of how far a random walk goes.
const SMALL: f64 = 0.7;
/// Saturated at first sight: the last two octaves differ by so many standard deviations of what they would of a random walk.
const LARGE: f64 = 3.0;
/// What is taken for the smallest mean, so that it has a logarithm.
const LEAST_MEAN: f64 = 0.01;

/// What can be said of a network under a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It carries the load: its backlog comes to rest.
    Stable,
    /// It does not: its backlog grows without end.
    Saturated,
    /// The run is too short to tell.
    Undecided,
}

impl Verdict {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Stable => "stable",
            Verdict::Saturated => "saturated",
            Verdict::Undecided => "undecided",
        }
    }

    /// Whether the network is saturated; none, where that cannot be told.
    pub fn is_saturated(self) -> Option<bool> {
        match self {
            Verdict::Stable => Some(false),
            Verdict::Saturated => Some(true),
            Verdict::Undecided => None,
        }
    }
}

/// How a backlog grew in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// As which power of time, over the last two octaves; none of a run that is too short.
    pub exponent: Option<f64>,
    /// What is said of it.
    pub verdict: Verdict,
    /// What will be said if the same is seen when the run is twice as long.
    suspected: Verdict,
}

/// The slope of a line through the logarithms of these means.
fn exponent(means: &[f64]) -> f64 {
    let middle = (means.len() - 1) as f64 / 2.0;
    let logarithms = means.iter().map(|mean| mean.max(LEAST_MEAN).log2());
    let places = (0..means.len()).map(|place| place as f64 - middle);
    let (mut products, mut squares) = (0.0, 0.0);
    for (place, logarithm) in places.zip(logarithms) {
        products += place * logarithm;
        squares += place * place;
    }
    products / squares
}

/// How far a random walk goes in as many slots as there are, one standard deviation, if its steps are those that the means of
/// neighbouring slots tell: these differ by two thirds of the variance of the steps in a slot.
fn random_walk(means: &[f64]) -> f64 {
    let squares: f64 = means
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).powi(2))
        .sum();
    (1.5 * squares / (means.len() - 1) as f64 * means.len() as f64).sqrt()
}

/// The means of the last octaves, the last one last.
fn octaves(means: &[f64]) -> [f64; OCTAVES] {
    let mut octaves = [0.0; OCTAVES];
    let mut end = means.len();
    for octave in octaves.iter_mut().rev() {
        let begin = end / 2;
        *octave = means[begin..end].iter().sum::<f64>() / (end - begin) as f64;
        end = begin;
    }
    octaves
}

/// Judges a backlog that was sampled from the beginning of a run on; `before` is what was said when the run was half as long.
fn judged(means: &[f64], before: Option<&Growth>) -> Growth {
    if means.len() < LEAST_SLOTS {
        return Growth {
            exponent: None,
            verdict: Verdict::Undecided,
            suspected: Verdict::Undecided,
        };
    }
    let octaves = octaves(means);
    let exponents = [2, 3, 4].map(|last| exponent(&octaves[OCTAVES - last..]));
    let walk = random_walk(means);
    let [.., last_but_one, last] = octaves;
    let are = |bounds: [f64; 3], is_within: fn(f64, f64) -> bool| {
        exponents
            .into_iter()
            .zip(bounds)
            .all(|(one, bound)| is_within(one, bound))
    };
    // The difference of the last two octaves of a random walk has half the deviation of the walk itself.
    let (suspected, is_plain) = match () {
        () if are(STABLE, |one, most| one <= most) => (Verdict::Stable, last <= SMALL * walk),
        () if are(SATURATED, |one, least| one >= least) => (
            Verdict::Saturated,
            last - last_but_one >= LARGE * walk / 2.0,
        ),
        () => (Verdict::Undecided, false),
    };
    let is_seen_again = before.is_some_and(|before| before.suspected == suspected);
    Growth {
        exponent: Some(exponents[0]),
        verdict: match is_plain || is_seen_again {
            true => suspected,
            false => Verdict::Undecided,
        },
        suspected,
    }
}

/// Judges a backlog that was sampled from the beginning of a run on; `before` is what was said when the run was half as long, if
/// it was asked then.
pub fn growth(backlog: &Series, before: Option<&Growth>) -> Growth {
    judged(backlog.means(), before)
}

/// The same of a run whose length was given: what it says is compared with what its first half says.
pub fn growth_of_given_length(backlog: &Series) -> Growth {
    let means = backlog.means();
    let before = judged(&means[..means.len() / 2], None);
    judged(means, Some(&before))
}

#[cfg(test)]
mod tests;
