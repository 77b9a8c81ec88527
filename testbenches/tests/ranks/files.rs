//! Traffic files that several processes read, each of them for its own nodes: the same report as of one, and the same refusals.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::on_ranks::{as_here, but_for_time_and_memory, errors, mpirun, on_ranks, report};

/// Which rows of a file give a payload.
#[derive(Clone, Copy)]
pub enum Payloads {
    None,
    Half,
    Alike,
}

/// Rows of a permutation of `2^dims` nodes, in no order, with every `gap`-th left out.
pub fn rows(dims: usize, gap: usize, payloads: Payloads) -> Vec<String> {
    let nodes = 1_usize << dims;
    let row = |number: usize| {
        let source = (number * 77 + 5) % nodes;
        let destination = (source * 173 + 11) % nodes;
        let payload = match payloads {
            Payloads::None => String::new(),
            Payloads::Half if number.is_multiple_of(2) => ",".to_owned(),
            Payloads::Half => format!(",{:x}", source % 251),
            Payloads::Alike => ",7".to_owned(),
        };
        format!("{source},{destination}{payload}")
    };
    let numbers = (0..nodes).filter(|number| number % gap != gap - 1);
    numbers.map(row).collect()
}

/// Writes them with their header.
pub fn write(path: &Path, rows: &[String]) {
    let header = match rows.first().is_some_and(|row| row.matches(',').count() > 1) {
        true => "source,destination,payload",
        false => "source,destination",
    };
    let text = format!("{header}\n{}\n", rows.join("\n"));
    std::fs::write(path, text).unwrap();
}

fn reports_are_alike(folder: &Path, arguments: &str, ranks: &[usize]) -> serde_json::Value {
    let arguments = format!("{arguments} --traffic-file mine.csv --format json --threads 1");
    let alone = report(&on_ranks(1, folder, &arguments));
    assert_eq!(alone["passed"], true);
    let alone = but_for_time_and_memory(alone);
    for &ranks in ranks {
        let shared = report(&on_ranks(ranks, folder, &arguments));
        assert_eq!(shared["between_ranks"]["ranks"], ranks);
        assert_eq!(
            but_for_time_and_memory(shared),
            alone,
            "{arguments}, {ranks} ranks"
        );
    }
    alone
}

#[test]
fn a_file_gives_the_same_report_on_any_number_of_ranks() {
    a_file_gives_the_same_report(&["kuszmaul --schedule spread"], &[4]);
}

#[test]
#[ignore = "long: more routers and ranks"]
fn a_file_gives_other_routers_the_same_report_on_any_number_of_ranks() {
    a_file_gives_the_same_report(
        &["kuszmaul", "kuszmaul --schedule spread", "bitonic"],
        &[2, 4, 8],
    );
}

fn a_file_gives_the_same_report(benches: &[&str], ranks: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    for (payloads, gap, are_alike) in [
        (Payloads::None, 4, false),
        (Payloads::Half, 3, true),
        (Payloads::Alike, 5, true),
    ] {
        write(&file, &rows(10, gap, payloads));
        for bench in benches {
            let report = reports_are_alike(folder.path(), &format!("run {bench} --dims 10"), ranks);
            let said = report["checks"].to_string();
            // 8 bits are too few to tell 1024 messages apart.
            assert!(said.contains("some payloads are alike"), "{said}");
            let wide = format!("run {bench} --dims 10 --payload-bits 30");
            let said = reports_are_alike(folder.path(), &wide, ranks)["checks"].to_string();
            assert_eq!(
                said.contains("some payloads are alike"),
                are_alike,
                "{said}"
            );
        }
    }
    // A message from every node, which this schedule cannot do without.
    write(&file, &rows(9, 1 << 9 | 1, Payloads::Half));
    reports_are_alike(folder.path(), "run radix --schedule sort --dims 9", ranks);
}

