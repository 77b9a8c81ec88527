//! Faults that are put into a machine in lockstep while it runs: wires that are stuck, registers that flip. A testbench objects exactly
//! where something arrives that is not due. Which wires and registers matter at all, of which machine and with which traffic, is held
//! beside the other tests of each family.

use std::collections::BTreeMap;

use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Tap;
use testbenches::lockstep::simulation::{self, Run};
use testbenches::lockstep::{Ended, Stimulus};
use testbenches::report::Outputs;
use testbenches::testbench::bench::with_traffic;

use crate::common::sample::{Sampled, ran_of_choices};

#[derive(Clone, Copy, Debug)]
enum Fault {
    Stuck {
        node: usize,
        wire: usize,
        value: bool,
    },
    Flip {
        node: usize,
        number: usize,
        when: u64,
    },
}

/// What came of a run with a fault.
struct Judged {
    /// The checks that do not hold.
    failed: Vec<&'static str>,
    /// Something that the host reads is not what is due.
    differs: bool,
}

/// A machine with its traffic, into which faults are put.
struct Faulted {
    stimulus: Box<dyn Stimulus>,
    /// Checks that do not hold without any either: nobody has counted here what nodes hold.
    clean: Vec<&'static str>,
}

/// What is driven by nobody is so short a run; and what is larger takes too long.
const MOST_BIT_TIMES: u64 = 50;
const MOST_NODES: usize = 8;
const MOST_REGISTERS: usize = 36;

/// Where messages arrive at a node in an order of their own, another order is no fault: relations, whose messages come as they are
/// counted.
const IN_ANY_ORDER: [&str; 1] = ["h"];

impl Faulted {
    /// Of machines in lockstep.
    fn of(sampled: &Sampled) -> Option<Self> {
        let job = (sampled.bench.job)(&sampled.chosen()).unwrap();
        if !job.is_in_lockstep() {
            return None;
        }
        let mut stimulus = with_traffic(job).unwrap();
        stimulus.foresee().unwrap();
        let mut faulted = Faulted {
            stimulus,
            clean: Vec::new(),
        };
        let clean = faulted.run(None);
        assert!(!clean.differs, "{}", sampled.name());
        faulted.clean = clean.failed;
        Some(faulted)
    }

    fn loaded(&self) -> Box<dyn Lockstep> {
        let mut machine = self.stimulus.device().build(1).unwrap();
        self.stimulus.load(&mut *machine, &mut |_| Ok(())).unwrap();
        machine
    }

    /// Whether a node ends up with something else than what is due, which is known from the traffic alone.
    fn differs(&self, machine: &dyn Lockstep) -> bool {
        let expected = self.stimulus.expected();
        (0..machine.nodes()).any(|node| {
            let mut bits: BTreeMap<Field, usize> = BTreeMap::new();
            machine.host_reads(node).into_iter().any(|(field, value)| {
                let next = bits.entry(field).or_default();
                *next += 1;
                expected(node, field, *next - 1).is_some_and(|due| due != value)
            })
        })
    }

    fn run(&mut self, fault: Option<Fault>) -> Judged {
        let mut machine = self.loaded();
        loop {
            match fault {
                Some(Fault::Flip { node, number, when }) if when == machine.bit_time() => {
                    machine.flip_register(node, number);
                }
                _ => {}
            }
            if machine.is_done() {
                break;
            }
            if machine.transmit().is_err() {
                // Two units drive one wire, and a run ends there.
                return Judged {
                    failed: vec!["one bit a wire"],
                    differs: true,
                };
            }
            if let Some(Fault::Stuck { node, wire, value }) = fault {
                machine.force_wire(node, wire, value);
            }
            machine.clock();
        }
        let differs = self.differs(&*machine);
        let over = Run::held_to(&|_| None);
        let measured = simulation::run(&mut *machine, over, |_| Ok::<(), ()>(())).unwrap();
        let mut outputs = Outputs::default();
        let verdict = self
            .stimulus
            .judge(Ended::quietly(machine, &measured, &mut outputs));
        let checks = verdict.unwrap().told.checks.into_iter();
        let failed = checks.filter(|check| !check.passed).map(|check| check.name);
        Judged {
            failed: failed.filter(|name| !self.clean.contains(name)).collect(),
            differs,
        }
    }

    /// Wires between nodes that ever carry a 1.
    fn used(&self) -> Vec<(usize, usize)> {
        let mut machine = self.loaded();
        let (nodes, links) = (machine.nodes(), machine.topology().links());
        let all = (0..nodes).flat_map(|node| (0..links).map(move |wire| (node, wire)));
        let mut used = vec![false; nodes * links];
        while !machine.is_done() {
            machine.transmit().unwrap();
            for (used, (node, wire)) in used.iter_mut().zip(all.clone()) {
                *used |= machine.tapped(node, Tap::Driven(wire));
            }
            machine.clock();
        }
        let used = all.zip(used).filter(|(_, used)| *used);
        used.map(|(wire, _)| wire).collect()
    }
}

/// Of each choice of each testbench the smallest machine; how many of its wires and of its registers are missed by some fault, and
/// how many there are.
#[test]
fn a_testbench_objects_exactly_where_something_else_arrives() {
    let mut machines = 0;
    for (sampled, report) in ran_of_choices() {
        let registers = report.storage_bits_per_node.total;
        let nodes = report.topology.nodes;
        let is_default = sampled.about.is_none()
            && (sampled.bench.parameter(sampled.bench.project.choice)).is_some();
        if is_default
            || nodes > MOST_NODES
            || report.bit_times > MOST_BIT_TIMES
            || registers > MOST_REGISTERS
        {
            continue;
        }
        let Some(mut faulted) = Faulted::of(sampled) else {
            continue;
        };
        let name = sampled.name();
        let chosen_by = sampled.bench.chosen_by.map(|choice| choice.option);
        let in_any_order = chosen_by.is_some_and(|option| IN_ANY_ORDER.contains(&option));
        let mut objects = |fault| {
            let Judged { failed, differs } = faulted.run(Some(fault));
            assert!(
                failed.is_empty() != differs || in_any_order && failed.is_empty(),
                "{name}: {fault:?}: {failed:?}, while what arrives differs: {differs}"
            );
            !failed.is_empty()
        };
        let mut noticed = 0;
        let mut flips = 0;
        for number in 0..registers {
            let when = (0..=3).map(|part| report.bit_times * part / 3);
            let faults =
                when.flat_map(|when| [0, nodes - 1].map(|node| Fault::Flip { node, number, when }));
            let is_noticed = faults.filter(|fault| objects(*fault)).count() > 0;
            flips += usize::from(is_noticed);
        }
        let used = Faulted::of(sampled).unwrap().used();
        for &(node, wire) in &used {
            let [at_0, _] = [false, true].map(|value| objects(Fault::Stuck { node, wire, value }));
            noticed += usize::from(at_0);
        }
        assert!(
            3 * noticed >= used.len() && noticed > 0,
            "{name}: {noticed} of {} wires",
            used.len()
        );
        assert!(
            3 * flips >= registers,
            "{name}: {flips} of {registers} registers"
        );
        machines += 1;
    }
    assert!(machines > 60, "{machines}");
}
