//! Batches march through the stages of a pipeline: what the dump says of each stage.

use std::path::Path;

use serde_json::Value;

use crate::common::dump::Dump;
use crate::common::relation::{SEVERAL, Several};

/// A run of which every node is in the dump.
fn dumped(several: &Several, folder: &Path) -> (Value, Dump) {
    let report = several.told("run", "--wave run.vcd --trace-nodes all", folder);
    (report, Dump::read(&folder.join("run.vcd")))
}

fn number(report: &Value, name: &str) -> usize {
    report[name].as_u64().unwrap() as usize
}

/// What is said of a stage in each bit time: the batch and its step.
fn said(dump: &Dump, stage: usize, until: usize) -> Vec<Option<(usize, &str)>> {
    let texts = dump.by_bit_time(&format!("cube.sequencer.stage_{stage}"), 0, until as u64);
    let told = texts.into_iter().map(|text| {
        let (batch, step) = text.split_once(':')?;
        Some((batch.parse().unwrap(), step))
    });
    told.collect()
}

/// The bit time in which each batch begins at a stage.
fn begins(said: &[Option<(usize, &str)>], batches: usize) -> Vec<usize> {
    let of = |batch| {
        said.iter()
            .position(|told| told.is_some_and(|(of, _)| of == batch))
    };
    (0..batches).map(|batch| of(batch).unwrap()).collect()
}

#[test]
fn batches_march_through_the_stages_an_interval_apart() {
    let several = SEVERAL
        .iter()
        .filter(|several| several.options.contains("--batches"));
    for several in several {
        let folder = tempfile::tempdir().unwrap();
        let (report, dump) = dumped(several, folder.path());
        let (until, interval) = (
            number(&report, "bit_times"),
            number(&report, "interval_bit_times"),
        );
        let batches = number(&report, "batches");
        let stages = (0..several.dims).filter(|stage| {
            dump.signals
                .contains_key(&format!("cube.sequencer.stage_{stage}"))
        });
        let mut before = None;
        for stage in stages {
            let said = said(&dump, stage, until);
            let begins = begins(&said, batches);
            // Batch 0 is at stage 0 from the first bit time on, and at each stage after it has been at the one before.
            match before {
                None => assert_eq!((stage, begins[0]), (0, 0), "{several:?}"),
                Some(before) => assert!(begins[0] > before, "{several:?}"),
            }
            before = Some(begins[0]);
            for (batch, &begins_at) in begins.iter().enumerate() {
                assert_eq!(
                    begins_at,
                    begins[0] + batch * interval,
                    "{several:?}: stage {stage}"
                );
                // What happens to the first batch happens to each, until the next one begins.
                let steps = |from: usize, batch: usize| {
                    let told = said.iter().skip(from).take(interval.min(until - begins_at));
                    told.map(|told| told.map(|(of, step)| (of - batch, step)))
                        .collect::<Vec<_>>()
                };
                assert_eq!(
                    steps(begins_at, batch),
                    steps(begins[0], 0),
                    "{several:?}: stage {stage}"
                );
            }
        }
        assert!(before.is_some());
    }
}
