//! When a stage does what, held against the sequential machine.

use std::sync::Arc;

use super::*;
use crate::language::lines::Lines;
use crate::language::strobes::Strobes;
use crate::machine::router::Sequencer;
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::batches::sequencer::{BatchSequencer, BatchStrobes};
use crate::routers::kuszmaul::batches::stage::LEAD;
use crate::routers::kuszmaul::batches::{Plan, interval};
use crate::routers::kuszmaul::held::{HeldSequencer, HeldStrobes};

pub(super) fn size(dimensions: usize, payload_bits: usize) -> Size {
    Size {
        dimensions,
        payload_bits,
    }
}

/// What stages hear, bit time by bit time, of batches that follow one another as closely as they can.
pub(super) fn broadcasts(size: Size, batches: usize) -> Vec<Vec<OverlappedStageStrobes<bool>>> {
    let plan = Arc::new(Plan::<Overlapped>::new(size, batches, None));
    let mut sequencer = BatchSequencer::<Overlapped, bool>::new(plan);
    let mut strobes = BatchStrobes::idle();
    let mut heard = Vec::new();
    while !sequencer.is_done() {
        sequencer.broadcast(&mut strobes);
        let stages = strobes.stages.iter().map(|(_, stage)| stage.clone());
        heard.push(stages.collect());
        sequencer.clock();
    }
    heard
}

fn on(lines: &Lines<bool>) -> Vec<usize> {
    lines.iter().map(|(number, _)| number).collect()
}

/// Stage `i` does in each bit time what the nodes of the sequential machine do in iteration `i`.
#[test]
fn a_stage_hears_what_an_iteration_of_the_sequential_machine_does() {
    for k in 1..=7 {
        for payload_bits in [1, 2, 3, k, 3 * k, 30] {
            let size = size(k, payload_bits);
            let plan = Plan::<Overlapped>::new(size, 1, None);
            let stages = broadcasts(size, 1);
            let mut sequential = HeldSequencer::<bool>::new(size, RowOrder::Ascending);
            let mut held = HeldStrobes::idle();
            for &(extent, begins) in &plan.stages {
                let (m, length) = sizes(extent);
                let bit_times = if m > 0 { 5 * m + 2 * length } else { length } + 1;
                for t in 0..bit_times as usize {
                    sequential.broadcast(&mut held);
                    let stage = &stages[begins + t][extent.stage];
                    let (crossing, settling) = (&stage.crossing, &stage.settling);
                    let lines = [
                        (&held.exchange, &crossing.exchange),
                        (&held.enumerator.drive, &settling.enumerator.drive),
                        (&held.enumerator.add, &settling.enumerator.add),
                        (&held.packer.decide, &settling.packer.decide),
                        (&held.packer.pass, &settling.packer.pass),
                        (&held.packer.deliver, &settling.packer.deliver),
                        (&held.circuits.hold, &settling.circuits.hold),
                        (&held.circuits.admit, &settling.circuits.admit),
                        (&held.circuits.pass, &settling.circuits.pass),
                        (&held.circuits.deliver, &settling.circuits.deliver),
                    ];
                    for (number, (sequential, pipelined)) in lines.into_iter().enumerate() {
                        assert_eq!(on(sequential), on(pipelined), "{number}: {extent:?} {t}");
                    }
                    let second = &settling.second;
                    let strobes = [
                        (held.exchange_decide, crossing.decide),
                        (held.second_shift, second.shift),
                        (held.second_arrival, second.arrival),
                        (held.returns, settling.returns),
                        (held.first.arrival, m > 0 && settling.announce),
                        (held.enumerator.rank_fill, settling.enumerator.rank_fill),
                    ];
                    for (number, (sequential, pipelined)) in strobes.into_iter().enumerate() {
                        assert_eq!(sequential, pipelined, "{number}: {extent:?} {t}");
                    }
                    sequential.clock();
                }
            }
            assert!(sequential.is_done());
        }
    }
}

/// Stage 0 is through with a batch in the bit time in which the next one begins, and stages behind it before that.
#[test]
fn a_batch_leaves_a_stage_when_the_next_one_comes() {
    for k in 2..=16 {
        for payload_bits in [1, 2, k, 40] {
            let plan = Plan::<Overlapped>::new(size(k, payload_bits), 1, None);
            for &(extent, _) in &plan.stages {
                let claims = Overlapped::claims(extent);
                let ends = claims.iter().map(|claim| claim.window.to).max().unwrap();
                let earlier = match extent.free_dimensions() {
                    0 => 7 * (k - 1) + payload_bits,
                    _ => 7 * extent.stage,
                };
                assert_eq!(ends as usize, plan.interval - earlier, "{extent:?}");
            }
        }
    }
}

/// However far apart batches are.
#[test]
fn a_batch_that_is_alone_is_not_in_its_own_way() {
    for k in 1..=12 {
        for payload_bits in [1, 2, k, 40] {
            let plan = Plan::<Overlapped>::new(size(k, payload_bits), 1, Some(1 << 20));
            for &(extent, _) in &plan.stages {
                let conflict = interval::conflict(&Overlapped::claims(extent), plan.interval);
                assert_eq!(conflict, None, "{extent:?}");
            }
        }
    }
}

#[test]
fn steps_begin_with_the_first_wire_that_they_use() {
    for (k, payload_bits) in [(1, 3), (2, 1), (5, 2), (6, 20)] {
        let plan = Plan::<Overlapped>::new(size(k, payload_bits), 1, None);
        for &(extent, _) in &plan.stages {
            let steps = Overlapped::steps(extent);
            let begins: Vec<i64> = steps.iter().map(|(_, from)| *from).collect();
            assert!(begins.is_sorted());
            let claims = Overlapped::claims(extent);
            // Behind the exchange's, five of each wire: first of those of one kind is the earliest.
            let (exchange, of_rows) = claims.split_at(1);
            let kinds = 0..of_rows.len().min(5);
            let earliest = kinds.map(|kind| of_rows[kind..].iter().step_by(5));
            let mut first: Vec<i64> = std::iter::once(exchange.iter().step_by(1))
                .chain(earliest)
                .filter_map(|claims| claims.map(|claim| claim.window.from).min())
                .collect();
            first.sort_unstable();
            assert_eq!(begins, first, "{extent:?}");
        }
    }
}

#[test]
fn the_latency_is_the_sum_over_the_stages() {
    for k in 1..=12 {
        for payload_bits in [1, 2, 7, 40] {
            let size = size(k, payload_bits);
            let before: usize = (1..k).map(|m| 6 * m + payload_bits + LEAD).sum();
            let latency = Overlapped::latency(size).value;
            assert_eq!(latency as usize, before + payload_bits + 1);
        }
    }
}
