//! For tests: rows as lines.

use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// A list of rows: names, those in a colour with it before them. A folded group is `> name`, an open one `v name`, and what is in
/// it is indented.
#[derive(Default)]
pub(super) struct Listed {
    pub lines: Vec<String>,
    depth: usize,
}

impl Listed {
    fn line(&mut self, line: &str) {
        self.lines.push("  ".repeat(self.depth) + line);
    }
}

impl Rows for Listed {
    fn label(&mut self, text: &str) {
        self.line(&format!("- {text}"));
    }

    fn more_height(&mut self) {}

    fn has(&self, _signal: &Signal) -> bool {
        true
    }

    fn row(&mut self, _signal: &Signal, name: &str, _shown: Shown, colour: Option<Colour>) {
        let colour = colour.map(|colour| format!("{colour:?} "));
        self.line(&format!("{}{name}", colour.unwrap_or_default()));
    }

    fn named_row(&mut self, signal: &Signal, _file: &str, _colour: Colour) {
        self.line(&signal.name);
    }

    fn begin_group(&mut self, name: &str, open: bool) {
        self.line(&format!("{} {name}", if open { "v" } else { ">" }));
        self.depth += 1;
    }

    fn end_group(&mut self, _name: &str, _open: bool) {
        self.depth -= 1;
    }

    fn added_rows(&mut self, _machine: &str) {}
}

/// A signal at a path, with dots between scopes: what has `message` or `worm` at the end of its name is text, and so are `about`
/// and `waits_for`.
pub(super) fn signal(path: &str, in_sight: bool, follows: bool) -> Signal {
    let mut scopes: Vec<String> = path.split('.').map(str::to_owned).collect();
    let name = scopes.pop().unwrap_or_default();
    let kind = match name.as_str() {
        "occupied_bits" => Kind::Count,
        "about" | "waits_for" => Kind::Text { longest: 9 },
        name if name.ends_with("message") || name.ends_with("worm") => Kind::Text { longest: 9 },
        "tx" | "rx" | "tx_valid" | "rx_valid" | "eject" | "eject_valid" => Kind::Wire,
        _ => Kind::Register { width: 4 },
    };
    Signal {
        scopes,
        name,
        kind,
        ever_set: in_sight,
        in_sight,
        follows,
        fails: None,
        changes: 0,
        said: Vec::new(),
    }
}
