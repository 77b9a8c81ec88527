//! The traffics among which is searched, what a step from one to another is, and the file that `run` takes.
//!
//! ```text
//!   layer 0: of each source its destination, or nothing      no two of a layer have one destination
//!   layer 1: ...
//! ```

use std::ops::ControlFlow;

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rtl_model::traffic::Nodes;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::lockstep::parameters::LOAD;
use crate::testbench::chosen::Chosen;

/// What the traffic of a testbench is, where it can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffics {
    /// A partial permutation.
    Permutation,
    /// Several partial permutations, as many as this parameter says, which go in batches.
    Batches(&'static str),
    /// As many messages of a node, and for one, as this parameter says, at the most.
    Relation(&'static str),
}

/// Is shown traffics.
pub type Show<'s> = dyn FnMut(&Candidate) -> Result<ControlFlow<()>, Error> + 's;

/// A traffic: of each source in each layer the destination, if it sends.
pub type Candidate = Vec<Option<u32>>;

/// All traffics of a machine.
#[derive(Clone, Debug)]
pub struct Space {
    traffics: Traffics,
    nodes: Nodes,
    layers: usize,
    /// So many senders in each layer; none, where there may be any number.
    senders: Option<usize>,
}

impl Space {
    /// Those of what is chosen, in a machine of so many nodes, of which all have to send where it `takes_full` permutations alone.
    pub fn new(traffics: Traffics, nodes: Nodes, chosen: &Chosen, takes_full: bool) -> Self {
        let parameter = |name| chosen.bench().parameter(name);
        let amount = |name| parameter(name).map(|one| chosen.number(one));
        let layers = match traffics {
            Traffics::Batches(name) | Traffics::Relation(name) => amount(name).unwrap_or(1).max(1),
            Traffics::Permutation => 1,
        };
        // A share that nobody has given is held to only where all nodes have to send.
        let given = parameter(LOAD.name).filter(|load| chosen.has(load));
        let load = match takes_full {
            true => Some(1.0),
            false => given.and_then(|load| chosen.share(load)),
        };
        Space {
            traffics,
            layers,
            senders: load.map(|share| (share * nodes.count() as f64).round() as usize),
            nodes,
        }
    }

    /// Messages that a node may send.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// How many traffics there are; infinite, if more than there are numbers.
    pub fn size(&self) -> f64 {
        let nodes = self.nodes.count();
        let most = self.senders.unwrap_or(nodes);
        // With one sender more there are as many more sets of sources, and arrangements of as many destinations.
        let (mut with_so_many, mut up_to) = (1.0, 1.0);
        for senders in 0..most {
            let left = (nodes - senders) as f64;
            with_so_many *= left * left / (senders + 1) as f64;
            up_to += with_so_many;
            if f64::is_infinite(up_to) {
                break;
            }
        }
        let layer: f64 = match self.senders {
            Some(_) => with_so_many,
            None => up_to,
        };
        layer.powi(self.layers as i32).round()
    }

    /// Bytes that traffics take that are looked at together.
    pub fn bytes(&self) -> u64 {
        64 * (self.layers * self.nodes.count()) as u64
    }

    /// Shows each traffic once, until `show` has seen enough. A relation is shown once for each order of the permutations that it is
    /// made of.
    ///
    /// # Errors
    /// Those of `show`.
    pub fn each(&self, show: &mut Show<'_>) -> Result<ControlFlow<()>, Error> {
        let slots = self.layers * self.nodes.count();
        let mut taken = vec![false; slots];
        self.each_from(&mut vec![None; slots], &mut taken, 0, show)
    }

    fn each_from(
        &self,
        candidate: &mut Candidate,
        taken: &mut [bool],
        slot: usize,
        show: &mut Show<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let nodes = self.nodes.count();
        let (layer, source) = (slot / nodes, slot % nodes);
        if slot == candidate.len() {
            return show(candidate);
        }
        let begin = layer * nodes;
        let so_far = candidate[begin..slot].iter().flatten().count();
        let may_be_idle = self
            .senders
            .is_none_or(|senders| nodes - source > senders - so_far);
        let may_send = self.senders.is_none_or(|senders| so_far < senders);
        if may_be_idle && self.each_from(candidate, taken, slot + 1, show)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        for destination in (0..nodes).filter(|_| may_send) {
            if taken[begin + destination] {
                continue;
            }
            taken[begin + destination] = true;
            candidate[slot] = Some(destination as u32);
            let seen = self.each_from(candidate, taken, slot + 1, show)?;
            candidate[slot] = None;
            taken[begin + destination] = false;
            if seen.is_break() {
                return Ok(seen);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Traffics to begin with: by number those that have names, and then any.
    pub fn first(&self, number: usize, random: &mut ChaCha8Rng) -> Candidate {
        let named = Pattern::PERMUTATIONS
            .get(number)
            .map(|(_, pattern, _)| *pattern);
        let (nodes, all) = (self.nodes.count(), Vec::from_iter(0..self.nodes.count()));
        let mut candidate = Candidate::new();
        for layer in 0..self.layers {
            // What is drawn is drawn anew for each layer, and so are patterns that these nodes do not have.
            let seed = random.random::<u64>() ^ layer as u64;
            let messages = named.and_then(|named| named.messages(self.nodes, &all, seed).ok());
            let messages =
                messages.map_or_else(|| Pattern::Randperm.messages(self.nodes, &all, seed), Ok);
            let mut of_layer: Vec<Option<u32>> = vec![None; nodes];
            for message in messages.unwrap_or_default() {
                of_layer[message.source] = Some(message.destination as u32);
            }
            let senders = self.senders.unwrap_or_else(|| match named {
                Some(_) => nodes,
                None => random.random_range(0..=nodes),
            });
            let mut idle = all.clone();
            idle.shuffle(random);
            idle[senders..]
                .iter()
                .for_each(|&source| of_layer[source] = None);
            candidate.extend(of_layer);
        }
        candidate
    }

    /// A step to another traffic: two sources change what they have to send, or what two blocks of sources have to send changes
    /// places, or a source sends something else, or begins to send, or ends.
    pub fn step(&self, candidate: &mut Candidate, random: &mut ChaCha8Rng) {
        let nodes = self.nodes.count();
        let begin = random.random_range(0..self.layers) * nodes;
        let layer = &mut candidate[begin..begin + nodes];
        let (one, other) = (random.random_range(0..nodes), random.random_range(0..nodes));
        match random.random_range(0..8) {
            0 => {
                let block = 1 << random.random_range(0..=nodes.ilog2());
                let (one, other) = (one / block * block, other / block * block);
                for place in (0..block).filter(|place| one.max(other) + place < nodes) {
                    layer.swap(one + place, other + place);
                }
            }
            1 | 2 if self.senders.is_none() && layer[one].is_some() => layer[one] = None,
            1..=4 if self.senders.is_none() || layer[one].is_some() => {
                match free(layer, other as u32) {
                    None => layer.swap(one, other),
                    free => layer[one] = free,
                }
            }
            _ => layer.swap(one, other),
        }
    }

    /// The file of a traffic, as `run` reads it.
    pub fn file(&self, candidate: &Candidate) -> String {
        let header = match self.traffics {
            Traffics::Batches(_) => "source,destination,batch\n",
            Traffics::Permutation | Traffics::Relation(_) => "source,destination\n",
        };
        let nodes = self.nodes.count();
        let row = |(slot, destination): (usize, &Option<u32>)| {
            let (layer, source, destination) = (slot / nodes, slot % nodes, (*destination)?);
            Some(match self.traffics {
                Traffics::Batches(_) => format!("{source},{destination},{layer}\n"),
                Traffics::Permutation | Traffics::Relation(_) => {
                    format!("{source},{destination}\n")
                }
            })
        };
        header.to_owned()
            + &candidate
                .iter()
                .enumerate()
                .filter_map(row)
                .collect::<String>()
    }
}

/// A destination that nobody of a layer sends to, the next one from here.
fn free(layer: &[Option<u32>], from: u32) -> Option<u32> {
    let nodes = layer.len() as u32;
    let mut all = (0..nodes).map(|step| (from + step) % nodes);
    all.find(|one| !layer.contains(&Some(*one)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::families::namesakes;
    use rand::SeedableRng;

    fn space(traffics: Traffics, nodes: usize, words: &str) -> Space {
        let benches = namesakes("kuszmaul");
        let bench = benches
            .into_iter()
            .find(|one| one.searched() == Some(traffics));
        let chosen = bench.unwrap().asked(words).unwrap();
        Space::new(traffics, Nodes::new(nodes).unwrap(), &chosen, false)
    }

    /// No source of a layer sends twice, and to no destination do two; and there are as many senders as there may be.
    fn is_one_of(space: &Space, candidate: &Candidate) -> bool {
        let nodes = space.nodes.count();
        candidate.len() == nodes * space.layers
            && candidate.chunks(nodes).all(|layer| {
                let sent: Vec<u32> = layer.iter().flatten().copied().collect();
                let distinct = sent.iter().collect::<HashSet<_>>().len();
                sent.iter().all(|to| (*to as usize) < nodes)
                    && distinct == sent.len()
                    && space.senders.is_none_or(|senders| senders == sent.len())
            })
    }

    #[test]
    fn each_traffic_is_shown_once_and_as_many_as_there_are() {
        for (traffics, nodes, words, due) in [
            (Traffics::Permutation, 1, "", 2),
            (Traffics::Permutation, 2, "", 7),
            (Traffics::Permutation, 4, "", 209),
            (Traffics::Permutation, 4, "--load 1", 24),
            (Traffics::Permutation, 4, "--load 0.5", 72),
            (Traffics::Permutation, 5, "--load 0", 1),
            (Traffics::Batches("batches"), 2, "--batches 3", 7 * 7 * 7),
            (
                Traffics::Batches("batches"),
                3,
                "--batches 2 --load 1",
                6 * 6,
            ),
            (Traffics::Relation("h"), 2, "--h 2", 7 * 7),
        ] {
            let space = space(traffics, nodes, words);
            let mut seen = HashSet::new();
            let shown = space
                .each(&mut |candidate| {
                    assert!(is_one_of(&space, candidate), "{candidate:?}");
                    assert!(seen.insert(candidate.clone()));
                    Ok(ControlFlow::Continue(()))
                })
                .unwrap();
            assert!(shown.is_continue());
            assert_eq!(
                (seen.len(), space.size()),
                (due, due as f64),
                "{traffics:?} {nodes} {words}"
            );
        }
        assert_eq!(space(Traffics::Permutation, 8, "").size(), 1_441_729.0);
        assert_eq!(space(Traffics::Permutation, 4096, "").size(), f64::INFINITY);
    }

    #[test]
    fn steps_lead_to_traffics_that_there_are() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for (traffics, nodes) in [(Traffics::Permutation, 8), (Traffics::Permutation, 6)] {
            for words in ["", "--load 0.5", "--load 1", "--load 0"] {
                let space = space(traffics, nodes, words);
                for number in 0..20 {
                    let mut candidate = space.first(number, &mut random);
                    for _ in 0..200 {
                        assert!(is_one_of(&space, &candidate), "{words} {candidate:?}");
                        space.step(&mut candidate, &mut random);
                    }
                }
            }
        }
    }

    /// Whatever is searched among, a search can come to it.
    #[test]
    fn steps_lead_from_each_traffic_to_each() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for (words, due) in [("", 209), ("--load 0.5", 72), ("--load 1", 24)] {
            let space = space(Traffics::Permutation, 4, words);
            let mut candidate = space.first(0, &mut random);
            let mut seen = HashSet::new();
            for _ in 0..20_000 {
                space.step(&mut candidate, &mut random);
                seen.insert(candidate.clone());
            }
            assert_eq!(seen.len(), due, "{words}");
        }
    }
}
