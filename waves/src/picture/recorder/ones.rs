//! On how many of its wires a node sends a 1, of 64 nodes at once.

use rtl_model::machine::host::NODES_AT_ONCE;
use rtl_model::machine::simulation::Transmitted;

use super::note;
use crate::picture::run::Change;

/// Words that are kept before changes are noted: as many as the cache has room for.
const MOST_KEPT: usize = 1 << 17;

/// What was there, and since when. Bit times are kept for a while, so that changes of the same nodes are noted together: a list of
/// changes for each of many nodes is far to go in every bit time.
pub struct Ones {
    /// By word the places that have a node.
    present: Vec<u64>,
    /// Binary digits of a number of wires.
    digits: usize,
    /// Bit times that are kept: those in which something is other than before.
    times: Vec<u32>,
    /// By bit time, the last that was noted before those that are kept, the binary digits of the numbers of the nodes, the least
    /// significant first: of all words the first, then of all words the second.
    kept: Vec<u64>,
    is_first: bool,
    /// By word, what a wire carries; then, where numbers are others than before.
    words: Vec<u64>,
}

impl Ones {
    /// Of so many nodes at these places, that have so many wires.
    pub fn of(nodes: usize, seats: &[usize], links: usize) -> Self {
        let digits = links
            .checked_ilog2()
            .map_or(1, |digits| digits as usize + 1);
        let is_there = |seats: &[usize]| {
            let places = seats.iter().enumerate();
            places.fold(0, |there, (place, node)| {
                there | u64::from(*node < nodes) << place
            })
        };
        let present: Vec<u64> = seats.chunks_exact(NODES_AT_ONCE).map(is_there).collect();
        Ones {
            digits,
            times: Vec::new(),
            kept: vec![0; digits * present.len()],
            words: vec![0; present.len()],
            present,
            is_first: true,
        }
    }

    /// Takes down by node what the first so many wires carry in a bit time; gives how many changes these are.
    pub fn look(
        &mut self,
        transmitted: &dyn Transmitted,
        links: usize,
        (bit_time, seats): (u32, &[usize]),
        changes: &mut [Vec<Change>],
    ) -> usize {
        if self.kept.len() >= MOST_KEPT {
            self.note(seats, changes);
        }
        let words = self.present.len();
        let first = self.kept.len();
        self.kept.resize(first + self.digits * words, 0);
        let (before, now) = self.kept.split_at_mut(first);
        let before = &before[first - now.len()..];
        for link in 0..links {
            transmitted.copy_driven(link, &mut self.words);
            for digits in now.chunks_exact_mut(words) {
                for (digit, carry) in digits.iter_mut().zip(&mut self.words) {
                    (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
                }
            }
        }
        // In the first bit time all of them are noted.
        self.words.fill(u64::from(self.is_first).wrapping_neg());
        for (before, now) in before.chunks_exact(words).zip(now.chunks_exact(words)) {
            let digits = before.iter().zip(now);
            for (changed, (before, now)) in self.words.iter_mut().zip(digits) {
                *changed |= before ^ now;
            }
        }
        let changed = self.words.iter().zip(&self.present);
        let noted = changed.map(|(changed, present)| (changed & present).count_ones() as usize);
        let noted = noted.sum();
        match noted {
            0 => self.kept.truncate(first),
            _ => self.times.push(bit_time),
        }
        if std::mem::replace(&mut self.is_first, false) {
            self.note_all(true, seats, changes);
        }
        noted
    }

    /// Notes what is kept.
    pub fn note(&mut self, seats: &[usize], changes: &mut [Vec<Change>]) {
        self.note_all(false, seats, changes);
    }

    fn note_all(&mut self, is_first: bool, seats: &[usize], changes: &mut [Vec<Change>]) {
        let words = self.present.len();
        let of_bit_time = self.digits * words;
        for (word, present) in self.present.iter().enumerate() {
            for (number, bit_time) in self.times.iter().enumerate() {
                let (before, now) = self.kept[number * of_bit_time..].split_at(of_bit_time);
                let mut changed = u64::from(is_first).wrapping_neg();
                for place in (word..of_bit_time).step_by(words) {
                    changed |= before[place] ^ now[place];
                }
                changed &= present;
                while changed != 0 {
                    let place = changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    let mut ones = 0;
                    for digit in 0..self.digits {
                        ones |= (now[digit * words + word] >> place & 1) << digit;
                    }
                    let node = seats[NODES_AT_ONCE * word + place];
                    note(&mut changes[node], *bit_time, ones as u32);
                }
            }
        }
        self.kept.drain(..self.times.len() * of_bit_time);
        self.times.clear();
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::router::Position;

    use super::*;

    /// What nodes of one word drive onto each link.
    struct Links<'a>(&'a [u64]);

    impl Transmitted for Links<'_> {
        fn bit_time(&self) -> u64 {
            0
        }

        fn is_done(&self) -> bool {
            false
        }

        fn position(&self) -> Option<Position> {
            None
        }

        fn append_text(&self, _number: usize, _text: &mut String) {}

        fn is_driven(&self, _link: usize) -> bool {
            true
        }

        fn copy_driven(&self, link: usize, words: &mut [u64]) {
            words.copy_from_slice(&self.0[link..=link]);
        }
    }

    /// Four nodes in the places 0, 2, 3 and 1 of a word; at the others there is none.
    #[test]
    fn ones_are_counted_by_node_and_noted_where_they_change() {
        let mut seats = vec![usize::MAX; NODES_AT_ONCE];
        seats[..4].copy_from_slice(&[0, 3, 1, 2]);
        let mut ones = Ones::of(4, &seats, 4);
        let mut changes = vec![Vec::new(); 4];
        let mut look = |bit_time, links: [u64; 4]| {
            ones.look(&Links(&links), 4, (bit_time, &seats), &mut changes)
        };
        // In the places 0 to 3: none, 4, 3 and 1 of the links; and in one without a node.
        assert_eq!(look(0, [0b1_1110, 0b0110, 0b0110, 0b0010]), 4);
        assert_eq!(look(1, [0b1110, 0b0110, 0b0110, 0b1_0010]), 0);
        assert_eq!(look(2, [0b1110, 0b0110, 0b1010, 0b0010]), 2);
        ones.note(&seats, &mut changes);
        ones.note(&seats, &mut changes);
        let noted = changes.iter().map(|changes| {
            let changes = changes.iter().map(|change| (change.from, change.value));
            changes.collect::<Vec<_>>()
        });
        let due = [
            vec![(0, 0)],
            vec![(0, 3), (2, 2)],
            vec![(0, 1), (2, 2)],
            vec![(0, 4)],
        ];
        assert!(noted.eq(due));
    }

    /// As many bit times as are noted at several times: each number differs from that before it.
    #[test]
    fn all_bit_times_are_noted() {
        let seats: Vec<usize> = (0..NODES_AT_ONCE).collect();
        let mut ones = Ones::of(1, &seats, 1);
        let mut changes = vec![Vec::new()];
        let bit_times = 2 * MOST_KEPT as u32 + 5;
        let mut amount = 0;
        for bit_time in 0..bit_times {
            let links = [u64::from(bit_time % 2)];
            amount += ones.look(&Links(&links), 1, (bit_time, &seats), &mut changes);
        }
        ones.note(&seats, &mut changes);
        assert_eq!(amount, bit_times as usize);
        let due = (0..bit_times).map(|from| Change {
            from,
            value: from % 2,
        });
        assert!(changes[0].iter().copied().eq(due));
    }
}
