//! Reads CSV files, whatever they hold: all files of rows that a run takes are read here, row by row, by the same rules.
//!
//! - The file is UTF-8, with a byte order mark or without. Lines end in LF, CRLF or CR; blank ones are passed over.
//! - A row is a line. Fields stand between commas, and spaces around them do not count. A field may stand in quotes; a quote
//!   within those is written twice.
//! - No two headings are alike.
//! - [Whole numbers](whole) are decimal digits, without a sign. [Hexadecimal](hexadecimal) ones may begin with `0x`.
//!
//! A file is never held as a whole, and a line only up to a length.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use rustc_hash::FxHashSet;

/// A line longer than this is in no file whose fields are short: the widest payload takes 16,384 digits.
pub const LONGEST_LINE: usize = 1 << 17;

/// Blank lines, one after the other, that a file may have: more are in no file that was written, and there might be no end to them.
const MOST_BLANK_LINES: u64 = 1 << 20;

/// What keeps a line from being a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// It is too long.
    #[error("the line is longer than {longest} bytes: no row of such a file is")]
    TooLong {
        /// The longest that is read.
        longest: usize,
    },
    /// It is not UTF-8.
    #[error("the line is not UTF-8 text")]
    NotUtf8,
    /// The file has another encoding.
    #[error("the file is UTF-16 text: write it as UTF-8")]
    Utf16,
    /// A quote without its second one.
    #[error("a quote in this line is not closed: a field ends with its line")]
    OpenQuote,
    /// A quote where none can be.
    #[error(
        "a quote stands beside other text in a field: put the whole field into quotes, and write a quote within it twice"
    )]
    QuoteWithin,
    /// Nothing, for too long.
    #[error(
        "there are more than {MOST_BLANK_LINES} blank lines here, one after the other: what they are for cannot be told"
    )]
    Blank,
    /// Two columns of one name.
    #[error("the heading `{heading}` stands twice: leave one of the two columns out")]
    HeadingTwice {
        /// As written.
        heading: String,
    },
    /// The system does not give it.
    #[error("{reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
}

/// Where a file is malformed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The line, from 1.
    pub line: u64,
    /// The character in it, from 1.
    pub column: usize,
    /// What is wrong there.
    pub malformed: Malformed,
}

/// One row of a file.
#[derive(Debug, Default)]
pub struct Fields {
    /// Its line, from 1.
    pub line: u64,
    text: String,
    /// What fields hold, where that does not stand in the text as it is.
    unquoted: String,
    is_quoted: bool,
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Field {
    /// The byte of the line where it begins.
    begin: usize,
    /// Where what it holds stands.
    holds: Range<usize>,
}

impl Fields {
    /// Takes the line apart that is its text; gives the place of what is wrong with it.
    fn parse(&mut self) -> Result<(), (usize, Malformed)> {
        self.fields.clear();
        self.unquoted.clear();
        self.is_quoted = self.text.as_bytes().contains(&b'"');
        match self.is_quoted {
            true => self.quoted(),
            false => {
                self.plain();
                Ok(())
            }
        }
    }

    /// A line in which a comma is always one between fields.
    fn plain(&mut self) {
        let mut from = 0;
        for field in self.text.split(',') {
            // An empty field is where its comma is, or the end of the line.
            let begin = from + field.len() - field.trim_start().len();
            let holds = begin..begin + field.trim().len();
            self.fields.push(Field { begin, holds });
            from += field.len() + 1;
        }
    }

