//! Irregular networks: any nodes, joined by any links.
//!
//! A link leads one way, from a node to another. It has a *colour*: the number that it goes by at both of its ends. No two links that
//! leave a node are of one colour, and no two that come to one:
//!
//! ```text
//!   node 0 --colour 0--> node 1        node 0 leaves by colours 0 and 1
//!   node 0 --colour 1--> node 2        node 2 is entered by colours 0 and 1
//!   node 1 --colour 0--> node 2
//! ```
//!
//! As many colours do as a node has links out, or in, at the most: an edge colouring of a bipartite graph (König 1916).

use std::sync::Arc;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::traffic::Message;
use crate::traffic::relation::colours;

/// The most nodes.
pub const MAX_NODES: usize = 1024;

/// The most links that leave a node, or come to one.
pub const MAX_COLOURS: usize = 64;

/// Where there is no link.
const NONE: u32 = u32::MAX;

/// A network of checked links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irregular {
    nodes: usize,
    colours: usize,
    wires: usize,
    /// By node and colour: where its link leads, and where the one that comes to it comes from.
    ends: Arc<[[u32; 2]]>,
}

impl Irregular {
    /// Of nodes `0..nodes` and links `from -> to`, in any order.
    ///
    /// # Errors
    /// Fewer than 2 nodes or more than [`MAX_NODES`], an end that is no node, a link from a node to itself, a link that is given
    /// twice, none at all, more than [`MAX_COLOURS`] at a node.
    pub fn new(nodes: usize, links: &[(usize, usize)]) -> Result<Self, Error> {
        if !(2..=MAX_NODES).contains(&nodes) {
            return Err(
                Refusal::of(format!("a network of {nodes} nodes is out of range"))
                    .instead(format!("choose 2 to {MAX_NODES}"))
                    .into(),
            );
        }
        let mut sorted = links.to_vec();
        sorted.sort_unstable();
        for &(from, to) in &sorted {
            let refused = |why: String| Refusal::of(format!("link {from} -> {to}")).because(why);
            if from.max(to) >= nodes {
                let why = format!("there are nodes 0 to {} only", nodes - 1);
                return Err(refused(why).into());
            }
            if from == to {
                return Err(refused("it leads from a node to itself".to_owned()).into());
            }
        }
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let (from, to) = twice[0];
            return Err(Refusal::of(format!("link {from} -> {to}"))
                .because("it is given twice")
                .instead("leave one of the two out")
                .into());
        }
        if links.is_empty() {
            return Err(Refusal::of("a network without links").into());
        }
        let messages = sorted.iter().map(|&(source, destination)| Message {
            source,
            destination,
        });
        let messages: Vec<Message> = messages.collect();
        let of_links = colours(&messages);
        let colours = 1 + of_links.iter().max().unwrap_or(&0);
        if colours > MAX_COLOURS {
            return Err(Refusal::of(format!("a node with {colours} links one way"))
                .instead(format!("{MAX_COLOURS} is the most"))
                .into());
        }
        let mut ends = vec![[NONE; 2]; nodes * colours];
        for (&(from, to), &colour) in sorted.iter().zip(&of_links) {
            ends[from * colours + colour][0] = to as u32;
            ends[to * colours + colour][1] = from as u32;
        }
        Ok(Irregular {
            nodes,
            colours,
            wires: sorted.len(),
            ends: ends.into(),
        })
    }

    /// Number of nodes.
    #[inline]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Colours of a node.
    #[inline]
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// Links that there are.
    pub fn wires(&self) -> usize {
        self.wires
    }

    /// Bits of an address, which is a node's number.
    pub fn address_bits(&self) -> usize {
        (self.nodes - 1).ilog2() as usize + 1
    }

    #[inline]
    fn end(&self, node: usize, colour: usize, side: usize) -> Option<usize> {
        let end = self.ends[node * self.colours + colour][side];
        (end != NONE).then_some(end as usize)
    }

    /// The node to which the link of a colour leads.
    #[inline]
    pub fn far(&self, node: usize, colour: usize) -> Option<usize> {
        self.end(node, colour, 0)
    }

    /// The node from which the link of a colour comes.
    #[inline]
    pub fn near(&self, node: usize, colour: usize) -> Option<usize> {
        self.end(node, colour, 1)
    }

    /// The colours of the links that leave a node, and where they lead.
    pub fn from(&self, node: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..self.colours).filter_map(move |colour| Some((colour, self.far(node, colour)?)))
    }

    /// The colour of the link from a node to another; none where there is no such link.
    pub fn colour(&self, from: usize, to: usize) -> Option<usize> {
        self.from(from)
            .find_map(|(colour, far)| (far == to).then_some(colour))
    }

    /// All links, as their two ends: those of node 0 first.
    pub fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.nodes).flat_map(|node| self.from(node).map(move |(_, to)| (node, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each link once at both ends, in as many colours as some node has links one way.
    fn is_wired(nodes: usize, links: &[(usize, usize)]) {
        let network = Irregular::new(nodes, links).unwrap();
        let mut there: Vec<(usize, usize)> = network.links().collect();
        there.sort_unstable();
        let mut asked = links.to_vec();
        asked.sort_unstable();
        assert_eq!(there, asked);
        let mut back = Vec::new();
        for node in 0..nodes {
            for colour in 0..network.colours() {
                if let Some(from) = network.near(node, colour) {
                    assert_eq!(network.far(from, colour), Some(node));
                    assert_eq!(network.colour(from, node), Some(colour));
                    back.push((from, node));
                }
            }
        }
        assert_eq!(back.len(), links.len());
        let most = |end: fn(&(usize, usize)) -> usize| {
            let of = |node| links.iter().filter(|link| end(link) == node).count();
            (0..nodes).map(of).max().unwrap()
        };
        assert_eq!(
            network.colours(),
            most(|link| link.0).max(most(|link| link.1))
        );
    }

    #[test]
    fn small_networks() {
        is_wired(2, &[(0, 1)]);
        is_wired(3, &[(0, 1), (1, 2), (2, 0)]);
        is_wired(4, &[(0, 1), (0, 2), (0, 3), (1, 0), (2, 1), (3, 1), (3, 2)]);
    }

    proptest! {
        #[test]
        fn any_links(nodes in 2usize..40, drawn in prop::collection::hash_set((0usize..40, 0usize..40), 1..200)) {
            let links: Vec<(usize, usize)> = drawn.into_iter().map(|(from, to)| (from % nodes, to % nodes)).collect();
            let mut links: Vec<_> = links.into_iter().filter(|(from, to)| from != to).collect();
            links.sort_unstable();
            links.dedup();
            prop_assume!(!links.is_empty());
            is_wired(nodes, &links);
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let refused =
            |nodes, links: &[(usize, usize)]| Irregular::new(nodes, links).unwrap_err().to_string();
        assert_eq!(
            refused(1, &[(0, 0)]),
            "a network of 1 nodes is out of range: choose 2 to 1024"
        );
        assert_eq!(
            refused(3, &[(0, 3)]),
            "link 0 -> 3: there are nodes 0 to 2 only"
        );
        assert_eq!(
            refused(3, &[(1, 1)]),
            "link 1 -> 1: it leads from a node to itself"
        );
        assert_eq!(refused(3, &[]), "a network without links");
        assert_eq!(
            refused(3, &[(0, 1), (0, 2), (0, 1)]),
            "link 0 -> 1: it is given twice: leave one of the two out"
        );
        let star: Vec<(usize, usize)> = (1..=65).map(|node| (0, node)).collect();
        assert_eq!(
            refused(66, &star),
            "a node with 65 links one way: 64 is the most"
        );
    }
}
