//! Worms on the machine: alone, in permutations, and stuck.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::hosts::{Ran, Wide, Worm, assert_delivered, run, run_and_look};
use super::*;
use crate::language::lanes::Lanes as _;

const NODES: usize = 64;

/// Machines side by side, each with the worms of one permutation.
fn run_permutations(
    machine: &WormholeMachine,
    permutations: &[Vec<usize>],
    body: usize,
    with_routine: bool,
) -> Ran {
    let worms: Vec<Vec<Worm>> = permutations
        .iter()
        .flat_map(|permutation| permutation.iter().enumerate())
        .map(|pair| vec![Worm::new(machine, (pair.0, *pair.1), body)])
        .collect();
    let ran = run::<Wide>(machine, permutations.len(), worms.clone(), with_routine);
    if ran.finished {
        assert_delivered(&worms, machine.network().nodes(), &ran);
    }
    ran
}

/// Every pair of 64 nodes: the body `M`, the header, two bit times an edge to connect and to leave the
/// node, one for each relay, and two to come in and out; with one place a buffer a bit every other bit time.
/// A worm that comes over one wire twice, along its row and beside its column, has it by turns, and takes
/// longer.
#[test]
fn the_time_of_a_worm_alone_is_its_closed_form() {
    const BODY: usize = 12;
    // The second: longer than any takes.
    for (buffer_bits, period, every) in [(1, 130, 16), (2, 64, 1)] {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine = machine_of(2, parameters);
        let mut met = 0;
        // In machine x every source sends to x, one after the other.
        let worms: Vec<Vec<Worm>> = (0..NODES * NODES)
            .map(|port| {
                let (destination, source) = (port / NODES, port % NODES);
                let mut worm = Worm::new(&machine, (source, destination), BODY);
                worm.begins = (source / every) as u64 * period;
                Vec::from_iter((source % every == 0).then_some(worm))
            })
            .collect();
        let ran = run::<Wide>(&machine, NODES, worms.clone(), true);
        assert_delivered(&worms, NODES, &ran);
        for worm in worms.iter().flatten() {
            let source = (worm.begins / period) as usize * every;
            let way = machine.way(source, 0, &worm.bits);
            let mut wires: Vec<_> = way.iter().map(|one| (one.node, one.link)).collect();
            wires.sort_unstable();
            wires.dedup();
            let edges = way.iter().filter(|one| one.input.is_some()).count();
            let relays = way.len() - edges;
            let expected = match buffer_bits {
                1 => 2 * (BODY + edges + worm.header) + relays + 1,
                _ => BODY + 2 * edges + relays + worm.header + 2,
            } as u64;
            let place = worm.destination * NODES + worm.destination;
            let (_, arrived) = ran.delivered[place][source / every];
            let taken = arrived + 1 - worm.begins;
            if wires.len() == way.len() {
                assert_eq!(taken, expected, "{source}, b = {buffer_bits}");
            } else {
                met += 1;
                assert!((expected..expected + BODY as u64 + 8).contains(&taken));
            }
        }
        assert!(every > 1 || met == 544, "{met}");
    }
}

/// Complements, shifts, bit permutations, transposition and permutations drawn at random.
fn permutations(bits: usize, drawn: usize) -> Vec<Vec<usize>> {
    let nodes = 1 << bits;
    let of = |map: &dyn Fn(usize) -> usize| (0..nodes).map(map).collect::<Vec<_>>();
    let rotated = |node: usize, by: usize| (node << by | node >> (bits - by)) & (nodes - 1);
    let mut all: Vec<Vec<usize>> = Vec::new();
    all.extend((0..bits).map(|bit| of(&|node| node ^ 1 << bit)));
    all.extend((1..=bits).map(|bits| of(&|node| node ^ ((1 << bits) - 1))));
    all.extend((0..bits).map(|bit| of(&|node| (node + (1 << bit)) % nodes)));
    all.extend((0..bits).map(|bit| of(&|node| (node + nodes - (1 << bit)) % nodes)));
    all.extend((1..bits).map(|by| of(&|node| rotated(node, by))));
    all.push(of(&|node| {
        node.reverse_bits() >> (usize::BITS as usize - bits)
    }));
    all.push(of(&|node| node));
    let mut random = ChaCha8Rng::seed_from_u64(23);
    all.extend((0..drawn).map(|_| {
        let mut permutation = Vec::from_iter(0..nodes);
        permutation.shuffle(&mut random);
        permutation
    }));
    all
}

#[test]
fn permutations_of_all_kinds_arrive() {
    let permutations = permutations(6, 32);
    assert_eq!(permutations.len(), 63);
    for (buffer_bits, weak_switch, body) in [(2, false, 40), (2, true, 7), (1, false, 7)] {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits,
            wire_bits: 1,
            weak_switch,
        };
        let machine = machine_of(2, parameters);
        assert!(run_permutations(&machine, &permutations, body, true).finished);
        // Some of each kind by the description, bit time by bit time.
        let some: Vec<_> = permutations.iter().step_by(8).cloned().collect();
        assert!(run_permutations(&machine, &some, body, false).finished);
    }
}

#[test]
fn permutations_of_4096_nodes_arrive() {
    let machine = machine(4, 3);
    let permutations = permutations(12, 1);
    // The last one is drawn at random.
    let one = &permutations[permutations.len() - 1..];
    assert!(run_permutations(&machine, one, 8, true).finished);
}

