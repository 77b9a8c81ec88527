use super::*;
use crate::embedding::paths::Packet;

/// The Gray-code cycle of a cube of so many dimensions.
fn gray_cycle(dimensions: usize) -> Embedding {
    use crate::embedding::gray_code::{gray, transition};
    let host = Dimensions::new(dimensions).unwrap();
    let nodes = host.nodes();
    let mut embedding = Embedding::new(host, (0..nodes).map(|at| gray(at) as u32).collect());
    for at in 0..nodes {
        embedding.add_edge([at, (at + 1) % nodes], [[transition(dimensions, at) as u8]]);
    }
    embedding
}

#[test]
fn a_gray_code_cycle_takes_as_many_steps_as_packets() {
    for packets in 1..=5 {
        let embedding = gray_cycle(3).with_packets(packets);
        for order in Order::EACH {
            let phase = Phase::of(&embedding, order);
            assert_eq!(phase.steps(), packets, "{}", order.name());
            assert_eq!(phase.hops().len(), 8 * packets);
            assert!((phase.wire_use() - 1.0 / 3.0).abs() < 1e-12);
        }
    }
}

/// Three packets from node 0 to node 1, and one from node 2 over node 0 to node 1.
fn meeting() -> Embedding {
    let host = Dimensions::new(2).unwrap();
    let mut embedding = Embedding::new(host, vec![0, 1, 2]);
    embedding.add_edge([0, 1], [[0]]);
    embedding.add_edge([2, 1], [[1, 0]]);
    embedding
}

fn of_packet(phase: &Phase, packet: u32) -> Vec<(u32, u32, u8)> {
    let hops = phase.hops().iter().filter(|hop| hop.packet == packet);
    hops.map(|hop| (hop.step, hop.from, hop.dimension))
        .collect()
}

#[test]
fn levels_of_hops_follow_each_other() {
    let phase = Phase::of(&meeting().with_packets(2), Order::HopByHop);
    // Packets 0 and 1 are of the first edge, 2 and 3 of the second; the first level takes two steps, the second as well.
    assert_eq!(phase.steps(), 4);
    assert_eq!(of_packet(&phase, 1), [(1, 0, 0)]);
    assert_eq!(of_packet(&phase, 3), [(1, 2, 1), (3, 0, 0)]);
}

#[test]
fn a_packet_that_waits_goes_with_a_later_level() {
    let mut embedding = meeting();
    embedding.set_packets([Packet { path: 0, wait: 2 }]);
    let phase = Phase::of(&embedding, Order::HopByHop);
    assert_eq!(
        of_packet(&phase, 0),
        [(0, 0, 0)],
        "nobody waits for a level of none"
    );
    assert_eq!(phase.steps(), 2);
}

#[test]
fn the_one_that_has_the_farthest_to_go_is_first() {
    let mut embedding = meeting().with_packets(2);
    let phase = Phase::of(&embedding, Order::Greedy);
    assert_eq!(phase.steps(), 4);
    // At node 0, packets of the second edge are at their last hop, as those of the first are: the lower number goes first.
    assert_eq!(of_packet(&phase, 0), [(0, 0, 0)]);
    assert_eq!(of_packet(&phase, 1), [(1, 0, 0)]);
    assert_eq!(of_packet(&phase, 2), [(0, 2, 1), (2, 0, 0)]);
    // One that goes on across dimension 1 is let through first.
    embedding = meeting();
    embedding.add_edge([0, 0], [[0, 1, 0, 1]]);
    let phase = Phase::of(&embedding, Order::Greedy);
    assert_eq!(of_packet(&phase, 2)[0], (0, 0, 0));
    assert_eq!(of_packet(&phase, 0), [(1, 0, 0)]);
}

#[test]
fn no_wire_carries_two_packets_in_a_step() {
    let embedding = gray_cycle(4).both_ways().with_packets(3);
    for order in Order::EACH {
        let phase = Phase::of(&embedding, order);
        let mut uses: Vec<_> = phase
            .hops()
            .iter()
            .map(|hop| (hop.step, hop.from, hop.dimension))
            .collect();
        let all = uses.len();
        uses.sort_unstable();
        uses.dedup();
        assert_eq!(uses.len(), all);
    }
}
