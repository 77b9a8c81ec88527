//! Values of guest edges or of points from a file, and into one: `edge,value`, values hexadecimal, a row for each edge.

use std::path::Path;

use hosts::words::{Words, hexadecimal};

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::embeddings::parameters::VALUES;
use crate::output::Staged;
use crate::testbench::chosen::Chosen;
use crate::values::{read_rows, refused};
use crate::words::read_hexadecimal;

/// Who has a value, as files and refusals call them.
#[derive(Clone, Copy, Debug)]
pub struct Owners {
    /// One of them, and the first column.
    one: &'static str,
    /// What is said of a number of none.
    none: &'static str,
    /// What it has.
    value: &'static str,
}

/// Edges of a guest, each with its message.
pub const EDGES: Owners = Owners {
    one: "edge",
    none: "the guest has no edge",
    value: "message",
};
/// Points of a torus, numbered row by row.
pub const POINTS: Owners = Owners {
    one: "point",
    none: "the torus has no point",
    value: "value",
};

impl Owners {
    /// Values of so many, drawn or read.
    ///
    /// # Errors
    /// What is wrong, with the line and, where it is one value, the column; a file that cannot be read.
    pub fn values(self, chosen: &Chosen, (amount, bits): (usize, usize)) -> Result<Words, Error> {
        match chosen.path(&VALUES) {
            None => Ok(Words::drawn(amount, 1, bits, chosen.seed())),
            Some(path) => self.read(path, Words::zeros(amount, 1, bits)),
        }
    }

    /// Reads as many as `values` has room for, in any order.
    fn read(self, path: &Path, mut values: Words) -> Result<Words, Error> {
        let Owners { one, none, value } = self;
        let (amount, bits) = (values.nodes(), values.bits());
        let mut has_row = vec![false; amount];
        let last_line = read_rows(path, one, bits, |row| {
            let owner = row.owner(none, amount)?;
            if std::mem::replace(&mut has_row[owner], true) {
                return Err(row.not_of_it(format!("{one} {owner} has a {value} already")));
            }
            read_hexadecimal(row.value, values.word_mut(owner), bits)
                .map_err(|why| row.not_this_value(why))
        })?;
        match has_row.iter().position(|has_row| !has_row) {
            None => Ok(values),
            Some(owner) => {
                let why = format!("no row is of {one} {owner}: every {one} has to have a {value}");
                Err(refused(path, last_line, why))
            }
        }
    }

    /// Rows of all values.
    pub fn text(self, values: &Words) -> String {
        let rows = values.iter().enumerate();
        let rows =
            rows.map(|(owner, word)| format!("{owner},{}\n", hexadecimal(word, values.bits())));
        format!("{},value\n", self.one) + &rows.collect::<String>()
    }

    /// Writes values, each with whose it is.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    pub fn write(
        self,
        output: Staged,
        mut values: impl Iterator<Item = (usize, String)>,
    ) -> Result<(), Error> {
        write_rows(output, |writer| {
            writer.write_record([self.one, "value"])?;
            values.try_for_each(|(owner, value)| writer.write_record([owner.to_string(), value]))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_text(of: Owners, text: &str, (amount, bits): (usize, usize)) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let name = file.path().display().to_string();
        let values = of.read(file.path(), Words::zeros(amount, 1, bits));
        values
            .map(|values| of.text(&values))
            .map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn values_are_read_in_any_order() {
        assert_eq!(
            read_text(EDGES, "edge,value\n1,2f\n0, A \n", (2, 7)).unwrap(),
            "edge,value\n0,0a\n1,2f\n"
        );
        assert_eq!(
            read_text(POINTS, "point,value\n1,1F\n0, a \n", (2, 5)).unwrap(),
            "point,value\n0,0a\n1,1f\n"
        );
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_its_line_and_column() {
        for (of, text, refusal) in [
            (
                EDGES,
                "node,value\n",
                "FILE, line 1: the header is `node,value`: it has to be `edge,value`",
            ),
            (
                EDGES,
                "edge,value\n0\n",
                "FILE, line 2: a row is an edge and its value, with a comma between",
            ),
            (
                EDGES,
                "edge,value\n2,1\n",
                "FILE, line 2, column 1 (edge): the guest has no edge `2`: they are 0 to 1",
            ),
            (
                EDGES,
                "edge,value\n0,1\n0,1\n",
                "FILE, line 3, column 1 (edge): edge 0 has a message already",
            ),
            (
                EDGES,
                "edge,value\n0,20\n",
                "FILE, line 2, column 2 (value): the value `20` does not fit into 5 bits",
            ),
            (
                EDGES,
                "edge,value\n1,1\n",
                "FILE, line 2: no row is of edge 0: every edge has to have a message",
            ),
            (
                POINTS,
                "node,value\n",
                "FILE, line 1: the header is `node,value`: it has to be `point,value`",
            ),
            (
                POINTS,
                "point,value\n2,1\n",
                "FILE, line 2, column 1 (point): the torus has no point `2`: they are 0 to 1",
            ),
            (
                POINTS,
                "point,value\n0,1\n0,1\n",
                "FILE, line 3, column 1 (point): point 0 has a value already",
            ),
            (
                POINTS,
                "point,value\n0,20\n",
                "FILE, line 2, column 2 (value): the value `20` does not fit into 5 bits",
            ),
            (
                POINTS,
                "point,value\n0,1\n",
                "FILE, line 2: no row is of point 1: every point has to have a value",
            ),
        ] {
            assert_eq!(read_text(of, text, (2, 5)).unwrap_err(), refusal);
        }
    }
}
