//! The registers of all lane groups: as nodes or in tiles, never as both.
//!
//! ```text
//!                 a group is written             a program runs
//!   as they begin -------------------> tiles <--------------------+
//!         |                              |                        |
//!         |  somebody asks for nodes     |  somebody asks         |
//!         +------------------------------+---------------------> nodes
//! ```
//!
//! A node is a struct of many small parts. Where a program runs they are never there all at once: a host writes and reads
//! one group at a time, as a node that is made for it, and the tiles hold the rest.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::fabric::lane_group::{LaneGroupMut, Make, Of, Read, Write};
use crate::machine::fabric::mid_run::{MidRun, slot};
use crate::machine::program::{Aligned, Held, Layout, Planes, is_as_known};
use crate::machine::router::{Machine, Router};

/// All lane groups.
pub(super) struct Groups<R: Machine, B: Lanes> {
    router: Arc<R>,
    nodes: OnceCell<Vec<R::Node<B>>>,
    store: Store,
}

/// All lane groups while they are no nodes.
struct Store {
    count: usize,
    /// Where their registers are; `None`: they are nodes, or are just being made.
    elsewhere: RefCell<Option<Elsewhere>>,
}

enum Elsewhere {
    /// Nowhere: nobody has written any.
    AsTheyBegin,
    Tiles(Tiles),
}

/// The registers of groups, in planes.
pub(super) struct Tiles {
    layout: Layout,
    pub planes: Planes,
    /// Where in them the registers are.
    held: Vec<Held>,
    /// Groups that are there; the others are as they begin.
    filled: usize,
}

impl<R: Machine, B: Lanes> Groups<R, B> {
    /// So many, with all registers as they begin; nothing is allocated.
    pub fn new(router: Arc<R>, count: usize) -> Self {
        Groups {
            router,
            nodes: OnceCell::new(),
            store: Store {
                count,
                elsewhere: RefCell::new(Some(Elsewhere::AsTheyBegin)),
            },
        }
    }

    /// With all registers as they begin again.
    pub fn restart(&mut self) {
        self.nodes = OnceCell::new();
        *self.store.elsewhere.get_mut() = Some(Elsewhere::AsTheyBegin);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.store.count
    }

    /// As nodes.
    pub fn all(&self) -> &[R::Node<B>] {
        self.nodes.get_or_init(|| {
            let mut tiles = self.store.take_tiles();
            let mut nodes = Vec::with_capacity(self.len());
            for group in 0..self.len() {
                let mut node = self.router.node();
                if let Some(tiles) = &mut tiles {
                    tiles.give(group, &mut node);
                }
                nodes.push(node);
            }
            nodes
        })
    }

    /// As nodes, to be written.
    pub fn all_mut(&mut self) -> &mut [R::Node<B>] {
        self.all();
        self.nodes.get_mut().map_or(&mut [], |nodes| &mut nodes[..])
    }

    /// As nodes, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, R::Node<B>> {
        self.all().iter()
    }

    /// As nodes, one after the other, to be written.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, R::Node<B>> {
        self.all_mut().iter_mut()
    }

    /// Shows one group after the other; where they are no nodes, as a node that is made for it.
    pub fn read(&self, read: &mut Read<'_, B>) -> Result<(), Error> {
        let router = &*self.router;
        let Some(nodes) = self.nodes.get() else {
            return self.store.read(&make(router), read);
        };
        for (group, node) in nodes.iter().enumerate() {
            read(group, &Of { router, node })?;
        }
        Ok(())
    }

    /// Hands out one group after the other to be written. They become tiles, unless they are nodes or some of their registers
    /// have no place in tiles, because a program knows them.
    pub fn write(&mut self, layout: Layout, write: &mut Write<'_, B>) -> Result<(), Error> {
        let written = self.store.write(layout, &make(&*self.router), write);
        written.unwrap_or_else(|| self.write_nodes(write))
    }

    /// The same, as nodes.
    pub fn write_nodes(&mut self, write: &mut Write<'_, B>) -> Result<(), Error> {
        let router = Arc::clone(&self.router);
        let router = &*router;
        for (group, node) in self.all_mut().iter_mut().enumerate() {
            write(group, &mut Of { router, node })?;
        }
        Ok(())
    }

    /// Whether nobody has written any.
    pub fn are_as_they_begin(&mut self) -> bool {
        self.store.is_as_it_begins()
    }

    /// All registers in tiles, where they are `held`, for a program to run; none, and they stay what they are, if some are
    /// not what they are known to be.
    pub fn take(&mut self, layout: Layout, held: Vec<Held>) -> Option<Tiles> {
        let tiles = self.store.take::<B>(layout, &held, &make(&*self.router));
        if tiles.is_some() {
            return tiles;
        }
        for node in self.all_mut() {
            if !is_as_known::<B>(&held, node) {
                return None;
            }
        }
        let mut tiles = Tiles::of(layout, held);
        // Group by group, so that the registers are not there twice.
        let nodes = self.nodes.take().unwrap_or_default();
        for (group, mut node) in nodes.into_iter().enumerate() {
            tiles.store(group, &mut node);
        }
        Some(tiles)
    }

    /// Puts back what was taken, as tiles.
    pub fn put(&mut self, tiles: Tiles) {
        self.store.put(tiles);
    }

    /// Appends the planes of a tile, register after register, of those that are not known.
    pub fn copy_tile(&self, tile: usize, words: &mut Vec<u64>) {
        self.store.copy_tile(tile, words);
    }

    /// The reverse of [`Groups::copy_tile`].
    pub fn replace_tile(&mut self, tile: usize, words: &[u64]) {
        self.store.replace_tile(tile, words);
    }

    /// Says where in tiles the registers are from now on; what they hold is then for [`Groups::replace_tile`] to say.
    pub fn hold(&mut self, held: Vec<Held>) {
        self.store.hold(held);
    }
}

