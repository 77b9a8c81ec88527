//! Networks whose links all have the same virtual channels: what each of them has of its own.

use super::links::Links;
use super::listed::Tables;
use super::network::{Port, Wire};
use super::{Machine, Message, Network, Variant, Violation};

mod channels;
mod hop;

pub use channels::{Outputs, fill};
pub use hop::Hop;

/// Where links lead, and which way worms go over them.
pub trait Linked {
    /// How many nodes there are.
    fn nodes(&self) -> usize;

    /// How many links a node has, those included that some nodes do not have.
    fn count(&self) -> usize;

    /// The node to which a link of a node leads.
    fn end(&self, node: usize, link: usize) -> Option<usize>;

    /// The node from which the link of that number comes to a node.
    fn start(&self, node: usize, link: usize) -> Option<usize>;

    /// The wire of a link.
    fn wire(&self, node: usize, link: usize) -> Wire;

    /// What answers of a header may choose in a channel of a node, in the order in which it is asked: of each choice any of
    /// some output channels. None where headers are addresses.
    fn choices(&self, node: usize, port: Port) -> Vec<Vec<Port>>;

    /// How addresses are read, if headers are addresses.
    fn addresses(&self) -> Option<&dyn Addresses>;

    /// The node by which a message goes to its destination; the destination if it goes straight there.
    fn via(&self, message: &Message) -> usize;

    /// For each hop of the way from the first of `ends` by the second to the last a number that its class depends on, and
    /// its link. None where worms find it on the way.
    fn way(&self, ends: [usize; 3]) -> Vec<(usize, usize)>;

    /// The header of a worm that goes that way: for each channel what it reads, or the address for all of them.
    fn header(&self, source: usize, destination: usize, way: &[(usize, usize)]) -> Vec<Vec<bool>>;

    /// Checks that a worm may come so.
    fn check_hop(&self, hop: &Hop<'_>) -> Result<(), Violation>;
}

/// Headers that are addresses.
pub trait Addresses {
    /// Bits of an address.
    fn address_bits(&self) -> usize;

    /// The address of a node.
    fn address(&self, node: usize) -> Vec<bool>;

    /// The node that has an address.
    fn node(&self, address: &[bool]) -> usize;

    /// The output channels that a worm at `node` may take, in the order in which it tries them.
    fn permitted(&self, node: usize, destination: usize) -> Vec<Port>;

    /// An input channel finds them in a table, for which it needs a bit time between its last address bit and its first
    /// request, and keeps what it found.
    fn looks_up(&self) -> bool;
}

/// Of a machine whose network is one of these.
pub fn of(machine: Machine, variant: Variant) -> Option<Box<dyn Linked>> {
    match machine.network {
        Network::Listed(listed) => Some(Box::new(Tables::new(
            listed,
            machine.virtual_channels,
            variant,
        ))),
        _ => Some(Box::new(Links::of(machine, variant)?)),
    }
}
