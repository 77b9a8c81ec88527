//! O.C. SEND 3 and 4 and ARBITRARY SEND 1 (Stout & Wagar 1987, sections 3 and 4): through all nodes between the two ends, in
//! packets that are small in the middle of the cube.
//!
//! ```text
//!   d = 4, m = 12    bits of a node:   12    3    2    3    12
//!                    packet:              3    1    1    3
//!
//!   O.C. SEND 4      group 0   |  3  |1|1|  3  |
//!                    group 1         |  3  |1|1|  3  |
//! ```
//!
//! O.C. SEND 4 sends groups one behind the other, and ARBITRARY SEND 1 is the same in the subcube of the two ends.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::sends::stream::Stream;
use crate::routers::collectives::algorithms::sends::{
    PORTS, destination, groups, opposite_corner, straight,
};
use crate::routers::collectives::program::{TransferProgram, View};
use crate::routers::ports::algorithm::PortModel;

/// A stream through the subcube of its ends.
pub(in super::super) enum Opposite {
    /// O.C. SEND 3: one group.
    Three,
    /// O.C. SEND 4.
    Four,
    /// ARBITRARY SEND 1: to any node.
    Arbitrary,
}

impl Algorithm for Opposite {
    fn operation(&self) -> Operation {
        Operation::Send
    }

    fn name(&self) -> &'static str {
        match self {
            Opposite::Three => "oc-send-3",
            Opposite::Four => "oc-send-4",
            Opposite::Arbitrary => "arbitrary-send-1",
        }
    }

    fn paper_name(&self) -> &'static str {
        match self {
            Opposite::Three => "O.C. SEND 3",
            Opposite::Four => "O.C. SEND 4",
            Opposite::Arbitrary => "ARBITRARY SEND 1",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            Opposite::Three => "to the opposite corner, spread over all links",
            Opposite::Four => "to the opposite corner, spread over all links, in groups",
            Opposite::Arbitrary => "to any node, spread over its subcube's links, in groups",
        }
    }

    fn source(&self) -> &'static str {
        match self {
            Opposite::Three | Opposite::Four => "Stout & Wagar 1987, section 3",
            Opposite::Arbitrary => "Stout & Wagar 1987, section 4",
        }
    }

    fn port_models(&self) -> &'static [PortModel] {
        PORTS
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let to = match self {
            Opposite::Arbitrary => destination(self, ask)?,
            _ => opposite_corner(self, ask)?,
        };
        let n = to.count_ones() as usize;
        let stream = |number| Stream::new(n, ask.message_bits, number, ask.start_up);
        let number = match self {
            Opposite::Three => 1,
            _ => groups(self, ask, ask.message_bits, |number| {
                stream(number).bit_times()
            })?,
        };
        let stream = stream(number);
        let letters = [("n", n as u64), ("g", number as u64)];
        let form = |text| ask.form(text, &letters);
        Ok(OperationPlan {
            routing_steps: form(match self {
                Opposite::Three => "d",
                Opposite::Four => "g + d - 1",
                Opposite::Arbitrary => "g + n - 1",
            }),
            bit_times: form(match self {
                Opposite::Three => {
                    "dT + p_0 + ... + p_(d-1), p_0 = ceil(m/d), p_k = ceil(k p_(k-1)/(d-k))"
                }
                Opposite::Four => {
                    "(g-1)(T + p_(d-1)) + dT + p_0 + ... + p_(d-1), \
                     p_0 = ceil(ceil(m/g)/d), p_k = ceil(k p_(k-1)/(d-k))"
                }
                Opposite::Arbitrary => straight::BIT_TIMES,
            }),
            forwarding_buffer: form(match self {
                Opposite::Three => {
                    "0 (d = 1); p_(d-1), p_0 = ceil(m/d), p_k = ceil(k p_(k-1)/(d-k))"
                }
                Opposite::Four => {
                    "0 (d = 1); min(g, 2) p_(d-1), p_0 = ceil(ceil(m/g)/d), p_k = ceil(k p_(k-1)/(d-k))"
                }
                Opposite::Arbitrary => straight::BUFFER,
            }),
            divides: stream.divides(),
            groups: match self {
                Opposite::Three => None,
                _ => Some(number.into()),
            },
            packet_bits: None,
            program: TransferProgram {
                cube: ask.cube,
                source: ask.source,
                ports: ask.ports,
                view: View::Relative,
                low_part: to as u32,
                unused: 0,
                memory_bits: stream.memory_bits(),
                bit_times: stream.bit_times(),
                steps: stream.steps(),
                transfers: stream.transfers(),
                loads: stream.loads(to),
                arrivals: stream.arrivals(to),
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
    fn any_destination_will_do() {
        for d in 1..=4usize {
            for to in 1..1 << d {
                let ask = Ask {
                    source: 1,
                    destination: Some(1 ^ to),
                    groups: Some(2),
                    ..ask(d, 19, 1)
                };
                let plan = holds(&Opposite::Arbitrary, &ask);
                let n = to.count_ones() as u64;
                assert_eq!(plan.routing_steps.value, n + 1);
            }
        }
    }

    /// Of the paper: (g + K_(d-1) - 1) m / (dg) + (g + d - 1) T, with K_(d-1) as in section 3.
    #[test]
    fn where_the_message_divides_the_papers_formula_holds() {
        // d, m, g, d K_(d-1) m / (dg) of one group.
        for (d, m, g, one) in [
            (3, 18, 3, 5),
            (4, 24, 2, 8),
            (5, 120, 2, 32),
            (5, 60, 1, 32),
        ] {
            let ask = Ask {
                groups: Some(g),
                ..ask(d, m, 4)
            };
            let plan = holds(&Opposite::Four, &ask);
            let time = (g - 1) * m / (d * g) + one + (g + d - 1) * 4;
            assert!(plan.divides);
            assert_eq!(plan.bit_times.value, time as u64);
        }
    }

    #[test]
    fn the_number_of_groups_is_the_best() {
        let best = Opposite::Four.plan(&ask(4, 480, 3)).unwrap();
        for groups in 1..=480 {
            let ask = Ask {
                groups: Some(groups),
                ..ask(4, 480, 3)
            };
            let plan = Opposite::Four.plan(&ask).unwrap();
            assert!(best.bit_times.value <= plan.bit_times.value, "{groups}");
        }
    }

    #[test]
    fn sizes_that_they_do_not_take_are_refused() {
        let why = |asked: Ask| Opposite::Arbitrary.plan(&asked).unwrap_err().to_string();
        let groups = |groups| Ask {
            groups: Some(groups),
            ..ask(3, 5, 0)
        };
        assert_eq!(
            why(groups(6)),
            "arbitrary-send-1: 6 groups of 5 bits: 5 is the nearest number"
        );
        assert_eq!(
            why(groups(0)),
            "arbitrary-send-1: 0 groups of 5 bits: 1 is the nearest number"
        );
        let to = |node| Ask {
            destination: Some(node),
            ..ask(3, 5, 0)
        };
        assert_eq!(
            why(to(8)),
            "arbitrary-send-1: there is no node 8 to send to: nodes are 0 to 7"
        );
        assert_eq!(
            why(to(0)),
            "arbitrary-send-1: node 0 does not send to itself: to another, such as 7"
        );
        assert_eq!(
            why(ask(3, 0, 0)),
            "arbitrary-send-1: a message of 0 bits: it has 1 at least"
        );
    }
}
