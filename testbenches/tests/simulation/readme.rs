//! What the README and the pages of `docs/` say that a command prints is what it prints; what they say that a node
//! stores is what it stores.

use std::path::Path;
use std::process::Command;

use testbenches::families::lockstep_benches;
use testbenches::lockstep::options::{Setup, VerilogOptions};
use testbenches::lockstep::verilog;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

/// Runs one `$` line of a page and returns what it prints.
fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("cubewave") => {
            let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
                .args(words)
                .current_dir(folder)
                .output()
                .unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            // A check that fails on purpose is printed.
            assert!(
                output.status.success() || printed.contains("FAIL"),
                "{command}"
            );
            printed
        }
        Some("cat") => std::fs::read_to_string(folder.join(words.next().unwrap())).unwrap(),
        _ => panic!("a page runs `{command}`"),
    }
}

/// Compares line by line; `[..]` stands for the rest of a line, a line `...` for any lines.
fn assert_matches(printed: &str, shown: &[&str], command: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        matches(&lines, shown),
        "{command} prints\n{printed}\nin place of\n{}",
        shown.join("\n")
    );
}

fn matches(printed: &[&str], shown: &[&str]) -> bool {
    let Some((&line, others)) = shown.split_first() else {
        return printed.is_empty();
    };
    if line == "..." {
        return (0..=printed.len()).any(|skipped| matches(&printed[skipped..], others));
    }
    let is_shown = |first: &str| match line.strip_suffix("[..]") {
        Some(start) => first.starts_with(start),
        None => first == line,
    };
    match printed.split_first() {
        Some((first, rest)) => is_shown(first) && matches(rest, others),
        None => false,
    }
}

/// Runs every console block of a page in a folder of its own; returns how many commands that were.
fn run_console_blocks(page: &str, folder: &Path) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    let page = std::fs::read_to_string(path).unwrap();
    let mut blocks = page.split("```");
    let mut commands = 0;
    blocks.next();
    while let (Some(block), Some(_prose)) = (blocks.next(), blocks.next()) {
        let (kind, content) = block.split_once('\n').unwrap();
        if let Some(file) = kind.strip_prefix("csv ") {
            std::fs::write(folder.join(file), content).unwrap();
        }
        if kind != "console" {
            continue;
        }
        for step in content.split("$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap();
            let shown: Vec<&str> = shown.lines().collect();
            assert_matches(&run(folder, command), &shown, command);
            commands += 1;
        }
    }
    commands
}

/// The plot that a command of a page wrote is the picture that the pages show.
fn assert_same_plot(folder: &Path, name: &str) {
    let shown = Path::new(DOCS).join("images").join(name);
    let written = std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(
        written == std::fs::read_to_string(shown).unwrap(),
        "docs/images/{name} is not what the command of the pages draws"
    );
}

/// Runs a page and looks for what it says that its commands write.
fn assert_true(page: &str, commands: usize, written: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_console_blocks(page, folder.path()), commands, "{page}");
    for file in written {
        assert!(folder.path().join(file).exists(), "{page}: {file}");
    }
    let drawn = [
        "bits.svg",
        "prearranged.svg",
        "throughput.svg",
        "relations.svg",
        "run.svg",
    ];
    for plot in drawn {
        if written.contains(&plot) {
            assert_same_plot(folder.path(), plot);
        }
    }
}

#[test]
fn every_console_block_of_the_readme_is_true() {
    assert_true(
        "README.md",
        7,
        &["kuszmaul.vcd", "kuszmaul.gtkw", "batches.gtkw", "run.svg"],
    );
}

#[test]
fn every_console_block_of_the_page_on_running_is_true() {
    assert_true("docs/running.md", 5, &["mine.vcd", "arrived.csv"]);
}

#[test]
fn every_console_block_of_the_tutorial_is_true() {
    let views = [
        "crossing.gtkw",
        "packing.gtkw",
        "step-3.gtkw",
        "bound.gtkw",
        "circle.gtkw",
        "cured.gtkw",
    ];
    assert_true("docs/tutorial.md", 6, &views);
}

#[test]
fn every_console_block_of_the_page_of_algorithm_2_is_true() {
    assert_true("docs/algorithm2.md", 2, &["example.vcd", "arrived.csv"]);
}

