//! The description of a checkpoint: of what it is, and which files belong to it. It is put into its place last, so that a
//! checkpoint is there as a whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::error::refusal::Refusal;
use crate::output::partial::{PARTIAL, Partial};
use crc::{CRC_64_XZ, Crc};
use serde::{Deserialize, Serialize};

/// What it is called in its folder.
pub const NAME: &str = "checkpoint.json";
/// How the names of shares end.
const SHARE: &str = ".share";

/// This version, and the number of the format, which changes with what files of a checkpoint hold or mean.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", format 2");

/// Seconds that runs take.
const LONGEST: std::ops::Range<f64> = 0.0..1e12;

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Of the program that wrote it.
    pub version: String,
    /// The machine, in words.
    pub machine: String,
    /// What tells it from others that are described alike ([`Device::fingerprint`]), in hexadecimal digits.
    ///
    /// [`Device::fingerprint`]: rtl_model::machine::device::Device::fingerprint
    pub fingerprint: String,
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
    /// The bit time from which on it was counted what ranks have sent.
    pub sends_since: u64,
    /// The file of each rank.
    pub shares: Vec<String>,
}

/// It as a file: with a checksum of all else.
#[derive(Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    /// The CRC-64 of the manifest as compact JSON, in hexadecimal digits.
    checksum: String,
}

/// What the file of a share is called.
pub fn share_name(bit_time: u64, rank: usize, ranks: usize) -> String {
    format!("{bit_time}-{rank}-of-{ranks}{SHARE}")
}

/// A description that says nothing that can be relied on.
pub(super) fn unreadable(reason: impl std::fmt::Display) -> Refusal {
    Refusal::why(format!("checkpoint.json cannot be read: {reason}"))
}

impl Manifest {
    /// This version's.
    pub fn version() -> String {
        VERSION.to_owned()
    }

