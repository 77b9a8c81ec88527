//! The partial file or folder that is to take a place: it has a name of its own beside it, which follows from that of the place.
//! Who writes it holds a lock on it. So a second run that is to write there is refused, and what a run has left that was killed
//! goes when the next one comes.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc::{CRC_64_XZ, Crc};

use crate::output::unfinished::{Kind, Unfinished};

/// How names of partial files end.
pub(crate) const PARTIAL: &str = ".partial";

/// The longest name, in bytes, that is told in whole by that of its partial file.
const LONGEST: usize = 100;

/// How often it is begun anew where others begin at the same moment.
const TRIES: usize = 100;

const IN_USE: &str =
    "another run is writing it: wait until that is over, or give this one another name";

/// A partial file or folder. It is gone when this is, unless it was put into its place.
#[derive(Debug)]
pub(crate) struct Partial {
    /// Goes before the lock does: another run could have begun it anew.
    unfinished: Unfinished,
    /// It; of a folder, what holds the lock.
    pub file: File,
}

impl Partial {
    /// A file that is to stand in that place, with these permissions as far as the process's mask lets them.
    ///
    /// # Errors
    /// What the system says; another run writes it.
    pub fn file(place: &Path, mode: u32) -> io::Result<Self> {
        Self::begin(&path_of(place, "."), Kind::File, mode)
    }

    /// The same of a file whose partial file is no hidden one.
    ///
    /// # Errors
    /// As [`Partial::file`].
    pub fn visible(place: &Path, mode: u32) -> io::Result<Self> {
        Self::begin(&path_of(place, ""), Kind::File, mode)
    }

    /// A folder that is to stand in that place.
    ///
    /// # Errors
    /// As [`Partial::file`].
    pub fn folder(place: &Path) -> io::Result<Self> {
        Self::begin(&path_of(place, "."), Kind::Folder, 0o777)
    }

    fn begin(path: &Path, kind: Kind, mode: u32) -> io::Result<Self> {
        for _ in 0..TRIES {
            if let Some((unfinished, file)) =
                Unfinished::make(path, kind, || claim(path, kind, mode))?
            {
                return Ok(Partial { file, unfinished });
            }
        }
        Err(io::Error::other(IN_USE))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.unfinished.path()
    }

    /// Puts it into its place.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(self, place: &Path) -> io::Result<()> {
        self.unfinished.put(place)
    }
}

impl Write for Partial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Partial {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// What the partial file of a place is called. Names that are long are told by their beginning and a checksum, since a file system
/// may allow none that are longer.
fn path_of(place: &Path, prefix: &str) -> PathBuf {
    let whole = place.file_name().unwrap_or_default();
    let name = whole.to_string_lossy();
    let name = match name.len() <= LONGEST && whole.to_str().is_some() {
        true => name.into_owned(),
        false => {
            let sum = Crc::<u64>::new(&CRC_64_XZ).checksum(whole.as_encoded_bytes());
            let begin: String = (name.char_indices())
                .take_while(|(at, letter)| at + letter.len_utf8() <= LONGEST)
                .map(|(_, letter)| letter)
                .collect();
            format!("{begin}-{sum:016x}")
        }
    };
    place.with_file_name(format!("{prefix}{name}{PARTIAL}"))
}

/// Makes it, and locks it; nothing, if that is to be tried again.
fn claim(path: &Path, kind: Kind, mode: u32) -> io::Result<Option<File>> {
    match create(path, kind, mode) {
        Ok(file) => match file.try_lock() {
            // Another has taken it for one that was left.
            Err(TryLockError::WouldBlock) => Ok(None),
            // A file system that knows no locks does without.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(is_at(&file, path).then_some(file)),
        },
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            take_away(path, kind)?;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn create(path: &Path, kind: Kind, mode: u32) -> io::Result<File> {
    let (mut options, mut builder) = (OpenOptions::new(), DirBuilder::new());
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        options.mode(mode);
        builder.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = (mode, &mut builder);
    match kind {
        Kind::File => options.open(path),
        Kind::Folder | Kind::EmptyFolder => {
            builder.create(path)?;
            File::open(path)
        }
    }
}

/// Takes away what was left by a run that was killed.
fn take_away(path: &Path, kind: Kind) -> io::Result<()> {
    let there = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there?,
    };
    let in_the_way = |why: &str| {
        let reason = format!("{} is in the way{why}", path.display());
        Err(io::Error::new(io::ErrorKind::AlreadyExists, reason))
    };
    let opened = match kind {
        Kind::File if there.is_file() => OpenOptions::new().write(true).open(path),
        Kind::Folder | Kind::EmptyFolder if there.is_dir() => File::open(path),
        _ => return in_the_way(": remove it"),
    };
    let file = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return in_the_way(&format!(", and is not this user's: {error}")),
        Ok(file) => file,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other(IN_USE)),
        Err(TryLockError::Error(_)) => in_the_way(
            ": a run has left it, or is writing it, and this file system knows no locks by which to tell; remove it if none is",
        ),
        Ok(()) if !is_at(&file, path) => Ok(()),
        Ok(()) if kind == Kind::File => fs::remove_file(path),
        Ok(()) => fs::remove_dir_all(path),
    }
}

/// Whether it is still there, and no other in its place.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let both = file.metadata().ok().zip(fs::symlink_metadata(path).ok());
    both.is_some_and(|(file, there)| (file.dev(), file.ino()) == (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is given up takes no file of another run with it, which may have begun the same in that moment.
    #[test]
    fn who_lets_go_leaves_alone_what_others_begin() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.csv");
        let begun = || {
            let mut begun = 0;
            for _ in 0..3000 {
                // In use, or in the way just now.
                let Ok(partial) = Partial::file(&place, 0o600) else {
                    continue;
                };
                begun += 1;
                for _ in 0..3 {
                    std::thread::yield_now();
                    assert!(is_at(&partial.file, partial.path()));
                }
            }
            begun
        };
        let begun: usize = std::thread::scope(|scope| {
            let threads = [0; 3].map(|_| scope.spawn(begun));
            threads.map(|thread| thread.join().unwrap()).iter().sum()
        });
        assert!(begun > 100, "{begun}");
    }
}
