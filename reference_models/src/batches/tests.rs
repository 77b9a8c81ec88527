//! Closed forms are what the judge finds, batches arrive, and the judge objects to what is wrong.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use super::windows::{Window, comes_at, windows};
use super::wires::{enough_batches, judge, smallest_interval};
use super::{Schedule, Violation, bit_times, bit_times_passed_on, interval, route};
use crate::relations;

const WITH_WINDOWS: [Schedule; 2] = [Schedule::Overlapped, Schedule::Spread];

fn payloads(k: usize) -> [usize; 6] {
    [1, 2, 5, k, 2 * k + 1, 40]
}

#[test]
fn the_closed_form_of_the_interval_is_the_smallest_that_the_judge_lets_pass() {
    for schedule in WITH_WINDOWS {
        for k in 1..=9 {
            for payload_bits in payloads(k) {
                let what = format!("{schedule:?} k={k} D={payload_bits}");
                let stages = windows(schedule, k, payload_bits).unwrap();
                assert_eq!(
                    interval(schedule, k, payload_bits),
                    smallest_interval(&stages),
                    "{what}"
                );
            }
        }
    }
}

/// An iteration is over when a whole message can follow: the times of a batch that is alone are sums over
/// iterations, of the schedule's own or of those until messages go on.
#[test]
fn closed_forms_of_bit_times_are_sums_over_iterations() {
    for schedule in WITH_WINDOWS {
        for k in 1..=12 {
            for payload_bits in payloads(k) {
                let (mut alone, mut passed_on) = (payload_bits + 1, payload_bits + 1);
                for m in 1..k {
                    alone += match schedule {
                        Schedule::Overlapped => 7 * m + 2 * payload_bits + 1,
                        _ => 3 * m + payload_bits + 1,
                    };
                    passed_on += comes_at(schedule, m, payload_bits).unwrap() + 2;
                }
                let further = interval(schedule, k, payload_bits).unwrap();
                for batches in [1, 2, 7] {
                    let behind = (batches - 1) * further;
                    let whole = bit_times(schedule, k, payload_bits, batches);
                    assert_eq!(whole, Some(alone + behind), "{schedule:?} {k}");
                    let early = bit_times_passed_on(schedule, k, payload_bits, batches);
                    assert_eq!(early, Some(passed_on + behind), "{schedule:?} {k}");
                    assert!(early <= whole);
                }
            }
        }
    }
    assert_eq!(bit_times(Schedule::Radix4, 4, 4, 2), None);
    assert_eq!(bit_times_passed_on(Schedule::Radix4, 4, 4, 2), None);
    assert_eq!(interval(Schedule::Radix4, 4, 4), None);
    assert_eq!(windows(Schedule::Radix4, 4, 4), None);
}

/// The last wire's valid bit is the beginning of the last window of all iterations that end in a packing.
#[test]
fn valid_bits_come_when_the_last_window_begins() {
    for schedule in WITH_WINDOWS {
        for k in 2..=8 {
            for (iteration, stage) in windows(schedule, k, 3).unwrap().iter().enumerate() {
                let m = k - 1 - iteration;
                let begins = stage.iter().map(|window| window.from).max().unwrap();
                let expected = match m {
                    0 => 0,
                    _ => comes_at(schedule, m, 3).unwrap(),
                };
                assert_eq!(begins, expected as i64, "{schedule:?} {k} {iteration}");
            }
        }
    }
}

/// Passes of a relation follow one another as batches do in the stage of their iteration.
#[test]
fn passes_of_a_relation_are_as_close_as_wires_let_them() {
    for k in 1..=9 {
        for payload_bits in payloads(k) {
            let all = windows(Schedule::Spread, k, payload_bits).unwrap();
            for h in 1..=5 {
                let mut sum = 0;
                for (iteration, stage) in all.iter().enumerate() {
                    let m = k - 1 - iteration;
                    let of_iteration = relations::bit_times_of_iteration(m, payload_bits, h);
                    let behind = smallest_interval(std::slice::from_ref(stage)).unwrap();
                    let alone = relations::bit_times_of_iteration(m, payload_bits, 1);
                    assert_eq!(of_iteration, (h - 1) * behind + alone);
                    sum += of_iteration;
                }
                assert_eq!(relations::bit_times(k, payload_bits, h), sum);
                if h == 1 {
                    assert_eq!(bit_times(Schedule::Spread, k, payload_bits, 1), Some(sum));
                }
            }
        }
    }
}

