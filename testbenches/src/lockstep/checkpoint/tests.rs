//! Runs that are broken off after a checkpoint and taken up, against runs that are not.

mod fuzz;

use std::path::Path;

use rtl_model::machine::share::Rank;

use super::*;
use crate::families::{kuszmaul, relations};
use crate::lockstep::parameters::PAYLOAD_BITS;
use crate::lockstep::simulation::{self, Measurement, Run, advance_with};
use crate::lockstep::{Stimulus, benches};
use crate::options::CheckpointArguments;
use crate::testbench::Testbench;
use crate::testbench::bench;

/// A full load in a cube of 7 dimensions, with words beside.
fn stimulus(bench: &'static Testbench, words: &str) -> Box<dyn Stimulus> {
    let bits = match bench.parameter(PAYLOAD_BITS.name) {
        Some(_) => "--payload-bits 5",
        None => "",
    };
    bench::stimulus(bench, &format!("--dims 7 {bits} --load 1 {words}"))
}

/// Breaks a run off, as it pauses for the second time, with its checkpoint written.
struct BrokenOff(Checkpoints);

impl Pauses for BrokenOff {
    fn begin(&mut self, readings: &Readings) -> Duration {
        self.0.begin(readings)
    }

    fn until(&mut self, machine: &dyn Lockstep) -> u64 {
        self.0.until(machine)
    }

    fn at(&mut self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        let is_first = self.0.pace.last.is_none();
        self.0.at(machine, readings)?;
        match is_first {
            true => Ok(()),
            false => Err(Error::Interrupted),
        }
    }
}

fn run_of(
    live_bits: &dyn Fn(Option<rtl_model::machine::router::Position>) -> Option<u64>,
) -> Run<'_> {
    Run::held_to(live_bits)
}

/// The checkpoints of a run with such options, of a machine that is loaded.
fn planned(
    arguments: &CheckpointArguments,
    machine: &mut dyn Lockstep,
) -> Result<Checkpoints, Error> {
    let name = format!("of {} nodes", machine.nodes());
    let machine_is = (name, machine.device().fingerprint());
    let mut checkpoints = Checkpoints::plan(arguments, machine_is, &Rank::alone(), true)?;
    checkpoints.look_at(machine)?;
    Ok(checkpoints)
}

fn loaded(stimulus: &dyn Stimulus) -> Box<dyn Lockstep> {
    let mut machine = stimulus.device().build(1).unwrap();
    stimulus.load(&mut *machine, &mut |_| Ok(())).unwrap();
    machine
}

fn writing(folder: &Path) -> CheckpointArguments {
    CheckpointArguments {
        checkpoint: Some(folder.to_owned()),
        every: Some(1e-9),
        resume: None,
    }
}

fn resuming(folder: &Path) -> CheckpointArguments {
    CheckpointArguments {
        resume: Some(folder.to_owned()),
        ..CheckpointArguments::default()
    }
}

fn without_time(measurement: Measurement) -> String {
    let measurement = Measurement {
        simulation: Duration::ZERO,
        ..measurement
    };
    format!("{measurement:?}")
}

