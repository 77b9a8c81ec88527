//! Lines of a traffic file, taken apart with the place of every field.

use std::io::{self, BufRead};

use csv::{ReaderBuilder, StringRecord};

/// A line longer than this is not traffic: the widest payload takes 16,384 digits.
const LONGEST_LINE: usize = 1 << 17;

/// One line of a file.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub line: u64,
    pub fields: Vec<String>,
    /// Where each field begins, counted in characters from 1.
    columns: Vec<usize>,
}

impl Row {
    /// Takes a line apart; blank ones give nothing.
    pub fn parse(line: u64, text: &str) -> Result<Option<Self>, String> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        if !text.contains('"') {
            return Ok(Some(Self::plain(line, text)));
        }
        Self::quoted(line, text).map(Some)
    }

    /// A line in which a comma is always one between fields: several times as fast as to ask a reader of CSV.
    fn plain(line: u64, text: &str) -> Self {
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        let mut begin = 1;
        for field in text.split(',') {
            let length = field.chars().count();
            let value = field.trim_start();
            // An empty field is where its comma is, or the end of the line.
            let before = length - value.chars().count();
            columns.push(begin + before);
            fields.push(value.trim_end().to_owned());
            begin += length + 1;
        }
        Row {
            line,
            fields,
            columns,
        }
    }

    /// Any line that is not blank.
    fn quoted(line: u64, text: &str) -> Result<Self, String> {
        let mut record = StringRecord::new();
        ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes())
            .read_record(&mut record)
            .map_err(|error| error.to_string())?;
        let mut columns = Vec::new();
        let (mut quoted, mut begins) = (false, true);
        for (place, character) in text.chars().enumerate() {
            match character {
                ',' if !quoted => {
                    if begins {
                        columns.push(place + 1); // an empty field
                    }
                    begins = true;
                    continue;
                }
                '"' => quoted = !quoted,
                _ => {}
            }
            if begins && !character.is_whitespace() {
                columns.push(place + 1);
                begins = false;
            }
        }
        if begins {
            columns.push(text.chars().count() + 1);
        }
        if quoted {
            return Err(
                "a quote in this line is not closed: a field ends with its line".to_owned(),
            );
        }
        let fields = record.iter().map(|field| field.trim().to_owned()).collect();
        Ok(Row {
            line,
            fields,
            columns,
        })
    }

    pub fn field(&self, index: usize) -> &str {
        self.fields.get(index).map_or("", String::as_str)
    }

    pub fn column(&self, index: usize) -> usize {
        self.columns.get(index).copied().unwrap_or(1)
    }
}

/// The next line without its ending: `\n`, `\r\n` or `\r`, whichever comes. None at the end of the
/// file.
pub(crate) fn next_line(
    lines: &mut impl BufRead,
    is_first: bool,
) -> Result<Option<String>, String> {
    let mut bytes = Vec::new();
    if !read_line(lines, &mut bytes).map_err(|error| error.to_string())? {
        return Ok(None);
    }
    if bytes.len() >= LONGEST_LINE {
        return Err(format!(
            "the line is longer than {LONGEST_LINE} bytes: this is no traffic file"
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    match text.strip_prefix('\u{feff}') {
        Some(text) if is_first => Ok(Some(text.to_owned())), // a byte order mark
        _ => Ok(Some(text)),
    }
}

/// Appends the bytes of the next line, and passes over its ending; of a line that is too long, only
/// so much as says so. False at the end of the file.
fn read_line(lines: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut is_there = false;
    loop {
        if next_byte(lines)?.is_none() {
            return Ok(is_there);
        }
        let buffer = lines.fill_buf()?;
        is_there = true;
        let room = LONGEST_LINE - bytes.len();
        let buffer = &buffer[..buffer.len().min(room)];
        let end = (buffer.iter()).position(|&byte| matches!(byte, b'\n' | b'\r'));
        let text = end.unwrap_or(buffer.len());
        bytes.extend_from_slice(&buffer[..text]);
        let Some(end) = end else {
            lines.consume(text);
            match bytes.len() < LONGEST_LINE {
                true => continue,
                false => return Ok(true),
            }
        };
        let is_return = buffer[end] == b'\r';
        lines.consume(end + 1);
        if is_return && next_byte(lines)? == Some(b'\n') {
            lines.consume(1);
        }
        return Ok(true);
    }
}

/// The byte that comes next, which stays where it is; none at the end of the file.
fn next_byte(lines: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match lines.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            buffer => return Ok(buffer?.first().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines of up to six such characters: as the reader of CSV takes them apart.
    #[test]
    fn a_line_without_quotes_is_taken_apart_as_any_other() {
        let characters = [',', ' ', '7', '\t', '\u{e9}', '\u{2003}'];
        let mut lines = vec![String::new()];
        let mut compared = 0;
        for _ in 0..6 {
            lines = (lines.iter())
                .flat_map(|line| characters.map(|character| format!("{line}{character}")))
                .collect();
            for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                assert_eq!(
                    Row::plain(3, line),
                    Row::quoted(3, line).unwrap(),
                    "{line:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 50_000);
    }
}
