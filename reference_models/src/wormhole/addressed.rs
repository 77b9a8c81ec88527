//! Worms whose header is an address: an input channel keeps it in a register, and sends it again before what its buffer
//! holds.

use super::linked::Addresses;
use super::model::Model;
use super::worm::Flit;
use super::{Variant, Violation};

impl Model<'_> {
    /// How they are read, if headers are addresses.
    pub fn addressed(&self) -> Option<&dyn Addresses> {
        self.plan.links.as_ref()?.addresses()
    }

    /// The whole address has been read.
    pub fn has_address(&self, input: usize) -> bool {
        let address = &self.inputs[input].address;
        (self.addressed()).is_some_and(|addresses| address.len() == addresses.address_bits())
    }

    /// An input channel that looks its address up in this bit time, whatever its buffer holds.
    pub fn looks_up(&self, input: usize) -> bool {
        self.addressed().is_some_and(Addresses::looks_up)
            && self.has_address(input)
            && self.inputs[input].route.is_none()
    }

    /// The output channels any of which a worm may take that has the address that was read.
    pub fn permitted(&self, input: usize) -> Vec<usize> {
        let node = self.plan.inputs[input].channel.node;
        let address = &self.inputs[input].address;
        let ports =
            (self.addressed()).map(|addresses| addresses.permitted(node, addresses.node(address)));
        let number = |port| self.plan.numbers.number(node, port);
        (ports.into_iter().flatten()).filter_map(number).collect()
    }

    /// The bit that a connected input channel sends next is one of the address: over a link all of it is sent first.
    pub fn repeats(&self, input: usize) -> bool {
        let is_link = |output: usize| self.plan.outputs[output].far.is_some();
        self.addressed().is_some_and(|addresses| {
            self.variant != Variant::KeepsAddress
                && self.inputs[input].connected.is_some_and(is_link)
                && self.inputs[input].repeated < addresses.address_bits()
        })
    }

    /// The bit that an input channel sends, if the one at `place` of its buffer is next.
    pub fn bit_to_send(&self, input: usize, place: usize) -> Flit {
        let channel = &self.inputs[input];
        let flit = channel.buffer[place];
        match self.repeats(input) {
            true => Flit {
                place: channel.repeated,
                value: match self.variant {
                    Variant::RepeatsAddressBackwards => {
                        channel.address[channel.address.len() - 1 - channel.repeated]
                    }
                    _ => channel.address[channel.repeated],
                },
                tail: false,
                ..flit
            },
            false => flit,
        }
    }

    /// A bit of an address has been read, which is to be that of the worm's destination.
    pub fn read_address(&mut self, input: usize, flit: Flit) -> Result<(), Violation> {
        let header = &self.worms[flit.worm].header;
        let address = &mut self.inputs[input].address;
        address.push(flit.value);
        if !header.starts_with(address) {
            return Err(Violation::WrongAddress {
                channel: self.plan.inputs[input].channel,
                bit_time: self.now,
                message: self.worms[flit.worm].message,
            });
        }
        Ok(())
    }
}
