//! A picture and a waveform of the same run say the same, bit time by bit time.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use crate::picture::dump::{Dump, TICKS_PER_BIT_TIME};
use crate::picture::scene;
use crate::suite::followed::{list, name_of};

/// A run that is drawn, with all its nodes in a waveform beside it.
struct Both {
    scene: Value,
    dump: Dump,
    /// Bit times.
    end: u64,
    /// How the scope of a node begins.
    node: &'static str,
}

/// From when to when, in order.
type Times = Vec<Range<u64>>;

fn both(arguments: &str, node: &'static str) -> Both {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{arguments} --trace-nodes all --wave run.vcd");
    let scene = scene(folder.path(), &arguments);
    let dump = Dump::read(&folder.path().join("run.vcd"));
    let bins = &scene["bins"];
    assert_eq!(bins["times_a_column"], 1, "{arguments}");
    assert_eq!(bins["nodes_a_row"], 1, "{arguments}");
    let end = bins["bit_times"].as_u64().unwrap();
    // What a run leaves may be held for longer.
    let last = dump.ticks.last().unwrap();
    assert!(*last >= end * TICKS_PER_BIT_TIME, "{arguments}");
    Both {
        scene,
        dump,
        end,
        node,
    }
}

impl Both {
    fn nodes(&self) -> Vec<&str> {
        let rows = self.scene["rows"].as_array().unwrap().iter();
        rows.map(|name| name.as_str().unwrap()).collect()
    }

    fn said(&self, path: &str) -> Vec<&str> {
        self.dump.by_bit_time(path, 0, self.end)
    }

    /// What a signal of a node says in each bit time; nothing if the node has none of that name.
    fn of_node(&self, node: &str, name: &str) -> Option<Vec<&str>> {
        let path = format!("{}{node}.{name}", self.node);
        let is_there = self.dump.signals.contains_key(&path);
        is_there.then(|| self.said(&path))
    }

    /// A row of cells, bit time by bit time.
    fn cells(&self, cells: &Value) -> Vec<u64> {
        let cells: Vec<u64> = numbers(cells);
        let mut values = vec![0; self.end as usize];
        for cell in cells.chunks(2) {
            values[cell[0] as usize..].fill(cell[1]);
        }
        values
    }

    /// Bit times in which a text of that name below a node names a message.
    fn named(&self, node: &str, text: &str, message: &str) -> Times {
        let begin = format!("{}{node}.", self.node);
        let is_asked = |path: &&String| path.starts_with(&begin) && path.ends_with(text);
        let mut is_named = vec![false; self.end as usize];
        for path in self.dump.signals.keys().filter(is_asked) {
            for (bit_time, said) in self.said(path).into_iter().enumerate() {
                is_named[bit_time] |= said.split(',').any(|name| name == message);
            }
        }
        let mut times: Times = Vec::new();
        for (bit_time, _) in is_named
            .iter()
            .enumerate()
            .filter(|(_, is_named)| **is_named)
        {
            let bit_time = bit_time as u64;
            match times.last_mut() {
                Some(last) if last.end == bit_time => last.end += 1,
                _ => times.push(bit_time..bit_time + 1),
            }
        }
        times
    }

    /// Cells are what `occupied_bits` says at each node.
    fn cells_are_occupied_bits(&self, arguments: &str) {
        assert_eq!(self.scene["measure"], "bits", "{arguments}");
        for (row, node) in self.nodes().into_iter().enumerate() {
            let said = self.of_node(node, "occupied_bits").unwrap();
            let bits = said
                .iter()
                .map(|bits| u64::from_str_radix(bits, 2).unwrap());
            let cells = self.cells(&self.scene["cells"][row]);
            assert_eq!(cells, bits.collect::<Vec<_>>(), "{arguments}: node {node}");
        }
    }

