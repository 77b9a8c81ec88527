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
mod lockstep;
mod mid_run;
mod unsequenced;

use std::sync::Arc;

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::language::strobes::Strobes;
use crate::language::wires::{Ledger, Transmit};
use crate::machine::memory;
use crate::machine::meter::Storage;
use crate::machine::program::Program;
use crate::machine::router::{Machine, Node, Sequencer};
use crate::machine::share::{Rank, Share};
use crate::machine::topology::Topology;

use from_ranks::FromRanks;
use groups::Groups;

pub use advance::{Blocking, Watch};
pub use foreseen::{Foreseen, Part};
pub use groups::{Read, Write};
pub use lockstep::How;
use lockstep::Tallies;
pub use mid_run::MidRun;
use unsequenced::{AtWork, WhenItPays};

/// A machine, ready to be loaded and run.
pub struct Fabric<R: Machine, B: Lanes> {
    router: Arc<R>,
    topology: R::Topology,
    machines: usize,
    /// Whose share of the machine this is, and the first of its lane groups.
    rank: Rank,
    first_group: usize,
    sequencer: R::Sequencer<bool>,
    broadcast: R::Broadcast<bool>,
    nodes: Groups<R, B>,
    /// What each group drives: `wires[group * driven + wire]`. Room is made with the first bit that is sent.
    wires: Vec<B>,
    /// What the hosts drive: `from_host[group * wires_from_host + wire]`.
    from_host: Vec<B>,
    /// What a group receives, and its addresses: room for the group that is being clocked.
    received: Vec<B>,
    address: Vec<B>,
    program: Option<Arc<Program<R>>>,
    routine: Option<AtWork<R, B>>,
    /// Room to add up what a node holds.
    tallies: Option<Tallies<B>>,
    when_it_pays: Option<WhenItPays<R, B>>,
    /// Somebody looks at nodes bit time by bit time: they are not loaded into tiles.
    is_watched: bool,
    /// The links that are driven in this bit time.
    driven_links: Vec<usize>,
    ledger: Ledger<B>,
    bit_time: u64,
    driven: u64,
    /// What comes from other ranks, link by link.
    from_ranks: FromRanks<B>,
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
        let share = rank.share();
        memory::require(
            format!(
                "a simulation of {} nodes",
                share.nodes(machines * topology.nodes())
            ),
            Self::bytes_of_share(&router, machines, share),
            memory::available(),
        )?;
        let all_groups = share.groups(topology.groups::<B>(machines));
        let (first_group, groups) = (all_groups.start, all_groups.len());
        let router = Arc::new(router);
        let mut fabric = Fabric {
            machines,
            rank,
            first_group,
            sequencer: router.sequencer(),
            broadcast: R::Broadcast::idle(),
            nodes: Groups::new(Arc::clone(&router), groups),
            wires: Vec::new(),
            from_host: vec![B::ZERO; groups * topology.wires_from_host()],
            received: vec![B::ZERO; topology.received()],
            address: vec![B::ZERO; topology.address_bits()],
            program: None,
            routine: None,
            tallies: None,
            when_it_pays: None,
            is_watched: false,
            driven_links: Vec::with_capacity(topology.links()),
            ledger: Ledger::new(topology.driven()),
            bit_time: 0,
            driven: 0,
            from_ranks: FromRanks::new(&topology, share),
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
        let topology = router.topology();
        let mut node = router.node::<bool>();
        let registers = Storage::of::<bool>(&node).total;
        let mut witnesses = 0;
        node.visit_witnesses(&mut |_| witnesses += 1);
        let bits = registers + witnesses + 2 * topology.driven() + topology.wires_from_host();
        share.groups(topology.groups::<B>(machines)).len() as u64
            * (bits * size_of::<B>() + size_of::<R::Node<B>>()) as u64
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
        self.machines
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
    pub fn read_groups(&self, read: &mut Read<'_, R::Node<B>>) -> Result<(), Error> {
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
            self.rank.share().rank_of(&self.topology, node) == self.rank.share().rank()
                || self.machines > 1
        );
        (group - self.first_group, place)
    }

    /// The rank that holds this share.
    pub fn rank(&self) -> &Rank {
        &self.rank
    }

    /// The number that a group which is here has among all of the machine.
    #[inline]
    pub(super) fn number_of(&self, group: usize) -> usize {
        self.first_group + group
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
        self.ledger.driver(wire)
    }

    /// What `node` drives onto its wire in this bit time: 0 where nobody drives.
    /// To be read between [`Fabric::transmit`] and [`Fabric::clock`].
    #[inline]
    pub fn wire(&self, node: usize, wire: usize) -> bool {
        let (group, place) = self.seat(node);
        self.ledger.is_driven(wire) && self.wires[group * self.topology.driven() + wire].get(place)
    }

