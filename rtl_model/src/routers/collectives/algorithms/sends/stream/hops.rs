//! What crosses when: the groups' stages one by one.

use crate::routers::collectives::algorithms::sends::stream::Stream;
use crate::routers::collectives::program::{Condition, Line, LineOrder, Side, Transfer, side};

impl Stream {
    /// All that crosses.
    pub(in super::super) fn transfers(&self) -> Vec<Transfer> {
        let mut transfers = Vec::new();
        for group in 0..self.groups {
            let mut now = group * self.pace();
            for stage in 0..self.stages().len() {
                now = self.stage(&mut transfers, now, (group, stage));
            }
        }
        transfers.sort_by_key(|transfer| transfer.begin);
        transfers
    }

    /// Adds a stage of a group; returns its end.
    fn stage(
        &self,
        transfers: &mut Vec<Transfer>,
        now: usize,
        (group, stage): (usize, usize),
    ) -> usize {
        let stages = self.stages();
        let (is_first, is_last) = (stage == 0, stage + 1 == stages.len());
        let bits = stages[stage];
        let area = group % 2 * self.cut.area();
        let crosses = !self.beside.is_empty() && (is_first || is_last);
        let distance = match self.beside.is_empty() {
            true => stage,
            false => stage.saturating_sub(1),
        };
        let from = match is_first {
            true => self.from + group * self.cut.group,
            false => area,
        };
        let to = match is_last {
            true => self.to + group * self.cut.out(),
            false => area,
        };
        // What senders hold may end within a packet: its padding goes behind it, on all lines at once.
        let held = match (is_first, crosses) {
            (true, _) => 0,
            (false, true) => self.cut.out(),
            (false, false) => self.cut.held(distance),
        };
        let (whole, rest) = (held / bits, held % bits);
        let pieces = match rest {
            0 => vec![(0, bits, whole)],
            _ => vec![(0, rest, whole + 1), (rest, bits - rest, whole)],
        };
        for (first, piece, counted) in pieces {
            let (from, to) = (from + first, to + first);
            let sides = match crosses {
                true => self.across((from, to), is_first),
                false => self.within((from, to), (distance, bits), (counted, !is_last)),
            };
            transfers.push(self.transfer((now, first), piece, sides));
        }
        now + self.start_up + bits
    }

    /// The sides of a packet within a subcube, from a distance to the next. Of the arrivals at the sender so many packets are
    /// counted that go out; whether those at the receiver are.
    fn within(
        &self,
        (from, to): (usize, usize),
        (distance, bits): (usize, usize),
        (counted, takes): (usize, bool),
    ) -> (Side, Side) {
        let at = |low| Condition {
            low: Some(low),
            high: Some(usize::from(!self.beside.is_empty())),
            ..Condition::EVERY
        };
        let sent = (0..self.cut.n() - distance).map(|rank| Line {
            line: rank,
            address: from + rank * bits,
            counted: rank < counted,
        });
        let received = (0..=distance).map(|rank| Line {
            line: rank,
            address: to + rank * bits,
            counted: takes,
        });
        (
            side(at(distance), LineOrder::Zeros, sent),
            side(at(distance + 1), LineOrder::Ones, received),
        )
    }

    /// The sides of a packet from the source into subcubes beside, or from there to the destination. Only at the ends they lie in
    /// different places.
    fn across(&self, (from, to): (usize, usize), is_into: bool) -> (Side, Side) {
        let low = if is_into { 0 } else { self.cut.n() };
        let at = |is_beside: bool| Condition {
            care: 1,
            pattern: u32::from(is_beside),
            low: Some(low),
            high: Some(usize::from(is_beside)),
        };
        let lines = |first: usize, apart: usize, counted: bool| {
            let ports = self.beside.iter().enumerate();
            ports.map(move |(number, port)| Line {
                line: *port,
                address: first + number * apart,
                counted,
            })
        };
        let (sent, received) = match is_into {
            true => (lines(from, self.loaded(), false), lines(to, 0, true)),
            false => (lines(from, 0, true), lines(to, self.arrived(), false)),
        };
        (
            side(at(!is_into), LineOrder::Port, sent),
            side(at(is_into), LineOrder::Port, received),
        )
    }

    /// A packet that begins now, or what continues it from some bit on.
    fn transfer(
        &self,
        (now, first): (usize, usize),
        bits: usize,
        (sends, receives): (Side, Side),
    ) -> Transfer {
        let (begin, start_up) = match first {
            0 => (now, self.start_up),
            _ => (now + self.start_up + first, 0),
        };
        Transfer {
            begin,
            start_up,
            bits,
            sends,
            receives,
            adds: None,
        }
    }
}
