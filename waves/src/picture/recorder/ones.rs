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
