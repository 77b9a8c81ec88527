//! What the address of a destination says of the links of a node: which of them bring a worm nearer, which of them order of
//! dimensions takes, and whether a wrap is still ahead. Combinational; minimal adaptive routing with an escape channel (Duato 1993,
//! A new theory of deadlock-free adaptive routing in wormhole networks) asks nothing else.
//!
//! ```text
//!   own digit  --+--[<]--> is less ----------+--> a mesh: plus is nearer
//!                +--[-]--> how far it is on -+--[at most r/2]--> a torus: plus is nearer
//!   its digit  --+--[-]--> how far it is back
//! ```

use crate::language::bit::{Bit, any};
use crate::machine::topology::grid::{Grid, Way};
use crate::routers::wormhole::plan::When;
use crate::routers::wormhole::space::Space;

/// A node and a destination, by their addresses, bit by bit.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a, B> {
    /// In which network.
    pub space: Space,
    /// The node's.
    pub own: &'a [B],
    /// The destination's.
    pub to: &'a [B],
}

impl<B: Bit> Ahead<'_, B> {
    /// Whether it holds; [`When::Always`] does.
    #[inline]
    pub fn holds(&self, when: When) -> B {
        match when {
            When::Nearer(link) => self.nearer(link),
            When::InOrder { link, wrap_ahead } => {
                let taken = self.in_order(link);
                match wrap_ahead {
                    None => taken,
                    Some(true) => taken & self.wrap_ahead(link),
                    Some(false) => taken & !self.wrap_ahead(link),
                }
            }
            When::Arrived => !self.differs_below(self.space.dimensions()),
            When::Always | When::AtLevel0 | When::NotAtLevel0 | When::Entry(_) => B::ONE,
        }
    }

    /// Bits of the addresses that are of one dimension.
    fn digit(&self, dimension: usize) -> (&[B], &[B]) {
        let bits = match self.space {
            Space::Hypercube(_) => 1,
            Space::Grid(grid) => grid.digit_bits(),
        };
        let range = dimension * bits..(dimension + 1) * bits;
        (&self.own[range.clone()], &self.to[range])
    }

    /// Whether they differ in a dimension below this one.
    fn differs_below(&self, dimension: usize) -> B {
        let pairs = (0..dimension).flat_map(|one| {
            let (own, to) = self.digit(one);
            own.iter().zip(to)
        });
        any(pairs.map(|(&own, &to)| own ^ to))
    }

    /// Whether a link brings a worm nearer to the destination.
    fn nearer(&self, link: usize) -> B {
        let grid = match self.space {
            Space::Hypercube(_) => return self.own[link] ^ self.to[link],
            Space::Grid(grid) => grid,
        };
        let (dimension, way) = grid.way(link);
        let (own, to) = self.digit(dimension);
        let (here, there) = match way {
            Way::Plus => (own, to),
            Way::Minus => (to, own),
        };
        let nearer = match grid.wraps() {
            false => less(here, there),
            true => is_shorter(grid, here, there),
        };
        nearer.named(format_args!("{}_is_nearer", self.space.link_name(link)))
    }

    /// Whether order of dimensions takes a link from here.
    fn in_order(&self, link: usize) -> B {
        let dimension = self.space.dimension(link);
        let first = !self.differs_below(dimension);
        let taken = match self.space {
            Space::Grid(grid) if grid.wraps() => {
                let other = self.nearer(link ^ 1);
                let (own, _) = self.digit(dimension);
                // Where both ways are as long.
                let turn = match grid.way(link).1 {
                    Way::Plus => !own[0],
                    Way::Minus => own[0],
                };
                self.nearer(link) & (!other | turn)
            }
            _ => self.nearer(link),
        };
        (first & taken).named(format_args!("{}_is_in_order", self.space.link_name(link)))
    }

    /// Whether a worm that takes a link of a torus has the wrap of its dimension ahead.
    fn wrap_ahead(&self, link: usize) -> B {
        let Space::Grid(grid) = self.space else {
            return B::ZERO;
        };
        let (dimension, way) = grid.way(link);
        let (own, to) = self.digit(dimension);
        let ahead = match way {
            Way::Plus => less(to, own),
            Way::Minus => less(own, to),
        };
        ahead.named(format_args!(
            "{}_has_wrap_ahead",
            self.space.link_name(link)
        ))
    }
}