/// On all threads of the pool that it is called in.
impl<R: Router, B: Lanes> Groups<R, B> {
    /// As [`Groups::write`], of groups that are as they begin.
    pub fn write_on_threads<'t>(
        &mut self,
        layout: Layout,
        write: &(dyn Fn() -> Box<Write<'t, B>> + Sync),
    ) -> Result<(), Error> {
        (self.store).write_on_threads(layout, &make(&*self.router), write)
    }

    /// As [`Groups::read`].
    pub fn read_on_threads<'t>(
        &self,
        read: &(dyn Fn() -> Box<Read<'t, B>> + Sync),
    ) -> Result<(), Error> {
        let read_here = self.store.read_on_threads(&make(&*self.router), read);
        read_here.unwrap_or_else(|| self.read(&mut *read()))
    }
}

/// Makes groups of a router.
fn make<'a, R: Machine, B: Lanes>(
    router: &'a R,
) -> impl Fn() -> Box<dyn LaneGroupMut<B> + 'a> + 'a {
    move || {
        let node = router.node::<B>();
        Box::new(Of { router, node })
    }
}

impl Store {
    /// The tiles, for nodes to be made of them.
    fn take_tiles(&self) -> Option<Tiles> {
        match self.elsewhere.take() {
            Some(Elsewhere::Tiles(tiles)) => Some(tiles),
            _ => None,
        }
    }

    fn is_as_it_begins(&mut self) -> bool {
        matches!(self.elsewhere.get_mut(), Some(Elsewhere::AsTheyBegin))
    }

    fn put(&mut self, tiles: Tiles) {
        *self.elsewhere.get_mut() = Some(Elsewhere::Tiles(tiles));
    }

    fn copy_tile(&self, tile: usize, words: &mut Vec<u64>) {
        if let Some(Elsewhere::Tiles(tiles)) = &*self.elsewhere.borrow() {
            tiles.copy(tile, words);
        }
    }

    fn replace_tile(&mut self, tile: usize, words: &[u64]) {
        if let Some(Elsewhere::Tiles(tiles)) = self.elsewhere.get_mut() {
            tiles.replace(tile, words);
        }
    }

    fn hold(&mut self, held: Vec<Held>) {
        if let Some(Elsewhere::Tiles(tiles)) = self.elsewhere.get_mut() {
            tiles.now_hold(held);
        }
    }

    /// As [`Groups::read`].
    fn read<B: Lanes>(&self, make: &Make<'_, B>, read: &mut Read<'_, B>) -> Result<(), Error> {
        let elsewhere = self.elsewhere.borrow();
        let (mut room, as_it_begins) = (make(), make());
        for group in 0..self.count {
            match &*elsewhere {
                Some(Elsewhere::Tiles(tiles)) if group < tiles.filled => {
                    tiles.fetch(group, room.registers_mut());
                    read(group, &*room)?;
                }
                _ => read(group, &*as_it_begins)?,
            }
        }
        Ok(())
    }

