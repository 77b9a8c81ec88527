//! What a bit time changes: flits arrive, leave, are read and are ejected.

use super::Variant;
use super::flits::Flit;
use super::linked::Hop;
use super::model::{Decisions, Model};
use super::network::check_virtual_channel;
use super::violation::Violation;

impl Model<'_> {
    /// The end of a bit time.
    pub fn apply(&mut self, decisions: &Decisions) -> Result<(), Violation> {
        self.check_grants(&decisions.grants)?;
        // Flits arrive before any leaves: a place that becomes free now is free in the next bit time.
        let leaving = |model: &Model<'_>, input: usize| match model.variant {
            Variant::LastBitFirst => model.inputs[input].buffer.len() - 1,
            _ => 0,
        };
        let (sends, headers) = (decisions.sends.iter(), decisions.headers.iter());
        let places: Vec<(usize, usize)> = (sends.map(|(_, _, input)| input))
            .chain(headers)
            .map(|&input| (input, leaving(self, input)))
            .collect();
        let mut previous = None;
        for (&(wire, output, input), &(_, place)) in decisions.sends.iter().zip(&places) {
            if previous.replace(wire) == Some(wire) {
                return Err(Violation::TwoBits {
                    wire: self.plan.wires[wire].0,
                    bit_time: self.now,
                });
            }
            let flit = self.flit_to_send(input, place);
            self.wire_last[wire] = Some(output);
            self.carried[wire] += 1;
            match self.plan.outputs[output].far {
                Some(far) => self.arrive(far, flit)?,
                None => self.eject(output, flit)?,
            }
        }
        for &(switch, flit) in &decisions.injections {
            let host = &mut self.hosts[switch];
            if host.current.is_none() {
                host.queue.pop_front();
                self.worms[flit.worm].times.injected = Some(self.now);
                self.in_flight += 1;
            }
            host.current = (!flit.tail).then_some((flit.worm, flit.place + 1));
            self.arrive(self.plan.switches[switch].injection, flit)?;
        }
        for &(output, input) in &decisions.grants {
            self.outputs[output].connected = Some(input);
            self.outputs[output].last = Some(input);
            self.inputs[input].connected = Some(output);
            self.node_last[self.plan.outputs[output].channel.node] = Some(output);
            self.grants += 1;
        }
        let sent = decisions.sends.len();
        for (index, &(input, place)) in places.iter().enumerate() {
            if self.variant == Variant::KeepsHeaderBits && index >= sent {
                let flit = self.inputs[input].buffer[place];
                self.read_header(input, flit)?;
                continue;
            }
            if index < sent && self.repeats(input) {
                let input = &mut self.inputs[input];
                input.repeated += 1;
                input.credits += i64::from(self.variant == Variant::ReturnsCreditsForAddress);
                continue;
            }
            if let Some(flit) = self.inputs[input].buffer.remove(place) {
                match index < sent {
                    true => self.after_send(decisions.sends[index].1, input, flit),
                    false => self.read_header(input, flit)?,
                }
            }
            self.inputs[input].credits += match self.variant {
                _ if self.inputs[input].owes => 0,
                Variant::ReturnsCreditsTwice => 2,
                _ => 1,
            };
        }
        for &input in &decisions.lookups {
            self.inputs[input].route = Some(self.permitted(input));
        }
        for &relay in &decisions.settles {
            self.inputs[relay].owes = false;
            self.inputs[relay].credits += 1;
        }
        Ok(())
    }

    /// Nothing of the route is left behind the tail.
    fn after_send(&mut self, output: usize, input: usize, flit: Flit) {
        if flit.tail {
            let relay = self.plan.inputs[input].relay;
            let input = &mut self.inputs[input];
            input.owner = None;
            input.owes = relay;
            if relay {
                return;
            }
            (input.declined, input.taken, input.connected) = (0, false, None);
            input.repeated = 0;
            if self.variant != Variant::KeepsRoute {
                input.address.clear();
                input.route = None;
            }
            self.outputs[output].connected = None;
        }
    }

    fn read_header(&mut self, input: usize, flit: Flit) -> Result<(), Violation> {
        if flit.place >= self.worms[flit.worm].header {
            return Err(Violation::BodyConsumed {
                channel: self.plan.inputs[input].channel,
                bit_time: self.now,
                place: flit.place,
            });
        }
        match self.addressed() {
            Some(_) => self.read_address(input, flit),
            None => self.read_answers(input, flit),
        }
    }

    /// A flit comes to an input channel, which has it from the next bit time on.
    fn arrive(&mut self, input: usize, flit: Flit) -> Result<(), Violation> {
        let bit_time = self.now;
        let plan = &self.plan.inputs[input];
        let channel = plan.channel;
        let worm = &mut self.worms[flit.worm];
        let input = &mut self.inputs[input];
        let expected = match input.owner {
            Some((first, _)) if first != flit.worm => {
                return Err(Violation::TwoWorms {
                    channel,
                    bit_time,
                    first,
                    second: flit.worm,
                });
            }
            Some((_, next)) => next,
            None => {
                if channel.port.line() != worm.line && !plan.relay {
                    worm.line = channel.port.line();
                    worm.datelines = 0;
                }
                if !plan.relay {
                    worm.times.path.push(channel.node);
                    check_virtual_channel(plan, worm.datelines, bit_time)?;
                    worm.datelines += usize::from(plan.dateline);
                }
                if let Some(links) = &self.plan.links
                    && let Some(hop) = Hop::of(channel, worm, bit_time)
                {
                    links.check_hop(&hop)?;
                }
                // The header flits that have been read do not come.
                worm.consumed
            }
        };
        if flit.place != expected {
            return Err(Violation::OutOfOrder {
                channel,
                bit_time,
                expected,
                found: flit.place,
            });
        }
        input.owner = Some((flit.worm, expected + 1));
        input.credits -= 1;
        input.buffer.push_back(flit);
        if input.buffer.len() > plan.places {
            return Err(Violation::Overflow { channel, bit_time });
        }
        Ok(())
    }

    /// A flit comes to a host.
    fn eject(&mut self, output: usize, flit: Flit) -> Result<(), Violation> {
        let bit_time = self.now;
        let channel = self.plan.outputs[output].channel;
        let worm = &mut self.worms[flit.worm];
        if self.plan.outputs[output].switch != worm.destination {
            return Err(Violation::WrongNode {
                channel,
                bit_time,
                message: worm.message,
            });
        }
        let expected = worm.header + worm.received.len();
        if flit.place != expected {
            return Err(Violation::OutOfOrder {
                channel,
                bit_time,
                expected,
                found: flit.place,
            });
        }
        if worm.received.is_empty() {
            worm.times.head_arrived = Some(bit_time);
        }
        let changes = self.variant == Variant::ChangesFirstBit && worm.received.is_empty();
        worm.received.push(flit.value ^ u64::from(changes));
        if flit.tail {
            worm.times.tail_arrived = Some(bit_time);
            self.left -= 1;
            self.in_flight -= 1;
        }
        Ok(())
    }

    /// Credits and stored flits are always as many as the buffer has places.
    pub fn check_credits(&self) -> Result<(), Violation> {
        for (input, plan) in self.inputs.iter().zip(&self.plan.inputs) {
            let taken = input.buffer.len() + usize::from(input.owes);
            if input.credits + taken as i64 != plan.places as i64 {
                return Err(Violation::Credits {
                    channel: plan.channel,
                    bit_time: self.now,
                    bits: input.buffer.len(),
                    credits: input.credits,
                });
            }
        }
        Ok(())
    }
}
