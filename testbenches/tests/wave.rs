//! The dump that a run writes, read back through another library and audited: both ends of every wire
//! agree in every bit time, the deliveries can be rebuilt from wire bits alone, and the view names
//! only what is there.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use common::traffic;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::lanes::{Lanes, Words};
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::Router;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;
use testbenches::benches;
use testbenches::catalogue::Bench;
use testbenches::options::RunOptions;
use wellen::simple::{Waveform, read};

const TICKS_PER_BIT_TIME: u64 = 10;

/// A dump, by signal path.
struct Dump {
    /// For each signal: (tick, value) in order, most significant bit first.
    signals: HashMap<String, Vec<(u64, String)>>,
    ticks: Vec<u64>,
}

impl Dump {
    fn read(path: &Path) -> Self {
        let mut wave: Waveform = read(path).unwrap();
        let variables: Vec<(String, wellen::SignalRef)> = wave
            .hierarchy()
            .all_vars()
            .map(|variable| {
                let variable = &wave.hierarchy()[variable];
                (variable.full_name(wave.hierarchy()), variable.signal_ref())
            })
            .collect();
        let ids: Vec<_> = variables.iter().map(|(_, id)| *id).collect();
        wave.load_signals(&ids);
        let ticks = wave.time_table().to_vec();
        let signals = variables
            .into_iter()
            .map(|(path, id)| {
                let changes = wave
                    .get_signal(id)
                    .unwrap()
                    .iter_changes()
                    .map(|(index, value)| (ticks[index as usize], value.to_string()))
                    .collect();
                (path, changes)
            })
            .collect();
        Dump { signals, ticks }
    }

    /// The value of a signal in each bit time.
    fn by_bit_time(&self, path: &str, from: u64, to: u64) -> Vec<&str> {
        let changes = &self.signals[path];
        let mut values = Vec::new();
        let mut next = 0;
        for bit_time in from..to {
            while next < changes.len() && changes[next].0 <= bit_time * TICKS_PER_BIT_TIME {
                next += 1;
            }
            values.push(changes[next - 1].1.as_str());
        }
        values
    }
}

/// The bits on all wires: `tx[node][dimension][bit time]`, and `rx` alike.
struct Wires {
    tx: Vec<Vec<Vec<bool>>>,
    rx: Vec<Vec<Vec<bool>>>,
}

impl Wires {
    fn read(dump: &Dump, k: usize, bit_times: u64) -> Self {
        let side = |end: &str| {
            (0..1 << k)
                .map(|node| {
                    (0..k)
                        .map(|dimension| {
                            let path = format!("cube.node_{node}.dim_{dimension}.{end}");
                            let values = dump.by_bit_time(&path, 0, bit_times);
                            values.iter().map(|value| *value == "1").collect()
                        })
                        .collect()
                })
                .collect()
        };
        Wires {
            tx: side("tx"),
            rx: side("rx"),
        }
    }

    /// `length` bits that `node` sends across `dimension` from bit time `from` on.
    fn sent(&self, node: usize, dimension: usize, from: usize, length: usize) -> Vec<bool> {
        self.tx[node][dimension][from..from + length].to_vec()
    }
}

/// Where each message is and what is left of it, followed by the wires alone: which node sends is told
/// by the valid bit on its wire, what a node then holds by the bits on that wire.
struct Follower<'a> {
    k: usize,
    payload_bits: usize,
    wires: &'a Wires,
}

