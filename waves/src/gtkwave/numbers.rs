//! The view of a machine with steps whose nodes show numbers: these come first, then the wires on which a 1 was ever sent; all else
//! is folded away.

use crate::gtkwave::tree::Scope;
use crate::gtkwave::{counts, is_link, is_register, module, register, wire};
use crate::probe::{NUMBERS, Signal};
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// Whether texts explain what the sequencer does.
pub(super) fn is_explained(sequencer: &Scope<'_>) -> bool {
    let is_text = |signal: &&Signal| matches!(signal.kind, Kind::Text { .. });
    sequencer.signals.iter().filter(|one| is_text(one)).count() > 1
}

/// What a sequencer counts, and else is not to be seen at once: folded away, where texts are there that explain it.
pub(super) fn counters(
    save: &mut dyn Rows,
    sequencer: &Scope<'_>,
    is_counter: &dyn Fn(&Signal) -> bool,
) {
    let is_text = |signal: &Signal| matches!(signal.kind, Kind::Text { .. });
    let mut texts = sequencer.signals.iter().filter(|one| is_text(one));
    let texts_are_there = texts.any(|one| save.has(one));
    let counters = sequencer.signals.iter().filter(|one| is_counter(one));
    let counters: Vec<&&Signal> = counters.collect();
    if counters.is_empty() {
        return;
    }
    save.group("counters", !texts_are_there, |save| {
        for signal in counters {
            let (shown, colour) = match is_text(signal) {
                true => (Shown::Text, Some(Colour::Yellow)),
                false => (Shown::Decimal, None),
            };
            save.row(signal, &signal.name, shown, colour);
        }
    });
}

/// Whether a node shows numbers.
pub(super) fn has_numbers(node: &Scope<'_>) -> bool {
    node.scope(NUMBERS).is_some()
}

/// A node. Where the dump lacks its numbers, as one of a Verilog simulator does, nothing is folded away.
pub(super) fn node(save: &mut dyn Rows, scope: &Scope<'_>) {
    let numbers = scope.scope(NUMBERS).map_or(&[][..], |scope| &scope.signals);
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
    let inside = scope.scopes.iter().filter(|inside| inside.name != NUMBERS);
    let (links, parts): (Vec<&Scope>, Vec<&Scope>) = inside.partition(|inside| is_link(inside));
    let each = |save: &mut dyn Rows, were_used: bool| {
        for link in &links {
            let signals = link.signals.iter();
            for signal in signals.filter(|signal| signal.ever_set == were_used) {
                wire(save, link, signal);
            }
        }
    };
    save.group("wires", true, |save| each(save, true));
    let has_numbers = numbers.iter().any(|signal| save.has(signal));
    save.group("idle wires, registers", !has_numbers, |save| {
        each(save, false);
        for part in parts {
            module(save, part, part.name);
        }
        let own = scope.signals.iter().filter(|one| is_register(one));
        own.for_each(|signal| register(save, signal, &signal.name));
        counts(save, scope);
    });
}
