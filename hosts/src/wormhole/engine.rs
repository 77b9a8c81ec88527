//! A machine with its hosts and all that is measured of it: what it does in each part of a bit time.

use std::ops::Range;
use std::time::{Duration, Instant};

use bitvec::vec::BitVec;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::fabric::Fabric;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::ChannelId;
use rtl_model::traffic::latency::Latencies;

use crate::tamper::Tamper;
use crate::wormhole::hosts::{Arrived, Hosts, Sent};
use crate::wormhole::links::LinkMeters;
use crate::wormhole::machine_lanes::MachineLanes;
use crate::wormhole::message::{Message, Worm, worms};
use crate::wormhole::meters::Meters;
use crate::wormhole::tracker::Tracker;

/// What became of a worm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The bit time of its first bit.
    pub injected: Option<u64>,
    /// The bit time in which its first body bit came out.
    pub head_arrived: Option<u64>,
    /// The bit time in which its last did.
    pub tail_arrived: Option<u64>,
}

/// A worm that came out where none of those under way to it carries these bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The node.
    pub node: usize,
    /// Its switch.
    pub switch: usize,
    /// What came.
    pub bits: BitVec<u64>,
    /// When its last bit did.
    pub bit_time: u64,
}

/// Nothing moves any more, or never will in one part of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The first bit time in which nothing moved; where other worms still moved, that in which it was found.
    pub bit_time: u64,
    /// Bit times in which nothing had moved by then: 0 where it was found while other worms moved.
    pub quiet: u64,
    /// The bit time in which the circle closed: the first one in which each of its channels waited for the next. None if that
    /// could not be found out, for lack of memory.
    pub began: Option<u64>,
    /// Input channels that wait for each other; each for the next, the last for the first. Of several circles the one that
    /// closed first.
    pub cycle: Vec<ChannelId>,
    /// After the last quiet bit time every register was as before it.
    pub registers_unchanged: bool,
}

/// A machine that runs.
pub struct Engine<B: MachineLanes> {
    /// The machine.
    pub fabric: Fabric<WormholeMachine, B>,
    /// Its hosts.
    pub hosts: Hosts<B>,
    /// Messages, in the order in which they were given.
    pub messages: Vec<Message>,
    /// Their worms, message by message.
    pub worms: Vec<Worm>,
    /// What became of them.
    pub deliveries: Vec<Delivery>,
    /// Worms that nobody sent.
    pub strays: Vec<Stray>,
    /// Which worm is where.
    pub tracker: Tracker<B>,
    /// What was measured.
    pub meters: Meters<B>,
    /// What is counted of each wire; only where that is asked for.
    pub links: Option<Box<LinkMeters<B>>>,
    /// The worm that a waveform follows, by number; it may not have been sent yet.
    pub followed: Option<usize>,
    /// What traffic it is given, in a few words, as waveforms and pages call it; nothing if nobody says.
    pub traffic: String,
    /// Bit times that were left out, because nothing would have changed in them.
    pub left_out: Vec<Range<u64>>,
    /// Two drivers on a wire.
    pub conflict: Option<ModelError>,
    /// Spent ticking.
    pub simulation: Duration,
    /// By port, the worms that are under way to it.
    under_way: Vec<Vec<usize>>,
    /// By message, its first worm.
    first_worms: Vec<usize>,
    switches: usize,
    delivered: usize,
    /// Worms of messages that were never given to a host.
    kept_back: usize,
    /// Messages whose last worm has come out in the bit time before.
    completed: Vec<usize>,
    quiet: u64,
    /// Something has moved in this bit time, as far as meters see it.
    moved: bool,
    accepted: u64,
    sent: Sent,
    arrived: Vec<Arrived>,
}

