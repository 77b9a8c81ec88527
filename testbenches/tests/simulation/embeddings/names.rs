//! Dumps of phases, read back through another library: in every bit time each port of every traced node names the packet that the
//! schedule has cross it, and nothing else; and views show those names, what they follow and what fails first.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use rtl_model::embedding::constructions::{Ask, construction};
use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::{Order, Phase};

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME, text_of};

/// Runs the program, which writes a dump.
fn run(arguments: &str, dump: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("run")
        .args(arguments.split(' '))
        .arg("--wave")
        .arg(dump)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {output:?}");
}

/// A guest on a cube, with its own packets or so many.
fn embedded(guest: &str, dimensions: usize, packets: Option<usize>) -> Embedding {
    let asked = Ask::of_dimensions(dimensions);
    let embedding = construction(guest).unwrap().embed(&asked).unwrap();
    match packets {
        Some(packets) => embedding.with_packets(packets),
        None => embedding,
    }
}

/// What packets are called: by edge, path, and which of those that take it.
fn names(embedding: &Embedding) -> Vec<String> {
    let paths: Vec<usize> = embedding.packets().iter().map(|one| one.path).collect();
    let of_edge = |edge: usize| {
        let mut taken: HashMap<usize, usize> = HashMap::new();
        let each = paths.iter().map(|path| {
            let number = taken.entry(*path).or_default();
            *number += 1;
            let several = paths.iter().filter(|other| *other == path).count() > 1;
            match several {
                true => format!("e{edge}_p{path}_{}", *number - 1),
                false => format!("e{edge}_p{path}"),
            }
        });
        each.collect::<Vec<_>>()
    };
    (0..embedding.edges()).flat_map(of_edge).collect()
}

/// Finds the due names in a dump of all nodes, and nothing where nothing is due.
fn names_are_due(dump: &Dump, phase: &Phase, names: &[String], bit_times: usize) {
    let due: HashMap<(usize, usize, usize), &str> = (phase.hops().iter())
        .map(|hop| {
            let at = (
                hop.from as usize,
                usize::from(hop.dimension),
                hop.step as usize,
            );
            (at, names[hop.packet as usize].as_str())
        })
        .collect();
    assert_eq!(
        due.len(),
        phase.hops().len(),
        "a wire is crossed once a step"
    );
    let host = phase.host();
    let end = phase.steps() * bit_times + 1;
    for node in 0..host.nodes() {
        for port in 0..host.count() {
            for (what, sender) in [("sends", node), ("receives", node ^ 1 << port)] {
                let path = format!("cube.node_{node}.told.port_{port}_{what}");
                let said = dump.by_bit_time(&path, 0, end as u64);
                for (bit_time, said) in said.into_iter().enumerate() {
                    let said = match dump.texts.contains(&path) {
                        true => said.to_owned(),
                        false => text_of(said),
                    };
                    let at = (sender, port, bit_time / bit_times);
                    let due = due.get(&at).copied().unwrap_or("");
                    assert_eq!(said, due, "{path} in bit time {bit_time}");
                }
            }
        }
    }
}

#[test]
fn every_port_names_the_packet_that_crosses_it() {
    let folder = tempfile::tempdir().unwrap();
    for (guest, dimensions, packets, start_up, order) in [
        ("cycle", 4, None, 0, Order::HopByHop),
        ("cycle", 4, Some(7), 2, Order::HopByHop),
        ("gray-cycle", 3, Some(3), 1, Order::Greedy),
        ("gray-cycle", 5, Some(1), 0, Order::Greedy),
    ] {
        for ending in ["vcd", "fst"] {
            let embedding = embedded(guest, dimensions, packets);
            let phase = Phase::of(&embedding, order);
            // Every packet has 3 bits.
            let message_bits = 3 * embedding.packets().len();
            let dump = folder.path().join(format!("run.{ending}"));
            let mut arguments = format!(
                "embedding --guest {guest} --dims {dimensions} --message-bits {message_bits} --start-up {start_up} --order {} \
                 --trace-nodes all",
                order.name()
            );
            if let Some(packets) = packets {
                arguments += &format!(" --packets {packets}");
            }
            run(&arguments, &dump);
            names_are_due(&Dump::read(&dump), &phase, &names(&embedding), start_up + 3);
        }
    }
}

