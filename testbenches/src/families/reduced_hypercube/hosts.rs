//! The hosts: they put words into the nodes, and read what the nodes end up with.

use hosts::words::Words;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::reduced_hypercube::collective::{MESSAGE, VALUE};

use crate::families::reduced_hypercube::values::Whose;

/// The host that puts words into the nodes.
pub struct Loading<'a> {
    words: &'a Words,
    whose: Whose,
    seats: Seats,
    nodes: usize,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
}

impl<'a> Loading<'a> {
    /// Of these words; `passed` is told how many nodes have been loaded.
    pub fn new(
        words: &'a Words,
        whose: Whose,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        Loading {
            words,
            whose,
            seats: [usize::MAX; NODES_AT_ONCE],
            nodes: 0,
            passed,
        }
    }

    fn is_here(&self, node: usize) -> bool {
        match self.whose {
            Whose::All => node < self.words.nodes(),
            Whose::Of(only) => node == only,
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(self.is_here(node)) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        let known = [Field::VALID, Field::PAYLOAD, VALUE, MESSAGE];
        if !known.contains(&field) {
            return Err(field.unknown());
        }
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            if self.is_here(node) {
                *value = match field {
                    Field::VALID => 1,
                    _ => self.words.bits_from(node, from),
                };
            }
        }
        Ok(())
    }
}

/// What the nodes hold in the end.
pub struct Found {
    /// Their words.
    pub words: Words,
    /// Which of them have any.
    pub valid: Vec<bool>,
}

struct Reading<'a> {
    found: Found,
    seats: Seats,
    nodes: usize,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
}

impl Unloads for Reading<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), ModelError> {
        let nodes = self.found.valid.len();
        let here = values
            .iter()
            .zip(&self.seats)
            .filter(|(_, node)| **node < nodes);
        for (&value, &node) in here {
            match field {
                Field::VALID => self.found.valid[node] = value == 1,
                Field::PAYLOAD | VALUE => self.found.words.set_bits_from(node, from, value),
                other => return Err(other.unknown()),
            }
        }
        Ok(())
    }
}

/// Reads all nodes, which have as many words as `like`.
///
/// # Errors
/// Whatever `passed` returns.
pub fn read(
    machine: &dyn Lockstep,
    like: &Words,
    passed: &mut dyn FnMut(usize) -> Result<(), ModelError>,
) -> Result<Found, ModelError> {
    let nodes = machine.nodes();
    let mut reading = Reading {
        found: Found {
            words: Words::zeros(nodes, like.per_node(), like.bits()),
            // Where no field says otherwise, there is a word.
            valid: vec![true; nodes],
        },
        seats: [usize::MAX; NODES_AT_ONCE],
        nodes: 0,
        passed,
    };
    machine.unload(&mut reading)?;
    Ok(reading.found)
}
