//! What routers in lockstep add to a report: their steps, and their sequencer.

use comfy_table::CellAlignment::{Left, Right};
use serde::Serialize;

use crate::lockstep::between_ranks::BetweenRanks;
use crate::lockstep::stimulus::Further;
use crate::report::{Behind, Formula, Report, Told, aligned, value};

/// What is known of a run by its steps.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// What was sent and what became of it, for people.
    pub summary: Vec<(&'static str, String)>,
    /// What only this family says.
    pub further: Further,
    /// What the design allows a node to store, where it says so.
    pub storage_bound: Option<Formula>,
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
#[derive(Clone, Debug, Serialize)]
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
        let mut entries = vec![
            (Behind::Storage, "storage_bound", value(&self.storage_bound)),
            (
                Behind::Storage,
                "sequencer_storage_bits",
                value(&self.sequencer_storage_bits),
            ),
            (Behind::Peak, "steps_overlap", value(&self.steps_overlap)),
            (
                Behind::Peak,
                "occupancy_by_step",
                value(&self.occupancy_by_step),
            ),
        ];
        if let Some(between) = &self.between_ranks {
            entries.push((Behind::WireUse, "between_ranks", between.entry()));
        }
        let bound = self.storage_bound.iter();
        Told {
            details: None,
            summary: self.summary(report),
            storage_rows: bound
                .map(|bound| (format!("bound {}", bound.text), bound.value))
                .collect(),
            after_storage: self.after_storage(report),
            entries: entries.into_iter().chain(self.further.entries).collect(),
            before_storage: self.further.text,
        }
    }

    fn summary(&self, report: &Report) -> Vec<(&'static str, String)> {
        let topology = &report.topology;
        let mut summary = vec![(
            "network",
            format!(
                "{}: {} nodes, {} directed wires",
                topology.summary, topology.nodes, topology.directed_wires
            ),
        )];
        if let Some(schedule) = report.schedule {
            summary.push(("schedule", schedule.to_owned()));
        }
        summary.extend(self.summary.clone());
        if let Some(form) = &report.bit_times_formula {
            summary.push((
                "bit times",
                format!(
                    "{} measured; {} = {}",
                    report.bit_times, form.text, form.value
                ),
            ));
        }
        let storage = report.storage_bits_per_node.total;
        let peak = report.peak.in_words(("message", "message bits"), storage);
        summary.extend(peak.map(|text| ("at a node", text)));
        summary.push((
            "serial adders",
            format!("{} a node", report.serial_adders_per_node),
        ));
        summary.push((
            "sequencer",
            format!("{} bits, one for the machine", self.sequencer_storage_bits),
        ));
        if let Some(depth) = &report.logic_depth {
            summary.push(("logic depth", depth.to_string()));
        }
        summary.push((
            "wire use",
            format!(
                "{:.1} % of the wire-bit-times are given out, {}",
                100.0 * report.wire_use,
                match self.has_wire_use {
                    true => "to packets",
                    false => "whatever the load",
                }
            ),
        ));
        if let Some(between) = &self.between_ranks {
            summary.push(("ranks", between.to_string()));
        }
        summary
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
