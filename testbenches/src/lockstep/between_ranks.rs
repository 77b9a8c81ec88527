//! What ranks have exchanged in a run: measured, as the schedule has it, and as a closed form.

use std::fmt;

use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::{Lockstep, Timetable};
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{Check, Formula};

/// What ranks have exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetweenRanks {
    /// How many there are.
    pub ranks: usize,
    /// Bits that all have sent: one a node in each bit time in which it drives a wire to another rank.
    pub bits: u64,
    /// The bits that the schedule drives over these wires, where it is known beforehand.
    pub scheduled: Option<u64>,
    /// The closed form of them, where there is one.
    pub formula: Option<(String, u64)>,
    /// How often each rank has exchanged bits with another.
    pub exchanges: u64,
}

impl BetweenRanks {
    /// Of a run that is over, `since` the bit time from which on it was counted; all ranks ask. Nothing where there is only
    /// one.
    pub fn of(machine: &dyn Lockstep, program: Option<&dyn Timetable>, since: u64) -> Option<Self> {
        let rank = machine.rank();
        let ranks = rank.share().ranks();
        if ranks == 1 {
            return None;
        }
        let mut words = [rank.words_sent()];
        rank.sum(&mut words);
        Some(BetweenRanks {
            ranks,
            bits: 64 * words[0],
            scheduled: program.map(|program| {
                let counted = since as usize..program.length();
                64 * program.words_to_ranks(counted) * ranks as u64
            }),
            formula: match since {
                0 => formula(
                    machine.device(),
                    machine.nodes() as u64,
                    rank.share().log2_ranks(),
                ),
                _ => None,
            },
            exchanges: rank.exchanges(),
        })
    }

    /// Whether it is what it should be, and both.
    pub fn check(&self) -> Check {
        let BetweenRanks { bits, .. } = self;
        let mut detail = format!("{bits} bits sent");
        let mut passed = true;
        if let Some(scheduled) = self.scheduled {
            detail += &format!(", {scheduled} as the schedule has it");
            passed &= scheduled == *bits;
        }
        if let Some((text, value)) = &self.formula {
            detail += &format!(", {text} = {value}");
            passed &= value == bits;
        }
        Check::new("between ranks", passed, detail)
    }

    /// As a report has it.
    pub fn exchanged(&self) -> Exchanged {
        let formula = self.formula.clone();
        Exchanged {
            ranks: self.ranks,
            bits: self.bits,
            formula: formula.map(|(text, value)| Formula { text, value }),
            exchanges_per_rank: self.exchanges,
        }
    }
}

/// What ranks have sent each other, as a report has it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Exchanged {
    /// How many there are.
    ranks: usize,
    /// Bits that they sent each other.
    bits: u64,
    /// Their closed form, where there is one.
    formula: Option<Formula>,
    /// How often each met others.
    exchanges_per_rank: u64,
}

impl fmt::Display for BetweenRanks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BetweenRanks {
            ranks,
            bits,
            exchanges,
            ..
        } = self;
        write!(
            formatter,
            "{ranks}, which sent each other {bits} bits; each met others {exchanges} times"
        )
    }
}

/// In each bit time in which the wires of a dimension below `dimensions` are driven, every node sends a bit to another rank.
pub(super) fn formula(device: &dyn Device, nodes: u64, dimensions: usize) -> Option<(String, u64)> {
    let forms: Option<Vec<ClosedForm>> = (0..dimensions)
        .map(|dimension| device.driven_bit_times(dimension))
        .collect();
    let forms = forms?;
    let text = forms.first()?.text;
    let sum: u64 = forms.iter().map(|form| form.value).sum();
    let text = match dimensions {
        1 => format!("N times {text} for d = 0"),
        _ => format!("N times the sum of {text} for d = 0 to {}", dimensions - 1),
    };
    Some((text, nodes * sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_too_many_or_too_few_fails_the_check() {
        let between = |bits, scheduled, value| BetweenRanks {
            ranks: 2,
            bits,
            scheduled,
            formula: Some(("N times d+1 for d = 0".to_owned(), value)),
            exchanges: 1,
        };
        let right = between(64, Some(64), 64).check();
        assert!(right.passed);
        assert_eq!(
            right.detail,
            "64 bits sent, 64 as the schedule has it, N times d+1 for d = 0 = 64"
        );
        assert!(between(64, None, 64).check().passed);
        assert!(!between(65, Some(64), 64).check().passed);
        assert!(!between(64, Some(128), 64).check().passed);
        assert!(!between(64, Some(64), 63).check().passed);
    }
}
