//! The routine of a node that no sequencer tells what to do: the same operations in every bit time.
//!
//! ```text
//!   planes:  0 1 | address | received | registers | what is worked out
//!                    \          \          |    \_____________
//!                     \          \         v                  v
//!                      +----------+--> transmit: wires,     clock: what each
//!                                      clash, tallies       register holds next
//! ```
//!
//! Where nodes decide for themselves, no strobe leaves anything out, and a bit time is some hundreds of operations. A
//! description that is run finds out in each bit time anew which of its gates there are; here that has been done once. The
//! registers stay in the nodes, where all others find them: a lane group's are copied into planes, worked on, and copied
//! back.

mod planes;

use crate::circuit::expression::{Expression, Graph};
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::language::strobes::Strobes;
use crate::language::wires::{Ledger, Transmit};
use crate::machine::program::operation::{FIRST, ONE, Operand, ZERO};
use crate::machine::program::scheduled::Scheduled;
use crate::machine::program::translate::{Translation, Variables};
use crate::machine::router::{Node, Unsequenced};
use crate::machine::topology::Topology;

use planes::{Step, in_planes};

/// The routine. Planes are numbered as they lie in a worker's memory.
#[derive(Debug)]
pub(crate) struct Routine {
    transmit: Vec<Step>,
    clock: Vec<Step>,
    /// Where address bits, wires that come in and registers begin.
    address: usize,
    received: usize,
    registers: usize,
    planes: usize,
    /// By wire that leaves a node: what goes out.
    sent: Vec<u32>,
    /// Where two units drive one wire.
    clash: u32,
    /// What is counted, each by its number in the router's list.
    tallies: Vec<(usize, u32)>,
    /// By register, in the order in which they are visited: what it holds next.
    after: Vec<u32>,
}

/// What one node's logic is, in every bit time.
struct Logic {
    sent: Vec<Expression>,
    clash: Expression,
    tallies: Vec<(usize, Expression)>,
    after: Vec<Expression>,
}

impl Logic {
    /// The variables are numbered: address bits, wires that come in, registers.
    fn of<R: Unsequenced>(router: &R, topology: &R::Topology) -> Self {
        let variable = |_| Scheduled(Expression::variable());
        let address: Vec<Scheduled> = (0..topology.address_bits()).map(variable).collect();
        let received: Vec<Scheduled> = (0..topology.received()).map(variable).collect();
        let mut node = router.node::<Scheduled>();
        let mut begin = |register: &mut Scheduled| *register = variable(0);
        node.visit_mut(&mut begin);
        node.visit_witnesses(&mut begin);
        let broadcast = R::Broadcast::idle();
        let mut wires = vec![Scheduled(Expression::ZERO); topology.driven()];
        let mut ledger = Ledger::new(topology.driven());
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        node.transmit(&broadcast, &address, &mut transmit);
        let mut tallies = Vec::new();
        router.tallies(&node, &address, &mut |number, flag: Scheduled| {
            tallies.push((number, flag.0));
        });
        node.clock(&broadcast, &address, &received);
        let mut after = Vec::new();
        let mut end = |register: &mut Scheduled| after.push(register.0);
        node.visit_mut(&mut end);
        node.visit_witnesses(&mut end);
        Logic {
            sent: wires.iter().map(|wire| wire.0).collect(),
            clash: ledger.clash().0,
            tallies,
            after,
        }
    }
}

