//! What a node of each network is made of: its switches, and the links that they share.

use crate::embedding::copies::Copies;
use crate::error::Error;
use crate::language::register::Name;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::routers::wormhole::network::{
    MAX_BUFFER_BITS, MAX_VIRTUAL_CHANNELS, Network, Parameters,
};
use crate::routers::wormhole::plan::{
    ChannelPlan, InputPlan, LevelCode, LinkPlan, LinkWires, Plan, Port, Request, SwitchPlan, When,
};

impl Network {
    /// The plan of its nodes.
    ///
    /// # Errors
    /// [`Error::VirtualChannels`], [`Error::BufferBits`] out of range.
    pub fn plan(&self, parameters: Parameters) -> Result<Plan, Error> {
        let Parameters {
            virtual_channels,
            buffer_bits,
            weak_switch,
        } = parameters;
        if !(1..=MAX_VIRTUAL_CHANNELS).contains(&virtual_channels) {
            return Err(Error::VirtualChannels { virtual_channels });
        }
        if !(1..=MAX_BUFFER_BITS).contains(&buffer_bits) {
            return Err(Error::BufferBits {
                bits: buffer_bits,
                limit: MAX_BUFFER_BITS,
            });
        }
        let (switch, levels, links) = match self {
            Network::CubeConnectedCycles(cycles) => (
                cycles_switch(virtual_channels),
                vec![level_0(*cycles)],
                cycles_links(virtual_channels),
            ),
            Network::Copies { copies, used } => (
                cycles_switch(virtual_channels),
                (0..*used).map(|copy| level_code(copies, copy)).collect(),
                copies_links(copies, *used, virtual_channels),
            ),
            Network::ECube(dimensions) => {
                let code = LevelCode {
                    window: Vec::new(),
                    codes: Vec::new(),
                };
                let (switch, links) = e_cube(dimensions.count());
                (switch, vec![code], links)
            }
        };
        let mut plan = Plan {
            switch,
            levels,
            links,
            buffer_bits,
            one_setup: weak_switch,
        };
        let mut first = 0;
        for link in &mut plan.links {
            link.wires = LinkWires::new(first, link.channels.len());
            first = link.wires.end();
        }
        Ok(plan)
    }
}

/// A link whose wires are numbered later.
fn link(name: Name, channels: Vec<ChannelPlan>) -> LinkPlan {
    LinkPlan {
        name,
        wires: LinkWires::new(0, channels.len()),
        channels,
    }
}

/// Virtual channels of a cross link: a worm crosses columns at the first `n` levels that it visits,
/// so it passes the dateline once at the most before it.
fn cross_channels(virtual_channels: usize) -> usize {
    virtual_channels.min(2)
}

/// Channels of a switch of cube-connected cycles, by number.
struct CycleChannels {
    virtual_channels: usize,
}

impl CycleChannels {
    /// As input channel and, less one for the host's, as output channel.
    fn straight(&self, channel: usize) -> usize {
        channel
    }

    fn cross(&self, channel: usize) -> usize {
        self.virtual_channels + channel
    }

    fn eject(&self) -> usize {
        self.virtual_channels + cross_channels(self.virtual_channels)
    }
}

/// A switch of cube-connected cycles. The virtual channel of a worm is the number of datelines that
/// it has crossed.
fn cycles_switch(virtual_channels: usize) -> SwitchPlan {
    let output = CycleChannels { virtual_channels };
    let crosses = cross_channels(virtual_channels);
    // From channel `from`, as far as there are `there` channels: it is one more behind the
    // dateline.
    let beyond = |from: usize, there: usize, to: &dyn Fn(usize) -> usize| -> Vec<Request> {
        let behind = (from + 1).min(virtual_channels - 1);
        [(from, When::NotAtLevel0), (behind, When::AtLevel0)]
            .into_iter()
            .filter(|(channel, _)| *channel < there)
            .map(|(channel, when)| Request {
                output: to(channel),
                when,
            })
            .collect()
    };
    let always = |output| {
        vec![Request {
            output,
            when: When::Always,
        }]
    };
    let straight = |channel| output.straight(channel);
    let cross = |channel| output.cross(channel);
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: vec![
            always(output.cross(0)),
            always(output.eject()),
            always(output.straight(0)),
        ],
    }];
    inputs.extend((0..virtual_channels).map(|channel| InputPlan {
        name: Name::Numbered("straight_in", channel),
        candidates: vec![
            beyond(channel, crosses, &cross),
            always(output.eject()),
            beyond(channel, virtual_channels, &straight),
        ],
    }));
    inputs.extend((0..crosses).map(|channel| InputPlan {
        name: Name::Numbered("cross_in", channel),
        candidates: vec![always(output.eject()), always(output.straight(channel))],
    }));
    let mut outputs: Vec<Name> = (0..virtual_channels)
        .map(|channel| Name::Numbered("straight_out", channel))
        .collect();
    outputs.extend((0..crosses).map(|channel| Name::Numbered("cross_out", channel)));
    outputs.push(Name::Field("eject"));
    SwitchPlan::new(inputs, &outputs)
}

