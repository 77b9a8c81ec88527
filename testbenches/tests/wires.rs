//! The wires in a dump, audited: both ends agree in every bit time, and the deliveries can be rebuilt from
//! wire bits alone.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;

use common::dump::{Dump, options};
use common::traffic;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;
use testbenches::benches;
use testbenches::catalogue::Bench;

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
            let traffic = options
                .setup
                .traffic(common::cube(k), Pattern::Randperm)
                .unwrap();
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
