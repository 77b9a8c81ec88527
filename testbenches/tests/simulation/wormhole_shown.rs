//! What a waveform of wormhole routers shows where nothing is said: a worm that is worth a look, its nodes, and a view that
//! opens where it passes them. Under continuous injection it is one of those that are measured.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME};
use crate::common::worms::{Run, run};

/// A view, as its save file has it.
struct View {
    /// The nodes, by name, in the order of the dump, which is that of the way.
    nodes: Vec<String>,
    /// The same in the order of the view.
    shown: Vec<String>,
    /// Markers: the bit time, and the name.
    markers: Vec<(u64, String)>,
    /// The ticks that are shown.
    window: Range<u64>,
}

impl View {
    fn read(path: &Path) -> Self {
        let save = std::fs::read_to_string(path).unwrap();
        let after = |start: &'static str| {
            save.lines()
                .filter_map(move |line| line.strip_prefix(start))
        };
        let zoom = after("*-").next().unwrap();
        let mut numbers = zoom.split(' ');
        let zoom: f64 = numbers.next().unwrap().parse().unwrap();
        // Picoseconds: the cursor, then the markers.
        let times = numbers.skip(1).filter(|time| *time != "-1");
        let times = times.map(|time| time.parse::<u64>().unwrap() / 1000);
        // Nodes by their names, where the head comes to them; and without the mark where all has come out.
        let names = after("[markername] ").map(|name| {
            let name = &name[1..];
            name.strip_prefix("to_").unwrap_or(name).to_owned()
        });
        let markers: Vec<_> = times
            .zip(names)
            .filter(|(_, name)| name != "arrived")
            .collect();
        let from = after("[timestart] ")
            .next()
            .unwrap()
            .parse::<u64>()
            .unwrap()
            / 100;
        // 200 pixels are 2^zoom picoseconds, and 1010 of them are the waves'.
        let length = zoom.exp2() * 1010.0 / 200.0 / 100.0;
        let shown: Vec<String> = after("-node_")
            .map(|title| title.split(' ').next().unwrap().to_owned())
            .collect();
        let dump = std::fs::read_to_string(path.with_extension("vcd")).unwrap();
        let declared = dump.lines().filter_map(|line| {
            let scope = line.strip_prefix("$scope module node_")?;
            Some(scope.strip_suffix(" $end")?.to_owned())
        });
        View {
            nodes: declared.filter(|node| shown.contains(node)).collect(),
            shown,
            markers,
            window: from..from + length.round() as u64,
        }
    }
}

/// A run whose waveform is written.
fn shown(network: &str, wave: &Path) -> String {
    let wave = wave.display();
    format!("--seed 3 --message-bits 32 --network {network} --wave {wave}")
}

/// One of which worms wait for each other.
fn deadlocking(wave: &Path) -> String {
    let network = shown("ccc", wave);
    format!("{network} --virtual-channels 1 --offered-load 0.5")
}

/// The bit times in which messages are created that count.
fn measured(report: &Run) -> Range<u64> {
    let [warm_up, measurement, _] = report.worms.throughput.as_ref().unwrap().phases;
    warm_up..warm_up + measurement
}

/// The names of worms that lie in each of these nodes at its marker. (One that comes right after another of the same name
/// changes nothing.)
fn worms_at_markers(dump: &Dump, markers: &[(u64, String)]) -> Vec<String> {
    let mut worms: Option<HashSet<&str>> = None;
    for (bit_time, node) in markers {
        let node = format!(".node_{node}.");
        let channels = dump.texts.iter().filter(|path| path.contains(&node));
        let here: HashSet<&str> = channels
            .filter_map(|path| {
                let mut changes = dump.signals[path].iter().rev();
                let now = changes.find(|(tick, _)| *tick <= bit_time * TICKS_PER_BIT_TIME);
                now.map(|(_, worm)| worm.as_str())
            })
            .filter(|worm| !worm.is_empty())
            .collect();
        worms = Some(match worms {
            None => here,
            Some(before) => before.intersection(&here).copied().collect(),
        });
    }
    let worms: Vec<String> = worms.unwrap().into_iter().map(str::to_owned).collect();
    assert!(!worms.is_empty(), "{markers:?}");
    worms
}

fn is_inside(inner: &[(u64, String)], outer: &Range<u64>) -> bool {
    inner.iter().all(|(bit_time, _)| outer.contains(bit_time))
}