/// Whether a number is less than another of as many bits, bit 0 first: decided by the highest bit in which they differ.
#[inline]
fn less<B: Bit>(one: &[B], other: &[B]) -> B {
    let pairs = one.iter().zip(other);
    pairs.fold(B::ZERO, |less, (&a, &b)| !a & b | !(a ^ b) & less)
}

/// Whether it is at most half way round from a digit on to another one, and not the same.
#[inline]
fn is_shorter<B: Bit>(grid: Grid, here: &[B], there: &[B]) -> B {
    let radix = grid.radix();
    let on = less(here, there) & at_most(there, here, radix / 2);
    let round = less(there, here) & !at_most(here, there, radix.div_ceil(2) - 1);
    on | round
}

/// Whether a number less another, which is not more, is at most this.
#[inline]
fn at_most<B: Bit>(one: &[B], other: &[B], most: usize) -> B {
    let (mut borrow, mut at_most) = (B::ZERO, B::ONE);
    for (place, (&a, &b)) in one.iter().zip(other).enumerate() {
        let bit = a ^ b ^ borrow;
        borrow = !a & (b | borrow) | b & borrow;
        at_most = match most >> place & 1 {
            1 => !bit | at_most,
            _ => !bit & at_most,
        };
    }
    at_most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;

    fn spaces() -> Vec<Space> {
        let mut spaces: Vec<Space> = (1..=5)
            .map(|k| Space::Hypercube(Dimensions::new(k).unwrap()))
            .collect();
        for (radix, dimensions) in [
            (3, 2),
            (4, 2),
            (5, 2),
            (6, 1),
            (7, 1),
            (8, 2),
            (3, 3),
            (11, 1),
        ] {
            spaces.extend(
                [false, true]
                    .map(|wraps| Space::Grid(Grid::new(radix, dimensions, wraps).unwrap())),
            );
        }
        spaces
    }

    /// Links between two nodes, by breadth first search over the links that there are.
    fn distances(space: Space, to: usize) -> Vec<usize> {
        let mut distances = vec![usize::MAX; space.nodes()];
        distances[to] = 0;
        let mut queue = std::collections::VecDeque::from([to]);
        while let Some(node) = queue.pop_front() {
            for link in 0..space.links() {
                // Links come in pairs.
                let far = space.far(node, link);
                if space.has_link(node, link) && distances[far] == usize::MAX {
                    distances[far] = distances[node] + 1;
                    queue.push_back(far);
                }
            }
        }
        distances
    }

    /// Of all pairs of nodes, against distances and routes.
    #[test]
    fn addresses_say_which_links_lead_there() {
        for space in spaces() {
            let spelled = |node: usize| -> Vec<bool> {
                (0..space.address_bits())
                    .map(|bit| space.address(node) >> bit & 1 == 1)
                    .collect()
            };
            for to in 0..space.nodes() {
                let distances = distances(space, to);
                for own in 0..space.nodes() {
                    let (own_bits, to_bits) = (spelled(own), spelled(to));
                    let ahead = Ahead {
                        space,
                        own: &own_bits,
                        to: &to_bits,
                    };
                    assert_eq!(ahead.holds(When::Arrived), own == to);
                    let route = space.route(own, to);
                    assert_eq!(route.len(), distances[own]);
                    for link in 0..space.links() {
                        let nearer = space.has_link(own, link)
                            && distances[space.far(own, link)] < distances[own];
                        assert_eq!(
                            ahead.holds(When::Nearer(link)),
                            nearer,
                            "{space:?} {own} {to} {link}"
                        );
                        let first = route.first().filter(|hop| hop.link == link);
                        let order = |wrap_ahead| ahead.holds(When::InOrder { link, wrap_ahead });
                        assert_eq!(order(None), first.is_some());
                        let line = route.iter().take_while(|hop| hop.link == link);
                        let wraps = match space {
                            Space::Grid(grid) => {
                                line.clone().any(|hop| grid.is_at_end(hop.from, link))
                            }
                            Space::Hypercube(_) => false,
                        };
                        assert_eq!(order(Some(true)), first.is_some() && wraps);
                        assert_eq!(order(Some(false)), first.is_some() && !wraps);
                    }
                }
            }
        }
    }
}
