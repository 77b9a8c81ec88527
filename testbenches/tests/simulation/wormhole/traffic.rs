//! Traffic of files, hot spots, bursts, requests and replies: whole runs as the command line makes them, beside the reference
//! model and beside themselves, from what they have delivered.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reference_models::wormhole::{
    self as reference, Machine, Message, Network, Outcome, Pieces, Routing, Switch,
};
use testbenches::families::wormhole::BENCH;

use crate::common::worms::{Run, run};
use crate::wormhole::drawn;
use crate::wormhole::machines::{LIMIT, SEED, hardware, with_intermediates};

/// A row of deliveries by its headings.
type Row = BTreeMap<String, String>;

/// The rows of a file of deliveries, as they stand.
fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.deserialize::<Row>();
    rows.map(Result::unwrap).collect()
}

/// By message.
fn by_message(path: &Path) -> BTreeMap<usize, Row> {
    let rows = rows(path).into_iter();
    rows.map(|row| (row["message"].parse().unwrap(), row))
        .collect()
}

fn routed(routing: Routing) -> &'static str {
    match routing {
        Routing::Order => "--routing order",
        Routing::Valiant => "--routing valiant",
        Routing::Adaptive => "--routing adaptive",
    }
}

/// The machine as the command line has it.
fn words_of(machine: Machine) -> String {
    let in_cube = |levels: usize| levels + levels.ilog2() as usize;
    // And the most virtual channels that links have use for.
    let (network, most) = match machine.network {
        Network::CubeConnectedCycles { levels } => (format!("ccc --dims {levels}"), 3),
        Network::Copies { levels, .. } => (format!("copies --dims {}", in_cube(levels)), 3),
        Network::Listed(_) => panic!("no command line has a list"),
        Network::Butterflies { levels } => (
            format!("butterflies --dims {}", 2 * in_cube(levels)),
            levels.min(3),
        ),
        Network::Hypercube {
            dimensions,
            routing,
        } => (
            format!("hypercube --dims {dimensions} {}", routed(routing)),
            8,
        ),
        Network::Grid {
            radix,
            dimensions,
            wraps,
            routing,
        } => {
            let name = if wraps { "torus" } else { "mesh" };
            let sizes = format!("--radix {radix} --dims {dimensions}");
            (format!("{name} {sizes} {}", routed(routing)), 8)
        }
    };
    let switch = match machine.switch {
        Switch::Strong => "strong",
        Switch::Weak => "weak",
    };
    let pieces = match machine.pieces {
        Pieces::Even => "even",
        Pieces::ByWay => "by-way",
    };
    let copies = match machine.network {
        Network::Copies { copies, .. } => format!("--copies {copies} --pieces {pieces}"),
        _ => String::new(),
    };
    let wire_bits = machine.wire_bits;
    format!(
        "--network {network} --seed {SEED} --virtual-channels {} --wire-bits {wire_bits} --buffer-bits {} --switch {switch} \
         {copies}",
        machine.virtual_channels.min(most),
        machine.buffer_bits * wire_bits
    )
}

/// Runs it, and writes what arrived.
fn delivered(words: &str, path: &Path) -> Run {
    run(&format!("{words} --deliveries {}", path.display()))
}

/// A traffic file, with columns in another order than that of the help.
fn file(messages: &[Message]) -> String {
    let mut text = "time,bits,destination,source,payload\n".to_owned();
    for one in messages {
        let digits = one.bits.chunks(4).rev().map(|bits| {
            let value = bits
                .iter()
                .rev()
                .fold(0, |value, bit| 2 * value + u32::from(*bit));
            char::from_digit(value, 16).unwrap()
        });
        let payload: String = digits.collect();
        let (bits, time) = (one.bits.len(), one.created);
        text += &format!(
            "{time},{bits},{},{},{payload}\n",
            one.destination, one.source
        );
    }
    text
}

