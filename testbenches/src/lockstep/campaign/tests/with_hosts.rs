//! Machines with hosts beside them: what is put in is what a run of them does by hand, and every run comes to an end.

use hosts::tamper::{Tamper, Tampering};
use rtl_model::circuit::netlist::Netlist;
use rtl_model::machine::simulation::Simulation;

use super::{gates_before, next_of, some, stimulus};
use crate::error::Error;
use crate::families::testbench;
use crate::lockstep::campaign::put::Put;
use crate::lockstep::campaign::{
    Alone, Came, Fault, Faulted, Judged, Kind, Loaded, Outcome, Tried, WithHosts, loaded,
};
use crate::testbench::bench::{asked, for_faults};

const MACHINES: [(&str, &str); 4] = [
    ("wormhole", "--dims 2 --message-bits 8"),
    (
        "wormhole",
        "--network mesh --radix 3 --dims 2 --routing adaptive --message-bits 8",
    ),
    ("broadcast", "--dims 2 --message-bits 12"),
    (
        "broadcast",
        "--algorithm sbt --ports one-way --dims 3 --message-bits 12 --packet-bits 4",
    ),
];

fn machine((name, words): (&str, &str)) -> Box<dyn WithHosts> {
    let bench = testbench(name).unwrap();
    let job = (bench.job)(&asked(bench, words)).unwrap();
    match for_faults(job).unwrap() {
        Loaded::WithHosts(machine) => machine,
        Loaded::Lockstep(_) => panic!("{name} is in lockstep"),
    }
}

fn alone(of: (&str, &str)) -> Alone {
    Alone::new(machine(of)).unwrap()
}

/// The checks that fail, in an order of their own; with the first that says so, and when.
fn told(came: &Came) -> (Vec<&'static str>, Option<(&'static str, u64)>) {
    let mut failed = came.failed.clone();
    failed.sort_unstable();
    (failed, came.seen)
}

#[test]
fn faults_are_judged_as_runs_with_them_are() {
    for of in MACHINES {
        let mut alone = alone(of);
        let by_hand = machine(of);
        let (mut tried, mut seen) = (0, 0);
        for (kind, many) in [(Kind::Wires, 60), (Kind::Registers, 120)] {
            let step = (alone.places().amount(kind) / many) | 1;
            let faults = some(&alone, kind, step);
            let judged = alone.run(&faults).unwrap();
            for (fault, judged) in faults.into_iter().zip(judged) {
                let mut by = Tampering {
                    registers: |machine: &mut dyn Simulation| match fault {
                        Fault::Flip { node, number, when } if machine.bit_time() == when => {
                            machine.flip_register(node, number);
                        }
                        _ => {}
                    },
                    wires: |machine: &mut dyn Simulation| {
                        if let Fault::Wire { node, wire, value } = fault {
                            machine.force_wire(node, wire, value);
                        }
                    },
                };
                let came = by_hand.run(&mut by, Some(alone.bit_times())).unwrap();
                let (due, first) = told(&came);
                let mut failed = judged.failed.clone();
                failed.sort_unstable();
                let end = first.map_or(came.bit_times, |(_, at)| at);
                if came.conflict.is_none() {
                    assert_eq!(failed, due, "{of:?} {fault:?}");
                    assert_eq!(
                        judged.after,
                        end - fault.from().min(end),
                        "{of:?} {fault:?}"
                    );
                }
                if let Some((check, _)) = first {
                    assert_eq!(judged.failed[0], check, "{of:?} {fault:?}");
                }
                tried += 1;
                seen += usize::from(!due.is_empty());
            }
        }
        assert!(tried > 100 && seen > 20, "{of:?}: {seen} of {tried}");
    }
}

/// What is put onto a wire by the netlist is what others and hosts receive, and nothing else is done.
#[test]
fn a_gate_that_drives_a_wire_is_stuck_as_the_wire_is() {
    for of in MACHINES {
        let mut alone = alone(of);
        alone.with_gates();
        let (mut drives, mut seen) = (0, 0);
        for fault in some(&alone, Kind::Gates, 1) {
            let Fault::Gate { node, gate, value } = fault else {
                panic!("{fault:?}");
            };
            let gate = alone.places().gate(gate);
            let Some(wire) = gate.drives.filter(|_| gate.parts.is_empty()) else {
                continue;
            };
            let wire = Fault::Wire { node, wire, value };
            let judged = alone.run(&[fault, wire]).unwrap();
            assert_eq!(judged[0], judged[1], "{of:?} {fault:?}");
            drives += 1;
            seen += usize::from(!judged[0].failed.is_empty());
        }
        assert!(drives > 10 && seen > 5, "{of:?}: {seen} of {drives}");
    }
}

/// Puts a value into a register bit at every clock edge.
struct Held {
    node: usize,
    number: usize,
    value: bool,
}

impl Tamper for Held {
    fn take(&mut self, machine: &mut dyn Simulation) {
        let (held, value) = (self.number, self.value);
        machine.change_registers(self.node, &mut |number, bit| match number == held {
            true => value,
            false => bit,
        });
    }
}

