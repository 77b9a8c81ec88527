//! Named traffic patterns.

mod names;

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::grid::Grid;
use crate::traffic::{Message, Nodes, Purpose, generator};

pub use names::Entry;

/// A named pattern: where each node of a machine sends. All but `uniform` are permutations of the
/// nodes; those of address bits need `2^k` nodes. On a torus or mesh `bitcomp`, `transpose` (in an even
/// number of dimensions), `tornado` and `neighbor` go by digits, each dimension by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A permutation drawn from the seed.
    Randperm,
    /// Every address bit reversed in order.
    Bitrev,
    /// Every address bit inverted.
    Bitcomp,
    /// The two halves of the address swapped; for even `k`.
    Transpose,
    /// The address rotated left by one.
    Shuffle,
    /// Half the ring of all nodes, rounded up, less one.
    Tornado,
    /// The next node on the ring of all nodes.
    Neighbor,
    /// The node itself.
    Identity,
    /// The sender of rank `r` to node `r`: the packing that Algorithm 2 uses.
    Packed,
    /// Each destination drawn from the seed independently of the others, among all nodes, the
    /// sender included: no permutation.
    Uniform,
}

impl Pattern {
    /// Whether no two nodes send to one.
    pub fn is_permutation(self) -> bool {
        self != Pattern::Uniform
    }

    /// Whether it goes by the digits of a torus or mesh.
    fn is_of_digits(self) -> bool {
        use Pattern::{Bitcomp, Neighbor, Tornado, Transpose};
        matches!(self, Bitcomp | Transpose | Tornado | Neighbor)
    }

    /// Whether it permutes the bits of addresses, or inverts them.
    fn is_of_address_bits(self) -> bool {
        use Pattern::{Bitcomp, Bitrev, Shuffle, Transpose};
        matches!(self, Bitrev | Bitcomp | Transpose | Shuffle)
    }

    /// The messages of the given senders (in ascending order). Of a pattern that is drawn, what a
    /// sender draws does not depend on who else sends.
    ///
    /// # Errors
    /// A pattern of address bits where the number of nodes is no power
    /// of two, [`Error::NoTransposeAtOddDimensions`], more nodes than a list has room for.
    pub fn messages(
        self,
        nodes: impl Into<Nodes>,
        senders: &[usize],
        seed: u64,
    ) -> Result<Vec<Message>, Error> {
        let drawn = self.drawn(nodes.into(), generator(seed, Purpose::Pattern))?;
        let messages = senders.iter().enumerate();
        Ok(messages
            .map(|(rank, &source)| Message {
                source,
                destination: drawn.destination(rank, source),
            })
            .collect())
    }

    /// Where each node would send, if that is drawn: from `random`.
    ///
    /// # Errors
    /// As [`Pattern::messages`].
    pub(super) fn drawn(self, nodes: Nodes, mut random: ChaCha8Rng) -> Result<Drawn, Error> {
        nodes.check_listed()?;
        let mut drawn = self.fixed(nodes)?;
        let nodes = nodes.count();
        match self {
            Pattern::Randperm => {
                drawn.destinations = (0..nodes as u32).collect();
                drawn.destinations.shuffle(&mut random);
            }
            Pattern::Uniform => {
                let draw = |_| random.random_range(0..nodes) as u32;
                drawn.destinations = (0..nodes).map(draw).collect();
            }
            _ => {}
        }
        Ok(drawn)
    }

    /// Where each node would send, but for what is drawn.
    ///
    /// # Errors
    /// As [`Pattern::messages`].
    pub(super) fn fixed(self, nodes: Nodes) -> Result<Drawn, Error> {
        Ok(Drawn {
            pattern: self,
            nodes: nodes.count(),
            grid: nodes.grid().filter(|_| self.is_of_digits()),
            address_bits: self.address_bits(nodes)?,
            destinations: Vec::new(),
        })
    }

    /// Refuses numbers of nodes that the pattern is not there for; nothing is drawn.
    ///
    /// # Errors
    /// No bits of addresses, [`Error::NoTransposeAtOddDimensions`].
    pub fn check(self, nodes: impl Into<Nodes>) -> Result<(), Error> {
        self.address_bits(nodes.into()).map(drop)
    }

