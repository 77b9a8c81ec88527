//! In which order a routine's operations come, and in which plane is what.

use rustc_hash::FxHashMap;

use crate::machine::program::kernels::Kernel;
use crate::machine::program::operation::{FIRST, Operand, OperandKind, Operation};

/// Operations that are put into another order together.
const WINDOW: usize = 512;

/// An operation on whole planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub kernel: Kernel,
    pub to: u32,
    pub operands: [u32; 3],
}

/// In which plane is what.
#[derive(Debug)]
pub(super) struct Places {
    /// Of what is worked out, the plane that it is in last.
    beside: FxHashMap<usize, u32>,
    /// All planes.
    pub planes: usize,
}

impl Places {
    /// The plane of an operand; of what is worked out, that in which it is in the end.
    pub(super) fn plane(&self, operand: Operand) -> u32 {
        match operand.place() {
            OperandKind::Scratch(constant) if constant < FIRST => constant as u32,
            OperandKind::Scratch(beside) => self.beside[&beside],
            OperandKind::Slot(slot) => (FIRST + slot) as u32,
            _ => unreachable!("every variable is in a slot"),
        }
    }
}

/// Operations in another order, in which those of a kernel come one after the other: which kernel comes next is then seldom
/// a surprise to the processor. What is near in one order stays near in the other, so that planes are soon free again.
fn by_kernel(operations: &[Operation]) -> Vec<Operation> {
    let mut ordered = Vec::with_capacity(operations.len());
    for window in operations.chunks(WINDOW) {
        let written: FxHashMap<Operand, usize> = (window.iter().enumerate())
            .map(|(place, operation)| (operation.to, place))
            .collect();
        let needs = |operation: &Operation| {
            let mut needs: Vec<usize> = (operation.operands.iter())
                .filter_map(|operand| written.get(operand).copied())
                .collect();
            needs.sort_unstable();
            needs.dedup();
            needs
        };
        let mut missing: Vec<usize> = window.iter().map(|one| needs(one).len()).collect();
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); window.len()];
        for (place, operation) in window.iter().enumerate() {
            needs(operation)
                .into_iter()
                .for_each(|needed| readers[needed].push(place));
        }
        let mut ready: Vec<Vec<usize>> = vec![Vec::new(); Kernel::ALL.len()];
        for (place, operation) in window.iter().enumerate() {
            if missing[place] == 0 {
                ready[operation.kernel as usize].push(place);
            }
        }
        while let Some(kernel) = (0..ready.len())
            .filter(|&kernel| !ready[kernel].is_empty())
            .max_by_key(|&kernel| ready[kernel].len())
        {
            while let Some(place) = ready[kernel].pop() {
                ordered.push(window[place]);
                for &reader in &readers[place] {
                    missing[reader] -= 1;
                    if missing[reader] == 0 {
                        ready[window[reader].kernel as usize].push(reader);
                    }
                }
            }
        }
    }
    ordered
}

/// Gives what is worked out its planes, behind those of the constants and the variables: each is free again when it has been
/// read for the last time, so that there are few, and those in use stay in the cache. `results` are read at the end.
pub(super) fn in_planes(
    operations: &[Operation],
    results: impl Iterator<Item = Operand>,
    variables: usize,
) -> (Vec<Step>, Places) {
    let operations = &by_kernel(operations)[..];
    let beside = |operand: Operand| match operand.place() {
        OperandKind::Scratch(beside) if beside >= FIRST => Some(beside),
        _ => None,
    };
    let mut read_last: FxHashMap<usize, usize> = FxHashMap::default();
    for (time, operation) in operations.iter().enumerate() {
        let read = operation.operands.into_iter().filter_map(beside);
        read_last.extend(read.map(|plane| (plane, time)));
    }
    read_last.extend(results.filter_map(beside).map(|plane| (plane, usize::MAX)));
    let mut places = Places {
        beside: FxHashMap::default(),
        planes: FIRST + variables,
    };
    let mut free: Vec<u32> = Vec::new();
    let mut steps = Vec::with_capacity(operations.len());
    for (time, operation) in operations.iter().enumerate() {
        let operands = operation.operands.map(|operand| places.plane(operand));
        let mut ended: Vec<usize> = operation.operands.into_iter().filter_map(beside).collect();
        ended.sort_unstable();
        ended.dedup();
        ended.retain(|plane| read_last.get(plane) == Some(&time));
        free.extend(ended.iter().map(|plane| places.beside[plane]));
        let to = free.pop().unwrap_or_else(|| {
            places.planes += 1;
            places.planes as u32 - 1
        });
        places
            .beside
            .extend(beside(operation.to).map(|plane| (plane, to)));
        steps.push(Step {
            kernel: operation.kernel,
            to,
            operands,
        });
    }
    (steps, places)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::circuit::expression::{Expression, Graph};
    use crate::language::bit::Bit;
    use crate::machine::program::operation::{ONE, ZERO};
    use crate::machine::program::translate::tests::{Choice, choices, evaluated, noted, pattern};
    use crate::machine::program::translate::{Translation, Variables};

    const VARIABLES: usize = 6;

    /// Logic of six variables, performed in another order in planes that are used again.
    fn is_performed(choices: &[Choice], roots: &[usize]) {
        let (roots, graph) = Graph::record(|| {
            let variables: Vec<Expression> =
                (0..VARIABLES).map(|_| Expression::variable()).collect();
            let mut all = vec![Expression::ZERO, Expression::ONE];
            all.extend(noted(&variables, choices));
            let root = |root: &usize| all[root % all.len()];
            roots.iter().map(root).collect::<Vec<_>>()
        });
        let slots: Vec<Option<u32>> = (0..VARIABLES as u32).map(Some).collect();
        let variables = Variables {
            slots: &slots,
            fetched: 0,
            addresses: &[],
            wires: &[],
        };
        let mut translation = Translation::new(&graph, variables);
        let results: Vec<Operand> = (roots.iter())
            .map(|&root| translation.operand(root))
            .collect();
        let operations = &translation.operations;
        let (steps, places) = in_planes(operations, results.iter().copied(), VARIABLES);
        assert_eq!(steps.len(), operations.len());
        assert!(places.planes <= FIRST + VARIABLES + operations.len());
        let mut planes = vec![0u64; places.planes];
        planes[ONE] = !0;
        assert_eq!(planes[ZERO], 0);
        (0..VARIABLES).for_each(|variable| planes[FIRST + variable] = pattern(variable));
        for step in steps {
            assert!(step.to as usize >= FIRST + VARIABLES);
            let [a, b, c] = step.operands.map(|plane| planes[plane as usize]);
            planes[step.to as usize] = step.kernel.apply(a, b, c);
        }
        for (&root, &result) in roots.iter().zip(&results) {
            let plane = places.plane(result) as usize;
            assert_eq!(planes[plane], evaluated(&graph, root));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn steps_work_out_what_the_graph_says(
            choices in choices(3 * WINDOW),
            roots in proptest::collection::vec(any::<usize>(), 1..30),
        ) {
            is_performed(&choices, &roots);
        }
    }
}
