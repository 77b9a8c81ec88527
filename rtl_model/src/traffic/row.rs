//! Lines of a traffic file, taken apart with the place of every field.

use std::io::{BufRead, Read};

use csv::{ReaderBuilder, StringRecord};

/// A line longer than this is not traffic: the widest payload takes 16,384 digits.
const LONGEST_LINE: u64 = 1 << 17;

/// One line of a file.
pub(super) struct Row {
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
        let fields = record.iter().map(|field| field.trim().to_owned()).collect();
        Ok(Some(Row {
            line,
            fields,
            columns,
        }))
    }

    pub fn field(&self, index: usize) -> &str {
        self.fields.get(index).map_or("", String::as_str)
    }

    pub fn column(&self, index: usize) -> usize {
        self.columns.get(index).copied().unwrap_or(1)
    }
}

/// The next line without its ending: `\n` and `\r\n` both end one. None at the end of the file.
pub(super) fn next_line(
    lines: &mut impl BufRead,
    is_first: bool,
) -> Result<Option<String>, String> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *lines, LONGEST_LINE)
        .read_until(b'\n', &mut bytes)
        .map_err(|error| error.to_string())?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 == LONGEST_LINE {
        return Err(format!(
            "the line is longer than {LONGEST_LINE} bytes: this is no traffic file"
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    let mut text = text.trim_end_matches(['\n', '\r']);
    if is_first {
        text = text.strip_prefix('\u{feff}').unwrap_or(text); // a byte order mark
    }
    Ok(Some(text.to_owned()))
}
