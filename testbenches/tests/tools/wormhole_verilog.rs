//! Traffic that only wormhole machines have, as exported Verilog: worms with times, of several lengths and in any order, and those that
//! wait for each other. What is held of any testbench is held of them by the suite. Needs Icarus; without it it fails.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use testbenches::families::wormhole::BENCH;
use testbenches::testbench::chosen::{Chosen, Given};

use crate::common::verilog::replace;
use crate::common::worms;
use crate::suite::Exported;
use crate::suite::agreement::Both;

const CYCLES: &str = "--network ccc --dims 3 --virtual-channels 3 --message-bits 9";
const CHIP: &str = concat!(
    "--routing up-down --virtual-channels 2 --message-bits 9 --network-file ",
    env!("CARGO_MANIFEST_DIR"),
    "/examples/networks/chip.anynet"
);
const RING: &str = concat!(
    "--network-file ",
    env!("CARGO_MANIFEST_DIR"),
    "/examples/networks/ring.csv"
);
const COPIES: &str = "--network copies --dims 3 --virtual-channels 3 --message-bits 9";

fn of(machine: &str, traffic: &str) -> Chosen {
    BENCH
        .asked(&format!("--seed 5 {machine} {traffic}"))
        .unwrap()
}

fn of_file(machine: &str, path: &Path) -> Chosen {
    of(machine, &format!("--traffic-file {}", path.display()))
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Files with times, several messages a node and of several lengths, hot spots, what a run has delivered, and nothing at all: every
/// register in every bit time, and with all that the testbench passes, unless worms wait for each other.
#[test]
fn traffic_of_any_kind_is_sent_at_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name, text: &str| written(folder.path(), name, text);
    let timed = file(
        "timed.csv",
        "source,destination,time,bits\n0,5,0,9\n0,5,0,4\n7,5,0,9\n3,5,3,30\n0,0,61,9\n0,1,400,9\n7,1,400,2\n",
    );
    let rows = |time| {
        (0..64)
            .map(|one| format!("{},{},{time}\n", one % 24, 7 * one % 24))
            .collect::<String>()
    };
    // After a deadlock, more are to come, which nobody sends.
    let crowd = format!("source,destination,time\n{}{}", rows(0), rows(20_000));
    let crowd = file("crowd.csv", &crowd);
    let delivered = folder.path().join("delivered.csv");
    worms::run(&format!(
        "{COPIES} --traffic uniform --offered-load 0.1 --injection request-reply --reply-bits 5 --warm-up 50 --measurement 50 --drain 60 \
         --deliveries {}",
        delivered.display()
    ));
    let hot = of(CYCLES, "--traffic hotspot --hot-share 0.6");
    let hot_spots = BENCH.parameter("hot_spots").unwrap();
    let hot = hot.with(hot_spots, Given::Text("1_3, 5".to_owned()));
    let narrow = "--network copies --dims 3 --virtual-channels 3 --buffer-bits 1 --switch weak --message-bits 9";
    let circle = "--network ccc --dims 3 --virtual-channels 1 --buffer-bits 1 --message-bits 30";
    let dateline = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/networks/ring-dateline.csv"
    );
    let dateline = Path::new(dateline);
    let all = [
        (hot, "PASS: 24 of 24 worms"),
        (
            of(CYCLES, "--traffic uniform --load 1"),
            "PASS: 24 of 24 worms",
        ),
        (of(CHIP, "--traffic uniform"), "PASS: 12 of 12 worms"),
        (of(RING, "--traffic tornado"), "FAIL: deadlock: "),
        (
            of(
                &format!("{RING} --routes-file {}", dateline.display()),
                "--traffic tornado",
            ),
            "PASS: 8 of 8 worms",
        ),
        (
            of(&format!("{CHIP} --wire-bits 3"), "--traffic uniform"),
            "PASS: 12 of 12 worms",
        ),
        (of(&format!("{COPIES} --wire-bits 8"), ""), "PASS: "),
        (
            of(
                "--network mesh --radix 3 --wire-bits 4 --message-bits 9",
                "--traffic uniform",
            ),
            "PASS: 9 of 9 worms",
        ),
        (of_file(CYCLES, &timed), "PASS: 7 of 7 worms"),
        (of_file(narrow, &timed), "PASS: "),
        (of_file(circle, &crowd), "FAIL: deadlock: "),
        (of_file(COPIES, &delivered), "PASS: "),
    ];
    all.par_iter().for_each(|(chosen, verdict)| {
        let both = Both::of(chosen);
        let said = &both.verdict.said;
        assert_eq!(both.difference, None, "{chosen:?}: {said}");
        assert!(said.contains(verdict), "{chosen:?}: {said}");
    });
}

#[test]
fn a_testbench_without_a_worm_passes() {
    let exported = Exported::of(&of(CYCLES, "--load 0"), 2);
    exported.compile();
    let verdict = exported.run("");
    let said = &verdict.said;
    assert!(said.starts_with("PASS: 0 of 0 worms arrived"), "{said}");
    assert_eq!(verdict.status, Some(0), "{said}");
}

/// A host that begins a worm before its time, or another one first, is noticed.
#[test]
fn a_host_that_does_not_wait_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "source,destination,time\n0,3,0\n0,7,30\n0,2,30\n4,1,45\n";
    let path = written(folder.path(), "t.csv", rows);
    let chosen = of_file("--network hypercube --dims 3 --message-bits 9", &path);
    for (from, to) in [
        ("traffic[4 * worm + 1] <= bit_time\n", "1'b1\n"),
        (
            "traffic[4 * worm + 1] <= bit_time\n",
            "traffic[4 * worm + 1] < bit_time\n",
        ),
        ("next[port] = worm + 1;", "next[port] = worm;"),
        ("first_to[port] = worm;", "first_to[port] = first_to[port];"),
        ("credits[port] == BUFFER_BITS :", "credits[port] == 1 :"),
    ] {
        let both = Both::after(&chosen, 2, |folder| replace(folder, "tb.v", from, to));
        let is_noticed = both.difference.is_some() || both.verdict.status != Some(0);
        assert!(is_noticed, "`{to}` was not noticed");
    }
}

/// Of a worm that comes to another node, and of one that never leaves.
#[test]
fn a_worm_that_goes_astray_fails_the_testbench() {
    let exported = Exported::of(&of(COPIES, ""), 2);
    let expected = exported.read("expected.hex");
    let first = expected.lines().nth(1).unwrap().split(' ').next().unwrap();
    let elsewhere = format!("{:x} ", usize::from_str_radix(first, 16).unwrap() ^ 2);
    let astray = exported.with("expected.hex", &format!("{first} "), &elsewhere);
    astray.fails("; 1 of ", "a worm comes to another node");
    let held = "reset = 1'b0; force inject_valid[3] = 1'b0;";
    let held = exported.with("tb.v", "reset = 1'b0;", held);
    held.fails(
        "FAIL: round 1 of 2: not done after ",
        "a worm does not leave",
    );
}
