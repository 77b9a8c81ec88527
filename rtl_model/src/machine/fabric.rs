//! The fabric: all nodes of a machine, and the wires between them. One tick is one bit time.
//!
//! ```text
//!              broadcast
//!   sequencer ---+----------+----------+---- ...
//!                v          v          v
//!             [group 0]  [group 1]  [group 2] ...      LANES nodes each, registers side by side
//!              tx |rx     tx |rx     tx |rx
//!                 +--- as the topology joins them: to another group, or within the group
//!                 +--- to and from the host, which is no part of the machine
//! ```
//!
//! A bit time has two phases, so that the order in which nodes are simulated cannot matter: all
//! nodes put their bits onto the wires ([`Fabric::transmit`]), then all take their clock edge
//! ([`Fabric::clock`]). Between the two, what the wires carry can be read.
//!
//! A run that nobody watches wire by wire goes faster: [`Fabric::advance`] takes the groups through many bit times in an
//! order of its own. Nodes that no sequencer tells what to do go faster as a routine of operations
//! ([`Fabric::make_routine_when_it_pays`]).
//!
//! Several like cubes can be run side by side: cube `c`'s node `x` is node `c * 2^k + x` of the
//! fabric, and only its own cube's wires reach it.

mod advance;
mod foreseen;
mod from_ranks;
mod groups;
mod how;
mod lane_group;
mod lockstep;
mod mid_run;
mod passing;
mod room;
mod store;
mod taken_up;
mod tallies;
mod tiles;
mod unsequenced;
mod wiring;

use std::sync::Arc;
use std::thread::JoinHandle;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::strobes::Strobes;
use crate::language::wires::Transmit;
use crate::machine::program::Program;
use crate::machine::router::{Machine, Node, Sequencer};
use crate::machine::share::{Rank, Share};
use crate::machine::topology::Topology;

use groups::Groups;

pub use foreseen::{Foreseen, Part};
pub use how::{Blocking, How, Watch};
#[cfg(test)]
pub(crate) use lane_group::GroupOf;
pub use lane_group::{LaneGroup, LaneGroupMut, Read, Write};
pub use mid_run::MidRun;
use tallies::Tallies;
use unsequenced::{AtWork, WhenItPays};
use wiring::{Wiring, numbered};

/// A machine, ready to be loaded and run. It belongs to one thread; [`Fabric::read_groups_on_threads`] reads it on all.
pub struct Fabric<R: Machine, B: Lanes> {
    router: Arc<R>,
    topology: R::Topology,
    sequencer: R::Sequencer<bool>,
    broadcast: R::Broadcast<bool>,
    nodes: Groups<R, B>,
    wiring: Wiring<B>,
    program: Option<Arc<Program<R>>>,
    /// Makes the program, until that is asked for.
    making: Option<JoinHandle<Program<R>>>,
    routine: Option<AtWork<R, B>>,
    /// Room to add up what a node holds.
    tallies: Option<Tallies<B>>,
    when_it_pays: Option<WhenItPays<R, B>>,
    /// Somebody looks at nodes bit time by bit time: they are not loaded into tiles.
    is_watched: bool,
    bit_time: u64,
    driven: u64,
}

