//! Operations, one after the other on planes of 64 places, against the graph that they come from.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::language::bit::Bit;

/// Planes in which operations are performed in the plainest way: a plane of 64 places is a word. It shares nothing with
/// what runs programs but the kernels' tables.
#[derive(Default)]
pub(in crate::machine::program) struct Bench {
    planes: HashMap<Operand, u64>,
    /// What goes out across each dimension.
    pub sent: HashMap<usize, u64>,
}

impl Bench {
    pub(in crate::machine::program) fn set(&mut self, place: OperandKind, plane: u64) {
        self.planes.insert(Operand::of(place), plane);
    }

    pub(in crate::machine::program) fn plane(&self, operand: Operand) -> u64 {
        match operand.place() {
            OperandKind::Scratch(ZERO) => 0,
            OperandKind::Scratch(ONE) => !0,
            _ => self.planes[&operand],
        }
    }

    pub(in crate::machine::program) fn perform(&mut self, operations: &[Operation]) {
        for Operation {
            kernel,
            to,
            operands,
        } in operations
        {
            // What is not read may be anything.
            let read = |nth: usize| {
                let values = [A, B, C][nth];
                let (one, zero) = (kernel.table() & values, kernel.table() & !values);
                one != zero << (1 << (2 - nth))
            };
            let planes: Vec<u64> = (operands.iter().enumerate())
                .map(|(nth, &operand)| match (read(nth), operand.place()) {
                    (false, _) => 0,
                    (true, OperandKind::Wire(_)) if nth < 2 => {
                        panic!("{kernel:?} reads a wire as {nth}")
                    }
                    (true, _) => self.plane(operand),
                })
                .collect();
            let result = (0..64).fold(0, |result, place| {
                let values =
                    (planes.iter()).fold(0, |values, plane| values << 1 | plane >> place & 1);
                result | u64::from(kernel.table() >> values & 1) << place
            });
            match to.place() {
                OperandKind::Wire(dimension) => {
                    self.sent.insert(dimension, result);
                }
                OperandKind::Scratch(ZERO | ONE) | OperandKind::TileBit(_) => {
                    panic!("{to:?} is written")
                }
                place => self.set(place, result),
            }
        }
    }
}

/// A gate over what there is already, chosen by number.
#[derive(Clone, Debug)]
pub(in crate::machine::program) struct Choice {
    kind: usize,
    inputs: [usize; 3],
}

pub(in crate::machine::program) fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    let choice = (0usize..10, any::<[usize; 3]>());
    proptest::collection::vec(
        choice.prop_map(|(kind, inputs)| Choice { kind, inputs }),
        1..most,
    )
}

/// Notes gates down over the variables; gives all expressions, those of the gates last.
pub(in crate::machine::program) fn noted(
    variables: &[Expression],
    choices: &[Choice],
) -> Vec<Expression> {
    let mut all = variables.to_vec();
    for Choice { kind, inputs } in choices {
        // The newer an expression, the likelier it is used: so logic becomes deep.
        let newest = |input: usize| all[all.len() - 1 - input % all.len().min(5)];
        let any = |input: usize| all[input % all.len()];
        let (a, b, c) = (newest(inputs[0]), any(inputs[1]), any(inputs[2]));
        all.push(match kind {
            0 | 1 => a & b,
            2 | 3 => a | b,
            4 | 5 => a ^ b,
            6 => !a,
            7 => a.mux(b, c),
            8 => b.mux(a, c),
            _ => (a & b) | (c & (a | b)),
        });
    }
    all
}

/// The places at which variable `number` of six is 1: so 64 places have all values of them.
pub(in crate::machine::program) fn pattern(number: usize) -> u64 {
    crate::language::lanes::PLACE[number]
}

/// The values of an expression in all places, worked out by the graph.
pub(in crate::machine::program) fn evaluated(graph: &Graph, expression: Expression) -> u64 {
    (0..64).fold(0, |plane, place| {
        let variables: Vec<bool> = (0..6).map(|v| pattern(v) >> place & 1 == 1).collect();
        plane | u64::from(graph.evaluate(&variables).of(expression)) << place
    })
}

