//! Meters: what a node stores, counted from the registers that run, and how much of it is in use.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::language::register::{Name, Registers, Visitor};

/// Register bits of one node (or of a sequencer).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// All of them.
    pub total: usize,
    /// By the part that they belong to, in the order of the description.
    pub by_part: Vec<(String, usize)>,
    /// Serial adders among the modules.
    pub serial_adders: usize,
}

impl Storage {
    /// Counts the registers of a module; its fields are the parts.
    pub fn of<B: Bit>(module: &(impl Registers<B> + ?Sized)) -> Self {
        let mut count = Count::default();
        module.visit(Name::Field("node"), &mut count);
        count.storage
    }
}

#[derive(Default)]
struct Count {
    depth: usize,
    part: String,
    storage: Storage,
}

impl<B: Bit> Visitor<B> for Count {
    fn enter(&mut self, name: Name, kind: &'static str) {
        self.depth += 1;
        if self.depth == 2 {
            self.part = name.to_string();
        }
        if kind == "SerialAdder" {
            self.storage.serial_adders += 1;
        }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r B) {
        if self.depth == 1 {
            self.part = name.to_string();
        }
        self.storage.total += width;
        match self.storage.by_part.last_mut() {
            Some((part, bits)) if *part == self.part => *bits += width,
            _ => self.storage.by_part.push((self.part.clone(), width)),
        }
    }
}

/// The most bits that a sum can have.
const MOST_LEVELS: usize = 32;

/// Adds up small counts for many nodes at once: the sum of each node of a group.
///
/// The sums are kept *carry-save*: a bit of weight `2^p` stands in one of two places of level `p`,
/// and only when a third comes are the three added, by a full adder whose carry goes to the next
/// level. So `n` flags take about `n` full adders in place of `n` carry chains. Which places are
/// taken is the same for all nodes, whatever the flags are.
#[derive(Clone, Debug)]
pub struct Tally<B> {
    levels: ArrayVec<[B; 2], MOST_LEVELS>,
    /// Levels that hold one bit at least, and that hold two: bit `p` for level `p`.
    one: u32,
    two: u32,
}

/// Whether any node has a 1.
#[inline(always)]
fn is_anywhere<B: Lanes>(bit: B) -> bool {
    (0..B::WORDS).fold(0, |any, index| any | bit.word(index)) != 0
}

impl<B: Lanes> Tally<B> {
    /// For sums up to `largest`; of more than 32 bits only the lowest are kept.
    pub fn new(largest: usize) -> Self {
        let levels = (usize::BITS - largest.leading_zeros()) as usize;
        Tally {
            levels: (0..levels.min(MOST_LEVELS)).map(|_| [B::ZERO; 2]).collect(),
            one: 0,
            two: 0,
        }
    }

