//! A run whose dump holds every node, and the dump.

use std::path::Path;
use std::process::{Command, Stdio};

use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME};

/// What a run left.
pub struct Dumped {
    /// The command line.
    pub name: String,
    pub dump: Dump,
    pub view: String,
    /// Bit times.
    pub end: usize,
    /// Bits of a word, or of the message.
    pub word_bits: usize,
    /// Nodes whose words are results, and these.
    pub results: Vec<(usize, u64)>,
    /// All words that come to node 0 are added to its own.
    pub adds_all_that_comes: bool,
    /// Of a broadcast.
    pub source: usize,
    network: Option<ReducedHypercube>,
    cube: Dimensions,
    is_most_first: bool,
}

/// All operations in all their forms, on a network with several nodes in a sub-block and on one without.
pub fn cases() -> Vec<Dumped> {
    let mut cases = Vec::new();
    for size in ["--dims 3 --blocks 1", "--dims 2 --blocks 2"] {
        for of in [
            "reduce --algorithm printed",
            "reduce --algorithm short --operator max",
            "prefix --algorithm short",
            "prefix --algorithm printed --operator carry",
            "prefix --algorithm in-place --operator min",
            "sort --algorithm virtual-cube",
            "sort --algorithm pairs-of-blocks --keys 2",
        ] {
            cases.push(Dumped::of_words(&format!("{of} {size} --word-bits 6")));
        }
    }
    for of in ["reduce", "prefix", "sort --keys 2"] {
        let cube = "--network hypercube --dims 4 --word-bits 5";
        cases.push(Dumped::of_words(&format!("{of} {cube}")));
    }
    cases
}

fn option(arguments: &str, name: &str) -> Option<usize> {
    let mut words = arguments.split(' ').skip_while(|word| *word != name);
    words.nth(1).map(|value| value.parse().unwrap())
}

/// The first word of each node in a file of results.
fn results(path: &Path) -> Vec<(usize, u64)> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|row| {
        let (node, value) = row.split_once(',').unwrap();
        (
            node.parse().unwrap(),
            u64::from_str_radix(value, 16).unwrap(),
        )
    });
    let mut results: Vec<(usize, u64)> = rows.collect();
    results.dedup_by_key(|(node, _)| *node);
    results
}

impl Dumped {
    fn of_words(arguments: &str) -> Self {
        let word_bits = option(arguments, "--word-bits").unwrap();
        let is_most_first = ["sort", "max", "min", "carry"]
            .iter()
            .any(|one| arguments.contains(one));
        let mut dumped = Self::run(arguments, word_bits, is_most_first);
        dumped.adds_all_that_comes = arguments.starts_with("reduce --algorithm printed");
        dumped
    }

    pub fn of_broadcast(arguments: &str) -> Self {
        let message_bits = option(arguments, "--message-bits").unwrap();
        let of = format!("broadcast --network reduced-hypercube {arguments}");
        Self::run(&of, message_bits, false)
    }

    fn run(arguments: &str, word_bits: usize, is_most_first: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [wave, values] = ["run.vcd", "results.csv"].map(|name| folder.path().join(name));
        let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .arg("run")
            .args(arguments.split(' '))
            .args(["--trace-nodes", "all", "--wave"])
            .arg(&wave)
            .arg("--results")
            .arg(&values)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{arguments}");
        let dims = option(arguments, "--dims").unwrap();
        let blocks = option(arguments, "--blocks");
        let network = blocks.map(|blocks| ReducedHypercube::new(dims, blocks).unwrap());
        let dump = Dump::read(&wave);
        let last = *dump.ticks.last().unwrap();
        Dumped {
            name: arguments.to_owned(),
            view: std::fs::read_to_string(wave.with_extension("gtkw")).unwrap(),
            // The bit time after the last shows what the run leaves.
            end: (last / TICKS_PER_BIT_TIME) as usize - 1,
            dump,
            word_bits,
            results: results(&values),
            adds_all_that_comes: false,
            source: option(arguments, "--source").unwrap_or(0),
            network,
            cube: network.map_or_else(|| Dimensions::new(dims).unwrap(), ReducedHypercube::cube),
            is_most_first,
        }
    }

    fn topology(&self) -> &dyn Topology {
        match &self.network {
            Some(network) => network,
            None => &self.cube,
        }
    }

