//! PERMUTED SEND (Stout & Wagar 1987, section 6): every node has a message for one node, and is sent one, in any permutation.
//!
//! ```text
//!   d = 3     stages 0..3            |             stages 3..6
//!   node s    packet w to s xor w    |  relabel    packet w of node s to where its message goes
//!             (COMPLETE EXCHANGE)    |  blocks     (COMPLETE EXCHANGE)
//! ```
//!
//! The message is cut into `2^d` packets, one for each node, its own included, and an exchange spreads them. Node `y` has packet
//! `w` of node `y xor w` in block `w` then. Its message goes to node `p(y xor w)`, another for every `w`, so that `y` has one packet
//! for each node again, and only puts its blocks in the order of where they go to: block `w` becomes block `y xor p(y xor w)`.
//! A second exchange takes them there. Node `t`, whose message is from node `s`, has packet `w` in block `w xor s xor t`.
//!
//! Memory: a block for each node. All packets from others that have been spread are held to be sent on, and are counted, in each
//! node as many: the one that has come to its end already, too, in the place of its own, which is sent later.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::complete_exchange::{Blocks, divides_by_all};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{Reorder, Segment, Transfer, TransferProgram, View};
use crate::routers::ports::algorithm::PortModel;

/// PERMUTED SEND.
pub(super) struct PermutedSend;

impl PermutedSend {
    /// Where messages go, if each node is sent one.
    fn permutation<'a>(&self, ask: &'a Ask) -> Result<&'a [usize], Error> {
        let nodes = ask.cube.nodes();
        let Some(goes_to) = &ask.permutation else {
            return refused(
                self,
                format!(
                    "no permutation: it takes one of {nodes} nodes, where each one's message goes"
                ),
            );
        };
        if goes_to.len() != nodes {
            return refused(
                self,
                format!(
                    "a permutation of {} nodes: it takes one of {nodes}",
                    goes_to.len()
                ),
            );
        }
        let mut comes_from = vec![None; nodes];
        for (from, &to) in goes_to.iter().enumerate() {
            let Some(other) = comes_from.get_mut(to) else {
                return refused(
                    self,
                    format!("node {from} sends to node {to}: it takes nodes below {nodes}"),
                );
            };
            if let Some(other) = other.replace(from) {
                return refused(
                    self,
                    format!(
                        "nodes {other} and {from} both send to node {to}: it takes one for each"
                    ),
                );
            }
        }
        Ok(goes_to)
    }
}

impl Algorithm for PermutedSend {
    fn operation(&self) -> Operation {
        Operation::PermutedSend
    }