impl Routine {
    /// Of a machine's nodes.
    pub(crate) fn of<R: Unsequenced>(router: &R) -> Self {
        let topology = router.topology();
        let (logic, graph) = Graph::record(|| Logic::of(router, &topology));
        let variables = topology.address_bits() + topology.received() + logic.after.len();
        // A variable is in the slot of its number: what is worked out comes behind.
        let slots: Vec<Option<u32>> = (0..variables as u32).map(Some).collect();
        let variables_at = Variables {
            slots: &slots,
            fetched: 0,
            addresses: &[],
            wires: &[],
        };
        let mut transmit = Translation::new(&graph, variables_at);
        let mut operand = |expression| transmit.operand(expression);
        let sent: Vec<Operand> = logic.sent.into_iter().map(&mut operand).collect();
        let clash = operand(logic.clash);
        let tallies: Vec<(usize, Operand)> = (logic.tallies.into_iter())
            .map(|(number, flag)| (number, operand(flag)))
            .collect();
        let flags = tallies.iter().map(|(_, flag)| *flag);
        let results = (sent.iter().copied()).chain([clash]).chain(flags);
        let (transmit, of) = in_planes(&transmit.operations, results, variables);
        let mut clock = Translation::new(&graph, variables_at);
        let after: Vec<Operand> = (logic.after.into_iter())
            .map(|next| clock.operand(next))
            .collect();
        let (clock, of_clock) = in_planes(&clock.operations, after.iter().copied(), variables);
        Routine {
            address: FIRST,
            received: FIRST + topology.address_bits(),
            registers: FIRST + topology.address_bits() + topology.received(),
            planes: of.planes.max(of_clock.planes),
            sent: sent.iter().map(|&wire| of.plane(wire)).collect(),
            clash: of.plane(clash),
            tallies: (tallies.iter())
                .map(|&(number, flag)| (number, of.plane(flag)))
                .collect(),
            after: after.iter().map(|&next| of_clock.plane(next)).collect(),
            transmit,
            clock,
        }
    }

    /// Operations of a bit time, on a lane group.
    pub(crate) fn operations(&self) -> usize {
        self.transmit.len() + self.clock.len()
    }

    /// Planes to work in.
    pub(crate) fn planes<B: Lanes>(&self) -> Vec<B> {
        let mut planes = vec![B::ZERO; self.planes];
        planes[ONE] = B::ONE;
        debug_assert_eq!(planes[ZERO], B::ZERO);
        planes
    }

    /// Where a lane group's address goes.
    pub(crate) fn address<'a, B>(&self, planes: &'a mut [B]) -> &'a mut [B] {
        &mut planes[self.address..self.received]
    }

    /// Where goes what a lane group receives.
    pub(crate) fn received<'a, B>(&self, planes: &'a mut [B]) -> &'a mut [B] {
        &mut planes[self.received..self.registers]
    }

    /// Takes a lane group's registers.
    pub(crate) fn take<B: Lanes>(&self, planes: &mut [B], node: &mut impl Registers<B>) {
        let mut registers = planes[self.registers..].iter_mut();
        let mut take = |register: &mut B| {
            if let Some(plane) = registers.next() {
                *plane = *register;
            }
        };
        node.visit_mut(&mut take);
        node.visit_witnesses(&mut take);
    }

    /// Works out what goes onto the wires. Gives the nodes in which two units drive one wire.
    #[inline(always)]
    pub(crate) fn transmit<B: Lanes>(&self, planes: &mut [B], wires: &mut [B]) -> B {
        perform(&self.transmit, planes);
        for (wire, plane) in wires.iter_mut().zip(&self.sent) {
            *wire = planes[*plane as usize];
        }
        planes[self.clash as usize]
    }

    /// Adds what is counted in a lane group, after [`Routine::transmit`].
    #[inline(always)]
    pub(crate) fn tally<B: Lanes>(&self, planes: &[B], tallies: &mut [u64]) {
        for &(number, plane) in &self.tallies {
            tallies[number] += planes[plane as usize].ones();
        }
    }

    /// Works out the clock edge.
    #[inline(always)]
    pub(crate) fn clock<B: Lanes>(&self, planes: &mut [B]) {
        perform(&self.clock, planes);
    }

    /// Gives a lane group its registers, after [`Routine::clock`].
    pub(crate) fn give<B: Lanes>(&self, planes: &[B], node: &mut impl Registers<B>) {
        let mut after = self.after.iter();
        let mut give = |register: &mut B| {
            if let Some(&plane) = after.next() {
                *register = planes[plane as usize];
            }
        };
        node.visit_mut(&mut give);
        node.visit_witnesses(&mut give);
    }
}

#[inline(always)]
fn perform<B: Lanes>(steps: &[Step], planes: &mut [B]) {
    for step in steps {
        let [a, b, c] = step.operands;
        let [a, b, c] = [planes[a as usize], planes[b as usize], planes[c as usize]];
        planes[step.to as usize] = step.kernel.apply(a, b, c);
    }
}
