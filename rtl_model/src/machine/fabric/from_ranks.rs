//! Bit time by bit time: what comes to a share over links that join it to others.

use crate::language::lanes::Lanes;
use crate::machine::share::{Rank, Share};
use crate::machine::topology::Topology;

/// The links that join a share to others, and room for what passes.
pub(super) struct FromRanks<B> {
    links: Vec<Link<B>>,
    sent: Vec<u64>,
    words: Vec<u64>,
}

struct Link<B> {
    number: usize,
    /// The bit in which the number of the rank at its other end differs.
    rank_bit: usize,
    /// What came over it, by lane group.
    received: Vec<B>,
}

impl<B: Lanes> FromRanks<B> {
    pub fn new(topology: &impl Topology, share: Share) -> Self {
        let links = (0..topology.links()).filter_map(|number| {
            Some(Link {
                number,
                rank_bit: share.crosses(topology, number)?,
                received: Vec::new(),
            })
        });
        FromRanks {
            links: links.collect(),
            sent: Vec::new(),
            words: Vec::new(),
        }
    }

    /// What came over a link, if it joins the share to another.
    #[inline]
    pub fn over(&self, link: usize) -> Option<&[B]> {
        let found = self.links.iter().find(|one| one.number == link);
        found.map(|link| &link.received[..])
    }

    /// Exchanges what is on these links, those that are driven, where `wires[group * driven + wire]` is what each group
    /// drives.
    pub fn receive(&mut self, rank: &Rank, driven_links: &[usize], (wires, driven): (&[B], usize)) {
        let FromRanks { links, sent, words } = self;
        for link in links.iter_mut() {
            if !driven_links.contains(&link.number) {
                continue;
            }
            sent.clear();
            let of_link = wires.iter().skip(link.number).step_by(driven);
            sent.extend(of_link.flat_map(|bits| (0..B::WORDS).map(|word| bits.word(word))));
            words.resize(sent.len(), 0);
            rank.exchange(link.rank_bit, sent, words);
            link.received.resize(sent.len() / B::WORDS, B::ZERO);
            for (received, words) in link.received.iter_mut().zip(words.chunks_exact(B::WORDS)) {
                for (word, bits) in words.iter().enumerate() {
                    received.set_word(word, *bits);
                }
            }
        }
    }
}
