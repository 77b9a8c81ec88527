//! What nodes hold of messages that they send on. The neighbours of the source (of COLLECT: of the node that collects) hold the
//! most.
//!
//! ```text
//!   neighbour, stage k       held before         C(d-1, k-1) parts of ceil(m/(d-k+1)) bits
//!                            across one link     C(d-1, k)   parts of ceil(m/(d-k)) bits, one after another
//!                            across link t       C(d-1-t, d-1-k) of the parts held, t = 1, ..., d-1
//! ```
//!
//! In DISTRIBUTE 1 it gives up more than it takes up after the first slot, so what counts is the beginning of a stage. In COLLECT
//! it goes the other way: links bring more than leaves, and what counts is some slot.

use super::stages::Shape;
use crate::machine::router::ClosedForm;
use crate::routers::collectives::algorithms::counting::binomial;
use crate::routers::collectives::algorithms::form;

/// What a neighbour of the source has to send on in a stage: what came in the one before.
fn before(shape: Shape, stage: usize) -> usize {
    match stage {
        0 => 0,
        stage if stage == shape.d => 0,
        _ => binomial(shape.d - 1, stage - 1) * shape.part(stage, 1),
    }
}

pub(super) fn of_distribute(shape: Shape) -> ClosedForm {
    let d = shape.d;
    let held = (1..d).map(|stage| {
        let next = match stage + 1 < d {
            true => shape.part(stage, 0),
            false => 0,
        };
        before(shape, stage) + next
    });
    match d {
        1 => form("0 (d = 1)", 0),
        2 => form("ceil(m/2) (d = 2)", shape.m.div_ceil(2)),
        _ => form(
            "max over 0 < k < d of C(d-1, k-1) ceil(m/(d-k+1)) + (k < d-1) ceil(m/(d-k))",
            held.max().unwrap_or(0),
        ),
    }
}

pub(super) fn of_collect(shape: Shape) -> ClosedForm {
    let d = shape.d;
    let held = (1..d).flat_map(|stage| {
        let (leaving, coming) = (shape.part(stage, 0), shape.part(stage, 1));
        let (held, slots) = (before(shape, stage + 1), shape.slots(stage, 1));
        (0..slots).map(move |slot| {
            let links = (1..d).map(|link| binomial(d - 1 - link, d - 1 - stage));
            let come: usize = links.map(|slots| slots.min(slot + 1)).sum();
            let gone = slot * coming / leaving * leaving;
            held.saturating_sub(gone) + come * coming
        })
    });
    match d {
        1 => form("0 (d = 1)", 0),
        2 => form("ceil(m/2) (d = 2)", shape.m.div_ceil(2)),
        _ => form(
            "max over 0 < k < d and slots s of C(d-1, k) a - floor(sb/a) a + b sum over 0 < t < d of min(s+1, C(d-1-t, d-1-k)), \
             a = ceil(m/(d-k)), b = ceil(m/(d-k+1))",
            held.max().unwrap_or(0),
        ),
    }
}
