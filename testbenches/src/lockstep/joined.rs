//! A waveform of nodes that several ranks hold: in each bit time they tell the first what these nodes are.
//!
//! ```text
//!   rank 0    | bits of node 3 | 0 0 0 0 0 0 0 0 |          each fills in what it has; the sum of all is all of it
//!   rank 1    | 0 0 0 0 0 0 0  | bits of node 70 |
//! ```
//!
//! What a node receives is what its neighbour drives, and so it is for the rank of the neighbour to say.

use std::ops::Range;

use rtl_model::language::register::Visitor;
use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::share::Rank;
use rtl_model::machine::shown::{Shown, Told};
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::machine::topology::Tap;
use rustc_hash::FxHashMap;
use waves::probe::{Remark, Subject};

/// Bits of a number of message bits.
const OCCUPIED: usize = 32;

/// The nodes of a waveform, as all ranks together have them.
pub(super) struct Joined {
    nodes: Vec<usize>,
    /// A node that is here.
    any: usize,
    /// The place of each among them.
    places: FxHashMap<usize, usize>,
    window: Range<u64>,
    /// Wires at a node that a waveform has.
    taps: Vec<Tap>,
    /// Bits of a node: of its numbers, and of its registers.
    numbers: usize,
    registers: usize,
    /// Texts that are told of a node.
    told: usize,
    last: Option<Position>,
    /// By place in `nodes`, what holds in this bit time.
    bits: Vec<bool>,
    texts: Vec<String>,
}

impl Joined {
    /// Of the waveform that the first rank has planned, the only one that knows of it; all ranks come here.
    pub fn begin(machine: &dyn Lockstep, planned: Option<(&[usize], Range<u64>)>) -> Self {
        let rank = machine.rank();
        let (nodes, window) = planned.unwrap_or_default();
        let mut about = [nodes.len() as u64, window.start, window.end];
        rank.sum(&mut about);
        let [amount, from, to] = about;
        let mut numbers: Vec<u64> = nodes.iter().map(|node| *node as u64).collect();
        numbers.resize(amount as usize, 0);
        rank.sum(&mut numbers);
        let topology = machine.topology();
        let is_here = |node: &usize| machine.rank_of(*node) == rank.share().rank();
        let any = (0..machine.nodes()).find(is_here).unwrap_or_default();
        let width = |append: &dyn Fn(&mut Vec<bool>)| {
            let mut bits = Vec::new();
            append(&mut bits);
            bits.len()
        };
        let nodes: Vec<usize> = numbers.into_iter().map(|node| node as usize).collect();
        Joined {
            places: nodes.iter().copied().zip(0..).collect(),
            nodes,
            any,
            window: from..to,
            taps: (topology.labelled().into_iter())
                .flat_map(|labelled| labelled.wires)
                .collect(),
            numbers: width(&|bits| machine.append_numbers(any, bits)),
            registers: width(&|bits| machine.as_simulation().append_registers(any, bits)),
            told: machine.device().shown().told.len(),
            last: None,
            bits: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// A machine of which a part is here, with these nodes.
    pub fn with<S>(&self, here: S) -> OfAll<'_, S> {
        OfAll { here, joined: self }
    }

    /// Bits of a node.
    fn width(&self) -> usize {
        OCCUPIED + self.numbers + self.taps.len() + self.registers
    }

    /// Has all ranks tell what holds in this bit time; all come here.
    pub fn look(&mut self, machine: &dyn Lockstep) {
        let position = Lockstep::position(machine);
        let after = self.last.replace(position);
        if !self.window.contains(&machine.bit_time()) {
            return;
        }
        let rank = machine.rank();
        let here = |node: usize| machine.rank_of(node) == rank.share().rank();
        let width = self.width();
        let mut bits = Vec::with_capacity(self.nodes.len() * width);
        let mut texts = Vec::with_capacity(self.nodes.len() * self.told);
        for &node in &self.nodes {
            let end = bits.len() + width;
            let of_node = OCCUPIED + self.numbers;
            match here(node) {
                true => {
                    let occupied = machine.occupied_bits(node, after);
                    bits.extend((0..OCCUPIED).map(|bit| occupied >> bit & 1 == 1));
                    machine.append_numbers(node, &mut bits);
                }
                false => bits.resize(bits.len() + of_node, false),
            }
            for tap in &self.taps {
                let (teller, tap) = self.teller(machine, node, *tap);
                bits.push(here(teller) && machine.as_simulation().tapped(teller, tap));
            }
            if here(node) {
                machine.as_simulation().append_registers(node, &mut bits);
            }
            bits.resize(end, false);
            texts.extend((0..self.told).map(|number| {
                let mut text = String::new();
                if here(node) {
                    machine.append_told(node, number, &mut text);
                }
                text
            }));
        }
        self.bits = joined_bits(rank, &bits);
        self.texts = joined_texts(rank, &texts);
    }

    /// The node that knows what is on a wire, and as what.
    fn teller(&self, machine: &dyn Lockstep, node: usize, tap: Tap) -> (usize, Tap) {
        let topology = machine.topology();
        match tap {
            Tap::Received(wire) if wire < topology.links() => {
                (topology.sender(node, wire), Tap::Driven(wire))
            }
            _ => (node, tap),
        }
    }

    /// Bits of a node, some of them.
    fn of(&self, node: usize, some: Range<usize>) -> &[bool] {
        let place = self.places.get(&node);
        let from = place.map_or(0, |place| place * self.width());
        self.bits
            .get(from + some.start..from + some.end)
            .unwrap_or_default()
    }
}

/// What is 1 on any rank.
fn joined_bits(rank: &Rank, bits: &[bool]) -> Vec<bool> {
    let packed = bits.chunks(64).map(|bits| {
        let ones = bits.iter().enumerate();
        ones.fold(0, |word, (place, bit)| word | u64::from(*bit) << place)
    });
    let mut words: Vec<u64> = packed.collect();
    // No two have the same bit.
    rank.sum(&mut words);
    let bit = |place: usize| words[place / 64] >> (place % 64) & 1 == 1;
    (0..bits.len()).map(bit).collect()
}

/// Texts, each of which one rank says.
fn joined_texts(rank: &Rank, texts: &[String]) -> Vec<String> {
    let mut lengths: Vec<u64> = texts.iter().map(|text| text.len() as u64).collect();
    rank.sum(&mut lengths);
    let mut words = Vec::new();
    for (text, length) in texts.iter().zip(&lengths) {
        let end = words.len() + (*length as usize).div_ceil(8);
        let chunks = text.as_bytes().chunks(8);
        words.extend(chunks.map(|bytes| {
            let shifted = bytes.iter().enumerate();
            shifted.fold(0, |word, (place, byte)| {
                word | u64::from(*byte) << (8 * place)
            })
        }));
        words.resize(end, 0);
    }
    rank.sum(&mut words);
    let mut words = &words[..];
    let read = lengths.iter().map(|length| {
        let length = *length as usize;
        let (own, others) = words.split_at(length.div_ceil(8));
        words = others;
        let bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    });
    read.collect()
}

/// A machine of which a part is here, with nodes of which all ranks have told.
pub(super) struct OfAll<'a, S> {
    /// The part that is here.
    pub here: S,
    /// The rest.
    pub joined: &'a Joined,
}

