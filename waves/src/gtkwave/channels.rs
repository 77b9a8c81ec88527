//! Nodes of wormhole routers: links, and input channels with the worms in them.
//!
//! ```text
//!   occupied_bits            curve
//!   straight_in_0 worm       of each input channel that was used: which worm; that of the one that is followed first
//!   straight_in_0 waits_for  for which one it waits
//!   straight rx_worm         of each link and host by which the one that is followed comes and goes: whose bit,
//!   straight rx              the bit,
//!   straight rx_valid        and whether there is one
//!   > other rows             in groups of their own: other worms; wires of links and hosts by which they come and go, and texts
//!                            that change too often to be read; bits in buffers, and all the rest
//! ```
//!
//! Where nothing is followed, or a dump lacks worms, as that of a Verilog simulator does, nothing that was used is folded.

use crate::gtkwave::crowded::Crowding;
use crate::gtkwave::tree::Scope;
use crate::gtkwave::{OTHERS, module, register};
use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// The scope of an input channel's buffer, and what it counts.
const BUFFER: &str = "buffer";
const HELD: &str = "held";
/// The text that says whom a worm waits for.
const WAITS: &str = "waits_for";
/// What is folded away of every node.
const REST: &str = "bits, routes, credits, idle channels";
/// Bits that can be read off a row one by one.
const READABLE_BITS: usize = 8;

/// A node: everything but its title and its counts. `follows`: a worm is followed, here or elsewhere.
pub(super) fn node(save: &mut dyn Rows, scope: &Scope<'_>, follows: bool, crowding: &Crowding) {
    let (wires, modules): (Vec<&Scope>, Vec<&Scope>) =
        scope.scopes.iter().partition(|scope| is_wires(scope));
    let (mut inputs, mut others) = (Vec::new(), Vec::new());
    for module in modules {
        sort(module, String::new(), &mut inputs, &mut others);
    }
    let (used, idle): (Vec<_>, Vec<_>) =
        (inputs.into_iter()).partition(|(_, channel)| is_used(channel));
    let is_here = used.iter().any(|(_, channel)| is_of_followed(channel));
    let (shown, others_there): (Vec<_>, Vec<_>) =
        (used.iter()).partition(|(_, channel)| !follows || !is_here || is_of_followed(channel));
    let rows_of = |save: &mut dyn Rows, (path, channel): &(String, &Scope<'_>)| {
        remarks(save, channel, path);
        waits(save, channel, path, |waits| {
            says_whom(channel, waits, (follows, is_here))
        });
        if !follows {
            buffer(save, channel, path, |signal| signal.name == HELD);
        }
    };
    shown.iter().for_each(|one| rows_of(save, one));
    let (used_wires, idle_wires): (Vec<&Scope>, Vec<&Scope>) =
        wires.into_iter().partition(|scope| is_used(scope));
    let is_way = |link: &Scope<'_>, signal: &Signal| {
        comes_first(signal) && is_way(&used_wires, (link, signal), is_here) && !crowding.has(signal)
    };
    let rest = |save: &mut dyn Rows| {
        for (path, channel) in &used {
            buffer(save, channel, path, |signal| signal.name == HELD && follows);
            route(save, channel, path);
            waits(save, channel, path, |waits| {
                !says_whom(channel, waits, (follows, is_here))
            });
        }
        for link in &used_wires {
            rows(save, link, |signal| !comes_first(signal));
        }
        for (path, channel) in &idle {
            remarks(save, channel, path);
            waits(save, channel, path, |_| true);
            buffer(save, channel, path, |signal| signal.name == HELD);
            route(save, channel, path);
        }
        for link in &idle_wires {
            rows(save, link, |_| true);
        }
        for (path, other) in &others {
            module(save, other, path);
        }
    };
    if follows {
        for way in ["rx", "tx", "eject"] {
            for link in &used_wires {
                rows(save, link, |signal| {
                    signal.name.starts_with(way) && is_way(link, signal)
                });
            }
        }
        save.group(OTHERS, false, |save| {
            folded(save, "other worms", &others_there, |save, one| {
                rows_of(save, one)
            });
            folded(save, "other wires", &used_wires, |save, link| {
                rows(save, link, |signal| {
                    comes_first(signal) && !is_way(link, signal)
                });
            });
            save.group(REST, false, rest);
        });
    } else {
        if !used_wires.is_empty() {
            save.group("wires", true, |save| {
                (used_wires.iter()).for_each(|link| rows(save, link, comes_first));
            });
        }
        save.group(REST, false, rest);
    }
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

