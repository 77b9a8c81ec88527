//! Data in and out through files.

use std::collections::BTreeMap;

use crate::collectives::command::Folder;

/// A number of a message that tells it from every other.
fn message(from: usize, to: usize) -> String {
    format!("{:04x}", from << 8 | to)
}

fn rows(rows: impl IntoIterator<Item = (usize, String)>) -> String {
    let rows = rows
        .into_iter()
        .map(|(node, value)| format!("{node},{value}\n"));
    String::from("node,value\n") + &rows.collect::<String>()
}

fn carried(operation: &str, dims: usize, sent: &str) -> String {
    let folder = Folder::new();
    folder.write("sent.csv", sent);
    folder.report(&format!(
        "run {operation} --dims {dims} --message-bits 16 --values sent.csv --results came.csv"
    ));
    folder.read("came.csv")
}

#[test]
fn scattered_and_gathered_messages_are_those_of_their_nodes() {
    for own in [false, true] {
        let nodes = || (0..16).filter(|node| own || *node != 5);
        let sent = rows(nodes().map(|node| (node, message(5, node))));
        for algorithm in ["distribute-1", "sbt", "bst", "tcbt"] {
            let line = format!("scatter --algorithm {algorithm} --source 5");
            assert_eq!(carried(&line, 4, &sent), sent, "{algorithm}");
        }
        let sent = rows(nodes().map(|node| (node, message(node, 5))));
        for algorithm in ["collect", "sbt", "bst", "tcbt"] {
            let line = format!("gather --algorithm {algorithm} --source 5");
            assert_eq!(carried(&line, 4, &sent), sent, "{algorithm}");
        }
    }
}

#[test]
fn everybodys_message_comes_to_all_in_the_order_of_the_senders() {
    let sent = rows((0..8).map(|node| (node, message(node, 0))));
    let due = rows((0..8).flat_map(|node| (0..8).map(move |from| (node, message(from, 0)))));
    assert_eq!(carried("all-gather", 3, &sent), due);
}

#[test]
fn everybodys_messages_are_exchanged() {
    for own in [false, true] {
        let others = |node: usize| (0..8).filter(move |other| own || *other != node);
        let sent = (0..8).flat_map(|node| others(node).map(move |to| (node, message(node, to))));
        let due = (0..8).flat_map(|node| others(node).map(move |from| (node, message(from, node))));
        assert_eq!(carried("all-to-all", 3, &rows(sent)), rows(due));
    }
}

#[test]
fn a_message_is_sent_to_one_node() {
    let sent = rows([(3, "ab".to_owned())]);
    let due = rows([(4, "00ab".to_owned())]);
    assert_eq!(carried("send --source 3", 3, &sent), due);
    let due = rows([(6, "00ab".to_owned())]);
    assert_eq!(carried("send --source 3 --destination 6", 3, &sent), due);
}

#[test]
fn messages_go_where_a_permutation_says() {
    let sent = rows((0..8).map(|node| (node, message(node, 0))));
    let due =
        |from: &dyn Fn(usize) -> usize| rows((0..8).map(|node| (node, message(from(node), 0))));
    assert_eq!(carried("inversion", 3, &sent), due(&|node| node ^ 7));
    let neighbor = "permuted-send --permutation neighbor";
    assert_eq!(carried(neighbor, 3, &sent), due(&|node| (node + 7) % 8));
    let folder = Folder::new();
    let to = [3, 0, 2, 1];
    let lines: String = (0..4)
        .map(|node| format!("{node},{}\n", to[node]))
        .collect();
    folder.write("to.csv", &format!("source,destination\n{lines}"));
    folder.write(
        "sent.csv",
        &rows((0..4).map(|node| (node, message(node, 0)))),
    );
    folder.report(
        "run permuted-send --dims 2 --message-bits 16 --permutation to.csv --values sent.csv --results came.csv",
    );
    let mut due: Vec<(usize, String)> = (0..4).map(|node| (to[node], message(node, 0))).collect();
    due.sort();
    assert_eq!(folder.read("came.csv"), rows(due));
}

#[test]
fn a_matrix_is_transposed() {
    for (algorithm, dims, side, word_bits) in [
        ("by-rows", 2, 8, 64),
        ("by-rows", 3, 8, 32),
        ("by-rows", 1, 4, 10),
        ("by-submatrices", 2, 4, 64),
        ("by-submatrices", 4, 16, 31),
    ] {
        let folder = Folder::new();
        let entry = |row: usize, column: usize| match word_bits {
            32 | 64 => format!("{}.{}", row * 100 + column, 5),
            _ => (row * 16 + column).to_string(),
        };
        let text = |of: &dyn Fn(usize, usize) -> String| {
            let line = |row| {
                let entries: Vec<String> = (0..side).map(|column| of(row, column)).collect();
                entries.join(",") + "\n"
            };
            (0..side).map(line).collect::<String>()
        };
        folder.write("matrix.csv", &text(&entry));
        folder.report(&format!(
            "run transpose --algorithm {algorithm} --dims {dims} --word-bits {word_bits} --matrix matrix.csv --results turned.csv"
        ));
        let turned = folder.read("turned.csv");
        assert_eq!(
            turned,
            text(&|row, column| entry(column, row)),
            "{algorithm} {dims}"
        );
        // Twice is as it was.
        folder.report(&format!(
            "run transpose --algorithm {algorithm} --dims {dims} --word-bits {word_bits} --matrix turned.csv --results again.csv"
        ));
        assert_eq!(folder.read("again.csv"), folder.read("matrix.csv"));
    }
}

#[test]
fn samples_of_all_nodes_are_counted() {
    let folder = Folder::new();
    let samples: Vec<(usize, usize)> = (0..200usize)
        .map(|number| (number * number % 8, number * 7 % 23))
        .collect();
    let sent = samples.iter().map(|(node, bin)| (*node, bin.to_string()));
    folder.write("samples.csv", &rows(sent));
    let report =
        folder.report("run histogram --dims 3 --bins 24 --values samples.csv --results counts.csv");
    assert_eq!(report["samples_in_all"], 200);
    assert_eq!(report["word_bits"], 8);
    let mut counts: BTreeMap<usize, usize> = (0..24).map(|bin| (bin, 0)).collect();
    for (_, bin) in samples {
        *counts.entry(bin).or_default() += 1;
    }
    let due: String = counts
        .iter()
        .map(|(bin, count)| format!("{bin},{count}\n"))
        .collect();
    assert_eq!(folder.read("counts.csv"), format!("bin,count\n{due}"));
}
