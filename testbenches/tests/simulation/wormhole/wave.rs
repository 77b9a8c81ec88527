//! Dumps of wormhole routers, read back through another library: the wires alone give back every message and its way, no worm has another
//! one's bits among its own, and what is told of worms is what channels hold. The rest of what dumps and views say is in the suite.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use testbenches::families::wormhole::BENCH;

use crate::common::sample::one;
use crate::suite::dumped::Dumped;
use crate::suite::followed::{list, name_of};
use crate::suite::texts::{Link, links, of_node, said};

/// One message from every node and one to every node, on each network, with either switch.
const PERMUTED: [&str; 7] = [
    "--network ccc --dims 2 --message-bits 40",
    "--network ccc --dims 3 --message-bits 24",
    "--network ccc --dims 3 --message-bits 24 --switch weak --seed 2",
    "--network copies --dims 3 --message-bits 81 --switch weak",
    "--network copies --dims 6 --message-bits 41 --copies 3",
    "--network hypercube --dims 3 --message-bits 40",
    "--network hypercube --routing valiant --dims 3 --message-bits 40 --switch weak",
];

/// Worms that wait for each other for good.
const STUCK: &str = "--network ccc --dims 3 --virtual-channels 1 --seed 3 --message-bits 60";

fn dumped(words: &str) -> Dumped {
    Dumped::of(one(&BENCH, &format!("{words} --load 1")))
}

/// Bits that pass a wire between two tails, and when.
#[derive(Debug)]
struct Stream {
    bits: String,
    bit_times: Vec<usize>,
}

/// What passes a data wire with its marks. No stream may be unfinished at the end.
fn streams(dumped: &Dumped, path: &str) -> Vec<Stream> {
    let signal = |ending: &str| dumped.signal(&format!("{path}{ending}"));
    let [data, valid, tail] = ["", "_valid", "_tail"].map(|ending| signal(ending).unwrap());
    let channel = signal("_channel").unwrap_or_else(|| vec![""; data.len()]);
    let mut done = Vec::new();
    let mut open: HashMap<&str, Stream> = HashMap::new();
    for bit_time in 0..data.len() {
        if valid[bit_time] == "0" {
            assert_eq!(
                (data[bit_time], tail[bit_time]),
                ("0", "0"),
                "{path}: no bit"
            );
            continue;
        }
        let stream = open.entry(channel[bit_time]).or_insert(Stream {
            bits: String::new(),
            bit_times: Vec::new(),
        });
        stream.bits += data[bit_time];
        stream.bit_times.push(bit_time);
        if tail[bit_time] == "1" {
            done.extend(open.remove(channel[bit_time]));
        }
    }
    assert!(open.is_empty(), "{path}: {open:?}");
    done
}

/// What comes out at a node, by the name of the worm: one at the most from each switch.
fn came_out(dumped: &Dumped, node: usize) -> BTreeMap<usize, String> {
    let ejects = |host: &str| of_node(dumped, node, &format!("{host}.eject"));
    let has_one = dumped.dump.signals.contains_key(&ejects("host"));
    let hosts = (0..).map(|switch| match has_one {
        true => ejects("host"),
        false => ejects(&format!("host_{switch}")),
    });
    let there = hosts.take_while(|path| dumped.dump.signals.contains_key(path));
    let there = there.take(if has_one { 1 } else { usize::MAX }).enumerate();
    let came = there.filter_map(|(switch, path)| {
        let streams = streams(dumped, &path);
        assert!(streams.len() <= 1, "{path}: {streams:?}");
        Some((switch, streams.into_iter().next()?.bits))
    });
    came.collect()
}

/// Digits of bits, the first the least significant.
fn hexadecimal(bits: &str) -> String {
    let bits: Vec<u8> = bits.bytes().rev().map(|bit| bit - b'0').collect();
    let digits = bits
        .rchunks(4)
        .rev()
        .map(|digit| digit.iter().fold(0, |all, bit| 2 * all + bit));
    digits.map(|digit| format!("{digit:x}")).collect()
}

