//! A run of the hardware and one of the reference, compared event by event.

use std::collections::{BTreeMap, BTreeSet};

use hosts::wormhole::engine::Engine;
use hosts::wormhole::lanes::WormLanes;
use hosts::wormhole::tracker::{asked, far_end};
use reference_models::wormhole::{
    self as reference, Channel, Line, Machine, Message, Network, Outcome, Port, Run, Wire,
};
use rtl_model::machine::fabric::Fabric;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::ChannelId;

use crate::wormhole::invariants::{Witness, registers};
use crate::wormhole::machines::{
    LIMIT, hardware, nodes, plain_tick, run_hardware, with_intermediates,
};

/// Runs both. Everything that happens must happen in the same bit time, and what must hold is looked at in every one.
pub fn compare<B: WormLanes>(machine: Machine, messages: &[Message]) -> (Engine<B>, Run) {
    let mut ejected = BTreeMap::new();
    let mut witness = Witness::of(&hardware(machine));
    let mut engine = run_hardware::<B>(machine, messages, LIMIT, |engine| {
        engine
            .tick(|engine| {
                count_ejected(&engine.fabric, &mut ejected);
                witness.see_hosts(&engine.fabric);
                Ok::<(), ()>(())
            })
            .unwrap();
        witness.check(&engine.fabric).unwrap();
    });
    let run = reference::run(machine, &with_intermediates(machine, messages), LIMIT).unwrap();
    let what = format!("{machine:?}, {} messages", messages.len());

    let meters = &engine.meters;
    assert_eq!(meters.not_conserved, None, "{what}");
    let peaks = [meters.peak_bits_per_node, meters.peak_worms_per_node];
    assert_eq!(peaks, witness.peaks(), "{what}");
    assert_eq!(engine.tracker.shared(), None, "{what}");
    assert!(engine.conflict.is_none(), "{what}");
    assert_eq!(engine.strays, [], "{what}");
    same_outcome(&engine, &run, machine, &what);
    if engine.in_flight() > 0 {
        assert!(never_moves_again(&mut engine), "{what}");
    }
    same_deliveries(&engine, &run, &what);
    let links = engine.fabric.router().plan().links.len();
    let loads: Vec<Vec<u32>> = (0..links)
        .map(|link| engine.meters.loads(&engine.fabric, link))
        .collect();
    let load = |node: usize, link: usize| u64::from(loads[link][node]);
    for (&wire, &bits) in &run.wires {
        let crossed = match wire {
            Wire::Straight { node } => load(node, 0),
            Wire::Cross { node } => load(node, 1),
            Wire::Dimension { node, dimension } => load(node, dimension),
            Wire::Grid { node, link } => load(node, link),
            Wire::Eject { node, copy } => ejected.get(&(node, copy)).copied().unwrap_or(0),
        };
        assert_eq!(crossed, bits, "{what}: {wire}");
    }
    // Nothing else carried a bit.
    let links = run
        .wires
        .iter()
        .filter(|(wire, _)| !matches!(wire, Wire::Eject { .. }));
    let crossed: u64 = links.map(|(_, bits)| bits).sum();
    assert_eq!(engine.meters.crossed, crossed, "{what}");
    assert_eq!(ejected.values().sum::<u64>(), engine.meters.ejected);
    (engine, run)
}

/// By node and switch, the bits that have come out.
fn count_ejected<B: WormLanes>(
    fabric: &Fabric<WormholeMachine, B>,
    ejected: &mut BTreeMap<(usize, usize), u64>,
) {
    let plan = fabric.router().plan();
    for node in 0..fabric.router().network().nodes() {
        for switch in 0..plan.switches() {
            let host = plan.host_wires();
            let wire = plan.link_wires() + switch * host.to_host() + host.eject_valid();
            if fabric.wire(node, wire) {
                *ejected.entry((node, switch)).or_default() += 1;
            }
        }
    }
}

fn same_outcome<B: WormLanes>(engine: &Engine<B>, run: &Run, machine: Machine, what: &str) {
    let now = engine.fabric.bit_time();
    match &run.outcome {
        Outcome::Done { bit_times } => {
            assert_eq!((now, engine.in_flight()), (*bit_times, 0), "{what}");
            assert_eq!(engine.wait_for_cycle(), None, "{what}");
        }
        Outcome::Deadlock { bit_time, cycle } => {
            assert_eq!(now - engine.quiet(), *bit_time, "{what}");
            let found = engine.wait_for_cycle().unwrap();
            let expected: Vec<ChannelId> = cycle.iter().map(|one| place(*one, machine)).collect();
            assert!(is_cycle(engine, &found), "{what}: {found:?}");
            assert!(is_cycle(engine, &expected), "{what}: {expected:?}");
        }
        Outcome::OutOfTime => panic!("{what}: {LIMIT} bit times"),
    }
}

/// A bit time changes no register of any node.
fn never_moves_again<B: WormLanes>(engine: &mut Engine<B>) -> bool {
    let all = |engine: &Engine<B>| -> Vec<Vec<bool>> {
        let nodes = 0..engine.fabric.router().network().nodes();
        nodes.map(|node| registers(&engine.fabric, node)).collect()
    };
    let before = all(engine);
    plain_tick(engine);
    all(engine) == before
}

