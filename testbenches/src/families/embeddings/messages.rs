//! Messages of guest edges from a file, and into one: `edge,value`, values hexadecimal, a row for each edge.

use std::path::Path;

use hosts::words::{Words, hexadecimal};

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::output::Staged;
use crate::values::{read_rows, refused};
use crate::words::read_hexadecimal;

/// The first column.
const EDGE: &str = "edge";

/// Reads as many messages as `messages` has room for.
///
/// # Errors
/// [`Error::Values`] with the line and, where it is one value, the column; [`Error::Unreadable`].
pub fn read(path: &Path, mut messages: Words) -> Result<Words, Error> {
    let (edges, bits) = (messages.nodes(), messages.bits());
    let mut has_row = vec![false; edges];
    let last_line = read_rows(path, EDGE, bits, |row| {
        let edge = row.owner("the guest has no edge", edges)?;
        if std::mem::replace(&mut has_row[edge], true) {
            return Err(format!("column 1: edge {edge} has a message already"));
        }
        read_hexadecimal(row.value, messages.word_mut(edge), bits)
            .map_err(|why| format!("column 2: {why}"))
    })?;
    match has_row.iter().position(|has_row| !has_row) {
        None => Ok(messages),
        Some(edge) => {
            let why = format!("no row is of edge {edge}: every edge has to have a message");
            Err(refused(path, last_line, why))
        }
    }
}

/// Rows of all messages.
pub fn text(messages: &Words) -> String {
    let rows = messages.iter().enumerate();
    let rows = rows.map(|(edge, word)| format!("{edge},{}\n", hexadecimal(word, messages.bits())));
    format!("{EDGE},value\n") + &rows.collect::<String>()
}

/// Writes them.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write(output: Staged, messages: &Words) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record([EDGE, "value"])?;
        for (edge, word) in messages.iter().enumerate() {
            writer.write_record([edge.to_string(), hexadecimal(word, messages.bits())])?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_text(text: &str, edges: usize, bits: usize) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let name = file.path().display().to_string();
        let messages = read(file.path(), Words::zeros(edges, 1, bits));
        messages
            .map(|messages| super::text(&messages))
            .map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn messages_are_read_in_any_order() {
        assert_eq!(
            read_text("edge,value\n1,2f\n0, A \n", 2, 7).unwrap(),
            "edge,value\n0,0a\n1,2f\n"
        );
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_its_line_and_column() {
        for (text, refusal) in [
            (
                "node,value\n",
                "FILE, line 1: the header is `node,value`: it has to be `edge,value`",
            ),
            (
                "edge,value\n0\n",
                "FILE, line 2: a row is an edge and its value, with a comma between",
            ),
            (
                "edge,value\n2,1\n",
                "FILE, line 2: column 1: the guest has no edge `2`: they are 0 to 1",
            ),
            (
                "edge,value\n0,1\n0,1\n",
                "FILE, line 3: column 1: edge 0 has a message already",
            ),
            (
                "edge,value\n0,20\n",
                "FILE, line 2: column 2: the value `20` does not fit into 5 bits",
            ),
            (
                "edge,value\n1,1\n",
                "FILE, line 2: no row is of edge 0: every edge has to have a message",
            ),
        ] {
            assert_eq!(read_text(text, 2, 5).unwrap_err(), refusal);
        }
    }
}
