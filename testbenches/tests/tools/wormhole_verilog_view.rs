//! The views of what an exported machine of worms dumps in Icarus: GTKWave and Surfer find every row, and what the rows say is what
//! those of the same name say in a waveform of `run`, one bit time earlier. Needs `iverilog`, `gtkwave` and a virtual display; without
//! them it fails.

use crate::common::gtkwave;
use crate::common::surfer;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use surfer::{Surfer, What};
use wellen::{TimeTableIdx, simple};

/// Ticks of a bit time, by which a dump of Verilog is later.
const LATER: u64 = 10;

fn tool(folder: &Path, program: &str, arguments: &str) {
    let output = Command::new(program)
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed here: {error}"));
    assert!(output.status.success(), "{arguments}: {output:?}");
}

/// The paths of variables, by the place of their node and by their name in the view.
fn paths(view: &Surfer) -> HashMap<(usize, String), String> {
    let (mut node, mut paths) = (0, HashMap::new());
    for row in &view.rows {
        match &row.what {
            What::Divider => node += 1,
            What::Variable(path) => {
                // A link's block is called `cross_link`: `cross` alone is a word of SystemVerilog.
                let name = row.name.replace("_link ", " ");
                paths.insert((node, name), path.clone());
            }
            What::Group => {}
        }
    }
    paths
}

/// What a variable is at these ticks.
fn values(dump: &mut simple::Waveform, path: &str, ticks: &[u64]) -> Vec<String> {
    let mut scopes: Vec<&str> = path.split('.').collect();
    let name = scopes.pop().unwrap();
    let hierarchy = dump.hierarchy();
    let signal = hierarchy[hierarchy.lookup_var(&scopes, name).unwrap()].signal_ref();
    dump.load_signals(&[signal]);
    let times = dump.time_table();
    let at = |tick: &u64| {
        let behind = times.partition_point(|time| time <= tick);
        let signal = dump.get_signal(signal).unwrap();
        let place = signal.get_offset((behind - 1) as TimeTableIdx).unwrap();
        signal.get_value_at(&place, 0).to_bit_string().unwrap()
    };
    ticks.iter().map(at).collect()
}

#[test]
fn the_way_of_a_worm_in_verilog() {
    for (machine, network) in [
        ("--network ccc --dims 3", "ccc"),
        ("--network ccc --dims 2 --switch weak", "ccc"),
        ("--network copies --dims 2", "cube"),
        ("--network ecube --dims 2", "cube"),
        ("--network valiant --dims 2", "cube"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let cubewave = |arguments: &str| {
            let program = env!("CARGO_BIN_EXE_cubewave");
            tool(folder.path(), program, arguments);
        };
        cubewave(&format!(
            "verilog wormhole {machine} --rounds 2 --out project"
        ));
        cubewave(&format!("run wormhole {machine} --wave run.vcd"));
        let project = folder.path().join("project");
        let files = format!("-g2005 -o tb.vvp node.v {network}.v tb.v");
        tool(&project, "iverilog", &files);
        tool(&project, "vvp", "tb.vvp +vcd");
        let dump = project.join("tb.vcd");
        gtkwave::shows_all(&dump, (&format!("tb.{network}."), 100), &[]);

        let exported = Surfer::shows(&dump, &project.join("tb.surfer.sucl"));
        let run = folder.path().join("run.vcd");
        let simulated = Surfer::shows(&run, &run.with_extension("surfer.sucl"));
        let later = |(name, tick): &(String, u64)| (name.clone(), tick + LATER);
        let markers: Vec<_> = simulated.markers.iter().map(later).collect();
        assert!(exported.markers.len() > 1, "{machine}");
        // Screens differ in length, and so do marks that would lie over each other.
        let is_in_both = exported
            .markers
            .iter()
            .filter(|marker| markers.contains(marker));
        assert!(
            is_in_both.count() + 1 >= exported.markers.len(),
            "{machine}"
        );
        let ticks: Vec<u64> = simulated.markers.iter().map(|(_, tick)| *tick).collect();
        assert!(ticks.len() > 1, "{machine}");
        let ticks_later: Vec<u64> = ticks.iter().map(|tick| tick + LATER).collect();

        let mut dumps = [&dump, &run].map(|dump| simple::read(dump).unwrap());
        let (of_run, mut compared, mut differs) = (paths(&simulated), 0, 0);
        for (row, path) in paths(&exported) {
            let Some(twin) = of_run.get(&row) else {
                // The simulator has a host for each switch, the module a bit for each.
                assert!(row.1.starts_with("host ") || row.1 == "reset", "{row:?}");
                continue;
            };
            let [verilog, run] = &mut dumps;
            let found = values(verilog, &path, &ticks_later);
            assert_eq!(found, values(run, twin, &ticks), "{machine}: {row:?}");
            compared += 1;
            differs += usize::from(found.iter().any(|value| *value != found[0]));
        }
        assert!(
            compared > 60 && differs > 5,
            "{machine}: {compared}, {differs}"
        );
    }
}

/// Both open where the circle closes, which is long before the end.
#[test]
fn an_exported_deadlock_is_seen_where_its_circle_closes() {
    let folder = tempfile::tempdir().unwrap();
    let opens_on = |arguments: &str, view: &str| {
        let machine = "wormhole --network ccc --dims 3 --virtual-channels 1 --seed 3";
        let words = arguments.replace("MACHINE", machine);
        let ran = Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(words.split(' '))
            .current_dir(folder.path())
            .output();
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
    let arguments = "verilog wormhole --network butterflies --dims 4 --rounds 1 --out project";
    tool(folder.path(), env!("CARGO_BIN_EXE_cubewave"), arguments);
    let project = folder.path().join("project");
    let stop = "module stop; initial #100 $finish(0); endmodule\n";
    std::fs::write(project.join("stop.v"), stop).unwrap();
    tool(
        &project,
        "iverilog",
        "-g2005 -o tb.vvp node.v cube.v tb.v stop.v",
    );
    tool(&project, "vvp", "tb.vvp +vcd");
    let dump = project.join("tb.vcd");
    gtkwave::shows_all(&dump, ("tb.cube.", 100), &[]);
    let view = Surfer::shows(&dump, &project.join("tb.surfer.sucl"));
    assert!(paths(&view).values().any(|path| path.contains("relay")));
}

/// As of routers in lockstep: an edited view is kept, and the project's README names the new one.
#[test]
fn an_edited_view_of_a_project_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let export = || {
        let arguments = "verilog wormhole --dims 2 --rounds 1 --out . --force";
        tool(folder.path(), env!("CARGO_BIN_EXE_cubewave"), arguments);
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
