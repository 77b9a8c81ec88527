//! Machines that several processes share, started by `mpirun`: the same report as of one, and what is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::files::{Payloads, rows, write};
use crate::on_ranks::{as_here, but_for_time_and_memory, errors, on_ranks, report};
use serde_json::Value;

/// The reports on one rank and on so many; gives what each of these says of ranks.
fn reports_are_alike(arguments: &str, ranks: &[usize]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{arguments} --format json --threads 1");
    let alone = report(&on_ranks(1, folder.path(), &arguments));
    assert_eq!(alone["between_ranks"], Value::Null);
    assert_eq!(alone["passed"], true);
    let expected = but_for_time_and_memory(alone);
    let shared = ranks.iter().map(|&ranks| {
        let report = report(&on_ranks(ranks, folder.path(), &arguments));
        let between = report["between_ranks"].clone();
        assert_eq!(between["ranks"], ranks, "{arguments}");
        let checks = report["checks"].as_array().unwrap();
        assert!(checks.iter().any(|check| check["name"] == "between ranks"));
        assert_eq!(
            but_for_time_and_memory(report),
            expected,
            "{arguments}, {ranks} ranks"
        );
        between
    });
    shared.collect()
}

#[test]
fn every_schedule_of_kuszmaul_gives_the_same_report_on_any_number_of_ranks() {
    for schedule in ["plain", "overlapped", "folded", "spread", "radix4"] {
        let between = reports_are_alike(
            &format!("run kuszmaul --dims 10 --schedule {schedule} --traffic bitrev --seed 5"),
            &[2, 4, 8],
        );
        for between in &between {
            assert_eq!(between["formula"]["value"], between["bits"], "{schedule}");
        }
    }
}

#[test]
fn so_do_the_other_routers_that_run_as_a_program() {
    other_routers_give_the_same_report(&[4]);
}

#[test]
#[ignore = "long: more ranks"]
fn other_routers_give_the_same_report_on_any_number_of_ranks() {
    other_routers_give_the_same_report(&[2, 8]);
}

fn other_routers_give_the_same_report(ranks: &[usize]) {
    for arguments in [
        "run bitonic --dims 9",
        "run radix --dims 9 --schedule sort",
        "run packing --dims 9 --load 0.4",
        "run enumeration --dims 9 --load 0.4",
        "run kuszmaul --dims 9 --batches 3",
        "run kuszmaul --dims 9 --h 2",
        "run embedding --guest cycle --dims 9",
        "run prefix --network hypercube --dims 9",
        // Wires fail while it runs: from then on it ticks.
        "run dispersal --dims 9 --message-bits 16 --cut-wires 2",
    ] {
        reports_are_alike(arguments, ranks);
    }
}

/// Traffic of so many nodes is computed, and compared where it arrives; that of fewer is a list, compared by the first rank.
#[test]
fn large_machines_deliver_the_same() {
    reports_are_alike(
        "run kuszmaul --dims 20 --schedule spread --payload-bits 4",
        &[4],
    );
}

#[test]
#[ignore = "long: four million nodes, and more ranks"]
fn larger_machines_deliver_the_same() {
    reports_are_alike(
        "run kuszmaul --dims 20 --schedule spread --payload-bits 4",
        &[2, 8],
    );
    let folder = tempfile::tempdir().unwrap();
    let report = |ranks| {
        let arguments = "run kuszmaul --dims 22 --schedule spread --payload-bits 4 --load 0.7 --threads 1 --format json";
        report(&on_ranks(ranks, folder.path(), arguments))
    };
    let alone = but_for_time_and_memory(report(1));
    assert_eq!(but_for_time_and_memory(report(4)), alone);
}

#[test]
fn deliveries_of_all_ranks_are_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let deliveries = |ranks| {
        let arguments = format!("run kuszmaul --dims 9 --load 0.6 --deliveries {ranks}.csv");
        assert!(on_ranks(ranks, folder.path(), &arguments).status.success());
        std::fs::read_to_string(folder.path().join(format!("{ranks}.csv"))).unwrap()
    };
    let alone = deliveries(1);
    assert_eq!(alone.lines().count(), 308);
    assert_eq!(deliveries(4), alone);
}

