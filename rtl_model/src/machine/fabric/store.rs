//! What holds the registers of all lane groups while they are no nodes, whatever their router: nothing, as long as all are as they
//! begin, or tiles.

use std::cell::RefCell;

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use crate::error::Error;
use crate::language::lanes::Lanes;
#[cfg(doc)]
use crate::machine::fabric::groups::Groups;
use crate::machine::fabric::lane_group::{Make, MakeOnThreads, Read, Write};
use crate::machine::fabric::room::Room;
use crate::machine::fabric::tiles::Tiles;
use crate::machine::program::{Aligned, Held, Layout, Planes, is_as_known};

/// All lane groups while they are no nodes.
pub(super) struct Store {
    pub count: usize,
    /// Where their registers are; `None`: they are nodes, or are just being made.
    elsewhere: RefCell<Option<Elsewhere>>,
}

enum Elsewhere {
    /// Nowhere: nobody has written any.
    AsTheyBegin,
    Tiles(Tiles),
}

impl Store {
    /// So many, with all registers as they begin; nothing is allocated.
    pub fn new(count: usize) -> Self {
        Store {
            count,
            elsewhere: RefCell::new(Some(Elsewhere::AsTheyBegin)),
        }
    }

    /// With all registers as they begin again.
    pub fn restart(&mut self) {
        *self.elsewhere.get_mut() = Some(Elsewhere::AsTheyBegin);
    }

    /// The tiles, for nodes to be made of them.
    pub fn take_tiles(&self) -> Option<Tiles> {
        match self.elsewhere.take() {
            Some(Elsewhere::Tiles(tiles)) => Some(tiles),
            _ => None,
        }
    }

    pub fn is_as_it_begins(&mut self) -> bool {
        matches!(self.elsewhere.get_mut(), Some(Elsewhere::AsTheyBegin))
    }

    #[cfg(test)]
    pub fn is_in_tiles(&self) -> bool {
        matches!(*self.elsewhere.borrow(), Some(Elsewhere::Tiles(_)))
    }

    pub fn put(&mut self, tiles: Tiles) {
        *self.elsewhere.get_mut() = Some(Elsewhere::Tiles(tiles));
    }

    pub fn copy_tile(&self, tile: usize, words: &mut Vec<u64>) {
        if let Some(Elsewhere::Tiles(tiles)) = &*self.elsewhere.borrow() {
            tiles.copy(tile, words);
        }
    }

    pub fn replace_tile(&mut self, tile: usize, words: &[u64]) {
        if let Some(Elsewhere::Tiles(tiles)) = self.elsewhere.get_mut() {
            tiles.replace(tile, words);
        }
    }

    pub fn hold(&mut self, held: Vec<Held>) {
        if let Some(Elsewhere::Tiles(tiles)) = self.elsewhere.get_mut() {
            tiles.now_hold(held);
        }
    }

    /// Shows one group after the other until they have become nodes, because whoever reads has asked for nodes: that is not for those
    /// to do who are shown memories where they lie. Gives how many it has shown.
    pub fn read<B: Lanes>(
        &self,
        make: &Make<'_, B>,
        read: &mut Read<'_, B>,
    ) -> Result<usize, Error> {
        let (mut room, mut as_it_begins) = (Room::new(make()), None);
        for group in 0..self.count {
            let elsewhere = self.elsewhere.borrow();
            match &*elsewhere {
                None => return Ok(group),
                Some(Elsewhere::Tiles(tiles)) if group < tiles.filled => {
                    room.fetch(tiles, group);
                    match room.is_whole() {
                        true => {
                            drop(elsewhere);
                            read(group, room.lanes())?;
                        }
                        false => room.show(tiles, group, read)?,
                    }
                }
                Some(_) => {
                    drop(elsewhere);
                    read(group, &**as_it_begins.get_or_insert_with(make))?;
                }
            }
        }
        Ok(self.count)
    }

