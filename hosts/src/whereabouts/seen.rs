//! What is seen of shadow machines in a bit time, 64 nodes at once, and which of it was not so in the bit time before.
//!
//! ```text
//!   rows of each machine        there   spelled, bit by bit
//!     a bit of a register   -->   1      1 0 1 ... number's bits   -->  left, entered: where any of these differs from before
//!     a wire                      0      0 0 0
//! ```
//!
//! Most of what lies in registers stays there for many bit times, many are never reached by a payload, and in registers only its first
//! bit and its last one are followed. So only rows of which anything has changed that may tell (`rows`) are compared, and numbers are
//! only put together where they have changed. What is shifted within a register has neither left nor entered.

use std::ops::Range;

use rtl_model::machine::instructions::{Instructions, Operation};

use crate::whereabouts::rows::{Rows, payload_end};

/// What is in the rows of all machines in a bit time.
#[derive(Clone, Copy)]
pub(super) struct AllRows<'a> {
    /// Of machines whose payloads are all 0 and all 1.
    pub plain: (&'a Rows, &'a Rows),
    /// Of those whose payloads spell a bit of numbers, by bit.
    pub spelled: &'a [Rows],
    /// Which rows are compared, in ascending order.
    pub wanted: &'a [usize],
}

/// Whose bits are where, now and before, of the nodes of some words.
pub(super) struct Seen {
    /// Rows of registers, words of a row, and planes of a row: whether payload bits are there, then the bits of their numbers.
    registers: usize,
    words: Range<usize>,
    planes: usize,
    /// By row, plane and word; no bit of a number is 1 where no payload bit is.
    before: Vec<u64>,
    /// The row that is compared, and the one before it, which may still have its bits from there.
    latest: Compared,
    last: Compared,
    /// The nodes of the words, by place, and by word the places that have one.
    seats: Vec<usize>,
    present: Vec<u64>,
    instructions: Instructions,
}

/// A row is compared with what it was.
struct CompareRow<'s, 'r> {
    seen: &'s mut Seen,
    row: usize,
    rows: AllRows<'r>,
}

impl Operation for CompareRow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        self.seen.compare_row(self.row, self.rows);
    }
}

/// What is in a row now, and what has changed there.
struct Compared {
    row: usize,
    /// By plane and word.
    now: Vec<u64>,
    /// By word, where something has left, and where something has entered.
    left: Vec<u64>,
    entered: Vec<u64>,
}

impl Seen {
    /// Of these words of machines with such rows, in whose numbers are so many bits, and whose nodes have these places.
    pub fn new(
        rows: &Rows,
        words: Range<usize>,
        bits: usize,
        (nodes, seats): (usize, &[usize]),
    ) -> Self {
        let seats = seats[64 * words.start..64 * words.end].to_vec();
        let (count, planes) = (rows.count(), 1 + bits);
        let is_there = |seats: &[usize]| {
            let places = seats.iter().enumerate();
            places.fold(0, |there, (place, &node)| {
                there | u64::from(node < nodes) << place
            })
        };
        let compared = || Compared {
            row: 0,
            now: vec![0; planes * words.len()],
            left: vec![0; words.len()],
            entered: vec![0; words.len()],
        };
        Seen {
            registers: rows.registers,
            planes,
            before: vec![0; count * planes * words.len()],
            latest: compared(),
            last: compared(),
            words,
            present: seats.chunks_exact(64).map(is_there).collect(),
            seats,
            instructions: Instructions::widest(),
        }
    }

    /// Compares the rows that are wanted with what they were, and shows all that has changed: the row, the node, and the numbers
    /// of what has left and of what has entered. `is_shifted` says whether bits of a row may have come from the one behind it or
    /// before it without leaving their place: these are not told.
    pub fn compare(
        &mut self,
        rows: AllRows<'_>,
        is_shifted: &dyn Fn(usize) -> bool,
        mut change: impl FnMut(usize, usize, Option<u32>, Option<u32>),
    ) {
        for (compared, &row) in rows.wanted.iter().enumerate() {
            std::mem::swap(&mut self.last, &mut self.latest);
            let (instructions, seen) = (self.instructions, &mut *self);
            instructions.perform(CompareRow { seen, row, rows });
            if compared > 0 {
                if self.last.row + 1 == row && is_shifted(row) {
                    self.cancel();
                }
                self.tell(&mut change);
            }
        }
        if !rows.wanted.is_empty() {
            std::mem::swap(&mut self.last, &mut self.latest);
            self.tell(&mut change);
        }
    }

