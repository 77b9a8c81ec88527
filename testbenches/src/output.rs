//! Files that appear whole or not at all: written under another name beside their place (`partial`), renamed when
//! complete, gone if the run ends early (`unfinished`). What they replace keeps its permissions. A file that standard output goes
//! to is never replaced: what is one text may be printed there, all else is refused. So it is with pipes and devices.

mod colour;
pub(crate) mod partial;
mod place;
mod stream;
pub(crate) mod unfinished;

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::refusal::{Refusal, unwritable};
use crate::error::{Error, shown_path};
use crate::interrupt;
use crate::output::partial::Partial;
pub(crate) use crate::output::place::{check_replaceable, keep_permissions};
use crate::output::place::{is_passing, partial_file, place_of};
pub(crate) use crate::output::stream::DASH;
pub use crate::output::stream::{Stream, print_of_clap, refuse, tell, visible_lines};

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
    /// That another file of a run is the same.
    pub fn keep(&mut self, path: &Path, what: &'static str) -> Result<(), Error> {
        match path.canonicalize() {
            Ok(place) => self.take(path, place, what),
            Err(_) => Ok(()), // reading it will say why not
        }
    }

    /// Where a file really stands, or will, and that it may be written there: for what is written as it comes, since it is to
    /// outlast a crash. Nothing is left there by this.
    ///
    /// # Errors
    /// As [`Staging::create`].
    pub fn outlasting(&mut self, path: &Path, what: &'static str) -> Result<PathBuf, Error> {
        let (place, _) = self.claim(path, what)?;
        Ok(place)
    }

    /// Begins a file that is to stand at `path`. A symbolic link is followed.
    ///
    /// # Errors
    /// If it could not be put there, if another file is to stand there, or is read from there, if standard output or standard
    /// error goes there.
    pub fn create(&mut self, path: &Path, what: &'static str) -> Result<Staged, Error> {
        let (place, file) = self.claim(path, what)?;
        Ok(Staged {
            path: path.to_owned(),
            written: Arc::default(),
            target: Target::File {
                place,
                file: BufWriter::with_capacity(1 << 18, file),
            },
        })
    }

    /// The place of a file that no other has, and a file beside it.
    fn claim(&mut self, path: &Path, what: &'static str) -> Result<(PathBuf, Partial), Error> {
        Stream::check_file(path, what)?;
        let place = place_of(path).map_err(unwritable(path))?;
        self.take(path, place.clone(), what)?;
        let file = partial_file(&place).map_err(unwritable(path))?;
        Ok((place, file))
    }

    /// The same of a file that is one text, and so may go to standard output (`-`) or standard error as well, or into a pipe or a
    /// device that stands there. The report then goes to the other of both streams ([`report_stream`]).
    ///
    /// # Errors
    /// As [`Staging::create`]; if both streams are one file.
    pub fn create_text(&mut self, path: &Path, what: &'static str) -> Result<Staged, Error> {
        let target = match Stream::of(path) {
            Some(stream) => {
                stream.check_apart(what)?;
                let takes_report = stream.other() == Stream::Error;
                REPORT_TO_ERROR.fetch_or(takes_report, Ordering::Relaxed);
                Target::Stream(stream)
            }
            None if is_passing(path) => {
                let opened = File::options().write(true).open(path);
                Target::Passing(opened.map_err(unwritable(path))?)
            }
            None => return self.create(path, what),
        };
        Ok(Staged {
            path: path.to_owned(),
            written: Arc::default(),
            target,
        })
    }

    fn take(&mut self, path: &Path, place: PathBuf, what: &'static str) -> Result<(), Error> {
        if let Some((_, first)) = self.taken.iter().find(|(taken, _)| *taken == place) {
            return Err(same_file(path, [first, what]));
        }
        self.taken.push((place, what));
        Ok(())
    }
}

/// One file for two purposes.
pub(crate) fn same_file(path: &Path, [first, second]: [&str; 2]) -> Error {
    let path = shown_path(path);
    Refusal::of(format!("{path} cannot be both {first} and {second}")).into()
}

/// The report goes to standard error, since a text goes to standard output.
static REPORT_TO_ERROR: AtomicBool = AtomicBool::new(false);

/// Nothing is said but what is wrong.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on nothing is said but what is wrong: no notes, and not how far work is.
pub(crate) fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether nothing is to be said but what is wrong.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Says something of a run on standard error, unless nobody wants to hear it, or the report goes there.
pub(crate) fn note(what: &str) {
    if !is_quiet() && !REPORT_TO_ERROR.load(Ordering::Relaxed) {
        tell(format_args!("note: {what}"));
    }
}

/// The stream that a report goes to: not the one that a text goes to.
pub fn report_stream(text: Option<&Path>) -> Stream {
    text.and_then(Stream::of)
        .map_or(Stream::Output, Stream::other)
}

/// A file on its way, or a text that goes to a stream.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    written: Arc<AtomicU64>,
    target: Target,
}

#[derive(Debug)]
enum Target {
    File {
        place: PathBuf,
        file: BufWriter<Partial>,
    },
    /// Written when the run is over, so nothing need be kept back.
    Stream(Stream),
    /// A pipe or a device, for which the same holds.
    Passing(File),
}

