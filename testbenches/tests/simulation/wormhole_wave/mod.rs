//! The dump of wormhole routers, read back through another library: links carry to one end what the other sends, the
//! wires alone give back every message, no worm has another one's bits among its own, and the view names
//! what is there.

mod walk;
mod wires;

use std::path::Path;

use crate::common::dump::Dump;
use bitvec::vec::BitVec;
use hosts::wormhole::lanes::WormLanes;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::copies::Copies;
use rtl_model::language::lanes::Words;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::{Network, Parameters, Trip};
use rtl_model::routers::wormhole::route::ChannelId;
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::message::Message;
use testbenches::families::wormhole::wave::{HeadMarkers, Observed};
use testbenches::output::Staging;
use testbenches::wave::{Request, Wave, Written};
use walk::{Expected, walk};
use wires::{Wires, host, links, name, streams};

const BUFFER_BITS: usize = 2;

fn cycles(levels: usize) -> Network {
    Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap())
}

fn copies(levels: usize, used: usize) -> Network {
    Network::Copies {
        copies: Copies::new(levels).unwrap(),
        used,
    }
}

fn e_cube(dimensions: usize) -> Network {
    Network::ECube(Dimensions::new(dimensions).unwrap())
}

fn valiant(dimensions: usize) -> Network {
    Network::Valiant {
        dimensions: Dimensions::new(dimensions).unwrap(),
        seed: 4,
    }
}

fn machine(network: Network, virtual_channels: usize, weak_switch: bool) -> WormholeMachine {
    let parameters = Parameters {
        virtual_channels,
        buffer_bits: BUFFER_BITS,
        weak_switch,
    };
    WormholeMachine::new(network, parameters).unwrap()
}

/// One message from every node, one to every node.
fn permutation(nodes: usize, bits: usize, seed: u64) -> Vec<Message> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut destinations: Vec<usize> = (0..nodes).collect();
    destinations.shuffle(&mut random);
    let message = |(source, destination)| Message {
        source,
        destination,
        created: 0,
        bits: (0..bits)
            .map(|_| random.random::<bool>())
            .collect::<BitVec<u64>>(),
    };
    destinations.into_iter().enumerate().map(message).collect()
}

/// Runs until all has arrived or nothing has moved for 20 bit times, and one bit time more, which shows what is left.
/// The head of worm 0 is marked, and deadlock.
fn run<B: WormLanes>(
    machine: WormholeMachine,
    messages: &[Message],
    request: Request<'_>,
) -> (Engine<B>, Written) {
    let mut staging = Staging::default();
    let interesting = || {
        let first = &messages[0];
        machine.path(0, Trip::direct(first.source, first.destination))
    };
    let wave = Wave::plan_open(request, &mut staging, &machine, |_| Ok(interesting()));
    let mut wave = wave.unwrap().unwrap();
    let mut engine = Engine::<B>::new(machine, 1).unwrap();
    for message in messages {
        engine.send(0, message.clone());
    }
    engine.followed = Some(0);
    let mut probe = wave.attach(&Observed(&engine)).unwrap();
    let mut heads = HeadMarkers::of(0);
    let mut is_over = false;
    while !is_over {
        is_over = engine.in_flight() == 0 || engine.quiet() == 20;
        engine
            .tick(|engine| {
                heads.watch(engine);
                probe.sample(&Observed(engine))
            })
            .unwrap();
    }
    let mut recording = probe.finish().unwrap();
    heads.mark(&mut recording, &engine);
    if engine.in_flight() > 0 {
        recording.mark(engine.fabric.bit_time() - engine.quiet(), "deadlock");
    }
    let written = wave.commit(&recording).unwrap();
    (engine, written)
}

fn all(path: &Path) -> Request<'_> {
    Request {
        path: Some(path),
        nodes: Some("all"),
        ..Request::default()
    }
}

fn both_ends_of_every_link_agree(network: &Network, wires: &Wires) {
    for node in 0..network.nodes() {
        for (link, far) in links(network, node) {
            let at = |node, wire: &str| format!("node_{}.{link}.{wire}", name(network, node));
            let same = |one: String, other: String| {
                let values = wires.text(&one);
                assert_eq!(values, wires.text(&other), "{one} and {other}");
                values.contains(&"1")
            };
            same(at(node, "tx"), at(far, "rx"));
            same(at(node, "tx_valid"), at(far, "rx_valid"));
            same(at(node, "tx_tail"), at(far, "rx_tail"));
            if wires.has(&at(node, "tx_channel")) {
                same(at(node, "tx_channel"), at(far, "rx_channel"));
            }
            let mut channel = 0;
            while wires.has(&at(node, &format!("rx_credit_{channel}"))) {
                same(
                    at(node, &format!("rx_credit_{channel}")),
                    at(far, &format!("tx_credit_{channel}")),
                );
                channel += 1;
            }
            assert!(channel > 0);
        }
    }
}

