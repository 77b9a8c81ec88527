//! What the hosts write into the orders of their nodes: which bits are 1.

use crate::machine::host::Field;
use crate::routers::ports::broadcast::Broadcast;
use crate::routers::ports::listed_path::{RECEIVES, SENDS};
use crate::routers::ports::sends::Send;

/// The bits that are 1, by node, and by their number in the field.
#[derive(Clone, Debug)]
pub struct OrderBits {
    sends: Vec<(usize, usize)>,
    receives: Vec<(usize, usize)>,
}

impl OrderBits {
    /// Of a list that takes so many steps. A send for which there is no register, as there is no such link, packet or step, is left
    /// out.
    pub fn of(broadcast: &Broadcast, list: &[Send]) -> Self {
        let steps = broadcast.routing_steps().value as usize;
        let (nodes, packets) = (broadcast.cube.nodes(), broadcast.packets);
        let (mut sends, mut receives) = (Vec::new(), Vec::new());
        for send in list {
            let is_there = send.from < nodes && send.to < nodes && send.packet < packets;
            let Some(port) = send.port() else { continue };
            if is_there && send.step < steps {
                let bit = (port * packets + send.packet) * steps + send.step;
                sends.push((send.from, bit));
                receives.push((send.to, bit));
            }
        }
        sends.sort_unstable();
        receives.sort_unstable();
        OrderBits { sends, receives }
    }

    /// 64 bits of a node's field, from bit `from` on; nothing where the field is none of orders.
    pub fn word(&self, field: Field, node: usize, from: usize) -> Option<u64> {
        let ones = match field {
            SENDS => &self.sends,
            RECEIVES => &self.receives,
            _ => return None,
        };
        let first = ones.partition_point(|one| *one < (node, from));
        let here = ones[first..]
            .iter()
            .take_while(|(of, bit)| *of == node && bit - from < 64);
        Some(here.fold(0, |word, (_, bit)| word | 1 << (bit - from)))
    }
}
