//! The hardware of one stage of schedule `radix4`: that of a group of two dimensions, or the greedy end.

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::wires::Transmit;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::end_stage::EndStage;
use crate::routers::kuszmaul::batches::radix4::groups::groups;
use crate::routers::kuszmaul::batches::radix4::pair_stage::PairStage;
use crate::routers::kuszmaul::batches::radix4::strobes::Radix4StageStrobes;
use crate::routers::kuszmaul::batches::stage::{Incoming, Stage};

/// A stage.
#[derive(Clone, Debug)]
pub enum Radix4Stage<B: Bit> {
    /// A group of two dimensions.
    Pair(PairStage<B>),
    /// The greedy end.
    End(EndStage<B>),
}

impl<B: Bit> Radix4Stage<B> {
    /// All registers 0.
    pub fn new(extent: Extent) -> Self {
        let groups = groups(extent.size);
        match extent.stage < groups.fours {
            true => Radix4Stage::Pair(PairStage::new(extent)),
            false => Radix4Stage::End(EndStage::new(extent, groups.greedy)),
        }
    }
}

impl<B: Bit> Registers<B> for Radix4Stage<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        match self {
            Radix4Stage::Pair(pair) => pair.visit(name, visitor),
            Radix4Stage::End(end) => end.visit(name, visitor),
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        match self {
            Radix4Stage::Pair(pair) => Registers::visit_mut(pair, visitor),
            Radix4Stage::End(end) => Registers::visit_mut(end, visitor),
        }
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        match self {
            Radix4Stage::Pair(pair) => pair.visit_witnesses(visitor),
            Radix4Stage::End(end) => end.visit_witnesses(visitor),
        }
    }
}

impl<B: Bit> Stage<B> for Radix4Stage<B> {
    type Strobes = Radix4StageStrobes<B::Strobe>;

    #[inline]
    fn transmit(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        let exchange = &strobes.exchange;
        match self {
            Radix4Stage::Pair(pair) => {
                pair.transmit((exchange, &strobes.pair), incoming, address, wires);
            }
            Radix4Stage::End(end) => {
                end.transmit((exchange, &strobes.end), incoming, address, wires);
            }
        }
    }

    #[inline]
    fn delivered(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        let exchange = &strobes.exchange;
        match self {
            Radix4Stage::Pair(pair) => pair.delivered(&strobes.pair, address, received),
            Radix4Stage::End(end) => {
                end.delivered((exchange, &strobes.end), incoming, address, received)
            }
        }
    }

    #[inline]
    fn clock(
        &mut self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) {
        let exchange = &strobes.exchange;
        match self {
            Radix4Stage::Pair(pair) => {
                pair.clock((exchange, &strobes.pair), incoming, address, received);
            }
            Radix4Stage::End(end) => {
                end.clock((exchange, &strobes.end), incoming, address, received);
            }
        }
    }

    fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        match self {
            Radix4Stage::Pair(pair) => pair.occupancy(t, count),
            Radix4Stage::End(end) => end.occupancy(t, count),
        }
    }

    fn messages(&self, t: i64, count: &mut dyn FnMut(B)) {
        match self {
            Radix4Stage::Pair(pair) => pair.messages(t, count),
            Radix4Stage::End(end) => end.messages(t, count),
        }
    }
}
