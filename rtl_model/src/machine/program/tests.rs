//! Clock edges, one after the other, and when dimensions are idle.

use proptest::prelude::*;

use super::operation::FIRST;
use super::translate::tests::{Bench, Choice, choices, evaluated, noted, pattern};
use super::*;
use crate::circuit::expression::{Expression, Graph};
use crate::language::bit::Bit;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::plain::PlainRouter;

/// What registers alone become.
fn of_registers(graph: Graph, before: Vec<Expression>, after: Vec<Expression>) -> Logic {
    Logic {
        graph,
        before,
        after,
        sent: Vec::new(),
        driven: 0,
        conflict: None,
        clash: Expression::ZERO,
        bits: Flags::default(),
        messages: Flags::default(),
    }
}

/// A machine of registers alone, and a wire: what each becomes is a function of all. An address bit is there and unused.
struct Machine {
    held: Vec<Held>,
    bench: Bench,
}

impl Machine {
    /// Register `n` holds pattern `n`, in slot `n`.
    fn new(registers: usize) -> Self {
        assert!(
            registers <= 4,
            "with an address bit and a wire six variables"
        );
        Machine {
            held: (0..registers as u32).map(Held::In).collect(),
            bench: Bench::default(),
        }
    }

    /// What a register holds, as its pattern is read.
    fn register(&self, register: usize) -> u64 {
        match self.held[register] {
            Held::In(slot) => self
                .bench
                .plane(Operand::of(OperandKind::Slot(slot as usize))),
            Held::Known(value) => u64::from(value).wrapping_neg(),
        }
    }

    /// A clock edge. `next` says what registers become, given them and the wire. Planes are set to the patterns of their
    /// registers before it. Gives the number of operations.
    fn clock(&mut self, next: impl FnOnce(&[Expression], Expression) -> Vec<Expression>) -> usize {
        let registers = self.held.len();
        for (register, held) in self.held.iter().enumerate() {
            if let Held::In(slot) = held {
                self.bench
                    .set(OperandKind::Slot(*slot as usize), pattern(register));
            }
        }
        self.bench.set(OperandKind::Wire(0), pattern(registers + 1));
        let ((before, after), graph) = Graph::record(|| {
            let before: Vec<Expression> = (self.held.iter())
                .map(|held| {
                    let variable = Expression::variable();
                    match held {
                        Held::In(_) => variable,
                        Held::Known(false) => Expression::ZERO,
                        Held::Known(true) => Expression::ONE,
                    }
                })
                .collect();
            let _address = Expression::variable();
            let wire = Expression::variable();
            let after = next(&before, wire);
            (before, after)
        });
        let expected: Vec<u64> = after
            .iter()
            .map(|&after| evaluated(&graph, after))
            .collect();
        let logic = of_registers(graph, before, after);
        let slots: Vec<Option<u32>> = (self.held.iter())
            .map(|held| match held {
                Held::In(slot) => Some(*slot),
                Held::Known(_) => None,
            })
            .collect();
        let variables = Variables {
            slots: &slots,
            fetched: 0,
            addresses: &[OperandKind::Scratch(FIRST)],
            wires: &[OperandKind::Wire(0)],
        };
        let mut edge = Translation::new(&logic.graph, variables);
        let all: Vec<u32> = (0..registers as u32).collect();
        self.held = clock_edge(&mut edge, &logic, &self.held, &all);
        self.bench.perform(&edge.operations);
        let held: Vec<u64> = (0..registers)
            .map(|register| self.register(register))
            .collect();
        assert_eq!(held, expected);
        let mut slots: Vec<u32> = (self.held.iter())
            .filter_map(|held| match held {
                Held::In(slot) => Some(*slot),
                Held::Known(_) => None,
            })
            .collect();
        slots.sort_unstable();
        assert!(
            slots.windows(2).all(|pair| pair[0] < pair[1]),
            "a slot for each"
        );
        assert!(slots.iter().all(|slot| (*slot as usize) < registers));
        edge.operations.len()
    }
}

#[test]
fn registers_that_change_places_move_no_bit() {
    let mut machine = Machine::new(2);
    assert_eq!(machine.clock(|r, _| vec![r[1], r[0]]), 0);
    assert_eq!(machine.held, [Held::In(1), Held::In(0)]);
    assert_eq!(machine.clock(|r, _| vec![r[1], r[0]]), 0);
    assert_eq!(machine.held, [Held::In(0), Held::In(1)]);
    let mut machine = Machine::new(4);
    for _ in 0..5 {
        assert_eq!(machine.clock(|r, _| vec![r[3], r[0], r[1], r[2]]), 0);
    }
}

#[test]
fn registers_that_wait_for_each_other_in_a_circle_are_worked_out() {
    let mut machine = Machine::new(2);
    machine.clock(|r, _| vec![!r[1], !r[0]]);
    machine.clock(|r, wire| vec![r[1] & wire, r[0] | wire]);
    let mut machine = Machine::new(4);
    machine.clock(|r, _| vec![!r[1], !r[2], !r[3], !r[0]]);
    machine.clock(|r, _| vec![r[0] ^ r[1], r[1] ^ r[2], r[2] ^ r[3], r[3] ^ r[0]]);
    machine.clock(|r, _| vec![!r[1], !r[0], !r[3], !r[2]]);
    // All of them read all.
    machine.clock(|r, wire| {
        let all = r[0] ^ r[1] ^ r[2] ^ r[3] ^ wire;
        vec![all & r[0], all | r[1], all ^ r[2], !all]
    });
}

