//! Verdicts on series of which the truth is known.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Bit times after which a run is judged for the first time, and how often it may become twice as long.
const FIRST: usize = 6000;
const DOUBLINGS: usize = 6;

/// The verdict on a backlog, with as many bit times as it takes.
fn sequential(mut next: impl FnMut() -> u64) -> (Verdict, usize) {
    let mut series = Series::default();
    let (mut before, mut bit_times) = (None, 0);
    for doublings in 0..=DOUBLINGS {
        while bit_times < FIRST << doublings {
            series.sample(next());
            bit_times += 1;
        }
        let now = growth(&series, before.as_ref());
        if now.verdict != Verdict::Undecided {
            return (now.verdict, doublings);
        }
        before = Some(now);
    }
    (Verdict::Undecided, DOUBLINGS)
}

/// So many queues side by side, each with one server that takes 64 bit times for a message, at this load: their backlog together.
fn queues(servers: usize, load: f64, seed: u64) -> impl FnMut() -> u64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut work = vec![0u64; servers];
    move || {
        for left in &mut work {
            *left = left.saturating_sub(1);
            if random.random_bool(load / 64.0) {
                *left += 64;
            }
        }
        work.iter().map(|left| left.div_ceil(64)).sum()
    }
}

/// How many of so many verdicts on such queues are which: stable, saturated, undecided; and how often a run was doubled.
fn verdicts(servers: usize, load: f64, seeds: u64) -> ([usize; 3], usize) {
    let (mut verdicts, mut doubled) = ([0; 3], 0);
    for seed in 0..seeds {
        let (verdict, doublings) = sequential(queues(servers, load, seed));
        doubled += doublings;
        verdicts[verdict as usize] += 1;
    }
    (verdicts, doubled)
}

#[test]
fn queues_on_both_sides_of_their_capacity_are_told_apart() {
    let (mut wrong, mut of) = (0, 0);
    for servers in [1, 8] {
        for load in [0.2, 0.6, 0.8, 1.3, 1.6] {
            let ([stable, saturated, undecided], doubled) = verdicts(servers, load, 60);
            println!("{servers} {load}: {stable} {saturated} {undecided}, {doubled} doublings");
            wrong += if load < 1.0 { saturated } else { stable };
            of += 60;
            assert!(undecided <= 6, "{servers} {load}: {undecided} undecided");
        }
    }
    println!("{wrong} of {of} wrong");
    assert!(50 * wrong < of, "{wrong} of {of}");
}

#[test]
fn far_from_its_capacity_a_run_is_hardly_ever_longer() {
    for (servers, load) in [(8, 0.2), (8, 0.5), (8, 1.8)] {
        let (_, doubled) = verdicts(servers, load, 60);
        assert!(doubled <= 20, "{servers} {load}: {doubled} doublings");
    }
}

#[test]
fn at_its_capacity_a_queue_is_mostly_undecided() {
    let ([_, _, undecided], _) = verdicts(8, 1.0, 12);
    assert!(undecided > 6, "{undecided}");
}

/// A line with a little noise.
fn line(bit_times: usize, at: impl Fn(f64) -> f64) -> Series {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut sample = |t: usize| (at(t as f64) + random.random::<f64>()) as u64;
    (0..bit_times).map(&mut sample).collect()
}

#[test]
fn the_power_of_time_is_found() {
    for (power, expected) in [
        (0.0, Verdict::Stable),
        (0.5, Verdict::Undecided),
        (1.0, Verdict::Saturated),
    ] {
        let growth = growth(&line(20_000, |t| 1e4 * (t / 2e4).powf(power)), None);
        let found = growth.exponent.unwrap();
        assert!((found - power).abs() < 0.02, "{power}: {found}");
        // A line that does not move is no random walk of its size.
        if power > 0.0 {
            assert_eq!(growth.verdict, expected);
        }
    }
}

#[test]
fn what_is_not_plain_is_said_when_it_is_seen_again() {
    let level = line(20_000, |_| 1e4);
    let first = growth(&level, None);
    assert_eq!(first.verdict, Verdict::Undecided);
    assert_eq!(growth(&level, Some(&first)).verdict, Verdict::Stable);
    let rising = growth(&line(20_000, |t| t), None);
    assert_eq!(growth(&level, Some(&rising)).verdict, Verdict::Undecided);
    assert_eq!(growth_of_given_length(&level).verdict, Verdict::Stable);
}

#[test]
fn little_says_nothing_and_nothing_at_all_is_stable() {
    let short = growth(&line(1000, |_| 3.0), None);
    assert_eq!((short.verdict, short.exponent), (Verdict::Undecided, None));
    let empty: Series = (0..5000).map(|_| 0).collect();
    assert_eq!(growth(&empty, None).verdict, Verdict::Stable);
}
