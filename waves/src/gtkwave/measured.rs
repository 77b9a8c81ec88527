//! How much room the rows of a view take: names and values in the pane of names, and labels of texts in their cells.
//!
//! ```text
//!   |<- names, values ->|<- waves ---------------------------->|
//!          step=1_cross | 1_cross   |2_enumerate_twos|3_+|      a label that does not fit is cut, and ends in a +
//! ```
//!
//! Only rows count that no group folds away; of labels, those on the first screen.

use crate::gtkwave::crowded::cells;
use crate::gtkwave::markers::Screen;
use crate::gtkwave::save_file::Writer;
use crate::probe::caption::INDENTATION;
use crate::probe::{Recording, Signal};
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// Rows of a first screen.
const ROWS: usize = 42;
/// Characters of the longest value that is made room for: lists of nodes may be longer, and captions are.
const LONGEST_VALUE: usize = INDENTATION - 2;
/// Of the cells with labels on a screen, by their width, those that have to be wide enough.
const LEGIBLE: f64 = 0.6;
/// A window is shortened by this for labels to fit, again and again, and to no less than so many bit times or this share of it.
const SHORTER: f64 = 0.75;
const SHORTEST: u64 = 200;
const LEAST: u64 = 12;

/// A list of rows that is only measured.
pub(super) struct Measured<'r> {
    writer: Writer,
    recording: &'r Recording,
    cursor: Option<u64>,
    screens: Vec<Screen>,
    /// By screen, pixels of cells whose labels fit, and of all that have labels.
    fits: Vec<(f64, f64)>,
    names: usize,
    values: usize,
    /// Texts on the first screen that say something at the cursor.
    said: usize,
    /// Groups that are folded, within each other.
    folded: usize,
    rows: usize,
}

impl<'r> Measured<'r> {
    /// Of a view of a window of ticks, which may become shorter.
    pub fn new(
        (writer, recording): (Writer, &'r Recording),
        (from, to): (u64, u64),
        pixels: f64,
        cursor: Option<u64>,
    ) -> Self {
        let mut screens = Vec::new();
        let kept = recording.keeps.filter(|tick| (from..to).contains(tick));
        let kept = kept.map_or(0, |tick| (tick - from) * 5 / 4);
        let (mut length, shortest) = (to - from, SHORTEST.max((to - from) / LEAST).max(kept));
        loop {
            let to = from + length;
            screens.push(Screen { from, to, pixels });
            length = (length as f64 * SHORTER) as u64;
            if length < shortest {
                break;
            }
        }
        Measured {
            writer,
            recording,
            cursor,
            fits: vec![(0.0, 0.0); screens.len()],
            screens,
            names: 0,
            values: 0,
            said: 0,
            folded: 0,
            rows: 0,
        }
    }

    /// The longest window in which labels can be read; if there is none, that in which most can.
    pub fn legible(&self) -> (u64, u64) {
        let share = |(fitting, all): &(f64, f64)| match *all > 0.0 {
            true => fitting / all,
            false => 1.0,
        };
        let best = self.fits.iter().map(share).fold(0.0, f64::max);
        let mut all = self.screens.iter().zip(&self.fits);
        let found = all.find(|(_, fits)| share(fits) >= LEGIBLE.min(best));
        let screen = found.map_or(self.screens[0], |(screen, _)| *screen);
        (screen.from, screen.to)
    }

    /// Characters of the longest name, and of the longest value at the cursor.
    pub fn widths(&self) -> (usize, usize) {
        (self.names, self.values.min(LONGEST_VALUE))
    }

    /// How many texts on the first screen say something at the cursor.
    pub fn said(&self) -> usize {
        self.said
    }

    fn name(&mut self, characters: usize) {
        if self.folded == 0 {
            self.rows += 1;
            self.names = self.names.max(characters);
        }
    }

    /// A value of so many characters.
    fn value(&mut self, characters: usize) {
        if self.folded == 0 {
            self.values = self.values.max(characters);
        }
    }

    /// What a text says, and when.
    fn text(&mut self, said: &[(u64, usize)]) {
        if self.folded > 0 {
            return;
        }
        if let Some(cursor) = self.cursor {
            let before = said.iter().rev().find(|(tick, _)| *tick <= cursor);
            let characters = before.map_or(0, |(_, characters)| *characters);
            self.value(characters);
            self.said += usize::from(characters > 0 && self.rows <= ROWS);
        }
        if self.rows > ROWS {
            return;
        }
        let end = self.recording.ticks.end;
        for (screen, (fitting, all)) in self.screens.iter().zip(&mut self.fits) {
            for cell in cells(said, end, *screen) {
                *all += cell.room;
                if cell.fits {
                    *fitting += cell.room;
                }
            }
        }
    }
}

impl Rows for Measured<'_> {
    fn label(&mut self, text: &str) {
        self.name(text.len());
    }

    fn more_height(&mut self) {
        self.name(0);
    }

