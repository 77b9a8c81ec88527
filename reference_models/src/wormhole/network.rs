//! What is connected to what: switches, their input and output channels, and the wires.

use std::collections::HashMap;
use std::fmt;

use super::butterflies::{self, Lane, Line, Product};
use super::shape::Shape;
use super::theorem3::Copy;
use super::{Machine, Network, Variant, Violation};

/// An end of a switch. Numbers are virtual channels, or dimensions for e-cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Port {
    /// From the host.
    Injection,
    /// From the level before.
    StraightIn(usize),
    /// From the other column.
    CrossIn(usize),
    /// From the neighbour across a dimension.
    DimensionIn(usize),
    /// The same in the last of two phases.
    LastPhaseIn(usize),
    /// Of butterflies, from the far end of a lane.
    LaneIn(Lane),
    /// To the next level.
    StraightOut(usize),
    /// To the other column.
    CrossOut(usize),
    /// To the neighbour across a dimension.
    DimensionOut(usize),
    /// The same in the last of two phases.
    LastPhaseOut(usize),
    /// Of butterflies, by a lane.
    LaneOut(Lane),
    /// Between the ends of a lane that comes from another node: its number on the path, from 1.
    Relay(Lane, usize),
    /// To the host.
    Eject,
}

impl Port {
    /// Of butterflies, the line of the channel that ends here; rows elsewhere.
    pub fn line(self) -> Line {
        match self {
            Port::LaneIn(lane) => lane.line,
            _ => Line::Row,
        }
    }
}

/// A channel of one switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// CCC node number or hypercube address.
    pub node: usize,
    /// Which copy's switch in the node; 0 if there is one.
    pub copy: usize,
    /// Which end of it.
    pub port: Port,
}

impl fmt::Display for Channel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Channel { node, copy, port } = self;
        write!(formatter, "{port:?} of node {node}, copy {copy}")
    }
}

/// A directed wire, named by the node that drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wire {
    /// A CCC's, to the next level.
    Straight {
        /// The driver.
        node: usize,
    },
    /// A CCC's, to the other column.
    Cross {
        /// The driver.
        node: usize,
    },
    /// A hypercube's.
    Dimension {
        /// The driver.
        node: usize,
        /// The dimension that it crosses.
        dimension: usize,
    },
    /// From a switch to its host.
    Eject {
        /// The node.
        node: usize,
        /// Which copy's switch.
        copy: usize,
    },
}

impl fmt::Display for Wire {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wire::Straight { node } => write!(formatter, "the straight wire of node {node}"),
            Wire::Cross { node } => write!(formatter, "the cross wire of node {node}"),
            Wire::Dimension { node, dimension } => {
                write!(formatter, "the wire of node {node}, dimension {dimension}")
            }
            Wire::Eject { node, copy } => {
                write!(formatter, "the eject wire of node {node}, copy {copy}")
            }
        }
    }
}

/// One switch. Switches are in order of node, then of copy.
pub struct SwitchPlan {
    /// `(level, column)` in its CCC; `(0, node)` for e-cube.
    pub vertex: (usize, usize),
    /// Its first input channel.
    pub injection: usize,
}

/// An input channel. Those of a switch follow each other in the order in which arbiters prefer them.
pub struct InputPlan {
    /// Its name.
    pub channel: Channel,
    /// The output channels that a worm in it may take, in the order in which it decides: of each choice any
    /// will do, and there is none where the switch does not have it.
    pub candidates: Vec<Vec<usize>>,
    /// The highest virtual channel of its link.
    pub highest: usize,
    /// Its link crosses the dateline.
    pub dateline: bool,
    /// It is a relay: what comes goes out by the only candidate.
    pub relay: bool,
    /// Bits that it can hold.
    pub places: usize,
}

/// An output channel. Those of a switch follow each other in the arbiters' order.
pub struct OutputPlan {
    /// Its name.
    pub channel: Channel,
    /// Its switch.
    pub switch: usize,
    /// The input channel that it feeds; `None` for eject.
    pub far: Option<usize>,
    /// The wire that it shares with others.
    pub wire: usize,
}

/// The whole network.
pub struct Plan {
    /// What it is the network of.
    pub machine: Machine,
    /// Nodes.
    pub nodes: usize,
    /// Switches of a node.
    pub copies: usize,
    /// Of the hypercube with as many nodes.
    pub dimensions: usize,
    /// All switches.
    pub switches: Vec<SwitchPlan>,
    /// All input channels.
    pub inputs: Vec<InputPlan>,
    /// All output channels.
    pub outputs: Vec<OutputPlan>,
    /// All wires, each with its output channels in the order of its arbiter.
    pub wires: Vec<(Wire, Vec<usize>)>,
    /// Of butterflies, where they lie.
    pub product: Option<Product>,
}

