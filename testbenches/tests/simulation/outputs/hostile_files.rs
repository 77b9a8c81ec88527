//! Files that are read, whatever they hold: every option that takes a CSV file, with every file that is none of its kind.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Characters of a message, at the most.
const LONGEST_MESSAGE: usize = 700;

/// An option that takes a file.
struct Reader {
    /// A command line that takes `FILE`.
    words: &'static str,
    /// The heading; none of a matrix.
    heading: &'static str,
    /// The rows of a good file.
    rows: Vec<String>,
}

impl Reader {
    fn new<S: ToString>(
        words: &'static str,
        heading: &'static str,
        rows: impl IntoIterator<Item = S>,
    ) -> Self {
        let rows = rows.into_iter().map(|row| row.to_string()).collect();
        Reader {
            words,
            heading,
            rows,
        }
    }

    /// Numbers from 0 on, each with a value.
    fn of_values(words: &'static str, heading: &'static str, amount: usize) -> Self {
        Self::new(
            words,
            heading,
            (0..amount).map(|number| format!("{number},1")),
        )
    }

    /// Lines before the first row.
    fn above(&self) -> usize {
        usize::from(!self.heading.is_empty())
    }

    /// A file of these rows.
    fn file(&self, rows: &[String]) -> String {
        let heading = (self.above() == 1).then(|| self.heading.to_owned());
        let lines = heading.into_iter().chain(rows.iter().cloned());
        lines.map(|line| line + "\n").collect()
    }

    /// A file of one row.
    fn with_row(&self, row: &str) -> Vec<u8> {
        self.file(&[row.to_owned()]).into_bytes()
    }
}

fn readers() -> Vec<Reader> {
    let pairs = "source,destination";
    let of_values = Reader::of_values;
    vec![
        Reader::new("run kuszmaul --dims 2 --traffic-file FILE", pairs, ["1,2"]),
        Reader::new(
            "run kuszmaul --dims 2 --h 2 --traffic-file FILE",
            pairs,
            ["1,2"],
        ),
        Reader::new(
            "run kuszmaul --dims 2 --batches 2 --traffic-file FILE",
            "batch,source,destination",
            ["1,1,2"],
        ),
        Reader::new("run radix --dims 2 --traffic-file FILE", pairs, ["1,2"]),
        Reader::new("run packing --dims 2 --traffic-file FILE", pairs, ["1,0"]),
        Reader::new(
            "run enumeration --dims 2 --traffic-file FILE",
            "source",
            ["1"],
        ),
        Reader::new(
            "run wormhole --dims 2 --traffic-file FILE",
            "source,destination,time",
            ["1,2,0"],
        ),
        Reader::new(
            "run permuted-send --dims 1 --message-bits 2 --permutation FILE",
            pairs,
            ["0,1", "1,0"],
        ),
        of_values("run broadcast --dims 2 --values FILE", "node,value", 1),
        Reader::new(
            "run broadcast --dims 1 --message-bits 4 --sends FILE",
            "step,from,to,packet",
            ["0,0,1,0"],
        ),
        of_values(
            "run scatter --dims 1 --message-bits 2 --values FILE",
            "node,value",
            2,
        ),
        of_values(
            "run all-gather --dims 1 --message-bits 2 --values FILE",
            "node,value",
            2,
        ),
        of_values("run histogram --dims 1 --values FILE", "node,value", 2),
        Reader::new("run transpose --dims 1 --matrix FILE", "", ["1,2", "3,4"]),
        of_values(
            "run sort --dims 1 --blocks 1 --word-bits 4 --values FILE",
            "node,value",
            8,
        ),
        of_values(
            "run embedding --guest cycle --dims 4 --values FILE",
            "edge,value",
            16,
        ),
        of_values(
            "run dispersal --dims 4 --message-bits 8 --values FILE",
            "edge,value",
            16,
        ),
        Reader::new(
            "run dispersal --dims 4 --message-bits 8 --cut FILE",
            "node,dimension,bit_time",
            ["0,0,0"],
        ),
        of_values(
            "run relaxation --dims 2 --points 2 --sweeps 1 --values FILE",
            "point,value",
            4,
        ),
    ]
}

