//! Where a worm may go that has the address of its destination as its header: by any adaptive channel of a link that
//! leads nearer, or by the escape channel of the link that order of dimensions takes.

use super::{Kind, Links};
use crate::wormhole::Variant;
use crate::wormhole::linked::Addresses;
use crate::wormhole::network::Port;

impl Addresses for Links {
    fn address_bits(&self) -> usize {
        self.dimensions * self.bits_of_a_digit()
    }

    /// The digits of a node's number, digit 0 and of each digit bit 0 first.
    fn address(&self, node: usize) -> Vec<bool> {
        (0..self.dimensions)
            .flat_map(|dimension| {
                let digit = self.digit(node, dimension);
                (0..self.bits_of_a_digit()).map(move |bit| digit >> bit & 1 == 1)
            })
            .collect()
    }

    fn node(&self, address: &[bool]) -> usize {
        let digits = address.chunks(self.bits_of_a_digit()).map(|bits| {
            let value = |digit: usize, bit: &bool| 2 * digit + usize::from(*bit);
            bits.iter().rev().fold(0, value)
        });
        digits
            .rev()
            .fold(0, |node, digit| node * self.radix + digit)
    }

    fn permitted(&self, node: usize, destination: usize) -> Vec<Port> {
        if node == destination {
            return vec![Port::Eject];
        }
        let productive = match self.variant {
            Variant::LeadsAway => self.there_and_back(node, destination),
            _ => self.productive(node, destination),
        };
        (0..self.virtual_channels - self.escapes())
            .flat_map(|channel| productive.iter().map(move |&link| (link, channel)))
            .chain(self.escape(node, destination))
            .map(|(link, channel)| Port::LinkOut { link, channel })
            .collect()
    }

    fn looks_up(&self) -> bool {
        false
    }
}

impl Links {
    /// Bits of an address for each digit.
    fn bits_of_a_digit(&self) -> usize {
        (usize::BITS - (self.radix - 1).leading_zeros()) as usize
    }

    /// Escape channels of a link: the last ones.
    pub fn escapes(&self) -> usize {
        match (self.kind, self.virtual_channels) {
            (_, 1) => 0,
            (Kind::Torus, 3..) => 2,
            _ => 1,
        }
    }

    /// Both links, as far as there are two, of every dimension in which the nodes differ.
    fn there_and_back(&self, node: usize, destination: usize) -> Vec<usize> {
        let mut links = self.productive(node, destination);
        links.extend(links.clone().iter().map(|&link| self.opposite(link)));
        links.sort_unstable();
        links.dedup();
        links
    }

    /// Link and virtual channel of the escape. Where there are two, one is for what has the wrap of the dimension still
    /// before it, and the last for what has not.
    fn escape(&self, node: usize, destination: usize) -> Option<(usize, usize)> {
        let link = match self.variant {
            Variant::EscapesInAnyOrder => self.productive(node, destination).last().copied(),
            _ => self.in_order(node, destination),
        }?;
        let dimension = self.dimension(link);
        let [here, there] = [node, destination].map(|node| self.digit(node, dimension));
        let wraps = match link % 2 {
            0 => there < here,
            _ => there > here,
        };
        let last = self.virtual_channels - 1;
        match (self.escapes(), wraps) {
            (0, _) => None,
            (2, true) if self.variant != Variant::NeverRaisesVirtualChannel => {
                Some((link, last - 1))
            }
            _ => Some((link, last)),
        }
    }
}
