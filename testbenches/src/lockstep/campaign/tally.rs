//! What came of many faults: outcomes, counted by kind, by part and by check.

use schemars::JsonSchema;
use serde::Serialize;

use crate::lockstep::campaign::fault::{Fault, Kind};
use crate::lockstep::campaign::faulted::Judged;

/// What came of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// No check fails, and hosts read what is due.
    Masked,
    /// A check fails.
    Detected,
    /// Hosts read something else than what is due, and no check fails.
    Silent,
}

impl Outcome {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Masked => "masked",
            Outcome::Detected => "detected",
            Outcome::Silent => "silent",
        }
    }
}

/// A fault, and what came of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its kind.
    pub kind: Kind,
    /// It.
    pub fault: Fault,
    /// What came of it.
    pub judged: Judged,
}

impl Tried {
    /// What came of it, in a word.
    pub fn outcome(&self) -> Outcome {
        match (self.judged.failed.is_empty(), self.judged.differs) {
            (false, _) => Outcome::Detected,
            (true, true) => Outcome::Silent,
            (true, false) => Outcome::Masked,
        }
    }
}

/// Faults by what came of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tally {
    /// Faults that were put in.
    pub faults: usize,
    /// Faults of which nothing comes.
    pub masked: usize,
    /// Faults that a check of the testbench sees.
    pub detected: usize,
    /// Faults that change what hosts are due, and that no check sees.
    pub silent: usize,
    /// Of those detected or silent, faults that leave a message missing, or one where none is due. 0 where hosts read no valid bits, as
    /// of operations on memories.
    pub misplaced: usize,
    /// Of those detected or silent, the others that leave hosts something else than what is due: wrong bits where messages are due,
    /// those of another message among them; or wrong results.
    pub corrupted: usize,
    /// Faults that a check sees in the run, though hosts read in the end what is due.
    pub harmless: usize,
    /// The check that sees most of them first.
    pub commonest_check: Option<&'static str>,
    #[serde(skip)]
    checks: Vec<(&'static str, usize)>,
}

impl Tally {
    /// Of some faults.
    pub fn of<'t>(faults: impl IntoIterator<Item = &'t Tried>) -> Self {
        let mut tally = Tally::default();
        for tried in faults {
            tally.count(tried);
        }
        let most = tally.checks.iter().rev().max_by_key(|(_, faults)| *faults);
        tally.commonest_check = most.map(|(name, _)| *name);
        tally
    }

    fn count(&mut self, tried: &Tried) {
        let judged = &tried.judged;
        let outcome = tried.outcome();
        self.faults += 1;
        match outcome {
            Outcome::Masked => self.masked += 1,
            Outcome::Detected => self.detected += 1,
            Outcome::Silent => self.silent += 1,
        }
        match (outcome, judged.differs, judged.misplaced) {
            (Outcome::Masked, ..) => {}
            (_, _, true) => self.misplaced += 1,
            (_, true, false) => self.corrupted += 1,
            (_, false, false) => self.harmless += 1,
        }
        if let Some(first) = judged.failed.first() {
            match self.checks.iter_mut().find(|(name, _)| name == first) {
                Some((_, faults)) => *faults += 1,
                None => self.checks.push((first, 1)),
            }
        }
    }
}

/// A check, and the faults that it sees before all others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SeenBy {
    /// The check.
    pub check: &'static str,
    /// Faults that it sees first.
    pub faults: usize,
    /// How long after the fault it sees it.
    #[schemars(extend("unit" = "bit times"))]
    pub after: After,
}

/// Bit times from faults to checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct After {
    /// The least.
    pub least: u64,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub most: u64,
}

/// The checks that see faults, in the order in which they first do.
pub fn seen_by(tried: &[Tried]) -> Vec<SeenBy> {
    let mut checks: Vec<SeenBy> = Vec::new();
    for Tried { judged, .. } in tried {
        let Some(&check) = judged.failed.first() else {
            continue;
        };
        let place = checks.iter().position(|seen| seen.check == check);
        let place = place.unwrap_or_else(|| {
            let after = After {
                least: u64::MAX,
                ..After::default()
            };
            let seen = SeenBy {
                check,
                after,
                faults: 0,
            };
            checks.push(seen);
            checks.len() - 1
        });
        let SeenBy { faults, after, .. } = &mut checks[place];
        after.least = after.least.min(judged.after);
        after.most = after.most.max(judged.after);
        after.mean += (judged.after as f64 - after.mean) / (*faults as f64 + 1.0);
        *faults += 1;
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(failed: &[&'static str], differs: bool, misplaced: bool) -> Tried {
        Tried {
            kind: Kind::Wires,
            fault: Fault::Wire {
                node: 0,
                wire: 0,
                value: true,
            },
            judged: Judged {
                failed: failed.to_vec(),
                differs,
                misplaced,
                after: 3,
            },
        }
    }

    #[test]
    fn a_fault_that_changes_what_hosts_read_and_fails_no_check_is_silent() {
        let all = [
            tried(&[], true, true),
            tried(&[], true, false),
            tried(&["delivered"], true, false),
            tried(&["message bits", "delivered"], true, true),
            tried(&["message bits"], false, false),
            tried(&[], false, false),
        ];
        let names = all.each_ref().map(|one| one.outcome().name());
        let due = [
            "silent", "silent", "detected", "detected", "detected", "masked",
        ];
        assert_eq!(names, due);
        let tally = Tally::of(&all);
        assert_eq!(
            (tally.faults, tally.masked, tally.detected, tally.silent),
            (6, 1, 3, 2)
        );
        assert_eq!(
            (tally.misplaced, tally.corrupted, tally.harmless),
            (2, 2, 1)
        );
        assert_eq!(tally.commonest_check, Some("message bits"));
    }
}
