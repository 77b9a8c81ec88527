//! Traffic of files, hot spots, bursts, requests and replies: whole runs as the command line makes them, beside the reference
//! model and beside themselves, from what they have delivered.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reference_models::wormhole::{
    self as reference, Machine, Message, Network, Outcome, Pieces, Switch,
};
use testbenches::families::wormhole::options::{
    InjectionName, InjectionSetup, NetworkName, PiecesName, RunOptions, RunSetup, Setup,
    SwitchName, WormholeSetup,
};
use testbenches::families::wormhole::report::WormholeReport;
use testbenches::families::wormhole::requirement::requirement;
use testbenches::families::wormhole::run::run;

use crate::wormhole::drawn;
use crate::wormhole::machines::{LIMIT, SEED, hardware, levels, with_intermediates};

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

/// The machine as the command line has it.
fn setup_of(machine: Machine) -> Setup {
    let (network, copies) = match machine.network {
        Network::CubeConnectedCycles { .. } => (NetworkName::Ccc, None),
        Network::Copies { copies, .. } => (NetworkName::Copies, Some(copies)),
        Network::ECube { .. } => (NetworkName::Ecube, None),
        Network::Valiant { .. } => (NetworkName::Valiant, None),
        Network::Butterflies { .. } => (NetworkName::Butterflies, None),
    };
    // The levels of butterflies in rows and columns together.
    let dims = match machine.network {
        Network::Butterflies { levels } => 2 * levels,
        _ => levels(machine),
    };
    Setup {
        dims: Some(dims),
        seed: SEED,
        wormhole: WormholeSetup {
            network: Some(network),
            virtual_channels: Some(
                (machine.virtual_channels).min(network.most_virtual_channels(dims)),
            ),
            buffer_bits: Some(machine.buffer_bits),
            switch: Some(match machine.switch {
                Switch::Strong => SwitchName::Strong,
                Switch::Weak => SwitchName::Weak,
            }),
            copies,
            pieces: copies.map(|_| match machine.pieces {
                Pieces::Even => PiecesName::Even,
                Pieces::ByWay => PiecesName::ByWay,
            }),
            ..WormholeSetup::default()
        },
        ..Setup::default()
    }
}

