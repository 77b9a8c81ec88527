//! The search: all traffics, if there are few enough; else climbs side by side that may go down again, less and less, and begin anew.
//!
//! ```text
//!   named and drawn traffics --> [ step, judge, accept or go back ] x ROUND --> half of them begin anew, half from the best
//!                                  the worse the step and the later in the round, the less it is accepted
//! ```

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::interrupt;
use crate::search::space::{Candidate, Space};

/// How much a traffic has of what is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// What is to be as large as can be; infinite, where a check of the run does not hold.
    pub value: f64,
    /// Which of equal ones is nearer to more: from 0 to 1.
    pub nearness: f64,
}

impl Score {
    fn height(self) -> f64 {
        self.value + self.nearness
    }
}

/// Says how much traffics have of what is searched for.
pub trait Judge {
    /// As many are judged at once.
    fn at_once(&self) -> usize;

    /// The scores of so many, or of fewer.
    ///
    /// # Errors
    /// What keeps a run from its end.
    fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Score>, Error>;
}

/// How long is searched.
pub struct Budget<'a> {
    /// So many traffics are judged, at the most.
    pub tries: u64,
    /// Until then.
    pub until: Option<Instant>,
    /// Is told how many have been judged.
    pub passed: &'a dyn Fn(u64),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The traffic that has most.
    pub candidate: Candidate,
    /// How much.
    pub value: f64,
    /// The least that any has had.
    pub least: f64,
    /// Traffics that were judged.
    pub tried: u64,
    /// They were all that there are.
    pub is_exhaustive: bool,
}

/// Steps between two beginnings.
const ROUND: u64 = 500;

/// As much of their warmth climbs have that begin at the best, so that they do not leave it at once.
const WARMTH_AT_BEST: f64 = 0.1;

/// Judges, and keeps the best.
struct Search<'a> {
    judge: &'a mut dyn Judge,
    budget: &'a Budget<'a>,
    found: Found,
    /// Of what was found.
    nearness: f64,
}

impl Search<'_> {
    fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Score>, Error> {
        interrupt::check()?;
        let scores = self.judge.judge(candidates)?;
        for (candidate, score) in candidates.iter().zip(&scores) {
            self.found.least = self.found.least.min(score.value);
            let best = (self.found.value, self.nearness);
            if (score.value, score.nearness) > best {
                (self.found.value, self.nearness) = (score.value, score.nearness);
                self.found.candidate.clone_from(candidate);
            }
        }
        self.found.tried += candidates.len() as u64;
        (self.budget.passed)(self.found.tried);
        Ok(scores)
    }

    /// How many more are to be judged, at the most.
    fn left(&self) -> usize {
        let left = self.budget.tries.saturating_sub(self.found.tried);
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// No more are to be judged: as many as may be have been, or there is one of which a check does not hold.
    fn is_over(&self) -> bool {
        let is_late = self
            .budget
            .until
            .is_some_and(|until| Instant::now() >= until);
        let are_enough = self.found.tried >= self.budget.tries;
        self.found.tried > 0 && (is_late || are_enough || self.found.value == f64::INFINITY)
    }
}

/// Searches for the traffic that has most. What is found follows from the seed and from how many are tried.
///
/// # Errors
/// Those of the judge; [`Error::Interrupted`].
pub fn search(
    space: &Space,
    judge: &mut dyn Judge,
    budget: &Budget<'_>,
    seed: u64,
) -> Result<Found, Error> {
    let at_once = judge.at_once().max(1);
    let mut search = Search {
        judge,
        budget,
        nearness: 0.0,
        found: Found {
            candidate: Candidate::new(),
            value: f64::NEG_INFINITY,
            least: f64::INFINITY,
            tried: 0,
            is_exhaustive: false,
        },
    };
    match space.size() <= budget.tries as f64 {
        true => exhaust(space, &mut search, at_once)?,
        false => climb(
            space,
            &mut search,
            at_once,
            &mut ChaCha8Rng::seed_from_u64(seed),
        )?,
    }
    Ok(search.found)
}

/// Judges all that there are, as long as there is time.
fn exhaust(space: &Space, search: &mut Search<'_>, at_once: usize) -> Result<(), Error> {
    let mut waiting = Vec::with_capacity(at_once);
    let shown = space.each(&mut |candidate| {
        if search.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        waiting.push(candidate.clone());
        if waiting.len() == at_once {
            search.judge(&waiting)?;
            waiting.clear();
        }
        Ok(ControlFlow::Continue(()))
    })?;
    if shown.is_continue() && !waiting.is_empty() {
        search.judge(&waiting)?;
    }
    search.found.is_exhaustive = shown.is_continue();
    Ok(())
}

/// One of the climbs.
struct Climb {
    at: Candidate,
    height: f64,
    /// By how much it may go down in the beginning.
    warmth: f64,
}

