//! What routers in lockstep add to a report: their steps, and their sequencer.

use comfy_table::CellAlignment::{Left, Right};
use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::router::BufferBounds;
use schemars::JsonSchema;
use serde::Serialize;

use crate::lockstep::between_ranks::BetweenRanks;
use crate::lockstep::entries::{
    BETWEEN_RANKS, MESSAGES_BOUND, OCCUPANCY, OCCUPIED_BOUND, STEPS_OVERLAP, STORAGE_BOUND,
};
use crate::report::of_all::SEQUENCER;
use crate::report::{BIT_TIMES, Formula, Report, Told, aligned};

/// What is known of a run by its steps.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// What the family says: what was sent and what became of it.
    pub told: Told,
    /// What the design allows a node to store, where it says so.
    pub storage_bound: Option<Formula>,
    /// What a node holds of messages at the most, where that is known.
    pub buffer_bounds: Option<BufferBounds>,
    /// Whether the use of wires is what they carry, in place of what is given out to units.
    pub has_wire_use: bool,
    /// Registers of the sequencer, one for the machine.
    pub sequencer_storage_bits: usize,
    /// Whether steps overlap: a bit time is then counted for the step that began last.
    pub steps_overlap: bool,
    /// By step.
    pub occupancy_by_step: Vec<StepReport>,
    /// What ranks have exchanged, where there are several.
    pub between_ranks: Option<BetweenRanks>,
}

/// Occupancy during one step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StepReport {
    /// Its name.
    pub step: &'static str,
    /// In all iterations.
    pub bit_times: u64,
    /// The most message bits at a node, if anybody counts them.
    pub peak_occupied_bits_per_node: Option<u32>,
    /// The same, averaged over nodes and bit times.
    pub mean_occupied_bits_per_node: Option<f64>,
    /// The most bits that a node was to send on, if it is they that are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_forwarding_buffer_bits: Option<u32>,
    /// The same, averaged over nodes and bit times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_forwarding_buffer_bits: Option<f64>,
}

impl Steps {
    /// What is told of them beside the rest of the report.
    pub(super) fn told(self, report: &Report) -> Told {
        let mut told = Told::default();
        told.put(&STORAGE_BOUND, &self.storage_bound);
        if let Some(bounds) = &self.buffer_bounds {
            let form = |form: &ClosedForm| Formula::from(form.clone());
            told.put(&OCCUPIED_BOUND, &form(&bounds.occupied_bits));
            told.put(&MESSAGES_BOUND, &form(&bounds.messages));
        }
        told.put(&SEQUENCER, &self.sequencer_storage_bits);
        told.put(&STEPS_OVERLAP, &self.steps_overlap);
        told.put(&OCCUPANCY, &self.occupancy_by_step);
        if let Some(between) = &self.between_ranks {
            told.put(&BETWEEN_RANKS, &between.exchanged());
        }
        let bound = self.storage_bound.iter();
        told.storage_rows = bound
            .map(|bound| (format!("bound {}", bound.text), bound.value))
            .collect();
        told.storage_rows.extend(self.told.storage_rows.clone());
        told.after_storage = self.after_storage(report) + &self.told.after_storage;
        self.summary(report, &mut told);
        told.entries.extend(self.told.entries);
        told.before_storage = self.told.before_storage;
        told.outcome = self.told.outcome;
        told.details = self.told.details;
        told
    }

    /// Rows of the summary, those of the family among them.
    fn summary(&self, report: &Report, told: &mut Told) {
        told.say("network", report.topology.in_words());
        if let Some(schedule) = report.schedule {
            told.say("schedule", schedule);
        }
        told.summary.extend(self.told.summary.clone());
        if let Some(form) = &report.bit_times_formula {
            told.say("bit times", BIT_TIMES.beside(report.bit_times, ";", form));
        }
        let storage = report.storage_bits_per_node.total;
        if let Some(peak) = report.peak.in_words(("message", "message bits"), storage) {
            told.say("at a node", peak);
        }
        let adders = report.serial_adders_per_node;
        told.say("serial adders", format!("{adders} a node"));
        let sequencer = self.sequencer_storage_bits;
        told.say(
            "sequencer",
            format!("{sequencer} bits, one for the machine"),
        );
        if let Some(depth) = &report.logic_depth {
            told.say("logic depth", depth.to_string());
        }
        let percent = 100.0 * report.wire_use;
        let given_to = match self.has_wire_use {
            true => "to packets",
            false => "whatever the load",
        };
        let wire_use = format!("{percent:.1} % of the wire-bit-times are given out, {given_to}");
        told.say("wire use", wire_use);
        if let Some(between) = &self.between_ranks {
            told.say("ranks", between.to_string());
        }
    }

    fn after_storage(&self, report: &Report) -> String {
        if report.peak.messages_per_node.unwrap_or(0) == 0 {
            return String::new();
        }
        let overlap = match self.steps_overlap {
            true => " (steps overlap: a bit time is that of the one that began last)",
            false => "",
        };
        format!(
            "\nbits of a node occupied by message bits, by step{overlap}\n{}\n",
            self.occupancy()
        )
    }

    fn occupancy(&self) -> String {
        let mut rows = vec![
            ["step", "bit times", "most", "mean over nodes"]
                .map(str::to_owned)
                .to_vec(),
        ];
        rows.extend(self.occupancy_by_step.iter().map(|step| {
            let [peak, mean] = [
                (step.peak_occupied_bits_per_node).map(|peak| peak.to_string()),
                (step.mean_occupied_bits_per_node).map(|mean| format!("{mean:.2}")),
            ]
            .map(|figure| figure.unwrap_or_else(|| "-".to_owned()));
            vec![step.step.to_owned(), step.bit_times.to_string(), peak, mean]
        }));
        let all: u64 = self
            .occupancy_by_step
            .iter()
            .map(|step| step.bit_times)
            .sum();
        rows.push(vec!["all".to_owned(), all.to_string()]);
        aligned(rows, &[Left, Right, Right, Right])
    }
}
