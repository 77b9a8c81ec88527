//! What meters read in a node, as logic over its registers, bit time by bit time.

use std::collections::HashMap;

use crate::circuit::expression::{Expression, Graph};
use crate::circuit::netlist::Netlist;
use crate::language::bit::Bit;
use crate::language::register::Registers;
use crate::machine::host::Field;
use crate::machine::router::{Position, Router, Sequencer};

/// What is read in a node when so many bit times are over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    /// Where it holds a message.
    pub messages: Vec<Expression>,
    /// Where it holds so many live message bits.
    pub bits: Vec<(Expression, u32)>,
    /// Those of each message, over all nodes, by the slot that it began in; none where messages differ.
    pub live: Option<Vec<u32>>,
}

/// All readings of a run, each with the numbers of bit times that are over when it is read.
pub(crate) type Readings = Vec<(Reading, Vec<usize>)>;

impl Netlist {
    /// Has meters read a node of this netlist's router, over the bits of its registers.
    pub(crate) fn metered<R: Router>(&mut self, router: &R) -> Readings {
        let valid = self.node.host_writes.iter();
        let valid = valid.filter(|(field, _)| *field == Field::VALID);
        let slots = valid.map(|(_, bits)| bits.len()).sum();
        let mut node = router.node::<Expression>();
        let parts = self.node.parts.iter();
        let registers = parts.flat_map(|part| &part.registers);
        let mut bits = registers.flat_map(|register| &register.bits);
        node.visit_mut(&mut |bit| {
            if let Some(named) = bits.next() {
                *bit = *named;
            }
        });
        let graph = std::mem::replace(&mut self.graph, Graph::empty());
        let (readings, graph) = graph.go_on(|| readings(router, &node, slots));
        self.graph = graph;
        readings
    }
}

/// Of every bit time, from the load on.
fn readings<R: Router>(router: &R, node: &R::Node<Expression>, slots: usize) -> Readings {
    let mut sequencer = router.sequencer::<bool>();
    let mut readings = Readings::new();
    let mut known = HashMap::new();
    let mut after = None;
    for over in 0.. {
        let reading = reading(router, node, after, slots);
        let place = *known.entry(reading.clone()).or_insert(readings.len());
        match readings.get_mut(place) {
            Some((_, times)) => times.push(over),
            None => readings.push((reading, vec![over])),
        }
        if sequencer.is_done() {
            break;
        }
        after = Some(router.position(&sequencer));
        sequencer.clock();
    }
    readings
}

fn reading<R: Router>(
    router: &R,
    node: &R::Node<Expression>,
    after: Option<Position>,
    slots: usize,
) -> Reading {
    let (mut messages, mut bits) = (Vec::new(), Vec::new());
    router.messages(node, after, &mut |flag| {
        if !flag.is_known_zero() {
            messages.push(flag);
        }
    });
    router.occupancy(node, after, &mut |flag, amount| {
        if !flag.is_known_zero() && amount > 0 {
            bits.push((flag, amount));
        }
    });
    let live = (0..slots).map(|slot| router.live_bits_of_slot(after, slot));
    Reading {
        messages,
        bits,
        live: live.collect(),
    }
}
