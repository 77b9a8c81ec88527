//! A guest graph laid into a hypercube, every edge on one path or on several (Greenberg and Bhatt 1990, section 3).
//!
//! A guest *vertex* lies on a host *node*, and a guest *edge* on paths of *hops*: a hop crosses one dimension. An edge's packets
//! take its paths. All edges have as many paths, which is the *width*, and as many packets.
//!
//! ```text
//!   vertex u ------------- edge -------------> vertex v          guest
//!      |                                          |
//!   node p(u) --dim 4--> . --dim 7--> . --dim 4--> node p(v)     path 0
//!            \--------------dim 7---------------->               path 1
//! ```

use crate::closed_form::fraction::Fraction;
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;

/// A guest in its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    host: Dimensions,
    copies: usize,
    places: Vec<u32>,
    edges: Vec<[u32; 2]>,
    /// By edge, and one more: where its paths begin.
    first_path: Vec<u32>,
    /// By path, and one more: where its hops begin.
    first_hop: Vec<u32>,
    hops: Vec<u8>,
    packets: Vec<Packet>,
}

/// A packet of an edge: every edge has the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The path that it takes.
    pub path: usize,
    /// How many levels of hops it waits before its first: a direct path's second packet may go with others' last hops.
    pub wait: usize,
}

/// What is wrong with an embedding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A path that ends elsewhere.
    #[error(
        "path {path} of guest edge {edge} ends at node {ends}, and its vertex lies on node {expected}"
    )]
    Ends {
        /// The guest edge.
        edge: usize,
        /// The path.
        path: usize,
        /// The node where it ends.
        ends: usize,
        /// The node where it should.
        expected: usize,
    },
    /// Two paths of an edge, or one twice, over a wire.
    #[error(
        "paths of guest edge {edge} share the wire from node {node} across dimension {dimension}"
    )]
    Shares {
        /// The guest edge.
        edge: usize,
        /// The wire's sender.
        node: usize,
        /// The wire's dimension.
        dimension: usize,
    },
    /// An edge that has fewer or more paths than the others.
    #[error("guest edge {edge} has {paths} paths, and edge 0 has {width}")]
    Width {
        /// The guest edge.
        edge: usize,
        /// Its paths.
        paths: usize,
        /// Those of edge 0.
        width: usize,
    },
}

/// What is said of an embedding: each number computed from its paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measures {
    /// Paths of an edge.
    pub width: usize,
    /// Hops of the longest path.
    pub dilation: usize,
    /// The most guest edges that have a path over one directed wire.
    pub congestion: usize,
    /// The most vertices on one node; of copies, of one copy.
    pub load: usize,
    /// The host's nodes by those of the smallest hypercube that has as many as the guest (of copies, one copy) has vertices.
    pub expansion: Fraction,
}

impl Embedding {
    /// A guest of no edges yet: vertex `v` lies on node `places[v]`, which the host has.
    pub fn new(host: Dimensions, places: Vec<u32>) -> Self {
        debug_assert!(places.iter().all(|&node| (node as usize) < host.nodes()));
        Embedding {
            host,
            copies: 1,
            places,
            edges: Vec::new(),
            first_path: vec![0],
            first_hop: vec![0],
            hops: Vec::new(),
            packets: Vec::new(),
        }
    }

    /// The same, as so many copies of a guest: vertices of copy `c` come before those of copy `c + 1`.
    pub fn with_copies(self, copies: usize) -> Self {
        Embedding { copies, ..self }
    }

    /// Adds a guest edge; a path is the dimensions that it crosses, in order. Without [`Embedding::set_packets`] there is a packet
    /// a path.
    pub fn add_edge<P: AsRef<[u8]>>(
        &mut self,
        [from, to]: [usize; 2],
        paths: impl IntoIterator<Item = P>,
    ) {
        for path in paths {
            self.hops.extend_from_slice(path.as_ref());
            self.first_hop.push(self.hops.len() as u32);
        }
        self.edges.push([from as u32, to as u32]);
        self.first_path.push(self.first_hop.len() as u32 - 1);
        if self.packets.is_empty() {
            let one_each = |path| Packet { path, wait: 0 };
            self.packets = (0..self.width()).map(one_each).collect();
        }
    }

    /// Says which packets an edge has.
    pub fn set_packets(&mut self, packets: impl IntoIterator<Item = Packet>) {
        self.packets = packets.into_iter().collect();
    }

    /// So many packets an edge: first those that it has, then again by turns over the paths, without waiting.
    pub fn with_packets(mut self, count: usize) -> Self {
        let (had, width) = (self.packets.len(), self.width().max(1));
        self.packets.truncate(count);
        self.packets.extend((had..count).map(|number| Packet {
            path: (number - had) % width,
            wait: 0,
        }));
        self
    }

