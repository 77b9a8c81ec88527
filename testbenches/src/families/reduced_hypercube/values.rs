//! Words from a file, and into one: `node,value`, values hexadecimal, a row for each word, those of a node in order.

use std::path::Path;

use hosts::words::{Words, hexadecimal};

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::output::Staged;
use crate::values::{NODE, read_rows, refused};
use crate::words::read_hexadecimal;

/// Whose words a file is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Every node's.
    All,
    /// This node's alone.
    Of(usize),
}

impl Whose {
    fn include(self, node: usize) -> bool {
        match self {
            Whose::All => true,
            Whose::Of(only) => node == only,
        }
    }
}

/// Reads words of a known width, as many at each node as `words` has room for.
///
/// # Errors
/// What is wrong, with the line and, where it is one value, the column; a file that cannot be read.
pub fn read(path: &Path, mut words: Words, whose: Whose) -> Result<Words, Error> {
    let (nodes, per_node, bits) = (words.nodes(), words.per_node(), words.bits());
    let mut found = vec![0; nodes];
    let last_line = read_rows(path, NODE, bits, |row| {
        let number = row.owner("there is no node", nodes)?;
        if let (false, Whose::Of(only)) = (whose.include(number), whose) {
            return Err(row.not_of_it(format!(
                "the row is of node {number}, and only the source, {only}, has a message"
            )));
        }
        if found[number] == per_node {
            return Err(row.not_of_it(match per_node {
                1 => format!("node {number} has a value already"),
                keys => format!("node {number} has {keys} values already, as many as --keys says"),
            }));
        }
        let word = words.word_mut(number * per_node + found[number]);
        read_hexadecimal(row.value, word, bits).map_err(|why| row.not_this_value(why))?;
        found[number] += 1;
        Ok(())
    })?;
    let missing = (0..nodes).find(|node| whose.include(*node) && found[*node] < per_node);
    let Some(node) = missing else {
        return Ok(words);
    };
    let why = match (whose, per_node) {
        (Whose::Of(_), _) => format!("no row is of the source, {node}"),
        (Whose::All, 1) => format!("no row is of node {node}: every node has to have a value"),
        (Whose::All, keys) => format!(
            "node {node} has {} of {keys} values: every node has to have as many rows as --keys says",
            found[node]
        ),
    };
    Err(refused(path, last_line, why))
}

/// Rows of all words, by node.
pub fn text(words: &Words, whose: Whose) -> String {
    let nodes = (0..words.nodes()).filter(|node| whose.include(*node));
    let rows = nodes.flat_map(|node| {
        words
            .of_node(node)
            .map(move |word| format!("{node},{}\n", hexadecimal(word, words.bits())))
    });
    String::from("node,value\n") + &rows.collect::<String>()
}

/// Writes a row for each word of the nodes that have any.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(output: Staged, words: &Words, whose: Whose) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record(["node", "value"])?;
        for node in (0..words.nodes()).filter(|node| whose.include(*node)) {
            for word in words.of_node(node) {
                writer.write_record([node.to_string(), hexadecimal(word, words.bits())])?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_text(
        text: &str,
        (nodes, keys, bits): (usize, usize, usize),
        whose: Whose,
    ) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let name = file.path().display().to_string();
        let read = read(file.path(), Words::zeros(nodes, keys, bits), whose);
        read.map(|words| super::text(&words, whose))
            .map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn words_are_read_in_any_order_of_nodes_and_those_of_a_node_in_theirs() {
        let read = |text, size| read_text(text, size, Whose::All).unwrap();
        assert_eq!(
            read("node,value\n1,2f\n0, A \n", (2, 1, 7)),
            "node,value\n0,0a\n1,2f\n"
        );
        assert_eq!(
            read("node,value\n1,3\n0,1\n1,2\n0,0\n", (2, 2, 2)),
            "node,value\n0,1\n0,0\n1,3\n1,2\n"
        );
        let wide = "node,value\n0,1fffffffffffffffff\n";
        assert_eq!(read(wide, (1, 1, 69)), wide);
        let of_source = read_text("node,value\n2,5\n", (4, 1, 3), Whose::Of(2));
        assert_eq!(of_source.unwrap(), "node,value\n2,5\n");
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_its_line_and_column() {
        let refused = |text: &str, keys| read_text(text, (2, keys, 5), Whose::All).unwrap_err();
        for (keys, text, refusal) in [
            (
                1,
                "node\n",
                "FILE, line 1: the header is `node`: it has to be `node,value`",
            ),
            (
                1,
                "node,value\n0,1,2\n",
                "FILE, line 2: a row is a node and its value, with a comma between",
            ),
            (
                1,
                "node,value\n0,1\n2,1\n",
                "FILE, line 3, column 1 (node): there is no node `2`: they are 0 to 1",
            ),
            (
                1,
                "node,value\n0,1\n0,2\n",
                "FILE, line 3, column 1 (node): node 0 has a value already",
            ),
            (
                2,
                "node,value\n0,1\n0,1\n0,2\n",
                "FILE, line 4, column 1 (node): node 0 has 2 values already, as many as --keys says",
            ),
            (
                1,
                "node,value\n0,20\n",
                "FILE, line 2, column 2 (value): the value `20` does not fit into 5 bits",
            ),
            (
                1,
                "node,value\n0,1x\n",
                "FILE, line 2, column 2 (value): the value `1x` is no hexadecimal number, as 2f and 0x2f are",
            ),
            (
                1,
                "node,value\n0,\n",
                "FILE, line 2, column 2 (value): the value is empty: write 0",
            ),
            (
                1,
                "node,value\n0,1\n",
                "FILE, line 2: no row is of node 1: every node has to have a value",
            ),
            (
                2,
                "node,value\n0,1\n0,1\n1,2\n",
                "FILE, line 4: node 1 has 1 of 2 values: every node has to have as many rows as --keys says",
            ),
        ] {
            assert_eq!(refused(text, keys), refusal);
        }
        let of_source = |text: &str| read_text(text, (4, 1, 3), Whose::Of(2)).unwrap_err();
        assert_eq!(
            of_source("node,value\n1,5\n"),
            "FILE, line 2, column 1 (node): the row is of node 1, and only the source, 2, has a message"
        );
        assert_eq!(
            of_source("node,value\n"),
            "FILE, line 1: no row is of the source, 2"
        );
    }
}