impl Follower<'_> {
    /// Payloads at the end, by node.
    fn follow(&self, traffic: &Traffic) -> BTreeMap<usize, Vec<bool>> {
        let mut first: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
        for (index, message) in traffic.messages().iter().enumerate() {
            let address = (0..self.k).map(|bit| message.destination >> bit & 1 == 1);
            let payload = traffic.payload(index).iter().by_vals();
            first.insert(message.source, address.chain(payload).collect());
        }
        let mut start = 0;
        for iteration in 0..self.k {
            let m = self.k - 1 - iteration;
            let length = m + self.payload_bits;
            let mut second = self.cross(&mut first, iteration, start, length);
            if m == 0 {
                assert!(second.is_empty());
                break;
            }
            // Steps 1 and 2 are over; then step 3; then steps 3, 4 and 5.
            let step_3 = start + (length + 1) + (2 * m - 1);
            let step_6 = step_3 + (2 * m + length - 1) + (2 * m - 1) + (3 * m - 1);
            let upward: Vec<usize> = (iteration + 1..self.k).collect();
            let downward: Vec<usize> = upward.iter().rev().copied().collect();
            second = self.pack(second, &upward, step_3, length);
            second = self.pack(second, &downward, step_6, length);
            for (node, message) in second {
                assert!(
                    first.insert(node, message).is_none(),
                    "node {node} was not empty"
                );
            }
            start = step_6 + 2 * m + length - 1;
        }
        first
    }

    /// Step 1: returns the second messages.
    fn cross(
        &self,
        first: &mut BTreeMap<usize, Vec<bool>>,
        dimension: usize,
        start: usize,
        length: usize,
    ) -> BTreeMap<usize, Vec<bool>> {
        let mut moved = BTreeMap::new();
        for node in 0..1 << self.k {
            if self.wires.tx[node][dimension][start] {
                assert!(
                    first.remove(&node).is_some(),
                    "node {node} sends without a message"
                );
                let message = self.wires.sent(node, dimension, start + 1, length);
                moved.insert(node ^ 1 << dimension, message);
            }
        }
        for message in first.values_mut() {
            message.remove(0);
        }
        let mut second = BTreeMap::new();
        for (node, message) in moved {
            let taken = if first.contains_key(&node) {
                &mut second
            } else {
                &mut *first
            };
            taken.insert(node, message);
        }
        second
    }

    /// A packing: where the messages are after it.
    fn pack(
        &self,
        mut messages: BTreeMap<usize, Vec<bool>>,
        dimensions: &[usize],
        start: usize,
        length: usize,
    ) -> BTreeMap<usize, Vec<bool>> {
        for (stage, &dimension) in dimensions.iter().enumerate() {
            let decides = start + 2 * stage;
            let header_left = dimensions.len() - 1 - stage;
            let mut after: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
            for node in 0..1usize << self.k {
                let sends = self.wires.tx[node][dimension][decides];
                let Some(message) = messages.remove(&node) else {
                    assert!(!sends, "node {node} sends without a message");
                    continue;
                };
                let (node, message) = if sends {
                    let from = decides + 1 + header_left;
                    let sent = self.wires.sent(node, dimension, from, length);
                    (node ^ 1 << dimension, sent)
                } else {
                    (node, message)
                };
                assert!(
                    after.insert(node, message).is_none(),
                    "two stored at node {node}"
                );
            }
            messages = after;
        }
        messages
    }
}

fn options(k: usize, payload_bits: usize, load: f64, wave: &Path) -> RunOptions {
    RunOptions {
        dims: Some(k),
        payload_bits: Some(payload_bits),
        load: Some(load),
        seed: 9,
        wave: Some(wave.to_owned()),
        trace_nodes: Some("all".to_owned()),
        ..RunOptions::default()
    }
}

#[test]
fn wires_agree_and_deliveries_are_rebuilt_from_wire_bits_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (k, payload_bits) in [(1, 2), (2, 5), (3, 4), (4, 9), (5, 3)] {
        for load in [0.0, 0.3, 0.8, 1.0] {
            let path = folder.path().join("run.vcd");
            let options = options(k, payload_bits, load, &path);
            let report = benches::run(Bench::Kuszmaul, &options).unwrap();
            assert!(report.passed);
            let dump = Dump::read(&path);
            let wires = Wires::read(&dump, k, report.bit_times);
            for node in 0..1usize << k {
                for dimension in 0..k {
                    assert_eq!(
                        wires.rx[node][dimension],
                        wires.tx[node ^ 1 << dimension][dimension]
                    );
                }
            }
            let traffic = options.traffic(common::cube(k), Pattern::Randperm).unwrap();
            let follower = Follower {
                k,
                payload_bits,
                wires: &wires,
            };
            let expected: BTreeMap<usize, Vec<bool>> = traffic
                .messages()
                .iter()
                .enumerate()
                .map(|(index, message)| {
                    let payload = traffic.payload(index).iter().by_vals().collect();
                    (message.destination, payload)
                })
                .collect();
            assert_eq!(follower.follow(&traffic), expected);
        }
    }
}

