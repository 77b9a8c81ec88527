//! Machines whose nodes decide for themselves: each half of a bit time as a routine of operations.

use crate::language::lanes::Lanes;
use crate::language::wires::{Ledger, Transmit};
use crate::machine::fabric::Fabric;
use crate::machine::instructions::{Instructions, Operation};
use crate::machine::program::Routine;
use crate::machine::router::{Machine, Node, Unsequenced};
use crate::machine::topology::Topology;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;

/// Lane groups times bit times that take as long by the description as it takes to make a routine.
const ROUTINE_PAYS: u64 = 400;

/// How a routine is made, kept until it pays. Only a machine without a sequencer can make one, and every machine ticks: so
/// that the one is known to be the other is written down here, as functions that no other machine is translated with.
pub(super) struct WhenItPays<R: Machine, B: Lanes> {
    make: fn(&mut Fabric<R, B>, Instructions),
    instructions: Instructions,
}

/// Operations on words that keep a thread at work for longer than it takes to call it.
const WORTH_A_THREAD: usize = 1 << 16;

/// A routine, and room to perform it in.
pub(super) struct AtWork<R: Machine, B: Lanes> {
    transmit: fn(&mut Fabric<R, B>) -> bool,
    clock: fn(&mut Fabric<R, B>) -> bool,
    routine: Routine,
    instructions: Instructions,
    /// One for each thread, which has a share of the groups.
    hands: Vec<Hand<B>>,
    /// What the hands have counted holds: nobody has changed a register since.
    hold: bool,
}

/// What a thread works with.
struct Hand<B> {
    planes: Vec<B>,
    /// What was counted in this bit time.
    tallies: Vec<u64>,
}

impl<R: Unsequenced, B: Lanes> Fabric<R, B> {
    /// Once so many bit times have passed that it pays, nodes are run as a routine, as [`Fabric::make_routine`] says. A run
    /// that ends before is not held up by making one.
    pub fn make_routine_when_it_pays(&mut self, instructions: Instructions) {
        self.when_it_pays = Some(WhenItPays {
            make: Self::make_routine,
            instructions,
        });
    }

    /// From now on nodes are run as a routine of operations, which is made once; [`Fabric::transmit`] and
    /// [`Fabric::clock`] do what they did, sooner. Worth it where a machine has many bit times before it. Where a wire has had
    /// two drivers, nodes are run by their description for good.
    pub fn make_routine(&mut self, instructions: Instructions) {
        self.when_it_pays = None;
        // Which units may drive which wires is always the same: a node as it begins shows it.
        let driven = self.topology.driven();
        let mut ledger = Ledger::new(driven);
        let mut wires = vec![B::ZERO; driven];
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        (self.topology).address(0, None, &mut self.wiring.address);
        let node = self.router.node::<B>();
        node.transmit(&self.broadcast, &self.wiring.address, &mut transmit);
        if self.wiring.ledger.conflict().is_some() || ledger.conflict().is_some() {
            return;
        }
        self.wiring.ledger = ledger;
        (self.wiring.wires).resize(self.nodes.len() * driven, B::ZERO);
        let routine = Routine::of(&*self.router);
        let operations = self.nodes.len() * routine.operations() * B::WORDS;
        let worth_it = self.nodes.len().min(operations / WORTH_A_THREAD);
        let threads = rayon::current_num_threads().min(worth_it).max(1);
        self.routine = Some(AtWork {
            transmit: Self::transmit_as_routine,
            clock: Self::clock_as_routine,
            hands: (0..threads)
                .map(|_| Hand {
                    planes: routine.planes(),
                    tallies: vec![0; R::TALLIES],
                })
                .collect(),
            hold: false,
            routine,
            instructions,
        });
    }

    /// Adds what the router counts ([`Unsequenced::tallies`]) in all nodes in this bit time, to [`Unsequenced::TALLIES`] sums.
    pub fn add_tallies(&self, sums: &mut [u64]) {
        if let Some(at_work) = &self.routine
            && at_work.hold
        {
            for hand in &at_work.hands {
                let tallies = hand.tallies.iter();
                let sums = sums.iter_mut().zip(tallies);
                sums.for_each(|(sum, more)| *sum += more);
            }
            return;
        }
        let mut address = [B::ZERO; MAX_DIMENSIONS];
        let address = &mut address[..self.topology.address_bits()];
        for (group, node) in self.nodes.iter().enumerate() {
            self.topology.address(group, group.checked_sub(1), address);
            self.router.tallies(node, address, &mut |number, flag: B| {
                sums[number] += flag.ones();
            });
        }
    }