    /// Any line.
    fn quoted(&mut self) -> Result<(), (usize, Malformed)> {
        let mut rest = self.text.as_str();
        loop {
            rest = rest.trim_start_matches(|character: char| character.is_whitespace());
            let begin = self.text.len() - rest.len();
            let from = self.unquoted.len();
            if let Some(mut within) = rest.strip_prefix('"') {
                loop {
                    let Some((held, behind)) = within.split_once('"') else {
                        return Err((begin, Malformed::OpenQuote));
                    };
                    self.unquoted += held;
                    within = behind;
                    let Some(behind) = behind.strip_prefix('"') else {
                        break;
                    };
                    self.unquoted.push('"');
                    within = behind;
                }
                rest = within.trim_start();
                if !rest.is_empty() && !rest.starts_with(',') {
                    return Err((begin, Malformed::QuoteWithin));
                }
                // Spaces within quotes do not count either.
                let held = &self.unquoted[from..];
                let first = from + held.len() - held.trim_start().len();
                let holds = first..first + held.trim().len();
                self.fields.push(Field { begin, holds });
            } else {
                let field = rest.split(',').next().unwrap_or_default();
                if let Some(place) = field.find('"') {
                    return Err((begin + place, Malformed::QuoteWithin));
                }
                self.unquoted += field.trim_end();
                let holds = from..self.unquoted.len();
                self.fields.push(Field { begin, holds });
                rest = &rest[field.len()..];
            }
            match rest.strip_prefix(',') {
                Some(behind) => rest = behind,
                None => return Ok(()),
            }
        }
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether it has none; no row that a file has is so.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// What the field at an index holds; nothing where there is no such field.
    pub fn field(&self, index: usize) -> &str {
        let text = if self.is_quoted {
            &self.unquoted
        } else {
            &self.text
        };
        let field = self.fields.get(index);
        field.map_or("", |field| &text[field.holds.clone()])
    }

    /// What all its fields hold.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.field(index))
    }

    /// The character at which a field begins, from 1.
    pub fn column(&self, index: usize) -> usize {
        let field = self.fields.get(index);
        field.map_or(1, |field| column_at(&self.text, field.begin))
    }

    /// The whole row, as much of it as an error should repeat.
    pub fn shown(&self) -> String {
        shown(&self.fields().collect::<Vec<_>>().join(","))
    }
}

/// The character at a byte of a text, from 1.
fn column_at(text: &str, byte: usize) -> usize {
    1 + text[..byte].chars().count()
}

/// The rows of a file.
pub struct Rows<R> {
    lines: BufReader<R>,
    longest_line: usize,
    /// Lines that have been read.
    line: u64,
    row: Fields,
}

impl<R: Read> Rows<R> {
    /// Of what `input` has.
    pub fn new(input: R) -> Self {
        Self::of_long_lines(input, LONGEST_LINE)
    }

    /// The same, where lines may be longer, up to so many bytes.
    pub fn of_long_lines(input: R, longest_line: usize) -> Self {
        Rows {
            lines: BufReader::new(input),
            longest_line: longest_line.max(LONGEST_LINE),
            line: 0,
            row: Fields::default(),
        }
    }

    /// The first row, which has the headings; none, where nothing stands in the file.
    ///
    /// # Errors
    /// As [`Rows::next_row`]; a heading that stands twice. Numbers are none: who reads the file says that the header is missing.
    pub fn headings(&mut self) -> Result<Option<&Fields>, Broken> {
        match self.next_text()? {
            true => self.headings_of_text().map(Some),
            false => Ok(None),
        }
    }

    /// The same of the line that [`Rows::next_text`] went to.
    ///
    /// # Errors
    /// As [`Rows::headings`].
    pub fn headings_of_text(&mut self) -> Result<&Fields, Broken> {
        self.row_of_text()?;
        let row = &self.row;
        let mut before = FxHashSet::default();
        let mut headings = row.fields().enumerate();
        let twice = headings.find(|(_, heading)| !before.insert(*heading) && !is_whole(heading));
        let twice = twice.map(|(index, _)| index);
        match twice {
            None => Ok(row),
            Some(index) => Err(Broken {
                line: row.line,
                column: row.column(index),
                malformed: Malformed::HeadingTwice {
                    heading: shown(row.field(index)),
                },
            }),
        }
    }

    /// The next row; none at the end of the file.
    ///
    /// # Errors
    /// What is wrong with a line.
    pub fn next_row(&mut self) -> Result<Option<&Fields>, Broken> {
        match self.next_text()? {
            true => self.row_of_text().map(Some),
            false => Ok(None),
        }
    }

    /// Goes on to the next line that is not blank, for who reads lines that may be no rows; false at the end of the file.
    ///
    /// # Errors
    /// What is wrong with a line, whatever it has.
    pub fn next_text(&mut self) -> Result<bool, Broken> {
        let first = self.line;
        loop {
            if !self.next_line()? {
                return Ok(false);
            }
            if !self.row.text.trim_start().is_empty() {
                self.row.line = self.line;
                return Ok(true);
            }
            if self.line - first > MOST_BLANK_LINES {
                return Err(self.broken(Malformed::Blank));
            }
        }
    }