#[test]
fn continuous_injection_shows_a_worm_that_is_measured() {
    for (network, load) in [
        ("ccc", 0.05),
        ("copies", 0.1),
        ("hypercube", 0.3),
        // More than it carries: the same holds.
        ("ccc", 0.5),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.vcd");
        let arrived = folder.path().join("arrived.csv");
        let report = run(&format!(
            "{} --offered-load {load} --deliveries {}",
            shown(network, &path),
            arrived.display()
        ));
        let dump = Dump::read(&path);
        let view = View::read(&path.with_extension("gtkw"));

        // The nodes in the dump are those of the view, and of the worm.
        let node_of = |path: &String| {
            let node = path.split('.').nth(1)?.strip_prefix("node_")?;
            Some(node.to_owned())
        };
        let traced: HashSet<String> = dump.signals.keys().filter_map(node_of).collect();
        assert_eq!(traced, view.nodes.iter().cloned().collect());
        let marked: Vec<String> = view.markers.iter().map(|(_, node)| node.clone()).collect();
        // Marks that would lie over each other are left out.
        let mut nodes = view.nodes.iter();
        let in_order = |marked: &String| nodes.any(|node| node == marked);
        assert!(
            marked.len() > 1 && marked.iter().all(in_order),
            "{marked:?}"
        );
        assert!(view.nodes.len() > 3, "{:?}", view.nodes);

        // It passes them while messages are measured, in the order of its way.
        let measured = measured(&report);
        assert!(is_inside(&view.markers, &measured), "{:?}", view.markers);
        assert!(view.markers.is_sorted());
        let worms = worms_at_markers(&dump, &view.markers);
        let ends = (view.nodes.first().unwrap(), view.nodes.last().unwrap());
        let name = format!("{}->{}", ends.0, ends.1);
        let is_it = |worm: &&String| worm.split('/').next() == Some(&name);
        assert_eq!(worms.iter().filter(is_it).count(), 1, "{worms:?}");

        // That way is in the deliveries, of a message that counts.
        let number = |node: &String| match node.split_once('_') {
            Some((level, column)) => {
                16 * level.parse::<usize>().unwrap() + column.parse::<usize>().unwrap()
            }
            None => node.parse().unwrap(),
        };
        let way: Vec<String> = view
            .nodes
            .iter()
            .map(|node| number(node).to_string())
            .collect();
        let way = way.join(">");
        let deliveries = std::fs::read_to_string(arrived).unwrap();
        let mut rows = deliveries
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>());
        let header = rows.next().unwrap();
        let column = |name| header.iter().position(|column| *column == name).unwrap();
        let (created, path) = (column("created"), column("path"));
        assert!(rows.any(|row| {
            measured.contains(&row[created].parse().unwrap())
                && row[path].split('|').any(|one| one == way)
        }));

        // The view opens on it: close by, and something happens at every node that it shows.
        let ticks = |place: Option<&(u64, String)>| place.unwrap().0 * TICKS_PER_BIT_TIME;
        let (first, last) = (ticks(view.markers.first()), ticks(view.markers.last()));
        assert!(view.window.contains(&first) && view.window.contains(&last));
        for node in &view.nodes {
            let node = format!(".node_{node}.");
            let signals = dump.signals.iter().filter(|(path, _)| path.contains(&node));
            let changes = signals.flat_map(|(_, changes)| changes);
            let seen = changes
                .filter(|(tick, _)| view.window.contains(tick))
                .count();
            assert!(seen > 10, "{seen} changes at {node}");
        }
    }
}

/// Whoever names nodes or bit times sees a worm there.
#[test]
fn a_worm_goes_through_the_nodes_and_the_bit_times_that_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let of_run = shown("ccc", &path);
    let report = run(&format!("{of_run} --offered-load 0.05 --trace-nodes 2_9"));
    let view = View::read(&path.with_extension("gtkw"));
    assert_eq!(view.nodes, ["2_9"]);
    assert!(view.markers.len() > 3 && is_inside(&view.markers, &measured(&report)));
    let here: Vec<_> = (view
        .markers
        .iter()
        .filter(|(_, node)| node == "2_9")
        .cloned())
    .collect();
    worms_at_markers(&Dump::read(&path), &here);

    // Before the measurement.
    run(&format!(
        "{of_run} --offered-load 0.05 --trace-from 200 --trace-to 900"
    ));
    let view = View::read(&path.with_extension("gtkw"));
    assert!(view.markers.len() > 3 && is_inside(&view.markers, &(200..900)));
    worms_at_markers(&Dump::read(&path), &view.markers);

    // All at bit time 0: not worm 0, which may be anywhere.
    for nodes in ["3_3", "0_6,1_6"] {
        run(&format!("{of_run} --trace-nodes {nodes}"));
        let view = View::read(&path.with_extension("gtkw"));
        assert_eq!(view.nodes.join(","), nodes);
        let here = |(_, node): &&(u64, String)| view.nodes.contains(node);
        let here: Vec<_> = view.markers.iter().filter(here).cloned().collect();
        assert!(!here.is_empty() && here.len() <= view.nodes.len());
        worms_at_markers(&Dump::read(&path), &here);
    }
}

