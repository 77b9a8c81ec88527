//! Registers that flip. Where one changes anything that a host is told or given, the checks of a run must notice it; where it does
//! not, they must not.

use std::collections::{BTreeMap, BTreeSet};

use rtl_model::language::register_names::RegisterNames;
use rtl_model::machine::simulation::{Lockstep, Simulation};
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::broadcast::common::objections;
use crate::broadcast::observed::{Run, all};

/// The names of a node's register bits.
fn names(machine: &dyn Lockstep) -> Vec<String> {
    let mut names = RegisterNames::default();
    machine.show_registers(0, &mut names);
    names.bits().into_iter().map(|bit| bit.whole).collect()
}

/// What becomes of flips.
#[derive(Debug, Default)]
struct Flips {
    noticed: usize,
    masked: usize,
    /// By what noticed them.
    by: BTreeMap<&'static str, usize>,
}

/// Register bits that nothing reads. When the last bit of a packet comes it is taken to where it is held in the same clock edge, and
/// so is all that has come before: the last stage of what arrives passes nothing on, but where there is another half of the phase
/// in between. And where a port has a double buffer of its own, what comes is shifted in whether it receives or not.
fn is_unread(broadcast: &Broadcast, name: &str) -> bool {
    let has_halves =
        broadcast.algorithm == Algorithm::MultipleTrees && broadcast.ports == PortModel::OneWay;
    let has_buffer_a_port = matches!(
        (broadcast.algorithm, broadcast.ports),
        (Algorithm::MultipleTrees, PortModel::All)
            | (Algorithm::Broadcast3B | Algorithm::Broadcast4, _)
    );
    name.ends_with(".arriving[0]") && !has_halves
        || name.ends_with(".receiving[0]") && has_buffer_a_port
}

fn sorted(mut names: Vec<&String>) -> Vec<&String> {
    names.sort_unstable();
    names
}

/// Every register bit of every node, in every bit time.
fn flip_all(broadcast: Broadcast) {
    let clean = Run::clean(broadcast);
    let names = names(&*clean.engine.machine);
    let end = broadcast.bit_times().value;
    let mut flips = Flips::default();
    let mut of_no_consequence = BTreeSet::new();
    for (number, name) in names.iter().enumerate() {
        let noticed_before = flips.noticed;
        for node in 0..broadcast.cube.nodes() {
            for when in 0..=end {
                let flip = |machine: &mut dyn Simulation| {
                    if machine.bit_time() == when {
                        machine.flip_register(node, number);
                    }
                };
                let run = Run::of(broadcast, flip, |_| ());
                let objections = objections(&run.engine);
                match objections.is_empty() {
                    true => flips.masked += 1,
                    false => flips.noticed += 1,
                }
                let is_the_same = run.is_the_same(&clean);
                assert!(
                    is_the_same == objections.is_empty(),
                    "{broadcast:?}: {name} of node {node} flipped in bit time {when}: \
                     the same for hosts: {is_the_same}, and {objections:?}"
                );
                for what in objections {
                    *flips.by.entry(what).or_default() += 1;
                }
            }
        }
        if flips.noticed == noticed_before {
            of_no_consequence.insert(name);
        }
    }
    println!("{broadcast:?}: {flips:?}");
    assert!(flips.noticed * 6 > flips.masked, "{broadcast:?}: {flips:?}");
    let unread: Vec<&String> = names
        .iter()
        .filter(|name| is_unread(&broadcast, name))
        .collect();
    assert_eq!(
        of_no_consequence.into_iter().collect::<Vec<_>>(),
        sorted(unread),
        "{broadcast:?}"
    );
}

#[test]
fn every_flip_that_a_host_could_see_is_noticed() {
    // The first of each algorithm.
    let mut seen = Vec::new();
    for broadcast in all() {
        if !seen.contains(&broadcast.algorithm) {
            seen.push(broadcast.algorithm);
            flip_all(broadcast);
        }
    }
    assert_eq!(seen.len(), 8);
}

#[test]
#[ignore = "long: every broadcast"]
fn so_is_every_flip_in_every_broadcast() {
    all().into_iter().for_each(flip_all);
}
