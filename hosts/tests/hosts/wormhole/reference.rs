//! Every event of the hardware in the bit time in which the reference has it.

use rand::Rng;
use reference_models::wormhole::{Machine, Message, Network, Outcome, Pieces, Routing, Switch};

use crate::wormhole::compare::compare;
use crate::wormhole::machines::{
    LIMIT, butterflies, ccc, copies, cube, ecube, generator, hardware, machine, mesh, messages,
    nodes, permutation, plain_tick, run_hardware, shuffled, torus,
};

/// Both switches, all numbers of virtual channels, four sizes of buffers. One in three or in five of them has each of these.
fn machines(network: Network) -> impl Iterator<Item = Machine> {
    let channels = match network {
        Network::Hypercube {
            routing: Routing::Order,
            ..
        } => 1..=1,
        Network::Hypercube { .. } | Network::Butterflies { .. } => 1..=2,
        Network::Grid { .. } => 1..=5,
        _ => 1..=3,
    };
    channels.flat_map(move |virtual_channels| {
        [1, 2, 3, 5].into_iter().flat_map(move |buffer_bits| {
            [Switch::Strong, Switch::Weak].map(move |switch| Machine {
                network,
                virtual_channels,
                buffer_bits,
                // Each with each of the others, now and then.
                wire_bits: [1, 3, 1, 8, 2][(virtual_channels + buffer_bits) % 5],
                switch,
                pieces: Pieces::ByWay,
            })
        })
    })
}

/// Several messages from some nodes, created one after the other, any number of them to one node.
fn stream(nodes: usize, bits: &[usize], seed: u64) -> Vec<Message> {
    let mut random = generator(seed);
    let mut created = 0;
    let crowded = random.random_range(0..nodes);
    (0..2 * nodes)
        .map(|_| {
            created += random.random_range(0..6);
            let source = random.random_range(0..nodes);
            let destination = match random.random_bool(0.2) {
                true => crowded,
                false => random.random_range(0..nodes),
            };
            let bits = bits[random.random_range(0..bits.len())];
            let mut one = messages([(source, destination)], bits, &mut random);
            one[0].created = created;
            one.remove(0)
        })
        .collect()
}

/// How many of the runs ended in deadlock.
fn all_agree(network: Network, every: usize) -> usize {
    let mut deadlocks = 0;
    for (number, machine) in machines(network).enumerate().step_by(every) {
        let (nodes, seed) = (nodes(machine), number as u64);
        let mut random = generator(1000 + seed);
        let sizes = [1, 7, 64];
        let mut traffics: Vec<Vec<Message>> = sizes
            .map(|bits| permutation(nodes, bits, seed))
            .into_iter()
            .collect();
        let partial = shuffled(nodes, &mut random).into_iter().enumerate();
        let partial = partial.filter(|(source, _)| (source + number) % 3 != 0);
        traffics.push(messages(partial, 7, &mut random));
        traffics.push(messages(
            (0..nodes).map(|node| (node, node)),
            7,
            &mut random,
        ));
        let to_one = random.random_range(0..nodes);
        traffics.push(messages(
            (0..nodes).map(|node| (node, to_one)),
            7,
            &mut random,
        ));
        traffics.push(stream(nodes, &sizes, seed));
        for traffic in &traffics {
            let (_, run) = compare::<u64>(machine, traffic);
            deadlocks += usize::from(matches!(run.outcome, Outcome::Deadlock { .. }));
        }
    }
    deadlocks
}

#[test]
fn cube_connected_cycles_of_two_and_three_levels() {
    assert!(all_agree(ccc(2), 1) > 0);
    assert!(all_agree(ccc(3), 3) > 0);
}

#[test]
fn cube_connected_cycles_of_four_levels() {
    assert!(all_agree(ccc(4), 5) > 0);
}

#[test]
fn cube_connected_cycles_of_five_levels() {
    for (virtual_channels, switch) in [(3, Switch::Strong), (2, Switch::Weak)] {
        let machine = Machine {
            virtual_channels,
            switch,
            ..crate::wormhole::machines::machine(ccc(5))
        };
        compare::<u64>(machine, &permutation(160, 64, 1));
        compare::<u64>(machine, &stream(160, &[1, 7, 64], 1));
    }
}

#[test]
fn one_and_two_copies_of_two_levels() {
    assert!(all_agree(copies(2, 1), 1) > 0);
    assert!(all_agree(copies(2, 2), 1) > 0);
}

#[test]
fn any_number_of_copies_of_four_levels() {
    for used in 1..=4 {
        for (virtual_channels, buffer_bits, switch, bits, pieces) in [
            (3, 2, Switch::Strong, 64, Pieces::ByWay),
            (3, 2, Switch::Strong, 64, Pieces::Even),
            (3, 1, Switch::Weak, 7, Pieces::ByWay),
            (3, 1, Switch::Strong, 90, Pieces::ByWay),
            (2, 3, Switch::Weak, 64, Pieces::Even),
            (2, 5, Switch::Strong, 4, Pieces::ByWay),
            (1, 2, Switch::Strong, 64, Pieces::ByWay),
            (1, 1, Switch::Weak, 7, Pieces::Even),
        ] {
            let machine = Machine {
                network: copies(4, used),
                virtual_channels,
                buffer_bits,
                wire_bits: 1,
                switch,
                pieces,
            };
            compare::<u64>(machine, &permutation(64, bits, used as u64));
            compare::<u64>(machine, &stream(64, &[1, 4, 7, 30], used as u64));
        }
    }
}

