//! Files that a run reads, in one process or on several ranks that share a machine.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crc::{CRC_64_XZ, Crc, Digest, Table};
use rtl_model::csv_file::visible;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::share::Rank;
use rtl_model::traffic::file::precedence;

use crate::error::refusal::{Refusal, unreadable};
use crate::error::{Error, shown_path};
use crate::interrupt;
use crate::output::{DASH, Staging};
use crate::ranks;

/// A file that a run reads.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Where it is; `-` is standard input.
    pub path: &'a Path,
    /// What it holds, as in "the traffic".
    pub what: &'static str,
}

/// The files of a run, among which are those that it reads.
///
/// # Errors
/// None of its own.
pub fn staging_beside(inputs: &[Input<'_>]) -> Result<Staging, Error> {
    let mut staging = Staging::default();
    for input in inputs {
        if input.path.as_os_str() != DASH {
            staging.keep(input.path, input.what)?;
        }
    }
    Ok(staging)
}

/// What a traffic file is called.
pub(crate) fn file_name(path: &Path) -> String {
    match path.as_os_str() == DASH {
        true => "standard input".to_owned(),
        false => visible(&path.display().to_string()),
    }
}

/// Refuses what several ranks cannot read, each of them all of it: standard input, and what is no file but read once only.
///
/// # Errors
/// Such a file, where there are several ranks.
pub(crate) fn check_reaches_all(path: &Path) -> Result<(), Error> {
    let ranks = ranks::share().ranks();
    let refused = |whom: &str| {
        let name = file_name(path);
        Refusal::of(format!("{name} reaches {whom} of {ranks} ranks only"))
            .instead("write what it has to a file that all ranks can read, and give its name")
    };
    match path.as_os_str() == DASH {
        _ if ranks == 1 => Ok(()),
        true => Err(refused("the first").into()),
        false => match path.metadata() {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Err(refused("one").into()),
            // Whether it can be read shows when it is opened.
            _ => Ok(()),
        },
    }
}

/// Opens a file that is read; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, or that not all ranks can read.
pub(crate) fn open_file(path: &Path) -> Result<Box<dyn Read>, Error> {
    check_reaches_all(path)?;
    if path.as_os_str() == DASH {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(unreadable(path))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(unreadable(path)(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(file))
}

/// All of a file that is read as a text.
///
/// # Errors
/// Those of [`open_file`]; a file that is no text.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let read = open_file(path)?.read_to_string(&mut text);
    read.map_err(unreadable(path))?;
    Ok(text)
}

/// Reads a traffic file, of which `read` is given the name for its errors. Where ranks share a machine, all of them come here, each
/// reads all of the file, and each comes to the same: what is wrong with the file is what one process would say.
///
/// # Errors
/// Those of [`open_file`], of any rank; those of `read`; another file than the first rank reads.
pub(crate) fn read_traffic_file<T>(
    path: &Path,
    read: impl FnOnce(&str, &mut dyn Read) -> Result<T, ModelError>,
) -> Result<T, Error> {
    let name = file_name(path);
    let rank = ranks::here();
    let mut input = ranks::agree(&rank, open_file(path))?;
    match rank.others() {
        None => Ok(read(&name, &mut input)?),
        Some(_) => read_together(&rank, path, input, |input| read(&name, input)),
    }
}

/// The same, on several ranks.
fn read_together<T>(
    rank: &Rank,
    path: &Path,
    input: impl Read,
    read: impl FnOnce(&mut dyn Read) -> Result<T, ModelError>,
) -> Result<T, Error> {
    let mut input = Passing {
        input,
        digest: CRC.digest(),
        broken: None,
    };
    let here = read(&mut input).map_err(Error::from);
    // Another rank may read on where this one has met an error.
    let rest = io::copy(&mut input, &mut io::sink());
    // Who is interrupted ends all ranks.
    interrupt::check()?;
    let broken = input.broken.or(rest.err());
    let whole = broken.map_or(Ok(()), Err).map_err(unreadable(path));
    ranks::agree(rank, whole)?;
    let digest = input.digest.finalize();
    let mut of_first = [if rank.share().rank() == 0 { digest } else { 0 }];
    rank.sum(&mut of_first);
    let same = match of_first == [digest] {
        true => Ok(()),
        false => Err(Refusal::of(format!(
            "{} is not there what the first rank reads",
            shown_path(path)
        ))
        .instead("give all ranks the same file")
        .into()),
    };
    ranks::agree(rank, same)?;
    ranks::agree_first(rank, here, |error| match error {
        Error::Model(error) => precedence(error),
        _ => None,
    })
}

const CRC: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// What passes by: a checksum of it, and what has broken it off.
struct Passing<R> {
    input: R,
    digest: Digest<'static, u64, Table<16>>,
    broken: Option<io::Error>,
}

impl<R: Read> Read for Passing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if interrupt::check().is_err() {
            return Err(io::Error::other("interrupted"));
        }
        let read = self.input.read(buffer);
        match &read {
            Ok(length) => self.digest.update(&buffer[..*length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let again = io::Error::new(error.kind(), error.to_string());
                self.broken.get_or_insert(again);
            }
        }
        read
    }
}

#[cfg(test)]
mod tests;
