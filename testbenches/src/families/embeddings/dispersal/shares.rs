//! A message in `w` shares, any `m` of which restore it (Rabin's dispersal of information).
//!
//! The message is cut into `m` pieces of `S` bytes, and a Reed-Solomon code makes `w - m` more of them, so that any `m`
//! pieces give all the others. A code restores what is known to be missing: so each share ends in a checksum, and a
//! share that does not match its own is as good as missing.
//!
//! ```text
//!   message        M bits, then zeros up to 8 m S bits; bit 0 is the first
//!   share 0        bytes 0 .. S,          checksum      as sent: bytes in order, the least significant
//!   share m - 1    bytes (m - 1) S .. mS, checksum      bit of each first, then the 32 bits of the checksum,
//!   share m        S bytes of the code,   checksum      the least significant first
//!   share w - 1    S bytes of the code,   checksum
//! ```
//!
//! `S` is the least even number with `8 m S >= M`: the code works on elements of 16 bits, and a piece has whole ones.
//!
//! # The checksum
//! It is CRC-32C of where the share belongs (edge times `w` plus share, 8 bytes, the least significant first) and of its
//! bytes. With up to 2^32 shares on all edges together, bytes that come to another place do not match, as a CRC notices
//! every error that spans no more bits than it has. A share that is 0 or 1 throughout never matches either: that is what
//! wires read that are cut or stuck from the beginning. Of all other changes about one in 2^32 goes unnoticed; 16
//! bits fewer a share would mean once in 65536, which a few sweeps over faulty wires would meet, and a message that is
//! wrong without anybody noticing is what must not be.

use std::collections::BTreeMap;

use bitvec::field::BitField;
use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use crc::{CRC_32_ISCSI, Crc};

use crate::error::Error;
use crate::error::refusal::Refusal;

/// Bits of a share's checksum.
pub const CHECKSUM_BITS: usize = 32;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// How messages of one length are sent in shares, and restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    shares: usize,
    needed: usize,
    message_bits: usize,
    /// `S`: even, and not 0.
    piece_bytes: usize,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Of each share, whether it matches its checksum.
    pub sound: Vec<bool>,
    /// The message, if it can be had.
    pub message: Outcome,
}

/// A message, or that there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The message, bit 0 first.
    Whole(BitVec<u64>),
    /// Too few shares are sound.
    Lost {
        /// Shares that are.
        sound: usize,
        /// Shares that restore it.
        needed: usize,
    },
}

impl Code {
    /// Of messages of `message_bits` bits in `shares` shares, any `needed` of which restore it: all of them, if nothing may
    /// fail, or 1, if each is to hold the whole.
    ///
    /// # Errors
    /// No shares, none or more than all needed, no bits, or more shares than the code can do.
    pub fn new(shares: usize, needed: usize, message_bits: usize) -> Result<Self, Error> {
        let message = format!("a message in {shares} shares");
        let refusal = match (shares, needed, message_bits) {
            (0, _, _) => {
                Refusal::of("a message cannot be sent in 0 shares").instead("choose at least one")
            }
            (_, needed, _) if needed == 0 || needed > shares => Refusal::of(format!(
                "{message} cannot be restored from {needed} of them"
            ))
            .instead(format!("choose 1 to {shares}")),
            (_, _, 0) => Refusal::of("a message of 0 bits has nothing to be restored")
                .instead("choose at least one bit"),
            _ if !can_be_made(needed, shares - needed) => Refusal::of(format!(
                "{message}, any {needed} of which restore it, is more than the code can do"
            ))
            .instead("use fewer shares"),
            _ => {
                return Ok(Code {
                    shares,
                    needed,
                    message_bits,
                    piece_bytes: 2 * message_bits.div_ceil(16).div_ceil(needed),
                });
            }
        };
        Err(refusal.into())
    }

    /// Shares of a message, `w`.
    pub fn shares(&self) -> usize {
        self.shares
    }

    /// Shares that restore it, `m`.
    pub fn needed(&self) -> usize {
        self.needed
    }

    /// Bits of a message, `M`.
    pub fn message_bits(&self) -> usize {
        self.message_bits
    }

    /// Bits of a share, its checksum among them.
    pub fn share_bits(&self) -> usize {
        8 * self.piece_bytes + CHECKSUM_BITS
    }

    /// Bits that are sent, all shares together, for each bit of the message.
    pub fn overhead(&self) -> f64 {
        (self.shares * self.share_bits()) as f64 / self.message_bits as f64
    }

