//! Who holds which message, followed by the bits on the wires alone.

use std::collections::{BTreeMap, BTreeSet};

use rtl_model::traffic::Traffic;
use testbenches::lockstep::Schedule;

use super::dump::Dump;

mod radix4;
mod sorts;

use radix4::Radix4Follower;

/// The bits on all wires: `tx[node][dimension][bit time]`, and `rx` alike.
pub struct Wires {
    pub tx: Vec<Vec<Vec<bool>>>,
    pub rx: Vec<Vec<Vec<bool>>>,
}

impl Wires {
    pub fn read(dump: &Dump, k: usize, bit_times: u64) -> Self {
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

/// What is left of a message.
type Message = Vec<bool>;

/// Where each message is and what is left of it, followed by the wires alone: which node sends is told
/// by the valid bit on its wire, what a node then holds by the bits on that wire.
pub struct Follower<'a> {
    pub schedule: Schedule,
    pub k: usize,
    pub payload_bits: usize,
    pub wires: &'a Wires,
}

/// The part of a schedule's iteration that comes after step 1.
struct Iteration {
    /// Its first bit time.
    start: usize,
    /// The dimensions that are left, in the order of the stages.
    row: Vec<usize>,
    /// Bits that are left of each message.
    length: usize,
}

impl Follower<'_> {
    /// The testbench and the schedule.
    fn called(&self) -> String {
        format!("{:?}", self.schedule)
    }

    /// Payloads at the end, by node.
    pub fn follow(&self, traffic: &Traffic) -> BTreeMap<usize, Message> {
        let (k, length) = (self.k, self.k + self.payload_bits);
        let payloads = |sorted: BTreeMap<usize, Message>| {
            let payload = |message: Message| message[k..].to_vec();
            (sorted.into_iter())
                .map(|(node, message)| (node, payload(message)))
                .collect()
        };
        match self.called().as_str() {
            "bitonic sort-and-unpack" => self.unpack(self.bitonic_sort(traffic), k * length + 1),
            "bitonic sort" => payloads(self.bitonic_sort(traffic)),
            "radix sort-and-unpack" => {
                let (sorted, ends) = self.radix_sort(traffic, k + 1);
                self.unpack(sorted, ends)
            }
            "radix sort" => payloads(self.radix_sort(traffic, k).0),
            _ => self.algorithm_2(traffic),
        }
    }

    fn algorithm_2(&self, traffic: &Traffic) -> BTreeMap<usize, Message> {
        let mut first: BTreeMap<usize, Message> = BTreeMap::new();
        for (index, message) in traffic.messages().iter().enumerate() {
            let address = (0..self.k).map(|bit| message.destination >> bit & 1 == 1);
            let payload = traffic.payload(index).iter().by_vals();
            first.insert(message.source, address.chain(payload).collect());
        }
        if self.called() == "kuszmaul radix4" {
            let follower = Radix4Follower {
                k: self.k,
                payload_bits: self.payload_bits,
                wires: self.wires,
            };
            return follower.follow(first);
        }
        let mut start = 0;
        for lowest in 1..self.k {
            let iteration = Iteration {
                start,
                row: self.row(lowest),
                length: self.k - lowest + self.payload_bits,
            };
            let second = self.cross(&mut first, lowest - 1, &iteration);
            let (m, d) = (iteration.row.len(), self.payload_bits);
            start += match self.called().as_str() {
                "kuszmaul plain" => 14 * m + 3 * d - 4,
                "kuszmaul overlapped" => 7 * m + 2 * d + 1,
                "kuszmaul folded" => 6 * m + 2 * d + 2,
                "kuszmaul spread" => 3 * m + d + 1,
                _ => unreachable!("no schedule of Algorithm 2"),
            };
            match self.called().as_str() {
                "kuszmaul plain" => self.plain(&mut first, second, &iteration),
                "kuszmaul overlapped" | "kuszmaul folded" => {
                    self.held(&mut first, second, &iteration);
                }
                "kuszmaul spread" => first = self.spread(first, second, &iteration),
                _ => unreachable!("no schedule of Algorithm 2"),
            }
        }
        let last = Iteration {
            start,
            row: Vec::new(),
            length: self.payload_bits,
        };
        let second = self.cross(&mut first, self.k - 1, &last);
        assert!(second.is_empty());
        first
    }

    /// The dimensions from `lowest` up, in the order in which the schedule's stages pass them.
    fn row(&self, lowest: usize) -> Vec<usize> {
        match self.called().as_str() {
            "kuszmaul folded" => {
                let mut row: Vec<usize> = (lowest + 1..self.k).step_by(2).collect();
                row.extend((lowest..self.k).step_by(2).rev());
                row
            }
            _ => (lowest..self.k).collect(),
        }
    }

