//! What crosses links while a machine runs, as texts of its ports tell of it: each text once, with the bit times in which it stays.

use std::ops::Range;

use rtl_model::machine::simulation::Lockstep;
use rustc_hash::FxHashMap;

use crate::trail::Watch;
use crate::whereabouts::receivers;

/// What has crossed a link, or for what it was set up.
pub struct Crossed<'a> {
    /// The bit times.
    pub times: Range<u64>,
    /// Sender, receiver, and the number of the link at the sender.
    pub over: (usize, usize, usize),
    /// What the text of the port said.
    pub text: &'a str,
    /// Whether bits of it crossed.
    pub are_bits: bool,
}

/// What a port says.
#[derive(Clone, Debug, Default)]
struct Port {
    text: String,
    are_bits: bool,
    /// From this bit time on.
    since: u64,
}

/// Looks on at the ports of all nodes.
pub struct Ports {
    /// By number of the text: the link that it is about, if it says what nodes send.
    links: Vec<Option<usize>>,
    /// By node and link.
    receivers: Vec<Vec<u32>>,
    /// By node and number of the text.
    ports: Vec<Port>,
    /// By number of the text, whether bits crossed the link a bit time ago.
    are_bits: Vec<bool>,
    /// What has been looked at ends before this bit time.
    end: u64,
    /// Texts that were looked at, all bit times together.
    looked_at: u64,
}

impl Ports {
    /// Of a machine that runs from now on.
    pub fn new(machine: &dyn Lockstep) -> Self {
        let told = machine.device().shown().told;
        let receivers = receivers(machine.topology());
        Ports {
            links: told.iter().map(|told| told.sent_over).collect(),
            ports: vec![Port::default(); receivers.len() * told.len()],
            are_bits: vec![false; told.len()],
            receivers,
            end: 0,
            looked_at: 0,
        }
    }

    /// How many texts were looked at until now, all bit times together.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// In every bit time, between its two halves: shows what has crossed until then, and no longer does.
    pub fn look(&mut self, machine: &dyn Lockstep, seen: &mut dyn FnMut(Crossed<'_>)) {
        let bit_time = machine.bit_time();
        let mut text = String::new();
        let anew = self.anew(machine);
        self.looked_at += anew.len() as u64;
        for (node, number) in anew {
            let Some(link) = self.links[number] else {
                continue;
            };
            text.clear();
            machine.append_told(node, number, &mut text);
            let are_bits = self.are_bits[number];
            let port = &mut self.ports[node * self.links.len() + number];
            if port.text == text && port.are_bits == are_bits {
                continue;
            }
            port.ends(bit_time, (node, &self.receivers, link), seen);
            port.text.clone_from(&text);
            port.are_bits = are_bits;
            port.since = bit_time;
        }
        self.end = bit_time + 1;
    }

    /// The run is over.
    pub fn finish(&self, seen: &mut dyn FnMut(Crossed<'_>)) {
        let each = self.links.len();
        for (place, port) in self.ports.iter().enumerate() {
            if let Some(link) = self.links[place % each] {
                port.ends(self.end, (place / each, &self.receivers, link), seen);
            }
        }
    }

    /// Nodes and numbers of texts that may say something else than a bit time ago, or over whose links bits begin or end to cross.
    fn anew(&mut self, machine: &dyn Lockstep) -> Vec<(usize, usize)> {
        let nodes = self.receivers.len();
        let mut anew = Vec::new();
        let is_next = self.end > 0 && self.end == machine.bit_time();
        let is_known = machine.told_anew(&mut |node, number| anew.push((node, number)));
        for (number, link) in self.links.iter().enumerate() {
            let are_bits = link.is_some_and(|link| machine.driver(link).is_some());
            let before = std::mem::replace(&mut self.are_bits[number], are_bits);
            if !(is_next && is_known) || before != are_bits {
                anew.extend((0..nodes).map(|node| (node, number)));
            }
        }
        anew
    }
}

impl Port {
    /// Shows what it has said, if it has said anything, up to a bit time: (node, receivers of all links, link).
    fn ends(
        &self,
        bit_time: u64,
        (node, receivers, link): (usize, &[Vec<u32>], usize),
        seen: &mut dyn FnMut(Crossed<'_>),
    ) {
        if !self.text.is_empty() {
            seen(Crossed {
                times: self.since..bit_time,
                over: (node, receivers[node][link] as usize, link),
                text: &self.text,
                are_bits: self.are_bits,
            });
        }
    }
}

/// The routes of many messages, each known by how texts begin that are about it.
#[derive(Default)]
pub struct Watches {
    /// By beginning, where its route is; none of texts that are about no message.
    places: FxHashMap<String, Option<usize>>,
    watches: Vec<Watch>,
}

impl Watches {
    /// A text that begins so has crossed a link; `watch` begins the route of a message that has not been seen before, if it is one.
    pub fn see(
        &mut self,
        begin: &str,
        crossed: &Crossed<'_>,
        watch: &mut dyn FnMut() -> Option<Watch>,
    ) {
        let place = match self.places.get(begin) {
            Some(place) => *place,
            None => {
                let place = watch().map(|watch| {
                    self.watches.push(watch);
                    self.watches.len() - 1
                });
                self.places.insert(begin.to_owned(), place);
                place
            }
        };
        if let Some(place) = place {
            let text = crossed.are_bits.then_some(crossed.text);
            self.watches[place].see(crossed.times.clone(), crossed.over, text);
        }
    }

    /// The routes, in the order of their beginnings.
    pub fn finish(self) -> Vec<(String, Watch)> {
        let mut begins: Vec<Option<String>> = vec![None; self.watches.len()];
        for (begin, place) in self.places {
            if let Some(place) = place {
                begins[place] = Some(begin);
            }
        }
        let seen = begins.into_iter().zip(self.watches);
        let mut seen: Vec<(String, Watch)> = seen
            .filter_map(|(begin, watch)| Some((begin?, watch)))
            .collect();
        seen.sort_unstable_by(|(begin, _), (other, _)| begin.cmp(other));
        seen
    }
}