impl<S: Subject> Subject for OfAll<'_, S> {
    fn simulation(&self) -> &dyn Simulation {
        self.here.simulation()
    }

    fn steps(&self) -> Option<Steps> {
        self.here.steps()
    }

    fn position(&self) -> Option<Position> {
        self.here.position()
    }

    fn occupied_bits(&self, node: usize, _after: Option<Position>) -> u32 {
        let bits = self.joined.of(node, 0..OCCUPIED).iter().rev();
        bits.fold(0, |number, bit| number << 1 | u32::from(*bit))
    }

    fn about(&self) -> String {
        self.here.about()
    }

    fn legend(&self) -> Vec<String> {
        self.here.legend()
    }

    fn shown(&self) -> Shown {
        self.here.shown()
    }

    fn text(&self, number: usize, text: &mut String) {
        self.here.text(number, text);
    }

    fn numbers(&self, node: usize, bits: &mut Vec<bool>) {
        let own = OCCUPIED..OCCUPIED + self.joined.numbers;
        bits.extend_from_slice(self.joined.of(node, own));
    }

    fn tapped(&self, node: usize, wire: Tap) -> bool {
        let place = self.joined.taps.iter().position(|tap| *tap == wire);
        let from = OCCUPIED + self.joined.numbers + place.unwrap_or_default();
        self.joined.of(node, from..from + 1) == [true]
    }

    fn registers(&self, node: usize, bits: &mut Vec<bool>) {
        let end = self.joined.width();
        let own = self.joined.of(node, end - self.joined.registers..end);
        bits.extend_from_slice(own);
    }

    /// All nodes have the same.
    fn show_registers(&self, _node: usize, visitor: &mut dyn Visitor<bool>) {
        self.here.show_registers(self.joined.any, visitor);
    }

    fn told(&self, node: usize, number: usize, text: &mut String) {
        let place = self.joined.places.get(&node);
        let told = place.and_then(|place| self.joined.texts.get(place * self.joined.told + number));
        text.push_str(told.map_or("", String::as_str));
    }

    fn followed(&self) -> Vec<Told> {
        self.here.followed()
    }

    fn append_followed(&self, number: usize, text: &mut String) {
        self.here.append_followed(number, text);
    }

    fn remarks(&self) -> Vec<Remark> {
        self.here.remarks()
    }

    fn remark(&self, node: usize, number: usize, text: &mut String) {
        self.here.remark(node, number, text);
    }
}
