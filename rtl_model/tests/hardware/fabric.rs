//! The fabric with a router that is made to be looked at: every node sends its own address.

use rtl_model::closed_form::ClosedForm;
use rtl_model::error::Error;
use rtl_model::language::bit::{Bit, Strobe};
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::lines::Lines;
use rtl_model::language::wires::Transmit;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Machine, Node, Position, Router, Sequencer};
use rtl_model::machine::topology::hypercube::{Dimensions, neighbour};
use rtl_model::parts::counter::Counter;
use rtl_model::parts::shift_register::ShiftRegister;
use rtl_model::registers;
use rtl_model::strobes;

/// Every node sends its address, LSB first, across every dimension, and keeps what it receives. From
/// bit time `second_driver` on another unit drives dimension 1 as well.
#[derive(Clone, Copy, PartialEq)]
struct Gossip {
    dimensions: Dimensions,
    second_driver: Option<u32>,
}

#[derive(Clone)]
struct GossipNode<B: Bit> {
    dimensions: usize,
    heard: ShiftRegister<B>,
}
registers!(GossipNode { heard });

#[derive(Clone)]
struct GossipSequencer<B: Bit> {
    router: Gossip,
    bit_time: Counter<B>,
}
registers!(GossipSequencer { bit_time });

strobes! {
    #[derive(Clone)]
    struct GossipStrobes<S> {
        /// One-hot: the address bit that is sent.
        address_bit: Lines<S>,
        /// Another unit drives dimension 1.
        second_driver: S,
    }
}

impl<B: Bit> Node<B> for GossipNode<B> {
    type Broadcast = GossipStrobes<B::Strobe>;

    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        for dimension in 0..self.dimensions {
            wires.drive(dimension, "gossip", B::Strobe::ONE, || {
                strobes.address_bit.select(|bit| address[bit])
            });
        }
        wires.drive(1, "rumour", strobes.second_driver, || B::ONE);
    }

    fn clock(&mut self, _strobes: &Self::Broadcast, _address: &[B], received: &[B]) {
        // One shift register for all dimensions: k bits a bit time.
        for bit in received {
            self.heard.shift_in(*bit);
        }
    }
}

impl<S: Strobe> Sequencer<S> for GossipSequencer<S> {
    type Broadcast = GossipStrobes<S>;

    fn broadcast(&self, strobes: &mut GossipStrobes<S>) {
        let k = self.router.dimensions.count();
        let t = self.bit_time.number();
        strobes
            .address_bit
            .drive(S::ONE, 0..k, |bit| t.equals(bit as i64));
        strobes.second_driver = match self.router.second_driver {
            Some(bit_time) => t.at_least(i64::from(bit_time)),
            None => S::ZERO,
        };
    }

    fn clock(&mut self) {
        self.bit_time.count();
    }

    fn is_done(&self) -> S {
        let k = self.router.dimensions.count();
        self.bit_time.number().equals(k as i64)
    }
}

impl Machine for Gossip {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = GossipStrobes<S>;
    type Node<B: Bit> = GossipNode<B>;
    type Sequencer<S: Strobe> = GossipSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> GossipNode<B> {
        let k = self.dimensions.count();
        GossipNode {
            dimensions: k,
            heard: ShiftRegister::new(k * k),
        }
    }

    fn sequencer<S: Strobe>(&self) -> GossipSequencer<S> {
        GossipSequencer {
            router: *self,
            bit_time: Counter::new(self.dimensions.count() as u32, 0),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        _node: &mut GossipNode<B>,
        _port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
    }

    fn host_reads<B: Bit>(&self, _node: &GossipNode<B>, _port: &mut dyn FnMut(Field, usize, B)) {}
}

impl Router for Gossip {
    const STEPS: &'static [&'static str] = &["gossip"];

    fn bit_times(&self) -> ClosedForm {
        ClosedForm::of("k", &[("k", self.dimensions.count() as u64)])
    }

    fn storage_bits(&self) -> ClosedForm {
        ClosedForm::of("k^2", &[("k", self.dimensions.count() as u64)])
    }

