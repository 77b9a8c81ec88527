//! INVERSION (Stout & Wagar 1987, section 6): every node sends a message to the opposite corner, by O.C. SEND 2 from all nodes at
//! once.
//!
//! ```text
//!   d = 3        stage 0    stage 1    stage 2
//!   part 0       port 0     port 1     port 2
//!   part 1       port 1     port 2     port 0
//!   part 2       port 2     port 0     port 1
//! ```
//!
//! Messages are cut into `d` parts; in stage `k` part `i` crosses dimension `(i + k) mod d`. The two halves of the memory take
//! turns: what comes in a stage is sent on from there in the next.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{
    Line, Segment, Transfer, TransferProgram, View, every_node,
};
use crate::routers::ports::algorithm::PortModel;

/// INVERSION.
pub(super) struct Inversion;

impl Algorithm for Inversion {
    fn operation(&self) -> Operation {
        Operation::Inversion
    }

    fn name(&self) -> &'static str {
        "inversion"
    }

    fn paper_name(&self) -> &'static str {
        "INVERSION"
    }

    fn models(&self) -> &'static str {
        "every node to the opposite corner, in d parts"
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
            2 * bits.next_multiple_of(d as u128)
        })?;
        let part = m.div_ceil(d);
        // The half of the memory that a stage reads; it writes the other.
        let half = |stage: usize| stage % 2 * d * part;
        let stage = |stage: usize| {
            let lines = |half: usize, counted| {
                (0..d).map(move |port| Line {
                    line: port,
                    address: half + (port + d - stage) % d * part,
                    counted,
                })
            };
            Transfer {
                begin: stage * (start_up + part),
                start_up,
                bits: part,
                sends: every_node(lines(half(stage), stage > 0)),
                receives: every_node(lines(half(stage + 1), stage + 1 < d)),
                adds: None,
            }
        };
        let segments = |first: usize| {
            let parts = (0..d).filter(|number| number * part < m);
            parts.map(move |number| Segment {
                at: None,
                partner: (1 << d) - 1,
                bit: number * part,
                bits: part.min(m - number * part),
                address: first + number * part,
            })
        };
        let transfers: Vec<Transfer> = (0..d).map(stage).collect();
        let bit_times = d * (start_up + part);
        let form = |text| ask.form(text, &[]);
        Ok(OperationPlan {
            routing_steps: form("d"),
            bit_times: form("d(T + ceil(m/d))"),
            forwarding_buffer: form("0 (d = 1); 2 ceil(m/2) (d = 2); 2d ceil(m/d)"),
            divides: m.is_multiple_of(d),
            groups: None,
            packet_bits: Some(part),
            program: TransferProgram {
                cube: ask.cube,
                source: 0,
                ports: ask.ports,
                view: View::Relative,
                low_part: (1 << d) - 1,
                unused: 0,
                memory_bits: 2 * d * part,
                bit_times,
                steps: transfers.iter().map(|one| one.begin).collect(),
                loads: segments(half(0)).collect(),
                arrivals: segments(half(d)).collect(),
                transfers,
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    /// A = 1 and S = d. Stages before the last come while the ones before them leave, which makes 2m of three stages or more; of two
    /// only the first is sent on, and of one nothing.
    #[test]
    fn where_it_divides_time_and_buffer_are_the_papers() {
        for (d, m, start_up) in [(1, 5, 2), (2, 6, 1), (3, 6, 0), (4, 12, 3), (5, 60, 1)] {
            let plan = Inversion.plan(&ask(d, m, start_up)).unwrap();
            assert!(plan.divides);
            assert_eq!(plan.bit_times.value as usize, m + d * start_up);
            assert_eq!(plan.forwarding_buffer.value as usize, (d - 1).min(2) * m);
        }
        assert!(!Inversion.plan(&ask(3, 4, 0)).unwrap().divides);
    }

    #[test]
    fn what_there_is_no_room_for_is_refused() {
        let refused = Inversion.plan(&ask(3, usize::MAX, 0)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "inversion: {} message bits: the memories of 2^3 nodes would have more than 2^32 bits; it takes 268435455 at most",
                usize::MAX
            )
        );
    }
}
