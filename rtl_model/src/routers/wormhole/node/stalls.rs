//! Why bits do not move: for measurement, and no part of the hardware.

use crate::language::bit::Bit;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::node::WormholeNode;

/// Why a bit that lies in front does not move on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// The output channel that it asks for is another worm's, or not empty yet.
    Channel,
    /// The buffer ahead is full.
    Credit,
    /// The wire was given to another channel.
    Wire,
}

impl Stall {
    /// All of them, with what each is.
    pub const ALL: [(Stall, &'static str); 3] = [
        (Stall::Channel, "output channel taken"),
        (Stall::Credit, "no credit: the buffer ahead is full"),
        (Stall::Wire, "wire given to another channel"),
    ];
}

impl<B: Bit> WormholeNode<B> {
    /// Calls `stalled(cause, flag)` for each channel and cause: where `flag` is 1, a bit stands
    /// still in this bit time. Of an output channel that is asked for, it is not known before the
    /// clock edge whether it will be granted.
    pub fn stalls(&self, address: &[B], stalled: &mut impl FnMut(Stall, B)) {
        let levels = Levels::of(&self.plan, address);
        let traversal = self.traversal(&levels);
        let outputs = self.outputs();
        for (number, switch) in self.switches.iter().enumerate() {
            for input in 0..self.plan.switch.inputs.len() {
                stalled(Stall::Channel, switch.input(input).requests());
            }
            for output in 0..outputs {
                let place = number * outputs + output;
                let waits = traversal.offers[place].holds_bit & !traversal.sent[place];
                let credit = switch.has_credit(output);
                stalled(Stall::Credit, waits & !credit);
                stalled(Stall::Wire, waits & credit);
            }
        }
        let first = self.switches.len() * outputs;
        for (number, relay) in self.relays.iter().enumerate() {
            let waits = relay.holds_bit() & !traversal.sent[first + number];
            stalled(Stall::Credit, waits & !relay.has_credit());
            stalled(Stall::Wire, waits & relay.has_credit());
        }
    }
}