impl Plan {
    /// The network of `machine`; `variant` for the datelines and relays only.
    pub fn of(machine: Machine, variant: Variant) -> Result<Plan, Violation> {
        let levels = check(machine)?;
        let mut plan = Plan {
            machine,
            nodes: levels << levels,
            copies: 1,
            dimensions: levels + levels.ilog2() as usize,
            switches: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            wires: Vec::new(),
            product: None,
        };
        if let Network::Butterflies { levels } = machine.network {
            plan.dimensions = butterflies::dimensions(levels);
            plan.nodes = 1 << plan.dimensions;
            butterflies::fill(&mut plan, levels, variant);
            return Ok(plan);
        }
        let mut maps = Vec::new();
        if let Network::Copies { copies, .. } = machine.network {
            plan.copies = copies;
            maps = (0..copies).map(|k| Copy::new(levels, k)).collect();
        }
        let shape = Shape {
            machine,
            levels,
            dimensions: plan.dimensions,
            raises: variant != Variant::NeverRaisesVirtualChannel,
            maps,
        };
        plan.list_channels(&shape);
        plan.connect(&shape);
        Ok(plan)
    }

    fn list_channels(&mut self, shape: &Shape) {
        for node in 0..self.nodes {
            for copy in 0..self.copies {
                self.switches.push(SwitchPlan {
                    vertex: shape.vertex(node, copy),
                    injection: self.inputs.len(),
                });
                for port in shape.input_ports() {
                    self.inputs.push(InputPlan {
                        channel: Channel { node, copy, port },
                        candidates: Vec::new(),
                        highest: shape.highest(port),
                        dateline: matches!(port, Port::StraightIn(_))
                            && shape.vertex(node, copy).0 == 0,
                        relay: false,
                        places: self.machine.buffer_bits,
                    });
                }
                for port in shape.output_ports() {
                    self.outputs.push(OutputPlan {
                        channel: Channel { node, copy, port },
                        switch: self.switches.len() - 1,
                        far: None,
                        wire: usize::MAX,
                    });
                }
            }
        }
    }

    fn connect(&mut self, shape: &Shape) {
        let inputs: HashMap<Channel, usize> =
            (self.inputs.iter().map(|input| input.channel).zip(0..)).collect();
        let outputs: HashMap<Channel, usize> =
            (self.outputs.iter().map(|output| output.channel).zip(0..)).collect();
        for input in &mut self.inputs {
            let Channel { node, copy, port } = input.channel;
            let output = |port| {
                outputs
                    .get(&Channel { node, copy, port })
                    .copied()
                    .into_iter()
                    .collect()
            };
            input.candidates = (shape.candidates(node, copy, port).into_iter())
                .map(output)
                .collect();
        }
        // Each wire's channels with their slot and virtual channel.
        let mut wires: HashMap<Wire, Vec<(usize, usize, usize)>> = HashMap::new();
        for (index, output) in self.outputs.iter_mut().enumerate() {
            let (wire, slot, number, far) = shape.link(output.channel);
            output.far = far.map(|channel| inputs[&channel]);
            wires.entry(wire).or_default().push((slot, number, index));
        }
        for (wire, mut channels) in wires {
            channels.sort_unstable();
            let channels: Vec<usize> = channels.into_iter().map(|(.., index)| index).collect();
            for &output in &channels {
                self.outputs[output].wire = self.wires.len();
            }
            self.wires.push((wire, channels));
        }
    }
}

/// The levels, if there is such a machine.
fn check(machine: Machine) -> Result<usize, Violation> {
    let (levels, any) = match machine.network {
        Network::CubeConnectedCycles { levels } => (levels, true),
        Network::Copies { levels, .. }
        | Network::ECube { levels }
        | Network::Valiant { levels }
        | Network::Butterflies { levels } => (levels, false),
    };
    let virtual_channels = machine.virtual_channels;
    if !(2..=16).contains(&levels) || !any && !levels.is_power_of_two() {
        return Err(Violation::Levels { levels });
    }
    if matches!(machine.network, Network::Butterflies { .. }) && levels > 4 {
        return Err(Violation::Levels { levels });
    }
    match machine.network {
        Network::Copies { levels, copies } if !(1..=levels).contains(&copies) => {
            Err(Violation::Copies { copies, levels })
        }
        _ if !(1..=3).contains(&virtual_channels) => {
            Err(Violation::VirtualChannels { virtual_channels })
        }
        _ if machine.buffer_bits == 0 => Err(Violation::NoBuffer),
        _ => Ok(levels),
    }
}

/// A worm's virtual channel is the number of datelines that it has crossed, as far as its link has them.
pub fn check_virtual_channel(
    input: &InputPlan,
    datelines: usize,
    bit_time: u64,
) -> Result<(), Violation> {
    let virtual_channel = match input.channel.port {
        Port::StraightIn(channel) | Port::CrossIn(channel) => channel,
        Port::LaneIn(lane) => lane.number % (input.highest + 1),
        _ => 0,
    };
    if virtual_channel != datelines.min(input.highest) {
        return Err(Violation::VirtualChannel {
            channel: input.channel,
            bit_time,
            datelines,
        });
    }
    Ok(())
}
