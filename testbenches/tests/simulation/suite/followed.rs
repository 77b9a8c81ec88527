//! The message that a waveform follows: what is told of it is what the other texts of the dump say.

use std::collections::{BTreeSet, HashMap};

use crate::suite::dumped::{Dumped, dumped};
use crate::suite::reports::json;
use crate::suite::texts::{Link, bits_in, ends, links, of_node, said};

/// What is followed.
struct Followed {
    dumped: &'static Dumped,
    name: String,
    source: String,
    /// The node that keeps it; none where all do to which it comes.
    destination: Option<String>,
    /// Nodes, by bit time: those that have bits of it; and how many more there are.
    at: Vec<(BTreeSet<String>, usize)>,
}

/// What a text of the message that is followed says in each bit time.
fn text(dumped: &Dumped, name: &str) -> Option<Vec<String>> {
    said(dumped, &format!("{}.followed.{name}", dumped.machine))
}

/// Names with something between them, and how many more there are than are named: `5 nodes: 0,1,2,3,4`, `9 nodes: 0,1,2,3,4,5,6,..`,
/// `all 8`.
pub fn list(text: &str, between: char) -> (BTreeSet<String>, usize) {
    let all = text.strip_prefix("all ").map(|amount| (amount, ""));
    let (listed, amount) = match all.or(text.split_once(": ")) {
        Some((amount, listed)) => {
            let amount = amount.split(' ').next().unwrap();
            (listed, Some(amount.parse::<usize>().unwrap()))
        }
        None => (text, None),
    };
    let names = listed.split(between);
    let names = names.filter(|name| !["", ".."].contains(name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    let more = amount.map_or(0, |amount| amount - names.len());
    (names.into_iter().collect(), more)
}

/// What is called so, without its route behind that.
pub fn name_of(message: &str) -> &str {
    message.split("  ").next().unwrap()
}

impl Followed {
    fn of(dumped: &'static Dumped) -> Option<Self> {
        // Worms are told of in other words.
        text(dumped, "crosses")?;
        let names = text(dumped, "message").unwrap();
        let name = name_of(&names[0]).to_owned();
        assert!(
            names.iter().all(|other| *other == names[0]),
            "{}",
            dumped.name()
        );
        let of_edge = name.rsplit_once(" on ");
        let nodes = of_edge.and_then(|(_, nodes)| nodes.split_once("->"));
        let (source, destination) = match (nodes, ends(&name)) {
            (Some((from, to)), _) => (from, to),
            (None, Some((source, destination))) => (source, destination),
            (None, None) => ("", "all"),
        };
        let source = match source {
            "" => json(&dumped.report)["source_node"].to_string(),
            source => source.to_owned(),
        };
        let at = text(dumped, "at").unwrap();
        Some(Followed {
            at: at.iter().map(|at| list(at, ',')).collect(),
            destination: (destination != "all").then(|| destination.to_owned()),
            source,
            name,
            dumped,
        })
    }

    fn all() -> impl Iterator<Item = Self> {
        dumped().iter().filter_map(Self::of)
    }

    fn what(&self) -> String {
        format!("{}: {}", self.dumped.name(), self.name)
    }

    /// Whether its parts go different ways, and which.
    fn is_in_parts(&self) -> bool {
        let told = text(self.dumped, "message").unwrap();
        let beside = told[0].split_once("  ");
        beside.is_some_and(|(_, ways)| ways.contains("->"))
    }

    /// How the texts of ports begin that are about it.
    fn begin(&self) -> String {
        match (self.name.split_once(": "), self.name.split_once("->")) {
            (Some((edge, _)), _) => edge.to_owned(),
            (None, Some((from, "all"))) => format!("{from}_to_{from}"),
            (None, Some((from, to))) => format!("{from}_to_{to}"),
            (None, None) => self.name.clone(),
        }
    }

    /// Whether a text is about it.
    fn is_named(&self, text: &str, is_shared: bool) -> bool {
        match is_shared {
            true => text.split(',').any(|name| name == self.name),
            false => {
                let rest = text.strip_prefix(&self.begin());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', ':']))
            }
        }
    }

    fn node(&self, number: usize) -> String {
        self.dumped.nodes[number].clone()
    }

    /// Whether registers of a node are said to hold it.
    fn is_held(&self, node: usize, bit_time: usize) -> bool {
        let begin = of_node(self.dumped, node, "");
        let paths = self.dumped.dump.signals.keys();
        let mut own = paths.filter(|path| path.starts_with(&begin) && path.ends_with(".message"));
        own.any(|path| self.is_named(&said(self.dumped, path).unwrap()[bit_time], true))
    }
}

#[test]
fn it_begins_at_its_source_and_ends_at_its_destination() {
    let mut seen = 0;
    for followed in Followed::all() {
        let alone = |node: &String| (BTreeSet::from([node.clone()]), 0);
        assert_eq!(
            followed.at[0],
            alone(&followed.source),
            "{}",
            followed.what()
        );
        if let Some(destination) = &followed.destination {
            let last = followed.at.last().unwrap();
            assert_eq!(*last, alone(destination), "{}", followed.what());
        }
        seen += 1;
    }
    assert!(seen > 150, "{seen}");
}

/// Of parts that go different ways the links that are crossed next, each of which one of the ways has.
#[test]
fn parts_go_next_where_they_are_said_to() {
    let mut seen = 0;
    let goes_several_ways =
        |followed: &Followed| followed.is_in_parts() || followed.destination.is_none();
    for followed in Followed::all().filter(goes_several_ways) {
        let ways = text(followed.dumped, "message").unwrap().swap_remove(0);
        let [next, crosses] = ["next", "crosses"].map(|name| {
            let texts = text(followed.dumped, name).unwrap();
            let texts = texts.iter().map(|text| list(text, ' '));
            texts.collect::<Vec<_>>()
        });
        let mut due = BTreeSet::new();
        for bit_time in (0..next.len()).rev() {
            let (told, more) = &next[bit_time];
            let what = format!("{}: bit time {bit_time}: {told:?}", followed.what());
            match more {
                0 => assert_eq!(*told, due, "{what}"),
                _ => assert!(told.is_subset(&due), "{what} {due:?}"),
            }
            let on_a_way = |link: &String| ways.contains(link.as_str());
            let are_told = followed.is_in_parts() && !ways.ends_with("..");
            assert!(told.iter().all(on_a_way) || !are_told, "{what}");
            let before = bit_time.checked_sub(1).map(|before| &crosses[before].0);
            let begin = crosses[bit_time].0.iter();
            let begin = begin.filter(|link| before.is_none_or(|before| !before.contains(*link)));
            let begin: BTreeSet<String> = begin.cloned().collect();
            due = if begin.is_empty() { due } else { begin };
            seen += told.len();
        }
    }
    assert!(seen > 500, "{seen}");
}

/// A node that it comes to in a later bit time, and no other before; where there is none, the destination until all of it is there. Of
/// what is for all the links are told, as of parts.
#[test]
fn it_gets_next_where_it_is_said_to() {
    let goes_one_way =
        |followed: &Followed| !followed.is_in_parts() && followed.destination.is_some();
    for followed in Followed::all().filter(goes_one_way) {
        let at = &followed.at;
        if at.iter().any(|(_, more)| *more > 0) {
            continue;
        }
        let mut due = BTreeSet::new();
        let next = text(followed.dumped, "next").unwrap();
        let crosses = text(followed.dumped, "crosses").unwrap();
        let comes_later = |to: &str, bit_time: usize| {
            let to = format!("->{to}");
            let mut later = crosses[bit_time..].iter();
            later.any(|text| list(text, ' ').0.iter().any(|link| link.ends_with(&to)))
        };
        for bit_time in (0..at.len()).rev() {
            let what = format!(
                "{}: bit time {bit_time}: {}",
                followed.what(),
                next[bit_time]
            );
            let (told, more) = list(&next[bit_time], ',');
            if due.is_empty() {
                let last = followed.destination.clone();
                let last = last.filter(|to| comes_later(to, bit_time));
                assert_eq!(told, last.into_iter().collect(), "{what}");
            } else {
                assert!(told.is_subset(&due) && !told.is_empty(), "{what} {due:?}");
            }
            assert!(more == 0 || told.len() + more == due.len(), "{what}");
            if bit_time > 0 {
                let comes = at[bit_time].0.difference(&at[bit_time - 1].0);
                let comes: BTreeSet<String> = comes.cloned().collect();
                due = if comes.is_empty() { due } else { comes };
            }
        }
    }
}

/// Bit times in which a link names it, as long as its bits come one by one or take turns with those of one other, and are no more than a
/// whole message has: a node may send it twice without a pause.
fn bursts(sent: &[bool], message_bits: usize) -> Vec<Vec<usize>> {
    let mut bursts: Vec<Vec<usize>> = Vec::new();
    for bit_time in (0..sent.len()).filter(|bit_time| sent[*bit_time]) {
        match bursts.last_mut() {
            Some(burst) if burst[burst.len() - 1] + 2 >= bit_time && burst.len() < message_bits => {
                burst.push(bit_time);
            }
            _ => bursts.push(vec![bit_time]),
        }
    }
    bursts
}

/// These bit times, and those in pauses of up to so many between them.
fn with_pauses(times: &BTreeSet<usize>, longest: usize) -> BTreeSet<usize> {
    let next = times.iter().skip(1);
    let pauses = times
        .iter()
        .zip(next)
        .filter(|(one, next)| **next - **one <= longest + 1);
    let between = pauses.flat_map(|(one, next)| *one..*next);
    times.iter().copied().chain(between).collect()
}

/// In every bit time in which a link names it, short pauses among them, that link is said to be crossed, and in no other. Where messages are named by what is on
/// the wire, a copy that nobody takes is there all the same: then no register of the receiver has it when all has crossed.
#[test]
fn links_are_crossed_that_name_it() {
    let mut crossed = 0;
    for followed in Followed::all() {
        let crosses = text(followed.dumped, "crosses").unwrap();
        let crosses: Vec<_> = crosses.iter().map(|text| list(text, ' ')).collect();
        if crosses.iter().any(|(_, more)| *more > 0) {
            continue;
        }
        let report = json(&followed.dumped.report);
        let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0) as usize;
        let payload_bits = number(&report["payload_bits"]);
        let message_bits = 1 + number(&report["topology"]["dims"]) + payload_bits;
        let mut due: HashMap<String, BTreeSet<usize>> = HashMap::new();
        let driven = format!("{}.driven", followed.dumped.machine);
        let driven = followed.dumped.signal(&driven).unwrap();
        let mut longest = 2;
        for link in links(followed.dumped) {
            let sent = link.sends.iter().zip(&driven);
            // Ports are named while a link is set up, too: then no bits cross.
            let is_in_use = |bits: &str| {
                let scope = link
                    .path
                    .split('.')
                    .find_map(|scope| scope.strip_prefix("dim_"));
                let dimension: usize = scope.unwrap().parse().unwrap();
                bits.chars().rev().nth(dimension) == Some('1')
            };
            let sent = sent.map(|(text, bits)| {
                followed.is_named(text, link.is_shared) && (link.is_shared || is_in_use(bits))
            });
            let sent: Vec<bool> = sent.collect();
            longest = if link.is_shared { 2 } else { 1 };
            let is_taken = |burst: &Vec<usize>| {
                !link.is_shared || followed.is_held(link.receiver, burst[burst.len() - 1] + 1)
            };
            let most = if link.is_shared {
                message_bits
            } else {
                usize::MAX
            };
            let bursts = bursts(&sent, most).into_iter().filter(is_taken);
            let bursts: Vec<Vec<usize>> = bursts.collect();
            // Where two take turns, their headers do so, too.
            let takes_turns = |burst: &&Vec<usize>| {
                link.is_shared && burst.windows(2).any(|two| two[1] > two[0] + 1)
            };
            let mut turns = bursts.iter().filter(takes_turns);
            assert!(
                turns.all(|burst| burst.len() > payload_bits),
                "{}",
                followed.what()
            );
            let bursts = bursts.into_iter();
            let [from, to] = [link.sender, link.receiver].map(|node| followed.node(node));
            due.entry(format!("{from}->{to}"))
                .or_default()
                .extend(bursts.flatten());
        }
        for (link, due) in due {
            let due = with_pauses(&due, longest);
            let is_said = |bit_time: &usize| crosses[*bit_time].0.contains(&link);
            let said: BTreeSet<usize> = (0..crosses.len()).filter(is_said).collect();
            assert_eq!(said, due, "{}: {link}", followed.what());
            crossed += said.len();
        }
    }
    assert!(crossed > 1000, "{crossed}");
}

/// By node and bit of what is followed, the bit times in which the node has it: from the first one to that in which it crosses on for the
/// last time.
#[derive(Default)]
struct Times<'l> {
    arrives: HashMap<(String, &'l str, usize), usize>,
    leaves: HashMap<(String, &'l str, usize), usize>,
}

impl<'l> Times<'l> {
    fn of(followed: &Followed, links: &'l [Link<'_>]) -> Self {
        let mut times = Times::default();
        for link in links {
            for (bit_time, name, number) in bits_in(followed.dumped, link) {
                if !followed.is_named(name, false) {
                    continue;
                }
                let [from, to] = [link.sender, link.receiver].map(|node| followed.node(node));
                if from == followed.source {
                    times.arrives.insert((from.clone(), name, number), 0);
                }
                let first = times
                    .arrives
                    .entry((to, name, number))
                    .or_insert(bit_time + 1);
                *first = (*first).min(bit_time + 1);
                let last = times.leaves.entry((from, name, number)).or_insert(bit_time);
                *last = (*last).max(bit_time);
            }
        }
        times
    }
}

/// Where ports name what crosses. The source has each bit until it has sent it for the last time, a node on the way from its arrival on,
/// and whoever keeps it has it for good.
#[test]
fn it_is_where_its_bits_are() {
    let mut looked = 0;
    for followed in Followed::all() {
        let links = links(followed.dumped);
        if links.iter().any(|link| link.is_shared) || links.is_empty() {
            continue;
        }
        let times = Times::of(&followed, &links);
        for (bit_time, (told, more)) in followed.at.iter().enumerate() {
            let has = times.arrives.iter().filter(|(of, first)| {
                let is_kept = followed
                    .destination
                    .as_ref()
                    .is_none_or(|node| of.0 == *node);
                let leaves = times.leaves.get(*of);
                **first <= bit_time && (is_kept || leaves.is_some_and(|last| bit_time <= *last))
            });
            let has: BTreeSet<String> = has.map(|((node, ..), _)| node.clone()).collect();
            let what = format!(
                "{}: bit time {bit_time}: {told:?}, {has:?}",
                followed.what()
            );
            assert!(
                told.is_subset(&has) && told.len() + more == has.len(),
                "{what}"
            );
        }
        looked += 1;
    }
    assert!(looked > 100, "{looked}");
}
