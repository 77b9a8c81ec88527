//! Lines are taken apart as an independent reader of CSV does it, or refused.

use csv::{ReaderBuilder, StringRecord, Trim};

use super::*;

fn parsed(text: &str) -> Result<Fields, Malformed> {
    let mut row = Fields {
        text: text.to_owned(),
        ..Fields::default()
    };
    match row.parse() {
        Ok(()) => Ok(row),
        Err((_, malformed)) => Err(malformed),
    }
}

/// The fields and columns of a row.
fn parts(row: &Fields) -> Vec<(String, usize)> {
    let places = 0..row.len();
    places
        .map(|index| (row.field(index).to_owned(), row.column(index)))
        .collect()
}

/// All lines of up to `longest` such characters that are not blank.
fn lines_of(characters: &[char], longest: usize, mut look: impl FnMut(&str)) {
    let mut lines = vec![String::new()];
    for _ in 0..longest {
        lines = (lines.iter())
            .flat_map(|line| characters.iter().map(move |next| format!("{line}{next}")))
            .collect();
        let some = lines.iter().filter(|line| !line.trim().is_empty());
        some.for_each(|line| look(line));
    }
}

fn independent(line: &str) -> StringRecord {
    let mut record = StringRecord::new();
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true).trim(Trim::All);
    let mut reader = reader.from_reader(line.as_bytes());
    reader.read_record(&mut record).unwrap();
    record
}

#[test]
fn a_line_without_quotes_is_taken_apart_as_any_other() {
    let mut compared = 0;
    let characters = [',', ' ', '7', '\t', '\u{e9}', '\u{2003}'];
    lines_of(&characters, 6, |line| {
        let plain = parsed(line).unwrap();
        let mut quoted = Fields {
            text: line.to_owned(),
            is_quoted: true,
            ..Fields::default()
        };
        quoted.quoted().unwrap();
        assert_eq!(parts(&plain), parts(&quoted), "{line:?}");
        assert!(plain.fields().eq(independent(line).iter()), "{line:?}");
        compared += 1;
    });
    assert!(compared > 50_000);
}

#[test]
fn quoted_fields_hold_what_another_reader_finds_or_are_refused() {
    let (mut alike, mut refused) = (0, 0);
    lines_of(&[',', '7', '"', '\u{e9}'], 7, |line| match parsed(line) {
        Ok(row) => {
            assert!(row.fields().eq(independent(line).iter()), "{line:?}");
            alike += 1;
        }
        Err(malformed) => {
            assert!(
                matches!(malformed, Malformed::OpenQuote | Malformed::QuoteWithin),
                "{line:?}: {malformed}"
            );
            refused += 1;
        }
    });
    assert!(alike > 1000 && refused > 1000, "{alike}, {refused}");
    // Spaces may stand around quotes, and do not count within them.
    let row = parsed(" \"a,\"\"b\" , \"\" ,\"  c \", d ").unwrap();
    let expected = [("a,\"b", 2), ("", 12), ("c", 16), ("d", 24)];
    assert_eq!(
        parts(&row),
        expected.map(|(text, at)| (text.to_owned(), at))
    );
}

/// What is wrong with a file, if anything: its line, column, and why.
fn broken(bytes: &[u8]) -> Option<(u64, usize, Malformed)> {
    let mut rows = Rows::new(bytes);
    let mut read = rows.headings().map(|row| row.is_some());
    while let Ok(true) = read {
        read = rows.next_row().map(|row| row.is_some());
    }
    read.err()
        .map(|broken| (broken.line, broken.column, broken.malformed))
}

#[test]
fn what_is_malformed_is_told_with_its_place() {
    let heading = |heading: &str| Malformed::HeadingTwice {
        heading: heading.to_owned(),
    };
    for (bytes, expected) in [
        (&b"a,b\n1,2\n"[..], None),
        (b"", None),
        (b"\xef\xbb\xbf\"a\",b\r\n1,2\r3,4", None),
        (b"a,b\n1, \"2\n3\",4\n", Some((2, 4, Malformed::OpenQuote))),
        (b"a,b\n\n1,2\"3\"\n", Some((3, 4, Malformed::QuoteWithin))),
        (b"a,b\n\"1\"2,3\n", Some((2, 1, Malformed::QuoteWithin))),
        (b"a,b\n1,2\n\xff,1\n", Some((3, 1, Malformed::NotUtf8))),
        (b"a,b,a\n", Some((1, 5, heading("a")))),
        (b"\na,\"b\", b \n", Some((2, 8, heading("b")))),
        (b"\xff\xfea\0,\0", Some((1, 1, Malformed::Utf16))),
        (b"\xfe\xff\0a\0,", Some((1, 1, Malformed::Utf16))),
        (b"a\0,\0b\0\n\0", Some((1, 1, Malformed::Utf16))),
        (b"\0a\0,\0b\0\n", Some((1, 1, Malformed::Utf16))),
    ] {
        assert_eq!(broken(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn neither_a_line_nor_a_row_of_blank_ones_goes_on_for_ever() {
    let end = |input: &mut dyn Read| Rows::new(input).next_row().unwrap_err();
    let longest = LONGEST_LINE;
    let found = end(&mut io::repeat(0));
    assert_eq!(
        (found.line, found.malformed),
        (1, Malformed::TooLong { longest })
    );
    let found = end(&mut io::repeat(b'\n'));
    assert_eq!(found.malformed, Malformed::Blank);
    assert_eq!(found.line, MOST_BLANK_LINES + 1);
    for (length, ending, is_read) in [
        (0, "", true),
        (0, "\r\n8", true),
        (1, "", false),
        (1, "\n", false),
    ] {
        let line = "7".repeat(LONGEST_LINE + length) + ending;
        let mut rows = Rows::new(line.as_bytes());
        let read = rows.next_row();
        assert_eq!(read.is_ok(), is_read, "{length} {ending:?}");
    }
    let longer = vec![b'7'; 2 * LONGEST_LINE];
    let mut rows = Rows::of_long_lines(&longer[..], 3 * LONGEST_LINE);
    assert_eq!(
        rows.next_row().unwrap().unwrap().field(0).len(),
        longer.len()
    );
}

#[test]
fn numbers_have_no_sign_and_one_radix() {
    assert_eq!(whole::<u8>("255"), Some(255));
    for text in ["256", "+5", "-1", "", " 5", "0x5", "5_0", "\u{664}"] {
        assert_eq!(whole::<u8>(text), None, "{text}");
    }
    let digits = |text| hexadecimal(text).map(|digits| digits.collect::<Vec<u32>>());
    for text in ["2f", "0x2f", "0X2F"] {
        assert_eq!(digits(text), Some(vec![2, 15]), "{text}");
    }
    for text in ["", "0x", "+2f", "-2f", "0x0x2", "2g", "\u{ff12}"] {
        assert_eq!(digits(text), None, "{text}");
    }
}

#[test]
fn what_is_shown_is_short_and_obeyed_by_no_terminal() {
    assert_eq!(
        shown("\u{1b}[31mred\t\u{9b}"),
        "\\u001b[31mred\\u0009\\u009b"
    );
    assert_eq!(
        shown("na\u{ef}ve \u{202e}\u{200b}"),
        "na\u{ef}ve \\u202e\\u200b"
    );
    assert_eq!(shown(&"x".repeat(40)), "x".repeat(40));
    assert_eq!(shown(&"\0".repeat(1 << 20)), "\\u0000".repeat(40) + "...");
}
