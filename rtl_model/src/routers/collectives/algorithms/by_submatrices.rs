//! MATRIX TRANSPOSITION of a matrix stored by submatrices (Stout & Wagar 1987, section 7.2), by L.C. INVERSION: of `d = 2c`
//! dimensions, node `(a, b)` exchanges its submatrix with node `(b, a)`.
//!
//! ```text
//!   (a, b) differ in bit p          one half of a part                    step 0  1  2 ...  G-1  G
//!     x ----- port p -----> o       goes across p and then p + c,         1st hop of packets 0..G
//!     |                     |                                             |=====================|
//!   port p + c         port p + c   the other half across p + c                2nd hop of the same
//!     v                     v       and then p                               |=====================|
//!     o ----- port p -----> y
//! ```
//!
//! A node whose halves differ in `k` bits lies with `2^k - 1` others in a cube of `k` dimensions, whose links are these pairs of
//! paths, and the submatrices go to the opposite corners: in stage `j` of `k` part `i` of `k` crosses the link of the `r`-th
//! difference, `r = (i + j) mod k`. Nodes in between do not differ in that bit, so that each port of a node is busy either with its
//! own submatrix or with what it passes on. All nodes send `G` packets of `ceil(m / 2G)` bits across each such port one after the
//! other, `G/k` in each stage; a packet of the next stage goes when the same of the last has come, which it has if `G/k` is 2 or
//! more (of one difference there is no next stage).
//!
//! Memory: the submatrix, where what comes takes the place of what has gone, and for each port a packet that is passed on: while it
//! goes, the next comes in its place.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan, refused};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{
    Condition, Line, LineOrder, Segment, Side, Transfer, TransferProgram, View, side,
};
use crate::routers::ports::algorithm::PortModel;

/// The transposition of a matrix stored by submatrices.
pub(super) struct BySubmatrices;

/// Sends, at most: a program of more would be too long.
const MOST_SENDS: usize = 1 << 16;

/// How submatrices are cut and where packets lie.
#[derive(Clone, Copy)]
struct Packets {
    /// Half the dimensions.
    half: usize,
    /// Packets across each port, `G`.
    sends: usize,
    /// Bits of each.
    bits: usize,
    start_up: usize,
}

impl Packets {
    /// Where nodes with so many differences have the packets of a step, by line. `ends`: by half of the ports, the half of a part
    /// that crosses there.
    fn lines(&self, (differences, step): (usize, usize), ends: [usize; 2]) -> Vec<Line> {
        let in_a_stage = self.sends / differences;
        let (stage, packet) = (step / in_a_stage, step % in_a_stage);
        let lines = (0..2 * differences).map(|line| {
            let (link, port) = (line / 2, line % 2);
            let part = (link + differences - stage) % differences;
            let number = (2 * part + ends[port]) * in_a_stage + packet;
            Line {
                line,
                address: number * self.bits,
                // What comes goes further unless it is for the last stage, and what goes has come unless it is of the first.
                counted: match ends {
                    [0, 1] => stage > 0,
                    _ => stage + 1 < differences,
                },
            }
        });
        lines.collect()
    }

    /// The nodes with so many differences, as ends of paths.
    fn own(&self, (differences, step): (usize, usize), ends: [usize; 2]) -> Side {
        let who = Condition {
            low: Some(differences),
            ..Condition::EVERY
        };
        side(who, LineOrder::Ones, self.lines((differences, step), ends))
    }

    /// The nodes in between: across the port there is one more difference.
    fn between(&self, differences: usize, turned: usize) -> Side {
        let who = Condition {
            care: 1,
            pattern: 0,
            low: Some(differences - 1),
            high: None,
        };
        let ports = 2 * self.half;
        let lines = (0..ports).map(|port| Line {
            line: port,
            address: (2 * self.sends + (port + turned) % ports) * self.bits,
            counted: true,
        });
        side(who, LineOrder::Port, lines)
    }

    /// The two hops of what goes across each port in a step.
    fn hops(&self, differences: usize, step: usize) -> [Transfer; 2] {
        let hop = |number: usize, sends, receives| Transfer {
            begin: (step + number) * (self.start_up + self.bits),
            start_up: self.start_up,
            bits: self.bits,
            sends,
            receives,
            adds: None,
        };
        // Half 0 of a part goes across the port below d/2 first, and comes across the other.
        [
            hop(
                0,
                self.own((differences, step), [0, 1]),
                self.between(differences, 0),
            ),
            hop(
                1,
                self.between(differences, self.half),
                self.own((differences, step), [1, 0]),
            ),
        ]
    }
}

/// The numbers of sends that `c` differences and fewer take: multiples of the first, from the second on.
fn taken(half: usize) -> (usize, usize) {
    let common = (1..=half).fold(1, |common, k| {
        let times = (1..=k).find(|times| (common * times).is_multiple_of(k));
        common * times.unwrap_or(k)
    });
    let least = if half == 1 { 1 } else { 2 * half };
    (common, least.next_multiple_of(common))
}

/// The bit times of so many sends.
fn time(message_bits: usize, start_up: usize, sends: usize) -> usize {
    (sends + 1) * (start_up + message_bits.div_ceil(2 * sends))
}