    /// The line that [`Rows::next_text`] went to, as it stands.
    pub fn text(&self) -> &str {
        &self.row.text
    }

    /// The same, taken apart.
    fn row_of_text(&mut self) -> Result<&Fields, Broken> {
        match self.row.parse() {
            Ok(()) => Ok(&self.row),
            Err((byte, malformed)) => Err(Broken {
                line: self.line,
                column: column_at(&self.row.text, byte),
                malformed,
            }),
        }
    }

    /// Lines that have been read: at the end, those that there are.
    pub fn lines(&self) -> u64 {
        self.line
    }

    fn broken(&self, malformed: Malformed) -> Broken {
        Broken {
            line: self.line,
            column: 1,
            malformed,
        }
    }

    /// Makes the next line the row's text, without its ending: `\n`, `\r\n` or `\r`, whichever comes. False at the end.
    fn next_line(&mut self) -> Result<bool, Broken> {
        let mut bytes = std::mem::take(&mut self.row.text).into_bytes();
        bytes.clear();
        self.line += 1;
        let unreadable = |reason: io::Error| Malformed::Unreadable {
            reason: reason.to_string(),
        };
        let is_there = read_line(&mut self.lines, &mut bytes, self.longest_line);
        if !is_there.map_err(|reason| self.broken(unreadable(reason)))? {
            self.line -= 1;
            return Ok(false);
        }
        if self.line == 1 && is_utf16(&bytes) {
            return Err(self.broken(Malformed::Utf16));
        }
        if bytes.len() > self.longest_line {
            let longest = self.longest_line;
            return Err(self.broken(Malformed::TooLong { longest }));
        }
        if self.line == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        self.row.text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => return Err(self.broken(Malformed::NotUtf8)),
        };
        Ok(true)
    }
}

/// That of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a file that begins with these bytes is UTF-16: by its byte order mark, or as every other byte of its first letters is 0.
fn is_utf16(bytes: &[u8]) -> bool {
    let has_mark = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let is_wide = |zero: usize| {
        let some = bytes.get(..4);
        some.is_some_and(|some| {
            (0..4).all(|place| (some[place] == 0) == (place % 2 == zero) && some[place].is_ascii())
        })
    };
    has_mark || is_wide(0) || is_wide(1)
}

/// Appends the bytes of the next line, and passes over its ending; of a line that is too long, only
/// so much as says so. False at the end of the file.
fn read_line(lines: &mut impl BufRead, bytes: &mut Vec<u8>, longest: usize) -> io::Result<bool> {
    let mut is_there = false;
    loop {
        if next_byte(lines)?.is_none() {
            return Ok(is_there);
        }
        let buffer = lines.fill_buf()?;
        is_there = true;
        let room = longest + 1 - bytes.len();
        let buffer = &buffer[..buffer.len().min(room)];
        let end = (buffer.iter()).position(|&byte| matches!(byte, b'\n' | b'\r'));
        let text = end.unwrap_or(buffer.len());
        bytes.extend_from_slice(&buffer[..text]);
        let Some(end) = end else {
            lines.consume(text);
            match bytes.len() <= longest {
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

/// As much of a text as an error should repeat, with nothing in it that a terminal would obey.
pub fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let cut = text.char_indices().nth(MOST);
    match cut {
        None => visible(text),
        Some((end, _)) => visible(&text[..end]) + "...",
    }
}

/// A text in which control characters, and those that turn the direction of writing, are told by their number: `\u001b`.
pub fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => seen += &format!("\\u{:04x}", character as u32),
            false => seen.push(character),
        }
    }
    seen
}

/// Whether a terminal obeys a character, rather than to show it.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a text is a whole number as it is written: decimal digits alone.
pub fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number: decimal digits, without a sign. None of other text, nor of a number that is too large.
pub fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    is_whole(text).then(|| text.parse().ok()).flatten()
}

/// The digits of a hexadecimal number, which may begin with `0x`, the most significant first; none of other text.
pub fn hexadecimal(text: &str) -> Option<impl DoubleEndedIterator<Item = u32> + Clone> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let is_one = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then(|| digits.chars().filter_map(|digit| digit.to_digit(16)))
}

#[cfg(test)]
mod tests;