/// Whoever reads the wires knows all messages, and where each bit went.
fn wires_alone_tell_everything(network: &Network, messages: &[Message], wires: &Wires) {
    let switches = network.switches();
    let mut expected = Expected::new();
    for (number, message) in messages.iter().enumerate() {
        let mut arrived = Vec::new();
        for switch in 0..switches {
            let whole = walk(network, (number, message), switch, &mut expected);
            let sent = streams(
                wires,
                &format!("{}.inject", host(network, message.source, switch)),
            );
            let path = format!("{}.eject", host(network, message.destination, switch));
            let came = streams(wires, &path);
            if whole.is_empty() {
                assert!(sent.is_empty() && came.is_empty(), "{path}");
                continue;
            }
            assert_eq!(sent[&0].len(), 1);
            assert_eq!(sent[&0][0].bits, whole);
            assert_eq!(came[&0].len(), 1, "{path}");
            arrived.extend_from_slice(&came[&0][0].bits);
        }
        assert_eq!(arrived, message.bits.iter().by_vals().collect::<Vec<_>>());
    }
    let mut passed = 0;
    for node in 0..network.nodes() {
        for (link, far) in links(network, node) {
            let path = format!("node_{}.{link}.tx", name(network, node));
            for (channel, streams) in streams(wires, &path) {
                let expected = expected.remove(&(node, link.clone(), channel));
                let mut expected = expected.unwrap_or_else(|| panic!("{path}, channel {channel}"));
                for stream in streams {
                    let found = expected.iter().position(|one| one.bits == stream.bits);
                    let found =
                        found.unwrap_or_else(|| panic!("{path}, channel {channel}: {stream:?}"));
                    let passing = expected.swap_remove(found);
                    // The channel that it comes to, and both ends of the link.
                    let received = format!("node_{}.{link}.rx_worm", name(network, far));
                    for text in [
                        format!("{}.worm", passing.arrives),
                        format!("{path}_worm"),
                        received,
                    ] {
                        let worm = wires.text(&text);
                        for &bit_time in &stream.bit_times {
                            assert_eq!(worm[bit_time], passing.worm, "{text} in {bit_time}");
                        }
                    }
                    passed += 1;
                }
                assert!(
                    expected.is_empty(),
                    "{path}, channel {channel}: {expected:?}"
                );
            }
        }
    }
    assert!(expected.is_empty(), "{expected:?}");
    assert!(passed > messages.len());
}

/// The input channels of a node, as paths of modules.
fn input_channels(wires: &Wires, node: &str) -> Vec<String> {
    let start = format!("{}.node_{node}.", wires.machine);
    let held = wires.dump.signals.keys().filter_map(|path| {
        let path = path.strip_suffix(".buffer.held")?;
        path.starts_with(&start)
            .then(|| path[wires.machine.len() + 1..].to_owned())
    });
    held.collect()
}

fn buffers_are_in_order(network: &Network, wires: &Wires, is_complete: bool) {
    for node in 0..network.nodes() {
        let node = name(network, node);
        let mut occupied = vec![0; wires.bit_times as usize];
        let channels = input_channels(wires, &node);
        assert!(!channels.is_empty());
        for channel in channels {
            let held = wires.text(&format!("{channel}.buffer.held"));
            let worm = wires.text(&format!("{channel}.worm"));
            for (bit_time, held) in held.iter().enumerate() {
                assert!(!held.contains("10"), "{channel}: a gap in {held}");
                let bits = held.matches('1').count();
                occupied[bit_time] += bits;
                assert!(bits == 0 || !worm[bit_time].is_empty(), "{channel}: whose?");
            }
            if is_complete {
                assert_eq!(worm.last(), Some(&""), "{channel}");
            }
        }
        assert_eq!(
            wires.numbers(&format!("node_{node}.occupied_bits")),
            occupied
        );
    }
}

