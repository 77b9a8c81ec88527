//! What a waveform of wormhole routers shows beside wires and registers: how many bits a node holds, which worm each input
//! channel is given to, and when a worm's head gets on.
//!
//! A worm is called `<source>-><destination>`, by the names that the network gives its nodes; where messages go
//! in pieces, with `/<copy>` behind it. That is the tracker's knowledge: the nodes know no worms. A channel is a worm's
//! from the bit time on in which the output channel that feeds it is connected (the injection channel: in which the
//! host sends the first bit) and until the tail has left it, so before and between its bits too.
//!
//! ```no_run
//! # use rtl_model::routers::wormhole::machine::WormholeMachine;
//! # use testbenches::{error::Error, output::Staging, wave::{Request, Wave}};
//! # use testbenches::families::wormhole::{engine::Engine, wave::HeadMarkers};
//! # fn run(machine: WormholeMachine, request: Request<'_>) -> Result<(), Box<dyn std::error::Error>> {
//! let mut staging = Staging::default();
//! let wave = Wave::plan_open(request, &mut staging, &machine, |_| Ok(vec![0, 1]))?;
//! let mut engine = Engine::<u64>::new(machine, 1)?;
//! // Messages go to the hosts here.
//! if let Some(mut wave) = wave {
//!     let mut probe = wave.attach(&engine)?;
//!     let mut heads = HeadMarkers::of(0);
//!     while engine.in_flight() > 0 {
//!         engine.tick(|engine| {
//!             heads.watch(engine);
//!             probe.sample(engine)
//!         })?;
//!     }
//!     let (_, mut recording) = probe.finish()?;
//!     heads.mark(&mut recording);
//!     wave.commit(&recording)?;
//! }
//! # Ok(())
//! # }
//! ```

use std::fmt::Write;

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::Place;
use waves::probe::{Recording, Remark, Subject};

use crate::families::wormhole::engine::Engine;

impl<B: Lanes> Subject for Engine<B> {
    fn simulation(&self) -> &dyn Simulation {
        &self.fabric
    }

    /// Bits in the buffers of all its input channels and relays, headers among them.
    fn occupied_bits(&self, node: usize, _after: Option<Position>) -> u32 {
        let (group, lane) = self.fabric.node(node);
        let buffers = group.switches().iter().flat_map(|switch| {
            let inputs = 0..switch.plan().inputs.len();
            inputs.map(|input| switch.input(input).buffer())
        });
        let relays = group.relays().iter().map(|relay| relay.buffer());
        buffers
            .chain(relays)
            .map(|buffer| {
                let held = (0..buffer.places()).filter(|&place| buffer.holds(place).get(lane));
                held.count() as u32
            })
            .sum()
    }

    /// One for each input channel, switch by switch, and for each relay.
    fn remarks(&self) -> Vec<Remark> {
        let plan = self.fabric.router().plan();
        let switches = plan.switches();
        let longest = longest_worm_name(&self.fabric);
        let of_relays = plan.relays.iter().map(move |relay| Remark {
            module: vec![relay.name.to_string()],
            name: "worm".to_owned(),
            longest,
        });
        (0..switches)
            .flat_map(|switch| {
                plan.switch.inputs.iter().map(move |input| {
                    let mut module = Vec::new();
                    if switches > 1 {
                        module.push(format!("switch_{switch}"));
                    }
                    module.push(input.name.to_string());
                    Remark {
                        module,
                        name: "worm".to_owned(),
                        longest,
                    }
                })
            })
            .chain(of_relays)
            .collect()
    }

    fn remark(&self, node: usize, number: usize, text: &mut String) {
        let plan = self.fabric.router().plan();
        let inputs = plan.switch.inputs.len();
        let worm = match number.checked_sub(plan.switches() * inputs) {
            None => self.tracker.worm(Place {
                node,
                switch: number / inputs,
                input: number % inputs,
            }),
            Some(relay) => self.tracker.relayed(&self.fabric, (node, relay)),
        };
        if let Some(worm) = worm {
            *text += &worm_name(self, worm, node);
        }
    }
}

