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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::ports::algorithm::{Algorithm, PortModel};

    #[test]
    fn each_send_is_a_bit_at_either_end_of_its_link() {
        let (n, packets, steps) = (3, 5, 9);
        let broadcast = Broadcast {
            cube: Dimensions::new(n).unwrap(),
            algorithm: Algorithm::Listed { steps },
            ports: PortModel::All,
            source: 0,
            packets,
            packet_bits: 1,
            start_up: 0,
        };
        let send = |number: usize| {
            let from = number * 7 % 8;
            Send {
                step: number * 5 % steps,
                from,
                to: from ^ 1 << (number % n),
                packet: number * 3 % packets,
            }
        };
        let mut list: Vec<Send> = (0..40).map(send).collect();
        // There are no registers for these.
        list.push(Send {
            step: steps,
            ..list[0]
        });
        list.push(Send {
            packet: packets,
            ..list[0]
        });
        list.push(Send {
            to: list[0].from,
            ..list[0]
        });
        list.push(Send {
            from: 8,
            to: 0,
            ..list[0]
        });
        let bits = OrderBits::of(&broadcast, &list);
        let mut ones = 0;
        for node in 0..8 {
            for bit in 0..n * packets * steps {
                let (port, packet) = (bit / steps / packets, bit / steps % packets);
                let other = node ^ 1 << port;
                for (field, from, to) in [(SENDS, node, other), (RECEIVES, other, node)] {
                    let step = bit % steps;
                    let listed = list.contains(&Send {
                        step,
                        from,
                        to,
                        packet,
                    });
                    let word = bits.word(field, node, bit - bit % 64).unwrap();
                    assert_eq!(word >> (bit % 64) & 1 == 1, listed);
                    ones += usize::from(listed);
                }
            }
        }
        list.truncate(40);
        list.sort_unstable();
        list.dedup();
        assert_eq!(ones, 2 * list.len());
        assert_eq!(bits.word(Field::VALID, 0, 0), None);
    }
}