    /// Reads that of a folder.
    ///
    /// # Errors
    /// None that can be read, of this version and of this machine.
    pub fn read(folder: &Path, (machine, fingerprint): (&str, &str)) -> Result<Self, Refusal> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Versioned {
            version: String,
        }
        let text = match std::fs::read_to_string(folder.join(NAME)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let missing = "there is none; a run with --checkpoint writes one there";
                return Err(Refusal::why(missing));
            }
            read => read.map_err(unreadable)?,
        };
        let Versioned { version } = serde_json::from_str(&text).map_err(unreadable)?;
        if version != VERSION {
            let other = format!("cubewave {version} wrote it, and this is {VERSION}");
            return Err(Refusal::why(other).instead("take it up with that one, or begin anew"));
        }
        let manifest: Manifest = serde_json::from_str(&text).map_err(unreadable)?;
        // Byte by byte, so that what means the same is not passed over either.
        if manifest.text().map_err(unreadable)? != text {
            return Err(unreadable(
                "it is not as it was written, as its checksum shows",
            ));
        }
        if !LONGEST.contains(&manifest.seconds) {
            return Err(unreadable("no run takes so many seconds"));
        }
        let (its_machine, its_sum) = (&manifest.machine, &manifest.fingerprint);
        if its_machine != machine {
            return Err(Refusal::why(format!(
                "it is of another machine\n  there: {its_machine}\n  here:  {machine}"
            )));
        }
        if its_sum != fingerprint {
            return Err(Refusal::why(
                "its machine is described as this one is and does something else",
            )
            .instead(format!(
                "give the options with which it began (what its nodes do has the sum {its_sum}, here {fingerprint})"
            )));
        }
        Ok(manifest)
    }

    fn checksum(&self) -> serde_json::Result<String> {
        let text = serde_json::to_string(self)?;
        let sum = Crc::<u64>::new(&CRC_64_XZ).checksum(text.as_bytes());
        Ok(format!("{sum:016x}"))
    }

    /// The file.
    fn text(&self) -> serde_json::Result<String> {
        let checked = Checked {
            checksum: self.checksum()?,
            manifest: self,
        };
        Ok(serde_json::to_string_pretty(&checked)? + "\n")
    }

    /// Puts it into its place, in that of another.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = self.text()?;
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
            if is_of_checkpoint(&name) && !self.shares.iter().any(|share| *share == name) {
                // What stays is of no harm.
                _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether a file is called as a share is, or as what was not completed of a checkpoint.
fn is_of_checkpoint(name: &str) -> bool {
    let is_share = |name: &str| {
        let parts = name.strip_suffix(SHARE).map(|numbers| numbers.split('-'));
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
        matches!(parts[..], [time, rank, "of", ranks] if [time, rank, ranks].into_iter().all(is_number))
    };
    let of = name.strip_suffix(PARTIAL);
    is_share(name) || of.is_some_and(|of| of == NAME || is_share(of))
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
    let place = folder.join(name);
    // As any new file; the process's mask takes away what the user does not want.
    let mut partial = Partial::visible(&place, 0o666)?;
    write(&mut partial.file)?;
    partial.file.sync_all()?;
    partial.put(&place)?;
    // So that the name is on the disk as well; it is there in any case, and not every file system knows this of folders.
    _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            version: Manifest::version(),
            machine: "a machine".to_owned(),
            fingerprint: "0a0b".to_owned(),
            traffic: "00ff".to_owned(),
            bit_time: 5,
            seconds: 0.25,
            registers: "1101".to_owned(),
            words_of_plane: 64,
            tiles: 2,
            sends_since: 0,
            shares: [0, 1].map(|rank| share_name(5, rank, 2)).to_vec(),
        }
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Manifest::read(folder.path(), ("a machine", "0a0b"));
        let missing = read().unwrap_err().to_string();
        assert!(missing.starts_with("there is none; "), "{missing}");
        manifest().write(folder.path()).unwrap();
        assert_eq!(read(), Ok(manifest()));
        let other = Manifest::read(folder.path(), ("a machine", "0a0c")).unwrap_err();
        assert_eq!(
            other.to_string(),
            "its machine is described as this one is and does something else: give the options with which it began (what its nodes \
             do has the sum 0a0b, here 0a0c)"
        );
        let other = Manifest::read(folder.path(), ("another", "0a0b")).unwrap_err();
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
        // Whatever else it says.
        for (said, otherwise) in [
            ("\"bit_time\": 5", "\"bit_time\": 6"),
            ("0.25", "1e300"),
            ("\"00ff\"", "\"00fe\""),
            ("0a0b", "0a0c"),
            ("5-1-of-2", "5-0-of-2"),
            ("\"sends_since\": 0", "\"sends_since\": 1"),
            ("a machine", "another"),
        ] {
            assert!(text.contains(said), "{said}");
            assert_eq!(
                with(&text.replace(said, otherwise)),
                "checkpoint.json cannot be read: it is not as it was written, as its checksum shows"
            );
        }
    }

    #[test]
    fn a_bit_that_is_wrong_anywhere_is_seen_and_so_is_what_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        let seconds = 1e-7; // which JSON may have as 1E-7 as well
        let written = Manifest {
            seconds,
            ..manifest()
        };
        written.write(folder.path()).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        let refused = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            let read = Manifest::read(folder.path(), ("a machine", "0a0b"));
            read.unwrap_err().to_string()
        };
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let refused = refused(&bytes);
            let is_clear = refused.starts_with("checkpoint.json cannot be read: ")
                || refused.contains(" wrote it, and this is ");
            assert!(is_clear, "bit {bit}: {refused}");
        }
        for length in 0..bytes.len() {
            let refused = refused(&bytes[..length]);
            assert!(
                refused.starts_with("checkpoint.json cannot be read: "),
                "{refused}"
            );
        }
        refused(&[&bytes[..], b"\n"].concat());
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
            "6-0-of-2.share.partial",
            "checkpoint.json.partial",
            // Of others.
            "notes.txt",
            ".run.csv.partial",
            "mine.share",
            "1-2-of-.share",
            "4-0-of-2.share.txt",
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        manifest().write(folder.path()).unwrap();
        manifest().tidy(folder.path());
        let mut left = Vec::new();
        names(&mut left);
        let expected = [
            ".run.csv.partial",
            "1-2-of-.share",
            "4-0-of-2.share.txt",
            "5-0-of-2.share",
            "5-1-of-2.share",
            NAME,
            "mine.share",
            "notes.txt",
        ];
        assert_eq!(left, expected);
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
