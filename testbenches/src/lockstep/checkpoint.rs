//! Checkpoints: how far a run is, written down from time to time, so that one that was broken off can be taken up again.
//!
//! ```text
//!   bit times   0 ........ 311 ........ 905 ........ 1460 ...  end
//!                           |            |            |
//!   folder             rank by rank a share each, then checkpoint.json in one step; older shares go
//! ```
//!
//! Between two bit times a machine is its registers and the place of its sequencer ([`rtl_model::machine::fabric::MidRun`]),
//! so a run that is taken up ends as one that was not interrupted: with the same registers and the same meters. It may be taken
//! up by another number of ranks than wrote it, if they hold whole tiles.

mod manifest;
mod share;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use rtl_model::machine::fabric::MidRun;
use rtl_model::machine::program::Readings;
use rtl_model::machine::share::Rank;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::error::checkpoint::Problem;
use crate::lockstep::simulation::Pauses;
use crate::options::CheckpointArguments;
use crate::ranks;
use manifest::{Manifest, put, share_name};
use share::{Measured, Place, Reading, Writing, checksum};

/// The first of so many parts of a run is looked at to know how long bit times take.
const FIRST_PART: u64 = 64;

/// The checkpoints of a run.
pub(super) struct Checkpoints {
    arguments: CheckpointArguments,
    machine: String,
    resumed: Option<Manifest>,
    rank: Rank,
    quiet: bool,
    /// Known when the machine is loaded.
    traffic: u64,
    before: Measured,
    pace: Pace,
}

/// How fast it goes.
struct Pace {
    /// From when on time counts towards the next checkpoint.
    since: Instant,
    /// The bit times that are being gone through, and when they began.
    stretch: (u64, Instant),
    /// Seconds that a bit time took, and how many were gone through at once.
    last: Option<(f64, u64)>,
    /// Seconds that bit times took in a run before.
    before: f64,
    /// Those of this one.
    spent: Duration,
}

impl Checkpoints {
    /// Those that were asked for, of a machine in words. What can be refused is refused here.
    ///
    /// # Errors
    /// [`Error::Checkpoint`], a folder that cannot be written.
    pub fn plan(
        arguments: &CheckpointArguments,
        machine: String,
        rank: &Rank,
        quiet: bool,
    ) -> Result<Self, Error> {
        let resumed = arguments.resume.as_deref().map(|folder| {
            let read = Manifest::read(folder, &machine);
            read.map_err(|problem| refused(folder, problem))
        });
        let resumed = ranks::agree(rank, resumed.transpose())?;
        if let Some(folder) = &arguments.checkpoint {
            let begun = match ranks::is_first() {
                true => begin_folder(folder),
                false => Ok(()),
            };
            ranks::agree(rank, begun)?;
            // Each writes into it.
            let written = put(folder, &share_name(0, rank.share().rank(), 0), |_| Ok(()));
            ranks::agree(rank, written.map_err(|reason| unwritable(folder, reason)))?;
            let is_shared = (0..rank.share().ranks())
                .all(|other| folder.join(share_name(0, other, 0)).exists());
            let all_see_all = match is_shared {
                true => Ok(()),
                false => Err(unwritable(folder, io::Error::other(NOT_SHARED))),
            };
            let agreed = ranks::agree(rank, all_see_all);
            _ = std::fs::remove_file(folder.join(share_name(0, rank.share().rank(), 0)));
            agreed?;
        }
        let now = Instant::now();
        Ok(Checkpoints {
            arguments: arguments.clone(),
            machine,
            rank: rank.clone(),
            quiet,
            traffic: 0,
            before: Measured::default(),
            pace: Pace {
                since: now,
                stretch: (0, now),
                last: None,
                before: resumed.as_ref().map_or(0.0, |manifest| manifest.seconds),
                spent: Duration::ZERO,
            },
            resumed,
        })
    }

