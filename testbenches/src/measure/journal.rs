//! The journal of a sweep: rows as they come, in a file from which a sweep that was broken off goes on.
//!
//! It is JSON Lines. The first line says what sweep it is, each other one has the row of a point:
//!
//! ```text
//! {"cubewave":"0.1.0","sweep":"59d5a1f60e1f27d1","points":3,"asked":"kuszmaul --dims 2..=4","checksum":"..."}
//! {"point":2,"name":"plain, D = 8, k = 4, load 1, seed 1","row":{"testbench":"kuszmaul",...},"checksum":"..."}
//! ```
//!
//! Each line ends with a checksum: the CRC-64 of all that stands before it in the line, and of the sweep.
//!
//! This is the one output that is written where it stands rather than under another name: its purpose is to outlast a crash.
//! Every line is written as a whole, and the last one, if a crash has cut it off, is dropped and its point run again. Whoever
//! writes it holds a lock on it, so no two sweeps do. It is not forced onto the disk line by line: when a computer loses its
//! power, the last rows may be lost, and their points are run again too.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc::{CRC_64_XZ, Crc};
use serde::{Deserialize, Serialize};

use crate::error::refusal::{Refusal, unreadable, unwritable};
use crate::error::{Error, shown_path};
use crate::interrupt;
use crate::measure::row::Row;
use crate::measure::row::kept::Kept;
use crate::output::Staging;

static CRC: Crc<u64> = Crc::<u64>::new(&CRC_64_XZ);

/// What tells a sweep from others; the first line of its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    /// The version that measures.
    pub cubewave: String,
    /// A checksum of all points' names and of what the sweep was asked for with, in hexadecimal digits.
    pub sweep: String,
    /// How many points there are.
    pub points: usize,
    /// What it was asked for with.
    pub asked: String,
}

impl Identity {
    /// Of the points of these names.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, asked: &str) -> Self {
        let mut digest = CRC.digest();
        digest.update(asked.as_bytes());
        let mut points = 0;
        for name in names {
            // No name has a line end in it.
            digest.update(b"\n");
            digest.update(name.as_bytes());
            points += 1;
        }
        Identity {
            cubewave: env!("CARGO_PKG_VERSION").to_owned(),
            sweep: format!("{:016x}", digest.finalize()),
            points,
            asked: asked.to_owned(),
        }
    }

    /// Refuses the journal of another sweep.
    fn check(&self, found: Identity) -> Result<(), Refusal> {
        if found.cubewave != self.cubewave {
            return Err(of_other_version(&found.cubewave));
        }
        if found == *self {
            return Ok(());
        }
        let Identity { points, asked, .. } = found;
        Err(Refusal::why(format!(
            "it is of another sweep, of {points} points ({asked})"
        ))
        .instead("give that one's options, or give --journal another file"))
    }

    fn line(&self) -> Result<String, serde_json::Error> {
        with_checksum(serde_json::to_string(self)?, "")
    }
}

/// What can be done of whatever is wrong with a journal.
const ANOTHER: &str = "give --journal another file";

/// What is wrong with a line.
const NOT_ITS_SUM: &str = "its checksum is not that of what stands before it";

/// The refusal of a journal whose rows may be others.
fn of_other_version(version: &str) -> Refusal {
    Refusal::why(format!(
        "it was begun by cubewave {version}, and this is {}, which may measure something else",
        env!("CARGO_PKG_VERSION")
    ))
    .instead("go on with that version, or give --journal another file")
}

/// The refusal of something else.
fn no_journal() -> Refusal {
    Refusal::why("this is no journal of a sweep, and it is left as it is").instead(ANOTHER)
}

/// The refusal of a journal that somebody writes.
fn in_use() -> Refusal {
    Refusal::why("another sweep is writing it")
        .instead("wait for its end, or give --journal another file")
}

/// The line of an object, which gets a checksum as its last value.
fn with_checksum(object: String, sweep: &str) -> Result<String, serde_json::Error> {
    let begin = object.strip_suffix('}').unwrap_or(&object);
    let sum = checksum(begin.as_bytes(), sweep);
    Ok(format!("{begin}{CHECKSUM}{sum}{END}"))
}

