//! A GTKWave view of exactly the signals that a dump holds: a save file, and filter files that show
//! numbers as names; and the same rows for Surfer (`surfer.rs`). For a machine with steps it opens on the first iteration that is in the dump,
//! with a marker at each of its steps. For a machine without, it opens on what is marked
//! ([`Recording::mark`]), or else on the whole dump; channels and links that nothing ever used are
//! folded away.

mod channels;
mod contents;
mod crowded;
#[cfg(test)]
mod listed;
mod markers;
mod measured;
mod named;
mod numbers;
#[cfg(test)]
mod opening;
mod save_file;
mod seal;
mod told;
mod tree;

use std::cmp::Reverse;
use std::ops::Range;

use crate::gtkwave::contents::fill;
use crate::gtkwave::crowded::Crowding;
use crate::gtkwave::markers::{Marker, Screen, without_collisions};
use crate::gtkwave::measured::Measured;
pub use crate::gtkwave::save_file::Links;
use crate::gtkwave::save_file::SaveFile;
pub(crate) use crate::gtkwave::save_file::Writer;
use crate::gtkwave::tree::Scope;
use crate::probe::{Begun, Recording, Signal};
use crate::rows::{Colour, Rows, Shown};
use crate::surfer::{CommandFile, Times};
use crate::trace::{Kind, TICKS_PER_BIT_TIME};

/// Ticks of a run that fits on a screen.
const SHORT_RUN: u64 = 130 * TICKS_PER_BIT_TIME;

/// Characters of values at the cursor that are short enough: where there are longer ones, another cursor is looked for.
const SHORT_VALUE: usize = 18;

/// Pixels of the pane of names and values, as long as nobody has measured them.
const SIGNALS_WIDTH: u32 = 430;

/// The group of what a node has beside the rows that are shown at first sight.
const OTHERS: &str = "other rows";

/// The scope of the wires between a node and its host.
const HOST: &str = "host";

/// The files of a view: their contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The save file.
    pub save: String,
    /// The filter file that names the steps; empty, and not needed, where the machine has none.
    pub step_filter: String,
    /// The same rows for Surfer: a command file.
    pub surfer: String,
}

/// What the files of a dump's view are called. They belong beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNames {
    /// Of `name.vcd`: `name.gtkw`.
    pub save: String,
    /// `name.step.filter`.
    pub step_filter: String,
    /// `name.surfer.sucl`.
    pub surfer: String,
}

impl FileNames {
    /// Of the view of the file `dump`.
    pub fn of(dump: &str) -> Self {
        Self::numbered(dump, 0)
    }

    /// Of another view beside it: of `name.vcd` the first is `name.new.gtkw`, the second
    /// `name.new2.gtkw`.
    pub fn numbered(dump: &str, number: usize) -> Self {
        let stem = dump.rsplit_once('.').map_or(dump, |(stem, _)| stem);
        let new = match number {
            0 => String::new(),
            1 => ".new".to_owned(),
            _ => format!(".new{number}"),
        };
        FileNames {
            save: format!("{stem}{new}.gtkw"),
            step_filter: format!("{stem}{new}.step.filter"),
            surfer: format!("{stem}{new}.surfer.sucl"),
        }
    }
}

/// Whether a file of a view still is what was written: not if somebody edited it, or GTKWave saved
/// it.
pub fn is_as_written(file: &[u8]) -> bool {
    seal::is_intact(file)
}

/// Makes a view, called so, of what was recorded in the file `dump`.
pub fn view(dump: &str, names: &FileNames, recording: &Recording) -> View {
    let writer = Writer::Cubewave(recording.text_form);
    view_of(writer, (dump, names), recording)
}

