//! Names for the files of a view, at which nothing stands that somebody edited.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use waves::gtkwave::{self, FileNames};

/// What the files of a view are to be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ViewNames {
    /// Their names.
    pub names: FileNames,
    /// The first file that was edited, if these are not the usual names.
    pub kept: Option<PathBuf>,
}

/// Names for the view of the file `dump` in `folder`: the usual ones, or with a number, if an edited file of a view has
/// them. A set of files is either left alone or replaced as a whole.
pub(crate) fn view_names(folder: &Path, dump: &str, has_steps: bool) -> ViewNames {
    let mut kept = None;
    let mut number = 0;
    loop {
        let names = FileNames::numbered(dump, number);
        let filter = has_steps.then_some(&names.step_filter);
        let files = [Some(&names.save), filter, Some(&names.surfer)];
        let edited = (files.into_iter().flatten())
            .map(|name| folder.join(name))
            .find(|path| is_edited(path));
        match edited {
            None => return ViewNames { names, kept },
            Some(path) => kept.get_or_insert(path),
        };
        number += 1;
    }
}

/// Whether a file stands there that is not as it was written, or that was never written by cubewave.
fn is_edited(path: &Path) -> bool {
    match fs::read(path) {
        Ok(content) => !content.is_empty() && !gtkwave::is_as_written(&content),
        // What is no file is refused when it is to be replaced; what cannot be read may be anything.
        Err(error) => error.kind() == ErrorKind::PermissionDenied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_with_an_edited_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let names = |has_steps: bool| {
            let found = view_names(folder.path(), "run.vcd", has_steps);
            let kept = found.kept.map(|path| {
                let name = path.file_name().unwrap();
                name.to_str().unwrap().to_owned()
            });
            (found.names.save, kept)
        };
        let kept = |name: &str| Some(name.to_owned());
        assert_eq!(names(true), ("run.gtkw".to_owned(), None));
        put("run.gtkw", "");
        assert_eq!(names(true), ("run.gtkw".to_owned(), None));
        put("run.step.filter", "1 mine\n");
        assert_eq!(names(false), ("run.gtkw".to_owned(), None));
        assert_eq!(
            names(true),
            ("run.new.gtkw".to_owned(), kept("run.step.filter"))
        );
        put("run.gtkw", "[*] mine\n");
        assert_eq!(names(true), ("run.new.gtkw".to_owned(), kept("run.gtkw")));
        put("run.new.gtkw", "[*] mine too\n");
        assert_eq!(names(false), ("run.new2.gtkw".to_owned(), kept("run.gtkw")));
        put("run.gtkw", "");
        put("run.surfer.sucl", "zoom_fit\n");
        let surfers = kept("run.surfer.sucl");
        assert_eq!(names(false), ("run.new2.gtkw".to_owned(), surfers));
    }
}
