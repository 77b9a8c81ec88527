//! What it gives: the tables of `docs/wormhole-hardware.md`.

use std::collections::HashMap;

use rayon::prelude::*;

use super::model::{End, run};
use super::network::Network;
use super::pieces::{Cut, apart, load, shared, worms};
use super::rule::{Rule, slack};
use super::switch::Switch;
use super::tests::{complement, random, rotation};

/// A row: its name, the switch, and how messages are cut.
type Row = (&'static str, Switch, Cut);

fn rows() -> Vec<Row> {
    let design = Switch::with(Rule::Dateline);
    let lanes = Switch { lanes: 2, ..design };
    let large = Switch {
        buffer_bits: 8,
        ..design
    };
    vec![
        ("even pieces", design, Cut::Even),
        (
            "any channel at the start",
            Switch::with(Rule::AtStart),
            Cut::Even,
        ),
        (
            "any channel upwards",
            Switch::with(Rule::Upwards),
            Cut::Even,
        ),
        ("two lanes a channel", lanes, Cut::Even),
        ("buffers of 8 bits", large, Cut::Even),
        ("pieces by way", design, Cut::ByWay),
        ("two shortest ways", design, Cut::Shortest(2)),
        ("pieces by load", design, Cut::ByLoad),
        ("by load, two lanes", lanes, Cut::ByLoad),
        ("pieces kept apart", design, Cut::Apart),
    ]
}

/// Name and destinations of what is sent.
fn traffic(nodes: usize, bits: usize) -> Vec<(&'static str, Vec<usize>)> {
    let seeds = match (nodes, bits) {
        (64, _) => 20,
        (_, 1024) => 3,
        _ => 3,
    };
    let mut all: Vec<_> = (1..=seeds)
        .map(|seed| ("random", random(nodes, seed)))
        .collect();
    all.push(("rotation", rotation(nodes)));
    if nodes == 64 || bits < 1024 {
        all.push(("complement", complement(nodes)));
    }
    all
}

/// Bit times, and bits on the busiest wire.
fn measure(network: &Network, to: &[usize], bits: usize, (name, switch, cut): Row) -> (u64, u64) {
    let worms = worms(network, to, bits, cut);
    let run = run(network, &worms, switch);
    let End::Done(bit_times) = run.end else {
        panic!("{name}: {:?}", run.end)
    };
    assert_eq!(run.arrived, to.len() * bits);
    (
        bit_times,
        load(network, &worms).into_iter().max().unwrap_or(0),
    )
}

fn mean(values: &[u64]) -> f64 {
    values.iter().sum::<u64>() as f64 / values.len() as f64
}

/// `cargo test -p cubewave-reference-models --lib what_hardware_could_do -- --ignored --nocapture`
#[test]
#[ignore = "minutes: prints the tables of docs/wormhole-hardware.md"]
fn what_hardware_could_do() {
    let networks = [4, 8].map(|levels| Network::new(levels, levels));
    networks.iter().for_each(print_ways);
    let mut jobs = Vec::new();
    for network in networks.iter().rev() {
        for bits in [1024, 256, 64] {
            for (name, to) in traffic(network.nodes(), bits) {
                jobs.extend(
                    rows()
                        .into_iter()
                        .map(|row| (network, bits, name, to.clone(), row)),
                );
            }
        }
    }
    let results: Vec<_> = (jobs.par_iter().with_max_len(1))
        .map(|(network, bits, name, to, row)| {
            let found = measure(network, to, *bits, *row);
            eprintln!("{} {bits} {name} {}: {found:?}", network.levels, row.0);
            ((network.levels, *bits, *name, row.0), found)
        })
        .collect();
    let mut times: HashMap<_, Vec<u64>> = HashMap::new();
    let mut least: HashMap<_, Vec<u64>> = HashMap::new();
    for (key, (bit_times, busiest)) in results {
        times.entry(key).or_default().push(bit_times);
        least.entry(key).or_default().push(busiest);
    }
    for network in &networks {
        for bits in [64, 256, 1024] {
            println!("\nn = {}, messages of {bits} bits", network.levels);
            println!(
                "  {:<26}{:>8}{:>14}{:>7}{:>10}{:>10}{:>12}",
                "", "random", "range", "ratio", "at least", "rotation", "complement"
            );
            for (name, ..) in rows() {
                let of = |traffic, name| &times[&(network.levels, bits, traffic, name)];
                let random = of("random", name);
                let range = format!(
                    "{}-{}",
                    random.iter().min().unwrap(),
                    random.iter().max().unwrap()
                );
                let busiest = &least[&(network.levels, bits, "random", name)];
                let complement = times.get(&(network.levels, bits, "complement", name));
                println!(
                    "  {name:<26}{:>8.0}{range:>14}{:>7.2}{:>10.0}{:>10}{:>12}",
                    mean(random),
                    mean(random) / mean(of("random", "even pieces")),
                    mean(busiest),
                    of("rotation", name)[0],
                    complement.map_or("-".to_owned(), |one| one[0].to_string()),
                );
            }
        }
    }
}

/// How often pieces of a message share a wire, how many copies are left without, and how many worms have a
/// choice of channels: every pair of two nodes (n = 4), 20 random permutations (n = 8).
fn print_ways(network: &Network) {
    let nodes = network.nodes();
    let pairs: Vec<(usize, usize)> = match network.levels {
        4 => (0..nodes * nodes)
            .map(|pair| (pair / nodes, pair % nodes))
            .collect(),
        _ => (1..=20)
            .flat_map(|seed| random(nodes, seed).into_iter().enumerate())
            .collect(),
    };
    let found: Vec<[usize; 5]> = (pairs.into_par_iter())
        .filter(|(source, to)| source != to)
        .map(|(source, to)| {
            let ways: Vec<_> = (0..network.copies)
                .map(|copy| network.way(copy, source, to))
                .collect();
            let shared = shared(network, &ways);
            let kept = apart(network, &ways)
                .into_iter()
                .filter(|&kept| kept)
                .count();
            let free = ways.iter().filter(|way| slack(way) > 0).count();
            [1, usize::from(!shared.is_empty()), shared.len(), kept, free]
        })
        .collect();
    let sum = |place: usize| found.iter().map(|one| one[place]).sum::<usize>() as f64;
    let messages = sum(0);
    println!(
        "n = {}: {messages} messages; {:.1} % have pieces that share a wire, {:.2} pairs each; {:.2} copies \
         share none; {:.1} % of the worms have a choice of channels",
        network.levels,
        100.0 * sum(1) / messages,
        sum(2) / messages,
        sum(3) / messages,
        100.0 * sum(4) / messages / network.copies as f64,
    );
}