    /// Bits of an address, if the pattern is one of address bits; otherwise 0.
    fn address_bits(self, nodes: Nodes) -> Result<usize, Error> {
        if let Some(grid) = nodes.grid().filter(|_| self.is_of_digits()) {
            let dimensions = grid.dimensions();
            return match self == Pattern::Transpose && dimensions % 2 == 1 {
                true => Err(Refusal::of(format!(
                    "transpose swaps the halves of the digits of a {}, and {dimensions} have none",
                    grid.kind()
                ))
                .instead("use an even number of dimensions, or randperm")
                .only_together("bits of addresses")
                .into()),
                false => Ok(0),
            };
        }
        if !self.is_of_address_bits() {
            return Ok(0);
        }
        let Some(dimensions) = nodes.dimensions() else {
            return Err(no_address_bits(self.name(), nodes));
        };
        match dimensions.count() {
            k if self == Pattern::Transpose && k % 2 == 1 => {
                Err(Error::NoTransposeAtOddDimensions { dimensions: k })
            }
            k => Ok(k),
        }
    }
}

/// The refusal of a pattern of address bits, for a machine whose nodes do not use all addresses.
pub(super) fn no_address_bits(pattern: &str, nodes: Nodes) -> Error {
    let others = match nodes.grid() {
        None => "",
        Some(_) => "bitcomp, transpose, ",
    };
    let nodes = nodes.count();
    let no_power = match nodes {
        1 => "",
        _ => ", no power of two,",
    };
    Refusal::of(format!(
        "{pattern} works on the bits of an address, and a machine of {nodes} nodes{no_power} does not use all addresses of any \
         number of bits"
    ))
    .instead(format!("use {others}randperm, tornado, neighbor, identity or packed"))
    .only_together("bits of addresses")
    .into()
}

/// A pattern for so many nodes, with what is drawn for it.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pattern: Pattern,
    nodes: usize,
    /// The torus or mesh by whose digits it goes.
    grid: Option<Grid>,
    address_bits: usize,
    /// Of each node, if the pattern is drawn.
    destinations: Vec<u32>,
}

impl Drawn {
    /// Where node `x` sends, if `rank` senders are before it.
    #[inline]
    pub fn destination(&self, rank: usize, x: usize) -> usize {
        if let Some(grid) = self.grid {
            return by_digits(self.pattern, grid, x, false);
        }
        let (nodes, k) = (self.nodes, self.address_bits);
        let mask = nodes - 1;
        match self.pattern {
            Pattern::Randperm | Pattern::Uniform => self.destinations[x] as usize,
            Pattern::Bitrev => x.reverse_bits() >> (usize::BITS as usize - k),
            Pattern::Bitcomp => !x & mask,
            Pattern::Transpose => (x >> (k / 2) | x << (k / 2)) & mask,
            Pattern::Shuffle => (x << 1 | x >> (k - 1)) & mask,
            Pattern::Tornado => (x + nodes.div_ceil(2) - 1) % nodes,
            Pattern::Neighbor => (x + 1) % nodes,
            Pattern::Identity => x,
            Pattern::Packed => rank,
        }
    }

    /// The node that would send to node `x`, of a pattern in which that is neither drawn nor depends on who sends.
    #[inline]
    pub fn source(&self, x: usize) -> usize {
        if let Some(grid) = self.grid {
            return by_digits(self.pattern, grid, x, true);
        }
        let (nodes, k) = (self.nodes, self.address_bits);
        match self.pattern {
            Pattern::Shuffle => (x >> 1 | x << (k - 1)) & (nodes - 1),
            Pattern::Tornado => (x + nodes + 1 - nodes.div_ceil(2)) % nodes,
            Pattern::Neighbor => (x + nodes - 1) % nodes,
            // The others undo themselves.
            _ => self.destination(x, x),
        }
    }
}

