use std::collections::{BTreeSet, HashMap};

use rtl_model::circuit::expression::{Expression, Gate, Graph};
use rtl_model::circuit::netlist::NodeCircuit;
use rtl_model::circuit::stuck::{LANES, NamedGate, StuckNodes};

use super::*;
use crate::families::testbench;
use crate::lockstep::faults::WireFault;
use crate::lockstep::simulation::{self, Run};
use crate::testbench::bench::stimulus;

mod with_hosts;

const WORDS: &str = "--dims 3 --payload-bits 4 --load 0.75 --schedule radix4";

fn engine() -> Engine {
    let sent = stimulus(testbench("kuszmaul").unwrap(), WORDS);
    let mut engine = Engine::new(sent).unwrap();
    engine.with_gates();
    engine
}

/// The same, machines side by side.
fn beside(machines: usize, threads: usize) -> Engine {
    let mut engine = engine();
    engine.side_by_side(machines, threads).unwrap();
    engine
}

/// Every `step`th fault of a kind.
fn some(engine: &dyn Faulted, kind: Kind, step: usize) -> Vec<Fault> {
    let places = engine.places();
    let numbers = (0..places.amount(kind)).step_by(step);
    numbers.map(|number| places.fault(kind, number)).collect()
}

#[test]
fn side_by_side_on_threads_faults_do_what_they_do_alone() {
    let mut alone = engine();
    let faults: Vec<Fault> = Kind::ALL
        .into_iter()
        .zip([1, 37, 29])
        .flat_map(|(kind, step)| some(&alone, kind, step))
        .collect();
    let judged = alone.run(&faults).unwrap();
    for (machines, threads) in [(7, 1), (40, 2), (130, 1)] {
        let mut several = beside(machines, threads);
        assert_eq!(several.run(&faults).unwrap(), judged, "{machines}");
    }
    let seen = judged.iter().filter(|one| !one.failed.is_empty());
    assert!(seen.count() > 50);
}

/// What a run of a machine says in which the wire fails, and what a plain loop finds in which the register flips.
#[test]
fn faults_are_judged_as_runs_with_them_are() {
    let mut engine = beside(9, 1);
    let wires = some(&engine, Kind::Wires, 1);
    let judged = engine.run(&wires).unwrap();
    for (fault, judged) in wires.into_iter().zip(judged) {
        let Fault::Wire { node, wire, value } = fault else {
            panic!("{fault:?}");
        };
        let failing = [WireFault {
            node,
            wire,
            value,
            from: 0,
            called: "stuck",
        }];
        let mut sent = stimulus(testbench("kuszmaul").unwrap(), WORDS);
        let mut machine = loaded(&*sent).unwrap();
        let live_bits = |after| sent.live_bits(after);
        let run = Run {
            faults: &failing,
            ..Run::held_to(&live_bits)
        };
        let measured = simulation::run(&mut *machine, run, |_| Ok::<(), ()>(())).unwrap();
        if let Some(said) = &measured.not_conserved {
            let after = format!("after bit time {} ", judged.after);
            assert!(said.starts_with(&after), "{said}, {after}");
        }
        let mut failed = Vec::from_iter(measured.not_conserved.as_ref().map(|_| MESSAGE_BITS));
        failed.extend(reference::failed(&mut *sent, machine, &measured).unwrap());
        assert_eq!(judged.failed, failed, "{fault:?}");
    }
    let flips = some(&engine, Kind::Registers, 23);
    let judged = engine.run(&flips).unwrap();
    for (fault, judged) in flips.into_iter().zip(judged) {
        let Fault::Flip { node, number, when } = fault else {
            panic!("{fault:?}");
        };
        let mut sent = stimulus(testbench("kuszmaul").unwrap(), WORDS);
        let mut machine = loaded(&*sent).unwrap();
        while machine.bit_time() < when {
            machine.tick().unwrap();
        }
        machine.flip_register(node, number);
        let rest = Run::held_to(&|_| None);
        let measured = simulation::run(&mut *machine, rest, |_| Ok::<(), ()>(())).unwrap();
        let failed = reference::failed(&mut *sent, machine, &measured).unwrap();
        let at_the_end = judged.failed.iter().filter(|name| **name != MESSAGE_BITS);
        assert_eq!(at_the_end.copied().collect::<Vec<_>>(), failed, "{fault:?}");
        assert_eq!(judged.differs, !failed.is_empty(), "{fault:?}");
    }
}

/// What is put onto a wire by the netlist is what others receive; and what nothing else than the wire reads does nothing else.
#[test]
fn a_gate_that_drives_a_wire_is_stuck_as_the_wire_is() {
    let mut engine = beside(32, 1);
    let mut drives = 0;
    for fault in some(&engine, Kind::Gates, 1) {
        let Fault::Gate { node, gate, value } = fault else {
            panic!("{fault:?}");
        };
        let NamedGate {
            parts, drives: of, ..
        } = engine.places().gate(gate);
        let Some(wire) = of.filter(|_| parts.is_empty()) else {
            continue;
        };
        let wire = Fault::Wire { node, wire, value };
        let judged = engine.run(&[fault, wire]).unwrap();
        assert_eq!(judged[0], judged[1], "{fault:?}");
        drives += 1;
    }
    assert!(drives >= 2 * 8, "{drives}");
}

