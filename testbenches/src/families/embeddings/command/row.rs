//! What is said of an embedding: of the paper, what holds, and what was measured.

use rtl_model::embedding::constructions::{Claim, Figure};
use rtl_model::embedding::phase::Order;
use serde_json::{Value, json};

use crate::error::Error;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::options::{RunOptions, Setup};
use crate::families::embeddings::report::{claim, figure, steps, wire_use};
use crate::families::embeddings::stimulus::Carrying;
use crate::families::embeddings::testbench::identity;
use crate::lockstep::carry_out;

/// Bits of a packet in the run that counts steps.
const PACKET_BITS: usize = 8;

/// An embedding, and a run of it.
pub struct Row {
    /// The embedding and its schedule.
    pub job: Job,
    /// Whether every edge sends both ways.
    pub both_ways: bool,
    /// Steps that the machine took.
    pub steps: u64,
    /// The share of wires that carried packets.
    pub wire_use: f64,
    /// Steps with the packets one by one as soon as they can, of the same packets.
    pub greedy: usize,
    /// The run's checks.
    pub run_passed: bool,
}

impl Row {
    /// Of what is asked for; the machine runs once.
    ///
    /// # Errors
    /// What is refused of it.
    pub fn of(setup: &Setup) -> Result<Self, Error> {
        let packets = {
            let construction = setup.construction()?;
            let own = construction.embed(&setup.ask()?)?.packets().len();
            setup.packets()?.unwrap_or(own)
        };
        let setup = Setup {
            message_bits: Some(PACKET_BITS * packets.max(1)),
            seed: 1,
            ..setup.clone()
        };
        let options = RunOptions::beside_others(setup);
        let report = carry_out(
            &identity(),
            &options,
            &[],
            Box::new(Carrying::new(&options.setup)?),
        )?;
        let job = Job::new(&options.setup)?;
        Ok(Row {
            steps: steps(&job, report.bit_times),
            wire_use: wire_use(&job, report.bit_times),
            greedy: rtl_model::embedding::phase::Phase::of(&job.embedding, Order::Greedy).steps(),
            run_passed: report.passed,
            both_ways: options.setup.both_ways,
            job,
        })
    }

    /// What was measured, in the order of the table's columns, with the two claims of each.
    pub fn figures(&self) -> [(&'static str, [&Figure; 2], usize); 5] {
        let [paper, corrected] = &self.job.claims;
        let of = |pick: fn(&Claim) -> &Figure| [pick(paper), pick(corrected)];
        let measures = &self.job.measures;
        [
            ("width", of(|claim| &claim.width), measures.width),
            ("dilation", of(|claim| &claim.dilation), measures.dilation),
            (
                "congestion",
                of(|claim| &claim.congestion),
                measures.congestion,
            ),
            (
                "packets",
                of(|claim| &claim.packets),
                self.job.embedding.packets().len(),
            ),
            ("cost_steps", of(|claim| &claim.cost), self.steps as usize),
        ]
    }

    /// Whether what was measured is what holds. Packets and steps are another matter where others were asked for.
    pub fn holds(&self) -> bool {
        let same = |claimed: &Figure, measured: usize| match claimed {
            Figure::Is(number) => *number == measured,
            Figure::Order(_) | Figure::Unsaid => true,
        };
        let figures = self.figures();
        let about_paths = figures.len() - 2;
        self.run_passed
            && figures
                .iter()
                .enumerate()
                .all(|(number, (_, claims, measured))| {
                    let is_about_packets = number >= about_paths;
                    is_about_packets && !self.job.is_as_claimed || same(claims[1], *measured)
                })
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let job = &self.job;
        let mut row = json!({
            "guest": job.name,
            "theorem": job.theorem,
            "models": job.models,
            "dims": job.embedding.host().count(),
            "nodes": job.embedding.host().nodes(),
            "copies": job.embedding.copies(),
            "guest_vertices": job.embedding.vertices(),
            "guest_edges": job.embedding.edges(),
            "load": job.measures.load,
            "expansion": job.measures.expansion.to_string(),
            "order": job.order.name(),
            "paper": claim(&job.claims[0]),
            "corrected": claim(&job.claims[1]),
        });
        for (name, [paper, corrected], measured) in self.figures() {
            row[name] = json!(measured);
            row[format!("{name}_paper")] = figure(paper);
            row[format!("{name}_corrected")] = figure(corrected);
        }
        row["cost_steps_greedy"] = json!(self.greedy);
        row["wire_use"] = json!(self.wire_use);
        row["cells"] = json!(job.plan().cells());
        row["passed"] = json!(self.holds());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_hold_is_seen() {
        let row = || {
            Row::of(&Setup {
                guest: Some("cycle".to_owned()),
                dims: Some(4),
                ..Setup::default()
            })
            .unwrap()
        };
        assert!(row().holds());
        let plant: [fn(&mut Claim); 5] = [
            |claim| claim.width = Figure::Is(2),
            |claim| claim.dilation = Figure::Is(2),
            |claim| claim.congestion = Figure::Is(2),
            |claim| claim.packets = Figure::Is(2),
            |claim| claim.cost = Figure::Is(2),
        ];
        for plant in plant {
            let mut planted = row();
            plant(&mut planted.job.claims[1]);
            assert!(!planted.holds());
            // What the paper has need not hold.
            let mut planted = row();
            plant(&mut planted.job.claims[0]);
            assert!(planted.holds());
        }
        let mut failed = row();
        failed.run_passed = false;
        assert!(!failed.holds());
        // Of other packets nothing is said; of the paths it is.
        let mut other = row();
        other.job.is_as_claimed = false;
        other.job.claims[1].cost = Figure::Is(2);
        assert!(other.holds());
        other.job.claims[1].width = Figure::Is(2);
        assert!(!other.holds());
    }
}
