//! The hosts: each has a queue of worms for each switch of its node, sends them flit by flit as credits allow, and takes
//! what comes out.
//!
//! A host counts credits like any other sender: it begins a worm when the injection channel is empty.

use std::collections::VecDeque;

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::HostWires;

use crate::wormhole::message::Worm;

/// What a host is about to send into one switch. It is looked at in every bit time, so it has beside it the bits that come next.
#[derive(Clone, Debug, Default)]
struct Sending {
    /// Bits that go out next, the first of them the lowest, and how many flits these are.
    next: u64,
    next_flits: u32,
    /// Flits of the first worm of the queue: all of them, once it has begun, and those that were sent.
    flits: u32,
    sent: u32,
    credits: u32,
    /// Worms in the queue.
    waiting: u32,
}

impl Sending {
    /// It has a flit to send, and a credit; for the first flit of a worm, all of them.
    #[inline]
    fn may_send(&self, buffer_bits: u32) -> bool {
        let credits = if self.sent == 0 { buffer_bits } else { 1 };
        self.waiting > 0 && self.credits >= credits
    }

    /// Takes out of a worm as many flits as a word holds, or as it has left.
    fn take_from(&mut self, worm: &Worm, wire_bits: usize) {
        if self.sent == 0 {
            self.flits = (worm.bits.len() / wire_bits) as u32;
        }
        let flits = (self.flits - self.sent).min(64 / wire_bits as u32);
        let first = self.sent as usize * wire_bits;
        let bits = &worm.bits[first..first + flits as usize * wire_bits];
        (self.next, self.next_flits) = (bits.load_le(), flits);
    }
}

/// The worm that a host takes out of one switch.
#[derive(Clone, Debug, Default)]
struct Taking {
    /// Bits that have come, but for those behind the last whole word.
    words: BitVec<u64>,
    /// Those, the first of them the lowest.
    last: u64,
    /// How many bits have come.
    bits: usize,
    head_arrived: u64,
}

impl Taking {
    #[inline]
    fn push(&mut self, bit: bool) {
        self.last |= u64::from(bit) << (self.bits % 64);
        self.bits += 1;
        if self.bits.is_multiple_of(64) {
            self.words
                .extend_from_bitslice(self.last.view_bits::<Lsb0>());
            self.last = 0;
        }
    }

    /// All that has come: the next one may.
    fn take(&mut self) -> BitVec<u64> {
        let mut bits = std::mem::take(&mut self.words);
        let last = &self.last.view_bits::<Lsb0>()[..self.bits % 64];
        bits.extend_from_bitslice(last);
        (self.last, self.bits) = (0, 0);
        bits
    }
}

/// A worm that has come out.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The node.
    pub node: usize,
    /// Its switch.
    pub switch: usize,
    /// What came.
    pub bits: BitVec<u64>,
    /// The bit time of the first body bit.
    pub head_arrived: u64,
    /// The bit time of the last one.
    pub tail_arrived: u64,
}

/// What the hosts did in a bit time.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// Flits.
    pub flits: u64,
    /// Worms that began: port and worm.
    pub begun: Vec<(usize, usize)>,
}

/// All hosts of a machine. A port is a switch of a node: `node * switches + switch`.
#[derive(Clone, Debug)]
pub struct Hosts<B> {
    switches: usize,
    buffer_bits: u32,
    links: usize,
    wires: HostWires,
    /// The flits that go in or come out, by wire.
    flit: Vec<B>,
    /// By port, worms that have not been sent, the one that is being sent first.
    queues: Vec<VecDeque<usize>>,
    sending: Vec<Sending>,
    taking: Vec<Taking>,
    /// The ports that may send in the next bit time: `[group * switches + switch]`.
    may_send: Vec<B>,
    /// By group and place, the node.
    nodes: Vec<Vec<usize>>,
    /// By node, its group and place.
    seats: Vec<(usize, usize)>,
}

/// What a run that is done again, with nothing measured, needs beside its machine and its hosts.
#[derive(Debug)]
pub struct Rerun<'a> {
    /// The worms, by number.
    pub worms: &'a [Worm],
    sent: Sent,
    arrived: Vec<Arrived>,
}

impl<'a> Rerun<'a> {
    /// Of these worms.
    pub fn of(worms: &'a [Worm]) -> Self {
        Rerun {
            worms,
            sent: Sent::default(),
            arrived: Vec::new(),
        }
    }
}

impl<B: Lanes> Hosts<B> {
    /// The hosts of a machine.
    pub fn new(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let topology = fabric.topology();
        let switches = plan.switches();
        let groups = fabric.node_groups().len();
        let mut nodes = vec![vec![usize::MAX; B::NODES]; groups];
        let all = fabric.machines() * topology.nodes();
        let seats: Vec<(usize, usize)> = (0..all).map(|node| topology.seat::<B>(node)).collect();
        for (node, &(group, place)) in seats.iter().enumerate() {
            nodes[group][place] = node;
        }
        let buffer_bits = plan.buffer_bits as u32;
        let idle = Sending {
            credits: buffer_bits,
            ..Sending::default()
        };
        Hosts {
            switches,
            buffer_bits,
            links: plan.link_wires(),
            wires: plan.host_wires(),
            flit: vec![B::ZERO; plan.wire_bits],
            queues: vec![VecDeque::new(); all * switches],
            sending: vec![idle; all * switches],
            taking: vec![Taking::default(); all * switches],
            may_send: vec![B::ZERO; groups * switches],
            nodes,
            seats,
        }
    }

