//! What a node does with packets: one of five ways, by the broadcast that it is built for.

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::host::Field;
use crate::routers::ports::algorithm::{Algorithm, PortModel};
use crate::routers::ports::broadcast::{Broadcast, Turns};
use crate::routers::ports::cycle_path::CyclePath;
use crate::routers::ports::doubling_path::DoublingPath;
use crate::routers::ports::listed_path::ListedPath;
use crate::routers::ports::orders::{Coming, Names, Orders};
use crate::routers::ports::relative::{PerPort, Relative};
use crate::routers::ports::strobes::PortStrobes;
use crate::routers::ports::tree_path::TreePath;
use crate::routers::ports::wave_path::WavePath;

/// The buffers, and the rules by which they are filled and sent.
#[derive(Clone, Debug)]
pub enum Packets<B: Bit> {
    /// One tree.
    Tree(TreePath<B>),
    /// n trees, one port at a time.
    Cycle(CyclePath<B>),
    /// n trees on all ports.
    Wave(WavePath<B>),
    /// n rotations of recursive doubling.
    Doubling(DoublingPath<B>),
    /// What a list says.
    Listed(ListedPath<B>),
}

/// What all five have.
macro_rules! each {
    ($packets:expr, $path:ident => $what:expr) => {
        match $packets {
            Packets::Tree($path) => $what,
            Packets::Cycle($path) => $what,
            Packets::Wave($path) => $what,
            Packets::Doubling($path) => $what,
            Packets::Listed($path) => $what,
        }
    };
}

impl<B: Bit> Registers<B> for Packets<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        each!(self, path => path.visit(name, visitor));
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        each!(self, path => path.visit_mut(visitor));
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        each!(self, path => path.visit_witnesses(visitor));
    }
}

/// What a broadcast asks of the wires between nodes and hosts: channels and trees.
pub(super) fn channels_and_trees(broadcast: &Broadcast) -> (usize, usize) {
    let n = broadcast.cube.count();
    match (broadcast.algorithm, broadcast.ports) {
        (Algorithm::Broadcast1, _) => (1, 1),
        (Algorithm::HamiltonianPath | Algorithm::BinomialTree | Algorithm::TwoRootedTree, _) => {
            (1, 1)
        }
        (Algorithm::MultipleTrees, PortModel::OneWay | PortModel::TwoWay) => (1, n),
        (Algorithm::Listed { .. }, PortModel::OneWay | PortModel::TwoWay) => (1, 1),
        (Algorithm::Listed { .. }, PortModel::All) => (n, 1),
        _ => (n, n),
    }
}

/// Whether the host of the source supplies what it sends bit by bit; where it does not, the message is in the source's memory.
pub(super) fn is_supplied(broadcast: &Broadcast) -> bool {
    !matches!(broadcast.algorithm, Algorithm::Listed { .. })
}

impl<B: Bit> Packets<B> {
    pub(super) fn new(broadcast: &Broadcast, turns: &Turns) -> Self {
        match (broadcast.algorithm, broadcast.ports) {
            (Algorithm::MultipleTrees, PortModel::OneWay | PortModel::TwoWay) => {
                Packets::Cycle(CyclePath::new(broadcast, turns))
            }
            (Algorithm::Listed { .. }, _) => {
                let (channels, _) = channels_and_trees(broadcast);
                Packets::Listed(ListedPath::new(broadcast, channels))
            }
            (Algorithm::Broadcast2, _) => Packets::Doubling(DoublingPath::new(broadcast)),
            (
                Algorithm::MultipleTrees
                | Algorithm::Broadcast3A
                | Algorithm::Broadcast3B
                | Algorithm::Broadcast4,
                _,
            ) => Packets::Wave(WavePath::new(broadcast, turns)),
            _ => Packets::Tree(TreePath::new(broadcast, turns)),
        }
    }

    /// Combinational: the ports that are busy in this step.
    pub(super) fn orders(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        match self {
            Packets::Tree(path) => path.orders(strobes, relative),
            Packets::Cycle(path) => path.orders(strobes, relative),
            Packets::Wave(path) => path.orders(strobes, relative),
            Packets::Doubling(path) => path.orders(strobes, relative),
            Packets::Listed(path) => path.orders(),
        }
    }

    /// Combinational: which packets come in it.
    pub(super) fn names(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Names<B> {
        match self {
            Packets::Tree(path) => path.names(strobes, relative),
            Packets::Cycle(path) => path.names(strobes, relative),
            Packets::Wave(path) => path.names(strobes, relative),
            Packets::Doubling(path) => path.names(strobes, relative.dimensions()),
            Packets::Listed(path) => path.names(),
        }
    }

    /// Combinational: the bit that each port sends on.
    #[inline]
    pub(super) fn heads(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> PerPort<B> {
        let n = relative.dimensions();
        match self {
            Packets::Tree(path) => (0..n).map(|_| path.head()).collect(),
            Packets::Cycle(path) => (0..n).map(|_| path.head()).collect(),
            Packets::Wave(path) => path.heads(relative),
            Packets::Doubling(path) => path.heads(strobes, n),
            Packets::Listed(path) => path.heads(),
        }
    }

    /// The clock edge.
    pub(super) fn clock(
        &mut self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
        coming: Coming<'_, B>,
    ) {
        match self {
            Packets::Tree(path) => path.clock(strobes, relative, coming),
            Packets::Cycle(path) => path.clock(strobes, relative, coming),
            Packets::Wave(path) => path.clock(strobes, relative, coming),
            Packets::Doubling(path) => path.clock(strobes, coming),
            Packets::Listed(path) => path.clock(strobes, coming),
        }
    }

    /// The host's side.
    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        match self {
            Packets::Tree(path) => {
                if let Some(configuration) = path.configuration_mut() {
                    configuration.host_writes(port);
                }
            }
            Packets::Listed(path) => path.host_writes(port),
            _ => {}
        }
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        each!(self, path => path.occupancy(count));
    }
}
