//! Recursive halving along the SBT on one port (Ho & Johnsson 1986, section 4.2.1, and table 6): whoever has messages for a subcube
//! sends one half of them to the other half of it.
//!
//! ```text
//!   n = 3      stage 0           stage 1           stage 2
//!   000        to 001: all       to 010: all       to 100: its own
//!              of **1            of *10
//!   001                          to 011: *11       to 101
//!   010                                            to 110 ...
//! ```
//!
//! A node keeps messages in the order of the reversed addresses, so that those that it sends are the second half of them. They come
//! to the beginning of the receiver's memory, its own first, which goes last because it stays.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{MOST_DIMENSIONS, Schedule, taken};
use crate::routers::collectives::program::{Condition, Line, LineOrder, Transfer, View, side};
use crate::routers::ports::algorithm::PortModel;

/// Recursive halving.
pub(in crate::routers::collectives::algorithms) struct Halving;

/// The transfers of a stage that begins then.
fn stage(ask: &Ask, stage: usize, begin: usize) -> Vec<Transfer> {
    let (n, m) = (ask.dims(), ask.message_bits);
    let messages = 1 << (n - 1 - stage);
    // Nodes of which no 1 is from the stage's dimension on, seen from its port.
    let who = |pattern: u32, ones: usize| Condition {
        care: (2 << (n - 1 - stage)) - 1,
        pattern,
        low: Some(ones),
        high: None,
    };
    let line = |address: usize, counted: bool| Line {
        line: stage,
        address,
        counted,
    };
    let transfers = (0..=stage).flat_map(|ones| {
        let transfer =
            move |begin: usize, start_up: usize, (first, count): (usize, usize)| Transfer {
                begin,
                start_up,
                bits: count * m,
                sends: side(
                    who(0, ones),
                    LineOrder::Port,
                    [line((messages + first) * m, ones > 0)],
                ),
                receives: side(
                    who(1, ones + 1),
                    LineOrder::Port,
                    [line(first * m, first > 0)],
                ),
                adds: None,
            };
        let own = begin + ask.start_up + (messages - 1) * m;
        match messages {
            1 => vec![transfer(begin, ask.start_up, (0, 1))],
            _ => vec![
                transfer(begin, ask.start_up, (1, messages - 1)),
                transfer(own, 0, (0, 1)),
            ],
        }
    });
    transfers.collect()
}

impl Algorithm for Halving {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        "sbt-halving"
    }

    fn paper_name(&self) -> &'static str {
        "SBT, the largest subtree first"
    }

    fn models(&self) -> &'static str {
        "recursive halving along a spanning binomial tree"
    }

    fn source(&self) -> &'static str {
        "Ho & Johnsson 1986, section 4.2.1 and table 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::OneWay, PortModel::TwoWay]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let (n, m, nodes) = (ask.dims(), ask.message_bits, ask.cube.nodes());
        let mut steps = vec![0];
        for stage in 1..n {
            let begin = steps[stage - 1];
            steps.push(begin + ask.start_up + (nodes >> stage) * m);
        }
        let stages = steps.iter().enumerate();
        let transfers = stages.flat_map(|(number, begin)| stage(ask, number, *begin));
        let reversed = |node: usize| node.reverse_bits() >> (usize::BITS as usize - n);
        let bit_times = n * ask.start_up + (nodes - 1) * m;
        let schedule = Schedule {
            view: View::Relative,
            memory_bits: nodes * m,
            bit_times,
            transfers: transfers.collect(),
            steps,
            at_source: (1..nodes).map(|node| reversed(node) * m).collect(),
            at_node: vec![0; nodes - 1],
        };
        let form = |text| ask.form(text, &[("n", n as u64)]);
        Ok(OperationPlan {
            routing_steps: form("n"),
            bit_times: form("nT + (N - 1) m"),
            forwarding_buffer: form("(N/2 - 1) m"),
            divides: true,
            groups: None,
            packet_bits: None,
            program: schedule.program(ask),
        })
    }
}