    /// Whether some host has bits of a worm whose last bit has not come.
    pub fn holds_part(&self) -> bool {
        self.taking.iter().any(|port| port.bits > 0)
    }

    /// The node at a place of a group.
    pub fn node_at(&self, group: usize, place: usize) -> usize {
        self.nodes[group][place]
    }

    /// What a port is about to do in the next bit time: it sends a flit; it has one, and no credit for it (before the first flit
    /// of a worm, not all credits); it has begun a worm or begins one.
    pub fn about(&self, port: usize) -> [bool; 3] {
        let port = &self.sending[port];
        let sends = port.may_send(self.buffer_bits);
        let has_bit = port.waiting > 0;
        [sends, has_bit && !sends, sends || port.sent > 0]
    }

    /// Puts a worm behind those that wait at a node.
    pub fn enqueue(&mut self, node: usize, switch: usize, worm: usize) {
        let (group, place) = self.seats[node];
        let number = node * self.switches + switch;
        self.queues[number].push_back(worm);
        let port = &mut self.sending[number];
        port.waiting += 1;
        let may_send = port.may_send(self.buffer_bits);
        self.may_send[group * self.switches + switch].set(place, may_send);
    }

    /// Sends what credits allow in this bit time. Between [`Fabric::transmit`] and [`Fabric::clock`].
    pub fn send(
        &mut self,
        fabric: &mut Fabric<WormholeMachine, B>,
        worms: &[Worm],
        done: &mut Sent,
    ) {
        let (wires, wire_bits) = (self.wires, self.wires.wire_bits);
        done.flits = 0;
        done.begun.clear();
        for group in 0..self.nodes.len() {
            for switch in 0..self.switches {
                let valid = self.may_send[group * self.switches + switch];
                let credit = self.links + switch * wires.to_host() + wires.inject_credit();
                let credits = fabric.group_wire(group, credit);
                let mut tails = B::ZERO;
                self.flit.fill(B::ZERO);
                let may_send = &mut self.may_send[group * self.switches + switch];
                for place in places(credits | valid) {
                    let number = self.nodes[group][place] * self.switches + switch;
                    let port = &mut self.sending[number];
                    if valid.get(place) {
                        if port.next_flits == 0 {
                            let first = self.queues[number][0];
                            if port.sent == 0 {
                                done.begun.push((number, first));
                            }
                            port.take_from(&worms[first], wire_bits);
                        }
                        for bits in &mut self.flit {
                            if port.next & 1 == 1 {
                                bits.set(place, true);
                            }
                            port.next >>= 1;
                        }
                        port.next_flits -= 1;
                        port.sent += 1;
                        port.credits -= 1;
                        if port.sent == port.flits {
                            tails.set(place, true);
                            self.queues[number].pop_front();
                            port.waiting -= 1;
                            port.sent = 0;
                        }
                        done.flits += 1;
                    }
                    port.credits += u32::from(credits.get(place));
                    may_send.set(place, port.may_send(self.buffer_bits));
                }
                let wire = |wire| switch * wires.from_host() + wire;
                for (place, bits) in wires.inject().zip(&self.flit) {
                    *fabric.from_host(group, wire(place)) = *bits;
                }
                *fabric.from_host(group, wire(wires.inject_valid())) = valid;
                *fabric.from_host(group, wire(wires.inject_tail())) = tails;
            }
        }
    }

    /// One bit time of the machine and its hosts alone.
    pub(crate) fn rerun(&mut self, fabric: &mut Fabric<WormholeMachine, B>, rerun: &mut Rerun<'_>) {
        // Two drivers of a wire are none of this run's business: the first one has them.
        let _ = fabric.transmit();
        self.send(fabric, rerun.worms, &mut rerun.sent);
        rerun.arrived.clear();
        self.receive(fabric, &mut rerun.arrived);
        fabric.clock();
    }

    /// Takes what comes out in this bit time. Between [`Fabric::transmit`] and [`Fabric::clock`]. Returns how many flits
    /// came; worms that are whole go to `arrived`.
    pub fn receive(
        &mut self,
        fabric: &Fabric<WormholeMachine, B>,
        arrived: &mut Vec<Arrived>,
    ) -> u64 {
        let bit_time = fabric.bit_time();
        let mut received = 0;
        for group in 0..self.nodes.len() {
            for switch in 0..self.switches {
                let first = self.links + switch * self.wires.to_host();
                let wire = |wire| fabric.group_wire(group, first + wire);
                let valid = wire(self.wires.eject_valid());
                if valid.is_known_zero() {
                    continue;
                }
                let tails = wire(self.wires.eject_tail());
                for (bits, place) in self.flit.iter_mut().zip(self.wires.eject()) {
                    *bits = wire(place);
                }
                for place in places(valid) {
                    let node = self.nodes[group][place];
                    let port = &mut self.taking[node * self.switches + switch];
                    if port.bits == 0 {
                        port.head_arrived = bit_time;
                    }
                    for bits in &self.flit {
                        port.push(bits.get(place));
                    }
                    received += 1;
                    if tails.get(place) {
                        arrived.push(Arrived {
                            node,
                            switch,
                            bits: port.take(),
                            head_arrived: port.head_arrived,
                            tail_arrived: bit_time,
                        });
                    }
                }
            }
        }
        received
    }
}

/// The places of a group in which a bit is 1.
pub fn places<B: Lanes>(bit: B) -> impl Iterator<Item = usize> {
    (0..B::WORDS).flat_map(move |index| {
        let mut left = bit.word(index);
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| 64 * index + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            place
        })
    })
}
