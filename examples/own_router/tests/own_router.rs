//! All that docs/own-router.md promises of a router of one's own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use std::process::Command;

use serde_json::Value;

use program::{printed, program};

/// Each command of the page runs; what the page shows of its output is what it prints, where `[..]` is the rest of a line.
#[test]
fn the_page_is_true() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/own-router.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    let mut commands = 0;
    for step in blocks.flat_map(|block| block.split("$ ").skip(1)) {
        let (command, shown) = step.split_once('\n').unwrap();
        let arguments = command.strip_prefix("cargo run --release -p own_router -- ");
        let output = printed(&program(folder.path(), arguments.unwrap()));
        commands += 1;
        if shown.is_empty() {
            continue;
        }
        assert_eq!(shown.lines().count(), output.lines().count(), "{output}");
        for (line, printed) in shown.lines().zip(output.lines()) {
            match line.strip_suffix("[..]") {
                Some(start) => assert!(printed.starts_with(start), "{printed}"),
                None => assert_eq!(printed, line),
            }
        }
    }
    assert_eq!(commands, 3);
    for file in ["gossip.vcd", "gossip.gtkw", "gossip.svg", "gossip4/tb.v"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

/// Said once, it is an option of all commands, an axis with a column of its own, and refused out of range.
#[test]
fn its_own_option_is_one_of_runs_sweeps_plans_and_projects() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| printed(&program(folder.path(), arguments));
    let ones = |sure: &str| {
        let text = run(&format!("run gossip --dims 4 --load 0{sure}"));
        let (_, ones) = text.split_once("  ones           ").unwrap();
        ones.split(',').next().unwrap().to_owned()
    };
    assert_eq!([ones(""), ones(" --sure 9")], ["0", "1"]);
    let rows = run("measure gossip --dims 2,3 --sure 0..3 --format csv --plot sure.svg");
    let sure: Vec<&str> = {
        let place = rows.split(',').position(|name| name == "sure").unwrap();
        rows.lines()
            .map(|row| row.split(',').nth(place).unwrap())
            .collect()
    };
    assert_eq!(sure, ["sure", "0", "1", "2", "3", "0", "1", "2", "3"]);
    let others = run("measure enumeration --dims 2 --format csv");
    assert!(!others.contains(",sure,"), "{others}");
    let both = run("measure gossip,enumeration --dims 2 --sure 1 --format json");
    let both: Value = serde_json::from_str(&both).unwrap();
    assert_eq!(
        [&both[0]["sure"], &both[1]["sure"]],
        [&Value::from(1), &Value::Null]
    );
    for command in ["run gossip", "measure gossip", "plan gossip"] {
        let refused = program(folder.path(), &format!("{command} --dims 3 --sure 8"));
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(
            said.contains("--sure: 8 is out of range: choose 0 to 7"),
            "{said}"
        );
    }
    // Smaller machines, by which a plan goes, do not have the node.
    assert!(run("plan gossip --dims 20 --sure 70000").contains("it fits"));
    run("verilog gossip --dims 2 --sure 3 --out sure2");
    let readme = std::fs::read_to_string(folder.path().join("sure2/README.md")).unwrap();
    assert!(
        readme.contains("--dims 2 --sure 3 --traffic-file traffic.csv"),
        "{readme}"
    );
}

/// Said once, it is in the report and its checks, in rows of all that are measured together, in the table, and in the plot.
#[test]
fn its_own_reading_is_one_of_reports_rows_and_tables() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| printed(&program(folder.path(), arguments));
    let report: Value = serde_json::from_str(&run("run gossip --dims 3 --format json")).unwrap();
    assert_eq!(report["known"], 8);
    assert_eq!(report["known_formula"]["text"], "2^k");
    assert_eq!(report["checks"][0]["name"], "known");
    for order in ["gossip,enumeration", "enumeration,gossip"] {
        let rows = run(&format!("measure {order} --dims 2 --format csv"));
        let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let names = lines.next().unwrap();
        let place = names.iter().position(|name| *name == "known").unwrap();
        for row in lines {
            let due = if row[0] == "gossip" { "4" } else { "" };
            assert_eq!([row[place], row[place + 1]], [due, due], "{rows}");
            // The command that measured them has a list.
            assert_eq!(row.len(), names.len() + 1);
        }
    }
    let rows: Value =
        serde_json::from_str(&run("measure gossip,enumeration --dims 2 --format json")).unwrap();
    let form = serde_json::json!({ "value": 4, "text": "2^k" });
    assert_eq!(rows[0]["known_formula"], form);
    assert!(rows[1].get("known").is_none(), "{rows}");
    let schema: Value = serde_json::from_str(&run("schema gossip")).unwrap();
    let known = &schema["properties"]["known_formula"]["properties"];
    assert_eq!(known["text"]["column"], "known_text");
    let table = run("measure gossip --dims 2");
    assert!(table.contains("known  formula  checks"), "{table}");
    run("measure gossip --dims 2,3 --plot known.svg");
    let plot = std::fs::read_to_string(folder.path().join("known.svg")).unwrap();
    assert!(plot.contains("Nodes that know the parity"), "{plot}");
}

/// It is a testbench among the others.
#[test]
fn it_is_listed_measured_and_has_help() {
    let folder = tempfile::tempdir().unwrap();
    let list = printed(&program(folder.path(), "list"));
    assert!(
        list.contains("gossip") && list.contains("kuszmaul"),
        "{list}"
    );
    let help = printed(&program(folder.path(), "run gossip --help"));
    assert!(
        help.contains("--load") && !help.contains("--payload-bits"),
        "{help}"
    );
    let measure = "measure gossip --dims 1..6 --format csv --plot gossip.svg";
    let rows = printed(&program(folder.path(), measure));
    assert_eq!(rows.lines().count(), 7, "{rows}");
    let plot = std::fs::read_to_string(folder.path().join("gossip.svg")).unwrap();
    assert!(plot.contains("Bit times of a run"));
}

#[test]
#[cfg_attr(not(feature = "external_tools"), ignore = "it needs Icarus Verilog")]
fn its_verilog_passes_in_icarus_and_a_fault_fails() {
    let folder = tempfile::tempdir().unwrap();
    printed(&program(
        folder.path(),
        "verilog gossip --dims 4 --out gossip4",
    ));
    let project = folder.path().join("gossip4");
    let run = || {
        let tool = |program: &str, arguments: &str| {
            let tool = Command::new(program)
                .args(arguments.split(' '))
                .current_dir(&project)
                .output();
            tool.unwrap_or_else(|error| panic!("{program} is needed here: {error}"))
        };
        let compiled = tool(
            "iverilog",
            "-g2005 -Wall -o tb.vvp node.v sequencer.v cube.v tb.v",
        );
        assert!(compiled.status.success(), "{compiled:?}");
        tool("vvp", "tb.vvp")
    };
    assert!(printed(&run()).contains("PASS: 16 of 16 nodes"));
    let node = std::fs::read_to_string(project.join("node.v")).unwrap();
    let faulty = node.replacen('^', "&", 1);
    assert_ne!(node, faulty, "{node}");
    std::fs::write(project.join("node.v"), faulty).unwrap();
    assert!(!run().status.success());
}
