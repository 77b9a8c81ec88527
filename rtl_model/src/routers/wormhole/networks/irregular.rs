//! Irregular networks: links that somebody has listed, and a routing table in each node.
//!
//! The header of a worm is the number of its destination. Each input channel reads it, finds the entry of the node's
//! [table](crate::routers::wormhole::routing_table), and sends the number on before the rest. An entry names a link and a class of its
//! channels, channel `v` being of class `v mod C`; a worm takes the first of them that is free:
//!
//! ```text
//!   to   0      1      2      3           of node 1, on a ring of four, one way, with a dateline at node 0
//!        2/1    here   2/0    2/0         over the link to node 2: in class 1 to 0, which lies behind the dateline
//! ```
//!
//! Whether worms can wait for each other in a circle lies with the routes: tables that ask for nothing but the destination can
//! still name classes, and so cut every circle.

use std::sync::Arc;

use crate::error::Error;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::networks::direct::{MAX_CHANNELS, MAX_VIRTUAL_CHANNELS};
use crate::routers::wormhole::networks::irregular::routes::{Next, Routes};
use crate::routers::wormhole::routing_table::{EJECT, TableSize, link_code};

pub mod dependencies;
pub mod file;
pub mod routes;
mod structure;

/// Routing by shortest paths, by its name on the command line.
pub const SHORTEST: &str = "shortest";

/// Routing up, then down, by its name.
pub const UP_DOWN: &str = "up-down";

/// Routing by tables from a file, as it is called.
pub const TABLE: &str = "table";

/// A network with its routes.
#[derive(Clone, Debug)]
pub struct TableRouted {
    /// The file that lists it, as it was given.
    pub file: Arc<str>,
    /// Its nodes and links.
    pub network: Irregular,
    /// The tables of all nodes.
    pub routes: Routes,
    /// The file that they are read from, if they are.
    pub routes_file: Option<Arc<str>>,
    /// Where they come from, by its name on the command line.
    pub routing: &'static str,
}

impl TableRouted {
    /// Routed by shortest paths.
    ///
    /// # Errors
    /// Those of [`Routes::shortest`].
    pub fn shortest(file: &str, network: Irregular) -> Result<Self, Error> {
        let routes = Routes::shortest(&network)?;
        Ok(Self::of(file, network, (routes, SHORTEST)))
    }

    /// Routed up, then down.
    ///
    /// # Errors
    /// Those of [`Routes::up_down`].
    pub fn up_down(file: &str, network: Irregular) -> Result<Self, Error> {
        let routes = Routes::up_down(&network)?;
        Ok(Self::of(file, network, (routes, UP_DOWN)))
    }

    /// Routed by tables from a file.
    pub fn by_tables(
        file: &str,
        network: Irregular,
        (routes, routes_file): (Routes, &str),
    ) -> Self {
        TableRouted {
            routes_file: Some(routes_file.into()),
            ..Self::of(file, network, (routes, TABLE))
        }
    }

    fn of(file: &str, network: Irregular, (routes, routing): (Routes, &'static str)) -> Self {
        TableRouted {
            file: file.into(),
            network,
            routes,
            routes_file: None,
            routing,
        }
    }

    /// The size of a node's table.
    pub fn table(&self) -> TableSize {
        TableSize {
            nodes: self.network.nodes(),
            links: self.network.colours(),
            classes: self.routes.classes(),
        }
    }

    /// The entry of a destination in the table of a node.
    pub fn entry(&self, node: usize, destination: usize) -> usize {
        match self.routes.next(node, destination) {
            None => EJECT,
            Some(next) => link_code(self.network.colours(), next.colour, next.class),
        }
    }

    /// Bit `number` of the table of a node, entry by entry, bit 0 first.
    pub fn table_bit(&self, node: usize, number: usize) -> bool {
        let bits = self.table().entry_bits();
        self.entry(node, number / bits) >> (number % bits) & 1 == 1
    }

    /// The links by which a worm goes, each with the node that it leaves and the one to which it comes; none to a node that there
    /// is not.
    pub fn way(&self, source: usize, destination: usize) -> Vec<(usize, Next, usize)> {
        if destination >= self.network.nodes() {
            return Vec::new();
        }
        let path = self.routes.path(&self.network, source, destination);
        let hops = path.into_iter().filter_map(|(node, next)| {
            let to = self.network.far(node, next.colour)?;
            Some((node, next, to))
        });
        hops.collect()
    }

    /// The most virtual channels of a link.
    pub fn most_channels(&self) -> usize {
        (MAX_CHANNELS / self.network.colours()).min(MAX_VIRTUAL_CHANNELS)
    }

    /// Channels of a class of a link.
    pub fn lanes(&self, class: usize, virtual_channels: usize) -> usize {
        (class..virtual_channels)
            .step_by(self.routes.classes())
            .count()
    }
}