#[test]
fn a_sample_has_as_many_as_are_asked_for_each_once() {
    for (there, most) in [(0, 5), (5, 5), (6, 5), (1000, 10)] {
        let numbers = drawn(there, most, 3);
        assert_eq!(numbers.len(), there.min(most));
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(numbers.iter().all(|number| *number < there));
        assert_eq!(numbers, drawn(there, most, 3));
    }
    assert_ne!(drawn(1000, 10, 3), drawn(1000, 10, 4));
}

/// All faults by number are different ones, and each is somewhere.
#[test]
fn every_fault_is_one_of_its_own_with_a_place() {
    let engine = engine();
    let places = engine.places();
    for kind in Kind::ALL {
        let all = some(&engine, kind, 1);
        let mut shown: Vec<String> = all.iter().map(|fault| format!("{fault:?}")).collect();
        shown.sort();
        shown.dedup();
        assert_eq!(shown.len(), places.amount(kind));
        assert!(all.iter().all(|fault| !places.name(*fault).is_empty()));
    }
    assert_eq!(places.amount(Kind::Wires), 2 * 8 * 3);
}

/// What an expression is, worked out from its end; what is known already is taken as it is, so a gate that is stuck is put in there.
fn value(graph: &Graph, of: Expression, known: &mut HashMap<Expression, bool>) -> bool {
    if let Some(known) = known.get(&of) {
        return *known;
    }
    let mut worked_out = |one| value(graph, one, known);
    let bit = match graph.gate(of) {
        Gate::Constant(bit) => bit,
        Gate::Variable(number) => panic!("nobody has said what variable {number} is"),
        Gate::Not(a) => !worked_out(a),
        Gate::And(a, b) => worked_out(a) & worked_out(b),
        Gate::Or(a, b) => worked_out(a) | worked_out(b),
        Gate::Xor(a, b) => worked_out(a) ^ worked_out(b),
        Gate::Mux(select, a, b) => {
            let chosen = if worked_out(select) { a } else { b };
            worked_out(chosen)
        }
    };
    known.insert(of, bit);
    bit
}

/// Bits that have nothing to do with each other.
fn bit(place: usize, lane: usize) -> bool {
    let mixed = (place * LANES + lane + 1) as u64;
    let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
}

/// The gates that these depend on, in the order in which they are numbered.
fn gates_before(graph: &Graph, outputs: &[Expression]) -> Vec<Expression> {
    let mut gates = BTreeSet::new();
    let mut left = outputs.to_vec();
    while let Some(one) = left.pop() {
        let is_given = matches!(graph.gate(one), Gate::Constant(_) | Gate::Variable(_));
        if !is_given && gates.insert(one) {
            left.extend(graph.gate(one).inputs());
        }
    }
    gates.into_iter().collect()
}

/// What the registers of a node take at the clock edge.
fn next_of(node: &NodeCircuit) -> Vec<Expression> {
    let registers = node.parts.iter().flat_map(|part| &part.registers);
    registers.flat_map(|one| one.next.clone()).collect()
}

/// A register bit takes what a gate says that nothing else reads: it is stuck as the bit is, from the first clock edge on.
#[test]
fn a_gate_before_a_register_bit_is_stuck_as_the_bit_is() {
    let mut engine = beside(32, 1);
    let netlist = engine.stimulus().device().netlist();
    let (graph, next) = (&netlist.graph, next_of(&netlist.node));
    let outputs: Vec<Expression> = netlist.node.tx.iter().chain(&next).copied().collect();
    let gates = gates_before(graph, &outputs);
    let mut read: Vec<Expression> = gates
        .iter()
        .flat_map(|one| graph.gate(*one).inputs())
        .collect();
    read.extend(&outputs);
    let (mut tried, mut seen) = (0, 0);
    for (number, bit) in next.iter().enumerate() {
        let uses = read.iter().filter(|other| *other == bit).count();
        let Some(gate) = gates
            .iter()
            .position(|one| one == bit)
            .filter(|_| uses == 1)
        else {
            continue;
        };
        for (node, value) in [(0, false), (5, true)] {
            let judged = engine.run(&[Fault::Gate { node, gate, value }]).unwrap();
            let mut sent = stimulus(testbench("kuszmaul").unwrap(), WORDS);
            let mut machine = loaded(&*sent).unwrap();
            while !machine.is_done() {
                machine.tick().unwrap();
                machine
                    .change_registers(node, &mut |at, bit| if at == number { value } else { bit });
            }
            let over = Run::held_to(&|_| None);
            let measured = simulation::run(&mut *machine, over, |_| Ok::<(), ()>(())).unwrap();
            let failed = reference::failed(&mut *sent, machine, &measured).unwrap();
            let at_the_end = judged[0]
                .failed
                .iter()
                .filter(|name| **name != MESSAGE_BITS);
            assert_eq!(
                at_the_end.copied().collect::<Vec<_>>(),
                failed,
                "{number} {value}"
            );
            tried += 1;
            seen += usize::from(!failed.is_empty());
        }
    }
    assert!(tried > 20 && seen > 5, "{tried} {seen}");
}

