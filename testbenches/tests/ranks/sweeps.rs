//! Sweeps whose points several ranks take: the same rows as of one, also where a rank is killed in the middle.

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::journals::{
    LONG, entries, rows, rows_but_for_date, rows_but_for_seconds, wait_for_rows,
};
use crate::on_ranks::{errors, mpirun, on_ranks};

/// Sweeps of families that ranks share and of those that they do not: each point is run by one rank.
const SWEEPS: [&str; 5] = [
    "measure kuszmaul,bitonic --dims 2..=7 --schedule plain,spread,sort-and-unpack --load 0.5,1 --seeds 2",
    "measure wormhole --dims 2..=4 --message-bits 8,32 --seeds 2",
    "measure broadcast --dims 2..=5",
    "measure scatter --dims 2..=5",
    "measure embedding --dims 4..=7",
];

#[test]
fn rows_are_those_of_one_rank() {
    are_those_of_one_rank(&[3]);
}

#[test]
#[ignore = "long: more ranks"]
fn rows_of_more_ranks_are_those_of_one() {
    are_those_of_one_rank(&[2, 4]);
}

fn are_those_of_one_rank(ranks: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    for sweep in SWEEPS {
        let command = format!("{sweep} --format json");
        let alone = rows(&on_ranks(1, folder.path(), &command));
        assert!(alone.len() > 3, "{sweep}");
        for &ranks in ranks {
            let command = format!("{command} --threads {}", 1 + ranks % 2);
            let shared = rows(&on_ranks(ranks, folder.path(), &command));
            let [alone, shared] = [&alone, &shared].map(|rows| rows_but_for_seconds(rows));
            assert_eq!(shared, alone, "{sweep}, {ranks} ranks");
        }
    }
}

#[test]
fn so_are_summary_and_plot_and_notes_and_they_are_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = "measure kuszmaul,bitonic --dims 3..=6 --schedule plain,sort --load 0.5,1 --seeds 3 --format summary";
    let measured = |ranks: usize| {
        let output = on_ranks(
            ranks,
            folder.path(),
            &format!("{sweep} --plot drawn.svg --no-date"),
        );
        assert!(output.status.success(), "{output:?}");
        let drawn = std::fs::read_to_string(folder.path().join("drawn.svg")).unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (text, String::from_utf8(output.stderr).unwrap(), drawn)
    };
    let alone = measured(1);
    assert!(alone.0.contains("all checks hold in each"), "{}", alone.0);
    assert_eq!(
        alone.1.matches("note: left out: ").count(),
        1,
        "{}",
        alone.1
    );
    assert_eq!(measured(2), alone);
    assert_eq!(measured(4), alone);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_journal_has_all_rows_and_what_is_there_is_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("{} --format json --journal rows.jsonl", SWEEPS[0]);
    let path = folder.path().join("rows.jsonl");
    let output = on_ranks(3, folder.path(), &command);
    let (count, text) = (rows(&output).len(), std::fs::read_to_string(&path).unwrap());
    assert_eq!(entries(&text).len(), count);
    // On any number of ranks: what each point took is what it took the first time.
    for ranks in [1, 2, 4] {
        let again = on_ranks(ranks, folder.path(), &command);
        let [again, first] = [&again, &output].map(|output| rows_but_for_date(&rows(output)));
        assert_eq!(again, first, "{ranks} ranks");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // The last row is cut off, and the one before it is lost.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (last, before) = lines.split_last().unwrap();
    let kept = before[..before.len() - 1].concat();
    std::fs::write(&path, format!("{kept}{}", &last[..last.len() / 2])).unwrap();
    let again = rows(&on_ranks(2, folder.path(), &command));
    let [expected, again] = [&rows(&output), &again].map(|rows| rows_but_for_seconds(rows));
    assert_eq!(again, expected);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&kept));
    assert_eq!(entries(&text).len(), count);
}

#[test]
fn what_is_refused_is_said_once_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes"), "not to be lost\n").unwrap();
    for (arguments, expected) in [
        (
            "measure kuszmaul --dims 2..=4 --seeds 0",
            "--seeds: 0 seeds leave nothing to measure: give 1 or more",
        ),
        (
            "measure kuszmaul --dims 2..=4 --threads 0",
            "--threads: 0 is out of range: choose 1 to 256",
        ),
        (
            "measure kuszmaul --dims 2..=4 --plot drawn.png",
            "cannot write drawn.png: plots are SVG: give the file the ending .svg",
        ),
        (
            "measure kuszmaul --dims 2..=4 --journal none/rows.jsonl",
            "cannot write none/rows.jsonl: there is no folder none",
        ),
        (
            "measure kuszmaul --dims 2..=4 --journal notes",
            "the journal notes: this is no journal of a sweep, and it is left as it is: give --journal another file",
        ),
        (
            "measure kuszmaul --dims 2..=4 --journal same.svg --plot same.svg",
            "same.svg cannot be both the plot and the journal",
        ),
        (
            "measure kuszmaul --dims 2..=4 --journal -",
            "cannot write the journal to -: that is standard output, and a file of its own is needed",
        ),
    ] {
        let output = on_ranks(3, folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert_eq!(errors(&output), [expected], "{arguments}");
        assert!(output.stdout.is_empty());
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "{arguments}");
    }
    let notes = std::fs::read_to_string(folder.path().join("notes")).unwrap();
    assert_eq!(notes, "not to be lost\n");
}

/// The rows of the long sweep, that one rank runs to its end.
static ALONE: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    rows(&on_ranks(
        1,
        folder.path(),
        &format!("{LONG} --format json"),
    ))
});

