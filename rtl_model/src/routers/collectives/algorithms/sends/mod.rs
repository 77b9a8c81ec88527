//! One node sends a message to one other (Stout & Wagar 1987, sections 3 and 4).
//!
//! ```text
//!   paths     O.C. SEND 1, 2                     a part goes one way and stays whole
//!   cut       how O.C. SEND 3 cuts a group       into smaller packets towards the middle of the cube
//!   stream    groups, one behind the other       through the subcube of the two ends, or one beside it
//!   opposite  O.C. SEND 3, 4, ARBITRARY SEND 1   a stream through the subcube of the two ends
//!   extended  X.O.C. SEND 1, 2, ARBITRARY SEND 3 streams through subcubes beside it
//!   waves     ARBITRARY SEND 2                   BROADCAST 4, cut off
//! ```
//!
//! The source has the relative address 0, the destination `w`, at a distance of `n` ones. The papers take `w = 2^n - 1`; here
//! the dimensions of `w` are the low part of the program, so any will do.

mod cut;
mod extended;
mod opposite;
mod paths;
mod stream;
mod waves;

pub(super) use extended::Extended;
pub(super) use opposite::Opposite;
pub(super) use paths::Paths;
pub(super) use waves::Waves;

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, refused};
use crate::routers::ports::algorithm::PortModel;

/// Closed forms in `n` of O.C. SEND 4, which is O.C. SEND 3 in `g` groups.
mod straight {
    pub(super) const BIT_TIMES: &str = "(g-1)(T + p_(n-1)) + nT + p_0 + ... + p_(n-1), \
        p_0 = ceil(ceil(m/g)/n), p_k = ceil(k p_(k-1)/(n-k))";
    pub(super) const BUFFER: &str = "0 (n = 1); min(g, 2) p_(n-1), \
        p_0 = ceil(ceil(m/g)/n), p_k = ceil(k p_(k-1)/(n-k))";
}

/// Closed forms of X.O.C. SEND 2, which is X.O.C. SEND 1 in `g` groups.
mod beside {
    pub(super) const BIT_TIMES: &str = "(g-1)(T + n p_(n-1)) + (n+2)T + ceil(m/g) + p_0 + ... + p_(n-1) + n p_(n-1), \
        p_0 = ceil(ceil(m/g)/n), p_k = ceil(k p_(k-1)/(n-k))";
    pub(super) const BUFFER: &str = "min(g, 2)n p_(n-1), \
        p_0 = ceil(ceil(m/g)/n), p_k = ceil(k p_(k-1)/(n-k))";
}

/// Stout & Wagar let all ports of a node be busy.
const PORTS: &[PortModel] = &[PortModel::All];

/// All dimensions of a cube.
fn all(dims: usize) -> usize {
    (1 << dims) - 1
}

/// The destination's relative address.
fn destination(of: &dyn Algorithm, ask: &Ask) -> Result<usize, Error> {
    let (source, corner) = (ask.source, ask.source ^ all(ask.dims()));
    let node = ask.destination.unwrap_or(corner);
    if ask.message_bits == 0 {
        return refused(of, "a message of 0 bits: it has 1 at least".to_string());
    }
    if node >= ask.cube.nodes() {
        let last = ask.cube.nodes() - 1;
        return refused(
            of,
            format!("there is no node {node} to send to: nodes are 0 to {last}"),
        );
    }
    if node == source {
        let why = format!("node {node} does not send to itself: to another, such as {corner}");
        return refused(of, why);
    }
    Ok(node ^ source)
}

/// The same, of an algorithm that takes only the opposite corner.
fn opposite_corner(of: &dyn Algorithm, ask: &Ask) -> Result<usize, Error> {
    let (to, corner) = (destination(of, ask)?, all(ask.dims()));
    if to == corner {
        return Ok(to);
    }
    let (source, node) = (ask.source, ask.source ^ to);
    let opposite = source ^ corner;
    refused(
        of,
        format!(
            "node {source} sends to the opposite corner, {opposite}, and not to {node}: \
             arbitrary-send-1 sends to any node"
        ),
    )
}

/// The most groups that are tried: programs of more take longer to write than they save.
const MOST_GROUPS: usize = 1 << 16;

/// How many groups a message of so many bits is cut into: as many as asked for, or else the least number that makes it quickest.
fn groups(
    of: &dyn Algorithm,
    ask: &Ask,
    bits: usize,
    time: impl Fn(usize) -> usize,
) -> Result<usize, Error> {
    match ask.groups {
        Some(asked) if asked == 0 || asked > bits => {
            let nearest = asked.clamp(1, bits);
            let why = format!("{asked} groups of {bits} bits: {nearest} is the nearest number");
            refused(of, why)
        }
        Some(asked) => Ok(asked),
        None => {
            let mut best = (time(1), 1);
            for number in 2..=bits.min(MOST_GROUPS) {
                // Every group takes a START and a bit at least.
                if number * (ask.start_up + 1) > best.0 {
                    break;
                }
                best = best.min((time(number), number));
            }
            Ok(best.1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::ALGORITHMS;
    use crate::routers::collectives::algorithms::algorithm::OperationPlan;
    use crate::routers::collectives::algorithms::operation::Operation;
    use crate::routers::collectives::algorithms::tests::{ask, holds};
    use crate::routers::collectives::program::Side;

    /// What the closed forms leave open: where steps begin, where in memory packets lie, and whether all of the message arrives.
    fn is_whole(plan: &OperationPlan, message_bits: usize) {
        let program = &plan.program;
        assert!(program.steps.is_sorted_by(|one, next| one < next));
        for step in &program.steps {
            assert!(program.transfers.iter().any(|one| one.begin == *step));
        }
        assert!(program.transfers.is_sorted_by_key(|one| one.begin));
        for transfer in &program.transfers {
            let fits = |side: &Side| {
                let mut lines = side.lines.iter();
                lines.all(|line| line.address + transfer.bits <= program.memory_bits)
            };
            assert!(fits(&transfer.sends) && fits(&transfer.receives));
        }
        for segments in [&program.loads, &program.arrivals] {
            let mut bits: Vec<usize> = segments
                .iter()
                .flat_map(|segment| segment.bit..segment.bit + segment.bits)
                .collect();
            bits.sort_unstable();
            assert_eq!(bits, (0..message_bits).collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_of_the_message_arrives_and_steps_begin_with_packets() {
        let sends = (ALGORITHMS.iter().copied()).filter(|one| one.operation() == Operation::Send);
        let mut planned = 0;
        for one in sends {
            for (d, to) in [(1, 1), (2, 3), (3, 2), (4, 10), (4, 15), (5, 7)] {
                for (m, start_up) in [(1, 0), (7, 1), (30, 2), (48, 0)] {
                    let ask = Ask {
                        destination: Some(to),
                        ..ask(d, m, start_up)
                    };
                    if one.plan(&ask).is_ok() {
                        is_whole(&holds(one, &ask), m);
                        planned += 1;
                    }
                }
            }
        }
        // To three corners four algorithms more, and to three other nodes two, of four messages each.
        assert_eq!(planned, 4 * (6 * 3 + 3 * 4 + 3 * 2));
    }
}