/// Makes a view of the file `dump` that a Verilog simulator writes of the same run: all its bit
/// times are one later, after the reset.
pub fn view_of_verilog(dump: &str, names: &FileNames, recording: &Recording, links: Links) -> View {
    let mut recording = recording.clone();
    recording.ticks.end += TICKS_PER_BIT_TIME;
    if let Some(ticks) = &mut recording.opens_on {
        *ticks = ticks.start + TICKS_PER_BIT_TIME..ticks.end + TICKS_PER_BIT_TIME;
    }
    let ticks = [
        &mut recording.keeps,
        &mut recording.decided,
        &mut recording.arrived,
    ];
    for tick in ticks.into_iter().flatten() {
        *tick += TICKS_PER_BIT_TIME;
    }
    for begun in &mut recording.steps {
        begun.tick += TICKS_PER_BIT_TIME;
    }
    for (tick, _) in recording
        .markers
        .iter_mut()
        .chain(&mut recording.first_used)
    {
        *tick += TICKS_PER_BIT_TIME;
    }
    view_of(Writer::Verilog(links), (dump, names), &recording)
}

fn view_of(writer: Writer, (dump, names): (&str, &FileNames), recording: &Recording) -> View {
    let has_steps = !recording.step_names.is_empty();
    // What happens outside the recording cannot be seen.
    let opens_on = recording.opens_on.as_ref().map(|ticks| {
        let from = ticks.start.max(recording.ticks.start);
        (from, ticks.end.min(recording.ticks.end))
    });
    let window = match (opens_on.filter(|(from, to)| from < to), has_steps) {
        (Some(ticks), _) => ticks,
        (None, true) => first_iteration(recording),
        (None, false) => around_markers(recording),
    };
    let root = Scope::tree(&recording.signals);
    let machine = root.scopes.first().map_or("", |machine| machine.name);
    let files = (dump, names.save.as_str());
    let fill = |save: &mut dyn Rows, crowding: &Crowding| {
        fill(save, &root, (recording, crowding), &names.step_filter);
    };
    // A window in which labels can be read, then the rows that are crowded in it and the cursor, then room for names and for values at
    // the cursor.
    let pixels = save_file::wave_pixels(SIGNALS_WIDTH);
    let mut measured = Measured::new((writer, recording), window, pixels, None);
    fill(&mut measured, &Crowding::on(None, recording));
    let window = clear_of_end(measured.legible(), &recording.ticks);
    let (from, to) = window;
    let crowding = Crowding::on(Some(Screen { from, to, pixels }), recording);
    let rows = |save: &mut dyn Rows| fill(save, &crowding);
    let at = |cursor: Option<u64>| {
        let mut measured = Measured::new((writer, recording), window, pixels, cursor);
        rows(&mut measured);
        measured
    };
    // Where values are short, and of those where most is said; the first of several.
    let cursors = cursors(recording, window).into_iter().enumerate();
    let worth = |(place, cursor): (usize, u64)| {
        let measured = at(Some(cursor));
        let values = measured.widths().1;
        let is_short = values <= SHORT_VALUE;
        let length = if is_short { 0 } else { values };
        (
            (is_short, Reverse(length), measured.said(), Reverse(place)),
            cursor,
        )
    };
    let cursor = cursors.map(worth).max().map(|(_, cursor)| cursor);
    let signals_width = save_file::signals_width(at(cursor).widths());
    let screen = Screen {
        from: window.0,
        to: window.1,
        pixels: save_file::wave_pixels(signals_width),
    };
    let markers = markers(recording, screen);
    let first = markers.iter().map(|(tick, _)| *tick);
    let cursor = cursor.or(first.clone().find(|tick| screen.shows(*tick)));
    let mut save = SaveFile::new(
        writer,
        files,
        machine,
        window,
        &markers,
        cursor,
        signals_width,
    );
    rows(&mut save);
    let mut commands = CommandFile::new(writer);
    rows(&mut commands);
    let surfer = commands.finish(&Times {
        window,
        end: recording.ticks.end,
        markers: &markers,
        cursor,
    });
    let step_filter: String = recording
        .step_names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
        .map(|(code, name)| format!("{code:x} {name}\n"))
        .collect();
    let from = |comment: &str| -> String {
        let lines = recording.provenance.lines();
        lines.map(|line| format!("{comment} {line}\n")).collect()
    };
    View {
        save: seal::sealed("[*]", &(from("[*]") + &save.finish())),
        step_filter: match has_steps {
            true => seal::sealed("#", &step_filter),
            false => step_filter,
        },
        surfer: seal::sealed("#", &(from("#") + &surfer)),
    }
}

