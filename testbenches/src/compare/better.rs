//! Which of two values of a reading is the better one.

use serde_json::Value;

use crate::measure::row::WALL_SECONDS;
use crate::report::Better;
use crate::schema;

/// What became of a reading.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Fewer bit times, bits, gates, or more that arrives.
    Better,
    /// The other way.
    Worse,
    /// Neither of both is better than the other.
    Other,
}

/// What differs from run to run of the same: it is compared only where a tolerance is given for it.
pub const OF_THE_COMPUTER: [&str; 3] = ["simulation_seconds", WALL_SECONDS, "bytes_per_node"];

/// What became of a reading that is another one. What is no longer read is worse, as far as anybody knows.
pub fn verdict(bench: &str, name: &str, old: &Value, new: &Value) -> Verdict {
    if name == "passed" || name.starts_with("checks.") {
        return match (old, new) {
            (_, Value::Bool(true)) => Verdict::Better,
            (_, Value::Bool(false)) | (Value::Bool(true), _) => Verdict::Worse,
            _ => Verdict::Other,
        };
    }
    match (old.as_f64(), new.as_f64(), schema::better(bench, name)) {
        (Some(old), Some(new), Some(better)) => match (new < old) == (better == Better::Less) {
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
            let bench = match name.split('.').next() {
                Some("latency" | "throughput") => "wormhole",
                Some("restored") => "dispersal",
                Some("peak") => "scatter",
                _ => "kuszmaul",
            };
            assert_eq!(verdict(bench, name, &old, &new), due, "{name} {old} {new}");
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
