//! Relaxations as people run them: every grid of processes, both orders, words of odd widths; and what cannot be is refused.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn cubewave(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn report(folder: &Path, arguments: &str) -> Value {
    let output = cubewave(folder, &format!("{arguments} --format json"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// New values, written a third time: of points by their numbers.
fn relaxed(points: &[u64], side: usize) -> Vec<u64> {
    let at = |row: usize, column: usize| points[row % side * side + column % side];
    let all = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    all.map(|(row, column)| {
        let across = at(row, column + 1) + at(row, column + side - 1);
        (across + at(row + 1, column) + at(row + side - 1, column)) / 4
    })
    .collect()
}

fn file(points: &[u64], digits: usize) -> String {
    let rows = points.iter().enumerate();
    let rows = rows.map(|(point, value)| format!("{point},{value:0digits$x}\n"));
    format!("point,value\n{}", rows.collect::<String>())
}

#[test]
fn every_guest_relaxes_the_points_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (guest, dims, side) in [
        ("gray-grid", 2, 6),
        ("grid", 2, 2),
        ("gray-grid", 4, 4),
        ("grid", 4, 12),
        ("large-grid", 4, 8),
        ("large-grid", 4, 24),
    ] {
        for (bits, start_up, sweeps) in [(1, 0, 1), (7, 3, 2), (16, 0, 5), (33, 1, 3)] {
            let scattered = |point: u64| point.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
            let mut points: Vec<u64> = (1..=side * side)
                .map(|point| scattered(point as u64))
                .collect();
            let digits = (bits as usize).div_ceil(4);
            std::fs::write(folder.path().join("points.csv"), file(&points, digits)).unwrap();
            for _ in 0..sweeps {
                points = relaxed(&points, side);
            }
            for order in ["hop-by-hop", "greedy"] {
                let arguments = format!(
                    "run relaxation --guest {guest} --dims {dims} --points {side} --word-bits {bits} --sweeps {sweeps} \
                     --start-up {start_up} --order {order} --values points.csv --results relaxed.csv"
                );
                let report = report(folder.path(), &arguments);
                assert_eq!(report["passed"], true, "{arguments}");
                let written = std::fs::read_to_string(folder.path().join("relaxed.csv")).unwrap();
                assert_eq!(written, file(&points, digits), "{arguments}");
                let number = |name: &str| report[name].as_u64().unwrap();
                let packet = number("start_up") + number("packet_bits");
                let sweep = packet * number("routing_steps");
                let each = report["bit_times_a_sweep"].as_array().unwrap();
                assert_eq!(each.len(), sweeps);
                assert!(
                    each.iter()
                        .all(|bit_times| bit_times.as_u64() == Some(sweep))
                );
                assert_eq!(number("bit_times_in_all"), sweep * sweeps as u64);
                let processes = number("processes_a_side");
                let words = 4 * processes * processes * number("block_side");
                assert_eq!(number("words_a_sweep"), words);
                assert_eq!(number("node_bits_a_sweep"), (words * bits) >> dims);
            }
        }
    }
}

/// The second of two pairs of sweeps goes on where the first pair ends.
#[test]
fn results_of_a_run_are_values_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let machine = "run relaxation --dims 4 --points 8 --guest large-grid";
    for arguments in [
        "--sweeps 4 --results four.csv",
        "--sweeps 2 --results two.csv",
        "--sweeps 2 --values two.csv --results again.csv",
    ] {
        report(folder.path(), &format!("{machine} {arguments}"));
    }
    let [four, again] = ["four.csv", "again.csv"]
        .map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(four, again);
}

#[test]
fn a_measurement_has_a_row_a_guest_and_says_who_is_faster() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        "measure relaxation --dims 4 --points 8,16,20 --order all --plot relaxation.svg";
    let output = cubewave(folder.path(), arguments);
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("faster with as many points a side"), "{told}");
    // Twenty points are not shared evenly by eight processes: that guest has two sizes.
    let rows = |guest: &str| {
        let lines = told
            .lines()
            .filter(|line| line.trim_start().starts_with(guest));
        lines.count()
    };
    assert_eq!((rows("grid "), rows("large-grid ")), (6, 4), "{told}");
    assert!(folder.path().join("relaxation.svg").exists());
}