/// What stands between a line's other values and its checksum, and what behind.
const CHECKSUM: &str = ",\"checksum\":\"";
const END: &str = "\"}\n";
/// Digits of a checksum.
const DIGITS: usize = 16;

fn checksum(text: &[u8], sweep: &str) -> String {
    let mut digest = CRC.digest();
    digest.update(sweep.as_bytes());
    digest.update(text);
    format!("{:0DIGITS$x}", digest.finalize())
}

/// The object of a line whose checksum is right, as it was before it got one.
fn checked(line: &[u8], sweep: &str) -> Option<Vec<u8>> {
    let line = line.strip_suffix(END.as_bytes())?;
    let (line, sum) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    let begin = line.strip_suffix(CHECKSUM.as_bytes())?;
    (sum == checksum(begin, sweep).as_bytes()).then(|| [begin, b"}"].concat())
}

/// A line with a row.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    point: usize,
    name: String,
    row: Kept,
}

/// A journal that was looked through. Nothing has been written.
pub(super) struct Planned {
    path: PathBuf,
    place: PathBuf,
    identity: Identity,
    /// The file, if there is one, and how much of it is whole lines.
    found: Option<(File, u64)>,
    /// What it has: points, by their place in the grid, and their rows.
    rows: Vec<(usize, Row)>,
}

