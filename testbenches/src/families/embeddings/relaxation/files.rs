//! Values of points from a file, and into one: `point,value`, a row a point, numbered row by row; values hexadecimal.

use std::path::Path;

use hosts::words::{Words, hexadecimal};

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::embeddings::relaxation::blocks::Blocks;
use crate::output::Staged;
use crate::values::{read_rows, refused};
use crate::words::read_hexadecimal;

/// The first column.
const POINT: &str = "point";

/// Reads as many points as `points` has room for, in any order.
///
/// # Errors
/// [`Error::Values`] with the line and, where it is one value, the column; [`Error::Unreadable`].
pub fn read(path: &Path, mut points: Words) -> Result<Words, Error> {
    let (amount, bits) = (points.nodes(), points.bits());
    let mut has_row = vec![false; amount];
    let last_line = read_rows(path, POINT, bits, |row| {
        let point = row.owner("the torus has no point", amount)?;
        if std::mem::replace(&mut has_row[point], true) {
            return Err(format!("column 1: point {point} has a value already"));
        }
        read_hexadecimal(row.value, points.word_mut(point), bits)
            .map_err(|why| format!("column 2: {why}"))
    })?;
    match has_row.iter().position(|has_row| !has_row) {
        None => Ok(points),
        Some(point) => {
            let why = format!("no row is of point {point}: every point has to have a value");
            Err(refused(path, last_line, why))
        }
    }
}

/// Rows of all points.
pub fn text(points: &Words) -> String {
    let rows = points.iter().enumerate();
    let rows = rows.map(|(point, word)| format!("{point},{}\n", hexadecimal(word, points.bits())));
    format!("{POINT},value\n") + &rows.collect::<String>()
}

/// Writes the points of all blocks, of so many a side and so many bits.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write(output: Staged, blocks: &Blocks<'_>, side: usize, bits: usize) -> Result<(), Error> {
    write_rows(output, |writer| {
        writer.write_record([POINT, "value"])?;
        for point in 0..side * side {
            let value = blocks.value(point / side, point % side);
            writer.write_record([point.to_string(), hexadecimal(&[value], bits)])?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_text(text: &str) -> Result<String, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let name = file.path().display().to_string();
        let points = read(file.path(), Words::zeros(2, 1, 5));
        points
            .map(|points| super::text(&points))
            .map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn points_are_read_in_any_order() {
        assert_eq!(
            read_text("point,value\n1,1F\n0, a \n").unwrap(),
            "point,value\n0,0a\n1,1f\n"
        );
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_its_line() {
        for (text, refusal) in [
            (
                "node,value\n",
                "FILE, line 1: the header is `node,value`: it has to be `point,value`",
            ),
            (
                "point,value\n2,1\n",
                "FILE, line 2: column 1: the torus has no point `2`: they are 0 to 1",
            ),
            (
                "point,value\n0,1\n0,1\n",
                "FILE, line 3: column 1: point 0 has a value already",
            ),
            (
                "point,value\n0,20\n",
                "FILE, line 2: column 2: the value `20` does not fit into 5 bits",
            ),
            (
                "point,value\n0,1\n",
                "FILE, line 2: no row is of point 1: every point has to have a value",
            ),
        ] {
            assert_eq!(read_text(text).unwrap_err(), refusal);
        }
    }
}
