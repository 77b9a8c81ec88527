//! Ways in order of dimensions, once or by a node between, and the headers that lead worms along them.

use super::Links;
use super::classes::Candidate;
use crate::wormhole::butterflies::answer;
use crate::wormhole::linked::Linked;
use crate::wormhole::network::Port;

impl Links {
    /// For each hop of the way from the first of `ends` by the second to the last: its phase and its link.
    pub fn way_in_order(&self, ends: [usize; 3]) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        for phase in 0..2 {
            let mut node = ends[phase];
            while let Some(link) = self.in_order(node, ends[phase + 1])
                && let Some(end) = self.end(node, link)
            {
                way.push((phase, link));
                node = end;
            }
        }
        way
    }

    /// What a worm answers on that way, by channel: no to each candidate before its next one, and yes to that. Nothing is
    /// asked about the last candidate, which is eject.
    pub fn answers(&self, source: usize, way: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut header = Vec::new();
        let (mut node, mut port) = (source, Port::Injection);
        for &(now, next) in way {
            let now = match self.has_phases() {
                true => now,
                false => 0,
            };
            let candidates = self.candidates(node, port);
            let fits = |candidate: &Candidate| match *candidate {
                Candidate::Hop { phase, link, class } => {
                    ((phase, link) == (now, next)).then_some(class)
                }
                Candidate::Eject => None,
            };
            let found = candidates.iter().map(fits).enumerate();
            let found = found.filter_map(|(place, class)| Some((place, class?)));
            for (place, class) in found {
                answer(&mut header, place, candidates.len() - 1);
                // The first channel of a class stands for all: all go on alike.
                port = Port::LinkIn {
                    link: next,
                    channel: class,
                };
            }
            node = self.end(node, next).unwrap_or(node);
        }
        let last = self.candidates(node, port).len() - 1;
        answer(&mut header, last, last);
        header
    }
}
