//! The routing table of a node: where a worm goes on from here, by its destination. Registers, which hold from the beginning what the
//! node is given, and all input channels read at once.
//!
//! ```text
//!              to_0  [entry]--+
//!              to_1  [entry]--+--[by the destination's address]--> entry --> route register of an input channel
//!               ...           |
//!              to_n  [entry]--+
//! ```
//!
//! An entry is a number: 0 says that nothing is known, 1 to leave the network here, and a higher one to go on by a link over a class
//! of its channels ([`link_code`]). Reading it takes a bit time of its own, as route computation does in most routers (Dally and
//! Towles 2004, Principles and Practices of Interconnection Networks, section 16.2).

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::parts::word::Word;

/// The entry by which a worm leaves the network.
pub const EJECT: usize = 1;

/// The most bits of an entry: 64 classes of links, and two more.
pub const MAX_ENTRY_BITS: usize = 7;

/// The entry by which a worm goes on over a class of channels of a link, where nodes have so many links.
pub fn link_code(links: usize, link: usize, class: usize) -> usize {
    EJECT + 1 + class * links + link
}

/// The size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Entries: one for each node of the network.
    pub nodes: usize,
    /// Links of a node.
    pub links: usize,
    /// Classes of the channels of a link.
    pub classes: usize,
}

impl TableSize {
    /// Bits of an entry.
    pub fn entry_bits(self) -> usize {
        (EJECT + self.links * self.classes).ilog2() as usize + 1
    }

    /// Bits of an address.
    pub fn address_bits(self) -> usize {
        (self.nodes - 1).ilog2() as usize + 1
    }
}

/// Whether bits, bit 0 first, spell a number.
#[inline]
pub fn spells<B: Bit>(bits: &[B], number: usize) -> B {
    let places = bits.iter().enumerate();
    places.fold(B::ONE, |all, (place, &bit)| match number >> place & 1 {
        1 => all & bit,
        _ => all & !bit,
    })
}

/// The table.
#[derive(Clone, Debug)]
pub struct RoutingTable<B: Bit> {
    entries: Vec<Word<B>>,
}

impl<B: Bit> RoutingTable<B> {
    /// An empty one.
    pub fn new(size: TableSize) -> Self {
        RoutingTable {
            entries: vec![Word::new(size.entry_bits(), B::ZERO); size.nodes],
        }
    }

    /// Its bits, entry by entry, bit 0 first: to be given what they begin with.
    pub fn bits(&mut self) -> impl Iterator<Item = &mut B> {
        self.entries
            .iter_mut()
            .flat_map(|entry| entry.bits().iter_mut())
    }

    /// The entry of an address.
    #[inline]
    pub fn read(&self, address: &[B]) -> ArrayVec<B, MAX_ENTRY_BITS> {
        let bits = 0..self.entries[0].width();
        bits.map(|bit| self.from(0, address, bit)).collect()
    }

    /// A bit of the entry that the lower bits of an address choose, of those from number `first` on.
    fn from(&self, first: usize, address: &[B], bit: usize) -> B {
        let Some((&top, below)) = address.split_last() else {
            return self.entries[first][bit];
        };
        let low = self.from(first, below, bit);
        let half = first + (1 << below.len());
        match half < self.entries.len() {
            true => top.mux(self.from(half, below, bit), low),
            false => low,
        }
    }
}

impl<B: Bit> Registers<B> for RoutingTable<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "RoutingTable");
        for (destination, entry) in self.entries.iter().enumerate() {
            entry.visit(Name::Numbered("to", destination), visitor);
        }
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for entry in &mut self.entries {
            entry.visit_mut(visitor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_reads_its_own_entry() {
        for nodes in 2..=40 {
            let size = TableSize {
                nodes,
                links: 5,
                classes: 3,
            };
            assert_eq!(size.entry_bits(), 5);
            let mut table = RoutingTable::<bool>::new(size);
            let entry = |node: usize| (7 * node + 3) % 17;
            for (number, bit) in table.bits().enumerate() {
                *bit = entry(number / 5) >> (number % 5) & 1 == 1;
            }
            for node in 0..nodes {
                let bits = 0..size.address_bits();
                let address: Vec<bool> = bits.map(|bit| node >> bit & 1 == 1).collect();
                assert!(spells(&table.read(&address), entry(node)));
                assert!(!spells(&table.read(&address), entry(node) + 1));
            }
        }
    }

    #[test]
    fn entries_have_as_many_bits_as_their_highest_number() {
        for (links, classes, bits) in [
            (1, 1, 2),
            (2, 1, 2),
            (3, 1, 3),
            (4, 2, 4),
            (7, 2, 4),
            (31, 2, 6),
            (64, 1, 7),
        ] {
            let size = TableSize {
                nodes: 2,
                links,
                classes,
            };
            let highest = link_code(links, links - 1, classes - 1);
            assert_eq!(size.entry_bits(), bits);
            assert!(
                highest >> bits == 0 && highest >> (bits - 1) == 1,
                "{links} {classes}"
            );
        }
    }
}
