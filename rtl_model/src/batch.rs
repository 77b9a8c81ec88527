//! Many runs of small machines, side by side.
//!
//! A cube of 8 nodes fills an eighth of a machine word, so 64 of them fill 8 words, which take hardly longer than one.
//! A batch puts as many machines side by side as it is told, runs them to their end as one [program](crate::program),
//! and begins anew with the next ones.
//!
//! ```
//! use rtl_model::batch::Batch;
//! use rtl_model::kuszmaul::plain::PlainRouter;
//! use rtl_model::topology::hypercube::Dimensions;
//! use rtl_model::traffic::{Message, Traffic};
//!
//! // One message from node 0, to each node of a cube of 8 in turn.
//! let cube = Dimensions::new(3)?;
//! let traffics = (0..8)
//!     .map(|destination| Traffic::new(cube, 4, vec![Message { source: 0, destination }], 1))
//!     .collect::<Result<Vec<_>, _>>()?;
//! let mut batch = Batch::new(PlainRouter::new(cube, 4)?, 64)?;
//! for (destination, arrivals) in batch.run(&traffics)?.iter().enumerate() {
//!     assert_eq!(arrivals.at(destination), Some(traffics[destination].payload(0)));
//!     assert_eq!(arrivals.nodes().count(), 1);
//! }
//! # Ok::<(), rtl_model::error::Error>(())
//! ```

use std::convert::Infallible;

use bitvec::slice::BitSlice;

use crate::arrivals::Arrivals;
use crate::error::Error;
use crate::fabric::{Fabric, How};
use crate::host::Field;
use crate::lanes::{Lanes, Words};
use crate::router::MessageRouter;
use crate::topology::Topology;
use crate::traffic::Traffic;

/// Machines side by side, for runs without anything to do with each other.
pub struct Batch<R: MessageRouter, B: Lanes = Words<8>> {
    fabric: Fabric<R, B>,
    payload_bits: usize,
    /// What the nodes of a group hold at the end, while it is read: a word of valid bits, then one of each payload bit.
    read: Vec<u64>,
}

impl<R: MessageRouter> Batch<R> {
    /// For so many machines at once. Several hundred small ones are run as quickly, each, as thousands.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    pub fn new(router: R, machines: usize) -> Result<Self, Error> {
        Batch::in_lanes(router, machines)
    }
}

impl<R: MessageRouter, B: Lanes> Batch<R, B> {
    /// As [`Batch::new`], in lanes of another width. The outcome is the same in all.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    pub fn in_lanes(router: R, machines: usize) -> Result<Self, Error> {
        Ok(Batch {
            payload_bits: router.payload_bits(),
            fabric: Fabric::new(router, machines.max(1))?,
            read: Vec::new(),
        })
    }

    /// Machines that are run at once.
    pub fn machines(&self) -> usize {
        self.fabric.machines()
    }

    /// Runs each traffic in a machine of its own, as many at once as there are machines; gives what the nodes hold at the
    /// end, of each traffic.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] or [`Error::NodeOutOfRange`] if one is not for the router; [`Error::WireConflict`] if two
    /// units of a node drive one wire.
    pub fn run(&mut self, traffics: &[Traffic]) -> Result<Vec<Arrivals>, Error> {
        let nodes = self.fabric.router().dimensions().nodes();
        for traffic in traffics {
            check(traffic, nodes, self.payload_bits)?;
        }
        let mut all = Vec::with_capacity(traffics.len());
        for traffics in traffics.chunks(self.machines()) {
            let from = all.len();
            all.resize_with(from + traffics.len(), || {
                Arrivals::none(nodes, self.payload_bits)
            });
            let messages = traffics.iter().enumerate().flat_map(|(machine, traffic)| {
                let messages = traffic.messages().iter().enumerate();
                messages.map(move |(index, message)| Sent {
                    machine,
                    source: message.source,
                    destination: message.destination,
                    payload: traffic.payload(index),
                })
            });
            self.run_messages(messages, |machine, node, payload| {
                if machine < traffics.len()
                    && let Some(payload) = payload
                {
                    all[from + machine].set(node, payload);
                }
            })?;
        }
        Ok(all)
    }

    /// Runs all machines once, with these messages; tells of each node of each machine, in any order, what it holds at
    /// the end: `arrived(machine, node, payload)`. That a node sends one message at the most is left to the caller.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn run_messages<'a>(
        &mut self,
        messages: impl IntoIterator<Item = Sent<'a>>,
        mut arrived: impl FnMut(usize, usize, Option<&BitSlice<u64>>),
    ) -> Result<(), Error> {
        let cube = self.fabric.router().dimensions();
        let nodes = cube.nodes();
        self.fabric.restart();
        for sent in messages {
            let (group, place) = cube.seat::<B>(sent.machine * nodes + sent.source);
            let (router, groups) = self.fabric.router_and_groups();
            router.load(&mut groups[group], place, sent.destination, sent.payload);
        }
        self.fabric.advance(u64::MAX, &How::default())?;
        let mut payload = bitvec::vec::BitVec::<u64>::repeat(false, self.payload_bits);
        let (fields, words) = (1 + self.payload_bits, B::WORDS);
        let (read, fabric) = (&mut self.read, &self.fabric);
        let all_nodes = fabric.machines() * nodes;
        let read_all = fabric.read_groups(|group, lanes| {
            read.clear();
            read.resize(fields * words, 0);
            (fabric.router()).host_reads(lanes, &mut |field, bit, register: B| {
                let field = match field {
                    Field::Payload => 1 + bit,
                    _ => 0,
                };
                for word in 0..words {
                    read[field * words + word] = register.word(word);
                }
            });
            for place in 0..B::NODES {
                let node = cube.node_at::<B>(group, place);
                if node >= all_nodes {
                    continue;
                }
                let bit = |field: usize| read[field * words + place / 64] >> (place % 64) & 1 == 1;
                let holds = bit(0);
                if holds {
                    for index in 0..self.payload_bits {
                        payload.set(index, bit(1 + index));
                    }
                }
                arrived(node / nodes, node % nodes, holds.then_some(&*payload));
            }
            Ok::<(), Infallible>(())
        });
        read_all.unwrap_or_else(|never| match never {});
        Ok(())
    }
}

/// A message to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The machine in which it is.
    pub machine: usize,
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
    /// What it carries.
    pub payload: &'a BitSlice<u64>,
}

fn check(traffic: &Traffic, nodes: usize, payload_bits: usize) -> Result<(), Error> {
    if traffic.payload_bits() != payload_bits {
        return Err(Error::PayloadBits {
            bits: traffic.payload_bits(),
            limit: payload_bits,
        });
    }
    let ends = traffic.messages().iter();
    match ends
        .flat_map(|m| [m.source, m.destination])
        .find(|&node| node >= nodes)
    {
        Some(node) => Err(Error::NodeOutOfRange { node, nodes }),
        None => Ok(()),
    }
}
