//! Tables in the making, and the check that they end with.

use std::fmt::Display;

use super::{MAX_CLASSES, Next, Routes};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::Irregular;

/// What is wrong with a table, and where.
#[derive(Debug)]
pub struct Flaw {
    /// For who knows where its entries stand.
    pub place: FlawAt,
    /// Without a name of what is refused.
    pub refusal: Refusal,
}

/// Where it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawAt {
    /// In this number of the entry that was given last.
    Last(Column),
    /// In an entry that was given before.
    Entry { node: usize, destination: usize },
    /// Nowhere: an entry is missing.
    Missing,
    /// In the network.
    Network,
}

/// A number of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Node,
    Destination,
    Next,
    Class,
}

/// An entry as it is given.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub node: usize,
    pub destination: usize,
    /// A neighbour of the node.
    pub next: usize,
    pub class: usize,
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        flaw.refusal.into()
    }
}

/// The refusal of a node that a network of so many does not have, as it is written.
pub fn node_out_of_range(node: impl Display, nodes: usize) -> Refusal {
    Refusal::why(format!("node {node} is out of range"))
        .instead(format!("the network has nodes 0 to {}", nodes - 1))
}

/// The refusal of a class that no link can have, as it is written.
pub fn class_out_of_range(class: impl Display) -> Refusal {
    let last = MAX_CLASSES - 1;
    Refusal::why(format!("class {class} is out of range")).instead(format!(
        "choose 0 to {last}, since a link has {MAX_CLASSES} virtual channels at the most"
    ))
}

/// The destination to which the table has been followed from a node last, and the node where this walk began; none at the
/// destination. So each node is passed once for each destination.
type Followed = (Option<usize>, Option<usize>);

/// Tables in the making.
pub struct Table<'a> {
    network: &'a Irregular,
    /// By node and destination.
    next: Vec<Option<Next>>,
}

impl<'a> Table<'a> {
    pub fn new(network: &'a Irregular) -> Self {
        let nodes = network.nodes();
        Table {
            network,
            next: vec![None; nodes * nodes],
        }
    }

    fn index(&self, node: usize, destination: usize) -> usize {
        node * self.network.nodes() + destination
    }

    /// Puts down where a worm goes on, by a link that there is.
    pub(super) fn put(&mut self, node: usize, destination: usize, next: Option<Next>) {
        let index = self.index(node, destination);
        self.next[index] = next;
    }

    /// Takes an entry in, if there can be such a one.
    pub fn add(&mut self, entry: Entry) -> Result<(), Flaw> {
        let Entry {
            node,
            destination,
            next,
            class,
        } = entry;
        let wrong = |column, refusal| {
            let place = FlawAt::Last(column);
            Err(Flaw { place, refusal })
        };
        let nodes = self.network.nodes();
        for (number, column) in [
            (node, Column::Node),
            (destination, Column::Destination),
            (next, Column::Next),
        ] {
            if number >= nodes {
                return wrong(column, node_out_of_range(number, nodes));
            }
        }
        if class >= MAX_CLASSES {
            return wrong(Column::Class, class_out_of_range(class));
        }
        if node == destination {
            let itself = Refusal::why(format!(
                "node {node} has a route to itself, where worms go to the host"
            ));
            return wrong(Column::Destination, itself.instead("leave it out"));
        }
        let Some(colour) = self.network.colour(node, next) else {
            return wrong(Column::Next, self.no_neighbour(node, next));
        };
        let index = self.index(node, destination);
        if self.next[index].is_some() {
            let twice = Refusal::why(format!(
                "the route from node {node} to node {destination} is given twice"
            ));
            return wrong(Column::Node, twice.instead("leave one of the two out"));
        }
        self.next[index] = Some(Next { colour, class });
        Ok(())
    }

    fn no_neighbour(&self, node: usize, next: usize) -> Refusal {
        /// As many of its neighbours as are told.
        const MOST: usize = 8;
        let mut far: Vec<usize> = self.network.from(node).map(|(_, far)| far).collect();
        far.sort_unstable();
        let told: Vec<String> = far.iter().take(MOST).map(usize::to_string).collect();
        let links = match far.len() {
            0 => "none leaves it".to_owned(),
            many => {
                let rest = ["", ", ..."][usize::from(many > MOST)];
                format!("its links lead to {}{rest}", told.join(", "))
            }
        };
        Refusal::why(format!("no link leads from node {node} to node {next}")).instead(links)
    }

