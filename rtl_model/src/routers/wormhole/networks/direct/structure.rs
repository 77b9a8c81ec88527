//! What is asked of each network, answered for direct ones.

use std::ops::RangeInclusive;

use super::{adaptive, dependencies, ordered, storage};
use crate::closed_form::Letter;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::direct::channels::Channels;
use crate::routers::wormhole::networks::direct::{Direct, Routing};
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::plan::{Addressed, SwitchPlan};
use crate::routers::wormhole::trip::Trip;
use crate::traffic;

impl Structure for Direct {
    fn name(&self) -> &'static str {
        self.space.name()
    }

    fn routing(&self) -> Option<&'static str> {
        Some(self.routing.name())
    }

    fn joined(&self) -> Joined {
        Joined::Space(self.space)
    }

    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=self.most_channels()
    }

    /// Each message draws for itself, whatever the others do.
    fn intermediate(&self, number: usize) -> Option<usize> {
        let Routing::Valiant { seed } = self.routing else {
            return None;
        };
        Some(traffic::intermediate(self.space.nodes(), number, seed))
    }

    fn header(&self, _switch: usize, trip: Trip, virtual_channels: usize) -> Vec<bool> {
        match self.routing {
            Routing::Adaptive => {
                let address = self.space.address(trip.destination);
                (0..self.space.address_bits())
                    .map(|bit| address >> bit & 1 == 1)
                    .collect()
            }
            _ => ordered::header(Channels::of(*self, virtual_channels), trip),
        }
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        let channels = Channels::of(*self, virtual_channels);
        let (inputs, levels) = match self.routing {
            Routing::Adaptive => (adaptive::inputs(channels), Vec::new()),
            _ => (ordered::inputs(channels), ordered::levels(channels)),
        };
        let switch = SwitchPlan::new(inputs, &channels.outputs()).selecting();
        Parts {
            switch: match self.routing {
                Routing::Adaptive => switch.addressed(Addressed::Compared(self.space)),
                _ => switch,
            },
            levels,
            relays: Vec::new(),
            links: channels.links(),
        }
    }

    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        storage::bits(
            Channels::of(*self, parameters.virtual_channels),
            parameters.wire_bits,
        )
    }

    fn dependencies(&self, virtual_channels: usize) -> Dependencies {
        dependencies::of(Channels::of(*self, virtual_channels))
    }
}