/// Of a file, every message fares as the reference says, bit time by bit time, and the report holds.
fn fares_as_the_reference_says(
    machine: Machine,
    messages: &[Message],
    folder: &Path,
) -> Result<(), TestCaseError> {
    let [traffic, arrived] = ["t.csv", "d.csv"].map(|name| folder.join(name));
    std::fs::write(&traffic, file(messages)).unwrap();
    let words = format!("{} --traffic-file {}", words_of(machine), traffic.display());
    let report = delivered(&words, &arrived);
    let worms = with_intermediates(machine, messages);
    // What is created while an arbiter's round is waited for moves on, and the end is found later.
    let patience = hardware(machine).plan().arbitration_period();
    let expected = reference::run_with_patience(machine, &worms, LIMIT, patience).unwrap();
    match expected.outcome {
        Outcome::Done { bit_times } => {
            prop_assert!(report.passed, "{}", report.text());
            prop_assert_eq!(report.bit_times, bit_times);
        }
        Outcome::Deadlock { bit_time, .. } => {
            prop_assert_eq!(report.worms.deadlock.as_ref().unwrap().bit_time, bit_time);
            prop_assert!(!report.passed);
        }
        Outcome::OutOfTime => panic!("{LIMIT} bit times"),
    }
    prop_assert_eq!(report.messages, messages.len());
    let delivered = by_message(&arrived);
    prop_assert_eq!(delivered.len(), messages.len());
    let time = |time: Option<u64>| time.map_or(String::new(), |time| time.to_string());
    for (number, arrival) in expected.arrivals.iter().enumerate() {
        let row = &delivered[&number];
        prop_assert_eq!(&row["created"], &messages[number].created.to_string());
        prop_assert_eq!(&row["injected"], &time(arrival.injected));
        prop_assert_eq!(&row["tail_arrived"], &time(arrival.tail_arrived));
        if arrival.tail_arrived.is_some() {
            prop_assert_eq!(&row["head_arrived"], &time(arrival.head_arrived));
        }
    }
    Ok(())
}

