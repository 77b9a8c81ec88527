//! A run's picture: what is asked for, and what looks on while the machine runs.
//!
//! ```text
//!   Picture::plan     refuses, and begins the file
//!   Recorder          looks on in every bit time: steps, how full nodes are, which wires are in use
//!   whoever knows     adds ways of messages, and a deadlock
//!   Picture::commit   draws it
//! ```

mod recorder;

use std::io::Write;
use std::path::{Path, PathBuf};

use waves::picture::{self, run::Run};

use crate::error::Error;
use crate::output::{Staged, Staging};
pub use crate::picture::recorder::Recorder;

/// The most nodes of a machine that is drawn: each is looked at in every bit time.
pub const MOST_NODES: usize = 1 << 14;

/// A picture that was asked for: checked, with its file begun.
pub struct Picture {
    file: Staged,
    form: Form,
}

/// What it is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A page for a browser.
    Page,
    /// An image.
    Image,
}

impl Form {
    fn of(path: &Path) -> Option<Form> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Form::Page),
            "svg" => Some(Form::Image),
            _ => None,
        }
    }
}

impl Picture {
    /// What is asked for, if anything is, of a machine with so many nodes.
    ///
    /// # Errors
    /// A form that is not drawn, a machine with too many nodes, a place that cannot be written.
    pub fn plan(
        path: Option<&Path>,
        staging: &mut Staging,
        nodes: usize,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = path else {
            return Ok(None);
        };
        let form = Form::of(path).ok_or_else(|| Error::PictureForm {
            path: path.to_owned(),
        })?;
        if nodes > MOST_NODES {
            return Err(Error::PictureOfTooMany {
                nodes,
                most: MOST_NODES,
            });
        }
        let file = staging.create(path, "the picture of the run")?;
        Ok(Some(Picture { file, form }))
    }

    /// Draws a run, and puts the file into its place.
    ///
    /// # Errors
    /// A run that cannot be drawn; [`Error::Unwritable`].
    pub fn commit(mut self, run: &Run) -> Result<PathBuf, Error> {
        let drawn = match self.form {
            Form::Page => picture::html(run),
            Form::Image => picture::svg(run),
        };
        let text = drawn.map_err(|reason| Error::NoPicture { reason })?;
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|reason| Error::Unwritable {
            path: self.file.path().to_owned(),
            reason,
        })?;
        self.file.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_drawn_is_refused_beforehand() {
        let folder = tempfile::tempdir().unwrap();
        let plan = |name: &str, nodes: usize| {
            let path = folder.path().join(name);
            Picture::plan(Some(&path), &mut Staging::default(), nodes)
                .map(|plan| plan.map(|plan| plan.form))
        };
        assert_eq!(plan("run.html", 64).unwrap(), Some(Form::Page));
        assert_eq!(plan("run.SVG", MOST_NODES).unwrap(), Some(Form::Image));
        for name in ["run.png", "run", "run.html.gz"] {
            let refusal = plan(name, 64).unwrap_err().to_string();
            assert!(refusal.ends_with(
                "a picture of a run is a page or an image: give the file the ending .html or .svg"
            ), "{refusal}");
        }
        assert_eq!(
            plan("run.html", MOST_NODES + 1).unwrap_err().to_string(),
            "--picture: machines of up to 16384 nodes are drawn, and this one has 16385: give fewer dimensions, or look \
             at some nodes of it in a waveform (--wave)"
        );
    }
}
