//! A machine as its command line asks for it, and which shares failing wires take.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::constructions::{Ask, construction};
use rtl_model::embedding::copies::Copies;
use rtl_model::embedding::paths::{Embedding, Packet};
use rtl_model::embedding::phase::{Hop, Order, Phase};
use rtl_model::traffic::pattern::Pattern;
use serde_json::Value;
use testbenches::families;
use testbenches::options::Format;

/// A wire that fails: node, dimension, bit time and how.
pub type Cut = (usize, usize, u64, &'static str);

/// All ways to fail.
pub const WAYS: [&str; 3] = ["cut", "0", "1"];

/// Runs `run dispersal` in this process; the report, or the refusal.
pub fn run(line: &str) -> Result<Value, String> {
    let bench = families::testbenches().find(|bench| bench.name == "dispersal");
    let bench = bench.unwrap();
    let command = bench.run_arguments(clap::Command::new("run").no_binary_name(true));
    let words = format!("--threads 1 {line}");
    let arguments = command.try_get_matches_from(words.split_whitespace());
    let ran = bench.run(&arguments.map_err(|error| error.to_string())?);
    let report = ran.map_err(|error| error.to_string())?.report;
    let json = report.formatted(Format::Json).unwrap();
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["passed"], report.passed);
    Ok(value)
}

/// Runs the program.
pub fn cubewave(folder: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A number of a report.
pub fn number(report: &Value, name: &str) -> usize {
    report[name].as_u64().unwrap() as usize
}

/// Whether a check passed.
pub fn passed(report: &Value, name: &str) -> bool {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name).unwrap();
    check["passed"].as_bool().unwrap()
}

/// Messages in hexadecimal: of each edge, so many bits.
pub fn drawn(edges: usize, bits: usize, random: &mut ChaCha8Rng) -> Vec<String> {
    let message = |_| hexadecimal(&(0..bits).map(|_| random.random()).collect::<Vec<bool>>());
    (0..edges).map(message).collect()
}

/// Bits, the first the least significant.
pub fn hexadecimal(bits: &[bool]) -> String {
    let digits = bits.chunks(4).rev().map(|digit| {
        let digit = digit.iter().rev();
        let digit = digit.fold(0, |all, bit| 2 * all + u32::from(*bit));
        char::from_digit(digit, 16).unwrap()
    });
    digits.collect()
}

/// A file of rows below a header.
pub fn write(path: &Path, header: &str, rows: impl Iterator<Item = String>) {
    fs::write(path, header.to_owned() + "\n" + &rows.collect::<String>()).unwrap();
}

/// A machine.
pub struct Machine {
    /// What asks for it.
    pub arguments: String,
    pub embedding: Embedding,
    pub phase: Phase,
    pub shares: usize,
    pub needed: usize,
    pub message_bits: usize,
    pub start_up: usize,
}

/// What a run left.
pub struct Left {
    pub report: Value,
    /// Messages of which there is no result.
    pub lost: BTreeSet<usize>,
}

impl Machine {
    /// Over the paths of a guest's edges.
    pub fn of_edges(
        guest: &str,
        dims: usize,
        [needed, message_bits, start_up]: [usize; 3],
    ) -> Self {
        let ask = Ask {
            dimensions: Some(dims),
            ..Ask::default()
        };
        let embedding = construction(guest).unwrap().embed(&ask).unwrap();
        let arguments = format!("--guest {guest} --dims {dims} --start-up {start_up}");
        Self::new(
            arguments,
            embedding,
            Order::HopByHop,
            [needed, message_bits, start_up],
        )
    }

    /// Over copies of cube-connected cycles of so many levels.
    pub fn over_copies(
        levels: usize,
        traffic: &str,
        [needed, message_bits, seed]: [usize; 3],
    ) -> Self {
        let copies = Copies::new(levels).unwrap();
        let host = copies.dimensions();
        let nodes: Vec<usize> = (0..host.nodes()).collect();
        let pattern = Pattern::from_any_name(traffic).unwrap();
        let places = nodes.iter().map(|node| *node as u32).collect();
        let mut embedding = Embedding::new(host, places);
        for message in pattern.messages(host, &nodes, seed as u64).unwrap() {
            let ends = [message.source, message.destination];
            if ends[0] != ends[1] {
                embedding.add_edge(ends, (0..levels).map(|copy| route(&copies, copy, ends)));
            }
        }
        let arguments = format!(
            "--over copies --dims {} --traffic {traffic} --seed {seed}",
            host.count()
        );
        Self::new(
            arguments,
            embedding,
            Order::Greedy,
            [needed, message_bits, 0],
        )
    }

    fn new(
        arguments: String,
        mut embedding: Embedding,
        order: Order,
        [needed, message_bits, start_up]: [usize; 3],
    ) -> Self {
        let shares = embedding.width();
        embedding.set_packets((0..shares).map(|path| Packet { path, wait: 0 }));
        Machine {
            arguments: format!("{arguments} --needed {needed} --message-bits {message_bits}"),
            phase: Phase::of(&embedding, order),
            embedding,
            shares,
            needed,
            message_bits,
            start_up,
        }
    }

    pub fn spare(&self) -> usize {
        self.shares - self.needed
    }

    pub fn share_bits(&self) -> usize {
        8 * 2 * self.message_bits.div_ceil(16).div_ceil(self.needed) + 32
    }

    /// Bit times of a step.
    pub fn step(&self) -> u64 {
        (self.start_up + self.share_bits()) as u64
    }

