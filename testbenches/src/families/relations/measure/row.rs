//! The row of a point, and the columns of the table.

use serde_json::Value;

use crate::families::relations::measure::place::{Place, Who};
use crate::families::relations::options::Amount;
use crate::lockstep::Steps;
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};
use crate::report::{Behind, Check, Report, Sections};

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    pub bit_times: u64,
    /// Where there is a closed form.
    pub bit_times_formula: Option<u64>,
    pub messages: u64,
    pub delivered: u64,
    /// Register bits of a node.
    pub storage_bits: u64,
    /// Of these, without the processor's.
    pub router_storage_bits: u64,
    /// The most of them that held bits of messages.
    pub occupied_bits: Option<u64>,
    pub wires_per_node: u64,
    /// What they cost.
    pub wire_cost: Option<f64>,
    /// The share of wires' bit times with a bit.
    pub wire_use: f64,
    pub logic_depth: Option<u64>,
    pub serial_adders: u64,
    /// Bit times of a batch, and between two.
    pub latency: Option<u64>,
    pub interval: Option<u64>,
    /// All checks hold.
    pub passed: bool,
}

impl Facts {
    /// Those of a report.
    pub fn of(report: &Report<Steps>) -> Self {
        let sections = [Behind::Network, Behind::BitTimes, Behind::Storage]
            .map(|place| report.family.section(place));
        let found = |name: &str| {
            let mut entries = sections.iter().flatten();
            entries
                .find(|(one, _)| *one == name)
                .map(|(_, value)| value)
        };
        let number = |name: &str| found(name).and_then(Value::as_u64);
        let storage_bits = report.storage_bits_per_node.total as u64;
        let latency = found("latency_formula").and_then(|form| form.get("value"));
        Facts {
            bit_times: report.bit_times,
            bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
            messages: report.messages as u64,
            delivered: report.delivered as u64,
            storage_bits,
            router_storage_bits: number("router_storage_bits_per_node").unwrap_or(storage_bits),
            occupied_bits: report.peak.occupied_bits_per_node.map(u64::from),
            wires_per_node: number("wires_per_node").unwrap_or(0),
            wire_cost: found("wire_cost").and_then(Value::as_f64),
            wire_use: report.wire_use,
            logic_depth: report.logic_depth.as_ref().map(|depth| depth.total as u64),
            serial_adders: report.serial_adders_per_node as u64,
            latency: latency.and_then(Value::as_u64),
            interval: number("interval_bit_times"),
            passed: report.passed,
        }
    }

    /// These, and then others on the same machine.
    pub fn and(&self, then: &Self) -> Self {
        let busy = |facts: &Self| facts.wire_use * facts.bit_times as f64;
        let bit_times = self.bit_times + then.bit_times;
        Facts {
            bit_times,
            bit_times_formula: (self.bit_times_formula.zip(then.bit_times_formula))
                .map(|(one, other)| one + other),
            messages: self.messages + then.messages,
            delivered: self.delivered + then.delivered,
            occupied_bits: self.occupied_bits.max(then.occupied_bits),
            wire_use: (busy(self) + busy(then)) / bit_times.max(1) as f64,
            passed: self.passed && then.passed,
            ..self.clone()
        }
    }
}

