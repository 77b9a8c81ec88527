//! Every algorithm in every small cube.

use rayon::prelude::*;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Algorithm, Ask, OperationPlan};

use crate::asks;
use crate::compare::holds;
use crate::delivery::{delivers, drives};

/// Dimensions, bits of a message and START: messages that divide and that do not, and some that are shorter
/// than the cube has dimensions.
const SIZES: [(usize, usize, usize); 15] = [
    (1, 1, 0),
    (1, 3, 1),
    (1, 4, 3),
    (2, 4, 1),
    (2, 5, 0),
    (2, 8, 3),
    (3, 1, 1),
    (3, 6, 3),
    (3, 7, 0),
    (3, 48, 1),
    (4, 5, 3),
    (4, 12, 1),
    (4, 13, 0),
    (5, 7, 3),
    (5, 60, 1),
];

/// Every ask of an algorithm that it takes, with its plan.
fn plans(of: &dyn Algorithm) -> Vec<(Ask, OperationPlan)> {
    let asks = SIZES
        .into_iter()
        .flat_map(|(dims, bits, start_up)| asks::all(of, dims, bits, start_up));
    asks.filter_map(|ask| of.plan(&ask).ok().map(|plan| (ask, plan)))
        .collect()
}

#[test]
fn every_algorithm_is_as_the_model_says() {
    ALGORITHMS.par_iter().for_each(|of| {
        let plans = plans(*of);
        // Whatever is in the list is compared, and in cubes of several sizes.
        let mut dims: Vec<usize> = plans.iter().map(|(ask, _)| ask.dims()).collect();
        dims.dedup();
        assert!(dims.len() >= 2, "{}: {dims:?}", of.name());
        plans.par_iter().for_each(|(ask, plan)| {
            holds(*of, ask, plan);
        });
    });
}

/// Bit times, peaks and wires of runs, which are ticked, are those of plans: of a few asks of every size.
#[test]
fn every_algorithm_runs_as_the_model_says() {
    ALGORITHMS.par_iter().for_each(|of| {
        for (dims, bits, start_up) in SIZES {
            let asks = asks::all(*of, dims, bits, start_up);
            let step = asks.len().div_ceil(4).max(1);
            let plans: Vec<(Ask, OperationPlan)> = asks
                .into_iter()
                .filter_map(|ask| of.plan(&ask).ok().map(|plan| (ask, plan)))
                .collect();
            for (number, (ask, plan)) in plans.iter().enumerate().step_by(step) {
                let due = holds(*of, ask, plan);
                delivers(*of, ask, plan, &due.task, true, number as u64);
                drives(*of, ask, plan);
            }
        }
    });
}
