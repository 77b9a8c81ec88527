//! Broadcast: one node's message to all others (thesis, chapter 2, with its tree program mended).
//!
//! | step | what happens |
//! |---|---|
//! | 1 | every node finds its place in the tree of building blocks ([`tree_program`]) |
//! | 2 | and in the tree of its own block, from the node at which the message enters |
//! | 3 | the message: through the source's sub-block, then from block to block, over all ports at once ([`relay`]) |
//!
//! On the hypercube there are no trees to set up: the message goes over the spanning binomial tree.

pub mod node;
pub mod relay;
pub mod sequencer;
mod shown;
mod times;
pub mod tree_program;

use crate::closed_form::{ClosedForm, Letter};
use crate::error::{Error, no_such_source};
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::language::strobes::Strobes;
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Router, Sequencer};
use crate::machine::shown::Shown;
use crate::machine::topology::Topology;
use crate::routers::reduced_hypercube::collective::{Words, check_word_bits};
use crate::routers::reduced_hypercube::network::BlockNetwork;
use node::{BroadcastNode, BroadcastStrobes};
use sequencer::{BroadcastSequencer, STEPS};
pub use times::{Ports, Times};

/// The tree in a building block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Inner {
    /// The double-rooted tree, from the node of entry: the thesis's.
    #[default]
    DoubleRooted,
    /// The spanning binomial tree, in which messages take the way of e-cube routing. Never slower.
    ECube,
}

/// How a node hands on a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Switching {
    /// When it has all of it.
    #[default]
    StoreAndForward,
    /// Bit by bit, one bit time later.
    CutThrough,
}

/// A broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    network: BlockNetwork,
    inner: Inner,
    switching: Switching,
    source: usize,
    message_bits: usize,
}

/// Steps within RH(n,n) from node 0, over all ports at once, for n = 1 to 4: with the double-rooted tree in the blocks, and with that of
/// e-cube routing. There is no closed form; tests count them.
const STEPS_AMONG_BLOCKS: [[usize; 2]; 4] = [[5, 5], [12, 12], [32, 28], [76, 63]];

impl Broadcast {
    /// From a node, of so many bits.
    ///
    /// # Errors
    /// A source that there is not; no bits or too many.
    pub fn new(
        network: BlockNetwork,
        (inner, switching): (Inner, Switching),
        source: usize,
        message_bits: usize,
    ) -> Result<Self, Error> {
        check_word_bits("messages", message_bits)?;
        if source >= network.nodes() {
            return Err(no_such_source(source, network.nodes()));
        }
        let inner = match network {
            BlockNetwork::Reduced(_) => inner,
            BlockNetwork::Full(_) => Inner::ECube,
        };
        Ok(Broadcast {
            network,
            inner,
            switching,
            source,
            message_bits,
        })
    }

    /// Its machine behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn device(self) -> Box<dyn Device> {
        Box::new(self)
    }

    /// The node that has the message.
    pub fn source(&self) -> usize {
        self.source
    }

    /// Bits of the message.
    pub fn message_bits(&self) -> usize {
        self.message_bits
    }

    /// How nodes hand it on.
    pub fn switching(&self) -> Switching {
        self.switching
    }

    /// Hops of the node that gets it last.
    pub fn steps(&self) -> ClosedForm {
        let text = match (self.network, self.inner) {
            (BlockNetwork::Full(_), _) => "K",
            (_, Inner::DoubleRooted) => "k-n + S_n",
            (_, Inner::ECube) => "k-n + E_n",
        };
        self.form(text, &[])
    }

    /// The value of a closed form in the letters of the network, in `S_n`, `E_n` and `M`, and in `more`.
    fn form(&self, text: &'static str, more: &[Letter<'_>]) -> ClosedForm {
        let mut letters = self.network.letters();
        letters.push(("M", self.message_bits as u64));
        if let BlockNetwork::Reduced(network) = self.network {
            let [double_rooted, e_cube] = STEPS_AMONG_BLOCKS[network.subblock_bits() - 1];
            letters.extend([("S_n", double_rooted as u64), ("E_n", e_cube as u64)]);
        }
        letters.extend(more);
        ClosedForm::of(text, &letters)
    }

    /// Ports of the trees.
    pub fn ports(&self) -> Ports {
        match self.network {
            BlockNetwork::Full(_) => Ports {
                blocks: 0,
                low: 0,
                inner: 0,
            },
            BlockNetwork::Reduced(network) => {
                let (k, n) = (network.block_dimensions(), network.subblock_bits());
                Ports {
                    blocks: network.blocks_dimensions(),
                    low: k - n,
                    inner: match self.inner {
                        Inner::DoubleRooted => n,
                        Inner::ECube => 0,
                    },
                }
            }
        }
    }

    /// How long what takes.
    pub fn times(&self) -> Times {
        let ports = self.ports();
        let program = tree_program::bit_times;
        let hops = self.steps().value as usize;
        let (steps, step_bits) = match self.switching {
            Switching::StoreAndForward => (hops, 1 + self.message_bits),
            Switching::CutThrough => (1, hops + self.message_bits),
        };
        Times {
            ports,
            first: program(ports.blocks).max(program(ports.low)),
            second: program(ports.inner),
            steps,
            step_bits,
        }
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
