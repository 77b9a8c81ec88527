//! Judges traffics of a router of permutations by many machines side by side in the lanes.

use hosts::side_by_side::{Measured, Meter, SideBySide};
use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::search::climb::{Judge, Score};
use crate::search::space::Candidate;

/// Machines side by side, and what is looked at.
pub struct ByLanes {
    /// The machines.
    pub machines: SideBySide,
    /// What is looked at.
    pub meter: Meter,
}

/// Of a traffic of which something does not arrive.
const FAILED: Score = Score {
    value: f64::INFINITY,
    nearness: 0.0,
};

impl Judge for ByLanes {
    fn at_once(&self) -> usize {
        self.machines.amount()
    }

    fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Score>, Error> {
        let measured = match self.machines.run(&candidates.concat(), self.meter) {
            Ok(measured) => measured,
            Err(ModelError::WireConflict { .. }) if candidates.len() == 1 => {
                return Ok(vec![FAILED]);
            }
            // Which of them it is, each says by itself.
            Err(ModelError::WireConflict { .. }) => {
                let each = candidates.chunks(1).map(|one| self.judge(one));
                return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
            }
            Err(error) => return Err(error.into()),
        };
        let looks = self.machines.looks();
        let score = |of: &Measured| match of.wrong {
            0 => Score {
                value: f64::from(of.most),
                // How full the fullest node is in the mean of all bit times, as a share of the most.
                nearness: of.sum as f64 / (looks * u64::from(of.most.max(1))) as f64,
            },
            _ => FAILED,
        };
        Ok(measured.iter().take(candidates.len()).map(score).collect())
    }
}
