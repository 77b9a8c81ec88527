//! The view of a node of which somebody tells more than its registers say: names come first, those of what is followed and of wires
//! that fail before all others, in colours of their own; what they are worked out of is folded away.

use crate::gtkwave::tree::Scope;
use crate::gtkwave::{OTHERS, counts, how_it_fails, is_link, is_register, module, register, wire};
use crate::probe::{NUMBERS, Signal, TOLD};
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// Ports that nodes ever use, all nodes together, for which there is room on a first screen.
const MOST_PORTS: usize = 20;

/// Whether there is room for all ports that these nodes ever use.
pub(super) fn has_room<'a>(nodes: impl Iterator<Item = &'a Scope<'a>>) -> bool {
    let told = nodes.filter_map(|node| node.scope(TOLD));
    let used = told.flat_map(|told| &told.signals);
    used.filter(|signal| signal.ever_set).count() <= MOST_PORTS
}

/// Whether somebody tells of a node.
pub(super) fn is_told(node: &Scope<'_>) -> bool {
    node.scope(TOLD).is_some()
}

/// A name: what goes out is coloured as wires that do.
fn name(save: &mut dyn Rows, signal: &Signal) {
    let colour = match signal.name.ends_with("sends") {
        _ if signal.fails.is_some() => Colour::Red,
        _ if signal.follows => Colour::Violet,
        true => Colour::Orange,
        false => Colour::Green,
    };
    let name = format!("{}{}", signal.name, how_it_fails(signal));
    save.row(signal, &name, Shown::Text, Some(colour));
}

fn numbers(save: &mut dyn Rows, numbers: &[&Signal]) {
    for signal in numbers {
        let shown = match signal.kind {
            Kind::Number {
                is_decimal: true, ..
            } => Shown::Decimal,
            Kind::Number { .. } => Shown::Hexadecimal,
            _ => Shown::Binary,
        };
        save.row(signal, &signal.name, shown, Some(Colour::Yellow));
    }
}

