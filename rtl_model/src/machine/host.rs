//! The host's side of a node: what it writes before bit time 0 and what it reads after the last.
//!
//! A word of a register is the same bit of 64 nodes, and a host has 64 bits of the same node. So a host that
//! serves many nodes takes them 64 by 64 (`write_nodes`, `read_nodes`), and the square of bits is turned round.

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::machine::fabric::{LaneGroup, LaneGroupMut};

pub use crate::machine::field::Field;
pub use crate::machine::memories::{Memories, MemoriesMut};

/// Nodes that a host serves at once.
pub const NODES_AT_ONCE: usize = 64;

/// Numbers of nodes, by place; where there is none, `usize::MAX` or a number beyond those of all nodes.
pub type Seats = [usize; NODES_AT_ONCE];

/// Of each of some nodes, by place, 64 bits of a field; of 64 bits, the nodes.
pub type Square = [u64; NODES_AT_ONCE];

/// What a host writes into nodes before bit time 0.
pub trait Loads {
    /// Writes all memories of some nodes at once, `seats` for each word of their planes, and says that it does so; else it is asked
    /// for the [values](Loads::values) of [`Field::MEMORY`]. Is asked before it turns to [places](Loads::places).
    ///
    /// # Errors
    /// Whatever breaks off the loading.
    fn memories(&mut self, seats: &[Seats], memories: &mut dyn MemoriesMut) -> Result<bool, Error> {
        let _ = (seats, memories);
        Ok(false)
    }

    /// Nodes that are written now: bit `p` of the answer is 1 where the one at place `p` is. Is asked once for all fields.
    ///
    /// # Errors
    /// Whatever breaks off the loading.
    fn places(&mut self, seats: &Seats) -> Result<u64, Error>;

    /// Bits `from ..` of a field of these nodes, 64 of them or as many as there are, into `values`: places that are not
    /// written may hold anything.
    ///
    /// # Errors
    /// A field that it does not know.
    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error>;

    /// The same as a machine has them: of each of the bits, the nodes.
    ///
    /// # Errors
    /// Those of the [values](Loads::values).
    fn planes(&mut self, field: Field, from: usize, planes: &mut Square) -> Result<(), Error> {
        self.values(field, from, planes)?;
        transpose(planes);
        Ok(())
    }
}

/// What a host does with what it reads from nodes after the last bit time.
pub trait Unloads {
    /// Reads all memories of some nodes at once, `seats` for each word of their planes, and says that it does so; else it is shown
    /// the [values](Unloads::values) of [`Field::MEMORY`]. Is shown them before it turns to [seats](Unloads::seats).
    ///
    /// # Errors
    /// Whatever breaks off the reading.
    fn memories(&mut self, seats: &[Seats], memories: &dyn Memories) -> Result<bool, Error> {
        let _ = (seats, memories);
        Ok(false)
    }

    /// Nodes that are read now.
    ///
    /// # Errors
    /// Whatever breaks off the reading.
    fn seats(&mut self, seats: &Seats) -> Result<(), Error>;

    /// Bits `from ..` of a field of these nodes, 64 of them or as many as there are.
    ///
    /// # Errors
    /// A field that it does not know.
    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error>;

    /// The same as a machine has them: of each of the bits, the nodes. They may be turned round in place.
    ///
    /// # Errors
    /// Those of the [values](Unloads::values).
    fn planes(&mut self, field: Field, from: usize, planes: &mut Square) -> Result<(), Error> {
        transpose(planes);
        self.values(field, from, planes)
    }
}

/// Has a host write into the nodes of a lane group, of which `seats` are the numbers, word by word.
///
/// # Errors
/// Those of the host.
pub fn write_group<B: Lanes>(
    lanes: &mut dyn LaneGroupMut<B>,
    seats: &[Seats],
    host: &mut dyn Loads,
) -> Result<(), Error> {
    let are_written = match lanes.memory_mut() {
        Some(memories) => host.memories(seats, memories)?,
        None => true,
    };
    for (word, seats) in seats.iter().enumerate() {
        let places = write_nodes(lanes, (word, seats), host)?;
        if !are_written && let Some(memories) = lanes.memory_mut() {
            write_memories(memories, (word, places), host)?;
        }
    }
    Ok(())
}