/// What each message carries is drawn for its source, whichever rank has that: of a list of all, of what is computed, and of a file.
#[test]
fn payloads_do_not_depend_on_ranks_and_no_two_are_alike() {
    let folder = tempfile::tempdir().unwrap();
    write(
        &folder.path().join("mine.csv"),
        &rows(10, 3, Payloads::None),
    );
    for arguments in [
        "run kuszmaul --dims 10 --payload-bits 64 --load 1",
        "run kuszmaul --dims 10 --payload-bits 64 --traffic-file mine.csv",
        "run kuszmaul --dims 20 --payload-bits 64 --load 0.001 --schedule spread",
    ] {
        let carried = |ranks: usize| {
            let arguments = format!("{arguments} --threads 1 --deliveries {ranks}.csv");
            let output = on_ranks(ranks, folder.path(), &arguments);
            assert!(output.status.success(), "{output:?}");
            let text = std::fs::read_to_string(folder.path().join(format!("{ranks}.csv")));
            let mut carried = BTreeMap::new();
            for row in text.unwrap().lines().skip(1) {
                let mut fields = row.split(',').skip(1);
                let source: usize = fields.next().unwrap().parse().unwrap();
                carried.insert(source, fields.next().unwrap().to_owned());
            }
            carried
        };
        let alone = carried(1);
        let payloads: BTreeSet<&String> = alone.values().collect();
        assert!(alone.len() > 600);
        assert_eq!(payloads.len(), alone.len(), "{arguments}");
        // Nor do those of a rank come again on another, but for a few bits that tell nodes apart.
        let half = |source: &usize| source % (1 << 9);
        let high = |payload: &String| payload[..8.min(payload.len())].to_owned();
        let mut again: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (source, payload) in &alone {
            again.entry(half(source)).or_default().insert(high(payload));
        }
        let different: usize = again.values().map(BTreeSet::len).sum();
        assert!(different + 2 >= alone.len(), "{arguments}: {different}");
        for ranks in [2, 4] {
            assert_eq!(carried(ranks), alone, "{arguments}, {ranks} ranks");
        }
    }
}

/// Two payloads of a file that are alike meet, on whichever ranks they are.
#[test]
fn payloads_that_are_alike_on_different_ranks_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let different: Vec<String> = (0..512)
        .map(|node| format!("{node},{},{node:x}", (node * 173 + 11) % 512))
        .collect();
    let are_found = |rows: &[String], ranks| {
        write(&folder.path().join("mine.csv"), rows);
        let arguments =
            "run kuszmaul --dims 9 --payload-bits 16 --traffic-file mine.csv --format json";
        let report = report(&on_ranks(ranks, folder.path(), arguments));
        report["checks"]
            .to_string()
            .contains("some payloads are alike")
    };
    for ranks in [1, 2, 4] {
        assert!(!are_found(&different, ranks), "{ranks} ranks");
        for [one, other] in [[0, 1], [0, 256], [0, 511], [5, 130], [128, 384]] {
            let mut alike = different.clone();
            let (place, _) = alike[one].rsplit_once(',').unwrap();
            alike[one] = format!("{place},{other:x}");
            assert!(are_found(&alike, ranks), "{one} and {other}, {ranks} ranks");
        }
    }
}

#[test]
fn what_ranks_cannot_do_is_refused_once_and_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (ranks, arguments, expected) in [
        (
            3,
            "run kuszmaul --dims 9",
            "3 ranks cannot share a machine: take 2 or 4, a power of two",
        ),
        (
            4,
            "run kuszmaul --dims 7",
            "4 ranks are too many for 128 nodes, for each takes 64 at the least: take 2 or fewer, or a larger machine",
        ),
        (
            2,
            "run wormhole --dims 3",
            "a run of worms cannot be had on 2 ranks: worms set their own pace, so ranks would have to meet in every bit \
             time: run it on one",
        ),
        (
            2,
            "run broadcast --dims 7",
            "a broadcast on this machine cannot be had on 2 ranks: its hosts read and write wires in every bit time: run \
             it on one",
        ),
        (
            2,
            "view kuszmaul --dims 9 --viewer none",
            "a viewer cannot be had on 2 ranks: there is one display: run it on one",
        ),
        (
            2,
            "run kuszmaul --dims 9 --picture run.svg",
            "--picture cannot be had on 2 ranks: it is drawn by who sees all nodes: run it on one",
        ),
        (
            2,
            "run kuszmaul --dims 9 --coverage",
            "--coverage cannot be had on 2 ranks: it is counted by who sees all nodes: run it on one",
        ),
        (
            2,
            "run prefix --dims 4 --blocks 2",
            "a reduced-hypercube cannot be shared among ranks: that takes links that join all nodes of a half to the \
             other half: run it on one rank",
        ),
    ] {
        let output = on_ranks(ranks, folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert_eq!(errors(&output), [expected], "{arguments}");
        assert!(output.stdout.is_empty());
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 0, "{arguments}");
    }
}

