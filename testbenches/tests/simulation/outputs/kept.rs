//! What a run keeps of the files that stand where it writes: their permissions, and views that somebody edited.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::outputs::KUSZMAUL;
use crate::outputs::folder::{Folder, is_refused, text};

#[test]
fn what_is_replaced_keeps_its_permissions() {
    let folder = Folder::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let names = [
        "run.vcd",
        "run.gtkw",
        "run.step.filter",
        "run.surfer.sucl",
        "arrived.csv",
    ];
    let run = format!("{KUSZMAUL} --wave run.vcd --deliveries arrived.csv");
    assert!(folder.run(&run).status.success());
    assert!(
        folder
            .run("verilog kuszmaul --dims 2 --out project")
            .status
            .success()
    );
    for kept in [0o600, 0o664] {
        let paths = names.iter().map(|name| folder.path(name));
        let paths: Vec<PathBuf> = paths.chain([folder.path("project/tb.v")]).collect();
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(kept)).unwrap();
        }
        assert!(folder.run(&run).status.success());
        let export = "verilog kuszmaul --dims 2 --out project --force";
        assert!(folder.run(export).status.success());
        for path in &paths {
            assert_eq!(mode(path), kept, "{}", path.display());
        }
    }
}

/// One that nobody touched is replaced; one that somebody did is left, and the new one stands beside it.
#[test]
fn an_edited_view_is_kept() {
    let folder = Folder::new();
    let run = |options: &str| {
        let arguments = format!("{KUSZMAUL} --wave run.vcd {options}");
        let output = folder.run(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let usual = ["run.gtkw", "run.step.filter", "run.surfer.sucl", "run.vcd"];
    run("");
    let first = folder.read("run.gtkw");
    let report = run("--trace-nodes 5");
    assert_eq!(folder.files(), usual);
    assert_ne!(folder.read("run.gtkw"), first, "another view");
    assert!(!report.contains("kept"), "{report}");

    let edited = folder.read("run.gtkw").replace("-node_5", "-my node");
    fs::write(folder.path("run.gtkw"), &edited).unwrap();
    for _ in 0..2 {
        let report = run("--trace-nodes 6");
        assert_eq!(folder.read("run.gtkw"), edited);
        assert_eq!(
            folder.files(),
            [
                "run.gtkw",
                "run.new.gtkw",
                "run.new.step.filter",
                "run.new.surfer.sucl",
                "run.step.filter",
                "run.surfer.sucl",
                "run.vcd"
            ]
        );
        let view = folder.read("run.new.gtkw");
        assert!(view.contains("[savefile] \"/cubewave/run.new.gtkw\"\n"));
        assert!(view.contains("[dumpfile] \"/cubewave/run.vcd\"\n"));
        assert!(view.contains("^1 /cubewave/run.new.step.filter\n"));
        assert!(view.contains("-node_6"));
        for line in [
            "  view    run.new.gtkw; to open both: gtkwave run.vcd run.new.gtkw\n",
            "  names   run.new.step.filter, of the steps; the view needs it beside it\n",
            "  kept    run.gtkw, which was edited, or is not cubewave's; so the view has another name\n",
        ] {
            assert!(report.contains(line), "{line} in {report}");
        }
    }
    let report: serde_json::Value = serde_json::from_str(&run("--format json")).unwrap();
    assert_eq!(report["outputs"]["view"], "run.new.gtkw");
    assert_eq!(report["outputs"]["step_names"], "run.new.step.filter");
    assert_eq!(report["outputs"]["kept_view"], "run.gtkw");

    // What is kept is no place for anything else.
    let output = folder.run(&format!("{KUSZMAUL} --wave run.vcd --deliveries run.gtkw"));
    is_refused(
        &output,
        "run.gtkw cannot be both the view that was edited and the deliveries",
    );
    assert_eq!(folder.read("run.gtkw"), edited);
}

/// The names of steps are edited as well, and a project has a view too.
#[test]
fn an_edited_filter_is_kept() {
    let folder = Folder::new();
    for (run, inside, dump) in [
        ("run kuszmaul --dims 2 --wave run.vcd", "", "run"),
        (
            "verilog kuszmaul --dims 2 --out project --force",
            "project/",
            "tb",
        ),
    ] {
        let name = |ending: &str| format!("{inside}{dump}{ending}");
        assert!(folder.run(run).status.success());
        let edited = folder
            .read(&name(".step.filter"))
            .replace("1_cross", "mine");
        fs::write(folder.path(&name(".step.filter")), &edited).unwrap();
        let before = folder.read(&name(".gtkw"));
        let output = folder.run(run);
        let report = text(&output.stdout);
        assert!(output.status.success());
        assert_eq!(folder.read(&name(".step.filter")), edited);
        assert_eq!(folder.read(&name(".gtkw")), before);
        assert!(folder.read(&name(".new.step.filter")).contains("1_cross"));
        assert!(
            folder
                .read(&name(".new.gtkw"))
                .contains(&format!("{dump}.new.step.filter"))
        );
        let kept = report.lines().find(|line| line.trim().starts_with("kept "));
        assert!(kept.unwrap().contains(&name(".step.filter")), "{report}");
    }
    let readme = folder.read("project/README.md");
    assert!(readme.contains("gtkwave tb.vcd tb.new.gtkw"), "{readme}");
}

/// Whatever it holds, and whatever is written.
#[test]
fn what_is_read_is_not_written_over() {
    let folder = Folder::new();
    let put = |name: &str, text: &str| fs::write(folder.path(name), text).unwrap();
    fs::create_dir(folder.path("project")).unwrap();
    put("ring.csv", "from,to\n0,1\n1,0\n");
    put("project/node.v", "from,to\n0,1\n1,0\n");
    put("values.csv", "node,value\n0,a5\n");
    put("sends.csv", "step,from,to,packet\n0,0,1,0\n");
    put("traffic.csv", "source,destination\n0,1\n");
    for (words, why) in [
        (
            "run wormhole --network-file ring.csv --deliveries ring.csv",
            "ring.csv cannot be both the network and the deliveries",
        ),
        (
            "run wormhole --traffic-file traffic.csv --log traffic.csv",
            "traffic.csv cannot be both the traffic and the log of messages",
        ),
        (
            "run broadcast --dims 1 --values values.csv --results values.csv",
            "values.csv cannot be both the message and the results",
        ),
        (
            "run broadcast --dims 1 --sends sends.csv --log sends.csv",
            "sends.csv cannot be both the list of sends and the log of messages",
        ),
        (
            "run broadcast --dims 1 --sends sends.csv --values sends.csv",
            "sends.csv cannot be both the message and the list of sends",
        ),
        (
            "run kuszmaul --dims 1 --traffic-file traffic.csv --deliveries traffic.csv",
            "traffic.csv cannot be both the traffic and the deliveries",
        ),
        (
            "verilog wormhole --network-file project/node.v --out project --force",
            "project/node.v cannot be both the network and a file of the project",
        ),
    ] {
        is_refused(&folder.run(words), why);
    }
    assert_eq!(folder.read("ring.csv"), "from,to\n0,1\n1,0\n");
    assert_eq!(folder.read("project/node.v"), folder.read("ring.csv"));
}
