//! What is asked of each network, answered for irregular ones.

use std::ops::RangeInclusive;

use super::dependencies;
use crate::closed_form::Letter;
use crate::language::register::Name;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::irregular::TableRouted;
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::plan::{
    Addressed, ChannelPlan, InputPlan, LinkPlan, Port, Request, SwitchPlan, When,
};
use crate::routers::wormhole::routing_table::{EJECT, link_code};
use crate::routers::wormhole::trip::Trip;

impl TableRouted {
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
        dependencies::of(self)
    }
}
