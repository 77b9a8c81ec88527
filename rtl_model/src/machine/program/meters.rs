//! Meters, as operations.
//!
//! ```text
//!   flags that hold message bits --> counted, when they change ---> live bits of all nodes
//!                               \--> added up, node by node -----> the most bits of a node
//! ```
//!
//! A router says for how many bits each of some flags stands ([`Router::occupancy`](crate::machine::router::Router::occupancy)).
//! Most flags stay the same for many bit times, so the nodes where one is 1 are counted when it has changed, and weighed in
//! every bit time. The sums of single nodes are needed for nothing but the largest: they are only added up where they may
//! be larger than the largest so far, which is known from how much they can have grown since they last were.

use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::language::bit::Bit;
use crate::machine::program::operation::Operand;
use crate::machine::program::scheduled::Scheduled;
use crate::machine::share::Rank;

/// What a run is found to hold: of all machines together, after each bit time.
#[derive(Debug)]
pub struct Readings {
    /// Message bits that are live at the beginning of each bit time, and at the end.
    live: Vec<AtomicU64>,
    /// By step, the most message bits of a node; first, as loaded.
    most_bits: Vec<AtomicU32>,
    most_messages: AtomicU32,
}

impl Readings {
    /// Of a run of so many bit times with so many codes of steps, before it.
    pub(super) fn new(bit_times: usize, steps: usize) -> Self {
        Readings {
            live: (0..=bit_times).map(|_| AtomicU64::new(0)).collect(),
            most_bits: (0..=steps).map(|_| AtomicU32::new(0)).collect(),
            most_messages: AtomicU32::new(0),
        }
    }

    /// The message bits that are live at the beginning of a bit time.
    pub fn live_bits(&self, bit_time: usize) -> u64 {
        self.live[bit_time].load(Ordering::Relaxed)
    }

    /// The most message bits that a node held after bit times of a step; `None`: as loaded.
    pub fn most_bits(&self, step: Option<u32>) -> u32 {
        self.most_bits[step.map_or(0, |step| step as usize + 1)].load(Ordering::Relaxed)
    }

    /// The most messages that a node ever held.
    pub fn most_messages(&self) -> u32 {
        self.most_messages.load(Ordering::Relaxed)
    }

    /// What all ranks have read together, on each of them.
    pub fn join(&self, rank: &Rank) {
        let live: Vec<u64> = self
            .live
            .iter()
            .map(|live| live.load(Ordering::Relaxed))
            .collect();
        let mut sums = live;
        rank.sum(&mut sums);
        for (live, sum) in self.live.iter().zip(sums) {
            live.store(sum, Ordering::Relaxed);
        }
        let most = || self.most_bits.iter().chain([&self.most_messages]);
        let mut largest: Vec<u64> = most()
            .map(|most| u64::from(most.load(Ordering::Relaxed)))
            .collect();
        rank.most(&mut largest);
        for (most, largest) in most().zip(largest) {
            most.store(largest as u32, Ordering::Relaxed);
        }
    }

    /// All of them, to be written down: live bits by bit time, then what is the most.
    pub fn words(&self) -> [Vec<u64>; 2] {
        let most = self.most_bits.iter().chain([&self.most_messages]);
        [
            self.live
                .iter()
                .map(|live| live.load(Ordering::Relaxed))
                .collect(),
            most.map(|most| most.load(Ordering::Relaxed).into())
                .collect(),
        ]
    }

