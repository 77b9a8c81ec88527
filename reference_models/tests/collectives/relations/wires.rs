//! The hardware's wires before the model's judge.

use std::collections::BTreeSet;

use reference_models::batches::windows::{Window, windows};
use reference_models::batches::wires::{enough_batches, judge, smallest_interval};
use reference_models::batches::{Schedule, Violation, interval};
use rtl_model::machine::device::Device;
use rtl_model::routers::kuszmaul::batches::BatchRouter;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;

use super::cube;

fn router<P: Pipelined>(k: usize, payload_bits: usize, batches: usize) -> BatchRouter<P> {
    BatchRouter::new(cube(k), payload_bits, batches, None).unwrap()
}

/// What the hardware's stages say of their wires.
fn claimed<P: Pipelined>(router: &BatchRouter<P>) -> Vec<Vec<Window>> {
    let stages = router.pipeline().stages.iter();
    let of_stage = stages.map(|&(extent, _)| {
        let claims = P::claims(extent).into_iter();
        claims
            .map(|claim| {
                let (from, to) = (claim.window.from, claim.window.to);
                // A window may have every second bit time only.
                let gaps = claim.window.length().saturating_sub(1).max(1);
                Window {
                    dimension: claim.dimension,
                    from,
                    to,
                    every: usize::try_from(to - from).unwrap_or(1).max(1) / gaps,
                }
            })
            .collect()
    });
    of_stage.collect()
}

pub fn the_judge_lets_the_smallest_interval_pass_and_no_smaller_one<P: Pipelined>(model: Schedule) {
    for k in 1..=12 {
        for payload_bits in [1, 2, 5, k, 2 * k + 1, 40] {
            let router = router::<P>(k, payload_bits, 1);
            let (stages, smallest) = (claimed(&router), router.pipeline().interval);
            let what = format!("{model:?} k={k} D={payload_bits}");
            assert_eq!(
                judge(&stages, smallest, enough_batches(&stages, smallest)),
                Ok(()),
                "{what}"
            );
            let less = judge(&stages, smallest - 1, enough_batches(&stages, smallest - 1));
            assert!(matches!(less, Err(Violation::WireTaken { .. })), "{what}");
            // Nor is there one that is smaller still.
            if k <= 7 {
                assert_eq!(smallest_interval(&stages), Some(smallest), "{what}");
            }
            if let Some(form) = interval(model, k, payload_bits) {
                assert_eq!(form, smallest, "{what}");
            }
        }
    }
}

/// Bit times in which each wire is in use, by stage and dimension.
type Busy = BTreeSet<(usize, usize, i64)>;

fn busy(stages: &[Vec<Window>]) -> Busy {
    let mut busy = Busy::new();
    for (stage, windows) in stages.iter().enumerate() {
        for window in windows {
            let at = |bit_time| (stage, window.dimension, bit_time);
            busy.extend(window.bit_times().map(at));
        }
    }
    busy
}

/// What is claimed is what the model says, and what a machine drives whose batch is alone is that as well.
pub fn wires_are_driven_when_the_model_has_them<P: Pipelined>(model: Schedule) {
    for k in 1..=8 {
        for payload_bits in [1, 3, 2 * k + 1] {
            let router = router::<P>(k, payload_bits, 1);
            let what = format!("{model:?} k={k} D={payload_bits}");
            let claims = busy(&claimed(&router));
            if let Some(stages) = windows(model, k, payload_bits) {
                assert_eq!(claims, busy(&stages), "{what}");
            }
            let mut driven = Busy::new();
            let mut machine = Device::build(&router, 1).unwrap();
            while !machine.is_done() {
                machine.transmit().unwrap();
                // Wires are numbered stage by stage, and in a stage by dimension.
                let mut wire = 0;
                for &(extent, begins) in &router.pipeline().stages {
                    let bit_time = machine.bit_time() as i64 - begins as i64;
                    for dimension in extent.lowest..k {
                        if machine.driver(wire).is_some() {
                            driven.insert((extent.stage, dimension, bit_time));
                        }
                        wire += 1;
                    }
                }
                machine.clock();
            }
            assert_eq!(driven, claims, "{what}");
        }
    }
}
