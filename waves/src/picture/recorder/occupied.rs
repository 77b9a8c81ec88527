//! How full nodes are: all are asked at once, and only those that have changed are noted.

use rtl_model::machine::router::Position;

use super::note;
use crate::picture::run::Change;
use crate::probe::Subject;

/// What was there a bit time ago.
pub struct Occupied {
    /// By place, message bits: before the first bit time, what no node holds.
    before: Vec<u32>,
    now: Vec<u32>,
}

impl Occupied {
    /// Of so many places.
    pub fn of(places: usize) -> Self {
        Occupied {
            before: vec![u32::MAX; places],
            now: Vec::new(),
        }
    }

    /// Notes by node, which are at these `seats`, what is there in a bit time, the bit time `after` being over.
    pub fn look(
        &mut self,
        subject: &dyn Subject,
        (bit_time, after): (u32, Option<Position>),
        seats: &[usize],
        changes: &mut [Vec<Change>],
    ) {
        self.now.clear();
        subject.append_occupied_bits(seats, after, &mut self.now);
        let places = self.now.iter().zip(&mut self.before).zip(seats);
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
