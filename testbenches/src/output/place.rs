//! Where a file is to stand, and the file beside it that is to take its place.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Where a file of that name really stands, or would.
pub(super) fn place_of(path: &Path) -> io::Result<PathBuf> {
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
pub(super) fn partial_file(place: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name().unwrap_or_default());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".partial");
    let replaced = place.metadata().ok();
    #[cfg(unix)]
    {
        // As any new file; the process's mask takes away what the user does not want. What is to be like another file is
        // nobody else's until it is.
        use std::os::unix::fs::PermissionsExt;
        let mode = if replaced.is_some() { 0o600 } else { 0o666 };
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    let folder = place.parent().unwrap_or(Path::new("."));
    // Without the name of the file that was tried, which nobody asked for.
    let bare = |error: io::Error| io::Error::from(error.kind());
    let file = builder.tempfile_in(folder).map_err(bare)?;
    if let Some(replaced) = replaced {
        keep_permissions(file.as_file(), &replaced)?;
    }
    Ok(file)
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