    /// The strip of each link is the sum over all nodes of what this gives for one of them. Of a schedule on which messages take turns,
    /// that is also said in pauses of up to two bit times: then a bit crosses before and behind them.
    fn strips_are(&self, arguments: &str, of_node: impl Fn(&str, &str) -> Vec<u64>) {
        let pause = if arguments.contains("radix4") { 2 } else { 0 };
        let links = self.scene["links"].as_array().unwrap();
        assert!(links.len() > 1, "{arguments}");
        for link in links {
            let name = link["name"].as_str().unwrap();
            let mut expected = vec![0; self.end as usize];
            for node in self.nodes() {
                for (sum, more) in expected.iter_mut().zip(of_node(node, name)) {
                    *sum += more;
                }
            }
            let cells = self.cells(&link["cells"]);
            assert_eq!(cells.len(), expected.len(), "{arguments}: {name}");
            for (time, expected) in expected.into_iter().enumerate() {
                let around = [
                    time.saturating_sub(pause)..time + 1,
                    time..(time + pause + 1).min(cells.len()),
                ];
                let most = around.map(|times| cells[times].iter().sum::<u64>());
                let what = format!("{arguments}: {name} in bit time {time}: {cells:?}");
                assert!(
                    cells[time] <= expected && expected <= most[0].min(most[1]),
                    "{what}"
                );
            }
        }
    }

    /// A message stays where texts of that name have it; returns its stays by node and its crossings.
    fn stays(&self, route: &Value, text: &str) -> (BTreeMap<u64, Times>, Vec<[u64; 4]>) {
        let message = route["name"].as_str().unwrap();
        let mut stays: BTreeMap<u64, Times> = BTreeMap::new();
        for stay in route["stays"].as_array().unwrap() {
            let [node, from, to] = numbers(stay)[..] else {
                panic!("{stay}");
            };
            stays.entry(node).or_default().push(from..to);
        }
        for (number, node) in self.nodes().into_iter().enumerate() {
            let drawn = stays.get(&(number as u64)).cloned().unwrap_or_default();
            // Its header comes before the payload that registers are named by, while a wire to the node has it.
            let said = self.named(node, text, message);
            assert_eq!(drawn.len(), said.len(), "{message} at {node}");
            for (drawn, said) in drawn.iter().zip(&said) {
                let what = format!("{message} at {node}: {drawn:?}, {said:?}");
                assert_eq!(drawn.end, said.end, "{what}");
                let comes = route["crossings"].as_array().unwrap().iter();
                let mut comes = comes.map(numbers).filter(|one| one[1] == number as u64);
                let mut has_header = || comes.any(|one| one[2] + 1 == drawn.start);
                assert!(drawn.start == said.start || has_header(), "{what}");
                assert!(drawn.start <= said.start, "{what}");
            }
        }
        let crossings = route["crossings"].as_array().unwrap().iter();
        let crossings = crossings.map(|crossing| numbers(crossing).try_into().unwrap());
        (stays, crossings.collect())
    }
}

fn numbers(list: &Value) -> Vec<u64> {
    let list = list.as_array().unwrap().iter();
    list.map(|number| number.as_u64().unwrap()).collect()
}

const IN_LOCKSTEP: [&str; 5] = [
    "kuszmaul --dims 3 --load 1",
    "kuszmaul --dims 4 --schedule plain --load 0.6 --seed 2",
    "kuszmaul --dims 4 --schedule radix4 --load 1",
    "packing --dims 4 --load 0.5",
    "bitonic --dims 3 --schedule sort --load 1",
];

#[test]
fn a_machine_in_lockstep_is_drawn_as_it_is_dumped() {
    for arguments in IN_LOCKSTEP {
        let both = both(arguments, "cube.node_");
        both.cells_are_occupied_bits(arguments);
        // Wires are in use while bits of messages are on them: as many as have a name.
        both.strips_are(arguments, |node, link| {
            let said = both.of_node(node, &format!("{link}.tx_message"));
            let names =
                |text: &&str| text.split(',').filter(|name| !name.is_empty()).count() as u64;
            said.iter().flatten().map(names).collect()
        });
    }
}

