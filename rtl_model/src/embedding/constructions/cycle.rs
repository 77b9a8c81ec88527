//! Theorem 1: the directed cycle of `2^n` vertices, each edge `floor(n/2)` wide and wider.
//!
//! With `n = 4k + r`, the address is [divided](super::split) into `2k` bits of a row, and `2k + r` of a column, of which `2k`
//! are the position. The cycle passes the columns in the order of the Gray code. In each it follows the special cycle through
//! all rows, `2^(2k) - 1` edges (the paper prints `2^k - 1`), and a row edge leads on:
//!
//! ```text
//!   column   0    1    3    2   ...   Gray code
//!   moment   0    0    1    1         cycle 1 is cycle 0 backwards
//!
//!            v    ^    |    |
//!            |    |    v    ^         Row 0 is reached again after four columns, and so it is at the end.
//!            |--->|    |    |
//!                 |--->|--->|--->
//! ```
//!
//! That is for blocks of one column. In blocks of `2^r` the same moment comes `2^(r+1)` times, and then its opposite as often:
//! row 0 is reached again after `2^(r+2)` columns (the paper's proof has four of them for every `r`).
//!
//! An edge has `2k` detours, and the straight path. All go at once; the straight path has a second packet, which goes with the
//! last hops of the others. Thus `2k + 2` packets take 3 steps.
//!
//! The moments of positions of `2k` bits must all name a cycle, which they do as printed where `2k` is a power of two: for
//! `n = 4..=11` and 16. Else:
//!
//! - `n = 13..=15`: rows have 8 bits, and all bits of a column are its position. With 5, 6 and 7 detours this is as wide as
//!   the theorem has it, or wider.
//! - `n = 12`: no division of the address has enough cycles for 5 detours. The one of the proof has 6 cycles for 8 moments. Taken
//!   modulo 6, some two of them name the same cycle, and the second hops take two steps: width 7 at cost 4. Whether there is
//!   width 6 at cost 3 is not known.
//! - `n = 2` and 3: `k` is 0, which the paper calls trivial. It is the Gray-code cycle, with two packets on its wires.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::gray_cycle::GrayCycle;
use crate::embedding::constructions::split::Split;
use crate::embedding::gray_code::transition;
use crate::embedding::hamiltonian::{Decomposition, MOST};
use crate::embedding::paths::{Embedding, Packet};
use crate::error::Error;
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;

/// The construction.
pub struct Cycle;

/// The address of so many dimensions; none of two and three.
fn split(dimensions: usize) -> Option<Split> {
    let (k, r) = (dimensions / 4, dimensions % 4);
    match dimensions {
        ..4 => None,
        13..=15 => Some(Split {
            rows: 8,
            columns: dimensions - 8,
            detours: dimensions - 8,
        }),
        _ => Some(Split {
            rows: 2 * k,
            columns: 2 * k + r,
            detours: 2 * k,
        }),
    }
}

impl Construction for Cycle {
    fn name(&self) -> &'static str {
        "cycle"
    }

    fn models(&self) -> &'static str {
        "the directed cycle of 2^n vertices, each edge over half as many paths as dimensions"
    }

    fn theorem(&self) -> &'static str {
        "Theorem 1"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 8, 12]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        ask.dimensions_of(self, 2..=MOST)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        match split(self.host(ask)?) {
            None => Ok(GrayCycle.embed(ask)?.with_packets(2)),
            Some(split) => embed(split),
        }
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let dimensions = self.host(ask)?;
        Ok(Claim {
            width: Figure::Is(dimensions / 2),
            dilation: match dimensions {
                ..4 => Figure::Unsaid,
                _ => Figure::Is(3),
            },
            congestion: Figure::Unsaid,
            packets: Figure::Is(dimensions.div_ceil(2)),
            cost: Figure::Is(3),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let dimensions = self.host(ask)?;
        let width = split(dimensions).map_or(1, |split| split.detours + 1);
        let (dilation, congestion, cost) = match dimensions {
            ..4 => (1, 1, 2),
            12 => (3, 3, 4),
            _ => (3, 3, 3),
        };
        Ok(Claim {
            width: Figure::Is(width),
            dilation: Figure::Is(dilation),
            congestion: Figure::Is(congestion),
            packets: Figure::Is(width + 1),
            cost: Figure::Is(cost),
        })
    }
}

/// The cycle by an address that is divided so.
fn embed(split: Split) -> Result<Embedding, Error> {
    let host = Dimensions::new(split.dimensions())?;
    let cycles = Decomposition::new(split.rows)?;
    let mut places = Vec::with_capacity(host.nodes());
    let mut node = 0;
    for column in 0..1 << split.columns {
        for _ in 1..1 << split.rows {
            places.push(node as u32);
            node = split.down_column(&cycles, node);
        }
        places.push(node as u32);
        node = neighbour(node, transition(split.columns, column));
    }
    if node != 0 {
        return Err(Cycle.refused(
            host.count(),
            &format!("the walk from node 0 through all columns ends at node {node}"),
            "choose 4 to 11 dimensions".to_owned(),
        ));
    }
    let mut paths = split.paths();
    for (dimension, paths) in paths.iter_mut().enumerate() {
        paths.push(vec![dimension as u8]);
    }
    let after = places.clone().into_iter().cycle().skip(1);
    let mut embedding = Embedding::new(host, places.clone());
    for (vertex, (node, after)) in places.into_iter().zip(after).enumerate() {
        let dimension = (node ^ after).trailing_zeros() as usize;
        embedding.add_edge([vertex, (vertex + 1) % host.nodes()], &paths[dimension]);
    }
    let straight = split.detours;
    let one_each = (0..=straight).map(|path| Packet { path, wait: 0 });
    let second = Packet {
        path: straight,
        wait: 2,
    };
    embedding.set_packets(one_each.chain([second]));
    Ok(embedding)
}
