//! Rows as they are kept in a journal and handed over between processes: JSON from which the very same row is had again.
//!
//! Whole numbers have all their digits, others those that it takes to tell them from their neighbours. JSON has no word for
//! what is no finite number, so that is an object, `{"real": "inf"}`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Number, Value as Json};

use crate::measure::row::{PASSED, Row, Value};

/// A row that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept(pub Row);

/// The one name of an object that stands for a number that is not finite.
const REAL: &str = "real";

fn kept(value: &Value) -> Json {
    match value {
        Value::Number(number) => Json::from(*number),
        Value::Real(real) => match Number::from_f64(*real) {
            Some(number) => Json::Number(number),
            None => Json::Object(Map::from_iter([(REAL.to_owned(), real.to_string().into())])),
        },
        Value::Text(text) => Json::from(text.as_str()),
        Value::Truth(truth) => Json::from(*truth),
        Value::Nothing => Json::Null,
    }
}

fn value(kept: Json) -> Option<Value> {
    match kept {
        Json::Null => Some(Value::Nothing),
        Json::Bool(truth) => Some(Value::Truth(truth)),
        Json::String(text) => Some(Value::Text(text)),
        Json::Number(number) => match number.as_u64() {
            Some(number) => Some(Value::Number(number)),
            None if number.is_f64() => number.as_f64().map(Value::Real),
            None => None,
        },
        Json::Object(object) => {
            let real = object.get(REAL).filter(|_| object.len() == 1)?;
            real.as_str()?.parse().ok().map(Value::Real)
        }
        Json::Array(_) => None,
    }
}

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Kept(Row(values)) = self;
        let values = values
            .iter()
            .map(|(name, value)| (name.as_ref(), kept(value)));
        serializer.collect_map(values)
    }
}

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kept = Map::deserialize(deserializer)?;
        let mut values = Vec::with_capacity(kept.len());
        for (name, kept) in kept {
            let Some(value) = value(kept) else {
                return Err(D::Error::custom(format!(
                    "the row's `{name}` is no value of a row"
                )));
            };
            values.push((name.into(), value));
        }
        if !matches!(
            values.iter().find(|(name, _)| name == PASSED),
            Some((_, Value::Truth(_)))
        ) {
            return Err(D::Error::custom(format!(
                "the row does not say whether it has `{PASSED}`"
            )));
        }
        Ok(Kept(Row(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    fn again(row: &Row) -> Row {
        let text = serde_json::to_string(&Kept(row.clone())).unwrap();
        let Kept(row) = serde_json::from_str(&text).unwrap();
        row
    }

    #[test]
    fn every_value_comes_back_bit_by_bit_and_in_its_place() {
        let values = values! {
            name: "a \"name\"\n", most: u64::MAX, odd: (1u64 << 53) + 1, none: None::<u64>, whole: 1.0, small: f64::MIN_POSITIVE / 8.0,
            third: 1.0 / 3.0, wide: 1.7976931348623157e308, below: -0.0, far: f64::INFINITY, farther: f64::NEG_INFINITY,
        };
        let row = Row::new(values, &[]).with_seconds(0.1 + 0.2);
        let back = again(&row);
        assert_eq!(back, row);
        assert!(matches!(back.get("below"), Value::Real(zero) if zero.is_sign_negative()));
        let none = again(&Row::new(values! { none: f64::NAN, }, &[]));
        assert!(matches!(none.get("none"), Value::Real(real) if real.is_nan()));
    }

    /// Numbers whose last bit is lost by a parser that is quick rather than exact.
    #[test]
    fn no_real_number_loses_its_last_bit() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(0xd120_0000_0000_1b33).rotate_left(23) ^ 0x5555;
            let real = f64::from_bits(bits);
            if real.is_finite() {
                let back = again(&Row::new(values! { real: real, }, &[]));
                let Value::Real(back) = back.get("real") else {
                    panic!("{real} has become {:?}", back.get("real"));
                };
                assert_eq!(back.to_bits(), bits);
            }
        }
    }

    #[test]
    fn what_is_no_row_is_told() {
        for (text, why) in [
            (
                r#"{"a":-1,"passed":true}"#,
                "the row's `a` is no value of a row",
            ),
            (
                r#"{"a":[],"passed":true}"#,
                "the row's `a` is no value of a row",
            ),
            (
                r#"{"a":{"real":"x"},"passed":true}"#,
                "the row's `a` is no value of a row",
            ),
            (r#"{"a":1}"#, "the row does not say whether it has `passed`"),
            (
                r#"{"a":1,"passed":"yes"}"#,
                "the row does not say whether it has `passed`",
            ),
        ] {
            let refused = serde_json::from_str::<Kept>(text).unwrap_err().to_string();
            assert!(refused.starts_with(why), "{refused}");
        }
    }
}