#[test]
fn messages_in_lockstep_are_drawn_where_the_dump_names_them() {
    for arguments in IN_LOCKSTEP {
        let both = both(arguments, "cube.node_");
        let mut crossed = 0;
        for route in both.scene["routes"].as_array().unwrap() {
            let message = route["name"].as_str().unwrap();
            let (stays, crossings) = both.stays(route, ".message");
            crossed += crossings.len();
            for [sender, receiver, from, to] in crossings {
                let what =
                    format!("{arguments}, {message}: {sender} to {receiver} in {from}..{to}");
                let dimension = (sender ^ receiver).ilog2();
                assert_eq!(sender ^ receiver, 1 << dimension, "{what}");
                let wire = format!(".dim_{dimension}.tx_message");
                let named = both.named(&sender.to_string(), &wire, message);
                let holds = |times: &Range<u64>| times.start <= from && to <= times.end;
                assert!(named.iter().any(holds), "{what}: {named:?}");
                // Somebody takes it: it is at the other end when the last bit has crossed. Of two that take turns each bit
                // crosses by itself, those of the header before any of it is there.
                let there = stays.get(&receiver);
                let there = there.unwrap_or_else(|| panic!("{what}: it is never there"));
                let takes_it = |times: &Range<u64>| match to - from {
                    1 => times.end > to,
                    _ => times.contains(&to),
                };
                assert!(there.iter().any(takes_it), "{what}: {there:?}");
            }
        }
        assert!(crossed > 3, "{arguments}: {crossed}");
    }
}

/// A machine without messages: whoever is given wires uses those of all nodes.
#[test]
fn a_machine_without_messages_uses_wires_that_are_driven() {
    let arguments = "enumeration --dims 3";
    let both = both(arguments, "cube.node_");
    let driven = both.said("cube.driven");
    both.strips_are(arguments, |_, link| {
        let dimension: usize = link.strip_prefix("dim_").unwrap().parse().unwrap();
        let is_driven =
            |bits: &&str| u64::from(bits.as_bytes()[bits.len() - 1 - dimension] == b'1');
        driven.iter().map(is_driven).collect()
    });
}

#[test]
fn bands_are_the_steps_of_the_dump() {
    for arguments in [
        "kuszmaul --dims 3 --schedule plain",
        "kuszmaul --dims 2 --schedule plain --load 1",
    ] {
        let both = both(arguments, "cube.node_");
        let [names, iterations] =
            ["step_name", "iteration"].map(|name| both.said(&format!("cube.sequencer.{name}")));
        let mut expected: Vec<(u64, &str, Option<u64>)> = Vec::new();
        for (bit_time, (name, iteration)) in names.into_iter().zip(iterations).enumerate() {
            // What is over is in none.
            let iteration = u64::from_str_radix(iteration, 2).ok();
            let iteration = iteration.filter(|_| name != "done");
            if expected
                .last()
                .is_none_or(|(_, before, of)| (*before, *of) != (name, iteration))
            {
                expected.push((bit_time as u64, name, iteration));
            }
        }
        let bands = both.scene["bands"].as_array().unwrap();
        let ends = expected[1..]
            .iter()
            .map(|(from, ..)| *from)
            .chain([both.end]);
        let told = |band: &Value, key: &str| band[key].as_u64().unwrap();
        let found: Vec<_> = bands
            .iter()
            .map(|band| {
                (
                    told(band, "from"),
                    band["name"].as_str().unwrap(),
                    band["iteration"].as_u64(),
                )
            })
            .collect();
        assert_eq!(found, expected, "{arguments}");
        let found: Vec<_> = bands.iter().map(|band| told(band, "to")).collect();
        assert_eq!(found, ends.collect::<Vec<_>>(), "{arguments}");
    }
    // All iterations of a sort are the same step.
    let sort = both("bitonic --dims 3 --schedule sort --load 1", "cube.node_");
    let iterations = sort.scene["bands"].as_array().unwrap().iter();
    let of_sort = iterations.filter(|band| band["name"] == "1_sort");
    let of_sort: Vec<_> = of_sort
        .map(|band| band["iteration"].as_u64().unwrap())
        .collect();
    assert_eq!(of_sort, [0, 1, 2]);
}

