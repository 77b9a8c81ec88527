//! What must hold when a worm comes to a node over a link.

use super::Links;
use crate::wormhole::Violation;
use crate::wormhole::linked::Hop;

impl Links {
    /// The hop is the next of the worm's way, and over a channel of the class of its phase and of the datelines
    /// that the worm had crossed in this dimension before it.
    pub fn check_way(&self, hop: &Hop<'_>) -> Result<(), Violation> {
        let phase = hop.check_way(self)?;
        let path = &hop.worm.times.path;
        let crossed = |&place: &usize| {
            let digits = [path[place], path[place + 1]]
                .map(|node| self.digit(node, self.dimension(hop.link)));
            hop.worm.way[place] == (phase, hop.link) && digits[0].abs_diff(digits[1]) > 1
        };
        let datelines = (0..hop.place()).filter(crossed).count();
        hop.check_class(self.class(phase, datelines.min(1)), self.classes())
    }

    /// The hop leads nearer, and over an escape channel only in order of dimensions.
    pub fn check_nearer(&self, hop: &Hop<'_>) -> Result<(), Violation> {
        let &Hop {
            channel,
            link,
            number,
            worm,
            bit_time,
        } = hop;
        let message = worm.message;
        let from = hop.from();
        let [before, now] = [from, channel.node].map(|node| self.distance(node, worm.destination));
        if !hop.is_end(self) || before != now + 1 {
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