/// Rows are all faults, the picture has all parts, and all say the same.
#[test]
fn rows_picture_and_figures_are_of_the_same_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (csv, svg) = (path("faults.csv"), path("faults.svg"));
    let bench = testbench("kuszmaul").unwrap();
    let command = bench.faults_arguments(clap::Command::new("faults").no_binary_name(true));
    let (rows, picture) = (csv.to_str().unwrap(), svg.to_str().unwrap());
    let words = format!(
        "--dims 2 --payload-bits 3 --sample 150 --format json --threads 1 --csv {rows} --plot {picture}"
    );
    let arguments = command.try_get_matches_from(words.split(' ')).unwrap();
    let printed = bench.faults(&arguments).unwrap();
    let record: serde_json::Value = serde_json::from_str(&printed.text).unwrap();
    let rows: Vec<csv::StringRecord> = csv::Reader::from_path(&csv)
        .unwrap()
        .into_records()
        .collect::<Result<_, _>>()
        .unwrap();
    let with = |outcome: &str| rows.iter().filter(|row| &row[6] == outcome).count();
    assert_eq!(record["all"]["faults"], rows.len());
    for outcome in ["masked", "detected", "silent"] {
        assert_eq!(record["all"][outcome], with(outcome), "{outcome}");
    }
    assert!(printed.passed && with("masked") > 10 && with("detected") > 10);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for part in record["parts"].as_array().unwrap() {
        let (kind, part) = (
            part["kind"].as_str().unwrap(),
            part["part"].as_str().unwrap(),
        );
        assert!(drawn.contains(&format!("{kind}: {part}")), "{kind} {part}");
        let inside = rows.iter().filter(|row| &row[0] == kind && &row[2] == part);
        assert!(inside.count() > 0, "{kind} {part}");
    }
}

/// The last lane has none that is stuck.
#[test]
fn each_lane_is_a_node_in_which_its_own_gate_alone_is_stuck() {
    let sent = stimulus(testbench("kuszmaul").unwrap(), WORDS);
    let netlist = sent.device().netlist();
    let (graph, node) = (&netlist.graph, &netlist.node);
    let registers = || node.parts.iter().flat_map(|part| &part.registers);
    let held: Vec<Expression> = registers().flat_map(|one| one.bits.clone()).collect();
    let next = next_of(node);
    let heard: Vec<Expression> = (node.strobes.iter())
        .flat_map(|strobe| strobe.lines.clone())
        .collect();
    let outputs: Vec<Expression> = node.tx.iter().chain(&next).copied().collect();
    let gates = gates_before(graph, &outputs);
    let mut all = StuckNodes::of(&netlist);
    assert_eq!(all.gates().len(), gates.len());
    let bits = |amount: usize, from: usize, lane: usize| -> Vec<bool> {
        (from..from + amount)
            .map(|place| bit(place, lane))
            .collect()
    };
    let mut differ = 0;
    for (batch, some) in gates.chunks(LANES - 1).enumerate() {
        all.mend();
        all.hear(&bits(heard.len(), 0, 0));
        for lane in 0..LANES {
            if lane < some.len() {
                all.stick(lane, batch * (LANES - 1) + lane, lane % 2 == 0);
            }
            all.set_address(lane, &bits(node.address.len(), 1000, lane));
            all.hold(lane, &bits(held.len(), 2000, lane));
            for wire in 0..node.rx.len() {
                all.receive(lane, wire, bit(3000 + wire, lane));
            }
        }
        all.work_out();
        for lane in 0..LANES {
            let given = [
                (&heard, bits(heard.len(), 0, 0)),
                (&node.address, bits(node.address.len(), 1000, lane)),
                (&held, bits(held.len(), 2000, lane)),
                (&node.rx, bits(node.rx.len(), 3000, lane)),
            ];
            let given = given.into_iter();
            let given = given.flat_map(|(of, bits)| of.iter().copied().zip(bits));
            let mut known = HashMap::from_iter(given);
            let mut whole = known.clone();
            known.extend(some.get(lane).map(|gate| (*gate, lane % 2 == 0)));
            let due = |known: &mut _| -> Vec<bool> {
                outputs
                    .iter()
                    .map(|one| value(graph, *one, known))
                    .collect()
            };
            let (due, without) = (due(&mut known), due(&mut whole));
            let sent = (0..node.tx.len()).map(|wire| all.sends(lane, wire));
            let taken = (0..next.len()).map(|number| all.next(lane, number));
            assert_eq!(sent.chain(taken).collect::<Vec<_>>(), due, "{batch} {lane}");
            differ += usize::from(due != without);
        }
    }
    assert!(differ > gates.len() / 8, "{differ} of {}", gates.len());
}