    pub fn machine(&self) -> &'static str {
        self.topology().machine_name()
    }

    pub fn nodes(&self) -> usize {
        self.topology().nodes()
    }

    pub fn links(&self) -> usize {
        self.topology().links()
    }

    pub fn title(&self, node: usize) -> String {
        self.topology().node_title(node)
    }

    pub fn low_bits(&self) -> usize {
        self.network.map_or(0, ReducedHypercube::low_bits)
    }

    pub fn subblock(&self, node: usize) -> usize {
        self.network.unwrap().subblock(node)
    }

    /// Each node with each of its wires.
    pub fn ends(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let links = self.links();
        (0..self.nodes()).flat_map(move |node| (0..links).map(move |wire| (node, wire)))
    }

    /// Worked out of address bits alone: the last wire crosses the bit of the building block that the sub-block names.
    pub fn neighbour(&self, node: usize, wire: usize) -> usize {
        match self.network {
            Some(network) if wire == network.block_dimensions() => {
                let k = network.block_dimensions();
                let n = network.subblock_bits();
                node ^ 1 << (k + (node >> (k - n) & ((1 << n) - 1)))
            }
            _ => node ^ 1 << wire,
        }
    }

    pub fn of(&self, path: &str) -> Vec<&str> {
        let path = format!("{}.{path}", self.machine());
        self.dump.by_bit_time(&path, 0, self.end as u64 + 1)
    }

    pub fn path(&self, node: usize, wire: usize, what: &str) -> String {
        let link = match self.network {
            Some(network) if wire == network.block_dimensions() => "between_blocks".to_owned(),
            _ => format!("dim_{wire}"),
        };
        let name = self.topology().node_name(node);
        format!("{}.node_{name}.{link}.{what}", self.machine())
    }

    pub fn wire(&self, node: usize, wire: usize, what: &str) -> Vec<&str> {
        let path = self.path(node, wire, what);
        self.dump.by_bit_time(&path, 0, self.end as u64 + 1)
    }

    pub fn of_node(&self, node: usize, path: &str) -> Vec<&str> {
        self.of(&format!("node_{}.{path}", self.topology().node_name(node)))
    }

    /// How many numbers a node shows.
    pub fn numbers(&self, node: usize) -> usize {
        let scope = format!(
            "{}.node_{}.numbers.",
            self.machine(),
            self.topology().node_name(node)
        );
        let paths = self.dump.signals.keys();
        paths.filter(|path| path.starts_with(&scope)).count()
    }

    /// The value of a signal in one bit time.
    fn at(&self, path: &str, bit_time: usize) -> &str {
        let changes = &self.dump.signals[&format!("{}.{path}", self.machine())];
        let tick = bit_time as u64 * TICKS_PER_BIT_TIME;
        let after = changes.partition_point(|(at, _)| *at <= tick);
        &changes[after - 1].1
    }

    pub fn number(&self, node: usize, name: &str, bit_time: usize) -> u64 {
        let node = self.topology().node_name(node);
        let value = self.at(&format!("node_{node}.numbers.{name}"), bit_time);
        u64::from_str_radix(value, 2).unwrap()
    }

    /// What a node's first word is called.
    pub fn first_word(&self) -> &'static str {
        match self.name.split(' ').next().unwrap() {
            "reduce" => "word",
            "prefix" => "result",
            _ => "slot_0",
        }
    }

    /// What is called the word of a node that changes when one comes over a wire.
    pub fn moved_word(&self) -> &'static str {
        match self.first_word() {
            "result" => "message",
            word => word,
        }
    }

    /// The word that a node sends in this bit time, as it is told.
    pub fn named(&self, node: usize, is_upper: bool, bit_time: usize) -> u64 {
        let name = match self.name.split(' ').next().unwrap() {
            "reduce" => "word".to_owned(),
            "prefix" => self.at("sequencer.sent", bit_time).to_owned(),
            _ => {
                let slots = self.at("sequencer.slots", bit_time);
                let (lower, upper) = slots.split_once("<->").unwrap_or((slots, slots));
                format!("slot_{}", if is_upper { upper } else { lower })
            }
        };
        self.number(node, &name, bit_time)
    }

    /// The number that the bits of a wire spell, one after the other.
    pub fn spelled(&self, bits: &[&str]) -> u64 {
        let digits: String = match self.is_most_first {
            true => bits.concat(),
            false => bits.iter().rev().copied().collect(),
        };
        u64::from_str_radix(&digits, 2).unwrap()
    }
}
