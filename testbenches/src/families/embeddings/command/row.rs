//! What is said of an embedding: of the paper, what holds, and what was measured.

use rtl_model::embedding::constructions::{Claim, Figure};
use rtl_model::embedding::phase::{Order, Phase};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::families::embeddings::job::{Guest, Job};
use crate::families::embeddings::parameters::{LENGTH, PACKETS};
use crate::families::embeddings::report::{Claimed, steps, wire_use};
use crate::families::embeddings::work::Work;
use crate::testbench::bench::run_beside_others;
use crate::testbench::chosen::{Chosen, Given};

/// Bits of a packet in the run that counts steps.
const PACKET_BITS: usize = 8;

/// A figure's name, what the paper has and what holds, and what was measured.
pub type Measured<'a> = (&'static str, [&'a Figure; 2], usize);

/// An embedding, and a run of it.
pub struct ConstructionRow {
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

impl ConstructionRow {
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
        Ok(ConstructionRow {
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
    pub fn told(&self) -> Told {
        let job = &self.job;
        let (embedding, measures) = (&job.embedding, &job.measures);
        Told {
            guest: job.name,
            theorem: job.theorem,
            models: job.models,
            dims: embedding.host().count(),
            nodes: embedding.host().nodes(),
            copies: embedding.copies(),
            guest_vertices: embedding.vertices(),
            guest_edges: embedding.edges(),
            load: measures.load,
            expansion: measures.expansion.to_string(),
            order: job.order.name(),
            paper: Claimed::from(&job.claims[0]),
            corrected: Claimed::from(&job.claims[1]),
            width: measures.width,
            dilation: measures.dilation,
            congestion: measures.congestion,
            packets: embedding.packets().len(),
            cost_steps: self.steps,
            cost_steps_greedy: self.greedy,
            wire_use: self.wire_use,
            cells: job.plan().cells(),
            passed: self.holds(),
        }
    }
}

/// What scripts are told of an embedding. What fields say is read by whoever asks for the schema.
#[derive(Serialize, JsonSchema)]
pub struct Told {
    /// What is embedded.
    guest: &'static str,
    /// Where the construction comes from.
    theorem: &'static str,
    /// What the embedding is.
    models: &'static str,
    /// Dimensions of the hypercube.
    dims: usize,
    /// Nodes of the hypercube.
    nodes: usize,
    /// How many copies of the guest are embedded.
    copies: usize,
    /// Vertices of the guest.
    guest_vertices: usize,
    /// Edges of the guest, directed.
    guest_edges: usize,
    /// Guest vertices on a node.
    load: usize,
    /// Nodes of the hypercube for each vertex of the guest, as a fraction.
    expansion: String,
    /// Which hops go first: `hop-by-hop` or `greedy`.
    order: &'static str,
    /// What the paper says of the embedding.
    paper: Claimed,
    /// What holds of it.
    corrected: Claimed,
    /// Paths of a guest edge, which share no wire, as they were measured.
    width: usize,
    /// Hops of the longest path, as they were measured.
    dilation: usize,
    /// Paths over the busiest wire, as they were measured.
    congestion: usize,
    /// Packets that every guest edge has in the phase.
    packets: usize,
    /// Steps of the phase, as the machine took them.
    #[schemars(extend("unit" = "steps"))]
    cost_steps: u64,
    /// Steps of the same packets where each goes as soon as it can.
    #[schemars(extend("unit" = "steps"))]
    cost_steps_greedy: usize,
    /// Share of the wires' steps that carry a packet.
    wire_use: f64,
    /// Packets that a node keeps at the most.
    cells: usize,
    /// What was measured is what holds.
    passed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::testbench::EMBEDDING;
    use crate::testbench::bench::asked;

    #[test]
    fn what_does_not_hold_is_seen() {
        let row = || ConstructionRow::of(&asked(&EMBEDDING, "--guest cycle --dims 4")).unwrap();
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