    fn transmit_as_routine(&mut self) -> bool {
        let Some(at_work) = &mut self.routine else {
            return false;
        };
        at_work.hold = true;
        let transmission = Transmission {
            routine: &at_work.routine,
            instructions: at_work.instructions,
            topology: &self.topology,
            first: 0,
            nodes: self.nodes.all_mut(),
            wires: &mut self.wiring.wires,
        };
        if !transmission.shared(&mut at_work.hands) {
            self.routine = None;
            return false;
        }
        self.driven += self.wiring.ledger.driven().count() as u64;
        true
    }

    fn clock_as_routine(&mut self) -> bool {
        let Some(at_work) = &mut self.routine else {
            return false;
        };
        at_work.hold = false;
        let edge = ClockEdge {
            routine: &at_work.routine,
            instructions: at_work.instructions,
            topology: &self.topology,
            first: 0,
            nodes: self.nodes.all_mut(),
            wires: &self.wiring.wires,
            driven_links: &self.wiring.driven_links,
            from_host: &self.wiring.from_host,
        };
        edge.shared(&mut at_work.hands);
        true
    }
}

impl<R: Unsequenced, B: Lanes> Fabric<R, B> {
    /// So many bit times pass of which each would leave every register as it is: one did, and hosts go on sending what they sent in
    /// it.
    pub fn let_pass(&mut self, bit_times: u64) {
        self.bit_time += bit_times;
    }
}

impl<R: Machine, B: Lanes> Fabric<R, B> {
    /// Somebody changes registers: what was counted holds no more.
    pub(super) fn registers_change(&mut self) {
        if let Some(at_work) = &mut self.routine {
            at_work.hold = false;
        }
    }

    /// Makes the routine that was asked for, if it pays by now.
    pub(super) fn make_routine_if_it_pays(&mut self) {
        if let Some(WhenItPays { make, instructions }) = self.when_it_pays
            && self.bit_time * self.nodes.len() as u64 >= ROUTINE_PAYS
        {
            make(self, instructions);
        }
    }

    /// Whether there is a routine that has done it. Where two units drive one wire, it has not, and is given up: the
    /// description says which units they are.
    pub(super) fn transmit_by_routine(&mut self) -> bool {
        let transmit = self.routine.as_ref().map(|at_work| at_work.transmit);
        transmit.is_some_and(|transmit| transmit(self))
    }

    /// Whether there is a routine that has done it. Of the links, `driven_links` carry bits.
    pub(super) fn clock_by_routine(&mut self) -> bool {
        let clock = self.routine.as_ref().map(|at_work| at_work.clock);
        clock.is_some_and(|clock| clock(self))
    }
}

/// Where a machine of so many groups is cut, for the first `hands` of `all`.
fn cut(groups: usize, hands: usize, all: usize) -> usize {
    groups * hands / all
}

/// The first half of a bit time, of the groups from `first` on.
struct Transmission<'a, T, N, B> {
    routine: &'a Routine,
    instructions: Instructions,
    topology: &'a T,
    first: usize,
    nodes: &'a mut [N],
    wires: &'a mut [B],
}

impl<T: Topology + Sync, N: Node<B> + Send, B: Lanes> Transmission<'_, T, N, B> {
    /// Shares the groups out to hands, each on a thread. Whether no wire has two drivers.
    fn shared(self, hands: &mut [Hand<B>]) -> bool {
        if let [hand] = hands {
            let instructions = self.instructions;
            return instructions.perform((self, hand));
        }
        let half = hands.len() / 2;
        let groups = cut(self.nodes.len(), half, hands.len());
        let (low_nodes, high_nodes) = self.nodes.split_at_mut(groups);
        let (low_wires, high_wires) = self.wires.split_at_mut(groups * self.topology.driven());
        let (low, high) = hands.split_at_mut(half);
        let of = |first, nodes, wires| Transmission {
            routine: self.routine,
            instructions: self.instructions,
            topology: self.topology,
            first,
            nodes,
            wires,
        };
        let above = of(self.first + groups, high_nodes, high_wires);
        let below = of(self.first, low_nodes, low_wires);
        let (low, high) = rayon::join(|| below.shared(low), || above.shared(high));
        low && high
    }
}