/// What may be marked: what is given, and what begins in a window.
fn candidates(recording: &Recording, window: (u64, u64)) -> Vec<Marker> {
    let given = recording.markers.iter();
    let given = given.map(|(tick, name)| (*tick, name.replace(char::is_whitespace, "_")));
    given.chain(begun(recording, window)).collect()
}

/// Where the cursor may be, whose values stand beside the names: where something is decided, if that is on the screen; else where what is
/// followed first gets on behind the left edge, at which nothing has happened yet, and then where it gets on later, but not behind where it
/// has arrived; else where the third thing begins that can be seen, if it does; and then where anything does.
fn cursors(recording: &Recording, window: (u64, u64)) -> Vec<u64> {
    let decided = recording.decided.unwrap_or(u64::MAX);
    if (window.0..window.1).contains(&decided) {
        return vec![decided];
    }
    let arrived = recording.arrived.unwrap_or(u64::MAX);
    let is_seen = |tick: &u64| (window.0..window.1).contains(tick) && *tick <= arrived;
    let given = recording.markers.iter().map(|(tick, _)| *tick);
    let given = given.filter(|tick| is_seen(tick) && *tick > window.0);
    let mut cursors: Vec<u64> = match recording.opens_on {
        Some(_) => given.collect(),
        None => Vec::new(),
    };
    cursors.sort_unstable();
    let ticks = candidates(recording, window);
    let mut seen: Vec<u64> = ticks
        .iter()
        .map(|(tick, _)| *tick)
        .filter(is_seen)
        .collect();
    seen.sort_unstable();
    seen.dedup();
    let third = seen.get(2).or(seen.first()).copied();
    cursors.extend(third);
    cursors.extend(
        seen.into_iter()
            .filter(|tick| Some(*tick) != third && *tick > window.0),
    );
    cursors
}

/// The markers: where nothing is marked on the screen, the links that are used first.
fn markers(recording: &Recording, screen: Screen) -> Vec<Marker> {
    let candidates = candidates(recording, (screen.from, screen.to));
    let markers = without_collisions(candidates, screen, save_file::MARKERS);
    if markers.iter().any(|(tick, _)| screen.shows(*tick)) {
        return markers;
    }
    let all = markers
        .into_iter()
        .chain(recording.first_used.iter().cloned());
    without_collisions(all, screen, save_file::MARKERS)
}

/// Moves a window forward that would be seen to reach beyond the end of the dump: GTKWave, whose panes are some pixels wider than
/// they are asked to be, then shows the beginning of the dump in its place.
fn clear_of_end((from, to): (u64, u64), ticks: &Range<u64>) -> (u64, u64) {
    /// The pixels, as a share of the window.
    const WIDER: f64 = 0.035;
    let span = to.saturating_sub(from);
    let seen = to + (span as f64 * WIDER).ceil() as u64;
    let room = from.saturating_sub(ticks.start);
    let beyond = seen.saturating_sub(ticks.end).min(room);
    (from - beyond, to - beyond)
}

/// What begins on the first screen: steps, by the first word of their names; or, where one step goes on, iterations by number.
fn begun(recording: &Recording, window: (u64, u64)) -> Vec<(u64, String)> {
    let is_seen = |begun: &&Begun| (window.0..window.1).contains(&begun.tick);
    let seen: Vec<&Begun> = recording.steps.iter().filter(is_seen).collect();
    let one_goes_on = seen.len() > 1 && seen.iter().all(|begun| begun.step == seen[0].step);
    let name = |begun: &Begun| match one_goes_on {
        true => {
            let number = begun.iteration + recording.counts_from;
            let name = recording.step_names.get(begun.step as usize);
            let mut words = name.copied().unwrap_or_default().split('_');
            let is_word = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
            format!("{}_{number}", words.find(is_word).unwrap_or_default())
        }
        false => short_name(recording, begun.step),
    };
    seen.iter().map(|begun| (begun.tick, name(begun))).collect()
}

/// What a marker calls a step: the first word of its name.
fn short_name(recording: &Recording, step: u32) -> String {
    let name = recording.step_names.get(step as usize).unwrap_or(&"");
    name.split('_').next().unwrap_or(name).to_owned()
}

