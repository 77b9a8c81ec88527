//! Messages in shares, a share a path, on the machine that carries them.

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use hosts::words::Words;
use rtl_model::embedding::paths::{Packet, wire};
use rtl_model::embedding::phase::Hop;
use rtl_model::routers::phase::MOST_BITS;

use crate::error::Error;
use crate::families::embeddings::dispersal::copies;
use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::dispersal::options::{
    DEFAULT_DIMENSIONS, DEFAULT_DIMENSIONS_OF_COPIES, DEFAULT_MESSAGE_BITS, Over, Setup,
};
use crate::families::embeddings::dispersal::shares::{Code, Outcome, Restored};
use crate::families::embeddings::job::{Guest, Job, Sending};
use crate::families::embeddings::options as of_embedding;
use crate::report::counted;

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
    /// What is refused of the setup.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        setup.check()?;
        let (over, order) = (setup.over()?, setup.order()?);
        let mut guest = match over {
            Over::Edge => {
                let has_size = setup.guest.dims.is_some() || setup.guest.sides.is_some();
                let is_default = setup.guest.guest.is_none();
                Guest::of(&of_embedding::Setup {
                    dims: match has_size || !is_default {
                        true => setup.guest.dims,
                        false => Some(DEFAULT_DIMENSIONS),
                    },
                    ..setup.guest.clone()
                })?
            }
            Over::Copies => {
                let dimensions = setup.guest.dims.unwrap_or(DEFAULT_DIMENSIONS_OF_COPIES);
                copies::guest(dimensions, setup.pattern()?, setup.guest.seed)?
            }
        };
        let paths = guest.embedding.width();
        let needed = needed(setup, paths)?;
        let wanted = of_embedding::Setup {
            message_bits: setup.guest.message_bits.or(Some(DEFAULT_MESSAGE_BITS)),
            ..setup.guest.clone()
        };
        let code = Code::new(paths, needed, wanted.message_bits()?)?;
        if code.share_bits() > MOST_BITS {
            return Err(Error::List {
                option: "--message-bits",
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
        let job = Job::sending(
            guest,
            Sending {
                both_ways: setup.guest.both_ways,
                order,
                packets: None,
                message_bits: paths * code.share_bits(),
                start_up: setup.guest.start_up,
            },
        )?;
        let plain = setup.guest.start_up + code.message_bits().div_ceil(paths);
        Ok(Dispersed {
            plain_bit_times: (job.phase.steps() * plain) as u64,
            job,
            code,
            over,
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

/// Shares that restore a message of so many paths.
fn needed(setup: &Setup, paths: usize) -> Result<usize, Error> {
    match setup.needed {
        None => Ok(paths.saturating_sub(1).max(1)),
        Some(needed) if (1..=paths).contains(&needed) => Ok(needed),
        Some(needed) => Err(Error::List {
            option: "--needed",
            why: format!(
                "{needed} is out of range: a message has {}, and so as many shares; choose {}",
                counted(paths, "path"),
                match paths {
                    1 => "1, which leaves none to spare".to_owned(),
                    _ => format!("1 to {paths}"),
                }
            ),
        }),
    }
}

/// A message as words have it.
pub fn as_word(outcome: &Outcome) -> Option<Vec<u64>> {
    match outcome {
        Outcome::Whole(bits) => Some(bits.chunks(64).map(BitField::load_le::<u64>).collect()),
        Outcome::Lost { .. } => None,
    }
}

#[cfg(test)]
mod tests;
