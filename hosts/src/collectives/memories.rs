//! Hosts of memories: they put configuration and messages into the nodes, and read the messages that have arrived.
//!
//! ```text
//!   memories of 64 nodes      64 bits of each at once, as planes of the machine lie
//!   messages in a list        node by node: what is for node 0 of each is far apart, and shares sets of the cache
//!   between them, a block     4096 bits of each of the 64 nodes, filled node by node
//! ```

use rayon::prelude::*;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::routers::collectives::program::Segment;
use rtl_model::routers::collectives::{CollectiveMachine, MEMORY, VIOLATION};

use crate::collectives::ends::Ends;
use crate::words::Words;

/// Messages, and the machine in whose memories they lie.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub machine: &'a CollectiveMachine,
    /// Whose messages they are.
    pub ends: &'a Ends,
    /// Bits of a message as it lies in memory.
    pub word_bits: usize,
    /// By number of what arrives: whether it never leaves its node.
    pub stays: &'a [bool],
}

/// Where bits of messages lie in the memories of nodes.
pub struct Places<'a> {
    source: usize,
    /// At every node alike, by address.
    common: Vec<&'a Segment>,
    /// By 64 addresses, the first of these that does not end before them.
    first_common: Vec<usize>,
    /// At single nodes, by relative node and address.
    single: Vec<&'a Segment>,
    /// By relative node, where its own begin among them; up to the last that has any.
    begins: Vec<usize>,
}

/// Bits of a message in a stretch of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The other end of the message.
    pub other: usize,
    /// Its first bit here.
    pub bit: usize,
    /// How many.
    pub bits: usize,
    /// How far behind the beginning of the stretch.
    pub behind: usize,
}

impl<'a> Places<'a> {
    /// Of some segments; `source` is the node whose relative address is 0.
    pub fn new(segments: &'a [Segment], source: usize) -> Self {
        let mut common: Vec<&Segment> = Vec::new();
        let mut single: Vec<(usize, &Segment)> = Vec::new();
        for segment in segments {
            match segment.at {
                Some(node) => single.push((node, segment)),
                None => common.push(segment),
            }
        }
        common.sort_by_key(|segment| segment.address);
        single.sort_by_key(|(node, segment)| (*node, segment.address));
        let nodes = single.last().map_or(0, |(node, _)| node + 1);
        let begins = (0..=nodes).map(|node| single.partition_point(|(at, _)| *at < node));
        let end = common.last().map_or(0, |one| one.address + one.bits);
        let first = |from: usize| common.partition_point(|one| one.address + one.bits <= from);
        Places {
            source,
            first_common: (0..end).step_by(NODES_AT_ONCE).map(first).collect(),
            common,
            begins: begins.collect(),
            single: single.into_iter().map(|(_, segment)| segment).collect(),
        }
    }

    /// What lies in the addresses of a node from `from` on, so many of them.
    pub fn stretches(
        &self,
        node: usize,
        (from, amount): (usize, usize),
    ) -> impl Iterator<Item = Stretch> {
        let relative = node ^ self.source;
        let own = match self.begins.get(relative..) {
            Some([begin, end, ..]) => &self.single[*begin..*end],
            _ => &[],
        };
        let last = from + amount;
        let within = move |one: &&Segment| one.address < last;
        let is_before = move |one: &&Segment| one.address + one.bits <= from;
        let own = own[own.partition_point(is_before)..].iter().copied();
        let common = match self.first_common.get(from / NODES_AT_ONCE) {
            Some(first) => &self.common[*first..],
            None => &[],
        };
        let common = common.iter().copied().skip_while(is_before);
        let all = own.take_while(within).chain(common.take_while(within));
        all.map(move |one| {
            let begin = one.address.max(from);
            let end = (one.address + one.bits).min(last);
            Stretch {
                other: node ^ one.partner,
                bit: one.bit + (begin - one.address),
                bits: end.saturating_sub(begin),
                behind: begin - from,
            }
        })
    }
}

/// Words of memory of a node that come out of the list of messages one after the other.
const WORDS_AT_ONCE: usize = 64;
/// Their bits.
const BITS_AT_ONCE: usize = WORDS_AT_ONCE * NODES_AT_ONCE;

/// Those of 64 nodes.
type Block = Box<[[u64; WORDS_AT_ONCE]; NODES_AT_ONCE]>;

/// The host that loads all nodes.
pub struct Loading<'a> {
    carried: Carried<'a>,
    messages: &'a Words,
    places: Places<'a>,
    seats: Seats,
    /// What was looked up of their memories last, and from which address on.
    block: Block,
    begin: Option<usize>,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
}