#[test]
fn every_console_block_of_the_page_of_radix4_is_true() {
    assert_true("docs/radix4.md", 1, &["radix4.gtkw"]);
}

#[test]
fn every_console_block_of_the_page_of_wormhole_routing_is_true() {
    assert_true("docs/wormhole.md", 2, &["worm.vcd", "deadlock.vcd"]);
}

#[test]
fn every_console_block_of_the_page_on_verilog_is_true() {
    assert_true("docs/verilog.md", 1, &["cube4"]);
}

#[test]
fn every_console_block_of_the_results_is_true() {
    assert_true("docs/results.md", 6, &["bits.svg"]);
}

#[test]
fn every_console_block_of_the_page_on_broadcasting_is_true() {
    assert_true(
        "docs/broadcast.md",
        6,
        &["broadcast.vcd", "broadcast.gtkw", "trees.svg"],
    );
}

#[test]
fn every_console_block_of_the_page_on_batches_is_true() {
    assert_true("docs/batches.md", 5, &["throughput.svg", "relations.svg"]);
}

#[test]
fn every_console_block_of_the_page_on_prearranged_communication_is_true() {
    assert_true("docs/collectives.md", 6, &["prearranged.svg"]);
}

#[test]
fn every_console_block_of_the_page_on_the_reduced_hypercube_is_true() {
    assert_true("docs/reduced-hypercube.md", 8, &["keys.csv", "sorted.csv"]);
}

#[test]
fn every_console_block_of_the_page_on_embeddings_is_true() {
    assert_true(
        "docs/embeddings.md",
        6,
        &["cut.csv", "dispersal.vcd", "dispersal.gtkw"],
    );
}

/// A page with console blocks is one of those above; the page of a router of one's own is run by that router's tests.
#[test]
fn no_page_with_console_blocks_is_left_out() {
    let mut with_blocks: Vec<String> = std::fs::read_dir(DOCS)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .filter(|entry| {
            let page = std::fs::read_to_string(entry.path()).unwrap();
            page.contains("\n```console\n")
        })
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    with_blocks.sort();
    let run = [
        "algorithm2.md",
        "batches.md",
        "broadcast.md",
        "collectives.md",
        "embeddings.md",
        "own-router.md",
        "radix4.md",
        "reduced-hypercube.md",
        "results.md",
        "running.md",
        "tutorial.md",
        "verilog.md",
        "wormhole.md",
    ];
    assert_eq!(with_blocks, run);
}

/// What a relative link of a page leads to is there.
#[test]
fn every_link_of_the_pages_leads_somewhere() {
    let root = Path::new(DOCS).parent().unwrap().to_owned();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    for entry in std::fs::read_dir(DOCS).unwrap() {
        pages.push(entry.unwrap().path());
    }
    let mut links = 0;
    for page in pages.into_iter().filter(|page| page.is_file()) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let leads = page.parent().unwrap().join(target).exists();
            let is_elsewhere = target.is_empty() || target.contains("://");
            assert!(leads || is_elsewhere, "{}: {target}", page.display());
            links += 1;
        }
    }
    assert!(links > 40, "{links} links");
}

/// The LUTs of the table depend on the version of Yosys; the flip-flops do not.
#[test]
fn the_flip_flops_in_the_table_of_areas_are_the_storage() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/area.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut rows = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(bench) = lockstep_benches().find(|bench| cells.get(1) == Some(&bench.name()))
        else {
            continue;
        };
        let number = |cell: usize| cells[cell].parse::<usize>().ok();
        let folder = tempfile::tempdir().unwrap();
        let options = VerilogOptions {
            setup: Setup {
                schedule: (cells[2] != "-").then(|| cells[2].to_owned()),
                dims: number(3),
                payload_bits: number(4),
                load: Some(1.0),
                ..Setup::default()
            },
            rounds: Some(1),
            out: folder.path().to_owned(),
            ..VerilogOptions::default()
        };
        let project = verilog::export(bench, &options).unwrap();
        let flip_flops = |module| {
            let count = project.fact("flip_flops")[module].as_u64();
            count.map(|count| count as usize)
        };
        assert_eq!(number(6), flip_flops("node"), "{line}");
        assert_eq!(number(10), flip_flops("sequencer"), "{line}");
        rows += 1;
    }
    assert!(rows >= 12);
}