/// What is followed is at the nodes that have bits of it, which are looked for one by one where ports name them as they cross: the
/// source has each until it has sent it for the last time, a node on the way from its arrival on, and the destination keeps what
/// comes. `begin` is how its names begin.
fn is_where_its_bits_are(
    arguments: &str,
    begin: &str,
    (source, destination): (usize, Option<usize>),
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    run(&format!("{arguments} --trace-nodes all"), &path);
    let dump = Dump::read(&path);
    let end = dump.ticks.last().unwrap() / TICKS_PER_BIT_TIME;
    let said = |path: &str| dump.by_bit_time(path, 0, end);
    let starts = match dump.signals.contains_key("cube.sequencer.step_name") {
        true => said("cube.sequencer.step_name"),
        false => vec![""; end as usize],
    };
    // By node and bit, the bit times in which the node has it: in the first one it is there, in the last one it crosses on.
    let mut arrives: HashMap<(usize, (&str, usize)), usize> = HashMap::new();
    let mut leaves = HashMap::new();
    let ports = dump
        .signals
        .keys()
        .filter(|path| path.contains(".told.port_") && path.ends_with("_sends"));
    for path in ports {
        let numbers = path.split(['_', '.']).filter_map(|part| part.parse().ok());
        let numbers: Vec<usize> = numbers.collect();
        let (from, to) = (numbers[0], numbers[0] ^ 1 << numbers[1]);
        let (mut before, mut bit) = ("", 0);
        for (bit_time, text) in said(path).into_iter().enumerate() {
            let Some(rest) = text
                .strip_prefix(begin)
                .filter(|rest| rest.starts_with(['_', ':']))
            else {
                before = "";
                continue;
            };
            // A name without bits stands there in START as well; in a collective operation others may be in START meanwhile.
            if starts[bit_time] == "START" && rest.starts_with('_') {
                continue;
            }
            bit = if before == text { bit + 1 } else { 0 };
            before = text;
            let of = match rest.strip_prefix(':') {
                Some(first) => ("", first.parse::<usize>().unwrap() + bit),
                None => (rest, bit),
            };
            let first = arrives.entry((to, of)).or_insert(bit_time + 1);
            *first = (*first).min(bit_time + 1);
            let last = leaves.entry((from, of)).or_insert(bit_time);
            *last = (*last).max(bit_time);
            if from == source {
                arrives.insert((from, of), 0);
            }
        }
    }
    assert!(
        leaves.keys().any(|(node, _)| *node == source),
        "{arguments}"
    );
    for (bit_time, at) in said("cube.followed.at").into_iter().enumerate() {
        let at = at.replace("\\040", " ");
        let (listed, more) = match at
            .strip_suffix(" more")
            .and_then(|at| at.split_once(" and "))
        {
            Some((listed, more)) => (listed, more.parse().unwrap()),
            None => (at.as_str(), 0),
        };
        let said: HashSet<usize> = listed
            .split(',')
            .map(|node| node.parse().unwrap())
            .collect();
        let has = arrives.iter().filter(|((node, bit), first)| {
            let is_kept = destination.is_none_or(|destination| *node == destination);
            let leaves = leaves.get(&(*node, *bit));
            **first <= bit_time && (is_kept || leaves.is_some_and(|last| bit_time <= *last))
        });
        let has: HashSet<usize> = has.map(|((node, _), _)| *node).collect();
        let what = format!("{arguments}: bit time {bit_time}: {said:?}, {has:?}");
        assert!(said.is_subset(&has), "{what}");
        assert_eq!(said.len() + more, has.len(), "{what}");
    }
    let mut arrived = arrives.keys().map(|(node, _)| *node);
    assert!(destination.is_none_or(|node| arrived.any(|other| other == node)));
}

#[test]
fn what_is_followed_is_where_its_bits_are() {
    for (begin, ends, all) in [
        (
            "e0",
            (0, Some(4)),
            &[
                "embedding --guest cycle --dims 4 --message-bits 16",
                "embedding --guest cycle --dims 4 --message-bits 16 --start-up 3",
                "dispersal --dims 4 --needed 2 --message-bits 16",
            ][..],
        ),
        (
            "0_to_7",
            (0, Some(7)),
            &[
                "scatter --dims 3 --message-bits 4",
                "scatter --algorithm sbt --dims 3 --message-bits 6 --packet-bits 2 --start-up 2",
                "scatter --algorithm sbt --dims 3 --message-bits 6 --packet-bits 1",
                "all-to-all --dims 3 --message-bits 4 --start-up 2",
                "inversion --dims 3 --message-bits 6 --start-up 1",
                "scatter --algorithm bst --ports all --dims 3 --message-bits 6 --packet-bits 2 --start-up 1",
                "scatter --algorithm tcbt --dims 3 --message-bits 4 --start-up 2",
                "scatter --algorithm sbt-levels --dims 3 --message-bits 4 --start-up 1",
                "scatter --algorithm distribute-2 --dims 3 --message-bits 12 --start-up 1",
                "send --dims 3 --message-bits 24 --start-up 2",
                "transpose --dims 3 --start-up 2",
            ][..],
        ),
        (
            "7_to_0",
            (7, Some(0)),
            &[
                "gather --algorithm sbt --dims 3 --message-bits 6 --packet-bits 2",
                "gather --algorithm sbt --dims 3 --message-bits 6 --packet-bits 1 --start-up 1",
                "gather --algorithm bst --ports all --dims 3 --message-bits 4 --start-up 3",
            ][..],
        ),
        (
            "0_to_3",
            (0, Some(3)),
            &[
                "send --dims 4 --destination 3 --algorithm arbitrary-send-2 --message-bits 24 --start-up 1",
                "send --dims 3 --destination 3 --algorithm xoc-send-2 --message-bits 24 --groups 2",
            ][..],
        ),
        (
            "1_to_4",
            (1, Some(4)),
            &["permuted-send --dims 3 --permutation bitrev --message-bits 12 --start-up 1"][..],
        ),
        ("e0", (0, Some(1)), &["relaxation --dims 4"][..]),
        (
            "0_to_0",
            (0, None),
            &["all-gather --dims 3 --message-bits 4 --start-up 2"][..],
        ),
    ] {
        for arguments in all {
            is_where_its_bits_are(arguments, begin, ends);
        }
    }
    // Told as nodes send it, whatever is read from a wire that fails.
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.csv");
    std::fs::write(&cut, "node,dimension,bit_time\n0,1,3\n").unwrap();
    let arguments = format!(
        "dispersal --dims 4 --needed 2 --message-bits 16 --cut {}",
        cut.display()
    );
    is_where_its_bits_are(&arguments, "e0", (0, Some(4)));
}