impl Planned {
    /// Looks through the journal of a sweep of points of these names, if there is one.
    ///
    /// # Errors
    /// A place that cannot be written; a journal that this sweep cannot go on in.
    pub fn look(
        path: &Path,
        staging: &mut Staging,
        (identity, names): (Identity, &[String]),
    ) -> Result<Self, Error> {
        let place = staging.outlasting(path, "the journal")?;
        let mut planned = Planned {
            path: path.to_owned(),
            place,
            identity,
            found: None,
            rows: Vec::new(),
        };
        if planned.place.exists() {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).open(&planned.place);
            let file = file.map_err(unwritable(path))?;
            planned.read(file, names)?;
        }
        Ok(planned)
    }

    /// Refuses rows whose points have left files that are not there any more; `file` says which those of a point are.
    ///
    /// # Errors
    /// The first of them.
    pub fn check_files(&self, file: impl Fn(usize) -> Option<PathBuf>) -> Result<(), Error> {
        let mut left = self.rows.iter().filter_map(|(point, _)| file(*point));
        match left.find(|file| !file.exists()) {
            None => Ok(()),
            Some(file) => {
                let file = shown_path(&file);
                let why =
                    format!("it has the row of a point whose file is not there any more: {file}");
                Err(self.refused(Refusal::why(why).instead(ANOTHER)))
            }
        }
    }

    fn refused(&self, refusal: Refusal) -> Error {
        let what = format!("the journal {}", shown_path(&self.path));
        refusal.about(what).into()
    }

    fn lock(&self, file: &File) -> Result<(), Error> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.refused(in_use())),
            // A file system that knows no locks does without.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    fn read(&mut self, mut file: File, names: &[String]) -> Result<(), Error> {
        self.lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(unreadable(&self.path))?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let (lines, rest) = bytes.split_at(whole);
        if lines.is_empty() {
            // Cut off in the first line, or something else.
            let first = self.identity.line().unwrap_or_default();
            if !first.as_bytes().starts_with(rest) {
                return Err(self.refused(no_journal()));
            }
        }
        let rows = self.rows_of(lines, names);
        self.rows = rows.map_err(|refusal| self.refused(refusal))?;
        self.found = Some((file, whole as u64));
        Ok(())
    }

    fn rows_of(&self, lines: &[u8], names: &[String]) -> Result<Vec<(usize, Row)>, Refusal> {
        let mut lines = lines.split_inclusive(|byte| *byte == b'\n');
        let Some(first) = lines.next() else {
            return Ok(Vec::new());
        };
        #[derive(Deserialize)]
        struct OfAnyVersion {
            cubewave: String,
        }
        let no_journal = |_| no_journal();
        let found: OfAnyVersion = serde_json::from_slice(first).map_err(no_journal)?;
        let object = match checked(first, "") {
            None if found.cubewave != self.identity.cubewave => {
                return Err(of_other_version(&found.cubewave));
            }
            None => {
                let broken = format!("{NOT_ITS_SUM}, so it cannot be told what sweep this is of");
                return Err(Refusal::why(broken).at_line(1).instead(ANOTHER));
            }
            Some(object) => object,
        };
        let found = serde_json::from_slice(&object).map_err(no_journal)?;
        self.identity.check(found)?;
        let sweep = &self.identity.sweep;
        let mut is_there = vec![false; names.len()];
        let mut rows = Vec::new();
        for (index, line) in lines.enumerate() {
            let broken = |why: String| {
                Refusal::why(why).at_line(index as u64 + 2).instead(
                    "take the line out, and its point is run again, or give --journal another file",
                )
            };
            let object = checked(line, sweep).ok_or_else(|| broken(NOT_ITS_SUM.to_owned()))?;
            let entry: Entry = serde_json::from_slice(&object).map_err(|error| {
                broken(error.to_string().replace(" at line 1 column", " at column"))
            })?;
            let Entry { point, name, row } = entry;
            if names.get(point) != Some(&name) {
                return Err(broken(format!(
                    "point {point} of this sweep is not `{name}`"
                )));
            }
            if std::mem::replace(&mut is_there[point], true) {
                return Err(broken(format!("point {point} has a row before")));
            }
            rows.push((point, row.0));
        }
        Ok(rows)
    }

    /// Begins to write, behind what is there. Gives what is there.
    ///
    /// # Errors
    /// A place that cannot be written; another sweep has begun it in the meantime.
    pub fn begin(mut self) -> Result<(Journal, Vec<(usize, Row)>), Error> {
        let (mut file, whole) = match self.found.take() {
            Some(found) => found,
            None => {
                let file = File::create_new(&self.place).map_err(|reason| match reason.kind() {
                    io::ErrorKind::AlreadyExists => self.refused(in_use()),
                    _ => unwritable(&self.path)(reason),
                })?;
                self.lock(&file)?;
                (file, 0)
            }
        };
        let first = self.identity.line();
        let begun = first.map_err(io::Error::from).and_then(|first| {
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            match whole {
                0 => file.write_all(first.as_bytes()),
                _ => Ok(()),
            }
        });
        begun.map_err(unwritable(&self.path))?;
        let path = self.path;
        interrupt::leaves(format!(
            "the rows that are done are in {}, and the same command goes on from there",
            path.display()
        ));
        let journal = Journal {
            path,
            file,
            sweep: self.identity.sweep,
            is_whole: true,
        };
        Ok((journal, self.rows))
    }
}

/// A journal that is written.
#[derive(Debug)]
pub(super) struct Journal {
    /// As it was asked for.
    pub path: PathBuf,
    file: File,
    /// Of which sweep it is, by its sum.
    sweep: String,
    /// It ends with a whole line, as far as is known.
    is_whole: bool,
}

impl Journal {
    /// Puts down the row of a point. After an error nothing more is put down: it would go on with what may be half a line, and
    /// a broken line within a journal has all of it refused.
    ///
    /// # Errors
    /// A journal that cannot be written any more.
    pub fn append(&mut self, point: usize, name: String, row: &Row) -> Result<(), Error> {
        if !self.is_whole {
            return Ok(());
        }
        let row = Kept(row.clone());
        let entry = serde_json::to_string(&Entry { point, name, row });
        let line = entry.and_then(|entry| with_checksum(entry, &self.sweep));
        let written = line.map_err(io::Error::from).and_then(|line| {
            // In one go, so that a line is there or is the last.
            self.file.write_all(line.as_bytes())
        });
        self.is_whole = written.is_ok();
        written.map_err(unwritable(&self.path))
    }
}

#[cfg(test)]
mod tests;
