//! Where a channel leads, and the way a worm takes: read off the plan and the addresses, for hosts
//! and reports. No node looks at it.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::machine::topology::Topology;
use crate::routers::wormhole::levels::Here;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::direct::Direct;
use crate::routers::wormhole::plan::{Addressed, End, MAX_LINES, Standing, When};

#[cfg(test)]
mod tests;

/// An input channel of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId {
    /// The node.
    pub node: usize,
    /// Its switch.
    pub switch: usize,
    /// The channel's number in it.
    pub input: usize,
}

/// A link that a worm crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The node that it leaves.
    pub node: usize,
    /// The link's number there.
    pub link: usize,
    /// Bits that cross: the body, and the header bits that have not been consumed.
    pub bits: usize,
    /// The lanes any of which it takes; this is the first one. 1 where there is no choice.
    pub lanes: usize,
    /// All of them go over this link.
    pub is_only_link: bool,
    /// The node that it comes to.
    pub to: usize,
    /// The input channel there; none at a relay.
    pub input: Option<ChannelId>,
}

/// Where a switch stands, for observers.
#[derive(Clone, Debug)]
pub struct Standpoint<B> {
    at_level_0: ArrayVec<B, MAX_LINES>,
    address: Vec<B>,
}

impl<B> Standpoint<B> {
    /// As the switch's logic takes it.
    pub fn here(&self) -> Here<'_, B> {
        Here {
            at_level_0: &self.at_level_0,
            address: &self.address,
        }
    }
}

impl WormholeMachine {
    /// Where a switch of a node stands, as its logic sees it.
    pub fn standpoint<B: Bit<Strobe = bool>>(&self, node: usize, switch: usize) -> Standpoint<B> {
        let plan = self.plan();
        let at_level_0 = (0..plan.lines).map(|line| {
            let at = ChannelId {
                node,
                switch,
                input: 0,
            };
            B::from_strobe(self.stands_at_level_0(at, line))
        });
        Standpoint {
            at_level_0: at_level_0.collect(),
            // Nobody else asks for it.
            address: match plan.switch.addressed {
                Some(_) => self.wiring().address_of(node),
                None => Vec::new(),
            },
        }
    }

    /// Over which link a node's output channel or relay sends, and to what at the other end; none to the
    /// host, or where the node has no such link.
    pub fn next(&self, node: usize, end: End) -> Option<(usize, End)> {
        let plan = self.plan();
        let leads = self.leads().of_sender(plan.sender(end)).iter();
        let stands = |at: Standing| plan.levels[at.code].level(node) == Some(at.level);
        leads
            .filter(|(at, ..)| at.is_none_or(stands))
            .map(|&(_, link, end)| (link, end))
            .find(|(link, _)| self.wiring().has_link(node, *link))
    }

    /// The relays via which an output channel leads, each with its node, and the input channel
    /// behind them; none to the host.
    pub fn lane(
        &self,
        node: usize,
        switch: usize,
        output: usize,
    ) -> Option<(Vec<(usize, usize)>, ChannelId)> {
        let mut relays = Vec::new();
        let (mut node, mut end) = (
            node,
            End::Switch {
                switch,
                channel: output,
            },
        );
        loop {
            let (link, far) = self.next(node, end)?;
            node = self.wiring().far(node, link);
            end = far;
            match far {
                End::Relay(number) => relays.push((node, number)),
                End::Switch { switch, channel } => {
                    let to = ChannelId {
                        node,
                        switch,
                        input: channel,
                    };
                    return Some((relays, to));
                }
            }
        }
    }

    /// The way of a worm that is given to a switch of node `source`, link by link: its header is
    /// read as the switches on its way read it. It ends where the header says, or where the bits
    /// do. Where it may take any of several lanes, it is given the first. Where its header is an address that is compared, it is that of
    /// all ways as long that goes in order of dimensions, over the first channel of each link.
    pub fn way(&self, source: usize, switch: usize, bits: &[bool]) -> Vec<Crossing> {
        if let Some(addressed) = self.plan().switch.addressed {
            return self.addressed_way(addressed, source, bits);
        }
        self.followed((source, switch), bits, self.plan().wire_bits)
            .0
    }

    /// How many answers of a header each channel on the way reads, where they are given one after the other.
    pub(super) fn answers(&self, source: usize, switch: usize, header: &[bool]) -> Vec<usize> {
        let ends = self.followed((source, switch), header, 1).1;
        let begins = [0].into_iter().chain(ends.iter().copied());
        begins.zip(&ends).map(|(begin, end)| end - begin).collect()
    }