impl Staged {
    /// How many bytes have been written so far.
    pub fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    /// Where the file will stand, as it was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// If that fails; [`Error::Interrupted`]. Nothing is left of it then.
    pub fn commit(self) -> Result<PathBuf, Error> {
        interrupt::check()?;
        let put = match self.target {
            Target::Stream(_) | Target::Passing(_) => return Ok(self.path),
            Target::File { place, file } => (file.into_inner())
                .map_err(|error| error.into_error())
                .and_then(|file| file.put(&place)),
        };
        put.map_err(unwritable(&self.path))?;
        unfinished::has_put(&self.path);
        Ok(self.path)
    }
}

impl Seek for Staged {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match &mut self.target {
            Target::File { file, .. } => file.seek(position),
            Target::Stream(_) | Target::Passing(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.written).fetch_add(bytes.len() as u64, Ordering::Relaxed);
        match &mut self.target {
            Target::File { file, .. } => file.write(bytes),
            Target::Stream(stream) => {
                stream.print(bytes)?;
                Ok(bytes.len())
            }
            Target::Passing(file) => match file.write(bytes) {
                // A reader that has gone away is no error.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
                written => written,
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::File { file, .. } => file.flush(),
            Target::Stream(_) | Target::Passing(_) => Ok(()),
        }
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
        for (special, why) in [
            (
                folder.path(),
                "a folder of that name is there: give a file in it, or another name",
            ),
            (
                Path::new("/dev/zero"),
                "something is there that is no ordinary file, which another cannot take the place of: give the name of a file",
            ),
        ] {
            let refused = format!("cannot write {}: {why}", special.display());
            assert_eq!(refusal(special), Some(refused));
        }
    }

    /// Whatever name a file may have, its partial file can have one too: another than that of a name that begins alike.
    #[test]
    fn the_longest_names_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a", "b"].map(|last| "n".repeat(250) + last + ".vcd");
        let staged = names.each_ref().map(|name| {
            let mut staged = create(&folder.path().join(name)).unwrap();
            staged.write_all(name.as_bytes()).unwrap();
            staged
        });
        for staged in staged {
            staged.commit().unwrap();
        }
        assert_eq!(files(folder.path()), names);
        for name in &names {
            let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
            assert_eq!(text, *name);
        }
    }

    #[test]
    fn a_file_that_is_being_written_is_no_place_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.vcd");
        let first = create(&path).unwrap();
        let refusal = create(&path).unwrap_err().to_string();
        assert!(
            refusal.ends_with(
                "another run is writing it: wait until that is over, or give this one another name"
            ),
            "{refusal}"
        );
        drop(first);
        create(&path).unwrap().commit().unwrap();
        assert_eq!(files(folder.path()), ["run.vcd"]);
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

    /// Whoever may read or write a file may read or write what replaces it, and nobody else.
    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.csv");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o7777;
        create(&path).unwrap().commit().unwrap();
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        assert_eq!(mode(&path), mode(&plain), "a new file is as any other");
        for kept in [0o600, 0o664, 0o640, 0o666, 0o200] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(kept)).unwrap();
            let staged = create(&path).unwrap();
            for entry in std::fs::read_dir(folder.path()).unwrap() {
                let path = entry.unwrap().path();
                let is_partial = path.extension().is_some_and(|ending| ending == "partial");
                assert!(
                    !is_partial || mode(&path) == kept,
                    "while it is written too"
                );
            }
            staged.commit().unwrap();
            assert_eq!(mode(&path), kept, "{kept:o}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_write_protected_file_is_not_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.csv");
        std::fs::write(&path, "mine").unwrap();
        for mode in [0o444, 0o400, 0o464, 0o466] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            let refusal = create(&path).unwrap_err().to_string();
            let why = "the file that is there is write-protected: unprotect it (chmod u+w), or give another name";
            assert!(refusal.ends_with(why), "{mode:o}: {refusal}");
        }
        assert_eq!(files(folder.path()), ["mine.csv"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }

    /// As shells do it. The file beside it is where the link leads.
    #[cfg(unix)]
    #[test]
    fn a_link_to_what_is_not_there_yet_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("inside")).unwrap();
        symlink("second", path("first")).unwrap();
        symlink("inside/real.csv", path("second")).unwrap();
        let staged = create(&path("first")).unwrap();
        assert_eq!(files(&path("inside")), [".real.csv.partial"]);
        staged.commit().unwrap();
        assert!(path("first").is_symlink() && path("second").is_symlink());
        assert_eq!(files(&path("inside")), ["real.csv"]);
        symlink("circle", path("circle")).unwrap();
        let refusal = create(&path("circle")).unwrap_err().to_string();
        assert!(refusal.ends_with("and to no end"), "{refusal}");
    }

    #[cfg(unix)]
    #[test]
    fn a_text_goes_into_a_device_and_leaves_it_there() {
        use std::os::unix::fs::FileTypeExt;
        let null = Path::new("/dev/null");
        let mut staged = Staging::default().create_text(null, "a test").unwrap();
        staged.write_all(b"text").unwrap();
        staged.commit().unwrap();
        assert!(null.metadata().unwrap().file_type().is_char_device());
        let full = Path::new("/dev/full");
        let mut staged = Staging::default().create_text(full, "a test").unwrap();
        let reason = staged.write_all(b"text").unwrap_err();
        assert_eq!(reason.kind(), io::ErrorKind::StorageFull);
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
