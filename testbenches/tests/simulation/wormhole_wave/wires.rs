//! A dump of wormhole routers, by bit time; and what its nodes and links are called, worked out apart from the topology.

use std::collections::HashMap;
use std::path::Path;

use rtl_model::routers::wormhole::network::Network;

use crate::common::dump::Dump;

/// A dump, by bit time.
pub struct Wires {
    pub dump: Dump,
    pub machine: &'static str,
    pub bit_times: u64,
}

impl Wires {
    pub fn read(path: &Path, network: &Network, bit_times: u64) -> Self {
        let dump = Dump::read(path);
        let machine = match network {
            Network::CubeConnectedCycles(_) => "ccc",
            _ => "cube",
        };
        Wires {
            dump,
            machine,
            bit_times,
        }
    }

    pub fn text(&self, path: &str) -> Vec<&str> {
        let path = format!("{}.{path}", self.machine);
        assert!(self.dump.signals.contains_key(&path), "{path}");
        self.dump.by_bit_time(&path, 0, self.bit_times)
    }

    pub fn numbers(&self, path: &str) -> Vec<usize> {
        let number = |text| usize::from_str_radix(text, 2).unwrap();
        self.text(path).into_iter().map(number).collect()
    }

    /// As [`Wires::numbers`], 0 for a wire that there is not.
    pub fn numbers_if_any(&self, path: &str) -> Vec<usize> {
        match self.has(path) {
            true => self.numbers(path),
            false => vec![0; self.bit_times as usize],
        }
    }

    pub fn has(&self, path: &str) -> bool {
        let path = format!("{}.{path}", self.machine);
        self.dump.signals.contains_key(&path)
    }
}

/// What a node is called, worked out apart from the topology.
pub fn name(network: &Network, node: usize) -> String {
    match network {
        Network::CubeConnectedCycles(cycles) => {
            let columns = 1 << cycles.levels();
            format!("{}_{}", node / columns, node % columns)
        }
        _ => node.to_string(),
    }
}

/// Links of a node: scope, and the node that the link leads to.
pub fn links(network: &Network, node: usize) -> Vec<(String, usize)> {
    match network {
        Network::CubeConnectedCycles(cycles) => {
            let (levels, columns) = (cycles.levels(), 1 << cycles.levels());
            let (level, column) = (node / columns, node % columns);
            vec![
                (
                    "straight".to_owned(),
                    (level + 1) % levels * columns + column,
                ),
                ("cross".to_owned(), level * columns + (column ^ 1 << level)),
            ]
        }
        _ => {
            let dimensions = network.nodes().ilog2() as usize;
            (0..dimensions)
                .map(|dimension| (format!("dim_{dimension}"), node ^ 1 << dimension))
                .collect()
        }
    }
}

pub fn host(network: &Network, node: usize, switch: usize) -> String {
    let host = match network.switches() {
        1 => "host".to_owned(),
        _ => format!("host_{switch}"),
    };
    format!("node_{}.{host}", name(network, node))
}

/// Bits that pass a wire between two tails, and when.
#[derive(Debug)]
pub struct Stream {
    pub bits: Vec<bool>,
    pub bit_times: Vec<usize>,
}

/// What passes data wire `<path>` with its marks, by channel. No stream may be unfinished at the end.
pub fn streams(wires: &Wires, path: &str) -> HashMap<usize, Vec<Stream>> {
    let data = wires.numbers(path);
    let valid = wires.numbers(&format!("{path}_valid"));
    let tail = wires.numbers(&format!("{path}_tail"));
    let channel = wires.numbers_if_any(&format!("{path}_channel"));
    let mut done: HashMap<usize, Vec<Stream>> = HashMap::new();
    let mut open: HashMap<usize, Stream> = HashMap::new();
    for bit_time in 0..data.len() {
        if valid[bit_time] == 0 {
            assert_eq!((data[bit_time], tail[bit_time]), (0, 0), "{path}: no bit");
            continue;
        }
        let stream = open.entry(channel[bit_time]).or_insert(Stream {
            bits: Vec::new(),
            bit_times: Vec::new(),
        });
        stream.bits.push(data[bit_time] == 1);
        stream.bit_times.push(bit_time);
        if tail[bit_time] == 1 {
            let stream = open.remove(&channel[bit_time]).unwrap();
            done.entry(channel[bit_time]).or_default().push(stream);
        }
    }
    assert!(open.is_empty(), "{path}: {open:?}");
    done
}
