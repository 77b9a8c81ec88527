//! Nodes of wormhole routers: links, and input channels with the worms in them.
//!
//! ```text
//!   occupied_bits            curve
//!   straight_in_0 worm       of each input channel that was used: which worm, how many bits
//!   straight_in_0 held
//!   > bits and routes        of the same channels
//!   v wires                  of each link and host that was used: data and valid
//!   > tail, channel, credit  their other wires
//!   > idle input channels
//!   > idle wires
//!   > output channels and arbiters
//! ```

use crate::gtkwave::tree::Scope;
use crate::gtkwave::{module, register};
use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// The scope of an input channel's buffer, and what it counts.
const BUFFER: &str = "buffer";
const HELD: &str = "held";
/// Bits that can be read off a row one by one.
const READABLE_BITS: usize = 8;

/// A node: everything but its title and its counts.
pub(super) fn node(save: &mut dyn Rows, scope: &Scope<'_>) {
    let (wires, modules): (Vec<&Scope>, Vec<&Scope>) =
        scope.scopes.iter().partition(|scope| is_wires(scope));
    let (mut inputs, mut others) = (Vec::new(), Vec::new());
    for module in modules {
        sort(module, String::new(), &mut inputs, &mut others);
    }
    let (used, idle): (Vec<_>, Vec<_>) =
        (inputs.into_iter()).partition(|(_, channel)| is_used(channel));
    for (path, channel) in &used {
        remarks(save, channel, path);
    }
    folded(save, "bits and routes", &used, |save, (path, channel)| {
        route(save, channel, path);
    });
    let (used, idle_wires): (Vec<&Scope>, Vec<&Scope>) =
        wires.into_iter().partition(|scope| is_used(scope));
    links(save, &used);
    folded(
        save,
        "idle input channels",
        &idle,
        |save, (path, channel)| {
            remarks(save, channel, path);
            route(save, channel, path);
        },
    );
    folded(save, "idle wires", &idle_wires, |save, link| {
        rows(save, link, |_| true);
    });
    let rest = "output channels and arbiters";
    folded(save, rest, &others, |save, (path, other)| {
        module(save, other, path);
    });
    for signal in &scope.signals {
        if signal.kind != Kind::Count {
            register(save, signal, &signal.name);
        }
    }
}

/// A folded group, if there is anything in it.
fn folded<I>(save: &mut dyn Rows, name: &str, items: &[I], row: impl Fn(&mut dyn Rows, &I)) {
    if !items.is_empty() {
        save.group(name, false, |save| {
            items.iter().for_each(|item| row(save, item));
        });
    }
}

/// The scope has wires, and nothing else.
fn is_wires(scope: &Scope<'_>) -> bool {
    let wire = |signal: &&Signal| matches!(signal.kind, Kind::Wire | Kind::Bus { .. });
    scope.scopes.is_empty() && !scope.signals.is_empty() && scope.signals.iter().all(wire)
}

/// The simulator says it.
fn is_text(signal: &Signal) -> bool {
    matches!(signal.kind, Kind::Text { .. })
}

/// Bits passed over these wires, or lay in this channel.
fn is_used(scope: &Scope<'_>) -> bool {
    let tells = |signal: &&Signal| {
        is_text(signal) || signal.name == HELD || signal.name.ends_with("_valid")
    };
    let here = scope
        .signals
        .iter()
        .any(|signal| tells(signal) && signal.ever_set);
    here || scope.scopes.iter().any(is_used)
}

/// Links and hosts over which bits passed.
fn links(save: &mut dyn Rows, used: &[&Scope<'_>]) {
    let comes_first = |signal: &Signal| {
        let name = signal.name.strip_suffix("_valid").unwrap_or(&signal.name);
        !name.contains('_')
    };
    if !used.is_empty() {
        save.group("wires", true, |save| {
            for link in used {
                rows(save, link, comes_first);
            }
        });
    }
    folded(save, "tail, channel, credit", used, |save, link| {
        rows(save, link, |signal| !comes_first(signal));
    });
}

/// The wires of a link: what a node drives in one colour, what it receives in another.
fn rows(save: &mut dyn Rows, link: &Scope<'_>, which: impl Fn(&Signal) -> bool) {
    for signal in link.signals.iter().filter(|signal| which(signal)) {
        let name = signal.name.as_str();
        let driven = ["tx", "eject", "inject_credit"];
        let colour = match driven.iter().any(|driven| name.starts_with(driven)) {
            true => Colour::Orange,
            false => Colour::Green,
        };
        let shown = match signal.kind {
            Kind::Bus { .. } => Shown::Decimal,
            _ => Shown::Binary,
        };
        save.row(
            signal,
            &format!("{} {name}", link.name),
            shown,
            Some(colour),
        );
    }
}

/// Finds the input channels in a module, and what holds none: both by their path.
fn sort<'a>(
    scope: &'a Scope<'a>,
    outside: String,
    inputs: &mut Vec<(String, &'a Scope<'a>)>,
    others: &mut Vec<(String, &'a Scope<'a>)>,
) {
    let path = outside + scope.name;
    if scope.scope(BUFFER).is_some() {
        inputs.push((path, scope));
    } else if scope.scopes.is_empty() || !scope.signals.is_empty() {
        others.push((path, scope));
    } else {
        for inside in &scope.scopes {
            sort(inside, format!("{path} "), inputs, others);
        }
    }
}

/// What is remarked of an input channel, such as which worm is in it, and how many of its bits.
fn remarks(save: &mut dyn Rows, channel: &Scope<'_>, path: &str) {
    for signal in channel.signals.iter().filter(|one| is_text(one)) {
        let name = format!("{path} {}", signal.name);
        save.row(signal, &name, Shown::Text, Some(Colour::Yellow));
    }
    buffer(save, channel, path, |signal| signal.name == HELD);
}

/// Which bits, and the other registers of an input channel.
fn route(save: &mut dyn Rows, channel: &Scope<'_>, path: &str) {
    buffer(save, channel, path, |signal| signal.name != HELD);
    for signal in channel.signals.iter().filter(|one| !is_text(one)) {
        register(save, signal, &format!("{path} {}", signal.name));
    }
}

fn buffer(save: &mut dyn Rows, channel: &Scope<'_>, path: &str, which: impl Fn(&Signal) -> bool) {
    let signals = channel
        .scope(BUFFER)
        .map_or(&[][..], |buffer| &buffer.signals);
    for signal in signals.iter().filter(|signal| which(signal)) {
        let shown = match signal.kind.width() {
            0..=READABLE_BITS => Shown::Binary,
            _ => Shown::Hexadecimal,
        };
        save.row(signal, &format!("{path} {}", signal.name), shown, None);
    }
}
