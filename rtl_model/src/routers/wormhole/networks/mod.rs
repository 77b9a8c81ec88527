//! The networks: what makes each of them differ from the others, a file a network.
//!
//! All else of the family, from buffers to waves and Verilog, asks a network these questions and
//! knows none by name.

use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::plan::{LevelCode, LinkPlan, RelayPlan, SwitchPlan};
use crate::routers::wormhole::trip::Trip;

pub mod butterflies;
pub mod copies;
pub mod cycles;
pub mod direct;
pub mod irregular;

/// What a node of a network is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What all its switches are.
    pub switch: SwitchPlan,
    /// Which levels a node tells from its address.
    pub levels: Vec<LevelCode>,
    /// Its relays.
    pub relays: Vec<RelayPlan>,
    /// Its links; their wires are numbered later.
    pub links: Vec<LinkPlan>,
}

/// A network.
pub trait Structure {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// How worms are routed on it, by its name on the command line, where there are several ways.
    fn routing(&self) -> Option<&'static str> {
        None
    }

    /// What its wires join.
    fn joined(&self) -> Joined;

    /// Switches of a node: into so many pieces a message is split at the most.
    fn switches(&self) -> usize {
        1
    }

    /// The level at which a switch of a node stands; 0 where switches have none.
    fn level(&self, switch: usize, node: usize) -> usize {
        let _ = (switch, node);
        0
    }

    /// Virtual channels that a link may have; the most of them make deadlock impossible.
    fn virtual_channels(&self) -> RangeInclusive<usize>;

    /// The node via which message `number` of a run goes, where one is drawn at random.
    fn intermediate(&self, number: usize) -> Option<usize> {
        let _ = number;
        None
    }

    /// The header of a worm via a switch, where links have so many virtual channels; its first
    /// bit is sent first.
    fn header(&self, switch: usize, trip: Trip, virtual_channels: usize) -> Vec<bool>;

    /// What its nodes are made of, where links have so many virtual channels.
    fn parts(&self, virtual_channels: usize) -> Parts;

    /// The closed form of a node's storage, in bits: its text, in `b` bits of a buffer, and what it
    /// is in beside; without what a weak switch adds.
    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>);

    /// Which channels wait for which; of one copy, since copies share no channel.
    fn dependencies(&self, virtual_channels: usize) -> Dependencies;
}
