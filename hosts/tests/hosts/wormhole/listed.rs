//! Irregular networks: hardware and reference, in the same bit times, and what the dependency graph says of them.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use reference_models::wormhole::{Listed, Machine, Message, Network, Pieces, Switch};
use rtl_model::language::lanes::Words;
use rtl_model::machine::topology::irregular::Irregular;
use rtl_model::routers::wormhole::networks::irregular::TableRouted;
use rtl_model::routers::wormhole::networks::irregular::routes::Routes;

use crate::wormhole::compare::compare;
use crate::wormhole::machines::{
    LIMIT, generator, hardware, messages, nodes, permutation, plain_tick, run_hardware,
};

/// A network as the reference takes it. (A test that ends gives nothing back.)
fn listed(of: &TableRouted) -> Network {
    let network = &of.network;
    let all = || 0..network.nodes();
    let links = network.links().map(|(from, to)| {
        let colour = network.colour(from, to).unwrap();
        (from, to, colour)
    });
    let next = |node, to| {
        let next = of.routes.next(node, to)?;
        Some((next.colour, next.class))
    };
    Network::Listed(Box::leak(Box::new(Listed {
        nodes: network.nodes(),
        slots: network.colours(),
        classes: of.routes.classes(),
        links: links.collect(),
        routes: all()
            .map(|node| all().map(|to| next(node, to)).collect())
            .collect(),
    })))
}

/// Nodes joined at random, each with each by some path: both ways, or in a ring one way with more links.
fn drawn_links(nodes: usize, more: usize, both_ways: bool, random: &mut ChaCha8Rng) -> Irregular {
    let mut links: Vec<(usize, usize)> = match both_ways {
        true => (1..nodes)
            .map(|node| (random.random_range(0..node), node))
            .collect(),
        false => (0..nodes).map(|node| (node, (node + 1) % nodes)).collect(),
    };
    let mut drawn = || random.random_range(0..nodes);
    links.extend((0..more).map(|_| (drawn(), drawn())));
    if both_ways {
        links.extend(links.clone().into_iter().map(|(from, to)| (to, from)));
    }
    links.retain(|(from, to)| from != to);
    links.sort_unstable();
    links.dedup();
    Irregular::new(nodes, &links).unwrap()
}

/// Tables of shortest paths whose classes are drawn at random.
fn with_classes(network: Irregular, classes: usize, random: &mut ChaCha8Rng) -> TableRouted {
    let shortest = TableRouted::shortest("", network.clone()).unwrap();
    let nodes = network.nodes();
    let pairs = (0..nodes).flat_map(|node| (0..nodes).map(move |to| (node, to)));
    let entries: Vec<_> = pairs
        .filter_map(|(node, to)| {
            let next = shortest.routes.next(node, to)?;
            let class = random.random_range(0..classes);
            Some((node, to, network.far(node, next.colour)?, class))
        })
        .collect();
    let routes = Routes::from_table(&network, entries.into_iter()).unwrap();
    TableRouted::by_tables("", network, (routes, ""))
}

/// A network and its routes, in three kinds.
fn drawn(random: &mut ChaCha8Rng) -> TableRouted {
    let nodes = random.random_range(2..=20);
    let more = random.random_range(0..=2 * nodes);
    let both_ways = random.random_bool(0.6);
    let network = drawn_links(nodes, more, both_ways, random);
    match random.random_range(0..3) {
        0 if both_ways => TableRouted::up_down("", network).unwrap(),
        1 => with_classes(network, random.random_range(1..=3), random),
        _ => TableRouted::shortest("", network).unwrap(),
    }
}

/// With so many channels that there are some of each class.
fn machine(of: &TableRouted, random: &mut ChaCha8Rng) -> Machine {
    let classes = of.routes.classes();
    let most = (64 / of.network.colours()).min(classes + 2);
    Machine {
        network: listed(of),
        virtual_channels: random.random_range(classes..=most.max(classes)),
        buffer_bits: [1, 2, 3, 5][random.random_range(0..4)],
        wire_bits: [1, 1, 2, 3, 8][random.random_range(0..5)],
        switch: match random.random_bool(0.3) {
            true => Switch::Weak,
            false => Switch::Strong,
        },
        pieces: Pieces::ByWay,
    }
}

