//! A run of the hardware beside one of the reference model.

use hosts::ports::engine::Engine;
use hosts::ports::message::Message;
use hosts::ports::monitor::Sent;
use reference_models::broadcast::{self as reference, Ports};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;

/// The same broadcast as the reference model knows it.
pub fn referred(broadcast: &Broadcast) -> reference::Broadcast {
    reference::Broadcast {
        algorithm: match broadcast.algorithm {
            Algorithm::HamiltonianPath => reference::Algorithm::HamiltonianPath,
            Algorithm::BinomialTree => reference::Algorithm::BinomialTree,
            Algorithm::TwoRootedTree => reference::Algorithm::TwoRootedTree,
            Algorithm::MultipleTrees => reference::Algorithm::MultipleTrees,
            Algorithm::Broadcast1 => reference::Algorithm::Broadcast1,
            Algorithm::Broadcast2 => reference::Algorithm::Broadcast2,
            Algorithm::Broadcast3A => reference::Algorithm::Broadcast3A,
            Algorithm::Broadcast3B => reference::Algorithm::Broadcast3B,
            Algorithm::Broadcast4 => reference::Algorithm::Broadcast4,
            Algorithm::Listed { .. } => panic!("the reference model has no algorithm for a list"),
        },
        ports: ports(broadcast.ports),
        dims: broadcast.cube.count(),
        source: broadcast.source,
        packets: broadcast.packets,
    }
}

pub fn ports(model: PortModel) -> Ports {
    match model {
        PortModel::OneWay => Ports::OneWay,
        PortModel::TwoWay => Ports::TwoWay,
        PortModel::All => Ports::All,
    }
}

/// A run of the hardware; the message ends in the middle of the last packet.
pub fn run(broadcast: Broadcast, seed: u64) -> Engine {
    let bits = broadcast.packets * broadcast.packet_bits;
    let message = Message::drawn(
        bits - broadcast.packet_bits / 2,
        broadcast.packet_bits,
        seed,
    );
    let mut engine = Engine::new(broadcast, message).unwrap();
    engine.monitor.list_sends();
    engine.run(|_| Ok::<(), ()>(())).unwrap();
    engine
}

/// Everything that a run is held to.
pub fn holds(engine: &Engine) {
    let broadcast = *engine.broadcast();
    let machine = &engine.machine;
    assert_eq!(engine.monitor.violation(), None, "{broadcast:?}");
    assert_eq!(engine.conflict, None, "{broadcast:?}");
    assert_eq!(engine.hosts.wrong(), None, "{broadcast:?}");
    assert_eq!(engine.hosts.shared(), None, "{broadcast:?}");
    assert!(machine.is_done());
    assert_eq!(
        machine.bit_time(),
        broadcast.bit_times().value,
        "{broadcast:?}"
    );
    for node in 0..broadcast.cube.nodes() {
        assert!(engine.hosts.is_complete(node), "{broadcast:?} node {node}");
    }
    let bound = broadcast.forwarding_buffer();
    assert_eq!(
        u64::from(engine.peak_bits),
        bound.map_or(0, |bound| bound.value),
        "{broadcast:?}"
    );
}

/// What of a run is not as it should be: what `holds` asserts, as a report judges it.
pub fn objections(engine: &Engine) -> Vec<&'static str> {
    let broadcast = engine.broadcast();
    let (machine, monitor) = (&engine.machine, &engine.monitor);
    let nodes = 0..broadcast.cube.nodes();
    let is_complete = nodes.into_iter().all(|node| engine.hosts.is_complete(node));
    let bit_times = broadcast.bit_times().value;
    let peak = broadcast.forwarding_buffer().map_or(0, |form| form.value);
    let judged = [
        ("violation", monitor.violation().is_none()),
        ("conflict", engine.conflict.is_none()),
        ("arrivals", engine.hosts.wrong().is_none()),
        ("shared link", engine.hosts.shared().is_none()),
        ("message", is_complete),
        (
            "bit times",
            machine.is_done() && machine.bit_time() == bit_times,
        ),
        (
            "steps",
            monitor.steps() as u64 == broadcast.routing_steps().value,
        ),
        ("peak", u64::from(engine.peak_bits) == peak),
    ];
    let wrong = judged.into_iter().filter(|(_, is_right)| !is_right);
    wrong.map(|(what, _)| what).collect()
}

