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
fn cubewave(network: &str, load: &str, bit_times: u64, seed: u64) -> (f64, f64) {
    let words = format!(
        "run wormhole --network {network} --message-bits 2 --offered-load {load} --warm-up {bit_times} \
         --measurement {bit_times} --seed {seed} --format json"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words.split(' '))
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let latency = report["latency"]["average"].as_f64().unwrap();
    (latency, report["throughput"]["accepted"].as_f64().unwrap())
}

/// What the script printed, what it said meanwhile, and what it left.
struct Ran {
    folder: tempfile::TempDir,
    printed: String,
    errors: String,
    rows: String,
    picture: String,
    asked: String,
}

fn run(words: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("booksim"), ANSWERS).unwrap();
    fs::set_permissions(file("booksim"), fs::Permissions::from_mode(0o755)).unwrap();
    let (rows, picture) = (file("curves.csv"), file("curves.svg"));
    let words = format!(
        "--message-bits 2 --repetitions 0 --cubewave {} --csv {} --plot {} {words}",
        env!("CARGO_BIN_EXE_cubewave"),
        rows.display(),
        picture.display()
    );
    let words: Vec<&str> = words.split(' ').collect();
    let output = script(Some(&file("booksim")), &words);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Ran {
        printed: text(&output.stdout),
        errors,
        rows: fs::read_to_string(rows).unwrap(),
        picture: fs::read_to_string(picture).unwrap(),
        asked: fs::read_to_string(file("asked")).unwrap(),
        folder,
    }
}

/// Latency and accepted load in the row that starts so.
fn row(rows: &str, start: &str) -> (f64, f64) {
    let row = rows.lines().find_map(|line| line.strip_prefix(start));
    let row = row.unwrap_or_else(|| panic!("{start} begins no line of\n{rows}"));
    let (latency, accepted) = row.split_once(',').unwrap();
    (latency.parse().unwrap(), accepted.parse().unwrap())
}

fn agree(row: (f64, f64), own: (f64, f64)) {
    assert_eq!(row.0, own.0);
    assert!((row.1 - own.1).abs() < 1e-6, "{row:?}, {own:?}");
}