/// Writes to the nodes of a lane group at the places `64 * word ..`, of which `seats` are the numbers, what the host has for
/// them. Gives the places of those that are written.
///
/// # Errors
/// Those of the host.
fn write_nodes<B: Lanes>(
    lanes: &mut dyn LaneGroupMut<B>,
    (word, seats): (usize, &Seats),
    host: &mut dyn Loads,
) -> Result<u64, Error> {
    let places = host.places(seats)?;
    if places == 0 {
        return Ok(places);
    }
    let mut square: Square = [0; NODES_AT_ONCE];
    let mut outcome = Ok(places);
    lanes.host_writes(&mut |field, bit, register| {
        let row = bit % NODES_AT_ONCE;
        if row == 0
            && let Err(error) = host.planes(field, bit, &mut square)
        {
            outcome = Err(error);
        }
        let others = register.word(word) & !places;
        register.set_word(word, others | square[row] & places);
    });
    outcome
}

/// The same of their memories, for a host that does not write all of them at once.
fn write_memories(
    memories: &mut dyn MemoriesMut,
    (word, places): (usize, u64),
    host: &mut dyn Loads,
) -> Result<(), Error> {
    let mut square: Square = [0; NODES_AT_ONCE];
    for from in (0..memories.bits()).step_by(NODES_AT_ONCE) {
        host.planes(Field::MEMORY, from, &mut square)?;
        for (address, bits) in (from..memories.bits()).zip(&square) {
            let plane = &mut memories.plane_mut(address)[word];
            *plane = *plane & !places | bits & places;
        }
    }
    Ok(())
}

/// Has a host read the nodes of a lane group, of which `seats` are the numbers, word by word.
///
/// # Errors
/// Those of the host.
pub fn read_group<B: Lanes>(
    lanes: &dyn LaneGroup<B>,
    seats: &[Seats],
    host: &mut dyn Unloads,
) -> Result<(), Error> {
    let memories = lanes.memory();
    let are_read = match memories {
        Some(memories) => host.memories(seats, memories)?,
        None => true,
    };
    for (word, seats) in seats.iter().enumerate() {
        read_nodes(lanes, (word, seats), host)?;
        if !are_read && let Some(memories) = memories {
            read_memories(memories, word, host)?;
        }
    }
    Ok(())
}

/// Reads the nodes of a lane group at the places `64 * word ..`, of which `seats` are the numbers.
///
/// # Errors
/// Those of the host.
fn read_nodes<B: Lanes>(
    lanes: &dyn LaneGroup<B>,
    (word, seats): (usize, &Seats),
    host: &mut dyn Unloads,
) -> Result<(), Error> {
    host.seats(seats)?;
    let mut outcome = Ok(());
    let mut square: Square = [0; NODES_AT_ONCE];
    let mut read: Option<(Field, usize)> = None;
    let mut hand_over = |read: Option<(Field, usize)>, square: &mut Square| {
        if let Some((field, bit)) = read {
            let last = bit % NODES_AT_ONCE;
            square[last + 1..].fill(0);
            if let Err(error) = host.planes(field, bit - last, square) {
                outcome = Err(error);
            }
        }
    };
    lanes.host_reads(&mut |field, bit, register| {
        let row = bit % NODES_AT_ONCE;
        if row == 0 {
            hand_over(read, &mut square);
        }
        square[row] = register.word(word);
        read = Some((field, bit));
    });
    hand_over(read, &mut square);
    outcome
}

/// The same of their memories, for a host that does not read all of them at once.
fn read_memories(
    memories: &dyn Memories,
    word: usize,
    host: &mut dyn Unloads,
) -> Result<(), Error> {
    for from in (0..memories.bits()).step_by(NODES_AT_ONCE) {
        let mut square: Square = [0; NODES_AT_ONCE];
        for (address, bits) in (from..memories.bits()).zip(&mut square) {
            *bits = memories.plane(address)[word];
        }
        host.planes(Field::MEMORY, from, &mut square)?;
    }
    Ok(())
}