/// These keep the whole list on every rank.
#[test]
fn so_do_other_testbenches_that_read_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    write(&file, &rows(9, 3, Payloads::Half));
    for bench in ["kuszmaul --batches 2", "kuszmaul --h 2", "enumeration"] {
        reports_are_alike(folder.path(), &format!("run {bench} --dims 9"), &[2, 8]);
    }
    let packed: Vec<String> = (0..100)
        .map(|rank| format!("{},{rank}", 5 * rank))
        .collect();
    write(&file, &packed);
    reports_are_alike(folder.path(), "run packing --dims 9", &[2, 8]);
}

/// What needs all messages has them.
#[test]
fn deliveries_and_waves_of_a_file_are_those_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("mine.csv"), &rows(9, 3, Payloads::Half));
    let written = |ranks: usize| {
        let arguments = "run kuszmaul --dims 9 --traffic-file mine.csv --deliveries run.csv";
        let output = on_ranks(ranks, folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        let arguments = "run kuszmaul --dims 9 --traffic-file mine.csv --wave run.vcd --trace-nodes 0,3,511 --no-date";
        let output = on_ranks(ranks, folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        ["csv", "vcd"].map(|kind| std::fs::read(folder.path().join(format!("run.{kind}"))).unwrap())
    };
    assert!(written(1) == written(4));
}

fn is_refused(output: &Output, folder: &Path, files: usize) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    let errors = errors(output);
    assert_eq!(errors.len(), 1, "{output:?}");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), files);
    errors[0].clone()
}

#[test]
fn what_is_wrong_with_a_file_is_said_once_and_as_one_process_says_it() {
    is_said_as_one_process_says_it(&[4], 3);
}

#[test]
#[ignore = "long: all that can be wrong, and more ranks"]
fn whatever_is_wrong_with_a_file_is_said_once_on_any_number_of_ranks() {
    is_said_as_one_process_says_it(&[2, 4, 8], usize::MAX);
}

/// Of so many mistakes.
fn is_said_as_one_process_says_it(ranks: &[usize], mistakes: usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.csv");
    let good = rows(9, 3, Payloads::Half);
    let line_of = |place: usize| good[place].split(',').collect::<Vec<_>>();
    let all = [
        (300, "1,2,fff".to_owned()),
        // A source of another row, and a destination.
        (100, format!("{},77,", line_of(5)[0])),
        (101, format!("{},{},", line_of(101)[0], line_of(7)[1])),
        (100, format!("{},77,", line_of(6)[0])),
        (101, format!("{},{},", line_of(101)[0], line_of(11)[1])),
        (40, "3".to_owned()),
        (200, "1,512,".to_owned()),
        (7, "1,x,".to_owned()),
    ];
    for (at, bad) in all.into_iter().take(mistakes) {
        let mut rows = good.clone();
        rows[at] = bad.clone();
        // Another rank may see this one only.
        rows[330] = rows[1].clone();
        write(&file, &rows);
        let arguments = "run kuszmaul --dims 9 --traffic-file mine.csv --checkpoint kept";
        let alone = is_refused(&on_ranks(1, folder.path(), arguments), folder.path(), 1);
        assert!(
            alone.starts_with(&format!("mine.csv, line {}, column ", at + 2)),
            "{alone}"
        );
        for &ranks in ranks {
            let output = on_ranks(ranks, folder.path(), arguments);
            assert_eq!(
                is_refused(&output, folder.path(), 1),
                alone,
                "{bad}, {ranks} ranks"
            );
        }
    }
    // One row less than there are nodes.
    write(&file, &rows(9, 300, Payloads::Half));
    let arguments = "run radix --dims 9 --schedule sort --traffic-file mine.csv";
    let alone = is_refused(&on_ranks(1, folder.path(), arguments), folder.path(), 1);
    assert!(
        alone.contains("node 500 sends nothing (511 of 512 nodes send)"),
        "{alone}"
    );
    let shared = is_refused(&on_ranks(4, folder.path(), arguments), folder.path(), 1);
    assert_eq!(shared, alone);
}

