//! DISTRIBUTE 2 (Stout & Wagar 1987, section 5): fewer starts at the source, because it sends waves that are cut into wavelets at
//! its neighbours, one for each distance.
//!
//! ```text
//!   d = 3            wave 1: 4/3 m                        wave 2: m
//!   source           | T | for C3 and C2                 | T | for C1          |
//!   distance 1                                           | T | C3 | T | C2     |
//!   distance 2                                                    | T | C3 |
//! ```
//!
//! Each wave is `r` times as long as the next, `d (1 + r + ... + r^(k-1)) = 2^d - 1`, and filled with what is for the nearest
//! first, from the last wave backwards: then what comes last has least far to go. The part of a message that starts across a port
//! goes on from there by as many ways as the message has further dimensions, so that all links of the neighbours are as busy.

use super::stages::Shape;
use super::waves::Waves;
use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::counting::{binomial, rotated_down};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{Passage, Schedule, hop, taken};
use crate::routers::collectives::program::{Transfer, View};
use crate::routers::ports::algorithm::PortModel;

/// DISTRIBUTE 2.
pub(in crate::routers::collectives::algorithms) struct Distribute2;

/// Dimensions of the largest cube: there are several ways to a node.
const MOST_WAVE_DIMENSIONS: usize = 12;

/// The transfers, and the bits of a node's memory.
fn transfers(shape: Shape, waves: &Waves) -> (Vec<Transfer>, usize) {
    let (d, m) = (shape.d, shape.m);
    let (at_source, own) = shape.at_source();
    let part = |node: usize| m.div_ceil(node.count_ones() as usize);
    let absolute = |seen: usize, port: usize| rotated_down(seen, d - port, d);
    // By node, the first address that is not taken: behind its own message.
    let mut free: Vec<usize> = (0..1usize << d)
        .map(|node| match node {
            0 => own,
            _ => node.count_ones() as usize * part(node),
        })
        .collect();
    let mut transfers = Vec::new();
    for piece in &waves.pieces {
        let level = piece.stations.len() - 1;
        // Where the piece lies in its message, by first port.
        let in_message = |port: usize| {
            let node = absolute(piece.stations[level], port);
            let number = (node & ((1 << port) - 1)).count_ones() as usize;
            (node, number * part(node) + piece.first)
        };
        let mut from: Vec<usize> = (0..d)
            .map(|port| {
                let (node, bit) = in_message(port);
                at_source[node - 1] + bit
            })
            .collect();
        for (number, &(begin, has_start)) in piece.hops.iter().enumerate() {
            let goes_on = number + 1 < level;
            let (here, there) = (piece.stations[number], piece.stations[number + 1]);
            let to: Vec<usize> = (0..d)
                .map(|port| match goes_on {
                    false => in_message(port).1,
                    true => {
                        let address = &mut free[absolute(there, port)];
                        *address += piece.bits;
                        *address - piece.bits
                    }
                })
                .collect();
            let passages = (0..d).map(|port| Passage {
                port,
                from: from[port],
                to: to[port],
            });
            let (sends, receives) = hop((d, here, there), (number > 0, goes_on), passages);
            transfers.push(Transfer {
                begin,
                start_up: if has_start { shape.start_up } else { 0 },
                bits: piece.bits,
                sends,
                receives,
                adds: None,
            });
            from = to;
        }
    }
    (transfers, free.into_iter().max().unwrap_or(0))
}

impl Algorithm for Distribute2 {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        "distribute-2"
    }

    fn paper_name(&self) -> &'static str {
        "DISTRIBUTE 2"
    }

    fn models(&self) -> &'static str {
        "a few waves, each longer than the next, cut up at the source's neighbours"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 5"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_WAVE_DIMENSIONS)?;
        let shape = Shape::of(ask);
        let (d, m) = (shape.d, shape.m);
        if d < 3 {
            return refused(
                self,
                format!(
                    "in {d} dimensions a wave cannot be longer than the next: 3 dimensions, or distribute-1, which has as few waves"
                ),
            );
        }
        let waves = Waves::of(shape);
        let source: usize = (1..=d)
            .map(|level| binomial(d - 1, level - 1) * m.div_ceil(level))
            .sum();
        let source = waves.begins.len() * ask.start_up + source;
        let is_through = waves.end <= source;
        let (transfers, memory_bits) = transfers(shape, &waves);
        let bit_times = source.max(waves.end);
        let (at_source, _) = shape.at_source();
        let schedule = Schedule {
            view: View::Relative,
            memory_bits,
            bit_times,
            steps: waves.begins.clone(),
            transfers,
            at_node: vec![0; at_source.len()],
            at_source,
        };
        Ok(OperationPlan {
            routing_steps: ask.form("least k with d((d-1)^k - 1)/(d-2) >= 2^d - 1", &[]),
            bit_times: match is_through {
                true => ask.form(
                    "kT + sum over j < d of C(d-1, j) ceil(m/(j+1))",
                    &[("k", waves.begins.len() as u64)],
                ),
                false => ClosedForm::counted(
                    "until the last wavelet has arrived (m too small for kT + sum over j < d of C(d-1, j) ceil(m/(j+1)))",
                    bit_times as u64,
                ),
            },
            forwarding_buffer: ClosedForm::counted(
                "the most that a neighbour of the source was sent and has not sent on",
                waves.held(ask.start_up) as u64,
            ),
            divides: is_through && shape.divides(),
            groups: None,
            packet_bits: None,
            program: schedule.program(ask),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    /// `(2^d - 1) m / d + kT` from a certain `m / T` on: 3 for d = 3, 24 for d = 4.
    #[test]
    fn large_messages_take_as_long_as_the_paper_says() {
        let m = 840 * 24;
        for (d, waves, least) in [
            (3, 2, 3),
            (4, 2, 24),
            (5, 3, 2),
            (6, 3, 3),
            (7, 3, 3),
            (8, 3, 4),
        ] {
            let plan = |times: usize| Distribute2.plan(&ask(d, m, m / times)).unwrap();
            let paper = ((1 << d) - 1) * m / d + waves * (m / least);
            assert!(plan(least).divides);
            assert_eq!(plan(least).bit_times.value, paper as u64);
            assert_eq!(plan(least).routing_steps.value, waves as u64);
            assert!(!plan(least - 1).divides, "{d}");
            let text = plan(least - 1).bit_times.text;
            assert!(text.starts_with("until the last wavelet has arrived"));
        }
    }

    #[test]
    fn few_dimensions_are_refused() {
        for d in [1, 2] {
            let refusal = Distribute2.plan(&ask(d, 4, 0)).unwrap_err().to_string();
            assert!(refusal.ends_with("3 dimensions, or distribute-1, which has as few waves"));
        }
    }
}