/// Logic over so many registers, and an address bit and a wire of each dimension: six variables at the most.
fn is_translated(registers: usize, dimensions: usize, choices: &[Choice], roots: &[usize]) {
    let (roots, graph) = Graph::record(|| {
        let amount = registers + 2 * dimensions;
        let variables: Vec<Expression> = (0..amount).map(|_| Expression::variable()).collect();
        let all = noted(&variables, choices);
        let root = |root: &usize| all[all.len() - 1 - root % all.len()];
        roots.iter().map(root).collect::<Vec<_>>()
    });
    let addresses: Vec<OperandKind> = (0..dimensions)
        .map(|d| OperandKind::Scratch(FIRST + d))
        .collect();
    let wires: Vec<OperandKind> = (0..dimensions).map(OperandKind::Wire).collect();
    // Registers lie in other slots than their numbers say.
    let slots: Vec<Option<u32>> = (0..registers).map(|n| Some((n as u32 + 7) % 11)).collect();
    let mut bench = Bench::default();
    for (register, slot) in slots.iter().enumerate() {
        bench.set(OperandKind::Slot(slot.unwrap() as usize), pattern(register));
    }
    for d in 0..dimensions {
        bench.set(OperandKind::Scratch(FIRST + d), pattern(registers + d));
        bench.set(OperandKind::Wire(d), pattern(registers + dimensions + d));
    }
    let variables = Variables {
        slots: &slots,
        fetched: 0,
        addresses: &addresses,
        wires: &wires,
    };
    let mut translation = Translation::new(&graph, variables);
    let mut at = Vec::new();
    for &root in &roots {
        let to = translation.beside();
        translation.work_out(root, to);
        at.push(to);
    }
    // A second time, now that it is known, and across a wire.
    translation.work_out(roots[0], Operand::of(OperandKind::Wire(0)));
    bench.perform(&translation.operations);
    for (&root, &to) in roots.iter().zip(&at) {
        assert_eq!(bench.plane(to), evaluated(&graph, root));
    }
    assert_eq!(bench.sent[&0], evaluated(&graph, roots[0]));
    for operation in &translation.operations {
        if let OperandKind::Scratch(plane) = operation.to.place() {
            assert!((FIRST + dimensions..translation.scratch).contains(&plane));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn operations_work_out_what_the_graph_says(
        size in prop::sample::select(vec![(1, 1), (2, 1), (3, 1), (4, 1), (0, 2), (2, 2), (0, 3)]),
        choices in choices(24),
        roots in proptest::collection::vec(0usize..8, 1..5),
    ) {
        is_translated(size.0, size.1, &choices, &roots);
    }
}

#[test]
fn every_gate_of_wires_alone_is_translated() {
    for kind in 0..10 {
        for inputs in 0..6 * 6 * 6 {
            let inputs = [inputs % 6, inputs / 6 % 6, inputs / 36];
            is_translated(0, 3, &[Choice { kind, inputs }], &[0]);
        }
    }
}

#[test]
fn constants_and_variables_are_copied() {
    let ((register, wire), graph) = Graph::record(|| {
        (
            Expression::variable(),
            [(); 2].map(|()| Expression::variable())[1],
        )
    });
    let variables = Variables {
        slots: &[Some(5)],
        fetched: 0,
        addresses: &[OperandKind::Scratch(FIRST)],
        wires: &[OperandKind::Wire(0)],
    };
    let mut translation = Translation::new(&graph, variables);
    let mut bench = Bench::default();
    bench.set(OperandKind::Slot(5), 0x1234);
    bench.set(OperandKind::Wire(0), 0x5678);
    let expressions = [Expression::ZERO, Expression::ONE, register, wire];
    let at = expressions.map(|expression| {
        let to = translation.beside();
        translation.work_out(expression, to);
        to
    });
    bench.perform(&translation.operations);
    assert_eq!(at.map(|to| bench.plane(to)), [0, !0, 0x1234, 0x5678]);
    assert_eq!(
        translation.slots_read(&[3, 5], expressions.into_iter()),
        [0, 0, 0b10, 0]
    );
}
