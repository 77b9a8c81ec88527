//! Pictures of runs: every testbench can be drawn, and what is drawn is what ran.

use crate::common::dump;
mod harm;
mod numbers;
mod wave;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn cubewave(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The picture's data.
fn scene(folder: &Path, arguments: &str) -> Value {
    let ran = cubewave(folder, &format!("run {arguments} --picture run.html"));
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(
        ran.status.code().is_some_and(|code| code < 2),
        "{arguments}: {said}"
    );
    let page = std::fs::read_to_string(folder.join("run.html")).unwrap();
    let data = page.split("id=\"run\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

/// Names of messages, and the nodes that each visits.
fn visits(scene: &Value) -> BTreeMap<String, Vec<u64>> {
    let routes = scene["routes"].as_array().unwrap();
    let each = routes.iter().map(|route| {
        let stays = route["stays"].as_array().unwrap();
        let nodes = stays.iter().map(|stay| stay[0].as_u64().unwrap());
        (route["name"].as_str().unwrap().to_owned(), nodes.collect())
    });
    each.collect()
}

/// With a waveform beside it all nodes tick; without one, a program shows what is on their wires.
#[test]
fn a_picture_is_the_same_beside_a_waveform() {
    let folder = tempfile::tempdir().unwrap();
    // Of a prearranged operation a program shows wires; what is worth a waveform of worms is known when they have gone.
    for (run, wave) in [
        (
            "gather --dims 12 --message-bits 1 --start-up 1",
            " --trace-nodes 0",
        ),
        (
            "wormhole --dims 3 --offered-load 0.1 --warm-up 200 --measurement 400",
            "",
        ),
        ("wormhole --dims 4 --virtual-channels 1", ""),
        (
            "wormhole --dims 2 --network mesh --radix 5 --routing adaptive",
            "",
        ),
    ] {
        let mut scenes = ["".to_owned(), format!(" --wave run.vcd{wave}")].map(|beside| {
            let mut scene = scene(folder.path(), &format!("{run}{beside}"));
            scene["command"].take();
            scene
        });
        let [alone, beside] = &mut scenes;
        assert_eq!(alone, beside, "{run}");
        let has_waves = alone["waves"]["rows"]
            .as_array()
            .is_some_and(|rows| !rows.is_empty());
        assert_eq!(has_waves, run.starts_with("wormhole"), "{run}");
    }
    let shown = scene(
        folder.path(),
        "gather --dims 12 --message-bits 1 --start-up 1",
    );
    let cells = shown["cells"].as_array().unwrap();
    assert!(cells.iter().any(|row| row[0].is_array() || row[0].is_u64()));
}

#[test]
fn every_testbench_is_drawn() {
    for name in testbenches::families::names() {
        let folder = tempfile::tempdir().unwrap();
        let ran = cubewave(
            folder.path(),
            &format!("run {name} --picture run.svg --format json"),
        );
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| {
            panic!("{name}: {error}: {}", String::from_utf8_lossy(&ran.stderr))
        });
        assert_eq!(report["outputs"]["picture"], "run.svg", "{name}");
        assert!(report.get("route").is_none(), "{name}: nobody asked");
        let drawn = std::fs::read_to_string(folder.path().join("run.svg")).unwrap();
        assert!(
            drawn.starts_with("<svg") || drawn.starts_with("<?xml"),
            "{name}"
        );
        assert!(
            drawn.trim_end().ends_with("</svg>") && drawn.len() < 4_000_000,
            "{name}"
        );
    }
}

/// A page has the report of its run, but for what it took and for the files.
#[test]
fn a_page_has_the_figures_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    for bench in ["kuszmaul", "wormhole", "broadcast", "reduce", "dispersal"] {
        let ran = cubewave(folder.path(), &format!("run {bench} --picture run.html"));
        let printed = String::from_utf8(ran.stdout).unwrap();
        let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
        let report = page.split_once("<pre id=\"report\">").unwrap().1;
        let report = report.split_once("</pre>").unwrap().0;
        let mut report = report.replace("&gt;", ">").replace("&lt;", "<");
        report = report
            .replace("&#39;", "'")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
        let is_of_this_run =
            |line: &&str| !line.starts_with("  memory") && !line.starts_with("  ticking took");
        let printed = printed.lines().skip(3).filter(is_of_this_run);
        let printed: Vec<&str> = printed.take_while(|line| *line != "written").collect();
        let report: Vec<&str> = report.lines().collect();
        assert!(report.len() > 12, "{report:?}");
        assert_eq!(
            report.join("\n").trim_end(),
            printed.join("\n").trim_end(),
            "{bench}"
        );
    }
}

/// The page knows the route of every message, and every route has the message's ends.
#[test]
fn a_page_has_the_route_of_every_message() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, messages) in [
        ("kuszmaul --dims 3 --load 1", 8),
        ("kuszmaul --schedule radix4 --dims 4 --load 1", 16),
        ("packing --dims 4 --load 0.5", 8),
        ("bitonic --dims 3 --load 0.5", 4),
        ("kuszmaul --batches 2 --dims 3 --load 1", 16),
        ("wormhole --network hypercube --dims 3 --load 1", 8),
    ] {
        let visits = visits(&scene(folder.path(), arguments));
        assert_eq!(visits.len(), messages, "{arguments}");
        for (name, nodes) in visits {
            let ends = name.split('/').next().unwrap().split_once("->").unwrap();
            for end in [ends.0, ends.1] {
                assert!(
                    nodes.contains(&end.parse().unwrap()),
                    "{arguments}, {name}: {nodes:?}"
                );
            }
        }
    }
}

