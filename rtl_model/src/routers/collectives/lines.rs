//! Which ports of a node are which lines of a channel, and are busy: the closed rules of [`Seen`] on what is broadcast.
//!
//! ```text
//!   channel: lines, who ---+
//!   seen: order, bits -----+--> port p sends line l       port p receives line l --> l: takes it, its bit
//! ```

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::routers::collectives::seen::{MOST_DIMENSIONS, PerPort, Seen};
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::strobes::{ChannelStrobes, LineStrobes};

/// For each port, whether the node sends across it a line of the channel that is `busy`.
pub(super) fn sends<B: Bit>(
    (shape, seen): (&Shape, &Seen<'_, B>),
    number: usize,
    channel: &ChannelStrobes<B::Strobe>,
    busy: &dyn Fn(&LineStrobes<B::Strobe>) -> B::Strobe,
) -> PerPort<B> {
    let [order, _] = shape.orders[number];
    let busy: PerPort<B> = (channel.lines.iter())
        .map(|line| B::from_strobe(busy(line)))
        .collect();
    let ports = seen.of_ports((order, true), &busy).into_iter().enumerate();
    let meets = |(port, busy): (usize, B)| match busy.is_known_zero() {
        true => B::ZERO,
        false => busy & seen.meets(&channel.senders, port),
    };
    ports.map(meets).collect()
}

/// For each port, whether it is a line of the channel and the node takes what comes across it.
pub(super) fn takes<B: Bit>(
    (shape, seen): (&Shape, &Seen<'_, B>),
    (number, line): (usize, usize),
    channel: &ChannelStrobes<B::Strobe>,
) -> PerPort<B> {
    let [_, order] = shape.orders[number];
    let mut is_line = [B::ZERO; MOST_DIMENSIONS];
    is_line[line] = B::ONE;
    let ports = seen
        .of_ports((order, false), &is_line)
        .into_iter()
        .enumerate();
    let meets = |(port, is_line): (usize, B)| match is_line.is_known_zero() {
        true => B::ZERO,
        false => is_line & seen.meets(&channel.receivers, port),
    };
    ports.map(meets).collect()
}

/// What the lines of a channel receive: whether the node takes it, and the bit.
pub(super) type Coming<B> = ArrayVec<(usize, B, B), MOST_DIMENSIONS>;

pub(super) fn comes<B: Bit>(
    who: (&Shape, &Seen<'_, B>),
    (number, channel): (usize, &ChannelStrobes<B::Strobe>),
    received: &[B],
) -> Coming<B> {
    let lines = channel.lines.iter().enumerate();
    let lines = lines.filter(|(_, line)| !line.receives.is_known_zero());
    let come = lines.map(|(line, _)| {
        let ports = takes(who, (number, line), channel);
        let bit = any(ports.iter().zip(received).map(|(&takes, &bit)| takes & bit));
        (
            line,
            any(ports),
            bit.named(format_args!("channel_{number}_line_{line}_comes")),
        )
    });
    come.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::language::strobes::Strobes;
    use crate::machine::router::Sequencer;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::collectives::algorithms::{ALGORITHMS, Ask, Operation};
    use crate::routers::collectives::configuration::{self, Configuration};
    use crate::routers::collectives::program::Program;
    use crate::routers::collectives::rules::part;
    use crate::routers::collectives::score::Score;
    use crate::routers::collectives::sequencer::CollectiveSequencer;
    use crate::routers::collectives::strobes::CollectiveStrobes;

    /// Programs of all algorithms and port models that take such a cube.
    fn programs(dims: usize) -> Vec<(String, Program)> {
        let cube = Dimensions::new(dims).unwrap();
        let mut found = Vec::new();
        for algorithm in ALGORITHMS {
            for &ports in algorithm.port_models() {
                let has_one = matches!(
                    algorithm.operation(),
                    Operation::Scatter | Operation::Gather | Operation::Send
                );
                let source = if has_one { 1 } else { 0 };
                let plan = algorithm.plan(&Ask {
                    cube,
                    source,
                    destination: algorithm
                        .name()
                        .contains("oc-send")
                        .then_some(source ^ 0b11),
                    permutation: Some((0..cube.nodes()).rev().collect()),
                    message_bits: 4,
                    bins: 2 * cube.nodes(),
                    packet_bits: None,
                    groups: None,
                    start_up: 1,
                    ports,
                });
                if let Ok(plan) = plan {
                    found.push((
                        format!("{} {}", algorithm.operation(), algorithm.name()),
                        plan.program,
                    ));
                }
            }
        }
        assert!(found.len() > 20, "{}", found.len());
        found
    }

    /// In every bit time, on every channel, for every port of every node: logic and plain numbers say the same.
    #[test]
    fn logic_and_the_rules_agree_on_who_takes_part() {
        for (what, program) in programs(2).into_iter().chain(programs(4)) {
            let score = Arc::new(Score::new(program));
            let (program, shape) = (score.program(), Shape::of(&score));
            let mut sequencer = CollectiveSequencer::<bool>::new(Arc::clone(&score));
            let mut strobes = CollectiveStrobes::idle();
            for now in 0..program.bit_times {
                sequencer.broadcast(&mut strobes);
                for node in 0..program.cube.nodes() {
                    let mut told = Configuration::<bool>::new(&shape);
                    told.host_writes(&mut |field, bit, register| {
                        *register = configuration::bit(program, field, node, bit).unwrap();
                    });
                    let ports = 0..program.cube.count();
                    let address: Vec<bool> =
                        ports.clone().map(|bit| node >> bit & 1 == 1).collect();
                    let seen = Seen::new(&shape, &told, &address, &strobes.source);
                    let relative = node ^ program.source;
                    for (number, channel) in strobes.channels.iter().enumerate() {
                        let transfer = score.under_way(number, now);
                        let plain = |port, is_sender: bool| {
                            let transfer = transfer?;
                            let side = if is_sender {
                                &transfer.sends
                            } else {
                                &transfer.receives
                            };
                            part(program, (side, is_sender), relative, port)
                        };
                        let sending = sends((&shape, &seen), number, channel, &|line| line.sends);
                        let mut receiving = vec![false; ports.len()];
                        for line in 0..channel.lines.len() {
                            let taken = takes((&shape, &seen), (number, line), channel);
                            for (receiving, taken) in receiving.iter_mut().zip(taken) {
                                *receiving |= taken & channel.lines[line].receives;
                            }
                        }
                        for port in ports.clone() {
                            let found = (sending[port], receiving[port]);
                            let due = (plain(port, true).is_some(), plain(port, false).is_some());
                            assert_eq!(
                                found, due,
                                "{what}: node {node}, port {port}, bit time {now}"
                            );
                        }
                    }
                }
                sequencer.clock();
            }
            assert!(sequencer.is_done(), "{what}");
        }
    }
}