/// Several command lines of one `mpirun`, each for as many ranks.
#[test]
fn ranks_that_are_asked_for_different_things_are_refused_before_they_begin() {
    let folder = tempfile::tempdir().unwrap();
    for (lines, expected) in [
        (
            &["1 run kuszmaul --dims 8", "1 run kuszmaul --dims 9"][..],
            "rank 1 was asked for something else than the first rank: its command line has `9` as word 4, and not `8`",
        ),
        (
            &[
                "3 run kuszmaul --dims 9 --seed 1",
                "1 run kuszmaul --dims 9 --seed 2",
            ],
            "rank 3 was asked for something else than the first rank: its command line has `2` as word 6, and not `1`",
        ),
        // What one of them cannot even read.
        (
            &["1 run kuszmaul --dims 9", "3 run kuszmaul --dims nine"],
            "rank 1 was asked for something else than the first rank: its command line has `nine` as word 4, and not `9`, and 2 \
             more ranks differ",
        ),
        (
            &["1 list", "1 run kuszmaul --dims 9 --checkpoint kept"],
            "rank 1 was asked for something else than the first rank: its command line has `run` as word 1, and not `list`",
        ),
        (
            &[
                "2 measure kuszmaul --dims 2..4 --journal kept",
                "1 measure kuszmaul --dims 2..4",
            ],
            "rank 2 was asked for something else than the first rank: its command line ends before word 5, `--journal`",
        ),
    ] {
        let mut command = Command::new("mpirun");
        command.args(["--timeout", "600", "--oversubscribe"]);
        for (place, line) in lines.iter().enumerate() {
            let mut words = line.split(' ');
            let separator = if place > 0 { &[":"][..] } else { &[] };
            command.args(separator).args(["-n", words.next().unwrap()]);
            command.arg(env!("CARGO_BIN_EXE_cubewave")).args(words);
        }
        let output = as_here(command.current_dir(folder.path()))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{lines:?}: {output:?}");
        let expected = format!("{expected}: give all ranks one command line");
        assert_eq!(errors(&output), [expected]);
        assert!(output.stdout.is_empty(), "{output:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn what_needs_no_machine_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in ["list", "run kuszmaul --help", "topology hypercube --dims 4"] {
        let once = on_ranks(1, folder.path(), arguments);
        let output = on_ranks(4, folder.path(), arguments);
        assert!(output.status.success(), "{arguments}: {output:?}");
        assert_eq!(output.stdout, once.stdout, "{arguments}");
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/clusters.md");

/// The command lines of the page, but for that of the job.
#[test]
fn the_commands_of_the_page_pass() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let traffic = rows(9, 3, Payloads::Half);
    write(&folder.path().join("mine.csv"), &traffic);
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix("mpirun -n "));
    let mut passed = 0;
    for command in commands.filter(|command| !command.contains("$resume")) {
        let (ranks, arguments) = command.split_once(" cubewave ").unwrap();
        let output = on_ranks(ranks.parse().unwrap(), folder.path(), arguments);
        assert!(output.status.success(), "{command}: {output:?}");
        passed += 1;
    }
    assert_eq!(passed, 10);
}

/// The job for Slurm, as a script, with a smaller machine: the second time it goes on from its checkpoint.
#[test]
fn the_job_of_the_page_goes_on_where_it_was() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let from = page.find("#!/bin/sh").unwrap();
    let length = page[from..].find("```").unwrap();
    let job = page[from..from + length]
        .replace("--dims 28", "--dims 15")
        .replace(
            "--checkpoint progress",
            "--checkpoint progress --every 0.0001",
        );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("job.sh"), job).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_cubewave")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    for is_resumed in [false, true] {
        let mut shell = Command::new("sh");
        shell
            .arg("job.sh")
            .current_dir(folder.path())
            .env("PATH", &path);
        let output = as_here(&mut shell).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            said.contains("note: goes on from bit time "),
            is_resumed,
            "{said}"
        );
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("pass  delivered"), "{report}");
    }
}

/// What is planned for computers is what as many ranks have sent, to the bit; and as often.
#[test]
fn ranks_send_what_was_planned() {
    let folder = tempfile::tempdir().unwrap();
    for (testbench, ranks) in [
        ("kuszmaul --dims 12", 2),
        ("kuszmaul --dims 12 --schedule spread --payload-bits 5", 4),
        ("kuszmaul --dims 10 --schedule radix4", 2),
        ("bitonic --dims 10", 2),
        ("radix --dims 10 --schedule sort", 4),
        ("packing --dims 10", 2),
        ("enumeration --dims 10", 2),
    ] {
        let planned = format!("plan {testbench} --machines {ranks} --bandwidth 1Gbit");
        let planned = report(&on_ranks(1, folder.path(), &(planned + " --format json")));
        let run = format!("run {testbench} --threads 1 --format json");
        let sent = report(&on_ranks(ranks, folder.path(), &run));
        let (planned, sent) = (&planned["between_ranks"], &sent["between_ranks"]);
        assert!(sent["bits"].as_u64().unwrap() > 0);
        assert_eq!(planned["bits"], sent["bits"], "{testbench}");
        assert_eq!(planned["formula"], sent["formula"], "{testbench}");
        assert_eq!(
            planned["exchanges_per_machine"], sent["exchanges_per_rank"],
            "{testbench}"
        );
    }
}
