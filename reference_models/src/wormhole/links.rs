//! Hypercubes, tori and meshes: where the links of a node lead, and which of them lead nearer.
//!
//! A node's number is its digits, that of dimension 0 the lowest. A hypercube has the radix 2, and one link a
//! dimension. A grid has two: link `2d` ("plus") leads to the next digit of dimension `d`, link `2d + 1` ("minus") to
//! the one before.

use std::cmp::Ordering;

use super::{Machine, Network, Routing, Variant};

mod addresses;
mod answers;
mod classes;
mod hops;
mod linked;
#[cfg(test)]
mod tests;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hypercube,
    Torus,
    Mesh,
}

/// The links of such a network.
pub struct Links {
    kind: Kind,
    radix: usize,
    dimensions: usize,
    /// How worms find their ways over them.
    routing: Routing,
    /// Of every link.
    virtual_channels: usize,
    /// The mistake planted.
    variant: Variant,
}

impl Links {
    /// Of a machine whose network has them.
    pub fn of(machine: Machine, variant: Variant) -> Option<Links> {
        let (kind, radix, dimensions, routing) = match machine.network {
            Network::Hypercube {
                dimensions,
                routing,
            } => (Kind::Hypercube, 2, dimensions, routing),
            Network::Grid {
                radix,
                dimensions,
                wraps,
                routing,
            } => match wraps {
                true => (Kind::Torus, radix, dimensions, routing),
                false => (Kind::Mesh, radix, dimensions, routing),
            },
            _ => return None,
        };
        Some(Links {
            kind,
            radix,
            dimensions,
            routing,
            virtual_channels: machine.virtual_channels,
            variant,
        })
    }

    fn dimension(&self, link: usize) -> usize {
        match self.kind {
            Kind::Hypercube => link,
            Kind::Torus | Kind::Mesh => link / 2,
        }
    }

    /// The link of the same dimension that leads back.
    fn opposite(&self, link: usize) -> usize {
        match self.kind {
            Kind::Hypercube => link,
            Kind::Torus | Kind::Mesh => link ^ 1,
        }
    }

    fn digit(&self, node: usize, dimension: usize) -> usize {
        node / self.radix.pow(dimension as u32) % self.radix
    }

    /// The digit to which a link leads from a digit; none where it would leave a mesh.
    fn next_digit(&self, digit: usize, link: usize) -> Option<usize> {
        let last = self.radix - 1;
        match (self.kind, link % 2) {
            (Kind::Hypercube, _) => Some(1 - digit),
            (Kind::Mesh, 0) if digit == last => None,
            (Kind::Mesh, 1) if digit == 0 => None,
            (_, 0) => Some(if digit == last { 0 } else { digit + 1 }),
            (_, _) => Some(if digit == 0 { last } else { digit - 1 }),
        }
    }

    /// A link that arrives at a digit has crossed the dateline of its dimension: it is a torus's, between the
    /// last digit and digit 0.
    fn is_behind_dateline(&self, link: usize, digit: usize) -> bool {
        let first = match link % 2 {
            0 => 0,
            _ => self.radix - 1,
        };
        self.kind == Kind::Torus && digit == first
    }

    /// The links of a dimension that lead from one digit nearer to another: both where the two ways round a torus
    /// are as long.
    fn nearer(&self, dimension: usize, from: usize, to: usize) -> Vec<usize> {
        let (plus, minus) = (2 * dimension, 2 * dimension + 1);
        let upwards = (to + self.radix - from) % self.radix;
        let downwards = self.radix - upwards;
        match (self.kind, from.cmp(&to), upwards.cmp(&downwards)) {
            (_, Ordering::Equal, _) => Vec::new(),
            (Kind::Hypercube, ..) => vec![dimension],
            (Kind::Mesh, Ordering::Less, _) => vec![plus],
            (Kind::Mesh, ..) => vec![minus],
            (Kind::Torus, _, Ordering::Less) => vec![plus],
            (Kind::Torus, _, Ordering::Greater) => vec![minus],
            (Kind::Torus, _, Ordering::Equal) => vec![plus, minus],
        }
    }

    /// The link that order of dimensions takes: of the lowest dimension in which the nodes differ the shorter way,
    /// plus from an even digit where both are as long. They are as long at the digit at which a worm starts in the
    /// dimension only, so that this digit decides.
    pub fn in_order(&self, node: usize, to: usize) -> Option<usize> {
        (0..self.dimensions).find_map(|dimension| {
            let digit = self.digit(node, dimension);
            let links = self.nearer(dimension, digit, self.digit(to, dimension));
            (!links.is_empty()).then(|| links[digit % links.len()])
        })
    }

    /// All links that lead nearer, ascending.
    fn productive(&self, node: usize, to: usize) -> Vec<usize> {
        (0..self.dimensions)
            .flat_map(|dimension| {
                let [from, to] = [node, to].map(|node| self.digit(node, dimension));
                self.nearer(dimension, from, to)
            })
            .collect()
    }

    /// Hops between two nodes, at least.
    pub fn distance(&self, node: usize, to: usize) -> usize {
        (0..self.dimensions)
            .map(|dimension| {
                let [from, to] = [node, to].map(|node| self.digit(node, dimension));
                match self.kind {
                    Kind::Torus => from.abs_diff(to).min(self.radix - from.abs_diff(to)),
                    Kind::Hypercube | Kind::Mesh => from.abs_diff(to),
                }
            })
            .sum()
    }
}