/// Where a node sends several, the name ends with which of them it is, from 0 on.
#[test]
fn messages_of_a_batch_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let names = visits(&scene(
        folder.path(),
        "kuszmaul --batches 2 --dims 3 --load 1",
    ));
    for slot in ["/0", "/1"] {
        let of_slot = names.keys().filter(|name| name.ends_with(slot));
        let sources: Vec<&str> = of_slot
            .map(|name| name.split("->").next().unwrap())
            .collect();
        assert_eq!(sources, ["0", "1", "2", "3", "4", "5", "6", "7"], "{slot}");
    }
}

#[test]
fn the_message_that_is_asked_for_is_chosen_from_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        ("kuszmaul --dims 4 --load 1", "5"),
        ("wormhole --network hypercube --dims 3 --load 1", "5"),
    ] {
        let scene = scene(
            folder.path(),
            &format!("{arguments} --trace-message {message}"),
        );
        let shown = scene["shown"].as_u64().unwrap() as usize;
        let name = scene["routes"][shown]["name"].as_str().unwrap();
        assert!(name.starts_with("5->"), "{arguments}: {name}");
    }
}

/// Of messages that are prearranged too; of an embedding an edge is called by its vertices.
#[test]
fn a_prearranged_message_is_chosen_by_its_name_or_its_number() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, asked, shown) in [
        ("scatter --dims 3", "0->5", "0->5"),
        ("scatter --dims 3", "4", "0->5"),
        ("gather --dims 3 --source 2", "7->2", "7->2"),
        ("all-to-all --dims 3", "3->6", "3->6"),
        ("all-gather --dims 3", "3->6", "3->all"),
        ("permuted-send --dims 3 --permutation bitcomp", "1", "1->6"),
        ("embedding --guest cycle --dims 4", "2->3", "e2: 2->3 on "),
        (
            "dispersal --dims 4 --needed 2 --message-bits 16",
            "7",
            "e7: ",
        ),
        ("relaxation --dims 4 --points 16", "3", "e3: "),
    ] {
        let scene = scene(
            folder.path(),
            &format!("{arguments} --trace-message {asked}"),
        );
        let number = scene["shown"].as_u64().unwrap() as usize;
        let name = scene["routes"][number]["name"].as_str().unwrap();
        assert!(name.starts_with(shown), "{arguments}: {name}");
    }
}