/// Permutations, all to one, a shift, each node to itself, and several messages from some nodes.
fn traffics(nodes: usize, random: &mut ChaCha8Rng) -> Vec<Vec<Message>> {
    let bits = [1, 7, 40][random.random_range(0..3)];
    let by = random.random_range(1..nodes.max(2));
    let to_one = random.random_range(0..nodes);
    let mut sources: Vec<usize> = (0..2 * nodes).map(|number| number % nodes).collect();
    sources.shuffle(random);
    let mut stream = messages(
        sources
            .into_iter()
            .map(|source| (source, (7 * source + by) % nodes)),
        bits,
        random,
    );
    for (number, message) in stream.iter_mut().enumerate() {
        message.created = 5 * number as u64;
    }
    vec![
        permutation(nodes, bits, by as u64),
        messages((0..nodes).map(|node| (node, to_one)), bits, random),
        messages(
            (0..nodes).map(|node| (node, (node + by) % nodes)),
            bits,
            random,
        ),
        messages((0..nodes).map(|node| (node, node)), bits, random),
        stream,
    ]
}

/// Bit for bit beside the reference.
#[test]
fn networks_drawn_at_random() {
    for seed in 0..60 {
        let mut random = generator(500 + seed);
        let of = drawn(&mut random);
        let machine = machine(&of, &mut random);
        for traffic in traffics(nodes(machine), &mut random) {
            compare::<u64>(machine, &traffic);
        }
    }
}

/// In lanes of any width, of more nodes than lie in a word too.
#[test]
fn in_any_lanes() {
    alike_in_any_lanes(&[(5, 3), (70, 60), (70, 0)]);
}

#[test]
#[ignore = "long: three words of nodes"]
fn in_any_lanes_of_150_nodes() {
    alike_in_any_lanes(&[(5, 3), (70, 60), (150, 0)]);
}

/// Networks of so many nodes, with so many links beside those of a tree: trees alone are crowded.
fn alike_in_any_lanes(networks: &[(usize, usize)]) {
    let mut random = generator(9);
    for &(nodes, more) in networks {
        let network = drawn_links(nodes, more, true, &mut random);
        let of = TableRouted::up_down("", network).unwrap();
        let machine = Machine {
            virtual_channels: 2,
            ..machine(&of, &mut random)
        };
        let traffic = permutation(nodes, 9, 1);
        compare::<bool>(machine, &traffic);
        compare::<u64>(machine, &traffic);
        compare::<Words<8>>(machine, &traffic);
    }
}

/// Two nodes; a star of 64 links at one node; and addresses of ten bits in one flit of 64.
#[test]
fn at_the_limits() {
    let both_ways = |links: &[(usize, usize)]| -> Vec<(usize, usize)> {
        links
            .iter()
            .flat_map(|&(one, other)| [(one, other), (other, one)])
            .collect()
    };
    let star: Vec<(usize, usize)> = (1..=64).map(|leaf| (0, leaf)).collect();
    let line: Vec<(usize, usize)> = (1..1024).map(|node| (node / 2, node)).collect();
    for (nodes, links, wire_bits, to) in [
        (2, vec![(0, 1)], 1, 1),
        (65, star, 3, 7),
        (1024, line, 64, 1),
    ] {
        let network = Irregular::new(nodes, &both_ways(&links)).unwrap();
        let of = TableRouted::up_down("", network).unwrap();
        let machine = Machine {
            network: listed(&of),
            virtual_channels: 1,
            buffer_bits: 2,
            wire_bits,
            switch: Switch::Strong,
            pieces: Pieces::ByWay,
        };
        let pairs = (0..nodes)
            .step_by(nodes.div_ceil(70))
            .map(|node| (node, (node + to) % nodes));
        compare::<u64>(machine, &messages(pairs, 70, &mut generator(1)));
    }
}