/// What is told of the worm that is followed is what channels say: where it is, where its head is, and for whom it waits.
/// Returns whether it ever waits for another.
fn what_is_followed_is_told(network: &Network, wires: &Wires) -> bool {
    let [message, at, head, does] =
        ["message", "at", "head", "does"].map(|text| wires.text(&format!("followed.{text}")));
    let worm = message[0].split(" via ").next().unwrap();
    let channels: Vec<(String, Vec<&str>, Vec<&str>)> = (0..network.nodes())
        .flat_map(|node| {
            let node = name(network, node);
            let of_node = input_channels(wires, &node).into_iter();
            of_node.map(move |channel| {
                let texts =
                    ["worm", "waits_for"].map(|text| wires.text(&format!("{channel}.{text}")));
                let [worms, waits] = texts;
                (node.clone(), worms, waits)
            })
        })
        .collect();
    let mut has_waited = false;
    for bit_time in 0..wires.bit_times as usize {
        let here: Vec<&(String, Vec<&str>, Vec<&str>)> = (channels.iter())
            .filter(|(_, worms, _)| worms[bit_time] == worm)
            .collect();
        let mut nodes: Vec<&str> = here.iter().map(|(node, ..)| node.as_str()).collect();
        let mut told: Vec<&str> = at[bit_time]
            .split(',')
            .filter(|node| !node.is_empty())
            .collect();
        // Of many nodes a text names some.
        let names_all = !at[bit_time].ends_with("more");
        // Its head is where it has come to last.
        if names_all && !head[bit_time].is_empty() {
            assert_eq!(told.last(), Some(&head[bit_time]), "bit time {bit_time}");
        }
        nodes.sort_unstable();
        nodes.dedup();
        told.sort_unstable();
        assert!(!names_all || told == nodes, "bit time {bit_time}: {told:?}");
        let said = does[bit_time];
        if let Some(waits) = said.strip_prefix("waits for ") {
            has_waited = true;
            let (other, place) = waits.split_once(" at ").unwrap();
            assert_eq!(place, head[bit_time]);
            let mut at_head = here.iter().filter(|(node, ..)| node == place);
            assert!(
                at_head.any(|(_, _, waits)| waits[bit_time] == other),
                "{said}"
            );
            assert_ne!(other, worm);
        } else if head[bit_time].is_empty() {
            assert_eq!(said, "");
        } else {
            let (deed, place) = said.rsplit_once(" at ").unwrap();
            assert_eq!(place, head[bit_time]);
            let destination = worm.split("->").nth(1).unwrap().split('/').next().unwrap();
            assert!(
                deed == "goes on" || deed == "comes out" && place == destination,
                "{said}"
            );
        }
    }
    has_waited
}

fn the_dump_is_what_ran<B: WormLanes>(
    network: &Network,
    weak_switch: bool,
    bits: usize,
    seed: u64,
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("worms.vcd");
    let messages = permutation(network.nodes(), bits, seed);
    let machine = machine(network.clone(), 3, weak_switch);
    let (engine, written) = run::<B>(machine, &messages, all(&path));
    assert_eq!(engine.in_flight(), 0);
    assert_eq!((written.nodes, written.step_filter), (None, None));
    let wires = Wires::read(&path, network, engine.fabric.bit_time());
    both_ends_of_every_link_agree(network, &wires);
    wires_alone_tell_everything(network, &messages, &wires);
    buffers_are_in_order(network, &wires, true);
    what_is_followed_is_told(network, &wires);
    let does = wires.text("followed.does");
    assert!(
        does.iter().any(|said| said.starts_with("comes out at ")),
        "{does:?}"
    );
}

#[test]
fn cube_connected_cycles() {
    for seed in 0..3 {
        the_dump_is_what_ran::<u64>(&cycles(3), seed == 2, 24, seed);
    }
    the_dump_is_what_ran::<bool>(&cycles(2), false, 40, 3);
    the_dump_is_what_ran::<Words<8>>(&cycles(4), false, 40, 3);
}

#[test]
fn copies_in_a_hypercube() {
    for seed in 0..2 {
        the_dump_is_what_ran::<u64>(&copies(4, 4), seed == 1, 121, seed);
    }
    the_dump_is_what_ran::<bool>(&copies(2, 2), false, 81, 3);
    the_dump_is_what_ran::<u64>(&copies(4, 2), false, 81, 3);
}

#[test]
fn order_of_dimensions() {
    the_dump_is_what_ran::<u64>(&e_cube(4), false, 40, 1);
    the_dump_is_what_ran::<u64>(&e_cube(6), true, 40, 2);
}

#[test]
fn two_phases() {
    the_dump_is_what_ran::<u64>(&valiant(4), false, 40, 1);
    the_dump_is_what_ran::<u64>(&valiant(6), true, 40, 2);
}

