//! Texts beside wires and registers: both ends of a link say the same of it, nothing crosses a link of which nothing is said, what is
//! named has the same bits wherever it crosses, and messages are named where they begin and where they end.

use std::collections::{BTreeSet, HashMap};

use rtl_model::machine::topology::Tap;

use crate::suite::dumped::{Dumped, dumped};
use crate::suite::reports::json;

/// What is said of a link between two nodes, and what is on it.
pub struct Link<'d> {
    pub sender: usize,
    pub receiver: usize,
    /// Of the wire, where it is sent.
    pub path: String,
    /// In each bit time.
    pub sends: Vec<String>,
    pub receives: Vec<String>,
    pub bits: Vec<&'d str>,
    /// Messages are named by what happens to be on the wire, which carries other bits as well.
    pub is_shared: bool,
}

/// What a text says in each bit time, blanks among it.
pub fn said(dumped: &Dumped, path: &str) -> Option<Vec<String>> {
    let values = dumped.signal(path)?.into_iter();
    Some(values.map(|text| text.replace("\\040", " ")).collect())
}

/// The path of what belongs to a node.
pub fn of_node(dumped: &Dumped, node: usize, name: &str) -> String {
    format!("{}.node_{}.{name}", dumped.machine, dumped.nodes[node])
}

/// Where a node says what a wire carries, and whether the wire carries other bits as well.
fn text_about(scope: &str, name: &str) -> [(String, bool); 4] {
    let port = scope.replace("dim_", "port_");
    let does = if name == "tx" { "sends" } else { "receives" };
    [
        (format!("{scope}.{name}_message"), true),
        (format!("{scope}.{name}_worm"), true),
        (format!("told.{port}_{does}"), false),
        (format!("ports.{port}.{does}"), false),
    ]
}

/// All links of which anything may be said.
pub fn links(dumped: &Dumped) -> Vec<Link<'_>> {
    let topology = dumped.topology();
    let mut sent = HashMap::new();
    let mut received = HashMap::new();
    for labelled in topology.labelled() {
        match labelled.wires[..] {
            [Tap::Driven(link)] => sent.insert(link, (labelled.scope, labelled.name)),
            [Tap::Received(link)] => received.insert(link, (labelled.scope, labelled.name)),
            _ => None,
        };
    }
    let about = |node: usize, (scope, name): &(String, String)| {
        let texts = text_about(scope, name).into_iter();
        let mut texts = texts.filter_map(|(text, is_shared)| {
            let texts = said(dumped, &of_node(dumped, node, &text))?;
            Some((texts, is_shared))
        });
        texts.next()
    };
    let mut links = Vec::new();
    for receiver in 0..topology.nodes() {
        for link in 0..topology.links() {
            let sender = topology.sender(receiver, link);
            let (Some(tx), Some(rx)) = (sent.get(&link), received.get(&link)) else {
                continue;
            };
            let (Some((sends, is_shared)), Some((receives, _))) =
                (about(sender, tx), about(receiver, rx))
            else {
                continue;
            };
            let path = of_node(dumped, sender, &format!("{}.{}", tx.0, tx.1));
            links.push(Link {
                sender,
                receiver,
                sends,
                receives,
                bits: dumped.signal(&path).unwrap(),
                path,
                is_shared,
            });
        }
    }
    links
}

/// Of runs in which every wire carries what is sent.
fn sound() -> impl Iterator<Item = &'static Dumped> {
    let fails = |dumped: &&Dumped| {
        let cuts = &json(&dumped.report)["cuts"];
        cuts.as_array().is_some_and(|cuts| !cuts.is_empty())
    };
    dumped().iter().filter(move |dumped| !fails(dumped))
}

#[test]
fn both_ends_of_a_link_say_the_same_of_it() {
    let mut told = 0;
    for dumped in dumped() {
        for link in links(dumped) {
            assert_eq!(
                link.sends,
                link.receives,
                "{}: from {} to {}",
                dumped.name(),
                link.sender,
                link.receiver
            );
            told += link.sends.iter().filter(|text| !text.is_empty()).count();
        }
    }
    assert!(told > 10_000, "{told}");
}

#[test]
fn nothing_is_on_a_link_of_which_nothing_is_said() {
    let mut silent = 0;
    for dumped in sound() {
        for link in links(dumped).iter().filter(|link| !link.is_shared) {
            for (text, bit) in link.sends.iter().zip(&link.bits) {
                assert!(!text.is_empty() || *bit == "0", "{}", dumped.name());
                silent += usize::from(text.is_empty());
            }
        }
    }
    assert!(silent > 1000, "{silent}");
}

/// The bits that are named, by bit time: of what, and the number of the bit. Behind a colon stands the first of those that cross one
/// behind the other; else a name is that of a packet, which begins when its start-up is over.
fn bits<'t>(
    texts: &'t [String],
    steps: &[String],
    packet_bits: usize,
) -> Vec<(usize, &'t str, usize)> {
    let mut named = Vec::new();
    let (mut before, mut bit) = ("", 0);
    for (bit_time, text) in texts.iter().enumerate() {
        let first = text.rsplit_once(':');
        let goes_on = before == text;
        let is_set_up = first.is_none() && steps.get(bit_time).is_some_and(|step| step == "START");
        if text.is_empty() || is_set_up {
            before = "";
            continue;
        }
        bit = if goes_on { bit + 1 } else { 0 };
        before = text;
        named.push(match first {
            Some((name, first)) => (bit_time, name, first.parse::<usize>().unwrap() + bit),
            None => (bit_time, text.as_str(), bit % packet_bits),
        });
    }
    named
}

