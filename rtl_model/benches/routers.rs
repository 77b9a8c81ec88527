//! Whole runs of every router, full load, D = 8, one thread: node-bit-times a second by size, as a program with the widest
//! instructions and, of schedule `plain`, with portable ones and as described. `cargo bench -p cubewave-rtl-model --bench routers`
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(missing_docs, reason = "criterion's macros document nothing")]

#[path = "../examples/performance/workload.rs"]
#[allow(dead_code, reason = "what the tables need as well")]
mod workload;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::folded::FoldedRouter;
use rtl_model::routers::kuszmaul::overlapped::OverlappedRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::routers::kuszmaul::radix4::Radix4Router;
use rtl_model::routers::kuszmaul::spread::SpreadRouter;
use rtl_model::routers::sorting::bitonic::BitonicRouter;
use rtl_model::routers::sorting::radix::RadixRouter;
use workload::Workload;

/// How a machine is run.
#[derive(Clone, Copy)]
enum Mode {
    /// As a program.
    Advance(Instructions),
    /// Bit time by bit time, as it is described.
    Tick,
}

impl Mode {
    fn name(self) -> String {
        match self {
            Mode::Advance(instructions) => format!("advance, {}", instructions.name()),
            Mode::Tick => "tick".to_owned(),
        }
    }

    fn run<R: Workload, B: Lanes>(self, fabric: &mut Fabric<R, B>) {
        match self {
            Mode::Advance(instructions) => {
                let how = How {
                    instructions,
                    ..How::default()
                };
                fabric.advance(u64::MAX, &how).unwrap();
            }
            Mode::Tick => {
                while !fabric.is_done() {
                    fabric.tick().unwrap();
                }
            }
        }
    }
}

fn bench<R: Workload, B: Lanes>(group: &mut BenchmarkGroup<'_, WallTime>, k: usize, mode: Mode) {
    let mut fabric = Fabric::<R, B>::new(R::of(Dimensions::new(k).unwrap()).unwrap(), 1).unwrap();
    R::load(&mut fabric);
    // The program is made before anything is measured.
    Mode::Advance(Instructions::widest()).run(&mut fabric);
    group.throughput(Throughput::Elements(fabric.bit_time() << k));
    // What messages there are does not change what is done: it is begun anew without.
    let fabric = std::cell::RefCell::new(fabric);
    group.bench_function(BenchmarkId::new(mode.name(), k), |bencher| {
        bencher.iter_batched(
            || fabric.borrow_mut().restart(),
            |()| mode.run(&mut fabric.borrow_mut()),
            BatchSize::PerIteration,
        );
    });
}

fn router<R: Workload>(criterion: &mut Criterion, name: &str, modes: &[Mode]) {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    for &mode in modes {
        bench::<R, u64>(&mut group, 6, mode);
        bench::<R, Words<8>>(&mut group, 10, mode);
        bench::<R, Words<8>>(&mut group, 16, mode);
    }
    group.finish();
}

fn routers(criterion: &mut Criterion) {
    let widest = Mode::Advance(Instructions::widest());
    let portable = Mode::Advance(Instructions::Portable);
    let program: &[Mode] = match Instructions::widest() {
        Instructions::Portable => &[portable],
        _ => &[widest, portable],
    };
    router::<EnumerationRouter>(criterion, "enumeration", program);
    router::<PackingRouter>(criterion, "packing", program);
    router::<PlainRouter>(
        criterion,
        "kuszmaul/plain",
        &[program, &[Mode::Tick]].concat(),
    );
    router::<OverlappedRouter>(criterion, "kuszmaul/overlapped", program);
    router::<FoldedRouter>(criterion, "kuszmaul/folded", program);
    router::<SpreadRouter>(criterion, "kuszmaul/spread", program);
    router::<Radix4Router>(criterion, "kuszmaul/radix4", program);
    router::<BitonicRouter>(criterion, "bitonic", program);
    router::<RadixRouter>(criterion, "radix", program);
}

criterion_group!(benches, routers);
criterion_main!(benches);