    /// What the nodes of a group drive onto a wire in this bit time, if it is driven at all.
    #[inline]
    pub fn group_wire(&self, group: usize, wire: usize) -> B {
        match self.ledger.is_driven(wire) {
            true => self.wires[group * self.topology.driven() + wire],
            false => B::ZERO,
        }
    }

    /// Forces the wire that `node` drives in this bit time: an injected fault. It
    /// has no effect while nobody drives the wire, nor on a node of another rank.
    pub fn force_wire(&mut self, node: usize, wire: usize, value: bool) {
        let share = self.rank.share();
        if share.rank_of(&self.topology, node) != share.rank() {
            return;
        }
        let (group, place) = self.seat(node);
        self.wires[group * self.topology.driven() + wire].set(place, value);
    }

    /// What the hosts of a group's nodes drive onto wire `wire` of those that lead from a host: to be written
    /// before [`Fabric::clock`]; it stays until it is written again.
    #[inline]
    pub fn from_host(&mut self, group: usize, wire: usize) -> &mut B {
        &mut self.from_host[group * self.topology.wires_from_host() + wire]
    }

    /// What [`Fabric::from_host`] holds.
    #[inline]
    pub fn from_host_now(&self, group: usize, wire: usize) -> B {
        self.from_host[group * self.topology.wires_from_host() + wire]
    }

    /// First half of a bit time: every node puts its bits onto its wires.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire; [`Error::ConflictElsewhere`] if it is a node of another
    /// rank.
    pub fn transmit(&mut self) -> Result<(), Error> {
        let outcome = self.transmit_here();
        match self.rank.any(outcome.is_err()) {
            true if outcome.is_ok() => Err(Error::ConflictElsewhere {
                bit_time: self.bit_time,
            }),
            _ => outcome,
        }
    }

    fn transmit_here(&mut self) -> Result<(), Error> {
        let driven = self.topology.driven();
        self.wires.resize(self.nodes.len() * driven, B::ZERO);
        self.make_routine_if_it_pays();
        if self.transmit_by_routine() {
            return Ok(());
        }
        for (group, (node, wires)) in self
            .nodes
            .iter()
            .zip(self.wires.chunks_exact_mut(driven))
            .enumerate()
        {
            let (group, before) = numbered(self.first_group, group);
            self.topology.address(group, before, &mut self.address);
            let mut transmit = Transmit::new(wires, &mut self.ledger);
            node.transmit(&self.broadcast, &self.address, &mut transmit);
            if let Some(conflict) = self.ledger.conflict() {
                let place = (0..B::NODES).find(|&place| conflict.nodes.get(place));
                return Err(Error::WireConflict {
                    node: self.topology.node_at::<B>(group, place.unwrap_or(0)),
                    wire: self.topology.describe(conflict.wire),
                    bit_time: self.bit_time,
                    first: conflict.first,
                    second: conflict.second,
                });
            }
        }
        self.driven += self.ledger.driven().count() as u64;
        Ok(())
    }

    /// Second half of a bit time: every node receives and takes its clock edge.
    pub fn clock(&mut self) {
        let links = self.topology.links();
        self.driven_links.clear();
        self.driven_links
            .extend(self.ledger.driven().take_while(|&wire| wire < links));
        let from = (&self.wires[..], self.topology.driven());
        self.from_ranks
            .receive(&self.rank, &self.driven_links, from);
        if !self.clock_by_routine() {
            self.clock_as_described();
        }
        self.sequencer.clock();
        self.sequencer.broadcast(&mut self.broadcast);
        self.bit_time += 1;
    }

    fn clock_as_described(&mut self) {
        let links = self.topology.links();
        let from_host = self.topology.wires_from_host();
        self.received.fill(B::ZERO);
        for (group, node) in self.nodes.iter_mut().enumerate() {
            let (number, before) = numbered(self.first_group, group);
            self.topology.address(number, before, &mut self.address);
            for &wire in &self.driven_links {
                self.received[wire] = match self.from_ranks.over(wire) {
                    None => self.topology.receive(&self.wires, group, wire),
                    Some(received) => received[group],
                };
            }
            self.received[links..]
                .copy_from_slice(&self.from_host[group * from_host..][..from_host]);
            node.clock(&self.broadcast, &self.address, &self.received);
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

/// A group's number among all of the machine, and that of the one before it.
#[inline]
pub(super) fn numbered(first: usize, group: usize) -> (usize, Option<usize>) {
    let number = first + group;
    (number, group.checked_sub(1).map(|_| number - 1))
}