/// The same of a link: the bit time, of what, and the number of the bit.
pub fn bits_in<'l>(dumped: &Dumped, link: &'l Link<'_>) -> Vec<(usize, &'l str, usize)> {
    let report = json(&dumped.report);
    let packet_bits = ["share_bits", "packet_bits"].map(|name| report[name].as_u64());
    let packet_bits = packet_bits.into_iter().flatten().next().unwrap_or(1) as usize;
    let steps = format!("{}.sequencer.step_name", dumped.machine);
    let steps = said(dumped, &steps).unwrap_or_default();
    bits(&link.sends, &steps, packet_bits)
}

/// By what is named and the number of the bit, what it is.
pub fn bits_of(dumped: &Dumped) -> HashMap<(String, usize), char> {
    let mut known: HashMap<(String, usize), char> = HashMap::new();
    for link in links(dumped).iter().filter(|link| !link.is_shared) {
        for (bit_time, name, number) in bits_in(dumped, link) {
            let bit = link.bits[bit_time].chars().next().unwrap();
            let before = *known.entry((name.to_owned(), number)).or_insert(bit);
            assert_eq!(
                bit,
                before,
                "{}: bit {number} of {name}, from {} to {} in bit time {bit_time}",
                dumped.name(),
                link.sender,
                link.receiver
            );
        }
    }
    known
}

/// Sums apart, which change as they go: no message is followed there.
#[test]
fn what_is_named_has_the_same_bits_wherever_it_crosses() {
    let (mut zeros, mut ones) = (0, 0);
    for dumped in sound() {
        let followed = format!("{}.followed.message", dumped.machine);
        if dumped.signal(&followed).is_none() {
            continue;
        }
        let known = bits_of(dumped);
        // No bit of what crosses is left out; of what stays all may be that goes round.
        let goes = |name: &str| name.split_once("_to_").is_none_or(|(from, to)| from != to);
        for (name, number) in known.keys().filter(|(name, _)| goes(name)) {
            let mut before = 0..*number;
            let is_known = before.all(|bit| known.contains_key(&(name.clone(), bit)));
            assert!(is_known, "{}: {name}, bit {number}", dumped.name());
        }
        zeros += known.values().filter(|bit| **bit == '0').count();
        ones += known.values().filter(|bit| **bit == '1').count();
    }
    assert!(zeros > 1000 && ones > 1000, "{zeros} {ones}");
}

/// The ends of a message, as its name has them.
pub fn ends(name: &str) -> Option<(&str, &str)> {
    let bare = name.split(['/', ' ']).next()?;
    let (source, destination) = bare.split_once("->")?;
    Some((source, destination))
}

#[test]
fn messages_are_named_where_they_begin_and_where_they_end() {
    let mut seen = 0;
    for dumped in dumped() {
        let at = |node: usize, bit_time: usize| -> BTreeSet<String> {
            let begin = of_node(dumped, node, "");
            let texts = dumped.dump.texts.iter();
            let own = texts.filter(|path| path.starts_with(&begin) && path.ends_with(".message"));
            let held = own.flat_map(|path| {
                let held = said(dumped, path).unwrap()[bit_time].clone();
                held.split(',').map(str::to_owned).collect::<Vec<_>>()
            });
            held.filter(|name| !name.is_empty()).collect()
        };
        let last = dumped.end().saturating_sub(1) as usize;
        for (bit_time, is_source) in [(0, true), (last, false)] {
            let mut all = BTreeSet::new();
            for (node, here) in dumped.nodes.iter().enumerate() {
                for name in at(node, bit_time) {
                    let ends = ends(&name);
                    let what = || panic!("{}: {name}", dumped.name());
                    let (source, destination) = ends.unwrap_or_else(what);
                    let due = if is_source { source } else { destination };
                    assert_eq!(due, here, "{}: {name} in {bit_time}", dumped.name());
                    all.insert(name);
                }
            }
            assert!(
                all.is_empty() || all.len() == dumped.report.messages,
                "{}: {all:?} in bit time {bit_time}",
                dumped.name()
            );
            seen += all.len();
        }
    }
    assert!(seen > 500, "{seen}");
}

/// Words that shift stand still all the same, and one more bit comes in a bit time. What a port is told to do changes by step, and what
/// there is without a way is passed on as it comes.
#[test]
fn a_number_changes_by_a_bit_at_a_time() {
    let mut changes = 0;
    for dumped in dumped() {
        if dumped
            .signal(&format!("{}.sequencer.way", dumped.machine))
            .is_none()
        {
            continue;
        }
        let paths = dumped.dump.signals.keys();
        let is_word = |path: &&String| path.contains(".numbers.") && !path.contains(".port_");
        for path in paths.filter(is_word) {
            let values = dumped.signal(path).unwrap();
            for pair in values.windows(2) {
                let (before, now) = (pair[0].bytes(), pair[1].bytes());
                let differ = before
                    .zip(now)
                    .filter(|(before, now)| before != now)
                    .count();
                assert!(differ <= 1, "{}: {path}: {pair:?}", dumped.name());
                changes += differ;
            }
        }
    }
    assert!(changes > 1000, "{changes}");
}
