//! O.C. SEND 1 and 2 (Stout & Wagar 1987, section 3): parts of a message go to the opposite corner, each its own way.
//!
//! ```text
//!   O.C. SEND 2, d = 3    stage 0        stage 1        stage 2
//!   part 0                000 - 001      001 - 011      011 - 111
//!   part 1                000 - 010      010 - 110      110 - 111
//!   part 2                000 - 100      100 - 101      101 - 111
//! ```
//!
//! In stage `k` part `i` crosses dimension `(i + k) mod d`. So a node sends across a port if the `k` bits below it, circularly, are
//! its only ones. O.C. SEND 1 has one part, and only port `k` is busy in stage `k`. A part lies at the same address in all nodes.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::sends::{PORTS, all, opposite_corner};
use crate::routers::collectives::program::{
    Condition, Line, LineOrder, Segment, Transfer, TransferProgram, View, side,
};
use crate::routers::ports::algorithm::PortModel;

/// Parts that stay whole.
pub(in super::super) enum Paths {
    /// O.C. SEND 1: the whole message.
    One,
    /// O.C. SEND 2: `d` parts.
    Each,
}

impl Algorithm for Paths {
    fn operation(&self) -> Operation {
        Operation::Send
    }

    fn name(&self) -> &'static str {
        match self {
            Paths::One => "oc-send-1",
            Paths::Each => "oc-send-2",
        }
    }

    fn paper_name(&self) -> &'static str {
        match self {
            Paths::One => "O.C. SEND 1",
            Paths::Each => "O.C. SEND 2",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            Paths::One => "to the opposite corner, the whole message on one path",
            Paths::Each => "to the opposite corner, d parts, each on its own path",
        }
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 3"
    }

    fn port_models(&self) -> &'static [PortModel] {
        PORTS
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let to = opposite_corner(self, ask)?;
        let (d, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
        let parts = match self {
            Paths::One => 1,
            Paths::Each => d,
        };
        let part = m.div_ceil(parts);
        let stage = |stage: usize| {
            // Seen from the port, the stage's ones are the highest.
            let below = all(stage) << (d - stage);
            let who = |pattern: usize| Condition {
                care: all(d) as u32,
                pattern: pattern as u32,
                ..Condition::EVERY
            };
            let lines = |counted| {
                (0..parts).map(move |number| Line {
                    line: (number + stage) % d,
                    address: number * part,
                    counted,
                })
            };
            Transfer {
                begin: stage * (start_up + part),
                start_up,
                bits: part,
                sends: side(who(below), LineOrder::Port, lines(stage > 0)),
                receives: side(who(below | 1), LineOrder::Port, lines(stage + 1 < d)),
                adds: None,
            }
        };
        let transfers: Vec<Transfer> = (0..d).map(stage).collect();
        let ends = |node| {
            vec![Segment {
                at: Some(node),
                partner: to,
                bit: 0,
                bits: m,
                address: 0,
            }]
        };
        let bit_times = d * (start_up + part);
        let form = |text| ask.form(text, &[]);
        Ok(OperationPlan {
            routing_steps: form("d"),
            bit_times: match self {
                Paths::One => form("d(T + m)"),
                Paths::Each => form("d(T + ceil(m/d))"),
            },
            forwarding_buffer: form(match self {
                Paths::One => "0 (d = 1); m",
                Paths::Each => "0 (d = 1); ceil(m/d)",
            }),
            divides: m.is_multiple_of(parts),
            groups: None,
            packet_bits: Some(part),
            program: TransferProgram {
                cube: ask.cube,
                source: ask.source,
                ports: ask.ports,
                view: View::Relative,
                low_part: all(d) as u32,
                unused: 0,
                memory_bits: parts * part,
                bit_times,
                steps: transfers.iter().map(|one| one.begin).collect(),
                loads: ends(0),
                arrivals: ends(to),
                transfers,
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::{ask, holds};

    #[test]
    fn other_destinations_are_refused() {
        let ask = Ask {
            source: 2,
            destination: Some(3),
            ..ask(3, 4, 0)
        };
        assert_eq!(
            Paths::Each.plan(&ask).unwrap_err().to_string(),
            "oc-send-2: node 2 sends to the opposite corner, 5, and not to 3: arbitrary-send-1 sends to any node"
        );
        let ask = Ask {
            destination: Some(5),
            ..ask
        };
        assert_eq!(holds(&Paths::Each, &ask).program.source, 2);
    }
}
