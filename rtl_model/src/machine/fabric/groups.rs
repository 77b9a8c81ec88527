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

use std::cell::OnceCell;
use std::sync::Arc;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::machine::fabric::lane_group::{GroupOf, LaneGroupMut, Read, Write};
use crate::machine::fabric::store::Store;
use crate::machine::fabric::tiles::Tiles;
use crate::machine::program::{Held, Layout, is_as_known};
use crate::machine::router::{Machine, Router};

/// All lane groups.
pub(super) struct Groups<R: Machine, B: Lanes> {
    router: Arc<R>,
    nodes: OnceCell<Vec<R::Node<B>>>,
    store: Store,
}

impl<R: Machine, B: Lanes> Groups<R, B> {
    /// So many, with all registers as they begin; nothing is allocated.
    pub fn new(router: Arc<R>, count: usize) -> Self {
        Groups {
            router,
            nodes: OnceCell::new(),
            store: Store::new(count),
        }
    }

    /// With all registers as they begin again.
    pub fn restart(&mut self) {
        self.nodes = OnceCell::new();
        self.store.restart();
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
        let shown = match self.nodes.get() {
            None => self.store.read(&make(router), read)?,
            Some(_) => 0,
        };
        let nodes = self.nodes.get().map_or(&[][..], Vec::as_slice);
        for (group, node) in nodes.iter().enumerate().skip(shown) {
            read(group, &GroupOf { router, node })?;
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
            write(group, &mut GroupOf { router, node })?;
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
        Box::new(GroupOf { router, node })
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
            self.store.is_in_tiles()
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

    /// Groups are read from tiles until the reader asks for a node, and from the nodes that there are then.
    #[test]
    fn who_reads_groups_may_ask_for_nodes_meanwhile() {
        let router = EnumerationRouter::new(Dimensions::new(10).unwrap());
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let mut write = |group: usize, lanes: &mut dyn LaneGroupMut<u64>| {
            let bits = &mut |register: &mut u64| *register = group as u64;
            lanes.registers_mut().visit_mut(bits);
            Ok(())
        };
        fabric.load_groups(&mut write).unwrap();
        assert!(fabric.nodes.are_tiles());
        let mut read = 0;
        let groups = fabric.read_groups(&mut |group, lanes| {
            if group == 2 {
                fabric.node(5);
            }
            assert_eq!(read, group);
            read += 1;
            let mut held = Vec::new();
            lanes.host_reads(&mut |_, _, register| held.push(register));
            assert!(held.len() > 1 && held.iter().all(|&bit| bit == group as u64));
            Ok(())
        });
        groups.unwrap();
        assert_eq!(read, fabric.groups());
        assert!(fabric.nodes.are_nodes() && !fabric.nodes.are_tiles());
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
                if k > 12 {
                    // Larger programs have no other tiles.
                    continue;
                }
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