/// The fewest sends of packets of so many bits at most, if they are not too many.
fn sends_of((common, least): (usize, usize), message_bits: usize, packet_bits: usize) -> usize {
    let sends = message_bits.div_ceil(2 * packet_bits);
    let most = MOST_SENDS / common * common;
    sends.next_multiple_of(common).min(most).max(least)
}

/// The fewest sends that take the least time.
fn best(takes: (usize, usize), message_bits: usize, start_up: usize) -> usize {
    let root = (message_bits.isqrt() + 1).min(MOST_SENDS);
    // Either packets are few or they are short; of those that are equally long the fewest are best.
    let few = (takes.1..=root.max(takes.1)).step_by(takes.0);
    let short = (1..=root).map(|bits| sends_of(takes, message_bits, bits));
    let all = few.chain(short);
    all.min_by_key(|&sends| (time(message_bits, start_up, sends), sends))
        .unwrap_or(takes.1)
}

impl BySubmatrices {
    /// How many sends there are to be.
    fn sends(&self, ask: &Ask) -> Result<usize, Error> {
        let takes = taken(ask.dims() / 2);
        let (common, least) = takes;
        let most = sends_of(takes, ask.message_bits, 1);
        let Some(sends) = ask.groups else {
            return Ok(best(takes, ask.message_bits, ask.start_up));
        };
        if sends > most {
            return refused(
                self,
                format!(
                    "{sends} sends of {} message bits are too many: it takes {most} at most",
                    ask.message_bits
                ),
            );
        }
        if sends < least || !sends.is_multiple_of(common) {
            let below = (sends / common * common).max(least);
            let above = sends.next_multiple_of(common).min(most);
            let nearest = match below >= above {
                true => format!("it takes {below}"),
                false => format!("it takes {below} or {above}"),
            };
            return refused(
                self,
                format!(
                    "{sends} sends on {} dimensions: they have to be a multiple of {common}, {least} or more; {nearest}",
                    ask.dims()
                ),
            );
        }
        Ok(sends)
    }
}

/// The node that a node exchanges its submatrix with.
fn transposed(node: usize, half: usize) -> usize {
    node >> half | (node & ((1 << half) - 1)) << half
}

impl Algorithm for BySubmatrices {
    fn operation(&self) -> Operation {
        Operation::Transpose
    }

    fn name(&self) -> &'static str {
        "by-submatrices"
    }

    fn paper_name(&self) -> &'static str {
        "MATRIX TRANSPOSITION (stored by submatrices), L.C. INVERSION"
    }

    fn models(&self) -> &'static str {
        "node (a, b) and node (b, a) exchange submatrices, on two paths of two hops for each difference"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 7.2"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn stores_submatrices(&self) -> bool {
        true
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        let (d, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
        if !d.is_multiple_of(2) {
            let nearest = match d {
                1 => "2".to_string(),
                _ => format!("{} or {}", d - 1, d + 1),
            };
            return refused(
                self,
                format!("addresses of {d} bits have no two halves: it takes {nearest} dimensions"),
            );
        }
        // However it is cut, the submatrix rounded up and a packet for each port are no more than this.
        let (common, least) = taken(d / 2);
        room(self, ask, ("message bits", m), |bits| {
            3 * bits + 2 * (common + least + d) as u128
        })?;
        let sends = self.sends(ask)?;
        let packets = Packets {
            half: d / 2,
            sends,
            bits: m.div_ceil(2 * sends),
            start_up,
        };
        let bits = packets.bits;
        let mut transfers: Vec<Transfer> = (0..sends)
            .flat_map(|step| (1..=d / 2).flat_map(move |k| packets.hops(k, step)))
            .collect();
        transfers.sort_by_key(|transfer| transfer.begin);
        let segments: Vec<Segment> = (0..1 << d)
            .map(|node| Segment {
                at: Some(node),
                partner: node ^ transposed(node, d / 2),
                bit: 0,
                bits: m,
                address: 0,
            })
            .collect();
        let form = |text| ask.form(text, &[("G", sends as u64)]);
        Ok(OperationPlan {
            routing_steps: form("G + 1"),
            bit_times: form("(G + 1)(T + ceil(m/(2G)))"),
            forwarding_buffer: form(
                "2 ceil(m/2) (d = 2, G = 1); 4 ceil(m/(2G)) (d = 2); 2(G + d - 4) ceil(m/(2G))",
            ),
            divides: m.is_multiple_of(2 * sends),
            groups: Some(sends.into()),
            packet_bits: Some(bits),
            program: TransferProgram {
                cube: ask.cube,
                source: 0,
                ports: ask.ports,
                view: View::Differences,
                low_part: (1 << (d / 2)) - 1,
                unused: 0,
                memory_bits: (2 * sends + d) * bits,
                bit_times: time(m, start_up, sends),
                steps: (0..=sends).map(|step| step * (start_up + bits)).collect(),
                transfers,
                loads: segments.clone(),
                arrivals: segments,
                reorder: None,
            },
        })
    }
}

#[cfg(test)]
mod tests;
