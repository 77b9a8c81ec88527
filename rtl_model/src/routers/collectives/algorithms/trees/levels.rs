//! Level by level from the farthest, all that goes across a link in a stage in one packet (Ho & Johnsson 1986, section 4.2, lemma
//! 4.2, and table 6 with all ports).
//!
//! ```text
//!   n = 3          stage 0      stage 1          stage 2
//!   the source     level 3      level 2          level 1
//!   level 1                     level 3          level 2
//!   level 2                                      level 3
//! ```
//!
//! A node sends from one region of its memory what came in the stage before, and puts what comes into the other. Messages of a
//! packet follow one another: those that go from the most first ports come first, so no packet has gaps.

use std::collections::HashMap;

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::counting::{binomial, necklaces};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{MOST_DIMENSIONS, Schedule, taken};
use crate::routers::collectives::algorithms::trees::{Hop, Kind, Tree, letters};
use crate::routers::collectives::program::Transfer;
use crate::routers::ports::algorithm::PortModel;

/// Level by level along a tree.
pub(in crate::routers::collectives::algorithms) struct Levels(pub Kind);

impl Levels {
    /// The most nodes of a level in a subtree of the source.
    fn most(&self, n: usize, level: usize) -> usize {
        match self.0 {
            Kind::Binomial => binomial(n - 1, level - 1),
            Kind::Balanced => necklaces(n, level),
            Kind::TwoRooted if level == n => 1 << n.saturating_sub(2),
            Kind::TwoRooted => 1 << (level - 1),
        }
    }

    fn bit_times(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "nT + N/2 m",
            Kind::Balanced => "nT + (necklaces(n) - 1) m",
            Kind::TwoRooted => "T + m (n = 1); nT + (3N/4 - 1) m",
        }
    }

    /// A child of the source holds what it got in the stage before, and the first message of what it gets.
    fn held(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "0 (n = 1); m (n = 2); 2m (n = 3); (C(n-1, floor((n-1)/2)) + 1) m",
            Kind::Balanced => {
                "0 (n = 1); m (n = 2); 2m (n = 4); (most necklaces(n) of as many ones + 1) m"
            }
            Kind::TwoRooted => "0 (n = 1); m (n = 2); (N/4 + 1) m",
        }
    }
}

/// The places of ways among those with which they share a node or a link, by way and hop.
struct Places {
    at_node: Vec<Vec<usize>>,
    on_link: Vec<Vec<usize>>,
    /// The most that a node holds.
    most: usize,
}

impl Places {
    fn of(tree: &Tree) -> Self {
        // By node or link and the level that messages go to: how many there are already.
        let mut counts: HashMap<(usize, Option<usize>, usize), usize> = HashMap::new();
        let mut next = |key: (usize, Option<usize>, usize)| {
            let count = counts.entry(key).or_default();
            *count += 1;
            *count - 1
        };
        let mut places = Places {
            at_node: Vec::new(),
            on_link: Vec::new(),
            most: 0,
        };
        for way in &tree.ways {
            let (stations, level) = (&way.stations, way.hops());
            let at_node = stations.iter().map(|node| next((*node, None, level)));
            let at_node: Vec<usize> = at_node.collect();
            let links = stations.iter().zip(&stations[1..]);
            let on_link = links.map(|(node, child)| next((*node, Some(*child), level)));
            places.on_link.push(on_link.collect());
            // The source does not forward.
            let most = at_node[1..].iter().max().map_or(0, |most| most + 1);
            places.most = places.most.max(most);
            places.at_node.push(at_node);
        }
        places
    }
}