const OF_WORMS: [&str; 3] = [
    "wormhole --network ccc --dims 3 --load 1",
    "wormhole --network hypercube --dims 3 --load 1 --seed 4",
    "wormhole --network ccc --dims 3 --virtual-channels 1 --seed 3 --load 1",
];

fn of_worms(arguments: &str) -> Both {
    let node = match arguments.contains("ccc") {
        true => "ccc.node_",
        false => "cube.node_",
    };
    both(arguments, node)
}

#[test]
fn a_machine_of_worms_is_drawn_as_it_is_dumped() {
    for arguments in OF_WORMS {
        let both = of_worms(arguments);
        both.cells_are_occupied_bits(arguments);
        // Wires are in use that say that there is a bit beside them.
        both.strips_are(arguments, |node, link| {
            let said = both.of_node(node, &format!("{link}.tx_valid")).unwrap();
            said.iter().map(|bit| u64::from(*bit == "1")).collect()
        });
    }
}

#[test]
fn worms_are_drawn_where_the_dump_names_them() {
    for arguments in OF_WORMS {
        let both = of_worms(arguments);
        let (mut crossed, mut stuck) = (0, 0);
        for route in both.scene["routes"].as_array().unwrap() {
            let message = route["name"].as_str().unwrap();
            let (stays, crossings) = both.stays(route, ".worm");
            let all = stays.values().map(Vec::len).sum::<usize>();
            assert_eq!(
                crossings.len(),
                all.saturating_sub(1),
                "{arguments}, {message}"
            );
            for [sender, receiver, from, to] in crossings {
                let what =
                    format!("{arguments}, {message}: {sender} to {receiver} in {from}..{to}");
                // From when the head is there, until the tail has left; or of one that never does, when the head gets there.
                assert!(
                    stays[&receiver].iter().any(|times| times.start == from),
                    "{what}"
                );
                let before = stays[&sender].iter().find(|times| times.contains(&from));
                let left = before.unwrap_or_else(|| panic!("{what}")).end;
                let expected = if left < both.end { left } else { from + 1 };
                assert_eq!(to, expected, "{what}");
                crossed += 1;
                stuck += usize::from(left == both.end);
            }
        }
        assert!(crossed > 8, "{arguments}: {crossed}");
        assert_eq!(stuck > 0, arguments.contains("channels 1"), "{arguments}");
    }
}

/// What a text that a port tells says in a wave, and what a picture calls the message that it is about.
fn message_of(arguments: &str, text: &str) -> String {
    if arguments.starts_with("broadcast") {
        return text.to_owned();
    }
    if let Some((from, to)) = text.split(':').next().unwrap().split_once("_to_") {
        return match arguments.starts_with("all-gather") {
            true => format!("{from}->all"),
            false => format!("{from}->{to}"),
        };
    }
    text.split('_').next().unwrap().to_owned()
}

