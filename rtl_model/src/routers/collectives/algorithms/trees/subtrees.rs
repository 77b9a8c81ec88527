//! All that goes to a subtree in one packet, and on from its root in the same way (Ho & Johnsson 1986, section 4.2.2, and table 6):
//! to one subtree after another on one port, or to all at once.
//!
//! ```text
//!   TCBT, n = 3, one port
//!   the source    to R: 4 messages     to A: 3
//!   R             (receives)           to B: 3
//!   A, B          (receive)            (receive)     to a child     to the other
//! ```
//!
//! Messages lie in the order in which one gets through the subtree, first its root's own, then child by child; so a packet is in
//! one piece on both sides. The root's own goes last, because it stays.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::counting::{is_least, period};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::scattering::{MOST_DIMENSIONS, Schedule, taken};
use crate::routers::collectives::algorithms::trees::rooted::Rooted;
use crate::routers::collectives::algorithms::trees::{Kind, letters};
use crate::routers::ports::algorithm::PortModel;

/// Whole subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::routers::collectives::algorithms) enum Subtrees {
    /// Of the BST, on one port.
    Balanced,
    /// Of the TCBT, on one port.
    TwoRooted,
    /// Of the TCBT, all at once.
    OneShot,
}

impl Subtrees {
    fn kind(self) -> Kind {
        match self {
            Subtrees::Balanced => Kind::Balanced,
            Subtrees::TwoRooted | Subtrees::OneShot => Kind::TwoRooted,
        }
    }

    fn routing_steps(self) -> &'static str {
        match self {
            Subtrees::OneShot => "1 (n = 1); n",
            _ => "1 (n = 1); 2n - 2",
        }
    }

    fn bit_times(self) -> &'static str {
        match self {
            // The last subtree's root sends to the largest of its subtrees first, and so does that one's root: to 11, to 111, ...
            Subtrees::Balanced => {
                "T + m (n = 1); \
                 (2n - 2)T + (N - 1 + sum over Lyndon words of n bits of the ones at their end less 1) m"
            }
            Subtrees::TwoRooted => "T + m (n = 1); (2n - 2)T + (2N - 2n - 1) m",
            Subtrees::OneShot => "T + m (n = 1); nT + (3N/2 - n - 1) m",
        }
    }

    /// The root of the largest subtree sends on all but its own.
    fn held(self) -> &'static str {
        match self {
            Subtrees::Balanced => "(necklaces(n) - 2) m",
            _ => "(N/2 - 1) m",
        }
    }
}

/// Summed over Lyndon words of `n` bits (the least of their rotations, all of which differ): the ones at their end, less 1.
fn ones_at_ends_of_lyndon_words(n: usize) -> usize {
    let words = (1..1 << n).filter(|word| is_least(*word, n) && period(*word, n) == n);
    words.map(|word| word.trailing_ones() as usize - 1).sum()
}

impl Algorithm for Subtrees {
    fn operation(&self) -> Operation {
        Operation::Scatter
    }

    fn name(&self) -> &'static str {
        match self {
            Subtrees::Balanced => "bst-subtrees",
            Subtrees::TwoRooted => "tcbt-subtrees",
            Subtrees::OneShot => "tcbt-one-shot",
        }
    }

    fn paper_name(&self) -> &'static str {
        match self {
            Subtrees::Balanced => "BST, one communication per subtree",
            Subtrees::TwoRooted => "TCBT, one communication per subtree",
            Subtrees::OneShot => "TCBT, one-shot",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            Subtrees::Balanced => "subtree by subtree along a balanced spanning tree",
            Subtrees::TwoRooted => "subtree by subtree along a two-rooted tree",
            Subtrees::OneShot => "whole subtrees at once along a two-rooted tree",
        }
    }

    fn source(&self) -> &'static str {
        "Ho & Johnsson 1986, section 4.2.2 and table 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        match self {
            Subtrees::OneShot => &[PortModel::All],
            _ => &[PortModel::OneWay, PortModel::TwoWay],
        }
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        taken(self, ask, MOST_DIMENSIONS)?;
        let (n, m, nodes) = (ask.dims(), ask.message_bits, ask.cube.nodes());
        let rooted = Rooted::new(self.kind(), *self == Subtrees::OneShot, ask);
        let (steps, bit_times) = rooted.last_chain();
        let schedule = Schedule {
            view: rooted.tree.view(),
            memory_bits: (nodes - 1) * m,
            bit_times,
            steps,
            transfers: rooted.transfers(ask),
            at_source: (1..nodes).map(|node| rooted.at_source(node) * m).collect(),
            at_node: vec![0; nodes - 1],
        };
        let mut letters = letters(ask).to_vec();
        if *self == Subtrees::Balanced {
            let name = "sum over Lyndon words of n bits of the ones at their end less 1";
            letters.push((name, ones_at_ends_of_lyndon_words(n) as u64));
        }
        let form = |text| ask.form(text, &letters);
        Ok(OperationPlan {
            routing_steps: form(self.routing_steps()),
            bit_times: form(self.bit_times()),
            forwarding_buffer: form(self.held()),
            divides: true,
            groups: None,
            packet_bits: None,
            program: schedule.program(ask),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::tests::ask;

    const EACH: [Subtrees; 3] = [Subtrees::Balanced, Subtrees::TwoRooted, Subtrees::OneShot];

    #[test]
    fn larger_cubes_take_as_long_as_the_closed_forms_say() {
        for algorithm in EACH {
            for n in 7..=11 {
                for (m, start_up) in [(1, 0), (1, 40), (3, 5000)] {
                    let plan = algorithm.plan(&ask(n, m, start_up)).unwrap();
                    assert_eq!(plan.program.bit_times as u64, plan.bit_times.value);
                    assert_eq!(plan.program.steps.len() as u64, plan.routing_steps.value);
                }
            }
        }
    }

    /// Table 6: at most `N(1 + 2 log log N / log N)`.
    #[test]
    fn the_balanced_tree_takes_no_longer_than_table_6_says() {
        for n in 1..=12 {
            let (log, nodes) = (n as f64, (1 << n) as f64);
            let plan = Subtrees::Balanced.plan(&ask(n, 1, 0)).unwrap();
            assert!(plan.bit_times.value as f64 <= nodes * (1.0 + 2.0 * log.log2() / log));
        }
    }
}