fn run(words: &str, file: &Path) -> Output {
    let words = words.split(' ').map(|word| match word {
        "FILE" => file.as_os_str(),
        word => OsStr::new(word),
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
    command.args(words).stdin(Stdio::null()).output().unwrap()
}

/// What is said of a file that is refused, which is short, and nothing that a terminal would obey.
fn refusal(words: &str, file: &Path, name: &str) -> String {
    let output = run(words, file);
    let said = String::from_utf8(output.stderr).unwrap();
    let about = format!("{words}: {name}: {said}");
    assert_eq!(output.status.code(), Some(2), "{about}");
    assert!(output.stdout.is_empty(), "{about}");
    let said = said.strip_suffix('\n').unwrap();
    assert!(said.starts_with("error: "), "{about}");
    assert!(!said.contains(char::is_control), "{about:?}");
    assert!(said.chars().count() < LONGEST_MESSAGE, "{about}");
    said.to_owned()
}

/// Text in two bytes a letter.
fn utf16(text: &str, to_bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

/// What each file is called that no reader takes, what it holds, the line that is wrong, and a part of what is said of it.
fn hostile(reader: &Reader) -> Vec<(&'static str, Vec<u8>, usize, &'static str)> {
    let first = 1 + reader.above();
    let good = &reader.rows[0];
    let (begin, rest) = good.split_once(',').unwrap_or((good, ""));
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!(",{rest}")
    };
    let begins = |field: &str| reader.with_row(&format!("{field}{rest}"));
    let text = reader.file(&reader.rows);
    let wide = |text: &str| utf16(text, u16::to_le_bytes);
    let mut all = vec![
        (
            "a field that colours",
            begins("\u{1b}[31mred"),
            first,
            "\\u001b[31mred",
        ),
        (
            "a field of a megabyte",
            begins(&"x".repeat(1 << 20)),
            first,
            "",
        ),
        ("a long field", begins(&"x".repeat(5000)), first, "xxxx..."),
        (
            "an open quote",
            begins(&format!("\"{begin}")),
            first,
            "a quote in this line is not closed",
        ),
        (
            "a quote within",
            begins(&format!("{begin}\"0\"")),
            first,
            "a quote stands beside other text",
        ),
        (
            "no UTF-8",
            [&reader.with_row(good)[..], b"\xff,1\n"].concat(),
            first + 1,
            "not UTF-8 text",
        ),
        ("UTF-16", wide(&format!("\u{feff}{text}")), 1, "UTF-16"),
        ("UTF-16 without a mark", wide(&text), 1, "UTF-16"),
        (
            "UTF-16, big end first",
            utf16(&text, u16::to_be_bytes),
            1,
            "UTF-16",
        ),
        ("zeros", vec![0; 1 << 19], 1, ""),
        (
            "nothing but blank lines",
            [text.as_bytes(), &vec![b'\n'; 3 << 19]].concat(),
            1,
            "blank lines",
        ),
    ];
    if reader.above() == 1 {
        let other = |heading: &str| text.replacen(reader.heading, heading, 1).into_bytes();
        let (_, last) = reader
            .heading
            .rsplit_once(',')
            .unwrap_or(("", reader.heading));
        let twice = format!("{},{last}\n{good},7\n", reader.heading);
        all.extend([
            ("a heading twice", twice.into_bytes(), 1, "stands twice"),
            ("an unknown heading", other("colour"), 1, ""),
            ("a heading that colours", other("\u{1b}[31mred"), 1, ""),
            ("nothing", Vec::new(), 1, ""),
            ("a sign", begins("+1"), first, "`+1`"),
            ("a minus", begins("-1"), first, "`-1`"),
            ("another radix", begins("0x1"), first, "`0x1`"),
            ("a number too large", begins(&"9".repeat(30)), first, "9999"),
            (
                "a row too long",
                reader.with_row(&format!("{good},7")),
                first,
                "",
            ),
            ("an empty row", begins(""), first, ""),
        ]);
    }
    all
}

#[test]
fn every_reader_refuses_every_hostile_file_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.csv");
    for reader in readers() {
        for (name, bytes, line, part) in hostile(&reader) {
            std::fs::write(&file, bytes).unwrap();
            let said = refusal(reader.words, &file, name);
            let about = format!("{}: {name}: {said}", reader.words);
            assert!(said.contains("hostile.csv, line "), "{about}");
            // The blank lines are counted, and a good file may have to be longer than one row.
            if name != "nothing but blank lines" {
                assert!(
                    said.contains(&format!("hostile.csv, line {line}")),
                    "{about}"
                );
            }
            assert!(said.contains(part), "{about}");
        }
    }
}

/// Of any encoding of ends of lines, with a byte order mark, quotes, and blank lines.
#[test]
fn every_reader_takes_what_spreadsheets_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.csv");
    for reader in readers() {
        let text = reader.file(&reader.rows);
        let quoted = text
            .lines()
            .map(|line| format!(" \"{}\" \n", line.replace(',', "\" , \"")));
        let texts = [
            text.clone(),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}{text}"),
            format!("\n \n{}\n\n", text.replace('\n', "\n\n")),
            quoted.collect(),
            text.trim_end().to_owned(),
        ];
        for text in texts {
            std::fs::write(&file, &text).unwrap();
            let output = run(reader.words, &file);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                output.status.code(),
                Some(0),
                "{}: {text:?}: {said}",
                reader.words
            );
        }
    }
}

#[test]
fn what_has_no_end_is_refused_before_it_fills_the_memory() {
    if !Path::new("/dev/zero").exists() {
        return;
    }
    for reader in readers() {
        let said = refusal(reader.words, Path::new("/dev/zero"), "/dev/zero");
        assert!(said.contains("/dev/zero, line 1"), "{said}");
        assert!(said.contains("the line is longer than"), "{said}");
    }
}

/// Not in what is refused, nor in a report, nor in what the command line is told.
#[test]
fn names_of_files_colour_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let coloured = folder.path().join(OsStr::from_bytes(b"a\x1b[31m\nb.csv"));
    for reader in readers() {
        let said = refusal(reader.words, &coloured, "a file that is not there");
        assert!(said.contains("a\\u001b[31m\\u000ab.csv"), "{said}");
        std::fs::write(&coloured, reader.with_row("x")).unwrap();
        let said = refusal(reader.words, &coloured, "a bad file");
        assert!(said.contains("a\\u001b[31m\\u000ab.csv, line "), "{said}");
        std::fs::write(&coloured, reader.file(&reader.rows)).unwrap();
        let output = run(reader.words, &coloured);
        assert!(output.status.success(), "{output:?}");
        let report = String::from_utf8(output.stdout).unwrap();
        let is_plain = |line: &str| !line.contains(char::is_control) && !line.starts_with("b.csv");
        assert!(report.lines().all(is_plain), "{report:?}");
        std::fs::remove_file(&coloured).unwrap();
    }
    let written = "run scatter --dims 1 --message-bits 2 --results FILE";
    let report = String::from_utf8(run(written, &coloured).stdout).unwrap();
    assert!(report.contains("a\\u001b[31m\\u000ab.csv\n"), "{report:?}");
    refusal("run FILE", &coloured, "a testbench");
    let said = run("run kuszmaul --dims FILE", &coloured).stderr;
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("a\\u001b[31m\\u000ab.csv"), "{said:?}");
}
