//! Bit times in which nothing changes are left out, unless somebody looks on: the report, the deliveries and the counts of all wires
//! are the same.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a run of worms prints as JSON, without what is another one in each run, its exit status, and the files that it wrote.
fn run(folder: &Path, options: &str, watched: bool) -> (Value, Option<i32>, [String; 2]) {
    let files = ["deliveries.csv", "links.csv"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
    command
        .args(["run", "wormhole", "--traffic-file", "late.csv"])
        .args(["--deliveries", files[0], "--links", files[1]])
        .args(options.split(' '))
        .args(["--format", "json"])
        .current_dir(folder);
    if watched {
        command.args(["--wave", "a.fst", "--trace-nodes", "0"]);
    }
    let output = command.output().unwrap();
    let mut report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{options}: {}", String::from_utf8_lossy(&output.stderr)));
    let report_of = report.as_object_mut().unwrap();
    for own in ["simulation_seconds", "outputs", "meta"] {
        assert!(report_of.remove(own).is_some(), "{own}");
    }
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    (report, output.status.code(), files.map(read))
}

#[test]
fn a_pause_that_is_left_out_changes_nothing_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // All that there is to arbitrate comes before and after the pauses: whose turn it is then is what it was.
    let burst = |at: usize| {
        let pairs = (0..8).flat_map(move |source| [(source, (source + 3) % 8), (source, 1)]);
        pairs.map(move |(source, node)| format!("{source},{node},{at}\n"))
    };
    let rows = [0, 1000, 1001, 5003].map(|at| burst(at).collect::<String>());
    let text = "source,destination,time\n".to_owned() + &rows.concat();
    std::fs::write(folder.join("late.csv"), text).unwrap();
    for options in [
        "--dims 2 --message-bits 9",
        "--dims 2 --message-bits 9 --switch weak --buffer-bits 1",
        "--network copies --dims 3 --message-bits 9 --switch weak",
        "--network hypercube --routing valiant --dims 3 --message-bits 9",
    ] {
        let ticked = run(folder, options, true);
        assert_eq!(ticked.1, Some(0), "{options}");
        assert_eq!(run(folder, options, false), ticked, "{options}");
    }
}

/// A deadlock behind a pause is dated by a second run, which leaves out what the first one did.
#[test]
fn a_deadlock_after_a_pause_has_its_bit_times() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let all = (0..24).map(|source| format!("{source},{},3000\n", (source * 5 + 7) % 24));
    let text = "source,destination,time\n0,3,0\n".to_owned() + &all.collect::<String>();
    std::fs::write(folder.join("late.csv"), text).unwrap();
    let options = "--dims 3 --virtual-channels 1 --buffer-bits 1 --message-bits 60";
    let ticked = run(folder, options, true);
    assert_eq!(ticked.1, Some(1));
    assert!(ticked.0.to_string().contains("3149"), "{}", ticked.0);
    assert_eq!(run(folder, options, false), ticked);
}

/// As many bit times nobody could tick.
#[test]
fn a_message_may_be_created_when_it_likes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "source,destination,time\n0,3,0\n0,3,100000000000\n";
    std::fs::write(folder.join("late.csv"), text).unwrap();
    let (report, status, _) = run(folder, "--dims 2 --message-bits 9", false);
    assert_eq!(status, Some(0));
    let bit_times = report["bit_times"].as_u64().unwrap();
    assert!((100_000_000_010..100_000_000_100).contains(&bit_times));
}