    fn has(&self, signal: &Signal) -> bool {
        self.writer.path(signal).is_some()
    }

    fn row(&mut self, signal: &Signal, name: &str, shown: Shown, _colour: Option<Colour>) {
        if !self.has(signal) {
            return;
        }
        // A register that is called as it is has its range.
        let is_alias = name != signal.name || matches!(signal.kind, Kind::Text { .. });
        let (width, digits) = (signal.kind.width(), |number: usize| {
            number.to_string().len()
        });
        let range = match width {
            0 | 1 => 0,
            _ if is_alias => 0,
            width => digits(width - 1) + "[:0]".len(),
        };
        self.name(name.len() + range);
        match shown {
            Shown::Text => self.text(&signal.said),
            Shown::Binary => self.value(width),
            Shown::Hexadecimal => self.value(width.div_ceil(4)),
            Shown::Decimal => self.value(width * 3 / 10 + 1),
            Shown::Named | Shown::Analog => self.value(4),
        }
    }

    fn named_row(&mut self, signal: &Signal, _file: &str, _colour: Colour) {
        let digits = (signal.kind.width().max(1) - 1).to_string().len();
        self.name(signal.name.len() + digits + "[:0]".len());
        let names = self.recording.step_names;
        let length = |step: u32| names.get(step as usize).map_or(0, |name| name.len());
        let steps = self.recording.steps.iter();
        let said: Vec<(u64, usize)> = steps
            .map(|begun| (begun.tick, length(begun.step)))
            .collect();
        self.text(&said);
    }

    fn begin_group(&mut self, name: &str, open: bool) {
        self.name(name.len() + " {}".len());
        self.folded += usize::from(!open || self.folded > 0);
    }

    fn end_group(&mut self, name: &str, open: bool) {
        self.folded = self.folded.saturating_sub(1);
        if open {
            self.name(name.len() + "} ".len());
        }
    }

    fn added_rows(&mut self, machine: &str) {
        for path in self.writer.added(machine) {
            self.name(path.rsplit('.').next().unwrap_or_default().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::TextForm;

    /// A text of six characters every ten bit times, for one bit time each, or for all ten.
    fn recording(long: bool) -> Recording {
        let said = |ten: u64| {
            let end = ten * 100 + if long { 99 } else { 10 };
            [(ten * 100, 6), (end, 0)]
        };
        Recording {
            signals: vec![Signal {
                scopes: vec!["cube".to_owned()],
                name: "crosses".to_owned(),
                kind: Kind::Text { longest: 6 },
                ever_set: true,
                in_sight: true,
                follows: true,
                fails: None,
                changes: 0,
                said: (0..100).flat_map(said).collect(),
            }],
            ticks: 0..10_000,
            ..Recording::empty(TextForm::Strings)
        }
    }

    fn measured(recording: &Recording, rows: impl Fn(&mut dyn Rows, &Signal)) -> Measured<'_> {
        let writer = Writer::Cubewave(TextForm::Strings);
        let mut measured = Measured::new((writer, recording), (0, 10_000), 1000.0, Some(105));
        rows(&mut measured, &recording.signals[0]);
        measured
    }

    #[test]
    fn a_window_is_as_long_as_labels_can_be_read() {
        let row = |rows: &mut dyn Rows, signal: &Signal| {
            rows.row(signal, "it crosses", Shown::Text, None);
        };
        // 1000 bit times on 1000 pixels: a label of 42 pixels needs 42 bit times, and there are 9.9.
        let long = recording(true);
        let (from, to) = measured(&long, row).legible();
        assert_eq!(from, 0);
        assert!(
            (to - from) * 42 <= 99 * 1000 && to > 99 * 1000 / 42 * 3 / 4,
            "{to}"
        );
        // Of one bit time nothing can be read at any length that there is.
        let short = recording(false);
        assert_eq!(measured(&short, row).legible(), (0, 10_000));
    }

    #[test]
    fn what_a_view_has_to_keep_is_on_the_screen() {
        let mut recording = recording(true);
        let mut end = |keeps| {
            recording.keeps = keeps;
            let row = |rows: &mut dyn Rows, signal: &Signal| {
                rows.row(signal, "it crosses", Shown::Text, None);
            };
            measured(&recording, row).legible().1
        };
        assert!(end(Some(2500)) >= 2500);
        assert_eq!(end(Some(500)), end(None));
        assert!(end(None) < 2500);
    }

    #[test]
    fn folded_rows_take_no_room() {
        let long = recording(true);
        let rows = |open: bool| {
            let measured = measured(&long, |rows, signal| {
                rows.group("group", open, |rows| {
                    rows.row(signal, "a long name", Shown::Text, None);
                });
            });
            (measured.widths(), measured.legible())
        };
        assert_eq!(rows(false), (("group {}".len(), 0), (0, 10_000)));
        let (widths, (_, to)) = rows(true);
        assert_eq!(widths, ("a long name".len(), 6));
        assert!(to < 10_000);
    }
}