/// Which message crosses from which node over which dimension, in each bit time: as the dump tells it, and as it is drawn.
#[test]
fn prearranged_messages_are_drawn_where_ports_name_them() {
    for arguments in [
        "scatter --dims 3 --message-bits 12 --start-up 2",
        "gather --dims 3 --algorithm sbt --source 3",
        "all-gather --dims 3 --message-bits 9",
        "all-to-all --dims 2",
        "permuted-send --dims 3",
        "transpose --dims 4 --algorithm by-submatrices --size 8",
        "broadcast --dims 3 --algorithm msbt --message-bits 30 --packet-bits 5",
        "embedding --guest cycle --dims 4 --message-bits 32 --start-up 2",
        "dispersal --dims 4 --needed 2 --message-bits 16",
    ] {
        let both = both(arguments, "cube.node_");
        let mut told: BTreeMap<(u64, u32, u64), String> = BTreeMap::new();
        for (number, node) in both.nodes().into_iter().enumerate() {
            for dimension in 0..4 {
                let names = [
                    format!("told.port_{dimension}_sends"),
                    format!("ports.port_{dimension}.sends"),
                ];
                let said = names.iter().find_map(|name| both.of_node(node, name));
                // Broadcasts name a packet while its link is set up, too: then nothing crosses.
                let driven = both.said("cube.driven");
                let is_in_use = |bit_time: usize| {
                    let mut bits = driven[bit_time].chars().rev();
                    bits.nth(dimension as usize) == Some('1')
                };
                for (bit_time, text) in said.into_iter().flatten().enumerate() {
                    if !text.is_empty() && is_in_use(bit_time) {
                        let at = (number as u64, dimension, bit_time as u64);
                        told.insert(at, message_of(arguments, text));
                    }
                }
            }
        }
        let mut drawn = BTreeMap::new();
        for route in both.scene["routes"].as_array().unwrap() {
            // Of an embedding, `e0: vertex 0 to 1, ...`.
            let name = route["name"].as_str().unwrap().split(':').next().unwrap();
            for crossing in route["crossings"].as_array().unwrap() {
                let [sender, receiver, from, to] = numbers(crossing)[..] else {
                    panic!("{crossing}");
                };
                for bit_time in from..to {
                    let at = (sender, (sender ^ receiver).ilog2(), bit_time);
                    let before = drawn.insert(at, name.to_owned());
                    assert_eq!(before, None, "{arguments}: {at:?}");
                }
            }
        }
        assert!(!told.is_empty(), "{arguments}");
        assert_eq!(drawn, told, "{arguments}");
    }
}

/// What is told of the message that is followed is what is drawn of it.
#[test]
fn what_is_followed_is_where_it_is_drawn() {
    for arguments in [
        "kuszmaul --dims 4 --schedule plain --load 0.6 --seed 2",
        "kuszmaul --dims 4 --schedule radix4 --load 1",
        "packing --dims 4 --load 0.5",
        "scatter --dims 3 --message-bits 12 --start-up 2",
        "send --dims 3",
        "all-gather --dims 3 --message-bits 9",
        "broadcast --dims 2 --algorithm msbt --message-bits 30 --packet-bits 5",
        "embedding --guest cycle --dims 4 --message-bits 32 --start-up 2",
    ] {
        let both = both(arguments, "cube.node_");
        let shown = both.scene["shown"].as_u64().unwrap() as usize;
        let route = &both.scene["routes"][shown];
        let [message, at, crosses] =
            ["message", "at", "crosses"].map(|text| both.said(&format!("cube.followed.{text}")));
        let mut has_crossed = false;
        for bit_time in 0..both.end {
            let now = |times: &[u64]| times[0] <= bit_time && bit_time < times[1];
            let stays = route["stays"].as_array().unwrap().iter().map(numbers);
            let here = stays
                .filter(|stay| now(&stay[1..]))
                .map(|stay| stay[0].to_string());
            let mut here: Vec<String> = here.collect();
            here.sort_unstable();
            let place = bit_time as usize;
            assert_eq!(route["name"], name_of(message[place]), "{arguments}");
            let (listed, more) = list(at[place], ',');
            if more == 0 {
                here.dedup();
                assert_eq!(Vec::from_iter(listed), here, "{arguments}, {bit_time}");
            }
            let (told, more) = list(crosses[place], ' ');
            if more > 0 {
                continue;
            }
            let crossings = route["crossings"].as_array().unwrap().iter().map(numbers);
            let under_way = |radius: u64| -> Vec<String> {
                let seen = crossings
                    .clone()
                    .filter(|one| one[2] <= bit_time + radius && bit_time < one[3] + radius);
                let mut seen: Vec<String> =
                    seen.map(|one| format!("{}->{}", one[0], one[1])).collect();
                seen.sort_unstable();
                seen.dedup();
                seen
            };
            // Of two that take turns on a wire each crosses without a pause, as the text has it.
            let (least, most) = (under_way(0), under_way(1));
            assert!(
                least.iter().all(|one| told.contains(one)),
                "{arguments}, {bit_time}"
            );
            assert!(
                told.iter().all(|one| most.contains(one)),
                "{arguments}, {bit_time}"
            );
            has_crossed |= !told.is_empty();
        }
        assert!(has_crossed, "{arguments}");
    }
}
