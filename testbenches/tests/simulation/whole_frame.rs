//! Whole frames in machine words (`reference::whole_frame`) beside plain facts at small size, and beside the
//! hardware: every word on every wire at small size, deliveries and totals at large.

mod steps;

use crate::common::{cube, device, generator, loaded, random_pairs, schedule, traffic};
use bitvec::field::BitField;
use reference_models::whole_frame::frame::Frame;
use reference_models::whole_frame::{self, Outcome};
use rtl_model::language::lanes::Words;
use rtl_model::machine::arrivals::Arrivals;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Traffic, senders};
use testbenches::lockstep::Schedule;

/// Runs a machine to its end.
fn run_to_the_end(machine: &mut dyn Lockstep) {
    machine.advance(u64::MAX, &How::default()).unwrap();
}

/// What must be at each node in the end: the payload that was sent to it.
fn facts(k: usize, traffic: &Traffic) -> Vec<Frame> {
    let mut payloads = vec![Frame::NONE; 1 << k];
    for (index, message) in traffic.messages().iter().enumerate() {
        assert!(payloads[message.destination].is_none());
        payloads[message.destination] =
            Frame::new(traffic.payload(index).load_le(), traffic.payload_bits());
    }
    payloads
}

/// What is at each node of a machine.
fn delivered(arrivals: &Arrivals, k: usize, payload_bits: usize) -> Vec<Frame> {
    let payload = |node| match arrivals.at(node) {
        Some(payload) => Frame::new(payload.load_le(), payload_bits),
        None => Frame::NONE,
    };
    (0..1 << k).map(payload).collect()
}

fn route(k: usize, traffic: &Traffic) -> Outcome {
    whole_frame::route(cube(k), traffic, &mut ())
        .unwrap_or_else(|violation| panic!("{violation}: {:?}", traffic.messages()))
}

/// Calls `test` with every partial injection of the nodes that agrees with `pairs` below `source`.
fn partial_injections(
    nodes: usize,
    source: usize,
    pairs: &mut Vec<(usize, usize)>,
    test: &mut impl FnMut(&[(usize, usize)]),
) {
    if source == nodes {
        return test(pairs);
    }
    partial_injections(nodes, source + 1, pairs, test);
    for destination in 0..nodes {
        if pairs.iter().all(|(_, taken)| *taken != destination) {
            pairs.push((source, destination));
            partial_injections(nodes, source + 1, pairs, test);
            pairs.pop();
        }
    }
}

#[test]
fn every_partial_injection_of_2_and_4_nodes_arrives_whole() {
    every_partial_injection_arrives_whole(&[(1, 1, 7), (1, 5, 7), (2, 2, 209)]);
}

#[test]
#[ignore = "long: a million routings"]
fn every_partial_injection_of_8_nodes_arrives_whole() {
    every_partial_injection_arrives_whole(&[(3, 3, 1_441_729)]);
}

fn every_partial_injection_arrives_whole(sizes: &[(usize, usize, usize)]) {
    for &(k, payload_bits, amount) in sizes {
        let mut routed = 0;
        partial_injections(1 << k, 0, &mut Vec::new(), &mut |pairs| {
            let traffic = traffic(k, payload_bits, pairs, 1);
            assert!(traffic.payloads_are_distinct());
            let outcome = route(k, &traffic);
            assert_eq!(outcome.delivered, facts(k, &traffic), "{pairs:?}");
            // Nodes without a message are those with a second one, and as many as there are none for.
            for (twos, empties) in outcome.tally.twos.iter().zip(&outcome.tally.empties) {
                assert_eq!(*empties, (1 << k) - pairs.len() as u64 + twos, "{pairs:?}");
            }
            routed += 1;
        });
        assert_eq!(routed, amount);
    }
}

#[test]
fn every_set_of_up_to_16_nodes_is_ranked_and_packed() {
    for k in 1..=4 {
        for set in 0..1usize << (1 << k) {
            let enumeration = whole_frame::enumerate(cube(k), |node| set >> node & 1 == 1);
            let before = |node: usize| u64::from((set & ((1 << node) - 1)).count_ones());
            let ranks: Vec<u64> = (0..1 << k).map(before).collect();
            assert_eq!(enumeration.ranks, ranks);
            assert_eq!(
                enumeration.totals,
                vec![u64::from(set.count_ones()); 1 << k]
            );
            assert_eq!(enumeration.tally.all_bit_times(), 2 * k as u64);
            if k < 4 {
                let members = (0..1 << k).filter(|node| set >> node & 1 == 1);
                let pairs: Vec<_> = members.zip(0..).collect();
                let traffic = traffic(k, 5, &pairs, 2);
                let outcome = whole_frame::pack(cube(k), &traffic).unwrap();
                assert_eq!(outcome.delivered, facts(k, &traffic));
            }
        }
    }
}

/// Traffics of a large cube: full and partial, drawn and named.
fn traffics(k: usize, payload_bits: usize) -> Vec<Traffic> {
    let choices = [
        (Pattern::Randperm, 1.0),
        (Pattern::Randperm, 0.6),
        (Pattern::Bitrev, 1.0),
        (Pattern::Transpose, 0.9),
    ];
    let traffic = |(pattern, load): (Pattern, f64)| {
        let senders = senders(cube(k), load, 7).unwrap();
        let messages = pattern.messages(cube(k), &senders, 7).unwrap();
        Traffic::new(cube(k), payload_bits, messages, 7).unwrap()
    };
    choices.map(traffic).into()
}

