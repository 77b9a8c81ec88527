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

/// A routine, and room to perform it in.
pub(super) struct AtWork<R: Machine, B: Lanes> {
    transmit: fn(&mut Fabric<R, B>) -> bool,
    clock: fn(&mut Fabric<R, B>) -> bool,
    routine: Routine,
    instructions: Instructions,
    planes: Vec<B>,
    /// What was counted in this bit time, while nobody has changed a register since.
    tallies: Vec<u64>,
    hold: bool,
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
        self.topology.address(0, None, &mut self.address);
        let node = self.router.node::<B>();
        node.transmit(&self.broadcast, &self.address, &mut transmit);
        if self.ledger.conflict().is_some() || ledger.conflict().is_some() {
            return;
        }
        self.ledger = ledger;
        self.wires.resize(self.nodes.len() * driven, B::ZERO);
        let routine = Routine::of(&*self.router);
        self.routine = Some(AtWork {
            transmit: Self::transmit_as_routine,
            clock: Self::clock_as_routine,
            planes: routine.planes(),
            tallies: vec![0; R::TALLIES],
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
            let tallies = at_work.tallies.iter();
            return sums
                .iter_mut()
                .zip(tallies)
                .for_each(|(sum, more)| *sum += more);
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
        at_work.tallies.fill(0);
        let is_clean = at_work.instructions.perform(Transmission {
            routine: &at_work.routine,
            planes: &mut at_work.planes,
            tallies: &mut at_work.tallies,
            topology: &self.topology,
            nodes: self.nodes.all_mut(),
            wires: &mut self.wires,
        });
        if !is_clean {
            self.routine = None;
            return false;
        }
        self.driven += self.ledger.driven().count() as u64;
        true
    }

    fn clock_as_routine(&mut self) -> bool {
        let Some(at_work) = &mut self.routine else {
            return false;
        };
        at_work.hold = false;
        at_work.instructions.perform(ClockEdge {
            routine: &at_work.routine,
            planes: &mut at_work.planes,
            topology: &self.topology,
            nodes: self.nodes.all_mut(),
            wires: &self.wires,
            driven_links: &self.driven_links,
            from_host: &self.from_host,
        });
        true
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

struct Transmission<'a, T, N, B> {
    routine: &'a Routine,
    planes: &'a mut [B],
    tallies: &'a mut [u64],
    topology: &'a T,
    nodes: &'a mut [N],
    wires: &'a mut [B],
}

impl<T: Topology, N: Node<B>, B: Lanes> Operation for Transmission<'_, T, N, B> {
    type Output = bool;

    /// Whether no wire has two drivers.
    #[inline(always)]
    fn perform(self) -> bool {
        let driven = self.topology.driven();
        let groups = self
            .nodes
            .iter_mut()
            .zip(self.wires.chunks_exact_mut(driven));
        for (group, (node, wires)) in groups.enumerate() {
            let address = self.routine.address(self.planes);
            self.topology.address(group, group.checked_sub(1), address);
            self.routine.take(self.planes, node);
            let clash = self.routine.transmit(self.planes, wires);
            if !clash.is_known_zero() {
                return false;
            }
            self.routine.tally(self.planes, self.tallies);
        }
        true
    }
}

struct ClockEdge<'a, T, N, B> {
    routine: &'a Routine,
    planes: &'a mut [B],
    topology: &'a T,
    nodes: &'a mut [N],
    wires: &'a [B],
    driven_links: &'a [usize],
    from_host: &'a [B],
}

impl<T: Topology, N: Node<B>, B: Lanes> Operation for ClockEdge<'_, T, N, B> {
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        let hosts = self.topology.wires_from_host();
        for (group, node) in self.nodes.iter_mut().enumerate() {
            let address = self.routine.address(self.planes);
            self.topology.address(group, group.checked_sub(1), address);
            let received = self.routine.received(self.planes);
            let (links, from_host) = received.split_at_mut(self.topology.links());
            for &wire in self.driven_links {
                links[wire] = self.topology.receive(self.wires, group, wire);
            }
            from_host.copy_from_slice(&self.from_host[group * hosts..][..hosts]);
            self.routine.take(self.planes, node);
            self.routine.clock(self.planes);
            self.routine.give(self.planes, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use crate::routers::wormhole::machine::WormholeMachine;
    use crate::routers::wormhole::network::{Network, Parameters};

    #[test]
    fn a_routine_is_made_when_it_pays_and_not_before() {
        for levels in [4, 7] {
            let cycles = CubeConnectedCycles::new(levels).unwrap();
            let parameters = Parameters {
                virtual_channels: 2,
                buffer_bits: 2,
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
