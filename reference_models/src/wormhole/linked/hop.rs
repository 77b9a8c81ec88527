//! A worm that comes to a node over a link, and what must hold of it wherever its way is given.

use super::Linked;
use crate::wormhole::Violation;
use crate::wormhole::network::{Channel, Port};
use crate::wormhole::worm::Worm;

/// The last hop of a worm's path.
pub struct Hop<'a> {
    /// Where it comes.
    pub channel: Channel,
    /// Over which link.
    pub link: usize,
    /// By which virtual channel of it.
    pub number: usize,
    /// Which worm.
    pub worm: &'a Worm,
    /// When.
    pub bit_time: u64,
}

impl Hop<'_> {
    /// Of a worm that has come to `channel`, if a link leads there.
    pub fn of(channel: Channel, worm: &Worm, bit_time: u64) -> Option<Hop<'_>> {
        match channel.port {
            Port::LinkIn {
                link,
                channel: number,
            } => Some(Hop {
                channel,
                link,
                number,
                worm,
                bit_time,
            }),
            _ => None,
        }
    }

    /// How many hops were before it.
    pub fn place(&self) -> usize {
        self.worm.times.path.len() - 2
    }

    /// The node from which the worm comes.
    pub fn from(&self) -> usize {
        self.worm.times.path[self.place()]
    }

    /// The link leads here.
    pub fn is_end(&self, links: &dyn Linked) -> bool {
        links.end(self.from(), self.link) == Some(self.channel.node)
    }

    /// The hop is the next of the worm's way: gives back the number that its class depends on.
    pub fn check_way(&self, links: &dyn Linked) -> Result<usize, Violation> {
        let next = self.worm.way.get(self.place());
        let next = next.filter(|(_, link)| *link == self.link && self.is_end(links));
        next.map(|(number, _)| *number).ok_or(Violation::OffItsWay {
            channel: self.channel,
            bit_time: self.bit_time,
            message: self.worm.message,
        })
    }

    /// It is over a channel of `class`, of so many.
    pub fn check_class(&self, class: usize, classes: usize) -> Result<(), Violation> {
        match self.number % classes == class {
            true => Ok(()),
            false => Err(Violation::WrongClass {
                channel: self.channel,
                bit_time: self.bit_time,
                class,
            }),
        }
    }
}
