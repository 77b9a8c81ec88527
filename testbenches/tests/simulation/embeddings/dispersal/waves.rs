//! A waveform shows what fails, and changes nothing.

use std::fs;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::common::dump::Dump;
use crate::embeddings::dispersal::machine::{Cut, Machine, drawn};

/// Of the view, a bit time.
const PICOSECONDS: u64 = 1000;

#[test]
fn a_wire_has_its_value_at_both_ends_from_its_bit_time_on() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::of_edges("cycle", 4, [2, 30, 0]);
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let messages = drawn(16, 30, &mut random);
    let end = machine.bit_times();
    let cuts: [Cut; 4] = [
        (5, 1, 20, "cut"),
        (9, 3, 64, "1"),
        (0, 0, 0, "1"),
        (14, 2, end - 1, "0"),
    ];
    let wave = |name: &str| {
        format!(
            "--trace-nodes all --wave {}",
            folder.path().join(name).display()
        )
    };
    let without = machine.run(folder.path(), &messages, &cuts, "");
    let with = machine.run(folder.path(), &messages, &cuts, &wave("cut.vcd"));
    assert_eq!(without.lost, with.lost);
    for name in [
        "restored",
        "lost",
        "survived",
        "damaged_shares",
        "cuts",
        "bit_times",
    ] {
        assert_eq!(without.report[name], with.report[name], "{name}");
    }
    let sound = machine.run(folder.path(), &messages, &[], &wave("sound.vcd"));
    assert_eq!(sound.report["damaged_shares"], 0);
    let [cut, sound] = ["cut.vcd", "sound.vcd"].map(|name| Dump::read(&folder.path().join(name)));
    for (node, dimension, from, way) in cuts {
        let value = if way == "1" { "1" } else { "0" };
        let neighbour = node ^ 1 << dimension;
        for signal in [
            format!("cube.node_{node}.dim_{dimension}.tx"),
            format!("cube.node_{neighbour}.dim_{dimension}.rx"),
        ] {
            let failing = cut.by_bit_time(&signal, from, end);
            assert_eq!(failing, vec![value; (end - from) as usize], "{signal}");
            // Before the first wire fails the two runs are the same.
            if from == 0 {
                continue;
            }
            let first = 0..from.min(1);
            assert_eq!(
                cut.by_bit_time(&signal, first.start, first.end),
                sound.by_bit_time(&signal, first.start, first.end)
            );
        }
    }
    // With one wire alone, everything is as without it until it fails.
    let (node, dimension, from, _) = cuts[1];
    machine.run(folder.path(), &messages, &cuts[1..2], &wave("one.vcd"));
    let one = Dump::read(&folder.path().join("one.vcd"));
    for signal in one.signals.keys() {
        assert_eq!(
            one.by_bit_time(signal, 0, from),
            sound.by_bit_time(signal, 0, from),
            "{signal}"
        );
    }
    let wire = format!("cube.node_{node}.dim_{dimension}.tx");
    assert_ne!(
        one.by_bit_time(&wire, from, end),
        sound.by_bit_time(&wire, from, end)
    );
}

#[test]
fn the_view_marks_when_wires_fail() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::of_edges("cycle", 4, [2, 30, 0]);
    let messages = drawn(16, 30, &mut ChaCha8Rng::seed_from_u64(12));
    let end = machine.bit_times();
    let cuts: [Cut; 3] = [(5, 1, 20, "cut"), (9, 3, 64, "1"), (14, 2, end - 1, "0")];
    let wave = format!("--wave {}", folder.path().join("cut.vcd").display());
    machine.run(folder.path(), &messages, &cuts, &wave);
    let view = fs::read_to_string(folder.path().join("cut.gtkw")).unwrap();
    let names = view
        .lines()
        .filter_map(|line| line.strip_prefix("[markername] "));
    let markers = view.lines().find(|line| line.starts_with('*')).unwrap();
    // The first number is a zoom, the second the cursor; then a time each from A on.
    let times = markers.split(' ').skip(2);
    let marks: Vec<(&str, &str)> = names
        .map(|name| &name[1..])
        .zip(times)
        .filter(|(name, _)| name.contains(":node_"))
        .collect();
    let at = [20, 64, end - 1].map(|from| (from * PICOSECONDS).to_string());
    assert_eq!(
        marks,
        [
            ("cut:node_5_dim_1", &*at[0]),
            ("stuck_at_1:node_9_dim_3", &*at[1]),
            ("stuck_at_0:node_14_dim_2", &*at[2]),
        ]
    );
}

/// Where none are named, the nodes are those around the wire that takes a share first.
#[test]
fn the_nodes_that_are_shown_are_those_of_a_wire_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::of_edges("cycle", 4, [2, 30, 0]);
    let messages = drawn(16, 30, &mut ChaCha8Rng::seed_from_u64(12));
    let wave = format!("--wave {}", folder.path().join("cut.vcd").display());
    for hop in machine.phase.hops().iter().step_by(9) {
        let (node, dimension) = (hop.from as usize, usize::from(hop.dimension));
        let cut = (node, dimension, machine.last_of(hop), "cut");
        let left = machine.run(folder.path(), &messages, &[cut], &wave);
        let traced = left.report["outputs"]["traced_nodes"].as_array().unwrap();
        let edge = machine.embedding.edge(hop.packet as usize / machine.shares);
        let [source, destination] = edge.map(|vertex| machine.embedding.place(vertex));
        for node in [source, node, node ^ 1 << dimension, destination] {
            assert!(traced.contains(&node.into()), "{traced:?} {hop:?}");
        }
        assert!(traced.len() <= 4);
    }
}
