//! What a run has on disk that must not outlast it: partial files and folders. Each goes when it is dropped; and all of them at
//! once when the process ends where it stands, because of a signal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// What there is at this moment. Whoever makes, renames or removes such a thing holds it meanwhile.
static ALL: Mutex<Vec<(PathBuf, Kind)>> = Mutex::new(Vec::new());

/// Files of the run that are complete and in their places, as they were asked for.
static PUT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<(PathBuf, Kind)>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file.
    File,
    /// A folder, with all that is in it.
    Folder,
    /// A folder that goes if nothing is in it.
    EmptyFolder,
}

impl Kind {
    fn remove(self, path: &Path) {
        // What cannot be taken away is taken over by the next run that writes there.
        _ = match self {
            Kind::File => fs::remove_file(path),
            Kind::Folder => fs::remove_dir_all(path),
            Kind::EmptyFolder => fs::remove_dir(path),
        };
    }
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    /// None once it is finished.
    kind: Option<Kind>,
}

impl Unfinished {
    /// Makes one: nothing, if `make` makes none.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn make<T>(
        path: &Path,
        kind: Kind,
        make: impl FnOnce() -> io::Result<Option<T>>,
    ) -> io::Result<Option<(Self, T)>> {
        let mut all = all();
        let Some(made) = make()? else {
            return Ok(None);
        };
        all.push((path.to_owned(), kind));
        let unfinished = Unfinished {
            path: path.to_owned(),
            kind: Some(kind),
        };
        Ok(Some((unfinished, made)))
    }

    /// One that is there already.
    pub fn of(path: &Path, kind: Kind) -> Self {
        all().push((path.to_owned(), kind));
        Unfinished {
            path: path.to_owned(),
            kind: Some(kind),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it into its place: it is finished.
    ///
    /// # Errors
    /// What the system says; nothing is left of it then.
    pub fn put(mut self, place: &Path) -> io::Result<()> {
        let mut all = all();
        let renamed = fs::rename(&self.path, place);
        if renamed.is_ok() {
            self.kind = None;
            all.retain(|(path, _)| *path != self.path);
        }
        drop(all);
        renamed
    }

    /// It stays as it is.
    pub fn keep(mut self) {
        self.kind = None;
        all().retain(|(path, _)| *path != self.path);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(kind) = self.kind {
            let mut all = all();
            kind.remove(&self.path);
            all.retain(|(path, _)| *path != self.path);
        }
    }
}

/// Takes all of them away, and lets nobody make or finish another: the process ends. Waits half a second at the most.
pub(crate) fn remove_all() {
    /// Somebody may hold them who hangs in the system, or they are gone already.
    const TRIES: usize = 50;
    for _ in 0..TRIES {
        let mut all = match ALL.try_lock() {
            Ok(all) => all,
            Err(TryLockError::Poisoned(all)) => all.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(Duration::from_millis(10));
                continue;
            }
        };
        for (path, kind) in all.drain(..).rev() {
            kind.remove(&path);
        }
        std::mem::forget(all);
        return;
    }
}

/// A file of the run is complete and in its place.
pub(crate) fn has_put(path: &Path) {
    let mut put = PUT.lock().unwrap_or_else(PoisonError::into_inner);
    put.push(path.to_owned());
}

/// All of them, with commas between.
pub(crate) fn all_put() -> String {
    let put = PUT.lock().unwrap_or_else(PoisonError::into_inner);
    let shown: Vec<String> = put.iter().map(|path| path.display().to_string()).collect();
    shown.join(", ")
}