/// Where a node sends by its digits; `back`: which node sends to it.
fn by_digits(pattern: Pattern, grid: Grid, x: usize, back: bool) -> usize {
    let (radix, half) = (grid.radix(), grid.dimensions() / 2);
    let moved = |step: usize| {
        let step = if back { radix - step } else { step };
        grid.node(grid.digits(x).map(|digit| (digit + step) % radix))
    };
    match pattern {
        Pattern::Bitcomp => grid.node(grid.digits(x).map(|digit| radix - 1 - digit)),
        Pattern::Transpose => {
            let digits: Vec<usize> = grid.digits(x).collect();
            grid.node(digits[half..].iter().chain(&digits[..half]).copied())
        }
        Pattern::Tornado => moved(radix.div_ceil(2) - 1),
        Pattern::Neighbor => moved(1),
        _ => x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::traffic::Traffic;

    fn destinations(name: &str, k: usize) -> Vec<usize> {
        let cube = Dimensions::new(k).unwrap();
        let senders: Vec<usize> = (0..cube.nodes()).collect();
        Pattern::from_name(name)
            .unwrap()
            .messages(cube, &senders, 1)
            .unwrap()
            .iter()
            .map(|message| message.destination)
            .collect()
    }

    #[test]
    fn patterns_are_what_they_are_called() {
        assert_eq!(destinations("bitrev", 3), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(destinations("bitcomp", 3), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(destinations("shuffle", 3), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(destinations("tornado", 3), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(destinations("neighbor", 2), [1, 2, 3, 0]);
        assert_eq!(
            destinations("transpose", 4),
            [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
        );
    }

    #[test]
    fn on_a_torus_or_mesh_patterns_go_by_digits() {
        let grid = Grid::new(5, 2, true).unwrap();
        let all: Vec<usize> = (0..25).collect();
        let from = |pattern: Pattern, digits: [usize; 2]| {
            let messages = pattern.messages(grid, &all, 1).unwrap();
            let mut hit = vec![0; 25];
            messages.iter().for_each(|one| hit[one.destination] += 1);
            assert_eq!(hit, [1; 25]);
            let drawn = pattern.fixed(grid.into()).unwrap();
            assert!(
                all.iter()
                    .all(|&x| drawn.source(drawn.destination(0, x)) == x)
            );
            Vec::from_iter(grid.digits(messages[grid.node(digits)].destination))
        };
        assert_eq!(from(Pattern::Tornado, [1, 4]), [3, 1]);
        assert_eq!(from(Pattern::Neighbor, [1, 4]), [2, 0]);
        assert_eq!(from(Pattern::Transpose, [1, 4]), [4, 1]);
        assert_eq!(from(Pattern::Bitcomp, [1, 4]), [3, 0]);
        assert!(Pattern::Bitrev.check(grid).is_err());
        let three = Pattern::Transpose.check(Grid::new(4, 3, true).unwrap());
        assert_eq!(
            three.unwrap_err().to_string(),
            "transpose swaps the halves of the digits of a torus, and 3 have none: use an even number of dimensions, or randperm"
        );
        // Where the radix is a power of two, both say the same.
        let grid = Grid::new(4, 2, false).unwrap();
        for pattern in [Pattern::Bitcomp, Pattern::Transpose] {
            let bits = pattern.messages(Dimensions::new(4).unwrap(), &all[..16], 1);
            assert_eq!(pattern.messages(grid, &all[..16], 1), bits);
        }
    }

    #[test]
    fn every_pattern_is_a_permutation_at_every_dimension() {
        for (name, pattern, _) in Pattern::PERMUTATIONS {
            for k in 1..=10 {
                let cube = Dimensions::new(k).unwrap();
                let senders: Vec<usize> = (0..cube.nodes()).collect();
                match pattern.messages(cube, &senders, 5) {
                    Ok(messages) => drop(Traffic::new(cube, 1, messages, 5).unwrap()),
                    Err(error) => {
                        assert_eq!(error, Error::NoTransposeAtOddDimensions { dimensions: k });
                        assert!(k % 2 == 1 && name == "transpose");
                    }
                }
            }
        }
    }

    #[test]
    fn where_addresses_are_no_bits_the_other_permutations_serve_and_the_error_names_them() {
        let names = |list: &[Pattern]| list.iter().map(|pattern| pattern.name()).collect();
        for count in (1..=200).filter(|count: &usize| *count == 1 || !count.is_power_of_two()) {
            let nodes = Nodes::new(count).unwrap();
            let senders: Vec<usize> = (0..count).collect();
            let mut serve = Vec::new();
            for (name, pattern, _) in Pattern::PERMUTATIONS {
                match pattern.messages(nodes, &senders, 5) {
                    Ok(messages) => {
                        Traffic::new(nodes, 1, messages, 5).unwrap();
                        serve.push(pattern);
                    }
                    Err(error) => {
                        assert_eq!(error, no_address_bits(name, Nodes::new(count).unwrap()));
                    }
                }
            }
            let names: Vec<&str> = names(&serve);
            assert_eq!(
                names,
                ["randperm", "tornado", "neighbor", "identity", "packed"]
            );
        }
        let error = Pattern::Bitrev
            .messages(Nodes::new(24).unwrap(), &[0], 1)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "bitrev works on the bits of an address, and a machine of 24 nodes, no power of two, does \
             not use all addresses of any number of bits: use randperm, tornado, neighbor, identity or \
             packed"
        );
    }

    #[test]
    fn the_ring_of_any_number_of_nodes_is_half_gone_round_by_tornado() {
        let nodes = Nodes::new(5).unwrap();
        let senders = [0, 1, 2, 3, 4];
        let destinations = |pattern: Pattern| -> Vec<usize> {
            let messages = pattern.messages(nodes, &senders, 1).unwrap();
            messages.iter().map(|message| message.destination).collect()
        };
        assert_eq!(destinations(Pattern::Tornado), [2, 3, 4, 0, 1]);
        assert_eq!(destinations(Pattern::Neighbor), [1, 2, 3, 4, 0]);
    }

    #[test]
    fn names_are_known_and_routers_of_permutations_refuse_uniform() {
        for (name, pattern, _) in Pattern::PERMUTATIONS {
            assert_eq!(pattern.name(), name);
            assert_eq!(Pattern::from_name(name), Ok(pattern));
            assert_eq!(Pattern::from_any_name(name), Ok(pattern));
            assert!(pattern.is_permutation());
        }
        assert_eq!(Pattern::Uniform.name(), "uniform");
        assert_eq!(Pattern::from_any_name("uniform"), Ok(Pattern::Uniform));
        assert!(!Pattern::Uniform.is_permutation());
        let refusal = Pattern::from_name("h-relation").unwrap_err();
        let refusal = refusal.to_string();
        assert!(refusal.ends_with(": several messages a node need `--h H` (testbench kuszmaul)"));
        let refusal = Pattern::from_name("hotspot").unwrap_err().to_string();
        assert!(refusal.ends_with(" at most one to each: use randperm, or testbench wormhole"));
        let refusal = Pattern::from_name("uniform").unwrap_err().to_string();
        assert!(refusal.ends_with(" at most one to each: use randperm"));
        for of in [Pattern::from_name, Pattern::from_any_name] {
            let name = "unifrom".to_owned();
            assert_eq!(of(&name), Err(Error::UnknownTraffic { name }));
        }
    }

    #[test]
    fn uniform_draws_for_each_sender_whoever_else_sends() {
        let nodes = Nodes::new(160).unwrap();
        let all: Vec<usize> = (0..160).collect();
        let draw =
            |senders: &[usize], seed| Pattern::Uniform.messages(nodes, senders, seed).unwrap();
        let drawn = draw(&all, 3);
        assert_eq!(draw(&all, 3), drawn);
        assert_ne!(draw(&all, 4), drawn);
        assert_eq!(draw(&[7, 100], 3), [drawn[7], drawn[100]]);
        let mut destinations: Vec<usize> =
            drawn.iter().map(|message| message.destination).collect();
        assert!(destinations.iter().all(|&node| node < 160));
        destinations.sort_unstable();
        destinations.dedup();
        assert!(destinations.len() < 160, "as good as never a permutation");
    }

    #[test]
    fn the_seed_draws_the_permutation() {
        let cube = Dimensions::new(6).unwrap();
        let senders: Vec<usize> = (0..64).collect();
        let draw = |seed| Pattern::Randperm.messages(cube, &senders, seed).unwrap();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
