//! Parts by themselves, 512 nodes of each at once: node-bit-times a second. Of a meter, additions.
//! `cargo bench -p cubewave-rtl-model --bench parts`
#![allow(missing_docs, reason = "criterion's macros document nothing")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rtl_model::language::bit::Bit;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::meter::Tally;
use rtl_model::parts::dimensions::Neighbours;
use rtl_model::parts::scan_stage::{Counts, ScanStage};
use rtl_model::parts::serial_adder::SerialAdder;
use rtl_model::parts::shift_register::ShiftRegister;
use rtl_model::parts::switch_stage::{Incoming, SwitchStage};

type Lane = Words<8>;

/// Bit times of one go.
const BIT_TIMES: usize = 64;
/// Flip-flops of a shift register, and the largest sum of a meter.
const WIDTH: usize = 24;
const LARGEST: usize = 64;

/// Streams of bits that come in, different in every node and bit time.
fn streams() -> Vec<[Lane; 2]> {
    let mut state = 1u64;
    let mut lane = || {
        let mut lane = Lane::ZERO;
        for word in 0..Lane::WORDS {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            lane.set_word(word, mixed ^ mixed >> 27);
        }
        lane
    };
    (0..BIT_TIMES).map(|_| [lane(), lane()]).collect()
}

fn parts(criterion: &mut Criterion) {
    let streams = streams();
    let mut group = criterion.benchmark_group("parts");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500))
        .throughput(Throughput::Elements((BIT_TIMES * Lane::NODES) as u64));
    let own = Lane::place_bit(3);

    group.bench_function("serial adder", |bencher| {
        let mut adder = SerialAdder::<Lane>::new();
        bencher.iter(|| {
            for &[a, b] in black_box(&streams) {
                black_box(adder.sum(a, b));
                adder.clock(a, b);
            }
        });
    });
    group.bench_function("scan stage", |bencher| {
        let neighbours = Neighbours {
            is_fed: true,
            feeds: true,
        };
        let mut stage = ScanStage::<Lane>::new(neighbours, true);
        bencher.iter(|| {
            for &[total, received] in black_box(&streams) {
                let input = Counts {
                    total,
                    offset: total & own,
                };
                stage.clock(input, own, received);
                black_box(stage.output());
            }
        });
    });
    group.bench_function("switch stage", |bencher| {
        let mut stage = SwitchStage::<Lane>::new(true, true);
        bencher.iter(|| {
            for (bit_time, &[bit, received]) in black_box(&streams).iter().enumerate() {
                let decide = bit_time == 0;
                let incoming = Incoming {
                    valid: stage.valid(),
                    bit,
                };
                black_box(stage.transmit(decide, incoming, own));
                stage.pass(decide, incoming, own, received);
                if decide {
                    stage.arm(bit);
                }
            }
        });
    });
    group.bench_function("shift register of 24 bits", |bencher| {
        let mut register = ShiftRegister::<Lane>::new(WIDTH);
        bencher.iter(|| {
            for &[bit, _] in black_box(&streams) {
                register.shift_in(bit);
                black_box(register.head());
            }
        });
    });
    group.bench_function("meter, sums up to 64", |bencher| {
        let mut tally = Tally::<Lane>::new(LARGEST);
        bencher.iter(|| {
            tally.clear();
            for &[flag, _] in black_box(&streams) {
                tally.add(flag, 1);
            }
            black_box(tally.largest())
        });
    });
    group.finish();
}

criterion_group!(benches, parts);
criterion_main!(benches);
