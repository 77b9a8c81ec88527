//! What a router took, as its report has it, and what several rounds took together.

use crate::measure::beside::Told;

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    pub bit_times: u64,
    /// Where there is a closed form.
    pub bit_times_formula: Option<u64>,
    pub messages: u64,
    pub delivered: u64,
    /// Register bits of a node.
    pub storage_bits: u64,
    /// Of these, the most that held bits of messages.
    pub occupied_bits: u64,
    pub wires_per_node: u64,
    /// The share of wires' bit times with a bit.
    pub wire_use: f64,
    pub logic_depth: Option<u64>,
    /// All checks of all rounds hold.
    pub passed: bool,
    /// All rounds that were run took as many bit times.
    pub are_alike: bool,
}

impl Facts {
    /// What a report says; none, where something of it is missing.
    pub fn of(told: &Told) -> Option<Self> {
        let nodes = told.number("topology.nodes")?;
        let wires = told.number("topology.directed_wires")?;
        Some(Facts {
            bit_times: told.number("bit_times")?,
            bit_times_formula: told.number("bit_times_formula.value"),
            messages: told.number("messages")?,
            delivered: told.number("delivered")?,
            storage_bits: told.number("storage_bits_per_node.total")?,
            occupied_bits: told.number("peak.occupied_bits_per_node")?,
            // A router whose links have more than a data wire says so.
            wires_per_node: told.number("wires.wires_per_node").unwrap_or(wires / nodes),
            wire_use: told.real("wire_use")?,
            logic_depth: told.number("logic_depth.total"),
            passed: told.passed(),
            are_alike: true,
        })
    }

    /// Of so many rounds, one after the other; each that was run stands for as many.
    pub fn total(each: &[Facts], rounds: usize) -> Self {
        let runs = each.len().max(1) as u64;
        let sum = |of: &dyn Fn(&Facts) -> u64| -> u64 {
            let of_runs: u64 = each.iter().map(of).sum();
            of_runs * rounds as u64 / runs
        };
        let most = |of: fn(&Facts) -> u64| each.iter().map(of).max().unwrap_or_default();
        let bit_times: u64 = each.iter().map(|one| one.bit_times).sum();
        let busy: f64 = each
            .iter()
            .map(|one| one.wire_use * one.bit_times as f64)
            .sum();
        let formulas = each.iter().all(|one| one.bit_times_formula.is_some());
        Facts {
            bit_times: sum(&|one| one.bit_times),
            bit_times_formula: formulas
                .then(|| sum(&|one| one.bit_times_formula.unwrap_or_default())),
            messages: sum(&|one| one.messages),
            delivered: sum(&|one| one.delivered),
            storage_bits: most(|one| one.storage_bits),
            occupied_bits: most(|one| one.occupied_bits),
            wires_per_node: most(|one| one.wires_per_node),
            wire_use: busy / bit_times.max(1) as f64,
            logic_depth: each.iter().filter_map(|one| one.logic_depth).max(),
            passed: each.iter().all(|one| one.passed),
            are_alike: each
                .windows(2)
                .all(|pair| pair[0].bit_times == pair[1].bit_times),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bit_times: u64, wire_use: f64) -> Facts {
        Facts {
            bit_times,
            bit_times_formula: Some(bit_times + 1),
            messages: 4,
            delivered: 3,
            storage_bits: 100 + bit_times,
            wire_use,
            passed: true,
            ..Facts::default()
        }
    }

    #[test]
    fn rounds_add_up_and_nodes_are_used_again() {
        let total = Facts::total(&[facts(30, 0.5), facts(10, 0.1)], 2);
        assert_eq!((total.bit_times, total.bit_times_formula), (40, Some(42)));
        assert_eq!((total.messages, total.delivered), (8, 6));
        assert_eq!(total.storage_bits, 130);
        assert!((total.wire_use - 0.4).abs() < 1e-12);
        assert!(total.passed && !total.are_alike);
    }

    #[test]
    fn a_few_rounds_stand_for_as_many_as_there_are() {
        let few = [facts(10, 0.5), facts(10, 0.5), facts(10, 0.5)];
        let total = Facts::total(&few, 255);
        assert_eq!((total.bit_times, total.messages), (2550, 1020));
        assert!(total.are_alike);
        let without = Facts {
            bit_times_formula: None,
            ..facts(1, 0.0)
        };
        assert_eq!(Facts::total(&[without], 1).bit_times_formula, None);
    }
}
