//! A GTKWave view of exactly the signals that a dump holds: a save file, and filter files that show
//! numbers as names.
//!
//! All files name each other under one root that does not exist; GTKWave then looks beside the save
//! file, so the set can be moved. The view opens on the first iteration that is in the dump, with a
//! marker at each of its steps.

use std::fmt::Write;

use crate::probe::{Recording, Signal};
use crate::trace::{Kind, TICKS_PER_BIT_TIME};

/// The files of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The save file (`.gtkw`).
    pub save: String,
    /// Filter files: name and content.
    pub filters: Vec<(String, String)>,
}

/// Trace flags of a save file.
mod flags {
    pub const BINARY: &str = "28";
    pub const HEXADECIMAL: &str = "22";
    pub const DECIMAL: &str = "24";
    pub const TEXT: &str = "820";
    pub const TRANSLATED: &str = "2022";
    pub const ANALOG_STEP: &str = "88024";
    pub const LABEL: &str = "200";
    pub const ANALOG_HEIGHT: &str = "20200";
    pub const GROUP_BEGIN: &str = "800200";
    pub const GROUP_END: &str = "1000200";
    pub const FOLDED_BEGIN: &str = "c00200";
    pub const FOLDED_END: &str = "1401200";
}

/// GTKWave's colours, by number.
mod colour {
    pub const ORANGE: u8 = 2;
    pub const YELLOW: u8 = 3;
    pub const GREEN: u8 = 4;
}

/// Where all files of a view claim to lie.
const ROOT: &str = "/cubewave/";
const WINDOW: (u32, u32) = (1500, 1000);
const SIGNALS_WIDTH: u32 = 330;
/// A save file counts time in the unit of the dump's timescale, without its factor: here 1 ps, and a
/// tick is 100 ps.
const PICOSECONDS_PER_TICK: u64 = 100;
/// A save file's zoom `z` shows 2^-z picoseconds in so many pixels.
const ZOOM_PIXELS: f64 = 200.0;

/// Makes a view of what was recorded in the file `dump` (`name.vcd`); its files belong beside it,
/// the save file as `name.gtkw`.
pub fn view(dump: &str, recording: &Recording) -> View {
    let stem = dump.rsplit_once('.').map_or(dump, |(stem, _)| stem);
    let filter = format!("{stem}.step.filter");
    let mut save = SaveFile {
        text: String::new(),
        filter: &filter,
        recording,
    };
    save.head(dump, stem);
    save.sequencer();
    for (place, node) in nodes(&recording.signals).into_iter().enumerate() {
        save.node(node, place == 0);
    }
    save.line("[pattern_trace] 1");
    save.line("[pattern_trace] 0");
    let names: String = recording
        .step_names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
        .map(|(code, name)| format!("{code:x} {name}\n"))
        .collect();
    View {
        save: save.text,
        filters: vec![(filter, names)],
    }
}

/// The scopes of the traced nodes, in order.
fn nodes(signals: &[Signal]) -> Vec<&str> {
    let mut nodes: Vec<&str> = Vec::new();
    for signal in signals {
        if let Some(scope) = signal.scopes.get(1).filter(|scope| *scope != "sequencer")
            && nodes.last() != Some(&scope.as_str())
        {
            nodes.push(scope);
        }
    }
    nodes
}

struct SaveFile<'a> {
    text: String,
    filter: &'a str,
    recording: &'a Recording,
}