#[test]
fn a_worm_goes_by_the_route_that_is_traced() {
    for network in [cycles(3), cycles(5), copies(4, 4), e_cube(5), valiant(5)] {
        let messages = permutation(network.nodes(), 16, 7);
        let machine = machine(network.clone(), 3, false);
        let mut engine = Engine::<u64>::new(machine, 1).unwrap();
        for message in &messages {
            engine.send(0, message.clone());
        }
        while engine.in_flight() > 0 {
            engine.tick(|_| Ok::<(), ()>(())).unwrap();
        }
        for (number, worm) in engine.worms.iter().enumerate() {
            let message = &messages[worm.message];
            let machine = engine.fabric.router();
            let route = machine.path(
                worm.switch,
                (machine.network()).trip(worm.message, message.source, message.destination),
            );
            assert_eq!(engine.tracker.path(number), route);
        }
    }
}

#[test]
fn a_window_is_the_same_wave_cut_out() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, part] = ["whole.vcd", "part.vcd"].map(|name| folder.path().join(name));
    let messages = permutation(24, 30, 1);
    run::<u64>(machine(cycles(3), 3, false), &messages, all(&whole));
    let request = Request {
        path: Some(&part),
        nodes: Some("2_5,3"),
        from: Some(17),
        to: Some(60),
    };
    let (_, written) = run::<u64>(machine(cycles(3), 3, false), &messages, request);
    assert_eq!(written.nodes, Some(vec![21, 3]));
    let (whole, part) = (Dump::read(&whole), Dump::read(&part));
    assert_eq!(part.ticks.first(), Some(&170));
    assert_eq!(part.ticks.last(), Some(&600));
    assert!(part.signals.len() > 100);
    for path in part.signals.keys() {
        let is_selected = [
            "ccc.clk",
            "ccc.about",
            "ccc.followed.",
            "ccc.node_2_5.",
            "ccc.node_0_3.",
        ]
        .iter()
        .any(|start| path.starts_with(start));
        assert!(is_selected, "{path}");
        assert_eq!(
            part.by_bit_time(path, 17, 60),
            whole.by_bit_time(path, 17, 60),
            "{path}"
        );
    }
}

#[test]
fn what_does_not_change_is_not_written_and_the_same_run_writes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let messages = permutation(24, 30, 1);
    let dumps = ["one.vcd", "two.vcd"].map(|name| {
        let path = folder.path().join(name);
        run::<u64>(machine(cycles(3), 2, false), &messages, all(&path));
        let dump = Dump::read(&path);
        for (path, changes) in dump.signals {
            let repeats = changes.windows(2).find(|pair| pair[0].1 == pair[1].1);
            assert_eq!(repeats, None, "{path}");
        }
        std::fs::read(path).unwrap()
    });
    assert_eq!(dumps[0], dumps[1]);
}

/// Without virtual channels these worms block each other for good.
#[test]
fn a_deadlock_keeps_its_wave() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stuck.vcd");
    let network = cycles(3);
    let deadlocked = (0..50).find_map(|seed| {
        let messages = permutation(24, 60, seed);
        let (engine, _) = run::<u64>(machine(network.clone(), 1, false), &messages, all(&path));
        (engine.in_flight() > 0).then_some(engine)
    });
    let engine = deadlocked.expect("a seed that deadlocks");
    let cycle = engine.wait_for_cycle().unwrap();
    let wires = Wires::read(&path, &network, engine.fabric.bit_time());
    both_ends_of_every_link_agree(&network, &wires);
    buffers_are_in_order(&network, &wires, false);
    for place in cycle {
        let input = engine.fabric.router().plan().switch.inputs[place.input].name;
        let channel = format!("node_{}.{input}", name(&network, place.node));
        let held = wires.text(&format!("{channel}.buffer.held"));
        let worm = wires.text(&format!("{channel}.worm"));
        // One bit time before the end nothing has moved for 20 of them.
        let still = held.len() - 20;
        assert_ne!(held[still], "0".repeat(BUFFER_BITS), "{channel}");
        assert!(held[still..].iter().all(|one| *one == held[still]));
        assert!(worm[still..].iter().all(|one| *one == worm[still]));
    }
    // In a circle each waits for the worm that is in the next channel.
    let cycle = engine.wait_for_cycle().unwrap();
    let next = cycle.iter().cycle().skip(1);
    let mut waits_for_others = 0;
    for (place, next) in cycle.iter().zip(next) {
        let channel = |place: &ChannelId| {
            let input = engine.fabric.router().plan().switch.inputs[place.input].name;
            format!("node_{}.{input}", name(&network, place.node))
        };
        let waits = wires.text(&format!("{}.waits_for", channel(place)));
        let worm = wires.text(&format!("{}.worm", channel(next)));
        assert!(!worm.last().unwrap().is_empty());
        // A worm may hold several channels of the circle: it waits for none within itself.
        let own = wires.text(&format!("{}.worm", channel(place)));
        let expected = worm.last().filter(|worm| own.last() != Some(worm));
        assert_eq!(
            waits.last(),
            Some(expected.unwrap_or(&"")),
            "{}",
            channel(place)
        );
        waits_for_others += usize::from(expected.is_some());
    }
    assert!(waits_for_others > 1);
    what_is_followed_is_told(&network, &wires);
    let view = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
    assert!(view.contains("deadlock\n"), "{view}");
}

