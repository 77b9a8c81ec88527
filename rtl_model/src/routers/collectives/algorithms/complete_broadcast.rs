//! COMPLETE BROADCAST (Stout & Wagar 1987, section 6): every node has a message for all, by BROADCAST 2 from all nodes at once.
//!
//! ```text
//!   d = 3        stage 0    stage 1        stage 2
//!   part 0       port 0     port 1         port 2
//!   part 1       port 1     port 2         port 0
//!   part 2       port 2     port 0         port 1
//!   messages     its own    + from 1 node  + from 3 nodes
//! ```
//!
//! Messages are cut into `d` parts; in stage `k` part `i` crosses dimension `(i + k) mod d`, of all the messages that a node has a
//! part `i` of: those from the `2^k` nodes that differ from it in the bits `i..i + k` at most. In memory a part's pieces follow
//! each other by the node they are from, its relative address rotated right by `i`. What is sent in stage `k` are the first `2^k`,
//! and what comes are the next `2^k`: one packet. The memory is full of messages at the end, and has no other room.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{
    Line, Segment, Transfer, TransferProgram, View, every_node,
};
use crate::routers::ports::algorithm::PortModel;

/// COMPLETE BROADCAST.
pub(super) struct CompleteBroadcast;

/// Where parts lie.
#[derive(Clone, Copy)]
struct Parts {
    dims: usize,
    bits: usize,
    start_up: usize,
}

impl Parts {
    /// Where the piece of a part lies that comes from the node at a relative address.
    fn address(&self, part: usize, from: usize) -> usize {
        let rotated = (from >> part | from << (self.dims - part)) & ((1 << self.dims) - 1);
        ((part << self.dims) + rotated) * self.bits
    }

    /// Pieces that follow each other, of each part, across the ports of a stage.
    fn lines(&self, stage: usize, piece: usize, counted: bool) -> impl Iterator<Item = Line> {
        let (dims, bits) = (self.dims, self.bits);
        (0..dims).map(move |port| Line {
            line: port,
            address: ((((port + dims - stage) % dims) << dims) + piece) * bits,
            counted,
        })
    }

    /// The packet of a stage.
    fn stage(&self, stage: usize) -> Vec<Transfer> {
        let is_last = stage + 1 == self.dims;
        let begin = stage * self.start_up + ((1 << stage) - 1) * self.bits;
        let packet = Transfer {
            begin,
            start_up: self.start_up,
            bits: self.bits << stage,
            sends: every_node(self.lines(stage, 0, false)),
            receives: every_node(self.lines(stage, 1 << stage, !is_last)),
            adds: None,
        };
        if !is_last || stage == 0 {
            return vec![packet];
        }
        // What came earlier leaves for the last time; the first piece is the node's own.
        let own = Transfer {
            bits: self.bits,
            ..packet
        };
        let others = Transfer {
            begin: own.end(),
            start_up: 0,
            bits: (self.bits << stage) - self.bits,
            sends: every_node(self.lines(stage, 1, true)),
            receives: every_node(self.lines(stage, (1 << stage) + 1, false)),
            adds: None,
        };
        vec![own, others]
    }
}

impl Algorithm for CompleteBroadcast {
    fn operation(&self) -> Operation {
        Operation::AllGather
    }

    fn name(&self) -> &'static str {
        "complete-broadcast"
    }

    fn paper_name(&self) -> &'static str {
        "COMPLETE BROADCAST"
    }

    fn models(&self) -> &'static str {
        "every node to all, in d parts; what has come is sent on, twice as much each time"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let (d, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
        room(self, ask, ("message bits", m), |bits| {
            bits.next_multiple_of(d as u128) << d
        })?;
        let parts = Parts {
            dims: d,
            bits: m.div_ceil(d),
            start_up,
        };
        let stages: Vec<Vec<Transfer>> = (0..d).map(|stage| parts.stage(stage)).collect();
        let segments = |partner: usize| {
            let cut = (0..d).map(move |part| (part, part * parts.bits));
            let cut = cut.filter(move |(_, bit)| *bit < m);
            cut.map(move |(part, bit)| Segment {
                at: None,
                partner,
                bit,
                bits: parts.bits.min(m - bit),
                address: parts.address(part, partner),
            })
        };
        let bit_times = ((1 << d) - 1) * m.div_ceil(d) + d * start_up;
        let form = |text| ask.form(text, &[]);
        Ok(OperationPlan {
            routing_steps: form("d"),
            bit_times: form("(2^d - 1) ceil(m/d) + dT"),
            forwarding_buffer: form("(2^(d-1) - 1) d ceil(m/d)"),
            divides: m.is_multiple_of(d),
            groups: None,
            packet_bits: None,
            program: TransferProgram {
                cube: ask.cube,
                source: 0,
                ports: ask.ports,
                view: View::Relative,
                low_part: (1 << d) - 1,
                unused: 0,
                memory_bits: (d * parts.bits) << d,
                bit_times,
                steps: stages.iter().map(|stage| stage[0].begin).collect(),
                transfers: stages.into_iter().flatten().collect(),
                loads: segments(0).collect(),
                arrivals: (1..1 << d).flat_map(segments).collect(),
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    /// A = (2^d - 1)/d and S = d, and the forwarding buffer is (2^(d-1) - 1) m.
    #[test]
    fn where_it_divides_time_and_buffer_are_the_papers() {
        for (d, m, start_up) in [(1, 5, 2), (2, 6, 1), (3, 6, 0), (4, 12, 3), (5, 60, 1)] {
            let plan = CompleteBroadcast.plan(&ask(d, m, start_up)).unwrap();
            assert!(plan.divides);
            let time = ((1 << d) - 1) * m / d + d * start_up;
            assert_eq!(plan.bit_times.value as usize, time);
            let buffer = ((1 << (d - 1)) - 1) * m;
            assert_eq!(plan.forwarding_buffer.value as usize, buffer);
            assert_eq!(plan.program.memory_bits, m << d);
        }
        assert!(!CompleteBroadcast.plan(&ask(3, 4, 0)).unwrap().divides);
    }

    #[test]
    fn what_there_is_no_room_for_is_refused() {
        let refused = CompleteBroadcast.plan(&ask(10, 5000, 0)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "complete-broadcast: 5000 message bits: the memories of 2^10 nodes would have more than 2^32 bits; it takes 4090 at most"
        );
        assert!(CompleteBroadcast.plan(&ask(10, 4090, 0)).is_ok());
    }
}
