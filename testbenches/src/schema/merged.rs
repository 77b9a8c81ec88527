//! Properties of several testbenches as one: what any of them has, of whatever kind one has it.

use serde_json::{Map, Value, json};

/// Puts a property of one testbench beside that of others, which is null before the first.
pub(super) fn merge(all: &mut Value, one: Value) {
    let (Value::Object(known), Value::Object(one)) = (&mut *all, one.clone()) else {
        *all = one;
        return;
    };
    for (name, value) in one {
        match (name.as_str(), known.get_mut(&name)) {
            (_, None) if name == "required" => {}
            (_, None) => {
                known.insert(name, value);
            }
            ("type" | "in", Some(known)) => *known = either(known.take(), value),
            ("items", Some(known)) if *known != value => *known = any_of(known.take(), value),
            ("properties", Some(Value::Object(known))) => parts(known, value),
            // What one may leave out, all may.
            ("required", Some(Value::Array(known))) => {
                known.retain(|name| value.as_array().is_some_and(|names| names.contains(name)))
            }
            _ => {}
        }
    }
}

fn parts(known: &mut Map<String, Value>, other: Value) {
    let Value::Object(other) = other else {
        return;
    };
    for (name, part) in other {
        merge(known.entry(name).or_insert(Value::Null), part);
    }
}

/// A schema of what either is one of.
fn any_of(known: Value, other: Value) -> Value {
    let mut all = match &known["anyOf"] {
        Value::Array(all) => all.clone(),
        _ => vec![known],
    };
    if !all.contains(&other) {
        all.push(other);
    }
    json!({ "anyOf": all })
}

/// What either is: one word, or a list without repetitions.
fn either(one: Value, other: Value) -> Value {
    let words = |value: Value| match value {
        Value::Array(words) => words,
        word => vec![word],
    };
    let is_list = one.is_array() || one != other;
    let mut all = words(one);
    for word in words(other) {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    match is_list {
        true => all.into(),
        false => all.swap_remove(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_may_have_all_may_have() {
        let mut all = Value::Null;
        let property =
            |kind: Value, places: Value| json!({ "type": kind, "in": places, "unit": "bits" });
        merge(&mut all, property(json!("integer"), json!(["run"])));
        merge(
            &mut all,
            property(json!(["integer", "null"]), json!(["run", "measure"])),
        );
        let due = property(json!(["integer", "null"]), json!(["run", "measure"]));
        assert_eq!(all, due);
        let whole = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
        let mut all = whole("a");
        merge(&mut all, whole("b"));
        assert_eq!(all["properties"].as_object().unwrap().len(), 2);
        assert_eq!(all["required"], json!([]));
    }
}
