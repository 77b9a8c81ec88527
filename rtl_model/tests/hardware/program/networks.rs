//! Machines in lockstep on networks that are no hypercube, or do not say that they are one; with nodes that decide who
//! drives, and with hosts on wires.

use std::marker::PhantomData;

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Lay};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::machine::topology::{Crossing, Labelled, Tap, Topology};

use crate::program::common::Family;
use crate::program::hearsay::{Driving, Hearsay};

/// A network to be tried, with hosts or without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    pub shape: Shape,
    /// Wires from each node's host, and one fewer to it.
    pub hosts: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Of so many nodes, with a link each way.
    Ring(usize),
    /// A hypercube that does not say what it is.
    Bare(Dimensions),
    /// A straight link and a cross link.
    Cycles(CubeConnectedCycles),
    /// Of so many nodes, with so many links that lead anywhere.
    Scattered(usize, usize),
    /// A hypercube with so many links, one dimension after the other, again and again.
    Bundled(Dimensions, usize),
    /// A hypercube of which only some dimensions, the lowest, have a link each. One more link goes across one of the others:
    /// which of them, the lowest bits of the address say, so many as there are here.
    Reduced(Dimensions, usize),
    /// RH(k,n), all of whose wires and lanes are its own: hosts are not tried with it.
    Blocks(ReducedHypercube),
}

impl Network {
    /// Dimensions of a reduced hypercube that have a link each.
    fn own_links(cube: Dimensions, select: usize) -> usize {
        cube.count() - (1 << select)
    }

    fn lay_as(&self) -> Option<Dimensions> {
        match self.shape {
            Shape::Bare(cube) | Shape::Bundled(cube, _) | Shape::Reduced(cube, _) => Some(cube),
            Shape::Blocks(network) => Some(network.cube()),
            _ => None,
        }
    }
}

impl Topology for Network {
    fn nodes(&self) -> usize {
        match self.shape {
            Shape::Ring(nodes) | Shape::Scattered(nodes, _) => nodes,
            Shape::Bare(cube) | Shape::Bundled(cube, _) | Shape::Reduced(cube, _) => cube.nodes(),
            Shape::Cycles(cycles) => cycles.nodes(),
            Shape::Blocks(network) => network.nodes(),
        }
    }

    fn address_bits(&self) -> usize {
        (self.nodes() - 1).ilog2() as usize + 1
    }

    fn links(&self) -> usize {
        match self.shape {
            Shape::Ring(_) | Shape::Cycles(_) => 2,
            Shape::Bare(cube) => cube.count(),
            Shape::Scattered(_, links) | Shape::Bundled(_, links) => links,
            Shape::Reduced(cube, select) => Self::own_links(cube, select) + 1,
            Shape::Blocks(network) => network.links(),
        }
    }

    fn wires_from_host(&self) -> usize {
        self.hosts
    }

    fn wires_to_host(&self) -> usize {
        self.hosts.saturating_sub(1)
    }

    fn describe(&self, wire: usize) -> String {
        format!("on link {wire}")
    }

    fn machine_name(&self) -> &'static str {
        "network"
    }

    fn labelled(&self) -> Vec<Labelled> {
        let links = self.links();
        let label = |(scope, name): (&str, String), tap| Labelled {
            scope: scope.to_owned(),
            name,
            wires: vec![tap],
        };
        let driven = (0..self.driven()).map(|wire| match wire.checked_sub(links) {
            None => label(("links", format!("tx_{wire}")), Tap::Driven(wire)),
            Some(number) => label(("host", format!("report_{number}")), Tap::Driven(wire)),
        });
        let received = (0..self.received()).map(|wire| match wire.checked_sub(links) {
            None => label(("links", format!("rx_{wire}")), Tap::Received(wire)),
            Some(number) => label(("host", format!("order_{number}")), Tap::Received(wire)),
        });
        driven.chain(received).collect()
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        let nodes = self.nodes();
        match self.shape {
            Shape::Ring(_) if wire == 0 => (node + nodes - 1) % nodes,
            Shape::Ring(_) => (node + 1) % nodes,
            Shape::Bare(_) => node ^ 1 << wire,
            Shape::Cycles(cycles) if wire == 0 => cycles.straight_from(node),
            Shape::Cycles(cycles) => cycles.cross(node),
            Shape::Bundled(cube, _) => node ^ 1 << (wire % cube.count()),
            Shape::Scattered(..) => (node * 7 + wire * 5 + 3) % nodes,
            Shape::Blocks(network) => network.sender(node, wire),
            Shape::Reduced(cube, select) => {
                let own = Self::own_links(cube, select);
                match wire < own {
                    true => node ^ 1 << wire,
                    false => node ^ 1 << (own + node % (1 << select)),
                }
            }
        }
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        match (self.lay_as(), self.shape) {
            (Some(cube), _) => cube.groups::<B>(machines),
            (_, Shape::Cycles(cycles)) => Lay::<B>::of(cycles).groups(machines),
            _ => (machines * self.nodes()).div_ceil(B::NODES),
        }
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        match (self.lay_as(), self.shape) {
            (Some(cube), _) => cube.seat::<B>(node),
            (_, Shape::Cycles(cycles)) => Lay::<B>::of(cycles).seat(node),
            _ => (node / B::NODES, node % B::NODES),
        }
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        match (self.lay_as(), self.shape) {
            (Some(cube), _) => cube.node_at::<B>(group, place),
            (_, Shape::Cycles(cycles)) => Lay::<B>::of(cycles).node_at(group, place),
            _ => group * B::NODES + place,
        }
    }

    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        let (cube, select) = match self.shape {
            Shape::Reduced(cube, select) => (cube, select),
            Shape::Bundled(cube, _) => return cube.crossings(link % cube.count(), log2_nodes),
            Shape::Blocks(network) => return network.crossings(link, log2_nodes),
            _ => return None,
        };
        let seat_bit = |bit| cube.seat_bit(bit, log2_nodes);
        let own = Self::own_links(cube, select);
        if link < own {
            return cube.crossings(link, log2_nodes);
        }
        let mask = (0..select).try_fold(0, |mask, bit| Some(mask | 1 << seat_bit(bit)?))?;
        let crossing = |chosen: usize| {
            let ones = (0..select).filter(|bit| chosen >> bit & 1 == 1);
            Some(Crossing {
                flips: seat_bit(own + chosen)?,
                mask,
                value: ones
                    .into_iter()
                    .try_fold(0, |value, bit| Some(value | 1 << seat_bit(bit)?))?,
            })
        };
        (0..1 << select).map(crossing).collect()
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        match self.shape {
            Shape::Reduced(cube, _) | Shape::Bundled(cube, _) => cube.seat_bit(bit, log2_nodes),
            Shape::Blocks(network) => network.seat_bit(bit, log2_nodes),
            _ => None,
        }
    }

    /// Place by place, as the network is, if it does not know better.
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        if let Shape::Blocks(network) = self.shape {
            return network.receive(wires, group, wire);
        }
        let mut received = B::ZERO;
        for place in 0..B::NODES {
            let (node, nodes) = (self.node_at::<B>(group, place), self.nodes());
            let sender = node / nodes * nodes + self.sender(node % nodes, wire);
            let (group, at) = self.seat::<B>(sender);
            let bit = wires.get(group * self.driven() + wire);
            received.set(place, bit.is_some_and(|bit| bit.get(at)));
        }
        received
    }

    fn address<B: Lanes>(&self, group: usize, _before: Option<usize>, address: &mut [B]) {
        for place in 0..B::NODES {
            let node = self.node_at::<B>(group, place) % self.nodes();
            for (bit, address) in address.iter_mut().enumerate() {
                address.set(place, node >> bit & 1 == 1);
            }
        }
    }
}