fn climb(
    space: &Space,
    search: &mut Search<'_>,
    at_once: usize,
    random: &mut ChaCha8Rng,
) -> Result<(), Error> {
    let mut begun = 0;
    while !search.is_over() {
        let some = search.left().min(at_once);
        let mut climbs = begin(space, search, begun..begun + some, random)?;
        begun += some;
        for step in 0..ROUND {
            if search.is_over() {
                break;
            }
            let share = (1.0 - step as f64 / ROUND as f64).powi(2);
            let some = climbs.iter().take(search.left());
            let mut next: Vec<Candidate> = some.map(|climb| climb.at.clone()).collect();
            next.iter_mut()
                .for_each(|candidate| space.step(candidate, random));
            let scores = search.judge(&next)?;
            for ((climb, next), score) in climbs.iter_mut().zip(next).zip(scores) {
                let (rise, temperature) = (score.height() - climb.height, climb.warmth * share);
                if rise >= 0.0 || random.random::<f64>() < (rise / temperature).exp() {
                    climb.at = next;
                    climb.height = score.height();
                }
            }
        }
    }
    Ok(())
}

/// Climbs that begin: every other one at the best that was found so far, if any was.
fn begin(
    space: &Space,
    search: &mut Search<'_>,
    numbers: Range<usize>,
    random: &mut ChaCha8Rng,
) -> Result<Vec<Climb>, Error> {
    let best = search.found.candidate.clone();
    let is_from_best = |number: usize| !best.is_empty() && number.is_multiple_of(2);
    let begin = |number: usize| match is_from_best(number) {
        true => best.clone(),
        false => space.first(number, random),
    };
    let beginnings: Vec<Candidate> = numbers.clone().map(begin).collect();
    let scores = search.judge(&beginnings)?;
    let warmth = spread(&scores).max(0.5);
    let climbs = numbers.zip(beginnings).zip(scores);
    let climbs = climbs.map(|((number, at), score)| Climb {
        at,
        height: score.height(),
        warmth: match is_from_best(number) {
            true => warmth * WARMTH_AT_BEST,
            false => warmth,
        },
    });
    Ok(climbs.collect())
}

/// How far heights lie apart: their standard deviation.
fn spread(scores: &[Score]) -> f64 {
    let all = scores.iter().map(|score| score.height());
    let heights: Vec<f64> = all.filter(|height| height.is_finite()).collect();
    let amount = heights.len().max(1) as f64;
    let mean = heights.iter().sum::<f64>() / amount;
    let squares = heights.iter().map(|height| (height - mean).powi(2));
    (squares.sum::<f64>() / amount).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::testbench;
    use crate::search::space::Traffics;
    use rtl_model::traffic::Nodes;

    /// Counts sources that send where one traffic has them send, which has no name; it says no more than `most` of it.
    struct Alike {
        most: usize,
    }

    impl Judge for Alike {
        fn at_once(&self) -> usize {
            8
        }

        fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Score>, Error> {
            assert!(candidates.len() <= 8);
            let score = |candidate: &Candidate| Score {
                value: alike(candidate).min(self.most) as f64,
                nearness: alike(candidate) as f64 / 100.0,
            };
            Ok(candidates.iter().map(score).collect())
        }
    }

    fn alike(candidate: &Candidate) -> usize {
        let nodes = candidate.len() as u32;
        let sent = (0..nodes).zip(candidate);
        sent.filter(|(source, to)| **to == Some((5 * source + 3) % nodes))
            .count()
    }

    fn searched(nodes: usize, tries: u64, seed: u64, most: usize) -> Found {
        let chosen = testbench("kuszmaul").unwrap().asked("").unwrap();
        let space = Space::new(
            Traffics::Permutation,
            Nodes::new(nodes).unwrap(),
            &chosen,
            false,
        );
        let budget = Budget {
            tries,
            until: None,
            passed: &|_| {},
        };
        search(&space, &mut Alike { most }, &budget, seed).unwrap()
    }

    #[test]
    fn few_traffics_are_tried_all_and_once() {
        let found = searched(4, 209, 1, 9);
        assert_eq!((found.tried, found.value, found.least), (209, 4.0, 0.0));
        assert!(found.is_exhaustive);
        let cut = searched(4, 208, 1, 9);
        assert!(!cut.is_exhaustive);
        assert_eq!(cut.tried, 208);
        assert_eq!(searched(32, 1, 1, 9).tried, 1);
    }

    /// With more traffics than anybody can try, however many are allowed.
    #[test]
    fn all_traffics_are_tried_as_long_as_there_is_time() {
        let chosen = testbench("kuszmaul").unwrap().asked("").unwrap();
        let nodes = Nodes::new(16).unwrap();
        let space = Space::new(Traffics::Permutation, nodes, &chosen, false);
        let budget = Budget {
            tries: u64::MAX,
            until: Some(Instant::now()),
            passed: &|_| {},
        };
        let found = search(&space, &mut Alike { most: 9 }, &budget, 1).unwrap();
        assert!(found.tried > 0 && !found.is_exhaustive);
    }

    #[test]
    fn a_climb_finds_what_chance_would_not() {
        let found = searched(32, 60_000, 7, 32);
        assert!(
            found.value >= 20.0 && alike(&found.candidate) as f64 == found.value,
            "{}",
            found.value
        );
        // Where only nearness leads on it does too.
        assert_eq!(searched(32, 60_000, 7, 12).value, 12.0);
    }

    #[test]
    fn what_is_found_follows_from_the_seed() {
        let [one, again, other] = [1, 1, 2].map(|seed| searched(16, 3000, seed, 3));
        assert_eq!((&one.candidate, one.tried), (&again.candidate, again.tried));
        assert_eq!(other.tried, one.tried);
    }
}
