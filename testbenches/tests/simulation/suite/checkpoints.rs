//! Checkpoints: testbenches that offer them write them, and a run that goes on from one gives the report of a run that was not broken
//! off.

use std::collections::BTreeSet;

use testbenches::families;
use testbenches::options::CheckpointArguments;
use testbenches::testbench::bench::{Offer, RunOptions};

use crate::common::sample::{quietly, ran_of_choices};
use crate::suite::dumped::run;
use crate::suite::reports::but_for_time_and_files;

#[test]
fn a_run_that_is_taken_up_gives_the_same_report() {
    let mut taken = BTreeSet::new();
    for (sampled, report) in ran_of_choices() {
        let is_offered = sampled.bench.offers.contains(&Offer::Checkpoints);
        // Each bit time is written down, and waited for.
        if !is_offered || report.bit_times > 50 {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        let with = |checkpoints| RunOptions {
            checkpoints,
            ..quietly()
        };
        let writes = CheckpointArguments {
            checkpoint: Some(kept.clone()),
            every: Some(1e-9),
            resume: None,
        };
        let goes_on = CheckpointArguments {
            resume: Some(kept.clone()),
            ..CheckpointArguments::default()
        };
        let due = but_for_time_and_files(report);
        for options in [with(writes), with(goes_on)] {
            let told = run(sampled, "", options);
            assert_eq!(but_for_time_and_files(&told), due, "{}", sampled.name());
        }
        assert!(kept.join("checkpoint.json").exists(), "{}", sampled.name());
        taken.insert(sampled.bench.name);
    }
    assert!(taken.len() > 5, "{taken:?}");
}

#[test]
fn who_offers_none_takes_no_option_for_them() {
    let mut without = 0;
    for bench in families::testbenches() {
        let command = bench.run_arguments(clap::Command::new("run"));
        let has = |option: &str| command.get_arguments().any(|one| one.get_id() == option);
        let is_offered = bench.offers.contains(&Offer::Checkpoints);
        assert_eq!(
            ["checkpoint", "every", "resume"].map(has),
            [is_offered; 3],
            "{}",
            bench.name
        );
        without += usize::from(!is_offered);
    }
    assert!(without > 3, "{without}");
}
