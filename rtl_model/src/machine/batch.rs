//! Many runs of small machines, side by side.
//!
//! A cube of 8 nodes fills an eighth of a machine word, so 64 of them fill 8 words, which take
//! hardly longer than one. A batch puts as many machines side by side as it is told, runs them to
//! their end as one [program](crate::machine::program), and begins anew with the next ones.
//!
//! ```
//! use rtl_model::machine::batch::Batch;
//! use rtl_model::routers::kuszmaul::plain::PlainRouter;
//! use rtl_model::machine::topology::hypercube::Dimensions;
//! use rtl_model::traffic::{Message, Traffic};
//!
//! // One message from node 0, to each node of a cube of 8 in turn.
//! let cube = Dimensions::new(3)?;
//! let traffics = (0..8)
//!     .map(|destination| Traffic::new(cube, 4, vec![Message { source: 0, destination }], 1))
//!     .collect::<Result<Vec<_>, _>>()?;
//! let mut batch = Batch::new(&PlainRouter::new(cube, 4)?, 4, 64)?;
//! for (destination, arrivals) in batch.run(&traffics)?.iter().enumerate() {
//!     assert_eq!(arrivals.at(destination), Some(traffics[destination].payload(0)));
//!     assert_eq!(arrivals.nodes().count(), 1);
//! }
//! # Ok::<(), rtl_model::error::Error>(())
//! ```

use bitvec::field::BitField;
use bitvec::slice::BitSlice;

use crate::error::{Error, node_out_of_range};
use crate::machine::arrivals::{self, Arrivals};
use crate::machine::device::Device;
use crate::machine::fabric::How;
use crate::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square};
use crate::machine::simulation::Lockstep;
use crate::traffic::Traffic;

/// Machines side by side, for runs without anything to do with each other.
pub struct Batch {
    machines: Box<dyn Lockstep>,
    payload_bits: usize,
}

impl Batch {
    /// For so many machines at once, whose messages carry so many bits. Several hundred small ones are run as quickly,
    /// each, as thousands.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    pub fn new(device: &dyn Device, payload_bits: usize, machines: usize) -> Result<Self, Error> {
        Ok(Batch::of(device.build(machines.max(1))?, payload_bits))
    }

    /// Of machines that are there.
    pub fn of(machines: Box<dyn Lockstep>, payload_bits: usize) -> Self {
        Batch {
            machines,
            payload_bits,
        }
    }

    /// Machines that are run at once.
    pub fn machines(&self) -> usize {
        self.machines.machines()
    }

    /// Runs each traffic in a machine of its own, as many at once as there are machines; gives what
    /// the nodes hold at the end, of each traffic.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] or a node that there is not if one is not for the router;
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn run(&mut self, traffics: &[Traffic]) -> Result<Vec<Arrivals>, Error> {
        let nodes = self.machines.topology().nodes();
        for traffic in traffics {
            check(traffic, nodes, self.payload_bits)?;
        }
        let mut all = Vec::with_capacity(traffics.len());
        for traffics in traffics.chunks(self.machines()) {
            self.machines.restart();
            arrivals::load(&mut *self.machines, traffics)?;
            all.extend(self.arrived()?.into_iter().take(traffics.len()));
        }
        Ok(all)
    }

    /// Runs all machines once, with these messages; gives what the nodes of each hold at the end. That a node sends one
    /// message at the most is left to the caller.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn run_messages<'a>(
        &mut self,
        messages: impl IntoIterator<Item = Sent<'a>>,
    ) -> Result<Vec<Arrivals>, Error> {
        self.machines.restart();
        let nodes = self.machines.topology().nodes();
        let mut by_node = vec![None; self.machines.nodes()];
        for sent in messages {
            by_node[sent.machine * nodes + sent.source] = Some(sent);
        }
        self.machines.load(&mut Sending {
            by_node: &by_node,
            seats: [usize::MAX; NODES_AT_ONCE],
        })?;
        self.arrived()
    }

    fn arrived(&mut self) -> Result<Vec<Arrivals>, Error> {
        self.machines.advance(u64::MAX, &How::default())?;
        Arrivals::read_each(&*self.machines, self.payload_bits)
    }
}

/// The host of messages that are no traffic.
struct Sending<'a> {
    by_node: &'a [Option<Sent<'a>>],
    seats: Seats,
}

impl<'a> Sending<'a> {
    fn from(&self, seat: usize) -> Option<&'a Sent<'a>> {
        self.by_node.get(seat)?.as_ref()
    }
}

impl Loads for Sending<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &seat)| {
            places | u64::from(self.from(seat).is_some()) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (place, value) in values.iter_mut().enumerate() {
            let Some(sent) = self.from(self.seats[place]) else {
                continue;
            };
            *value = match field {
                Field::VALID => 1,
                Field::DESTINATION => sent.destination as u64 >> from,
                Field::PAYLOAD => {
                    let to = sent.payload.len().min(from + 64);
                    sent.payload[from..to].load_le()
                }
                other => return Err(other.unknown()),
            };
        }
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
        Some(node) => Err(node_out_of_range(node, nodes)),
        None => Ok(()),
    }
}