impl<'a> Loading<'a> {
    /// With these messages; `passed` is told how many nodes have been loaded.
    pub fn new(
        carried: Carried<'a>,
        messages: &'a Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        let program = &carried.machine.plan().program;
        Loading {
            carried,
            messages,
            places: Places::new(&program.loads, program.source),
            seats: [usize::MAX; NODES_AT_ONCE],
            block: Box::new([[0; WORDS_AT_ONCE]; NODES_AT_ONCE]),
            begin: None,
            passed,
            nodes: 0,
        }
    }

    /// Has the block hold what lies from this address on.
    fn turn_to(&mut self, from: usize) {
        let begin = from / BITS_AT_ONCE * BITS_AT_ONCE;
        if self.begin.replace(begin) == Some(begin) {
            return;
        }
        let (places, ends, messages) = (&self.places, self.carried.ends, self.messages);
        let memory = |node: usize, from: usize| {
            let stretches = places.stretches(node, (from, NODES_AT_ONCE));
            stretches.fold(0, |word, stretch| {
                let message = ends.sent(node, stretch.other);
                let bits = messages.chunk(message, stretch.bit, stretch.bits);
                word | bits << stretch.behind
            })
        };
        let end = self.carried.machine.plan().program.memory_bits;
        let seats = self.block.par_iter_mut().zip(&self.seats);
        let seats = seats.filter(|(_, node)| **node < ends.nodes);
        seats.for_each(|(words, node)| {
            let all = (begin..end).step_by(NODES_AT_ONCE).zip(words);
            all.for_each(|(from, word)| *word = memory(*node, from));
        });
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        self.begin = None;
        let nodes = self.carried.ends.nodes;
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(node < nodes) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        let nodes = self.carried.ends.nodes;
        if field == MEMORY {
            self.turn_to(from);
        }
        let seats = self.seats.iter().zip(&*self.block);
        for (value, (&node, words)) in values.iter_mut().zip(seats) {
            if node >= nodes {
                continue;
            }
            *value = match field == MEMORY {
                true => words[from % BITS_AT_ONCE / NODES_AT_ONCE],
                false => (self.carried.machine)
                    .word(field, node, from)
                    .ok_or_else(|| field.unknown())?,
            };
        }
        Ok(())
    }
}

/// What a host has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The messages, by the numbers of what arrives.
    pub messages: Words,
    /// Nodes of which more ports were busy than may be: the first, and how many.
    pub violations: Option<(usize, usize)>,
}

/// The host that reads all nodes: the messages as they arrived.
pub struct Reading<'a> {
    carried: Carried<'a>,
    places: Places<'a>,
    seats: Seats,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
    /// What has been read.
    pub arrived: Arrived,
}

impl<'a> Reading<'a> {
    /// Nothing yet but what never left its node; `passed` is told how many nodes have been read.
    pub fn new(
        carried: Carried<'a>,
        sent: &Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        let program = &carried.machine.plan().program;
        let (nodes, each) = carried.ends.arrived_shape();
        let mut messages = Words::zeros(nodes, each, carried.word_bits);
        for number in (0..carried.ends.arrivals()).filter(|number| carried.stays[*number]) {
            let [from, to] = carried.ends.ways(number);
            let own = sent.word(carried.ends.sent(from, to));
            messages.word_mut(number).copy_from_slice(own);
        }
        Reading {
            carried,
            places: Places::new(&program.arrivals, program.source),
            seats: [usize::MAX; NODES_AT_ONCE],
            passed,
            nodes: 0,
            arrived: Arrived {
                messages,
                violations: None,
            },
        }
    }
}

impl Unloads for Reading<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), ModelError> {
        let nodes = self.carried.ends.nodes;
        for (&value, &node) in values
            .iter()
            .zip(&self.seats)
            .filter(|(_, node)| **node < nodes)
        {
            match field {
                MEMORY => {
                    for stretch in self.places.stretches(node, (from, 64)) {
                        let number = self.carried.ends.arrived(stretch.other, node);
                        let bits = value >> stretch.behind;
                        let messages = &mut self.arrived.messages;
                        messages.set_chunk(number, stretch.bit, (stretch.bits, bits));
                    }
                }
                VIOLATION => {
                    if value & 1 == 1 {
                        let (first, amount) = self.arrived.violations.unwrap_or((node, 0));
                        self.arrived.violations = Some((first.min(node), amount + 1));
                    }
                }
                _ => return Err(field.unknown()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