/// All of a short run; else from the first step that is recorded to where the same step begins again, as often as the first screen has iterations, or
/// to where as many more have begun, if they differ; or to the end.
fn first_iteration(recording: &Recording) -> (u64, u64) {
    let (from, to) = (recording.ticks.start, recording.ticks.end);
    let mut begins = recording.steps.iter();
    let Some(first) = begins.next() else {
        return (from, to.max(from + TICKS_PER_BIT_TIME));
    };
    let amount = recording.first_screen.max(1);
    if to - from <= SHORT_RUN {
        return (from, to);
    }
    let again = match recording.iterations_differ {
        false => begins
            .filter(|begun| begun.step == first.step)
            .nth(amount - 1),
        true => {
            let done = recording.step_names.len() as u32 - 1;
            let enough = first.iteration + amount as u32;
            begins.find(|begun| begun.iteration >= enough && begun.step != done)
        }
    };
    (from, again.map_or(to, |begun| begun.tick))
}

/// From the first marker to the last, with some room on either side; all of it where fewer than two
/// are marked.
fn around_markers(recording: &Recording) -> (u64, u64) {
    const ROOM: u64 = 5 * TICKS_PER_BIT_TIME;
    let (from, to) = (recording.ticks.start, recording.ticks.end);
    let ticks = || recording.markers.iter().map(|(tick, _)| *tick);
    match (ticks().min(), ticks().max()) {
        (Some(first), Some(last)) if first < last => (
            first.saturating_sub(ROOM).max(from),
            (last + TICKS_PER_BIT_TIME + ROOM).min(to),
        ),
        _ => (from, to.max(from + TICKS_PER_BIT_TIME)),
    }
}

/// A node's counts, as curves.
fn counts(save: &mut dyn Rows, scope: &Scope<'_>) {
    for count in scope.signals.iter().filter(|one| one.kind == Kind::Count) {
        if !save.has(count) {
            continue;
        }
        save.row(count, &count.name, Shown::Analog, Some(Colour::Yellow));
        save.more_height();
    }
}

/// Whether somebody has something to say of a part's modules, or of those in them.
fn is_remarked(part: &Scope<'_>) -> bool {
    let is_text = |signal: &Signal| matches!(signal.kind, Kind::Text { .. });
    let says = |module: &Scope<'_>| (module.signals.iter()).any(|signal| is_text(signal));
    let mut modules = part.scopes.iter();
    modules.any(|module| says(module) || is_remarked(module))
}

/// Whether a dump has what is said of a part's modules: one of a Verilog simulator does not.
fn has_remarks(save: &dyn Rows, part: &Scope<'_>) -> bool {
    let is_text = |signal: &Signal| matches!(signal.kind, Kind::Text { .. });
    let mut signals = part.signals.iter();
    signals.any(|signal| is_text(signal) && save.has(signal))
        || part.scopes.iter().any(|inside| has_remarks(save, inside))
}

/// What is said of a part's modules, module by module: texts that ever say something, or those that never do.
fn remarks(save: &mut dyn Rows, part: &Scope<'_>, is_something: bool) {
    for module in &part.scopes {
        let name = module.name.replace('_', " ");
        for signal in &module.signals {
            if let (Kind::Text { .. }, true) = (signal.kind, signal.ever_set == is_something) {
                let name = format!("{name} {}", signal.name);
                let colour = match signal.follows {
                    true => Colour::Violet,
                    false => Colour::Yellow,
                };
                save.row(signal, &name, Shown::Text, Some(colour));
            }
        }
        remarks(save, module, is_something);
    }
}

/// Registers of a part and of all modules in it, called by their path, without what is said of them.
fn remarked_registers(save: &mut dyn Rows, part: &Scope<'_>, path: &str) {
    for module in &part.scopes {
        remarked_registers(save, module, &format!("{path} {}", module.name));
    }
    for signal in &part.signals {
        if !matches!(signal.kind, Kind::Text { .. }) {
            register(save, signal, &format!("{path} {}", signal.name));
        }
    }
}

