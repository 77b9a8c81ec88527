//! The format of GTKWave's save files.
//!
//! All files of a view name each other under one root that does not exist; GTKWave then looks
//! beside the save file, so the set can be moved.

use std::fmt::{Display, Write};

use crate::gtkwave::HOST;
use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::trace::{Kind, TextForm};

impl Shown {
    /// GTKWave's trace flags.
    fn flags(self) -> &'static str {
        match self {
            Shown::Binary => "28",
            Shown::Hexadecimal => "22",
            Shown::Decimal => "24",
            Shown::Text => "820",
            Shown::Named => "2022",
            Shown::Analog => "88024",
        }
    }
}

const LABEL: &str = "200";
const ANALOG_HEIGHT: &str = "20200";
const OPEN_GROUP: (&str, &str) = ("800200", "1000200");
const FOLDED_GROUP: (&str, &str) = ("c00200", "1401200");

impl Colour {
    /// GTKWave's number of it.
    fn number(self) -> u8 {
        match self {
            Colour::Red => 1,
            Colour::Orange => 2,
            Colour::Yellow => 3,
            Colour::Green => 4,
            Colour::Violet => 7,
        }
    }
}

/// Where all files of a view claim to lie.
const ROOT: &str = "/cubewave/";
const WINDOW_WIDTH: u32 = 1500;
const WINDOW_HEIGHT: u32 = 1000;
/// A save file counts time in the unit of the dump's timescale, without its factor: here 1 ps, and
/// a tick is 100 ps.
const PICOSECONDS_PER_TICK: u64 = 100;
/// A save file's zoom `z` shows 2^-z picoseconds in so many pixels.
const ZOOM_PIXELS: f64 = 200.0;
/// Markers are called A to Z.
pub(super) const MARKERS: usize = 26;

/// Pixels of the pane that holds names and values of so many characters, with an equals sign between and some room around.
pub(super) fn signals_width((names, values): (usize, usize)) -> u32 {
    const CHARACTER: u32 = 8;
    const AROUND: u32 = 26;
    let characters = (names + "=".len() + values) as u32;
    (characters * CHARACTER + AROUND).min(WINDOW_WIDTH * 2 / 3)
}

/// Pixels that are left for waves.
pub(super) fn wave_pixels(signals_width: u32) -> f64 {
    f64::from(WINDOW_WIDTH - signals_width - 40)
}

/// Who wrote a dump, and so how it spells the signals that were recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// This simulator, with text in this form.
    Cubewave(TextForm),
    /// A Verilog simulator, running the exported project: modules inside a node are part of their
    /// registers' names, and what cubewave's simulator adds is not there.
    Verilog(Links),
}

/// How the blocks of the links at a node are called in an exported project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// By a number in brackets, as in `dim[2]`.
    Numbered,
    /// As in waves, such as `dim_2`.
    Named,
    /// As in waves; there are no others but nodes, whose wires to hosts are ports of theirs.
    OfHosts,
}

/// Wires, one or several.
fn is_link(kind: Kind) -> bool {
    matches!(kind, Kind::Wire | Kind::Bus { .. })
}

impl Writer {
    /// The signal's path; none if the dump lacks it.
    pub fn path(self, signal: &Signal) -> Option<String> {
        let scopes: Vec<&str> = signal.scopes.iter().map(String::as_str).collect();
        let name = &signal.name;
        if let Writer::Cubewave(_) = self {
            return Some(format!("{}.{name}", scopes.join(".")));
        }
        let numbered = |scope: &str| scope.replacen('_', "[", 1) + "]";
        match (scopes.as_slice(), signal.kind) {
            (_, Kind::Count | Kind::Text { .. } | Kind::Number { .. }) => None,
            ([machine, node, link], _) if self.is_of_hosts() && is_link(signal.kind) => {
                let link = match *link {
                    HOST => "router",
                    link => link,
                };
                Some(format!("tb.{machine}.{}.{link}.{name}", numbered(node)))
            }
            (_, Kind::Bus { .. }) => None,
            ([machine], _) => Some(format!("tb.{machine}.{name}")),
            ([machine, node, link], Kind::Wire) => {
                let link = match self {
                    Writer::Verilog(Links::Named) => (*link).to_owned(),
                    _ => numbered(link),
                };
                Some(format!("tb.{machine}.{}.{link}.{name}", numbered(node)))
            }
            ([machine, scope, modules @ ..], _) => {
                let scope = match scope.starts_with("node_") {
                    true => numbered(scope) + ".router",
                    false => (*scope).to_owned(),
                };
                let register = [modules, &[name.as_str()]].concat().join("_");
                Some(format!("tb.{machine}.{scope}.{register}"))
            }
            ([], _) => None,
        }
    }

    fn is_of_hosts(self) -> bool {
        self == Writer::Verilog(Links::OfHosts)
    }

    pub fn text_form(self) -> TextForm {
        match self {
            Writer::Cubewave(form) => form,
            Writer::Verilog(_) => TextForm::Strings,
        }
    }

    /// Paths of what a dump holds beside what was recorded of the machine, which is called so.
    pub fn added(self, machine: &str) -> Vec<String> {
        match self {
            Writer::Cubewave(_) => Vec::new(),
            // Where there is no sequencer, nobody says when all is done.
            Writer::Verilog(Links::OfHosts) => vec![format!("tb.{machine}.reset")],
            Writer::Verilog(_) => ["reset", "done"]
                .map(|name| format!("tb.{machine}.{name}"))
                .to_vec(),
        }
    }