impl<B: MachineLanes> Engine<B> {
    /// An idle machine, or several side by side.
    ///
    /// # Errors
    /// [`ModelError::DoesNotFit`].
    pub fn new(machine: WormholeMachine, machines: usize) -> Result<Self, ModelError> {
        let switches = machine.plan().switches();
        let nodes = machine.network().nodes() * machines;
        let fabric = B::machine(machine, machines)?;
        Ok(Engine {
            hosts: Hosts::new(&fabric),
            messages: Vec::new(),
            worms: Vec::new(),
            deliveries: Vec::new(),
            strays: Vec::new(),
            tracker: Tracker::new(&fabric),
            meters: Meters::new(&fabric),
            links: None,
            left_out: Vec::new(),
            conflict: None,
            simulation: Duration::ZERO,
            under_way: vec![Vec::new(); nodes * switches],
            first_worms: Vec::new(),
            switches,
            delivered: 0,
            kept_back: 0,
            completed: Vec::new(),
            quiet: 0,
            moved: false,
            accepted: 0,
            followed: None,
            traffic: String::new(),
            sent: Sent::default(),
            arrived: Vec::new(),
            fabric,
        })
    }

    /// From now on, counts what each wire carries, and what stalls there.
    pub fn count_links(&mut self) {
        self.links = Some(Box::new(LinkMeters::new(&self.fabric)));
    }

    /// Gives a message to the host of its source, on machine `on`, behind those that wait there.
    pub fn send(&mut self, on: usize, message: Message) {
        // A machine that was idle until now was not quiet for want of a way.
        if self.in_flight() == 0 {
            self.quiet = 0;
        }
        let machine = self.fabric.router();
        let first = on * machine.network().nodes();
        let number = self.messages.len();
        self.first_worms.push(self.worms.len());
        for worm in worms(machine, number, &message) {
            let to = (first + message.destination) * self.switches + worm.switch;
            self.under_way[to].push(self.worms.len());
            self.hosts
                .enqueue(first + message.source, worm.switch, self.worms.len());
            self.worms.push(worm);
            self.deliveries.push(Delivery::default());
        }
        self.messages.push(message);
    }

    /// Puts a message down that the run has not come to: nobody sends it.
    pub fn keep_back(&mut self, message: Message) {
        let number = self.messages.len();
        self.first_worms.push(self.worms.len());
        for worm in worms(self.fabric.router(), number, &message) {
            self.worms.push(worm);
            self.deliveries.push(Delivery::default());
            self.kept_back += 1;
        }
        self.messages.push(message);
    }

    /// Worms that hosts were given, and that have not arrived.
    pub fn in_flight(&self) -> usize {
        self.worms.len() - self.delivered - self.kept_back
    }

    /// Worms that have arrived.
    pub fn delivered(&self) -> usize {
        self.delivered
    }

    /// Messages that were whole with the last bit time, by their numbers.
    pub fn completed(&self) -> &[usize] {
        &self.completed
    }

    /// Message bits that hosts have taken. What fills the last flit of a worm is left out as soon as it has arrived.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Bit times in a row in which nothing has moved, although there were worms that could.
    pub fn quiet(&self) -> u64 {
        self.quiet
    }

    /// The worms of a message.
    pub fn worms_of(&self, message: usize) -> std::ops::Range<usize> {
        let behind = self.first_worms.get(message + 1);
        self.first_worms[message]..behind.copied().unwrap_or(self.worms.len())
    }

    /// What became of a message: its first bit injected, its first head and its last tail arrived.
    pub fn delivery(&self, message: usize) -> Delivery {
        let pieces = || self.deliveries[self.worms_of(message)].iter();
        Delivery {
            injected: pieces().filter_map(|one| one.injected).min(),
            head_arrived: pieces().filter_map(|one| one.head_arrived).min(),
            tail_arrived: match pieces().all(|one| one.tail_arrived.is_some()) {
                true => pieces().filter_map(|one| one.tail_arrived).max(),
                false => None,
            },
        }
    }

    /// Links that a worm crossed, on the average over the worms of those of these messages that have arrived; none, if none
    /// has.
    pub fn average_hops(&self, messages: impl IntoIterator<Item = usize>) -> Option<f64> {
        let (mut crossed, mut worms) = (0, 0);
        for message in messages {
            if self.delivery(message).tail_arrived.is_some() {
                for worm in self.worms_of(message) {
                    crossed += self.tracker.path(worm).len().saturating_sub(1);
                    worms += 1;
                }
            }
        }
        (worms > 0).then(|| crossed as f64 / worms as f64)
    }

