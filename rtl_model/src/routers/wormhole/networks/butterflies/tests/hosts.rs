//! Hosts that send worms of several machines side by side, and take what comes out.

use std::collections::VecDeque;

use crate::language::lanes::{Lanes, Words};
use crate::machine::fabric::Fabric;
use crate::machine::instructions::Instructions;
use crate::machine::router::Unsequenced;
use crate::machine::topology::Topology;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::plan::HostWires;
use crate::routers::wormhole::trip::Trip;

/// Of links with one data wire.
const WIRES: HostWires = HostWires { wire_bits: 1 };

/// Bits that a machine of 64 nodes takes eight times.
pub(super) type Wide = Words<8>;

/// A worm: its header, and a body that says who it is.
#[derive(Clone, Debug)]
pub(super) struct Worm {
    pub(super) bits: Vec<bool>,
    pub(super) destination: usize,
    pub(super) header: usize,
    /// Not before this bit time.
    pub(super) begins: u64,
}

impl Worm {
    /// The bits of a body are those of its number and of its source, again and again.
    pub(super) fn new(
        machine: &WormholeMachine,
        (source, destination): (usize, usize),
        body: usize,
    ) -> Self {
        let mut bits = machine.header(0, Trip::direct(source, destination));
        let header = bits.len();
        bits.extend((0..body).map(|place| body_bit(source, destination, place)));
        Worm {
            bits,
            destination,
            header,
            begins: 0,
        }
    }
}