    /// The shares of the message of an edge, each of [`Code::share_bits`], in the order in which its bits are sent.
    ///
    /// # Errors
    /// A message of another length.
    pub fn encode(&self, edge: usize, message: &BitSlice<u64>) -> Result<Vec<BitVec<u64>>, Error> {
        if message.len() != self.message_bits {
            let (expected, found) = (self.message_bits, message.len());
            let other = format!("a message has {expected} bits, and this one has {found}");
            return Err(Refusal::of(other).into());
        }
        let mut bytes = bytes(message);
        bytes.resize(self.needed * self.piece_bytes, 0);
        let pieces = bytes.chunks(self.piece_bytes);
        let further = match self.shares - self.needed {
            0 => Vec::new(),
            further => {
                reed_solomon_simd::encode(self.needed, further, pieces.clone()).map_err(of_code)?
            }
        };
        let pieces = pieces.chain(further.iter().map(Vec::as_slice));
        let shares = pieces.enumerate().map(|(share, piece)| {
            let checksum = self.checksum(edge, share, piece).to_le_bytes();
            bits(piece.iter().copied().chain(checksum))
        });
        Ok(shares.collect())
    }

    /// The message of an edge from its shares, in their order. One that has not [`Code::share_bits`] is not sound, one that
    /// is not there neither; so an empty one stands for what did not arrive. Shares beyond the last are not looked at.
    ///
    /// # Errors
    /// None but what the code says of pieces that it should take.
    pub fn restore(&self, edge: usize, received: &[BitVec<u64>]) -> Result<Restored, Error> {
        let pieces: Vec<Option<Vec<u8>>> = (0..self.shares)
            .map(|share| self.sound_piece((edge, share), received.get(share)?))
            .collect();
        let sound: Vec<bool> = pieces.iter().map(Option::is_some).collect();
        let count = sound.iter().filter(|is_sound| **is_sound).count();
        let message = match count >= self.needed {
            true => Outcome::Whole(self.message(&pieces)?),
            false => Outcome::Lost {
                sound: count,
                needed: self.needed,
            },
        };
        Ok(Restored { sound, message })
    }

    /// The piece in a share, if the share is sound.
    fn sound_piece(&self, (edge, share): (usize, usize), bits: &BitVec<u64>) -> Option<Vec<u8>> {
        if bits.len() != self.share_bits() {
            return None;
        }
        let (piece, checksum) = bits.split_at(8 * self.piece_bytes);
        let piece = bytes(piece);
        (checksum.load_le::<u32>() == self.checksum(edge, share, &piece)).then_some(piece)
    }

    /// The message from as many pieces as are needed, or more.
    fn message(&self, pieces: &[Option<Vec<u8>>]) -> Result<BitVec<u64>, Error> {
        let (own, further) = pieces.split_at(self.needed);
        let restored = match own.iter().all(Option::is_some) {
            true => BTreeMap::new(),
            false => {
                reed_solomon_simd::decode(self.needed, further.len(), there(own), there(further))
                    .map_err(of_code)?
            }
        };
        let own = own.iter().enumerate();
        let own = own.filter_map(|(at, piece)| piece.as_ref().or_else(|| restored.get(&at)));
        let mut message = bits(own.flatten().copied());
        message.truncate(self.message_bits);
        Ok(message)
    }

    /// What a share ends in: never so that it is 0 or 1 throughout.
    fn checksum(&self, edge: usize, share: usize, piece: &[u8]) -> u32 {
        let place = edge as u64 * self.shares as u64 + share as u64;
        let mut digest = CRC.digest();
        digest.update(&place.to_le_bytes());
        digest.update(piece);
        told_apart(digest.finalize(), piece)
    }
}

/// What the code says of shares that it should take.
fn of_code(says: reed_solomon_simd::Error) -> Error {
    Refusal::of("the code refuses the shares")
        .because(says)
        .into()
}

/// The checksum that a piece gets: the other of the two that differ in bit 0, if with this one the share would be 0 or 1
/// throughout.
fn told_apart(checksum: u32, piece: &[u8]) -> u32 {
    let is_constant = (checksum == 0 && piece.iter().all(|byte| *byte == 0))
        || (checksum == u32::MAX && piece.iter().all(|byte| *byte == u8::MAX));
    checksum ^ u32::from(is_constant)
}

/// Those pieces that are there, with their numbers.
fn there(pieces: &[Option<Vec<u8>>]) -> impl Iterator<Item = (usize, &Vec<u8>)> {
    let pieces = pieces.iter().enumerate();
    pieces.filter_map(|(at, piece)| Some((at, piece.as_ref()?)))
}

/// Whether the code makes so many pieces of so many.
fn can_be_made(needed: usize, further: usize) -> bool {
    further == 0 || reed_solomon_simd::ReedSolomonEncoder::supports(needed, further)
}

/// Bits as bytes, the first as the least significant of byte 0; the last byte is filled up with zeros.
fn bytes(bits: &BitSlice<u64>) -> Vec<u8> {
    bits.chunks(8).map(|byte| byte.load_le::<u8>()).collect()
}

/// Bytes as bits, the least significant of each first.
fn bits(bytes: impl Iterator<Item = u8>) -> BitVec<u64> {
    let bytes: Vec<u8> = bytes.collect();
    let words = bytes.chunks(8).map(|bytes| {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
    });
    let mut bits = BitVec::from_vec(words.collect());
    bits.truncate(8 * bytes.len());
    bits
}

#[cfg(test)]
mod tests;
