//! Sections that the `README.md` of every project has.

use rtl_model::circuit::depth::{LogicDepth, Step};

/// The row of the table of files that tells where the project comes from.
pub(crate) const META_ROW: &str = "| `meta.json` | where this project comes from, for scripts: version, command, seed, platform, date |\n";

/// How it begins: what it is, and what to type in its folder.
pub(crate) fn opening(
    bench: &str,
    nodes: usize,
    title: &str,
    [compile, run]: &[String; 2],
) -> String {
    format!("# {bench}: {nodes} nodes as Verilog\n\n{title}\n\n```sh\n{compile}\n{run}\n```\n\n")
}

/// Behind what is of the first round only, if there are several.
pub(crate) fn of_first(rounds: &[String]) -> &'static str {
    match rounds {
        [_] => "",
        _ => ", of round 1",
    }
}

/// Behind what is there once for each node, if there are several rounds.
pub(crate) fn and_round(rounds: &[String]) -> &'static str {
    match rounds {
        [_] => "",
        _ => ", round after round",
    }
}

/// The section on the rounds, if there are several.
pub(crate) fn rounds(rounds: &[String]) -> String {
    if rounds.len() == 1 {
        return String::new();
    }
    let rows = rounds.iter().enumerate();
    let rows: String = rows
        .map(|(round, name)| format!("| {} | {name} |\n", round + 1))
        .collect();
    format!(
        "## The rounds\n\n\
         One traffic leaves parts of a router idle, and a fault there unseen. So `tb.v` runs several, one after the other,\n\
         each after a reset, and ends with the first that is not as it should be.\n\n\
         | round | what it sends |\n|--:|---|\n\
         {rows}\n"
    )
}

/// The section on the longest path; `parts` says what parts of the machine have of it.
pub(crate) fn longest_path(depth: &LogicDepth, parts: &str) -> String {
    format!(
        "## The longest path\n\n\
         From register to register there are at most {} gates: AND, OR and XOR of two inputs and muxes, clock\n\
         enables among them; inverters and the reset are not counted. {parts}With the gates up to each place, this is\n\
         such a path, by the names that are on it (`a_2` in the Verilog is `a`, where another had that name first):\n\n\
         | gates | module | name |\n|--:|---|---|\n\
         {}",
        depth.total,
        path(depth),
    )
}

/// The longest path, a row each place on it.
fn path(depth: &LogicDepth) -> String {
    let row = |step: &Step| {
        let module = step.module.name();
        format!("| {} | {module} | `{}` |\n", step.gates, step.name)
    };
    depth.path.iter().map(row).collect()
}

/// What other tools are asked for: the lint of the machine in these files, the last of which joins the nodes, and the synthesis of
/// the node of that address.
pub(crate) fn other_tools(machine: &str, files: &[&str], address: usize) -> String {
    let files = files.join(" ");
    let synthesis = |command: &str| {
        format!(
            "yosys -p 'read_verilog node.v; chparam -set ADDRESS {address} node; {command} -flatten -top node; stat'\n"
        )
    };
    format!(
        "## Other tools\n\n```sh\nverilator --lint-only -Wall --top-module {machine} {files}\n{}{}```\n\n",
        synthesis("synth"),
        synthesis("synth_ice40"),
    )
}

/// Ports of hosts, a row each.
pub(crate) fn port_rows(ports: &[(String, usize)], direction: &str) -> String {
    let row = |(name, width): &(String, usize)| format!("| `{name}` | {direction} | {width} |\n");
    ports.iter().map(row).collect()
}

/// What parts of a machine with a sequencer have of its longest path.
pub(crate) fn of_parts(depth: &LogicDepth) -> String {
    format!(
        "{} would be left if strobes came\n\
         straight from flip-flops, and {} are in the sequencer alone. ",
        depth.node, depth.sequencer
    )
}
