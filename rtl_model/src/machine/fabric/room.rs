//! Room for one lane group at a time, while all of them are in tiles: a node for the host to write and to read. A memory is no part of
//! it, since it is most of a node that has one: the host sees that where it lies.
//!
//! ```text
//!   tile     [registers] [memory, a plane an address] [registers]
//!                 |                 |                     |
//!   room     [registers]            |                [registers]
//!                 |                 |                     |
//!   host       fields      words of planes, in place    fields
//! ```

use std::ops::{Deref, DerefMut, Range};

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::fabric::lane_group::{LaneGroup, LaneGroupMut, Read, Write};
use crate::machine::fabric::tiles::Tiles;
use crate::machine::field::Field;
use crate::machine::memories::{Memories, MemoriesMut};
use crate::machine::program::{Held, LARGEST, Planes};

/// Room for a lane group.
pub(super) struct Room<'a, B: Lanes> {
    lanes: Box<dyn LaneGroupMut<B> + 'a>,
    /// The registers of the memory, by number; they have been taken out of it.
    memory: Range<usize>,
    /// What the others begin with.
    begins: Vec<B>,
}

impl<'a, B: Lanes> Room<'a, B> {
    /// A group whose registers hold what they begin with.
    pub fn new(mut lanes: Box<dyn LaneGroupMut<B> + 'a>) -> Self {
        let memory = lanes.part_with_memory();
        let mut begins = Vec::new();
        let mut note = |register: &mut B| begins.push(*register);
        lanes.registers_mut().visit_mut(&mut note);
        lanes.registers_mut().visit_witnesses(&mut note);
        Room {
            lanes,
            memory,
            begins,
        }
    }

    /// Where the registers are that are not of the memory.
    fn held(&self, all: &[Held]) -> Vec<Held> {
        let (before, behind) = (&all[..self.memory.start], &all[self.memory.end..]);
        [before, behind].concat()
    }

    fn begin(&mut self) {
        let mut begins = self.begins.iter();
        let mut begin = |register: &mut B| {
            if let Some(bit) = begins.next() {
                *register = *bit;
            }
        };
        self.lanes.registers_mut().visit_mut(&mut begin);
        self.lanes.registers_mut().visit_witnesses(&mut begin);
    }

    /// Turns to a group that is in tiles.
    pub fn fetch(&mut self, tiles: &Tiles, group: usize) {
        let held = self.held(&tiles.held);
        let registers = self.lanes.registers_mut();
        (tiles.planes).fetch::<B>(&tiles.layout, &held, group, registers);
    }

    /// Whether all that is read of a group has been fetched.
    pub fn is_whole(&self) -> bool {
        self.memory.is_empty()
    }

    /// The group, if it is whole.
    pub fn lanes(&self) -> &dyn LaneGroup<B> {
        &*self.lanes
    }

    /// Shows the group, with its memory where it lies.
    ///
    /// # Errors
    /// That of whoever reads it.
    pub fn show(&self, tiles: &Tiles, group: usize, read: &mut Read<'_, B>) -> Result<(), Error> {
        let (tile, from) = tiles.layout.seat::<B>(group);
        let memory = InTile {
            planes: tiles.planes.tile(tile),
            of_tile: tiles.layout.shape.words(),
            from,
            words: B::WORDS,
            held: &tiles.held[self.memory.clone()],
            is_written: true,
        };
        let lanes = &*self.lanes;
        read(group, &Apart { lanes, memory })
    }

    /// Hands out a group to be written, one that is in tiles or the next.
    ///
    /// # Errors
    /// That of whoever writes it.
    pub fn write(
        &mut self,
        tiles: &mut Tiles,
        group: usize,
        write: &mut Write<'_, B>,
    ) -> Result<(), Error> {
        let is_written = group < tiles.filled;
        match is_written {
            true => self.fetch(tiles, group),
            false => self.begin(),
        }
        if self.is_whole() {
            let outcome = write(group, &mut *self.lanes);
            tiles.store(group, self.lanes.registers_mut());
            return outcome;
        }
        let (held, layout) = (self.held(&tiles.held), tiles.layout);
        // So that there is a tile.
        (tiles.planes).store::<B>(&layout, &held, group, self.lanes.registers_mut());
        tiles.filled = tiles.filled.max(group + 1);
        let (tile, from) = layout.seat::<B>(group);
        let planes = &mut tiles.planes.tiles_mut()[tile];
        let memory = InTile {
            planes: planes.words_mut(),
            of_tile: layout.shape.words(),
            from,
            words: B::WORDS,
            held: &tiles.held[self.memory.clone()],
            is_written,
        };
        let lanes = &mut *self.lanes;
        let mut apart = Apart { lanes, memory };
        let outcome = write(group, &mut apart);
        Planes::store_in::<B>(planes, &layout, &held, group, self.lanes.registers_mut());
        outcome
    }
}

