//! What the meters cost beside what they measure: a whole run of schedule `plain`, without and with them.
//! `cargo bench -p cubewave-rtl-model --bench meters`.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rtl_model::language::lanes::Words;
use rtl_model::machine::arrivals;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::router::{Position, Router};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

type Lane = Words<8>;
type Cube = Fabric<PlainRouter, Lane>;

/// A machine in which every node sends, to itself with its bits inverted.
fn loaded(router: PlainRouter) -> Cube {
    let mut fabric = Cube::new(router, 1).expect("a small machine fits");
    let cube = router.dimensions();
    let traffic = Traffic::drawn(cube, 24, Pattern::Bitcomp, 1.0, 1).expect("in range");
    arrivals::load(&mut fabric, &[traffic]).expect("a router of messages");
    fabric.node_groups();
    fabric
}

fn run(mut fabric: Cube, mut measure: impl FnMut(&Cube, Position)) -> Cube {
    while !fabric.is_done() {
        let position = fabric.position();
        fabric.tick().expect("one driver a wire");
        measure(&fabric, position);
    }
    fabric
}

fn meters(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kuszmaul_plain");
    for k in [10, 14] {
        let dimensions = Dimensions::new(k).expect("in range");
        let router = PlainRouter::new(dimensions, 24).expect("in range");
        let registers = router.storage_bits().value as usize;
        group.bench_function(format!("k{k} ticks"), |bencher| {
            bencher.iter_batched(
                || loaded(router),
                |fabric| run(fabric, |_, _| ()),
                BatchSize::LargeInput,
            );
        });
        group.bench_function(format!("k{k} ticks and meters"), |bencher| {
            let (mut bits, mut stored) = (Tally::<Lane>::new(registers), Tally::new(registers));
            let mut all = Tally::new(u32::MAX as usize);
            let mut peaks = (0, 0);
            let mut measure = |fabric: &Cube, position| {
                let after = Some(position);
                all.clear();
                for node in fabric.node_groups() {
                    bits.clear();
                    stored.clear();
                    router.occupancy(node, after, &mut |flag, count| bits.add(flag, count));
                    router.messages(node, after, &mut |flag| stored.add(flag, 1));
                    all.add_all(&bits);
                    peaks.0 = bits.largest_or(peaks.0);
                    peaks.1 = stored.largest_or(peaks.1);
                }
                black_box(all.sum());
            };
            bencher.iter_batched(
                || loaded(router),
                |fabric| run(fabric, &mut measure),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, meters);
criterion_main!(benches);
