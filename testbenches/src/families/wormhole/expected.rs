//! What is known of a run before it begins: the ways of its worms, what they put on each link, and within which bit
//! times all of them arrive, if they do.

use rustc_hash::FxHashMap;

use rtl_model::closed_form;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::Addressed;

use crate::families::wormhole::edges::EdgeClass;
use crate::families::wormhole::message::{Message, Worm};

/// Of all worms together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// By worm, the nodes that it comes to, the source first; where it may go by others, so many of them.
    pub paths: Vec<Vec<usize>>,
    /// Bits over each link, by node and link; links that carry none are left out.
    pub loads: FxHashMap<(usize, usize), u64>,
    /// Where edges have lanes: bits over all lanes of a class together. What carries none is left out.
    pub edges: FxHashMap<EdgeClass, u64>,
    /// Bits over all links.
    pub crossed: u64,
    /// When the last bit comes at the earliest: by the busiest link, out of or into one host, or by the time that one of the
    /// worms takes where it meets no other.
    pub lower: u64,
    /// The bit times of a worm that is alone in the machine; of several the most.
    pub alone: u64,
    /// Until the last message is created, and from then on bits that move, each time that they do, connections that are
    /// made and entries that are looked up.
    pub upper: u64,
    /// By link as above, when the first message is created that crosses it.
    since: FxHashMap<(usize, usize), u64>,
    /// By node and switch, when its host has sent all that was added, at the earliest.
    sent: FxHashMap<(usize, usize), u64>,
    /// The same of what it receives.
    received: FxHashMap<(usize, usize), u64>,
    /// What the closed form gives, by bits of a body, bits of a header, and hops.
    zero_loads: FxHashMap<(u64, u64, u64), u64>,
    /// When the last message is created.
    last: u64,
    /// When the last of the worms would have arrived that meet no other.
    pub latest_alone: u64,
}

impl Expected {
    /// Adds a worm of a message. Messages come in the order in which they are created.
    pub fn add(&mut self, machine: &WormholeMachine, worm: &Worm, message: &Message) {
        let Message {
            source,
            destination,
            created,
            ..
        } = *message;
        let bits: Vec<bool> = worm.bits.iter().by_vals().collect();
        let way = machine.way(source, worm.switch, &bits);
        let mut path = vec![source];
        let wire_bits = machine.parameters().wire_bits;
        let flits = |bits: usize| (bits / wire_bits) as u64;
        let is_addressed = machine.plan().switch.addressed.is_some();
        let has_edges = machine.plan().switch.lanes > 1 && !is_addressed;
        for crossing in &way {
            if let Some(edge) = crossing.input.filter(|_| has_edges) {
                *self.edges.entry(edge).or_default() += flits(crossing.bits);
            }
            self.crossed += flits(crossing.bits);
            path.extend(crossing.input.map(|place| place.node));
            // Over which of several links is seen only when it is there.
            if crossing.is_only_link {
                let link = (crossing.node, crossing.link);
                *self.loads.entry(link).or_default() += flits(crossing.bits);
                self.since.entry(link).or_insert(created);
            }
            self.upper += flits(crossing.bits);
        }
        debug_assert_eq!(path.last(), Some(&destination));
        let path_length = path.len() as u64 - 1;
        self.paths.push(path);
        let header = flits(worm.header);
        let hops = path_length;
        let relays = way.len() as u64 - hops;
        let size = (flits(worm.body().len()), header, hops);
        let without_relays =
            *(self.zero_loads.entry(size)).or_insert_with(|| zero_load(size, machine));
        let alone = without_relays + relays;
        self.alone = self.alone.max(alone);
        self.latest_alone = self.latest_alone.max(created + alone);
        // Into the network, consumed on the way, and out; a connection at each node, and a credit that each relay owed.
        let (all, body) = (flits(bits.len()), flits(worm.body().len()));
        let consumed = match is_addressed {
            true => header * (hops + 1),
            false => header,
        };
        let lookups = match machine.plan().switch.addressed {
            Some(addressed) => (hops + 1) * addressed.lookup_bit_times() as u64,
            None => 0,
        };
        self.upper += all + consumed + body + way.len() as u64 + 1 + relays + lookups;
        self.last = self.last.max(created);
        // A host has a wire each way, and nothing to send before it is created.
        for (ends, node, bits) in [
            (&mut self.sent, source, all),
            (&mut self.received, destination, body),
        ] {
            let end = ends.entry((node, worm.switch)).or_default();
            *end = (*end).max(created) + bits;
        }
    }

    /// Once all are added: every wire carries a bit a bit time at the most, and in every bit time without a deadlock in which
    /// there is a worm, a bit moves or a connection is made.
    pub fn bound(&mut self) {
        let links = self.loads.iter();
        let links = links.map(|(link, bits)| self.since.get(link).copied().unwrap_or(0) + bits);
        let hosts = self.sent.values().chain(self.received.values()).copied();
        let most = links.chain(hosts).max().unwrap_or(0);
        self.lower = most.max(self.latest_alone);
        self.upper += self.last;
    }
}

/// The closed form of a worm that meets no other, from its first bit sent until its last one has arrived: with two places a buffer
/// or more, each header bit is consumed in a bit time, and each hop costs the head one to be connected and one on the wire; with
/// one place a bit goes every other bit time. Where a link has several data wires, M and header are in flits.
///
/// Each relay on the way costs the head one bit time more. A worm that comes over a wire twice has it by turns and takes longer.
/// Where headers are addresses, every node reads all of it before it asks, or looks it up in its table, and sends it on ahead.
fn zero_load((body, header, hops): (u64, u64, u64), machine: &WormholeMachine) -> u64 {
    let letters = [("M", body), ("hops", hops), ("header", header)];
    closed_form::whole_value(zero_load_text(machine), &letters)
}

/// Its text.
pub fn zero_load_text(machine: &WormholeMachine) -> &'static str {
    match (
        machine.parameters().buffer_bits,
        machine.plan().switch.addressed,
    ) {
        (1, None) => "2(M + hops + header) + 1",
        (_, None) => "M + 2 hops + header + 2",
        // The table is read while the next bit comes.
        (1, Some(_)) => "2(M + (hops + 1)(header + 1)) - 1",
        (_, Some(Addressed::Compared(_))) => "M + (hops + 1)(header + 2)",
        (_, Some(Addressed::LookedUp(_))) => "M + (hops + 1)(header + 3)",
    }
}
