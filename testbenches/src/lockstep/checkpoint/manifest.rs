//! The description of a checkpoint: of what it is, and which files belong to it. It is put into its place last, so that a
//! checkpoint is there as a whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tempfile::Builder;

use crate::error::checkpoint::Problem;

/// What it is called in its folder.
pub const NAME: &str = "checkpoint.json";
/// How the names of shares end, and of files that are not complete.
const SHARE: &str = ".share";
const PARTIAL: &str = ".partial";

/// This version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Of the program that wrote it.
    pub version: String,
    /// The machine, in words.
    pub machine: String,
    /// The sum of what was loaded, in hexadecimal digits.
    pub traffic: String,
    /// Bit times that have passed.
    pub bit_time: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Of each register of a node, whether there are planes of it: 1, or 0.
    pub registers: String,
    /// Words of 64 nodes of a plane.
    pub words_of_plane: usize,
    /// Tiles of a share.
    pub tiles: usize,
    /// The file of each rank.
    pub shares: Vec<String>,
}

/// What the file of a share is called.
pub fn share_name(bit_time: u64, rank: usize, ranks: usize) -> String {
    format!("{bit_time}-{rank}-of-{ranks}{SHARE}")
}

impl Manifest {
    /// This version's.
    pub fn version() -> String {
        VERSION.to_owned()
    }

    /// Reads that of a folder.
    ///
    /// # Errors
    /// [`Problem::Missing`], [`Problem::Unreadable`], [`Problem::Version`], [`Problem::Machine`] if it is not of this one.
    pub fn read(folder: &Path, machine: &str) -> Result<Self, Problem> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Versioned {
            version: String,
        }
        let unreadable = |reason: String| Problem::Unreadable { reason };
        let text = match std::fs::read_to_string(folder.join(NAME)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Problem::Missing),
            read => read.map_err(|error| unreadable(error.to_string()))?,
        };
        let in_words = |error: serde_json::Error| unreadable(error.to_string());
        let Versioned { version } = serde_json::from_str(&text).map_err(in_words)?;
        if version != VERSION {
            return Err(Problem::Version {
                of: version,
                here: VERSION,
            });
        }
        let manifest: Manifest = serde_json::from_str(&text).map_err(in_words)?;
        let whole = manifest.shares.len().is_power_of_two()
            && manifest.words_of_plane > 0
            && manifest.seconds >= 0.0
            && u64::from_str_radix(&manifest.traffic, 16).is_ok();
        match whole {
            false => Err(unreadable("a value of it cannot be".to_owned())),
            true if manifest.machine != machine => Err(Problem::Machine {
                of: manifest.machine,
                here: machine.to_owned(),
            }),
            true => Ok(manifest),
        }
    }

    /// Puts it into its place, in that of another.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        put(folder, NAME, |file| file.write_all(text.as_bytes()))
    }

    /// Takes away the shares of others, and what was not completed.
    pub fn tidy(&self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_ours = name.ends_with(SHARE) || name.ends_with(PARTIAL);
            if is_ours && !self.shares.iter().any(|share| *share == name) {
                // What stays is of no harm.
                _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Writes a file under another name, and puts it into its place when the disk has it.
///
/// # Errors
/// Those of the file, of which then nothing is left.
pub fn put(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = Builder::new()
        .prefix(name)
        .suffix(PARTIAL)
        .tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name))
        .map_err(|error| error.error)?;
    // The name is on the disk as well.
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            version: Manifest::version(),
            machine: "a machine".to_owned(),
            traffic: "00ff".to_owned(),
            bit_time: 5,
            seconds: 0.25,
            registers: "1101".to_owned(),
            words_of_plane: 64,
            tiles: 2,
            shares: [0, 1].map(|rank| share_name(5, rank, 2)).to_vec(),
        }
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Manifest::read(folder.path(), "a machine");
        assert_eq!(read(), Err(Problem::Missing));
        manifest().write(folder.path()).unwrap();
        assert_eq!(read(), Ok(manifest()));
        let other = Manifest::read(folder.path(), "another").unwrap_err();
        assert_eq!(
            other.to_string(),
            "it is of another machine\n  there: a machine\n  here:  another"
        );
        let text = std::fs::read_to_string(folder.path().join(NAME)).unwrap();
        let with = |text: &str| {
            std::fs::write(folder.path().join(NAME), text).unwrap();
            read().unwrap_err().to_string()
        };
        assert_eq!(
            with(&text.replace(
                &format!("\"version\": \"{VERSION}\""),
                "\"version\": \"0.0.9\""
            )),
            format!(
                "cubewave 0.0.9 wrote it, and this is {VERSION}: take it up with that one, or begin anew"
            )
        );
        let cut = with(&text[..text.len() / 2]);
        assert!(cut.starts_with("checkpoint.json cannot be read: EOF while parsing "));
        for wrong in ["\"traffic\": \"no digits\"", "\"traffic\": 3"] {
            let message = with(&text.replace("\"traffic\": \"00ff\"", wrong));
            assert!(message.starts_with("checkpoint.json cannot be read: "));
        }
        assert_eq!(
            with(&text.replace("\"5-1-of-2.share\"", "\"5-1-of-2.share\", \"more\"")),
            "checkpoint.json cannot be read: a value of it cannot be"
        );
    }

    #[test]
    fn only_files_of_other_checkpoints_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let names = |left: &mut Vec<String>| {
            left.clear();
            let entries = std::fs::read_dir(folder.path()).unwrap();
            left.extend(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
            left.sort();
        };
        for name in [
            "4-0-of-2.share",
            "5-0-of-2.share",
            "5-1-of-2.share",
            "6-0-of-2.shareXyz.partial",
            "notes.txt",
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        manifest().write(folder.path()).unwrap();
        manifest().tidy(folder.path());
        let mut left = Vec::new();
        names(&mut left);
        assert_eq!(
            left,
            ["5-0-of-2.share", "5-1-of-2.share", NAME, "notes.txt"]
        );
    }

    #[test]
    fn of_a_file_that_cannot_be_completed_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("one"), "before").unwrap();
        let failed = put(folder.path(), "one", |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        let text = std::fs::read_to_string(folder.path().join("one")).unwrap();
        assert_eq!(text, "before");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