/// Runs a traffic on a schedule's machine beside whole frames: every node holds the same payload, or none in
/// both. What else is to agree is up to `beside_totals`.
fn run_beside_whole_frames(
    schedule: Schedule,
    k: usize,
    traffic: &Traffic,
    beside_totals: impl Fn(&Outcome, &dyn Lockstep),
) {
    let outcome = route(k, traffic);
    let payload_bits = traffic.payload_bits();
    let mut machine = loaded(&*device(schedule, k, payload_bits), traffic);
    run_to_the_end(&mut *machine);
    let arrivals = Arrivals::read(&*machine, payload_bits).unwrap();
    assert!(outcome.delivered == delivered(&arrivals, k, payload_bits));
    assert!(outcome.delivered == facts(k, traffic));
    beside_totals(&outcome, &*machine);
}

/// Bit times of the run, and bit times in which a node drives wires.
fn plain_totals(outcome: &Outcome, fabric: &dyn Lockstep) {
    assert_eq!(outcome.tally.all_bit_times(), fabric.bit_time());
    let driven: u64 = outcome.tally.driven.iter().sum();
    assert_eq!(driven, fabric.driven_wire_bit_times());
}

#[test]
fn plain_delivers_in_as_many_bit_times_at_16_dimensions() {
    for traffic in traffics(16, 16) {
        run_beside_whole_frames(schedule("kuszmaul plain"), 16, &traffic, plain_totals);
    }
    for (k, payload_bits) in [(13, 1), (12, 33), (11, 43)] {
        let pairs = random_pairs(k, &mut generator(k as u64));
        let traffic = traffic(k, payload_bits, &pairs, 3);
        run_beside_whole_frames(schedule("kuszmaul plain"), k, &traffic, plain_totals);
    }
}

#[test]
fn overlapped_delivers_the_same_at_16_dimensions() {
    delivers_the_same(schedule("kuszmaul overlapped"));
}

#[test]
fn folded_delivers_the_same_at_16_dimensions() {
    delivers_the_same(schedule("kuszmaul folded"));
}

#[test]
fn spread_delivers_the_same_at_16_dimensions() {
    delivers_the_same(schedule("kuszmaul spread"));
}

#[test]
fn radix4_delivers_the_same_at_16_dimensions() {
    delivers_the_same(schedule("kuszmaul radix4"));
}

fn delivers_the_same(schedule: Schedule) {
    for traffic in traffics(16, 16) {
        run_beside_whole_frames(schedule, 16, &traffic, |_, _| ());
    }
}

/// A million nodes, most of which send.
fn traffic_of_20_dimensions() -> Traffic {
    let senders = senders(cube(20), 0.9, 3).unwrap();
    let messages = Pattern::Randperm.messages(cube(20), &senders, 3).unwrap();
    Traffic::new(cube(20), 20, messages, 3).unwrap()
}

#[test]
#[ignore = "long: a million nodes"]
fn plain_delivers_in_as_many_bit_times_at_20_dimensions() {
    run_beside_whole_frames(
        schedule("kuszmaul plain"),
        20,
        &traffic_of_20_dimensions(),
        plain_totals,
    );
}

#[test]
#[ignore = "long: a million nodes"]
fn other_schedules_deliver_the_same_at_20_dimensions() {
    let traffic = traffic_of_20_dimensions();
    run_beside_whole_frames(schedule("kuszmaul overlapped"), 20, &traffic, |_, _| ());
    run_beside_whole_frames(schedule("kuszmaul folded"), 20, &traffic, |_, _| ());
    run_beside_whole_frames(schedule("kuszmaul spread"), 20, &traffic, |_, _| ());
    run_beside_whole_frames(schedule("kuszmaul radix4"), 20, &traffic, |_, _| ());
}

#[test]
fn a_packing_and_an_enumeration_agree_at_16_dimensions() {
    for load in [0.3, 1.0] {
        let members = senders(cube(16), load, 5).unwrap();
        let messages = Pattern::Packed.messages(cube(16), &members, 5).unwrap();
        let traffic = Traffic::new(cube(16), 20, messages, 5).unwrap();
        let outcome = whole_frame::pack(cube(16), &traffic).unwrap();
        let mut fabric = loaded(&*packing::device(cube(16), 20).unwrap(), &traffic);
        run_to_the_end(&mut *fabric);
        let arrivals = Arrivals::read(&*fabric, 20).unwrap();
        assert!(outcome.delivered == delivered(&arrivals, 16, 20));
        assert_eq!(outcome.tally.all_bit_times(), fabric.bit_time());
        let driven: u64 = outcome.tally.driven.iter().sum();
        assert_eq!(driven, fabric.driven_wire_bit_times());

        let is_member = |node: usize| members.binary_search(&node).is_ok();
        let enumeration = whole_frame::enumerate(cube(16), is_member);
        let router = EnumerationRouter::new(cube(16));
        let mut fabric = Fabric::<_, Words<8>>::new(router, 1).unwrap();
        for &member in &members {
            let (group, place) = fabric.node_mut(member);
            group.set_member(place, true);
        }
        run_to_the_end(&mut fabric);
        for node in 0..1 << 16 {
            let (group, place) = fabric.node(node);
            assert_eq!(u64::from(group.rank(place)), enumeration.ranks[node]);
            assert_eq!(u64::from(group.total(place)), enumeration.totals[node]);
        }
        assert_eq!(enumeration.tally.all_bit_times(), fabric.bit_time());
        let driven: u64 = enumeration.tally.driven.iter().sum();
        assert_eq!(driven, fabric.driven_wire_bit_times());
    }
}