fn options(setup: Setup, injection: InjectionSetup, deliveries: &Path) -> RunOptions {
    RunOptions {
        setup: RunSetup { setup, injection },
        deliveries: Some(deliveries.to_owned()),
        quiet: true,
        ..RunOptions::default()
    }
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
    let [traffic, delivered] = ["t.csv", "d.csv"].map(|name| folder.join(name));
    std::fs::write(&traffic, file(messages)).unwrap();
    let setup = Setup {
        traffic_file: Some(traffic),
        ..setup_of(machine)
    };
    let report = run(&options(setup, InjectionSetup::default(), &delivered)).unwrap();
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
            prop_assert_eq!(report.family.deadlock.as_ref().unwrap().bit_time, bit_time);
            prop_assert!(!report.passed);
        }
        Outcome::OutOfTime => panic!("{LIMIT} bit times"),
    }
    prop_assert_eq!(report.messages, messages.len());
    let delivered = by_message(&delivered);
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
fn fed_back(setup: Setup, injection: InjectionSetup) -> [WormholeReport; 2] {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first.csv", "second.csv"].map(|name| folder.path().join(name));
    let is_listed = injection.offered_load.is_none();
    let again = Setup {
        traffic: None,
        load: None,
        hot_spots: None,
        hot_share: None,
        traffic_file: Some(first.clone()),
        ..setup.clone()
    };
    let before = run(&options(setup, injection, &first)).unwrap();
    let after = run(&options(again, InjectionSetup::default(), &second)).unwrap();
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

fn setup(network: NetworkName, virtual_channels: Option<usize>, bits: usize) -> Setup {
    Setup {
        dims: Some(4),
        seed: 3,
        traffic: Some("uniform".to_owned()),
        wormhole: WormholeSetup {
            network: Some(network),
            virtual_channels,
            message_bits: Some(bits),
            ..WormholeSetup::default()
        },
        ..Setup::default()
    }
}

fn injection(load: f64, name: InjectionName) -> InjectionSetup {
    InjectionSetup {
        offered_load: Some(load),
        injection: Some(name),
        warm_up: Some(100),
        measurement: Some(300),
        drain: Some(200),
        ..InjectionSetup::default()
    }
}

#[test]
fn deliveries_fed_back_give_the_same_run() {
    use InjectionName::{Bernoulli, Bursty, RequestReply};
    use NetworkName::{Ccc, Copies, Ecube};
    let mut undelivered = 0;
    for network in [Ccc, Copies, Ecube] {
        let [before, after] = fed_back(setup(network, None, 24), InjectionSetup::default());
        assert!(before.passed && after.passed);
        for (load, name) in [(0.3, Bernoulli), (0.1, Bursty), (0.05, RequestReply)] {
            let injection = InjectionSetup {
                reply_bits: (name == RequestReply).then_some(50),
                ..injection(load, name)
            };
            let [before, after] = fed_back(setup(network, None, 24), injection);
            undelivered += before.messages - before.delivered;
            assert_eq!(after.delivered, after.messages);
            assert!(after.passed, "{}", after.text());
            // All in all, and each for itself.
            let latency = |report: &WormholeReport| report.family.latency.clone().unwrap().messages;
            assert!(latency(&after) >= latency(&before));
        }
    }
    assert!(undelivered > 0);
}

#[test]
fn deliveries_fed_back_give_the_same_deadlock() {
    let permutation = Setup {
        traffic: None,
        ..setup(NetworkName::Ccc, Some(1), 64)
    };
    let [before, after] = fed_back(permutation, InjectionSetup::default());
    let of = |report: &WormholeReport| report.family.deadlock.as_ref().unwrap().bit_time;
    assert_eq!(of(&before), of(&after));
    assert!(before.delivered < before.messages);
    // Under continuous injection a circle is found while others move; the file goes on until nothing does.
    let continuous = injection(1.0, InjectionName::Bernoulli);
    let [before, after] = fed_back(setup(NetworkName::Ccc, Some(1), 64), continuous);
    assert!(before.family.deadlock.is_some() && after.family.deadlock.is_some());
}

/// Rows in another order are the same traffic, as long as their numbers are.
#[test]
fn deliveries_are_traffic_in_the_order_of_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let [first, mixed, second] = ["1.csv", "m.csv", "2.csv"].map(|name| folder.path().join(name));
    let setup = setup(NetworkName::Ecube, None, 24);
    let continuous = injection(0.3, InjectionName::Bernoulli);
    run(&options(setup.clone(), continuous, &first)).unwrap();
    let text = std::fs::read_to_string(&first).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    std::fs::write(&mixed, lines.join("\n")).unwrap();
    let files = [first, mixed].map(|traffic_file| {
        let setup = Setup {
            traffic: None,
            traffic_file: Some(traffic_file),
            ..setup.clone()
        };
        run(&options(setup, InjectionSetup::default(), &second)).unwrap();
        std::fs::read_to_string(&second).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

/// After a deadlock, and before what was to come: all messages are in the file, last those that did not arrive.
#[test]
fn what_never_arrived_stands_last_and_what_never_began_too() {
    let folder = tempfile::tempdir().unwrap();
    let [traffic, delivered] = ["t.csv", "d.csv"].map(|name| folder.path().join(name));
    let mut text = "source,destination,time\n".to_owned();
    for (node, time) in (0..64)
        .map(|node| (node, 0))
        .chain([(3, 50_000), (9, 50_001)])
    {
        text += &format!("{node},{},{time}\n", 63 - node);
    }
    std::fs::write(&traffic, text).unwrap();
    let setup = Setup {
        traffic: None,
        traffic_file: Some(traffic),
        ..setup(NetworkName::Ccc, Some(1), 64)
    };
    let report = run(&options(setup, InjectionSetup::default(), &delivered)).unwrap();
    let deadlock = report.family.deadlock.as_ref().unwrap();
    assert!(deadlock.bit_time < 50_000 && report.bit_times < 50_000);
    assert_eq!(report.messages, 66);
    // Nobody was given the last two.
    assert_eq!(deadlock.worms, 64 - report.delivered);
    let rows = rows(&delivered);
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
    let [traffic, delivered] = ["t.csv", "d.csv"].map(|name| folder.path().join(name));
    let text = "source,destination,time\n0,9,5\n0,9,5\n63,0,700\n63,63,1400\n0,9,1400\n";
    std::fs::write(&traffic, text).unwrap();
    for network in [NetworkName::Ccc, NetworkName::Copies, NetworkName::Ecube] {
        let setup = Setup {
            traffic: None,
            traffic_file: Some(traffic.clone()),
            ..setup(network, None, 40)
        };
        let report = run(&options(setup, InjectionSetup::default(), &delivered)).unwrap();
        assert!(report.passed, "{}", report.text());
        let bounds = report.family.bit_times_bounds.as_ref().unwrap();
        // A body takes as many bit times as its piece has bits.
        assert!(bounds.lower >= 1400 + 10 && bounds.upper >= report.bit_times);
        let latency = report.family.latency.unwrap();
        assert!(latency.largest < 300, "from creation: {latency:?}");
        let waited: Vec<u64> = by_message(&delivered)
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
    for network in [NetworkName::Ccc, NetworkName::Copies, NetworkName::Ecube] {
        let folder = tempfile::tempdir().unwrap();
        let delivered = folder.path().join("d.csv");
        let setup = Setup {
            traffic: Some("hotspot".to_owned()),
            hot_spots: Some("5".to_owned()),
            hot_share: Some(1.0),
            ..setup(network, None, 32)
        };
        let report = run(&options(setup, InjectionSetup::default(), &delivered)).unwrap();
        assert!(report.passed, "{}", report.text());
        assert!(rows(&delivered).iter().all(|row| row["node"] == "5"));
        let pieces = report.family.router.copies.unwrap_or(1) as u64;
        let bounds = report.family.bit_times_bounds.unwrap();
        assert!(bounds.lower >= 64 * 32 / pieces, "{bounds:?}");
    }
}

#[test]
fn a_round_trip_is_a_request_and_its_reply() {
    // Loads that the networks carry: all that counts has to arrive.
    for (network, reply_bits, load, measurement) in [
        (NetworkName::Ecube, None, 0.1, 300),
        (NetworkName::Copies, Some(100), 0.02, 1500),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let delivered = folder.path().join("d.csv");
        let injection = InjectionSetup {
            measurement: Some(measurement),
            drain: None,
            reply_bits,
            ..injection(load, InjectionName::RequestReply)
        };
        let report = run(&options(setup(network, None, 24), injection, &delivered)).unwrap();
        assert!(report.passed, "{}", report.text());
        let trips = report.family.round_trips.as_ref().unwrap();
        let [requests, replies, both] = [&trips.requests, &trips.replies, &trips.round_trips]
            .map(|times| times.as_ref().unwrap());
        assert!(requests.messages > 50);
        assert_eq!([replies.messages, both.messages], [requests.messages; 2]);
        assert!((requests.average + replies.average - both.average).abs() < 1e-9);
        let all = report.family.latency.as_ref().unwrap();
        assert_eq!(all.messages, 2 * requests.messages);
        // Every request that has arrived is answered in the bit time after, by a message of its own.
        let rows = by_message(&delivered);
        let bits = reply_bits.unwrap_or(24).to_string();
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
    let bytes = |name, reply_bits| {
        let injection = InjectionSetup {
            measurement: Some(1_000_000),
            reply_bits,
            ..injection(0.1, name)
        };
        let setup = setup(NetworkName::Ecube, None, 64);
        requirement(&options(setup, injection, Path::new("d.csv")))
            .unwrap()
            .bytes as f64
    };
    let one_way = bytes(InjectionName::Bernoulli, None);
    let both_ways = bytes(InjectionName::RequestReply, None);
    let long = bytes(InjectionName::RequestReply, Some(6400));
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
    let mut setup = setup_of(machine);
    setup.wormhole.message_bits = Some(5);
    assert!(
        run(&options(setup, InjectionSetup::default(), &path))
            .unwrap()
            .passed
    );
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
    let mut setup = setup_of(crate::wormhole::machines::machine(
        Network::CubeConnectedCycles { levels: 3 },
    ));
    setup.traffic = Some("uniform".to_owned());
    let injection = InjectionSetup {
        offered_load: Some(0.7),
        warm_up: Some(300),
        measurement: Some(600),
        drain: Some(0),
        ..InjectionSetup::default()
    };
    let report = run(&options(setup, injection, &path)).unwrap();
    let all = rows(&path);
    let counts = |row: &&Row| (300..900).contains(&row["created"].parse::<u64>().unwrap());
    let counted: Vec<&Row> = all.iter().filter(counts).collect();
    assert!(counted.iter().any(|row| row["tail_arrived"].is_empty()));
    let created = (64 * counted.len()) as f64 / (24.0 * 600.0);
    assert_eq!(report.family.throughput.unwrap().created, Some(created));
}
