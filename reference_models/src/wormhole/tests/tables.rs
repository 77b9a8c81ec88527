//! Worms by tables: alone by hand and by their closed form, and two for one link.

use std::collections::BTreeMap;

use super::adaptive::with_channels;
use super::lists::{complete, fork, network, ring, shortest, up_and_down, way};
use super::*;
use crate::wormhole::linked::Addresses;
use crate::wormhole::listed::Tables;

fn list(machine: Machine) -> &'static Listed {
    match machine.network {
        Network::Listed(listed) => listed,
        _ => panic!("is not listed"),
    }
}

/// `A`: the least number of bits with which every node has a number of its own, and no less than one.
fn address_bits(nodes: usize) -> usize {
    (1..).find(|&bits| 1 << bits >= nodes).unwrap()
}

/// From 0 to 1 in a ring of three: the address is 10. Its bits are read in 1 and 2 and looked up in 3, and B2 asks in 4. The
/// address leaves in 5 and 6, B2 and B3 in 7 and 8. At node 1 the address is read in 6 and 7 and looked up in 8; B2 asks in 9
/// and is ejected in 10.
#[test]
fn one_hop_in_a_ring() {
    for bits in 1..20 {
        let machine = with_channels(network(ring(3, 1)), 1);
        let run = run(machine, &[message(0, 1, 0, bits)], LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 10, 9 + bits as u64)]);
        let link = |node| Wire::Grid { node, link: 0 };
        assert_eq!(run.wires[&link(0)], bits as u64 + 2);
        assert_eq!(run.wires[&link(1)], 0);
        assert_eq!(run.wires[&Wire::Eject { node: 1, copy: 0 }], bits as u64);
        assert_eq!(run.wires.len(), 6);
        assert_eq!(run.grants, 2);
    }
}

/// With one place a bit every other bit time: the address is read in 1 and 3 and looked up in 4, in which B2 comes, so that
/// it asks in 5 as without a table. The address leaves in 6 and 8, and B2 in 10. At node 1 B2 asks in 11, and is ejected in
/// 12.
#[test]
fn one_hop_from_buffers_of_one_bit() {
    for bits in 1..20 {
        let machine = Machine {
            buffer_bits: 1,
            ..with_channels(network(ring(3, 1)), 1)
        };
        let run = run(machine, &[message(0, 1, 0, bits)], LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 12, 10 + 2 * bits as u64)]);
    }
}

/// Everything arrived, by the ways of the tables, and every link there is carried its addresses and bodies.
pub fn check(machine: Machine, messages: &[Message], run: &Run) {
    bit_times(run);
    let listed = list(machine);
    let of_links = (listed.links.iter()).map(|&(node, _, link)| (Wire::Grid { node, link }, 0));
    let of_nodes = (0..listed.nodes).map(|node| (Wire::Eject { node, copy: 0 }, 0));
    let mut wires: BTreeMap<Wire, u64> = of_links.chain(of_nodes).collect();
    let mut hops = 0;
    for (message, arrival) in messages.iter().zip(&run.arrivals) {
        let piece = &arrival.pieces[0];
        let way = way(listed, message.source, message.destination);
        let mut path: Vec<usize> = way.iter().map(|(node, _)| *node).collect();
        path.push(message.destination);
        assert_eq!(piece.path, path);
        assert_eq!(piece.header_bits, address_bits(listed.nodes));
        let bits = (piece.header_bits + message.bits.len()) as u64;
        for &(node, link) in &way {
            *wires.get_mut(&Wire::Grid { node, link }).unwrap() += bits;
        }
        let node = message.destination;
        *wires.get_mut(&Wire::Eject { node, copy: 0 }).unwrap() += message.bits.len() as u64;
        hops += way.len() as u64;
    }
    assert_eq!(run.wires, wires);
    assert_eq!(run.grants, hops + messages.len() as u64);
}

/// Head and tail of a worm of `bits` alone over `hops`, created in 0. At every node the address is read, a bit each, then
/// looked up; then the worm asks, and then it sends: with `A` bits of address that is `A + 3` bit times a node. With one
/// place a bit takes two, and the first body bit comes while the address is looked up, which therefore costs no time.
fn closed_form(
    nodes: usize,
    hops: usize,
    bits: usize,
    buffer_bits: usize,
    lookup: usize,
) -> [usize; 2] {
    let address_bits = address_bits(nodes);
    match buffer_bits {
        1 => {
            let head = (2 * address_bits + 2) * (hops + 1);
            [head, head + 2 * (bits - 1)]
        }
        _ => {
            let head = (address_bits + lookup + 2) * (hops + 1);
            [head, head + bits - 1]
        }
    }
}

/// Of every pair of nodes. `variant` looks up in `lookup` bit times.
fn check_pairs(machine: Machine, bits: usize, variant: Variant, lookup: usize) {
    let listed = list(machine);
    let nodes = listed.nodes;
    let traffics: Vec<Vec<Message>> = (0..nodes * nodes)
        .map(|pair| vec![message(pair / nodes, pair % nodes, 7, bits)])
        .collect();
    let runs = run_each_variant(machine, &traffics, LIMIT, variant).unwrap();
    for (messages, run) in traffics.iter().zip(&runs) {
        check(machine, messages, run);
        let hops = way(listed, messages[0].source, messages[0].destination).len();
        let [head, tail] = closed_form(nodes, hops, bits, machine.buffer_bits, lookup);
        assert_eq!(times(run), [(7, 7 + head as u64, 7 + tail as u64)]);
    }
}

