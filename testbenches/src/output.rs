//! Files that appear whole or not at all: written under another name beside their place, renamed when
//! complete, gone if the run ends early.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::Error;

/// A file on its way.
pub struct Staged {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Staged {
    /// Begins a file that is to stand at `path`.
    ///
    /// # Errors
    /// [`Error::Unwritable`] if it could not be put there.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let unwritable = |reason| Error::Unwritable {
            path: path.clone(),
            reason,
        };
        if path.is_dir() {
            return Err(unwritable(io::ErrorKind::IsADirectory.into()));
        }
        let name = path
            .file_name()
            .ok_or_else(|| unwritable(io::ErrorKind::InvalidFilename.into()))?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let reason = format!("there is no folder {}", folder.display());
            return Err(unwritable(io::Error::new(io::ErrorKind::NotFound, reason)));
        }
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        #[cfg(unix)]
        {
            // As any new file; the process's mask takes away what the user does not want.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .tempfile_in(folder)
            .map_err(|error| unwritable(bare(error)))?;
        Ok(Staged {
            path,
            file: BufWriter::with_capacity(1 << 18, file),
        })
    }

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
        file.persist(&self.path)
            .map_err(|error| unwritable(error.error))?;
        Ok(self.path)
    }
}

/// The system's reason without the name of the file that was tried, which nobody asked for.
fn bare(error: io::Error) -> io::Error {
    error.kind().into()
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
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_complete_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wave.vcd");
        let mut staged = Staged::create(&path).unwrap();
        staged.write_all(b"half").unwrap();
        assert!(!path.exists());
        assert_eq!(staged.commit().unwrap(), path);
        assert_eq!(files(folder.path()), ["wave.vcd"]);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(Staged::create(folder.path().join("wave.vcd")).unwrap());
        assert!(files(folder.path()).is_empty());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |path: PathBuf| Staged::create(path).err().map(|error| error.to_string());
        let missing = folder.path().join("no/such/folder/wave.vcd");
        assert_eq!(
            refusal(missing.clone()),
            Some(format!(
                "cannot write {}: there is no folder {}",
                missing.display(),
                folder.path().join("no/such/folder").display()
            ))
        );
        assert_eq!(
            refusal(folder.path().to_path_buf()),
            Some(format!(
                "cannot write {}: is a directory",
                folder.path().display()
            ))
        );
    }
}