fn transfers(tree: &Tree, ask: &Ask, begins: &[usize], places: &Places) -> Vec<Transfer> {
    let (n, m, start_up) = (ask.dims(), ask.message_bits, ask.start_up);
    let region = |stage: usize| stage % 2 * places.most * m;
    let ways = tree.ways.iter().zip(&places.at_node).zip(&places.on_link);
    let transfers = ways.flat_map(|((way, at_node), on_link)| {
        (0..way.hops()).map(move |number| {
            let stage = n - way.hops() + number;
            let goes_on = number + 1 < way.hops();
            let place = if goes_on { at_node[number + 1] } else { 0 };
            let hop = Hop {
                number,
                to: region(stage + 1) + place * m,
                goes_on,
            };
            let from = |port: usize| match number {
                0 => (tree.end(way, port) - 1) * m,
                _ => region(stage) + at_node[number] * m,
            };
            let (sends, receives) = tree.hop(way, 0..way.ports, hop, from);
            // The first of a packet has its START.
            let (wait, start_up) = match on_link[number] {
                0 => (0, start_up),
                slot => (start_up + slot * m, 0),
            };
            Transfer {
                begin: begins[stage] + wait,
                start_up,
                bits: m,
                sends,
                receives,
                adds: None,
            }
        })
    });
    transfers.collect()
}

impl Algorithm for Levels {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "sbt-levels",
            Kind::Balanced => "bst-levels",
            Kind::TwoRooted => "tcbt-levels",
        }
    }

    fn paper_name(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "SBT, level-by-level",
            Kind::Balanced => "BST, level-by-level",
            Kind::TwoRooted => "TCBT, level-by-level",
        }
    }

    fn models(&self) -> &'static str {
        match self.0 {
            Kind::Binomial => "level by level along a spanning binomial tree, the farthest first",
            Kind::Balanced => "level by level along a balanced spanning tree, the farthest first",
            Kind::TwoRooted => "level by level along a two-rooted tree, the farthest first",
        }
    }

    fn source(&self) -> &'static str {
        "Ho & Johnsson 1986, section 4.2 and table 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let (n, m, nodes) = (ask.dims(), ask.message_bits, ask.cube.nodes());
        let tree = Tree::new(self.0, ask.cube);
        let places = Places::of(&tree);
        let mut steps = vec![0];
        for level in (2..=n).rev() {
            let begin = steps[steps.len() - 1];
            steps.push(begin + ask.start_up + self.most(n, level) * m);
        }
        let letters = letters(ask);
        let bit_times = ask.form(self.bit_times(), &letters);
        let schedule = Schedule {
            view: tree.view(),
            memory_bits: m * (nodes - 1).max(2 * places.most),
            bit_times: bit_times.value as usize,
            transfers: transfers(&tree, ask, &steps, &places),
            steps,
            at_source: (0..nodes - 1).map(|node| node * m).collect(),
            at_node: vec![n % 2 * places.most * m; nodes - 1],
        };
        Ok(OperationPlan {
            routing_steps: ask.form("n", &letters),
            bit_times,
            forwarding_buffer: ask.form(self.held(), &letters),
            divides: true,
            groups: None,
            packet_bits: None,
            program: schedule.program(ask),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    /// Table 6 has about `(N - 1)/n m` for the BST; its largest subtree has more nodes than the mean (table 5).
    #[test]
    fn the_balanced_tree_takes_as_long_as_its_largest_subtree_has_nodes() {
        for (n, largest) in [(2, 2), (3, 3), (4, 5), (5, 7), (6, 13), (7, 19), (8, 35)] {
            let plan = Levels(Kind::Balanced).plan(&ask(n, 1, 0)).unwrap();
            assert_eq!(plan.bit_times.value, largest);
            assert!(n as u64 * largest > (1 << n) - 1);
        }
    }

    /// Lemma 4.2 has `N / sqrt(2 pi (n-1))` for the longest packet, about.
    #[test]
    fn the_longest_packet_is_a_level_of_the_largest_subtree() {
        for n in 1..=10 {
            let most = (1..=n).map(|level| Levels(Kind::Binomial).most(n, level));
            assert_eq!(most.max(), Some(binomial(n - 1, (n - 1) / 2)));
        }
    }
}