#[test]
fn every_pair_alone_takes_its_closed_form() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut lists = vec![ring(2, 1), ring(6, 2), complete(5), fork(2)];
    for nodes in [3, 4, 8, 9, 17] {
        lists.push(shortest(nodes, nodes / 2, &mut random));
        lists.push(up_and_down(nodes, nodes / 2, 2, &mut random));
    }
    for list in lists {
        let classes = list.classes;
        let network = network(list);
        for virtual_channels in [classes, classes + 1, 5] {
            for buffer_bits in [1, 2, 5] {
                for switch in [Switch::Strong, Switch::Weak] {
                    let machine = Machine {
                        buffer_bits,
                        switch,
                        ..with_channels(network, virtual_channels)
                    };
                    for bits in [1, 2, 9] {
                        check_pairs(machine, bits, Variant::Correct, 1);
                    }
                }
            }
        }
    }
}

/// What the closed form is for: a table that is read in no time is a bit time a node faster.
#[test]
fn a_lookup_in_no_time_is_seen() {
    let machine = with_channels(network(complete(5)), 1);
    check_pairs(machine, 9, Variant::LooksUpInNoTime, 0);
    let run = |variant| run_variant(machine, &[message(0, 1, 0, 9)], LIMIT, variant).unwrap();
    assert_eq!(times(&run(Variant::Correct)), [(0, 12, 20)]);
    assert_eq!(times(&run(Variant::LooksUpInNoTime)), [(0, 10, 18)]);
}

/// From 0 and from 1 by 2 to 3, four bits each. Both are read at 2 in 6 and 7, looked up in 8, and ask in 9; the one from 0
/// comes in slot 0 and wins. It sends the address in 10 and 11 and its body in 12, 13, 16 and 17, which is ejected from 15 to
/// 18. In 19 its channel is empty, and the other has it: it asks at 3 in 24.
#[test]
fn a_worm_waits_for_the_only_channel_of_the_class() {
    for classes in [1, 2] {
        let machine = with_channels(network(fork(classes)), classes);
        let messages = [message(0, 3, 0, 4), message(1, 3, 0, 4)];
        let run = run(machine, &messages, LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 15, 18), (0, 25, 28)]);
        check(machine, &messages, &run);
    }
}

/// With two channels of the class the loser has the second in 10, and they take turns from 11 on: the first sends address and
/// body in 10, 12, 14, 16, then 18 and 19, when the other waits for room; the other in 11, 13, 15, 17. At 3 the first has
/// read its address in 13, and asks in 15; it is ejected in 16, 17, 19 and 20. The other may ask from 16 on, is given eject in
/// 21, and is ejected from 22 to 25.
#[test]
fn a_worm_takes_the_second_channel_of_the_class() {
    for (classes, virtual_channels) in [(1, 2), (2, 3), (2, 4), (3, 4), (3, 8)] {
        let machine = with_channels(network(fork(classes)), virtual_channels);
        let messages = [message(0, 3, 0, 4), message(1, 3, 0, 4)];
        let run = run(machine, &messages, LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 16, 20), (0, 22, 25)]);
        check(machine, &messages, &run);
    }
}

/// From 0 to 1 and from 1 to 0: both ask at 2 in 9, for the links in slots 1 and 2. A weak switch makes a connection a bit
/// time, that of slot 1 first, so that the other asks in 10.
#[test]
fn a_weak_switch_gives_one_link_after_the_other() {
    let messages = [message(0, 1, 0, 4), message(1, 0, 0, 4)];
    for (switch, other) in [(Switch::Strong, (0, 15, 18)), (Switch::Weak, (0, 16, 19))] {
        let machine = Machine {
            switch,
            ..with_channels(network(fork(1)), 1)
        };
        let run = run(machine, &messages, LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 15, 18), other]);
    }
}

/// Channels of a class by hand: of five, those of class 1 of 2, and of class 2 of 3.
#[test]
fn channels_of_a_class() {
    let permitted = |classes: usize, class: usize| -> Vec<usize> {
        let mut list = fork(classes);
        list.routes[0][3] = Some((0, class));
        let tables = Tables::new(Box::leak(Box::new(list)), 5, Variant::Correct);
        (tables.permitted(0, 3).into_iter())
            .map(|port| match port {
                Port::LinkOut { link: 0, channel } => channel,
                _ => panic!("{port:?}"),
            })
            .collect()
    };
    assert_eq!(permitted(1, 0), [0, 1, 2, 3, 4]);
    assert_eq!(permitted(2, 1), [1, 3]);
    assert_eq!(permitted(3, 2), [2]);
    let tables = Tables::new(Box::leak(Box::new(fork(1))), 5, Variant::Correct);
    assert_eq!(tables.permitted(3, 3), [Port::Eject]);
}

/// Addresses have bit 0 first, and one bit where there are two nodes.
#[test]
fn addresses_name_nodes() {
    for nodes in [2, 3, 4, 5, 8, 9, 17] {
        let tables = Tables::new(Box::leak(Box::new(ring(nodes, 1))), 1, Variant::Correct);
        assert_eq!(tables.address_bits(), address_bits(nodes));
        for node in 0..nodes {
            let address = tables.address(node);
            assert_eq!(address.len(), address_bits(nodes));
            assert_eq!(tables.node(&address), node);
        }
    }
    let tables = Tables::new(Box::leak(Box::new(ring(9, 1))), 1, Variant::Correct);
    assert_eq!(tables.address(6), [false, true, true, false]);
}

/// The largest network: addresses of ten bits.
#[test]
fn a_worm_in_a_ring_of_1024_nodes() {
    let machine = with_channels(network(ring(1024, 2)), 2);
    let messages = [message(1022, 2, 0, 9)];
    let run = run(machine, &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 13 * 5, 13 * 5 + 8)]);
    check(machine, &messages, &run);
}