/// How machines of a family are joined, for cubes of some dimensions; and how they are driven.
pub trait Kind {
    const DRIVING: Driving = Driving::Strobed;
    const HOSTS: usize = 0;

    /// With as many nodes as the cube at the least.
    fn shape(k: usize) -> Shape;
}

pub struct Joined<K>(PhantomData<K>);

impl<K: Kind> Family for Joined<K> {
    type Router = Hearsay;
    const PAYLOAD_BITS: &'static [usize] = &[1];

    fn router(k: usize, _payload_bits: usize) -> Hearsay {
        Hearsay {
            network: Network {
                shape: K::shape(k),
                hosts: K::HOSTS,
            },
            driving: K::DRIVING,
        }
    }
}

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

fn reduced(k: usize) -> Shape {
    Shape::Reduced(cube(k), [0, 0, 0, 0, 1, 1][..].get(k).copied().unwrap_or(2))
}

pub struct Ring;
impl Kind for Ring {
    fn shape(k: usize) -> Shape {
        Shape::Ring((1 << k) + k % 2 * 3)
    }
}

pub struct Bare;
impl Kind for Bare {
    fn shape(k: usize) -> Shape {
        Shape::Bare(cube(k))
    }
}

pub struct Cycles;
impl Kind for Cycles {
    fn shape(k: usize) -> Shape {
        Shape::Cycles(CubeConnectedCycles::new(k.clamp(2, 6)).unwrap())
    }
}

/// In small machines, more links than strobes and than bits of a word.
pub struct Scattered;
impl Kind for Scattered {
    fn shape(k: usize) -> Shape {
        Shape::Scattered((1 << k) + 1, if k == 3 { 70 } else { 3 })
    }
}

/// In small machines, more links than bits of a word, all of which get across as those of a hypercube do.
pub struct Bundled;
impl Kind for Bundled {
    fn shape(k: usize) -> Shape {
        Shape::Bundled(cube(k), if k < 5 { 70 } else { k + 1 })
    }
}

pub struct Reduced;
impl Kind for Reduced {
    fn shape(k: usize) -> Shape {
        reduced(k)
    }
}

/// Sub-blocks that lie in places and in groups, two of them and four.
pub struct Blocks;
impl Kind for Blocks {
    fn shape(k: usize) -> Shape {
        let network = match k {
            0..6 => ReducedHypercube::new(k.max(3) - 2, 1),
            _ => ReducedHypercube::new(k - 4, 2),
        };
        Shape::Blocks(network.unwrap())
    }
}

pub struct Deciding;
impl Kind for Deciding {
    const DRIVING: Driving = Driving::Decided;

    fn shape(k: usize) -> Shape {
        reduced(k)
    }
}

pub struct Hosted;
impl Kind for Hosted {
    const HOSTS: usize = 3;

    fn shape(k: usize) -> Shape {
        reduced(k)
    }
}

/// The same, and two units drive a wire sooner or later.
pub struct Quarrelling<K>(PhantomData<K>);
impl<K: Kind> Kind for Quarrelling<K> {
    const DRIVING: Driving = Driving::Quarrelling;

    fn shape(k: usize) -> Shape {
        K::shape(k)
    }
}
