//! Into which classes the channels of a link are divided, and what a worm may ask for next: worms in order of
//! dimensions, once or in two phases.

use super::{Kind, Links};
use crate::wormhole::linked::Linked;
use crate::wormhole::network::Port;
use crate::wormhole::{Routing, Variant};

/// What a worm may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// Take a channel of a class of a link.
    Hop {
        /// Of two phases, the one in which the link is crossed; where a class is for both, 0.
        phase: usize,
        /// Which link.
        link: usize,
        /// Which class.
        class: usize,
    },
    /// Go to the host.
    Eject,
}

impl Links {
    /// Classes of channels. Channel `v` is of class `v` modulo their number.
    pub fn classes(&self) -> usize {
        match (self.routing, self.kind) {
            (Routing::Order, Kind::Torus) => self.virtual_channels.min(2),
            (Routing::Valiant, Kind::Torus) if self.virtual_channels >= 4 => 4,
            (Routing::Valiant, _) => self.virtual_channels.min(2),
            (Routing::Order | Routing::Adaptive, _) => 1,
        }
    }

    /// Each phase has classes of its own.
    pub fn has_phases(&self) -> bool {
        self.routing == Routing::Valiant && self.classes() > 1
    }

    /// Each side of a dateline has classes of its own.
    fn has_datelines(&self) -> bool {
        match self.routing {
            Routing::Order => self.classes() == 2,
            Routing::Valiant => self.classes() == 4,
            Routing::Adaptive => false,
        }
    }

    /// The class of a hop, by its phase and by the datelines that the worm has crossed before in its dimension.
    pub fn class(&self, phase: usize, datelines: usize) -> usize {
        match (self.has_phases(), self.has_datelines()) {
            (true, true) => 2 * phase + datelines,
            (true, false) => phase,
            (false, true) => datelines,
            (false, false) => 0,
        }
    }

    /// Phase and datelines of a class.
    fn of_class(&self, class: usize) -> (usize, usize) {
        match (self.has_phases(), self.has_datelines()) {
            (true, true) => (class / 2, class % 2),
            (true, false) => (class, 0),
            (false, true) => (0, class),
            (false, false) => (0, 0),
        }
    }

    /// What a worm in `port` of `node` may do, in the order in which it is asked; eject is last. A link that a mesh
    /// does not have is asked about like any other.
    pub fn candidates(&self, node: usize, port: Port) -> Vec<Candidate> {
        let Port::LinkIn { link, channel } = port else {
            let phases = 0..1 + usize::from(self.has_phases());
            let mut all: Vec<Candidate> = phases.flat_map(|phase| self.all(phase)).collect();
            all.push(Candidate::Eject);
            return all;
        };
        let (phase, datelines) = self.of_class(channel % self.classes());
        let mut candidates = self.onwards(node, link, phase, datelines);
        if self.has_phases() && phase == 0 {
            candidates.extend(self.all(1));
        } else if self.routing == Routing::Valiant && !self.has_phases() {
            let first_of_dimension = link - link % (self.count() / self.dimensions);
            let below = 0..first_of_dimension;
            let again = below.chain([self.opposite(link)]);
            candidates.extend(again.map(|link| self.hop(0, link, 0)));
        }
        candidates.push(Candidate::Eject);
        candidates
    }

    fn hop(&self, phase: usize, link: usize, datelines: usize) -> Candidate {
        let class = match self.variant {
            Variant::NeverLeavesFirstPhase => self.class(0, datelines),
            _ => self.class(phase, datelines),
        };
        Candidate::Hop { phase, link, class }
    }

    /// All links in a phase that begins.
    fn all(&self, phase: usize) -> impl Iterator<Item = Candidate> {
        (0..self.count()).map(move |link| self.hop(phase, link, 0))
    }

    /// The links by which a worm that came over `link` goes on in its phase: of a grid the same link, behind the
    /// dateline in the next class, and those of the dimensions above.
    fn onwards(&self, node: usize, link: usize, phase: usize, datelines: usize) -> Vec<Candidate> {
        let dimension = self.dimension(link);
        let (straight, above) = match self.kind {
            Kind::Hypercube => (None, link + 1..self.count()),
            Kind::Torus | Kind::Mesh => (Some(link), 2 * (dimension + 1)..self.count()),
        };
        let raised = match self.variant {
            Variant::NeverRaisesVirtualChannel => datelines,
            _ if self.is_behind_dateline(link, self.digit(node, dimension)) => 1,
            _ => datelines,
        };
        let turned = match self.variant {
            Variant::KeepsDatelines => datelines,
            _ => 0,
        };
        let straight = straight.map(|link| self.hop(phase, link, raised));
        let above = above.map(|link| self.hop(phase, link, turned));
        straight.into_iter().chain(above).collect()
    }
}
