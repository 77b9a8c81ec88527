//! What is said of an embedding: of the paper, what holds, and what was measured.

use rtl_model::embedding::constructions::{Claim, Figure};
use rtl_model::embedding::phase::{Order, Phase};
use serde_json::{Value, json};

use crate::error::Error;
use crate::families::embeddings::job::{Guest, Job};
use crate::families::embeddings::parameters::{LENGTH, PACKETS};
use crate::families::embeddings::report::{Claimed, Said, steps, wire_use};
use crate::families::embeddings::work::Work;
use crate::report::value;
use crate::testbench::bench::run_beside_others;
use crate::testbench::chosen::{Chosen, Given};

/// Bits of a packet in the run that counts steps.
const PACKET_BITS: usize = 8;

/// A figure's name, what the paper has and what holds, and what was measured.
pub type Measured<'a> = (&'static str, [&'a Figure; 2], usize);

/// An embedding, and a run of it.
pub struct Row {
    /// The embedding and its schedule.
    pub job: Job,
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
    pub fn of(chosen: &Chosen) -> Result<Self, Error> {
        let own = Guest::of(chosen)?.embedding.packets().len();
        let packets = chosen.whole(&PACKETS).unwrap_or(own);
        let chosen = chosen
            .clone()
            .with(&LENGTH, Given::number(PACKET_BITS * packets.max(1)));
        let report = run_beside_others(&chosen)?;
        let job = Job::new(&chosen)?;
        Ok(Row {
            steps: steps(&job, report.bit_times),
            wire_use: wire_use(&job, report.bit_times),
            greedy: Phase::of(&job.embedding, Order::Greedy).steps(),
            run_passed: report.passed,
            job,
        })
    }

    /// What was measured, in the order of the table's columns, with the two claims of each.
    pub fn figures(&self) -> [Measured<'_>; 5] {
        let [paper, corrected] = &self.job.claims;
        let figure = |name, pick: fn(&Claim) -> &Figure, measured| {
            (name, [pick(paper), pick(corrected)], measured)
        };
        let (measures, packets) = (&self.job.measures, self.job.embedding.packets().len());
        [
            figure("width", |claim| &claim.width, measures.width),
            figure("dilation", |claim| &claim.dilation, measures.dilation),
            figure("congestion", |claim| &claim.congestion, measures.congestion),
            figure("packets", |claim| &claim.packets, packets),
            figure("cost_steps", |claim| &claim.cost, self.steps as usize),
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
            "paper": Claimed::from(&job.claims[0]),
            "corrected": Claimed::from(&job.claims[1]),
        });
        for (name, [paper, corrected], measured) in self.figures() {
            row[name] = json!(measured);
            row[format!("{name}_paper")] = value(&Said::from(paper));
            row[format!("{name}_corrected")] = value(&Said::from(corrected));
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
    use crate::families::embeddings::testbench::EMBEDDING;
    use crate::testbench::bench::asked;

    #[test]
    fn what_does_not_hold_is_seen() {
        let row = || Row::of(&asked(&EMBEDDING, "--guest cycle --dims 4")).unwrap();
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
