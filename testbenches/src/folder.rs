//! A folder of files that appear together: written in a folder beside their place, put there when all are
//! complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::refusal::{Refusal, unwritable};
use crate::error::{Error, shown_path};
use crate::interrupt;
use crate::options::Input;
use crate::output::partial::Partial;
use crate::output::{DASH, Stream, check_replaceable, keep_permissions, same_file, unfinished};

/// What the folder beside the files of one that is there already is named after.
const INSIDE: &str = "cubewave";

/// A folder that is to be written.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// It was not there when it was planned.
    is_new: bool,
    /// Files that are read, and must not be written over; and what they hold.
    kept: Vec<(PathBuf, &'static str)>,
    partial: Partial,
}

/// What comes of other files that are in the folder already.
enum Others {
    Stay,
    /// The folder is refused, with what to do instead.
    Refused(&'static str),
}

/// What stands in the folder.
const OF_PROJECT: &str = "a file of the project";

impl Folder {
    /// Begins the files of folder `path`, which may be new, empty, or, with `force`, hold anything.
    ///
    /// # Errors
    /// A folder with something in it; one that files could not be put into.
    pub fn plan(path: &Path, force: bool) -> Result<Self, Error> {
        let others = match force {
            true => Others::Stay,
            false => Others::Refused("choose another, or write into it with --force"),
        };
        Self::begin(path, others)
    }

    /// The same of a folder that is to be new or empty, whatever is asked for.
    ///
    /// # Errors
    /// As [`Folder::plan`].
    pub fn plan_new(path: &Path) -> Result<Self, Error> {
        Self::begin(path, Others::Refused("choose another"))
    }

    fn begin(path: &Path, others: Others) -> Result<Self, Error> {
        let unwritable = unwritable(path);
        if path.as_os_str() == DASH {
            Stream::check_file(path, "a folder")?;
        }
        let is_new = !path.exists();
        let place = match is_new {
            true => {
                match path.parent() {
                    Some(parent) if parent.as_os_str().is_empty() || parent.is_dir() => {}
                    parent => {
                        let missing = parent.unwrap_or(path).display().to_string();
                        return Err(unwritable(io::Error::new(
                            io::ErrorKind::NotFound,
                            format!("there is no folder {missing}"),
                        )));
                    }
                }
                path.to_owned()
            }
            false if !path.is_dir() => {
                return Err(unwritable(io::Error::new(
                    io::ErrorKind::NotADirectory,
                    "something is there that is no folder",
                )));
            }
            false => path.join(INSIDE),
        };
        let partial = Partial::folder(&place).map_err(&unwritable)?;
        if let Others::Refused(instead) = others
            && !is_new
        {
            let own = partial.path().file_name();
            let entries = fs::read_dir(path).map_err(&unwritable)?;
            let found = entries.filter(|entry| {
                let name = entry.as_ref().map(fs::DirEntry::file_name);
                name.map_or(true, |name| Some(&*name) != own)
            });
            if found.count() > 0 {
                let there = format!("the folder {} is not empty", shown_path(path));
                return Err(Refusal::of(there).instead(instead).into());
            }
        }
        Ok(Folder {
            path: path.to_owned(),
            is_new,
            kept: Vec::new(),
            partial,
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

    /// Writes the files, and puts them into their place when all are written. A name may be of a file in a folder below.
    ///
    /// # Errors
    /// A file that is read, or that leads to a stream; one that cannot be written after all.
    pub fn write(self, files: &[(impl AsRef<str>, String)]) -> Result<(), Error> {
        let files = files.iter().map(|(name, text)| (name.as_ref(), text));
        let files: Vec<(&str, &String)> = files.collect();
        for (name, _) in &files {
            let path = self.path.join(name);
            let read = path.canonicalize().ok().and_then(|path| {
                let mut kept = self.kept.iter();
                kept.find(|(one, _)| *one == path).map(|(_, what)| *what)
            });
            if let Some(first) = read {
                return Err(same_file(&path, [first, OF_PROJECT]));
            }
            Stream::check_file(&path, OF_PROJECT)?;
        }
        let at = |name: &str, reason| unwritable(&self.path.join(name))(reason);
        for (name, text) in &files {
            let file = self.partial.path().join(name);
            let written = make_folder_of(&file).and_then(|()| fs::write(&file, text));
            written.map_err(|reason| at(name, reason))?;
        }
        interrupt::check()?;
        if self.is_new {
            let put = self.partial.put(&self.path);
            put.map_err(unwritable(&self.path))?;
            unfinished::has_put(&self.path);
            return Ok(());
        }
        // What would stop the second half is looked for before the first.
        let check = |place: &Path| match place.metadata() {
            Ok(there) if there.is_dir() => {
                let reason = "there is a folder of that name";
                Err(io::Error::new(io::ErrorKind::IsADirectory, reason))
            }
            Ok(there) => check_replaceable(place, &there),
            Err(_) => Ok(()),
        };
        for (name, _) in &files {
            check(&self.path.join(name)).map_err(|reason| at(name, reason))?;
        }
        let put = |name: &str| -> io::Result<()> {
            let (partial, place) = (self.partial.path().join(name), self.path.join(name));
            if let Ok(replaced) = place.metadata() {
                keep_permissions(&fs::File::open(&partial)?, &replaced)?;
            }
            make_folder_of(&place)?;
            fs::rename(partial, place)
        };
        for (name, _) in &files {
            put(name).map_err(|reason| at(name, reason))?;
            unfinished::has_put(&self.path.join(name));
        }
        Ok(())
    }
}

/// Makes the folder in which a file is to be, if it is not there.
fn make_folder_of(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)
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
    fn files_may_be_in_folders_below() {
        let outside = tempfile::tempdir().unwrap();
        let (new, empty) = (outside.path().join("new"), outside.path().join("empty"));
        fs::create_dir(&empty).unwrap();
        let texts = ["one", "below/two"].map(|name| (name, name.to_owned()));
        for folder in [&new, &empty] {
            let planned = Folder::plan_new(folder).unwrap();
            planned.write(&texts).unwrap();
            assert_eq!(files(folder), ["below", "one"]);
            assert_eq!(
                fs::read_to_string(folder.join("below/two")).unwrap(),
                "below/two"
            );
        }
        let refusal = Folder::plan_new(&new).unwrap_err().to_string();
        assert!(
            refusal.ends_with("is not empty: choose another"),
            "{refusal}"
        );
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
        folder.keep(Input {
            path: &outside.path().join(".").join("two"),
            what: "the traffic",
        });
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
            refusal.ends_with("folder/two: there is a folder of that name"),
            "{refusal}"
        );
        assert_eq!(files(&folder), ["two"]);
        assert_eq!(files(outside.path()), ["file", "folder"]);
    }
}
