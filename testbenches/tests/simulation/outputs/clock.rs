//! A clock that is wrong, or jumps while somebody looks: dates follow it as far as there are dates, and nothing else does.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::outputs::folder::{Folder, text};
use crate::outputs::works::{Whole, undated};

/// In the place of the system's: it goes wrong by so many seconds, the other way each time that it is asked.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static long long by;
    if (by == 0) by = atoll(getenv("CLOCK_JUMP"));
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) {
        now->tv_sec += by;
        if (getenv("CLOCK_TURNS")) by = -by;
    }
    return failed;
}
"#;

fn with_clock(command: &mut Command, folder: &Folder, seconds: i64) {
    let clock = folder.path("clock.so");
    command
        .env("LD_PRELOAD", clock)
        .env("CLOCK_JUMP", seconds.to_string());
}

/// A folder with that clock.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::write(folder.path("clock.c"), CLOCK).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o", "clock.so", "clock.c"]);
    assert!(cc.current_dir(folder.path("")).status().unwrap().success());
    folder
}

#[test]
fn dates_are_those_of_the_clock_as_far_as_there_are_dates() {
    let folder = folder();
    const YEAR: i64 = 31_556_952;
    for (years, is_dated) in [(0, true), (500, true), (-100, false), (9000, false)] {
        let mut command = folder.command("run kuszmaul --dims 3 --format json");
        // Never nothing, which is where it begins.
        with_clock(&mut command, &folder, years * YEAR + 1);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{years}: {}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let date = report["meta"]["date"].as_str();
        assert_eq!(date.is_some(), is_dated, "{years}: {date:?}");
        let year = |date: &str| date.split('-').next().unwrap().parse::<i64>().unwrap();
        assert!(
            date.is_none_or(|date| (years == 500) == (year(date) > 2500)),
            "{date:?}"
        );
        let seconds = report["simulation_seconds"].as_f64();
        assert!(
            seconds.is_none_or(|seconds| (0.0..600.0).contains(&seconds)),
            "{years}: {seconds:?}"
        );
    }
}

#[test]
fn a_clock_that_jumps_back_and_forth_changes_nothing() {
    let clock = folder();
    for whole in Whole::all() {
        let folder = Folder::new();
        let mut command = folder.command(whole.words);
        with_clock(
            undated(&mut command).env("CLOCK_TURNS", "1"),
            &clock,
            100_000_000,
        );
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            whole.words,
            text(&output.stderr)
        );
        whole.is_kept(&folder.path(""), &output, &[], "with a clock that jumps");
    }
}
