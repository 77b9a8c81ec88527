//! Wormhole routers: whole machines against the flit-level reference model.

use bitvec::vec::BitVec;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::copies::Copies;
use rtl_model::lanes::Lanes;
use rtl_model::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::wormhole::machine::WormholeMachine;
use rtl_model::wormhole::network::{Network, Parameters};
use testbenches::wormhole::engine::Engine;
use testbenches::wormhole::message::Message;

fn parameters(virtual_channels: usize, buffer_bits: usize) -> Parameters {
    Parameters {
        virtual_channels,
        buffer_bits,
        weak_switch: false,
    }
}

fn permutation(nodes: usize, bits: usize, seed: u64) -> Vec<Message> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut destinations: Vec<usize> = (0..nodes).collect();
    destinations.shuffle(&mut random);
    (0..nodes)
        .map(|source| Message {
            source,
            destination: destinations[source],
            created: 0,
            bits: (0..bits)
                .map(|_| random.random::<bool>())
                .collect::<BitVec<u64>>(),
        })
        .collect()
}

fn run<B: Lanes>(machine: WormholeMachine, messages: &[Message]) -> Engine<B> {
    let mut engine = Engine::<B>::new(machine, 1).unwrap();
    for message in messages {
        engine.send(0, message.clone());
    }
    while engine.in_flight() > 0 && engine.quiet() < 20 {
        engine.tick(|_| Ok::<(), ()>(())).unwrap();
    }
    engine
}

#[test]
fn sketch() {
    for n in [2, 3, 4] {
        for v in [1, 2, 3] {
            for seed in 0..3 {
                let network = Network::CubeConnectedCycles(CubeConnectedCycles::new(n).unwrap());
                let nodes = network.nodes();
                let machine = WormholeMachine::new(network, parameters(v, 2)).unwrap();
                let engine = run::<u64>(machine, &permutation(nodes, 64, seed));
                println!(
                    "ccc n={n} v={v} seed {seed}: {} bit times, in flight {}, strays {}, shared {:?} conserved {:?} conflict {:?} stalls {:?} cycle {:?}",
                    engine.fabric.bit_time(),
                    engine.in_flight(),
                    engine.strays.len(),
                    engine.tracker.shared(),
                    engine.meters.not_conserved,
                    engine.conflict,
                    engine.meters.stalls,
                    engine.wait_for_cycle().map(|c| c.len())
                );
            }
        }
    }
    for n in [2, 4, 8] {
        for used in [1, n] {
            for bits in [64, 256] {
                let copies = Copies::new(n).unwrap();
                let network = Network::Copies { copies, used };
                let nodes = network.nodes();
                let machine = WormholeMachine::new(network, parameters(3, 2)).unwrap();
                let t = std::time::Instant::now();
                let engine = run::<u64>(machine, &permutation(nodes, bits, 1));
                println!(
                    "copies {used} of n={n}: {} bit times = {:.2} M, in flight {}, strays {} shared {:?} conserved {:?} largest load {} {:?} ticking {:?}",
                    engine.fabric.bit_time(),
                    engine.fabric.bit_time() as f64 / bits as f64,
                    engine.in_flight(),
                    engine.strays.len(),
                    engine.tracker.shared(),
                    engine.meters.not_conserved,
                    engine.meters.largest_load(),
                    t.elapsed(),
                    engine.simulation
                );
            }
        }
        let network = Network::ECube(Copies::new(n).unwrap().dimensions());
        let nodes = network.nodes();
        let machine = WormholeMachine::new(network, parameters(1, 2)).unwrap();
        let engine = run::<u64>(machine, &permutation(nodes, 64, 1));
        println!(
            "ecube n={n}: {} bit times = {:.2} M, in flight {}, strays {} shared {:?} conserved {:?}",
            engine.fabric.bit_time(),
            engine.fabric.bit_time() as f64 / 64.,
            engine.in_flight(),
            engine.strays.len(),
            engine.tracker.shared(),
            engine.meters.not_conserved
        );
    }
}
