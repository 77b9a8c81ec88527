//! How full nodes are, as far as a picture can show it: of nodes that share a row the fullest, and of a long run no dip that is
//! shorter than a column.

use rtl_model::machine::router::Position;

use super::note;
use crate::picture::bins::nodes_a_row;
use crate::picture::run::Change;
use crate::picture::{MOST_COLUMNS, MOST_ROWS};
use crate::probe::Subject;

/// Changes of a row that are worth looking through for dips.
const MANY: usize = 1 << 12;

/// What was there a bit time ago.
pub struct Occupied {
    nodes_a_row: usize,
    /// The places of all nodes, by number.
    places: Vec<usize>,
    /// By place, message bits.
    bits: Vec<u32>,
    rows: Vec<PictureRow>,
}

/// A row of a picture.
#[derive(Clone)]
struct PictureRow {
    /// The most message bits at any of its nodes: before the first bit time, what no node holds.
    before: u32,
    /// Changes until dips are looked for once more.
    room: usize,
}

impl Occupied {
    /// Of so many nodes, which are at these `seats`.
    pub fn of(nodes: usize, seats: &[usize]) -> Self {
        let nodes_a_row = nodes_a_row(nodes, MOST_ROWS);
        let row = PictureRow {
            before: u32::MAX,
            room: MANY,
        };
        let mut places = vec![0; nodes];
        for (place, node) in seats.iter().enumerate() {
            // Not every place has a node.
            if let Some(of_node) = places.get_mut(*node) {
                *of_node = place;
            }
        }
        Occupied {
            nodes_a_row,
            places,
            bits: Vec::new(),
            rows: vec![row; nodes.div_ceil(nodes_a_row)],
        }
    }

    /// Notes what is there in a bit time, the bit time `after` being over: for the first node of each row.
    pub fn look(
        &mut self,
        subject: &dyn Subject,
        (bit_time, after): (u32, Option<Position>),
        seats: &[usize],
        changes: &mut [Vec<Change>],
    ) {
        self.bits.clear();
        subject.append_occupied_bits(seats, after, &mut self.bits);
        let changes = changes.iter_mut().step_by(self.nodes_a_row);
        let rows = self.places.chunks(self.nodes_a_row).zip(&mut self.rows);
        for ((places, row), changes) in rows.zip(changes) {
            let now = places
                .iter()
                .fold(0, |most, place| self.bits[*place].max(most));
            if now != row.before {
                row.before = now;
                note(changes, bit_time, now);
                if changes.len() >= row.room {
                    // The run may go on, and columns become wider.
                    fill_dips(changes, (bit_time + 1).div_ceil(MOST_COLUMNS as u32));
                    row.room = MANY.max(2 * changes.len());
                }
            }
        }
    }
}

/// Fills dips shorter than `column` up to the lower of what is on either side: whatever spans so many bit times, and the end of
/// the run, reaches that anyway wherever it has a part of the dip.
fn fill_dips(changes: &mut Vec<Change>, column: u32) {
    let mut kept = 0;
    for index in 0..changes.len() {
        let mut next = changes[index];
        while let [.., left, dip] = changes[..kept]
            && dip.value < left.value.min(next.value)
            && next.from - dip.from < column
        {
            kept -= 1;
            if next.value < left.value {
                next.from = dip.from;
            }
        }
        if kept == 0 || changes[kept - 1].value != next.value {
            changes[kept] = next;
            kept += 1;
        }
    }
    changes.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::bins::Bins;

    /// Whatever columns the picture of a run has in the end that goes on, its cells are the same.
    #[test]
    fn cells_are_the_same_without_dips() {
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut filled_any = false;
        for _ in 0..300 {
            let (mut changes, mut from) = (Vec::new(), 0);
            while from < 400 {
                note(&mut changes, from, draw(7) as u32);
                from += 1 + draw(6) as u32;
            }
            let end = 1 + changes.last().unwrap().from;
            for column in [1, 2, 3, 7, 20] {
                let mut filled = changes.clone();
                fill_dips(&mut filled, column);
                filled_any |= filled.len() < changes.len() / 2;
                let all = filled.windows(2);
                assert!(all.clone().all(|pair| pair[0].from < pair[1].from));
                for bit_times in [end, end + 1, end + 30] {
                    for times_a_column in [column, column + 1, 2 * column, 50] {
                        let bins = Bins {
                            nodes_a_row: 1,
                            rows: 1,
                            times_a_column,
                            columns: bit_times.div_ceil(times_a_column) as usize,
                            bit_times,
                        };
                        assert_eq!(bins.row_of([&filled]), bins.row_of([&changes]));
                    }
                }
            }
        }
        assert!(filled_any);
    }

    #[test]
    fn a_dip_as_long_as_a_column_stays() {
        let all = [(0, 3), (5, 1), (8, 2)].map(|(from, value)| Change { from, value });
        let filled = |column| {
            let mut changes = all.to_vec();
            fill_dips(&mut changes, column);
            changes
        };
        assert_eq!(filled(3), all);
        let change = |from, value| Change { from, value };
        assert_eq!(filled(4), [change(0, 3), change(5, 2)]);
    }
}
