//! Messages in shares, a share a path, on the machine that carries them.

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use hosts::words::Words;
use rtl_model::embedding::paths::{Packet, wire};
use rtl_model::embedding::phase::Hop;
use rtl_model::machine::device::Device;
use rtl_model::routers::phase::MOST_BITS;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts::{Cut, check_count};
use crate::families::embeddings::dispersal::parameters::{
    AXES_OF_GUEST, BOTH_WAYS_OF_GUEST, CUT_WIRES, DIMS_OF_SHARES, GUEST_OF_EDGES,
    MESSAGE_BITS_OF_SHARES, NEEDED, ORDER_OF_SHARES, OVER, Over, SIDES_OF_GUEST, TRAFFIC, guest,
    needed, over,
};
use crate::families::embeddings::dispersal::shares::{Code, Outcome, Restored};
use crate::families::embeddings::dispersal::stimulus::Dispersing;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::parameters::START_UP;
use crate::lockstep::{Requirement, Stimulus};
use crate::testbench::bench;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Parameter, SEED};

/// What is asked for, worked out.
pub struct Dispersed {
    /// The machine and its schedule: the "message" of an edge are its shares, one behind the other, each a packet.
    pub job: Job,
    /// How messages become shares.
    pub code: Code,
    /// Which paths.
    pub over: Over,
    /// Bit times of the same messages without shares: in as many packets, each on its path.
    pub plain_bit_times: u64,
}

impl Dispersed {
    /// As asked for.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let mut guest = guest(chosen)?;
        let paths = guest.embedding.width();
        let needed = needed(chosen, paths)?;
        let code = Code::new(paths, needed, chosen.number(&MESSAGE_BITS_OF_SHARES))?;
        if code.share_bits() > MOST_BITS {
            return Err(Error::List {
                option: MESSAGE_BITS_OF_SHARES.option,
                why: format!(
                    "{} is out of range: with --needed {needed} a share has {} bits, and a packet {MOST_BITS} at the most; choose \
                     fewer bits, or that more shares are needed",
                    code.message_bits(),
                    code.share_bits()
                ),
            });
        }
        guest
            .embedding
            .set_packets((0..paths).map(|path| Packet { path, wait: 0 }));
        let job = Job::sending(chosen, guest, (None, paths * code.share_bits()))?;
        check_count(job.embedding.host(), chosen.number(&CUT_WIRES))?;
        let plain = job.machine.start_up() + code.message_bits().div_ceil(paths);
        Ok(Dispersed {
            plain_bit_times: (job.phase.steps() * plain) as u64,
            job,
            code,
            over: over(chosen)?,
        })
    }

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
        let share = |number: usize| -> BitVec<u64> {
            let places = number * bits..(number + 1) * bits;
            places
                .map(|place| arrived.bit(edge, place).unwrap_or(false))
                .collect()
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

impl bench::Job for Dispersed {
    fn device(&self) -> &dyn Device {
        self.job.device()
    }

    fn requirement(&self) -> Requirement {
        self.job.requirement()
    }

    fn choice(&self) -> Option<&'static str> {
        Some(self.over.name())
    }

    /// Over copies the machine itself goes by the traffic, which is drawn.
    fn said(&self) -> &'static [&'static Parameter] {
        match self.over {
            Over::Edge => &[
                &OVER,
                &GUEST_OF_EDGES,
                &SIDES_OF_GUEST,
                &DIMS_OF_SHARES,
                &AXES_OF_GUEST,
                &BOTH_WAYS_OF_GUEST,
                &ORDER_OF_SHARES,
                &NEEDED,
                &MESSAGE_BITS_OF_SHARES,
                &START_UP,
            ],
            Over::Copies => &[
                &OVER,
                &DIMS_OF_SHARES,
                &TRAFFIC,
                &SEED,
                &ORDER_OF_SHARES,
                &NEEDED,
                &MESSAGE_BITS_OF_SHARES,
                &START_UP,
            ],
        }
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Dispersing::new(*self)?))
    }
}

#[cfg(test)]
mod tests;
