//! The table of a schedule: how long an iteration takes, its steps, and who has which wire when.

use std::ops::Range;

use crate::parts::dimensions::RowOrder;
use crate::parts::windows::moment::{Moment, moment};
use crate::parts::windows::stretch::Stretch;
use crate::parts::windows::window::Window;

/// An iteration of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Bit times to the beginning of the next one.
    pub length: Moment,
    /// In which order rows pass the dimensions that are left.
    pub order: RowOrder,
    /// In the order in which they begin. An iteration that leaves no dimension has the first alone.
    pub steps: &'static [Step],
    /// Who has wires.
    pub wires: &'static [Wire],
}

/// A step of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its number in the schedule's list of steps.
    pub code: u32,
    /// What it is called in a pipeline of batches.
    pub name: &'static str,
    /// Its first bit time.
    pub begins: Moment,
}

/// A unit has wires in a window.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// As it is called in [`Transmit::drive`](crate::language::wires::Transmit::drive).
    pub unit: &'static str,
    /// Whose wires.
    pub stages: Stages,
    /// When.
    pub window: Window,
}

/// Stages of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// The dimension that messages cross: the lowest, which is left no more.
    Crossed,
    /// All of the row.
    Row,
}

/// A unit has the wire of a dimension in a stretch of bit times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The dimension that the wire crosses.
    pub dimension: usize,
    /// The unit.
    pub unit: &'static str,
    /// When, from the beginning of the iteration.
    pub window: Stretch,
}

/// A step of that code and name.
pub const fn step(code: u32, name: &'static str, begins: &str) -> Step {
    Step {
        code,
        name,
        begins: moment(begins),
    }
}

/// A unit has all wires of a row.
pub const fn of_row(unit: &'static str, window: Window) -> Wire {
    Wire {
        unit,
        stages: Stages::Row,
        window,
    }
}

/// A unit has the wire that messages cross.
pub const fn of_crossed(unit: &'static str, window: Window) -> Wire {
    Wire {
        unit,
        stages: Stages::Crossed,
        window,
    }
}

impl Iteration {
    /// Who has which wire in the iteration whose lowest dimension is the first of these.
    pub fn claims(&self, dimensions: Range<usize>, payload_bits: usize) -> Vec<Claim> {
        let left = dimensions.start + 1..dimensions.end;
        let claims = self.wires.iter().flat_map(|wire| {
            let claim = |dimension, r| Claim {
                dimension,
                unit: wire.unit,
                window: wire.window.stretch(left.len(), payload_bits, r),
            };
            match wire.stages {
                Stages::Crossed => vec![claim(dimensions.start, 0)],
                Stages::Row => (left.clone())
                    .map(|dimension| claim(dimension, self.order.stage(dimension, left.clone())))
                    .collect(),
            }
        });
        claims.collect()
    }

    /// Its steps where `m` dimensions are left: each with its first bit time.
    pub fn steps(&self, m: usize, payload_bits: usize) -> impl Iterator<Item = (Step, i64)> {
        let steps = if m == 0 { &self.steps[..1] } else { self.steps };
        let begins = move |step: &Step| (*step, step.begins.value(m, payload_bits, 0));
        steps.iter().map(begins)
    }
}