#[test]
fn a_quadratic_hypercube_has_wires_for_all_iterations_and_no_more() {
    for schedule in WITH_WINDOWS {
        for k in 1..=6 {
            let mut stages = windows(schedule, k, 3).unwrap();
            for dimension in 0..k {
                let uses = |stage: &&Vec<Window>| {
                    let mut windows = stage.iter();
                    windows.any(|window| window.dimension == dimension)
                };
                assert_eq!(stages.iter().filter(uses).count(), dimension + 1);
            }
            stages.push(stages[k - 1].clone());
            assert_eq!(
                judge(&stages, 1, 1),
                Err(Violation::TooManyWires {
                    dimension: k - 1,
                    wires: k + 1,
                })
            );
        }
    }
}

#[test]
fn the_judge_names_the_first_bit_time_in_which_a_wire_is_taken() {
    let window = |dimension, from, to| Window {
        dimension,
        from,
        to,
        every: 1,
    };
    // The second of two short windows falls into the long one of the batch before.
    let stages = [vec![window(0, -2, 0), window(0, 10, 13)]];
    assert_eq!(judge(&stages, 8, 9), Ok(()));
    assert_eq!(
        judge(&stages, 10, 2),
        Err(Violation::WireTaken {
            stage: 0,
            dimension: 0,
            bit_time: 10,
            batches: [0, 1],
        })
    );
    let refused = judge(&stages, 10, 2).unwrap_err().to_string();
    assert!(
        refused.contains("stage 0, dimension 0, bit time 10: batches 0 and 1"),
        "{refused}"
    );
    // Two batches are not enough to see it.
    assert_eq!(judge(&stages, 5, 2), Ok(()));
    assert_eq!(enough_batches(&stages, 5), 4);
    assert!(judge(&stages, 5, 4).is_err());
    // The second begins as the first ends.
    assert_eq!(enough_batches(&stages, 15), 2);
    assert_eq!(enough_batches(&stages, 16), 1);
    assert_eq!(smallest_interval(&stages), Some(8));
    // Another dimension, and another stage, is another wire; an empty window takes none.
    let apart = [
        vec![window(0, 0, 3), window(1, 0, 3), window(0, 1, 0)],
        vec![window(1, 0, 3)],
    ];
    assert_eq!(smallest_interval(&apart), Some(4));
    assert_eq!(smallest_interval(&[Vec::new()]), Some(1));
    // Every second bit time of each, so that one batch can go between the bits of another.
    let every_second = [vec![Window {
        every: 2,
        ..window(0, 0, 4)
    }]];
    assert_eq!(judge(&every_second, 1, 2), Ok(()));
    assert!(judge(&every_second, 1, 3).is_err());
    assert_eq!(smallest_interval(&every_second), Some(3));
    let twice = [vec![window(0, 0, 3), window(0, 3, 4)]];
    assert_eq!(smallest_interval(&twice), None);
}

#[test]
fn each_batch_goes_its_own_way() {
    let cube = Dimensions::new(2).unwrap();
    let messages = |pairs: &[(usize, usize)]| -> Vec<Message> {
        let pairs = pairs.iter();
        pairs
            .map(|&(source, destination)| Message {
                source,
                destination,
            })
            .collect()
    };
    let batches = [
        messages(&[(0, 3), (1, 0), (2, 2), (3, 1)]),
        messages(&[]),
        messages(&[(1, 3), (3, 0)]),
    ];
    for schedule in [Schedule::Overlapped, Schedule::Spread, Schedule::Radix4] {
        assert_eq!(
            route(schedule, cube, 5, &batches).unwrap(),
            [
                vec![Some(1), Some(3), Some(2), Some(0)],
                vec![None; 4],
                vec![Some(1), None, None, Some(0)],
            ]
        );
        // Two messages for one node are no partial permutation.
        let wrong = [batches[2].clone(), messages(&[(0, 3), (1, 3)])];
        let violation = route(schedule, cube, 5, &wrong).unwrap_err();
        let text = violation.to_string();
        assert!(text.starts_with("batch 1: "), "{text}");
    }
}
