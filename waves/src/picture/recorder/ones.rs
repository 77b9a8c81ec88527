//! On how many of its wires a node sends a 1, of 64 nodes at once.

use rtl_model::machine::host::NODES_AT_ONCE;
use rtl_model::machine::simulation::Transmitted;

use super::note;
use crate::picture::run::Change;

/// What was there a bit time ago.
pub struct Ones {
    /// By word the binary digits of the numbers of its nodes, the least significant first.
    before: Vec<Vec<u64>>,
    now: Vec<u64>,
    is_first: bool,
}

impl Ones {
    /// Of so many words, whose nodes have so many wires.
    pub fn of(words: usize, links: usize) -> Self {
        let digits = links
            .checked_ilog2()
            .map_or(1, |digits| digits as usize + 1);
        Ones {
            before: vec![vec![0; digits]; words],
            now: vec![0; digits],
            is_first: true,
        }
    }

    /// Notes by node what the first so many wires carry in a bit time; gives how many changes these are.
    pub fn look(
        &mut self,
        transmitted: &dyn Transmitted,
        links: usize,
        (bit_time, seats): (u32, &[usize]),
        changes: &mut [Vec<Change>],
    ) -> usize {
        let is_first = std::mem::replace(&mut self.is_first, false);
        let mut noted = 0;
        for (word, before) in self.before.iter_mut().enumerate() {
            let now = &mut self.now;
            now.fill(0);
            for link in 0..links {
                let mut carry = transmitted.driven_word(word, link);
                for digit in now.iter_mut() {
                    (*digit, carry) = (*digit ^ carry, *digit & carry);
                }
            }
            let differs = before.iter().zip(&*now).map(|(before, now)| before ^ now);
            let mut changed =
                differs.fold(u64::from(is_first).wrapping_neg(), |all, one| all | one);
            std::mem::swap(before, now);
            while changed != 0 {
                let place = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                // Not every place has a node.
                let Some(changes) = changes.get_mut(seats[NODES_AT_ONCE * word + place]) else {
                    continue;
                };
                let digits = before.iter().rev();
                let ones = digits.fold(0, |ones, digit| ones << 1 | (digit >> place & 1) as u32);
                note(changes, bit_time, ones);
                noted += 1;
            }
        }
        noted
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

        fn driven_word(&self, _word: usize, link: usize) -> u64 {
            self.0[link]
        }
    }

    /// Four nodes in the places 0, 2, 3 and 1 of a word; at the others there is none.
    #[test]
    fn ones_are_counted_by_node_and_noted_where_they_change() {
        let mut seats = vec![usize::MAX; NODES_AT_ONCE];
        seats[..4].copy_from_slice(&[0, 3, 1, 2]);
        let mut ones = Ones::of(1, 4);
        let mut changes = vec![Vec::new(); 4];
        let mut look = |bit_time, links: [u64; 4]| {
            ones.look(&Links(&links), 4, (bit_time, &seats), &mut changes)
        };
        // In the places 0 to 3: none, 4, 3 and 1 of the links; and in one without a node.
        assert_eq!(look(0, [0b1_1110, 0b0110, 0b0110, 0b0010]), 4);
        assert_eq!(look(1, [0b1110, 0b0110, 0b0110, 0b1_0010]), 0);
        assert_eq!(look(2, [0b1110, 0b0110, 0b1010, 0b0010]), 2);
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
}