/// The row of a place.
pub(super) fn row(place: &Place, facts: &Facts) -> Row {
    let slots = place.amount.slots();
    let sets = 1000.0 * slots as f64 / facts.bit_times.max(1) as f64;
    let [batches, h, processors] = match place.amount {
        Amount::Batches(batches) => [Some(batches), None, None],
        Amount::Relation(h) => [None, Some(h), None],
        Amount::Processors(processors) => [None, None, Some(processors)],
    };
    // Of processors that share a vertex: how much longer than with one.
    let factor = processors
        .and(facts.latency)
        .map(|latency| facts.bit_times as f64 / latency as f64);
    let (schedule, together) = match place.who {
        Who::Schedule(name) => (name, true),
        Who::Other(other) => (other.name(), false),
    };
    let values = values! {
        bench: if processors.is_some() { "packing" } else { "kuszmaul" },
        who: place.name(),
        schedule: schedule,
        one_after_another: !together,
        traffic: place.traffic,
        dims: place.dims,
        nodes: 1u64 << place.dims,
        payload_bits: place.payload.bits(place.dims),
        load: place.load,
        batches: batches,
        h: h,
        processors: processors,
        seed: place.seed,
        messages: facts.messages,
        delivered: facts.delivered,
        bit_times: facts.bit_times,
        bit_times_formula: facts.bit_times_formula,
        latency_bit_times: facts.latency,
        interval_bit_times: facts.interval,
        factor: factor,
        sets_in_1000_bit_times: sets,
        sets_in_1000_bit_times_by_wire: sets / facts.wires_per_node.max(1) as f64,
        sets_in_1000_bit_times_by_cost: facts.wire_cost.map(|cost| sets / cost),
        messages_a_node_and_bit_time: facts.delivered as f64 / facts.bit_times.max(1) as f64 / (1u64 << place.dims) as f64,
        wires_per_node: facts.wires_per_node,
        wire_cost: facts.wire_cost,
        wire_use: facts.wire_use,
        storage_bits_per_node: facts.storage_bits,
        router_storage_bits_per_node: facts.router_storage_bits,
        peak_occupied_bits_per_node: facts.occupied_bits,
        serial_adders_per_node: facts.serial_adders,
        logic_depth: facts.logic_depth,
        gate_delays: facts.logic_depth.map(|depth| depth * facts.bit_times),
    };
    let held = Check::new("checks", facts.passed, String::new());
    Row::new(values, &[held])
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 24] = [
    Column::new("who", "who").left(),
    Column::new("traffic", "traffic")
        .only_if(|rows| differ(rows, "traffic"))
        .left(),
    Column::new("k", "dims").or_in_words("k = {}"),
    Column::new("D", "payload_bits").or_in_words("D = {}"),
    Column::new("load", "load").or_in_words("load {}"),
    Column::new("batches", "batches").or_in_words("{} batches"),
    Column::new("H", "h").or_in_words("H = {}"),
    Column::new("processors", "processors").or_in_words("{} processors"),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("messages", "messages"),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("T", "latency_bit_times"),
    Column::new("P", "interval_bit_times"),
    Column::new("factor", "factor")
        .digits(2)
        .only_if(|rows| rows.iter().any(|row| row.has("factor"))),
    Column::new("sets", "sets_in_1000_bit_times").digits(2),
    Column::new("a wire", "sets_in_1000_bit_times_by_wire").digits(3),
    Column::new("a c_0", "sets_in_1000_bit_times_by_cost").digits(2),
    Column::new("wires", "wires_per_node"),
    Column::new("wires busy", "wire_use").digits(3),
    Column::new("router", "router_storage_bits_per_node"),
    Column::new("depth", "logic_depth"),
    Column::CHECKS,
    Column::SECONDS,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_add_up_and_one_that_failed_fails_all() {
        let one = Facts {
            bit_times: 30,
            bit_times_formula: Some(30),
            messages: 4,
            delivered: 4,
            storage_bits: 50,
            occupied_bits: Some(7),
            wire_use: 0.5,
            passed: true,
            ..Facts::default()
        };
        let other = Facts {
            bit_times: 10,
            bit_times_formula: None,
            delivered: 3,
            occupied_bits: Some(9),
            wire_use: 0.1,
            ..one.clone()
        };
        let both = one.and(&other);
        assert_eq!((both.bit_times, both.bit_times_formula), (40, None));
        assert_eq!((both.messages, both.delivered), (8, 7));
        // They are on the same machine.
        assert_eq!((both.storage_bits, both.occupied_bits), (50, Some(9)));
        assert!((both.wire_use - 0.4).abs() < 1e-12);
        let failed = Facts {
            passed: false,
            ..one.clone()
        };
        assert!(both.passed && !one.and(&failed).passed && !failed.and(&one).passed);
    }
}
