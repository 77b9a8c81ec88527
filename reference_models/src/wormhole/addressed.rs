//! Worms whose header is an address: an input channel keeps it in a register, and sends it again before what its buffer
//! holds.

use super::links::Links;
use super::model::Model;
use super::worm::Flit;
use super::{Routing, Variant, Violation};

impl Model<'_> {
    /// The links, if headers are addresses.
    pub fn addressed(&self) -> Option<&Links> {
        let links = self.plan.links.as_ref();
        links.filter(|links| links.routing == Routing::Adaptive)
    }

    /// The bit that a connected input channel sends next is one of the address: over a link all of it is sent first.
    pub fn repeats(&self, input: usize) -> bool {
        let is_link = |output: usize| self.plan.outputs[output].far.is_some();
        self.addressed().is_some_and(|links| {
            self.variant != Variant::KeepsAddress
                && self.inputs[input].connected.is_some_and(is_link)
                && self.inputs[input].repeated < links.address_bits()
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
