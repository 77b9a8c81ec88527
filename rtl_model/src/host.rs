//! The host's side of a node: what it writes before bit time 0 and what it reads after the last.
//!
//! A word of a register is the same bit of 64 nodes, and a host has 64 bits of the same node. So a host that
//! serves many nodes takes them 64 by 64 ([`write_nodes`], [`read_nodes`]), and turns the square of bits round.

use crate::lanes::Lanes;
use crate::router::Machine;

/// A field of a node's host port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The node is in the set.
    Member,
    /// There is a message.
    Valid,
    /// Where it goes, bit 0 being that of dimension 0.
    Destination,
    /// What it carries, bit 0 being the first one on a wire.
    Payload,
    /// Members of the set before this node.
    Rank,
    /// Members of the set.
    Total,
}

impl Field {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Field::Member => "member",
            Field::Valid => "valid",
            Field::Destination => "destination",
            Field::Payload => "payload",
            Field::Rank => "rank",
            Field::Total => "total",
        }
    }
}

/// Nodes that [`write_nodes`] and [`read_nodes`] serve at once.
pub const NODES_AT_ONCE: usize = 64;

/// Bits of a field of 64 nodes, or the nodes of 64 bits.
type Square = [u64; NODES_AT_ONCE];

/// Writes to those nodes of a lane group whose places are `64 * word + p` for the bits `p` that are 1 in `places`.
/// `value(field, from, p)` gives bits `from ..` of a field of the node at place `64 * word + p`, 64 of them or as many as there are.
pub fn write_nodes<M: Machine, B: Lanes>(
    machine: &M,
    node: &mut M::Node<B>,
    (word, places): (usize, u64),
    mut value: impl FnMut(Field, usize, usize) -> u64,
) {
    let mut square: Square = [0; NODES_AT_ONCE];
    machine.host_writes(node, &mut |field, bit, register| {
        let row = bit % NODES_AT_ONCE;
        if row == 0 {
            square = std::array::from_fn(|place| match places >> place & 1 {
                1 => value(field, bit, place),
                _ => 0,
            });
            transpose(&mut square);
        }
        let mut changed = (register.word(word) ^ square[row]) & places;
        while changed != 0 {
            let place = changed.trailing_zeros() as usize;
            let value = square[row] >> place & 1 == 1;
            register.set(NODES_AT_ONCE * word + place, value);
            changed &= changed - 1;
        }
    });
}

/// Reads the nodes of a lane group at the places `64 * word ..`. `value(field, from, values)` is given bits `from ..` of a
/// field, 64 of them or as many as there are, by place.
pub fn read_nodes<M: Machine, B: Lanes>(
    machine: &M,
    node: &M::Node<B>,
    word: usize,
    mut value: impl FnMut(Field, usize, &[u64; NODES_AT_ONCE]),
) {
    let mut square: Square = [0; NODES_AT_ONCE];
    let mut read: Option<(Field, usize)> = None;
    let mut hand_over = |read: Option<(Field, usize)>, square: &mut Square| {
        if let Some((field, bit)) = read {
            let last = bit % NODES_AT_ONCE;
            square[last + 1..].fill(0);
            transpose(square);
            value(field, bit - last, square);
        }
    };
    machine.host_reads(node, &mut |field, bit, register| {
        let row = bit % NODES_AT_ONCE;
        if row == 0 {
            hand_over(read, &mut square);
        }
        square[row] = register.word(word);
        read = Some((field, bit));
    });
    hand_over(read, &mut square);
}

