//! Worms whose header is an address: an input channel keeps it in a register, and sends it again before what its buffer
//! holds.

use super::flits::{Flit, carry, unpack};
use super::linked::Addresses;
use super::model::Model;
use super::{Variant, Violation};

impl Model<'_> {
    /// How they are read, if headers are addresses.
    pub fn addressed(&self) -> Option<&dyn Addresses> {
        self.plan.links.as_ref()?.addresses()
    }

    /// How many flits an address is, if headers are addresses.
    fn address_flits(&self) -> Option<usize> {
        let bits = self.addressed()?.address_bits();
        Some(bits.div_ceil(self.plan.machine.wire_bits))
    }

    /// The whole address has been read.
    pub fn has_address(&self, input: usize) -> bool {
        self.address_flits() == Some(self.inputs[input].address.len())
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
        let bits = unpack(&self.inputs[input].address, self.plan.machine.wire_bits);
        let ports = self.addressed().map(|addresses| {
            let address: Vec<bool> = bits.take(addresses.address_bits()).collect();
            addresses.permitted(node, addresses.node(&address))
        });
        let number = |port| self.plan.numbers.number(node, port);
        (ports.into_iter().flatten()).filter_map(number).collect()
    }

    /// The flit that a connected input channel sends next is one of the address: over a link all of it is sent first.
    pub fn repeats(&self, input: usize) -> bool {
        let is_link = |output: usize| self.plan.outputs[output].far.is_some();
        self.address_flits().is_some_and(|flits| {
            self.variant != Variant::KeepsAddress
                && self.inputs[input].connected.is_some_and(is_link)
                && self.inputs[input].repeated < flits
        })
    }

    /// The flit that an input channel sends, if the one at `place` of its buffer is next.
    pub fn flit_to_send(&self, input: usize, place: usize) -> Flit {
        let channel = &self.inputs[input];
        let flit = channel.buffer[place];
        let next = match self.repeats(input) {
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
        };
        match self.variant {
            Variant::TurnsFlits => next.turned(self.plan.machine.wire_bits),
            _ => next,
        }
    }

    /// A flit of an address has been read, which is to be that of the worm's destination.
    pub fn read_address(&mut self, input: usize, flit: Flit) -> Result<(), Violation> {
        self.inputs[input].address.push(flit.value);
        let read = &self.inputs[input].address;
        let destination = self.worms[flit.worm].destination;
        let is_read = |addresses: &dyn Addresses| {
            let wires = self.plan.machine.wire_bits;
            carry(read, wires, &addresses.address(destination))
        };
        if !self.addressed().is_some_and(is_read) {
            return Err(Violation::WrongAddress {
                channel: self.plan.inputs[input].channel,
                bit_time: self.now,
                message: self.worms[flit.worm].message,
            });
        }
        Ok(())
    }
}
