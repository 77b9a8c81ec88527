//! The machine of ports: nodes, a sequencer, and hosts on wires.

use std::sync::Arc;

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::language::bit::{Bit, Strobe};
use crate::machine::device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Router};
use crate::machine::shown::{Counted, Shown};
use crate::machine::topology::hosted::HostedHypercube;
use crate::routers::ports::algorithm::{Algorithm, PortModel};
use crate::routers::ports::broadcast::{Broadcast, Turns};
use crate::routers::ports::configuration::turn_bits;
use crate::routers::ports::node::PortNode;
use crate::routers::ports::packets::{channels_and_trees, is_supplied};
use crate::routers::ports::sends::order_bits::OrderBits;
use crate::routers::ports::sends::{Send, steps};
use crate::routers::ports::sequencer::{PortSequencer, STEPS};
use crate::routers::ports::strobes::PortStrobes;
use crate::routers::ports::two_rooted_tree::{self, TreeNode};
use crate::routers::ports::wires::HostWires;

/// The machine that runs a broadcast.
#[derive(Clone, Debug, PartialEq)]
pub struct PortMachine {
    /// The list that is run, where one is.
    sends: Arc<[Send]>,
    broadcast: Broadcast,
    turns: Turns,
    wires: HostWires,
}

impl PortMachine {
    /// It behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn as_device(&self) -> &dyn device::Device {
        self
    }

    /// For a broadcast.
    ///
    /// # Errors
    /// Those of [`Broadcast::checked`].
    pub fn new(broadcast: Broadcast) -> Result<Self, Error> {
        let broadcast = broadcast.checked()?;
        let (channels, trees) = channels_and_trees(&broadcast);
        let groups = broadcast.packets.div_ceil(trees);
        let is_supplied = is_supplied(&broadcast);
        Ok(PortMachine {
            sends: Arc::new([]),
            wires: HostWires::new(broadcast.cube, channels, (trees, groups), is_supplied),
            turns: Turns::of(&broadcast),
            broadcast,
        })
    }

    /// For a list of sends, in as many steps as it takes, whatever the algorithm of `broadcast` is. Nobody looks here at whether the
    /// list makes sense ([`read_sends`](super::sends::read::read_sends) does): nodes do as they are told.
    ///
    /// # Errors
    /// Those of [`Broadcast::checked`].
    pub fn listed(broadcast: Broadcast, sends: &[Send]) -> Result<Self, Error> {
        let algorithm = Algorithm::Listed {
            steps: steps(sends),
        };
        let machine = PortMachine::new(Broadcast {
            algorithm,
            ..broadcast
        })?;
        Ok(PortMachine {
            sends: sends.into(),
            ..machine
        })
    }

    /// What it runs.
    pub fn broadcast(&self) -> &Broadcast {
        &self.broadcast
    }

    /// The wires to a node's host.
    pub fn wires(&self) -> &HostWires {
        &self.wires
    }

    /// What the configuration of each node is to be, by relative address; nothing where closed rules do.
    pub fn places(&self) -> Option<Vec<TreeNode>> {
        (self.broadcast.algorithm == Algorithm::TwoRootedTree)
            .then(|| two_rooted_tree::places(self.broadcast.cube, &self.turns))
    }

    /// What the orders of each node are to be; nothing where no list is run.
    pub fn order_bits(&self) -> Option<OrderBits> {
        matches!(self.broadcast.algorithm, Algorithm::Listed { .. })
            .then(|| OrderBits::of(&self.broadcast, &self.sends))
    }

    /// What stands in a configuration, of a place, field by field.
    pub fn configuration(&self, place: &TreeNode, field: Field) -> Option<u64> {
        use crate::routers::ports::configuration::{FIRST, PARENT, PHASE, SECOND, TURN};
        let one = |port: Option<usize>| port.map_or(0, |port| 1 << port);
        let phases = self.turns.phases;
        let [first, second] = place.children.map(one);
        Some(match field {
            PARENT => one(place.parent),
            // All children at once.
            FIRST if phases == 1 => first | second,
            FIRST => first,
            SECOND => second,
            TURN => (place.sends_from / phases) as u64,
            PHASE => 1 << (place.sends_from % phases),
            _ => return None,
        })
    }
}