    /// The tables, if they lead from every node to every destination.
    pub fn finish(self) -> Result<Routes, Flaw> {
        let nodes = self.network.nodes();
        for node in 0..nodes {
            for destination in (0..nodes).filter(|destination| *destination != node) {
                if self.next[self.index(node, destination)].is_none() {
                    return Err(self.missing(node, destination));
                }
            }
        }
        let mut followed = vec![(None, None); nodes];
        for destination in 0..nodes {
            self.leads_to(destination, &mut followed)?;
        }
        let classes = self.next.iter().flatten().map(|next| next.class).max();
        Ok(Routes {
            nodes,
            classes: 1 + classes.unwrap_or(0),
            next: self.next.into(),
        })
    }

    /// Refuses entries for a destination that lead in a circle.
    fn leads_to(&self, destination: usize, followed: &mut [Followed]) -> Result<(), Flaw> {
        let nodes = self.network.nodes();
        let to = Some(destination);
        followed[destination] = (to, None);
        for first in 0..nodes {
            let mut node = first;
            while followed[node].0 != to {
                followed[node] = (to, Some(first));
                node = self.far(node, destination);
            }
            // It has come to the destination, or to where an earlier one went that did, or to itself.
            if followed[node].1 == Some(first) {
                return Err(self.circle(node, destination));
            }
        }
        Ok(())
    }

    /// The node to which the entry for a destination leads.
    fn far(&self, node: usize, destination: usize) -> usize {
        let next = self.next[self.index(node, destination)];
        let far = next.and_then(|next| self.network.far(node, next.colour));
        far.unwrap_or(destination)
    }

    /// The refusal of a circle, by a node of it: it is told from its least node on.
    fn circle(&self, node: usize, destination: usize) -> Flaw {
        /// As many of its nodes as are told.
        const MOST: usize = 12;
        let around = |from| {
            let next = move |&node: &usize| Some(self.far(node, destination));
            let further = std::iter::successors(Some(from), next).skip(1);
            std::iter::once(from).chain(further.take_while(move |&node| node != from))
        };
        let least = around(node).min().unwrap_or(node);
        let mut told: Vec<String> = around(least)
            .take(MOST)
            .map(|node| node.to_string())
            .collect();
        if around(least).count() > MOST {
            told.push("...".to_owned());
        }
        let refusal = Refusal::why(format!(
            "the routes to node {destination} lead in a circle, {} -> {least}",
            told.join(" -> ")
        ))
        .instead("let one of these nodes go on to another");
        let node = least;
        let place = FlawAt::Entry { node, destination };
        Flaw { place, refusal }
    }

    /// The refusal of a table without an entry, which there cannot be where no links lead to the destination.
    fn missing(&self, node: usize, destination: usize) -> Flaw {
        if !self.is_reached(node, destination) {
            return self.unreachable(node, destination);
        }
        let refusal = Refusal::why(format!("node {node} has no route to node {destination}"))
            .instead("each node needs one to each other");
        let place = FlawAt::Missing;
        Flaw { place, refusal }
    }

    /// Whether links lead from a node to another.
    fn is_reached(&self, node: usize, destination: usize) -> bool {
        let mut is_reached = vec![false; self.network.nodes()];
        is_reached[node] = true;
        let mut ahead = vec![node];
        while let Some(node) = ahead.pop() {
            for (_, far) in self.network.from(node) {
                if !std::mem::replace(&mut is_reached[far], true) {
                    ahead.push(far);
                }
            }
        }
        is_reached[destination]
    }

    fn unreachable(&self, node: usize, destination: usize) -> Flaw {
        let mut comes =
            (0..self.network.colours()).filter_map(|colour| self.network.near(destination, colour));
        let (why, instead) = if self.network.from(node).next().is_none() {
            (
                format!("no link leaves node {node}"),
                "add one, or leave no gap in the numbers of nodes",
            )
        } else if comes.next().is_none() {
            (
                format!("no link comes to node {destination}"),
                "add one, or leave no gap in the numbers of nodes",
            )
        } else {
            (
                "no path of links leads there".to_owned(),
                "add links, or make a network of each part",
            )
        };
        let what = format!("node {node} cannot reach node {destination}");
        Flaw {
            place: FlawAt::Network,
            refusal: Refusal::why(format!("{what}: {why}")).instead(instead),
        }
    }
}
