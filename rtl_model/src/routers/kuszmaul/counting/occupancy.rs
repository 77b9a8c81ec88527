//! How much of a node's storage holds message bits, after each bit time of a pass.
//!
//! A message bit counts from the source's list to the destination's, wherever it stands: in a list,
//! waiting for the packing, or in the register behind a stage on its way. So over all nodes the messages
//! of an iteration that have been sent are `L` bits each, and the others `L+1`: nothing is lost, nothing
//! doubled. Ranks are control and do not count.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::kuszmaul::counting::message_list::MessageList;
use crate::routers::kuszmaul::counting::node::CountingNode;
use crate::routers::kuszmaul::counting::passes::interval;
use crate::routers::permutation::{Size, passed};

/// A bit time of a pass.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    size: Size,
    messages: usize,
    iteration: u32,
    pub(super) pass: usize,
    /// Since the pass began.
    t: u32,
}

impl Moment {
    /// Of a position of the schedule.
    pub(super) fn of(size: Size, messages: usize, position: Position) -> Self {
        let m = size.free_dimensions(position.iteration);
        let length = interval(size, m) as u32;
        let pass = (position.bit_time / length).min(messages as u32 - 1);
        Moment {
            size,
            messages,
            iteration: position.iteration,
            pass: pass as usize,
            t: position.bit_time - pass * length,
        }
    }

    fn m(self) -> u32 {
        self.size.free_dimensions(self.iteration) as u32
    }

    fn length(self) -> u32 {
        self.size.message_bits(self.iteration) as u32
    }

    /// 1 once the valid bits of what the pass delivers have come.
    fn has_delivered(self) -> bool {
        self.t + 1 >= 3 * self.m()
    }

    /// Bits of each message that the pass has delivered.
    fn delivered(self) -> u32 {
        let begins = (3 * self.m()).max(1);
        passed(self.t, begins, self.length())
    }

    /// The same bit time by the count of the pass before, if there is one.
    fn of_pass_before(self) -> Option<Self> {
        let interval = |m: u32| interval(self.size, m as usize) as u32;
        match (self.pass.checked_sub(1), self.iteration.checked_sub(1)) {
            (Some(pass), _) => Some(Moment {
                pass,
                t: self.t + interval(self.m()),
                ..self
            }),
            (None, Some(iteration)) => Some(Moment {
                iteration,
                pass: self.messages - 1,
                t: self.t + interval(self.m() + 1) + 1,
                ..self
            }),
            (None, None) => None,
        }
    }
}

impl<B: Bit> CountingNode<B> {
    /// The lists that an iteration reads and fills.
    fn read_and_filled(&self, iteration: u32) -> (&MessageList<B>, &MessageList<B>) {
        match iteration.is_multiple_of(2) {
            true => (&self.even_list, &self.odd_list),
            false => (&self.odd_list, &self.even_list),
        }
    }
}

/// See [`Router::messages`](crate::machine::router::Router::messages).
pub(super) fn messages<B: Bit>(node: &CountingNode<B>, at: Moment, count: &mut dyn FnMut(B)) {
    let (read, filled) = node.read_and_filled(at.iteration);
    for slot in at.pass + 1..at.messages {
        count(read.valid(slot));
    }
    for slot in 0..at.messages {
        count(filled.valid(slot));
    }
    if !at.has_delivered() {
        count(node.exchange.staying());
        count(node.has_received());
    }
}

/// See [`Router::occupancy`](crate::machine::router::Router::occupancy).
pub(super) fn occupancy<B: Bit>(node: &CountingNode<B>, at: Moment, count: &mut dyn FnMut(B, u32)) {
    let (read, filled) = node.read_and_filled(at.iteration);
    let (m, length) = (at.m(), at.length());
    let sent = at.t.min(length);
    let before = at.of_pass_before();
    // Of the message that came last, the end may still be coming, into the list that is read now.
    let across = before.filter(|before| before.iteration != at.iteration);
    let arriving = across.filter(|_| !at.has_delivered());
    for slot in at.pass..at.messages {
        let gone = if slot == at.pass { 1 + sent } else { 0 };
        in_slot(
            node,
            (read, slot),
            arriving.map(Moment::delivered),
            &mut |flag, bits| count(flag, bits.min(length + 1).saturating_sub(gone)),
            length + 1,
        );
    }
    let arriving = match at.has_delivered() {
        true => Some(at.delivered()),
        false => before.filter(|_| across.is_none()).map(Moment::delivered),
    };
    for slot in 0..at.messages {
        in_slot(node, (filled, slot), arriving, count, length);
    }
    if m > 0 {
        let waiting = sent - passed(at.t, 2 * m + 1, length);
        count(node.exchange.staying(), waiting);
        count(node.has_received(), waiting);
    }
    for at in [Some(at), before].into_iter().flatten() {
        on_their_way(node, at, count);
    }
}

/// In a slot: all of a message, or as much as has arrived, where it is one of those that came last.
fn in_slot<B: Bit>(
    node: &CountingNode<B>,
    (list, slot): (&MessageList<B>, usize),
    arriving: Option<u32>,
    count: &mut dyn FnMut(B, u32),
    all: u32,
) {
    let valid = list.valid(slot);
    match arriving {
        None => count(valid, all),
        Some(bits) => {
            let takes = list.takes(slot, node.arrived).either();
            count(valid & !takes, all);
            count(takes, bits);
        }
    }
}

/// In the registers behind the stages of the packing.
fn on_their_way<B: Bit>(node: &CountingNode<B>, at: Moment, count: &mut dyn FnMut(B, u32)) {
    let (m, length, t) = (at.m(), at.length(), at.t);
    for r in 1..m {
        if (2 * m + r..2 * m + r + length).contains(&t) {
            let stage = (at.iteration + r + 1) as usize;
            let coming = node.packing.stage(stage).valid();
            count(coming.track_0, 1);
            count(coming.track_1, 1);
        }
    }
}