#[test]
fn what_reaches_one_rank_only_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for bench in [
        "kuszmaul --dims 9",
        "enumeration --dims 9",
        "kuszmaul --dims 9 --h 2",
    ] {
        let arguments = format!("run {bench} --traffic-file -");
        let output = mpirun(&[], 4, folder.path(), &arguments)
            .stdin(Stdio::null())
            .output();
        assert_eq!(
            is_refused(&output.unwrap(), folder.path(), 0),
            "standard input reaches the first of 4 ranks only: write what it has to a file that all ranks can read, and give its \
             name"
        );
    }
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    let output = on_ranks(
        2,
        folder.path(),
        "run kuszmaul --dims 9 --traffic-file pipe",
    );
    assert_eq!(
        is_refused(&output, folder.path(), 1),
        "pipe reaches one of 2 ranks only: write what it has to a file that all ranks can read, and give its name"
    );
}

#[test]
fn more_ranks_than_nodes_are_refused_before_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("mine.csv"), &["0,1".to_owned()]);
    let arguments = "run kuszmaul --dims 2 --traffic-file mine.csv";
    let output = on_ranks(8, folder.path(), arguments);
    let refused = is_refused(&output, folder.path(), 1);
    assert!(
        refused.starts_with("8 ranks are too many for 4 nodes"),
        "{refused}"
    );
}

/// The first alone reads what has no part for others.
#[test]
fn a_project_is_exported_by_the_first() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("mine.csv"), &rows(3, 4, Payloads::Half));
    let arguments = "verilog kuszmaul --dims 3 --rounds 1 --traffic-file mine.csv --out project";
    let output = on_ranks(2, folder.path(), arguments);
    assert!(output.status.success(), "{output:?}");
    let file = std::fs::read_to_string(folder.path().join("project/traffic.csv"));
    assert!(file.is_ok_and(|text| text.lines().count() == 7));
}

/// Two ranks in folders of their own, as on two computers.
#[test]
fn a_file_that_is_not_there_or_another_one_on_a_rank_is_told_with_the_rank() {
    let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let rows = rows(9, 3, Payloads::Half);
    write(&here.path().join("mine.csv"), &rows);
    let said = |bench: &str, files| {
        let mut command = Command::new("mpirun");
        command.arg("--oversubscribe");
        for (number, folder) in [&here, &there].into_iter().enumerate() {
            command.args([":"].into_iter().take(number));
            command.args(["-n", "1", "--wdir"]).arg(folder.path());
            command.arg(env!("CARGO_BIN_EXE_cubewave"));
            command
                .args(bench.split(' '))
                .args(["--traffic-file", "mine.csv"]);
        }
        let output = as_here(&mut command).output().unwrap();
        is_refused(&output, there.path(), files)
    };
    let benches = ["run kuszmaul --dims 9", "run enumeration --dims 9"];
    for bench in benches {
        assert_eq!(
            said(bench, 0),
            "on rank 1: cannot read mine.csv: No such file or directory (os error 2)"
        );
    }
    write(&there.path().join("mine.csv"), &rows[1..]);
    for bench in benches {
        assert_eq!(
            said(bench, 1),
            "on rank 1: mine.csv is not there what the first rank reads: give all ranks the same file"
        );
    }
}

/// The first rank has all checks. What starts ranks gives each of them a terminal of its own, which nobody looks at.
#[test]
fn the_first_rank_writes_the_checks_and_what_it_prints_has_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let words = "run kuszmaul --dims 8 --no-date --junit run.xml";
    for ranks in [1, 2] {
        let mut run = mpirun(&[], ranks, folder.path(), words);
        let output = run.env("TERM", "xterm").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(
            said.contains("  pass  storage") && !said.contains('\u{1b}'),
            "{said}"
        );
        let written = std::fs::read_to_string(folder.path().join("run.xml")).unwrap();
        let cases = written.matches("<testcase ").count();
        assert_eq!(said.matches("  pass  ").count(), cases, "{said}");
    }
    let quiet = on_ranks(2, folder.path(), &format!("{words} --quiet"));
    assert!(
        quiet.status.success() && quiet.stdout.is_empty(),
        "{quiet:?}"
    );
}