/// Paths that a save file shows.
fn shown(save: &str) -> Vec<&str> {
    let rows = save
        .lines()
        .filter(|line| !line.starts_with(['[', '@', '^', '-', '*']));
    rows.map(|line| line.rsplit(' ').next().unwrap()).collect()
}

#[test]
fn the_view_shows_every_signal_once_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for (network, virtual_channels) in [
        (cycles(2), 1),
        (cycles(3), 3),
        (copies(4, 4), 2),
        (copies(4, 1), 1),
        (e_cube(3), 1),
    ] {
        for dump in ["run.vcd", "run.fst"] {
            let path = folder.path().join(dump);
            let messages = permutation(network.nodes(), 30, 1);
            let machine = machine(network.clone(), virtual_channels, true);
            run::<u64>(machine, &messages, all(&path));
            let dump = Dump::read(&path);
            let save = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
            let mut shown: Vec<&str> = shown(&save)
                .into_iter()
                .map(|path| path.split('[').next().unwrap())
                .collect();
            // Of many large nodes a view shows some, and all signals of those.
            let node = |path: &str| path.split('.').nth(1).map(str::to_owned);
            let nodes: std::collections::HashSet<_> = shown.iter().map(|path| node(path)).collect();
            assert!(nodes.len() > 8, "{nodes:?}");
            let signals = dump.signals.keys().map(String::as_str);
            let mut there: Vec<&str> = signals.filter(|path| nodes.contains(&node(path))).collect();
            shown.sort_unstable();
            there.sort_unstable();
            assert_eq!(shown, there);
            assert!(!path.with_extension("step.filter").exists());
        }
    }
}

/// The worm's own nodes, in the order of its path, each marked where it comes to it.
#[test]
fn the_view_follows_a_worm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("worm.vcd");
    let network = cycles(3);
    let message = Message {
        source: 0,
        destination: 2 << 3 | 0b101,
        created: 0,
        bits: BitVec::repeat(true, 20),
    };
    let request = Request {
        path: Some(&path),
        ..Request::default()
    };
    let (_, written) = run::<u64>(machine(network, 2, false), &[message], request);
    // Across to column 1, on to level 1 and level 2, across to column 5.
    assert_eq!(written.nodes, Some(vec![0, 1, 9, 17, 21]));
    let save = std::fs::read_to_string(written.save).unwrap();
    let titles: Vec<&str> = save
        .lines()
        .filter(|line| line.starts_with("-node_"))
        .collect();
    assert_eq!(
        titles,
        [
            "-node_0_0 = level 0, column 000",
            "-node_0_1 = level 0, column 001",
            "-node_1_1 = level 1, column 001",
            "-node_2_1 = level 2, column 001",
            "-node_2_5 = level 2, column 101",
        ]
    );
    let markers: Vec<&str> = save
        .lines()
        .filter_map(|line| line.strip_prefix("[markername] "))
        .collect();
    // Not where it begins, at the left edge: the name would be cut.
    assert_eq!(
        markers,
        ["Ato_0_1", "Bto_1_1", "Cto_2_1", "Dto_2_5", "Earrived"]
    );
    // Its bits leave the injection channel for the cross link, and nothing came straight: that is folded away.
    let node = save.split("-node_0_0").nth(1).unwrap();
    let node = node.split("-node_0_1").next().unwrap();
    let (open, idle) = node
        .split_once("-bits, routes, credits, idle channels")
        .unwrap();
    assert!(open.contains("ccc.node_0_0.injection.worm"));
    assert!(!open.contains("straight_in_0") && idle.contains("ccc.node_0_0.straight_in_0.worm"));
    assert!(save.contains("[treeopen] ccc.\n"));
}
