//! A machine that runs beside a dump with the same traffic: in every bit time, and after the last, everything in the dump is what the
//! machine says of itself.

use std::borrow::Cow;
use std::collections::HashSet;

use rtl_model::language::register::Name;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::{Labelled, Tap};
use testbenches::families;
use testbenches::lockstep::simulation::{self, Run};
use testbenches::testbench::bench::with_traffic;
use waves::probe::short_unit;

use crate::common::by_path::by_path;
use crate::common::sample::{Sampled, one};
use crate::suite::dumped::{Dumped, dumped};
use crate::suite::texts::of_node;
use crate::suite::waves::within;

/// Bits as a dump has them, the last one first.
fn as_shown(bits: impl IntoIterator<Item = bool>) -> String {
    let bits = bits.into_iter().map(|bit| if bit { '1' } else { '0' });
    let bits: Vec<char> = bits.collect();
    bits.into_iter().rev().collect()
}

/// All that is shown of the sequencer: registers, texts, and who drives which wire.
fn of_sequencer(dumped: &Dumped, machine: &dyn Lockstep) -> Vec<(String, String)> {
    let name = dumped.machine;
    let module = Name::Field("module");
    let mut shown = by_path(|visitor| machine.sequencer().visit(module, visitor));
    for (number, text) in machine.device().shown().texts.iter().enumerate() {
        let mut said = String::new();
        machine.append_text(number, &mut said);
        shown.push((text.name.to_owned(), said));
    }
    for (path, _) in &mut shown {
        *path = format!("{name}.sequencer.{path}");
    }
    let topology = machine.topology();
    let driven = (0..topology.links()).map(|wire| machine.driver(wire).is_some());
    shown.push((format!("{name}.driven"), as_shown(driven)));
    for Labelled {
        scope,
        name: label,
        wires,
    } in topology.labelled()
    {
        if let [Tap::Driven(wire)] = wires[..] {
            let user = machine.driver(wire).unwrap_or("");
            let user = short_unit(user, machine.device().steps().units);
            let place = format!("{scope}{label}")
                .replace("dim_", "")
                .replace("tx", "");
            shown.push((format!("{name}.user_{place}"), user));
        }
    }
    shown
}

/// All that is shown of a node: registers, wires, numbers, texts, and how much it holds after a bit time.
fn of_a_node(
    dumped: &Dumped,
    machine: &dyn Lockstep,
    (node, after): (usize, Option<Position>),
) -> Vec<(String, String)> {
    let mut shown = by_path(|visitor| machine.show_registers(node, visitor));
    for Labelled { scope, name, wires } in machine.topology().labelled() {
        let bits = wires.iter().map(|wire| machine.tapped(node, *wire));
        shown.push((format!("{scope}.{name}"), as_shown(bits)));
    }
    let (mut bits, mut first) = (Vec::new(), 0);
    machine.append_numbers(node, &mut bits);
    for number in machine.device().shown().numbers {
        let own = bits[first..first + number.width].iter().copied();
        shown.push((format!("numbers.{}", number.name), as_shown(own)));
        first += number.width;
    }
    for (number, told) in machine.device().shown().told.iter().enumerate() {
        let mut said = String::new();
        machine.append_told(node, number, &mut said);
        shown.push((format!("told.{}", told.name), said));
    }
    let occupied = machine.occupied_bits(node, after);
    for name in ["occupied_bits", "bits_to_send_on"] {
        shown.push((name.to_owned(), format!("{occupied:032b}")));
    }
    let absolute = |(path, value): (String, String)| (of_node(dumped, node, &path), value);
    shown.into_iter().map(absolute).collect()
}

/// Compares in a run with the same traffic; whether it is a machine in lockstep.
fn is_what_ran(dumped: &Dumped) -> bool {
    let job = (dumped.sampled.bench.job)(&dumped.sampled.chosen()).unwrap();
    if !job.machine().is_in_lockstep() {
        return false;
    }
    let stimulus = with_traffic(job).unwrap();
    let device = stimulus.device();
    let mut machine = device.build(1).unwrap();
    stimulus.load(&mut *machine, &mut |_| Ok(())).unwrap();
    let faults = stimulus.faults();
    let run = Run {
        faults: &faults,
        ..Run::held_to(&|_| None)
    };
    let dump = within(&dumped.dump, 0, dumped.end());
    let mut compared = HashSet::new();
    let mut after = None;
    let measured = simulation::run(&mut *machine, run, |machine| {
        let bit_time = machine.bit_time();
        let nodes = 0..machine.nodes();
        let of_nodes = nodes.flat_map(|node| of_a_node(dumped, machine, (node, after)));
        for (path, value) in of_sequencer(dumped, machine).into_iter().chain(of_nodes) {
            // Of some machines nobody counts what nodes hold, or tells who drives a wire.
            let Some(values) = dump.get(path.as_str()) else {
                continue;
            };
            let mut shown = Cow::Borrowed(values[bit_time as usize]);
            if shown.contains('\\') {
                shown = shown.replace("\\040", " ").into();
            }
            assert_eq!(
                shown,
                value,
                "{}: {path} in bit time {bit_time}",
                dumped.name()
            );
            compared.insert(path);
        }
        after = Some(machine.position());
        Ok::<(), ()>(())
    });
    assert_eq!(measured.unwrap().bit_times, dumped.report.bit_times);
    // What is left is known of messages alone, or from the step.
    let is_of_machine = |path: &&&str| {
        let of_messages = [
            ".followed.",
            "message",
            ".clk",
            ".about",
            ".colours",
            ".names",
            ".in_words",
            ".step",
            ".step_name",
        ];
        !of_messages.iter().any(|ending| path.contains(ending))
    };
    let left = dump.keys().filter(|path| !compared.contains(**path));
    let left: Vec<_> = left.filter(is_of_machine).collect();
    assert!(left.is_empty(), "{}: {left:?}", dumped.name());
    true
}

/// What works beside others in every bit time is held by tests of its own.
#[test]
fn a_dump_is_what_ran() {
    let of_choices = dumped().iter();
    let of_choices = of_choices.filter(|dumped| dumped.sampled.is_of_choice());
    let seen = of_choices.filter(|dumped| is_what_ran(dumped)).count();
    assert!(seen > 80, "{seen}");
}

/// Nodes in more than one word: of a router that is sequenced, and of what is arranged beforehand.
#[test]
fn a_dump_of_many_nodes_is_what_ran() {
    are_what_ran(&[
        ("kuszmaul", "--dims 7 --payload-bits 2"),
        ("inversion", "--dims 7 --message-bits 7"),
    ]);
}

#[test]
#[ignore = "long: further routers"]
fn dumps_of_many_nodes_of_further_routers_are_what_ran() {
    are_what_ran(&[
        ("kuszmaul", "--dims 7 --payload-bits 2 --schedule radix4"),
        ("bitonic", "--dims 7 --payload-bits 2"),
    ]);
}

fn are_what_ran(runs: &[(&str, &str)]) {
    for (bench, words) in runs {
        let sampled: &'static Sampled = one(families::testbench(bench).unwrap(), words);
        assert!(is_what_ran(&Dumped::of(sampled)), "{words}");
    }
}
