//! Ranks: processes that share one machine, started together by `mpirun` or the like.
//!
//! ```text
//!   mpirun -n 4 cubewave run kuszmaul ...
//!       |
//!       +-- rank 0   reads, refuses, reports, writes files        each holds a share of the nodes
//!       +-- rank 1 .. 3   do the same work and say nothing
//! ```
//!
//! In a sweep they share its points instead ([`each_alone`]): every process runs whole machines, and hands over rows
//! ([`mod@line`]). Without the feature `mpi` there is one rank, and nothing of this is linked.

#[cfg(any(feature = "mpi", test))]
mod asked;
pub mod line;
#[cfg(feature = "mpi")]
mod mpi;
#[cfg(any(feature = "mpi", test))]
mod signs;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rtl_model::machine::share::{Communicator, Rank, Share};

use crate::error::Error;
use crate::error::refusal::Refusal;

/// This process among those that were started with it.
struct ThisRank {
    rank: usize,
    ranks: usize,
    exchange: Arc<dyn Communicator>,
}

impl ThisRank {
    /// The share of a machine that they would have.
    fn share(&self) -> Result<Share, rtl_model::error::Error> {
        Share::new(self.rank, self.ranks)
    }
}

/// Where there are several.
static PLACE: OnceLock<ThisRank> = OnceLock::new();

/// Whether each of them runs machines of its own.
static EACH_ALONE: AtomicBool = AtomicBool::new(false);

/// Where there are several that share a machine.
fn shared() -> Option<&'static ThisRank> {
    (PLACE.get()).filter(|_| !EACH_ALONE.load(Ordering::Relaxed))
}

/// What a starter of processes says of one in its environment: how many there are, which this is.
const STARTERS: [[&str; 2]; 2] = [
    ["OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"],
    ["PMI_SIZE", "PMI_RANK"],
];

/// How many processes were started together, and which of them this is.
fn started() -> (usize, usize) {
    let number = |name| std::env::var(name).ok()?.parse().ok();
    let started = STARTERS
        .iter()
        .find_map(|[size, rank]| Some((number(size)?, number(rank)?)));
    started.unwrap_or((1, 0))
}

/// Whether this was started by what starts processes together, be it alone. What it prints goes through that, though it looks like a
/// terminal from here.
pub fn is_started() -> bool {
    let mut names = STARTERS.iter().flatten();
    names.any(|name| std::env::var_os(name).is_some())
}

/// Meets the others, if there are any, and compares with them what this process was asked for.
///
/// # Errors
/// Several, where MPI is not built in; if they were not asked for the same.
pub fn begin() -> Result<(), Error> {
    let (ranks, rank) = started();
    if ranks < 2 {
        return Ok(());
    }
    join(ranks, rank)
}

#[cfg(not(feature = "mpi"))]
fn join(ranks: usize, _rank: usize) -> Result<(), Error> {
    Err(Refusal::of(format!(
        "{ranks} processes were started together, and this cubewave is built without MPI, by which they would meet"
    ))
    .instead(
        "install Open MPI (Debian: apt-get install libopenmpi-dev openmpi-bin libclang-dev) and build with `--features mpi`",
    )
    .into())
}

#[cfg(feature = "mpi")]
fn join(ranks: usize, rank: usize) -> Result<(), Error> {
    use rtl_model::machine::memory;

    let exchange = mpi::begin()?;
    let on_this_machine = std::env::var("OMPI_COMM_WORLD_LOCAL_SIZE").ok();
    let on_this_machine = on_this_machine.and_then(|number| number.parse().ok());
    memory::shared_by(on_this_machine.unwrap_or(1));
    let rank = rank.min(ranks - 1);
    let words = std::env::args_os().skip(1);
    let asked = asked::written(env!("CARGO_PKG_VERSION"), words);
    let compared = asked::compare(&*exchange, (rank, ranks), &asked);
    _ = PLACE.set(ThisRank {
        rank,
        ranks,
        exchange,
    });
    compared
}

/// Refuses a number of ranks that cannot share a machine.
///
/// # Errors
/// It is no power of two.
pub fn check_number() -> Result<(), Error> {
    if let Some(place) = shared() {
        place.share()?;
    }
    Ok(())
}

/// From now on each process runs machines of its own: [`here`] and [`share`] say so. Gives what it hands words over by, if there
/// are others.
pub fn each_alone() -> Option<line::Line> {
    EACH_ALONE.store(true, Ordering::Relaxed);
    line()
}

#[cfg(not(feature = "mpi"))]
fn line() -> Option<line::Line> {
    None
}

#[cfg(feature = "mpi")]
fn line() -> Option<line::Line> {
    (PLACE.get()).map(|place| mpi::post::begin(place.rank, place.ranks))
}

