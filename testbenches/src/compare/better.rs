//! Which of two values of a reading is the better one.

use serde_json::Value;

use crate::measure::row::WALL_SECONDS;

/// What became of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Fewer bit times, bits, gates, or more that arrives.
    Better,
    /// The other way.
    Worse,
    /// Neither of both is better than the other.
    Other,
}

/// Readings of which less is better, as rows and reports call them.
pub const LESS: [&str; 34] = [
    "bit_times",
    "latency_average",
    "latency_50",
    "latency_95",
    "latency_99",
    "latency_percentile_50",
    "latency_percentile_95",
    "latency_percentile_99",
    "latency_largest",
    "latency_in_network",
    "latency_of_worms_in_network",
    "latency_average_in_network",
    "latency_average_of_worms_in_network",
    "latency_bit_times",
    "interval_bit_times",
    "routing_steps",
    "start_ups",
    "gate_delays",
    "logic_depth",
    "logic_depth_node",
    "logic_depth_sequencer",
    "storage_bits_per_node",
    "router_storage_bits_per_node",
    "sequencer_storage_bits",
    "forwarding_buffer_bits",
    "peak_messages_per_node",
    "peak_occupied_bits_per_node",
    "serial_adders_per_node",
    "wires_per_node",
    "lost",
    "wrong",
    "damaged_shares",
    "cells",
    "packets_sent",
];

/// Readings of which more is better.
pub const MORE: [&str; 9] = [
    "delivered",
    "survived",
    "restored",
    "accepted",
    "saturation",
    "saturation_lower",
    "bits_a_bit_time",
    "sets_in_1000_bit_times",
    "messages_a_node_and_bit_time",
];

/// What differs from run to run of the same: it is compared only where a tolerance is given for it.
pub const OF_THE_COMPUTER: [&str; 3] = ["simulation_seconds", WALL_SECONDS, "bytes_per_node"];

/// Whether less is better of a reading, or more; none, where nobody knows. What a row calls `latency_largest` is `latency.largest` in
/// a report, what it calls `accepted` is `throughput.accepted`, and a total goes by what it is the total of; parts of a list are told
/// beside their total.
fn less_is_better(name: &str) -> Option<bool> {
    let name = name.strip_suffix(".total").unwrap_or(name);
    let is_of_list = |part: &str| part.parse::<usize>().is_ok();
    if name.split('.').any(is_of_list) || name.contains(".by_part.") {
        return None;
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let joined = name.replace('.', "_");
    let is_in = |list: &[&str]| list.contains(&last) || list.contains(&&*joined);
    match (is_in(&LESS), is_in(&MORE), OF_THE_COMPUTER.contains(&name)) {
        (false, true, _) => Some(false),
        (false, false, false) => None,
        _ => Some(true),
    }
}

/// What became of a reading that is another one. What is no longer read is worse, as far as anybody knows.
pub fn verdict(name: &str, old: &Value, new: &Value) -> Verdict {
    if name == "passed" || name.starts_with("checks.") {
        return match (old, new) {
            (_, Value::Bool(true)) => Verdict::Better,
            (_, Value::Bool(false)) | (Value::Bool(true), _) => Verdict::Worse,
            _ => Verdict::Other,
        };
    }
    match (old.as_f64(), new.as_f64(), less_is_better(name)) {
        (Some(old), Some(new), Some(less_is_better)) => match (new < old) == less_is_better {
            true => Verdict::Better,
            false => Verdict::Worse,
        },
        (Some(_), None, Some(_)) => Verdict::Worse,
        _ => Verdict::Other,
    }
}

/// By how much two values may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// So much.
    Absolute(f64),
    /// So many percent of the old one.
    Percent(f64),
}