impl Machine for PortMachine {
    type Topology = HostedHypercube;
    type Broadcast<S: Strobe> = PortStrobes<S>;
    type Node<B: Bit> = PortNode<B>;
    type Sequencer<S: Strobe> = PortSequencer<S>;

    fn topology(&self) -> HostedHypercube {
        self.wires.network(self.broadcast.cube)
    }

    fn node<B: Bit>(&self) -> PortNode<B> {
        PortNode::new(&self.broadcast, &self.turns, self.wires)
    }

    fn sequencer<S: Strobe>(&self) -> PortSequencer<S> {
        PortSequencer::new(&self.broadcast, self.turns)
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut PortNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }
}

impl Router for PortMachine {
    const STEPS: &'static [&'static str] = &STEPS;
    const FIRST_SCREEN: usize = 8;

    /// What a list of sends keeps is in no buffer whose packets could be counted.
    fn shown(&self) -> Shown {
        Shown {
            occupancy: match self.broadcast.algorithm {
                Algorithm::Listed { .. } => Counted::Nothing,
                _ => Counted::Occupied,
            },
            ..Shown::default()
        }
    }

    fn bit_times(&self) -> ClosedForm {
        self.broadcast.bit_times()
    }

    /// Two flip-flops a port, four a channel, and packets; of a list three a channel, all packets, and orders.
    fn storage_bits(&self) -> ClosedForm {
        let (cube, phases) = (self.broadcast.cube, self.turns.phases);
        let (n, mut steps) = (cube.count(), 0);
        let text = match (self.broadcast.algorithm, self.broadcast.ports) {
            (Algorithm::Listed { steps: listed }, ports) => {
                steps = listed;
                match ports {
                    PortModel::All => "PB + 2nPS + 5n",
                    _ => "PB + 2nPS + 2n + 3",
                }
            }
            (Algorithm::Broadcast2, _) => "PB + 6n",
            (Algorithm::Broadcast3A, _) => "nB + 6n",
            (Algorithm::MultipleTrees, PortModel::All)
            | (Algorithm::Broadcast3B | Algorithm::Broadcast4, _) => "2nB + 6n",
            (Algorithm::TwoRootedTree, PortModel::All) => "2B + 4n + 4 + W",
            (Algorithm::TwoRootedTree, PortModel::OneWay) => {
                "B + 4n + 4 + W (n = 1); B + 5n + 4 + W + I"
            }
            (Algorithm::TwoRootedTree, PortModel::TwoWay) => {
                "2B + 4n + 4 + W (n = 1); B + 5n + 4 + W + I (n = 2); 2B + 5n + 4 + W + I"
            }
            (Algorithm::BinomialTree, PortModel::OneWay | PortModel::TwoWay)
            | (Algorithm::HamiltonianPath, PortModel::OneWay)
            | (Algorithm::Broadcast1, _) => "B + 2n + 4",
            _ => "2B + 2n + 4",
        };
        let letters = [
            ("n", n),
            ("P", self.broadcast.packets),
            ("B", self.broadcast.packet_bits),
            ("S", steps),
            ("W", turn_bits(cube, phases)),
            ("I", phases),
        ];
        ClosedForm::of(text, &letters.map(|(letter, size)| (letter, size as u64)))
    }

    fn position(&self, sequencer: &PortSequencer<bool>) -> Position {
        sequencer.position()
    }

    fn occupancy<B: Bit>(
        &self,
        node: &PortNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        node.occupancy(count);
    }

    fn messages<B: Bit>(
        &self,
        node: &PortNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        node.occupancy(&mut |flag, _| count(flag));
    }
}