    #[inline(always)]
    fn compare_row<'r>(&mut self, row: usize, rows: AllRows<'r>) {
        let count = self.words.len();
        let words = self.words.clone();
        let of = |rows: &'r Rows| &rows.row(row)[words.clone()];
        let (zero, one) = (of(rows.plain.0), of(rows.plain.1));
        let (was_there, before) = self.before[self.planes_of(row)].split_at(count);
        let latest = &mut self.latest;
        latest.row = row;
        let (there, now) = latest.now.split_at_mut(count);
        let plain = zero.iter().zip(one);
        match row < self.registers {
            // Of a payload's bits only its ends are followed from register to register.
            true => {
                let lowest = of(&rows.spelled[0]).iter().zip(of(&rows.spelled[1]));
                let places = there.iter_mut().zip(plain).zip(lowest);
                places.for_each(|((there, plain), lowest)| *there = payload_end(plain, lowest));
            }
            false => {
                let places = there.iter_mut().zip(plain);
                places.for_each(|(there, (zero, one))| *there = zero ^ one);
            }
        }
        // Where anything has changed, until it is known what.
        let changed = &mut latest.entered;
        let places = there.iter_mut().zip(&self.present).zip(was_there);
        for (((there, present), was_there), changed) in places.zip(&mut *changed) {
            *there &= present;
            *changed = *there ^ was_there;
        }
        let numbers = now.chunks_exact_mut(count);
        let numbers = numbers.zip(before.chunks_exact(count)).zip(rows.spelled);
        for ((now, before), spelled) in numbers {
            let words = now.iter_mut().zip(before).zip(of(spelled));
            let words = words.zip(zero).zip(&*there).zip(&mut *changed);
            for (((((now, before), spelled), zero), there), changed) in words {
                // A bit that is stored inverted is inverted in all of them.
                *now = (spelled ^ zero) & there;
                *changed |= *now ^ before;
            }
        }
        let places = there.iter().zip(was_there);
        let changes = changed.iter_mut().zip(&mut latest.left);
        for ((there, was_there), (entered, left)) in places.zip(changes) {
            *left = *entered & was_there;
            *entered &= there;
        }
    }

    /// What has left one of the two rows and entered the other has not left their place.
    fn cancel(&mut self) {
        let (last, latest) = (&mut self.last, &mut self.latest);
        let planes = self.planes * self.words.len();
        for is_back in [true, false] {
            let (from, to) = match is_back {
                true => (&mut *latest, &mut *last),
                false => (&mut *last, &mut *latest),
            };
            let before = &self.before[from.row * planes..][..planes];
            for word in 0..self.words.len() {
                let mut moved = from.left[word] & to.entered[word];
                for plane in 1..self.planes {
                    if moved == 0 {
                        break;
                    }
                    let at = plane * self.words.len() + word;
                    moved &= !(before[at] ^ to.now[at]);
                }
                from.left[word] &= !moved;
                to.entered[word] &= !moved;
            }
        }
    }

    /// Shows what has changed in the last row; what is there now has been there before from now on.
    fn tell(&mut self, change: &mut impl FnMut(usize, usize, Option<u32>, Option<u32>)) {
        let planes = self.planes_of(self.last.row);
        let (before, last) = (&mut self.before[planes], &self.last);
        let spelled = |planes: &[u64], (word, place): (usize, usize)| {
            let numbers = planes.chunks_exact(self.words.len()).skip(1);
            let bits = numbers.map(|plane| (plane[word] >> place & 1) as u32);
            bits.zip(0..)
                .fold(0, |number, (bit, at)| number | bit << at)
        };
        for (word, (left, entered)) in last.left.iter().zip(&last.entered).enumerate() {
            let mut changed = left | entered;
            while changed != 0 {
                let place = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let is_in = |places: u64| places >> place & 1 == 1;
                let left = is_in(*left).then(|| spelled(before, (word, place)));
                let entered = is_in(*entered).then(|| spelled(&last.now, (word, place)));
                change(last.row, self.seats[64 * word + place], left, entered);
            }
        }
        before.copy_from_slice(&last.now);
    }

    /// Where the planes of a row are.
    fn planes_of(&self, row: usize) -> Range<usize> {
        let words = self.planes * self.words.len();
        row * words..(row + 1) * words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whereabouts::rows::Reached;

    /// Two modules of two bits, and a wire.
    const REGISTERS: usize = 4;
    const ROWS: usize = 5;
    const PLACE: [usize; ROWS] = [0, 0, 1, 1, 2];

    /// Rows of two words of a machine that does not run, in whose payloads a bit of a number is 1 or not. There are some in the second
    /// word alone.
    fn drawn(numbers: &[[Option<u32>; ROWS]; 64], bit: &dyn Fn(u32) -> bool) -> [u64; 2 * ROWS] {
        let mut drawn = [0; 2 * ROWS];
        for (place, numbers) in numbers.iter().enumerate() {
            for (row, number) in numbers.iter().enumerate() {
                drawn[2 * row + 1] |= u64::from(number.is_some_and(bit)) << place;
            }
        }
        drawn
    }

    /// As rows are read of a machine that runs.
    fn read(rows: &mut Rows, drawn: &[u64; 2 * ROWS], wanted: &[usize]) {
        for &row in wanted {
            let words = 2 * row..2 * row + 2;
            rows.are_changed[row] |= rows.bits[words.clone()] != drawn[words.clone()];
            rows.bits[words.clone()].copy_from_slice(&drawn[words]);
        }
    }

    /// What is seen of nodes with so many of the places of the second word, of five machines: with payloads that are all 0, that are
    /// all 1, and that spell numbers.
    struct Looking {
        rows: [Rows; 5],
        reached: Reached,
        seen: Seen,
    }

    impl Looking {
        fn new(nodes: usize) -> Self {
            let seats: Vec<usize> = (64..128).chain(0..64).collect();
            let rows = [(); 5].map(|()| Rows::new(REGISTERS, ROWS - REGISTERS, 2));
            Looking {
                reached: Reached::new(&rows[0]),
                seen: Seen::new(&rows[0], 1..2, 3, (nodes, &seats)),
                rows,
            }
        }

        fn compare(
            &mut self,
            numbers: &[[Option<u32>; ROWS]; 64],
            change: impl FnMut(usize, usize, Option<u32>, Option<u32>),
        ) {
            let plain = [false, true].map(|bit| drawn(numbers, &|_| bit));
            let spelled = [0, 1, 2].map(|bit| drawn(numbers, &|number| number >> bit & 1 == 1));
            let [zeros, ones, low, high, last] = &mut self.rows;
            read(zeros, &plain[0], self.reached.all());
            read(ones, &plain[1], self.reached.all());
            let wanted = self.reached.differ((zeros, ones));
            read(low, &spelled[0], wanted);
            read(high, &spelled[1], wanted);
            let followed = self.reached.followed((zeros, ones), [low, high]);
            read(last, &spelled[2], followed);
            let wanted = self.reached.changed(self.rows.iter_mut());
            let rows = AllRows {
                plain: (&self.rows[0], &self.rows[1]),
                spelled: &self.rows[2..],
                wanted,
            };
            let is_shifted = |row: usize| PLACE[row] == PLACE[row - 1];
            self.seen.compare(rows, &is_shifted, change);
        }
    }

    /// Whatever is at places in one bit time and in the next: what is told makes of the one the other, and never what a row has
    /// from its neighbour in the same module.
    #[test]
    fn what_is_told_is_what_is_different() {
        let mut looking = Looking::new(60);
        let mut held = vec![[[0u32; 8]; 3]; 64];
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        let mut numbers = [[None; ROWS]; 64];
        for _ in 0..500 {
            // Of few nodes, in most rows nothing changes.
            let nodes = [1, 2, 64][next(3) as usize];
            for numbers in numbers.iter_mut().take(nodes) {
                match next(4) {
                    0 => numbers[next(ROWS as u64) as usize] = None,
                    1 => numbers[next(ROWS as u64) as usize] = Some(next(8) as u32),
                    // The first module shifts down, or up.
                    2 => numbers[0] = numbers[1].take(),
                    _ => numbers[1] = numbers[0].take(),
                }
            }
            looking.compare(&numbers, |row, node, left, entered| {
                assert!(left.is_some() || entered.is_some());
                if let Some(left) = left {
                    held[node][PLACE[row]][left as usize] =
                        held[node][PLACE[row]][left as usize].wrapping_sub(1);
                }
                if let Some(entered) = entered {
                    held[node][PLACE[row]][entered as usize] =
                        held[node][PLACE[row]][entered as usize].wrapping_add(1);
                }
            });
            let mut expected = vec![[[0; 8]; 3]; 64];
            for (node, numbers) in numbers.iter().enumerate() {
                for (row, number) in numbers.iter().enumerate() {
                    // Of registers only ends of payloads are followed, whose numbers have one of two bits.
                    let is_followed = |number: &u32| row >= REGISTERS || number & 3 != 0;
                    if let Some(number) = number.filter(is_followed).filter(|_| node < 60) {
                        expected[node][PLACE[row]][number as usize] += 1;
                    }
                }
            }
            assert_eq!(held, expected);
        }
    }

    /// A bit goes down within a module and up again, and then it goes on to the next module.
    #[test]
    fn what_is_shifted_within_a_module_is_not_told() {
        let mut looking = Looking::new(64);
        let mut told = |row: usize| {
            let mut numbers = [[None; ROWS]; 64];
            numbers[9][row] = Some(5);
            let mut told = Vec::new();
            looking.compare(&numbers, |row, node, left, entered| {
                told.push((row, node, left, entered));
            });
            told
        };
        assert_eq!(told(1), [(1, 9, None, Some(5))]);
        assert_eq!(told(0), []);
        assert_eq!(told(1), []);
        assert_eq!(told(2), [(1, 9, Some(5), None), (2, 9, None, Some(5))]);
    }
}
