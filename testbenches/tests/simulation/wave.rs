//! Steps, units and batches in dumps. What holds of the dumps and views of all testbenches is in the suite.

mod batches;

use crate::common::dump::{Dump, options};
use crate::common::on_each_schedule;
use testbenches::families::kuszmaul;
use testbenches::lockstep::Schedule;

/// k=3, D=2: where steps overlap, a bit time is that of the step that began last.
#[test]
fn steps_that_overlap_show_in_the_order_in_which_they_begin() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let options = options(3, 2, 0.5, &path).on(Some("overlapped"));
    let report = options.run(&kuszmaul::BENCH);
    let dump = Dump::read(&path);
    let names = dump.by_bit_time("cube.sequencer.step_name", 0, report.bit_times + 1);
    let mut lengths: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match lengths.last_mut() {
            Some((last, length)) if *last == name => *length += 1,
            _ => lengths.push((name, 1)),
        }
    }
    let steps = [
        "1_cross",
        "4_enumerate_empties",
        "2_enumerate_twos",
        "5_set_circuits",
        "3_pack_messages",
        "6_return",
    ];
    let expected: Vec<(&str, usize)> = (steps.into_iter().zip([1, 2, 1, 2, 7, 6]))
        .chain(steps.into_iter().zip([1, 1, 1, 1, 4, 4]))
        .chain([("1_cross", 3), ("done", 1)])
        .collect();
    assert_eq!(lengths, expected);
    // The wire of dimension 2, while the steps run: stage 2 of iteration 0.
    let users = dump.by_bit_time("cube.user_2", 0, 19);
    let runs = |unit: &'static str, bit_times: usize| vec![unit; bit_times];
    let expected = [
        runs("", 2),
        runs("en", 4),
        runs("pa", 1),
        runs("", 1),
        runs("pa", 5),
        runs("", 0),
        runs("ci", 5),
        runs("", 1),
    ]
    .concat();
    assert_eq!(users, expected);
}

/// The width of `user_<d>` is declared beforehand: a schedule names all units that drive its wires, and no others.
fn the_units_are_those_that_drive_wires(schedule: Schedule) {
    let mut seen: Vec<&str> = Vec::new();
    for k in 1..=8 {
        let mut machine = crate::common::device(schedule, k, 5).build(1).unwrap();
        while !machine.is_done() {
            machine.transmit().unwrap();
            seen.extend((0..k).filter_map(|dimension| machine.driver(dimension)));
            seen.sort_unstable();
            seen.dedup();
            machine.clock();
        }
    }
    let mut units = crate::common::device(schedule, 1, 5).steps().units.to_vec();
    units.sort_unstable();
    assert_eq!(seen, units, "{}", schedule.name());
}

on_each_schedule!(the_units_are_those_that_drive_wires);
