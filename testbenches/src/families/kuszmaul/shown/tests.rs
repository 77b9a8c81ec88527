//! The nodes are those that the reference models would choose.

use std::collections::HashMap;

use reference_models::{kuszmaul, radix4, spread};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::structured::Routing;
use rtl_model::traffic::{Message, Nodes};

use super::*;
use crate::lockstep::Schedule;
use crate::lockstep::permutations::interesting;

/// Messages of the reference models, and the cube that they are in.
struct Followed {
    dimensions: Dimensions,
    messages: Vec<Message>,
    payload_bits: usize,
}

impl Followed {
    fn on(&self, schedule: Schedule) -> Option<[usize; 3]> {
        match schedule.name {
            "plain" | "overlapped" => self.rendezvous(kuszmaul::Variant::CORRECT),
            "folded" => self.rendezvous(kuszmaul::Variant::FOLDED),
            "spread" => self.parting(),
            "radix4" => self.gathering(),
            other => panic!("nobody follows {other}"),
        }
    }

    fn rendezvous(&self, variant: kuszmaul::Variant) -> Option<[usize; 3]> {
        let outcome = kuszmaul::route(self.dimensions, &self.messages, variant).unwrap();
        let detours = outcome.detours.concat().into_iter();
        let mut threes = detours.map(|detour| [detour.two, detour.waypoint, detour.empty]);
        threes.find(all_differ)
    }

    fn parting(&self) -> Option<[usize; 3]> {
        let correct = spread::Variant::CORRECT;
        let outcome = spread::route(self.dimensions, &self.messages, correct).unwrap();
        let spread_to = nodes_by_message(&outcome.after_iteration[0]);
        let mut held = HashMap::new();
        (0..self.messages.len()).find_map(|index| {
            let other: usize = held.insert(self.met(index, 1), index)?;
            let three = [self.met(index, 1), spread_to[&other], spread_to[&index]];
            Some(three).filter(all_differ)
        })
    }

    fn gathering(&self) -> Option<[usize; 3]> {
        let groups = radix4::composition(self.dimensions.count(), self.payload_bits);
        let correct = radix4::Variant::CORRECT;
        let outcome = radix4::route(self.dimensions, &self.messages, &groups, correct).unwrap();
        let crossed = *groups.groups.first().unwrap_or(&groups.last);
        let packed_to = nodes_by_message(&outcome.after_group[0]);
        let mut gathered: HashMap<usize, Vec<usize>> = HashMap::new();
        for index in 0..self.messages.len() {
            let sent_to = gathered.entry(self.met(index, crossed)).or_default();
            sent_to.push(packed_to[&index]);
        }
        let fullest = |(met, sent_to): &(usize, Vec<usize>)| (sent_to.len(), usize::MAX - met);
        let (met, mut sent_to) = gathered.into_iter().max_by_key(fullest)?;
        sent_to.sort_unstable();
        let mut others = sent_to.into_iter().filter(|node| *node != met);
        Some([met, others.next()?, others.next()?])
    }

    /// Where a message is after the first dimensions have been crossed.
    fn met(&self, index: usize, crossed: usize) -> usize {
        let Message {
            source,
            destination,
        } = self.messages[index];
        source ^ ((source ^ destination) & ((1 << crossed) - 1))
    }
}

fn nodes_by_message(held: &[Option<usize>]) -> HashMap<usize, usize> {
    let nodes = held.iter().enumerate();
    nodes
        .filter_map(|(node, held)| Some(((*held)?, node)))
        .collect()
}

/// Every pattern and routing with structure at several loads, and many random permutations of any number of messages.
fn traffics(k: usize, payload_bits: usize) -> Vec<Traffic> {
    let dimensions = Dimensions::new(k).unwrap();
    let nodes = Nodes::from(dimensions);
    let mut traffics = Vec::new();
    for seed in 0..4 {
        for load in [0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0] {
            for (_, pattern, _) in Pattern::PERMUTATIONS {
                // Some patterns are for even k only.
                traffics.extend(Traffic::drawn(nodes, payload_bits, pattern, load, seed).ok());
            }
            for routing in Routing::ALL {
                let messages = routing.messages(dimensions, load, seed).unwrap();
                traffics.push(Traffic::new(nodes, payload_bits, messages, seed).unwrap());
            }
        }
    }
    traffics
}

#[test]
fn the_nodes_are_those_of_the_reference_models() {
    let followed_schedules = crate::families::kuszmaul::BENCH.schedules;
    for k in 1..=6 {
        for payload_bits in [1, 4] {
            let mut chosen = HashMap::new();
            for traffic in traffics(k, payload_bits) {
                let followed = Followed {
                    dimensions: Dimensions::new(k).unwrap(),
                    messages: traffic.messages().to_vec(),
                    payload_bits,
                };
                for &schedule in followed_schedules {
                    let three = followed.on(schedule);
                    *chosen.entry((schedule.name, three.is_some())).or_insert(0) += 1;
                    let first = || (0..3.min(1 << k)).collect();
                    let expected = three.map_or_else(first, |three| three.to_vec());
                    let shown = interesting(Some(schedule), &traffic);
                    assert_eq!(shown, expected, "{} {traffic:?}", schedule.name());
                }
            }
            // Both kinds of answer are compared, wherever there are both.
            for &schedule in followed_schedules {
                let some = chosen.get(&(schedule.name, true)).copied().unwrap_or(0);
                let none = chosen.get(&(schedule.name, false)).copied().unwrap_or(0);
                let fewest = if schedule.name == "radix4" { 5 } else { 3 };
                assert_eq!(some > 20, k >= fewest, "{} {k}: {some}", schedule.name());
                assert!(none > 20, "{} {k}: {none}", schedule.name());
            }
        }
    }
}

#[test]
fn many_nodes_are_not_asked() {
    let shown = |k: usize| {
        let dimensions = Dimensions::new(k).unwrap();
        let traffic = Traffic::drawn(dimensions, 1, Pattern::Randperm, 0.5, 1).unwrap();
        interesting(
            crate::families::kuszmaul::BENCH.schedules.first().copied(),
            &traffic,
        )
    };
    assert_ne!(shown(16), [0, 1, 2]);
    assert_eq!(shown(17), [0, 1, 2]);
}