/// A node of a machine with steps: the first one has its parts open. What is said of modules comes first.
fn node(save: &mut dyn Rows, scope: &Scope<'_>, open: bool) {
    let (links, parts): (Vec<&Scope>, Vec<&Scope>) =
        (scope.scopes.iter()).partition(|inside| is_link(inside));
    // Where somebody says what crosses, bits and registers are folded away.
    let is_said = parts
        .iter()
        .any(|part| is_remarked(part) && has_remarks(save, part));
    if is_said {
        for part in parts.iter().filter(|part| is_remarked(part)) {
            remarks(save, part, true);
        }
        save.group("wires", false, |save| {
            links.iter().for_each(|link| wires(save, link))
        });
        save.group("idle ports, registers", false, |save| {
            for part in parts {
                remarks(save, part, false);
                remarked_registers(save, part, part.name);
            }
            registers_of(save, scope);
        });
        return;
    }
    save.group("wires", true, |save| {
        links.iter().for_each(|link| wires(save, link))
    });
    for inside in parts {
        if inside.name == HOST {
            save.group(HOST, false, |save| {
                for signal in &inside.signals {
                    register(save, signal, &signal.name);
                }
            });
        } else if inside.scopes.is_empty() {
            for signal in &inside.signals {
                register(save, signal, &format!("{} {}", inside.name, signal.name));
            }
        } else {
            save.group(inside.name, open, |save| part(save, inside));
        }
    }
    registers_of(save, scope);
}

/// A node's own registers.
fn registers_of(save: &mut dyn Rows, node: &Scope<'_>) {
    for signal in node.signals.iter().filter(|one| is_register(one)) {
        register(save, signal, &signal.name);
    }
}

/// Whether a node's own signal is a register: not what is counted or said of it.
fn is_register(signal: &Signal) -> bool {
    !matches!(signal.kind, Kind::Count | Kind::Text { .. })
}

/// Whether a scope of a node holds nothing but wires to other nodes.
fn is_link(scope: &Scope<'_>) -> bool {
    let mut kinds = scope.signals.iter().map(|signal| signal.kind);
    let is_wire = |signal: &&Signal| matches!(signal.kind, Kind::Wire | Kind::Bus { .. });
    let holds_wires = scope.signals.iter().any(is_wire)
        && kinds.all(|kind| matches!(kind, Kind::Wire | Kind::Bus { .. } | Kind::Text { .. }));
    scope.name != HOST && scope.scopes.is_empty() && holds_wires
}

fn wires(save: &mut dyn Rows, link: &Scope<'_>) {
    for signal in &link.signals {
        wire(save, link, signal);
    }
}

/// What goes out is in another colour than what comes in.
fn direction(wire: &Signal) -> Colour {
    match wire.name.starts_with("tx") {
        true => Colour::Orange,
        false => Colour::Green,
    }
}

/// What a row says behind the name of a wire that fails.
fn how_it_fails(signal: &Signal) -> String {
    let said = signal.fails.as_ref().map(|how| format!(", {how}"));
    said.unwrap_or_default()
}

fn wire(save: &mut dyn Rows, link: &Scope<'_>, signal: &Signal) {
    let colour = match signal.fails {
        Some(_) => Colour::Red,
        None => direction(signal),
    };
    let name = format!("{} {}{}", link.name, signal.name, how_it_fails(signal));
    save.row(signal, &name, Shown::Binary, Some(colour));
}

/// A part with a module for each dimension: one is open (the highest of those that have most
/// registers), the others are folded together. Then the part's own registers.
fn part(save: &mut dyn Rows, part: &Scope<'_>) {
    let shown = (0..part.scopes.len()).max_by_key(|&index| part.scopes[index].size());
    if part.scopes.len() > 1 {
        save.group("other dimensions", false, |save| {
            for (index, other) in part.scopes.iter().enumerate() {
                if Some(index) != shown {
                    module(save, other, other.name);
                }
            }
        });
    }
    if let Some(index) = shown {
        module(save, &part.scopes[index], part.scopes[index].name);
    }
    for signal in &part.signals {
        register(save, signal, &signal.name);
    }
}