    /// The way of a worm whose header has answers, in flits of so many; and how many bits have been read behind each channel.
    fn followed(
        &self,
        (source, switch): (usize, usize),
        bits: &[bool],
        flit: usize,
    ) -> (Vec<Crossing>, Vec<usize>) {
        let (mut way, mut ends) = (Vec::new(), Vec::new());
        let mut here = ChannelId {
            node: source,
            switch,
            input: 0,
        };
        let mut read = 0;
        let plan = &self.plan().switch;
        while let Some((output, lanes, is_only_link)) = self.chosen(here, bits, &mut read) {
            // What is behind the answer that counts fills the flit.
            read = read.next_multiple_of(flit);
            ends.push(read);
            if plan.outputs[output].to_host {
                break;
            }
            let (mut node, mut end) = (
                here.node,
                End::Switch {
                    switch: here.switch,
                    channel: output,
                },
            );
            let begins = way.len();
            while let Some((link, far)) = self.next(node, end) {
                let to = self.wiring().far(node, link);
                let input = match far {
                    End::Relay(_) => None,
                    End::Switch { switch, channel } => Some(ChannelId {
                        node: to,
                        switch,
                        input: channel,
                    }),
                };
                way.push(Crossing {
                    node,
                    link,
                    bits: bits.len() - read,
                    lanes,
                    is_only_link,
                    to,
                    input,
                });
                (node, end) = (to, far);
                if let Some(place) = input {
                    here = place;
                    break;
                }
            }
            if way.len() == begins {
                break;
            }
        }
        (way, ends)
    }

    /// The output channel that a header chooses at an input channel, the first one of how many, and whether all go over one link.
    fn chosen(
        &self,
        at: ChannelId,
        bits: &[bool],
        read: &mut usize,
    ) -> Option<(usize, usize, bool)> {
        let input = &self.plan().switch.inputs[at.input];
        let candidates = &input.candidates;
        let mut chosen = candidates.len() - 1;
        for candidate in 0..candidates.len() - 1 {
            let bit = *bits.get(*read)?;
            *read += 1;
            if bit {
                chosen = candidate;
                break;
            }
        }
        let at_level_0 = self.stands_at_level_0(at, input.line);
        let holds = |when| match when {
            When::AtLevel0 => at_level_0,
            When::NotAtLevel0 => !at_level_0,
            _ => true,
        };
        let requests = (candidates[chosen].iter()).filter(|request| holds(request.when));
        let link = |channel| {
            let switch = at.switch;
            let next = self.next(at.node, End::Switch { switch, channel });
            next.map(|(link, _)| link)
        };
        let mut outputs = requests.map(|request| request.output);
        let first = outputs.next()?;
        let of_first = link(first);
        let others: Vec<Option<usize>> = outputs.map(link).collect();
        let is_only_link = others.iter().all(|other| *other == of_first);
        Some((first, 1 + others.len(), is_only_link))
    }

    /// Whether a channel's switch stands at level 0 in a line.
    fn stands_at_level_0(&self, at: ChannelId, line: usize) -> bool {
        let address = self.wiring().joined().address(at.node);
        let mut codes = self.plan().levels.iter();
        codes.any(|code| code.of == Some((at.switch, line)) && code.level(address) == Some(0))
    }

    /// The way to the node whose address a header is.
    fn addressed_way(&self, addressed: Addressed, source: usize, bits: &[bool]) -> Vec<Crossing> {
        let Some(header) = bits.get(..addressed.address_bits()) else {
            return Vec::new();
        };
        let places = header.iter().enumerate();
        let address = places.fold(0, |all, (place, &bit)| all | usize::from(bit) << place);
        let crossing = |from, link, to, channel, (lanes, is_only_link)| Crossing {
            node: from,
            link,
            bits: bits.len(),
            lanes,
            is_only_link,
            to,
            input: Some(ChannelId {
                node: to,
                switch: 0,
                input: 1 + channel * self.plan().links.len() + link,
            }),
        };
        match self.network() {
            Network::TableRouted(routed) => {
                let virtual_channels = self.parameters().virtual_channels;
                let hops = routed.way(source, address).into_iter();
                hops.map(|(from, next, to)| {
                    let lanes = routed.lanes(next.class, virtual_channels);
                    crossing(from, next.colour, to, next.class, (lanes, true))
                })
                .collect()
            }
            Network::Direct(Direct { space, .. }) => {
                let destination = space.node(address);
                let hops = destination.map_or_else(Vec::new, |node| space.route(source, node));
                hops.into_iter()
                    .map(|hop| {
                        let to = space.far(hop.from, hop.link);
                        crossing(hop.from, hop.link, to, 0, (space.links(), false))
                    })
                    .collect()
            }
            // All others have answers.
            _ => Vec::new(),
        }
    }
}
