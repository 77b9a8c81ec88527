//! Which of two values of a reading is the better one.

use std::borrow::Cow;

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

/// Readings of which less is better, by the last part of their names.
pub const LESS: [&str; 28] = [
    "bit_times",
    "bit_times_formula",
    "latency_average",
    "latency_50",
    "latency_95",
    "latency_99",
    "latency_largest",
    "latency_in_network",
    "latency_of_worms_in_network",
    "latency_bit_times",
    "interval_bit_times",
    "average",
    "percentile_50",
    "percentile_95",
    "percentile_99",
    "routing_steps",
    "start_ups",
    "gate_delays",
    "logic_depth",
    "storage_bits_per_node",
    "router_storage_bits_per_node",
    "sequencer_storage_bits",
    "forwarding_buffer_bits",
    "peak_messages_per_node",
    "peak_occupied_bits_per_node",
    "serial_adders_per_node",
    "wires_per_node",
    "lost",
];

/// Readings of which more is better.
pub const MORE: [&str; 8] = [
    "delivered",
    "survived",
    "accepted",
    "saturation",
    "saturation_lower",
    "bits_a_bit_time",
    "sets_in_1000_bit_times",
    "messages_a_node_and_bit_time",
];

/// What differs from run to run of the same: it is compared only where a tolerance is given for it.
pub const OF_THE_COMPUTER: [&str; 3] = ["simulation_seconds", WALL_SECONDS, "bytes_per_node"];

/// The name by which a reading is looked up, in reports as in rows: a total or a value goes by what it is of.
fn key(name: &str) -> Cow<'_, str> {
    let name = name.strip_suffix(".total").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((of, "value")) => of.into(),
        Some(("latency", last)) => last.into(),
        Some(("peak", last)) => format!("peak_{last}").into(),
        Some(_) => "".into(),
        None => name.into(),
    }
}

/// What became of a reading that is another one.
pub fn verdict(name: &str, old: &Value, new: &Value) -> Verdict {
    let is_check = name == "passed" || name.starts_with("checks.");
    let key = key(name);
    let less_is_better = match (LESS.contains(&&*key), MORE.contains(&&*key)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ if OF_THE_COMPUTER.contains(&name) => Some(true),
        _ => None,
    };
    match (old, new, less_is_better) {
        (Value::Bool(_), Value::Bool(holds), _) if is_check => match holds {
            true => Verdict::Better,
            false => Verdict::Worse,
        },
        (Value::Number(old), Value::Number(new), Some(less_is_better)) => {
            match (new.as_f64() < old.as_f64()) == less_is_better {
                true => Verdict::Better,
                false => Verdict::Worse,
            }
        }
        _ => Verdict::Other,
    }
}

/// By how much two values may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// So much.
    Absolute(f64),
    /// Such a share of the old one.
    Relative(f64),
}

impl Tolerance {
    /// `5%` or `0.5`.
    ///
    /// # Errors
    /// What is no number, or below 0.
    pub fn read(text: &str) -> Result<Self, String> {
        let (number, of): (_, fn(f64) -> Self) = match text.strip_suffix('%') {
            Some(number) => (number, |percent| Tolerance::Relative(percent / 100.0)),
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
        let most = match self {
            Tolerance::Absolute(most) => most,
            Tolerance::Relative(share) => share * old.abs(),
        };
        (new - old).abs() <= most
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
                "bit_times_formula.value",
                json!(91),
                json!(92),
                Verdict::Worse,
            ),
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
            ("bit_times", json!(91), json!(null), Verdict::Other),
            ("wall_seconds", json!(1.0), json!(2.0), Verdict::Worse),
        ] {
            assert_eq!(verdict(name, &old, &new), due, "{name} {old} {new}");
        }
    }

    #[test]
    fn a_tolerance_is_an_amount_or_a_share() {
        let allows = |text, old, new| Tolerance::read(text).unwrap().allows(old, new);
        assert!(allows("5%", 100.0, 105.0) && !allows("5%", 100.0, 105.1));
        assert!(allows("5%", -100.0, -95.0) && !allows("5%", 0.0, 0.1));
        assert!(allows("0.5", 1.0, 0.5) && !allows("0.5", 1.0, 1.6));
        assert!(allows("0", 1.0, 1.0) && !allows("0", 1.0, 1.1));
        for wrong in ["", "%", "-1", "5 %", "five", "nan", "inf", "-0.1%"] {
            assert!(Tolerance::read(wrong).is_err(), "{wrong}");
        }
    }
}