/// The address bits above the column spell the level; only level 0 matters.
fn level_0(cycles: CubeConnectedCycles) -> LevelCode {
    let columns = cycles.levels();
    LevelCode {
        window: (columns..address_bits(cycles)).rev().collect(),
        codes: vec![0],
    }
}

fn address_bits(cycles: CubeConnectedCycles) -> usize {
    (cycles.nodes() - 1).ilog2() as usize + 1
}

fn cycles_links(virtual_channels: usize) -> Vec<LinkPlan> {
    let number = CycleChannels { virtual_channels };
    let channel = |of: usize| {
        let port = |channel| {
            vec![Port {
                switch: 0,
                channel,
                level: None,
            }]
        };
        ChannelPlan {
            senders: port(of),
            receivers: port(of + 1),
        }
    };
    let straight = (0..virtual_channels).map(|one| channel(number.straight(one)));
    let cross = (0..cross_channels(virtual_channels)).map(|one| channel(number.cross(one)));
    vec![
        link(Name::Field("straight"), straight.collect()),
        link(Name::Field("cross"), cross.collect()),
    ]
}

fn level_code(copies: &Copies, copy: usize) -> LevelCode {
    LevelCode {
        window: copies.window(copy).to_vec(),
        codes: (0..copies.levels())
            .map(|level| copies.cycle(copy, level))
            .collect(),
    }
}

/// The wire of a dimension has two users: a copy's straight link and a copy's cross link; in
/// dimension 1, which no cross link has, the straight links of two levels.
fn copies_links(copies: &Copies, used: usize, virtual_channels: usize) -> Vec<LinkPlan> {
    let number = CycleChannels { virtual_channels };
    let levels = copies.levels();
    // The channels of number `output` of the vertices that `leave` this way, to levels `further`
    // on.
    let channel = |output: usize, further: usize, leave: &dyn Fn(usize, usize) -> bool| {
        let here = (0..used).flat_map(|copy| (0..levels).map(move |level| (copy, level)));
        let here: Vec<(usize, usize)> = here.filter(|&(copy, level)| leave(copy, level)).collect();
        let ports = |channel: usize, further: usize| {
            let port = |&(switch, level): &(usize, usize)| Port {
                switch,
                channel,
                level: Some((level + further) % levels),
            };
            here.iter().map(port).collect()
        };
        ChannelPlan {
            senders: ports(output, 0),
            receivers: ports(output + 1, further),
        }
    };
    let channels = |dimension: usize| -> Vec<ChannelPlan> {
        let straight = |leave: &dyn Fn(usize) -> bool| -> Vec<ChannelPlan> {
            let leaves =
                |copy, level| copies.straight_dimension(copy, level) == dimension && leave(level);
            (0..virtual_channels)
                .map(|one| channel(number.straight(one), 1, &leaves))
                .collect()
        };
        if dimension == 1 {
            let halfway = straight(&|level| level == levels / 2 - 1);
            let last = straight(&|level| level == levels - 1);
            return [halfway, last].concat();
        }
        let leaves = |copy, level| copies.cross_dimension(copy, level) == dimension;
        let cross =
            (0..cross_channels(virtual_channels)).map(|one| channel(number.cross(one), 0, &leaves));
        straight(&|_| true).into_iter().chain(cross).collect()
    };
    (0..copies.dimensions().count())
        .map(|dimension| link(Name::Dimension(dimension), channels(dimension)))
        .collect()
}

/// In order of dimensions: a worm that came across dimension `d` goes on across a higher one, or
/// has arrived.
fn e_cube(dimensions: usize) -> (SwitchPlan, Vec<LinkPlan>) {
    let from = |first: usize| -> Vec<Vec<Request>> {
        (first..=dimensions)
            .map(|output| {
                vec![Request {
                    output,
                    when: When::Always,
                }]
            })
            .collect()
    };
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: from(0),
    }];
    inputs.extend((0..dimensions).map(|dimension| InputPlan {
        name: Name::Numbered("in", dimension),
        candidates: from(dimension + 1),
    }));
    let mut outputs: Vec<Name> = (0..dimensions)
        .map(|dimension| Name::Numbered("out", dimension))
        .collect();
    outputs.push(Name::Field("eject"));
    let links = (0..dimensions).map(|dimension| {
        let port = |channel| {
            vec![Port {
                switch: 0,
                channel,
                level: None,
            }]
        };
        let channel = ChannelPlan {
            senders: port(dimension),
            receivers: port(dimension + 1),
        };
        link(Name::Dimension(dimension), vec![channel])
    });
    (SwitchPlan::new(inputs, &outputs), links.collect())
}
