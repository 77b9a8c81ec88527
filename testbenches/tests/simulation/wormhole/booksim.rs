//! `scripts/booksim`, beside a program that answers as BookSim2 does: what it asks of both simulators, what it makes of
//! their answers, and what it refuses. Needs Python 3; without it it fails.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// It notes what it was asked. Over a load it gives up, with the exit status 0 of BookSim2; else it ends with 255, and
/// says one thing of each period and another of the whole run.
const ANSWERS: &str = r#"#!/bin/sh
echo "$*" >>"$(dirname "$0")/asked"
case "$*" in *injection_rate=0.055*) echo "Simulation unstable, ending ..."; exit 0 ;; esac
cat <<'SAID'
Packet latency average = 99
	minimum = 98
Accepted packet rate average = 0.97
Time taken is 1800 cycles
====== Overall Traffic Statistics ======
Packet latency average = 40.5 (1 samples)
	minimum = 10 (1 samples)
	maximum = 50 (1 samples)
Network latency average = 30.5 (1 samples)
	minimum = 9 (1 samples)
Accepted packet rate average = 0.05 (1 samples)
SAID
exit 255
"#;

fn script(booksim: Option<&Path>, words: &[&str]) -> Output {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/booksim"));
    command.env_remove("BOOKSIM").args(words);
    if let Some(booksim) = booksim {
        command.env("BOOKSIM", booksim);
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The latency of cubewave on its own, and the message bits that a node accepts in a bit time.
fn cubewave(seed: u64) -> (f64, f64) {
    let words = "run wormhole --network ecube --dims 4 --traffic uniform --message-bits 2 --offered-load 0.02 \
                 --warm-up 240 --measurement 240 --format json --seed";
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words.split(' '))
        .arg(seed.to_string())
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let latency = report["latency"]["average"].as_f64().unwrap();
    (latency, report["throughput"]["accepted"].as_f64().unwrap())
}

#[test]
fn both_are_asked_for_the_same_and_their_curves_are_laid_over_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("booksim"), ANSWERS).unwrap();
    fs::set_permissions(file("booksim"), fs::Permissions::from_mode(0o755)).unwrap();
    let (rows, picture) = (file("curves.csv"), file("curves.svg"));
    let words = format!(
        "--message-bits 2 --loads 0.44,0.08,0.4,0.48 --messages 30 --seeds 2 --repetitions 0 --cubewave {} --csv {} --plot {}",
        env!("CARGO_BIN_EXE_cubewave"),
        rows.display(),
        picture.display()
    );
    let words: Vec<&str> = words.split(' ').collect();
    let output = script(Some(&file("booksim")), &words);
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{errors}");

    // Loads count headers of 6 bits: 0.08 of a wire are 0.02 message bits, or 0.01 packets.
    let asked = fs::read_to_string(file("asked")).unwrap();
    for expected in [
        "n=6 traffic=uniform seed=1 packet_size=8 injection_rate=0.010000000 sample_period=80 latency_thres=80.0\n",
        "n=6 traffic=uniform seed=2 packet_size=8 injection_rate=0.050000000 sample_period=80",
        "n=6 traffic=bitcomp seed=1 packet_size=8 injection_rate=1.000000000 sample_period=1200 latency_thres=-1.0 \
         sim_type=throughput warmup_periods=1 max_samples=4\n",
        "packet_size=5 injection_rate=0.010000000",
        "packet_size=2 injection_rate=0.010000000",
        "vc_buf_size=2\n",
        "wait_for_tail_credit=0\n",
    ] {
        assert!(asked.contains(expected), "{expected} is not in\n{asked}");
    }

    // From 10 at no load to 40.5 at 0.02, three times 10 lies at 0.013.
    for row in [
        "| cubewave | 10 | 22 | 12 |",
        "| cubewave, buffers of 1 bit | 17 | 29 | 20 |",
        "| cubewave, buffers of 4 bits | 10 | 22 | 10 |",
        "| BookSim2, nearest | 10 | 10 | 20 | 40.5 | 40.5 | - | - | 0.013 |",
    ] {
        assert!(printed.contains(row), "{row} is not in\n{printed}");
    }

    // A curve ends where it is saturated.
    let written = fs::read_to_string(&rows).unwrap();
    let nearest: Vec<&str> = written
        .lines()
        .filter_map(|line| line.strip_prefix("2,\"BookSim2, nearest\","))
        .collect();
    assert_eq!(
        nearest,
        [
            "0.02,1,40.5,0.1",
            "0.02,2,40.5,0.1",
            "0.1,1,40.5,0.1",
            "0.1,2,40.5,0.1",
            "0.11,1,inf,0",
            "0.11,2,inf,0"
        ]
    );
    for seed in [1, 2] {
        let start = format!("2,cubewave,0.02,{seed},");
        let row = written.lines().find_map(|line| line.strip_prefix(&start));
        let (latency, accepted) = row.unwrap().split_once(',').unwrap();
        let (own_latency, own_accepted) = cubewave(seed);
        assert_eq!(latency.parse(), Ok(own_latency));
        assert!((accepted.parse::<f64>().unwrap() - own_accepted).abs() < 1e-6);
    }

    // A curve and its sample in the legend for each of the nine.
    let picture = fs::read_to_string(&picture).unwrap();
    assert_eq!(picture.matches("stroke-width=\"2\"").count(), 18);
    let styles: HashSet<&str> = picture
        .lines()
        .filter(|line| line.contains("stroke-width=\"2\""))
        .filter_map(|line| line.split_once("stroke=").map(|(_, style)| style))
        .collect();
    assert_eq!(styles.len(), 9, "two curves look alike: {styles:?}");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 4, "the program, what it noted, and two files");
}

#[test]
fn what_it_cannot_run_is_refused_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("booksim");
    let cubewave = format!("--cubewave={}", nowhere.display());
    let (absent, nan) = (["--csv", "/nowhere/curves.csv"], ["--loads", "0.1,nan"]);
    let program = Path::new("/bin/sh");
    for (booksim, words, why) in [
        (None, &[][..], "BOOKSIM is not set: it names the program"),
        (
            Some(&*nowhere),
            &[],
            "which is no program: it names the file",
        ),
        (
            Some(folder.path()),
            &[],
            "which is no program: it names the file",
        ),
        (
            Some(program),
            &[&*cubewave],
            "which is no program: leave it out",
        ),
        (
            Some(program),
            &absent,
            "there is no folder /nowhere for curves.csv: make it first",
        ),
        (Some(program), &nan, "`nan` is no number from 0.001 to 1"),
        (
            Some(program),
            &["--message-bits", "1,0"],
            "`0` is no whole number from 1 to 4096",
        ),
        (
            Some(program),
            &["--speed-levels", "4,6"],
            "takes 2, 4, 8 and 16",
        ),
    ] {
        let output = script(booksim, words);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert!(errors.contains(why), "{words:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert_eq!(text(&output.stdout), "");
    }
}