#[test]
fn the_axis_the_clock_and_the_step_names_are_as_promised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let report = benches::run(Bench::Kuszmaul, &options(3, 2, 0.5, &path)).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("$timescale 100 ps $end"));
    // The bit time after the last shows what the run leaves.
    let end = (report.bit_times + 1) * TICKS_PER_BIT_TIME;
    assert!(text.ends_with(&format!("#{end}\n")));

    let dump = Dump::read(&path);
    assert_eq!(dump.ticks.last(), Some(&end));
    let clock: Vec<(u64, String)> = (0..2 * (report.bit_times + 1))
        .map(|half| (half * TICKS_PER_BIT_TIME / 2, (1 - half % 2).to_string()))
        .collect();
    assert_eq!(dump.signals["cube.clk"], clock);

    // k=3, D=2: the steps of iteration 0 take 5, 3, 7, 3, 5, 7 bit times, those of iteration 1 take
    // 4, 1, 4, 1, 2, 4, the last 3.
    let names = dump.by_bit_time("cube.sequencer.step_name", 0, report.bit_times + 1);
    let mut lengths: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match lengths.last_mut() {
            Some((last, length)) if *last == name => *length += 1,
            _ => lengths.push((name, 1)),
        }
    }
    let steps = |lengths: [usize; 6]| {
        [
            "1_cross",
            "2_enumerate_twos",
            "3_pack_messages",
            "4_enumerate_empties",
            "5_pack_addresses",
            "6_rendezvous",
        ]
        .into_iter()
        .zip(lengths)
    };
    let expected: Vec<(&str, usize)> = steps([5, 3, 7, 3, 5, 7])
        .chain(steps([4, 1, 4, 1, 2, 4]))
        .chain([("1_cross", 3), ("done", 1)])
        .collect();
    assert_eq!(lengths, expected);
}

/// Reads a node's registers out of a machine, by path.
struct ByPath {
    place: usize,
    path: Vec<String>,
    values: Vec<(String, String)>,
}

impl<B: Lanes> Visitor<B> for ByPath {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> B) {
        let bits = (0..width)
            .rev()
            .map(|position| bit(position).get(self.place));
        let value = bits.map(|bit| if bit { '1' } else { '0' }).collect();
        // The first name is the machine's own.
        let path = [&self.path[1..], &[name.to_string()]].concat().join(".");
        self.values.push((path, value));
    }
}

fn by_path<B: Lanes>(module: &impl Registers<B>, place: usize) -> Vec<(String, String)> {
    let mut reading = ByPath {
        place,
        path: Vec::new(),
        values: Vec::new(),
    };
    module.visit(Name::Field("module"), &mut reading);
    reading.values
}

/// The same run again beside the dump: every register of the traced nodes and of the sequencer, how
/// much a node holds, and which wires are driven, in every bit time and after the last.
fn the_dump_is_what_ran<B: Lanes>(k: usize, nodes: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let list: Vec<String> = nodes.iter().map(usize::to_string).collect();
    let options = RunOptions {
        trace_nodes: Some(list.join(",")),
        ..options(k, 5, 0.8, &path)
    };
    let report = benches::run(Bench::Kuszmaul, &options).unwrap();
    let dump = Dump::read(&path);
    let until = report.bit_times + 1;
    let wave: HashMap<&str, Vec<&str>> = dump
        .signals
        .keys()
        .map(|path| (path.as_str(), dump.by_bit_time(path, 0, until)))
        .collect();

    let traffic = options.traffic(common::cube(k), Pattern::Randperm).unwrap();
    let router = PlainRouter::new(common::cube(k), 5).unwrap();
    let mut fabric = common::loaded::<_, B>(router, &traffic);
    let mut after = None;
    for bit_time in 0..until {
        fabric.transmit().unwrap();
        let value = |path: String| wave[path.as_str()][bit_time as usize];
        for (path, expected) in by_path::<bool>(fabric.sequencer(), 0) {
            assert_eq!(value(format!("cube.sequencer.{path}")), expected, "{path}");
        }
        let driven: String = (0..k)
            .rev()
            .map(|dimension| {
                if fabric.driver(dimension).is_some() {
                    '1'
                } else {
                    '0'
                }
            })
            .collect();
        assert_eq!(value("cube.driven".to_owned()), driven);
        for &node in nodes {
            let (group, place) = fabric.node(node);
            for (path, expected) in by_path::<B>(group, place) {
                let path = format!("cube.node_{node}.{path}");
                assert_eq!(
                    value(path.clone()),
                    expected,
                    "{path} in bit time {bit_time}"
                );
            }
            let mut occupied = 0;
            router.occupancy(group, after, &mut |flag: B, bits| {
                occupied += if flag.get(place) { bits } else { 0 };
            });
            let path = format!("cube.node_{node}.occupied_bits");
            assert_eq!(value(path), format!("{occupied:032b}"));
        }
        after = Some(fabric.position());
        if !fabric.is_done() {
            fabric.clock();
        }
    }
    assert!(fabric.is_done());
}

