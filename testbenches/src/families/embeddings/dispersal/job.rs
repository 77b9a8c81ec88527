//! Messages in shares, a share a path, on the machine that carries them.

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use hosts::words::{Words, hexadecimal};
use rtl_model::embedding::paths::{Packet, wire};
use rtl_model::embedding::phase::Hop;
use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::phase::MOST_BITS;
use waves::picture::run::{Fared, Fate};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::embeddings::dispersal::cuts::{self, Cut};
use crate::families::embeddings::dispersal::judged::Judged;
use crate::families::embeddings::dispersal::parameters::{
    CUT, CUT_WIRES, LENGTH, OVER, guest, needed,
};
use crate::families::embeddings::dispersal::report;
use crate::families::embeddings::dispersal::shares::{Code, Outcome, Restored};
use crate::families::embeddings::job::Job;
use crate::families::embeddings::messages::{EDGES, Owners};
use crate::families::embeddings::parameters::RESULTS;
use crate::families::embeddings::shown;
use crate::families::embeddings::stimulus::{Carrying, read};
use crate::families::embeddings::work::{Work, write_results};
use crate::lockstep::Ended;
use crate::lockstep::Verdict;
use crate::report::Section;
use crate::testbench::chosen::Chosen;

/// What is asked for, worked out.
pub struct Dispersed {
    /// The machine and its schedule: the "message" of an edge are its shares, one behind the other, each a packet.
    pub job: Job,
    /// How messages become shares.
    pub code: Code,
    /// Bit times of the same messages without shares: in as many packets, each on its path.
    pub plain_bit_times: u64,
}

impl Dispersed {
    /// The shares of all messages.
    ///
    /// # Errors
    /// What the code refuses.
    pub fn shares_of(&self, messages: &Words) -> Result<Words, Error> {
        let (bits, edges) = (self.code.share_bits(), self.job.embedding.edges());
        let mut shares = Words::zeros(edges, self.code.shares(), bits);
        for (edge, message) in messages.iter().enumerate() {
            let message = &message.view_bits::<Lsb0>()[..self.code.message_bits()];
            for (number, share) in self.code.encode(edge, message)?.iter().enumerate() {
                let mut limbs = share.chunks(64).map(BitField::load_le::<u64>);
                let word = edge * self.code.shares() + number;
                shares.fill(word, || limbs.next().unwrap_or(0));
            }
        }
        Ok(shares)
    }

    /// The message of an edge from what arrived of its shares.
    ///
    /// # Errors
    /// What the code says of pieces that it should take.
    pub fn restored(&self, arrived: &Words, edge: usize) -> Result<Restored, Error> {
        let bits = self.code.share_bits();
        let share = |number: usize| {
            // All shares in one word, or each in one.
            let (key, first) = (
                number * bits / arrived.bits(),
                number * bits % arrived.bits(),
            );
            let number = edge * arrived.per_node() + key;
            let words = (first..first + bits).step_by(64);
            let words = words.map(|from| arrived.chunk(number, from, 64));
            let mut share = BitVec::from_vec(words.collect());
            share.truncate(bits);
            share
        };
        let shares: Vec<BitVec<u64>> = (0..self.code.shares()).map(share).collect();
        self.code.restore(edge, &shares)
    }

    /// Of each message, how many of its shares cross a wire that has failed before they are over it.
    pub fn shares_hit(&self, cuts: &[Cut]) -> Vec<usize> {
        let each = self.job.embedding.packets().len();
        let mut hit = vec![false; self.job.embedding.edges() * each];
        for hop in hops_hit(&self.job, cuts) {
            hit[hop.packet as usize] = true;
        }
        let of_edge = hit.chunks(each);
        of_edge
            .map(|shares| shares.iter().filter(|share| **share).count())
            .collect()
    }
}

/// The hops whose wire has failed before the packet is over it.
pub fn hops_hit<'a>(job: &'a Job, cuts: &[Cut]) -> impl Iterator<Item = &'a Hop> {
    let host = job.embedding.host();
    let mut fails_from = vec![u64::MAX; host.wires()];
    for cut in cuts {
        let from = &mut fails_from[wire(host, cut.node, cut.dimension)];
        *from = cut.from_bit_time.min(*from);
    }
    let step = (job.machine.start_up() + job.machine.packet_bits()) as u64;
    job.phase.hops().iter().filter(move |hop| {
        let ends = (u64::from(hop.step) + 1) * step;
        fails_from[wire(host, hop.from as usize, usize::from(hop.dimension))] < ends
    })
}

/// A message as words have it.
pub fn as_word(outcome: &Outcome) -> Option<Vec<u64>> {
    match outcome {
        Outcome::Whole(bits) => Some(bits.chunks(64).map(BitField::load_le::<u64>).collect()),
        Outcome::Lost { .. } => None,
    }
}

