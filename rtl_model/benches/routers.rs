//! Whole runs of Algorithm 2, full load: node-bit-times a second, by schedule, size of the cube and width of
//! the lanes. `cargo bench -p rtl_model`
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(missing_docs, reason = "criterion's macros document nothing")]

use bitvec::vec::BitVec;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::folded::Folded;
use rtl_model::kuszmaul::overlapped::Overlapped;
use rtl_model::kuszmaul::plain::Plain;
use rtl_model::kuszmaul::radix4::Radix4;
use rtl_model::kuszmaul::spread::Spread;
use rtl_model::lanes::{Lanes, Words};
use rtl_model::permutation::{PermutationRouter, Schedule};
use rtl_model::router::{MessageRouter, Router};
use rtl_model::sorting::{bitonic, radix};
use rtl_model::topology::hypercube::Dimensions;

const PAYLOAD_BITS: usize = 8;

/// Every node sends to the node of the inverted address.
fn loaded<S: Schedule, B: Lanes>(k: usize) -> Fabric<PermutationRouter<S>, B> {
    let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), PAYLOAD_BITS).unwrap();
    let mut fabric = Fabric::new(router, 1).unwrap();
    let payload = BitVec::<u64>::repeat(true, PAYLOAD_BITS);
    for source in 0..1 << k {
        let (node, place) = fabric.node_mut(source);
        router.load(node, place, !source & ((1 << k) - 1), &payload);
    }
    fabric
}

fn run<S: Schedule, B: Lanes>(
    criterion: &mut Criterion,
    schedule: &str,
    lanes: &str,
    sizes: &[usize],
) {
    let mut group = criterion.benchmark_group(format!("kuszmaul/{schedule}"));
    group.sample_size(10);
    for &k in sizes {
        let router =
            PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), PAYLOAD_BITS).unwrap();
        let node_bit_times = router.bit_times().value << k;
        group.throughput(Throughput::Elements(node_bit_times));
        group.bench_function(BenchmarkId::new(lanes, k), |bencher| {
            bencher.iter_batched(
                || loaded::<S, B>(k),
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
    run::<Plain, bool>(criterion, "plain", "bool", &[6]);
    run::<Plain, u64>(criterion, "plain", "64 nodes", &[6, 10, 14]);
    run::<Plain, Words<4>>(criterion, "plain", "256 nodes", &[8, 10, 14]);
    run::<Plain, Words<8>>(criterion, "plain", "512 nodes", &[10, 14, 16]);
    run::<Overlapped, u64>(criterion, "overlapped", "64 nodes", &[6]);
    run::<Overlapped, Words<8>>(criterion, "overlapped", "512 nodes", &[10, 14]);
    run::<Folded, u64>(criterion, "folded", "64 nodes", &[6]);
    run::<Folded, Words<8>>(criterion, "folded", "512 nodes", &[10, 14]);
    run::<Spread, u64>(criterion, "spread", "64 nodes", &[6]);
    run::<Spread, Words<8>>(criterion, "spread", "512 nodes", &[10, 14]);
    run::<Radix4, u64>(criterion, "radix4", "64 nodes", &[6]);
    run::<Radix4, Words<8>>(criterion, "radix4", "512 nodes", &[10, 14]);
    run::<bitonic::SortAndUnpack, Words<8>>(criterion, "bitonic", "512 nodes", &[10, 14]);
    run::<radix::SortAndUnpack, Words<8>>(criterion, "radix", "512 nodes", &[10, 14]);
}

criterion_group!(benches, routers);
criterion_main!(benches);
