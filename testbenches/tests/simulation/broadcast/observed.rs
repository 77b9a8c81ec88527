//! Small broadcasts to put faults into, and what their hosts see.

use bitvec::vec::BitVec;
use hosts::ports::engine::Engine;
use hosts::ports::message::Message;
use hosts::tamper::Tampering;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Tap;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::broadcast::common::{broadcast, objections};

/// Each way to send packets on, on all ports and on one.
pub fn all() -> Vec<Broadcast> {
    use Algorithm::{
        BinomialTree, Broadcast2, Broadcast3A, Broadcast3B, Broadcast4, HamiltonianPath,
        MultipleTrees, TwoRootedTree,
    };
    use PortModel::{All, OneWay, TwoWay};
    [
        ((BinomialTree, OneWay), 3, 5, 2, (3, 1)),
        ((BinomialTree, All), 3, 0, 3, (3, 0)),
        ((HamiltonianPath, TwoWay), 2, 3, 3, (4, 0)),
        ((TwoRootedTree, OneWay), 3, 6, 2, (3, 0)),
        ((TwoRootedTree, TwoWay), 3, 1, 2, (2, 1)),
        ((TwoRootedTree, All), 3, 2, 3, (3, 1)),
        ((MultipleTrees, OneWay), 3, 4, 4, (3, 0)),
        ((MultipleTrees, TwoWay), 3, 7, 5, (3, 1)),
        ((MultipleTrees, All), 3, 1, 5, (3, 0)),
        ((Broadcast2, All), 3, 2, 3, (4, 1)),
        ((Broadcast3A, All), 3, 3, 3, (3, 0)),
        ((Broadcast3B, All), 3, 6, 2, (3, 1)),
        ((Broadcast4, All), 3, 5, 8, (3, 0)),
    ]
    .map(|(kind, n, source, packets, size)| broadcast(kind, n, source, packets, size))
    .into()
}

/// A run, and what the hosts have seen of it.
pub struct Run {
    pub engine: Engine,
    /// By bit time.
    seen: Vec<Vec<bool>>,
}

impl Run {
    pub fn of(
        broadcast: Broadcast,
        registers: impl FnMut(&mut dyn Simulation),
        wires: impl FnMut(&mut dyn Simulation),
    ) -> Self {
        let mut engine = Engine::new(broadcast, message(&broadcast)).unwrap();
        engine.monitor.list_sends();
        let (mut all_seen, mut named) = (Vec::new(), Vec::new());
        let observe = |engine: &Engine| {
            all_seen.push(seen(engine, &mut named));
            Ok::<(), ()>(())
        };
        let mut tampering = Tampering { registers, wires };
        engine.run_with(&mut tampering, observe).unwrap();
        Run {
            engine,
            seen: all_seen,
        }
    }

    pub fn clean(broadcast: Broadcast) -> Self {
        let run = Run::of(broadcast, |_| (), |_| ());
        assert_eq!(objections(&run.engine), [""; 0], "{broadcast:?}");
        run
    }

    /// What every node ends up with.
    fn delivered(&self) -> Vec<BitVec<u64>> {
        let nodes = 0..self.engine.broadcast().cube.nodes();
        nodes
            .map(|node| self.engine.hosts.message_at(node))
            .collect()
    }

    /// Whether hosts saw and got the same.
    pub fn is_the_same(&self, clean: &Run) -> bool {
        self.seen == clean.seen && self.delivered() == clean.delivered()
    }
}

/// In every packet there is a 0 and a 1, so both cross every link that is used.
fn message(broadcast: &Broadcast) -> Message {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut bits = BitVec::new();
    for _ in 0..broadcast.packets {
        let packet = loop {
            let packet: Vec<bool> = (0..broadcast.packet_bits)
                .map(|_| random.random())
                .collect();
            if packet.contains(&true) && packet.contains(&false) {
                break packet;
            }
        };
        bits.extend(packet);
    }
    Message::new(bits, broadcast.packet_bits)
}

/// What the hosts see in a bit time, of what means anything: a bit where one is to be taken, with the name of its packet, and what
/// is asked for at the source. Packets are named at the beginning of a step, and here kept in `named`.
fn seen(engine: &Engine, named: &mut Vec<bool>) -> Vec<bool> {
    let (machine, at) = (&engine.machine, *engine.device.wires());
    let begins = machine.driver(at.sending(0)).is_some();
    let names: Vec<usize> = (at.group(0)..at.sending(0)).collect();
    if begins {
        let nodes =
            (0..machine.nodes()).flat_map(|node| names.iter().map(move |wire| (node, *wire)));
        *named = nodes
            .map(|(node, wire)| machine.tapped(node, Tap::Driven(wire)))
            .collect();
    }
    let mut seen = Vec::new();
    for node in 0..machine.nodes() {
        let on = |wire: usize| machine.tapped(node, Tap::Driven(wire));
        for channel in 0..at.channels {
            let take = on(at.take(channel));
            seen.extend([take, take && on(at.bit(channel))]);
            // The last bit of a packet is there when the next packets are named.
            let group = (0..at.group_bits).map(|bit| at.group(channel) + bit);
            let tree = (0..at.tree_bits).map(|bit| at.tree(channel) + bit);
            let name = group
                .chain(tree)
                .map(|wire| node * names.len() + wire - names[0]);
            seen.extend(name.map(|place| take && !begins && !named.is_empty() && named[place]));
        }
        seen.extend((at.sending(0)..=at.violation()).map(on));
        let is_source = node == engine.broadcast().source;
        seen.extend((at.ask()..at.driven()).map(|wire| is_source && on(at.ask()) && on(wire)));
    }
    seen
}
