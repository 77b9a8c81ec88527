//! How a host cuts a message into pieces, one for each copy of cube-connected cycles; no router knows of
//! it.
//!
//! ```text
//!   even     [1 1 1 1|2 2 2 2|3 3 3 3]     each arrives when its way lets it
//!   by way   [1 1 1 1 1 1|2 2|3 3 3 3]     all arrive together, if they meet nobody
//!                         ^ the longest way
//! ```
//!
//! A piece takes its own bit times and those of its way: one for each header bit, two for each link; with buffers
//! of one place two for each bit as well. Where
//! nobody is in the way, the message is there soonest if the pieces of long ways are short. The host knows
//! all of that from the two addresses.

/// How a message is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pieces {
    /// So that all of them arrive together if they meet no others, as far as whole bits allow.
    #[default]
    ByWay,
    /// Of the same length, the first ones one bit longer where it does not come out even (Greenberg and
    /// Bhatt 1990, section 7).
    Even,
}

impl Pieces {
    /// Bits of each of so many pieces of a message of so many bits, where a flit has `wire_bits`; `of_way` is how many bit times a piece
    /// takes for its way.
    pub(super) fn lengths(
        self,
        bits: usize,
        (pieces, wire_bits): (usize, usize),
        of_way: impl Fn(usize) -> usize,
    ) -> Vec<usize> {
        if pieces == 1 || self == Pieces::Even {
            return level(bits, &vec![0; pieces]);
        }
        let ways: Vec<usize> = (0..pieces).map(of_way).collect();
        let flits = bits.div_ceil(wire_bits);
        let mut pieces = level(flits, &ways);
        // The last flit that is shared out need not be full.
        let pieces_and_ways = pieces.iter().zip(&ways).enumerate();
        let given = pieces_and_ways.filter(|(_, (flits, _))| **flits > 0);
        let last = given.max_by_key(|(switch, (flits, way))| (*flits + *way, *switch));
        let last = last.map_or(0, |(switch, _)| switch);
        pieces.iter_mut().for_each(|flits| *flits *= wire_bits);
        pieces[last] -= flits * wire_bits - bits;
        pieces
    }
}

/// Shares `bits` out: the one with the least together with its way gets the next, the first of several.
fn level(bits: usize, ways: &[usize]) -> Vec<usize> {
    let bits_up_to =
        |top: usize| -> usize { ways.iter().map(|way| top.saturating_sub(*way)).sum() };
    // The highest level up to which there are bits enough for all.
    let most = bits + ways.iter().max().copied().unwrap_or(0);
    let (mut top, mut above) = (0, most + 1);
    while top + 1 < above {
        let middle = top.midpoint(above);
        match bits_up_to(middle) <= bits {
            true => top = middle,
            false => above = middle,
        }
    }
    let mut left = bits - bits_up_to(top);
    let share = |&way: &usize| {
        let full = top.saturating_sub(way);
        // Whose way is not above the level takes one of those that are left.
        let more = usize::from(left > 0 && way <= top);
        left -= more;
        full + more
    };
    ways.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::copies::Copies;
    use crate::routers::wormhole::machine::WormholeMachine;
    use crate::routers::wormhole::network::Network;
    use crate::routers::wormhole::parameters::Parameters;
    use crate::routers::wormhole::trip::Trip;

    /// Bit by bit, as it is defined.
    fn one_by_one(bits: usize, ways: &[usize]) -> Vec<usize> {
        let mut shares = vec![0; ways.len()];
        for _ in 0..bits {
            let next = (0..ways.len()).min_by_key(|&one| ways[one] + shares[one]);
            shares[next.unwrap()] += 1;
        }
        shares
    }

    #[test]
    fn the_next_bit_goes_to_the_one_that_has_the_least() {
        for pieces in 1..=4 {
            for code in 0..5usize.pow(pieces as u32) {
                let ways: Vec<usize> = (0..pieces)
                    .map(|one| code / 5usize.pow(one as u32) % 5)
                    .collect();
                for bits in 0..=16 {
                    assert_eq!(
                        level(bits, &ways),
                        one_by_one(bits, &ways),
                        "{bits} {ways:?}"
                    );
                }
            }
        }
        // Thirty to the short way, and then to both in turn.
        assert_eq!(level(35, &[30, 0, 100]), [3, 32, 0]);
    }

    /// With buffers of one bit a hop costs as much as a header bit, else twice that. Nobody's bit would have been there
    /// sooner in another piece.
    #[test]
    fn pieces_by_way_arrive_together() {
        for (levels, used) in [(2, 2), (4, 3), (4, 4)] {
            let copies = Copies::new(levels).unwrap();
            let nodes = copies.dimensions().nodes();
            for (buffer_bits, of_hop) in [(1, 1), (2, 2), (5, 2)] {
                let parameters = Parameters {
                    virtual_channels: 3,
                    buffer_bits,
                    wire_bits: 1,
                    weak_switch: false,
                };
                let network = Network::Copies {
                    copies: copies.clone(),
                    used,
                };
                let machine = WormholeMachine::new(network, parameters).unwrap();
                let even = machine.clone().with_pieces(Pieces::Even);
                for (source, destination) in (0..nodes).map(|node| (node, (5 * node + 3) % nodes)) {
                    let trip = Trip::direct(source, destination);
                    let way = |copy| {
                        let hops = machine.path(copy, trip).len() - 1;
                        machine.header(copy, trip).len() + of_hop * hops
                    };
                    for bits in [1, 2, 7, 30, 200] {
                        let pieces = machine.pieces(bits, trip);
                        assert_eq!(pieces.iter().sum::<usize>(), bits);
                        let arrived = (0..used).filter(|&copy| pieces[copy] > 0);
                        let last = arrived.map(|copy| way(copy) + pieces[copy]).max().unwrap();
                        let sooner = (0..used).map(|copy| way(copy) + pieces[copy] + 1).min();
                        assert!(sooner >= Some(last), "{pieces:?}");

                        let pieces = even.pieces(bits, trip);
                        let longer = bits % used;
                        let expected =
                            (0..used).map(|copy| bits / used + usize::from(copy < longer));
                        assert_eq!(pieces, Vec::from_iter(expected));
                    }
                }
            }
        }
    }
}