/// The input channel by its number.
fn place(channel: Channel, machine: Machine) -> ChannelId {
    let input = match channel.port {
        Port::Injection => 0,
        Port::StraightIn(number) => 1 + number,
        Port::CrossIn(number) => 1 + machine.virtual_channels + number,
        Port::LinkIn { link, channel } => {
            let links = match machine.network {
                Network::Grid { dimensions, .. } => 2 * dimensions,
                Network::Listed(listed) => listed.slots,
                _ => nodes(machine).ilog2() as usize,
            };
            1 + channel * links + link
        }
        Port::LaneIn(lane) => {
            let edge = 2 * usize::from(lane.line == Line::Column) + usize::from(lane.cross);
            1 + edge * (nodes(machine).ilog2() as usize / 2) + lane.number
        }
        port => panic!("{port:?} is no input channel"),
    };
    ChannelId {
        node: channel.node,
        switch: channel.copy,
        input,
    }
}

/// Every one of them, and no other, holds a bit that waits for the next one.
fn is_cycle<B: WormLanes>(engine: &Engine<B>, cycle: &[ChannelId]) -> bool {
    let fabric = &engine.fabric;
    let next = cycle.iter().cycle().skip(1);
    let distinct: BTreeSet<_> = cycle.iter().collect();
    let waits = |(place, next): (&ChannelId, &ChannelId)| {
        let (group, lane) = fabric.node(place.node);
        let switch = &group.switches()[place.switch];
        let input = switch.input(place.input);
        let Some(output) = asked(fabric, *place) else {
            return false;
        };
        let goes_on = match input.connected().get(lane) {
            true => switch.has_credit(output).get(lane),
            // Either all credits are there and somebody has it, or some are not.
            false => {
                let all = switch.free(output, B::ZERO).get(lane);
                all && !is_owned(engine, *place, output)
            }
        };
        input.holds_bit().get(lane)
            && !goes_on
            && far_end(fabric, (place.node, place.switch, output)).map(|(_, far)| far)
                == Some(*next)
    };
    !cycle.is_empty() && distinct.len() == cycle.len() && cycle.iter().zip(next).all(waits)
}

/// Some input channel of the same switch is connected to the output channel.
fn is_owned<B: WormLanes>(engine: &Engine<B>, place: ChannelId, output: usize) -> bool {
    let (group, lane) = engine.fabric.node(place.node);
    let switch = &group.switches()[place.switch];
    (0..switch.plan().inputs.len()).any(|input| {
        let other = ChannelId { input, ..place };
        switch.input(input).connected().get(lane) && asked(&engine.fabric, other) == Some(output)
    })
}

/// Of worms to one host that carry the same bits, nobody there can tell which one came first.
fn same_deliveries<B: WormLanes>(engine: &Engine<B>, run: &Run, what: &str) {
    type Arrivals = Vec<(Option<u64>, Option<u64>)>;
    let mut alike: BTreeMap<_, (Vec<usize>, Arrivals, Arrivals)> = BTreeMap::new();
    for (number, arrival) in run.arrivals.iter().enumerate() {
        let Some(message) = engine.messages.get(number) else {
            // The run ended before it was created.
            assert_eq!(arrival.injected, None, "{what}: message {number}");
            continue;
        };
        assert_eq!(engine.worms_of(number).len(), arrival.pieces.len());
        for (worm, piece) in engine.worms_of(number).zip(&arrival.pieces) {
            let (sent, delivery) = (&engine.worms[worm], &engine.deliveries[worm]);
            let what = format!("{what}: message {number}, piece {}", sent.switch);
            // Here with what fills flits.
            let wire_bits = engine.fabric.router().parameters().wire_bits;
            assert!(sent.header >= piece.header_bits, "{what}");
            assert!(wire_bits > 1 || sent.header == piece.header_bits, "{what}");
            let body = piece.body_bits.next_multiple_of(wire_bits);
            assert_eq!(sent.body().len(), body, "{what}");
            assert_eq!(delivery.injected, piece.injected, "{what}");
            assert_eq!(engine.tracker.path(worm), piece.path, "{what}");
            let key = (message.destination, sent.switch, sent.body().to_bitvec());
            let (messages, ours, theirs) = alike.entry(key).or_default();
            messages.push(number);
            // The head of a worm that never arrived whole is known to the reference alone.
            let head = |tail: Option<u64>, head: Option<u64>| tail.and(head);
            ours.push((
                head(delivery.tail_arrived, delivery.head_arrived),
                delivery.tail_arrived,
            ));
            theirs.push((
                head(piece.tail_arrived, piece.head_arrived),
                piece.tail_arrived,
            ));
        }
    }
    let mut ambiguous = vec![false; run.arrivals.len()];
    for (messages, mut ours, mut theirs) in alike.into_values() {
        if messages.len() > 1 {
            messages.iter().for_each(|&one| ambiguous[one] = true);
            ours.sort_unstable();
            theirs.sort_unstable();
        }
        assert_eq!(ours, theirs, "{what}: messages {messages:?}");
    }
    for number in (0..engine.messages.len()).filter(|&one| !ambiguous[one]) {
        let (ours, theirs) = (engine.delivery(number), &run.arrivals[number]);
        assert_eq!(
            (ours.injected, ours.tail_arrived),
            (theirs.injected, theirs.tail_arrived)
        );
        if ours.tail_arrived.is_some() {
            assert_eq!(ours.head_arrived, theirs.head_arrived);
        }
    }
}
