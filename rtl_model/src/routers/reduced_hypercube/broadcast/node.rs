//! A node of a broadcast: who is its parent and who its children, and the relay.
//!
//! ```text
//!   address --(xor)--> [ blocks: tree of building blocks ] --> at the own sub-block: parent = node of entry,
//!   source ----'              |                                                      child = node of exit
//!                             | over which port the root lies = the entry's sub-block
//!                             v
//!               [ inner: tree of the block's nodes, from the entry ]      [ low: tree of the source's sub-block ]
//!
//!   rx of the parent --> [ relay ] --> tx of all children
//! ```
//!
//! No addresses are compared to find out who is an entry or an exit: a node looks up its own sub-block's port. On the hypercube parent
//! and children are those of the spanning binomial tree, and follow from the address.

use crate::language::bit::{Bit, any};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::routers::reduced_hypercube::broadcast::operation::{Broadcast, Inner};
use crate::routers::reduced_hypercube::broadcast::relay::{Relay, RelayStrobes};
use crate::routers::reduced_hypercube::broadcast::tree_program::{TreeProgram, TreeStrobes};
use crate::routers::reduced_hypercube::collective::Words;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::{registers, strobes};

/// There is a message.
pub const VALID: Field = Field::VALID;
/// Its bits, bit 0 being the first on a wire.
pub const MESSAGE: Field = Field::PAYLOAD;

strobes! {
    /// What the nodes are told.
    #[derive(Clone, Debug)]
    pub struct BroadcastStrobes<S> {
        /// The address of the source.
        pub source: Lines<S>,
        /// The trees of building blocks, and of the source's sub-block.
        pub blocks: TreeStrobes<S>,
        /// The same for the second of them, which has other ports.
        pub low: TreeStrobes<S>,
        /// The trees in the blocks.
        pub inner: TreeStrobes<S>,
        /// Messages.
        pub relay: RelayStrobes<S>,
    }
}

/// Relations that a program finds.
#[derive(Clone, Debug)]
pub struct Trees<B: Bit> {
    blocks: TreeProgram<B>,
    inner: TreeProgram<B>,
    low: TreeProgram<B>,
}
registers!(Trees {
    blocks: "the tree of building blocks",
    inner: "the tree of the nodes of a block, from where messages enter",
    low: "the tree of the source's sub-block",
});

/// A node.
#[derive(Clone, Debug)]
pub struct BroadcastNode<B: Bit> {
    network: BlockNetwork,
    inner: Inner,
    relay: Relay<B>,
    trees: Option<Trees<B>>,
}
registers!(BroadcastNode {
    relay: "the message",
    trees: "parents and children",
});

/// The node's address as seen from the source, field by field.
struct Relative<B> {
    low: Vec<B>,
    subblock: Vec<B>,
    block: Vec<B>,
}

impl<B: Bit> BroadcastNode<B> {
    /// A node that has nothing.
    pub fn new(broadcast: &Broadcast) -> Self {
        let trees = match broadcast.network {
            BlockNetwork::Full(_) => None,
            BlockNetwork::Reduced(_) => {
                let ports = broadcast.ports();
                Some(Trees {
                    blocks: TreeProgram::new(ports.blocks),
                    inner: TreeProgram::new(ports.inner),
                    low: TreeProgram::new(ports.low),
                })
            }
        };
        BroadcastNode {
            network: broadcast.network,
            inner: broadcast.inner,
            relay: Relay::new(broadcast.message_bits),
            trees,
        }
    }

    /// Shows the message, the node's place among building blocks, and over which wires its parent and its children lie, so many
    /// bit times of the step being over.
    pub(super) fn show(
        &self,
        (strobes, over): (&BroadcastStrobes<B::Strobe>, usize),
        address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        self.relay.show((&strobes.relay, over), bit);
        if let Some(trees) = &self.trees {
            let id = trees.blocks.id();
            (0..id.width()).for_each(|place| bit(id[place]));
        }
        let Relations { parent, child } = self.relations(strobes, address);
        parent.into_iter().chain(child).for_each(bit);
    }

    /// 1 where the message is complete, and while it is sent.
    pub(super) fn has_message(&self) -> B {
        self.relay.has_message()
    }

    /// The address as seen from the source, whose own is all zeros then. The sequencer tells where the source is.
    fn relative(&self, strobes: &BroadcastStrobes<B::Strobe>, address: &[B]) -> Relative<B> {
        let source = &strobes.source;
        let mut bits: Vec<B> = (address.iter().enumerate())
            .map(|(place, &bit)| bit ^ B::from_strobe(source.line(place)))
            .collect();
        let BlockNetwork::Reduced(network) = self.network else {
            return Relative {
                low: bits,
                subblock: Vec::new(),
                block: Vec::new(),
            };
        };
        let mut block = bits.split_off(network.block_dimensions());
        let subblock = bits.split_off(network.low_bits());
        // Seen from sub-block s, sub-block m is m ^ s: its link flips block bit m, which is therefore bit m ^ s there.
        for bit in 0..subblock.len() {
            let is_one = source.line(network.low_bits() + bit);
            block = (0..block.len())
                .map(|port| B::choose(is_one, || block[port ^ 1 << bit], || block[port]))
                .collect();
        }
        Relative {
            low: bits,
            subblock,
            block,
        }
    }
}

