//! Where reports say that they come from: the command in them gives them again, and nothing in it is left open.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use testbenches::testbench::bench;
use testbenches::testbench::bench::Testbench;
use testbenches::testbench::parameter::{Kind, Parameter, Scope};

use crate::common::sample::{ends_of_choices, quietly, ran};
use crate::suite::reports::but_for_time_and_files;

/// The words of a command behind the name of its testbench.
pub fn words_of(command: &str, bench: &Testbench) -> String {
    let words = shlex::split(command).unwrap();
    assert_eq!(words[..3], ["cubewave", "run", bench.name], "{command}");
    words[3..].join(" ")
}

#[test]
fn the_command_of_a_report_is_that_of_its_own_report() {
    for (sampled, report) in ran() {
        let meta = &report.meta;
        let command = meta.command.as_ref().unwrap();
        let words = words_of(command, sampled.bench);
        let (chosen, options) = sampled.bench.asked_with_options(&words).unwrap();
        let date = options.date.date().unwrap();
        let again = chosen.meta(&options, date);
        assert_eq!(again.command.as_ref(), Some(command));
        assert_eq!(again.parameters, meta.parameters, "{command}");
        let seed = meta.parameters.get("seed").and_then(Value::as_u64);
        assert_eq!(meta.seed, seed, "{command}");
        assert!(meta.sweep.is_none() && meta.date.is_some(), "{command}");
    }
}

/// What has no value stands in no report either: of what some algorithms, schedules and guests have and others do not, and of loads,
/// which are offered only if that is asked for, and measured for as long as it takes.
#[test]
fn nothing_is_left_open_in_what_a_report_says_of_its_parameters() {
    const LEFT: [&str; 8] = [
        "axes",
        "drain",
        "groups",
        "interval",
        "measurement",
        "offered_load",
        "packet_bits",
        "warm_up",
    ];
    let mut open = BTreeSet::new();
    for (sampled, report) in ran() {
        let chosen = sampled.chosen();
        let said = &report.meta.parameters;
        let is_said = |parameter: &Parameter| said.contains_key(parameter.name);
        for parameter in sampled.bench.parameters {
            let is_of_run = matches!(parameter.scope, Scope::Machine | Scope::Run);
            let has_value = !parameter.is_of_file() && !matches!(parameter.kind, Kind::Switch);
            let mut others = sampled.bench.parameters.iter();
            let is_apart = others.any(|other| {
                other.conflicts.contains(&parameter.name) && chosen.has(other)
                    || parameter.conflicts.contains(&other.name) && chosen.has(other)
            });
            if is_of_run && has_value && !is_apart && chosen.takes(parameter) && !is_said(parameter)
            {
                open.insert(parameter.name);
                let told = report.family.entry(parameter.name);
                // Groups decide how long packets are.
                let follows = parameter.name == "packet_bits" && said.contains_key("groups");
                assert!(told.is_null() || follows, "{}: {told}", sampled.name());
            }
        }
    }
    assert_eq!(open, BTreeSet::from(LEFT));
}

#[test]
fn the_command_of_a_report_gives_the_same_report() {
    let ends = ends_of_choices(256).into_iter().flatten();
    for (sampled, report) in ends {
        let words = words_of(report.meta.command.as_ref().unwrap(), sampled.bench);
        let again = bench::run(sampled.bench.asked(&words).unwrap(), &quietly()).unwrap();
        let [is, was] = [&again, report].map(but_for_time_and_files);
        assert_eq!(is, was, "{words}");
        assert_eq!(again.meta.command, report.meta.command);
    }
}

/// Of files, and where a message has several parts: their size is nowhere else.
#[test]
fn the_command_of_a_report_of_files_gives_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (name, text) in [
        ("short.csv", "node,value\n0,abc\n"),
        (
            "sends.csv",
            "step,from,to,packet\n0,0,1,0\n1,0,2,0\n1,1,3,0\n",
        ),
        ("samples.csv", "node,value\n0,3\n3,7\n3,7\n"),
        ("matrix.csv", "1,2,3,4\n5,6,7,8\n9,1,2,3\n4,5,6,7\n"),
        ("there.csv", "source,destination\n0,3\n1,2\n2,1\n3,0\n"),
    ] {
        std::fs::write(here.join(name), text).unwrap();
    }
    for line in [
        "send --dims 4 --destination 3",
        "send --dims 4 --destination 7 --message-bits 48 --start-up 2",
        "broadcast --dims 2 --values short.csv",
        "broadcast --dims 2 --values short.csv --sends sends.csv",
        "histogram --dims 2 --values samples.csv",
        "transpose --dims 2 --matrix matrix.csv",
        "permuted-send --dims 2 --permutation there.csv",
        "kuszmaul --dims 2 --batches 2 --traffic-file there.csv",
    ] {
        let report = |command: &str| {
            let words = shlex::split(command).unwrap();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (text, status) = printed(&words[1..], here);
            assert_eq!(status, Some(0), "{command}: {text}");
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let first = report(&format!("cubewave run {line} --format json --no-date"));
        let command = first["meta"]["command"].as_str().unwrap();
        assert_eq!(report(command), first, "{command}");
    }
}