/// Worms that wait for each other are shown as they are where all are sent at once.
#[test]
fn a_deadlock_under_continuous_injection_shows_who_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let report = run(&deadlocking(&path));
    let deadlock = report.worms.deadlock.unwrap();
    let began = deadlock.began.unwrap();
    let waiting: HashSet<String> = (deadlock.cycle.into_iter())
        .map(|waiting| waiting.node)
        .collect();
    let view = View::read(&path.with_extension("gtkw"));
    assert!(view.markers.contains(&(began, "circle".to_owned())));
    assert!(view.nodes.iter().all(|node| waiting.contains(node)));
    assert!(view.nodes.len() == waiting.len().min(8));
    assert_eq!(view.markers.last().unwrap().1, "deadlock");
    // The view opens a little before the first mark, and goes on until buffers are full, or as long as labels can be read.
    let first = view.markers[0].0;
    assert_eq!(
        view.window.start,
        first.saturating_sub(4) * TICKS_PER_BIT_TIME
    );
    let circle = began * TICKS_PER_BIT_TIME;
    let end = view.window.end;
    let most = circle + 26 * TICKS_PER_BIT_TIME + (end - view.window.start) / 20;
    assert!(end > circle && end < most, "{circle} {end}");
}

/// Whoever names one of the nodes of a circle sees the head that waits there.
#[test]
fn of_worms_that_wait_for_each_other_one_is_followed_that_is_traced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let words = deadlocking(&path);
    let report = run(&words);
    let cycle = report.worms.deadlock.unwrap().cycle;
    // The worm of the first channel would be followed if nobody named a node.
    let of_first = cycle
        .iter()
        .filter(|waiting| waiting.message == cycle[0].message);
    let mut seen: HashSet<&str> = of_first.map(|waiting| waiting.node.as_str()).collect();
    let mut others = 0;
    for waiting in &cycle {
        if !seen.insert(&waiting.node) {
            continue;
        }
        run(&format!("{words} --trace-nodes {}", waiting.node));
        let view = View::read(&path.with_extension("gtkw"));
        assert_eq!(view.nodes, [waiting.node.as_str()]);
        let here = |(_, name): &&(u64, String)| *name == waiting.node;
        let here: Vec<_> = view.markers.iter().filter(here).cloned().collect();
        assert_eq!(here.len(), 1, "{:?}", view.markers);
        let message = waiting.message.as_ref().unwrap().replace(' ', "");
        let worms = worms_at_markers(&Dump::read(&path), &here);
        assert!(worms.contains(&message), "{worms:?}: {message}");
        others += 1;
    }
    assert!(others > 0);
}

/// Under continuous injection messages are known by their numbers once they are made.
#[test]
fn the_way_of_a_message_that_is_asked_for_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    for asked in ["100", "303"] {
        let arrived = folder.path().join("arrived.csv");
        run(&format!(
            "{} --offered-load 0.2 --trace-message {asked} --deliveries {}",
            shown("hypercube", &path),
            arrived.display()
        ));
        let view = View::read(&path.with_extension("gtkw"));
        let deliveries = std::fs::read_to_string(arrived).unwrap();
        let mut rows = deliveries
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>());
        let header = rows.next().unwrap();
        let column = |name| header.iter().position(|column| *column == name).unwrap();
        let row = rows.find(|row| row[column("message")] == asked).unwrap();
        assert_eq!(row[column("path")], view.nodes.join(">"), "{asked}");
        // What became of it is said in rows of their own.
        let save = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
        let comments = save.lines().filter_map(|line| line.strip_prefix('-'));
        let fate = format!(
            "{}->{}: sent at {}, head there at {}, tail at {}",
            row[column("source")],
            row[column("node")],
            row[column("injected")],
            view.markers.last().unwrap().0,
            row[column("tail_arrived")],
        );
        let comments = comments.collect::<Vec<_>>().join(" ");
        assert!(comments.contains(&fate), "{fate} in {comments}");
        // Those that tell most come first: where it begins and where it ends are among them.
        let ends = [view.nodes.first(), view.nodes.last()].map(Option::unwrap);
        assert_eq!(&view.shown[0], ends[0], "{asked}");
        assert!(
            view.shown[..3].contains(ends[1]),
            "{asked}: {:?}",
            view.shown
        );
    }
}
