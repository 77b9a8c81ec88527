//! What the machine does at the most: stores in the first-level cache, copies and triads in it and beyond.
//! `cargo bench -p cubewave-rtl-model --bench machine`
#![allow(missing_docs, reason = "criterion's macros document nothing")]

#[path = "../examples/performance/machine.rs"]
#[allow(dead_code, reason = "what the tables need as well")]
mod machine;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use machine::{Arrays, Kernel, STORE_BYTES};

fn kernels(criterion: &mut Criterion) {
    for kernel in [Kernel::Store, Kernel::Copy, Kernel::Triad] {
        let mut group = criterion.benchmark_group(format!("machine/{}", kernel.name()));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(500));
        let sizes: &[usize] = match kernel {
            Kernel::Store => &[STORE_BYTES],
            _ => &[16 << 10, 256 << 10, 4 << 20, 256 << 20],
        };
        for &bytes in sizes {
            let mut arrays = Arrays::new(kernel, bytes);
            group.throughput(Throughput::Bytes(arrays.bytes() as u64));
            group.bench_function(
                BenchmarkId::from_parameter(format!("{} KiB", bytes >> 10)),
                |bencher| bencher.iter(|| arrays.run(1)),
            );
        }
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
