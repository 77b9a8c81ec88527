//! Whole runs of Algorithm 2, full load: node-bit-times a second, by size of the cube and width of the
//! lanes. `cargo bench -p rtl_model`
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(missing_docs, reason = "criterion's macros document nothing")]

use bitvec::vec::BitVec;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::lanes::{Lanes, Words};
use rtl_model::router::{MessageRouter, Router};
use rtl_model::topology::hypercube::Dimensions;

const PAYLOAD_BITS: usize = 8;

/// Every node sends to the node of the inverted address.
fn loaded<B: Lanes>(k: usize) -> Fabric<PlainRouter, B> {
    let router = PlainRouter::new(Dimensions::new(k).unwrap(), PAYLOAD_BITS).unwrap();
    let mut fabric = Fabric::new(router, 1).unwrap();
    let payload = BitVec::<u64>::repeat(true, PAYLOAD_BITS);
    for source in 0..1 << k {
        let (node, place) = fabric.node_mut(source);
        router.load(node, place, !source & ((1 << k) - 1), &payload);
    }
    fabric
}

fn run<B: Lanes>(criterion: &mut Criterion, lanes: &str, sizes: &[usize]) {
    let mut group = criterion.benchmark_group("kuszmaul/plain");
    group.sample_size(10);
    for &k in sizes {
        let router = PlainRouter::new(Dimensions::new(k).unwrap(), PAYLOAD_BITS).unwrap();
        let node_bit_times = router.bit_times().value << k;
        group.throughput(Throughput::Elements(node_bit_times));
        group.bench_function(BenchmarkId::new(lanes, k), |bencher| {
            bencher.iter_batched(
                || loaded::<B>(k),
                |mut fabric| {
                    while !fabric.is_done() {
                        fabric.tick().unwrap();
                    }
                    fabric
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn routers(criterion: &mut Criterion) {
    run::<bool>(criterion, "bool", &[6]);
    run::<u64>(criterion, "64 nodes", &[6, 10, 14]);
    run::<Words<4>>(criterion, "256 nodes", &[8, 10, 14]);
    run::<Words<8>>(criterion, "512 nodes", &[10, 14, 16]);
}

criterion_group!(benches, routers);
criterion_main!(benches);
