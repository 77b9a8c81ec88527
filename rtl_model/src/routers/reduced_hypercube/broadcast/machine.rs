//! The machine of a broadcast.

use crate::closed_form::ClosedForm;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::language::strobes::Strobes;
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Router, Sequencer};
use crate::machine::shown::Shown;
use crate::routers::reduced_hypercube::broadcast::node::{BroadcastNode, BroadcastStrobes};
use crate::routers::reduced_hypercube::broadcast::operation::{Broadcast, Inner, Switching};
use crate::routers::reduced_hypercube::broadcast::sequencer::{BroadcastSequencer, STEPS};
use crate::routers::reduced_hypercube::broadcast::{shown, tree_program};
use crate::routers::reduced_hypercube::collective::Words;
use crate::routers::reduced_hypercube::network::BlockNetwork;

impl Broadcast {
    /// Its machine behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn device(self) -> Box<dyn Device> {
        Box::new(self)
    }
}

impl Machine for Broadcast {
    type Topology = BlockNetwork;
    type Broadcast<S: Strobe> = BroadcastStrobes<S>;
    type Node<B: Bit> = BroadcastNode<B>;
    type Sequencer<S: Strobe> = BroadcastSequencer<S>;

    fn topology(&self) -> BlockNetwork {
        self.network
    }

    fn node<B: Bit>(&self) -> BroadcastNode<B> {
        BroadcastNode::new(self)
    }

    fn sequencer<S: Strobe>(&self) -> BroadcastSequencer<S> {
        BroadcastSequencer::new(self)
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut BroadcastNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn host_reads<B: Bit>(&self, node: &BroadcastNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl Router for Broadcast {
    const STEPS: &'static [&'static str] = &STEPS;
    const ITERATIONS_DIFFER: bool = true;

    fn first_screen(&self) -> usize {
        shown::steps_to_begin_with(self)
    }

    fn shown(&self) -> Shown {
        shown::shown(self)
    }

    fn text(&self, sequencer: &BroadcastSequencer<bool>, _number: usize, text: &mut String) {
        text.push_str(sequencer.told());
    }

    fn numbers<B: Lanes>(
        &self,
        sequencer: &BroadcastSequencer<bool>,
        node: &BroadcastNode<B>,
        address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        let mut strobes = BroadcastStrobes::idle();
        sequencer.broadcast(&mut strobes);
        node.show((&strobes, sequencer.bits_over()), address, bit);
    }

    /// The set-up `T`, then a start bit and the message a step; cut through, a bit time a step, and the message.
    fn bit_times(&self) -> ClosedForm {
        let text = match (self.network, self.switching, self.inner) {
            (BlockNetwork::Full(_), Switching::StoreAndForward, _) => "K(M+1)",
            (BlockNetwork::Full(_), Switching::CutThrough, _) => "K + M",
            (_, Switching::StoreAndForward, Inner::DoubleRooted) => "T + (k-n + S_n)(M+1)",
            (_, Switching::StoreAndForward, Inner::ECube) => "T + (k-n + E_n)(M+1)",
            (_, Switching::CutThrough, Inner::DoubleRooted) => "T + k-n + S_n + M",
            (_, Switching::CutThrough, Inner::ECube) => "T + k-n + E_n + M",
        };
        self.form(text, &[("T", self.times().set_up() as u64)])
    }

    /// The message with its start bit, two flip-flops, and relations.
    fn storage_bits(&self) -> ClosedForm {
        let text = match self.network {
            BlockNetwork::Full(_) => "M + 3",
            BlockNetwork::Reduced(_) => "M + 3 + R",
        };
        let ports = self.ports();
        let relations = [ports.blocks, ports.low, ports.inner].map(tree_program::storage_bits);
        self.form(text, &[("R", relations.iter().sum::<usize>() as u64)])
    }

    fn position(&self, sequencer: &BroadcastSequencer<bool>) -> Position {
        sequencer.position()
    }

    /// The bits of a message that is there as a whole.
    fn occupancy<B: Bit>(
        &self,
        node: &BroadcastNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        count(node.has_message(), self.message_bits as u32);
    }

    fn messages<B: Bit>(
        &self,
        node: &BroadcastNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        count(node.has_message());
    }
}
