//! The command `embedding`: one, all of them, and paths as a file for other tools.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rtl_model::embedding::constructions::{Ask, CONSTRUCTIONS, construction};
use serde_json::Value;
use testbenches::families::testbench;
use testbenches::testbench::bench;

use crate::common::sample::quietly;
use crate::embeddings::outputs::cubewave;

fn json(arguments: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let output = cubewave(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The file alone says what the embedding is: every path leads over wires from one end of its edge to the other, and shares none.
#[test]
fn paths_as_a_file_are_those_of_the_embedding() {
    for (guest, dimensions) in [
        ("cycle", 4),
        ("double-cycle", 4),
        ("tree", 6),
        ("large-ccc", 3),
    ] {
        let embedding = construction(guest)
            .unwrap()
            .embed(&Ask::of_dimensions(dimensions))
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!("embedding --guest {guest} --dims {dimensions} --paths paths.csv");
        assert_eq!(cubewave(folder.path(), &arguments).status.code(), Some(0));
        let mut reader = csv::Reader::from_path(folder.path().join("paths.csv")).unwrap();
        let header: Vec<String> = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        assert_eq!(header, ["guest_edge", "path", "hop", "from", "to"]);
        let mut paths: BTreeMap<(usize, usize), Vec<[usize; 2]>> = BTreeMap::new();
        for row in reader.deserialize::<[usize; 5]>() {
            let [edge, path, hop, from, to] = row.unwrap();
            let hops = paths.entry((edge, path)).or_default();
            assert_eq!(hop, hops.len(), "{guest}");
            assert!((from ^ to).is_power_of_two(), "{guest}");
            hops.push([from, to]);
        }
        let mut wires = BTreeSet::new();
        for (&(edge, path), hops) in &paths {
            let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
            assert_eq!((hops[0][0], hops[hops.len() - 1][1]), (from, to), "{guest}");
            assert!(
                hops.windows(2).all(|pair| pair[0][1] == pair[1][0]),
                "{guest}"
            );
            assert_eq!(hops.len(), embedding.path(edge, path).len(), "{guest}");
            for wire in hops {
                assert!(wires.insert((edge, *wire)), "{guest}");
            }
        }
        let moving = (0..embedding.edges()).flat_map(|edge| embedding.paths(edge));
        assert_eq!(paths.len(), moving.filter(|path| !path.is_empty()).count());
    }
}

/// What is said to be measured, counted anew from the file of the paths alone: of all guests at all small sizes, both ways or not.
#[test]
fn what_is_measured_is_counted_from_the_paths_that_are_printed() {
    let all = CONSTRUCTIONS.into_iter().flat_map(|guest| {
        let sizes = (1..=7).filter(|&dims| guest.host(&Ask::of_dimensions(dims)).is_ok());
        sizes.map(move |dims| (guest, dims))
    });
    let all: Vec<_> = all.collect();
    let bench = testbench("embedding").unwrap();
    all.par_iter().for_each(|&(guest, dims)| {
        for both_ways in ["", " --both-ways"] {
            let folder = tempfile::tempdir().unwrap();
            let asked = format!("--guest {} --dims {dims}{both_ways}", guest.name());
            let command = format!("embedding {asked} --paths paths.csv --format json");
            let output = cubewave(folder.path(), &command);
            assert_eq!(output.status.code(), Some(0), "{asked}");
            let told: Value = serde_json::from_slice(&output.stdout).unwrap();
            let mut reader = csv::Reader::from_path(folder.path().join("paths.csv")).unwrap();
            let rows: Vec<[usize; 5]> = reader.deserialize().map(Result::unwrap).collect();
            let mut on_wire: BTreeMap<[usize; 2], usize> = BTreeMap::new();
            for [.., from, to] in &rows {
                *on_wire.entry([*from, *to]).or_default() += 1;
            }
            let most = |of: fn(&[usize; 5]) -> usize| rows.iter().map(of).max().unwrap() + 1;
            assert_eq!(
                told["congestion"],
                *on_wire.values().max().unwrap(),
                "{asked}"
            );
            assert_eq!(told["dilation"], most(|row| row[2]), "{asked}");
            assert_eq!(told["width"], most(|row| row[1]), "{asked}");
            let one_way = guest.embed(&Ask::of_dimensions(dims)).unwrap().edges();
            let edges = one_way << u32::from(!both_ways.is_empty());
            assert!(most(|row| row[0]) <= edges, "{asked}");
            assert_eq!(told["guest_edges"], edges, "{asked}");
            // The claims are about the guest one way.
            assert!(both_ways.is_empty() || told["corrected"]["congestion"].is_null());
            let chosen = bench.asked(&format!("{asked} --message-bits 1"));
            let report = bench::run(chosen.unwrap(), &quietly()).unwrap();
            let report = serde_json::to_value(&report).unwrap();
            let figures = [
                "width",
                "dilation",
                "congestion",
                "guest_edges",
                "expansion",
            ];
            for figure in figures {
                assert_eq!(report[figure], told[figure], "{asked}: {figure}");
            }
            assert_eq!(report["guest_load"], told["load"], "{asked}");
        }
    });
}

/// A row for each construction and size that is to be shown; each figure as the paper has it, as it holds and as it was measured.
#[test]
fn the_table_has_all_embeddings_and_they_hold() {
    let all = json("embedding --format json");
    let rows = all.as_array().unwrap();
    let shown: Vec<(&str, u64)> = CONSTRUCTIONS
        .iter()
        .flat_map(|one| {
            let sizes = one.shown_dimensions().iter();
            sizes.map(|size| (one.name(), *size as u64))
        })
        .collect();
    let found: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| {
            (
                row["guest"].as_str().unwrap(),
                row["dims"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, shown);
    for row in rows {
        assert_eq!(row["passed"], true, "{row}");
        for figure in ["width", "dilation", "congestion", "packets", "cost_steps"] {
            assert!(row[figure].is_u64(), "{row}");
            let corrected = &row["corrected"][figure];
            assert!(
                corrected.is_null() || *corrected == row[figure],
                "{figure}: {row}"
            );
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let table = cubewave(folder.path(), "embedding");
    let table = String::from_utf8(table.stdout).unwrap();
    let passed = table.lines().filter(|line| line.ends_with(" pass")).count();
    assert_eq!(passed, rows.len());
}

#[test]
fn one_with_other_packets_is_held_to_its_paths_alone() {
    let one = json(
        "embedding --guest cycle --dims 4 --packets 9 --order greedy --both-ways --format json",
    );
    assert_eq!(one["passed"], true);
    assert_eq!(
        (&one["packets"], &one["corrected"]["packets"]),
        (&9.into(), &4.into())
    );
    assert_ne!(one["cost_steps"], one["corrected"]["cost_steps"]);
    assert_eq!(one["cost_steps"], one["cost_steps_greedy"]);
}

#[test]
fn what_is_about_one_guest_is_refused_without() {
    let folder = tempfile::tempdir().unwrap();
    for option in [
        "--dims 4",
        "--packets 2",
        "--both-ways",
        "--order greedy",
        "--paths p.csv",
    ] {
        let output = cubewave(folder.path(), &format!("embedding {option}"));
        assert_eq!(output.status.code(), Some(2), "{option}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("--guest <NAME>"), "{option}: {error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Bits of a node are shared out to the edges that begin there, rounded up.
#[test]
fn guests_with_several_vertices_on_a_node_carry_as_much() {
    let rows = json(
        "measure embedding --guest gray-cycle,large-cycle --dims 4 --node-bits 6,64 --format json",
    );
    let bits: Vec<(u64, u64)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["node_bits"].as_u64().unwrap(),
                row["message_bits"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(bits, [(6, 6), (64, 64), (6, 2), (64, 16)]);
}

/// With every edge both ways a node has twice as many edges, and each message half as many bits.
#[test]
fn bits_of_a_node_are_shared_out_to_edges_of_both_ways() {
    let rows =
        json("measure embedding --guest cycle --dims 4 --node-bits 64 --both-ways --format json");
    assert_eq!(rows[0]["message_bits"], 32);
}

/// Where the paper is mended, both are told apart: of the cycle, at four dimensions.
#[test]
fn what_the_paper_has_stands_beside_what_holds() {
    let row = json("embedding --guest cycle --dims 4 --format json");
    for (figure, paper, corrected) in [("width", 2, 3), ("packets", 2, 4), ("cost_steps", 3, 3)] {
        assert_eq!(row["paper"][figure], paper, "{figure}");
        assert_eq!(row["corrected"][figure], corrected, "{figure}");
    }
}
