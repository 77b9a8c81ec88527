//! Dumps of collective operations, read back through another library: what a port says that it sends is what crosses its wire, bit
//! by bit, and what it receives is what its neighbour sends.

use std::path::Path;
use std::process::Command;

use crate::collectives::dump::{Dump, text_of};

/// A message's bits, written once more: of its two ends.
fn message(from: usize, to: usize) -> u64 {
    let number = (from as u64 * 37 + to as u64 * 101 + 5).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number >> 20 & 0xfff
}

/// Rows of `--values`: of the pairs in this order.
fn rows(pairs: impl Iterator<Item = (usize, usize, usize)>) -> String {
    let rows = pairs.map(|(row, from, to)| format!("{row},{:03x}\n", message(from, to)));
    "node,value\n".to_owned() + &rows.collect::<String>()
}

/// What a port says in each bit time.
fn said(dump: &Dump, path: &str, end: u64) -> Vec<String> {
    let said = dump.by_bit_time(path, 0, end);
    let is_text = dump.texts.contains(path);
    said.into_iter()
        .map(|said| {
            if is_text {
                said.to_owned()
            } else {
                text_of(said)
            }
        })
        .collect()
}

/// Holds every port of a dump of all nodes against its wire; how many bits crossed.
fn wires_carry_what_ports_say(dump: &Dump, dims: usize, end: u64) -> usize {
    let mut crossed = 0;
    for node in 0..1usize << dims {
        for port in 0..dims {
            let sends = said(
                dump,
                &format!("cube.node_{node}.told.port_{port}_sends"),
                end,
            );
            let other = node ^ 1 << port;
            let receives = said(
                dump,
                &format!("cube.node_{other}.told.port_{port}_receives"),
                end,
            );
            assert_eq!(sends, receives, "node {node}, port {port}");
            let wire = dump.by_bit_time(&format!("cube.node_{node}.dim_{port}.tx"), 0, end);
            let mut bit = 0;
            for (now, said) in sends.iter().enumerate() {
                bit = if now > 0 && sends[now - 1] == *said {
                    bit + 1
                } else {
                    0
                };
                let Some((ends, first)) = said.split_once(':') else {
                    assert_eq!(
                        (said.as_str(), wire[now]),
                        ("", "0"),
                        "node {node}, port {port}, {now}"
                    );
                    continue;
                };
                let (from, to) = ends.split_once("_to_").unwrap();
                let [from, to, first] =
                    [from, to, first].map(|text| text.parse::<usize>().unwrap());
                let due = message(from, to) >> (first + bit) & 1;
                assert_eq!(
                    wire[now],
                    due.to_string(),
                    "node {node}, port {port}, {now}: {said}"
                );
                crossed += 1;
            }
        }
    }
    crossed
}

/// Runs it with messages of 12 bits and reads its dump.
fn crosses(arguments: &str, values: &str, ending: &str, dims: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("values.csv"), values).unwrap();
    let dump = format!("run.{ending}");
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("run")
        .args(arguments.split(' '))
        .args([
            "--message-bits",
            "12",
            "--values",
            "values.csv",
            "--trace-nodes",
            "all",
        ])
        .args(["--wave", &dump, "--format", "json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let end = report["bit_times"].as_u64().unwrap();
    let dump = Dump::read(Path::new(&folder.path().join(dump)));
    wires_carry_what_ports_say(&dump, dims, end)
}

#[test]
fn bits_on_wires_are_those_of_the_messages_that_ports_name() {
    let of_one = rows((0..8).filter(|node| *node != 5).map(|node| (node, 5, node)));
    let to_one = rows((0..8).filter(|node| *node != 5).map(|node| (node, node, 5)));
    for algorithm in [
        "distribute-1",
        "sbt",
        "bst --ports all",
        "tcbt --ports all",
        "sbt-levels",
    ] {
        let arguments = format!("scatter --dims 3 --source 5 --algorithm {algorithm} --start-up 1");
        assert!(
            crosses(&arguments, &of_one, "vcd", 3) >= 7 * 12,
            "{arguments}"
        );
    }
    assert_eq!(
        crosses("gather --dims 3 --source 5 --start-up 2", &to_one, "fst", 3),
        12 * 12
    );
    let opposite = rows((0..8).map(|node| (node, node, 7 - node)));
    assert_eq!(
        crosses("inversion --dims 3", &opposite, "vcd", 3),
        8 * 3 * 12
    );
    let pairs = (0..8).flat_map(|from| (0..8).map(move |to| (from, to)));
    let all = rows(
        pairs
            .filter(|(from, to)| from != to)
            .map(|(from, to)| (from, from, to)),
    );
    assert_eq!(
        crosses("all-to-all --dims 3 --start-up 0", &all, "vcd", 3),
        8 * 12 * 12
    );
    let one = rows([(2, 2, 7)].into_iter());
    let send = "send --dims 3 --source 2 --destination 7 --algorithm arbitrary-send-1 --groups 1 --start-up 1";
    assert_eq!(crosses(send, &one, "vcd", 3), 2 * 12);
}
