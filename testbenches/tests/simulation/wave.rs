//! The dump that a run writes, read back through another library: it is what ran, register by register;
//! its axis, clock and step names are as promised. What holds of the dumps and views of all testbenches is in the suite.

mod names;
mod relations;

use std::collections::HashMap;

use crate::common::by_path::by_path;
use crate::common::dump::{Dump, TICKS_PER_BIT_TIME, options};
use crate::common::on_each_schedule;
use rtl_model::language::register::Name;
use testbenches::families::kuszmaul;
use testbenches::families::testbench;
use testbenches::lockstep::Schedule;

#[test]
fn the_axis_the_clock_and_the_step_names_are_as_promised() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let report = options(3, 2, 0.5, &path).run(&kuszmaul::BENCH);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("$timescale 100 ps $end"));
    // The bit time after the last shows what the run leaves.
    let end = (report.bit_times + 1) * TICKS_PER_BIT_TIME;
    assert!(text.ends_with(&format!("#{end}\n")));

    let dump = Dump::read(&path);
    assert_eq!(dump.ticks.last(), Some(&end));
    let clock: Vec<(u64, String)> = (0..2 * (report.bit_times + 1))
        .map(|half| (half * TICKS_PER_BIT_TIME / 2, (1 - half % 2).to_string()))
        .collect();
    assert_eq!(dump.signals["cube.clk"], clock);

    // k=3, D=2: the steps of iteration 0 take 5, 3, 7, 3, 5, 7 bit times, those of iteration 1 take
    // 4, 1, 4, 1, 2, 4, the last 3.
    let names = dump.by_bit_time("cube.sequencer.step_name", 0, report.bit_times + 1);
    let mut lengths: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match lengths.last_mut() {
            Some((last, length)) if *last == name => *length += 1,
            _ => lengths.push((name, 1)),
        }
    }
    let steps = |lengths: [usize; 6]| {
        [
            "1_cross",
            "2_enumerate_twos",
            "3_pack_messages",
            "4_enumerate_empties",
            "5_pack_addresses",
            "6_rendezvous",
        ]
        .into_iter()
        .zip(lengths)
    };
    let expected: Vec<(&str, usize)> = steps([5, 3, 7, 3, 5, 7])
        .chain(steps([4, 1, 4, 1, 2, 4]))
        .chain([("1_cross", 3), ("done", 1)])
        .collect();
    assert_eq!(lengths, expected);
}
/// The same run again beside the dump: every register of the traced nodes and of the sequencer, how
/// much a node holds, and which wires are driven, in every bit time and after the last.
fn the_dump_is_what_ran(schedule: Schedule, k: usize, nodes: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let list: Vec<String> = nodes.iter().map(usize::to_string).collect();
    let load = crate::common::served_loads(schedule, &[0.8, 1.0])[0];
    let mut options = options(k, 5, load, &path).on(Some(schedule.name()));
    options.trace_nodes = Some(list.join(","));
    let report = options.run(testbench(schedule.bench).unwrap());
    let dump = Dump::read(&path);
    let until = report.bit_times + 1;
    let wave: HashMap<&str, Vec<&str>> = dump
        .signals
        .keys()
        .map(|path| (path.as_str(), dump.by_bit_time(path, 0, until)))
        .collect();

    let traffic = options.setup.traffic(testbench(schedule.bench).unwrap());
    let device = crate::common::device(schedule, k, 5);
    let mut fabric = crate::common::loaded(&*device, &traffic);
    let steps = device.steps();
    let mut after = None;
    for bit_time in 0..until {
        fabric.transmit().unwrap();
        let value = |path: String| wave[path.as_str()][bit_time as usize];
        for (path, expected) in
            by_path(|reading| fabric.sequencer().visit(Name::Field("module"), reading))
        {
            assert_eq!(value(format!("cube.sequencer.{path}")), expected, "{path}");
        }
        let driven: String = (0..k)
            .rev()
            .map(|dimension| {
                if fabric.driver(dimension).is_some() {
                    '1'
                } else {
                    '0'
                }
            })
            .collect();
        assert_eq!(value("cube.driven".to_owned()), driven);
        if steps.overlap {
            for dimension in 0..k {
                let user = fabric.driver(dimension).unwrap_or("");
                let user = waves::probe::short_unit(user, steps.units);
                assert_eq!(value(format!("cube.user_{dimension}")), user);
            }
            let step = fabric.position().step;
            let code = usize::from_str_radix(value("cube.sequencer.step".to_owned()), 2);
            assert_eq!(code, Ok(step as usize));
            let name = value("cube.sequencer.step_name".to_owned());
            assert_eq!(name, steps.names[step as usize]);
        }
        for &node in nodes {
            for (path, expected) in by_path(|reading| fabric.show_registers(node, reading)) {
                let path = format!("cube.node_{node}.{path}");
                assert_eq!(
                    value(path.clone()),
                    expected,
                    "{path} in bit time {bit_time}"
                );
            }
            let occupied = fabric.occupied_bits(node, after);
            let path = format!("cube.node_{node}.occupied_bits");
            assert_eq!(value(path), format!("{occupied:032b}"));
        }
        after = Some(fabric.position());
        if !fabric.is_done() {
            fabric.clock();
        }
    }
    assert!(fabric.is_done());
}

fn every_register_in_the_dump_is_the_one_that_ran(schedule: Schedule) {
    the_dump_is_what_ran(schedule, 3, &[0, 1, 2, 3, 4, 5, 6, 7]);
    the_dump_is_what_ran(schedule, 6, &[63, 0, 17]);
    the_dump_is_what_ran(schedule, 7, &[3, 64, 127]);
    the_dump_is_what_ran(schedule, 10, &[5, 511, 512, 1000]);
}
on_each_schedule!(
    every_register_in_the_dump_is_the_one_that_ran,
    the_units_are_those_that_drive_wires
);

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

#[test]
fn groups_lanes_and_the_greedy_end_are_told_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    options(6, 1, 1.0, &path)
        .on(Some("radix4"))
        .run(&kuszmaul::BENCH);
    let text = std::fs::read_to_string(&path).unwrap();
    for name in ["ex", "en", "co", "pa0", "pa1", "gr0", "gr1", "gr"] {
        assert!(text.contains(&format!("s{name} ")), "{name}");
    }
    let dump = Dump::read(&path);
    assert!(dump.signals.contains_key("cube.sequencer.group"));
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