/// The scope has wires, and nothing else but what is said of them.
fn is_wires(scope: &Scope<'_>) -> bool {
    let is_wire = |signal: &Signal| matches!(signal.kind, Kind::Wire | Kind::Bus { .. });
    let mut signals = scope.signals.iter();
    scope.scopes.is_empty()
        && scope.signals.iter().any(|signal| is_wire(signal))
        && signals.all(|signal| is_wire(signal) || is_text(signal))
}

/// What is followed was here.
fn is_of_followed(scope: &Scope<'_>) -> bool {
    let mut signals = scope.signals.iter();
    signals.any(|signal| signal.follows && signal.name != WAITS)
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

/// Whose bit, the bit, and whether there is one.
fn comes_first(signal: &Signal) -> bool {
    let name = signal.name.strip_suffix("_valid").unwrap_or(&signal.name);
    is_text(signal) || !name.contains('_')
}

/// Whether the worm that is followed comes or goes by a wire of a link or host. One that goes over no link from here comes out here.
fn is_way(used: &[&Scope<'_>], (link, signal): (&Scope<'_>, &Signal), is_here: bool) -> bool {
    let is_way = |link: &Scope<'_>, way: &str| {
        let mut texts = link.signals.iter().filter(|signal| is_text(signal));
        texts.any(|signal| signal.follows && signal.name.starts_with(way))
    };
    let has_text = link.signals.iter().any(|signal| is_text(signal));
    let name = &signal.name;
    match has_text {
        true => ["tx", "rx"]
            .iter()
            .any(|way| name.starts_with(way) && is_way(link, way)),
        false => {
            let goes_on = used.iter().any(|link| is_way(link, "tx"));
            is_here && !goes_on && signal.ever_set && name.starts_with("eject")
        }
    }
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
            // What worms consist of; others are numbers.
            Kind::Bus { .. } if ["tx", "rx", "inject", "eject"].contains(&name) => {
                Shown::Hexadecimal
            }
            Kind::Bus { .. } => Shown::Decimal,
            Kind::Text { .. } => Shown::Text,
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

/// Whether it is said at first sight whom the worm in a channel waits for, if it ever does: of the one that is followed, and in
/// nodes to which that never comes.
fn says_whom(channel: &Scope<'_>, waits: &Signal, (follows, is_here): (bool, bool)) -> bool {
    waits.ever_set && (!follows || !is_here || is_of_followed(channel))
}

/// Whom the worm in a channel waits for.
fn waits(save: &mut dyn Rows, channel: &Scope<'_>, path: &str, is_shown: impl Fn(&Signal) -> bool) {
    let texts = channel.signals.iter().filter(|one| one.name == WAITS);
    for signal in texts.filter(|one| is_shown(one)) {
        let name = format!("{path} {WAITS}");
        save.row(signal, &name, Shown::Text, Some(Colour::Yellow));
    }
}

/// What is remarked of an input channel: which worm is in it.
fn remarks(save: &mut dyn Rows, channel: &Scope<'_>, path: &str) {
    let texts = channel.signals.iter().filter(|one| is_text(one));
    for signal in texts.filter(|one| one.name != WAITS) {
        let name = format!("{path} {}", signal.name);
        let colour = match signal.follows {
            true => Colour::Violet,
            false => Colour::Yellow,
        };
        save.row(signal, &name, Shown::Text, Some(colour));
    }
}

/// Which bits, and the other registers of an input channel.
fn route(save: &mut dyn Rows, channel: &Scope<'_>, path: &str) {
    buffer(save, channel, path, |signal| signal.name != HELD);
    for signal in channel.signals.iter().filter(|one| !is_text(one)) {
        register(save, signal, &format!("{path} {}", signal.name));
    }
    for part in channel.scopes.iter().filter(|one| one.name != BUFFER) {
        for signal in &part.signals {
            register(
                save,
                signal,
                &format!("{path} {} {}", part.name, signal.name),
            );
        }
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

#[cfg(test)]
mod tests;
