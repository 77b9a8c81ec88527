//! Dumps of phases, read back through another library: in every bit time each port of every traced node names the packet that the
//! schedule has cross it, and nothing else; and views show those names, what they follow and what fails first.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use rtl_model::embedding::constructions::{Ask, construction};
use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::{Order, Phase};

use crate::common::dump::{Dump, text_of};

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