    /// Step 1: returns the second messages.
    fn cross(
        &self,
        first: &mut BTreeMap<usize, Message>,
        dimension: usize,
        iteration: &Iteration,
    ) -> BTreeMap<usize, Message> {
        let (start, length) = (iteration.start, iteration.length);
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

    /// Steps 2 to 6, one after the other.
    fn plain(
        &self,
        first: &mut BTreeMap<usize, Message>,
        second: BTreeMap<usize, Message>,
        iteration: &Iteration,
    ) {
        let Iteration { start, row, length } = iteration;
        let m = row.len();
        // Steps 1 and 2 are over; then step 3; then steps 3, 4 and 5.
        let step_3 = start + (length + 1) + (2 * m - 1);
        let step_6 = step_3 + (2 * m + length - 1) + (2 * m - 1) + (3 * m - 1);
        let downward: Vec<usize> = row.iter().rev().copied().collect();
        let waiting = self.pack(second, row, step_3, *length);
        self.settle(first, self.pack(waiting, &downward, step_6, *length));
    }

    /// Steps 2 to 6 where the headers of step 5 set the circuits of step 6: a message goes back the way by
    /// which the header of an empty node came.
    fn held(
        &self,
        first: &mut BTreeMap<usize, Message>,
        second: BTreeMap<usize, Message>,
        iteration: &Iteration,
    ) {
        let Iteration { start, row, length } = iteration;
        let m = row.len();
        let empties = (0..1usize << self.k).filter(|node| !first.contains_key(node));
        let mut circuits: BTreeMap<usize, Vec<usize>> =
            empties.map(|node| (node, vec![node])).collect();
        for (r, &dimension) in (1..).zip(row) {
            let decides = start + m + 2 * r;
            circuits = self.pass(circuits, dimension, decides, |_, circuit| circuit);
            for (node, circuit) in &mut circuits {
                circuit.push(*node);
            }
        }
        let mut waiting: BTreeMap<usize, (Message, Vec<usize>)> = BTreeMap::new();
        for (node, message) in self.pack(second, row, start + 2 * m + 2, *length) {
            let circuit = circuits.remove(&node);
            waiting.insert(node, (message, circuit.unwrap_or_default()));
        }
        for (r, &dimension) in (1..m + 1).zip(row).rev() {
            let begins = start + 5 * m + length + 1 - r;
            waiting = self.pass(waiting, dimension, begins, |node, (_, circuit)| {
                let message = self.wires.sent(node, dimension, begins + 1, *length);
                (message, circuit)
            });
            for (node, (_, circuit)) in &waiting {
                assert_eq!(circuit.get(r - 1), Some(node), "off the circuit");
            }
        }
        let settled = waiting
            .into_iter()
            .map(|(node, (message, _))| (node, message));
        self.settle(first, settled.collect());
    }

    /// Second messages come to empty nodes.
    fn settle(&self, first: &mut BTreeMap<usize, Message>, second: BTreeMap<usize, Message>) {
        for (node, message) in second {
            assert!(
                first.insert(node, message).is_none(),
                "node {node} was not empty"
            );
        }
    }

    /// A packing: where the messages are after it.
    fn pack(
        &self,
        mut messages: BTreeMap<usize, Message>,
        row: &[usize],
        start: usize,
        length: usize,
    ) -> BTreeMap<usize, Message> {
        for (stage, &dimension) in row.iter().enumerate() {
            let decides = start + 2 * stage;
            let body = decides + row.len() - stage;
            messages = self.pass(messages, dimension, decides, |node, _| {
                self.wires.sent(node, dimension, body, length)
            });
        }
        messages
    }

    /// A stage, of which the wire says in bit time `decides` who sends; `received` is what becomes of what
    /// a node sends.
    fn pass<M>(
        &self,
        mut messages: BTreeMap<usize, M>,
        dimension: usize,
        decides: usize,
        received: impl Fn(usize, M) -> M,
    ) -> BTreeMap<usize, M> {
        let mut after: BTreeMap<usize, M> = BTreeMap::new();
        for node in 0..1usize << self.k {
            let sends = self.wires.tx[node][dimension][decides];
            let Some(message) = messages.remove(&node) else {
                assert!(!sends, "node {node} sends without a message");
                continue;
            };
            let (node, message) = match sends {
                true => (node ^ 1 << dimension, received(node, message)),
                false => (node, message),
            };
            assert!(
                after.insert(node, message).is_none(),
                "two stored at node {node}"
            );
        }
        after
    }

    /// The packing of all messages. Which of its messages a node sends is told by the bits that it sends:
    /// no two in a subcube have the same address left.
    fn spread(
        &self,
        first: BTreeMap<usize, Message>,
        second: BTreeMap<usize, Message>,
        iteration: &Iteration,
    ) -> BTreeMap<usize, Message> {
        let Iteration { start, row, length } = iteration;
        let m = row.len();
        let mut places: BTreeSet<(usize, Message)> = first.into_iter().chain(second).collect();
        for (r, &dimension) in (1..).zip(row) {
            let decides = start + m + 2 * r - 1;
            let mut after = BTreeSet::new();
            for node in 0..1usize << self.k {
                if self.wires.tx[node][dimension][decides] {
                    let body = decides + 1 + m - r;
                    let message = self.wires.sent(node, dimension, body, *length);
                    let sent = (node, message);
                    assert!(places.remove(&sent), "node {node} sends without a message");
                    after.insert((node ^ 1 << dimension, sent.1));
                }
            }
            places.append(&mut after);
        }
        let messages = places.len();
        let packed: BTreeMap<usize, Message> = places.into_iter().collect();
        assert_eq!(packed.len(), messages, "two stored at a node");
        packed
    }
}
