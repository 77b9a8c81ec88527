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

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::lanes::Lanes;
use crate::program::{Held, Layout, Planes, is_as_known};
use crate::register::Registers;
use crate::router::Machine;

/// All lane groups.
pub(super) struct Groups<R: Machine, B: Lanes> {
    router: Arc<R>,
    count: usize,
    nodes: OnceLock<Vec<R::Node<B>>>,
    /// Where their registers are while they are no nodes; `None`: they are, or are just being made.
    elsewhere: Mutex<Option<Elsewhere>>,
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
            count,
            nodes: OnceLock::new(),
            elsewhere: Mutex::new(Some(Elsewhere::AsTheyBegin)),
        }
    }

    /// With all registers as they begin again.
    pub fn restart(&mut self) {
        self.nodes = OnceLock::new();
        *self.elsewhere_mut() = Some(Elsewhere::AsTheyBegin);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// As nodes.
    pub fn all(&self) -> &[R::Node<B>] {
        self.nodes.get_or_init(|| {
            let elsewhere = self.lock().take();
            match elsewhere {
                Some(Elsewhere::Tiles(tiles)) => tiles.into_nodes(&*self.router, self.count),
                _ => (0..self.count).map(|_| self.router.node()).collect(),
            }
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
    pub fn read<E>(
        &self,
        mut read: impl FnMut(usize, &R::Node<B>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut room = None;
        (0..self.count).try_for_each(|group| read(group, self.group(group, &mut room)))
    }

    /// A group, in `room` unless it is a node.
    fn group<'a>(&'a self, group: usize, room: &'a mut Option<R::Node<B>>) -> &'a R::Node<B> {
        if self.nodes.get().is_none() {
            match &*self.lock() {
                Some(Elsewhere::Tiles(tiles)) if group < tiles.filled => {
                    let node = room.get_or_insert_with(|| self.router.node());
                    tiles.fetch(group, node);
                    return node;
                }
                Some(_) => return room.insert(self.router.node()),
                None => {}
            }
        }
        &self.all()[group]
    }

    /// Hands out one group after the other to be written. They become tiles unless they are nodes, or their registers are
    /// partly known and nowhere.
    pub fn write<E>(
        &mut self,
        layout: Layout,
        mut write: impl FnMut(usize, &mut R::Node<B>) -> Result<(), E>,
    ) -> Result<(), E> {
        let tiles = match self.elsewhere_mut().take() {
            None => None,
            Some(Elsewhere::AsTheyBegin) => Some(Tiles::new::<B>(layout, self.router.node())),
            Some(Elsewhere::Tiles(tiles)) if tiles.hold_everything() => Some(tiles),
            elsewhere => {
                *self.elsewhere_mut() = elsewhere;
                None
            }
        };
        let Some(mut tiles) = tiles else {
            let mut groups = self.iter_mut().enumerate();
            return groups.try_for_each(|(group, node)| write(group, node));
        };
        let outcome = (0..self.count).try_for_each(|group| {
            let mut node = self.router.node();
            if group < tiles.filled {
                tiles.fetch(group, &mut node);
            }
            let outcome = write(group, &mut node);
            tiles.store(group, &mut node);
            outcome
        });
        self.put(tiles);
        outcome
    }

    /// All registers in tiles, where they are `held`, for a program to run; none, and they stay what they are, if some are
    /// not what they are known to be.
    pub fn take(&mut self, layout: Layout, held: Vec<Held>) -> Option<Tiles> {
        let mut tiles = match self.elsewhere_mut().take() {
            Some(Elsewhere::Tiles(tiles)) if tiles.layout == layout && tiles.held == held => tiles,
            Some(Elsewhere::AsTheyBegin) if is_as_known::<B>(&held, &mut self.router.node()) => {
                Tiles::of(layout, held)
            }
            elsewhere => {
                *self.elsewhere_mut() = elsewhere;
                let mut nodes = self.all_mut().iter_mut();
                if !nodes.all(|node| is_as_known::<B>(&held, node)) {
                    return None;
                }
                Tiles::of(layout, held)
            }
        };
        // Group by group, so that the registers are not there twice.
        let nodes = self.nodes.take().unwrap_or_default();
        for (group, mut node) in nodes.into_iter().enumerate() {
            tiles.store(group, &mut node);
        }
        for group in tiles.filled..self.count {
            tiles.store(group, &mut self.router.node::<B>());
        }
        Some(tiles)
    }

    /// Puts back what was taken, as tiles.
    pub fn put(&mut self, tiles: Tiles) {
        *self.elsewhere_mut() = Some(Elsewhere::Tiles(tiles));
    }

    fn lock(&self) -> MutexGuard<'_, Option<Elsewhere>> {
        self.elsewhere
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn elsewhere_mut(&mut self) -> &mut Option<Elsewhere> {
        self.elsewhere
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tiles {
    /// Without a group, for registers that are all there.
    fn new<B: Lanes>(layout: Layout, mut node: impl Registers<B>) -> Self {
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

    /// The registers are where a program leaves them.
    pub fn now_hold(&mut self, held: Vec<Held>) {
        self.held = held;
    }

    /// Whether every register has a place, and none is merely known.
    fn hold_everything(&self) -> bool {
        self.held.iter().all(|held| matches!(held, Held::In(_)))
    }

    /// One that is there, or the first that is not.
    fn store<B: Lanes>(&mut self, group: usize, node: &mut impl Registers<B>) {
        self.planes
            .store::<B>(&self.layout, &self.held, group, node);
        self.filled = self.filled.max(group + 1);
    }

    fn fetch<B: Lanes>(&self, group: usize, node: &mut impl Registers<B>) {
        self.planes
            .fetch::<B>(&self.layout, &self.held, group, node);
    }

    /// As nodes; a tile goes with its last group.
    fn into_nodes<R: Machine, B: Lanes>(mut self, router: &R, count: usize) -> Vec<R::Node<B>> {
        let mut nodes = Vec::with_capacity(count);
        for group in 0..count {
            let mut node = router.node();
            if group < self.filled {
                self.fetch::<B>(group, &mut node);
                self.planes.leave::<B>(&self.layout, group);
            }
            nodes.push(node);
        }
        nodes
    }
}