#[test]
fn dimension_order() {
    assert_eq!(all_agree(ecube(2), 1), 0);
    assert_eq!(all_agree(ecube(4), 3), 0);
}

/// Every way to route on tori, meshes and hypercubes, with classes of several channels.
#[test]
fn tori_meshes_and_cubes_by_every_routing() {
    for routing in [Routing::Order, Routing::Valiant, Routing::Adaptive] {
        for network in [torus(5, 2, routing), mesh(4, 2, routing)] {
            all_agree(network, 7);
        }
        for virtual_channels in [3, 5, 8] {
            let machine = Machine {
                virtual_channels,
                ..machine(cube(4, routing))
            };
            compare::<u64>(machine, &permutation(16, 20, 1));
            compare::<u64>(machine, &stream(16, &[1, 7, 64], 1));
        }
    }
}

/// So do larger ones, of radices that are no powers of two as well.
#[test]
#[ignore = "long: all machines of several tori and meshes"]
fn all_machines_of_tori_and_meshes() {
    for routing in [Routing::Order, Routing::Valiant, Routing::Adaptive] {
        for (radix, dimensions) in [(8, 1), (5, 2), (6, 2), (3, 3)] {
            all_agree(torus(radix, dimensions, routing), 1);
            all_agree(mesh(radix, dimensions, routing), 1);
        }
        all_agree(cube(5, routing), 1);
    }
}

/// With as many channels as exclude it no permutation deadlocks; with fewer some do.
#[test]
fn deadlocks_come_where_the_dependencies_have_a_circle() {
    // With so few some traffic here deadlocks.
    for (network, enough, few) in [
        (torus(7, 2, Routing::Order), 2, 1),
        (torus(7, 1, Routing::Valiant), 4, 1),
        (mesh(5, 2, Routing::Valiant), 2, 1),
        (torus(7, 1, Routing::Adaptive), 3, 2),
        (mesh(8, 2, Routing::Adaptive), 2, 1),
    ] {
        let deadlocks = |virtual_channels| {
            let machine = Machine {
                virtual_channels,
                buffer_bits: 1,
                ..machine(network)
            };
            assert_eq!(
                hardware(machine).virtual_channels_without_deadlock(),
                Some(enough)
            );
            let nodes = nodes(machine);
            let shifted = messages(
                (0..nodes).map(|node| (node, (node + 3) % nodes)),
                64,
                &mut generator(7),
            );
            let drawn = (0..12).map(|seed| permutation(nodes, 64, seed));
            drawn
                .chain([shifted])
                .filter(|traffic| {
                    let engine = run_hardware::<u64>(machine, traffic, LIMIT, plain_tick);
                    engine.in_flight() > 0
                })
                .count()
        };
        assert!(deadlocks(few) > 0, "{network:?}");
        assert_eq!(deadlocks(enough), 0, "{network:?}");
    }
}

/// Worms take any lane of an edge; with two classes of them there is no deadlock.
#[test]
fn the_cross_product_of_butterflies() {
    all_agree(butterflies(2), 5);
}

#[test]
#[ignore = "long: all machines of larger networks"]
fn all_machines_of_larger_networks() {
    assert!(all_agree(ccc(3), 1) > 0);
    assert!(all_agree(ccc(4), 1) > 0);
    assert_eq!(all_agree(ecube(4), 1), 0);
    all_agree(butterflies(2), 1);
}

/// With a channel for each phase there is no deadlock; with one for both there are, in both sizes.
#[test]
fn valiants_two_phases() {
    in_two_phases(3);
}

#[test]
#[ignore = "long: of 64 nodes"]
fn valiants_two_phases_of_more_nodes() {
    in_two_phases(6);
}

fn in_two_phases(dimensions: usize) {
    let deadlocks = all_agree(cube(dimensions, Routing::Valiant), 1);
    assert!(deadlocks > 0);
    let with_two =
        |virtual_channels| move |machine: &Machine| machine.virtual_channels == virtual_channels;
    let of = |virtual_channels| {
        let machines =
            machines(cube(dimensions, Routing::Valiant)).filter(with_two(virtual_channels));
        machines
            .filter(|machine| {
                (0..3).any(|seed| {
                    let traffic = permutation(nodes(*machine), 64, seed);
                    let (_, run) = compare::<u64>(*machine, &traffic);
                    matches!(run.outcome, Outcome::Deadlock { .. })
                })
            })
            .count()
    };
    assert!(of(1) > 0);
    assert_eq!(of(2), 0);
}
