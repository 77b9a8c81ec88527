//! A view for Surfer (<https://surfer-project.org>): a command file, as `surfer name.vcd -c name.surfer.sucl` runs it. It shows the rows
//! that [`crate::gtkwave`] chooses, in their groups, with their names, colours and formats, and the same markers, window and cursor.
//!
//! ```text
//!   # a comment                 to the end of the line; so no name has a #, nor a ;, which parts commands
//!   variable_add cube.clk       a row, behind the one in focus; without focus, the last
//!   item_focus b_               focus on the second visible row: its number in digits a to p, and _
//!   item_rename clock           the rest of the line is the name of the row in focus
//! ```
//!
//! Surfer has no file of names for a folder: the names of the steps are those of the text `step_name`. There is no command for a curve,
//! so counts are numbers. A window is given as halvings of the whole run, so it is the smallest of these that holds GTKWave's.
//!
//! Commands and what they do were taken from the sources of Surfer 0.7.0-dev (commit 97ce0d20 of February 2026: `command_parser.rs`,
//! `fzcmd.rs`, `batch_commands.rs`, `lib.rs`, `wave_data.rs`, `viewport.rs`) and its page on commands, and compared with 0.4.0, the first
//! version that has groups, markers and a cursor to be set, 0.5.0 and 0.6.0.

mod items;
mod window;

use std::fmt::Display;

use crate::gtkwave::Writer;
use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::surfer::items::{Item, SignalRow};
pub(crate) use crate::surfer::window::Times;
use crate::trace::{Kind, TextForm};

/// The text that names the step, and stands beside its code.
const STEP_NAME: &str = "step_name";

/// A command file as it grows.
pub(crate) struct CommandFile {
    writer: Writer,
    /// Groups that are not over, outermost first: their names, whether they are open, and what is in them. The first is no group.
    open: Vec<(String, bool, Vec<Item>)>,
}

impl CommandFile {
    /// Of a dump that this one wrote.
    pub fn new(writer: Writer) -> Self {
        CommandFile {
            writer,
            open: vec![(String::new(), true, Vec::new())],
        }
    }

    fn add(&mut self, item: Item) {
        if let Some((_, _, items)) = self.open.last_mut() {
            items.push(item);
        }
    }

    fn add_row(
        &mut self,
        path: String,
        name: &str,
        format: Option<&'static str>,
        colour: Option<Colour>,
    ) {
        self.add(Item::SignalRow(SignalRow {
            path,
            name: said(name),
            format,
            colour: colour.map(named),
        }));
    }

    /// The text of the file: rows, then markers, which Surfer lists as rows too, then what is in view.
    pub fn finish(self, times: &Times<'_>) -> String {
        let mut script = Script::default();
        script.line("# A view of a cubewave dump: surfer DUMP -c THIS_FILE");
        let items = self.open.into_iter().flat_map(|(_, _, items)| items);
        items::write(&items.collect::<Vec<_>>(), &mut script);
        script.line("item_unfocus");
        times.write(&mut script);
        script.text
    }
}

/// Commands, a line each.
#[derive(Default)]
struct Script {
    text: String,
}

impl Script {
    fn line(&mut self, line: impl Display) {
        self.text += &format!("{line}\n");
    }

    /// Focus on a visible row, by its number from 0 on.
    fn focus(&mut self, row: usize) {
        let digits = format!("{row:x}");
        let digits = digits.chars().filter_map(|digit| digit.to_digit(16));
        let letters: String = digits
            .filter_map(|digit| char::from_digit(digit + 10, 26))
            .collect();
        self.line(format_args!("item_focus {letters}_"));
    }
}

/// A name as a line can hold it.
fn said(name: &str) -> String {
    name.replace(['#', ';'], "_")
}

/// The name of a colour in Surfer's usual themes.
fn named(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "Red",
        Colour::Orange => "Orange",
        Colour::Yellow => "Yellow",
        Colour::Green => "Green",
        Colour::Violet => "Violet",
    }
}

/// The name of what Surfer shows a value by; none where what it takes of its own accord is right: a bit, a string.
fn format_of(signal: &Signal, shown: Shown, form: TextForm) -> Option<&'static str> {
    if let Kind::Text { .. } = signal.kind {
        return (form == TextForm::Characters).then_some("ASCII");
    }
    match shown {
        _ if signal.kind.width() == 1 => None,
        Shown::Text => None,
        Shown::Binary => Some("Binary"),
        Shown::Hexadecimal => Some("Hexadecimal"),
        Shown::Decimal | Shown::Named | Shown::Analog => Some("Unsigned"),
    }
}

impl Rows for CommandFile {
    fn label(&mut self, text: &str) {
        // An empty one parts rows, which a divider does anyway.
        if !text.is_empty() {
            self.add(Item::Label(said(text)));
        }
    }

    /// There is no command for a curve.
    fn more_height(&mut self) {}

    fn has(&self, signal: &Signal) -> bool {
        self.writer.path(signal).is_some()
    }

    fn row(&mut self, signal: &Signal, name: &str, shown: Shown, colour: Option<Colour>) {
        if let Some(path) = self.writer.path(signal) {
            let format = format_of(signal, shown, self.writer.text_form());
            self.add_row(path, name, format, colour);
        }
    }

    /// The text of that name says what the file would.
    fn named_row(&mut self, signal: &Signal, _file: &str, colour: Colour) {
        let text = Signal {
            name: STEP_NAME.to_owned(),
            kind: Kind::Text { longest: 0 },
            ..signal.clone()
        };
        match self.has(&text) {
            true => self.row(&text, &signal.name, Shown::Text, Some(colour)),
            false => self.row(signal, &signal.name, Shown::Named, Some(colour)),
        }
    }

    fn begin_group(&mut self, name: &str, open: bool) {
        self.open.push((said(name), open, Vec::new()));
    }

    fn end_group(&mut self, _name: &str, _open: bool) {
        if let Some((name, open, items)) = self.open.pop() {
            self.add(Item::Group { name, open, items });
        }
    }

    fn added_rows(&mut self, machine: &str) {
        for path in self.writer.added(machine) {
            let name = path.rsplit('.').next().unwrap_or_default().to_owned();
            self.add_row(path, &name, None, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Surfer counts rows in hexadecimal, by letters.
    #[test]
    fn rows_are_numbered_by_letters() {
        let mut script = Script::default();
        for row in [0, 9, 10, 15, 16, 300] {
            script.focus(row);
        }
        let focus = |letters: &str| format!("item_focus {letters}_\n");
        let expected: String = ["a", "j", "k", "p", "ba", "bcm"].map(focus).concat();
        assert_eq!(script.text, expected);
    }

    /// A `#` would begin a comment, a `;` another command.
    #[test]
    fn a_name_stays_a_name() {
        let mut file = CommandFile::new(Writer::Cubewave(TextForm::Strings));
        file.label("node #5; exit");
        let times = Times {
            window: (0, 10),
            end: 10,
            markers: &[(5, "a#b;c".to_owned())],
            cursor: None,
        };
        let text = file.finish(&times);
        let commands: Vec<&str> = text.lines().skip(1).collect();
        assert!(!commands.concat().contains(['#', ';']), "{text}");
        assert!(commands.contains(&"divider_add node"), "{text}");
        assert!(commands.contains(&"item_rename node _5_ exit"), "{text}");
        assert!(commands.contains(&"marker_set a_b_c 5"), "{text}");
    }
}