/// What became of the message of an edge, which was sent like that.
///
/// # Errors
/// What the code says of pieces that it should take.
fn fate(of: &Dispersed, (arrived, edge): (&Words, usize), sent: &[u64]) -> Result<Fate, Error> {
    let restored = of.restored(arrived, edge)?;
    let shares = restored.sound.len();
    let damaged: Vec<String> = (restored.sound.iter().enumerate())
        .filter(|(_, sound)| !**sound)
        .map(|(share, _)| share.to_string())
        .collect();
    let (sound, needed) = (shares - damaged.len(), of.code.needed());
    let (fared, ended) = match as_word(&restored.message) {
        None => (Fared::Lost, "the message is lost"),
        Some(word) if word != sent => (Fared::Lost, "another message was restored"),
        Some(_) if damaged.is_empty() => (Fared::Unharmed, "the message is restored"),
        Some(_) => (Fared::Restored, "the message is restored"),
    };
    let which = match &damaged[..] {
        [] => String::new(),
        [one] => format!("Share {one} is damaged. "),
        several => format!("Shares {} are damaged. ", several.join(", ")),
    };
    Ok(Fate {
        message: shown::name(&of.job, edge),
        fared,
        words: format!(
            "{which}{sound} of {shares} shares are sound, {needed} are needed: {ended}."
        ),
    })
}

impl Work for Dispersed {
    const OWNERS: Owners = EDGES;

    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let mut guest = guest(chosen)?;
        let paths = guest.embedding.width();
        let needed = needed(chosen, paths)?;
        let code = Code::new(paths, needed, chosen.number(&LENGTH))?;
        if code.share_bits() > MOST_BITS {
            return Err(Refusal::of(LENGTH.option)
                .because(format!(
                    "{} is out of range: with --needed {needed} a share has {} bits, and a packet {MOST_BITS} at the most",
                    code.message_bits(),
                    code.share_bits()
                ))
                .instead("choose fewer bits, or that more shares are needed")
                .into());
        }
        guest
            .embedding
            .set_packets((0..paths).map(|path| Packet { path, wait: 0 }));
        let job = Job::sending(chosen, guest, (None, paths * code.share_bits()))?;
        cuts::check_count(job.embedding.host(), chosen.number(&CUT_WIRES))?;
        let plain = job.machine.start_up() + code.message_bits().div_ceil(paths);
        Ok(Dispersed {
            plain_bit_times: (job.phase.steps() * plain) as u64,
            job,
            code,
        })
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn choice(&self) -> &'static str {
        self.job.chosen.name(&OVER).unwrap_or_default()
    }

    fn size(&self) -> (usize, usize) {
        (self.job.embedding.edges(), self.code.message_bits())
    }

    fn in_words(&self) -> String {
        let (code, guest) = (&self.code, self.job.name);
        let [bits, share_bits] = [code.message_bits(), code.share_bits()];
        let (shares, restored) = (
            code.shares(),
            report::restoring(code.shares(), code.needed()),
        );
        format!(
            "guest {guest}, {bits} bits a message in {shares} shares of {share_bits}, {restored}"
        )
    }

    fn messages(&self, values: &Words) -> Result<Option<Words>, Error> {
        Ok(Some(self.shares_of(values)?))
    }

    fn cuts(&self) -> Result<Vec<Cut>, Error> {
        let (chosen, host) = (&self.job.chosen, self.job.embedding.host());
        let bit_times = self.job.machine.bit_times().value;
        match (chosen.path(&CUT), chosen.number(&CUT_WIRES)) {
            (Some(path), _) => cuts::read(path, host, bit_times),
            (None, count) => cuts::drawn(host, count, chosen.seed(), 0..bit_times),
        }
    }

    fn facts(&self) -> Section {
        report::facts(self)
    }

    fn fates(of: &Carrying<Self>, machine: &dyn Lockstep) -> Result<Vec<Fate>, Error> {
        let (arrived, _) = read(&of.work.job, machine, true)?;
        let sent = of.values.iter().enumerate();
        sent.map(|(edge, message)| fate(&of.work, (&arrived, edge), message))
            .collect()
    }

    fn judge(of: &Carrying<Self>, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let (arrived, _) = read(&of.work.job, &*run.machine, run.quiet)?;
        let hit = of.work.shares_hit(&of.cuts);
        let mut restored = Vec::new();
        let (wants_rows, bits) = (run.files.has(&RESULTS), of.values.bits());
        let judged = Judged::of(&of.work, (&of.values, &arrived), &hit, |edge, word| {
            let word = word.filter(|_| wants_rows);
            restored.extend(word.map(|word| (edge, hexadecimal(word, bits))));
        })?;
        write_results(&mut run, Self::OWNERS, restored.into_iter())?;
        Ok(report::verdict(of, run.measurement, &judged, &hit))
    }
}

#[cfg(test)]
mod tests;