/// What a command prints in a folder, and how it ends.
fn printed(words: &[&str], folder: &Path) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text, output.status.code())
}

#[test]
fn a_report_repeated_from_itself_is_the_same_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(
        here.join("my traffic.csv"),
        "source,destination,payload\n0,3,5\n3,0,7\n",
    )
    .unwrap();
    for line in [
        "run kuszmaul --dims 3 --wave w.vcd --trace-nodes 0,3 --trace-to 9 --deliveries d.csv",
        "run kuszmaul --dims 2 --traffic-file 'my traffic.csv'",
        "run kuszmaul --h 2 --dims 3 --picture p.html",
        "run send --dims 3 --message-bits 12 --start-up 2 --source 1",
        "run dispersal --cut-wires 2 --seed 9",
        "run wormhole --dims 3 --seed 2 --virtual-channels 1 --trace-to 40 --wave circle.vcd",
        "run broadcast --network reduced-hypercube --source 3",
        "run embedding --guest tree --both-ways",
        "measure kuszmaul --dims 2..4 --schedule plain,spread --seeds 2 --plot plot.svg",
        "measure kuszmaul --batches 2 --against spread --dims 2",
        "measure embedding --guest cycle --dims 4 --both-ways",
    ] {
        let words = shlex::split(line).unwrap();
        let words = words.iter().map(String::as_str);
        let words: Vec<&str> = words.chain(["--format", "json", "--no-date"]).collect();
        let (text, status) = printed(&words, here);
        assert!(status.is_some_and(|status| status < 2), "{line}");
        std::fs::write(here.join("report.json"), &text).unwrap();
        let files = || {
            let all = std::fs::read_dir(here).unwrap();
            let all = all.map(|file| file.unwrap().path());
            let mut all: Vec<_> = all
                .map(|path| (std::fs::read(&path).unwrap(), path))
                .collect();
            all.sort();
            all
        };
        let written = files();
        assert_eq!(
            printed(&["repeat", "report.json"], here),
            (text, status),
            "{line}"
        );
        assert!(files() == written, "{line}");
    }
}

/// What is no run says its command too, with nothing left open: it prints the same again.
#[test]
fn the_command_of_another_result_prints_the_same_again() {
    for line in [
        "verilog kuszmaul --dims 2 --payload-bits 3 --out v --format json --no-date",
        "verilog wormhole --dims 2 --message-bits 8 --virtual-channels 2 --rounds 3 --out w --format json --no-date",
        "topology ccc --dims 3 --format json --no-date",
        "topology reduced-hypercube --dims 2 --blocks 1 --format json --no-date",
        "embedding --guest grid --sides 3,3 --order greedy --format json --no-date",
        "embedding --format json --no-date",
    ] {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let words: Vec<&str> = line.split(' ').collect();
        let (text, status) = printed(&words, first.path());
        assert_eq!(status, Some(0), "{line}: {text}");
        let results = match serde_json::from_str(&text).unwrap() {
            Value::Array(rows) => rows,
            one => vec![one],
        };
        for result in results {
            assert_eq!(result["meta"]["date"], Value::Null, "{line}");
            let command = result["meta"]["command"].as_str().unwrap();
            let words = shlex::split(command).unwrap();
            let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            let again: Value = serde_json::from_str(&printed(&words, second.path()).0).unwrap();
            assert_eq!(again, result, "{command}");
        }
    }
}

