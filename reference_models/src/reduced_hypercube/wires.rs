//! The judge of steps: it knows links, and no algorithm.

use super::{Network, Violation};

/// Something that crosses a wire.
pub(super) struct Sent<Load> {
    /// The sender.
    pub from: usize,
    /// The receiver.
    pub to: usize,
    /// What is sent.
    pub load: Load,
}

/// All wires, and the steps so far.
pub(super) struct Wires {
    network: Network,
    /// Steps so far.
    pub steps: u64,
    /// Loads so far, each counted once for each wire that it crosses.
    pub sends: u64,
    /// For each node and wire, how many calls there had been when the node sent on it last.
    used: Vec<u64>,
    calls: u64,
}

impl Wires {
    /// The wires of a network, all of them idle.
    pub fn new(network: Network) -> Result<Wires, Violation> {
        network.exists()?;
        Ok(Wires {
            network,
            steps: 0,
            sends: 0,
            used: vec![0; network.nodes() * network.wires()],
            calls: 0,
        })
    }

    /// Moves loads along links, all at once, which takes as many steps as a load has words. A wire carries
    /// one load in each direction. Steps pass even if nothing is sent.
    pub fn carry<Load>(&mut self, words: u64, sends: &[Sent<Load>]) -> Result<(), Violation> {
        self.steps += words;
        self.calls += 1;
        let nodes = self.network.nodes();
        for &Sent { from, to, .. } in sends {
            if let Some(node) = [from, to].into_iter().find(|node| *node >= nodes) {
                return Err(Violation::NoSuchNode { node, nodes });
            }
            let step = self.steps;
            let mut wires = 0..self.network.wires();
            let Some(wire) = wires.find(|wire| self.network.neighbour(from, *wire) == to) else {
                return Err(Violation::NotNeighbours { step, from, to });
            };
            let used = &mut self.used[from * self.network.wires() + wire];
            if std::mem::replace(used, self.calls) == self.calls {
                return Err(Violation::WireTwice { step, from, to });
            }
        }
        self.sends += sends.len() as u64;
        Ok(())
    }

    /// Moves single words across a dimension, all at once. A word is beside the node that it is at.
    pub fn hop<Word>(
        &mut self,
        words: Vec<(usize, Word)>,
        dimension: usize,
    ) -> Result<Vec<(usize, Word)>, Violation> {
        let across = |(from, load)| Sent {
            from,
            to: from ^ (1 << dimension),
            load,
        };
        let sends: Vec<Sent<Word>> = words.into_iter().map(across).collect();
        self.carry(1, &sends)?;
        Ok(sends.into_iter().map(|it| (it.to, it.load)).collect())
    }
}