/// Turns a square of bits round: bit `c` of word `r` becomes bit `r` of word `c`.
fn transpose(square: &mut Square) {
    let mut distance = NODES_AT_ONCE / 2;
    // The lower half of every pair of halves that are `distance` apart.
    let mut lower = u64::MAX >> distance;
    while distance > 0 {
        for high in (0..NODES_AT_ONCE).filter(|row| row & distance != 0) {
            let low = high - distance;
            let swapped = (square[low] >> distance ^ square[high]) & lower;
            square[low] ^= swapped << distance;
            square[high] ^= swapped;
        }
        distance /= 2;
        lower ^= lower << distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuszmaul::enumeration::EnumerationRouter;
    use crate::kuszmaul::packing::PackingRouter;
    use crate::lanes::Words;
    use crate::topology::hypercube::Dimensions;

    #[test]
    fn a_square_is_turned_round() {
        for row in 0..64 {
            for column in 0..64 {
                let mut square = [0; 64];
                square[row] = 1 << column;
                square[5] |= 1 << 9;
                transpose(&mut square);
                let mut expected = [0; 64];
                expected[column] = 1 << row;
                expected[9] |= 1 << 5;
                assert_eq!(square, expected);
            }
        }
    }

    /// All registers that the host writes, by place.
    fn written<M: Machine, B: Lanes>(machine: &M, mut node: M::Node<B>) -> Vec<(Field, usize, B)> {
        let mut written = Vec::new();
        machine.host_writes(&mut node, &mut |field, bit, register| {
            written.push((field, bit, *register));
        });
        written
    }

    fn value_of(field: Field, from: usize, place: usize) -> u64 {
        let seed = (field as u64) << 32 | (from as u64) << 16 | place as u64;
        seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn nodes_are_written_and_no_others<B: Lanes>(payload_bits: usize) {
        let router = PackingRouter::new(Dimensions::new(9).unwrap(), payload_bits).unwrap();
        let places_in_word = B::NODES.min(64);
        for word in 0..B::WORDS {
            for places in [0, 1, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef, u64::MAX] {
                let places = places & u64::MAX >> (64 - places_in_word);
                let mut node = router.node::<B>();
                // Ones, so that zeros have to be written too.
                router.host_writes(&mut node, &mut |_, _, register| *register = B::ONE);
                write_nodes(&router, &mut node, (word, places), value_of);
                for (field, bit, register) in written(&router, node) {
                    for place in 0..B::NODES {
                        let value = value_of(field, bit - bit % 64, place % 64) >> (bit % 64);
                        let here = place / 64 == word && places >> (place % 64) & 1 == 1;
                        assert_eq!(register.get(place), !here || value & 1 == 1);
                    }
                }
            }
        }
    }

    #[test]
    fn the_host_writes_64_nodes_at_once() {
        for payload_bits in [1, 63, 64, 65, 130] {
            nodes_are_written_and_no_others::<bool>(payload_bits);
            nodes_are_written_and_no_others::<u64>(payload_bits);
            nodes_are_written_and_no_others::<Words<4>>(payload_bits);
        }
    }

    fn nodes_are_read<M: Machine, B: Lanes>(machine: &M, mut node: M::Node<B>) {
        // Every register of the node something else.
        let mut number = 0;
        crate::register::Registers::visit_mut(&mut node, &mut |register: &mut B| {
            for place in 0..B::NODES {
                register.set(place, value_of(Field::Rank, number, place) >> 40 & 1 == 1);
            }
            number += 1;
        });
        for word in 0..B::WORDS {
            let mut read = Vec::new();
            read_nodes(machine, &node, word, |field, from, values| {
                read.push((field, from, *values));
            });
            let mut bits = 0;
            machine.host_reads(&node, &mut |field, bit, register| {
                bits += 1;
                let here = |(of, from, _): &&(Field, usize, [u64; 64])| {
                    *of == field && (*from..from + 64).contains(&bit)
                };
                let (_, from, values) = read.iter().find(here).unwrap();
                for (place, value) in values.iter().enumerate().take(B::NODES) {
                    let value = value >> (bit - from) & 1 == 1;
                    assert_eq!(value, register.get(64 * word + place));
                }
            });
            // And nothing else.
            let ones: u32 = read
                .iter()
                .flat_map(|(_, _, values)| values)
                .map(|value| value.count_ones())
                .sum();
            let mut expected = 0;
            machine.host_reads(&node, &mut |_, _, register| {
                expected += register.word(word).count_ones()
            });
            assert!(bits > 0 && ones == expected);
        }
    }

    #[test]
    fn the_host_reads_64_nodes_at_once() {
        let cube = Dimensions::new(9).unwrap();
        for payload_bits in [1, 63, 64, 65, 130] {
            let router = PackingRouter::new(cube, payload_bits).unwrap();
            nodes_are_read::<_, bool>(&router, router.node());
            nodes_are_read::<_, u64>(&router, router.node());
            nodes_are_read::<_, Words<4>>(&router, router.node());
        }
        let router = EnumerationRouter::new(cube);
        nodes_are_read::<_, Words<4>>(&router, router.node());
    }
}
