//! What is connected in a file of BookSim's, and the network that comes of it.

use std::collections::hash_map;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ends::{End, Kind, Wrong};
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::{MAX_COLOURS, MAX_NODES};
use crate::routers::wormhole::networks::irregular::file::reading::NodesAndLinks;

/// A line and a column.
type FilePosition = (u64, usize);

/// A router that a file names.
struct Router {
    number: u64,
    /// Where it stands first.
    place: FilePosition,
    node: Option<usize>,
    links: usize,
}

/// What a file has connected.
#[derive(Default)]
pub(super) struct Connections {
    /// In the order in which they come.
    routers: Vec<Router>,
    /// The place of each in this order.
    of_number: FxHashMap<u64, usize>,
    /// The router of each node, and where that is said first.
    nodes: FxHashMap<usize, (usize, FilePosition)>,
    /// From router to router, by their places in the order.
    links: FxHashSet<(usize, usize)>,
}

impl Connections {
    /// Connects the two ends of a line.
    pub(super) fn connect(&mut self, line: u64, head: End, other: End) -> Result<(), Wrong> {
        match (head.kind, other.kind) {
            (Kind::Router, Kind::Router) => self.link(line, head, other),
            (Kind::Router, Kind::Node) => self.attach(line, head, other, other.column),
            (Kind::Node, Kind::Router) => self.attach(line, other, head, other.column),
            (Kind::Node, Kind::Node) => {
                let why = format!("node {} is connected to node {}", head.number, other.number);
                let refusal = Refusal::why(why).instead("connect nodes to routers alone");
                Err((other.column, refusal))
            }
        }
    }

    /// The place of a router in the order in which they come.
    fn router(&mut self, line: u64, router: End) -> Result<usize, Wrong> {
        let End { number, column, .. } = router;
        match self.of_number.entry(number) {
            hash_map::Entry::Occupied(entry) => Ok(*entry.get()),
            hash_map::Entry::Vacant(_) if self.routers.len() == MAX_NODES => {
                let why = format!("router {number} is one more than there may be");
                let refusal = Refusal::why(why).instead(format!("{MAX_NODES} is the most"));
                Err((column, refusal))
            }
            hash_map::Entry::Vacant(entry) => {
                self.routers.push(Router {
                    number,
                    place: (line, column),
                    node: None,
                    links: 0,
                });
                Ok(*entry.insert(self.routers.len() - 1))
            }
        }
    }

    fn link(&mut self, line: u64, head: End, other: End) -> Result<(), Wrong> {
        let ends = [self.router(line, head)?, self.router(line, other)?];
        let [from, to] = ends;
        if from == to {
            let why = format!("router {} is connected to itself", head.number);
            return Err((other.column, Refusal::why(why).instead("leave that out")));
        }
        if !self.links.insert((from, to)) {
            return Ok(());
        }
        self.links.insert((to, from));
        for end in ends {
            let router = &mut self.routers[end];
            router.links += 1;
            if router.links > MAX_COLOURS {
                let why = format!("router {} has more than {MAX_COLOURS} links", router.number);
                let refusal = Refusal::why(why).instead(format!("{MAX_COLOURS} is the most"));
                return Err((other.column, refusal));
            }
        }
        Ok(())
    }

    /// Hangs a node on a router.
    fn attach(&mut self, line: u64, router: End, node: End, column: usize) -> Result<(), Wrong> {
        let at = self.router(line, router)?;
        let number = node.number as usize;
        if let Some(&(before, (line, _))) = self.nodes.get(&number) {
            if before == at {
                return Ok(());
            }
            let why = format!(
                "node {number} is at router {} already (line {line})",
                self.routers[before].number
            );
            return Err((column, Refusal::why(why).instead("a node is at one router")));
        }
        if let Some(before) = self.routers[at].node {
            let line = self.nodes.get(&before).map_or(line, |(_, place)| place.0);
            let why = format!(
                "router {} has node {before} already (line {line})",
                router.number
            );
            let instead = "each router has exactly one node here";
            return Err((column, Refusal::why(why).instead(instead)));
        }
        self.routers[at].node = Some(number);
        self.nodes.insert(number, (at, (line, column)));
        Ok(())
    }

    /// Of which routers go by the numbers of their nodes.
    pub(super) fn network(self) -> Result<NodesAndLinks, (FilePosition, Refusal)> {
        let count = self.routers.len();
        let mut node_of = Vec::with_capacity(count);
        for router in &self.routers {
            let Some(node) = router.node else {
                let why = format!("router {} has no node", router.number);
                let instead = "each router has exactly one node here";
                return Err((router.place, Refusal::why(why).instead(instead)));
            };
            node_of.push(node);
        }
        let least_missing = (0..count).find(|node| !self.nodes.contains_key(node));
        let greatest = self.nodes.iter().max_by_key(|(node, _)| **node);
        if let (Some(missing), Some((greatest, (_, place)))) = (least_missing, greatest) {
            let why = format!("there is a node {greatest} and no node {missing}");
            let instead = format!(
                "number the {count} nodes from 0 to {}, since traffic goes by these numbers",
                count - 1
            );
            return Err((*place, Refusal::why(why).instead(instead)));
        }
        let links = self.links.iter();
        let links = links.map(|&(from, to)| (node_of[from], node_of[to]));
        Ok((count, links.collect()))
    }
}
