//! Files that appear whole or not at all: written under another name beside their place, renamed when
//! complete, gone if the run ends early.

use std::ffi::OsString;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::Error;

/// The files that a run touches: no two of them may be the same.
#[derive(Debug, Default)]
pub struct Staging {
    /// Where each file really is, and what for.
    taken: Vec<(PathBuf, &'static str)>,
}

impl Staging {
    /// Keeps a file that is read from being written over.
    ///
    /// # Errors
    /// [`Error::SameFile`].
    pub fn keep(&mut self, path: &Path, what: &'static str) -> Result<(), Error> {
        match path.canonicalize() {
            Ok(place) => self.take(path, place, what),
            Err(_) => Ok(()), // reading it will say why not
        }
    }

    /// Begins a file that is to stand at `path`. A symbolic link is followed.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if it could not be put there, [`Error::SameFile`] if another file is to
    /// stand there, or is read from there.
    pub fn create(&mut self, path: &Path, what: &'static str) -> Result<Staged, Error> {
        let unwritable = |reason| Error::Unwritable {
            path: path.to_owned(),
            reason,
        };
        let place = place_of(path).map_err(unwritable)?;
        self.take(path, place.clone(), what)?;
        let file = partial_file(&place).map_err(unwritable)?;
        Ok(Staged {
            path: path.to_owned(),
            place,
            file: BufWriter::with_capacity(1 << 18, file),
        })
    }

    fn take(&mut self, path: &Path, place: PathBuf, what: &'static str) -> Result<(), Error> {
        if let Some((_, first)) = self.taken.iter().find(|(taken, _)| *taken == place) {
            return Err(Error::SameFile {
                path: path.to_owned(),
                first,
                second: what,
            });
        }
        self.taken.push((place, what));
        Ok(())
    }
}

/// Where a file of that name really stands, or would.
fn place_of(path: &Path) -> io::Result<PathBuf> {
    let refused = |kind: io::ErrorKind, reason: String| Err(io::Error::new(kind, reason));
    if path.is_symlink() {
        return place_of(&path.canonicalize()?);
    }
    if path.exists() && !path.is_file() {
        return refused(
            io::ErrorKind::InvalidInput,
            "something is there that is no ordinary file".to_owned(),
        );
    }
    let Some(name) = path.file_name() else {
        return refused(io::ErrorKind::InvalidInput, "this names no file".to_owned());
    };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return refused(
            io::ErrorKind::NotFound,
            format!("there is no folder {}", folder.display()),
        );
    }
    Ok(folder.canonicalize()?.join(name))
}

/// A file under another name, in the folder where it is to stand.
fn partial_file(place: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name().unwrap_or_default());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".partial");
    #[cfg(unix)]
    {
        // As any new file; the process's mask takes away what the user does not want.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let folder = place.parent().unwrap_or(Path::new("."));
    // Without the name of the file that was tried, which nobody asked for.
    let bare = |error: io::Error| io::Error::from(error.kind());
    builder.tempfile_in(folder).map_err(bare)
}

/// A file on its way.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Staged {
    /// Where the file will stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if that fails; nothing is left of it then.
    pub fn commit(self) -> Result<PathBuf, Error> {
        let unwritable = |reason| Error::Unwritable {
            path: self.path.clone(),
            reason,
        };
        let file = self
            .file
            .into_inner()
            .map_err(|error| unwritable(error.into_error()))?;
        file.persist(&self.place)
            .map_err(|error| unwritable(error.error))?;
        Ok(self.path)
    }
}

impl Seek for Staged {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What is in a folder, in order.
    pub fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn create(path: &Path) -> Result<Staged, Error> {
        Staging::default().create(path, "a test")
    }

    #[test]
    fn a_file_appears_when_it_is_complete_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wave.vcd");
        let mut staged = create(&path).unwrap();
        staged.write_all(b"half").unwrap();
        assert!(!path.exists());
        assert_eq!(staged.commit().unwrap(), path);
        assert_eq!(files(folder.path()), ["wave.vcd"]);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(create(&folder.path().join("wave.vcd")).unwrap());
        assert!(files(folder.path()).is_empty());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |path: &Path| create(path).err().map(|error| error.to_string());
        let missing = folder.path().join("no/such/folder/wave.vcd");
        assert_eq!(
            refusal(&missing),
            Some(format!(
                "cannot write {}: there is no folder {}",
                missing.display(),
                folder.path().join("no/such/folder").display()
            ))
        );
        for special in [folder.path(), Path::new("/dev/null")] {
            assert_eq!(
                refusal(special),
                Some(format!(
                    "cannot write {}: something is there that is no ordinary file",
                    special.display()
                ))
            );
        }
    }

    #[test]
    fn no_two_files_of_a_run_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("mine.csv"), "source,destination\n").unwrap();
        let mut staging = Staging::default();
        staging.keep(&path("mine.csv"), "the traffic").unwrap();
        let _wave = staging.create(&path("run.vcd"), "the waveform").unwrap();
        for (name, first) in [("mine.csv", "the traffic"), ("run.vcd", "the waveform")] {
            let same = path(".").join(name);
            let refusal = staging.create(&same, "the deliveries").unwrap_err();
            assert_eq!(
                refusal.to_string(),
                format!(
                    "{} cannot be both {first} and the deliveries",
                    same.display()
                )
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (
            folder.path().join("real.csv"),
            folder.path().join("link.csv"),
        );
        std::fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut staged = create(&link).unwrap();
        staged.write_all(b"after").unwrap();
        staged.commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "after");
    }
}
