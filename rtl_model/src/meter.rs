//! Meters: what a node stores, counted from the registers that run, and how much of it is in use.

use crate::bit::Bit;
use crate::lanes::Lanes;
use crate::register::{Name, Registers, Visitor};

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
    pub fn of<B: Bit>(module: &impl Registers<B>) -> Self {
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

    fn register(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> B) {
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

/// Adds up small counts for many nodes at once: bit `p` of the sum of each node of a group is in
/// plane `p`.
#[derive(Clone, Debug)]
pub struct Tally<B> {
    planes: Vec<B>,
}

impl<B: Lanes> Tally<B> {
    /// For sums up to `largest`.
    pub fn new(largest: usize) -> Self {
        Tally {
            planes: vec![B::ZERO; (usize::BITS - largest.leading_zeros()) as usize],
        }
    }

    /// All sums 0.
    pub fn clear(&mut self) {
        self.planes.fill(B::ZERO);
    }

    /// Adds `count` to the sums of the nodes where `flag` is 1.
    #[inline]
    pub fn add(&mut self, flag: B, count: u32) {
        for place in 0..self.planes.len() {
            if count >> place & 1 == 0 {
                continue;
            }
            let mut carry = flag;
            for plane in &mut self.planes[place..] {
                let sum = *plane ^ carry;
                carry = *plane & carry;
                *plane = sum;
                if carry.is_known_zero() {
                    break;
                }
            }
        }
    }

    /// The sum of the node at a place.
    pub fn of(&self, place: usize) -> u32 {
        let planes = self.planes.iter().enumerate();
        planes.fold(0, |sum, (weight, plane)| {
            sum | u32::from(plane.get(place)) << weight
        })
    }

    /// The largest sum among the nodes.
    pub fn largest(&self) -> u32 {
        let mut candidates = B::ONE;
        let mut largest = 0;
        for (place, plane) in self.planes.iter().enumerate().rev() {
            let with_bit = candidates & *plane;
            if !with_bit.is_known_zero() {
                candidates = with_bit;
                largest |= 1 << place;
            }
        }
        largest
    }

    /// The sums of all nodes together.
    pub fn sum(&self) -> u64 {
        self.planes
            .iter()
            .enumerate()
            .map(|(place, plane)| {
                let ones: u32 = (0..B::WORDS)
                    .map(|index| plane.word(index).count_ones())
                    .sum();
                u64::from(ones) << place
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Words;

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
            assert_eq!(Some(tally.largest()), sums.iter().copied().max());
            assert!((0..128).all(|node| tally.of(node) == sums[node]));
            assert_eq!(tally.sum(), sums.iter().map(|&sum| u64::from(sum)).sum());
        }
        tally.clear();
        assert_eq!((tally.largest(), tally.sum()), (0, 0));
    }
}
