//! Views of exported machines of worms where they differ from those of others: a deadlock, relays, and one that somebody edited.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::surfer::{Surfer, What};
use crate::common::verilog::tool;

fn cubewave(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Both open where the circle closes, which is long before the end.
#[test]
fn an_exported_deadlock_is_seen_where_its_circle_closes() {
    let folder = tempfile::tempdir().unwrap();
    let opens_on = |arguments: &str, view: &str| {
        let machine = "wormhole --network ccc --dims 3 --virtual-channels 1 --seed 3";
        let ran = cubewave(folder.path(), &arguments.replace("MACHINE", machine));
        let save = std::fs::read_to_string(folder.path().join(view))
            .unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        let start = save
            .lines()
            .find_map(|line| line.strip_prefix("[timestart] "));
        start.unwrap().parse::<u64>().unwrap()
    };
    let exported = opens_on(
        "verilog MACHINE --rounds 1 --out project",
        "project/tb.gtkw",
    );
    let simulated = opens_on("run MACHINE --wave run.vcd", "run.gtkw");
    // A nanosecond is a bit time.
    assert_eq!(exported, simulated + 1000);
}

/// The smallest machine with relays is a large one: only its first bit times are dumped, which have all names.
#[test]
#[ignore = "long: the only machine that has relays"]
fn a_machine_with_relays_in_verilog() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "verilog wormhole --network butterflies --dims 6 --rounds 1 --out .";
    assert!(cubewave(folder.path(), arguments).status.success());
    let stop = "module stop; initial #100 $finish(0); endmodule\n";
    std::fs::write(folder.path().join("stop.v"), stop).unwrap();
    let files = "-g2005 -o tb.vvp node.v cube.v tb.v stop.v";
    assert!(tool(folder.path(), "iverilog", files).status.success());
    assert!(tool(folder.path(), "vvp", "tb.vvp +vcd").status.success());
    let view = folder.path().join("tb.surfer.sucl");
    let view = Surfer::shows(&folder.path().join("tb.vcd"), &view);
    let is_relay = |what: &What| matches!(what, What::Variable(path) if path.contains("relay"));
    assert!(view.rows.iter().any(|row| is_relay(&row.what)));
}

/// As of routers in lockstep: an edited view is kept, and the project's README names the new one.
#[test]
fn an_edited_view_of_a_project_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let export = || {
        let arguments = "verilog wormhole --dims 2 --rounds 1 --out . --force";
        assert!(cubewave(folder.path(), arguments).status.success());
    };
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    export();
    assert!(
        file("README.md").contains("\ngtkwave tb.vcd tb.gtkw\nsurfer tb.vcd -c tb.surfer.sucl\n")
    );
    let edited = file("tb.gtkw") + "@28\ntb.clk\n";
    std::fs::write(folder.path().join("tb.gtkw"), &edited).unwrap();
    export();
    assert_eq!(file("tb.gtkw"), edited);
    assert!(file("README.md").contains("\ngtkwave tb.vcd tb.new.gtkw\n"));
    assert!(!file("tb.new.gtkw").is_empty() && !file("tb.new.surfer.sucl").is_empty());
}
