//! What all ways to distribute messages from one node, and to collect them in one, have in common.
//!
//! ```text
//!   the source      | for node 1 | for node 2 | ...                -->  loads
//!   other nodes     | its own | what is on its way |               -->  arrivals
//!
//!   a hop           seen from the port: all bits of the sender, and the same of the receiver with a 1 in front
//! ```

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, refused};
use crate::routers::collectives::algorithms::counting::rotated_down;
use crate::routers::collectives::program::{
    Condition, Line, LineOrder, Segment, Side, Transfer, TransferProgram, View, side,
};

/// Dimensions of the largest cube that programs are made for: they have about as many transfers as nodes.
pub(super) const MOST_DIMENSIONS: usize = 16;

/// Refuses what would take more transfers or bit times than can be counted.
pub(super) fn taken(of: &dyn Algorithm, ask: &Ask, most_dimensions: usize) -> Result<(), Error> {
    let (d, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
    let most_bits = (1 << 40) >> d;
    match () {
        () if d > most_dimensions => refused(
            of,
            format!("{d} dimensions are too many: at most {most_dimensions}"),
        ),
        () if m > most_bits => refused(
            of,
            format!("messages of {m} bits are too long in {d} dimensions: at most {most_bits}"),
        ),
        () if start_up > 1 << 32 => refused(
            of,
            format!(
                "{start_up} bit times of START are too many: at most {}",
                1u64 << 32
            ),
        ),
        () => Ok(()),
    }
}

/// A schedule of transfers, before it is a program.
pub(super) struct Schedule {
    /// What nodes see of themselves.
    pub view: View,
    /// Bits of a node's memory.
    pub memory_bits: usize,
    /// Bit times of the run.
    pub bit_times: usize,
    /// First bit times of routing steps.
    pub steps: Vec<usize>,
    /// In any order.
    pub transfers: Vec<Transfer>,
    /// By relative address, from 1 on: where the message of a node lies at the source.
    pub at_source: Vec<usize>,
    /// By relative address, from 1 on: where a node finds its own.
    pub at_node: Vec<usize>,
}

impl Schedule {
    /// The program.
    pub fn program(mut self, ask: &Ask) -> TransferProgram {
        let m = ask.message_bits;
        let segment = |at: usize, partner: usize, address: usize| Segment {
            at: Some(at),
            partner,
            bit: 0,
            bits: m,
            address,
        };
        let nodes = || (1..).zip(&self.at_source);
        let loads = nodes().map(|(node, &address)| segment(0, node, address));
        let arrivals = (1..).zip(&self.at_node);
        let arrivals = arrivals.map(|(node, &address)| segment(node, node, address));
        let (loads, arrivals) = (loads.collect(), arrivals.collect());
        self.transfers.sort_by_key(|transfer| transfer.begin);
        TransferProgram {
            cube: ask.cube,
            source: ask.source,
            ports: ask.ports,
            view: self.view,
            low_part: (1 << ask.dims()) - 1,
            unused: 0,
            memory_bits: self.memory_bits,
            bit_times: self.bit_times,
            steps: self.steps,
            transfers: self.transfers,
            loads,
            arrivals,
            reorder: None,
        }
    }
}

/// A line of a hop: from which first port the way leads, and where the sender has the bits and the receiver puts them.
pub(super) struct Passage {
    pub port: usize,
    pub from: usize,
    pub to: usize,
}

/// The sides of a hop between two nodes as their ways' first ports see them, in `n` dimensions. `held`: whether the sender was sent
/// it; `goes_on`: whether the receiver sends it on.
pub(super) fn hop(
    (n, here, there): (usize, usize, usize),
    (held, goes_on): (bool, bool),
    passages: impl IntoIterator<Item = Passage>,
) -> (Side, Side) {
    let place = (here ^ there).trailing_zeros() as usize;
    let (sends, receives) = passages
        .into_iter()
        .map(|Passage { port, from, to }| {
            let line = |address: usize, counted: bool| Line {
                line: (port + place) % n,
                address,
                counted,
            };
            (line(from, held), line(to, goes_on))
        })
        .unzip::<_, _, Vec<Line>, Vec<Line>>();
    let who = |node: usize| seen_as(rotated_down(node, place, n), n);
    (
        side(who(here), LineOrder::Port, sends),
        side(who(there), LineOrder::Port, receives),
    )
}

/// Nodes of which all bits are given.
pub(super) fn seen_as(pattern: usize, bits: usize) -> Condition {
    Condition {
        care: (1u32 << bits) - 1,
        pattern: pattern as u32,
        low: None,
        high: None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::routers::collectives::rules::part;

    /// What has no START follows at once what the same port sent before; and all that nodes hold on the way leaves them again.
    pub fn packets_are_whole(program: &TransferProgram) {
        let n = program.cube.count();
        let mut ends = vec![None; program.cube.nodes() * n];
        let (mut taken, mut given) = (vec![0; program.cube.nodes()], vec![0; program.cube.nodes()]);
        for transfer in &program.transfers {
            for (number, last) in ends.iter_mut().enumerate() {
                let (node, port) = (number / n, number % n);
                if let Some((_, true)) = part(program, (&transfer.receives, false), node, port) {
                    taken[node] += transfer.bits;
                }
                let Some((_, held)) = part(program, (&transfer.sends, true), node, port) else {
                    continue;
                };
                given[node] += if held { transfer.bits } else { 0 };
                let continues = *last == Some(transfer.begin);
                assert!(continues || transfer.start_up == program.transfers[0].start_up);
                assert!(transfer.begin >= last.unwrap_or(0));
                *last = Some(transfer.end());
            }
        }
        assert_eq!(taken, given);
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        use crate::routers::collectives::algorithms::distribute::Distribute1;
        use crate::routers::collectives::algorithms::tests::ask;
        let refusal = |d: usize, m: usize, start_up: usize| {
            let plan = Distribute1.plan(&ask(d, m, start_up));
            plan.unwrap_err().to_string()
        };
        assert!(refusal(17, 1, 0).ends_with("17 dimensions are too many: at most 16"));
        assert!(refusal(3, usize::MAX, 0).ends_with("in 3 dimensions: at most 137438953472"));
        assert!(refusal(3, 1, usize::MAX).ends_with("are too many: at most 4294967296"));
    }
}
