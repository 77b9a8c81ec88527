//! Numbers that several algorithms are made of.

/// How many subsets of so many members a set of `of` has.
pub(super) fn binomial(of: usize, members: usize) -> usize {
    if members > of {
        return 0;
    }
    (0..members).fold(1, |product, taken| product * (of - taken) / (taken + 1))
}

/// Numbers of `width` bits with so many ones, ascending.
pub(super) fn subsets(width: usize, ones: usize) -> impl Iterator<Item = usize> {
    (0..1usize << width).filter(move |set| set.count_ones() as usize == ones)
}

/// How many numbers with as many ones are smaller.
pub(super) fn rank(set: usize) -> usize {
    let places = (0..usize::BITS as usize).filter(|place| set >> place & 1 == 1);
    places
        .enumerate()
        .map(|(number, place)| binomial(place, number + 1))
        .sum()
}

/// Bits below `width`, rotated down by `by`.
pub(super) fn rotated_down(bits: usize, by: usize, width: usize) -> usize {
    (bits >> by | bits << (width - by)) & ((1 << width) - 1)
}

/// By how much a number of `width` bits has to be rotated to come out the same.
pub(super) fn period(bits: usize, width: usize) -> usize {
    let mut turns = 1..width;
    turns
        .find(|&by| rotated_down(bits, by, width) == bits)
        .unwrap_or(width)
}

/// Whether no rotation of a number is smaller: it stands for its necklace.
pub(super) fn is_least(bits: usize, width: usize) -> bool {
    (1..width).all(|by| rotated_down(bits, by, width) >= bits)
}

/// Necklaces of `width` beads of which so many are ones (Burnside's lemma: the mean over all rotations of what each leaves as it
/// is).
pub(super) fn necklaces(width: usize, ones: usize) -> usize {
    let kept = |by: usize| {
        let (mut cycles, mut rest) = (width, by);
        while rest > 0 {
            (cycles, rest) = (rest, cycles % rest);
        }
        // So many cycles, each of as many beads.
        let beads = width / cycles;
        match ones.is_multiple_of(beads) {
            true => binomial(cycles, ones / beads),
            false => 0,
        }
    };
    (0..width).map(kept).sum::<usize>() / width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_one_gets_by_counting() {
        for width in 1..=9 {
            for ones in 0..=width {
                let sets: Vec<usize> = subsets(width, ones).collect();
                assert_eq!(sets.len(), binomial(width, ones));
                assert!(
                    sets.iter()
                        .enumerate()
                        .all(|(number, set)| rank(*set) == number)
                );
                let least = sets.iter().filter(|set| is_least(**set, width));
                assert_eq!(least.count(), necklaces(width, ones));
            }
        }
    }

    /// Ho & Johnsson 1986, table 5: the largest subtree of the BST has a node of every necklace but that of 0.
    #[test]
    fn the_largest_subtree_is_as_table_5_says() {
        let printed = [
            2, 3, 5, 7, 13, 19, 35, 59, 107, 187, 351, 631, 1181, 2191, 4115, 7711, 14601, 27595,
            52487,
        ];
        for (n, largest) in (2..).zip(printed) {
            let of_ones = (1..=n).map(|ones| necklaces(n, ones));
            assert_eq!(of_ones.sum::<usize>(), largest, "{n}");
        }
    }

    /// Ho & Johnsson 1986, section 4.1, print 3 for the first; it is 1.
    #[test]
    fn the_base_is_the_least_rotation() {
        let base = |bits: usize| {
            let mut turns = 0..6;
            turns.find(|&by| is_least(rotated_down(bits, by, 6), 6))
        };
        assert_eq!(base(0b011010), Some(1));
        assert_eq!(base(0b110110), Some(1));
        assert_eq!((period(0b011010, 6), period(0b110110, 6)), (6, 3));
    }
}