#[test]
fn files_with_times_fare_as_the_reference_says() {
    let config = ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let folder = tempfile::tempdir().unwrap();
    // Now and then nothing is there for longer than any arbiter's round.
    let strategy = (drawn::traffic(), prop_oneof![Just(1u64), Just(40)]);
    let ran = TestRunner::new(config).run(&strategy, |((machine, mut messages), stretch)| {
        messages.iter_mut().for_each(|one| one.created *= stretch);
        fares_as_the_reference_says(machine, &messages, folder.path())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

/// On its way from node 58 to 32 a worm meets itself: bits of it take turns on a wire that two of its edges share.
#[test]
fn a_worm_that_meets_itself_takes_as_long_as_the_reference_says() {
    let machine = Machine {
        network: Network::Butterflies { levels: 2 },
        virtual_channels: 2,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::ByWay,
    };
    let folder = tempfile::tempdir().unwrap();
    for bits in [6, 64] {
        let message = Message {
            source: 58,
            destination: 32,
            intermediate: None,
            created: 0,
            bits: vec![false; bits],
        };
        fares_as_the_reference_says(machine, &[message], folder.path()).unwrap();
    }
}

/// Two worms stop each other in bit time 2237, and a third is created three bit times later: it still moves.
#[test]
fn what_is_created_right_after_a_standstill_moves() {
    let machine = Machine {
        network: Network::Copies {
            levels: 4,
            copies: 1,
        },
        virtual_channels: 1,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::Even,
    };
    let message = |source, destination, created, bits: &str| Message {
        source,
        destination,
        intermediate: None,
        created,
        bits: bits.chars().map(|bit| bit == '1').collect(),
    };
    let mut messages = vec![
        message(38, 24, 2200, "00011110101100"),
        message(48, 30, 2200, "0101100"),
        message(28, 3, 2240, "00000000000000"),
        message(10, 21, 2280, "0110010011101011110100101001011110"),
    ];
    let folder = tempfile::tempdir().unwrap();
    // Created a bit time later than any arbiter's round, the third never comes to a host.
    let patience = hardware(machine).plan().arbitration_period();
    for created in [2240, 2237 + patience, 2238 + patience] {
        messages[2].created = created;
        fares_as_the_reference_says(machine, &messages, folder.path()).unwrap();
    }
}

/// What is written is read as the same traffic: all that arrived arrives again in the same bit times, on the same way. Where
/// messages were listed from the beginning, the whole file is the same.
fn fed_back(machine: &str, traffic: &str) -> [Run; 2] {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first.csv", "second.csv"].map(|name| folder.path().join(name));
    let is_listed = !traffic.contains("--offered-load");
    let before = delivered(&format!("{machine} {traffic}"), &first);
    let again = format!("{machine} --traffic-file {}", first.display());
    let after = delivered(&again, &second);
    assert_eq!(before.messages, after.messages);
    if is_listed {
        let [first, second] = [&first, &second].map(|path| std::fs::read_to_string(path).unwrap());
        assert_eq!(first, second);
        assert_eq!(before.bit_times, after.bit_times);
    }
    let [first, second] = [by_message(&first), by_message(&second)];
    assert_eq!(first.len(), before.messages);
    for (number, row) in &first {
        let same = &second[number];
        match row["tail_arrived"].is_empty() {
            false => assert_eq!(row, same),
            true => {
                let kept = ["source", "node", "payload", "created", "bits"];
                assert!(kept.iter().all(|&name| row[name] == same[name]));
                // What was begun is begun when it was.
                assert!(row["injected"].is_empty() || row["injected"] == same["injected"]);
                assert!(row["bit_time"].is_empty());
            }
        }
    }
    [before, after]
}

/// A machine of 64 nodes and so many message bits.
fn of(network: &str, bits: usize) -> String {
    format!("--seed 3 --message-bits {bits} --network {network}")
}

/// Uniform traffic at this load, for a short time.
fn short(load: f64) -> String {
    format!("--traffic uniform --offered-load {load} --warm-up 100 --measurement 300 --drain 200")
}

#[test]
fn deliveries_fed_back_give_the_same_run() {
    let mut undelivered = 0;
    for network in ["ccc", "copies", "hypercube"] {
        let machine = of(network, 24);
        let [before, after] = fed_back(&machine, "--traffic uniform");
        assert!(before.passed && after.passed);
        for (load, injection) in [
            (0.3, "bernoulli"),
            (0.1, "bursty"),
            (0.05, "request-reply --reply-bits 50"),
        ] {
            let injection = format!("{} --injection {injection}", short(load));
            let [before, after] = fed_back(&machine, &injection);
            undelivered += before.messages - before.delivered;
            assert_eq!(after.delivered, after.messages);
            assert!(after.passed, "{}", after.text());
            // All in all, and each for itself.
            let latency = |report: &Run| report.worms.latency.clone().unwrap().messages;
            assert!(latency(&after) >= latency(&before));
        }
    }
    assert!(undelivered > 0);
}

#[test]
fn deliveries_fed_back_give_the_same_deadlock() {
    let machine = of("ccc --virtual-channels 1", 64);
    let [before, after] = fed_back(&machine, "");
    let stopped = |report: &Run| report.worms.deadlock.as_ref().unwrap().bit_time;
    assert_eq!(stopped(&before), stopped(&after));
    assert!(before.delivered < before.messages);
    // Under continuous injection a circle is found while others move; the file goes on until nothing does.
    let [before, after] = fed_back(&machine, &short(1.0));
    assert!(before.worms.deadlock.is_some() && after.worms.deadlock.is_some());
}

/// Rows in another order are the same traffic, as long as their numbers are.
#[test]
fn deliveries_are_traffic_in_the_order_of_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let [first, mixed, second] = ["1.csv", "m.csv", "2.csv"].map(|name| folder.path().join(name));
    let machine = of("hypercube", 24);
    delivered(&format!("{machine} {}", short(0.3)), &first);
    let text = std::fs::read_to_string(&first).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    std::fs::write(&mixed, lines.join("\n")).unwrap();
    let files = [first, mixed].map(|traffic_file| {
        let words = format!("{machine} --traffic-file {}", traffic_file.display());
        delivered(&words, &second);
        std::fs::read_to_string(&second).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

/// After a deadlock, and before what was to come: all messages are in the file, last those that did not arrive.
#[test]
fn what_never_arrived_stands_last_and_what_never_began_too() {
    let folder = tempfile::tempdir().unwrap();
    let [traffic, path] = ["t.csv", "d.csv"].map(|name| folder.path().join(name));
    let mut text = "source,destination,time\n".to_owned();
    for (node, time) in (0..64)
        .map(|node| (node, 0))
        .chain([(3, 50_000), (9, 50_001)])
    {
        text += &format!("{node},{},{time}\n", 63 - node);
    }
    std::fs::write(&traffic, text).unwrap();
    let machine = of("ccc --virtual-channels 1", 64);
    let words = format!("{machine} --traffic-file {}", traffic.display());
    let report = delivered(&words, &path);
    let deadlock = report.worms.deadlock.as_ref().unwrap();
    assert!(deadlock.bit_time < 50_000 && report.bit_times < 50_000);
    assert_eq!(report.messages, 66);
    // Nobody was given the last two.
    assert_eq!(deadlock.worms, 64 - report.delivered);
    let rows = rows(&path);
    assert_eq!(rows.len(), 66);
    let (arrived, others) = rows.split_at(report.delivered);
    assert!(arrived.iter().all(|row| !row["bit_time"].is_empty()));
    let is_empty = |row: &Row| row["bit_time"].is_empty() && row["tail_arrived"].is_empty();
    assert!(others.iter().all(is_empty));
    let last: Vec<_> = rows[64..]
        .iter()
        .map(|row| (&row["created"][..], &row["injected"][..]))
        .collect();
    assert_eq!(last, [("50000", ""), ("50001", "")]);
    assert!(others.is_sorted_by_key(|row| row["message"].parse::<usize>().unwrap()));
}

/// A machine that waits for its next message is no deadlock, however long it waits.
#[test]
fn an_idle_machine_is_not_at_a_standstill() {
    let folder = tempfile::tempdir().unwrap();
    let [traffic, path] = ["t.csv", "d.csv"].map(|name| folder.path().join(name));
    let text = "source,destination,time\n0,9,5\n0,9,5\n63,0,700\n63,63,1400\n0,9,1400\n";
    std::fs::write(&traffic, text).unwrap();
    for network in ["ccc", "copies", "hypercube"] {
        let words = format!("{} --traffic-file {}", of(network, 40), traffic.display());
        let report = delivered(&words, &path);
        assert!(report.passed, "{}", report.text());
        let bounds = report.worms.bit_times_bounds.as_ref().unwrap();
        // A body takes as many bit times as its piece has bits.
        assert!(bounds.lower >= 1400 + 10 && bounds.upper >= report.bit_times);
        let latency = report.worms.latency.unwrap();
        assert!(latency.largest < 300, "from creation: {latency:?}");
        let waited: Vec<u64> = by_message(&path)
            .values()
            .map(|row| {
                row["injected"].parse::<u64>().unwrap() - row["created"].parse::<u64>().unwrap()
            })
            .collect();
        assert!(waited[1] > 0, "behind the first one");
        assert_eq!([waited[0], waited[2], waited[3], waited[4]], [0; 4]);
    }
}

/// A host takes a bit of each switch in a bit time, which is what bounds a run of many to one.
#[test]
fn a_hot_spot_takes_what_it_is_sent_bit_by_bit() {
    for network in ["ccc", "copies", "hypercube"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.csv");
        let words = format!(
            "{} --traffic hotspot --hot-spots 5 --hot-share 1",
            of(network, 32)
        );
        let report = delivered(&words, &path);
        assert!(report.passed, "{}", report.text());
        assert!(rows(&path).iter().all(|row| row["node"] == "5"));
        let pieces = report.worms.router.copies.unwrap_or(1) as u64;
        let bounds = report.worms.bit_times_bounds.unwrap();
        assert!(bounds.lower >= 64 * 32 / pieces, "{bounds:?}");
    }
}

#[test]
fn a_round_trip_is_a_request_and_its_reply() {
    // Loads that the networks carry: all that counts has to arrive.
    for (network, bits, injection) in [
        ("hypercube", 24, "--offered-load 0.1 --measurement 300"),
        (
            "copies",
            100,
            "--offered-load 0.02 --measurement 1500 --reply-bits 100",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.csv");
        let words = format!(
            "{} --traffic uniform --warm-up 100 --injection request-reply {injection}",
            of(network, 24)
        );
        let report = delivered(&words, &path);
        assert!(report.passed, "{}", report.text());
        let trips = report.worms.round_trips.as_ref().unwrap();
        let [requests, replies, both] = [&trips.requests, &trips.replies, &trips.round_trips]
            .map(|times| times.as_ref().unwrap());
        assert!(requests.messages > 50);
        assert_eq!([replies.messages, both.messages], [requests.messages; 2]);
        assert!((requests.average + replies.average - both.average).abs() < 1e-9);
        let all = report.worms.latency.as_ref().unwrap();
        assert_eq!(all.messages, 2 * requests.messages);
        // Every request that has arrived is answered in the bit time after, by a message of its own.
        let rows = by_message(&path);
        let bits = bits.to_string();
        let mut answers: Vec<_> = rows
            .values()
            .map(|row| {
                (
                    row["source"].clone(),
                    row["node"].clone(),
                    row["created"].clone(),
                    &row["bits"],
                )
            })
            .collect();
        let mut answered = 0;
        for row in rows.values().filter(|row| !row["bit_time"].is_empty()) {
            let place = answers.iter().position(|(source, node, created, length)| {
                *source == row["node"]
                    && *node == row["source"]
                    && *created == row["bit_time"]
                    && **length == bits
            });
            if let Some(place) = place {
                answers.remove(place);
                answered += 1;
            }
        }
        assert!(answered as u64 >= requests.messages, "{answered}");
    }
}

/// Replies are messages too: what is foretold has room for them.
#[test]
fn memory_is_foretold_with_replies() {
    let bytes = |injection: &str| {
        let words = format!(
            "{} --traffic uniform --offered-load 0.1 --warm-up 100 --measurement 1000000 --drain 200 --injection {injection}",
            of("hypercube", 64)
        );
        let chosen = BENCH.asked(&words).unwrap();
        (BENCH.job)(&chosen).unwrap().requirement().bytes as f64
    };
    let one_way = bytes("bernoulli");
    let both_ways = bytes("request-reply");
    let long = bytes("request-reply --reply-bits 6400");
    assert!(both_ways > 1.8 * one_way && both_ways < 2.0 * one_way);
    assert!(long > 1.8 * both_ways);
}

/// By copy: the way of the piece that went there, or nothing.
#[test]
fn paths_stand_at_the_places_of_their_copies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arrived.csv");
    let machine = crate::wormhole::machines::machine(Network::Copies {
        levels: 4,
        copies: 4,
    });
    let words = format!("{} --message-bits 5", words_of(machine));
    assert!(delivered(&words, &path).passed);
    let hardware = crate::wormhole::machines::hardware(machine);
    let mut without = 0;
    for row in rows(&path) {
        let [source, destination] = ["source", "node"].map(|end| row[end].parse().unwrap());
        let trip = hardware.network().trip(0, source, destination);
        let pieces = hardware.pieces(5, trip);
        let expected = pieces.iter().enumerate().map(|(copy, &bits)| match bits {
            0 => String::new(),
            _ => {
                let nodes = hardware.path(copy, trip).into_iter();
                nodes
                    .map(|node| node.to_string())
                    .collect::<Vec<_>>()
                    .join(">")
            }
        });
        assert_eq!(row["path"], expected.collect::<Vec<_>>().join("|"));
        // Where nothing went before something.
        without += usize::from(row["path"].starts_with('|'));
    }
    assert!(without > 0);
}

/// What a saturated network was offered counts as created, whether it has arrived or not.
#[test]
fn what_is_created_does_not_depend_on_what_arrives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arrived.csv");
    let machine = crate::wormhole::machines::machine(Network::CubeConnectedCycles { levels: 3 });
    let words = format!(
        "{} --traffic uniform --offered-load 0.7 --warm-up 300 --measurement 600 --drain 0",
        words_of(machine)
    );
    let report = delivered(&words, &path);
    let all = rows(&path);
    let counts = |row: &&Row| (300..900).contains(&row["created"].parse::<u64>().unwrap());
    let counted: Vec<&Row> = all.iter().filter(counts).collect();
    assert!(counted.iter().any(|row| row["tail_arrived"].is_empty()));
    let created = (64 * counted.len()) as f64 / (24.0 * 600.0);
    assert_eq!(report.worms.throughput.unwrap().created, Some(created));
}