/// Planes that are known, as long as there are.
static KNOWN: [[u64; LARGEST.vector * LARGEST.tile]; 2] = [
    [0; LARGEST.vector * LARGEST.tile],
    [!0; LARGEST.vector * LARGEST.tile],
];

/// The memory of a lane group, in a tile.
struct InTile<'a, W> {
    /// Of the tile.
    planes: W,
    /// Words of a plane.
    of_tile: usize,
    /// Where in it those of the group begin.
    from: usize,
    /// How many they are.
    words: usize,
    /// By address.
    held: &'a [Held],
    /// Somebody may have written them.
    is_written: bool,
}

impl<W> InTile<'_, W> {
    fn of_slot(&self, slot: usize) -> Range<usize> {
        let begin = slot * self.of_tile + self.from;
        begin..begin + self.words
    }
}

impl<W: Deref<Target = [u64]>> Memories for InTile<'_, W> {
    fn bits(&self) -> usize {
        self.held.len()
    }

    fn plane(&self, address: usize) -> &[u64] {
        match self.held[address] {
            Held::In(slot) => &self.planes[self.of_slot(slot as usize)],
            Held::Known(value) => &KNOWN[usize::from(value)][..self.words],
        }
    }
}

impl MemoriesMut for InTile<'_, &mut [u64]> {
    fn clear(&mut self) {
        if self.is_written {
            (0..self.bits()).for_each(|address| self.plane_mut(address).fill(0));
        }
    }

    fn plane_mut(&mut self, address: usize) -> &mut [u64] {
        match self.held[address] {
            Held::In(slot) => {
                let words = self.of_slot(slot as usize);
                &mut self.planes[words]
            }
            Held::Known(_) => unreachable!("tiles are written only if they hold every register"),
        }
    }
}

/// A lane group whose memory lies apart.
struct Apart<L, P> {
    lanes: L,
    memory: P,
}

impl<B, L, P> LaneGroup<B> for Apart<L, P>
where
    B: Lanes,
    L: Deref<Target: LaneGroup<B>>,
    P: Memories,
{
    fn registers(&self) -> &dyn Registers<B> {
        self.lanes.registers()
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        self.lanes.host_reads(port);
    }

    fn memory(&self) -> Option<&dyn Memories> {
        Some(&self.memory)
    }
}

impl<B, L, P> LaneGroupMut<B> for Apart<L, P>
where
    B: Lanes,
    L: DerefMut<Target: LaneGroupMut<B>>,
    P: MemoriesMut,
{
    fn registers_mut(&mut self) -> &mut dyn Registers<B> {
        self.lanes.registers_mut()
    }

    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        self.lanes.host_writes(port);
    }

    fn memory_mut(&mut self) -> Option<&mut dyn MemoriesMut> {
        Some(&mut self.memory)
    }

    fn part_with_memory(&mut self) -> Range<usize> {
        0..0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group of two words, in a tile of four: a bit of the memory that is stored, and two that a program knows.
    #[test]
    fn bits_that_a_program_knows_are_read_as_they_are_known() {
        let planes: Vec<u64> = (0..8).collect();
        let memory = InTile {
            planes: &planes[..],
            of_tile: 4,
            from: 2,
            words: 2,
            held: &[Held::Known(true), Held::In(1), Held::Known(false)],
            is_written: true,
        };
        let seen: Vec<&[u64]> = (0..memory.bits()).map(|bit| memory.plane(bit)).collect();
        assert_eq!(seen, [[!0; 2], [6, 7], [0; 2]]);
    }
}