/// Rows of a save file that are not folded away, and are called by a path in it: with the lines before them since the last one.
fn open_rows(save: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(save).unwrap();
    let (mut rows, mut flags, mut folded) = (Vec::new(), String::new(), false);
    for line in text.lines().skip_while(|line| !line.starts_with('@')) {
        match line {
            "@c00200" => folded = true,
            "@1401200" => folded = false,
            _ if line.starts_with(['@', '[', '^']) => flags += line,
            _ if line.starts_with('-') => flags.clear(),
            _ => {
                let flags = std::mem::take(&mut flags);
                if !folded {
                    rows.push((line.to_owned(), flags));
                }
            }
        }
    }
    rows
}

/// The message of the first edge is followed from node to node: what is open of a node names its packets, in the order of nodes.
#[test]
fn a_view_follows_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("run.vcd");
    run("embedding --guest cycle --dims 4 --message-bits 16", &dump);
    let read = Dump::read(&dump);
    let rows = open_rows(&dump.with_extension("gtkw"));
    let open: Vec<&str> = (rows.iter())
        .filter_map(|(row, _)| row.rsplit(' ').next().filter(|path| path.contains("node_")))
        .collect();
    let due = (read.signals.iter())
        .filter(|(path, _)| path.contains(".told."))
        .filter(|(_, changes)| changes.iter().any(|(_, said)| said.starts_with("e0_")));
    let mut due: Vec<&String> = due.map(|(path, _)| path).collect();
    let mut sorted = open.clone();
    sorted.sort_unstable();
    due.sort_unstable();
    assert_eq!(sorted, due);
    // Its source sends 4 packets and receives none; its destination the other way round.
    let of = |node: usize, what: &str| {
        let begin = format!("cube.node_{node}.");
        let named = open
            .iter()
            .filter(|row| row.starts_with(&begin) && row.ends_with(what));
        named.count()
    };
    assert!(of(0, "sends") > 0 && of(0, "receives") == 0, "{open:?}");
    assert!(of(4, "sends") == 0 && of(4, "receives") > 0, "{open:?}");
    assert!(
        open[0].starts_with("cube.node_0.") && open[open.len() - 1].starts_with("cube.node_4.")
    );
}

/// A wire that fails is red at both of its ends, whatever the message of the view does there, and no other row is.
#[test]
fn a_wire_that_fails_is_red() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("cut.vcd");
    let cut = folder.path().join("cut.csv");
    std::fs::write(&cut, "node,dimension,bit_time\n0,1,3\n").unwrap();
    let arguments = format!(
        "dispersal --dims 4 --needed 2 --message-bits 16 --trace-nodes 2,0,5 --cut {}",
        cut.display()
    );
    run(&arguments, &dump);
    let rows = open_rows(&dump.with_extension("gtkw"));
    let red: Vec<&str> = (rows.iter())
        .filter(|(_, flags)| flags.contains("[color] 1"))
        .map(|(row, _)| row.as_str())
        .collect();
    assert_eq!(
        red,
        [
            "+{port_1_receives, cut from 3} cube.node_2.told.port_1_receives",
            "+{dim_1 rx, cut from 3} cube.node_2.dim_1.rx",
            "+{port_1_sends, cut from 3} cube.node_0.told.port_1_sends",
            "+{dim_1 tx, cut from 3} cube.node_0.dim_1.tx",
        ]
    );
}
