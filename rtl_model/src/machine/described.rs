//! A node and the sequencer that it hears, whatever machine they are of.
//!
//! What looks at every machine in the same way (a netlist, a program) is written over [`Described`], and so compiled once.
//! Written over the machine's own type, all of it would be compiled for each machine anew. The description itself stays as
//! it is: what is called through an object is a whole node in a whole bit time, never a gate.

use crate::language::bit::Bit;
use crate::language::strobes::Strobes;
use crate::language::wires::Transmit;
use crate::machine::router::{Machine, Node, Sequencer};
use crate::machine::topology::Topology;

/// A node and its sequencer, run on some bit.
pub(crate) trait Described<B: Bit> {
    /// The network that they are built for.
    fn topology(&self) -> &dyn Topology;

    /// The sequencer broadcasts: the node hears the strobes of this bit time.
    fn broadcast(&mut self);

    /// 1 once the last step is over.
    fn is_done(&self) -> B::Strobe;

    /// The sequencer's clock edge.
    fn clock_sequencer(&mut self);

    /// What the node puts onto its wires.
    fn transmit(&self, address: &[B], wires: &mut Transmit<'_, B>);

    /// The node's clock edge.
    fn clock_node(&mut self, address: &[B], received: &[B]);
}

/// What a machine describes of both.
pub(crate) struct Description<'a, M: Machine, B: Bit> {
    pub machine: &'a M,
    topology: M::Topology,
    pub sequencer: M::Sequencer<B::Strobe>,
    /// What the node hears.
    pub strobes: M::Broadcast<B::Strobe>,
    pub node: M::Node<B>,
}

impl<'a, M: Machine, B: Bit> Description<'a, M, B> {
    /// Before bit time 0, with idle strobes.
    pub fn of(machine: &'a M) -> Self {
        Description {
            machine,
            topology: machine.topology(),
            sequencer: machine.sequencer(),
            strobes: Strobes::idle(),
            node: machine.node(),
        }
    }
}

impl<M: Machine, B: Bit> Described<B> for Description<'_, M, B> {
    fn topology(&self) -> &dyn Topology {
        &self.topology
    }

    fn broadcast(&mut self) {
        self.strobes = Strobes::idle();
        self.sequencer.broadcast(&mut self.strobes);
    }

    fn is_done(&self) -> B::Strobe {
        self.sequencer.is_done()
    }

    fn clock_sequencer(&mut self) {
        self.sequencer.clock();
    }

    fn transmit(&self, address: &[B], wires: &mut Transmit<'_, B>) {
        self.node.transmit(&self.strobes, address, wires);
    }

    fn clock_node(&mut self, address: &[B], received: &[B]) {
        self.node.clock(&self.strobes, address, received);
    }
}
