//! A GTKWave view of exactly the signals that a dump holds: a save file, and filter files that show
//! numbers as names. It opens on the first iteration that is in the dump, with a marker at each of
//! its steps.

mod save_file;

use crate::gtkwave::save_file::{Colour, SaveFile, Shown};
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

/// Makes a view of what was recorded in the file `dump` (`name.vcd`); its files belong beside it,
/// the save file as `name.gtkw`.
pub fn view(dump: &str, recording: &Recording) -> View {
    let stem = dump.rsplit_once('.').map_or(dump, |(stem, _)| stem);
    let filter = format!("{stem}.step.filter");
    let window = first_iteration(recording);
    let markers: Vec<(u64, String)> = recording
        .steps
        .iter()
        .filter(|(tick, _)| (window.0..window.1).contains(tick))
        .map(|(tick, step)| (*tick, short_name(recording, *step)))
        .collect();
    // The cursor, whose values stand beside the names: where the third step begins, if it does.
    let cursor = markers.get(2).or(markers.first()).map(|(tick, _)| *tick);

    let layout = Layout { recording };
    let mut save = SaveFile::new(dump, stem, window, &markers, cursor);
    layout.sequencer(&mut save, &filter);
    for (place, node) in layout.nodes().into_iter().enumerate() {
        layout.node(&mut save, node, place == 0);
    }
    let names: String = recording
        .step_names
        .iter()
        .enumerate()
        .filter(|(_, name)| !name.is_empty())
        .map(|(code, name)| format!("{code:x} {name}\n"))
        .collect();
    View {
        save: save.finish(),
        filters: vec![(filter, names)],
    }
}

/// What a marker calls a step: the first word of its name.
fn short_name(recording: &Recording, step: u32) -> String {
    let name = recording.step_names.get(step as usize).unwrap_or(&"");
    name.split('_').next().unwrap_or(name).to_owned()
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

/// Which signals stand where.
struct Layout<'a> {
    recording: &'a Recording,
}

impl<'a> Layout<'a> {
    /// The scopes of the traced nodes, in order.
    fn nodes(&self) -> Vec<&'a str> {
        let mut scopes = self.inside(&["cube"]);
        scopes.retain(|scope| *scope != "sequencer");
        scopes
    }

    /// Signals of one scope itself.
    fn directly_in(&self, scopes: &[&str]) -> Vec<&'a Signal> {
        let mut signals = self.anywhere_in(scopes);
        signals.retain(|signal| signal.scopes.len() == scopes.len());
        signals
    }

    /// Signals of one scope and of all inside it.
    fn anywhere_in(&self, scopes: &[&str]) -> Vec<&'a Signal> {
        let signals = self.recording.signals.iter();
        let is_in = |signal: &&Signal| {
            signal.scopes.len() >= scopes.len()
                && signal
                    .scopes
                    .iter()
                    .zip(scopes)
                    .all(|(one, two)| one == two)
        };
        signals.filter(is_in).collect()
    }

    /// Names of the scopes directly inside a scope, in order.
    fn inside(&self, scopes: &[&str]) -> Vec<&'a str> {
        let mut inside: Vec<&'a str> = Vec::new();
        for signal in self.anywhere_in(scopes) {
            if let Some(scope) = signal.scopes.get(scopes.len())
                && inside.last() != Some(&scope.as_str())
            {
                inside.push(scope);
            }
        }
        inside
    }

    fn sequencer(&self, save: &mut SaveFile, filter: &str) {
        for signal in self.directly_in(&["cube"]) {
            save.row(signal, &signal.name, Shown::Binary, None);
        }
        save.label("sequencer");
        let signals = self.directly_in(&["cube", "sequencer"]);
        let step_is_coded = signals.iter().any(|signal| signal.name == "step");
        for signal in signals {
            match signal.kind {
                _ if signal.name == "step" => save.named_row(signal, filter, Colour::Yellow),
                // The names themselves are for machines whose step is not coded in a register.
                Kind::Text if step_is_coded => {}
                Kind::Text => save.row(signal, "step", Shown::Text, Some(Colour::Yellow)),
                _ => save.row(signal, &signal.name, Shown::Decimal, None),
            }
        }
    }

    /// A node: the first one with its parts open.
    fn node(&self, save: &mut SaveFile, node: &'a str, open: bool) {
        let number = node
            .strip_prefix("node_")
            .and_then(|n| n.parse::<usize>().ok());
        let width = self.recording.dimensions;
        save.label("");
        match number {
            Some(number) => save.label(format_args!("{node} = {number:0width$b}")),
            None => save.label(node),
        }
        let own = self.directly_in(&["cube", node]);
        for signal in own.iter().filter(|signal| signal.kind == Kind::Count) {
            save.row(signal, &signal.name, Shown::Analog, Some(Colour::Orange));
            save.more_height();
        }
        save.group("wires", true, |save| self.wires(save, node));
        for signal in own.iter().filter(|signal| signal.kind != Kind::Count) {
            register(save, signal, &signal.name);
        }
        for part in self.inside(&["cube", node]) {
            let scopes = ["cube", node, part];
            if part.starts_with("dim_") {
                continue;
            }
            if self.inside(&scopes).is_empty() {
                for signal in self.directly_in(&scopes) {
                    register(save, signal, &format!("{part} {}", signal.name));
                }
            } else {
                save.group(part, open, |save| self.part(save, &scopes));
            }
        }
    }

    fn wires(&self, save: &mut SaveFile, node: &'a str) {
        for dimension in self.inside(&["cube", node]) {
            if !dimension.starts_with("dim_") {
                continue;
            }
            for signal in self.directly_in(&["cube", node, dimension]) {
                let colour = match signal.name.as_str() {
                    "tx" => Colour::Orange,
                    _ => Colour::Green,
                };
                let name = format!("{dimension} {}", signal.name);
                save.row(signal, &name, Shown::Binary, Some(colour));
            }
        }
    }

    /// A part with a module for each dimension: one is open (the highest of those that have most
    /// registers), the others are folded together. Then the part's own registers.
    fn part(&self, save: &mut SaveFile, scopes: &[&'a str; 3]) {
        let [cube, node, part] = *scopes;
        let modules = self.inside(scopes);
        let registers = |module: &&str| self.anywhere_in(&[cube, node, part, module]).len();
        let shown = modules.iter().copied().max_by_key(registers);
        let module = |save: &mut SaveFile, module: &str| {
            for signal in self.anywhere_in(&[cube, node, part, module]) {
                let inner = signal.scopes[4..].iter().chain([&signal.name]);
                let path: Vec<&str> = inner.map(String::as_str).collect();
                register(save, signal, &format!("{module} {}", path.join(" ")));
            }
        };
        if modules.len() > 1 {
            save.group("other dimensions", false, |save| {
                for other in modules.iter().filter(|other| Some(**other) != shown) {
                    module(save, other);
                }
            });
        }
        if let Some(shown) = shown {
            module(save, shown);
        }
        for signal in self.directly_in(scopes) {
            register(save, signal, &signal.name);
        }
    }
}

fn register(save: &mut SaveFile, signal: &Signal, name: &str) {
    let shown = if signal.kind.width() == 1 {
        Shown::Binary
    } else {
        Shown::Hexadecimal
    };
    save.row(signal, name, shown, None);
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