/// The hardware sends what the reference model sends, step by step.
pub fn beside_reference(broadcast: Broadcast, seed: u64) {
    let engine = run(broadcast, seed);
    holds(&engine);
    let outcome = referred(&broadcast).run().unwrap();
    assert_eq!(engine.monitor.steps(), outcome.steps, "{broadcast:?}");
    assert_eq!(broadcast.routing_steps().value, outcome.steps as u64);
    assert_eq!(
        engine.peak_packets as usize,
        outcome.peak_forwarding_packets
    );
    assert_eq!(engine.monitor.packets(), outcome.sends as u64);
    // Of the two-rooted tree there are many.
    let sends = engine.monitor.sends();
    if broadcast.algorithm != Algorithm::TwoRootedTree {
        let mut expected: Vec<Sent> = (referred(&broadcast).sends().iter())
            .map(|send| Sent {
                step: send.step,
                from: send.from,
                to: send.to,
                packet: send.packet,
            })
            .collect();
        expected.sort_unstable();
        assert_eq!(sends, expected, "{broadcast:?}");
    }
    let step = broadcast.packet_bits + broadcast.start_up;
    let firsts = complete_after(&broadcast, &sends);
    for (node, steps) in firsts.iter().enumerate() {
        let complete = engine.hosts.complete_at(node);
        let is_source = node == broadcast.source;
        assert!(
            is_source || complete == (steps * step) as u64,
            "{broadcast:?} node {node}"
        );
    }
    let judged: Vec<reference::Send> = (sends.iter())
        .map(|sent| reference::Send {
            step: sent.step,
            from: sent.from,
            to: sent.to,
            packet: sent.packet,
        })
        .collect();
    let Broadcast {
        cube,
        source,
        packets,
        ..
    } = broadcast;
    let model = ports(broadcast.ports);
    reference::check(cube.count(), source, packets, model, true, &judged).unwrap();
}

/// By node, the steps after which all packets have come to it, of which some may come more than once.
fn complete_after(broadcast: &Broadcast, sends: &[Sent]) -> Vec<usize> {
    let mut first = vec![vec![None; broadcast.packets]; broadcast.cube.nodes()];
    for sent in sends {
        let after = first[sent.to][sent.packet].get_or_insert(sent.step + 1);
        *after = (*after).min(sent.step + 1);
    }
    let last = |packets: &Vec<Option<usize>>| packets.iter().flatten().copied().max();
    first
        .iter()
        .map(|packets| last(packets).unwrap_or(0))
        .collect()
}

/// All broadcasts on all ports that they are defined for.
pub fn each() -> impl Iterator<Item = (Algorithm, PortModel)> {
    Algorithm::EACH.into_iter().flat_map(|algorithm| {
        let models = algorithm.port_models().iter();
        models.map(move |model| (algorithm, *model))
    })
}

/// The numbers of packets up to `most` that an algorithm takes.
pub fn packets(algorithm: Algorithm, n: usize, most: usize) -> impl Iterator<Item = usize> {
    1..=most.min(algorithm.most_packets(n).unwrap_or(most))
}

pub fn broadcast(
    (algorithm, ports): (Algorithm, PortModel),
    n: usize,
    source: usize,
    packets: usize,
    (packet_bits, start_up): (usize, usize),
) -> Broadcast {
    Broadcast {
        cube: Dimensions::new(n).unwrap(),
        algorithm,
        ports,
        source,
        packets,
        packet_bits,
        start_up,
    }
}
