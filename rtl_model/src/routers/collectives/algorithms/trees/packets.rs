//! Packets of at most one message along a tree (Ho & Johnsson 1986, section 4.2, `B <= M`): packet number by packet number, one for
//! each node, and each is sent on in the step after the one that brought it.
//!
//! ```text
//!   SBT, n = 2, one port      step 0        step 1          step 2
//!   the source sends for      11 (port 0)   10 (port 1)     01 (port 0)
//!   01 sends on                             for 11
//! ```
//!
//! On one port the source takes another subtree in each step (SBT: it counts relative addresses down, so every other one is odd;
//! BST: bases count down, and 11...1 is the first; TCBT: in turns). So no node receives in the step in which it sends on, and nodes
//! hold one packet; with all ports, a second one comes while the first leaves. The farthest nodes come first, so nothing is under
//! way when the source is through.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::counting::necklaces;
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{MOST_DIMENSIONS, Schedule, taken};
use crate::routers::collectives::algorithms::trees::{Hop, Kind, Tree, letters};
use crate::routers::collectives::program::Transfer;
use crate::routers::ports::algorithm::PortModel;

/// Packets of one size along a tree.
pub(in crate::routers::collectives::algorithms) struct Packets(pub Kind);

/// More transfers than a program may have.
const TOO_MANY: usize = 1 << 22;

/// What the source sends in a step: a way by its number, and first ports.
type Sent = (usize, Vec<usize>);

impl Packets {
    /// What the source sends, step by step.
    fn rounds(&self, tree: &Tree, ports: PortModel) -> Vec<Vec<Sent>> {
        let ways = || tree.ways.iter().enumerate();
        match (self.0, ports) {
            (Kind::Binomial | Kind::Balanced, PortModel::All) => ways()
                .map(|(number, way)| vec![(number, (0..way.ports).collect())])
                .collect(),
            (Kind::Binomial, _) => {
                let all = ways().flat_map(|(number, way)| {
                    (0..way.ports).map(move |port| (tree.end(way, port), (number, vec![port])))
                });
                let mut all: Vec<(usize, Sent)> = all.collect();
                all.sort_by_key(|(node, _)| std::cmp::Reverse(*node));
                all.into_iter().map(|(_, sent)| vec![sent]).collect()
            }
            (Kind::Balanced, _) => ways()
                .flat_map(|(number, way)| {
                    (0..way.ports)
                        .rev()
                        .map(move |port| vec![(number, vec![port])])
                })
                .collect(),
            (Kind::TwoRooted, ports) => {
                let of_child = |child: usize| {
                    let through = ways().filter(move |(_, way)| way.stations[1] == child);
                    through.map(|(number, _)| (number, vec![0]))
                };
                let (mut first, second) = (of_child(2), of_child(3));
                // The other root's subtree has one node more.
                let mut rounds: Vec<Vec<Sent>> =
                    first.next().into_iter().map(|one| vec![one]).collect();
                for (one, other) in second.zip(first) {
                    match ports {
                        PortModel::All => rounds.push(vec![one, other]),
                        _ => rounds.extend([vec![one], vec![other]]),
                    }
                }
                rounds
            }
        }
    }

    /// Steps of a packet number, as text of all.
    fn steps(&self, ask: &Ask) -> (usize, &'static str, &'static str) {
        let (n, nodes) = (ask.dims(), ask.cube.nodes());
        match (self.0, ask.ports) {
            (Kind::Balanced, PortModel::All) => (
                (1..=n).map(|ones| necklaces(n, ones)).sum(),
                "ceil(m/B) (necklaces(n) - 1)",
                "ceil(m/B) (necklaces(n) - 1) (T + B)",
            ),
            (_, PortModel::All) => (nodes / 2, "ceil(m/B) N/2", "ceil(m/B) N/2 (T + B)"),
            _ => (nodes - 1, "ceil(m/B) (N - 1)", "ceil(m/B) (N - 1) (T + B)"),
        }
    }

    fn transfers(&self, (tree, ask): (&Tree, &Ask), bits: usize, slots: usize) -> Vec<Transfer> {
        let packets = ask.message_bits.div_ceil(bits);
        let rounds = self.rounds(tree, ask.ports);
        let sent = (0..packets).flat_map(|packet| {
            let steps = (packet * rounds.len()..).zip(&rounds);
            steps.flat_map(move |(step, round)| round.iter().map(move |sent| (packet, step, sent)))
        });
        let hops = sent.flat_map(|(packet, step, (number, ports))| {
            let way = &tree.ways[*number];
            (0..way.hops()).map(move |number| {
                let on_the_way = (packets + step % slots) * bits;
                let goes_on = number + 1 < way.hops();
                let hop = Hop {
                    number,
                    to: if goes_on { on_the_way } else { packet * bits },
                    goes_on,
                };
                let from = |port: usize| match number {
                    0 => ((tree.end(way, port) - 1) * packets + packet) * bits,
                    _ => on_the_way,
                };
                let (sends, receives) = tree.hop(way, ports.iter().copied(), hop, from);
                Transfer {
                    begin: (step + number) * (ask.start_up + bits),
                    start_up: ask.start_up,
                    bits,
                    sends,
                    receives,
                    adds: None,
                }
            })
        });
        hops.collect()
    }
}

