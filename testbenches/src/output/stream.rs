//! Standard output and standard error, by whatever path somebody names them.

use std::fmt;
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use rtl_model::csv_file::visible;

use crate::error::refusal::Refusal;
use crate::error::{Error, shown_path};
use crate::output::colour;
use crate::ranks;

/// A stream that the program was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// What stands for standard output, and for standard input where something is read.
pub(crate) const DASH: &str = "-";

impl Stream {
    /// The stream that a path names: `-` is standard output, and so is whatever leads to the same file, such as
    /// `/dev/stdout`, or the name of the file that a shell sends standard output to. To replace that file would lose what
    /// is printed.
    pub fn of(path: &Path) -> Option<Self> {
        if path.as_os_str() == DASH {
            return Some(Stream::Output);
        }
        let there = fs::metadata(path).ok()?;
        let streams = [Stream::Output, Stream::Error];
        streams.into_iter().find(|stream| {
            let here = stream.metadata();
            here.is_some_and(|here| is_same(&here, &there))
        })
    }

    /// Refuses what needs a file of its own, if its name leads to a stream.
    pub(crate) fn check_file(path: &Path, what: &str) -> Result<(), Error> {
        let Some(stream) = Stream::of(path) else {
            return Ok(());
        };
        Err(
            Refusal::of(format!("cannot write {what} to {}", shown_path(path)))
                .because(format!("that is {stream}, and a file of its own is needed"))
                .into(),
        )
    }

    /// Where the report goes if an output goes to this one.
    pub fn other(self) -> Self {
        match self {
            Stream::Output => Stream::Error,
            Stream::Error => Stream::Output,
        }
    }

    /// Refuses what is to go there if the report would get mixed with it: because both streams are one file, or one pipe. On
    /// a terminal one follows the other, and somebody looks on.
    pub(super) fn check_apart(self, what: &'static str) -> Result<(), Error> {
        let both = (self.metadata(), self.other().metadata());
        match both {
            (Some(one), Some(other)) if is_same(&one, &other) && !is_device(&one) => {
                let mixed = format!("{what} and the report would get mixed");
                Err(Refusal::of(mixed)
                    .because("standard output and standard error are the same file")
                    .instead(format!(
                        "send one of them elsewhere, or name a file for {what}"
                    ))
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Writes a text and sends it off. A reader that has gone away is no error; a full disk is.
    ///
    /// # Errors
    /// What the system says.
    pub fn print(self, text: &[u8]) -> io::Result<()> {
        let written = match self {
            Stream::Output => all(&mut io::stdout().lock(), text),
            Stream::Error => all(&mut io::stderr().lock(), text),
        };
        Self::without_reader(written)
    }

    /// A reader that has gone away is no error.
    ///
    /// # Errors
    /// All others.
    pub fn without_reader(written: io::Result<()>) -> io::Result<()> {
        match written {
            Err(reason) if reason.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    /// The same of a text for people, in which nothing is left that a terminal would obey: with colours, where such are wanted.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn print_for_people(self, text: &str) -> io::Result<()> {
        match self.is_coloured() {
            true => self.print(colour::verdicts(text).as_bytes()),
            false => self.print(text.as_bytes()),
        }
    }

    /// A terminal, on which colours are not unwanted (`NO_COLOR`), or they are wanted anywhere (`CLICOLOR_FORCE`).
    fn is_coloured(self) -> bool {
        let choice = match self {
            // As any stream that is no terminal.
            _ if ranks::is_started() => AutoStream::choice(&Vec::<u8>::new()),
            Stream::Output => AutoStream::choice(&io::stdout()),
            Stream::Error => AutoStream::choice(&io::stderr()),
        };
        choice != ColorChoice::Never
    }

    #[cfg(unix)]
    fn metadata(self) -> Option<Metadata> {
        use std::os::fd::AsFd;
        let copy = match self {
            Stream::Output => io::stdout().as_fd().try_clone_to_owned(),
            Stream::Error => io::stderr().as_fd().try_clone_to_owned(),
        };
        fs::File::from(copy.ok()?).metadata().ok()
    }

    #[cfg(not(unix))]
    fn metadata(self) -> Option<Metadata> {
        None
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stream::Output => "standard output",
            Stream::Error => "standard error",
        })
    }
}

/// Says something on standard error: a line, in a single write, since several processes may say something at once. Where
/// nobody can read it, it is no loss: what a run comes to is in its report and its exit status.
pub fn tell(what: impl fmt::Display) {
    let _ = Stream::Error.print((visible_lines(&what.to_string()) + "\n").as_bytes());
}

/// Says on standard error why something is refused, or was broken off.
pub fn refuse(why: impl fmt::Display) {
    let why = visible_lines(&why.to_string());
    let line = match Stream::Error.is_coloured() {
        true => format!("{} {why}\n", colour::wrong("error:")),
        false => format!("error: {why}\n"),
    };
    let _ = Stream::Error.print(line.as_bytes());
}

/// A text of several lines, in which nothing is left that a terminal would obey.
pub fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Prints what clap has to say: help on standard output, and why it refuses a command line on standard error.
///
/// # Errors
/// What the system says.
pub fn print_of_clap(said: &clap::Error) -> io::Result<()> {
    let (text, stream) = (
        said.render(),
        match said.use_stderr() {
            true => Stream::Error,
            false => Stream::Output,
        },
    );
    let text = match stream.is_coloured() {
        true => text.ansi().to_string(),
        false => text.to_string(),
    };
    stream.print(text.as_bytes())
}

fn all(output: &mut impl Write, text: &[u8]) -> io::Result<()> {
    output.write_all(text)?;
    output.flush()
}

/// Both are one file.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
    false
}

/// A terminal, or nothing that keeps what is written.
#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device()
}

#[cfg(not(unix))]
fn is_device(_metadata: &Metadata) -> bool {
    true
}
