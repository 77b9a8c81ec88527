//! Journals that are begun, gone on with, cut off and spoilt.

mod fuzz;

use super::*;
use crate::error::Error;
use crate::measure::row::values;
use crate::output::tests::files;

const NAMES: [&str; 3] = ["number 0", "number 1", "number 2"];

fn row(number: usize) -> Row {
    let values = values! { number: number, third: number as f64 / 3.0, };
    Row::new(values, &[]).with_seconds(0.5)
}

fn identity(asked: &str) -> Identity {
    Identity::new(NAMES.into_iter(), asked)
}

fn look(path: &Path, identity: Identity) -> Result<Planned, Error> {
    let names = NAMES.map(str::to_owned);
    Planned::look(path, &mut Staging::default(), (identity, &names))
}

/// Goes on with a journal of this sweep: what it has.
fn begin(path: &Path) -> Result<(Journal, Vec<(usize, Row)>), Error> {
    look(path, identity("numbers"))?.begin()
}

/// A journal of two rows: its path in a folder, and its text.
fn of_two_rows() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let (mut journal, rows) = begin(&path).unwrap();
    assert!(rows.is_empty());
    for point in [2, 0] {
        let name = NAMES[point].to_owned();
        journal.append(point, name, &row(point)).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    (folder, path, text)
}

/// Why a journal with this text is refused. It is left as it is.
fn refused(path: &Path, text: impl AsRef<[u8]>) -> String {
    std::fs::write(path, &text).unwrap();
    let refused = begin(path).unwrap_err().to_string();
    assert_eq!(std::fs::read(path).unwrap(), text.as_ref());
    let begin = format!("the journal {}", path.display());
    let rest = refused.strip_prefix(&begin).unwrap();
    rest.trim_start_matches([':', ',', ' ']).to_owned()
}

#[test]
fn rows_are_put_down_as_they_come_and_found_again() {
    let (folder, path, text) = of_two_rows();
    let version = env!("CARGO_PKG_VERSION");
    let sweep = identity("numbers").sweep;
    let mut without_sums = text.clone();
    for (at, _) in text.match_indices("\"checksum\":\"") {
        without_sums = without_sums.replace(&text[at + 12..at + 28], "SUM");
    }
    assert_eq!(
        without_sums,
        format!(
            "{{\"cubewave\":\"{version}\",\"sweep\":\"{sweep}\",\"points\":3,\"asked\":\"numbers\",\"checksum\":\"SUM\"}}\n\
             {{\"point\":2,\"name\":\"number 2\",\"row\":{{\"number\":2,\"third\":0.6666666666666666,\"passed\":true,\
             \"failed\":\"\",\"wall_seconds\":0.5}},\"checksum\":\"SUM\"}}\n\
             {{\"point\":0,\"name\":\"number 0\",\"row\":{{\"number\":0,\"third\":0.0,\"passed\":true,\
             \"failed\":\"\",\"wall_seconds\":0.5}},\"checksum\":\"SUM\"}}\n"
        )
    );
    let (mut journal, rows) = begin(&path).unwrap();
    assert_eq!(rows, [(2, row(2)), (0, row(0))]);
    journal.append(1, NAMES[1].to_owned(), &row(1)).unwrap();
    drop(journal);
    let (_journal, rows) = begin(&path).unwrap();
    assert_eq!(rows, [(2, row(2)), (0, row(0)), (1, row(1))]);
    assert_eq!(files(folder.path()), ["rows.jsonl"]);
}

#[test]
fn a_last_line_that_is_cut_off_is_dropped_wherever_it_is_cut() {
    let (_folder, path, text) = of_two_rows();
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    for cut in 0..text.len() {
        std::fs::write(&path, &text[..cut]).unwrap();
        let (mut journal, rows) = begin(&path).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut).count();
        let expected = [(2, row(2)), (0, row(0))];
        assert_eq!(rows, expected[..whole.saturating_sub(1)], "cut at {cut}");
        // What is put down next stands on a line of its own.
        journal.append(1, NAMES[1].to_owned(), &row(1)).unwrap();
        drop(journal);
        let (_journal, rows) = begin(&path).unwrap();
        assert_eq!(rows.last(), Some(&(1, row(1))), "cut at {cut}");
        assert_eq!(rows.len(), whole.max(1), "cut at {cut}");
    }
}

#[test]
fn what_is_no_journal_is_left_alone() {
    let (_folder, path, text) = of_two_rows();
    let expected =
        "this is no journal of a sweep, and it is left as it is: give --journal another file";
    let without_first: String = text.split_inclusive('\n').skip(1).collect();
    for other in ["notes", "notes\n", "\n", "{}\n", without_first.as_str()] {
        assert_eq!(refused(&path, other), expected, "{other}");
    }
    assert_eq!(refused(&path, [0xff, 0, b'\n', 0xfe]), expected);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        refused(&path, format!("{{\"cubewave\":\"{version}\"}}\n")),
        "line 1: its checksum is not that of what stands before it, so it cannot be told what sweep this is of: give --journal \
         another file"
    );
}