impl Tolerance {
    /// `5%` or `0.5`.
    ///
    /// # Errors
    /// What is no number, or below 0.
    pub fn read(text: &str) -> Result<Self, String> {
        let (number, of): (_, fn(f64) -> Self) = match text.strip_suffix('%') {
            Some(number) => (number, Tolerance::Percent),
            None => (text, Tolerance::Absolute),
        };
        match number.parse() {
            Ok(number) if (0.0..f64::INFINITY).contains(&number) => Ok(of(number)),
            _ => Err(format!(
                "`{text}` is no tolerance: a number is wanted, 0 or more, or such with a %, as in 5%"
            )),
        }
    }

    /// Whether a new value is as near as that.
    pub fn allows(self, old: f64, new: f64) -> bool {
        let difference = (new - old).abs();
        match self {
            Tolerance::Absolute(most) => difference <= most,
            // Whole percents of whole numbers are exact so.
            Tolerance::Percent(percent) => 100.0 * difference <= percent * old.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fewer_bits_are_better_and_so_is_more_that_arrives() {
        for (name, old, new, due) in [
            ("bit_times", json!(91), json!(90), Verdict::Better),
            ("bit_times", json!(91), json!(91.5), Verdict::Worse),
            (
                "storage_bits_per_node.total",
                json!(4),
                json!(5),
                Verdict::Worse,
            ),
            (
                "storage_bits_per_node.by_part.exchange",
                json!(4),
                json!(5),
                Verdict::Other,
            ),
            ("latency.average", json!(4.5), json!(5), Verdict::Worse),
            (
                "peak.occupied_bits_per_node",
                json!(4),
                json!(3),
                Verdict::Better,
            ),
            ("delivered", json!(6), json!(5), Verdict::Worse),
            ("delivered", json!(5), json!(6), Verdict::Better),
            ("messages", json!(5), json!(6), Verdict::Other),
            ("passed", json!(true), json!(false), Verdict::Worse),
            (
                "checks.one bit a wire",
                json!(false),
                json!(true),
                Verdict::Better,
            ),
            ("steps_overlap", json!(true), json!(false), Verdict::Other),
            ("bit_times", json!(91), json!(null), Verdict::Worse),
            ("bit_times", json!(null), json!(91), Verdict::Other),
            ("checks.storage", json!(true), json!(null), Verdict::Worse),
            ("checks.storage", json!(null), json!(false), Verdict::Worse),
            ("checks.storage", json!(null), json!(null), Verdict::Other),
            (
                "throughput.accepted",
                json!(0.2),
                json!(0.1),
                Verdict::Worse,
            ),
            ("latency.largest", json!(5), json!(50), Verdict::Worse),
            (
                "latency.average_in_network",
                json!(5),
                json!(4),
                Verdict::Better,
            ),
            ("logic_depth.node", json!(5), json!(6), Verdict::Worse),
            (
                "peak.forwarding_buffer_bits",
                json!(5),
                json!(6),
                Verdict::Worse,
            ),
            ("restored", json!(16), json!(0), Verdict::Worse),
            (
                "occupancy_by_step.1.bit_times",
                json!(5),
                json!(6),
                Verdict::Other,
            ),
            ("wall_seconds", json!(1.0), json!(2.0), Verdict::Worse),
        ] {
            assert_eq!(verdict(name, &old, &new), due, "{name} {old} {new}");
        }
    }

    #[test]
    fn a_tolerance_is_an_amount_or_a_share() {
        let allows = |text, old, new| Tolerance::read(text).unwrap().allows(old, new);
        assert!(allows("5%", 100.0, 105.0) && !allows("5%", 100.0, 105.1));
        assert!(allows("29%", 100.0, 129.0) && !allows("29%", 100.0, 129.1));
        assert!(allows("5%", -100.0, -95.0) && !allows("5%", 0.0, 0.1));
        assert!(allows("0.5", 1.0, 0.5) && !allows("0.5", 1.0, 1.6));
        assert!(allows("0", 1.0, 1.0) && !allows("0", 1.0, 1.1));
        for wrong in ["", "%", "-1", "5 %", "five", "nan", "inf", "-0.1%"] {
            assert!(Tolerance::read(wrong).is_err(), "{wrong}");
        }
    }
}