/// A node. Where the dump lacks what is told, as one of a Verilog simulator does, nothing is folded away.
/// With `has_room` all ports are shown that are ever used.
pub(super) fn node(
    save: &mut dyn Rows,
    scope: &Scope<'_>,
    (followed, has_room): (Option<&str>, bool),
) {
    let of = |name| scope.scope(name).map_or(&[][..], |scope| &scope.signals);
    let told = of(TOLD);
    let dump_has_told = told.iter().any(|signal| save.has(signal));
    let comes_first = |signal: &&&Signal| {
        let is_followed = signal.follows || followed.is_none() && signal.ever_set;
        signal.fails.is_some() || is_followed
    };
    for signal in told.iter().filter(comes_first) {
        name(save, signal);
    }
    if has_room {
        let others = told.iter().filter(|signal| !comes_first(signal));
        for signal in others.filter(|signal| signal.ever_set) {
            name(save, signal);
        }
    }
    let is_shown = |inside: &&Scope<'_>| ![NUMBERS, TOLD].contains(&inside.name);
    let inside = scope.scopes.iter().filter(is_shown);
    let (links, parts): (Vec<&Scope>, Vec<&Scope>) = inside.partition(|inside| is_link(inside));
    for link in &links {
        let fail = link.signals.iter().filter(|signal| signal.fails.is_some());
        fail.for_each(|signal| wire(save, link, signal));
    }
    let others = told.iter().filter(|signal| !comes_first(signal));
    let (used, idle): (Vec<&Signal>, Vec<&Signal>) = others.partition(|signal| signal.ever_set);
    save.group(OTHERS, !dump_has_told, |save| {
        if dump_has_told && !used.is_empty() && !has_room {
            save.group("other ports", false, |save| {
                used.iter().for_each(|signal| name(save, signal));
            });
        }
        let is_code = |signal: &&&Signal| told.iter().any(|told| told.name == signal.name);
        let (codes, words): (Vec<&Signal>, Vec<&Signal>) = of(NUMBERS).iter().partition(is_code);
        save.group("wires", !dump_has_told, |save| {
            for link in &links {
                let signals = link.signals.iter().filter(|signal| signal.fails.is_none());
                signals.for_each(|signal| wire(save, link, signal));
            }
        });
        save.group("idle ports, cells, registers", !dump_has_told, |save| {
            idle.iter().for_each(|signal| name(save, signal));
            if dump_has_told {
                numbers(save, &words);
            }
            numbers(save, &codes);
            for part in parts {
                module(save, part, part.name);
            }
            let own = scope.signals.iter().filter(|one| is_register(one));
            own.for_each(|signal| register(save, signal, &signal.name));
            counts(save, scope);
        });
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rtl_model::embedding::paths::Embedding;
    use rtl_model::embedding::phase::{Order, Phase};
    use rtl_model::machine::device::Device;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::phase::{PhaseMachine, PhasePlan};

    use super::MOST_PORTS;
    use crate::gtkwave::{FileNames, Links, view, view_of_verilog};
    use crate::memory::MemoryTrace;
    use crate::probe::{Probe, Recording, Selection, Signal};

    /// An edge from node 0 to node 1, and one from node 2 that comes via node 0: two steps of 3 bit times.
    fn recording(followed: Option<&str>) -> (MemoryTrace, Recording) {
        let mut embedding = Embedding::new(Dimensions::new(2).unwrap(), vec![0, 1, 2]);
        embedding.add_edge([0, 1], [vec![0u8]]);
        embedding.add_edge([2, 1], [vec![1, 0]]);
        let embedding = embedding.with_packets(1);
        let phase = Phase::of(&embedding, Order::HopByHop);
        let plan = Arc::new(PhasePlan::of(&embedding, &phase));
        let device = PhaseMachine::new(plan, 3, 0).unwrap();
        let mut machine = device.build(1).unwrap();
        let selection = Selection {
            nodes: vec![2, 0],
            window: 0..100,
        };
        let mut trace = MemoryTrace::default();
        let mut probe = Probe::attach(&mut trace, &&*machine, selection).unwrap();
        if let Some(begin) = followed {
            probe.follow(begin);
        }
        loop {
            machine.transmit().unwrap();
            probe.sample(&&*machine).unwrap();
            if machine.is_done() {
                let recording = probe.finish().unwrap();
                return (trace, recording);
            }
            machine.clock();
        }
    }

    /// Paths of nodes' rows that are not folded away, and their colours.
    fn open_rows(save: &str) -> Vec<(String, &str)> {
        let (mut rows, mut colour, mut folded) = (Vec::new(), "", false);
        for line in save.lines() {
            match line {
                "@c00200" => folded = true,
                "@1401200" => folded = false,
                _ if line.starts_with('@') => colour = "",
                _ => match line.strip_prefix("[color] ") {
                    Some(number) => colour = number,
                    None if line.contains("node_") && line.contains('.') && !folded => {
                        rows.push((line.replace("cube.node_", ""), colour));
                    }
                    None => {}
                },
            }
        }
        rows
    }

    fn save_of(recording: &Recording) -> String {
        view("wave.vcd", &FileNames::of("wave.vcd"), recording).save
    }

    #[test]
    fn names_are_there_while_packets_cross() {
        let (trace, recording) = recording(None);
        let said = |path: &str| {
            let signal = trace.signal(path).unwrap();
            [0, 20, 30, 50, 60].map(|tick| trace.value_at(signal, tick).unwrap())
        };
        let names = |port: &str| said(&format!("cube.node_{port}"));
        assert_eq!(
            names("0.told.port_0_sends"),
            ["e0_p0", "e0_p0", "e1_p0", "e1_p0", ""]
        );
        let there = ["e1_p0", "e1_p0", "", "", ""];
        assert_eq!(names("2.told.port_1_sends"), there);
        assert_eq!(names("0.told.port_1_receives"), there);
        assert_eq!(names("2.told.port_0_sends"), [""; 5]);
        // Every signal of the dump is a row of the view.
        let save = save_of(&recording);
        for signal in &recording.signals {
            let path = format!("{}.{}", signal.scopes.join("."), signal.name);
            assert!(save.contains(&path), "{path}");
        }
    }

    #[test]
    fn what_is_followed_and_what_fails_comes_first() {
        let (_, all) = recording(None);
        let rows = |recording: &Recording| {
            let save = save_of(recording);
            let rows = open_rows(&save).into_iter();
            let each = rows.map(|(row, colour)| format!("{row} {colour}"));
            each.collect::<Vec<_>>()
        };
        let follows_both = [
            "+{port_1_sends} 2.told.port_1_sends 2",
            "+{port_0_sends} 0.told.port_0_sends 2",
            "+{port_1_receives} 0.told.port_1_receives 4",
        ];
        assert_eq!(rows(&all), follows_both);
        let (_, mut first) = recording(Some("e0_"));
        let followed = "+{port_0_sends} 0.told.port_0_sends 7";
        assert_eq!(rows(&first), [follows_both[0], followed, follows_both[2]]);
        // Of many ports those alone are open that the message goes by.
        let is_told = |signal: &Signal| signal.scopes.ends_with(&["told".to_owned()]);
        let place = first.signals.iter().position(is_told).unwrap();
        let port = Signal {
            ever_set: true,
            follows: false,
            ..first.signals[place].clone()
        };
        let ports = std::iter::repeat_n(port, MOST_PORTS);
        first.signals.splice(place..place, ports);
        assert_eq!(rows(&first), [followed]);
        first.fail(&["node_2", "dim_1", "tx"], "cut from 3");
        first.fail(&["node_2", "told", "port_1_sends"], "cut from 3");
        first.fail(&["node_3", "told", "port_0_sends"], "cut from 3");
        first.fail(&[], "cut from 3");
        first.entitle(1, "source of e0");
        first.entitle(2, "nobody");
        assert_eq!(
            rows(&first),
            [
                "+{port_1_sends, cut from 3} 2.told.port_1_sends 1",
                "+{dim_1 tx, cut from 3} 2.dim_1.tx 1",
                followed
            ]
        );
        let save = save_of(&first);
        assert!(save.contains("-node_0 = 00, source of e0\n") && !save.contains("nobody"));
    }

    /// It lacks texts and numbers: nothing is folded away but what is empty.
    #[test]
    fn a_view_of_verilog_shows_wires_and_registers() {
        let (_, recording) = recording(Some("e0_"));
        let names = FileNames::of("tb.vcd");
        let save = view_of_verilog("tb.vcd", &names, &recording, Links::Numbered).save;
        assert!(!save.contains("told.") && !save.contains("cells\n"));
        assert!(save.contains("tb.cube.node[2].dim[1].tx"), "{save}");
        let after_nodes = save.split("-node_2").nth(1).unwrap();
        assert!(!after_nodes.contains("@c00200"), "{save}");
    }
}