    fn name(&self) -> &'static str {
        "permuted-send"
    }

    fn paper_name(&self) -> &'static str {
        "PERMUTED SEND"
    }

    fn models(&self) -> &'static str {
        "any permutation via all nodes: two complete exchanges of packets, and blocks relabelled between"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let (d, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
        let nodes = ask.cube.nodes();
        room(self, ask, ("message bits", m), |bits| {
            (bits.div_ceil(1 << d) + d as u128) << d
        })?;
        let goes_to = self.permutation(ask)?;
        let packet = m.div_ceil(nodes);
        let exchange = Blocks {
            dims: d,
            bits: packet,
            start_up,
            first: 0,
            held: [false, true],
        };
        let spreads = exchange.stages(0);
        let brings = Blocks {
            held: [true, false],
            ..exchange
        };
        let brings = brings.stages(exchange.bit_times());
        let stages: Vec<Vec<Transfer>> = spreads.into_iter().chain(brings).collect();
        // Of a message from one node to another, with all its packets' numbers changed by `relabelled`.
        let segments = |at: usize, partner: usize, relabelled: usize| {
            let packets = (0..nodes).map(move |number| (number, number * packet));
            let packets = packets.filter(move |(_, bit)| *bit < m);
            packets.map(move |(number, bit)| Segment {
                at: Some(at),
                partner,
                bit,
                bits: packet.min(m - bit),
                address: exchange.address(number ^ relabelled),
            })
        };
        let pairs = || goes_to.iter().enumerate();
        let numbers =
            |node: usize| (0..nodes).map(move |block| (node ^ goes_to[node ^ block]) as u32);
        let divides = m.is_multiple_of(nodes) && divides_by_all(packet, d);
        let form = |text| ask.form(text, &[]);
        Ok(OperationPlan {
            routing_steps: form("2d"),
            bit_times: form(match divides {
                true => "m + 2dT",
                false => "2dT + 2 sum over 0 < i <= d of C(d-1,i-1) i ceil(c/i), c = ceil(m/2^d)",
            }),
            forwarding_buffer: form(match divides {
                true => "ceil(m/2) (d = 1); (1 - 2^-d + d/2^(d+1)) m",
                false => {
                    "ceil(m/2) (d = 1); d ceil(c/2) + sum over 0 < i <= d of C(d,i) i ceil(c/i), c = ceil(m/2^d)"
                }
            }),
            divides,
            groups: None,
            packet_bits: Some(packet),
            program: TransferProgram {
                cube: ask.cube,
                source: 0,
                ports: ask.ports,
                view: View::Relative,
                low_part: (1 << d) - 1,
                unused: 0,
                memory_bits: exchange.memory_bits(),
                bit_times: 2 * exchange.bit_times(),
                steps: stages.iter().map(|stage| stage[0].begin).collect(),
                transfers: stages.into_iter().flatten().collect(),
                loads: pairs()
                    .flat_map(|(from, &to)| segments(from, from ^ to, 0))
                    .collect(),
                arrivals: pairs()
                    .flat_map(|(from, &to)| segments(to, from ^ to, from ^ to))
                    .collect(),
                reorder: Some(Reorder {
                    bit_time: exchange.bit_times() - 1,
                    from: 0,
                    to: 0,
                    block_bits: exchange.stride(),
                    numbers: (0..nodes).map(|node| numbers(node).collect()).collect(),
                }),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    fn asked(
        (dims, message_bits, start_up): (usize, usize, usize),
        goes_to: impl Fn(usize) -> usize,
    ) -> Ask {
        Ask {
            permutation: Some((0..1 << dims).map(goes_to).collect()),
            ..ask(dims, message_bits, start_up)
        }
    }

    /// A = 1 and S = 2d.
    #[test]
    fn where_it_divides_the_time_is_the_papers() {
        for (d, m, start_up) in [(1, 6, 2), (2, 16, 1), (3, 48, 4), (4, 192, 0)] {
            let plan = PermutedSend
                .plan(&asked((d, m, start_up), |node| node ^ 1))
                .unwrap();
            assert!(plan.divides);
            assert_eq!(plan.bit_times.value as usize, m + 2 * d * start_up);
            assert_eq!(plan.program.bit_times, m + 2 * d * start_up);
            assert_eq!(plan.program.memory_bits, m);
            if d > 1 {
                let buffer = m - (m >> d) + ((d * m) >> (d + 1));
                assert_eq!(plan.forwarding_buffer.value as usize, buffer);
            }
        }
        let short = PermutedSend.plan(&asked((3, 24, 0), |node| node)).unwrap();
        assert!(!short.divides);
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        let why = |ask: &Ask| PermutedSend.plan(ask).unwrap_err().to_string();
        assert_eq!(
            why(&ask(2, 8, 0)),
            "permuted-send: no permutation: it takes one of 4 nodes, where each one's message goes"
        );
        assert_eq!(
            why(&asked((2, 8, 0), |node| node / 2)),
            "permuted-send: nodes 0 and 1 both send to node 0: it takes one for each"
        );
        assert_eq!(
            why(&asked((2, 8, 0), |node| node + 1)),
            "permuted-send: node 3 sends to node 4: it takes nodes below 4"
        );
        let five = Ask {
            permutation: Some(vec![0, 1, 2, 3, 4]),
            ..ask(2, 8, 0)
        };
        assert_eq!(
            why(&five),
            "permuted-send: a permutation of 5 nodes: it takes one of 4"
        );
    }
}