    /// Of a machine that has been loaded: looks what with, and takes up the run that is to be resumed. Gives the bit time from
    /// which on ranks send each other what these do.
    ///
    /// # Errors
    /// [`Error::Checkpoint`]; [`Error::NoCheckpoints`] of a machine that has no program after all.
    pub fn look_at(&mut self, machine: &mut dyn Lockstep) -> Result<u64, Error> {
        let rank = self.rank.clone();
        let loaded = machine.mid_run().ok_or(Error::NoCheckpoints {
            option: self.arguments.asked().unwrap_or_default(),
            why: NO_PROGRAM,
        });
        let loaded = ranks::agree(&rank, loaded)?;
        let mut sum = [sum_of(machine, &loaded, first_tile(&rank, &loaded))];
        rank.sum(&mut sum);
        self.traffic = sum[0];
        let Some(manifest) = self.resumed.clone() else {
            return Ok(0);
        };
        let folder = self.arguments.resume.clone().unwrap_or_default();
        let taken_up = self.take_up(machine, &manifest, (&folder, &loaded));
        let taken_up = taken_up.map_err(|problem| refused(&folder, problem));
        ranks::agree(&rank, taken_up)?;
        if !self.quiet && ranks::is_first() {
            // Where nobody can read it, it is no loss.
            _ = writeln!(
                io::stderr(),
                "note: goes on from bit time {} of {}, as {} has it",
                manifest.bit_time,
                machine.device().bit_times().value,
                folder.display()
            );
        }
        self.pace.since = Instant::now();
        let ranks = rank.share().ranks();
        if manifest.shares.len() != ranks {
            return Ok(manifest.bit_time);
        }
        // The first knows what all have sent: each as much as every other.
        let mut sent = self.before.sent.map(|sent| sent / ranks as u64);
        rank.sum(&mut sent);
        rank.has_sent(sent[0], sent[1]);
        Ok(0)
    }

    fn take_up(
        &mut self,
        machine: &mut dyn Lockstep,
        manifest: &Manifest,
        (folder, loaded): (&Path, &MidRun),
    ) -> Result<(), Problem> {
        let here = self.rank.share();
        let (ranks, there) = (here.ranks(), manifest.shares.len());
        let lies_alike = manifest.words_of_plane == loaded.words_of_plane
            && manifest.tiles * there == loaded.tiles * ranks;
        if !lies_alike {
            return Err(Problem::Ranks { of: there });
        }
        let of = u64::from_str_radix(&manifest.traffic, 16).unwrap_or_default();
        if of != self.traffic {
            return Err(Problem::Traffic {
                of: manifest.traffic.clone(),
                here: in_digits(self.traffic),
            });
        }
        let now = machine.begin_at(manifest.bit_time);
        let now = now.filter(|now| as_text(&now.has_plane) == manifest.registers);
        let Some(now) = now else {
            return Err(Problem::Unreadable {
                reason: "its registers are not those of its bit time".to_owned(),
            });
        };
        let place = Place {
            traffic: self.traffic,
            bit_time: manifest.bit_time,
        };
        let first = first_tile(&self.rank, &now);
        let tiles = first..first + now.tiles;
        for (number, file) in manifest.shares.iter().enumerate() {
            let broken = |reason| Problem::Share {
                file: file.clone(),
                reason,
            };
            let of_file = number * manifest.tiles..(number + 1) * manifest.tiles;
            let own = tiles.start.max(of_file.start)..tiles.end.min(of_file.end);
            // What all have measured together goes to the first.
            if own.is_empty() && here.rank() > 0 {
                continue;
            }
            let opened = Reading::open(&folder.join(file), place, number, now.words_of_tile());
            let (mut reading, measured) = opened.map_err(broken)?;
            if here.rank() == 0 {
                self.before.include(&measured);
            }
            for tile in own {
                let words = reading.tile(tile - of_file.start, tile).map_err(broken)?;
                machine.replace_tile(tile - first, &words);
            }
        }
        Ok(())
    }

    /// Writes one, whole or not at all.
    fn write(&self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        let Some(folder) = &self.arguments.checkpoint else {
            return Ok(());
        };
        let share = self.rank.share();
        let now = machine.mid_run().ok_or(Error::NoCheckpoints {
            option: "--checkpoint",
            why: NO_PROGRAM,
        });
        let now = ranks::agree(&self.rank, now)?;
        let measured = Measured {
            readings: readings.words(),
            sent: [self.rank.words_sent(), self.rank.exchanges()],
        };
        let place = Place {
            traffic: self.traffic,
            bit_time: now.bit_time,
        };
        let name = share_name(now.bit_time, share.rank(), share.ranks());
        let written = put(folder, &name, |file| {
            let mut writing = Writing::begin(file, place, (share.rank(), &measured))?;
            let (mut words, first) = (Vec::new(), first_tile(&self.rank, &now));
            for tile in 0..now.tiles {
                words.clear();
                machine.copy_tile(tile, &mut words);
                writing.tile(first + tile, &words)?;
            }
            writing.end().map(|_| ())
        });
        let unwritable = |reason| unwritable(folder, reason);
        ranks::agree(&self.rank, written.map_err(unwritable))?;
        let names = (0..share.ranks()).map(|rank| share_name(now.bit_time, rank, share.ranks()));
        let manifest = Manifest {
            version: Manifest::version(),
            machine: self.machine.clone(),
            traffic: in_digits(self.traffic),
            bit_time: now.bit_time,
            seconds: self.pace.before + self.pace.spent.as_secs_f64(),
            registers: as_text(&now.has_plane),
            words_of_plane: now.words_of_plane,
            tiles: now.tiles,
            shares: names.collect(),
        };
        let described = match share.rank() {
            0 => manifest.write(folder).map_err(unwritable),
            _ => Ok(()),
        };
        ranks::agree(&self.rank, described)?;
        if share.rank() == 0 {
            manifest.tidy(folder);
        }
        Ok(())
    }
}