impl<'a> SaveFile<'a> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn head(&mut self, dump: &str, stem: &str) {
        let recording = self.recording;
        let (from, to) = first_iteration(recording);
        let markers: Vec<(u64, u32)> = recording
            .steps
            .iter()
            .filter(|(tick, _)| (from..to).contains(tick))
            .take(26)
            .copied()
            .collect();
        let pixels = f64::from(WINDOW.0 - SIGNALS_WIDTH - 40);
        let shown = ((to - from) * PICOSECONDS_PER_TICK).max(1);
        let zoom = -(shown as f64 * ZOOM_PIXELS / pixels).log2();
        let mut times = String::new();
        for place in 0..26 {
            let time = markers
                .get(place)
                .map_or(-1, |(tick, _)| (tick * PICOSECONDS_PER_TICK) as i64);
            let _ = write!(times, " {time}");
        }
        self.line("[*]");
        self.line("[*] A view of a cubewave dump; keep the files of this set side by side.");
        self.line("[*]");
        self.line(&format!("[dumpfile] \"{ROOT}{dump}\""));
        self.line(&format!("[savefile] \"{ROOT}{stem}.gtkw\""));
        self.line(&format!("[timestart] {}", from * PICOSECONDS_PER_TICK));
        self.line(&format!("[size] {} {}", WINDOW.0, WINDOW.1));
        self.line("[pos] 0 0");
        // The cursor, whose values stand beside the names: where the third step begins, if it does.
        let cursor = markers
            .get(2)
            .or(markers.first())
            .map_or(-1, |(tick, _)| (tick * PICOSECONDS_PER_TICK) as i64);
        self.line(&format!("*{zoom:.6} {cursor}{times}"));
        for (place, (_, step)) in markers.iter().enumerate() {
            let name = recording
                .step_names
                .get(*step as usize)
                .map_or("", |name| name.split('_').next().unwrap_or(name));
            let letter = char::from(b'A' + place as u8);
            self.line(&format!("[markername] {letter}{name}"));
        }
        self.line("[treeopen] cube.");
        self.line("[sst_width] 200");
        self.line(&format!("[signals_width] {SIGNALS_WIDTH}"));
        self.line("[sst_expanded] 0");
        self.line("[sst_vpaned_height] 300");
    }

    /// One row. `shown` is what it is called in the view.
    fn row(&mut self, signal: &Signal, shown: &str, flags: &str, colour: Option<u8>) {
        let mut path = signal.scopes.join(".");
        let _ = write!(path, ".{}", signal.name);
        if let Kind::Register { width } = signal.kind
            && width > 1
        {
            let _ = write!(path, "[{}:0]", width - 1);
        }
        self.line(&format!("@{flags}"));
        if let Some(colour) = colour {
            self.line(&format!("[color] {colour}"));
        }
        if flags == flags::TRANSLATED {
            self.line(&format!("^1 {ROOT}{}", self.filter));
        }
        if shown == signal.name {
            self.line(&path);
        } else {
            self.line(&format!("+{{{shown}}} {path}"));
        }
    }

    fn heading(&mut self, flags: &str, text: &str) {
        self.line(&format!("@{flags}"));
        self.line(&format!("-{text}"));
    }

    fn group(&mut self, name: &str, open: bool, rows: impl FnOnce(&mut Self)) {
        let (begin, end) = if open {
            (flags::GROUP_BEGIN, flags::GROUP_END)
        } else {
            (flags::FOLDED_BEGIN, flags::FOLDED_END)
        };
        self.heading(begin, name);
        rows(self);
        self.heading(end, name);
    }

    fn sequencer(&mut self) {
        for signal in self.in_scope(&["cube"], true) {
            self.row(signal, &signal.name, flags::BINARY, None);
        }
        self.heading(flags::LABEL, "sequencer");
        for signal in self.in_scope(&["cube", "sequencer"], true) {
            match (signal.name.as_str(), signal.kind) {
                ("step", _) => {
                    self.row(signal, "step", flags::TRANSLATED, Some(colour::YELLOW));
                }
                // The names themselves, for machines whose step is not coded in a register.
                (_, Kind::Text) if self.has_step() => {}
                (_, Kind::Text) => self.row(signal, "step", flags::TEXT, Some(colour::YELLOW)),
                _ => self.row(signal, &signal.name, flags::DECIMAL, None),
            }
        }
    }

    fn has_step(&self) -> bool {
        self.in_scope(&["cube", "sequencer"], true)
            .iter()
            .any(|signal| signal.name == "step")
    }

    /// Signals of one scope, or of that scope and all inside it.
    fn in_scope(&self, scopes: &[&str], directly: bool) -> Vec<&'a Signal> {
        self.recording
            .signals
            .iter()
            .filter(|signal| {
                let length = signal.scopes.len();
                length >= scopes.len()
                    && (!directly || length == scopes.len())
                    && signal
                        .scopes
                        .iter()
                        .zip(scopes)
                        .all(|(one, two)| one == two)
            })
            .collect()
    }

    /// A node: the first one with its parts open.
    fn node(&mut self, scope: &'a str, open: bool) {
        let binary = scope
            .strip_prefix("node_")
            .and_then(|number| number.parse::<usize>().ok())
            .map_or(String::new(), |number| {
                format!(" = {number:0width$b}", width = self.recording.dimensions)
            });
        self.heading(flags::LABEL, "");
        self.heading(flags::LABEL, &format!("{scope}{binary}"));
        for signal in self.in_scope(&["cube", scope], true) {
            if signal.kind == Kind::Count {
                self.row(
                    signal,
                    &signal.name,
                    flags::ANALOG_STEP,
                    Some(colour::ORANGE),
                );
                self.heading(flags::ANALOG_HEIGHT, "");
            }
        }
        self.group("wires", true, |save| save.wires(scope));
        for signal in self.in_scope(&["cube", scope], true) {
            if matches!(signal.kind, Kind::Register { .. }) {
                self.register(signal, &signal.name);
            }
        }
        for part in self.parts(&["cube", scope]) {
            let scopes = ["cube", scope, part];
            if part.starts_with("dim_") {
                continue;
            }
            if self.parts(&scopes).is_empty() {
                for signal in self.in_scope(&scopes, true) {
                    self.register(signal, &format!("{part} {}", signal.name));
                }
            } else {
                self.group(part, open, |save| save.part(&scopes));
            }
        }
    }

    fn wires(&mut self, scope: &'a str) {
        for dimension in self.parts(&["cube", scope]) {
            if !dimension.starts_with("dim_") {
                continue;
            }
            for signal in self.in_scope(&["cube", scope, dimension], true) {
                let colour = match signal.name.as_str() {
                    "tx" => colour::ORANGE,
                    _ => colour::GREEN,
                };
                let shown = format!("{dimension} {}", signal.name);
                self.row(signal, &shown, flags::BINARY, Some(colour));
            }
        }
    }

    /// Names of the scopes directly inside a scope.
    fn parts(&self, scopes: &[&str]) -> Vec<&'a str> {
        let mut parts: Vec<&'a str> = Vec::new();
        for signal in self.in_scope(scopes, false) {
            if let Some(part) = signal.scopes.get(scopes.len())
                && !parts.contains(&part.as_str())
            {
                parts.push(part);
            }
        }
        parts
    }

    /// A part with a module for each dimension: one is open (the highest of those that have most
    /// registers), the others are folded together. Then the part's own registers.
    fn part(&mut self, scopes: &[&'a str]) {
        let stages = self.parts(scopes);
        let registers = |stage: &&str| {
            let within: Vec<&str> = scopes.iter().copied().chain([*stage]).collect();
            self.in_scope(&within, false).len()
        };
        let shown = stages.iter().copied().max_by_key(registers);
        if stages.len() > 1 {
            self.group("other dimensions", false, |save| {
                for stage in stages.iter().filter(|stage| Some(**stage) != shown) {
                    save.stage(scopes, stage);
                }
            });
        }
        if let Some(stage) = shown {
            self.stage(scopes, stage);
        }
        for signal in self.in_scope(scopes, true) {
            self.register(signal, &signal.name);
        }
    }

    /// The registers of one dimension's module.
    fn stage(&mut self, scopes: &[&'a str], stage: &str) {
        let within: Vec<&str> = scopes.iter().copied().chain([stage]).collect();
        for signal in self.in_scope(&within, false) {
            let inner: String = signal.scopes[within.len()..]
                .iter()
                .map(|scope| format!("{scope} "))
                .collect();
            self.register(signal, &format!("{stage} {inner}{}", signal.name));
        }
    }

    fn register(&mut self, signal: &Signal, shown: &str) {
        let flags = if signal.kind.width() == 1 {
            flags::BINARY
        } else {
            flags::HEXADECIMAL
        };
        self.row(signal, shown, flags, None);
    }
}

/// From the first step that is recorded to where the same step begins again, or to the end.
fn first_iteration(recording: &Recording) -> (u64, u64) {
    let (from, to) = (recording.ticks.start, recording.ticks.end);
    let mut steps = recording.steps.iter();
    let Some((_, first)) = steps.next() else {
        return (from, to.max(from + TICKS_PER_BIT_TIME));
    };
    let again = steps.find(|(_, step)| step == first);
    (from, again.map_or(to, |(tick, _)| *tick))
}

#[cfg(test)]
mod tests {
    use rtl_model::fabric::Fabric;
    use rtl_model::kuszmaul::plain::PlainRouter;
    use rtl_model::topology::hypercube::Dimensions;

    use super::*;
    use crate::memory::MemoryTrace;
    use crate::probe::{Probe, Selection};

    fn recording(window: std::ops::Range<u64>) -> (MemoryTrace, Recording) {
        let router = PlainRouter::new(Dimensions::new(3).unwrap(), 2).unwrap();
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let selection = Selection {
            nodes: vec![5, 2],
            window,
        };
        let mut probe = Probe::attach(MemoryTrace::default(), &fabric, selection).unwrap();
        while !fabric.is_done() {
            fabric.transmit().unwrap();
            probe.sample(&fabric).unwrap();
            fabric.clock();
        }
        probe.finish().unwrap()
    }

    /// The paths that a save file shows.
    fn shown(view: &View) -> Vec<&str> {
        view.save
            .lines()
            .filter(|line| !line.starts_with(['[', '@', '^', '-', '*']))
            .map(|line| line.rsplit_once(' ').map_or(line, |(_, path)| path))
            .collect()
    }

    #[test]
    fn every_name_in_the_view_is_in_the_dump_and_every_signal_in_the_view() {
        let (trace, recording) = recording(0..1000);
        let view = view("wave.vcd", &recording);
        let shown = shown(&view);
        for path in &shown {
            let bare = path.split('[').next().unwrap();
            assert!(trace.signal(bare).is_some(), "{path} is not in the dump");
        }
        // All but `step_name`, which `step` shows.
        assert_eq!(shown.len(), recording.signals.len() - 1);
    }

    #[test]
    fn the_view_opens_on_the_first_iteration_with_its_steps_marked() {
        let (_, recording) = recording(0..1000);
        assert_eq!(first_iteration(&recording), (0, 300));
        let view = view("wave.vcd", &recording);
        assert!(view.save.contains(" 8000 0 5000 8000 15000 18000 23000 -1"));
        assert!(view.save.contains("[markername] F6\n"));
        assert_eq!(
            view.filters,
            [(
                "wave.step.filter".to_owned(),
                "1 1_cross\n2 2_enumerate_twos\n3 3_pack_messages\n4 4_enumerate_empties\n\
                 5 5_pack_addresses\n6 6_rendezvous\n7 done\n"
                    .to_owned()
            )]
        );
    }

    #[test]
    fn a_window_that_the_run_never_reaches_gives_an_empty_wave() {
        let (_, recording) = recording(5000..6000);
        assert_eq!(recording.ticks, 50_000..50_000);
        assert!(recording.steps.is_empty());
        view("wave.vcd", &recording);
    }
}
