//! The `README.md` of a project.

use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::verilog::NetworkDesign;

use crate::families::wormhole::BENCH;
use crate::families::wormhole::verilog::Subject;
use crate::verilog::readme::{
    self, META_ROW, and_round, longest_path, of_first, opening, other_tools,
};

pub(super) fn text(
    subject: &Subject<'_>,
    design: &NetworkDesign,
    commands: &[String; 2],
) -> String {
    let [_, run] = commands;
    let rounds: Vec<String> = (subject.rounds.iter())
        .map(|round| round.name.clone())
        .collect();
    let rounds_listed = readme::rounds(&rounds);
    let (nodes, switches, name) = (subject.nodes(), subject.switches(), design.name);
    let outcome = match subject.completes() {
        true => format!(
            "prints PASS, and exits with status 0, if every worm's body arrives bit by bit as it was sent, the last one\n\
             in exactly {} bit times, as simulated{}; else FAIL, with status 1. It needs Icarus Verilog.",
            subject.bit_times(),
            match rounds.len() {
                1 => "",
                _ => ", and those of the further rounds in theirs",
            }
        ),
        false => format!(
            "prints FAIL with the word deadlock, and exits with status 1: from bit time {} on nothing moves, since worms\n\
             wait for each other. It needs Icarus Verilog.",
            subject.bit_times()
        ),
    };
    let traffic = format!(
        "| `traffic.csv` | the same traffic{}, for `{} --traffic-file traffic.csv` |\n",
        of_first(&rounds),
        subject.command.replacen("verilog", "run", 1)
    );
    let ports: String = [(&design.from_host, "input"), (&design.to_host, "output")]
        .into_iter()
        .flat_map(|(names, direction)| {
            let row = move |name: &String| format!("| `{name}` | {direction} |\n");
            names.iter().map(row)
        })
        .collect();
    let bit = match switches {
        1 => "Node `n` has bit `n` of each other port:".to_owned(),
        _ => format!("Switch `s` of node `n` has bit `n * {switches} + s` of each other port:"),
    };
    let wire_bits = subject.machine.parameters().wire_bits;
    let (unit, bit) = match wire_bits {
        1 => ("bit", bit),
        _ => (
            "flit",
            format!(
                "{bit}\n`inject` and `eject` have {wire_bits} bits in the place of one, a flit. Bit i of a body is bit i mod {wire_bits} of its flit; what a\n\
                 node reads of a header begins with a flit, and 0 fill each."
            ),
        ),
    };
    let tables = match subject.machine.network() {
        Network::TableRouted(_) => "- While `reset` is 1 each node takes its routing table.\n",
        _ => "",
    };
    format!(
        "{opening}\
         {outcome}\n\
         For waves of the nodes on the route of one worm{of_first}, in GTKWave or Surfer:\n\n\
         ```sh\n{run} +vcd\ngtkwave tb.vcd {save}\nsurfer tb.vcd -c {surfer}\n```\n\n\
         One bit time is 1 ns. The first nanosecond is the reset, so everything is 1 ns later than in `cubewave run`.\n\
         A register is called as there, with `_` for the dots.\n\n\
         | file | what it is |\n|---|---|\n\
         | `node.v` | a node; its address is a parameter. {storage} flip-flops |\n\
         | `{name}.v` | {nodes} nodes, and the wires of their links |\n\
         | `tb.v` | hosts, and what is expected of them; not for synthesis, the two above are |\n\
         | `traffic.hex`, `expected.hex` | the worms, with the times before which they do not begin, and who is to get which body: a line a worm{and_round} |\n\
         {traffic}\
         | `{save}` | the view of `tb.vcd`{of_first}: nodes by their numbers, other nodes are in the dump too |\n\
         | `{surfer}` | the same for Surfer |\n\
         {META_ROW}\n\
         {listed}\
         ## Using `{name}`\n\n\
         Verilog-2005, one clock `clk`, rising edge; `reset` is synchronous: hold it at 1 for at least one edge, at any\n\
         time. {bit}\n\n\
         | port | direction |\n|---|---|\n\
         {ports}\n\
         - A worm is a header, then a body. It goes in a {unit} a clock cycle at the most: `inject` with `inject_valid`, and\n  \
         `inject_tail` with its last {unit}. Only the body comes out, in the same way.\n\
         - A host may have sent {buffer_bits} {unit}s more than `inject_credit` has given back, and begins a worm only when all\n  \
         are given back. Nothing in the node checks that.\n\
         - A host takes every {unit} that comes out.\n\
         {tables}\
         - From ports and `rx` to `tx` of a node there is no path within a bit time.\n\n\
         {longest_path}\n\
         {other_tools}\
         `{name}.v` refers to wires of one node from another's block, which these tools take. Rows of `stat` with DFF in\n\
         their name are flip-flops. At an address some of the {storage} may never change or never be read, and tools drop\n\
         them.\n",
        of_first = of_first(&rounds),
        save = subject.view.save,
        surfer = subject.view.surfer,
        and_round = and_round(&rounds),
        listed = rounds_listed,
        opening = opening(BENCH.name, nodes, subject.title, commands),
        storage = subject.storage,
        buffer_bits = subject.machine.parameters().buffer_bits,
        longest_path = longest_path(&subject.depth, ""),
        other_tools = other_tools(name, &[&format!("{name}.v"), "node.v"], nodes - 1),
    )
}