    fn position(&self, sequencer: &GossipSequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.bit_time.number().value(),
        }
    }

    fn occupancy<B: Bit>(
        &self,
        _node: &GossipNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B, u32),
    ) {
    }

    fn messages<B: Bit>(
        &self,
        _node: &GossipNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B),
    ) {
    }
}

fn everybody_hears_all_neighbours<B: Lanes>(k: usize, cubes: usize) {
    let dimensions = Dimensions::new(k).unwrap();
    let router = Gossip {
        dimensions,
        second_driver: None,
    };
    let mut fabric = Fabric::<_, B>::new(router, cubes).unwrap();
    while !fabric.is_done() {
        fabric.tick().unwrap();
    }
    assert_eq!(fabric.bit_time(), router.bit_times().value);
    assert_eq!(fabric.driven_wire_bit_times(), (k * k) as u64);
    for cube in 0..cubes {
        for node in 0..dimensions.nodes() {
            let (group, place) = fabric.node(cube * dimensions.nodes() + node);
            for dimension in 0..k {
                let heard = (0..k).fold(0, |heard, bit| {
                    let position = bit * k + dimension;
                    heard | usize::from(group.heard.bit(position).get(place)) << bit
                });
                assert_eq!(heard, neighbour(node, dimension));
            }
        }
    }
}

#[test]
fn wires_join_neighbours_of_the_same_cube_in_lanes_of_every_width() {
    for k in 1..=10 {
        for cubes in [1, 3] {
            everybody_hears_all_neighbours::<bool>(k, cubes);
            everybody_hears_all_neighbours::<u64>(k, cubes);
            everybody_hears_all_neighbours::<Words<8>>(k, cubes);
        }
    }
}

#[test]
fn a_second_driver_is_reported_with_wire_bit_time_and_both_drivers() {
    let router = Gossip {
        dimensions: Dimensions::new(4).unwrap(),
        second_driver: Some(2),
    };
    let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
    fabric.tick().unwrap();
    fabric.tick().unwrap();
    let conflict = fabric.tick().unwrap_err();
    assert_eq!(
        conflict,
        Error::WireConflict {
            node: 0,
            wire: "across dimension 1".to_owned(),
            bit_time: 2,
            first: "gossip",
            second: "rumour"
        }
    );
    // As a program the same is found, when the bit time is run in which it happens.
    let mut program = Fabric::<_, u64>::new(router, 1).unwrap();
    program.advance(2, &How::default()).unwrap();
    assert_eq!(program.bit_time(), 2);
    for _ in 0..2 {
        let again = program.advance(u64::MAX, &How::default()).unwrap_err();
        assert_eq!((again, program.bit_time()), (conflict.clone(), 2));
    }
    assert_eq!(
        program.driven_wire_bit_times(),
        fabric.driven_wire_bit_times()
    );
    assert_eq!(
        conflict.to_string(),
        "bit time 2: the wire from node 0 across dimension 1 is driven by gossip and by rumour: one \
         wire is given to two units at once"
    );
}

/// Of one type, with the same closed forms and the same layout: they differ in a parameter that only the sequencer knows.
#[test]
fn routers_that_are_not_equal_do_not_share_a_program() {
    let dimensions = Dimensions::new(4).unwrap();
    let run = |second_driver| {
        let router = Gossip {
            dimensions,
            second_driver,
        };
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let conflict = fabric.advance(u64::MAX, &How::default()).err();
        (fabric.bit_time(), conflict.is_some())
    };
    for _ in 0..2 {
        assert_eq!(run(None), (4, false));
        assert_eq!(run(Some(2)), (2, true));
        assert_eq!(run(Some(3)), (3, true));
    }
}

#[test]
fn a_machine_that_does_not_fit_is_refused_before_it_is_allocated() {
    let router = Gossip {
        dimensions: Dimensions::new(28).unwrap(),
        second_driver: None,
    };
    // A million cubes of 268 million nodes.
    let error = Fabric::<_, u64>::new(router, 1 << 20).err().unwrap();
    assert!(matches!(error, Error::DoesNotFit { .. }), "{error}");
}
