//! What the routers are given to do, and whether they did it. A program does the same whatever the messages are; they are
//! there to be found again.

use bitvec::slice::BitSlice;
use bitvec::view::BitView;
use rtl_model::error::Error;
use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::{MessageRouter, Router};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};

/// `D`, of every message.
pub const PAYLOAD_BITS: usize = 8;

/// A router with something to do.
pub trait Workload: Router<Topology = Dimensions> + Sized {
    /// The router of a cube.
    ///
    /// # Errors
    /// None for [`PAYLOAD_BITS`].
    fn of(cube: Dimensions) -> Result<Self, Error>;

    /// The host loads the nodes, which are as they begin.
    fn load<B: Lanes>(fabric: &mut Fabric<Self, B>);

    /// The nodes that do not hold what they ought to at the end.
    fn wrong<B: Lanes>(fabric: &Fabric<Self, B>) -> usize;
}

/// A full permutation: an odd multiple of the address, and some more.
fn destination(source: usize, nodes: usize) -> usize {
    (source.wrapping_mul(0x9e37_79b1) ^ 0x5a5a_5a5a) & (nodes - 1)
}

/// A payload that tells sources apart as well as so few bits can.
fn payload(source: usize) -> u64 {
    (source as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PAYLOAD_BITS)
}

fn load<R: MessageRouter + Copy, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    messages: impl Iterator<Item = (usize, usize)>,
) {
    let router = *fabric.router();
    for (source, destination) in messages {
        let payload = payload(source);
        let (node, place) = fabric.node_mut(source);
        router.load(node, place, destination, bits(&payload));
    }
}

fn bits(payload: &u64) -> &BitSlice<u64> {
    &payload.view_bits()[..PAYLOAD_BITS]
}

fn wrong<R: MessageRouter, B: Lanes>(
    fabric: &Fabric<R, B>,
    messages: impl Iterator<Item = (usize, usize)>,
) -> usize {
    messages
        .filter(|&(source, destination)| {
            let (node, place) = fabric.node(destination);
            let mut held = 0u64;
            let is_there =
                fabric
                    .router()
                    .unload(node, place, &mut held.view_bits_mut()[..PAYLOAD_BITS]);
            !is_there || held != payload(source)
        })
        .count()
}

impl<S: Schedule> Workload for PermutationRouter<S> {
    fn of(cube: Dimensions) -> Result<Self, Error> {
        PermutationRouter::new(cube, PAYLOAD_BITS)
    }

    fn load<B: Lanes>(fabric: &mut Fabric<Self, B>) {
        let nodes = fabric.topology().nodes();
        load(
            fabric,
            (0..nodes).map(|source| (source, destination(source, nodes))),
        );
    }

    fn wrong<B: Lanes>(fabric: &Fabric<Self, B>) -> usize {
        let nodes = fabric.topology().nodes();
        wrong(
            fabric,
            (0..nodes).map(|source| (source, destination(source, nodes))),
        )
    }
}

/// Every second node sends to half its address: a semi-contraction.
impl Workload for PackingRouter {
    fn of(cube: Dimensions) -> Result<Self, Error> {
        PackingRouter::new(cube, PAYLOAD_BITS)
    }

    fn load<B: Lanes>(fabric: &mut Fabric<Self, B>) {
        let nodes = fabric.topology().nodes();
        load(fabric, (0..nodes / 2).map(|half| (2 * half, half)));
    }

    fn wrong<B: Lanes>(fabric: &Fabric<Self, B>) -> usize {
        let nodes = fabric.topology().nodes();
        wrong(fabric, (0..nodes / 2).map(|half| (2 * half, half)))
    }
}

/// Every third node is a member.
impl Workload for EnumerationRouter {
    fn of(cube: Dimensions) -> Result<Self, Error> {
        Ok(EnumerationRouter::new(cube))
    }

    fn load<B: Lanes>(fabric: &mut Fabric<Self, B>) {
        for member in (0..fabric.topology().nodes()).step_by(3) {
            let (node, place) = fabric.node_mut(member);
            node.set_member(place, true);
        }
    }

    fn wrong<B: Lanes>(fabric: &Fabric<Self, B>) -> usize {
        let nodes = fabric.topology().nodes();
        let is_wrong = |&at: &usize| {
            let (node, place) = fabric.node(at);
            node.rank(place) as usize != at.div_ceil(3)
                || node.total(place) as usize != nodes.div_ceil(3)
        };
        (0..nodes).filter(is_wrong).count()
    }
}