    /// Where a dump's machine stands, called `machine` in the recording.
    fn machine(self, machine: &str) -> String {
        match self {
            Writer::Cubewave(_) => format!("{machine}."),
            Writer::Verilog(_) => format!("tb.{machine}."),
        }
    }
}

/// A save file as it grows.
pub(super) struct SaveFile {
    writer: Writer,
    text: String,
}

impl SaveFile {
    /// Called `name`, of the file `dump` with the scope `machine`, showing the ticks `from` to
    /// `to`, with markers at these ticks and the cursor at one of them; names and values are given
    /// `signals_width` pixels.
    pub fn new(
        writer: Writer,
        (dump, name): (&str, &str),
        machine: &str,
        (from, to): (u64, u64),
        markers: &[(u64, String)],
        cursor: Option<u64>,
        signals_width: u32,
    ) -> Self {
        let picoseconds = |tick: Option<u64>| match tick {
            Some(tick) => (tick * PICOSECONDS_PER_TICK).to_string(),
            None => "-1".to_owned(),
        };
        let pixels = wave_pixels(signals_width);
        let shown = ((to - from) * PICOSECONDS_PER_TICK).max(1);
        let zoom = -(shown as f64 * ZOOM_PIXELS / pixels).log2();
        let mut times = picoseconds(cursor);
        for place in 0..MARKERS {
            times.push(' ');
            times += &picoseconds(markers.get(place).map(|(tick, _)| *tick));
        }

        let mut file = SaveFile {
            writer,
            text: String::new(),
        };
        file.line("[*]");
        file.line("[*] A view of a cubewave dump; keep the files of this set side by side.");
        file.line("[*]");
        file.line(format_args!("[dumpfile] \"{ROOT}{dump}\""));
        file.line(format_args!("[savefile] \"{ROOT}{name}\""));
        file.line(format_args!("[timestart] {}", picoseconds(Some(from))));
        file.line(format_args!("[size] {WINDOW_WIDTH} {WINDOW_HEIGHT}"));
        file.line("[pos] 0 0");
        file.line(format_args!("*{zoom:.6} {times}"));
        for (letter, (_, name)) in (b'A'..).map(char::from).zip(markers).take(MARKERS) {
            file.line(format_args!("[markername] {letter}{name}"));
        }
        file.line(format_args!("[treeopen] {}", writer.machine(machine)));
        file.line("[sst_width] 200");
        file.line(format_args!("[signals_width] {signals_width}"));
        file.line("[sst_expanded] 0");
        file.line("[sst_vpaned_height] 300");
        file
    }

    fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{line}");
    }

    fn heading(&mut self, flags: &str, text: impl Display) {
        self.line(format_args!("@{flags}"));
        self.line(format_args!("-{text}"));
    }

    fn signal(&mut self, signal: &Signal, name: &str) {
        let mut path = self.writer.path(signal).unwrap_or_default();
        // The range of text is the format's own, and says nothing.
        let is_text = matches!(signal.kind, Kind::Text { .. });
        let shows_as = path.rsplit('.').next().unwrap_or_default() == name && !is_text;
        let form = self.writer.text_form();
        if form.has_range(signal.kind) {
            let _ = write!(path, "[{}:0]", form.width(signal.kind) - 1);
        }
        if shows_as {
            self.line(path);
        } else {
            self.line(format_args!("+{{{name}}} {path}"));
        }
    }

    /// The text of the file.
    pub fn finish(mut self) -> String {
        self.line("[pattern_trace] 1");
        self.line("[pattern_trace] 0");
        self.text
    }
}

impl Rows for SaveFile {
    fn label(&mut self, text: &str) {
        self.heading(LABEL, text);
    }

    fn more_height(&mut self) {
        self.heading(ANALOG_HEIGHT, "");
    }

    fn has(&self, signal: &Signal) -> bool {
        self.writer.path(signal).is_some()
    }

    fn row(&mut self, signal: &Signal, name: &str, shown: Shown, colour: Option<Colour>) {
        if !self.has(signal) {
            return;
        }
        self.line(format_args!("@{}", shown.flags()));
        if let Some(colour) = colour {
            self.line(format_args!("[color] {}", colour.number()));
        }
        self.signal(signal, name);
    }

    fn named_row(&mut self, signal: &Signal, filter: &str, colour: Colour) {
        self.line(format_args!("@{}", Shown::Named.flags()));
        self.line(format_args!("[color] {}", colour.number()));
        self.line(format_args!("^1 {ROOT}{filter}"));
        self.signal(signal, &signal.name);
    }

    fn begin_group(&mut self, name: &str, open: bool) {
        let (begin, _) = if open { OPEN_GROUP } else { FOLDED_GROUP };
        self.heading(begin, name);
    }

    fn end_group(&mut self, name: &str, open: bool) {
        let (_, end) = if open { OPEN_GROUP } else { FOLDED_GROUP };
        self.heading(end, name);
    }

    fn added_rows(&mut self, machine: &str) {
        for (place, path) in self.writer.added(machine).iter().enumerate() {
            if place == 0 {
                self.line(format_args!("@{}", Shown::Binary.flags()));
            }
            self.line(path);
        }
    }
}