/// Turns a square of bits round: bit `c` of word `r` becomes bit `r` of word `c`. It is long when
/// inlined, and called for each router.
#[inline(never)]
pub fn transpose(square: &mut Square) {
    let mut distance = NODES_AT_ONCE / 2;
    // The lower half of every pair of halves that are `distance` apart.
    let mut lower = u64::MAX >> distance;
    while distance > 0 {
        for rows in square.chunks_exact_mut(2 * distance) {
            let (low, high) = rows.split_at_mut(distance);
            for (low, high) in low.iter_mut().zip(high) {
                let swapped = (*low >> distance ^ *high) & lower;
                *low ^= swapped << distance;
                *high ^= swapped;
            }
        }
        distance /= 2;
        lower ^= lower << distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::fabric::GroupOf;
    use crate::machine::router::Machine;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::enumeration::EnumerationRouter;
    use crate::routers::kuszmaul::packing::PackingRouter;

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
        let name = field.name().bytes().map(u64::from).sum::<u64>();
        let seed = name << 32 | (from as u64) << 16 | place as u64;
        seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Writes [`value_of`] to the nodes at some places.
    struct ToSome(u64);

    impl Loads for ToSome {
        fn places(&mut self, _seats: &Seats) -> Result<u64, Error> {
            Ok(self.0)
        }

        fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
            *values = std::array::from_fn(|place| value_of(field, from, place));
            Ok(())
        }
    }

    /// Keeps what it is given.
    #[derive(Default)]
    struct Kept(Vec<(Field, usize, Square)>);

    impl Unloads for Kept {
        fn seats(&mut self, _seats: &Seats) -> Result<(), Error> {
            Ok(())
        }

        fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
            self.0.push((field, from, *values));
            Ok(())
        }
    }

    fn of<R, N>(router: &R, node: N) -> GroupOf<'_, R, N> {
        GroupOf { router, node }
    }

    const NOBODY: Seats = [usize::MAX; NODES_AT_ONCE];

    fn nodes_are_written_and_no_others<B: Lanes>(payload_bits: usize) {
        let router = PackingRouter::new(Dimensions::new(9).unwrap(), payload_bits).unwrap();
        let places_in_word = B::NODES.min(64);
        for word in 0..B::WORDS {
            for places in [0, 1, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef, u64::MAX] {
                let places = places & u64::MAX >> (64 - places_in_word);
                let mut node = router.node::<B>();
                // Ones, so that zeros have to be written too.
                router.host_writes(&mut node, &mut |_, _, register| *register = B::ONE);
                let mut host = ToSome(places);
                let mut lanes = of(&router, &mut node);
                write_nodes::<B>(&mut lanes, (word, &NOBODY), &mut host).unwrap();
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
            nodes_are_written_and_no_others::<Words<8>>(payload_bits);
        }
    }

    fn nodes_are_read<M: Machine, B: Lanes>(machine: &M, mut node: M::Node<B>) {
        // Every register of the node something else.
        let mut number = 0;
        crate::language::register::Registers::visit_mut(&mut node, &mut |register: &mut B| {
            for place in 0..B::NODES {
                register.set(place, value_of(Field::RANK, number, place) >> 40 & 1 == 1);
            }
            number += 1;
        });
        for word in 0..B::WORDS {
            let mut host = Kept::default();
            read_nodes::<B>(&of(machine, &node), (word, &NOBODY), &mut host).unwrap();
            let read = host.0;
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
    fn a_field_that_the_host_does_not_know_is_an_error() {
        struct KnowsNone;
        impl Loads for KnowsNone {
            fn places(&mut self, _seats: &Seats) -> Result<u64, Error> {
                Ok(1)
            }

            fn values(&mut self, field: Field, _: usize, _: &mut Square) -> Result<(), Error> {
                Err(field.unknown())
            }
        }
        impl Unloads for KnowsNone {
            fn seats(&mut self, _seats: &Seats) -> Result<(), Error> {
                Ok(())
            }

            fn values(&mut self, field: Field, _: usize, _: &Square) -> Result<(), Error> {
                Err(field.unknown())
            }
        }
        let router = EnumerationRouter::new(Dimensions::new(3).unwrap());
        let mut node = router.node::<u64>();
        let mut lanes = of(&router, &mut node);
        let error = write_nodes::<u64>(&mut lanes, (0, &NOBODY), &mut KnowsNone).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the host of this testbench knows no field `member` of a node's port: it has to say what is written there or read"
        );
        assert!(read_nodes::<u64>(&of(&router, &node), (0, &NOBODY), &mut KnowsNone).is_err());
    }

    #[test]
    fn the_host_reads_64_nodes_at_once() {
        let cube = Dimensions::new(9).unwrap();
        for payload_bits in [1, 63, 64, 65, 130] {
            let router = PackingRouter::new(cube, payload_bits).unwrap();
            nodes_are_read::<_, bool>(&router, router.node());
            nodes_are_read::<_, u64>(&router, router.node());
            nodes_are_read::<_, Words<8>>(&router, router.node());
        }
        let router = EnumerationRouter::new(cube);
        nodes_are_read::<_, Words<8>>(&router, router.node());
    }
}
