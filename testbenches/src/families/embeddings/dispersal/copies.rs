//! Messages from any node of the hypercube to any other, one path in each of the `n` copies of the cube-connected cycles
//! (Greenberg and Bhatt, section 7): so a message has as many paths as there are copies.
//!
//! In a copy a path goes from level to level: across, where its column has still to change in that level's bit, else straight on;
//! it ends when it is there. Paths of a message lie in different copies, and still two of them may share a wire: a wire has links of
//! two copies at the most. So one wire that fails takes two shares of a message at the most.

use rtl_model::embedding::constructions::Claim;
use rtl_model::embedding::copies::Copies;
use rtl_model::embedding::paths::Embedding;
use rtl_model::machine::topology::hypercube::address_bit;
use rtl_model::traffic::Message;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::embeddings::job::Guest;

/// The most levels: 2,048 nodes, each with some sixteen hops in every copy.
const MOST_LEVELS: usize = 8;

/// The copies in a hypercube of so many dimensions.
fn copies(dimensions: usize) -> Result<Copies, Error> {
    let sizes = [2, 4, MOST_LEVELS].map(|levels| (levels, levels + levels.ilog2() as usize));
    match sizes.into_iter().find(|(_, host)| *host == dimensions) {
        Some((levels, _)) => Ok(Copies::new(levels)?),
        None => Err(Refusal::of("--dims")
            .because(format!(
                "{dimensions} dimensions have no copies of cube-connected cycles"
            ))
            .instead("choose 3, 6 or 11")
            .into()),
    }
}

/// The dimensions that a path crosses in a copy.
fn path(copies: &Copies, copy: usize, [from, to]: [usize; 2]) -> Vec<u8> {
    let (mut level, mut column) = copies.unmap(copy, from);
    let goal = copies.unmap(copy, to);
    let mut hops = Vec::new();
    while (level, column) != goal {
        if address_bit(column ^ goal.1, level) {
            hops.push(copies.cross_dimension(copy, level) as u8);
            column ^= 1 << level;
        } else {
            hops.push(copies.straight_dimension(copy, level) as u8);
            level = (level + 1) % copies.levels();
        }
    }
    hops
}

/// A guest whose edges are the messages of a traffic pattern, those to other nodes.
///
/// # Errors
/// Dimensions without copies, and a pattern that there is not at this size.
pub fn guest(dimensions: usize, pattern: Pattern, seed: u64) -> Result<Guest, Error> {
    let copies = copies(dimensions)?;
    let host = copies.dimensions();
    let nodes: Vec<usize> = (0..host.nodes()).collect();
    let places = nodes.iter().map(|node| *node as u32).collect();
    let mut embedding = Embedding::new(host, places);
    for Message {
        source: from,
        destination: to,
    } in pattern.messages(host, &nodes, seed)?
    {
        // Who sends to itself needs no wire.
        if from == to {
            continue;
        }
        let of_copy = |copy| path(&copies, copy, [from, to]);
        embedding.add_edge([from, to], (0..copies.copies()).map(of_copy));
    }
    if embedding.edges() == 0 {
        return Err(Refusal::of("--traffic")
            .because(format!(
                "with {} every node sends to itself, and nothing crosses a wire",
                pattern.name()
            ))
            .instead("choose another pattern, such as randperm")
            .into());
    }
    Ok(Guest {
        name: "copies",
        models: "from any node to any other, a path in each copy of cube-connected cycles",
        theorem: "section 7, Theorem 3",
        claims: [Claim::default(), Claim::default()],
        embedding,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::machine::topology::hypercube::neighbour;

    #[test]
    fn every_path_leads_there_and_is_no_longer_than_the_network_is_wide() {
        for levels in [2, 4] {
            let copies = Copies::new(levels).unwrap();
            let nodes = copies.dimensions().nodes();
            for copy in 0..levels {
                for from in 0..nodes {
                    for to in 0..nodes {
                        let hops = path(&copies, copy, [from, to]);
                        let there = hops
                            .iter()
                            .fold(from, |node, hop| neighbour(node, usize::from(*hop)));
                        assert_eq!(there, to);
                        assert!(hops.len() <= 3 * levels - 2);
                    }
                }
            }
        }
    }

    #[test]
    fn other_dimensions_are_refused_with_those_that_are() {
        let error = copies(7).unwrap_err().to_string();
        assert!(error.contains("choose 3, 6 or 11"), "{error}");
    }
}
