//! The binary reflected Gray code, as a closed walk through all addresses of a hypercube.

/// Address `index` of the walk; `0` is the first.
#[inline]
pub fn gray(index: usize) -> usize {
    index ^ index >> 1
}

/// Where in the walk `address` is: the inverse of [`gray`].
#[inline]
pub fn index(address: usize) -> usize {
    let mut index = address;
    let mut shift = 1;
    while shift < usize::BITS {
        index ^= index >> shift;
        shift *= 2;
    }
    index
}

/// `G_r(index)`: the bit in which address `index` and the one after it differ, in the walk of the
/// `2^r` addresses of `bits = r` bits, `r >= 1`. The last address, `index = 2^r - 1`, is followed
/// by the first.
#[inline]
pub fn transition(bits: usize, index: usize) -> usize {
    debug_assert!(bits >= 1 && index < 1 << bits);
    ((index + 1).trailing_zeros() as usize).min(bits - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_of_three_bits() {
        let walk: Vec<_> = (0..8).map(gray).collect();
        assert_eq!(
            walk,
            [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100]
        );
        let transitions: Vec<_> = (0..8).map(|index| transition(3, index)).collect();
        assert_eq!(transitions, [0, 1, 0, 2, 0, 1, 0, 2]);
    }

    #[test]
    fn the_walk_is_closed_and_visits_every_address() {
        for bits in 1..=8 {
            let length = 1usize << bits;
            for step in 0..length {
                assert!(gray(step) < length);
                assert_eq!(index(gray(step)), step);
                let next = gray((step + 1) % length);
                assert_eq!(gray(step) ^ next, 1 << transition(bits, step));
            }
        }
    }
}
