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
mod pace;
mod share;

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use rtl_model::machine::fabric::MidRun;
use rtl_model::machine::program::Readings;
use rtl_model::machine::share::Rank;
use rtl_model::machine::simulation::Lockstep;

use crate::error::refusal::{Refusal, unwritable};
use crate::error::{Error, shown_path};
use crate::interrupt;
use crate::lockstep::simulation::Pauses;
use crate::options::CheckpointArguments;
use crate::output::unfinished::{Kind, Unfinished};
use crate::output::{note, tell};
use crate::ranks;
use crate::report::quoted;
use manifest::{Manifest, put, share_name};
use pace::Pace;
use share::{Measured, Part, Reading, Writing, checksum};

/// The checkpoints of a run.
pub(super) struct Checkpoints {
    arguments: CheckpointArguments,
    /// The machine, in words, and what tells it from others that are described alike.
    machine: String,
    fingerprint: String,
    resumed: Option<Manifest>,
    rank: Rank,
    quiet: bool,
    /// Known when the machine is loaded.
    traffic: u64,
    before: Measured,
    /// The bit time from which on it is counted what ranks send.
    sends_since: u64,
    pace: Pace,
    /// Where they are written, as long as this is there.
    _folder: Option<CheckpointFolder>,
}

/// A folder that no other run writes checkpoints into. One that was made for them goes if it has stayed empty.
struct CheckpointFolder {
    /// It, if it was made.
    _made: Option<Unfinished>,
    _locked: Option<File>,
}

impl Checkpoints {
    /// Those that were asked for, of a machine in words, and its fingerprint. What can be refused is refused here.
    ///
    /// # Errors
    /// A checkpoint that cannot be taken up, a folder that cannot be written.
    pub fn plan(
        arguments: &CheckpointArguments,
        (machine, fingerprint): (String, u64),
        rank: &Rank,
        quiet: bool,
    ) -> Result<Self, Error> {
        let fingerprint = in_digits(fingerprint);
        let resumed = arguments.resume.as_deref().map(|folder| {
            let read = Manifest::read(folder, (&machine, &fingerprint));
            read.map_err(|refusal| refused(folder, refusal))
        });
        let resumed = ranks::agree(rank, resumed.transpose())?;
        let mut place = None;
        if let Some(folder) = &arguments.checkpoint {
            interrupt::leaves(format!(
                "no checkpoint had been written yet: one is every {} minutes, or as --every has it",
                arguments.seconds() / 60.0
            ));
            let begun = match rank.share().rank() {
                0 => CheckpointFolder::begin(folder, arguments.resume.as_deref()).map(Some),
                _ => Ok(None),
            };
            place = ranks::agree(rank, begun)?;
            every_rank_sees(folder, rank)?;
        }
        Ok(Checkpoints {
            arguments: arguments.clone(),
            machine,
            fingerprint,
            rank: rank.clone(),
            quiet,
            traffic: 0,
            before: Measured::default(),
            sends_since: 0,
            pace: Pace::new(
                arguments.seconds(),
                resumed.as_ref().map_or(0.0, |manifest| manifest.seconds),
            ),
            resumed,
            _folder: place,
        })
    }

    /// Of a machine that has been loaded: looks what with, and takes up the run that is to be resumed. Gives the bit time from
    /// which on ranks send each other what these do.
    ///
    /// # Errors
    /// A checkpoint that cannot be taken up; a machine that has no program after all.
    pub fn look_at(&mut self, machine: &mut dyn Lockstep) -> Result<u64, Error> {
        let rank = self.rank.clone();
        let option = self.arguments.asked().unwrap_or_default();
        let loaded = machine.mid_run().ok_or_else(|| cannot(option, NO_PROGRAM));
        let loaded = ranks::agree(&rank, loaded)?;
        let mut sum = [sum_of(machine, &loaded, first_tile(&rank, &loaded))];
        rank.sum(&mut sum);
        self.traffic = sum[0];
        let Some(manifest) = self.resumed.clone() else {
            return Ok(0);
        };
        let folder = self.arguments.resume.clone().unwrap_or_default();
        let taken_up = self.take_up(machine, &manifest, (&folder, &loaded));
        let taken_up = taken_up.map_err(|refusal| refused(&folder, refusal));
        ranks::agree(&rank, taken_up)?;
        self.leaves(&folder, manifest.bit_time, machine);
        if !self.quiet && ranks::is_first() {
            note(&format!(
                "goes on from bit time {} of {}, as {} has it",
                manifest.bit_time,
                machine.device().bit_times().value,
                folder.display()
            ));
        }
        self.pace.begin_again();
        let ranks = rank.share().ranks();
        if manifest.shares.len() != ranks {
            self.sends_since = manifest.bit_time;
            return Ok(self.sends_since);
        }
        // The first knows what all have sent: each as much as every other.
        let mut sent = self.before.sent.map(|sent| sent / ranks as u64);
        rank.sum(&mut sent);
        rank.has_sent(sent[0], sent[1]);
        self.sends_since = manifest.sends_since;
        Ok(self.sends_since)
    }