/// Who reads what is noted for 64 registers at a time. Each of these waits for the one behind it; but for one, none is kept beside
/// the tile.
#[test]
fn many_registers_wait_for_each_other_in_one_circle() {
    let registers = 130;
    let held: Vec<Held> = (0..registers as u32).map(Held::In).collect();
    let ((before, after), graph) = Graph::record(|| {
        let before: Vec<Expression> = held.iter().map(|_| Expression::variable()).collect();
        let next = before.iter().cycle().skip(1);
        let after = before.iter().zip(next).map(|(_, &next)| !next).collect();
        (before, after)
    });
    let logic = of_registers(graph, before, after);
    let slots: Vec<Option<u32>> = held.iter().map(|held| Some(held.slot()? as u32)).collect();
    let variables = Variables {
        slots: &slots,
        fetched: 0,
        addresses: &[],
        wires: &[],
    };
    let mut edge = Translation::new(&logic.graph, variables);
    let all: Vec<u32> = (0..registers as u32).collect();
    assert_eq!(clock_edge(&mut edge, &logic, &held, &all), held);
    assert_eq!(edge.operations.len(), registers + 1);
    let mut bench = Bench::default();
    let value = |register: usize| (register as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for register in 0..registers {
        bench.set(OperandKind::Slot(register), value(register));
    }
    bench.perform(&edge.operations);
    for register in 0..registers {
        let plane = bench.plane(Operand::of(OperandKind::Slot(register)));
        assert_eq!(plane, !value((register + 1) % registers), "{register}");
    }
}

#[test]
fn a_shift_register_is_filled_in_one_operation() {
    let mut machine = Machine::new(4);
    for _ in 0..5 {
        assert_eq!(machine.clock(|r, wire| vec![wire, r[0], r[1], r[2]]), 1);
    }
    for _ in 0..5 {
        assert_eq!(machine.clock(|r, wire| vec![r[1], r[2], r[3], !wire]), 1);
    }
}

#[test]
fn one_register_may_become_several_and_several_may_read_one_that_moves_on() {
    let mut machine = Machine::new(4);
    machine.clock(|r, _| vec![r[3], r[3], r[3], r[0]]);
    machine.clock(|r, wire| vec![wire, r[0], r[0] & r[1], r[0] | r[2]]);
    machine.clock(|r, wire| vec![r[1] & wire, r[1], r[1] ^ r[2], r[2]]);
}

#[test]
fn a_register_that_is_known_gives_its_slot_to_others() {
    let mut machine = Machine::new(3);
    machine.clock(|r, _| vec![Expression::ZERO, r[0], Expression::ONE]);
    assert_eq!(machine.held[0], Held::Known(false));
    assert_eq!(machine.held[2], Held::Known(true));
    assert_eq!(machine.clock(|r, _| r.to_vec()), 0);
    machine.clock(|r, wire| vec![wire, r[1] & wire, r[1] ^ r[2]]);
    assert!(machine.held.iter().all(|held| matches!(held, Held::In(_))));
}

/// What a register becomes: mostly something simple, as in hardware.
#[derive(Clone, Debug)]
enum Next {
    Moves(usize),
    Constant(bool),
    Logic(usize),
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        4 => (0usize..5).prop_map(Next::Moves),
        1 => any::<bool>().prop_map(Next::Constant),
        5 => (0usize..40).prop_map(Next::Logic),
    ]
}

fn edge() -> impl Strategy<Value = (Vec<Choice>, Vec<Next>)> {
    (choices(12), proptest::collection::vec(next(), 4))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn clock_edges_leave_what_the_graph_says(
        registers in 1usize..=4,
        edges in proptest::collection::vec(edge(), 1..6),
    ) {
        let mut machine = Machine::new(registers);
        for (choices, next) in edges {
            machine.clock(|before, wire| {
                let variables = [before, &[wire]].concat();
                let all = noted(&variables, &choices);
                let next = next.iter().map(|next| match *next {
                    Next::Moves(from) => variables[from % variables.len()],
                    Next::Constant(value) => if value { Expression::ONE } else { Expression::ZERO },
                    Next::Logic(number) => all[number % all.len()],
                });
                next.take(registers).collect()
            });
        }
    }
}

#[test]
fn a_dimension_is_idle_until_it_is_driven_and_short_pauses_are_none() {
    let router = PlainRouter::new(Dimensions::new(3).unwrap(), 4).unwrap();
    let program = Program::of::<u64>(&router, 1, false);
    let (mut pauses, mut idle_to_the_end) = (0, 0);
    for dimension in 0..3 {
        let driven: Vec<bool> = (0..program.length())
            .map(|bit_time| program.drives(bit_time, dimension))
            .collect();
        for end in 1..=driven.len() {
            for start in 0..end {
                for shortest in [1, 2, 4, 9] {
                    let (idle, busy) =
                        program
                            .code()
                            .idle_then_busy(&[dimension], start..end, shortest);
                    assert!(start <= idle && idle <= busy && busy <= end && start < busy);
                    assert!(!driven[start..idle].contains(&true));
                    assert!(
                        idle == start || idle == end || (idle - start >= shortest && driven[idle])
                    );
                    let is_pause = |pause: &&[bool]| !pause.contains(&true);
                    let within = driven[idle..busy].windows(shortest);
                    assert_eq!(within.filter(is_pause).count(), 0, "no pause is missed");
                    let behind = &driven[busy..end];
                    let pause = behind.iter().take_while(|driven| !**driven).count();
                    assert!(pause >= shortest || pause == behind.len());
                    pauses += usize::from(idle > start && busy < end);
                    idle_to_the_end += usize::from(idle == end);
                }
            }
        }
    }
    assert!(pauses > 100 && idle_to_the_end > 100, "both occur");
}
