//! Single worms by hand, then permutations, deadlocks and planted mistakes.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

mod adaptive;
mod butterflies;
mod deadlock;
mod exhaustive;
mod grids;
mod lanes;
mod link_mistakes;
mod lists;
mod mistakes;
mod networks;
mod table_deadlock;
mod table_mistakes;
mod tables;
mod timing;
mod wide;

/// More than any run here needs.
const LIMIT: u64 = 1_000_000;

fn ccc(levels: usize) -> Network {
    Network::CubeConnectedCycles { levels }
}

fn hypercube(dimensions: usize, routing: Routing) -> Network {
    Network::Hypercube {
        dimensions,
        routing,
    }
}

fn torus(radix: usize, dimensions: usize, routing: Routing) -> Network {
    Network::Grid {
        radix,
        dimensions,
        wraps: true,
        routing,
    }
}

fn mesh(radix: usize, dimensions: usize, routing: Routing) -> Network {
    Network::Grid {
        radix,
        dimensions,
        wraps: false,
        routing,
    }
}

/// Three virtual channels, two bits in a buffer, a strong switch.
fn machine(network: Network) -> Machine {
    Machine {
        network,
        virtual_channels: 3,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::Even,
    }
}

fn message(source: usize, destination: usize, created: u64, bits: usize) -> Message {
    // Neither constant nor periodic, so that bits that change places are seen.
    let bit = |place: usize| (place * place + source).count_ones() % 2 == 1;
    Message {
        source,
        destination,
        intermediate: None,
        created,
        bits: (0..bits).map(bit).collect(),
    }
}

/// One message of random bits from every node, all at once.
fn permutation(nodes: usize, bits: usize, seed: u64) -> Vec<Message> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut destinations: Vec<usize> = (0..nodes).collect();
    destinations.shuffle(&mut random);
    (destinations.into_iter().enumerate())
        .map(|(source, destination)| Message {
            source,
            destination,
            intermediate: None,
            created: 0,
            bits: (0..bits).map(|_| random.random()).collect(),
        })
        .collect()
}

/// The same via random nodes.
fn through(messages: Vec<Message>, nodes: usize, seed: u64) -> Vec<Message> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let through_one = |message| Message {
        intermediate: Some(random.random_range(0..nodes)),
        ..message
    };
    messages.into_iter().map(through_one).collect()
}

/// The bit times of a run that delivers everything.
fn bit_times(run: &Run) -> u64 {
    assert!(
        run.arrivals
            .iter()
            .all(|arrival| arrival.tail_arrived.is_some())
    );
    match run.outcome {
        Outcome::Done { bit_times } => bit_times,
        ref other => panic!("{other:?}"),
    }
}

/// `(injected, head arrived, tail arrived)` of every message.
fn times(run: &Run) -> Vec<(u64, u64, u64)> {
    let time = |arrival: &Arrival| {
        (
            arrival.injected.unwrap(),
            arrival.head_arrived.unwrap(),
            arrival.tail_arrived.unwrap(),
        )
    };
    run.arrivals.iter().map(time).collect()
}