/// Where nothing can deadlock nothing does; where something can, some do.
#[test]
fn verdicts_of_80_random_networks_agree_with_runs() {
    let (mut free, mut can, mut did) = (0, 0, 0);
    for seed in 0..80 {
        let mut random = generator(seed);
        let of = drawn(&mut random);
        let machine = Machine {
            buffer_bits: 1,
            ..machine(&of, &mut random)
        };
        let cycle = hardware(machine).dependencies().deadlock().map(<[_]>::len);
        assert_eq!(cycle, shortest_circle(&of), "{of:?}");
        let count = nodes(machine);
        let shifts = (1..count).map(|by| {
            let pairs = (0..count).map(|node| (node, (node + by) % count));
            messages(pairs, 64, &mut generator(3))
        });
        let drawn = (0..4).map(|draw| permutation(count, 64, draw));
        let deadlocks = shifts.chain(drawn).any(|traffic| {
            let engine = run_hardware::<u64>(machine, &traffic, LIMIT, plain_tick);
            assert_eq!(engine.meters.not_conserved, None);
            engine.in_flight() > 0
        });
        match cycle {
            None => {
                assert!(!deadlocks, "{of:?}");
                free += 1;
            }
            Some(_) => {
                can += 1;
                did += u32::from(deadlocks);
            }
        }
    }
    println!("80 networks: {free} free of deadlock, {can} not, of which {did} deadlocked");
    assert!(free > 20 && did > 8, "{free} free, {did} of {can}");
}

/// Channels of a shortest circle, each of which some route takes right before the next; by search over the links, from the tables.
fn shortest_circle(of: &TableRouted) -> Option<usize> {
    let nodes = of.network.nodes();
    type Class = (usize, usize, usize);
    let class = |node: usize, to: usize| -> Option<Class> {
        let next = of.routes.next(node, to)?;
        Some((node, next.colour, next.class))
    };
    let mut follows = std::collections::BTreeMap::<Class, std::collections::BTreeSet<Class>>::new();
    for node in 0..nodes {
        for to in 0..nodes {
            let Some(one) = class(node, to) else { continue };
            let far = of.network.far(node, one.1).unwrap();
            follows.entry(one).or_default().extend(class(far, to));
        }
    }
    let back_to = |start: Class| {
        let (mut seen, mut front, mut length) = (std::collections::BTreeSet::new(), vec![start], 0);
        while !front.is_empty() {
            length += 1;
            let next: Vec<Class> = front
                .iter()
                .flat_map(|one| follows[one].iter().copied())
                .collect();
            if next.contains(&start) {
                return Some(length);
            }
            front = next.into_iter().filter(|one| seen.insert(*one)).collect();
        }
        None
    };
    follows.keys().filter_map(|start| back_to(*start)).min()
}

/// A ring one way deadlocks, and with tables that name a dateline it never does.
#[test]
fn a_dateline_in_tables_cuts_the_circle_of_a_ring() {
    let ring = |nodes: usize| {
        let links: Vec<(usize, usize)> =
            (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
        Irregular::new(nodes, &links).unwrap()
    };
    for nodes in [3, 6, 8] {
        let plain = TableRouted::shortest("", ring(nodes)).unwrap();
        let pairs = (0..nodes).flat_map(|node| (0..nodes).map(move |to| (node, to)));
        let entries = pairs.filter(|(node, to)| node != to);
        // The wrap is still ahead of who is at a higher number than its destination.
        let entries =
            entries.map(|(node, to)| (node, to, (node + 1) % nodes, usize::from(to > node)));
        let routes = Routes::from_table(&ring(nodes), entries).unwrap();
        let dateline = TableRouted::by_tables("", ring(nodes), (routes, ""));
        for (of, deadlocks) in [(&plain, true), (&dateline, false)] {
            let machine = Machine {
                network: listed(of),
                virtual_channels: of.routes.classes(),
                buffer_bits: 1,
                wire_bits: 1,
                switch: Switch::Strong,
                pieces: Pieces::ByWay,
            };
            assert_eq!(
                hardware(machine).dependencies().deadlock().is_some(),
                deadlocks
            );
            let mut stuck = 0;
            for by in 1..nodes {
                let pairs = (0..nodes).map(|node| (node, (node + by) % nodes));
                let (engine, _) = compare::<u64>(machine, &messages(pairs, 64, &mut generator(1)));
                stuck += usize::from(engine.in_flight() > 0);
            }
            assert_eq!(stuck > 0, deadlocks, "{nodes}");
        }
        assert!(matches!(listed(&plain), Network::Listed(_)));
    }
}
