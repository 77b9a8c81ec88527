//! What is broadcast, over which trees, and what follows from that alone.

use crate::closed_form::{ClosedForm, Letter};
use crate::error::{Error, no_such_source};
use crate::machine::topology::Topology;
use crate::routers::reduced_hypercube::broadcast::times::{Ports, Times};
use crate::routers::reduced_hypercube::broadcast::tree_program;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::word_bits::check_word_bits;

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
    pub(super) network: BlockNetwork,
    pub(super) inner: Inner,
    pub(super) switching: Switching,
    pub(super) source: usize,
    pub(super) message_bits: usize,
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
    pub(super) fn form(&self, text: &'static str, more: &[Letter<'_>]) -> ClosedForm {
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