#[test]
fn every_register_in_the_dump_is_the_one_that_ran() {
    the_dump_is_what_ran::<u64>(3, &[0, 1, 2, 3, 4, 5, 6, 7]);
    the_dump_is_what_ran::<u64>(6, &[63, 0, 17]);
    the_dump_is_what_ran::<Words<2>>(7, &[3, 64, 127]);
    the_dump_is_what_ran::<Words<8>>(10, &[5, 511, 512, 1000]);
}

#[test]
fn a_window_is_the_same_wave_cut_out() {
    let folder = tempfile::tempdir().unwrap();
    let whole_path = folder.path().join("whole.vcd");
    let part_path = folder.path().join("part.vcd");
    let whole = options(4, 3, 0.7, &whole_path);
    benches::run(Bench::Kuszmaul, &whole).unwrap();
    let part = RunOptions {
        wave: Some(part_path.clone()),
        trace_nodes: Some("3,12".to_owned()),
        trace_from: Some(17),
        trace_to: Some(60),
        ..whole
    };
    benches::run(Bench::Kuszmaul, &part).unwrap();
    let (whole, part) = (Dump::read(&whole_path), Dump::read(&part_path));
    assert_eq!(part.ticks.first(), Some(&170));
    assert_eq!(part.ticks.last(), Some(&600));
    let nodes = part.signals.keys().filter(|path| path.contains("node_"));
    assert!(
        nodes
            .clone()
            .all(|path| path.contains("node_3.") || path.contains("node_12."))
    );
    assert!(nodes.count() > 60);
    for path in part.signals.keys() {
        assert_eq!(
            part.by_bit_time(path, 17, 60),
            whole.by_bit_time(path, 17, 60),
            "{path}"
        );
    }
}

#[test]
fn every_name_in_the_view_is_in_the_dump() {
    let folder = tempfile::tempdir().unwrap();
    for (bench, k) in [
        (Bench::Enumeration, 4),
        (Bench::Packing, 4),
        (Bench::Kuszmaul, 1),
        (Bench::Kuszmaul, 2),
        (Bench::Kuszmaul, 6),
    ] {
        let path = folder.path().join("run.vcd");
        let options = RunOptions {
            dims: Some(k),
            wave: Some(path.clone()),
            ..RunOptions::default()
        };
        benches::run(bench, &options).unwrap();
        let dump = Dump::read(&path);
        let save = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
        let mut shown = 0;
        for line in save
            .lines()
            .filter(|line| line.contains("cube.") && !line.starts_with('['))
        {
            let signal = line.rsplit(' ').next().unwrap();
            let bare = signal.split('[').next().unwrap();
            assert!(
                dump.signals.contains_key(bare),
                "{signal} is not in the dump"
            );
            shown += 1;
        }
        assert!(shown > 10, "{} shows {shown} signals", bench.name());
        for filter in save
            .lines()
            .filter_map(|line| line.strip_prefix("^1 /cubewave/"))
        {
            assert!(folder.path().join(filter).exists(), "{filter} is missing");
        }
    }
}

#[test]
fn the_same_run_writes_the_same_dump() {
    let folder = tempfile::tempdir().unwrap();
    let dumps = ["one.vcd", "two.vcd"].map(|name| {
        let path = folder.path().join(name);
        benches::run(Bench::Kuszmaul, &options(3, 4, 0.6, &path)).unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(dumps[0], dumps[1]);
}

/// The follower itself objects when a message is not where the wires say.
#[test]
#[should_panic(expected = "sends without a message")]
fn a_wire_bit_that_is_not_a_message_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let report = benches::run(Bench::Kuszmaul, &options(3, 4, 0.0, &path)).unwrap();
    let mut wires = Wires::read(&Dump::read(&path), 3, report.bit_times);
    wires.tx[6][0][0] = true;
    let follower = Follower {
        k: 3,
        payload_bits: 4,
        wires: &wires,
    };
    follower.follow(&traffic(3, 4, &[], 1));
}
