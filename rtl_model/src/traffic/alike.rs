//! Whether all payloads are different, as several ranks find out together.

use crate::machine::share::Share;
use crate::traffic::Payloads;
use crate::traffic::computed::mixed;

/// Payloads that were shown to this rank. All ranks are shown all of them, and each keeps those that a mix of their bits gives to
/// it: so two that are alike meet on one rank.
pub(super) struct Alike {
    share: Share,
    /// Words of a payload.
    words: usize,
    /// Payloads that there is room for from the beginning.
    expected: usize,
    kept: Vec<u64>,
    /// Words that may be kept until they are looked through.
    until: usize,
    found: bool,
}

/// Payloads that are looked through for the first time.
const FIRST_LOOK: usize = 1 << 10;

impl Alike {
    /// Of payloads of so many bits, about one for each node of a share.
    pub fn new(payload_bits: usize, share: Share, nodes_here: usize) -> Self {
        let words = payload_bits.div_ceil(64);
        Alike {
            share,
            words,
            expected: expected(nodes_here),
            kept: Vec::new(),
            until: FIRST_LOOK * words,
            found: false,
        }
    }

    /// Shows the payload at a place of some.
    pub fn show(&mut self, payloads: &Payloads, index: usize) {
        let chunks = || (0..payloads.bits()).step_by(64);
        let mix = chunks().fold(0, |mix, from| mixed(mix ^ payloads.chunk(index, from)));
        if self.found || mix as usize & (self.share.ranks() - 1) != self.share.rank() {
            return;
        }
        if self.kept.capacity() == 0 {
            self.kept.reserve_exact(self.expected * self.words);
        }
        self.kept
            .extend(chunks().map(|from| payloads.chunk(index, from)));
        if self.kept.len() >= self.until {
            self.look();
            self.until = 2 * self.kept.len();
        }
    }

    /// Looks whether two are alike; then no more are kept.
    fn look(&mut self) {
        let payload = |index: u32| &self.kept[index as usize * self.words..][..self.words];
        let mut order: Vec<u32> = (0..(self.kept.len() / self.words) as u32).collect();
        order.sort_unstable_by_key(|&index| payload(index));
        self.found = (order.windows(2)).any(|pair| payload(pair[0]) == payload(pair[1]));
        if self.found {
            self.kept = Vec::new();
        }
    }

    /// Whether two of those that are for this rank are alike.
    pub fn are_there(mut self) -> bool {
        if !self.found {
            self.look();
        }
        self.found
    }

    /// Bytes that this takes, of so many bits each.
    pub fn bytes(payload_bits: usize, nodes_here: usize) -> u64 {
        let each = size_of::<u64>() * payload_bits.div_ceil(64) + size_of::<u32>();
        (each * expected(nodes_here)) as u64
    }
}

/// A mix gives a rank somewhat more than its part, or somewhat less.
fn expected(nodes_here: usize) -> usize {
    nodes_here + nodes_here.div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(payloads: &Payloads, ranks: usize) -> Vec<Alike> {
        (0..ranks)
            .map(|rank| {
                let share = Share::new(rank, ranks).unwrap();
                let mut alike = Alike::new(payloads.bits(), share, payloads.count() / ranks);
                (0..payloads.count()).for_each(|index| alike.show(payloads, index));
                alike
            })
            .collect()
    }

    /// Against whoever sees all of them: all are different, or the last is as another.
    #[test]
    fn two_that_are_alike_meet_on_one_rank() {
        for bits in [13, 64, 65, 130] {
            let count = 5000;
            let mut payloads = Payloads::zeros(bits, count);
            for index in 0..count {
                let last = (bits - 1) / 64 * 64;
                payloads.set_chunk(index, last, 0);
                payloads.set_chunk(index, 0, index as u64);
                if last > 0 {
                    // They differ in their last bits alone.
                    payloads.set_chunk(index, 0, 7);
                    payloads.set_chunk(index, last, index as u64 & 1);
                    payloads.set_chunk(index, last - 64, index as u64 >> 1);
                }
            }
            assert!(payloads.are_distinct(), "{bits}");
            for ranks in [1, 2, 8] {
                let all = shown(&payloads, ranks);
                let kept: usize = all.iter().map(|alike| alike.kept.len()).sum();
                assert_eq!(kept, count * bits.div_ceil(64));
                for alike in &all {
                    let most = (count / ranks) * bits.div_ceil(64) * 9 / 8;
                    assert!(alike.kept.len() <= most && alike.kept.capacity() <= most + 99);
                }
                assert!(all.into_iter().all(|alike| !alike.are_there()));
                for other in [0, 1, 4000] {
                    let mut payloads = payloads.clone();
                    let same = payloads.at(other).to_bitvec();
                    payloads.at_mut(count - 1).copy_from_bitslice(&same);
                    let all = shown(&payloads, ranks).into_iter();
                    assert_eq!(all.filter(|alike| alike.found).count(), 0);
                    let all = shown(&payloads, ranks).into_iter();
                    assert_eq!(
                        all.filter_map(|alike| alike.are_there().then_some(()))
                            .count(),
                        1
                    );
                }
            }
        }
    }

    /// All alike: that is seen before a rank has kept all of them.
    #[test]
    fn what_is_alike_is_not_kept() {
        let payloads = Payloads::zeros(70, 3 * FIRST_LOOK);
        let all = shown(&payloads, 4);
        assert!(all.iter().all(|alike| alike.kept.is_empty()));
        let found: Vec<bool> = all.into_iter().map(Alike::are_there).collect();
        assert_eq!(found.iter().filter(|found| **found).count(), 1);
    }
}
