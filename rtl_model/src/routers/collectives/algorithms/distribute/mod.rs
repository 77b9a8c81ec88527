//! DISTRIBUTE 1 and COLLECT (Stout & Wagar 1987, section 5): every node is sent its message by O.C. SEND 2 on the subcube between
//! it and the source, those of the farthest nodes first.
//!
//! ```text
//!   d = 3, from the source     stage 0       stage 1            stage 2
//!   across each port           1/3 of 111    1/2 of 011, 101    all of 001
//!   on from distance 1                       1/3 of 111         1/2 of 011, 101, ...
//!   on from distance 2                                          1/3 of 111
//! ```
//!
//! The message of `w` is cut into as many parts as `w` has ones. Each part begins at another of them, and crosses one after
//! another, circularly upwards. Seen from port `z` of a node `c`, the messages that cross it are `c`, `z` and a set `x` of the
//! zeros of `c` that follow above `z`. All nodes go through these sets in the same order, ascending, so a set is a slot: the link
//! takes part in it where those zeros are clear. There are fewer slots the farther from the source, and they are shorter, so the
//! source takes the longest.
//!
//! In a stage a node sends from one region of its memory what came in the stage before, and puts what comes into the other: at
//! each port's place, by slots. A region has room for the slots of all ports, of which a node needs some; only if messages are
//! shorter than `d` bits or so is that more than the source has to hold anyway. COLLECT is the same with the last stage first, and
//! every transfer the other way.

mod stages;
pub(super) mod two;
mod waves;

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{MOST_DIMENSIONS, taken};
use crate::routers::ports::algorithm::PortModel;
use stages::Shape;

/// DISTRIBUTE 1.
pub(super) struct Distribute1;

/// COLLECT.
pub(super) struct Collect;

impl Algorithm for Distribute1 {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        "distribute-1"
    }

    fn paper_name(&self) -> &'static str {
        "DISTRIBUTE 1"
    }

    fn models(&self) -> &'static str {
        "O.C. SEND 2 to every node at once, the farthest first"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 5"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let shape = Shape::of(ask);
        let (at_source, _) = shape.at_source();
        let stages = (0..shape.d).map(|stage| (stage, shape.stage(stage, &at_source)));
        Ok(OperationPlan {
            routing_steps: ask.form("d", &[]),
            bit_times: ask.form(BIT_TIMES, &[]),
            forwarding_buffer: ask.form(HELD_IN_DISTRIBUTE, &[]),
            divides: shape.divides(),
            groups: None,
            packet_bits: None,
            program: shape.schedule(stages).program(ask),
        })
    }
}

/// Of both.
const BIT_TIMES: &str = "dT + sum over k < d of C(d-1, k) ceil(m/(k+1))";

/// What nodes hold of messages that they send on. The neighbours of the source (of COLLECT: of the node that collects) hold the
/// most.
///
/// ```text
///   neighbour, stage k       held before         C(d-1, k-1) parts of ceil(m/(d-k+1)) bits
///                            across one link     C(d-1, k)   parts of ceil(m/(d-k)) bits, one after another
///                            across link t       C(d-1-t, d-1-k) of the parts held, t = 1, ..., d-1
/// ```
///
/// In DISTRIBUTE 1 a neighbour gives up more than it takes up after the first slot, so what counts is the beginning of a stage.
const HELD_IN_DISTRIBUTE: &str = "0 (d = 1); ceil(m/2) (d = 2); \
    max over 0 < k < d of C(d-1, k-1) ceil(m/(d-k+1)) + [k < d-1] ceil(m/(d-k))";

/// In COLLECT it goes the other way: links bring more than leaves, and what counts is some slot `s`, in which parts of `a_k` bits have
/// left and parts of `b_k` bits have come.
const HELD_IN_COLLECT: &str = "0 (d = 1); ceil(m/2) (d = 2); \
    max over 0 < k < d of max over s < C(d-2, d-1-k) of \
    max([k < d-1] C(d-1, k) a_k - floor(s b_k/a_k) a_k, 0) \
    + b_k sum over 0 < t < d of min(s+1, C(d-1-t, d-1-k)), \
    a_k = ceil(m/(d-k)), b_k = ceil(m/(d-k+1))";

impl Algorithm for Collect {
    fn operation(&self) -> Operation {
        Operation::Gather
    }

    fn name(&self) -> &'static str {
        "collect"
    }

    fn paper_name(&self) -> &'static str {
        "COLLECT"
    }

    fn models(&self) -> &'static str {
        "DISTRIBUTE 1 backwards: the nearest first"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 5"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let shape = Shape::of(ask);
        let (at_source, _) = shape.at_source();
        let stages = (0..shape.d).rev().map(|stage| {
            let mut transfers = shape.stage(stage, &at_source);
            for transfer in &mut transfers {
                std::mem::swap(&mut transfer.sends, &mut transfer.receives);
            }
            (stage, transfers)
        });
        let mut program = shape.schedule(stages).program(ask);
        std::mem::swap(&mut program.loads, &mut program.arrivals);
        Ok(OperationPlan {
            routing_steps: ask.form("d", &[]),
            bit_times: ask.form(BIT_TIMES, &[]),
            forwarding_buffer: ask.form(HELD_IN_COLLECT, &[]),
            divides: shape.divides(),
            groups: None,
            packet_bits: None,
            program,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    /// `(2^d - 1) m / d + dT`.
    #[test]
    fn messages_that_can_be_cut_take_as_long_as_the_paper_says() {
        for (d, m) in [(1, 1), (2, 2), (3, 6), (4, 12), (5, 60), (6, 60)] {
            for algorithm in [&Distribute1 as &dyn Algorithm, &Collect] {
                let plan = algorithm.plan(&ask(d, m, 7)).unwrap();
                let paper = ((1 << d) - 1) * m / d + d * 7;
                assert!(plan.divides);
                assert_eq!(plan.bit_times.value, paper as u64);
            }
        }
    }

    #[test]
    fn messages_that_cannot_be_cut_say_so() {
        assert!(!Distribute1.plan(&ask(3, 3, 0)).unwrap().divides);
    }
}
