//! A folder of files that appear together: written in a folder beside their place, put there when all are
//! complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use crate::error::Error;
use crate::options::Input;
use crate::output::{DASH, Stream, keep_permissions};

/// A folder that is to be written.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// It was not there when it was planned.
    is_new: bool,
    /// Files that are read, and must not be written over; and what they hold.
    kept: Vec<(PathBuf, &'static str)>,
    partial: TempDir,
}

impl Folder {
    /// Begins the files of folder `path`, which may be new, empty, or, with `force`, hold anything.
    ///
    /// # Errors
    /// [`Error::FolderNotEmpty`]; [`Error::Unwritable`] if files could not be put there.
    pub fn plan(path: &Path, force: bool) -> Result<Self, Error> {
        let unwritable = |reason| Error::Unwritable {
            path: path.to_owned(),
            reason,
        };
        if path.as_os_str() == DASH {
            return Err(Error::NoFile {
                path: path.to_owned(),
                what: "a folder",
                stream: Stream::Output,
            });
        }
        let is_new = !path.exists();
        let beside = if !is_new {
            if !path.is_dir() {
                return Err(unwritable(io::Error::new(
                    io::ErrorKind::NotADirectory,
                    "something is there that is no folder",
                )));
            }
            let mut entries = fs::read_dir(path).map_err(unwritable)?;
            if !force && entries.next().is_some() {
                return Err(Error::FolderNotEmpty {
                    path: path.to_owned(),
                });
            }
            path
        } else {
            match path.parent() {
                Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
                Some(parent) if parent.is_dir() => parent,
                parent => {
                    let missing = parent.unwrap_or(path).display().to_string();
                    return Err(unwritable(io::Error::new(
                        io::ErrorKind::NotFound,
                        format!("there is no folder {missing}"),
                    )));
                }
            }
        };
        let bare = |error: io::Error| unwritable(io::Error::from(error.kind()));
        let mut builder = Builder::new();
        builder.prefix(".cubewave").suffix(".partial");
        #[cfg(unix)]
        {
            // As any new folder; the process's mask takes away what the user does not want.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        Ok(Folder {
            path: path.to_owned(),
            is_new,
            kept: Vec::new(),
            partial: builder.tempdir_in(beside).map_err(bare)?,
        })
    }

    /// The folder, as it was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a file that is read from being written over.
    pub fn keep(&mut self, input: Input<'_>) {
        // Reading it will say why not; standard input is no file.
        if input.path.as_os_str() != DASH
            && let Ok(path) = input.path.canonicalize()
        {
            self.kept.push((path, input.what));
        }
    }

    /// Writes the files, and puts them into their place when all are written.
    ///
    /// # Errors
    /// [`Error::SameFile`], [`Error::NoFile`], [`Error::Unwritable`].
    pub fn write(self, files: &[(&str, String)]) -> Result<(), Error> {
        for (name, _) in files {
            let path = self.path.join(name);
            let read = path.canonicalize().ok().and_then(|path| {
                let mut kept = self.kept.iter();
                kept.find(|(one, _)| *one == path).map(|(_, what)| *what)
            });
            if let Some(first) = read {
                return Err(Error::SameFile {
                    path,
                    first,
                    second: "a file of the project",
                });
            }
            if let Some(stream) = Stream::of(&path) {
                let what = "a file of the project";
                return Err(Error::NoFile { path, what, stream });
            }
        }
        let put = || -> io::Result<()> {
            for (name, text) in files {
                fs::write(self.partial.path().join(name), text)?;
            }
            if self.is_new {
                return fs::rename(self.partial.path(), &self.path);
            }
            // What would stop the second half is looked for before the first.
            if let Some((name, _)) = files.iter().find(|(name, _)| self.path.join(name).is_dir()) {
                let reason = format!("there is a folder {name} in it");
                return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
            }
            for (name, _) in files {
                if let Ok(replaced) = self.path.join(name).metadata() {
                    let file = fs::File::open(self.partial.path().join(name))?;
                    keep_permissions(&file, &replaced)?;
                }
                fs::rename(self.partial.path().join(name), self.path.join(name))?;
            }
            Ok(())
        };
        put().map_err(|reason| Error::Unwritable {
            path: self.path.clone(),
            reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::files;

    const FILES: [(&str, &str); 2] = [("one", "1\n"), ("two", "2\n")];

    fn write(path: &Path, force: bool) -> Result<(), Error> {
        let files = FILES.map(|(name, text)| (name, text.to_owned()));
        Folder::plan(path, force)?.write(&files)
    }

    #[test]
    fn a_folder_is_made_or_filled() {
        let outside = tempfile::tempdir().unwrap();
        let (new, empty) = (outside.path().join("new"), outside.path().join("empty"));
        fs::create_dir(&empty).unwrap();
        for folder in [&new, &empty] {
            write(folder, false).unwrap();
            assert_eq!(files(folder), ["one", "two"]);
        }
        assert_eq!(files(outside.path()), ["empty", "new"]);
    }

    #[test]
    fn a_folder_that_is_not_empty_is_left_alone_unless_forced() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("mine");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("one"), "mine").unwrap();
        fs::write(folder.join("mine"), "mine").unwrap();
        let refusal = write(&folder, false).unwrap_err().to_string();
        assert!(refusal.contains("is not empty"), "{refusal}");
        assert_eq!(files(&folder), ["mine", "one"]);
        assert_eq!(fs::read_to_string(folder.join("one")).unwrap(), "mine");

        write(&folder, true).unwrap();
        assert_eq!(files(&folder), ["mine", "one", "two"]);
        assert_eq!(fs::read_to_string(folder.join("one")).unwrap(), "1\n");
        assert_eq!(fs::read_to_string(folder.join("mine")).unwrap(), "mine");
    }

    #[test]
    fn a_file_that_is_read_is_not_written_over() {
        let outside = tempfile::tempdir().unwrap();
        let mine = outside.path().join("two");
        fs::write(&mine, "mine").unwrap();
        let mut folder = Folder::plan(outside.path(), true).unwrap();
        folder.keep(Input::traffic(&outside.path().join(".").join("two")));
        let texts = FILES.map(|(name, text)| (name, text.to_owned()));
        let refusal = folder.write(&texts).unwrap_err().to_string();
        assert_eq!(
            refusal,
            format!(
                "{} cannot be both the traffic and a file of the project",
                mine.display()
            )
        );
        assert_eq!(files(outside.path()), ["two"]);
        assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
    }

    #[test]
    fn a_place_that_cannot_be_is_refused_and_nothing_is_left() {
        let outside = tempfile::tempdir().unwrap();
        let file = outside.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [&file, &outside.path().join("no/such")] {
            let refusal = write(path, true).unwrap_err().to_string();
            assert!(refusal.starts_with("cannot write "), "{refusal}");
        }
        drop(Folder::plan(&outside.path().join("given up"), false).unwrap());
        let folder = outside.path().join("folder");
        fs::create_dir_all(folder.join("two")).unwrap();
        let refusal = write(&folder, true).unwrap_err().to_string();
        assert!(
            refusal.ends_with("there is a folder two in it"),
            "{refusal}"
        );
        assert_eq!(files(&folder), ["two"]);
        assert_eq!(files(outside.path()), ["file", "folder"]);
    }
}