    /// All sums 0.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.one, self.two) = (0, 0);
    }

    /// Adds `count` to the sums of the nodes where `flag` is 1.
    #[inline(always)]
    pub fn add(&mut self, flag: B, count: u32) {
        let mut left = count;
        while left != 0 {
            self.put(left.trailing_zeros() as usize, flag);
            left &= left - 1;
        }
    }

    /// Adds the sums of `other` to those of the nodes at the same places. Over many groups this and
    /// one [`Tally::sum`] at the end count fewer ones than a sum of each.
    #[inline(always)]
    pub fn add_all(&mut self, other: &Self) {
        for (level, &[first, second]) in other.levels.iter().enumerate() {
            if other.one >> level & 1 == 1 {
                self.put(level, first);
            }
            if other.two >> level & 1 == 1 {
                self.put(level, second);
            }
        }
    }

    /// Adds `2^level` where `bit` is 1.
    #[inline(always)]
    fn put(&mut self, level: usize, bit: B) {
        let mut bit = bit;
        for (level, [first, second]) in self.levels.iter_mut().enumerate().skip(level) {
            let here = 1 << level;
            if self.one & here == 0 {
                *first = bit;
                self.one |= here;
                return;
            }
            if self.two & here == 0 {
                *second = bit;
                self.two |= here;
                return;
            }
            let differ = *first ^ *second;
            let carry = (*first & *second) | (differ & bit);
            *first = differ ^ bit;
            self.two &= !here;
            bit = carry;
        }
    }

    /// The bits of weight `2^level`, 0 where there are none.
    #[inline(always)]
    fn at(&self, level: usize) -> [B; 2] {
        let [first, second] = self.levels[level];
        let held = |taken: u32, bit| match taken >> level & 1 {
            0 => B::ZERO,
            _ => bit,
        };
        [held(self.one, first), held(self.two, second)]
    }

    /// Bit `p` of the sums, for each `p`: the carries go up.
    #[inline(always)]
    fn planes(&self) -> ArrayVec<B, MOST_LEVELS> {
        let mut planes = ArrayVec::new();
        let mut carry = B::ZERO;
        for level in 0..self.levels.len() {
            let [first, second] = self.at(level);
            let differ = first ^ second;
            planes.push(differ ^ carry);
            carry = (first & second) | (differ & carry);
        }
        planes
    }

    /// Appends the sums of all nodes, 64 of each word of the group: 0 at a place beyond its nodes.
    pub fn append_sums(&self, sums: &mut Vec<u32>) {
        let planes = self.planes();
        for word in 0..B::WORDS {
            let mut of_word = [0; 64];
            for (level, plane) in planes.iter().enumerate() {
                let bits = plane.word(word);
                if bits != 0 {
                    for (place, sum) in of_word.iter_mut().enumerate() {
                        *sum |= ((bits >> place & 1) as u32) << level;
                    }
                }
            }
            sums.extend(of_word);
        }
    }

    /// The sum of the node at a place.
    pub fn of(&self, place: usize) -> u32 {
        let mut sum = 0u32;
        for (level, [first, second]) in self.levels.iter().enumerate() {
            for (taken, bit) in [(self.one, first), (self.two, second)] {
                if taken >> level & 1 == 1 && bit.get(place) {
                    sum = sum.wrapping_add(1 << level);
                }
            }
        }
        sum
    }

    /// The largest sum among all nodes.
    #[inline(always)]
    pub fn largest(&self) -> u32 {
        self.largest_of(B::ONE)
    }

    /// The largest sum among these nodes.
    #[inline(always)]
    pub fn largest_of(&self, nodes: B) -> u32 {
        if self.one == 0 {
            return 0;
        }
        // It is looked for from the top.
        let mut candidates = nodes;
        let mut largest = 0;
        for (place, plane) in self.planes().iter().enumerate().rev() {
            let with_bit = candidates & *plane;
            if is_anywhere(with_bit) {
                candidates = with_bit;
                largest |= 1 << place;
            }
        }
        largest
    }

    /// The largest sum among the nodes, if it may be more than `known`; otherwise `known`. What was
    /// added bounds the sums, so most often nothing has to be looked at.
    #[inline(always)]
    pub fn largest_or(&self, known: u32) -> u32 {
        // As much as places that are taken can come to.
        let most = u64::from(self.one) + u64::from(self.two);
        match most > u64::from(known) {
            true => self.largest().max(known),
            false => known,
        }
    }

    /// The sums of all nodes together.
    #[inline(always)]
    pub fn sum(&self) -> u64 {
        self.sum_of(B::ONE)
    }

    /// The sums of these nodes together.
    #[inline(always)]
    pub fn sum_of(&self, nodes: B) -> u64 {
        (0..self.levels.len()).fold(0, |sum, level| {
            let mut ones_here = 0;
            let [first, second] = self.levels[level];
            if self.one >> level & 1 == 1 {
                ones_here += (first & nodes).ones();
            }
            if self.two >> level & 1 == 1 {
                ones_here += (second & nodes).ones();
            }
            sum + (ones_here << level)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;

    #[test]
    fn a_tally_sums_each_node_apart() {
        let mut tally = Tally::<Words<2>>::new(1000);
        let mut sums = [0u32; 128];
        for round in 1..40u32 {
            let mut flag = Words::<2>::ZERO;
            for (node, sum) in sums.iter_mut().enumerate() {
                if (node as u32 * round) % 7 < 3 {
                    flag.set(node, true);
                    *sum += round % 23;
                }
            }
            tally.add(flag, round % 23);
            let largest = sums.iter().copied().max().unwrap();
            assert_eq!(tally.largest(), largest);
            for known in [0, largest - 1, largest, largest + 1, 5000] {
                assert_eq!(tally.largest_or(known), largest.max(known));
            }
            assert!((0..128).all(|node| tally.of(node) == sums[node]));
            let mut appended = Vec::new();
            tally.append_sums(&mut appended);
            assert_eq!(appended, sums);
            let all: u64 = sums.iter().map(|&sum| u64::from(sum)).sum();
            assert_eq!(tally.sum(), all);
            let mut some = Words::<2>::ZERO;
            let of_some = sums.iter().enumerate().filter(|(node, _)| node % 3 > 0);
            of_some.clone().for_each(|(node, _)| some.set(node, true));
            let of_some = of_some.map(|(_, &sum)| sum);
            assert_eq!(tally.largest_of(some), of_some.clone().max().unwrap());
            assert_eq!(tally.sum_of(some), of_some.map(u64::from).sum::<u64>());
        }
        tally.clear();
        assert_eq!(
            (tally.largest(), tally.largest_or(3), tally.sum()),
            (0, 3, 0)
        );
        assert!((0..128).all(|node| tally.of(node) == 0));
    }

    #[test]
    fn tallies_add_up_place_by_place() {
        let mut all = Tally::<u64>::new(u32::MAX as usize);
        let mut sums = [0; 64];
        for group in 1..50_u64 {
            let mut tally = Tally::<u64>::new(100);
            for count in 1..8 {
                let flag =
                    group.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::place_bit(count as usize % 6);
                tally.add(flag, count);
                for (place, sum) in sums.iter_mut().enumerate() {
                    *sum += (flag >> place & 1) as u32 * count;
                }
            }
            all.add_all(&tally);
            assert!((0..64).all(|place| all.of(place) == sums[place]));
        }
        assert_eq!(
            all.sum(),
            sums.iter().map(|&sum| u64::from(sum)).sum::<u64>()
        );
    }

    /// Every way to add up to four counts of up to 3 in a node, all of them side by side.
    #[test]
    fn every_few_small_counts_are_added() {
        for counts in 0..4_u32.pow(4) {
            let counts: Vec<u32> = (0..4).map(|number| counts >> (2 * number) & 3).collect();
            let mut tally = Tally::<u64>::new(12);
            for (number, &count) in counts.iter().enumerate() {
                // Place `p` takes the counts that the bits of `p` name.
                tally.add(u64::place_bit(number), count);
            }
            let expected = |place: usize| -> u32 {
                let named = counts.iter().enumerate();
                named
                    .map(|(number, count)| (place as u32 >> number & 1) * count)
                    .sum()
            };
            assert!((0..64).all(|place| tally.of(place) == expected(place)));
            let mut appended = Vec::new();
            tally.append_sums(&mut appended);
            assert!((0..64).all(|place| appended[place] == expected(place)));
            assert_eq!(tally.largest(), counts.iter().sum::<u32>());
            let all: u64 = (0..64).map(|place| u64::from(expected(place))).sum();
            assert_eq!(tally.sum(), all);
        }
    }

    #[test]
    fn a_sum_may_fill_32_bits() {
        let mut tally = Tally::<u64>::new(u32::MAX as usize);
        tally.add(1, u32::MAX - 2);
        tally.add(3, 1);
        tally.add(1, 1);
        assert_eq!((tally.of(0), tally.of(1)), (u32::MAX, 1));
        assert_eq!(tally.largest(), u32::MAX);
        assert_eq!(tally.sum(), 1 << 32);
    }
}