/// All registers of a module, called by their path from the module on.
fn module(save: &mut dyn Rows, scope: &Scope<'_>, path: &str) {
    for inside in &scope.scopes {
        module(save, inside, &format!("{path} {}", inside.name));
    }
    for signal in &scope.signals {
        register(save, signal, &format!("{path} {}", signal.name));
    }
}

fn register(save: &mut dyn Rows, signal: &Signal, name: &str) {
    let shown = if signal.kind.width() == 1 {
        Shown::Binary
    } else {
        Shown::Hexadecimal
    };
    save.row(signal, name, shown, None);
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::kuszmaul::plain::PLAIN;

    use super::*;
    use crate::memory::MemoryTrace;
    use crate::probe::{Probe, Selection};

    fn recording(window: std::ops::Range<u64>) -> (MemoryTrace, Recording) {
        let cube = Dimensions::new(3).unwrap();
        let device = PLAIN.device(cube, 2).unwrap();
        let selection = Selection {
            nodes: vec![5, 2],
            window,
        };
        let mut machine = device.build(1).unwrap();
        let mut trace = MemoryTrace::default();
        let mut probe = Probe::attach(&mut trace, &&*machine, selection).unwrap();
        while !machine.is_done() {
            machine.transmit().unwrap();
            probe.sample(&&*machine).unwrap();
            machine.clock();
        }
        let recording = probe.finish().unwrap();
        (trace, recording)
    }

    #[test]
    fn a_view_of_verilog_spells_registers_as_the_exported_modules_do() {
        let (_, recording) = recording(0..1000);
        let view = view_of_verilog(
            "tb.vcd",
            &FileNames::of("tb.vcd"),
            &recording,
            Links::Numbered,
        );
        let shown = shown(&view);
        for path in [
            "tb.cube.clk",
            "tb.cube.sequencer.step[2:0]",
            "tb.cube.node[5].dim[2].rx",
            "tb.cube.node[2].router.first_message_valid",
            "tb.cube.node[2].router.first_message_bits[4:0]",
            "tb.cube.node[2].router.enumeration_dim_1_total_adder_carry",
            "tb.cube.node[2].router.rendezvous[1:0]",
        ] {
            assert!(shown.contains(&path), "{path} is not in {shown:#?}");
        }
        // All but `step_name`, `driven` and the counts of two nodes; `reset` and `done` besides.
        assert_eq!(shown.len(), recording.signals.len() - 4 + 2);
        assert!(view.save.contains("[timestart] 0\n") && view.save.contains("*"));

        let names = FileNames::of("tb.vcd");
        let named = view_of_verilog("tb.vcd", &names, &recording, Links::Named).save;
        assert!(named.contains("tb.cube.node[5].dim_2.rx"), "{named}");
    }

    fn view_of_dump(recording: &Recording) -> View {
        view("wave.vcd", &FileNames::of("wave.vcd"), recording)
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
        let view = view_of_dump(&recording);
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
        let (_, mut recording) = recording(0..1000);
        // A run as short as this is shown whole.
        assert_eq!(first_iteration(&recording), (0, recording.ticks.end));
        recording.ticks.end = 2000;
        assert_eq!(first_iteration(&recording), (0, 300));
        let view = view_of_dump(&recording);
        let zoom = view
            .save
            .lines()
            .find(|line| line.starts_with('*'))
            .unwrap();
        let times: Vec<i64> = zoom
            .split(' ')
            .skip(1)
            .map(|time| time.parse().unwrap())
            .collect();
        // The cursor, then markers A to Z; that of step 1 would be cut at the left edge.
        assert_eq!(times[..7], [8000, 5000, 8000, 15000, 18000, 23000, -1]);
        assert_eq!(times.len(), 27);
        assert!(view.save.contains("[markername] E6\n"));
        let (seal, names) = view.step_filter.split_once('\n').unwrap();
        assert!(seal.starts_with("# "));
        assert_eq!(
            names,
            "1 1_cross\n2 2_enumerate_twos\n3 3_pack_messages\n4 4_enumerate_empties\n\
                 5 5_pack_addresses\n6 6_rendezvous\n7 done\n"
        );
    }

    #[test]
    fn what_a_view_opens_on_is_a_bit_time_later_in_verilog() {
        let (_, mut recording) = recording(0..1000);
        recording.opens_on = Some(100..200);
        let names = FileNames::of("tb.vcd");
        let view = view_of_verilog("tb.vcd", &names, &recording, Links::Numbered);
        assert!(
            view_of_dump(&recording)
                .save
                .contains("[timestart] 10000\n")
        );
        assert!(view.save.contains("[timestart] 11000\n"), "{}", view.save);
    }

    #[test]
    fn what_is_marked_stands_among_the_steps() {
        let (_, mut recording) = recording(0..1000);
        recording.ticks.end = 2000;
        recording.mark(6, "head there");
        recording.mark(2000, "never");
        let view = view_of_dump(&recording);
        let names: Vec<&str> = (view.save.lines())
            .filter_map(|line| line.strip_prefix("[markername] "))
            .collect();
        // What is marked is more important than a step that begins where the names would collide.
        assert_eq!(names, ["Ahead_there", "B3", "C4", "D5", "E6"]);
    }

    /// What the first step begins with is at the left edge, where its name would be cut.
    #[test]
    fn where_no_step_begins_the_links_are_marked_that_are_used() {
        let (_, mut recording) = recording(0..5);
        let links: Vec<&str> = recording
            .first_used
            .iter()
            .map(|(_, link)| link.as_str())
            .collect();
        assert!(
            links.len() < 3 && links.iter().all(|link| link.starts_with("dim_")),
            "{links:?}"
        );
        recording.first_used = vec![
            (0, "dim_2".to_owned()),
            (20, "dim_1".to_owned()),
            (30, "dim_1".to_owned()),
        ];
        let names = |recording: &Recording| {
            let save = view_of_dump(recording).save;
            let names = save
                .lines()
                .filter_map(|line| line.strip_prefix("[markername] "));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(names(&recording), ["Adim_1", "Bdim_1"]);
        recording.mark(1, "here");
        assert_eq!(names(&recording), ["Ahere"]);
    }

    /// Nothing of it was recorded: then the view opens as if nobody had asked.
    #[test]
    fn a_view_never_opens_on_what_was_not_recorded() {
        let (_, mut recording) = recording(3..8);
        let start = |recording: &Recording| {
            let save = view_of_dump(recording).save;
            let start = save.lines().find(|line| line.starts_with("[timestart]"));
            start.unwrap().to_owned()
        };
        let expected = start(&recording);
        for ticks in [0..30, 80..200, 500..600] {
            recording.opens_on = Some(ticks);
            assert_eq!(start(&recording), expected);
        }
        recording.opens_on = Some(60..500);
        assert_eq!(start(&recording), "[timestart] 5900");
    }

    #[test]
    fn no_window_reaches_beyond_the_end() {
        let ticks = 100..1100;
        for (window, expected) in [
            ((100, 1100), (100, 1100)),
            ((100, 500), (100, 500)),
            ((700, 1050), (700, 1050)),
            ((700, 1100), (685, 1085)),
            // Not to before the beginning.
            ((110, 1100), (100, 1090)),
        ] {
            assert_eq!(clear_of_end(window, &ticks), expected, "{window:?}");
        }
    }

    #[test]
    fn a_machine_without_steps_is_shown_around_its_markers() {
        let (_, mut recording) = recording(0..1000);
        let end = recording.ticks.end;
        assert_eq!(around_markers(&recording), (0, end));
        recording.mark(20, "head");
        assert_eq!(around_markers(&recording), (0, end));
        recording.mark(30, "tail");
        assert_eq!(around_markers(&recording), (150, 360));
        recording.mark(2, "early");
        recording.mark(end / TICKS_PER_BIT_TIME - 1, "late");
        assert_eq!(around_markers(&recording), (0, end));
    }

    #[test]
    fn a_window_that_the_run_never_reaches_gives_an_empty_wave() {
        let (_, recording) = recording(5000..6000);
        assert_eq!(recording.ticks, 50_000..50_000);
        assert!(recording.steps.is_empty());
        view_of_dump(&recording);
    }
}
