//! A campaign for scripts. What fields say is read by whoever asks for the schema.

use schemars::JsonSchema;
use serde::Serialize;

use crate::lockstep::campaign::Campaign;
use crate::lockstep::campaign::fault::Kind;
use crate::lockstep::campaign::tally::{Outcome, SeenBy, Tally, seen_by};
use crate::statistics::interval::share_of;

/// What is printed of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Record {
    /// The testbench.
    bench: &'static str,
    /// The schedule, where there is a choice.
    schedule: Option<&'static str>,
    /// The network.
    network: String,
    /// Nodes of the machine.
    nodes: usize,
    /// Bit times of a run.
    #[schemars(extend("unit" = "bit times"))]
    bit_times: u64,
    /// All faults that were put in, each into a machine of its own.
    all: Tally,
    /// The same by kind.
    kinds: Vec<OfKind>,
    /// The same by part of the machine.
    parts: Vec<OfPart>,
    /// Checks that see faults.
    checks: Vec<SeenBy>,
    /// No fault is silent.
    passed: bool,
}

/// Faults of a kind.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OfKind {
    /// Wires, gates or registers.
    pub kind: Kind,
    /// Faults of the kind that there are in the machine. Where fewer were put in, they were drawn, each as likely as any other.
    pub there: usize,
    /// What came of them.
    #[serde(flatten)]
    pub tally: Tally,
    /// What shares there are of all faults of the kind; none where all were put in.
    pub shares: Option<Shares>,
}

/// Shares of all faults of a kind, with 95 % confidence (Wilson).
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Shares {
    /// The share that is masked.
    pub masked: Bounds,
    /// The share that is detected.
    pub detected: Bounds,
    /// The share that is silent.
    pub silent: Bounds,
}

/// Between which a share is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Bounds {
    /// It is no less.
    pub least: f64,
    /// It is no more.
    pub most: f64,
}

/// Faults of a kind in a part of the machine.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OfPart {
    /// Wires, gates or registers.
    pub kind: Kind,
    /// Of registers the part of a node; of gates the part whose registers they decide; of wires where they lead.
    pub part: String,
    /// What came of them.
    #[serde(flatten)]
    pub tally: Tally,
}

impl Campaign {
    /// By kind.
    pub(crate) fn kinds(&self) -> Vec<OfKind> {
        let kinds = self.there.iter().map(|&(kind, there)| {
            let tally = Tally::of(self.tried.iter().filter(|tried| tried.kind == kind));
            let bounds = |some: usize| {
                let [least, most] = share_of(some, tally.faults);
                Bounds { least, most }
            };
            let shares = (tally.faults < there).then(|| Shares {
                masked: bounds(tally.masked),
                detected: bounds(tally.detected),
                silent: bounds(tally.silent),
            });
            OfKind {
                kind,
                there,
                tally,
                shares,
            }
        });
        kinds.collect()
    }

    /// The parts of the machine into which faults were put, in the order in which there are such.
    pub(crate) fn parts(&self) -> Vec<(Kind, String)> {
        let mut parts: Vec<(Kind, String)> = Vec::new();
        for tried in &self.tried {
            let part = self.places.part(tried.fault);
            let is_known = |(kind, known): &(Kind, String)| *kind == tried.kind && *known == part;
            if !parts.iter().rev().any(is_known) {
                parts.push((tried.kind, part));
            }
        }
        parts
    }

    /// By part.
    pub(crate) fn by_part(&self) -> Vec<OfPart> {
        let parts = self.parts().into_iter().map(|(kind, part)| {
            let inside = self
                .tried
                .iter()
                .filter(|tried| tried.kind == kind && self.places.part(tried.fault) == part);
            OfPart {
                kind,
                tally: Tally::of(inside),
                part,
            }
        });
        parts.collect()
    }

    /// For scripts.
    pub(crate) fn record(&self) -> Record {
        Record {
            bench: self.identity.name,
            schedule: self.identity.schedule,
            network: self.network.clone(),
            nodes: self.nodes,
            bit_times: self.bit_times,
            all: Tally::of(&self.tried),
            kinds: self.kinds(),
            parts: self.by_part(),
            checks: seen_by(&self.tried),
            passed: self.passed(),
        }
    }

    /// Whether no fault is silent.
    pub fn passed(&self) -> bool {
        let mut all = self.tried.iter();
        !all.any(|tried| tried.outcome() == Outcome::Silent)
    }
}
