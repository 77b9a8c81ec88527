//! Bit times of wormhole machines under a steady load, hosts and meters included: node-bit-times a second.
//! `cargo bench -p cubewave --bench wormhole`
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(missing_docs, reason = "criterion's macros document nothing")]

use std::convert::Infallible;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use hosts::wormhole::lanes::WormLanes;
use rtl_model::embedding::copies::Copies;
use rtl_model::language::lanes::Words;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::direct::Routing;
use rtl_model::routers::wormhole::parameters::Parameters;
use rtl_model::traffic::Nodes;
use rtl_model::traffic::injection::{Injection, OfferedLoad};
use rtl_model::traffic::pattern::Pattern;
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::message::Message;

const LEVELS: usize = 8;
const MESSAGE_BITS: usize = 64;
/// Message bits that each node creates in a bit time: little enough for every network to carry.
const LOAD: f64 = 0.05;
/// Bit times until as much arrives as is sent.
const WARM_UP: u64 = 500;

/// A machine that uniform load goes through.
struct Loaded<B: WormLanes> {
    engine: Engine<B>,
    injection: std::iter::Peekable<Injection>,
}

impl<B: WormLanes> Loaded<B> {
    fn new(network: Network) -> Self {
        let parameters = Parameters {
            virtual_channels: 3,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        let nodes = Nodes::new(network.nodes()).unwrap();
        let machine = WormholeMachine::new(network, parameters).unwrap();
        let load = OfferedLoad::new(LOAD).unwrap();
        let injection = Injection::new(nodes, Pattern::Uniform, load, MESSAGE_BITS, 1).unwrap();
        let mut loaded = Loaded {
            engine: Engine::new(machine, 1).unwrap(),
            injection: injection.peekable(),
        };
        for _ in 0..WARM_UP {
            loaded.bit_time();
        }
        loaded
    }

    fn bit_time(&mut self) {
        let bit_time = self.engine.fabric.bit_time();
        while let Some(created) = (self.injection).next_if(|created| created.bit_time <= bit_time) {
            let message = Message {
                source: created.source,
                destination: created.destination,
                created: created.bit_time,
                bits: created.payload,
            };
            self.engine.send(0, message);
        }
        let Ok(()) = self.engine.tick(|_| Ok::<(), Infallible>(()));
    }
}

fn networks() -> [(&'static str, Network); 4] {
    let copies = Copies::new(LEVELS).unwrap();
    let dimensions = copies.dimensions();
    let of = |used| Network::Copies {
        copies: copies.clone(),
        used,
    };
    [
        (
            "ccc",
            Network::CubeConnectedCycles(CubeConnectedCycles::new(LEVELS).unwrap()),
        ),
        ("copies, 1 of 8", of(1)),
        ("copies, 8 of 8", of(LEVELS)),
        ("hypercube", Network::direct(dimensions, Routing::Order)),
    ]
}

fn measure<B: WormLanes>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, network: &Network) {
    let mut loaded = Loaded::<B>::new(network.clone());
    group.bench_function(BenchmarkId::new(name, B::NODES), |bencher| {
        bencher.iter(|| loaded.bit_time());
    });
}

fn wormhole(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wormhole");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    for (name, network) in networks() {
        group.throughput(Throughput::Elements(network.nodes() as u64));
        measure::<u64>(&mut group, name, &network);
        measure::<Words<8>>(&mut group, name, &network);
    }
    group.finish();
}

criterion_group!(benches, wormhole);
criterion_main!(benches);
