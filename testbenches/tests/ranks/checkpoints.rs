//! Runs of several ranks that lose one of them, and are taken up from their last checkpoint.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::files::{Payloads, rows, write};
use crate::on_ranks::{but_for_time_and_memory, errors, mpirun, on_ranks, report};

/// The processes that a process has started.
fn children(of: u32) -> Vec<u32> {
    let is_child = |process: &u32| {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else {
            return false;
        };
        // Behind the name, which may have blanks and brackets: state, parent.
        let behind = stat.rsplit_once(") ").map(|(_, behind)| behind);
        behind.and_then(|behind| behind.split(' ').nth(1)) == Some(&of.to_string())
    };
    let processes = std::fs::read_dir("/proc").unwrap();
    let numbers = processes.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    numbers.filter(is_child).collect()
}

/// Waits until there is a checkpoint, and kills one of the ranks.
fn lose_a_rank(mut run: Child, folder: &Path) {
    while !folder.join("checkpoint.json").exists() {
        assert_eq!(run.try_wait().unwrap(), None, "it is over too soon");
        std::thread::sleep(Duration::from_millis(2));
    }
    let ranks = children(run.id());
    let killed = ranks.last().unwrap();
    let kill = std::process::Command::new("kill")
        .args(["-9", &killed.to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert!(
        !run.wait().unwrap().success(),
        "it ended before it was killed"
    );
}

/// The run of these arguments on so many ranks, one of which is lost; then on others from where it was, against one that is
/// not broken off.
fn is_taken_up(arguments: &str, before: usize, after: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{arguments} --format json --threads 1");
    let whole = but_for_time_and_memory(report(&on_ranks(1, folder.path(), &arguments)));
    let not_lost = report(&on_ranks(before, folder.path(), &arguments));
    let place = folder.path().join("kept");
    let writing = format!("{arguments} --checkpoint kept --every 0.0001");
    let run = mpirun(&[], before, folder.path(), &writing)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    lose_a_rank(run.unwrap(), &place);
    for ranks in after {
        let output = on_ranks(*ranks, folder.path(), &format!("{arguments} --resume kept"));
        let resumed = report(&output);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("note: goes on from bit time "), "{said}");
        let between = &resumed["between_ranks"];
        // What others have sent is not counted, and has no closed form with this.
        let has_form = *ranks == before && *ranks > 1;
        assert_eq!(between["formula"].is_object(), has_form, "{between}");
        // Also how often they have met: a run pauses only where no message is for what comes later.
        assert!(
            !has_form || between == &not_lost["between_ranks"],
            "{between}"
        );
        assert_eq!(
            but_for_time_and_memory(resumed),
            whole,
            "{arguments}, {ranks}"
        );
    }
}

#[test]
fn a_run_that_lost_a_rank_ends_as_if_it_had_not() {
    is_taken_up(
        "run kuszmaul --dims 17 --payload-bits 40 --seed 9",
        4,
        &[4, 1],
    );
}

#[test]
#[ignore = "long: other ranks take it up"]
fn so_does_one_that_other_ranks_take_up() {
    is_taken_up(
        "run kuszmaul --dims 17 --payload-bits 40 --seed 9",
        4,
        &[2, 8],
    );
}

/// From four ranks to two, and from there on two again, which then count what they send from the same bit time on.
#[test]
fn a_run_is_taken_up_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "run bitonic --dims 15 --format json --threads 1";
    let whole = but_for_time_and_memory(report(&on_ranks(1, folder.path(), arguments)));
    let options = "--checkpoint kept --every 0.0001";
    for (ranks, more) in [(4, ""), (2, " --resume kept"), (2, " --resume kept")] {
        let arguments = format!("{arguments} {options}{more}");
        let run = report(&on_ranks(ranks, folder.path(), &arguments));
        assert_eq!(run["between_ranks"]["formula"].is_object(), more.is_empty());
        assert_eq!(but_for_time_and_memory(run), whole, "{ranks}{more}");
    }
}

/// Traffic of so many nodes is computed.
#[test]
#[ignore = "long: two million nodes"]
fn so_does_a_large_one() {
    is_taken_up(
        "run kuszmaul --dims 21 --schedule spread --load 0.8",
        2,
        &[2],
    );
}

/// What nodes begin with is the same, however many ranks read it.
#[test]
fn so_does_one_of_a_file() {
    of_a_file_is_taken_up(&[8]);
}

#[test]
#[ignore = "long: fewer ranks take it up"]
fn so_does_one_of_a_file_that_fewer_ranks_take_up() {
    of_a_file_is_taken_up(&[2, 1]);
}

fn of_a_file_is_taken_up(after: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    write(&file, &rows(16, 3, Payloads::Half));
    let arguments = format!(
        "run kuszmaul --dims 16 --payload-bits 40 --traffic-file {}",
        file.display()
    );
    is_taken_up(&arguments, 4, after);
}

/// One process, with nothing of MPI, and the deliveries that are written at the end.
#[test]
fn a_run_of_one_process_is_taken_up_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "run bitonic --dims 14 --deliveries";
    let one = on_ranks(
        1,
        folder.path(),
        &format!("{arguments} whole.csv --checkpoint kept --every 0.0001"),
    );
    assert!(one.status.success(), "{one:?}");
    let names = std::fs::read_dir(folder.path().join("kept"))
        .unwrap()
        .count();
    assert_eq!(names, 2);
    let other = on_ranks(
        4,
        folder.path(),
        &format!("{arguments} taken.csv --resume kept"),
    );
    assert!(other.status.success(), "{other:?}");
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("whole.csv") == read("taken.csv"));
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused_once_and_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let written = on_ranks(
        2,
        folder.path(),
        "run kuszmaul --dims 13 --checkpoint kept --every 0.0001",
    );
    assert!(written.status.success(), "{written:?}");
    let refused = |arguments: &str| {
        let output = on_ranks(2, folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(output.stdout.is_empty());
        let errors = errors(&output);
        assert_eq!(errors.len(), 1, "{output:?}");
        errors[0].clone()
    };
    let cannot = "the checkpoint in kept cannot be taken up: ";
    assert_eq!(
        refused("run kuszmaul --dims 13 --resume none"),
        "the checkpoint in none cannot be taken up: there is none; a run with --checkpoint writes one there"
    );
    assert_eq!(
        refused("run kuszmaul --dims 12 --resume kept"),
        format!("{cannot}it is of another machine")
    );
    let traffic = refused("run kuszmaul --dims 13 --seed 2 --resume kept");
    assert!(traffic.starts_with(&format!("{cannot}its run had other traffic: ")));
    assert_eq!(
        refused("run kuszmaul --dims 9 --checkpoint here/there"),
        "cannot write here/there: No such file or directory (os error 2)"
    );
    // What only the second rank reads.
    let kept = folder.path().join("kept");
    let share = std::fs::read_dir(&kept).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        path.to_str()?.ends_with("-1-of-2.share").then_some(path)
    });
    let share = share.unwrap();
    let mut bytes = std::fs::read(&share).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&share, bytes).unwrap();
    let name = share.file_name().unwrap().to_str().unwrap();
    assert_eq!(
        refused("run kuszmaul --dims 13 --resume kept"),
        format!(
            "on rank 1: {cannot}{name} is broken: a checksum is not that of what stands before it"
        )
    );
}