/// What a worm that is on the same machine as `node` is called.
pub fn worm_name<B: Lanes>(engine: &Engine<B>, worm: usize, node: usize) -> String {
    let topology = engine.fabric.topology();
    let first = node - node % topology.nodes();
    let worm = &engine.worms[worm];
    let message = &engine.messages[worm.message];
    let mut name = format!(
        "{}->{}",
        topology.node_name(first + message.source),
        topology.node_name(first + message.destination)
    );
    if topology.network().has_pieces() {
        // Writing to a string cannot fail.
        let _ = write!(name, "/{}", worm.switch);
    }
    name
}

/// Characters of the longest name that a worm can have: the last node's name is as long as any.
fn longest_worm_name<B: Lanes>(fabric: &Fabric<WormholeMachine, B>) -> usize {
    let topology = fabric.topology();
    let last = fabric.machines() * topology.nodes() - 1;
    let network = topology.network();
    let copy = match network.has_pieces() {
        true => 1 + (network.switches() - 1).to_string().len(),
        false => 0,
    };
    2 * topology.node_name(last).len() + "->".len() + copy
}

/// Marks, for a view, where a worm's head gets on: from when on each node's input channel is its own.
#[derive(Clone, Debug)]
pub struct HeadMarkers {
    worm: usize,
    /// By node on its way: the bit time, and the node's name.
    entered: Vec<(u64, String)>,
}

impl HeadMarkers {
    /// Of the worm of that number.
    pub fn of(worm: usize) -> Self {
        HeadMarkers {
            worm,
            entered: Vec::new(),
        }
    }

    /// In every bit time, when the probe samples.
    pub fn watch<B: Lanes>(&mut self, engine: &Engine<B>) {
        let path = engine.tracker.path(self.worm);
        for &node in &path[self.entered.len()..] {
            let name = engine.fabric.topology().node_name(node);
            self.entered.push((engine.fabric.bit_time(), name));
        }
    }

    /// Puts them into a recording.
    pub fn mark(&self, recording: &mut Recording) {
        for (bit_time, name) in &self.entered {
            recording.mark(*bit_time, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;
    use rtl_model::embedding::copies::Copies;
    use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::wormhole::network::{Network, Parameters};

    use super::*;
    use crate::families::wormhole::message::Message;

    /// A format that declares the width of text beforehand is told the longest name, and no more.
    #[test]
    fn no_worm_has_a_longer_name_than_is_declared() {
        let copies = |levels, used| Network::Copies {
            copies: Copies::new(levels).unwrap(),
            used,
        };
        for (network, machines) in [
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(2).unwrap()),
                1,
            ),
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(4).unwrap()),
                1,
            ),
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(2).unwrap()),
                6,
            ),
            (copies(4, 4), 1),
            (copies(4, 1), 2),
            (Network::ECube(Dimensions::new(3).unwrap()), 1),
            (Network::ECube(Dimensions::new(4).unwrap()), 7),
        ] {
            let nodes = network.nodes();
            let parameters = Parameters {
                virtual_channels: 1,
                buffer_bits: 1,
                weak_switch: false,
            };
            let machine = WormholeMachine::new(network, parameters).unwrap();
            let mut engine = Engine::<u64>::new(machine, machines).unwrap();
            let declared = engine.remarks();
            for source in 0..nodes {
                for destination in 0..nodes {
                    let message = Message {
                        source,
                        destination,
                        created: 0,
                        bits: BitVec::repeat(true, 16),
                    };
                    engine.send(machines - 1, message);
                }
            }
            let longest = (0..engine.worms.len())
                .map(|worm| worm_name(&engine, worm, nodes * machines - 1).len())
                .max();
            for remark in declared {
                assert_eq!(Some(remark.longest), longest);
            }
        }
    }
}