    /// As [`Groups::read_on_threads`]; nothing, unless all groups are in tiles.
    pub fn read_on_threads<'t, B: Lanes>(
        &self,
        make: &MakeOnThreads<'_, B>,
        read: &(dyn Fn() -> Box<Read<'t, B>> + Sync),
    ) -> Option<Result<(), Error>> {
        const AT_ONCE: usize = 64;
        let elsewhere = self.elsewhere.borrow();
        let Some(Elsewhere::Tiles(tiles)) = &*elsewhere else {
            return None;
        };
        let count = self.count;
        if tiles.filled < count {
            return None;
        }
        Some(parts_on_threads(count.div_ceil(AT_ONCE), &|part| {
            let (mut read, mut room) = (read(), make());
            for group in part * AT_ONCE..((part + 1) * AT_ONCE).min(count) {
                tiles.fetch(group, room.registers_mut());
                read(group, &*room)?;
            }
            Ok(())
        }))
    }

    /// As [`Groups::write`]; nothing, if they do not become tiles.
    pub fn write<B: Lanes>(
        &mut self,
        layout: Layout,
        make: &Make<'_, B>,
        write: &mut Write<'_, B>,
    ) -> Option<Result<(), Error>> {
        let mut lanes = make();
        let mut tiles = match self.elsewhere.get_mut().take()? {
            Elsewhere::AsTheyBegin => Tiles::new::<B>(layout, lanes.registers_mut()),
            Elsewhere::Tiles(tiles) if tiles.hold_everything() => tiles,
            Elsewhere::Tiles(tiles) => {
                self.put(tiles);
                return None;
            }
        };
        let mut room = Room::new(lanes);
        let outcome = (0..self.count).try_for_each(|group| room.write(&mut tiles, group, write));
        self.put(tiles);
        Some(outcome)
    }

    /// As [`Groups::write_on_threads`].
    pub fn write_on_threads<'t, B: Lanes>(
        &mut self,
        layout: Layout,
        make: &MakeOnThreads<'_, B>,
        write: &(dyn Fn() -> Box<Write<'t, B>> + Sync),
    ) -> Result<(), Error> {
        let mut tiles = Tiles::new::<B>(layout, make().registers_mut());
        tiles.planes.make_room(&layout);
        let (count, held) = (self.count, &tiles.held);
        let of_tile = (layout.shape.words() / B::WORDS).max(1);
        let outcome = each_on_threads(tiles.planes.tiles_mut(), &|tile, planes| {
            let mut write = write();
            for group in tile * of_tile..((tile + 1) * of_tile).min(count) {
                let mut lanes = make();
                let outcome = write(group, &mut *lanes);
                Planes::store_in::<B>(planes, &layout, held, group, lanes.registers_mut());
                outcome?;
            }
            Ok(())
        });
        tiles.filled = self.count;
        self.put(tiles);
        outcome
    }

    /// As [`Groups::take`]; nothing, if they are to become nodes first.
    pub fn take<B: Lanes>(
        &mut self,
        layout: Layout,
        held: &[Held],
        make: &Make<'_, B>,
    ) -> Option<Tiles> {
        let mut tiles = match self.elsewhere.get_mut().take()? {
            Elsewhere::Tiles(tiles) if tiles.layout == layout && tiles.held == held => tiles,
            Elsewhere::AsTheyBegin if is_as_known::<B>(held, make().registers_mut()) => {
                Tiles::of(layout, held.to_vec())
            }
            elsewhere => {
                *self.elsewhere.get_mut() = Some(elsewhere);
                return None;
            }
        };
        if tiles.filled < self.count {
            let mut as_it_begins = make();
            for group in tiles.filled..self.count {
                tiles.store(group, as_it_begins.registers_mut());
            }
        }
        Some(tiles)
    }
}

/// Does something with each tile, by its number, on all threads of the pool that it is called in.
fn each_on_threads(
    tiles: &mut [Aligned],
    each: &(dyn Fn(usize, &mut Aligned) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    let tiles = tiles.par_iter_mut().enumerate();
    tiles.try_for_each(|(number, tile)| each(number, tile))
}

/// Does so many things, by number, on all threads of the pool that it is called in.
fn parts_on_threads(
    parts: usize,
    each: &(dyn Fn(usize) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    (0..parts).into_par_iter().try_for_each(each)
}
