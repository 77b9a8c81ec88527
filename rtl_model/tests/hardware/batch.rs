//! Batches of small machines against machines on their own, run bit time by bit time.

use bitvec::vec::BitVec;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::arrivals::Arrivals;
use rtl_model::machine::batch::Batch;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::MessageRouter;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::traffic::{Message, Traffic};

fn router(k: usize, payload_bits: usize) -> PlainRouter {
    PlainRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap()
}

fn traffics(k: usize, payload_bits: usize, amount: u64) -> Vec<Traffic> {
    let mut random = ChaCha8Rng::seed_from_u64(amount);
    (0..amount)
        .map(|seed| {
            let mut destinations: Vec<usize> = (0..1 << k).collect();
            destinations.shuffle(&mut random);
            let messages = (destinations.into_iter().enumerate())
                .filter(|_| random.random())
                .map(|(source, destination)| Message {
                    source,
                    destination,
                })
                .collect();
            let cube = Dimensions::new(k).unwrap();
            Traffic::new(cube, payload_bits, messages, seed).unwrap()
        })
        .collect()
}

/// What a machine of its own comes to.
fn alone(router: PlainRouter, traffic: &Traffic) -> Arrivals {
    let mut fabric = Fabric::<_, bool>::new(router, 1).unwrap();
    for (index, message) in traffic.messages().iter().enumerate() {
        let (node, place) = fabric.node_mut(message.source);
        router.load(node, place, message.destination, traffic.payload(index));
    }
    while !fabric.is_done() {
        fabric.tick().unwrap();
    }
    let (nodes, payload_bits) = (traffic.nodes().count(), traffic.payload_bits());
    let mut arrivals = Arrivals::none(nodes, payload_bits);
    let mut payload = BitVec::<u64>::repeat(false, payload_bits);
    for number in 0..nodes {
        let (node, place) = fabric.node(number);
        if router.unload(node, place, &mut payload) {
            arrivals.set(number, &payload);
        }
    }
    arrivals
}

fn each_is_as_alone<B: Lanes>(k: usize, payload_bits: usize, machines: usize) {
    let router = router(k, payload_bits);
    let fabric = Fabric::<_, B>::new(router, machines).unwrap();
    let mut batch = Batch::of(Box::new(fabric), payload_bits);
    assert_eq!(batch.machines(), machines);
    // Fewer than there are machines, several times as many and some more, and none.
    for amount in [machines as u64 / 2, 3 * machines as u64 + 1, 0] {
        let traffics = traffics(k, payload_bits, amount);
        let expected: Vec<Arrivals> = (traffics.iter())
            .map(|traffic| alone(router, traffic))
            .collect();
        assert_eq!(batch.run(&traffics).unwrap(), expected);
    }
}

#[test]
fn each_run_of_a_batch_is_as_alone() {
    for (k, payload_bits) in [(1, 3), (2, 1), (3, 5), (4, 2), (7, 1)] {
        each_is_as_alone::<bool>(k, payload_bits, 3);
        each_is_as_alone::<u64>(k, payload_bits, 9);
        each_is_as_alone::<Words<8>>(k, payload_bits, 20);
    }
}

#[test]
fn traffic_for_another_router_is_refused() {
    let mut batch = Batch::new(&router(3, 4), 4, 2).unwrap();
    let outcome = batch.run(&traffics(3, 5, 1));
    assert_eq!(outcome, Err(Error::PayloadBits { bits: 5, limit: 4 }));
    let nodes = Dimensions::new(4).unwrap();
    let message = Message {
        source: 0,
        destination: 9,
    };
    let larger = Traffic::new(nodes, 4, vec![message], 1).unwrap();
    let outcome = batch.run(&[larger]);
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "node 9 is out of range: the machine has nodes 0 to 7"
    );
}
