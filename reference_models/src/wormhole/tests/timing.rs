//! Bit times worked out by hand.
//!
//! A worm alone, buffers of 2, one straight hop in the CCC of two levels: header 0001, bits B0 to B3;
//! body B4, B5.
//!
//! ```text
//! t   host   injection at (0, 0)            straight_in 0 at (1, 0)
//! 0   B0
//! 1   B1     [B0]     reads 0: not cross
//! 2   B2     [B1]     reads 0: not eject
//! 3   B3     [B2]     asks for straight
//! 4          [B2 B3]  sends B2
//! 5   B4     [B3]     sends B3              [B2]     reads 0
//! 6   B5     [B4]     sends B4              [B3]     reads 1: eject
//! 7          [B5]     sends B5              [B4]     asks for eject
//! 8                                         [B4 B5]  sends B4: the head has arrived
//! 9                                         [B5]     sends B5
//! ```

use super::*;

fn alone(network: Network, buffer_bits: usize, message: Message) -> Run {
    let machine = Machine {
        buffer_bits,
        ..machine(network)
    };
    run(machine, &[message], LIMIT).unwrap()
}

#[test]
fn two_places_carry_a_bit_in_every_bit_time() {
    for bits in 1..20 {
        let run = alone(ccc(2), 2, message(0, 4, 0, bits));
        let tail = 8 + bits as u64 - 1;
        assert_eq!(times(&run), [(0, 8, tail)]);
        assert_eq!(
            run.outcome,
            Outcome::Done {
                bit_times: tail + 1
            }
        );
        assert_eq!(run.grants, 2);
        assert_eq!(run.arrivals[0].pieces[0].path, [0, 4]);
        assert_eq!(run.arrivals[0].pieces[0].header_bits, 4);
        assert_eq!(run.wires[&Wire::Straight { node: 0 }], bits as u64 + 2);
        assert_eq!(run.wires[&Wire::Eject { node: 4, copy: 0 }], bits as u64);
        assert_eq!(run.wires.values().sum::<u64>(), 2 * bits as u64 + 2);
        assert_eq!(run.wires.len(), 8 * 3);
    }
}

/// The host sends in bit times 0, 2, 4 (the place is free again), then behind the worm: 7, 9, 11.
///
/// ```text
/// t   host   injection at (0, 0)    straight_in 0 at (1, 0)
/// 0   B0
/// 1          [B0]  reads 0
/// 2   B1
/// 3          [B1]  reads 0
/// 4   B2
/// 5          [B2]  asks for straight
/// 6          [B2]  sends B2
/// 7   B3                            [B2]  reads 0
/// 8          [B3]  sends B3
/// 9   B4                            [B3]  reads 1: eject
/// 10         [B4]  sends B4
/// 11  B5                            [B4]  asks for eject
/// 12         [B5]  no credit        [B4]  sends B4
/// 13         [B5]  sends B5
/// 14                                [B5]  sends B5
/// ```
#[test]
fn one_place_carries_a_bit_in_every_other_bit_time() {
    for bits in 1..20 {
        let run = alone(ccc(2), 1, message(0, 4, 0, bits));
        let tail = 12 + 2 * (bits as u64 - 1);
        assert_eq!(times(&run), [(0, 12, tail)]);
        assert_eq!(
            run.outcome,
            Outcome::Done {
                bit_times: tail + 1
            }
        );
    }
}

/// Header 01: read in 1 and 2, asked in 3, sent from 4 on.
#[test]
fn a_message_to_its_own_node() {
    let run = alone(ccc(2), 2, message(5, 5, 7, 3));
    assert_eq!(times(&run), [(7, 11, 13)]);
    assert_eq!(run.arrivals[0].pieces[0].path, [5]);
    assert_eq!(run.grants, 1);
}

/// Header 11. 1: reads 1 and asks in 2; sends B1, which came in 2, in 3; the far switch reads it in 4;
/// B2 came to the injection channel in 3, leaves it in 4, is there in 5 and asks; sent in 6.
#[test]
fn one_cross_hop() {
    let run = alone(ccc(2), 2, message(0, 1, 0, 4));
    assert_eq!(times(&run), [(0, 6, 9)]);
    assert_eq!(run.wires[&Wire::Cross { node: 0 }], 5);
}

/// Header 100 in a cube of three dimensions: B0 is read in 1, dimension 0 asked for in 2, B1 and B2
/// leave in 3 and 4 and are read in 4 and 5, B3 leaves in 5, asks in 6, and is ejected in 7.
#[test]
fn one_hop_by_e_cube() {
    let run = alone(hypercube(3, Routing::Order), 2, message(0, 1, 0, 4));
    assert_eq!(times(&run), [(0, 7, 10)]);
    let wire = |node, dimension| Wire::Dimension { node, dimension };
    assert_eq!(run.wires[&wire(0, 0)], 6);
    assert_eq!(run.wires.len(), 8 * 4);
}