    /// Adds [what was written down](Readings::words): of other bit times, or of other shares.
    pub fn include(&self, [live, most]: &[Vec<u64>; 2]) {
        for (live, more) in self.live.iter().zip(live) {
            live.fetch_add(*more, Ordering::Relaxed);
        }
        let known = self.most_bits.iter().chain([&self.most_messages]);
        for (known, most) in known.zip(most) {
            known.fetch_max(u32::try_from(*most).unwrap_or(u32::MAX), Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn add_live(&self, bit_time: usize, bits: u64) {
        self.live[bit_time].fetch_add(bits, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn bits_of_step(&self, step: Option<u32>) -> &AtomicU32 {
        &self.most_bits[step.map_or(0, |step| step as usize + 1)]
    }

    #[inline]
    pub(super) fn messages(&self) -> &AtomicU32 {
        &self.most_messages
    }
}

/// What is read while tiles are run, and of which nodes.
#[derive(Clone, Copy)]
pub(crate) struct Meters<'a> {
    pub readings: &'a Readings,
    /// By word of the tiles, the places in which there are nodes; empty: all places that the layout has. Others may hold anything.
    pub nodes: &'a [u64],
}

/// A flag and the bits that it stands for.
pub(super) type Flag = (Expression, u32);

/// The flags of a bit time, and their sums node by node, lowest bit first.
#[derive(Default)]
pub(super) struct Flags {
    pub flags: Vec<Flag>,
    pub sums: Vec<Expression>,
}

impl Flags {
    /// Writes the sums down.
    pub(super) fn summed(flags: Vec<Flag>) -> Self {
        let flags: Vec<Flag> = flags
            .into_iter()
            .filter(|&(flag, bits)| bits > 0 && !flag.is_known_zero())
            .collect();
        let highest = flags
            .iter()
            .map(|&(_, bits)| u32::BITS - bits.leading_zeros());
        let mut left: Vec<Vec<Scheduled>> = (0..highest.max().unwrap_or(0))
            .map(|place| {
                let has_it = |&&(_, bits): &&Flag| bits >> place & 1 == 1;
                flags
                    .iter()
                    .filter(has_it)
                    .map(|&(flag, _)| Scheduled(flag))
                    .collect()
            })
            .collect();
        let mut sums = Vec::new();
        let mut place = 0;
        while place < left.len() {
            let mut addends = std::mem::take(&mut left[place]);
            let mut carries = Vec::new();
            while addends.len() > 1 {
                let (a, b) = (addends.remove(0), addends.remove(0));
                let c = if addends.is_empty() {
                    Bit::ZERO
                } else {
                    addends.remove(0)
                };
                carries.push((a & b) | (c & (a ^ b)));
                addends.push(a ^ b ^ c);
            }
            sums.push(addends.first().map_or(Expression::ZERO, |sum| sum.0));
            if !carries.is_empty() {
                match left.get_mut(place + 1) {
                    Some(next) => next.extend(carries),
                    None => left.push(carries),
                }
            }
            place += 1;
        }
        Flags { flags, sums }
    }
}

/// A flag that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub plane: Operand,
    pub counter: usize,
    pub weight: u32,
}

/// How one sum is measured at the beginning of a bit time.
#[derive(Clone, Debug, Default)]
pub(super) struct Gauge {
    /// Operations that work out the planes of flags.
    pub flags: Range<usize>,
    /// Flags to count, of which those at the front have changed since the bit time before.
    pub counts: Vec<Count>,
    pub changed: usize,
    /// How much more a node can hold than in the bit time before.
    pub growth: u32,
    /// Operations that add up, and the planes of the sums, lowest bit first.
    pub sums: Range<usize>,
    pub planes: Vec<Operand>,
}

/// A flag as far as it can be told from others: its logic over slots, with the number of times that they were written.
type Identity = Vec<u64>;

/// What a gauge remembers from bit time to bit time while a program is made.
#[derive(Default)]
pub(super) struct Counters {
    known: FxHashMap<Identity, (usize, u32)>,
    /// Counters that there are.
    pub amount: usize,
}

impl Counters {
    /// What has been counted is not known any more.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Numbers the counters of the flags of a bit time, those that have changed first, and says how much nodes can have
    /// grown. `plane` tells where a flag will be.
    pub(super) fn gauge(
        &mut self,
        flags: &[Flag],
        identity: impl Fn(Expression) -> Identity,
        mut plane: impl FnMut(Expression) -> Operand,
    ) -> Gauge {
        let mut weights: Vec<(Identity, Expression, u32)> = Vec::new();
        for &(flag, bits) in flags {
            let identity = identity(flag);
            match weights.iter_mut().find(|(other, ..)| *other == identity) {
                Some((.., weight)) => *weight += bits,
                None => weights.push((identity, flag, bits)),
            }
        }
        let before = std::mem::take(&mut self.known);
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for (identity, ..) in &weights {
            used.extend(before.get(identity).map(|(counter, _)| *counter));
        }
        let mut free = (0..).filter(|counter| !used.contains(counter));
        let (mut changed, mut same) = (Vec::new(), Vec::new());
        let mut growth = 0;
        for (identity, flag, weight) in weights {
            let held = before.get(&identity).copied();
            let counter = match held {
                Some((counter, _)) => counter,
                None => free.next().unwrap_or(0),
            };
            growth += weight.saturating_sub(held.map_or(0, |(_, weight)| weight));
            let count = Count {
                plane: plane(flag),
                counter,
                weight,
            };
            match held {
                Some(_) => same.push(count),
                None => changed.push(count),
            }
            self.amount = self.amount.max(counter + 1);
            self.known.insert(identity, (counter, weight));
        }
        Gauge {
            changed: changed.len(),
            counts: changed.into_iter().chain(same).collect(),
            growth,
            ..Gauge::default()
        }
    }
}

/// See [`Identity`]; `variable` tells apart what the variables hold.
pub(super) fn identity(
    graph: &Graph,
    flag: Expression,
    variable: &impl Fn(u32) -> u64,
) -> Identity {
    let mut identity = Vec::new();
    let mut left = vec![flag];
    while let Some(expression) = left.pop() {
        let gate = graph.gate(expression);
        identity.push(match gate {
            Gate::Constant(value) => u64::from(value),
            Gate::Not(_) => 2,
            Gate::And(..) => 3,
            Gate::Or(..) => 4,
            Gate::Xor(..) => 5,
            Gate::Mux(..) => 6,
            Gate::Variable(number) => 7 + variable(number),
        });
        left.extend(gate.inputs());
    }
    identity
}