impl Algorithm for Packets {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "sbt",
            Kind::Balanced => "bst",
            Kind::TwoRooted => "tcbt",
        }
    }

    fn paper_name(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "SBT",
            Kind::Balanced => "BST",
            Kind::TwoRooted => "TCBT",
        }
    }

    fn models(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "packets along a spanning binomial tree",
            Kind::Balanced => "packets along a balanced spanning tree",
            Kind::TwoRooted => "packets along a two-rooted complete binary tree",
        }
    }

    fn source(&self) -> &'static str {
        "Ho & Johnsson 1986, section 4.2"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &PortModel::EACH
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let (n, m, nodes) = (ask.dims(), ask.message_bits, ask.cube.nodes());
        let bits = ask.packet_bits.unwrap_or(m);
        if bits == 0 || bits > m {
            let nearest = if bits == 0 { 1 } else { m };
            return refused(
                self,
                format!("packets of {bits} bits of a message of {m}: {nearest} is the nearest"),
            );
        }
        let packets = m.div_ceil(bits);
        let most = TOO_MANY / (n * nodes);
        if packets > most {
            let least = m.div_ceil(most);
            return refused(
                self,
                format!(
                    "{packets} packets for each node are too many: packets of at least {least} bits"
                ),
            );
        }
        let (steps, steps_text, bit_times_text) = self.steps(ask);
        let steps = packets * steps;
        let step_bits = ask.start_up + bits;
        let slots = match ask.ports {
            PortModel::All => 2,
            _ => 1,
        };
        let letters = [&letters(ask)[..], &[("B", bits as u64)]].concat();
        let form = |text| ask.form(text, &letters);
        let tree = Tree::new(self.0, ask.cube);
        let on_the_way = if n > 1 { slots } else { 0 };
        let schedule = Schedule {
            view: tree.view(),
            memory_bits: bits * ((nodes - 1) * packets).max(packets + on_the_way),
            bit_times: steps * step_bits,
            steps: (0..steps).map(|step| step * step_bits).collect(),
            transfers: self.transfers((&tree, ask), bits, slots),
            at_source: (0..nodes - 1).map(|node| node * packets * bits).collect(),
            at_node: vec![0; nodes - 1],
        };
        Ok(OperationPlan {
            routing_steps: form(steps_text),
            bit_times: form(bit_times_text),
            forwarding_buffer: form(match ask.ports {
                PortModel::All => "0 (n = 1); B (n = 2); 2B",
                _ => "0 (n = 1); B",
            }),
            divides: m.is_multiple_of(bits),
            groups: None,
            packet_bits: Some(bits),
            program: schedule.program(ask),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::gathering::Backwards;
    use crate::routers::collectives::algorithms::tests::ask;

    const EACH: [&dyn Algorithm; 6] = [
        &Packets(Kind::Binomial),
        &Packets(Kind::Balanced),
        &Packets(Kind::TwoRooted),
        &Backwards(&Packets(Kind::Binomial)),
        &Backwards(&Packets(Kind::Balanced)),
        &Backwards(&Packets(Kind::TwoRooted)),
    ];

    /// One port: `N - 1` for single bits; all ports: `N/2` (SBT), and the largest subtree (BST).
    #[test]
    fn single_bits_take_as_many_steps_as_the_errata_say() {
        for (algorithm, ports, steps) in [
            (0, PortModel::OneWay, 63),
            (1, PortModel::OneWay, 63),
            (0, PortModel::All, 32),
            (1, PortModel::All, 13),
            (2, PortModel::All, 32),
        ] {
            let mut ask = ask(6, 1, 0);
            ask.ports = ports;
            let plan = EACH[algorithm].plan(&ask).unwrap();
            assert_eq!(plan.routing_steps.value, steps);
        }
    }

    #[test]
    fn packets_that_are_no_part_of_a_message_are_refused() {
        let refusal = |bits: usize, m: usize| {
            let mut ask = ask(3, m, 0);
            ask.packet_bits = Some(bits);
            Packets(Kind::Binomial).plan(&ask).unwrap_err().to_string()
        };
        assert!(refusal(0, 4).ends_with("packets of 0 bits of a message of 4: 1 is the nearest"));
        assert!(refusal(5, 4).ends_with("packets of 5 bits of a message of 4: 4 is the nearest"));
        assert!(
            refusal(1, 1 << 20).ends_with(
                "1048576 packets for each node are too many: packets of at least 7 bits"
            )
        );
    }
}