    /// As [`Groups::read_on_threads`]; nothing, unless all groups are in tiles.
    fn read_on_threads<'m, 't, B: Lanes>(
        &self,
        make: &(dyn Fn() -> Box<dyn LaneGroupMut<B> + 'm> + Sync),
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
    fn write<B: Lanes>(
        &mut self,
        layout: Layout,
        make: &Make<'_, B>,
        write: &mut Write<'_, B>,
    ) -> Option<Result<(), Error>> {
        let mut tiles = match self.elsewhere.get_mut().take()? {
            Elsewhere::AsTheyBegin => Tiles::new::<B>(layout, make().registers_mut()),
            Elsewhere::Tiles(tiles) if tiles.hold_everything() => tiles,
            Elsewhere::Tiles(tiles) => {
                self.put(tiles);
                return None;
            }
        };
        let mut outcome = Ok(());
        for group in 0..self.count {
            let mut lanes = make();
            if group < tiles.filled {
                tiles.fetch(group, lanes.registers_mut());
            }
            outcome = write(group, &mut *lanes);
            tiles.store(group, lanes.registers_mut());
            if outcome.is_err() {
                break;
            }
        }
        self.put(tiles);
        Some(outcome)
    }

    /// As [`Groups::write_on_threads`].
    fn write_on_threads<'m, 't, B: Lanes>(
        &mut self,
        layout: Layout,
        make: &(dyn Fn() -> Box<dyn LaneGroupMut<B> + 'm> + Sync),
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
    fn take<B: Lanes>(
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

impl Tiles {
    /// Without a group, for registers that are all there.
    fn new<B: Lanes>(layout: Layout, node: &mut dyn Registers<B>) -> Self {
        let mut held = Vec::new();
        let mut count = |_: &mut B| held.push(Held::In(held.len() as u32));
        node.visit_mut(&mut count);
        node.visit_witnesses(&mut count);
        Tiles::of(layout, held)
    }

    /// Without a group.
    fn of(layout: Layout, held: Vec<Held>) -> Self {
        Tiles {
            planes: Planes::new(&layout, held.len()),
            layout,
            held,
            filled: 0,
        }
    }

    /// What there is in this bit time.
    pub fn mid_run(&self, bit_time: u64) -> MidRun {
        let has_plane = |held: &Held| slot(*held).is_some();
        MidRun {
            bit_time,
            has_plane: self.held.iter().map(has_plane).collect(),
            words_of_plane: self.layout.shape.words(),
            tiles: self.layout.tiles(),
        }
    }

    /// Appends the planes of a tile, register after register, of those that are not known.
    fn copy(&self, tile: usize, words: &mut Vec<u64>) {
        let of_plane = self.layout.shape.words();
        let planes: Vec<&[u64]> = self.planes.tile(tile).chunks_exact(of_plane).collect();
        let slots = self.held.iter().filter_map(|held| slot(*held));
        slots.for_each(|slot| words.extend_from_slice(planes[slot]));
    }

    /// The reverse of [`Tiles::copy`].
    fn replace(&mut self, tile: usize, words: &[u64]) {
        let of_plane = self.layout.shape.words();
        let slots = self.held.iter().filter_map(|held| slot(*held));
        let planes = &mut self.planes.tiles_mut()[tile];
        for (slot, words) in slots.zip(words.chunks_exact(of_plane)) {
            planes.words_mut()[slot * of_plane..][..of_plane].copy_from_slice(words);
        }
    }

    /// The registers are where a program leaves them.
    pub fn now_hold(&mut self, held: Vec<Held>) {
        self.held = held;
    }

    /// Whether every register has a place, and none is merely known.
    fn hold_everything(&self) -> bool {
        self.held.iter().all(|held| matches!(held, Held::In(_)))
    }

    /// One that is there, or the first that is not.
    fn store<B: Lanes>(&mut self, group: usize, node: &mut dyn Registers<B>) {
        self.planes
            .store::<B>(&self.layout, &self.held, group, node);
        self.filled = self.filled.max(group + 1);
    }

    fn fetch<B: Lanes>(&self, group: usize, node: &mut dyn Registers<B>) {
        self.planes
            .fetch::<B>(&self.layout, &self.held, group, node);
    }

    /// Copies a group into a node, all groups in order, those that are not there being left as they are; a tile goes with its last
    /// group.
    fn give<B: Lanes>(&mut self, group: usize, node: &mut dyn Registers<B>) {
        if group < self.filled {
            self.fetch(group, node);
            self.planes.leave::<B>(&self.layout, group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::fabric::{Fabric, How};
    use crate::machine::program::Program;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::enumeration::EnumerationRouter;
    use crate::routers::kuszmaul::packing::PackingRouter;
    use crate::routers::kuszmaul::{folded, overlapped, plain, radix4, spread};
    use crate::routers::permutation::{PermutationRouter, Schedule};
    use crate::routers::sorting::{bitonic, radix};

    impl<R: Machine, B: Lanes> Groups<R, B> {
        fn are_nodes(&self) -> bool {
            self.nodes.get().is_some()
        }

        fn are_tiles(&self) -> bool {
            matches!(*self.store.elsewhere.borrow(), Some(Elsewhere::Tiles(_)))
        }
    }

    #[test]
    fn there_are_nodes_or_tiles_and_never_both() {
        let router = plain::PlainRouter::new(Dimensions::new(10).unwrap(), 3).unwrap();
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let look = |fabric: &Fabric<_, u64>| {
            let mut groups = 0;
            let read = fabric.read_groups(&mut |_, _| {
                groups += 1;
                Ok(())
            });
            read.unwrap();
            assert_eq!(groups, fabric.groups());
        };
        let load = |fabric: &mut Fabric<_, u64>| {
            fabric.load_groups(&mut |_, _| Ok(())).unwrap();
        };
        look(&fabric);
        assert!(!fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
        load(&mut fabric);
        for to in [0, 5, 5, u64::MAX] {
            fabric.advance(to, &How::default()).unwrap();
            look(&fabric);
            assert!(!fabric.nodes.are_nodes() && fabric.nodes.are_tiles());
        }
        for asked in 0..4 {
            fabric.restart();
            assert!(!fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
            load(&mut fabric);
            match asked {
                0 => _ = fabric.node_groups(),
                1 => _ = fabric.node(3),
                2 => _ = fabric.node_mut(3),
                _ => fabric.tick().unwrap(),
            }
            load(&mut fabric);
            look(&fabric);
            assert!(fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
            fabric.advance(u64::MAX, &How::default()).unwrap();
            assert!(!fabric.nodes.are_nodes() && fabric.nodes.are_tiles());
        }
        fabric.watch();
        for _ in 0..2 {
            fabric.restart();
            load(&mut fabric);
            assert!(fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
            fabric.tick().unwrap();
            look(&fabric);
            assert!(fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
        }
    }

    /// What a run allocates for tiles, the wires of two bit times and gauges, and what it is said to take.
    fn takes_no_more_than_it_is_said_to<R: Router<Topology = Dimensions>>(router: &R) {
        let program = Program::of::<Words<8>>(router, router.dimensions().nodes() / 512, true);
        let (code, layout) = (program.code(), program.layout());
        let tiles = layout.tiles();
        let aligned = |words: usize| 8 * words + 64;
        let wires = layout.tiles() * code.links() * layout.shape.words();
        let allocated = tiles * aligned(code.registers() * layout.shape.words())
            + 2 * aligned(wires)
            + 4 * tiles * code.gauge_words();
        let said = Fabric::<R, Words<8>>::bytes(router, 1);
        assert!(allocated as u64 <= said, "{allocated} bytes, {said} said");
    }

    #[test]
    fn tiles_wires_and_gauges_are_among_what_a_machine_is_said_to_take() {
        fn on<S: Schedule>(cube: Dimensions, payload_bits: usize) {
            let router = PermutationRouter::<S>::new(cube, payload_bits).unwrap();
            takes_no_more_than_it_is_said_to(&router);
        }
        for k in [12, 15] {
            let cube = Dimensions::new(k).unwrap();
            takes_no_more_than_it_is_said_to(&EnumerationRouter::new(cube));
            for payload_bits in [1, 24] {
                let packing = PackingRouter::new(cube, payload_bits).unwrap();
                takes_no_more_than_it_is_said_to(&packing);
                on::<plain::Plain>(cube, payload_bits);
                on::<overlapped::Overlapped>(cube, payload_bits);
                on::<folded::Folded>(cube, payload_bits);
                on::<spread::Spread>(cube, payload_bits);
                on::<radix4::Radix4>(cube, payload_bits);
                on::<bitonic::SortAndUnpack>(cube, payload_bits);
                on::<bitonic::Sort>(cube, payload_bits);
                on::<radix::SortAndUnpack>(cube, payload_bits);
                on::<radix::Sort>(cube, payload_bits);
            }
        }
    }
}