/// From now on this process works alone, on what the others have no part in: [`here`] and [`share`] say so.
pub fn alone() {
    EACH_ALONE.store(true, Ordering::Relaxed);
}

/// Says that another process is lost, so that parting from all of them would take for ever: [`end`] then goes without.
pub fn one_is_lost() {
    #[cfg(feature = "mpi")]
    mpi::one_is_lost();
}

/// This rank, with nothing sent so far.
pub fn here() -> Rank {
    match shared() {
        Some(place) => Rank::among(share(), Arc::clone(&place.exchange)),
        None => Rank::alone(),
    }
}

/// Which share of a machine this process holds, of a number of ranks that [can share one](check_number).
pub fn share() -> Share {
    let share = shared().and_then(|place| place.share().ok());
    share.unwrap_or(Share::WHOLE)
}

/// Which of the processes that were started together this is.
pub fn number() -> usize {
    started().1
}

/// Whether this is the one that reports: the first, or the only one.
pub fn is_first() -> bool {
    number() == 0
}

/// What all ranks come to, who all come here: if it is an error on any of them, it is one on each. The first then has its
/// own, or that of the first that has one; the others have [`Error::ReportedElsewhere`].
///
/// # Errors
/// Where there is one rank, as it is; otherwise [`Error::Agreed`], of the first rank's error or of what another says.
pub fn agree<T>(rank: &Rank, here: Result<T, Error>) -> Result<T, Error> {
    agree_first(rank, here, |_| None)
}

/// The same where errors may have a precedence, such as the lines of a file that all ranks read: the one with the least number is
/// then that of all ranks together, and the first says it as its own. One that has none comes before all that have.
///
/// # Errors
/// As [`agree`]; [`Error::Agreed`] of what all have met together.
pub fn agree_first<T>(
    rank: &Rank,
    here: Result<T, Error>,
    precedence: impl Fn(&Error) -> Option<u64>,
) -> Result<T, Error> {
    let Some(others) = rank.others() else {
        return here;
    };
    let (number, ranks) = (rank.share().rank(), rank.share().ranks());
    let weight = match here.as_ref().map_err(precedence) {
        Ok(_) => 0,
        Err(None) => u64::MAX,
        Err(Some(place)) => u64::MAX - 1 - place,
    };
    let mut heaviest = [weight];
    rank.most(&mut heaviest);
    if heaviest == [0] {
        return here;
    }
    let is_it = heaviest == [weight];
    let mut failed = [if is_it { ranks - number } else { 0 } as u64];
    rank.most(&mut failed);
    let first = ranks - failed[0] as usize;
    let error = match here {
        Err(error) if number == first => error,
        _ if number == 0 => {
            let said = unpacked(&others.receive(first));
            let said = String::from_utf8_lossy(&said).into_owned();
            match heaviest == [u64::MAX] {
                true => Refusal::of(format!("on rank {first}")).because(said),
                // As one process would say it.
                false => Refusal::why(said),
            }
            .into()
        }
        _ => return Err(Error::ReportedElsewhere),
    };
    if number == 0 {
        return Err(Error::Agreed(Box::new(error)));
    }
    others.send(0, &packed(error.to_string().as_bytes()));
    Err(Error::ReportedElsewhere)
}

/// Words as ranks hand them over: 8 bytes each, behind the number of bytes.
fn packed(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.chunks(size_of::<u64>()).map(|chunk| {
        let mut word = [0; size_of::<u64>()];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    std::iter::once(bytes.len() as u64).chain(words).collect()
}

/// The bytes that were [packed].
fn unpacked(words: &[u64]) -> Vec<u8> {
    let (length, words) = words.split_first().unwrap_or((&0, &[]));
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(*length as usize);
    bytes
}

/// Refuses several ranks.
///
/// # Errors
/// With the reason.
pub fn require_one(what: &'static str, why: &'static str) -> Result<(), Error> {
    match share().ranks() {
        1 => Ok(()),
        ranks => Err(
            Refusal::of(format!("{what} cannot be had on {ranks} ranks"))
                .because(why)
                .instead("run it on one")
                .into(),
        ),
    }
}

/// Parts from the others; all ranks come here at the end.
pub fn end() {
    #[cfg(feature = "mpi")]
    mpi::end();
}

/// Ends all ranks, because of an error here. The first is given time to say it first: mostly all have the same.
pub fn abort(status: u8, say: impl FnOnce()) {
    #[cfg(not(feature = "mpi"))]
    if is_first() {
        let _ = status;
        say();
    }
    #[cfg(feature = "mpi")]
    {
        if !is_first() {
            std::thread::sleep(std::time::Duration::from_secs(3));
        }
        say();
        mpi::abort(status);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_handed_over_whole() {
        for length in 0..20 {
            let bytes: Vec<u8> = (1..=length).collect();
            assert_eq!(unpacked(&packed(&bytes)), bytes);
        }
    }
}