/// What each worm has carried, which is what was delivered; and the links that it has crossed, which are those of its way.
fn wires_alone_tell_everything(dumped: &Dumped, links: &[Link<'_>]) {
    let mut carried: BTreeMap<String, String> = BTreeMap::new();
    let mut ways: BTreeMap<String, BTreeSet<(usize, usize)>> = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(dumped.deliveries.as_ref().unwrap().as_bytes());
    let headers = reader.headers().unwrap().clone();
    for record in reader.records().map(Result::unwrap) {
        let column = |name: &str| &record[headers.iter().position(|one| one == name).unwrap()];
        let [source, node] = ["source", "node"].map(|name| column(name).parse::<usize>().unwrap());
        let name = format!("{}->{}", dumped.nodes[source], dumped.nodes[node]);
        let came = came_out(dumped, node);
        let bits: String = came.values().map(String::as_str).collect();
        assert_eq!(
            hexadecimal(&bits),
            column("payload"),
            "{}: {name}",
            dumped.name()
        );
        let paths: Vec<&str> = column("path").split('|').collect();
        for (switch, bits) in came {
            let worm = if paths.len() > 1 {
                format!("{name}/{switch}")
            } else {
                name.clone()
            };
            let nodes: Vec<usize> = paths[switch]
                .split('>')
                .map(|node| node.parse().unwrap())
                .collect();
            ways.insert(
                worm.clone(),
                nodes.windows(2).map(|two| (two[0], two[1])).collect(),
            );
            carried.insert(worm, bits);
        }
    }
    let mut crossed: BTreeMap<String, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for link in links {
        assert_eq!(link.sends, link.receives, "{}", dumped.name());
        for stream in streams(dumped, &link.path) {
            let worm = &link.sends[stream.bit_times[0]];
            let what = format!("{}: {} of {worm:?}", dumped.name(), link.path);
            let mut named = stream
                .bit_times
                .iter()
                .map(|&bit_time| &link.sends[bit_time]);
            assert!(named.all(|name| name == worm), "{what}");
            // Before them stands what is left of the way.
            let bits = carried.get(worm);
            let bits = bits.unwrap_or_else(|| panic!("{what}: {:?}", carried.keys()));
            assert!(stream.bits.ends_with(bits.as_str()), "{what}");
            let ends = (link.sender, link.receiver);
            crossed.entry(worm.clone()).or_default().insert(ends);
        }
    }
    ways.retain(|_, way| !way.is_empty());
    assert_eq!(crossed, ways, "{}", dumped.name());
}

/// The input channels of a node, as paths of modules.
fn input_channels(dumped: &Dumped, node: usize) -> Vec<String> {
    let begin = of_node(dumped, node, "");
    let held = dumped
        .dump
        .signals
        .keys()
        .filter_map(|path| path.strip_suffix(".buffer.held"));
    let own = held.filter(|path| path.starts_with(&begin));
    own.map(str::to_owned).collect()
}

fn buffers_are_in_order(dumped: &Dumped) {
    for node in 0..dumped.nodes.len() {
        let mut occupied = vec![0; dumped.end() as usize];
        for channel in input_channels(dumped, node) {
            let held = dumped.signal(&format!("{channel}.buffer.held")).unwrap();
            let worm = said(dumped, &format!("{channel}.worm")).unwrap();
            for (bit_time, held) in held.iter().enumerate() {
                assert!(!held.contains("10"), "{channel}: a gap in {held}");
                let bits = held.matches('1').count();
                occupied[bit_time] += bits;
                assert!(bits == 0 || !worm[bit_time].is_empty(), "{channel}: whose?");
            }
        }
        let told = dumped
            .signal(&of_node(dumped, node, "occupied_bits"))
            .unwrap();
        let told = told
            .iter()
            .map(|bits| usize::from_str_radix(bits, 2).unwrap());
        assert!(told.eq(occupied), "{}: node {node}", dumped.name());
    }
}

/// The head goes by the nodes that stand beside the worm's name, as far as it comes, to the last of them.
fn goes_by(message: &str, heads: &[String]) {
    let Some((_, route)) = message.rsplit_once("  ") else {
        return;
    };
    let is_whole = !route.contains(" .. ");
    let due: Vec<&str> = route
        .split(' ')
        .filter(|word| !["by", "to", ".."].contains(word))
        .collect();
    let mut been: Vec<&str> = heads.iter().map(String::as_str).collect();
    been.dedup();
    been.retain(|node| !node.is_empty());
    // It begins at its source.
    let been = &been[1..];
    let common = due.iter().zip(been).filter(|(due, been)| due == been);
    let least = been.len().min(due.len() - usize::from(!is_whole));
    assert!(common.count() >= least, "{route}: {been:?}");
    assert!(!is_whole || been.len() <= due.len(), "{route}: {been:?}");
}

/// What is told of the worm that is followed is what channels say: where it is, where its head is, and for whom it waits. Whether it ever
/// waits for another.
fn what_is_followed_is_told(dumped: &Dumped) -> bool {
    let followed =
        |text: &str| said(dumped, &format!("{}.followed.{text}", dumped.machine)).unwrap();
    let [message, at, head, does] = ["message", "at", "head", "does"].map(followed);
    let worm = name_of(&message[0]).split(" via ").next().unwrap();
    goes_by(&message[0], &head);
    let of_node = |node: usize| {
        let channels = input_channels(dumped, node).into_iter();
        channels.map(move |channel| {
            let texts =
                ["worm", "waits_for"].map(|text| said(dumped, &format!("{channel}.{text}")));
            (dumped.nodes[node].as_str(), texts.map(Option::unwrap))
        })
    };
    let channels: Vec<_> = (0..dumped.nodes.len()).flat_map(of_node).collect();
    let mut has_waited = false;
    for bit_time in 0..dumped.end() as usize {
        let here = channels
            .iter()
            .filter(|(_, [worms, _])| worms[bit_time] == worm);
        let nodes: BTreeSet<&str> = here.clone().map(|(node, _)| *node).collect();
        let (told, more) = list(&at[bit_time], ',');
        let (head, said) = (head[bit_time].as_str(), does[bit_time].as_str());
        // Of many nodes a text names some.
        if more == 0 {
            // Its head is where it has come to last.
            let last = at[bit_time].rsplit([',', ' ']).next();
            assert!(head.is_empty() || last == Some(head), "bit time {bit_time}");
            let told: BTreeSet<&str> = told.iter().map(String::as_str).collect();
            assert_eq!(told, nodes, "bit time {bit_time}");
        }
        if let Some((other, place)) = said
            .strip_prefix("waits for ")
            .and_then(|said| said.split_once(" at "))
        {
            has_waited = true;
            let mut at_head = here.filter(|(node, _)| *node == place);
            assert!(place == head && other != worm, "{said}");
            assert!(
                at_head.any(|(_, [_, waits])| waits[bit_time] == other),
                "{said}"
            );
        } else if !head.is_empty() {
            let destination = worm.split("->").nth(1).unwrap().split('/').next().unwrap();
            let comes_out = format!("comes out at {destination}");
            let is_so = said == "goes on" || said == comes_out && head == destination;
            assert!(is_so, "bit time {bit_time}: {said}");
        } else {
            assert_eq!(said, "", "bit time {bit_time}");
        }
    }
    has_waited
}

#[test]
fn worms_can_be_followed_in_their_dumps_alone() {
    for words in PERMUTED {
        let dumped = dumped(words);
        wires_alone_tell_everything(&dumped, &links(&dumped));
        buffers_are_in_order(&dumped);
        what_is_followed_is_told(&dumped);
    }
}

/// Whoever waits in a circle waits for the worm in the channel that it would go on into.
#[test]
fn a_deadlock_keeps_its_wave() {
    let dumped = dumped(STUCK);
    buffers_are_in_order(&dumped);
    assert!(what_is_followed_is_told(&dumped));
    let report = serde_json::to_value(&dumped.report).unwrap();
    let circle = report["deadlock"]["cycle"].as_array().unwrap();
    assert!(circle.len() > 1);
    for (waits, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        let text = |value: &serde_json::Value| value.as_str().unwrap().replace(' ', "");
        let [own, other] = [waits, next].map(|waits| text(&waits["message"]));
        let node = dumped
            .nodes
            .iter()
            .position(|node| **node == text(&waits["node"]));
        let channels = input_channels(&dumped, node.unwrap()).into_iter();
        let mut waiting = channels.map(|channel| {
            let last = |text: &str| {
                said(&dumped, &format!("{channel}.{text}"))
                    .unwrap()
                    .pop()
                    .unwrap()
            };
            ["worm", "waits_for"].map(last)
        });
        // A worm may hold several channels of the circle: it waits for none within itself.
        let due = if own == other { String::new() } else { other };
        assert!(
            waiting.any(|found| found == [own.clone(), due.clone()]),
            "{waits}"
        );
    }
}
