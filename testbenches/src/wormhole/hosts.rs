//! The hosts: each has a queue of worms for each switch of its node, sends them bit by bit as credits allow, and takes
//! what comes out.
//!
//! A host counts credits like any other sender: it begins a worm when the injection channel is empty.

use std::collections::VecDeque;

use bitvec::vec::BitVec;
use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::topology::Topology;
use rtl_model::wormhole::machine::WormholeMachine;
use rtl_model::wormhole::plan::host_wires::{
    EJECT, EJECT_TAIL, EJECT_VALID, FROM_HOST, INJECT, INJECT_CREDIT, INJECT_TAIL, INJECT_VALID,
    TO_HOST,
};

use crate::wormhole::message::Worm;

/// The host's side of one switch.
#[derive(Clone, Debug)]
struct Port {
    queue: VecDeque<usize>,
    /// Bits that it has sent of the first worm of the queue.
    sent: usize,
    credits: usize,
    group: usize,
    place: usize,
    /// In the list of ports that have something to do.
    busy: bool,
    /// What has come out of the worm that is arriving, and since when.
    arriving: BitVec<u64>,
    head_arrived: u64,
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
    /// Bits.
    pub bits: u64,
    /// Worms that began: port and worm.
    pub begun: Vec<(usize, usize)>,
}

/// All hosts of a machine. A port is a switch of a node: `node * switches + switch`.
#[derive(Clone, Debug)]
pub struct Hosts {
    switches: usize,
    buffer_bits: usize,
    links: usize,
    ports: Vec<Port>,
    busy: Vec<usize>,
    /// By group and place, the node.
    nodes: Vec<Vec<usize>>,
    queued: usize,
}

impl Hosts {
    /// The hosts of a machine.
    pub fn new<B: Lanes>(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let topology = fabric.topology();
        let switches = plan.switches();
        let mut nodes = vec![vec![usize::MAX; B::NODES]; fabric.node_groups().len()];
        let all = fabric.machines() * topology.nodes();
        let mut ports = Vec::with_capacity(all * switches);
        for node in 0..all {
            let (group, place) = topology.seat::<B>(node);
            nodes[group][place] = node;
            ports.extend((0..switches).map(|_| Port {
                queue: VecDeque::new(),
                sent: 0,
                credits: plan.buffer_bits,
                group,
                place,
                busy: false,
                arriving: BitVec::new(),
                head_arrived: 0,
            }));
        }
        Hosts {
            switches,
            buffer_bits: plan.buffer_bits,
            links: plan.link_wires(),
            ports,
            busy: Vec::new(),
            nodes,
            queued: 0,
        }
    }

    /// The node at a place of a group.
    pub fn node_at(&self, group: usize, place: usize) -> usize {
        self.nodes[group][place]
    }

    /// Worms that have not been sent to their end.
    pub fn queued(&self) -> usize {
        self.queued
    }

    /// Puts a worm behind those that wait at a node.
    pub fn enqueue(&mut self, node: usize, switch: usize, worm: usize) {
        let number = node * self.switches + switch;
        let port = &mut self.ports[number];
        port.queue.push_back(worm);
        self.queued += 1;
        if !port.busy {
            port.busy = true;
            self.busy.push(number);
        }
    }

    /// Sends what credits allow in this bit time. Between [`Fabric::transmit`] and [`Fabric::clock`].
    pub fn send<B: Lanes>(
        &mut self,
        fabric: &mut Fabric<WormholeMachine, B>,
        worms: &[Worm],
        done: &mut Sent,
    ) {
        done.bits = 0;
        done.begun.clear();
        let mut place_in_list = 0;
        while place_in_list < self.busy.len() {
            let number = self.busy[place_in_list];
            let port = &mut self.ports[number];
            let switch = number % self.switches;
            let wire = |wire| switch * FROM_HOST + wire;
            let may_send = match port.sent {
                0 => port.credits == self.buffer_bits,
                _ => port.credits > 0,
            };
            let next = port
                .queue
                .front()
                .filter(|_| may_send)
                .map(|&worm| (worm, &worms[worm]));
            let (mut bit, mut tail) = (false, false);
            if let Some((worm_number, worm)) = next {
                if port.sent == 0 {
                    done.begun.push((number, worm_number));
                }
                bit = worm.bits[port.sent];
                port.sent += 1;
                port.credits -= 1;
                tail = port.sent == worm.bits.len();
                if tail {
                    port.queue.pop_front();
                    port.sent = 0;
                    self.queued -= 1;
                }
                done.bits += 1;
            }
            let valid = next.is_some();
            fabric
                .from_host(port.group, wire(INJECT))
                .set(port.place, bit);
            fabric
                .from_host(port.group, wire(INJECT_VALID))
                .set(port.place, valid);
            fabric
                .from_host(port.group, wire(INJECT_TAIL))
                .set(port.place, tail);
            let credit = self.links + switch * TO_HOST + INJECT_CREDIT;
            port.credits += usize::from(fabric.group_wire(port.group, credit).get(port.place));
            if !valid && port.queue.is_empty() && port.credits == self.buffer_bits {
                port.busy = false;
                self.busy.swap_remove(place_in_list);
            } else {
                place_in_list += 1;
            }
        }
    }

    /// Takes what comes out in this bit time. Between [`Fabric::transmit`] and [`Fabric::clock`]. Returns how many bits
    /// came; worms that are whole go to `arrived`.
    pub fn receive<B: Lanes>(
        &mut self,
        fabric: &Fabric<WormholeMachine, B>,
        arrived: &mut Vec<Arrived>,
    ) -> u64 {
        let bit_time = fabric.bit_time();
        let mut received = 0;
        for group in 0..self.nodes.len() {
            for switch in 0..self.switches {
                let wire = |wire| fabric.group_wire(group, self.links + switch * TO_HOST + wire);
                let valid = wire(EJECT_VALID);
                if valid.is_known_zero() {
                    continue;
                }
                let (bits, tails) = (wire(EJECT), wire(EJECT_TAIL));
                for place in places(valid) {
                    let node = self.nodes[group][place];
                    let port = &mut self.ports[node * self.switches + switch];
                    if port.arriving.is_empty() {
                        port.head_arrived = bit_time;
                    }
                    port.arriving.push(bits.get(place));
                    received += 1;
                    if tails.get(place) {
                        arrived.push(Arrived {
                            node,
                            switch,
                            bits: std::mem::take(&mut port.arriving),
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
