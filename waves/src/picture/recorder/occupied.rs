//! How full nodes are: all are asked at once, and only those that have changed are noted.

use rtl_model::machine::router::Position;

use super::note;
use crate::picture::run::Change;
use crate::probe::Subject;

/// What was there a bit time ago.
#[derive(Default)]
pub struct Occupied {
    /// The nodes of all words, by place.
    seats: Vec<usize>,
    /// By place, message bits: before the first bit time, what no node holds.
    before: Vec<u32>,
    now: Vec<u32>,
}

impl Occupied {
    /// Notes by node what is there in a bit time, the bit time `after` being over.
    pub fn look(
        &mut self,
        subject: &dyn Subject,
        (bit_time, after): (u32, Option<Position>),
        changes: &mut [Vec<Change>],
    ) {
        if self.seats.is_empty() {
            let simulation = subject.simulation();
            let seats = (0..simulation.words()).flat_map(|word| simulation.seats(word));
            self.seats.extend(seats);
            self.before.resize(self.seats.len(), u32::MAX);
        }
        self.now.clear();
        subject.append_occupied_bits(&self.seats, after, &mut self.now);
        let places = self.now.iter().zip(&mut self.before).zip(&self.seats);
        for ((now, before), node) in places {
            if now != before {
                *before = *now;
                // Not every place has a node.
                if let Some(changes) = changes.get_mut(*node) {
                    note(changes, bit_time, *now);
                }
            }
        }
    }
}
