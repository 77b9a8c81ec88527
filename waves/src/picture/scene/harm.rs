//! Wires that fail, and what became of messages.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::picture::run::{Failure, Fared, Run};
use crate::picture::sentences;

/// A wire that fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failing {
    /// The node that drives it.
    pub sender: u32,
    /// The node that receives.
    pub receiver: u32,
    /// The first bit time in which it fails.
    pub from: u32,
    /// In a sentence.
    pub words: String,
}

impl Failing {
    /// All that do, the first to fail first.
    pub fn all(run: &Run) -> Vec<Failing> {
        let mut failures: Vec<&Failure> = run.failures.iter().collect();
        failures.sort_by_key(|failure| failure.from);
        let failing = |failure: &Failure| Failing {
            sender: failure.sender,
            receiver: failure.receiver,
            from: failure.from,
            words: sentences::failure(run, failure),
        };
        failures.into_iter().map(failing).collect()
    }
}

/// What became of messages where wires fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Harm {
    /// How many fared how, in a sentence.
    pub words: String,
    /// By name, in a sentence.
    pub fates: BTreeMap<String, String>,
    /// Names of those that were restored from what was left of them.
    pub restored: Vec<String>,
    /// Names of those that were not.
    pub lost: Vec<String>,
}

impl Harm {
    /// Of all messages of which something is known.
    pub fn of(run: &Run) -> Option<Harm> {
        let who = |fared| {
            let fates = run.fates.iter().filter(|fate| fate.fared == fared);
            fates.map(|fate| fate.message.clone()).collect::<Vec<_>>()
        };
        let (restored, lost) = (who(Fared::Restored), who(Fared::Lost));
        (!run.fates.is_empty()).then(|| Harm {
            words: sentences::harm(run.fates.len(), restored.len(), lost.len()),
            fates: (run.fates.iter())
                .map(|fate| (fate.message.clone(), fate.words.clone()))
                .collect(),
            restored,
            lost,
        })
    }
}