    pub fn bit_times(&self) -> u64 {
        self.phase.steps() as u64 * self.step()
    }

    /// The last bit time of a hop.
    pub fn last_of(&self, hop: &Hop) -> u64 {
        (u64::from(hop.step) + 1) * self.step() - 1
    }

    /// Of each message, its shares of which at least a bit crosses a wire that has failed.
    pub fn hit(&self, cuts: &[Cut]) -> Vec<usize> {
        let failing: BTreeMap<(usize, usize), u64> = (cuts.iter())
            .map(|(node, dimension, from, _)| ((*node, *dimension), *from))
            .collect();
        assert_eq!(failing.len(), cuts.len());
        let hit = self.phase.hops().iter().filter(|hop| {
            let wire = (hop.from as usize, usize::from(hop.dimension));
            failing
                .get(&wire)
                .is_some_and(|from| *from <= self.last_of(hop))
        });
        let packets: BTreeSet<u32> = hit.map(|hop| hop.packet).collect();
        let mut of_edge = vec![0; self.embedding.edges()];
        for packet in packets {
            of_edge[packet as usize / self.shares] += 1;
        }
        of_edge
    }

    /// Messages that lose more shares than they may.
    pub fn beyond(&self, hit: &[usize]) -> BTreeSet<usize> {
        let all = (0..hit.len()).filter(|edge| hit[*edge] > self.spare());
        all.collect()
    }

    /// A wire that a path takes: any of them.
    pub fn wire_of(&self, edge: usize, path: usize, random: &mut ChaCha8Rng) -> (usize, usize) {
        let packet = edge * self.shares + path;
        let hops = self.phase.hops().iter();
        let hops: Vec<&Hop> = hops.filter(|hop| hop.packet as usize == packet).collect();
        let hop = hops[random.random_range(0..hops.len())];
        (hop.from as usize, usize::from(hop.dimension))
    }

    /// Wires that fail, so many, from bit times in `at` on.
    pub fn cuts(
        &self,
        count: usize,
        at: std::ops::Range<u64>,
        random: &mut ChaCha8Rng,
    ) -> Vec<Cut> {
        let host = self.embedding.host();
        let wires = rand::seq::index::sample(random, host.wires(), count);
        let cuts = wires.into_iter().map(|wire| {
            let way = WAYS[random.random_range(0..3)];
            let from = random.random_range(at.clone());
            (wire / host.count(), wire % host.count(), from, way)
        });
        cuts.collect()
    }

    /// Runs it with these messages and failing wires, and looks at what must hold of any run: nothing is wrong, and everything that
    /// does not come back is reported.
    pub fn run(&self, folder: &Path, messages: &[String], cuts: &[Cut], further: &str) -> Left {
        let [values, cut, results] =
            ["values.csv", "cuts.csv", "results.csv"].map(|name| folder.join(name));
        let rows = messages.iter().enumerate();
        write(
            &values,
            "edge,value",
            rows.map(|(edge, value)| format!("{edge},{value}\n")),
        );
        let rows = cuts
            .iter()
            .map(|(node, dimension, from, way)| format!("{node},{dimension},{from},{way}\n"));
        write(&cut, "node,dimension,bit_time,stuck", rows);
        let line = format!(
            "{} --values {} --cut {} --results {} {further}",
            self.arguments,
            values.display(),
            cut.display(),
            results.display()
        );
        let report = run(&line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        let results = fs::read_to_string(&results).unwrap();
        let mut rows = results.lines();
        assert_eq!(rows.next(), Some("edge,value"));
        let mut lost: BTreeSet<usize> = (0..messages.len()).collect();
        for row in rows {
            let (edge, value) = row.split_once(',').unwrap();
            let edge: usize = edge.parse().unwrap();
            assert_eq!(value, messages[edge], "{line} {cuts:?}: message {edge}");
            assert!(lost.remove(&edge), "{row} twice");
        }
        let sent = self.embedding.edges();
        assert_eq!(number(&report, "messages"), sent);
        assert_eq!(number(&report, "share_bits"), self.share_bits());
        assert_eq!(number(&report, "bit_times") as u64, self.bit_times());
        assert_eq!(number(&report, "wrong"), 0);
        assert_eq!(number(&report, "lost"), lost.len());
        assert_eq!(number(&report, "restored"), sent - lost.len());
        assert_eq!(report["delivered"], report["restored"]);
        assert_eq!(report["cuts"].as_array().unwrap().len(), cuts.len());
        for check in report["checks"].as_array().unwrap() {
            let expected = check["name"] != "restored" || lost.is_empty();
            assert_eq!(check["passed"], expected, "{line} {cuts:?}: {check}");
        }
        assert_eq!(report["passed"], lost.is_empty());
        Left { report, lost }
    }
}

/// From a node to another in a copy: around the cycle of levels, across where the column has to change.
fn route(copies: &Copies, copy: usize, [from, to]: [usize; 2]) -> Vec<u8> {
    let (mut node, mut hops) = (from, Vec::new());
    while node != to {
        let (level, column) = copies.unmap(copy, node);
        let changes = (column ^ copies.unmap(copy, to).1) >> level & 1 == 1;
        let dimension = match changes {
            true => copies.cross_dimension(copy, level),
            false => copies.straight_dimension(copy, level),
        };
        hops.push(dimension as u8);
        node ^= 1 << dimension;
    }
    hops
}
