//! What can be asked for: every name that a parameter lists is taken somewhere, and what is refused is refused with a reason.

use std::collections::BTreeSet;

use testbenches::families::testbenches;
use testbenches::testbench::parameter::Kind;

use crate::common::sample::{Outcome, sample};

/// At every testbench some machines of the sample run, and most of what is asked for does.
#[test]
fn every_testbench_runs_in_the_sample() {
    for bench in testbenches() {
        let of_bench = || {
            sample()
                .iter()
                .filter(|sampled| std::ptr::eq(sampled.bench, bench))
        };
        let asked = of_bench().count();
        let ran = of_bench().filter(|sampled| sampled.report().is_some());
        let ran = ran.count();
        assert!(
            ran >= 3 && 2 * ran >= asked,
            "{bench:?}: {ran} of {asked} run"
        );
    }
    let refused = sample().iter();
    let refused = refused.filter(|sampled| matches!(sampled.outcome, Outcome::Refused(_)));
    assert!(
        refused.count() >= testbenches().count(),
        "nothing is refused"
    );
}

#[test]
fn every_name_and_every_switch_is_taken_somewhere() {
    let (mut seen, mut missing) = (0, Vec::new());
    for sampled in sample() {
        let Some((parameter, value)) = &sampled.about else {
            continue;
        };
        if !matches!(parameter.kind, Kind::Name(..) | Kind::Switch) {
            continue;
        }
        let of = (sampled.bench.name, parameter.option, value.as_str());
        if sampled.report().is_none() {
            missing.push(format!("{of:?}: {}: {:?}", sampled.words, sampled.outcome));
        }
        seen += 1;
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(seen > 200, "{seen}");
}

/// It names an option that was given, or it repeats the value.
#[test]
fn what_is_refused_is_refused_with_a_reason() {
    let mut options = BTreeSet::new();
    for sampled in sample() {
        let Outcome::Refused(why) = &sampled.outcome else {
            continue;
        };
        let (parameter, value) = sampled.about.as_ref().unwrap();
        let given = sampled
            .words
            .split(' ')
            .filter(|word| word.starts_with("--"));
        let names_option = given.clone().any(|option| why.contains(option));
        let is_value = |word: &str| {
            let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            bare == value
        };
        let has_value = why.split([' ', '(', ',', ':', '=']).any(is_value);
        let is_sentence = why.len() > 20 && !why.ends_with(['.', '\n']);
        assert!(
            is_sentence && (names_option || has_value),
            "{}: {why}",
            sampled.name()
        );
        options.insert((sampled.bench.name, parameter.option));
    }
    assert!(options.len() > 20, "{options:?}");
}