impl<R: Machine, B: Lanes> Fabric<R, B> {
    /// Builds `machines` machines side by side, with all registers as they begin.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    pub fn new(router: R, machines: usize) -> Result<Self, Error> {
        Self::shared(router, machines, Rank::alone())
    }

    /// Builds what a rank holds of a machine.
    ///
    /// # Errors
    /// As [`Fabric::new`], of the share; what [`Share::check`] refuses.
    pub fn of_rank(router: R, rank: Rank) -> Result<Self, Error> {
        rank.share().check(&router.topology())?;
        Self::shared(router, 1, rank)
    }

    /// `machines` machines, or what a rank holds of one.
    fn shared(router: R, machines: usize, rank: Rank) -> Result<Self, Error> {
        let topology = router.topology();
        let bytes = Self::bytes_of_share(&router, machines, rank.share());
        let wiring = Wiring::new(&topology, machines, rank, bytes)?;
        let router = Arc::new(router);
        let mut fabric = Fabric {
            sequencer: router.sequencer(),
            broadcast: R::Broadcast::idle(),
            nodes: Groups::new(Arc::clone(&router), wiring.groups),
            wiring,
            program: None,
            making: None,
            routine: None,
            tallies: None,
            when_it_pays: None,
            is_watched: false,
            bit_time: 0,
            driven: 0,
            router,
            topology,
        };
        fabric.sequencer.broadcast(&mut fabric.broadcast);
        Ok(fabric)
    }

    /// Bytes that so many machines take in memory: of every lane group its registers, what is remembered of it for
    /// measurement, and its wires in two bit times; and what is a node's beside them, which is more than meters take.
    pub fn bytes(router: &R, machines: usize) -> u64 {
        Self::bytes_of_share(router, machines, Share::WHOLE)
    }

    /// Bytes that a share of them takes.
    pub fn bytes_of_share(router: &R, machines: usize, share: Share) -> u64 {
        let (mut node, size) = (router.node::<bool>(), size_of::<R::Node<B>>());
        Wiring::<B>::bytes(&router.topology(), (&mut node, size), machines, share)
    }

    /// The router's parameters.
    pub fn router(&self) -> &R {
        &self.router
    }

    /// The same, to be kept.
    pub(crate) fn shared_router(&self) -> Arc<R> {
        Arc::clone(&self.router)
    }

    /// The network.
    pub fn topology(&self) -> &R::Topology {
        &self.topology
    }

    /// Number of machines side by side.
    pub fn machines(&self) -> usize {
        self.wiring.machines
    }

    /// Bit times that have passed.
    pub fn bit_time(&self) -> u64 {
        self.bit_time
    }

    /// The sequencer.
    pub fn sequencer(&self) -> &R::Sequencer<bool> {
        &self.sequencer
    }

    /// Number of lane groups.
    pub fn groups(&self) -> usize {
        self.nodes.len()
    }

    /// The lane groups. They become nodes if they are not: to look at each once, [`Fabric::read_groups`] takes less memory.
    pub fn node_groups(&self) -> &[R::Node<B>] {
        self.nodes.all()
    }

    /// As [`Fabric::node_groups`], for replacing registers.
    pub fn node_groups_mut(&mut self) -> &mut [R::Node<B>] {
        self.registers_change();
        self.nodes.all_mut()
    }

    /// Shows one lane group after the other, with its number. After a run as a program, a node is made for each, and its
    /// registers stay where they are.
    ///
    /// # Errors
    /// The first that `read` returns.
    pub fn read_groups(&self, read: &mut Read<'_, B>) -> Result<(), Error> {
        self.nodes.read(read)
    }

    /// The group that simulates a node, and the node's place in it.
    pub fn node(&self, node: usize) -> (&R::Node<B>, usize) {
        let (group, place) = self.seat(node);
        (&self.nodes.all()[group], place)
    }

    /// As [`Fabric::node`], for loading messages or flipping a register.
    pub fn node_mut(&mut self, node: usize) -> (&mut R::Node<B>, usize) {
        self.registers_change();
        let (group, place) = self.seat(node);
        (&mut self.nodes.all_mut()[group], place)
    }

    /// The group of a node among those that are here, and the node's place in it.
    #[inline]
    pub(super) fn seat(&self, node: usize) -> (usize, usize) {
        let (group, place) = self.topology.seat::<B>(node);
        debug_assert!(
            self.rank().share().rank_of(&self.topology, node) == self.rank().share().rank()
                || self.machines() > 1
        );
        (group - self.wiring.first_group, place)
    }

    /// The rank that holds this share.
    pub fn rank(&self) -> &Rank {
        &self.wiring.rank
    }

    /// The number that a group which is here has among all of the machine.
    #[inline]
    pub(super) fn number_of(&self, group: usize) -> usize {
        self.wiring.first_group + group
    }

    /// Somebody will look at this machine in every bit time: it ticks, so what is loaded from now on is held as nodes, which
    /// ticking takes, and not in tiles, which a program would take.
    pub fn watch(&mut self) {
        self.is_watched = true;
    }

    /// Whether the sequencer has passed its last step.
    pub fn is_done(&self) -> bool {
        self.sequencer.is_done()
    }

    /// The unit that drives the wire in this bit time, if any; of units that nodes enable for themselves, the
    /// last one. To be read as [`Fabric::wire`].
    pub fn driver(&self, wire: usize) -> Option<&'static str> {
        self.wiring.ledger.driver(wire)
    }

    /// What `node` drives onto its wire in this bit time: 0 where nobody drives.
    /// To be read between [`Fabric::transmit`] and [`Fabric::clock`].
    #[inline]
    pub fn wire(&self, node: usize, wire: usize) -> bool {
        let (group, place) = self.seat(node);
        self.group_wire(group, wire).get(place)
    }

    /// What the nodes of a group drive onto a wire in this bit time, if it is driven at all.
    #[inline]
    pub fn group_wire(&self, group: usize, wire: usize) -> B {
        match self.wiring.ledger.is_driven(wire) {
            true => self.wiring.wires[group * self.topology.driven() + wire],
            false => B::ZERO,
        }
    }

    /// Forces the wire that `node` drives in this bit time: an injected fault. It
    /// has no effect while nobody drives the wire, nor on a node of another rank.
    pub fn force_wire(&mut self, node: usize, wire: usize, value: bool) {
        let share = self.rank().share();
        if share.rank_of(&self.topology, node) != share.rank() {
            return;
        }
        let (group, place) = self.seat(node);
        self.wiring.wires[group * self.topology.driven() + wire].set(place, value);
    }

    /// What the hosts of a group's nodes drive onto wire `wire` of those that lead from a host: to be written
    /// before [`Fabric::clock`]; it stays until it is written again.
    #[inline]
    pub fn from_host(&mut self, group: usize, wire: usize) -> &mut B {
        &mut self.wiring.from_host[group * self.topology.wires_from_host() + wire]
    }

    /// What [`Fabric::from_host`] holds.
    #[inline]
    pub fn from_host_now(&self, group: usize, wire: usize) -> B {
        self.wiring.from_host[group * self.topology.wires_from_host() + wire]
    }

    /// First half of a bit time: every node puts its bits onto its wires.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire; [`Error::ConflictElsewhere`] if it is a node of another
    /// rank.
    pub fn transmit(&mut self) -> Result<(), Error> {
        let outcome = self.transmit_here();
        match self.rank().any(outcome.is_err()) {
            true if outcome.is_ok() => Err(Error::ConflictElsewhere {
                bit_time: self.bit_time,
            }),
            _ => outcome,
        }
    }

    fn transmit_here(&mut self) -> Result<(), Error> {
        let driven = self.topology.driven();
        (self.wiring.wires).resize(self.nodes.len() * driven, B::ZERO);
        self.make_routine_if_it_pays();
        if self.transmit_by_routine() {
            return Ok(());
        }
        let Wiring {
            wires,
            address,
            ledger,
            first_group,
            ..
        } = &mut self.wiring;
        let groups = self.nodes.iter().zip(wires.chunks_exact_mut(driven));
        for (group, (node, wires)) in groups.enumerate() {
            let (number, before) = numbered(*first_group, group);
            self.topology.address(number, before, address);
            let mut transmit = Transmit::new(wires, ledger);
            node.transmit(&self.broadcast, address, &mut transmit);
            if let Some(conflict) = ledger.conflict() {
                return Err(self
                    .wiring
                    .error(&self.topology, (group, conflict), self.bit_time));
            }
        }
        self.driven += ledger.driven().count() as u64;
        Ok(())
    }

    /// Second half of a bit time: every node receives and takes its clock edge.
    pub fn clock(&mut self) {
        (self.wiring).exchange(self.topology.links(), self.topology.driven());
        if !self.clock_by_routine() {
            self.clock_as_described();
        }
        self.sequencer.clock();
        self.sequencer.broadcast(&mut self.broadcast);
        self.bit_time += 1;
    }

    fn clock_as_described(&mut self) {
        for (group, node) in self.nodes.iter_mut().enumerate() {
            self.wiring.arrive(&self.topology, group);
            let Wiring {
                address, received, ..
            } = &self.wiring;
            node.clock(&self.broadcast, address, received);
        }
    }

    /// One bit time.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn tick(&mut self) -> Result<(), Error> {
        self.transmit()?;
        self.clock();
        Ok(())
    }
}
