//! What the Verilog testbench loads and expects, as `$readmemh` reads it: a line a node.

use std::fmt::Write;

use bitvec::vec::BitVec;
use hosts::deliveries::hexadecimal;
use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;

/// Fields of a node's host port, each with its bits.
type Fields = Vec<(Field, BitVec<u64>)>;

/// What the host writes into each node: the fields of the host port, the first one lowest.
pub(super) fn traffic(machine: &mut dyn Lockstep) -> String {
    let mut text = String::new();
    for node in 0..machine.nodes() {
        let mut fields = Fields::new();
        for (field, bit) in machine.host_writes(node) {
            push(&mut fields, field, bit);
        }
        let _ = writeln!(
            text,
            "{} // node {node}: {}",
            word(&fields),
            described(&fields, |_| true)
        );
    }
    text
}

/// What the host is to read from each node, then which bits of it matter.
pub(super) fn expected(
    machine: &dyn Lockstep,
    expected: &dyn Fn(usize, Field, usize) -> Option<bool>,
) -> String {
    let mut text = String::new();
    for node in 0..machine.nodes() {
        let (mut values, mut matter) = (Fields::new(), Fields::new());
        for (field, _) in machine.host_reads(node) {
            let bit = match values.last() {
                Some((last, bits)) if *last == field => bits.len(),
                _ => 0,
            };
            let value = expected(node, field, bit);
            push(&mut values, field, value.unwrap_or(false));
            push(&mut matter, field, value.is_some());
        }
        let _ = writeln!(
            text,
            "{} {} // node {node}: {}",
            word(&values),
            word(&matter),
            described(&values, |place| matter[place].1.any())
        );
    }
    text
}

fn push(fields: &mut Fields, field: Field, bit: bool) {
    match fields.last_mut() {
        Some((last, bits)) if *last == field => bits.push(bit),
        _ => fields.push((field, BitVec::from_iter([bit]))),
    }
}

/// All fields as one hexadecimal number.
fn word(fields: &Fields) -> String {
    let bits: BitVec<u64> = fields
        .iter()
        .flat_map(|(_, bits)| bits.iter().by_vals())
        .collect();
    hexadecimal(&bits)
}

/// The fields for a person to read.
fn described(fields: &Fields, matter: impl Fn(usize) -> bool) -> String {
    let described: Vec<String> = fields
        .iter()
        .enumerate()
        .map(|(place, (field, bits))| match matter(place) {
            true => format!("{} {}", field.name(), hexadecimal(bits)),
            false => format!("any {}", field.name()),
        })
        .collect();
    described.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_side_by_side_the_first_one_lowest() {
        let bits = |text: &str| {
            text.chars()
                .rev()
                .map(|bit| bit == '1')
                .collect::<BitVec<u64>>()
        };
        let fields = vec![
            (Field::VALID, bits("1")),
            (Field::DESTINATION, bits("101")),
            (Field::PAYLOAD, bits("110010")),
        ];
        assert_eq!(word(&fields), "32b");
        assert_eq!(
            described(&fields, |_| true),
            "valid 1, destination 5, payload 32"
        );
        assert_eq!(
            described(&fields, |place| place != 2),
            "valid 1, destination 5, any payload"
        );
    }
}
