use std::io::Write;
use std::sync::Arc;

use hosts::collectives::ends::Permutation;

use super::*;

/// The file as it is read and written again, with or without own messages.
fn read_text(text: &str, pattern: Pattern) -> Result<String, String> {
    let ends = Ends { pattern, nodes: 4 };
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = file.path().display().to_string();
    let (nodes, each) = ends.sent_shape();
    let read = read(file.path(), &ends, Words::zeros(nodes, each, 5));
    let (words, has_own) = read.map_err(|error| error.to_string().replace(&name, "FILE"))?;
    let messages = Messages {
        words: words.into(),
        has_own,
    };
    let rows = messages.rows(&ends, (&messages.words, Ends::sent_row));
    let rows = rows.map(|row| row.join(","));
    Ok(rows.collect::<Vec<String>>().join(" "))
}

#[test]
fn rows_come_in_any_order_of_nodes_and_own_messages_may_be_left_out() {
    let scatter = |text| read_text(text, Pattern::From(2)).unwrap();
    assert_eq!(scatter("node,value\n3,1f\n0,1\n1,2\n"), "0,01 1,02 3,1f");
    assert_eq!(
        scatter("node,value\n3,1f\n0,1\n2,5\n1,2\n"),
        "0,01 1,02 2,05 3,1f"
    );
    let each = |own: bool| {
        let rows = (0..4).flat_map(|node| {
            let others = (0..4).filter(move |other| own || *other != node);
            others.map(move |other| format!("{node},{:02x}", 4 * node + other))
        });
        rows.collect::<Vec<String>>()
    };
    for own in [false, true] {
        let text = format!("node,value\n{}\n", each(own).join("\n"));
        let read = read_text(&text, Pattern::EachToEach).unwrap();
        assert_eq!(read, each(own).join(" "));
    }
    let send = read_text("node,value\n1,a\n", Pattern::Between(1, 2)).unwrap();
    assert_eq!(send, "1,0a");
}

#[test]
fn a_file_that_does_not_fit_is_refused_with_its_line_and_column() {
    let all = || Pattern::Permuted(Arc::new(Permutation::new(&[1, 0, 3, 2])));
    for (pattern, text, refusal) in [
        (
            all(),
            "edge,value\n",
            "FILE, line 1: the header is `edge,value`: it has to be `node,value`",
        ),
        (
            all(),
            "node,value\n4,1\n",
            "FILE, line 2, column 1 (node): there is no node `4`: they are 0 to 3",
        ),
        (
            all(),
            "node,value\n0,1\n0,2\n",
            "FILE, line 3, column 1 (node): node 0 has a message already",
        ),
        (
            all(),
            "node,value\n0,20\n",
            "FILE, line 2, column 2 (value): the value `20` does not fit into 5 bits",
        ),
        (
            all(),
            "node,value\n0,1\n1,1\n3,1\n",
            "FILE, line 4: no row is of node 2: every node that sends has to have a message",
        ),
        (
            Pattern::Between(1, 2),
            "node,value\n2,1\n",
            "FILE, line 2, column 1 (node): the row is of node 2, and only the source, 1, has a message",
        ),
        (
            Pattern::From(0),
            "node,value\n0,1\n1,1\n2,1\n",
            "FILE, line 4: no row is of node 3: every node that sends has to have a message",
        ),
        (
            Pattern::EachToEach,
            "node,value\n0,1\n0,1\n0,1\n0,1\n0,1\n",
            "FILE, line 6, column 1 (node): node 0 has 4 messages already, as many as there are nodes",
        ),
        (
            Pattern::EachToEach,
            "node,value\n0,1\n0,1\n",
            "FILE, line 3: node 0 has 2 messages: every node has to have 3, one for each of the others, or 4 with its own",
        ),
        (
            Pattern::EachToEach,
            "node,value\n0,1\n0,1\n0,1\n0,1\n1,1\n1,1\n1,1\n2,1\n2,1\n2,1\n3,1\n3,1\n3,1\n",
            "FILE, line 14: node 1 has 3 messages and node 0 has 4: with their own or without, all nodes have to have as many",
        ),
    ] {
        assert_eq!(read_text(text, pattern).unwrap_err(), refusal);
    }
}
