//! A run of a broadcast whose dump holds every node, and the dump, read back by bit time.

use std::collections::HashMap;
use std::path::Path;

use hosts::ports::message::Message;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use testbenches::families::broadcast::BENCH;
use testbenches::report::Report;
use testbenches::testbench::bench::{self, RunOptions};

use crate::broadcast_wave::read::read;

/// What is broadcast, and how.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub algorithm: Algorithm,
    pub ports: PortModel,
    pub n: usize,
    pub source: usize,
    pub packets: usize,
    /// B and T.
    pub bits: (usize, usize),
}

impl Case {
    pub fn nodes(&self) -> usize {
        1 << self.n
    }

    /// The message ends before the last packet does, where it can.
    pub fn message_bits(&self) -> usize {
        let (packet_bits, _) = self.bits;
        self.packets * packet_bits - (packet_bits / 2).min(self.packets - 1)
    }

    /// Some broadcasts cut every message into as many packets as they can.
    fn can_be_asked_for(&self) -> bool {
        let most = self.algorithm.most_packets(self.n);
        most.is_none_or(|most| self.message_bits().div_ceil(most) == self.bits.0)
    }

    /// Bit times of a step.
    pub fn step(&self) -> usize {
        self.bits.0 + self.bits.1
    }

    /// The packets, bit by bit; the last one is filled up with zeros.
    pub fn contents(&self) -> Vec<String> {
        self.packets_of(self.seed())
    }

    fn packets_of(&self, seed: u64) -> Vec<String> {
        let message = Message::drawn(self.message_bits(), self.bits.0, seed);
        let all = message
            .bits()
            .iter()
            .by_vals()
            .chain(std::iter::repeat(false));
        let all: Vec<bool> = all.take(self.packets * self.bits.0).collect();
        let packets = all.chunks(self.bits.0);
        packets
            .map(|bits| {
                bits.iter()
                    .map(|bit| if *bit { '1' } else { '0' })
                    .collect()
            })
            .collect()
    }

    /// A message whose packets all differ, and from no packet at all, where there are as many.
    fn seed(&self) -> u64 {
        let zeros = "0".repeat(self.bits.0);
        let is_possible = self.packets < 1 << self.bits.0;
        let differ = |seed: &u64| {
            let mut packets = self.packets_of(*seed);
            packets.push(zeros.clone());
            packets.sort_unstable();
            packets.dedup();
            packets.len() == self.packets + 1
        };
        let seed = (0..10_000).find(|seed| !is_possible || differ(seed));
        seed.unwrap()
    }

    /// What a packet is called.
    pub fn packet(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let (first, number) = name.rsplit_once("packet_").unwrap();
        let number: usize = number.parse().unwrap();
        let has_trees = matches!(
            self.algorithm,
            Algorithm::MultipleTrees
                | Algorithm::Broadcast2
                | Algorithm::Broadcast3A
                | Algorithm::Broadcast3B
                | Algorithm::Broadcast4
        );
        let tree = has_trees.then(|| format!("tree_{}_", number % self.n));
        assert_eq!(first, tree.unwrap_or_default(), "{name}");
        assert!(number < self.packets, "{name}");
        Some(number)
    }

    /// The packets one after the other along a path, as a list of sends.
    fn list(&self) -> String {
        let at = |rank: usize| self.source ^ rank ^ rank >> 1;
        let last = self.nodes() - 1;
        let rows = (0..self.packets * last).map(|step| {
            let (packet, rank) = (step / last, step % last);
            format!("{step},{},{},{packet}\n", at(rank), at(rank + 1))
        });
        "step,from,to,packet\n".to_owned() + &rows.collect::<String>()
    }

    /// As it is asked for.
    fn words(&self, folder: &Path) -> String {
        let (packet_bits, start_up) = self.bits;
        let which = match self.algorithm {
            Algorithm::Listed { .. } => {
                let path = folder.join("sends.csv");
                std::fs::write(&path, self.list()).unwrap();
                format!("--sends {}", path.display())
            }
            algorithm => format!("--algorithm {algorithm} --packet-bits {packet_bits}"),
        };
        format!(
            "{which} --ports {} --dims {} --start-up {start_up} --source {} --message-bits {} --seed {}",
            self.ports,
            self.n,
            self.source,
            self.message_bits(),
            self.seed()
        )
    }

    /// Runs it, and traces all nodes.
    pub fn run(&self) -> Dumped {
        self.run_with(RunOptions {
            trace_nodes: Some("all".to_owned()),
            ..RunOptions::default()
        })
    }

    /// Runs it, and traces what `traced` says.
    pub fn run_with(&self, traced: RunOptions) -> Dumped {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.vcd");
        let from = traced.trace_from.unwrap_or(0);
        let options = RunOptions {
            wave: Some(path.clone()),
            quiet: true,
            ..traced
        };
        let chosen = BENCH.asked(&self.words(folder.path())).unwrap();
        let report = bench::run(chosen, &options).unwrap();
        assert!(report.passed, "{self:?} {:#?}", report.checks);
        let samples = report.bit_times + 1 - from;
        let view = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
        Dumped {
            case: *self,
            report,
            values: read(&path, samples as usize),
            view,
        }
    }
}

/// All broadcasts on all ports that they are defined for, on cubes of two and three dimensions, from node 0 and from another, in
/// few packets and in many.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for algorithm in Algorithm::EACH {
        for &ports in algorithm.port_models() {
            for (n, source) in [(2, 0), (2, 2), (3, 0), (3, 6)] {
                let most = algorithm.most_packets(n).unwrap_or(usize::MAX);
                let mut packets = [1, n, 2 * n + 1].map(|packets| packets.min(most)).to_vec();
                packets.dedup();
                for packets in packets {
                    cases.extend([(1, 0), (4, 2)].map(|bits| Case {
                        algorithm,
                        ports,
                        n,
                        source,
                        packets,
                        bits,
                    }));
                }
            }
        }
    }
    cases.retain(Case::can_be_asked_for);
    cases
}

/// What a run left.
pub struct Dumped {
    pub case: Case,
    pub report: Report,
    /// By path: the value in each bit time, and in the one after the last, most significant bit first.
    pub values: HashMap<String, Vec<String>>,
    pub view: String,
}

impl Dumped {
    pub fn of(&self, path: &str) -> &[String] {
        let values = self.values.get(&format!("cube.{path}"));
        values.unwrap_or_else(|| panic!("{path} is not in the dump"))
    }

    pub fn is_one(&self, path: &str, bit_time: usize) -> bool {
        match self.of(path)[bit_time].as_str() {
            "0" => false,
            "1" => true,
            other => panic!("{path} is {other}"),
        }
    }

    /// The packet that a text names.
    pub fn named(&self, path: &str, bit_time: usize) -> Option<usize> {
        self.case.packet(&self.of(path)[bit_time])
    }

    pub fn steps(&self) -> usize {
        let steps = self.report.family.entry("routing_steps").as_u64();
        steps.unwrap() as usize
    }

    /// Paths in a node that end so, without the node.
    pub fn paths_in(&self, node: usize, end: &str) -> Vec<&str> {
        let node = format!("cube.node_{node}.");
        let paths = self
            .values
            .keys()
            .filter_map(|path| path.strip_prefix(&node));
        let mut paths: Vec<&str> = paths.filter(|path| path.ends_with(end)).collect();
        paths.sort_unstable();
        paths
    }
}