/// The processes of this machine that run `cubewave` in that folder, with what they are called by `mpirun`.
fn ranks_in(folder: &Path) -> Vec<(u32, usize)> {
    let folder = folder.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let rank = |process: std::fs::DirEntry| {
        let id: u32 = process.file_name().to_str()?.parse().ok()?;
        let is_here = std::fs::read_link(process.path().join("cwd")).ok()? == folder;
        let is_cubewave = std::fs::read_link(process.path().join("exe"))
            .ok()?
            .ends_with("cubewave");
        let environment = std::fs::read(process.path().join("environ")).ok()?;
        let environment = String::from_utf8_lossy(&environment);
        let mut variables = environment.split('\0');
        let rank = variables.find_map(|one| one.strip_prefix("OMPI_COMM_WORLD_RANK="))?;
        (is_here && is_cubewave).then_some((id, rank.parse().ok()?))
    };
    processes.filter_map(rank).collect()
}

fn signal(process: u32, signal: &str) {
    let killed = std::process::Command::new("kill")
        .args([format!("-{signal}"), process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

/// Nobody is left over before long.
fn all_end(folder: &Path) {
    let begin = Instant::now();
    while !ranks_in(folder).is_empty() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{:?}",
            ranks_in(folder)
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A long sweep with a journal on three ranks, in which some rows are there.
fn under_way(options: &[&str], folder: &Path) -> Child {
    let mut command = mpirun(options, 3, folder, &long());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for_rows(&folder.join("rows.jsonl"), 4);
    child
}

fn long() -> String {
    format!("{LONG} --threads 1 --format json --journal rows.jsonl")
}

/// Ends what is under way, sees it out, and goes on with the journal: all rows are there, and those that were are not run again.
fn broken_off_and_gone_on_with(end: impl FnOnce(&Child, &Path)) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let child = under_way(&[], folder.path());
    end(&child, folder.path());
    let output = child.wait_with_output().unwrap();
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    all_end(folder.path());
    let path = folder.path().join("rows.jsonl");
    let before = std::fs::read_to_string(&path).unwrap();
    let again = rows(&on_ranks(2, folder.path(), &long()));
    assert!(before.lines().count() < ALONE.len(), "it was over before");
    let [expected, found] = [&ALONE, &again].map(|rows| rows_but_for_seconds(rows));
    assert_eq!(found, expected);
    let text = std::fs::read_to_string(&path).unwrap();
    let whole = before.rfind('\n').unwrap() + 1;
    assert!(text.starts_with(&before[..whole]));
    assert_eq!(entries(&text).len(), ALONE.len());
    output
}

fn process_of(rank: usize, folder: &Path) -> u32 {
    let all = ranks_in(folder);
    all.into_iter().find(|(_, one)| *one == rank).unwrap().0
}

#[test]
fn a_rank_is_killed_and_the_same_command_goes_on() {
    broken_off_and_gone_on_with(|_, folder| signal(process_of(1, folder), "KILL"));
}

#[test]
#[ignore = "long: as where a rank is killed"]
fn the_first_rank_is_killed_and_the_same_command_goes_on() {
    broken_off_and_gone_on_with(|_, folder| signal(process_of(0, folder), "KILL"));
}

#[test]
#[ignore = "long: as where a rank is killed"]
fn all_are_killed_and_the_same_command_goes_on() {
    broken_off_and_gone_on_with(|mpirun, _| signal(mpirun.id(), "KILL"));
}

#[test]
fn it_is_interrupted_and_the_same_command_goes_on() {
    let output = broken_off_and_gone_on_with(|mpirun, _| signal(mpirun.id(), "INT"));
    // `mpirun` may cut it off, for it does not wait for long.
    let expected = "interrupted: the rows that are done are in rows.jsonl, and the same command goes on from there";
    assert!(errors(&output).len() <= 1, "{output:?}");
    assert!(
        errors(&output).iter().all(|error| error == expected),
        "{output:?}"
    );
}

/// Where Open MPI is told to go on without a process, the sweep does.
#[test]
fn points_of_a_killed_rank_are_taken_again_where_mpirun_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let child = under_way(
        &["--enable-recovery", "--mca", "btl", "vader,self"],
        folder.path(),
    );
    signal(process_of(1, folder.path()), "KILL");
    let output = child.wait_with_output().unwrap();
    all_end(folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    let mut notes = said.lines().filter(|line| line.starts_with("note: rank "));
    let lost = "note: rank 1 is lost, for nothing was heard of it for long: its ";
    assert!(notes.next().unwrap().starts_with(lost), "{said}");
    assert_eq!(notes.next(), None);
    let [expected, found] = [&ALONE, &rows(&output)].map(|rows| rows_but_for_seconds(rows));
    assert_eq!(found, expected);
    let text = std::fs::read_to_string(folder.path().join("rows.jsonl")).unwrap();
    assert_eq!(entries(&text).len(), ALONE.len());
}

/// And if it is the first, the others end rather than wait for it.
#[test]
fn where_mpirun_goes_on_without_the_first_rank_the_others_end() {
    let folder = tempfile::tempdir().unwrap();
    let child = under_way(
        &["--enable-recovery", "--mca", "btl", "vader,self"],
        folder.path(),
    );
    signal(process_of(0, folder.path()), "KILL");
    let output = child.wait_with_output().unwrap();
    all_end(folder.path());
    let expected = "the first rank of the sweep is lost: begin again, with --journal if the rows that are done are to be kept";
    assert!(
        errors(&output).iter().all(|error| error == expected),
        "{output:?}"
    );
    assert!(!errors(&output).is_empty(), "{output:?}");
    assert!(output.stdout.is_empty());
}