/// By sender and receiver: the first bit time, and of what goes whole the one after the last and how many there are.
type Crossings = BTreeMap<(String, String), (u64, Option<(u64, u64)>)>;

/// The route that a report has of a message is the route that its page draws.
#[test]
fn a_route_is_told_as_it_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, is_worm) in [
        (
            "kuszmaul --dims 4 --schedule plain --trace-message 3",
            false,
        ),
        (
            "kuszmaul --dims 6 --schedule radix4 --trace-message 9",
            false,
        ),
        ("kuszmaul --dims 3 --batches 2 --trace-message 5", false),
        ("bitonic --dims 4 --trace-message 3", false),
        ("all-to-all --dims 3 --trace-message 3->6", false),
        ("wormhole --network ccc --dims 3 --trace-message 3", true),
        (
            "wormhole --dims 3 --offered-load 0.05 --trace-message 3",
            true,
        ),
        (
            "wormhole --network hypercube --dims 3 --trace-message 1",
            true,
        ),
        ("wormhole --network copies --dims 6 --trace-message 3", true),
    ] {
        let arguments = format!("{arguments} --picture run.html");
        let scene = scene(
            folder.path(),
            arguments.trim_end_matches(" --picture run.html"),
        );
        let ran = cubewave(folder.path(), &format!("run {arguments} --format json"));
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let mut told = Crossings::new();
        for hop in report["route"]["hops"].as_array().unwrap() {
            let name = |end: &str| hop[end].as_str().unwrap().to_owned();
            let first = hop["first_bit_time"].as_u64().unwrap();
            let rest = hop["last_bit_time"].as_u64().zip(hop["bit_times"].as_u64());
            assert_eq!(rest.is_none(), is_worm, "{arguments}");
            let of_wire = told
                .entry((name("from"), name("to")))
                .or_insert((first, None));
            if let Some((last, bit_times)) = rest {
                let before = of_wire.1.map_or(0, |(_, before)| before);
                of_wire.1 = Some((last + 1, before + bit_times));
            }
        }
        let shown = scene["shown"].as_u64().unwrap() as usize;
        let route = &scene["routes"][shown];
        let mut drawn = Crossings::new();
        for crossing in route["crossings"].as_array().unwrap() {
            let number = |at: usize| crossing[at].as_u64().unwrap();
            // Hypercubes have no other names than numbers.
            let name = |at: usize| {
                let number = number(at).to_string();
                let named = scene["names"].get(&number).and_then(Value::as_str);
                named.map_or(number.clone(), str::to_owned)
            };
            let (from, to) = (number(2), number(3));
            let wire = (name(0), name(1));
            if wire.0 == wire.1 {
                continue;
            }
            let of_wire = drawn.entry(wire).or_insert((from, None));
            if !is_worm {
                let before = of_wire.1.map_or(0, |(_, before)| before);
                of_wire.1 = Some((to, before + to - from));
            }
        }
        assert!(!told.is_empty(), "{arguments}");
        assert_eq!(told, drawn, "{arguments}");
        assert_eq!(report["route"]["message"], route["name"], "{arguments}");
    }
}

/// When a message has arrived is what the deliveries say of it: of one in pieces, when all of them have.
#[test]
fn a_route_ends_when_its_message_is_delivered() {
    let folder = tempfile::tempdir().unwrap();
    for network in ["hypercube", "hypercube --routing valiant", "copies"] {
        let arguments = format!(
            "run wormhole --network {network} --trace-message 3 --format json --deliveries d.csv"
        );
        let ran = cubewave(folder.path(), &arguments);
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let deliveries = std::fs::read_to_string(folder.path().join("d.csv")).unwrap();
        let route = &report["route"];
        let ends = route["message"].as_str().unwrap().split_once("->").unwrap();
        let mut rows = deliveries.lines();
        let header: Vec<&str> = rows.next().unwrap().split(',').collect();
        let place = |name: &str| header.iter().position(|one| *one == name).unwrap();
        let mut rows = rows.map(|row| row.split(',').collect::<Vec<_>>());
        let row = rows
            .find(|row| (row[place("source")], row[place("node")]) == ends)
            .unwrap();
        let arrived = route["arrived"].to_string();
        assert_eq!(arrived, row[place("bit_time")], "{network}");
    }
}

