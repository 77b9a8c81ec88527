//! ARBITRARY SEND 2 (Stout & Wagar 1987, section 4): BROADCAST 4 of section 2, cut off when the destination has the message.
//!
//! ```text
//!   d = 5, n = 2, g = 2   stage 0    1    2    3    4 = n + g
//!   distance 0 sends      q 0       q 1
//!   distance 1 sends                q 0  q 1
//!   distance 2 sends                     q 0  q 1
//!   distance 3 sends                          q 0  q 1        <- the last that the destination needs
//! ```
//!
//! A group of `d` packets is sent in stage `q + w` by all nodes at a distance `w`, on every port, but not back to the source: on
//! port `b` packet `b` where the node's bit `b` is 1, and towards farther nodes the packet of the next 1 circularly above. So a
//! node has `w` packets of a group before it sends, and gets the others two stages later, from farther nodes. The destination is
//! through `n + g + 1` stages after it began if there are nodes two steps farther, and else `d + g - 1`.
//!
//! At a distance of `d - 1` nobody farther sends the last group. Its one missing packet comes in a second wave behind it, in which
//! packet `j + 1` goes where packet `j` went (BROADCAST 3B); only then is it sent, and what comes with it lies in a spare area.
//! Elsewhere a packet lies at the same address in all nodes.

mod schedule;

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::sends::waves::schedule::Sizes;
use crate::routers::collectives::algorithms::sends::{PORTS, all, destination, groups};
use crate::routers::collectives::program::{Segment, TransferProgram, View};
use crate::routers::ports::algorithm::PortModel;

/// ARBITRARY SEND 2.
pub(in crate::routers::collectives::algorithms) struct Waves;

/// Groups and packet bits as asked for, or the best.
fn sizes(ask: &Ask, n: usize) -> Result<Sizes, Error> {
    let (d, m) = (ask.dims(), ask.message_bits);
    let of = |groups: usize, packet| Sizes {
        d,
        n,
        groups,
        packet,
        start_up: ask.start_up,
    };
    let in_groups = |number: usize| of(number, m.div_ceil(d * number));
    match (ask.packet_bits, ask.groups) {
        (Some(packet), _) if packet == 0 || packet > m => {
            let nearest = packet.clamp(1, m);
            let why = format!("packets of {packet} bits: {nearest} is the nearest number");
            refused(&Waves, why)
        }
        (Some(packet), None) => Ok(of(m.div_ceil(d).div_ceil(packet), packet)),
        (Some(packet), Some(number)) if number > 0 && d * number * packet < m => {
            let nearest = m.div_ceil(d * number);
            let why = format!(
                "{number} groups of {d} packets of {packet} bits: {nearest} bits a packet for a message of {m}"
            );
            refused(&Waves, why)
        }
        (packet, _) => {
            let number = groups(&Waves, ask, m, |number| in_groups(number).bit_times())?;
            Ok(packet.map_or(in_groups(number), |packet| of(number, packet)))
        }
    }
}

impl Algorithm for Waves {
    fn operation(&self) -> Operation {
        Operation::Send
    }

    fn name(&self) -> &'static str {
        "arbitrary-send-2"
    }

    fn paper_name(&self) -> &'static str {
        "ARBITRARY SEND 2"
    }

    fn models(&self) -> &'static str {
        "to any node, by BROADCAST 4 cut off"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 4"
    }

    fn port_models(&self) -> &'static [PortModel] {
        PORTS
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let to = destination(self, ask)?;
        let (d, m, n) = (ask.dims(), ask.message_bits, to.count_ones() as usize);
        let sizes = sizes(ask, n)?;
        let stages = sizes.stages();
        let letters = [
            ("n", n as u64),
            ("g", sizes.groups as u64),
            ("B", sizes.packet as u64),
            ("S", stages as u64),
            ("stages", stages as u64),
        ];
        let form = |text| ask.form(text, &letters);
        let spare = match sizes.has_second_wave() {
            true => d * sizes.packet,
            false => 0,
        };
        Ok(OperationPlan {
            routing_steps: form("n + g + 1 (n <= d - 2); d + g - 1"),
            bit_times: form(match ask.packet_bits {
                None => "(n + g + 1)(T + ceil(m/(dg))) (n <= d - 2); (d + g - 1)(T + ceil(m/(dg)))",
                Some(_) => "(n + g + 1)(T + B) (n <= d - 2); (d + g - 1)(T + B)",
            }),
            forwarding_buffer: form(
                "0 (d = 1); (n + 1)B (g = 1, n <= d - 2); 2(d - 2)B (g = 1, n = d - 1 > 1); \
                 (d - 1)B (g = 1); 2(S - 2)B (S = stages < d + 2); 2dB",
            ),
            divides: m == sizes.packet * d * sizes.groups,
            groups: Some(sizes.groups.into()),
            packet_bits: Some(sizes.packet),
            program: TransferProgram {
                cube: ask.cube,
                source: ask.source,
                ports: ask.ports,
                view: View::Relative,
                low_part: all(d) as u32,
                unused: 0,
                memory_bits: sizes.spare() + spare,
                bit_times: sizes.bit_times(),
                steps: (0..stages)
                    .map(|stage| stage * (sizes.start_up + sizes.packet))
                    .collect(),
                transfers: sizes.transfers(),
                loads: vec![Segment {
                    at: Some(0),
                    partner: to,
                    bit: 0,
                    bits: m,
                    address: 0,
                }],
                arrivals: sizes.arrivals(to, m),
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::{ask, holds};
    use crate::routers::collectives::rehearsal::rehearse;

    fn asked(d: usize, to: usize, m: usize, start_up: usize, groups: Option<usize>) -> Ask {
        Ask {
            destination: Some(to),
            groups,
            ..ask(d, m, start_up)
        }
    }

    /// The paper has n + g - 1 stages.
    #[test]
    fn with_fewer_than_n_plus_g_plus_1_stages_bits_are_missing() {
        let plan = holds(&Waves, &asked(4, 3, 16, 1, Some(2)));
        assert!(plan.divides);
        assert_eq!(plan.routing_steps.value, 2 + 2 + 1);
        let mut program = plan.program;
        let last = program.steps[4];
        program.transfers.retain(|transfer| transfer.begin < last);
        let fault = rehearse(&program, false).fault.unwrap();
        assert!(fault.contains("is not at address"), "{fault}");
    }

    #[test]
    fn packets_are_as_long_as_asked_for() {
        let long = |packet_bits, groups| Ask {
            packet_bits: Some(packet_bits),
            ..asked(3, 1, 20, 1, groups)
        };
        assert_eq!(holds(&Waves, &long(2, None)).groups, Some(4.into()));
        assert_eq!(holds(&Waves, &long(3, Some(3))).packet_bits, Some(3));
        let why = |asked: Ask| Waves.plan(&asked).unwrap_err().to_string();
        assert_eq!(
            why(long(2, Some(3))),
            "arbitrary-send-2: 3 groups of 3 packets of 2 bits: 3 bits a packet for a message of 20"
        );
        assert_eq!(
            why(long(21, None)),
            "arbitrary-send-2: packets of 21 bits: 20 is the nearest number"
        );
        assert_eq!(
            why(asked(3, 1, 20, 1, Some(21))),
            "arbitrary-send-2: 21 groups of 20 bits: 20 is the nearest number"
        );
    }
}
