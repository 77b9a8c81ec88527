//! The moment of an address (Greenberg and Bhatt 1990, section 3.2): a label that all neighbours of a node have different.
//!
//! It is the exclusive or of the numbers of those bits that are 1 (Definition 1). A neighbour has one bit changed, so its moment
//! is that of the node, changed by the number of the bit (Lemma 2):
//!
//! ```text
//!   node 1010   M = 3 ^ 1 = 2        neighbours 1011  1000  1110  0010
//!                                    M          2^0   2^1   2^2   2^3  =  2 3 0 1
//! ```
//!
//! The paper chooses among `n` things by the moment of an address of `n` bits. But moments have `2^ceil(log n)` values, which
//! are `n` only where `n` is a power of two: of 6 bits the highest moment is 7.

/// `M(address)`.
#[inline]
pub fn moment(address: usize) -> usize {
    let (mut rest, mut moment) = (address, 0);
    while rest != 0 {
        moment ^= rest.trailing_zeros() as usize;
        rest &= rest - 1;
    }
    moment
}

/// How many moments the addresses of so many bits have, 1 bit and more: they are the numbers below this one.
pub fn moments(bits: usize) -> usize {
    bits.next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_few_addresses() {
        let of = |addresses: &[usize]| addresses.iter().map(|&at| moment(at)).collect::<Vec<_>>();
        assert_eq!(of(&[0, 0b1, 0b10, 0b11, 0b100]), [0, 0, 1, 1, 2]);
        assert_eq!(
            of(&[0b1010, 0b1011, 0b1000, 0b1110, 0b0010]),
            [2, 2, 3, 0, 1]
        );
        assert_eq!(moment(1 << 15 | 1 << 14), 1);
    }

    /// Lemma 2.
    #[test]
    fn all_neighbours_have_different_moments() {
        for bits in 1..=12 {
            for node in 0..1 << bits {
                let mut of: Vec<_> = (0..bits).map(|bit| moment(node ^ 1 << bit)).collect();
                of.sort_unstable();
                of.dedup();
                assert_eq!(of.len(), bits, "of node {node}");
            }
        }
    }

    #[test]
    fn moments_are_the_numbers_below_a_power_of_two() {
        for bits in 1..=12 {
            let mut of: Vec<_> = (0..1 << bits).map(moment).collect();
            of.sort_unstable();
            of.dedup();
            assert_eq!(of, (0..moments(bits)).collect::<Vec<_>>());
        }
        assert_eq!([4, 5, 6, 8, 9].map(moments), [4, 8, 8, 8, 16]);
    }
}
