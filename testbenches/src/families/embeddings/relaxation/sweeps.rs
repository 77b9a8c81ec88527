//! What the sweeps took and gave, and whether it is as it should be.

use crate::families::embeddings::relaxation::blocks::Blocks;
use crate::families::embeddings::relaxation::torus::Torus;
use crate::lockstep::{Compared, first};
use crate::report::Check;

/// Sweeps that are over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweeps {
    /// Bit times of each.
    pub bit_times: Vec<u64>,
    /// Messages of all sweeps, and those of them that arrived as they were sent.
    pub messages: Compared,
    /// Points that are right after each.
    right_points: Vec<usize>,
    value_fault: Option<String>,
    conflict: Option<String>,
}

impl Sweeps {
    /// One more: so many bit times, and two drivers on a wire if there were any; messages against what arrived; and the points
    /// that came of it against the whole torus.
    pub fn add(
        &mut self,
        (bit_times, conflict): (u64, Option<String>),
        compared: &Compared,
        (blocks, torus, side): (&Blocks<'_>, &Torus, usize),
    ) {
        self.bit_times.push(bit_times);
        let sweep = self.bit_times.len();
        self.messages.amount += compared.amount;
        self.messages.right += compared.right;
        if let Some(fault) = &compared.first_fault {
            self.messages.fault(|| format!("in sweep {sweep} {fault}"));
        }
        if let (None, Some(conflict)) = (&self.conflict, conflict) {
            self.conflict = Some(format!("in sweep {sweep} {conflict}"));
        }
        let mut right = 0;
        for row in 0..side {
            for column in 0..side {
                let (value, expected) = (blocks.value(row, column), torus.value(row, column));
                right += usize::from(value == expected);
                if value != expected && self.value_fault.is_none() {
                    self.value_fault = Some(format!(
                        "after sweep {sweep} the point in row {row} and column {column} is {value:x} in place of {expected:x}"
                    ));
                }
            }
        }
        self.right_points.push(right);
    }

    /// Bit times of all sweeps.
    pub fn bit_times_in_all(&self) -> u64 {
        self.bit_times.iter().sum()
    }

    /// The checks: of so many sweeps of so many points, each of which is to take so many bit times.
    pub fn checks(&self, sweeps: usize, points: usize, bit_times: u64) -> Vec<Check> {
        let right = self.right_points.iter().filter(|&&right| right == points);
        let right = right.count();
        let as_long = self.bit_times.iter().filter(|&&took| took == bit_times);
        let as_long = as_long.count();
        let values = format!(
            "after {right} of {sweeps} sweeps all {points} points are those of a relaxation of the whole torus{}",
            first(self.value_fault.as_ref())
        );
        let Compared {
            amount,
            right: arrived,
            ..
        } = &self.messages;
        let messages =
            format!("{arrived} of {amount} arrived as the neighbour sent them, in all sweeps");
        let took = format!(
            "{as_long} of {sweeps} took {bit_times} bit times{}",
            first(self.conflict.as_ref())
        );
        let are_right = right == sweeps && self.value_fault.is_none();
        let are_all = as_long == sweeps && self.bit_times.len() == sweeps;
        vec![
            Check::new("values", are_right, values),
            self.messages.check("messages", messages),
            Check::new("sweeps", are_all && self.conflict.is_none(), took),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::compared::compare;
    use crate::families::embeddings::relaxation::blocks::Layout;
    use hosts::words::Words;
    use rtl_model::embedding::constructions::{Ask, construction};

    /// Two sweeps of 4 x 4 points; what arrives in the second is doctored. The names of the checks that fail.
    fn failed(
        bit_times: u64,
        conflict: Option<&str>,
        doctor: impl FnOnce(&mut Words, &mut Torus),
    ) -> Vec<&'static str> {
        let gray = construction("gray-grid").unwrap();
        let embedding = gray.embed(&Ask::of_dimensions(2)).unwrap().both_ways();
        let layout = Layout::new(&embedding, 2, 2);
        let points = Words::drawn(16, 1, 7, 3);
        let (mut blocks, mut torus) = (Blocks::new(&layout, &points), Torus::new(&points, 4));
        let mut swept = Sweeps::default();
        let mut doctor = Some(doctor);
        for sweep in 1..=2 {
            let sent = blocks.messages();
            let mut arrived = sent.clone();
            if sweep == 2
                && let Some(doctor) = doctor.take()
            {
                doctor(&mut arrived, &mut torus);
            }
            let compared = compare(&embedding, &sent, (&arrived, 0));
            blocks.relax(&arrived);
            torus.relax();
            let took = match sweep {
                1 => (28, None),
                _ => (bit_times, conflict.map(str::to_owned)),
            };
            swept.add(took, &compared, (&blocks, &torus, 4));
        }
        let checks = swept.checks(2, 16, 28).into_iter();
        checks
            .filter(|check| !check.passed)
            .map(|check| check.name)
            .collect()
    }

    #[test]
    fn every_check_can_fail() {
        assert!(failed(28, None, |_, _| {}).is_empty());
        assert_eq!(failed(29, None, |_, _| {}), ["sweeps"]);
        assert_eq!(failed(28, Some("two drivers"), |_, _| {}), ["sweeps"]);
        // A wrong bit of high weight is a wrong value, too.
        let flipped = |arrived: &mut Words, _: &mut Torus| {
            let bit = arrived.bit(3, 6).unwrap();
            arrived.set_bit(3, 6, !bit);
        };
        assert_eq!(failed(28, None, flipped), ["values", "messages"]);
        let ahead = |_: &mut Words, torus: &mut Torus| torus.relax();
        assert_eq!(failed(28, None, ahead), ["values"]);
    }

    #[test]
    fn a_sweep_too_few_is_noticed() {
        let checks = Sweeps::default().checks(1, 4, 28);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert_eq!(failed.len(), 2);
    }
}
