//! A machine of ports that runs, with its hosts and its monitor.

use std::time::{Duration, Instant};

use rtl_model::error::Error;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::listed_path::{MESSAGE, RECEIVES, SENDS};
use rtl_model::routers::ports::node::SUPPLY;
use rtl_model::routers::ports::sends::Send;
use rtl_model::routers::ports::sends::order_bits::OrderBits;
use rtl_model::routers::ports::two_rooted_tree::TreeNode;
use rtl_model::routers::ports::{PortMachine, broadcast::Broadcast};

use crate::ports::holdings::Holdings;
use crate::ports::hosts::Hosts;
use crate::ports::message::Message;
use crate::ports::monitor::Monitor;
use crate::tamper::{Nobody, Tamper};
use crate::trail::Trail;

/// The machine, its hosts and its monitor.
pub struct Engine {
    /// What it is built from.
    pub device: PortMachine,
    /// What runs.
    pub machine: Box<dyn Lockstep>,
    /// The hosts.
    pub hosts: Hosts,
    /// The monitor.
    pub monitor: Monitor,
    /// Which packets lie where, if somebody wants to know.
    pub holdings: Option<Holdings>,
    /// The way of the packet that a waveform follows.
    pub trail: Option<Trail>,
    /// The most bits that a node held to send on, those in flight to it among them.
    pub peak_bits: u32,
    /// The most packets.
    pub peak_packets: u32,
    /// Two drivers on a wire: the run ended there.
    pub conflict: Option<Error>,
    /// Spent ticking.
    pub ticking: Duration,
}

impl Engine {
    /// Of a broadcast: its machine, loaded.
    ///
    /// # Errors
    /// A broadcast that cannot be; a machine that does not fit.
    pub fn new(broadcast: Broadcast, message: Message) -> Result<Self, Error> {
        Self::of(PortMachine::new(broadcast)?, message)
    }

    /// Of a list of sends, in as many steps as it takes, whatever the algorithm of `broadcast` is: its machine, loaded. Nobody looks
    /// here at whether the list makes sense.
    ///
    /// # Errors
    /// A broadcast that cannot be; a machine that does not fit.
    pub fn listed(broadcast: Broadcast, sends: &[Send], message: Message) -> Result<Self, Error> {
        Self::of(PortMachine::listed(broadcast, sends)?, message)
    }

    /// Of a machine: it, loaded.
    ///
    /// # Errors
    /// A machine that does not fit.
    pub fn of(device: PortMachine, message: Message) -> Result<Self, Error> {
        let broadcast = *device.broadcast();
        let mut machine = device.as_device().build(1)?;
        machine.watch();
        let (wires, source) = (*device.wires(), broadcast.source);
        let is_disjoint = matches!(
            broadcast.algorithm,
            Algorithm::MultipleTrees | Algorithm::Broadcast3A
        );
        let hosts = Hosts::new(&*machine, wires, (source, message), is_disjoint);
        let monitor = Monitor::new(&*machine, wires, broadcast.ports);
        machine.load(&mut Loading::of(&device, &hosts))?;
        Ok(Engine {
            device,
            machine,
            hosts,
            monitor,
            holdings: None,
            trail: None,
            peak_bits: 0,
            peak_packets: 0,
            conflict: None,
            ticking: Duration::ZERO,
        })
    }

    /// What it runs.
    pub fn broadcast(&self) -> &Broadcast {
        self.device.broadcast()
    }

    /// Follows which packets lie in the buffers of these nodes; before it runs.
    pub fn follow(&mut self, nodes: impl Iterator<Item = usize>) {
        self.holdings = Holdings::of(&self.device, nodes);
    }

    /// Runs to the end, or to the first violation. `observe` is shown everything in every bit time, with its bits on the wires, and
    /// once more when it is done.
    ///
    /// # Errors
    /// Whatever `observe` returns.
    pub fn run<E>(&mut self, observe: impl FnMut(&Self) -> Result<(), E>) -> Result<(), E> {
        self.run_with(&mut Nobody, observe)
    }

    /// The same with somebody who tampers with the machine in every bit time, and once more when it is done.
    ///
    /// # Errors
    /// Whatever `observe` returns.
    pub fn run_with<E>(
        &mut self,
        tamper: &mut dyn Tamper,
        mut observe: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        // A fault may keep the sequencer from its end.
        let most = 2 * self.device.broadcast().bit_times().value + 2;
        loop {
            tamper.begin(&mut *self.machine);
            let start = Instant::now();
            if let Err(conflict) = self.machine.transmit() {
                self.conflict = Some(conflict);
                return Ok(());
            }
            self.ticking += start.elapsed();
            tamper.send(&mut *self.machine);
            let is_done = self.machine.is_done();
            let begins = self.monitor.watch(&*self.machine);
            self.hosts.exchange(&mut *self.machine);
            tamper.receive(&*self.machine);
            if begins && let Some(holdings) = &mut self.holdings {
                holdings.begin_step(&self.monitor, &self.hosts);
            }
            observe(self)?;
            if is_done || self.monitor.violation().is_some() || self.machine.bit_time() > most {
                return Ok(());
            }
            let position = self.machine.position();
            let start = Instant::now();
            self.machine.clock();
            self.ticking += start.elapsed();
            tamper.take(&mut *self.machine);
            // What is held, or on its way, is the same throughout a step.
            if begins {
                let occupancy = self.machine.occupancy(Some(position));
                self.peak_bits = self.peak_bits.max(occupancy.most_bits);
                self.peak_packets = self.peak_packets.max(occupancy.most_messages);
            }
        }
    }
}

/// The host that writes what registers hold before bit time 0: the first bits at the source, and configurations; or orders, and the
/// whole message at the source.
pub struct Loading<'a> {
    device: &'a PortMachine,
    hosts: &'a Hosts,
    places: Option<Vec<TreeNode>>,
    orders: Option<OrderBits>,
    seats: Seats,
}

impl<'a> Loading<'a> {
    /// For a machine and its hosts.
    pub fn of(device: &'a PortMachine, hosts: &'a Hosts) -> Self {
        Loading {
            places: device.places(),
            orders: device.order_bits(),
            device,
            hosts,
            seats: [usize::MAX; NODES_AT_ONCE],
        }
    }

    /// 64 bits of a field, from bit `from` on.
    fn word(&self, field: Field, node: usize, from: usize) -> Option<u64> {
        let source = self.device.broadcast().source;
        match field {
            SUPPLY | MESSAGE if node != source => Some(0),
            SUPPLY => Some(self.hosts.first_bits() >> from),
            MESSAGE => Some(self.hosts.message().word_from(from)),
            SENDS | RECEIVES => self.orders.as_ref()?.word(field, node, from),
            _ => {
                let place = &self.places.as_ref()?[node ^ source];
                Some(self.device.configuration(place, field)? >> from)
            }
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let nodes = self.device.broadcast().cube.nodes();
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(node < nodes) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        let nodes = self.device.broadcast().cube.nodes();
        for (&node, value) in self.seats.iter().zip(values) {
            if node < nodes {
                *value = (self.word(field, node, from)).ok_or_else(|| field.unknown())?;
            }
        }
        Ok(())
    }
}