    /// From the first bit sent of each worm to its last one arrived, over the worms of those of these messages that have
    /// arrived.
    pub fn network_latencies_of_worms(
        &self,
        messages: impl IntoIterator<Item = usize>,
    ) -> Latencies {
        let arrived = messages.into_iter();
        let arrived = arrived.filter(|message| self.delivery(*message).tail_arrived.is_some());
        let worms = arrived.flat_map(|message| self.worms_of(message));
        let latency = |worm: usize| {
            let delivery = &self.deliveries[worm];
            Some(delivery.tail_arrived? + 1 - delivery.injected?)
        };
        worms.filter_map(latency).collect()
    }

    /// Until bits are on the wires.
    pub(crate) fn transmit(&mut self) {
        let start = Instant::now();
        if let Err(conflict) = self.fabric.transmit() {
            self.conflict.get_or_insert(conflict);
        }
        self.simulation += start.elapsed();
    }

    /// Hosts send and take what is on the wires.
    pub(crate) fn exchange(&mut self) {
        let start = Instant::now();
        if let Some(links) = &mut self.links {
            links.read(&self.fabric, &self.hosts);
        }
        self.hosts
            .send(&mut self.fabric, &self.worms, &mut self.sent);
        self.simulation += start.elapsed();
        let bit_time = self.fabric.bit_time();
        for &(port, worm) in &self.sent.begun {
            self.deliveries[worm].injected = Some(bit_time);
            self.tracker.begin(port, worm, bit_time);
        }
        self.arrived.clear();
        self.completed.clear();
        let received = self.hosts.receive(&self.fabric, &mut self.arrived);
        self.accepted += received * self.fabric.router().plan().wire_bits as u64;
        self.moved = self.meters.read(&self.fabric, self.sent.flits, received);
    }

    /// The clock edge, and who is where then.
    pub(crate) fn clock(&mut self, tamper: &mut dyn Tamper) {
        // Before the clock edge, which lets go of the worms that have left.
        for arrived in std::mem::take(&mut self.arrived) {
            let from = (arrived.node, arrived.switch);
            let leaving = self.tracker.leaving(&self.fabric, from);
            self.identify(arrived, leaving);
        }
        let start = Instant::now();
        self.fabric.clock();
        self.simulation += start.elapsed();
        tamper.take(B::simulation_mut(&mut self.fabric));
        let connected = self.tracker.follow(&self.fabric, &self.hosts);
        self.meters.connected(connected);
        if let Some(links) = &mut self.links {
            links.connected(&self.fabric, self.tracker.entered());
        }
        self.quiet = match self.moved || connected > 0 {
            true => 0,
            false => self.quiet + 1,
        };
    }

    /// Finds the worm that has arrived by what it carries; of those that carry the same, it is the one that the tracker
    /// saw leave.
    fn identify(&mut self, arrived: Arrived, leaving: Option<usize>) {
        let port = arrived.node * self.switches + arrived.switch;
        let under_way = &mut self.under_way[port];
        let found = under_way.iter().position(|&worm| {
            leaving.is_none_or(|leaving| leaving == worm)
                && self.deliveries[worm].injected.is_some()
                && *self.worms[worm].body() == arrived.bits
        });
        match found {
            Some(place) => {
                let worm = under_way.remove(place);
                self.deliveries[worm].head_arrived = Some(arrived.head_arrived);
                self.deliveries[worm].tail_arrived = Some(arrived.tail_arrived);
                self.delivered += 1;
                self.accepted -= self.worms[worm].fill as u64;
                let message = self.worms[worm].message;
                if self.delivery(message).tail_arrived.is_some() {
                    self.completed.push(message);
                }
            }
            None => self.strays.push(Stray {
                node: arrived.node,
                switch: arrived.switch,
                bits: arrived.bits,
                bit_time: arrived.tail_arrived,
            }),
        }
    }

    /// Every register of every node, to be compared with a later bit time's.
    pub fn registers(&mut self) -> Vec<B> {
        B::registers(&mut self.fabric)
    }

    /// The channels that wait for each other now, if there are such: the first circle.
    pub fn wait_for_cycle(&self) -> Option<Vec<ChannelId>> {
        self.wait_for_cycles().into_iter().next()
    }

    /// All circles of channels that wait for each other now.
    pub fn wait_for_cycles(&self) -> Vec<Vec<ChannelId>> {
        B::wait_for_cycles(&self.fabric, &self.hosts)
    }
}
