//! What hosts write into nodes and read from them as `$readmemh` reads it: a line a node, with a comment for people.

use std::fmt::Write;

use bitvec::vec::BitVec;
use hosts::deliveries::hexadecimal;
use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;

/// Fields of a node's host port, each with its bits; the first one is lowest in a line.
#[derive(Default)]
pub(crate) struct Fields(Vec<(Field, BitVec<u64>)>);

impl Fields {
    /// Bits in the order of a port, each with its field.
    pub fn of(bits: impl IntoIterator<Item = (Field, bool)>) -> Self {
        let mut fields = Fields::default();
        bits.into_iter()
            .for_each(|(field, bit)| fields.push(field, bit));
        fields
    }

    /// One bit more.
    pub fn push(&mut self, field: Field, bit: bool) {
        match self.0.last_mut() {
            Some((last, bits)) if *last == field => bits.push(bit),
            _ => self.0.push((field, BitVec::from_iter([bit]))),
        }
    }

    /// How many bits of this field there are, if it is the last one.
    pub fn bits_of(&self, field: Field) -> usize {
        let last = self.0.last().filter(|(last, _)| *last == field);
        last.map_or(0, |(_, bits)| bits.len())
    }

    /// Whether a bit of the field at that place is 1.
    pub fn is_any_one(&self, place: usize) -> bool {
        self.0[place].1.any()
    }

    /// All fields as one hexadecimal number.
    pub fn word(&self) -> String {
        let bits: BitVec<u64> = (self.0.iter())
            .flat_map(|(_, bits)| bits.iter().by_vals())
            .collect();
        hexadecimal(&bits)
    }

    /// The fields for a person to read: those at these places may be anything.
    pub fn described(&self, matter: impl Fn(usize) -> bool) -> String {
        let fields = self.0.iter().enumerate();
        let described = fields.map(|(place, (field, bits))| match matter(place) {
            true => format!("{} {}", field.name(), hexadecimal(bits)),
            false => format!("any {}", field.name()),
        });
        described.collect::<Vec<_>>().join(", ")
    }
}

/// What the host writes into each node before bit time 0, of all fields of its port but one that is left out.
pub(crate) fn written(machine: &mut dyn Lockstep, left_out: Option<Field>) -> String {
    let mut text = String::new();
    for node in 0..machine.nodes() {
        let written = machine.host_writes(node).into_iter();
        let fields = Fields::of(written.filter(|(field, _)| Some(*field) != left_out));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} // node {node}: {}",
            fields.word(),
            fields.described(|_| true)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_side_by_side_the_first_one_lowest() {
        let bits = |field: Field, text: &str| {
            let bits: Vec<(Field, bool)> =
                text.chars().rev().map(|bit| (field, bit == '1')).collect();
            bits
        };
        let fields = Fields::of(
            [
                bits(Field::VALID, "1"),
                bits(Field::DESTINATION, "101"),
                bits(Field::PAYLOAD, "110010"),
            ]
            .concat(),
        );
        assert_eq!(fields.word(), "32b");
        assert_eq!(
            fields.described(|_| true),
            "valid 1, destination 5, payload 32"
        );
        assert_eq!(
            fields.described(|place| place != 2),
            "valid 1, destination 5, any payload"
        );
        assert_eq!(fields.bits_of(Field::PAYLOAD), 6);
        assert_eq!(fields.bits_of(Field::VALID), 0);
    }
}
