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
            Routing::Adaptive => Ok(()),
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
}