#[test]
fn a_run_that_is_taken_up_measures_and_ends_as_one_that_was_not_broken_off() {
    for bench in benches() {
        let stimulus = stimulus(bench, "--seed 3");
        if !stimulus.device().has_program() {
            continue;
        }
        let live_bits = |after| stimulus.live_bits(after);
        let registers = |machine: &mut dyn Lockstep| {
            let what = machine.mid_run().unwrap();
            let mut words = Vec::new();
            (0..what.tiles).for_each(|tile| machine.copy_tile(tile, &mut words));
            (what, words)
        };
        let mut whole = loaded(&*stimulus);
        let expected = simulation::advance(&mut *whole, run_of(&live_bits)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut machine = loaded(&*stimulus);
        let checkpoints = planned(&writing(folder.path()), &mut *machine).unwrap();
        let mut broken_off = BrokenOff(checkpoints);
        let pauses: Option<&mut dyn Pauses> = Some(&mut broken_off);
        let outcome = advance_with(&mut *machine, run_of(&live_bits), pauses);
        assert!(matches!(outcome, Err(Error::Interrupted)), "{bench:?}");
        let at = machine.bit_time();
        assert!(at >= 2 && at < expected.bit_times, "{bench:?}");
        let mut machine = loaded(&*stimulus);
        let mut taken_up = planned(&resuming(folder.path()), &mut *machine).unwrap();
        assert_eq!(machine.bit_time(), at, "{bench:?}");
        let pauses: Option<&mut dyn Pauses> = Some(&mut taken_up);
        let ended = advance_with(&mut *machine, run_of(&live_bits), pauses).unwrap();
        // What its bit times took before counts.
        let before = taken_up.pace.before;
        assert!(before > 0.0 && ended.simulation.as_secs_f64() >= before);
        assert_eq!(without_time(ended), without_time(expected), "{bench:?}");
        assert_eq!(
            registers(&mut *machine),
            registers(&mut *whole),
            "{bench:?}"
        );
    }
}

/// Breaks a run off at a bit time, with what it has measured written down.
struct EndsAt(u64, Checkpoints);

impl Pauses for EndsAt {
    fn begin(&mut self, readings: &Readings) -> Duration {
        self.1.begin(readings)
    }

    fn until(&mut self, _machine: &dyn Lockstep) -> u64 {
        self.0
    }

    fn at(&mut self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        self.1.write(machine, readings)?;
        Err(Error::Interrupted)
    }
}

/// Goes on from a checkpoint without what was measured before it.
struct Forgets;

impl Pauses for Forgets {
    fn begin(&mut self, _readings: &Readings) -> Duration {
        Duration::ZERO
    }

    fn until(&mut self, _machine: &dyn Lockstep) -> u64 {
        u64::MAX
    }

    fn at(&mut self, _machine: &mut dyn Lockstep, _readings: &Readings) -> Result<(), Error> {
        Ok(())
    }
}

/// Among these are runs of which each single reading never comes as high again: only the checkpoint has it.
#[test]
fn a_run_that_is_taken_up_after_its_peaks_has_them() {
    let of_batches = ["spread", "overlapped", "radix4"].map(|schedule| {
        let words = format!(
            "--batches 3 --dims 6 --payload-bits 4 --load 0.8 --seed 3 --schedule {schedule}"
        );
        bench::stimulus(&relations::BATCHES, &words)
    });
    let of_benches = benches().map(|bench| stimulus(bench, "--seed 3"));
    // As loaded, by step, of messages, and of live bits.
    let mut only_before = [0; 4];
    for stimulus in of_benches.chain(of_batches) {
        let live_bits = |after| stimulus.live_bits(after);
        let expected = simulation::advance(&mut *loaded(&*stimulus), run_of(&live_bits)).unwrap();
        let end = expected.bit_times;
        for pause in [end / 3, end / 2, end - 1] {
            let folder = tempfile::tempdir().unwrap();
            let mut machine = loaded(&*stimulus);
            let checkpoints = planned(&writing(folder.path()), &mut *machine).unwrap();
            let pauses: Option<&mut dyn Pauses> = Some(&mut EndsAt(pause, checkpoints));
            let outcome = advance_with(&mut *machine, run_of(&live_bits), pauses);
            assert!(matches!(outcome, Err(Error::Interrupted)), "{pause}");
            let go_on = |remembers: bool| {
                let mut machine = loaded(&*stimulus);
                let mut taken_up = planned(&resuming(folder.path()), &mut *machine).unwrap();
                let pauses: &mut dyn Pauses = match remembers {
                    true => &mut taken_up,
                    false => &mut Forgets,
                };
                advance_with(&mut *machine, run_of(&live_bits), Some(pauses)).unwrap()
            };
            let (ended, rest) = (go_on(true), go_on(false));
            let what = (stimulus.device().bit_times().text, pause);
            assert_eq!(
                without_time(ended),
                without_time(expected.clone()),
                "{what:?}"
            );
            let peaks = |of: &Measurement| -> Vec<u32> {
                of.steps
                    .iter()
                    .map(|step| step.peak_bits_per_node)
                    .collect()
            };
            let [peaks, of_rest] = [&expected, &rest].map(peaks);
            let is_lower = [
                rest.loaded.peak_bits_per_node < expected.loaded.peak_bits_per_node,
                of_rest.iter().zip(&peaks).any(|(rest, whole)| rest < whole),
                rest.peak_messages_per_node < expected.peak_messages_per_node,
                rest.loaded.live_bits < expected.loaded.live_bits,
            ];
            for (count, is_lower) in only_before.iter_mut().zip(is_lower) {
                *count += usize::from(is_lower);
            }
        }
    }
    assert!(only_before.iter().all(|&runs| runs > 2), "{only_before:?}");
}

#[test]
fn what_is_no_checkpoint_of_the_run_is_refused() {
    let bench = &kuszmaul::BENCH;
    let of_seed = |seed: u64| stimulus(bench, &format!("--seed {seed}"));
    let folder = tempfile::tempdir().unwrap();
    let mut machine = loaded(&*of_seed(3));
    let mut checkpoints = planned(&writing(folder.path()), &mut *machine).unwrap();
    let pauses: Option<&mut dyn Pauses> = Some(&mut checkpoints);
    advance_with(&mut *machine, run_of(&|_| None), pauses).unwrap();
    let refused_by = |stimulus: Box<dyn Stimulus>| {
        let mut machine = loaded(&*stimulus);
        let problem = match planned(&resuming(folder.path()), &mut *machine) {
            Ok(_) => None,
            Err(refused) => {
                let refused = refused.to_string();
                let about = format!(
                    "the checkpoint in {} cannot be taken up: ",
                    folder.path().display()
                );
                Some(refused.strip_prefix(&about).expect(&refused).to_owned())
            }
        };
        problem.unwrap_or_default()
    };
    let refused = |seed| refused_by(of_seed(seed));
    assert_eq!(refused(3), "");
    // In these words it is the same machine.
    let does_else = refused_by(stimulus(bench, "--seed 3 --schedule spread"));
    assert!(
        does_else.starts_with("its machine is described as this one is and does something else: "),
        "{does_else}"
    );
    let of_another = refused(4);
    assert!(of_another.starts_with("its run had other traffic: give the options or the file"));
    // One share is there, and its description.
    let share = std::fs::read_dir(folder.path()).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        (path.extension()? == "share").then_some(path)
    });
    let share = share.unwrap();
    let name = share.file_name().unwrap().to_str().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let bytes = std::fs::read(&share).unwrap();
    let mut wrong = bytes.clone();
    let middle = wrong.len() / 2;
    wrong[middle] ^= 4;
    for (bytes, reason) in [
        (
            &wrong[..],
            "a checksum is not that of what stands before it",
        ),
        (&bytes[..bytes.len() - 1], "it ends too early"),
    ] {
        std::fs::write(&share, bytes).unwrap();
        assert_eq!(refused(3), format!("{name} is broken: {reason}"));
    }
    std::fs::remove_file(&share).unwrap();
    assert_eq!(refused(3), format!("{name} is broken: it is not there"));
    std::fs::write(&share, &bytes).unwrap();
    // A later one that was not completed is of no matter.
    std::fs::write(folder.path().join("9999-0-of-1.share"), "cut").unwrap();
    assert_eq!(refused(3), "");
    let program = in_digits(of_seed(3).device().fingerprint());
    let known = Manifest::read(folder.path(), ("of 128 nodes", &program)).unwrap();
    // The bit time of another checkpoint.
    let earlier = Manifest {
        bit_time: known.bit_time - 1,
        ..known.clone()
    };
    earlier.write(folder.path()).unwrap();
    let reason = refused(3);
    assert!(
        reason == "checkpoint.json cannot be read: its registers are not those of its bit time"
            || reason
                == format!("{name} is broken: a checksum is not that of what stands before it"),
        "{reason}"
    );
    let of_larger_tiles = Manifest {
        words_of_plane: 64,
        ..known
    };
    of_larger_tiles.write(folder.path()).unwrap();
    assert_eq!(
        refused(3),
        "one process wrote it, and shares of so small a machine cannot be put together for another number: take as many, or \
         begin anew"
    );
}