/// Bodies of different worms differ soon.
fn body_bit(source: usize, destination: usize, place: usize) -> bool {
    let mixed = (source * 4096 + destination + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed >> (63 - place % 61) & 1 == 1
}

#[derive(Clone, Default)]
struct Host {
    worms: VecDeque<Worm>,
    sent: usize,
    credits: usize,
    arriving: Vec<bool>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    /// By node, the bodies that came out, and the bit time of the last bit of each.
    pub(super) delivered: Vec<Vec<(Vec<bool>, u64)>>,
    /// Bit times until nothing moved any more.
    pub(super) bit_times: u64,
    /// All came out.
    pub(super) finished: bool,
}

/// Bit times without a bit on any wire after which none will ever move: more than a head takes to be read
/// and connected, and a credit to come back.
const PATIENCE: u64 = 60;

/// Runs worms, by node; the nodes of several machines follow each other.
pub(super) fn run<B: Lanes>(
    machine: &WormholeMachine,
    machines: usize,
    worms: Vec<Vec<Worm>>,
    with_routine: bool,
) -> Ran {
    run_and_look::<B>(machine, machines, worms, with_routine, &mut |_| {})
}

/// As [`run`]; looks at every bit time.
pub(super) fn run_and_look<B: Lanes>(
    machine: &WormholeMachine,
    machines: usize,
    worms: Vec<Vec<Worm>>,
    with_routine: bool,
    look: &mut dyn FnMut(&Fabric<WormholeMachine, B>),
) -> Ran {
    let mut fabric = Fabric::<_, B>::new(machine.clone(), machines).unwrap();
    if with_routine {
        fabric.make_routine(Instructions::widest());
    }
    let buffer_bits = machine.plan().buffer_bits;
    let links = machine.plan().link_wires();
    let nodes = machine.network().nodes();
    let mut waiting: usize = worms.iter().map(Vec::len).sum();
    let mut hosts: Vec<Host> = worms
        .into_iter()
        .map(|worms| Host {
            worms: worms.into(),
            credits: buffer_bits,
            ..Host::default()
        })
        .collect();
    assert_eq!(hosts.len(), nodes * machines);
    // Machines follow each other.
    let seats: Vec<(usize, usize)> = (0..nodes * machines)
        .map(|node| fabric.topology().seat::<B>(node))
        .collect();
    let mut ran = Ran {
        delivered: vec![Vec::new(); nodes * machines],
        bit_times: 0,
        finished: false,
    };
    let mut quiet = 0;
    while waiting > 0 && quiet < PATIENCE {
        fabric.transmit().unwrap();
        look(&fabric);
        let bit_time = fabric.bit_time();
        let groups = fabric.node_groups().len();
        let on_wires = machine.plan().links.iter().map(|link| {
            let valid = (0..groups).map(|group| fabric.group_wire(group, link.wires.valid));
            valid.map(|bits| bits.ones() as usize).sum::<usize>()
        });
        let on_wires: usize = on_wires.sum();
        let mut moved = on_wires > 0;
        let of_groups = |wire| -> Vec<B> {
            let groups = 0..groups;
            groups
                .map(|group| fabric.group_wire(group, links + wire))
                .collect()
        };
        let comes = [WIRES.eject_valid(), WIRES.inject_credit()].map(of_groups);
        for (node, host) in hosts.iter_mut().enumerate() {
            let (group, place) = seats[node];
            if host.worms.is_empty() && !comes.iter().any(|bits| bits[group].get(place)) {
                // What it sent last was a tail.
                let valid = fabric.from_host(group, WIRES.inject_valid());
                valid.set(place, false);
                continue;
            }
            let to_host = |wire| fabric.wire(node, links + wire);
            if to_host(WIRES.eject_valid()) {
                moved = true;
                host.arriving.push(to_host(WIRES.eject().start));
                if to_host(WIRES.eject_tail()) {
                    let body = std::mem::take(&mut host.arriving);
                    ran.delivered[node].push((body, bit_time));
                    waiting -= 1;
                    ran.bit_times = bit_time + 1;
                }
            }
            let returned = to_host(WIRES.inject_credit());
            moved |= returned;
            let may = match host.sent {
                0 => host.credits == buffer_bits,
                _ => host.credits > 0,
            };
            let mut sends = [false; 3];
            if host
                .worms
                .front()
                .is_some_and(|worm| worm.begins > bit_time)
            {
                moved = true;
            } else if let Some(worm) = host.worms.front().filter(|_| may) {
                moved = true;
                let tail = host.sent + 1 == worm.bits.len();
                sends = [worm.bits[host.sent], true, tail];
                host.sent += 1;
                host.credits -= 1;
                if tail {
                    host.sent = 0;
                    host.worms.pop_front();
                }
            }
            host.credits += usize::from(returned);
            for (wire, bit) in [
                WIRES.inject().start,
                WIRES.inject_valid(),
                WIRES.inject_tail(),
            ]
            .into_iter()
            .zip(sends)
            {
                fabric.from_host(group, wire).set(place, bit);
            }
        }
        quiet = if moved { 0 } else { quiet + 1 };
        // Not always: it takes longer than the run.
        if !with_routine && bit_time < 80 && bit_time % 4 == 3 {
            let ejected = (0..nodes * machines)
                .filter(|&node| fabric.wire(node, links + WIRES.eject_valid()));
            watch(&fabric, on_wires + ejected.count());
        }
        fabric.clock();
    }
    ran.finished = waiting == 0;
    ran
}

/// What holds in every bit time: an input channel owns one lane at the most; every front bit that does not move is counted as a stall.
fn watch<B: Lanes>(fabric: &Fabric<WormholeMachine, B>, moved: usize) {
    let mut fronts = 0;
    let switch = &fabric.router().plan().switch;
    for node in fabric.node_groups() {
        let channels = &node.switches()[0];
        for (number, plan) in switch.inputs.iter().enumerate() {
            let input = channels.input(number);
            let mut connected = B::ZERO;
            for lane in 0..plan.lanes() {
                let this = input.connected_to(lane);
                assert!(
                    (connected & this).is_known_zero(),
                    "two lanes of {}",
                    plan.name
                );
                connected = connected | this;
            }
            fronts += (input.holds_bit() & !input.consumes()).ones() as usize;
        }
        for relay in node.relays() {
            fronts += relay.holds_bit().ones() as usize;
        }
    }
    let mut stalls = [0; WormholeMachine::TALLIES];
    fabric.add_tallies(&mut stalls);
    assert_eq!(fronts - moved, stalls.iter().sum::<u64>() as usize);
}

/// All that was sent has come out where it was to, and nothing else.
pub(super) fn assert_delivered(sent: &[Vec<Worm>], nodes: usize, ran: &Ran) {
    let mut expected = vec![Vec::new(); ran.delivered.len()];
    for (port, worms) in sent.iter().enumerate() {
        for worm in worms {
            let node = port / nodes * nodes + worm.destination;
            expected[node].push(worm.bits[worm.header..].to_vec());
        }
    }
    for (node, (expected, delivered)) in expected.iter_mut().zip(&ran.delivered).enumerate() {
        let mut bodies: Vec<_> = delivered.iter().map(|(body, _)| body.clone()).collect();
        bodies.sort();
        expected.sort();
        assert_eq!(bodies, *expected, "at node {node}");
    }
}