/// Dimension 2 is the last: header 001 is read in 1, 2, 3, dimension 2 asked for in 4. B3 leaves in 5,
/// and asks for eject in 6, for nothing else is left to decide; ejected in 7.
#[test]
fn the_last_dimension_has_nothing_to_decide() {
    let run = alone(hypercube(3, Routing::Order), 2, message(0, 4, 0, 4));
    assert_eq!(times(&run), [(0, 7, 10)]);
    assert_eq!(
        run.wires[&Wire::Dimension {
            node: 0,
            dimension: 2
        }],
        4
    );
}

/// The worm from node 4 to itself has eject from 4 to 7; the other asks in 7, when eject is still taken,
/// gets it in 8, and sends from 9 on. Its two bits behind do not hold it up.
#[test]
fn a_worm_waits_for_the_tail_of_another() {
    let messages = [message(0, 4, 0, 4), message(4, 4, 0, 4)];
    let run = run(machine(ccc(2)), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 9, 12), (0, 4, 7)]);
}

/// Both ask for eject in 7: the injection channel is first. Its two bits leave in 8 and 9; the other is
/// granted in 10.
#[test]
fn the_injection_channel_is_first_at_first() {
    let messages = [message(0, 4, 0, 2), message(4, 4, 4, 2)];
    let run = run(machine(ccc(2)), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 11, 12), (4, 8, 9)]);
}

/// Injection was granted in 3. When both channels ask again, in 27, it is behind straight_in, whose two
/// bits leave in 28 and 29.
#[test]
fn the_channel_granted_last_is_last() {
    let messages = [
        message(4, 4, 0, 2),
        message(0, 4, 20, 2),
        message(4, 4, 24, 2),
    ];
    let run = run(machine(ccc(2)), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 4, 5), (20, 28, 29), (24, 31, 32)]);
}

/// The host sees all its credits in the bit time after the tail has left the injection channel: with
/// body B2, B3 the tail leaves in 5, and the second worm starts in 6.
#[test]
fn the_next_worm_starts_when_the_injection_channel_is_empty() {
    let messages = [message(4, 4, 0, 2), message(4, 4, 0, 2)];
    let run = run(machine(ccc(2)), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 4, 5), (6, 10, 11)]);
    assert_eq!(run.outcome, Outcome::Done { bit_times: 12 });
}

/// Messages of one node go out in order of creation, not of the list.
#[test]
fn the_earlier_message_goes_first() {
    let messages = [message(4, 4, 3, 2), message(4, 4, 0, 2)];
    let run = run(machine(ccc(2)), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(6, 10, 11), (0, 4, 5)]);
}

/// Both pieces of a message to its own node ask for eject in 3. A weak node
/// grants the first switch's, and the second's in 4. Each has a host wire of its own.
#[test]
fn a_weak_node_makes_one_connection_in_a_bit_time() {
    let network = Network::Copies {
        levels: 2,
        copies: 2,
    };
    let weak = Machine {
        switch: Switch::Weak,
        ..machine(network)
    };
    let messages = [message(0, 0, 0, 8)];
    let pieces = |machine: Machine| {
        let run = run(machine, &messages, LIMIT).unwrap();
        let of = |piece: &Piece| (piece.head_arrived.unwrap(), piece.tail_arrived.unwrap());
        let pieces: Vec<(u64, u64)> = run.arrivals[0].pieces.iter().map(of).collect();
        pieces
    };
    assert_eq!(pieces(machine(network)), [(4, 7), (4, 7)]);
    assert_eq!(pieces(weak), [(4, 7), (5, 8)]);
}

/// The two straight links of dimension 1 share a wire. Node 0 of Q_3 is (0, 0) in copy 0 and (1, 0) in
/// copy 1, and both go straight to node 2: (1, 0) and (0, 0) there. Both worms ask in 3, and B2 of both
/// is ready in 4. The wire carries them in turn, so each body takes twice the time.
#[test]
fn two_copies_share_the_wire_of_dimension_1() {
    let network = Network::Copies {
        levels: 2,
        copies: 2,
    };
    let run = run(machine(network), &[message(0, 2, 0, 40)], LIMIT).unwrap();
    let pieces = &run.arrivals[0].pieces;
    assert_eq!(pieces[0].path, [0, 2]);
    assert_eq!(pieces[1].path, [0, 2]);
    let wire = Wire::Dimension {
        node: 0,
        dimension: 1,
    };
    assert_eq!(run.wires[&wire], 2 * 22);
    // Copy 0's bit Bi leaves in 2i and copy 1's in 2i + 1. Copy 0's B4 is there in 9, asks, and is
    // ejected in 10; the bits behind it are ejected in the bit time after they left: the last, B23, in
    // 47.
    let times = |piece: &Piece| (piece.head_arrived.unwrap(), piece.tail_arrived.unwrap());
    assert_eq!(times(&pieces[0]), (10, 47));
    assert_eq!(times(&pieces[1]), (11, 48));
}