impl<T: Topology, N: Node<B>, B: Lanes> Operation for (Transmission<'_, T, N, B>, &mut Hand<B>) {
    type Output = bool;

    /// Whether no wire has two drivers.
    #[inline(always)]
    fn perform(self) -> bool {
        let (share, Hand { planes, tallies }) = self;
        let driven = share.topology.driven();
        tallies.fill(0);
        let groups = share
            .nodes
            .iter_mut()
            .zip(share.wires.chunks_exact_mut(driven));
        for (index, (node, wires)) in groups.enumerate() {
            let group = share.first + index;
            let address = share.routine.address(planes);
            // The planes hold the address of the group before, but for the first of the share.
            let before = index.checked_sub(1).map(|_| group - 1);
            share.topology.address(group, before, address);
            share.routine.take(planes, node);
            let clash = share.routine.transmit(planes, wires);
            if !clash.is_known_zero() {
                return false;
            }
            share.routine.tally(planes, tallies);
        }
        true
    }
}

/// The clock edge, of the groups from `first` on.
struct ClockEdge<'a, T, N, B> {
    routine: &'a Routine,
    instructions: Instructions,
    topology: &'a T,
    first: usize,
    nodes: &'a mut [N],
    wires: &'a [B],
    driven_links: &'a [usize],
    from_host: &'a [B],
}

impl<T: Topology + Sync, N: Node<B> + Send, B: Lanes> ClockEdge<'_, T, N, B> {
    /// Shares the groups out to hands, each on a thread.
    fn shared(self, hands: &mut [Hand<B>]) {
        if let [hand] = hands {
            let instructions = self.instructions;
            return instructions.perform((self, hand));
        }
        let half = hands.len() / 2;
        let groups = cut(self.nodes.len(), half, hands.len());
        let (low_nodes, high_nodes) = self.nodes.split_at_mut(groups);
        let (low, high) = hands.split_at_mut(half);
        let of = |first, nodes| ClockEdge {
            routine: self.routine,
            instructions: self.instructions,
            topology: self.topology,
            first,
            nodes,
            wires: self.wires,
            driven_links: self.driven_links,
            from_host: self.from_host,
        };
        let above = of(self.first + groups, high_nodes);
        let below = of(self.first, low_nodes);
        rayon::join(|| below.shared(low), || above.shared(high));
    }
}

impl<T: Topology, N: Node<B>, B: Lanes> Operation for (ClockEdge<'_, T, N, B>, &mut Hand<B>) {
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        let (share, Hand { planes, .. }) = self;
        let hosts = share.topology.wires_from_host();
        for (index, node) in share.nodes.iter_mut().enumerate() {
            let group = share.first + index;
            let address = share.routine.address(planes);
            let before = index.checked_sub(1).map(|_| group - 1);
            share.topology.address(group, before, address);
            let received = share.routine.received(planes);
            let (links, from_host) = received.split_at_mut(share.topology.links());
            for &wire in share.driven_links {
                links[wire] = share.topology.receive(share.wires, group, wire);
            }
            from_host.copy_from_slice(&share.from_host[group * hosts..][..hosts]);
            share.routine.take(planes, node);
            share.routine.clock(planes);
            share.routine.give(planes, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use crate::routers::wormhole::machine::WormholeMachine;
    use crate::routers::wormhole::network::Network;
    use crate::routers::wormhole::parameters::Parameters;

    #[test]
    fn a_routine_is_made_when_it_pays_and_not_before() {
        for levels in [4, 7] {
            let cycles = CubeConnectedCycles::new(levels).unwrap();
            let parameters = Parameters {
                virtual_channels: 2,
                buffer_bits: 2,
                wire_bits: 1,
                weak_switch: false,
            };
            let network = Network::CubeConnectedCycles(cycles);
            let machine = WormholeMachine::new(network, parameters).unwrap();
            let mut fabric = Fabric::<_, u64>::new(machine, 1).unwrap();
            let groups = fabric.groups() as u64;
            assert!(groups > 1);
            fabric.tick().unwrap();
            fabric.make_routine_when_it_pays(Instructions::widest());
            while fabric.bit_time() < 2 * ROUTINE_PAYS / groups {
                let pays = fabric.bit_time() * groups >= ROUTINE_PAYS;
                fabric.tick().unwrap();
                assert_eq!(fabric.routine.is_some(), pays);
            }
            // Once is enough.
            assert!(fabric.when_it_pays.is_none());
        }
    }
}