    fn take_up(
        &mut self,
        machine: &mut dyn Lockstep,
        manifest: &Manifest,
        (folder, loaded): (&Path, &MidRun),
    ) -> Result<(), Refusal> {
        let here = self.rank.share();
        let (ranks, there) = (here.ranks(), manifest.shares.len());
        let lies_alike = manifest.words_of_plane == loaded.words_of_plane
            && manifest.tiles * there == loaded.tiles * ranks;
        if !lies_alike {
            let wrote = match there {
                1 => "one process".to_owned(),
                _ => format!("{there} ranks"),
            };
            return Err(Refusal::why(format!(
                "{wrote} wrote it, and shares of so small a machine cannot be put together for another number"
            ))
            .instead("take as many, or begin anew"));
        }
        let (its, own) = (&manifest.traffic, in_digits(self.traffic));
        if *its != own {
            return Err(Refusal::why("its run had other traffic").instead(format!(
                "give the options or the file with which it began (its first registers have the checksum {its}, those of this one \
                 {own})"
            )));
        }
        let now = machine.begin_at(manifest.bit_time);
        let now = now.filter(|now| as_text(&now.has_plane) == manifest.registers);
        let Some(now) = now else {
            let others = "its registers are not those of its bit time";
            return Err(manifest::unreadable(others));
        };
        let place = Part {
            traffic: self.traffic,
            bit_time: manifest.bit_time,
        };
        let first = first_tile(&self.rank, &now);
        let tiles = first..first + now.tiles;
        for (number, file) in manifest.shares.iter().enumerate() {
            let broken = |reason: String| Refusal::why(format!("{file} is broken: {reason}"));
            let of_file = number * manifest.tiles..(number + 1) * manifest.tiles;
            let own = tiles.start.max(of_file.start)..tiles.end.min(of_file.end);
            // What all have measured together goes to the first.
            if own.is_empty() && here.rank() > 0 {
                continue;
            }
            let opened = Reading::open(
                &folder.join(file),
                place,
                number,
                (manifest.tiles, now.words_of_tile()),
            );
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

    /// If the run is interrupted from now on, it says how to go on from here.
    fn leaves(&self, folder: &Path, bit_time: u64, machine: &dyn Lockstep) {
        interrupt::leaves(format!(
            "the run as it was after bit time {bit_time} of {} is in {}, and the same command with --resume {} goes on from there",
            machine.device().bit_times().value,
            folder.display(),
            quoted(&folder.display().to_string())
        ));
    }

    /// Writes one, whole or not at all.
    fn write(&self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        let Some(folder) = &self.arguments.checkpoint else {
            return Ok(());
        };
        let share = self.rank.share();
        let now = machine.mid_run();
        let now = now.ok_or_else(|| cannot("--checkpoint", NO_PROGRAM));
        let now = ranks::agree(&self.rank, now)?;
        let measured = Measured {
            readings: readings.words(),
            sent: [self.rank.words_sent(), self.rank.exchanges()],
        };
        let place = Part {
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
        let unwritable = unwritable(folder);
        // What no description names is of no use.
        let share_file = Unfinished::of(&folder.join(&name), Kind::File);
        ranks::agree(&self.rank, written.map_err(&unwritable))?;
        // From here on a description may name it, and it has to outlast the run.
        share_file.keep();
        let names = (0..share.ranks()).map(|rank| share_name(now.bit_time, rank, share.ranks()));
        let manifest = Manifest {
            version: Manifest::version(),
            machine: self.machine.clone(),
            fingerprint: self.fingerprint.clone(),
            traffic: in_digits(self.traffic),
            bit_time: now.bit_time,
            seconds: self.pace.seconds(),
            sends_since: self.sends_since,
            registers: as_text(&now.has_plane),
            words_of_plane: now.words_of_plane,
            tiles: now.tiles,
            shares: names.collect(),
        };
        let described = match share.rank() {
            0 => manifest.write(folder).map_err(unwritable),
            _ => Ok(()),
        };
        if let Err(error) = ranks::agree(&self.rank, described) {
            _ = std::fs::remove_file(folder.join(&name));
            return Err(error);
        }
        self.leaves(folder, now.bit_time, machine);
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
        let mut stretch = [self.pace.stretch(machine.device().bit_times().value)];
        self.rank.most(&mut stretch);
        self.pace.set_out(now);
        now.saturating_add(stretch[0])
    }

    fn at(&mut self, machine: &mut dyn Lockstep, readings: &Readings) -> Result<(), Error> {
        let is_due = self.pace.come_to(machine.bit_time());
        if !self.rank.any(is_due) {
            return Ok(());
        }
        if let (Err(error), true) = (self.write(machine, readings), ranks::is_first()) {
            // What was written before is still there, and the run goes on.
            tell(format_args!(
                "note: no checkpoint at bit time {}: {error}",
                machine.bit_time()
            ));
        }
        self.pace.begin_again();
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
            *live = live.saturating_add(*more);
        }
        for (most, more) in most.iter_mut().zip(more_most) {
            *most = (*most).max(*more);
        }
        for (sent, more) in self.sent.iter_mut().zip(other.sent) {
            *sent = sent.saturating_add(more);
        }
    }
}

/// Why a run that ticks has no checkpoints.
pub(super) const NO_PROGRAM: &str = "it goes bit time by bit time, and not as a program";

const NOT_SHARED: &str =
    "the ranks do not see each other's files there: give a folder that all of them share";

fn refused(folder: &Path, refusal: Refusal) -> Error {
    let folder = shown_path(folder);
    let what = format!("the checkpoint in {folder} cannot be taken up");
    refusal.about(what).into()
}

/// The refusal of an option, of a run that has no checkpoints.
pub(super) fn cannot(option: &str, why: &str) -> Error {
    let why = format!("this run cannot be written down in the middle, since {why}");
    Refusal::of(option).because(why).into()
}

impl CheckpointFolder {
    /// A folder that may have to be made, but not those above it. One that has a checkpoint is for who goes on from it.
    fn begin(folder: &Path, resumed: Option<&Path>) -> Result<Self, Error> {
        let unwritable = unwritable(folder);
        let made = match std::fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => None,
            made => {
                made.map_err(&unwritable)?;
                Some(Unfinished::of(folder, Kind::EmptyFolder))
            }
        };
        let is = |other: &Path| folder.canonicalize().ok() == other.canonicalize().ok();
        if folder.join(manifest::NAME).exists() && !resumed.is_some_and(is) {
            let folder = shown_path(folder);
            return Err(Refusal::of("--checkpoint")
                .because(format!("there is a checkpoint in {folder} already"))
                .instead(format!(
                    "go on from it with --resume {folder}, or give another folder"
                ))
                .into());
        }
        let opened = File::open(folder).map_err(&unwritable)?;
        let locked = match opened.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let reason = "another run writes its checkpoints there: give a folder of its own";
                return Err(unwritable(io::Error::other(reason)));
            }
            // A file system that knows no locks does without.
            Err(TryLockError::Error(_)) => None,
            Ok(()) => Some(opened),
        };
        Ok(CheckpointFolder {
            _made: made,
            _locked: locked,
        })
    }
}

/// Each rank writes into a folder, and sees what the others have written.
fn every_rank_sees(folder: &Path, rank: &Rank) -> Result<(), Error> {
    let share = rank.share();
    let probe = |rank| folder.join(share_name(0, rank, 0));
    let unwritable = unwritable(folder);
    let written = put(folder, &share_name(0, share.rank(), 0), |_| Ok(()));
    let written = ranks::agree(rank, written.map_err(&unwritable));
    let seen = written.and_then(|()| {
        let all_are_there = (0..share.ranks()).all(|rank| probe(rank).exists());
        let seen = match all_are_there {
            true => Ok(()),
            false => Err(unwritable(io::Error::other(NOT_SHARED))),
        };
        ranks::agree(rank, seen)
    });
    _ = std::fs::remove_file(probe(share.rank()));
    seen
}

/// The number that the first tile of a share has in the whole machine.
fn first_tile(rank: &Rank, of: &MidRun) -> usize {
    rank.share().rank() * of.tiles
}

/// Of all registers of a share: the sum over its tiles, so that those of other shares can be added.
fn sum_of(machine: &dyn Lockstep, of: &MidRun, first: usize) -> u64 {
    let place = Part {
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