#[test]
fn a_journal_of_another_sweep_or_version_is_refused() {
    let (_folder, path, text) = of_two_rows();
    let version = env!("CARGO_PKG_VERSION");
    let older = text.replacen(version, "0.0.9", 1);
    assert_eq!(
        refused(&path, older),
        format!(
            "it was begun by cubewave 0.0.9, and this is {version}, which may measure something else: go on with that \
             version, or give --journal another file"
        )
    );
    let other = |sweep: &Identity| {
        let rest: String = text.split_inclusive('\n').skip(1).collect();
        sweep.line().unwrap() + &rest
    };
    assert_eq!(
        refused(&path, other(&identity("squares"))),
        "it is of another sweep, of 3 points (squares): give that one's options, or give --journal another file"
    );
    // What it was asked for with is the same, and so is how many points there are.
    let renamed = Identity::new(["number 0", "number 1", "number 3"].into_iter(), "numbers");
    assert_eq!(
        refused(&path, other(&renamed)),
        "it is of another sweep, of 3 points (numbers): give that one's options, or give --journal another file"
    );
}

#[test]
fn a_broken_line_is_refused_with_its_number() {
    let (_folder, path, text) = of_two_rows();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let [first, second, third] = lines[..] else {
        panic!("{text}");
    };
    let broken = |line: usize, why: &str| {
        format!(
            "line {line}: {why}: take the line out, and its point is run again, or give --journal another file"
        )
    };
    let cut = second.split_at(30).0;
    let spoilt = broken(2, "its checksum is not that of what stands before it");
    for line in [&format!("{cut}\n"), "\n", &second.replace("0.5", "0.6")] {
        assert_eq!(refused(&path, format!("{first}{line}{third}")), spoilt);
    }
    // With a sum that fits, as nobody writes it.
    let sealed = |line: &str| {
        let object = line.split_once(CHECKSUM).unwrap().0.to_owned() + "}";
        with_checksum(object, &identity("numbers").sweep).unwrap()
    };
    assert_eq!(sealed(second), second);
    assert_eq!(
        refused(&path, format!("{first}{second}{second}{third}")),
        broken(3, "point 2 has a row before")
    );
    assert_eq!(
        refused(
            &path,
            format!(
                "{first}{second}{}",
                sealed(&third.replace("number 0", "number 1"))
            )
        ),
        broken(3, "point 0 of this sweep is not `number 1`")
    );
    assert_eq!(
        refused(
            &path,
            format!(
                "{first}{}",
                sealed(&second.replace("\"point\":2", "\"point\":3"))
            )
        ),
        broken(2, "point 3 of this sweep is not `number 2`")
    );
    assert_eq!(
        refused(
            &path,
            format!("{first}{}", sealed(&second.replace(",\"passed\":true", "")))
        ),
        broken(
            2,
            "the row does not say whether it has `passed` at column 106"
        )
    );
}

/// But for the end of the last line, without which it is one that was cut off.
#[test]
fn a_bit_that_is_wrong_anywhere_is_seen() {
    let (_folder, path, text) = of_two_rows();
    for bit in 0..8 * (text.len() - 1) {
        let mut bytes = text.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let refused = refused(&path, bytes);
        let is_clear = ["line ", "it was begun by ", "this is no journal"];
        let is_clear = is_clear.iter().any(|begin| refused.starts_with(begin));
        assert!(is_clear, "bit {bit}: {refused}");
    }
}

#[test]
fn no_two_sweeps_write_one_journal() {
    let (_folder, path, text) = of_two_rows();
    let (_journal, _) = begin(&path).unwrap();
    assert_eq!(
        refused(&path, text),
        "another sweep is writing it: wait for its end, or give --journal another file"
    );
}

#[test]
fn nothing_is_there_before_it_begins_and_a_place_that_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let planned = look(&path, identity("numbers")).unwrap();
    assert!(files(folder.path()).is_empty());
    let other = begin(&path).unwrap();
    let refused = planned.begin().map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("another sweep is writing it"), "{refused}");
    drop(other);
    for (path, why) in [
        (
            folder.path().join("none/rows.jsonl"),
            format!(
                "there is no folder {}",
                folder.path().join("none").display()
            ),
        ),
        (
            folder.path().to_owned(),
            "a folder of that name is there: give a file in it, or another name".to_owned(),
        ),
    ] {
        let refused = look(&path, identity("numbers")).map(|_| ()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("cannot write {}: {why}", path.display())
        );
    }
    let refused = look(Path::new("-"), identity("numbers"))
        .map(|_| ())
        .unwrap_err();
    let own =
        "cannot write the journal to -: that is standard output, and a file of its own is needed";
    assert_eq!(refused.to_string(), own);
}

/// As when a disk is full for a while: what is written then may be half a line.
#[test]
fn nothing_is_put_down_after_what_could_not_be_written() {
    let (_folder, path, text) = of_two_rows();
    let (mut journal, rows) = begin(&path).unwrap();
    assert_eq!(rows.len(), 2);
    let append = |journal: &mut Journal| journal.append(1, NAMES[1].to_owned(), &row(1));
    let writable = std::mem::replace(&mut journal.file, File::open(&path).unwrap());
    let refused = append(&mut journal).unwrap_err();
    let unwritable = format!("cannot write {}: ", path.display());
    assert!(refused.to_string().starts_with(&unwritable), "{refused}");
    journal.file = writable;
    append(&mut journal).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}