/// The one of some bits at the number that others spell.
fn at<B: Bit>(number: &[B], bits: &dyn Fn(usize) -> B) -> B {
    fn from<B: Bit>(number: &[B], first: usize, bits: &dyn Fn(usize) -> B) -> B {
        match number.split_last() {
            None => bits(first),
            Some((&last, rest)) => {
                let upper = from(rest, first + (1 << rest.len()), bits);
                last.mux(upper, from(rest, first, bits))
            }
        }
    }
    from(number, 0, bits)
}

impl<B: Bit> Trees<B> {
    /// The address of the node among those of its block, seen from where messages enter: where the root lies over a port, its
    /// number is the sub-block of the entry.
    fn seen_from_entry(&self, subblock: &[B]) -> Vec<B> {
        let ports = 1 << subblock.len();
        (subblock.iter().enumerate())
            .map(|(bit, &own)| {
                let entry = any((0..ports)
                    .filter(|port| port >> bit & 1 == 1)
                    .map(|port| self.blocks.parent(port)));
                own ^ entry
            })
            .collect()
    }
}

/// Parent and children over each wire.
struct Relations<B> {
    parent: Vec<B>,
    child: Vec<B>,
}

/// Of a binomial tree from 0: the parent lies over the highest bit that is 1, children over the bits above it.
fn binomial<B: Bit>(address: &[B]) -> Relations<B> {
    let none_above = |port: usize| !any(address[port + 1..].iter().copied());
    let ports = 0..address.len();
    Relations {
        parent: (ports.clone().map(|port| address[port] & none_above(port))).collect(),
        child: (ports.map(|port| !address[port] & none_above(port))).collect(),
    }
}

impl<B: Bit> BroadcastNode<B> {
    fn relations(&self, strobes: &BroadcastStrobes<B::Strobe>, address: &[B]) -> Relations<B> {
        let relative = self.relative(strobes, address);
        let Some(trees) = &self.trees else {
            return binomial(&relative.low);
        };
        let in_first = !any(relative.subblock.iter().chain(&relative.block).copied());
        let low = 0..relative.low.len();
        let inner = match self.inner {
            Inner::DoubleRooted => Relations {
                parent: (0..relative.subblock.len())
                    .map(|port| trees.inner.parent(port))
                    .collect(),
                child: (0..relative.subblock.len())
                    .map(|port| trees.inner.child(port))
                    .collect(),
            },
            Inner::ECube => binomial(&trees.seen_from_entry(&relative.subblock)),
        };
        let entry = at(&relative.subblock, &|port| trees.blocks.parent(port)).named("is_entry");
        let exit = at(&relative.subblock, &|port| trees.blocks.child(port)).named("is_exit");
        let parent = low.clone().map(|port| in_first & trees.low.parent(port));
        let child = low.map(|port| in_first & trees.low.child(port));
        Relations {
            parent: parent.chain(inner.parent).chain([entry]).collect(),
            child: child.chain(inner.child).chain([exit]).collect(),
        }
    }
}

impl<B: Bit> Node<B> for BroadcastNode<B> {
    type Broadcast = BroadcastStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let relay = &strobes.relay;
        B::within("relations", || {
            if relay.run.is_known_zero() {
                return;
            }
            let output = self.relay.output(relay);
            for (wire, child) in self
                .relations(strobes, address)
                .child
                .into_iter()
                .enumerate()
            {
                wires.drive(wire, "relay", relay.run, || child & output);
            }
        });
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let relay = &strobes.relay;
        if !relay.run.is_known_zero() {
            let parents = self.relations(strobes, address).parent;
            let incoming = any(parents.into_iter().zip(received).map(|(is, &bit)| is & bit));
            self.relay.clock(relay, incoming.named("incoming"));
        }
        let relative = self.relative(strobes, address);
        if let Some(trees) = &mut self.trees {
            let from_entry = trees.seen_from_entry(&relative.subblock);
            trees.blocks.clock(&strobes.blocks, &relative.block);
            trees.low.clock(&strobes.low, &relative.low);
            trees.inner.clock(&strobes.inner, &from_entry);
        }
    }
}

impl<B: Bit> Words<B> for BroadcastNode<B> {
    /// The start bit, and behind it the message.
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let message = &mut self.relay.message;
        port(VALID, 0, &mut message[0]);
        for bit in 1..message.width() {
            port(MESSAGE, bit - 1, &mut message[bit]);
        }
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        let message = &self.relay.message;
        port(VALID, 0, message[0]);
        for bit in 1..message.width() {
            port(MESSAGE, bit - 1, message[bit]);
        }
    }
}