/// Neither time in which nothing is under way nor nodes that a waveform has keep the route of a message.
#[test]
fn a_route_is_told_after_a_long_pause_and_beside_other_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let late = "source,destination,time\n0,9,0\n1,9,400000000\n";
    std::fs::write(folder.path().join("late.csv"), late).unwrap();
    let route = |arguments: &str| {
        let ran = cubewave(
            folder.path(),
            &format!("run wormhole {arguments} --format json"),
        );
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        report["route"].clone()
    };
    let late = route("--dims 4 --traffic-file late.csv --trace-message 1");
    assert!(late["arrived"].as_u64().unwrap() > 400_000_000, "{late}");
    let alone = route("--dims 4 --trace-message 0");
    let beside = route("--dims 4 --trace-message 0 --wave w.vcd --trace-nodes 3_15");
    assert_eq!(beside, alone);
    // It is created, and never sent.
    let stuck = "--dims 4 --virtual-channels 1 --offered-load 0.6 --trace-message 100";
    let stuck = cubewave(folder.path(), &format!("run wormhole {stuck}"));
    let printed = String::from_utf8_lossy(&stuck.stdout);
    assert!(
        printed.contains("  arrived  not in this run\n"),
        "{printed}"
    );
}

#[test]
fn a_deadlock_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = "wormhole --network ccc --dims 3 --virtual-channels 1 --seed 3 --load 1";
    let circle = &scene(folder.path(), stuck)["circle"];
    assert_eq!(circle["since"], 18);
    assert_eq!(circle["nodes"].as_array().unwrap().len(), 10);
    let sentence = circle["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("2_0->0_2 at 1_0 waits for 1_0->1_3 at 1_2"),
        "{sentence}"
    );
    let free = scene(folder.path(), "wormhole --dims 3 --seed 3 --load 1");
    assert!(free["circle"].is_null());
}

/// One worm may hold several channels of the circle, the first and the last of it too.
#[test]
fn each_message_of_a_deadlock_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = "wormhole --dims 4 --seed 2 --virtual-channels 1 --buffer-bits 4";
    let circle = &scene(folder.path(), stuck)["circle"];
    assert_eq!(circle["nodes"].as_array().unwrap().len(), 4);
    let sentence = circle["sentence"].as_str().unwrap();
    let (_, told) = sentence.split_once(": ").unwrap();
    let told = told.strip_suffix(" again.").unwrap();
    let named = |words: &str| words.split(" at ").next().unwrap().to_owned();
    let names: Vec<String> = told
        .split(" waits for ")
        .flat_map(|words| words.split(", which"))
        .filter(|words| !words.is_empty())
        .map(named)
        .collect();
    assert_eq!(names.len(), 3, "{sentence}");
    assert!(names[0] != names[1] && names[0] == names[2], "{sentence}");
}

