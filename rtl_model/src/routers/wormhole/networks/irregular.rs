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

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::closed_form::Letter;
use crate::error::Error;
use crate::language::register::Name;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::dependencies::{self, Dependencies};
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::network::{Parameters, Trip};
use crate::routers::wormhole::networks::direct::{MAX_CHANNELS, MAX_VIRTUAL_CHANNELS};
use crate::routers::wormhole::networks::irregular::routes::{Next, Routes};
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::plan::{
    Addressed, ChannelPlan, InputPlan, LinkPlan, Port, Request, SwitchPlan, When,
};
use crate::routers::wormhole::routing_table::{EJECT, TableSize, link_code};

pub mod file;
pub mod routes;

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

    fn eject(&self, virtual_channels: usize) -> usize {
        virtual_channels * self.network.colours()
    }

    /// Channels of all links of a node, in the order of their numbers, as colour and virtual channel.
    fn channels(&self, virtual_channels: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let colours = self.network.colours();
        (0..virtual_channels)
            .flat_map(move |channel| (0..colours).map(move |colour| (colour, channel)))
    }

    /// What an input channel may ask for: by entry, any channel of its class of its link.
    fn requests(&self, virtual_channels: usize) -> Vec<Request> {
        let classes = self.routes.classes();
        let of_links = self.channels(virtual_channels).enumerate();
        let of_links = of_links.map(|(output, (colour, channel))| Request {
            output,
            when: When::Entry(link_code(self.network.colours(), colour, channel % classes)),
            lane: channel / classes,
        });
        let eject = Request {
            output: self.eject(virtual_channels),
            when: When::Entry(EJECT),
            lane: 0,
        };
        of_links.chain([eject]).collect()
    }
}

/// What a channel of a link is called.
fn name(kind: &'static str, colour: usize, channel: usize, virtual_channels: usize) -> Name {
    match virtual_channels {
        1 => Name::Numbered(kind, colour),
        _ => Name::Part(kind, colour, "channel", channel),
    }
}

impl Structure for TableRouted {
    fn name(&self) -> &'static str {
        "file"
    }

    fn routing(&self) -> Option<&'static str> {
        Some(self.routing)
    }

    fn joined(&self) -> Joined {
        Joined::Irregular(self.network.clone())
    }

    /// A link has at least one channel of each class that the tables name.
    fn virtual_channels(&self) -> RangeInclusive<usize> {
        self.routes.classes()..=self.most_channels()
    }

    fn header(&self, _switch: usize, trip: Trip, _virtual_channels: usize) -> Vec<bool> {
        let bits = 0..self.network.address_bits();
        bits.map(|bit| trip.destination >> bit & 1 == 1).collect()
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        let colours = self.network.colours();
        let requests = self.requests(virtual_channels);
        let input = |name| InputPlan {
            name,
            candidates: vec![requests.clone()],
            line: 0,
        };
        let channels = self.channels(virtual_channels);
        let inputs =
            channels.map(|(colour, channel)| name("in", colour, channel, virtual_channels));
        let inputs = [Name::Field("injection")].into_iter().chain(inputs);
        let channels = self.channels(virtual_channels);
        let outputs =
            channels.map(|(colour, channel)| name("out", colour, channel, virtual_channels));
        let outputs: Vec<Name> = outputs.chain([Name::Field("eject")]).collect();
        let link = |colour| {
            let channel = |channel| ChannelPlan {
                senders: vec![Port::lone(channel * colours + colour)],
                receivers: vec![Port::lone(1 + channel * colours + colour)],
            };
            let channels = (0..virtual_channels).map(channel).collect();
            LinkPlan::new(Name::Numbered("link", colour), channels)
        };
        Parts {
            switch: SwitchPlan::new(inputs.map(input).collect(), &outputs)
                .selecting()
                .addressed(Addressed::LookedUp(self.table())),
            levels: Vec::new(),
            relays: Vec::new(),
            links: (0..colours).map(link).collect(),
        }
    }

    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let virtual_channels = parameters.virtual_channels;
        let table = self.table();
        let letters = [
            ("L", table.links),
            ("V", virtual_channels),
            ("N", table.nodes),
            ("w", table.entry_bits()),
            // In flits.
            ("a", table.address_bits().div_ceil(parameters.wire_bits)),
            ("c", virtual_channels.div_ceil(table.classes)),
        ];
        let letters = letters.map(|(letter, size)| (letter, size as u64));
        (
            "b(3LV+2)+Nw+(LV+1)(2a+w+c+LV+2)+L(V-1)".to_owned(),
            letters.to_vec(),
        )
    }

    fn dependencies(&self, _virtual_channels: usize) -> Dependencies {
        dependencies::irregular(self)
    }
}
