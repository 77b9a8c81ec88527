//! Verilator has nothing to say of what is written, and Yosys finds a whole network and the storage that is told, of which
//! nothing is constant or stands there twice. Needs both; without them it fails.

use std::collections::BTreeMap;

use rayon::prelude::*;
use testbenches::families::kuszmaul;
use testbenches::families::reduced_hypercube::REDUCE;

use crate::common::synthesis::{cells, yosys};
use crate::common::verilog::{Machine, replace, text, tool};
use crate::suite::{Exported, smallest};

fn exported() -> Vec<Exported> {
    let all = smallest().into_par_iter();
    all.map(|chosen| Exported::of(&chosen, 1)).collect()
}

/// What is no comment in a file: those name the algorithm, where several have the same machine. No tool takes orders from them.
fn code(exported: &Exported, file: &str) -> String {
    let file = exported.read(file);
    assert!(!file.contains("verilator"), "{}", exported.name);
    let lines = file.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn verilator_has_nothing_to_say() {
    let all = exported();
    let machine = |exported: &Exported| {
        let files = exported.machine_files().into_iter();
        files.map(|file| code(exported, file)).collect::<String>()
    };
    let machines: BTreeMap<String, &Exported> = all.iter().map(|one| (machine(one), one)).collect();
    assert!(machines.len() > 70, "{}", machines.len());
    machines.par_iter().for_each(|(_, exported)| {
        let files = exported.machine_files().join(" ");
        let network = exported.network_file().trim_end_matches(".v");
        let lint = format!("--lint-only -Wall --top-module {network} {files}");
        let lint = tool(exported.path(), "verilator", &lint);
        let (name, said) = (&exported.name, text(&lint.stderr));
        assert!(lint.status.success() && said.is_empty(), "{name}: {said}");
    });
}

/// Makes the address of a node a port, so that no register follows from it.
fn address_is_a_port(exported: &Exported) {
    let node = exported.read("node.v");
    let (_, rest) = node.split_once("#(\n  parameter ").unwrap();
    let (parameter, _) = rest.split_once("\n) (").unwrap();
    let (range, _) = parameter.split_once(" ADDRESS").unwrap();
    let is = format!("#(\n  parameter {parameter}\n) (");
    let port = format!("(\n  input wire {range} ADDRESS,");
    replace(exported.path(), "node.v", &is, &port);
}

/// Bits of a register as a module declares it; none where it is no register.
fn declared(module: &str, name: &str) -> Option<usize> {
    let registers = module
        .lines()
        .filter_map(|line| line.trim().strip_prefix("reg "));
    let mut registers = registers.filter_map(|line| line.split_once(';'));
    let (register, _) = registers.find(|(line, _)| line.split(' ').next_back() == Some(name))?;
    let Some((most, _)) = register
        .strip_prefix('[')
        .and_then(|range| range.split_once(':'))
    else {
        return Some(1);
    };
    Some(most.parse::<usize>().unwrap() + 1)
}

/// Bits of registers that a module says nothing reads: synthesis leaves them out.
fn unread(module: &str) -> usize {
    let listed = module.split("wire unused = &{1'b0, ").nth(1);
    let listed = listed
        .and_then(|rest| rest.split(';').next())
        .unwrap_or_default();
    let names = listed
        .split(',')
        .map(|name| name.trim_matches(['{', '}', ' ', '\n']));
    let bits = names.map(|name| match name.split_once('[') {
        None => declared(module, name).unwrap_or(0),
        Some((register, place)) => match (declared(module, register), place.split_once(':')) {
            (None, _) => 0,
            (Some(_), None) => 1,
            (Some(_), Some((most, least))) => {
                let number = |text: &str| text.trim_end_matches(']').parse::<usize>().unwrap();
                number(most) + 1 - number(least)
            }
        },
    });
    bits.sum()
}

/// A module as Yosys reads it, and the flip-flops that it is to have.
struct Due<'e> {
    exported: &'e Exported,
    module: &'static str,
    flip_flops: usize,
}

/// Modules that are alike have as many as is told of each.
fn have(alike: &[Due<'_>]) {
    let Due {
        exported, module, ..
    } = alike[0];
    let script = format!("read_verilog {module}.v; synth -flatten -top {module}; check -assert");
    let stat = yosys(exported.path(), &script);
    let found = (cells(&stat, "DFF"), cells(&stat, "LATCH"));
    for due in alike {
        let name = &due.exported.name;
        assert_eq!(found, (due.flip_flops, 0), "{name}: {module}\n{stat}");
    }
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    let exported = exported();
    let mut alike: BTreeMap<String, Vec<Due<'_>>> = BTreeMap::new();
    for exported in &exported {
        let mut is_due = |module, flip_flops| {
            let due = Due {
                exported,
                module,
                flip_flops,
            };
            let code = code(exported, &format!("{module}.v"));
            alike.entry(code).or_default().push(due);
        };
        let told = |module: &str| exported.project.fact("flip_flops")[module].as_u64();
        address_is_a_port(exported);
        let unread = unread(&exported.read("node.v"));
        // Only what is taken over before its last bit is behind the others leaves any.
        assert!(
            unread == 0 || exported.project.bench == "broadcast",
            "{}: {unread}",
            exported.name
        );
        is_due("node", told("node").unwrap() as usize - unread);
        if let Some(flip_flops) = told("sequencer") {
            // Which node is the source is loaded once, and stays.
            let source = declared(&exported.read("sequencer.v"), "source");
            is_due("sequencer", flip_flops as usize - source.unwrap_or(0));
        }
    }
    assert!(alike.len() > 130, "{}", alike.len());
    alike.par_iter().for_each(|(_, alike)| have(alike));
}

/// Nodes that are joined by their addresses, and by a table.
#[test]
fn yosys_finds_networks_well_formed() {
    for (bench, words) in [
        (&kuszmaul::BENCH, "--dims 2 --payload-bits 2"),
        (&REDUCE, "--dims 1 --blocks 1 --word-bits 4"),
    ] {
        let exported = Exported::of(&bench.asked(words).unwrap(), 1);
        let files = exported.machine_files().join(" ");
        let network = exported.network_file().trim_end_matches(".v");
        let script = format!(
            "read_verilog {files}; hierarchy -check -top {network}; proc; flatten; check -assert"
        );
        yosys(exported.path(), &script);
    }
}

/// Where messages are so short that a bit of a position is read by nobody, or a cube so small that there is nothing to count.
#[test]
fn no_sequencer_has_a_register_that_need_not_be() {
    Machine::all().into_par_iter().for_each(|machine| {
        for (k, payload_bits) in [(1, 1), (5, 2)] {
            let setup = machine.run(k, payload_bits, 0.75).setup;
            let exported = Exported::of(&setup.chosen(machine.bench), 1);
            let told = &exported.project.fact("flip_flops")["sequencer"];
            have(&[Due {
                exported: &exported,
                module: "sequencer",
                flip_flops: told.as_u64().unwrap() as usize,
            }]);
        }
    });
}