/// The JSON that stands in a text between these.
fn between(text: &str, begin: &str, end: &str) -> Value {
    let (_, behind) = text.split_once(begin).unwrap();
    let (json, _) = behind.split_once(end).unwrap();
    let json = json.trim().replace("&quot;", "\"");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Dumps, their views, pages, images, plots and projects say what the report says, and a command that gives them again without what was
/// only printed.
#[test]
fn all_that_is_written_says_where_it_comes_from() {
    const DATE: &str = "2001-09-09T01:46:40Z";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let given = |line: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(line.split(' '))
            .current_dir(here)
            .env("SOURCE_DATE_EPOCH", "1000000000")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let text = |name: &str| std::fs::read_to_string(here.join(name)).unwrap();
    let mut met = 0;
    let mut compare = |is: &Value, meta: &Value, command: &str, what: &str| {
        let mut due = meta.clone();
        due["command"] = command.into();
        due.as_object_mut().unwrap().remove("sweep");
        assert_eq!(is, &due, "{what}");
        assert_eq!(is["date"], DATE, "{what}");
        met += 1;
    };
    for (bench, [dump, picture]) in [
        ("kuszmaul", ["k.vcd", "k.html"]),
        ("wormhole", ["w.vcd", "w.svg"]),
        ("broadcast", ["b.fst", "b.html"]),
    ] {
        let line = format!(
            "run {bench} --dims 2 --seed 3 --wave {dump} --trace-nodes 0,1 --trace-to 9 --picture {picture} --log log.csv"
        );
        let meta = &given(&format!("{line} --format json"))["meta"];
        let command = meta["command"].as_str().unwrap();
        let command = command
            .strip_suffix(" --log log.csv --format json")
            .unwrap();
        let view = dump.rsplit_once('.').unwrap().0;
        for (name, comment) in [
            (format!("{view}.gtkw"), "[*] {"),
            (format!("{view}.surfer.sucl"), "# {"),
        ] {
            let all = text(&name);
            let line = all.lines().find(|line| line.starts_with(comment)).unwrap();
            let json = &line[comment.len() - 1..];
            compare(&serde_json::from_str(json).unwrap(), meta, command, &name);
        }
        let read = wellen::simple::read(here.join(dump)).unwrap();
        assert_eq!(read.hierarchy().date(), DATE);
        if dump.ends_with(".vcd") {
            let head = text(dump);
            let comment = between(&head[head.find("{\"schema\"").unwrap()..], "", "$end");
            compare(&comment, meta, command, dump);
        }
        let drawn = text(picture);
        let is = match picture.ends_with(".svg") {
            true => between(&drawn, "<metadata>", "</metadata>"),
            false => between(&drawn, "id=\"meta\">", "</script>"),
        };
        compare(&is, meta, command, picture);
    }
    let rows = given("measure kuszmaul --dims 2..3 --seed 4 --plot p.svg --format json");
    let plot = between(&text("p.svg"), "<metadata>", "</metadata>");
    assert_eq!(plot["command"], rows[0]["meta"]["sweep"]);
    assert_eq!(plot["date"], DATE);
    std::fs::create_dir(here.join("projects")).unwrap();
    for bench in ["kuszmaul", "wormhole", "broadcast"] {
        let line = format!("verilog {bench} --dims 2 --out projects/{bench} --format json");
        let meta = &given(&line)["meta"];
        let command = meta["command"].as_str().unwrap();
        let command = command.replace(" --out projects/", " --out ");
        let command = command.strip_suffix(" --format json").unwrap();
        let file = serde_json::from_str(&text(&format!("projects/{bench}/meta.json"))).unwrap();
        compare(&file, meta, command, bench);
    }
    assert_eq!(met, 3 * 3 + 2 + 3);
}

/// Where messages are created without end, those that were on their way at the end arrive, too.
#[test]
fn what_arrived_of_an_offered_load_arrives_again() {
    let folder = tempfile::tempdir().unwrap();
    let deliveries = |words: &str| {
        let line = format!("run wormhole --dims 3 {words} --deliveries -");
        let (text, _) = printed(&line.split(' ').collect::<Vec<_>>(), folder.path());
        text
    };
    let first = deliveries("--offered-load 0.1 --seed 4");
    std::fs::write(folder.path().join("arrived.csv"), &first).unwrap();
    let again = deliveries("--traffic-file arrived.csv");
    // The number of a message is its place in the traffic.
    let rows = |text: &str| -> BTreeSet<Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.records().map(Result::unwrap);
        let cells = rows.map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>());
        cells
            .map(|mut cells| {
                cells.remove(9);
                cells
            })
            .collect()
    };
    let (first, again) = (rows(&first), rows(&again));
    let arrived: Vec<_> = first.iter().filter(|cells| !cells[3].is_empty()).collect();
    assert!(arrived.len() > 50 && arrived.len() < first.len());
    assert!(arrived.iter().all(|cells| again.contains(*cells)));
    assert_eq!(again.len(), first.len());
}

/// What arrived is traffic again, and gives the same deliveries.
#[test]
fn deliveries_fed_back_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for machine in [
        "kuszmaul --dims 4 --schedule radix4",
        "kuszmaul --h 3 --dims 3",
        "bitonic --dims 4",
        "radix --dims 3",
        "packing --dims 4",
        "wormhole --dims 3",
        "kuszmaul --batches 3 --dims 3",
        "packing --processors 3 --dims 3",
        "broadcast --dims 3 --message-bits 32",
    ] {
        let deliveries = |words: &str| {
            let line = format!("run {machine} {words} --deliveries -");
            let (text, status) =
                printed(&line.split_whitespace().collect::<Vec<_>>(), folder.path());
            assert_eq!(status, Some(0), "{line}: {text}");
            text
        };
        let first = deliveries("--seed 4");
        assert!(first.lines().count() > 4, "{machine}: {first}");
        std::fs::write(folder.path().join("arrived.csv"), &first).unwrap();
        // Of messages to one node, those that are sent first in a file stand first.
        let again = match machine.starts_with("broadcast") {
            true => deliveries("--values arrived.csv"),
            false => deliveries("--traffic-file arrived.csv"),
        };
        let [first, again] = [&first, &again].map(|text| text.lines().collect::<BTreeSet<_>>());
        assert_eq!(again, first, "{machine}");
    }
}
