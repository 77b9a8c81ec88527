//! Where a file is to stand, and the file beside it that is to take its place.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::output::partial::Partial;

/// Links that are followed one after another; systems follow as many.
const MOST_LINKS: usize = 40;

/// Where a file of that name really stands, or would. The last of several symbolic links may lead to where nothing is yet.
pub(super) fn place_of(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return place_without_links(&path),
        }
    }
    Err(refused(
        io::ErrorKind::InvalidInput,
        "symbolic links lead from one to another there, and to no end".to_owned(),
    ))
}

fn refused(kind: io::ErrorKind, reason: String) -> io::Error {
    io::Error::new(kind, reason)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn place_without_links(path: &Path) -> io::Result<PathBuf> {
    if path.exists() && !path.is_file() {
        let reason = match path.is_dir() {
            true => "a folder of that name is there: give a file in it, or another name",
            false => {
                "something is there that is no ordinary file, which another cannot take the place of: give the name of a file"
            }
        };
        return Err(refused(io::ErrorKind::InvalidInput, reason.to_owned()));
    }
    let Some(name) = path.file_name() else {
        let reason = "this names no file".to_owned();
        return Err(refused(io::ErrorKind::InvalidInput, reason));
    };
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(refused(
            io::ErrorKind::NotFound,
            format!("there is no folder {}", folder.display()),
        ));
    }
    Ok(folder.canonicalize()?.join(name))
}

/// Whether what is written there passes on, and no file can be put in its place: a pipe, or a device such as `/dev/null`.
pub(super) fn is_passing(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let there = path.metadata().map(|there| there.file_type());
        there.is_ok_and(|there| there.is_fifo() || there.is_char_device())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// A file under another name, in the folder where it is to stand.
pub(super) fn partial_file(place: &Path) -> io::Result<Partial> {
    let replaced = place.metadata().ok();
    if let Some(replaced) = &replaced {
        check_replaceable(place, replaced)?;
    }
    // As any new file; the process's mask takes away what the user does not want. What is to be like another file is nobody
    // else's until it is.
    let mode = if replaced.is_some() { 0o600 } else { 0o666 };
    let partial = Partial::file(place, mode)?;
    if let Some(replaced) = replaced {
        keep_permissions(&partial.file, &replaced)?;
    }
    Ok(partial)
}

/// Refuses to replace a file that is protected from being written: by its own permissions, whoever asks, or from this user.
///
/// # Errors
/// With the reason.
pub(crate) fn check_replaceable(place: &Path, replaced: &Metadata) -> io::Result<()> {
    if replaced.permissions().readonly() || !owner_may_write(replaced) {
        return Err(refused(
            io::ErrorKind::PermissionDenied,
            "the file that is there is write-protected: unprotect it (chmod u+w), or give another name".to_owned(),
        ));
    }
    File::options().write(true).open(place).map(|_| ())
}

fn owner_may_write(file: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.permissions().mode() & 0o200 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

/// Gives a file the permissions of the one that it is to replace, and its owner if that is allowed.
pub(crate) fn keep_permissions(file: &File, replaced: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let (owner, group) = (replaced.uid(), replaced.gid());
        let now = file.metadata()?;
        if (now.uid(), now.gid()) != (owner, group) {
            // Only the system's keeper gives files away, and others may still do so within their groups.
            let _ =
                fchown(file, Some(owner), Some(group)).or_else(|_| fchown(file, None, Some(group)));
        }
        // Without what makes a program run as its owner.
        let mode = replaced.permissions().mode() & 0o777;
        file.set_permissions(std::fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, replaced);
        Ok(())
    }
}
