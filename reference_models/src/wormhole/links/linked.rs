//! Hypercubes and grids as networks of links.

use super::classes::Candidate;
use super::{Kind, Links};
use crate::wormhole::linked::{Addresses, Hop, Linked};
use crate::wormhole::network::{Port, Wire};
use crate::wormhole::{Message, Routing, Violation};

impl Linked for Links {
    fn nodes(&self) -> usize {
        self.radix.pow(self.dimensions as u32)
    }

    /// Those included that a mesh does not have at its ends.
    fn count(&self) -> usize {
        match self.kind {
            Kind::Hypercube => self.dimensions,
            Kind::Torus | Kind::Mesh => 2 * self.dimensions,
        }
    }

    fn end(&self, node: usize, link: usize) -> Option<usize> {
        let dimension = self.dimension(link);
        let digit = self.digit(node, dimension);
        let place = self.radix.pow(dimension as u32);
        let next = self.next_digit(digit, link)?;
        Some(node - digit * place + next * place)
    }

    fn start(&self, node: usize, link: usize) -> Option<usize> {
        self.end(node, self.opposite(link))
    }

    fn wire(&self, node: usize, link: usize) -> Wire {
        match self.kind {
            Kind::Hypercube => Wire::Dimension {
                node,
                dimension: link,
            },
            Kind::Torus | Kind::Mesh => Wire::Grid { node, link },
        }
    }

    fn choices(&self, node: usize, port: Port) -> Vec<Vec<Port>> {
        if self.routing == Routing::Adaptive {
            return Vec::new();
        }
        let ports = |candidate| match candidate {
            Candidate::Hop { link, class, .. } => (class..self.virtual_channels)
                .step_by(self.classes())
                .map(|channel| Port::LinkOut { link, channel })
                .collect(),
            Candidate::Eject => vec![Port::Eject],
        };
        let candidates = self.candidates(node, port);
        candidates.into_iter().map(ports).collect()
    }

    fn addresses(&self) -> Option<&dyn Addresses> {
        match self.routing {
            Routing::Adaptive => Some(self),
            Routing::Order | Routing::Valiant => None,
        }
    }

    fn via(&self, message: &Message) -> usize {
        match (self.routing, message.intermediate) {
            (Routing::Valiant, Some(via)) => via,
            _ => message.destination,
        }
    }

    fn way(&self, ends: [usize; 3]) -> Vec<(usize, usize)> {
        match self.routing {
            Routing::Adaptive => Vec::new(),
            Routing::Order | Routing::Valiant => self.way_in_order(ends),
        }
    }

    fn header(&self, source: usize, destination: usize, way: &[(usize, usize)]) -> Vec<Vec<bool>> {
        match self.routing {
            Routing::Adaptive => vec![self.address(destination)],
            Routing::Order | Routing::Valiant => self.answers(source, way),
        }
    }

    fn check_hop(&self, hop: &Hop<'_>) -> Result<(), Violation> {
        match self.routing {
            Routing::Order | Routing::Valiant => self.check_way(hop),
            Routing::Adaptive => self.check_nearer(hop),
        }
    }
}