#[test]
fn a_run_goes_on_whose_checkpoint_cannot_be_written() {
    let stimulus = stimulus(&kuszmaul::BENCH, "--seed 3");
    let expected = simulation::advance(&mut *loaded(&*stimulus), run_of(&|_| None)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("kept");
    let mut machine = loaded(&*stimulus);
    let mut checkpoints = planned(&writing(&place), &mut *machine).unwrap();
    std::fs::remove_dir(&place).unwrap();
    let pauses: Option<&mut dyn Pauses> = Some(&mut checkpoints);
    let ended = advance_with(&mut *machine, run_of(&|_| None), pauses).unwrap();
    assert_eq!(without_time(ended), without_time(expected));
    assert!(!place.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_and_one_that_is_missing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |path: &Path| {
        let planned = Checkpoints::plan(&writing(path), (String::new(), 0), &Rank::alone(), true);
        planned.err().map(|error| error.to_string())
    };
    let new = folder.path().join("new");
    let planned = || Checkpoints::plan(&writing(&new), (String::new(), 0), &Rank::alone(), true);
    let first = planned().unwrap();
    assert_eq!(std::fs::read_dir(&new).unwrap().count(), 0);
    let reason = "another run writes its checkpoints there: give a folder of its own";
    assert_eq!(
        planned().err().unwrap().to_string(),
        format!("cannot write {}: {reason}", new.display())
    );
    drop(first);
    // Nothing was written.
    assert!(!new.exists());
    // One that was there before stays.
    std::fs::create_dir(&new).unwrap();
    drop(planned().unwrap());
    assert!(new.exists());
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("checkpoint.json"), "").unwrap();
    let place = other.display();
    assert_eq!(
        plan(&other).unwrap(),
        format!(
            "--checkpoint: there is a checkpoint in {place} already: go on from it with --resume {place}, or give another folder"
        )
    );
    for wrong in [folder.path().join("no/such"), folder.path().join("file")] {
        std::fs::write(folder.path().join("file"), "").unwrap();
        let refused = plan(&wrong).unwrap();
        assert!(refused.starts_with("cannot write "), "{refused}");
    }
}
