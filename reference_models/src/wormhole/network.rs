//! What is connected to what: switches, their input and output channels, and the wires.

use std::collections::HashMap;
use std::fmt;

use super::butterflies::{self, Lane, Line, Product};
use super::limits::check;
use super::linked::{self, Linked, Outputs};
use super::shape::Shape;
use super::theorem3::Copy;
use super::{Machine, Network, Variant, Violation};

/// An end of a switch. Numbers are virtual channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Port {
    /// From the host.
    Injection,
    /// From the level before.
    StraightIn(usize),
    /// From the other column.
    CrossIn(usize),
    /// Of hypercubes, grids and networks that are listed, from the neighbour over a link.
    LinkIn {
        /// The link, by its number at the neighbour.
        link: usize,
        /// Which virtual channel of it.
        channel: usize,
    },
    /// Of butterflies, from the far end of a lane.
    LaneIn(Lane),
    /// To the next level.
    StraightOut(usize),
    /// To the other column.
    CrossOut(usize),
    /// Of hypercubes, grids and networks that are listed, to the neighbour over a link.
    LinkOut {
        /// The link.
        link: usize,
        /// Which virtual channel of it.
        channel: usize,
    },
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
    /// Its node's number: of a CCC, a hypercube, a grid or a network that is listed.
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
    /// A torus's or a mesh's, or of a network that is listed.
    Grid {
        /// The driver.
        node: usize,
        /// The link; of a network that is listed, its slot.
        link: usize,
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
            Wire::Grid { node, link } => write!(formatter, "the wire of node {node}, link {link}"),
            Wire::Eject { node, copy } => {
                write!(formatter, "the eject wire of node {node}, copy {copy}")
            }
        }
    }
}

/// One switch. Switches are in order of node, then of copy.
pub struct SwitchPlan {
    /// `(level, column)` in its CCC; `(0, node)` elsewhere.
    pub vertex: (usize, usize),
    /// Its first input channel.
    pub injection: usize,
}

/// An input channel. Those of a switch follow each other in the order in which arbiters prefer them.
pub struct InputPlan {
    /// Its name.
    pub channel: Channel,
    /// The output channels that a worm in it may take, in the order in which it decides: of each choice any
    /// will do, and there is none where the switch does not have it. None of a worm that goes by its address.
    pub candidates: Vec<Vec<usize>>,
    /// The highest virtual channel of its link.
    pub highest: usize,
    /// Its link crosses the dateline.
    pub dateline: bool,
    /// It is a relay: what comes goes out by the only candidate.
    pub relay: bool,
    /// Flits that it can hold.
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
    /// Of the hypercube with as many nodes, where copies or butterflies lie in one; else 0.
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
    /// Of hypercubes, grids and networks that are listed, where links lead.
    pub links: Option<Box<dyn Linked>>,
    /// Of these, the numbers of their output channels.
    pub numbers: Outputs,
}

impl Plan {
    /// The network of `machine`; `variant` for the choice of channels and for relays only.
    pub fn of(machine: Machine, variant: Variant) -> Result<Plan, Violation> {
        check(machine)?;
        let mut plan = Plan {
            machine,
            nodes: 0,
            copies: 1,
            dimensions: 0,
            switches: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            wires: Vec::new(),
            product: None,
            links: None,
            numbers: Outputs::default(),
        };
        match machine.network {
            Network::CubeConnectedCycles { levels } => plan.fill(levels, Vec::new(), variant),
            Network::Copies { levels, copies } => {
                plan.copies = copies;
                let maps = (0..copies).map(|k| Copy::new(levels, k)).collect();
                plan.fill(levels, maps, variant);
            }
            Network::Butterflies { levels } => {
                plan.dimensions = butterflies::dimensions(levels);
                plan.nodes = 1 << plan.dimensions;
                butterflies::fill(&mut plan, levels, variant);
            }
            Network::Hypercube { .. } | Network::Grid { .. } | Network::Listed(_) => {
                if let Some(links) = linked::of(machine, variant) {
                    linked::fill(&mut plan, links);
                }
            }
        }
        Ok(plan)
    }

    /// Of a CCC, or of copies that lie as `maps` say.
    fn fill(&mut self, levels: usize, maps: Vec<Copy>, variant: Variant) {
        self.nodes = levels << levels;
        self.dimensions = levels + levels.ilog2() as usize;
        let shape = Shape {
            machine: self.machine,
            levels,
            raises: variant != Variant::NeverRaisesVirtualChannel,
            maps,
        };
        self.list_channels(&shape);
        self.connect(&shape);
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