impl Pauses for Checkpoints {
    fn begin(&mut self, readings: &Readings) -> Duration {
        readings.include(&self.before.readings);
        Duration::from_secs_f64(self.pace.before)
    }

    fn until(&mut self, machine: &dyn Lockstep) -> u64 {
        let now = machine.bit_time();
        if self.arguments.checkpoint.is_none() {
            return u64::MAX;
        }
        let every = self.arguments.seconds();
        let left = (every - self.pace.since.elapsed().as_secs_f64()).max(0.0);
        let stretch = match self.pace.last {
            None => machine.device().bit_times().value / FIRST_PART,
            // Later bit times may take longer than those that were looked at.
            Some((seconds, last)) => ((left / seconds.max(1e-9)) as u64).min(2 * last),
        };
        let mut stretch = [stretch.max(1)];
        self.rank.most(&mut stretch);
        self.pace.stretch = (now, Instant::now());
        now.saturating_add(stretch[0])
    }

    fn at(&mut self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        let (from, begun) = self.pace.stretch;
        let (took, bit_times) = (begun.elapsed(), (machine.bit_time() - from).max(1));
        self.pace.spent += took;
        self.pace.last = Some((took.as_secs_f64() / bit_times as f64, bit_times));
        let every = self.arguments.seconds();
        // A little earlier rather than much later.
        let is_due = self.pace.since.elapsed().as_secs_f64() >= 0.9 * every;
        if !self.rank.any(is_due) {
            return Ok(());
        }
        match self.write(machine, readings) {
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) if ranks::is_first() => {
                // What was written before is still there, and the run goes on.
                _ = writeln!(
                    io::stderr(),
                    "note: no checkpoint at bit time {}: {error}",
                    machine.bit_time()
                );
            }
            _ => {}
        }
        self.pace.since = Instant::now();
        Ok(())
    }
}

impl Measured {
    /// That of several shares together.
    fn include(&mut self, other: &Measured) {
        let [live, most] = &mut self.readings;
        let [more_live, more_most] = &other.readings;
        live.resize(live.len().max(more_live.len()), 0);
        most.resize(most.len().max(more_most.len()), 0);
        for (live, more) in live.iter_mut().zip(more_live) {
            *live += more;
        }
        for (most, more) in most.iter_mut().zip(more_most) {
            *most = (*most).max(*more);
        }
        for (sent, more) in self.sent.iter_mut().zip(other.sent) {
            *sent += more;
        }
    }
}

/// Why a run that ticks has no checkpoints.
pub(super) const NO_PROGRAM: &str = "it goes bit time by bit time, and not as a program";

const NOT_SHARED: &str =
    "the ranks do not see each other's files there: give a folder that all of them share";

fn refused(folder: &Path, problem: Problem) -> Error {
    Error::Checkpoint {
        folder: folder.to_owned(),
        problem,
    }
}

fn unwritable(folder: &Path, reason: io::Error) -> Error {
    Error::Unwritable {
        path: folder.to_owned(),
        reason,
    }
}

/// A folder that may have to be made, but not those above it.
fn begin_folder(folder: &Path) -> Result<(), Error> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made.map_err(|reason| unwritable(folder, reason)),
    }
}

/// The number that the first tile of a share has in the whole machine.
fn first_tile(rank: &Rank, of: &MidRun) -> usize {
    rank.share().rank() * of.tiles
}

/// Of all registers of a share: the sum over its tiles, so that those of other shares can be added.
fn sum_of(machine: &dyn Lockstep, of: &MidRun, first: usize) -> u64 {
    let place = Place {
        traffic: 0,
        bit_time: of.bit_time,
    };
    let mut words = Vec::new();
    (0..of.tiles).fold(0_u64, |sum, tile| {
        words.clear();
        machine.copy_tile(tile, &mut words);
        sum.wrapping_add(checksum(place, (first + tile) as u64, &words))
    })
}

fn in_digits(sum: u64) -> String {
    format!("{sum:016x}")
}

fn as_text(has_plane: &[bool]) -> String {
    let digits = has_plane.iter().map(|has| if *has { '1' } else { '0' });
    digits.collect()
}

#[cfg(test)]
mod tests;