/// The tracker's paths, in the deliveries, have every node that a worm comes to; some come to one twice.
#[test]
fn every_wire_that_a_worm_crosses_is_drawn() {
    const VALIANT: &str = "hypercube --routing valiant";
    for network in [VALIANT, "ccc", "hypercube", "torus --routing adaptive"] {
        let folder = tempfile::tempdir().unwrap();
        let drawn = scene(
            folder.path(),
            &format!("wormhole --network {network} --deliveries arrived.csv"),
        );
        let table = std::fs::read_to_string(folder.path().join("arrived.csv")).unwrap();
        let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let header = rows.next().unwrap();
        let column = header.iter().position(|name| *name == "path").unwrap();
        let mut paths: Vec<String> = rows.map(|row| row[column].to_owned()).collect();
        let routes = drawn["routes"].as_array().unwrap().iter();
        let crossed = routes.map(|route| {
            let crossings = route["crossings"].as_array().unwrap();
            for two in crossings.windows(2) {
                assert_eq!(two[0][1], two[1][0], "{network}: {route}");
            }
            let first = crossings
                .first()
                .map_or(&route["stays"][0][0], |one| &one[0]);
            let nodes = [first].into_iter();
            let nodes = nodes.chain(crossings.iter().map(|one| &one[1]));
            nodes.map(Value::to_string).collect::<Vec<_>>().join(">")
        });
        let mut crossed: Vec<String> = crossed.collect();
        let comes_back = |path: &String| {
            let mut nodes: Vec<&str> = path.split('>').collect();
            let all = nodes.len();
            nodes.sort_unstable();
            nodes.dedup();
            nodes.len() < all
        };
        assert!(network != VALIANT || paths.iter().any(comes_back));
        crossed.sort_unstable();
        paths.sort_unstable();
        assert_eq!(crossed, paths, "{network}");
    }
}

#[test]
fn a_picture_of_worms_says_which_network_they_are_on() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, title) in [
        (
            "--dims 3",
            "wormhole, network ccc, cube-connected cycles of 3 levels, traffic randperm, load 1",
        ),
        (
            "--network hypercube --dims 3",
            "wormhole, hypercube of 3 dimensions, routed in order of dimensions, traffic randperm, load 1",
        ),
    ] {
        let scene = scene(folder.path(), &format!("wormhole {arguments}"));
        assert_eq!(scene["title"], title);
    }
}

#[test]
fn a_run_of_no_bit_times_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(folder.path(), "wormhole --dims 3 --load 0 --wave run.vcd");
    assert_eq!(scene["bins"]["bit_times"], 1);
    assert!(folder.path().join("run.vcd").exists());
}

/// Where all routes would take too long, that of the message that is followed is drawn; where that would, too, none is.
#[test]
fn of_very_many_messages_few_routes_are_drawn() {
    for (dimensions, routes, whose) in [(8, 1, "other messages"), (9, 0, "messages")] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!("all-to-all --dims {dimensions} --message-bits 12");
        let scene = scene(folder.path(), &arguments);
        assert_eq!(scene["routes"].as_array().unwrap().len(), routes);
        let note = format!("The routes of {whose} are left out: finding them would take too long.");
        let notes = scene["notes"].as_array().unwrap();
        assert!(notes.iter().any(|said| *said == note), "{notes:?}");
    }
}

/// Under continuous injection too, where many are under way when the run ends.
#[test]
fn a_message_that_never_arrives_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        "wormhole --offered-load 0.3 --virtual-channels 1 --wave run.vcd --trace-message 60";
    let scene = scene(folder.path(), arguments);
    assert_eq!(scene["shown"], 60);
    let source = scene["routes"][60]["name"].as_str().unwrap();
    let source = source.split("->").next().unwrap();
    let save = std::fs::read_to_string(folder.path().join("run.gtkw")).unwrap();
    assert!(save.contains(&format!("-node_{source} ")), "{save}");
}

/// A run that is drawn gives the same report as one that is not, and one that cannot be drawn leaves nothing.
#[test]
fn a_picture_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let report = |more: &str| {
        let ran = cubewave(
            folder.path(),
            &format!("run kuszmaul --dims 4 --format json{more}"),
        );
        let mut report: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let report = report.as_object_mut().unwrap();
        for changing in ["outputs", "simulation_seconds", "meta"] {
            report.remove(changing);
        }
        report.clone()
    };
    assert_eq!(report(""), report(" --picture run.svg"));
    for refused in [
        "--picture run.png",
        "--dims 15 --picture big.html",
        "--picture nowhere/run.html",
        "--trace-message 1-->2 --picture run2.html",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let ran = cubewave(folder.path(), &format!("run kuszmaul {refused}"));
        assert_eq!(ran.status.code(), Some(2), "{refused}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{refused}"
        );
    }
}
