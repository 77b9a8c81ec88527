//! Networks whose links and routes are listed: any directed graph, in which worms go as the tables of the nodes say.

use super::linked::{Addresses, Hop, Linked};
use super::network::{Port, Wire};
use super::{Message, Variant, Violation};

mod check;
mod refusal;

pub use check::check;
pub use refusal::Refusal;

/// Links and tables of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Nodes: 2 to 1024.
    pub nodes: usize,
    /// Slots of a node. Every link has one, of the same number at both of its ends.
    pub slots: usize,
    /// Classes of channels: 1 to as many as a link has virtual channels. Channel `v` is of class `v` modulo their number.
    pub classes: usize,
    /// From which node, to which, and in which slot.
    pub links: Vec<(usize, usize, usize)>,
    /// By node and destination: slot and class of the next hop. None where the node is the destination.
    pub routes: Vec<Vec<Option<(usize, usize)>>>,
}

/// Such a network, with its links by node and slot.
pub struct Tables {
    listed: &'static Listed,
    /// Of every link.
    virtual_channels: usize,
    /// The mistake planted.
    variant: Variant,
    ends: Vec<Option<usize>>,
    starts: Vec<Option<usize>>,
}

impl Tables {
    /// Of a list that has been checked.
    pub fn new(listed: &'static Listed, virtual_channels: usize, variant: Variant) -> Tables {
        let none = vec![None; listed.nodes * listed.slots];
        let (mut ends, mut starts) = (none.clone(), none);
        for &(from, to, slot) in &listed.links {
            ends[from * listed.slots + slot] = Some(to);
            starts[to * listed.slots + slot] = Some(from);
        }
        Tables {
            listed,
            virtual_channels,
            variant,
            ends,
            starts,
        }
    }
}

impl Linked for Tables {
    fn nodes(&self) -> usize {
        self.listed.nodes
    }

    fn count(&self) -> usize {
        self.listed.slots
    }

    fn end(&self, node: usize, link: usize) -> Option<usize> {
        self.ends[node * self.listed.slots + link]
    }

    fn start(&self, node: usize, link: usize) -> Option<usize> {
        self.starts[node * self.listed.slots + link]
    }

    fn wire(&self, node: usize, link: usize) -> Wire {
        Wire::Grid { node, link }
    }

    fn choices(&self, _: usize, _: Port) -> Vec<Vec<Port>> {
        Vec::new()
    }

    fn addresses(&self) -> Option<&dyn Addresses> {
        Some(self)
    }

    fn via(&self, message: &Message) -> usize {
        message.destination
    }

    /// The class of each hop, and its slot.
    fn way(&self, [source, _, destination]: [usize; 3]) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        let mut node = source;
        while let Some((slot, class)) = self.listed.routes[node][destination]
            && let Some(end) = self.end(node, slot)
        {
            way.push((class, slot));
            node = end;
        }
        way
    }

    fn header(&self, _: usize, destination: usize, _: &[(usize, usize)]) -> Vec<Vec<bool>> {
        vec![self.address(destination)]
    }

    fn check_hop(&self, hop: &Hop<'_>) -> Result<(), Violation> {
        let class = hop.check_way(self)?;
        hop.check_class(class, self.listed.classes)
    }
}

impl Addresses for Tables {
    fn address_bits(&self) -> usize {
        (usize::BITS - (self.listed.nodes - 1).leading_zeros()) as usize
    }

    /// The node's number, bit 0 first.
    fn address(&self, node: usize) -> Vec<bool> {
        (0..self.address_bits())
            .map(|bit| node >> bit & 1 == 1)
            .collect()
    }

    fn node(&self, address: &[bool]) -> usize {
        let value = |number: usize, bit: &bool| 2 * number + usize::from(*bit);
        address.iter().rev().fold(0, value)
    }

    /// The channels of one class of one link.
    fn permitted(&self, node: usize, destination: usize) -> Vec<Port> {
        let &Listed { nodes, classes, .. } = self.listed;
        let destination = match self.variant {
            Variant::LooksUpAnotherEntry => (destination + 1) % nodes,
            _ => destination,
        };
        let Some((link, class)) = self.listed.routes[node][destination] else {
            return vec![Port::Eject];
        };
        let class = match self.variant {
            Variant::TakesAnotherClass => (class + 1) % classes,
            _ => class,
        };
        (class..self.virtual_channels)
            .step_by(classes)
            .map(|channel| Port::LinkOut { link, channel })
            .collect()
    }

    fn looks_up(&self) -> bool {
        self.variant != Variant::LooksUpInNoTime
    }
}
