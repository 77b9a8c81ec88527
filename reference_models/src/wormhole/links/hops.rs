//! What must hold when a worm comes to a node over a link.

use super::Links;
use crate::wormhole::network::{Channel, Port};
use crate::wormhole::worm::Worm;
use crate::wormhole::{Routing, Violation};

impl Links {
    /// Checks the last hop of the worm's path, which ends in `channel`.
    pub fn check_hop(&self, channel: Channel, worm: &Worm, bit_time: u64) -> Result<(), Violation> {
        let Port::LinkIn {
            link,
            channel: number,
        } = channel.port
        else {
            return Ok(());
        };
        match self.routing {
            Routing::Order | Routing::Valiant => {
                self.check_way(channel, link, number, worm, bit_time)
            }
            Routing::Adaptive => self.check_nearer(channel, link, number, worm, bit_time),
        }
    }

    /// The hop is the next of the worm's way, and over a channel of the class of its phase and of the datelines
    /// that the worm had crossed in this dimension before it.
    fn check_way(
        &self,
        channel: Channel,
        link: usize,
        number: usize,
        worm: &Worm,
        bit_time: u64,
    ) -> Result<(), Violation> {
        let path = &worm.times.path;
        let hop = path.len() - 2;
        let is_end = self.end(path[hop], link) == Some(channel.node);
        if !is_end || worm.way.get(hop).is_none_or(|(_, next)| *next != link) {
            return Err(Violation::OffItsWay {
                channel,
                bit_time,
                message: worm.message,
            });
        }
        let (phase, _) = worm.way[hop];
        let crossed = |&hop: &usize| {
            let (of, over) = worm.way[hop];
            let digits =
                [path[hop], path[hop + 1]].map(|node| self.digit(node, self.dimension(link)));
            (of, over) == (phase, link) && digits[0].abs_diff(digits[1]) > 1
        };
        let datelines = (0..hop).filter(crossed).count();
        let class = self.class(phase, datelines.min(1));
        if number % self.classes() != class {
            return Err(Violation::WrongClass {
                channel,
                bit_time,
                class,
            });
        }
        Ok(())
    }

    /// The hop leads nearer, and over an escape channel only in order of dimensions.
    fn check_nearer(
        &self,
        channel: Channel,
        link: usize,
        number: usize,
        worm: &Worm,
        bit_time: u64,
    ) -> Result<(), Violation> {
        let message = worm.message;
        let from = worm.times.path[worm.times.path.len() - 2];
        let is_end = self.end(from, link) == Some(channel.node);
        let [before, now] = [from, channel.node].map(|node| self.distance(node, worm.destination));
        if !is_end || before != now + 1 {
            return Err(Violation::NotNearer {
                channel,
                bit_time,
                message,
            });
        }
        if number < self.virtual_channels - self.escapes() {
            return Ok(());
        }
        // From here to where the worm turns into another dimension.
        let dimension = self.dimension(link);
        let last = self.digit(worm.destination, dimension);
        let mut digit = self.digit(from, dimension);
        let mut wraps = false;
        while let Some(next) = self.next_digit(digit, link).filter(|_| digit != last) {
            wraps |= next.abs_diff(digit) > 1;
            digit = next;
        }
        let back = usize::from(wraps && self.escapes() == 2);
        let is_escape = number + 1 + back == self.virtual_channels;
        if !is_escape || self.in_order(from, worm.destination) != Some(link) {
            return Err(Violation::WrongEscape {
                channel,
                bit_time,
                message,
            });
        }
        Ok(())
    }
}