#[test]
fn both_are_asked_for_the_same_and_their_curves_are_laid_over_each_other() {
    let Ran {
        folder,
        printed,
        rows,
        picture,
        asked,
        ..
    } = run(
        "--networks hypercube:6 --patterns uniform --changes --loads 0.44,0.08,0.4,0.48 --messages 30 --seeds 2",
    );

    // Loads count headers of 6 bits: 0.08 of a wire are 0.02 message bits, or 0.01 packets.
    for expected in [
        "topology=mesh k=2 n=6 num_vcs=1 traffic=uniform seed=1 packet_size=8 injection_rate=0.010000000 sample_period=80 latency_thres=80.0\n",
        "n=6 num_vcs=1 traffic=uniform seed=2 packet_size=8 injection_rate=0.050000000 sample_period=80",
        "n=6 num_vcs=1 traffic=bitcomp seed=1 packet_size=8 injection_rate=1.000000000 sample_period=1200 latency_thres=-1.0 \
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
    let nearest: Vec<&str> = rows
        .lines()
        .filter_map(|line| line.strip_prefix("hypercube:6,uniform,2,\"BookSim2, nearest\","))
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
        let start = format!("hypercube:6,uniform,2,cubewave,0.02,{seed},");
        let own = cubewave("hypercube --dims 6 --traffic uniform", "0.02", 240, seed);
        agree(row(&rows, &start), own);
    }

    // A curve and its sample in the legend for each of the nine.
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
fn networks_and_patterns_are_panels_of_one_picture() {
    let networks = ["hypercube:4", "torus:4x4", "mesh:4x4"];
    let words = format!(
        "--networks {} --patterns uniform,tornado,transpose --loads 0.1 --messages 100 --seeds 1",
        networks.join(",")
    );
    let ran = run(&words);

    // Tornado goes a digit on of four: over the wrap or, on a mesh, all the way back. A header asks about plus, then about minus,
    // then at each node whether to go on.
    for expected in [
        "topology=torus k=4 n=2 num_vcs=2 traffic=tornado seed=1 packet_size=6 injection_rate=0.016666667 sample_period=200",
        "topology=mesh k=4 n=2 num_vcs=1 traffic=tornado seed=1 packet_size=8",
        "topology=mesh k=2 n=4 num_vcs=1 traffic=uniform seed=1 packet_size=6",
    ] {
        assert!(
            ran.asked.contains(expected),
            "{expected} is not in\n{}",
            ran.asked
        );
    }
    let torus = "torus --radix 4 --dims 2 --traffic tornado";
    let own = cubewave(torus, "0.03333333333333333", 600, 1);
    agree(
        row(&ran.rows, "torus:4x4,tornado,2,cubewave,0.0333333,1,"),
        own,
    );

    // What the script says of ways and headers is what cubewave does: alone, a message of M bits with a header of H over h links
    // takes M + H + 2h + 2 bit times.
    // Half way round a torus of four, two worms that start at even digits cross the same link; where the way is drawn, each with
    // one chance in two.
    for row in [
        "| torus:4x4, tornado, M=2 | 2.0 | 4.0 | 2.0 | 6 | 1.0 | 1.0 | 12.0 | 40.5 |",
        "| torus:4x4, transpose, M=2 | 2.0 | 5.2 | 2.8 | 7 | 2.0 | 1.5 |",
    ] {
        assert!(
            ran.printed.contains(row),
            "{row} is not in\n{}",
            ran.printed
        );
    }
    let mut rows = 0;
    for network in networks {
        for pattern in ["uniform", "tornado", "transpose"] {
            let start = format!("| {network}, {pattern}, M=2 | ");
            let Some(cells) = ran
                .printed
                .lines()
                .find_map(|line| line.strip_prefix(&start))
            else {
                assert_eq!((network, pattern), ("hypercube:4", "tornado"));
                continue;
            };
            let cells: Vec<&str> = cells.split(" | ").collect();
            let number = |cell: usize| cells[cell].parse::<f64>().unwrap();
            let formula = 2.0 + number(1) + 2.0 * number(0) + 2.0;
            assert!((number(6) - formula).abs() < 0.8, "{start}{cells:?}");
            rows += 1;
        }
    }
    assert_eq!(rows, 8, "{}", ran.printed);

    // At radix 2 tornado goes nowhere: there is no curve, and it is said why.
    let why = "at radix 2 no message leaves its node";
    let said = format!("hypercube:4, tornado, M=2 is left out: {why}\n");
    assert!(ran.errors.contains(&said), "{}", ran.errors);
    assert!(ran.picture.contains(why));
    assert!(!ran.rows.contains("hypercube:4,tornado"));
    // Two curves in each panel, of a point each, and two samples in the legend.
    assert_eq!(ran.picture.matches("<circle").count(), 16);
    assert_eq!(ran.picture.matches("stroke-width=\"2\"").count(), 18);
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
            &["--networks", "torus:8x8,ring:8"],
            "`ring:8` is no network: choose such as hypercube:6, torus:8x8 or mesh:8x8",
        ),
        (
            Some(program),
            &["--networks", "torus:8x4"],
            "`torus:8x4` has sides that differ, which BookSim2 does not have",
        ),
        (
            Some(program),
            &["--speed-networks", "mesh:2x2"],
            "`mesh:2x2` is out of range: sides are 3 to 64",
        ),
        (
            Some(program),
            &["--networks", "hypercube:17"],
            "`hypercube:17` is no hypercube of 1 to 16 dimensions",
        ),
        (
            Some(program),
            &["--patterns", "uniform,hotspot"],
            "`hotspot` is no pattern of both: choose among uniform, transpose, tornado",
        ),
        (
            Some(program),
            &["--networks", "hypercube:5", "--patterns", "transpose"],
            "hypercube:5 has an odd number of dimensions: leave one of the two out",
        ),
        (
            Some(program),
            &["--networks", "mesh:6x6"],
            "unlike mesh:6x6: leave one of the two out",
        ),
        (
            Some(program),
            &["--seeds", "0", "--csv", "curves.csv"],
            "--seeds 0 leaves curves out, of which --csv and --plot are",
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