    /// The same with every edge both ways: edge `edges + e` is edge `e` backwards, on its paths backwards.
    pub fn both_ways(&self) -> Self {
        let mut both = self.clone();
        for edge in 0..self.edges() {
            let [from, to] = self.edge(edge);
            let paths = self.paths(edge);
            let backwards = paths.map(|path| path.iter().rev().copied().collect::<Vec<u8>>());
            both.add_edge([to, from], backwards);
        }
        both
    }

    /// The hypercube.
    pub fn host(&self) -> Dimensions {
        self.host
    }

    /// Guest vertices, of all copies.
    pub fn vertices(&self) -> usize {
        self.places.len()
    }

    /// Copies of the guest; 1 where there is one.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// The node on which a vertex lies.
    pub fn place(&self, vertex: usize) -> usize {
        self.places[vertex] as usize
    }

    /// Guest edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The vertices that an edge leads from and to.
    pub fn edge(&self, edge: usize) -> [usize; 2] {
        self.edges[edge].map(|vertex| vertex as usize)
    }

    /// The paths of an edge, each as the dimensions that it crosses.
    pub fn paths(&self, edge: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        let range = self.first_path[edge] as usize..self.first_path[edge + 1] as usize;
        range.map(|path| self.hops_of(path))
    }

    /// One of them.
    pub fn path(&self, edge: usize, path: usize) -> &[u8] {
        self.hops_of(self.first_path[edge] as usize + path)
    }

    fn hops_of(&self, path: usize) -> &[u8] {
        &self.hops[self.first_hop[path] as usize..self.first_hop[path + 1] as usize]
    }

    /// The packets of an edge.
    pub fn packets(&self) -> &[Packet] {
        &self.packets
    }

    /// Paths of an edge: of edge 0.
    pub fn width(&self) -> usize {
        match self.edges.is_empty() {
            true => 0,
            false => self.paths(0).len(),
        }
    }

    /// Looks at every path: that it leads from its vertex to its vertex, and that the paths of an edge have no wire in common.
    ///
    /// # Errors
    /// The first [`Flaw`].
    pub fn check(&self) -> Result<(), Flaw> {
        let width = self.width();
        let mut wires = Vec::new();
        for edge in 0..self.edges() {
            let [from, to] = self.edge(edge).map(|vertex| self.place(vertex));
            let paths = self.paths(edge).len();
            if paths != width {
                return Err(Flaw::Width { edge, paths, width });
            }
            wires.clear();
            for (path, hops) in self.paths(edge).enumerate() {
                let mut node = from;
                for &dimension in hops {
                    wires.push((node, dimension));
                    node = neighbour(node, usize::from(dimension));
                }
                if node != to {
                    let (ends, expected) = (node, to);
                    return Err(Flaw::Ends {
                        edge,
                        path,
                        ends,
                        expected,
                    });
                }
            }
            wires.sort_unstable();
            if let Some(pair) = wires.windows(2).find(|pair| pair[0] == pair[1]) {
                let (node, dimension) = (pair[0].0, usize::from(pair[0].1));
                return Err(Flaw::Shares {
                    edge,
                    node,
                    dimension,
                });
            }
        }
        Ok(())
    }

    /// What is said of it.
    pub fn measures(&self) -> Measures {
        let mut on_wire = vec![0u32; self.host.wires()];
        let mut dilation = 0;
        for edge in 0..self.edges() {
            let from = self.place(self.edge(edge)[0]);
            for hops in self.paths(edge) {
                dilation = dilation.max(hops.len());
                let mut node = from;
                for &dimension in hops {
                    on_wire[wire(self.host, node, usize::from(dimension))] += 1;
                    node = neighbour(node, usize::from(dimension));
                }
            }
        }
        let of_copy = self.vertices() / self.copies;
        let smallest = of_copy.next_power_of_two();
        Measures {
            width: self.width(),
            dilation,
            congestion: on_wire.into_iter().max().unwrap_or(0) as usize,
            load: self.load(of_copy),
            expansion: Fraction::new(self.host.nodes() as u64, smallest as u64),
        }
    }

    fn load(&self, of_copy: usize) -> usize {
        let mut most = 0;
        for copy in self.places.chunks(of_copy.max(1)) {
            let mut on_node = vec![0u32; self.host.nodes()];
            for &node in copy {
                on_node[node as usize] += 1;
            }
            most = most.max(on_node.into_iter().max().unwrap_or(0));
        }
        most as usize
    }
}

/// The number of the directed wire from `node` across `dimension`.
#[inline]
pub fn wire(host: Dimensions, node: usize, dimension: usize) -> usize {
    dimension << host.count() | node
}
