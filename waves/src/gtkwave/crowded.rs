//! Rows that change too often to be read on a screen, of whose cells most would be cut: they are folded away, or others that say less stand in their place.
//!
//! ```text
//!   followed crosses  +|+|53->61 6+|+|+|+|5 wire+|+|      crowded
//!   followed leg      6 to 61          |61 to 21          what a view shows in its place
//! ```

use std::ops::Range;

use crate::gtkwave::markers::Screen;
use crate::probe::{Recording, Signal};
use crate::trace::Kind;

/// Pixels of a character of a label in its cell, and of what is drawn around it.
const CHARACTER: f64 = 6.0;
const AROUND: f64 = 6.0;
/// Pixels around the digits of a number, at the least.
const AROUND_DIGITS: f64 = 2.0;
/// A label that is cut can be read in part if it is longer: lists begin with how many things they have.
const READ_IN_PART: usize = 9;

/// A label in its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// The pixels of the cell that are on the screen.
    pub room: f64,
    /// Whether all of the label has room.
    pub fits: bool,
    /// Whether enough of it has.
    pub can_be_read: bool,
}

/// The cells with labels on a screen, of what a text says and when: it ends at `end`.
pub(super) fn cells(
    said: &[(u64, usize)],
    end: u64,
    screen: Screen,
) -> impl Iterator<Item = Cell> + '_ {
    let ends = said.iter().skip(1).map(|(tick, _)| *tick).chain([end]);
    said.iter()
        .zip(ends)
        .filter_map(move |((tick, characters), end)| {
            let seen: Range<u64> = (*tick).max(screen.from)..end;
            if *characters == 0 || seen.start >= screen.to || seen.is_empty() {
                return None;
            }
            let room = screen.pixel(seen.end.min(screen.to)) - screen.pixel(seen.start);
            let has_room = |characters: usize| room >= characters as f64 * CHARACTER + AROUND;
            Some(Cell {
                room,
                fits: has_room(*characters),
                can_be_read: has_room((*characters).min(READ_IN_PART)),
            })
        })
}

/// The screen on which rows may be crowded; none as long as nobody has chosen one.
#[derive(Clone, Debug)]
pub(super) struct Crowding {
    screen: Option<Screen>,
    /// Ticks of the recording, and those of them in which changes were counted.
    ticks: Range<u64>,
    counted: Range<u64>,
}

impl Crowding {
    /// Of a view that opens on this screen.
    pub fn on(screen: Option<Screen>, recording: &Recording) -> Self {
        let ticks = recording.ticks.clone();
        let counted = &recording.counted;
        Crowding {
            screen,
            // What happens outside the recording is not counted.
            counted: counted.start.max(ticks.start)..counted.end.min(ticks.end),
            ticks,
        }
    }

    /// Whether fewer than half of the labels of a text can be read, or the values of a number have less room than their digits take. A
    /// wire has no labels.
    pub fn has(&self, signal: &Signal) -> bool {
        let Some(screen) = self.screen else {
            return false;
        };
        if let Kind::Text { .. } = signal.kind {
            let (read, all) = self.labels(signal, screen);
            return 2 * read < all;
        }
        let width = signal.kind.width();
        if width == 1 {
            return false;
        }
        let digits = width * 3 / 10 + 1;
        let room = AROUND_DIGITS + digits as f64 * CHARACTER;
        let counted = self.counted.end.saturating_sub(self.counted.start) as f64;
        let pixels = counted * screen.pixels / (screen.to - screen.from).max(1) as f64;
        pixels < room * signal.changes as f64
    }

    /// Whether nothing of it can be read: no label of a text, or a number is crowded.
    pub fn hides(&self, signal: &Signal) -> bool {
        let has_read = |screen| self.labels(signal, screen).0 > 0;
        self.has(signal) && !self.screen.is_some_and(has_read)
    }

    /// Of the labels of a text on a screen, how many can be read, and how many there are.
    fn labels(&self, signal: &Signal, screen: Screen) -> (usize, usize) {
        let cells = cells(&signal.said, self.ticks.end, screen);
        cells.fold((0, 0), |(read, all), cell| {
            (read + usize::from(cell.can_be_read), all + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtkwave::listed;
    use crate::trace::TextForm;

    fn signal(name: &str, kind: Kind) -> Signal {
        let signal = listed::signal(name, true, false);
        Signal { kind, ..signal }
    }

    /// 1000 ticks on 1000 pixels.
    fn crowding(end: u64) -> Crowding {
        let recording = Recording {
            ticks: 0..1000,
            ..Recording::empty(TextForm::Strings)
        };
        let screen = Screen {
            from: 0,
            to: end,
            pixels: 1000.0,
        };
        Crowding::on(Some(screen), &recording)
    }

    #[test]
    fn a_text_is_crowded_where_most_labels_are_cut() {
        // Of labels of four characters, each takes 30 pixels.
        let mut text = signal("at", Kind::Text { longest: 4 });
        let mut has = |said: &[(u64, usize)], end| {
            text.said = said.to_vec();
            crowding(end).has(&text)
        };
        assert!(!has(&[(0, 4), (29, 4)], 1000), "one of two");
        assert!(has(&[(0, 4), (29, 4), (58, 4)], 1000), "one of three");
        assert!(!has(&[(0, 4), (29, 0), (58, 4)], 1000), "nothing is said");
        assert!(!has(&[(0, 4), (29, 4), (58, 4)], 900), "nearer");
        assert!(!has(&[], 1000));
        // Of longer ones the first nine take 60.
        assert!(!has(&[(0, 40), (60, 40), (120, 0)], 1000));
        assert!(has(&[(0, 40), (59, 40), (118, 0)], 1000));
        let mut hides = |said: &[(u64, usize)]| {
            text.said = said.to_vec();
            crowding(1000).hides(&text)
        };
        assert!(hides(&[(0, 4), (29, 4), (58, 0)]));
        assert!(!hides(&[(0, 4), (29, 4), (58, 4)]) && !hides(&[]));
    }

    #[test]
    fn a_number_is_crowded_where_a_digit_has_no_room() {
        // Of 5 bits there are two digits, which take 14 pixels.
        let mut number = signal("bit_time", Kind::Register { width: 5 });
        let mut has = |changes| {
            number.changes = changes;
            crowding(1000).has(&number)
        };
        assert!(!has(0) && !has(71) && has(72));
        let mut wire = signal("tx", Kind::Wire);
        wire.changes = 1000;
        assert!(!crowding(1000).has(&wire));
        assert!(!Crowding::on(None, &Recording::empty(TextForm::Strings)).has(&number));
    }
}
