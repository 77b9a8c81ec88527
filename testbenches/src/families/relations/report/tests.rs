use rtl_model::machine::slots::SlotArrivals;

use super::*;
use crate::families::relations::testbench::{BATCHES, PROCESSORS, RELATIONS};
use crate::lockstep::Stimulus;
use crate::lockstep::simulation::{self, Run};
use crate::testbench::Testbench;
use crate::testbench::bench::asked;

/// What words choose of a testbench, in a small cube.
fn carrying(bench: &'static Testbench, words: &str, dims: usize) -> Carrying {
    let words = format!("{words} --dims {dims} --payload-bits 4 --load 0.8 --seed 3");
    Carrying::new(Job::new(&asked(bench, &words)).unwrap()).unwrap()
}

/// What a run of it gave, and what its nodes hold.
fn run(of: &Carrying) -> (Measurement, SlotArrivals) {
    let mut machine = of.device().build(1).unwrap();
    of.load(&mut *machine, &mut |_| Ok(())).unwrap();
    let live_bits = |after| of.live_bits(after);
    let measured = simulation::run(
        &mut *machine,
        Run::held_to(&live_bits),
        |_| Ok::<(), ()>(()),
    );
    let (slots, bits) = (of.job.slots, of.job.size.payload_bits);
    let arrived = SlotArrivals::read(&*machine, slots, bits).unwrap();
    (measured.unwrap(), arrived)
}

fn all() -> Vec<Carrying> {
    let each = [
        (&BATCHES, "--batches 3 --schedule spread"),
        (&BATCHES, "--batches 2 --schedule overlapped"),
        (&BATCHES, "--batches 2 --schedule radix4"),
        (&RELATIONS, "--h 3 --schedule counting"),
        (&RELATIONS, "--h 2 --schedule spread"),
        (&PROCESSORS, "--processors 3"),
    ];
    let carrying = |(bench, words)| carrying(bench, words, 3);
    each.into_iter().map(carrying).collect()
}

#[test]
fn what_is_right_passes_and_no_bit_is_lost_in_any_bit_time() {
    for of in all() {
        let (measurement, arrived) = run(&of);
        assert_eq!(measurement.not_conserved, None);
        assert_eq!(measurement.bit_times, of.device().bit_times().value);
        let verdict = verdict(&of, &measurement, &of.score(&arrived));
        assert!(verdict.told.checks.iter().all(|check| check.passed));
        assert!(verdict.messages > 0 && verdict.delivered == verdict.messages);
    }
}

/// Of the larger ones `radix4` has stages of two dimensions, one behind the other.
#[test]
fn a_program_measures_what_is_measured_bit_time_by_bit_time() {
    let larger = [
        (&BATCHES, "--batches 3 --schedule spread", 6),
        (&BATCHES, "--batches 3 --schedule overlapped", 6),
        (&BATCHES, "--batches 3 --schedule radix4", 8),
        (&RELATIONS, "--h 3 --schedule counting", 6),
    ];
    let larger = larger.map(|(bench, words, dims)| carrying(bench, words, dims));
    for of in all().into_iter().chain(larger) {
        let (ticked, _) = run(&of);
        let mut machine = of.device().build(1).unwrap();
        of.load(&mut *machine, &mut |_| Ok(())).unwrap();
        let live_bits = |after| of.live_bits(after);
        let advanced = simulation::advance(&mut *machine, Run::held_to(&live_bits)).unwrap();
        let measured = |of: &Measurement| {
            let peaks = (of.peak_bits_per_node, of.peak_messages_per_node);
            let steps = (of.loaded.clone(), of.steps.clone());
            let rest = (
                of.bit_times,
                of.driven_wire_bit_times,
                of.not_conserved.clone(),
            );
            (peaks, steps, rest)
        };
        assert!(ticked.peak_bits_per_node > 0 && ticked.peak_messages_per_node > 0);
        assert_eq!(measured(&ticked), measured(&advanced));
    }
}

#[test]
fn every_check_can_fail() {
    for of in all() {
        let (measurement, arrived) = run(&of);
        let score = of.score(&arrived);
        let failed = |measurement: &Measurement, score: &Score| -> Vec<&'static str> {
            let checks = verdict(&of, measurement, score).told.checks;
            let failed = checks.iter().filter(|check| !check.passed);
            failed.map(|check| check.name).collect()
        };
        let mut more = measurement.clone();
        more.storage.total += 1;
        let stages: &[&str] = if of.job.pipeline().is_some() {
            &["stages"]
        } else {
            &[]
        };
        assert_eq!(failed(&more, &score), stages);
        let mut more = measurement.clone();
        more.storage.serial_adders += 1;
        assert_eq!(failed(&more, &score), ["serial adders"]);
        for wrong in [
            Score {
                delivered: score.delivered - 1,
                ..score.clone()
            },
            Score {
                wrong: 1,
                ..score.clone()
            },
        ] {
            assert_eq!(failed(&measurement, &wrong), ["delivered"]);
        }
    }
}

/// A message that one node lacks, or holds in another slot than that of its batch, is missed.
#[test]
fn a_payload_that_differs_is_not_delivered() {
    for of in all() {
        let (_, mut arrived) = run(&of);
        let nodes = of.job.cube.nodes();
        let places = (0..nodes).flat_map(|node| (0..of.job.slots).map(move |slot| (node, slot)));
        let (node, slot) = (places.into_iter())
            .find(|(node, slot)| arrived.at(*node, *slot).is_some())
            .unwrap();
        let mut payload = arrived.at(node, slot).unwrap().to_bitvec();
        let bit = payload[3];
        payload.set(3, !bit);
        arrived.set(node, slot, &payload);
        let score = of.score(&arrived);
        assert_eq!((score.delivered, score.wrong), (score.messages - 1, 1));
    }
}

#[test]
fn a_wire_costs_as_much_as_the_paper_assumes() {
    assert!((cost(&[1, 2, 3, 4]) - 4.0).abs() < 1e-12);
    assert!((cost(&[1, 1, 1]) - 11.0 / 6.0).abs() < 1e-12);
}