/// Worms that go round a column in two crowds, each of as many as a class has lanes, until each crowd asks
/// for the lanes that the other one has.
fn two_crowds(machine: &WormholeMachine, network: &Butterflies, crowd: usize) -> Vec<Vec<Worm>> {
    let (n, levels) = (network.lanes(), network.levels());
    let nodes = network.host().nodes();
    let mut worms = vec![Vec::new(); nodes];
    let column = 0;
    let copy = network.label(column);
    // Where the first class is the last, from level 0 on; else from the level before it, behind which the
    // next class begins. The bit in which a crowd crosses is that of the last level but one on its way.
    let (begins, crosses, ends) = match levels {
        2 => (0, 1, 1),
        _ => (3, 2, 1),
    };
    for side in [0, 1 << crosses] {
        let row = network.copies().map(copy, begins, side);
        let to = network.copies().map(copy, ends, side ^ 1 << crosses);
        // In the row: the node there, and those from which edges lead to it, further and further back.
        let row_copy = network.label(row);
        let mut near = vec![network.copies().unmap(row_copy, column)];
        let mut next = 0;
        while near.len() < crowd {
            let (level, at) = near[next];
            next += 1;
            let before = (level + levels - 1) % levels;
            for from in [(before, at), (before, at ^ 1 << before)] {
                if !near.contains(&from) {
                    near.push(from);
                }
            }
        }
        for &(level, at) in &near[..crowd] {
            let source = row << n | network.copies().map(row_copy, level, at);
            worms[source].push(Worm::new(machine, (source, to << n | column), 60));
        }
    }
    worms
}

/// One class too few: worms deadlock, where the graph of dependencies says that they may; with as many as it
/// asks for the same worms arrive.
#[test]
fn worms_deadlock_on_fewer_classes_of_lanes() {
    for (levels, classes) in [(2, 2), (4, 3)] {
        let network = butterflies(levels);
        let runs = |virtual_channels: usize, crowd: usize| {
            let machine = machine(levels, virtual_channels);
            let worms = two_crowds(&machine, &network, crowd);
            let ran = run::<Wide>(&machine, 1, worms, true);
            assert_eq!(
                machine.dependencies().cycle.is_none(),
                virtual_channels == classes
            );
            ran.finished
        };
        for fewer in 1..classes {
            let crowd = network.lanes_of(fewer).of_class(fewer - 1).count();
            assert!(!runs(fewer, crowd), "{levels} levels, {fewer}");
        }
        assert!(runs(classes, network.lanes()), "{levels} levels");
    }
}

/// Three worms over one edge, in a column: each takes a lane of its own where its class has three, and one
/// of them waits for another where it has two.
#[test]
fn worms_take_any_lane_of_an_edge_that_is_free() {
    const BODY: usize = 300;
    let network = butterflies(2);
    let n = network.lanes();
    let taken = [1, 2].map(|virtual_channels| {
        let machine = machine(2, virtual_channels);
        // A vertex of a column, and of its row the vertices before it.
        let row = network.copies().map(network.label(0), 0, 0);
        let (level, at) = network.vertex(Line::Row, row << n);
        let before = 1 - level;
        let near = [(level, at), (before, at), (before, at ^ 1 << before)];
        let destinations = [(1, 0), (0, 2), (1, 2)];
        let mut worms = vec![Vec::new(); NODES];
        for ((level, at), to) in near.into_iter().zip(destinations) {
            let source = row << n | network.copies().map(network.label(row), level, at);
            let destination = network.copies().map(network.label(0), to.0, to.1) << n;
            worms[source].push(Worm::new(&machine, (source, destination), BODY));
        }
        // By lane the node of the first relay, and its number there.
        let lanes = network.lanes_of(virtual_channels);
        let relays: Vec<_> = (0..n)
            .map(|lane| {
                let relay = lanes.relay(Line::Column, Edge::Straight, lane, 0);
                (row << n ^ 1 << (network.aside(Line::Column) + lane), relay)
            })
            .collect();
        let mut most = 0;
        let ran = run_and_look::<u64>(&machine, 1, worms.clone(), false, &mut |fabric| {
            let holds = |&&(node, relay): &&(usize, usize)| {
                let (group, place) = fabric.node(node);
                group.relays()[relay].holds_bit().get(place)
            };
            most = most.max(relays.iter().filter(holds).count());
        });
        assert_delivered(&worms, NODES, &ran);
        most
    });
    assert_eq!(taken, [3, 2]);
}

/// Every switch of its own, in lanes of one node and of 512: the same to the bit.
#[test]
fn lanes_of_all_widths_and_the_routine_agree() {
    let machine = machine(2, 2);
    let worms: Vec<Vec<Worm>> = (0..NODES)
        .map(|node| {
            let others = [5, 9, 27].map(|by| (node * by + 11) % NODES);
            others.map(|to| Worm::new(&machine, (node, to), 9)).into()
        })
        .collect();
    let ran = run::<bool>(&machine, 1, worms.clone(), false);
    assert_delivered(&worms, NODES, &ran);
    let others = [
        run::<u64>(&machine, 1, worms.clone(), false),
        run::<u64>(&machine, 1, worms.clone(), true),
        run::<Wide>(&machine, 1, worms, true),
    ];
    for other in others {
        assert_eq!(
            (other.delivered, other.bit_times),
            (ran.delivered.clone(), ran.bit_times)
        );
    }
}
