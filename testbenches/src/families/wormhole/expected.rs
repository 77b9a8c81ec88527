//! What is known of a run before it begins: the ways of its worms, what they put on each link, and within which bit
//! times all of them arrive, if they do.

use std::collections::HashMap;

use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::families::wormhole::message::Worm;

/// Of all worms together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// By worm, the nodes that it comes to, the source first.
    pub paths: Vec<Vec<usize>>,
    /// Bits over each link, by node and link; links that carry none are left out.
    pub loads: HashMap<(usize, usize), u64>,
    /// The most over one link, or in or out of one host.
    pub lower: u64,
    /// Bits that move, each time that they do, and connections that are made.
    pub upper: u64,
}

impl Expected {
    /// Adds a worm that goes from `source` to `destination`.
    pub fn add(
        &mut self,
        machine: &WormholeMachine,
        worm: &Worm,
        (source, destination): (usize, usize),
    ) {
        let bits: Vec<bool> = worm.bits.iter().by_vals().collect();
        let way = machine.way(source, worm.switch, &bits);
        let mut path = vec![source];
        for crossing in &way {
            path.push(crossing.to.node);
            *self
                .loads
                .entry((crossing.node, crossing.link))
                .or_default() += crossing.bits as u64;
            self.upper += crossing.bits as u64;
        }
        debug_assert_eq!(path.last(), Some(&destination));
        self.paths.push(path);
        // Into the network, consumed on the way, and out; a connection at each node.
        let (all, body) = (bits.len() as u64, worm.body().len() as u64);
        self.upper += all + (all - body) + body + way.len() as u64 + 1;
    }

    /// Once all are added: every wire carries a bit a bit time at the most, and in every bit time without a deadlock a
    /// bit moves or a connection is made.
    pub fn bound(&mut self, host_bits: impl Iterator<Item = u64>) {
        let links = self.loads.values().copied();
        self.lower = links.chain(host_bits).max().unwrap_or(0);
    }
}