/// A register bit takes what a gate says that nothing else reads: it is stuck as the bit is, from the first clock edge on.
#[test]
fn a_gate_before_a_register_bit_is_stuck_as_the_bit_is() {
    for of in MACHINES {
        let mut alone = alone(of);
        alone.with_gates();
        let by_hand = machine(of);
        let netlist = by_hand.netlist();
        let (graph, next) = (&netlist.graph, next_of(&netlist.node));
        let outputs: Vec<_> = netlist.node.tx.iter().chain(&next).copied().collect();
        let gates = gates_before(graph, &outputs);
        let inputs = gates.iter().flat_map(|one| graph.gate(*one).inputs());
        let read: Vec<_> = inputs.chain(outputs.iter().copied()).collect();
        let (mut tried, mut seen) = (0, 0);
        for (number, bit) in next.iter().enumerate() {
            let uses = read.iter().filter(|other| *other == bit).count();
            let gate = gates.iter().position(|one| one == bit);
            let Some(gate) = gate.filter(|_| uses == 1) else {
                continue;
            };
            for (node, value) in [(0, false), (3, true)] {
                let judged = alone.run(&[Fault::Gate { node, gate, value }]).unwrap();
                let mut held = Held {
                    node,
                    number,
                    value,
                };
                let came = by_hand.run(&mut held, Some(alone.bit_times())).unwrap();
                let mut failed = judged[0].failed.clone();
                failed.sort_unstable();
                assert_eq!(failed, told(&came).0, "{of:?}: {number} of {node}, {value}");
                tried += 1;
                seen += usize::from(!failed.is_empty());
            }
        }
        assert!(tried > 10 && seen > 5, "{of:?}: {seen} of {tried}");
    }
}

/// Counts the bit times of a run with faults.
struct Counted<'f>(Put<'f>, u64);

impl Tamper for Counted<'_> {
    fn begin(&mut self, machine: &mut dyn Simulation) {
        self.1 += 1;
        self.0.begin(machine);
    }

    fn send(&mut self, machine: &mut dyn Simulation) {
        self.0.send(machine);
    }
}

/// Worms: in about twice the bit times, once a check has spoken; else when any run gives up.
#[test]
fn every_run_comes_to_an_end() {
    for of in MACHINES {
        let alone = alone(of);
        let by_hand = machine(of);
        let bit_times = alone.bit_times();
        let mut is_long = 0;
        for fault in some(&alone, Kind::Wires, 1) {
            let faults = [fault];
            let mut counted = Counted(Put::of(&faults, alone.places().nodes(), None), 0);
            let came = by_hand.run(&mut counted, Some(bit_times)).unwrap();
            let most = match came.seen {
                Some(_) => 2 * bit_times + 100,
                None => 20 * bit_times,
            };
            assert!(counted.1 <= most, "{of:?} {fault:?}: {}", counted.1);
            is_long += usize::from(came.bit_times > bit_times);
        }
        assert!(is_long > 0 || of.0 == "broadcast", "{of:?}");
    }
}

#[test]
fn on_threads_faults_do_what_they_do_on_one() {
    let mut alone = alone(MACHINES[0]);
    alone.with_gates();
    let faults = Kind::ALL.into_iter().zip([7, 311, 977]);
    let faults: Vec<Fault> = faults
        .flat_map(|(kind, step)| some(&alone, kind, step))
        .collect();
    let judged = alone.run(&faults).unwrap();
    alone.on_threads(faults.len(), 2).unwrap();
    assert_eq!(alone.run(&faults).unwrap(), judged);
}

/// A machine whose runs say what they are told to: the first, and all others.
struct Says([Came; 2]);

impl WithHosts for Says {
    fn in_words(&self) -> String {
        String::new()
    }

    fn work(&self) -> u64 {
        1
    }

    fn show(&self, look: &mut dyn FnMut(&dyn Simulation)) -> Result<(), Error> {
        let sent = stimulus(testbench("kuszmaul").unwrap(), "--dims 2");
        look(loaded(&*sent)?.as_simulation());
        Ok(())
    }

    fn netlist(&self) -> Netlist {
        machine(MACHINES[0]).netlist()
    }

    fn run(&self, _: &mut dyn Tamper, undisturbed: Option<u64>) -> Result<Came, Error> {
        Ok(self.0[usize::from(undisturbed.is_some())].clone())
    }
}

fn judged(right: &Came, came: Came) -> Judged {
    let mut alone = Alone::new(Box::new(Says([right.clone(), came]))).unwrap();
    let fault = some(&alone, Kind::Registers, 5)[1];
    assert_eq!(fault.from(), 5);
    alone.run(&[fault]).unwrap().remove(0)
}

fn outcome(judged: Judged) -> Outcome {
    let fault = Fault::Flip {
        node: 0,
        number: 0,
        when: 5,
    };
    let kind = Kind::Registers;
    let tried = Tried {
        kind,
        fault,
        judged,
    };
    tried.outcome()
}

/// What nobody sees is silent, and the check that speaks first stands first.
#[test]
fn what_a_run_says_is_what_comes_of_a_fault() {
    let right = Came {
        bit_times: 40,
        ..Came::default()
    };
    assert_eq!(outcome(judged(&right, right.clone())), Outcome::Masked);
    let silent = Came {
        differs: true,
        ..right.clone()
    };
    assert_eq!(outcome(judged(&right, silent)), Outcome::Silent);
    let seen = Came {
        failed: vec!["early", "late"],
        seen: Some(("late", 12)),
        ..right.clone()
    };
    let of_seen = judged(&right, seen.clone());
    assert_eq!(
        (of_seen.failed.as_slice(), of_seen.after),
        (&["late", "early"][..], 7)
    );
    let at_the_end = judged(&right, Came { seen: None, ..seen });
    assert_eq!((at_the_end.failed[0], at_the_end.after), ("early", 35));
    let conflict = Came {
        conflict: Some(9),
        ..right.clone()
    };
    let of_conflict = judged(&right, conflict);
    assert_eq!(
        (of_conflict.failed[0], of_conflict.after),
        ("one bit a wire", 4)
    );
    let wrong = Came {
        failed: vec!["late"],
        ..right.clone()
    };
    let refused = Alone::new(Box::new(Says([wrong, right]))).err().unwrap();
    let said = "no faults can be judged: without any, the check `late` fails";
    assert_eq!(refused.to_string(), said);
}
