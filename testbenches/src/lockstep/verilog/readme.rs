//! The `README.md` of a project.

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::topology::{Labelled, Tap, Topology};

use crate::lockstep::verilog::Subject;
use crate::report::counted;
use crate::verilog::readme::{
    META_ROW, and_round, longest_path, of_first, of_parts, opening, other_tools, port_rows, rounds,
};
use crate::verilog::testbench;

pub(super) fn text(subject: &Subject<'_>, design: &Design) -> String {
    let commands = subject.commands();
    let [_, run] = &commands;
    let (nodes, machine) = (subject.nodes(), subject.machine());
    let relies_on = match subject.relies_on {
        None => String::new(),
        Some(relies_on) => format!(
            "- It relies on this: {relies_on}. Where that is not so, messages are lost, and no port says it.\n"
        ),
    };
    let has_valid = design
        .host_reads
        .iter()
        .any(|(name, _)| name == "unload_valid");
    let empty = match has_valid {
        true => "- Where `unload_valid` is 0 there is no message, whatever the other bits.\n",
        false => "",
    };
    let all_ones = (1usize << subject.topology.address_bits()) - 1;
    let [wires, block, dropped] = match subject.topology.as_hypercube() {
        Some(cube) => [
            format!("one each way for each of {} dimensions", cube.count()),
            "node[i].dim[d].tx".to_owned(),
            format!(
                "In a node whose address has\n\
                 zeros some registers may never change, and tools drop them; node {all_ones} keeps all."
            ),
        ],
        None => [
            format!(
                "{} from each node to others, by the table in that file; a {}",
                counted(subject.topology.links(), "wire"),
                subject.topology.summary()
            ),
            first_block(subject.topology),
            "Where it follows from\n\
             a node's address that a register never changes, tools drop it: they may find fewer in one node."
                .to_owned(),
        ],
    };
    format!(
        "{opening}\
         prints PASS, and exits with status 0, if every node ends up with what it should in exactly\n\
         {bit_times} bit times ({formula}){in_each}; else FAIL, with status 1. It needs Icarus Verilog. For waves:\n\n\
         ```sh\n{run} +vcd\ngtkwave tb.vcd {save}\n```\n\n\
         or, in Surfer, `surfer tb.vcd -c {surfer}`.\n\
         One bit time is 1 ns. The first nanosecond is the reset, so everything is 1 ns later than in a waveform\n\
         of `cubewave run`{of_first}. A register is called as there, with `_` for the dots: `a.dim_2.b` is `a_dim_2_b`.\n\n\
         | file | what it is |\n|---|---|\n\
         | `node.v` | a node; its address is a parameter. {storage} flip-flops |\n\
         | `sequencer.v` | what steers all nodes alike: counters and decode. {sequencer} flip-flops |\n\
         | `{machine}.v` | the sequencer, {nodes} nodes, and the wires: {wires} |\n\
         | `tb.v` | the testbench; not for synthesis, the three above are |\n\
         | `traffic.hex`, `expected.hex` | what it loads and what it expects, a line a node{and_round} |\n\
         | `{first_file}` | the same traffic{of_first}, {first_is} `{again}{first_words}` |\n\
         | `{save}`, `{step_filter}` | the view of `tb.vcd`{of_first} |\n\
         | `{surfer}` | the same for Surfer |\n\
         {META_ROW}\n\
         {rounds}\
         ## Using `{machine}`\n\n\
         Verilog-2005, one clock `clk`, rising edge; `reset` is synchronous. Node `n` has its bits of a port at\n\
         `port[n * bits +: bits]`.\n\n\
         | port | direction | bits a node |\n|---|---|--:|\n\
         {ports}\n\
         - Hold `reset` at 1 for at least one edge, with what the nodes are to begin with on the `load_` ports:\n  \
         what stands there at the last such edge counts. It may come at any time.\n\
         - {bit_times} edges later `done` rises; it and the `unload_` ports stay until the next edge with `reset`.\n  \
         So a host that begins anew looks at `done` only after that edge.\n\
         - Before `done` the `unload_` ports show bits on their way.\n\
         {empty}{relies_on}\
         - From `rx` to `tx` of a node there is no path within a bit time.\n\n\
         {longest_path}\n\
         {other_tools}\
         `{machine}.v` refers to wires of one node from another's block (`{block}`), which these tools take.\n\
         Rows of `stat` with DFF in their name are flip-flops: {storage} together. {dropped}\n",
        in_each = testbench::in_each(subject.rounds.len()),
        of_first = of_first(subject.rounds),
        and_round = and_round(subject.rounds),
        rounds = rounds(subject.rounds),
        opening = opening(subject.bench, nodes, subject.title, &commands),
        save = subject.view.save,
        step_filter = subject.view.step_filter,
        surfer = subject.view.surfer,
        bit_times = subject.bit_times.value,
        formula = subject.bit_times.text,
        storage = subject.storage.total,
        sequencer = subject.sequencer.total,
        again = subject.again.replacen("verilog", "run", 1),
        first_file = subject.first_round.file,
        first_words = subject.first_round.words(subject.seed),
        first_is = match subject.first_round.option {
            Some(_) => "for",
            None => "which is drawn by",
        },
        ports = port_rows(&design.host_writes, "input") + &port_rows(&design.host_reads, "output"),
        longest_path = longest_path(&subject.depth, &of_parts(&subject.depth)),
        other_tools = other_tools(
            machine,
            &[&subject.machine_file(), "node.v", "sequencer.v"],
            all_ones
        ),
    )
}

/// A wire of a link as the module that joins the nodes calls it.
fn first_block(topology: &dyn Topology) -> String {
    let links = topology.links();
    let mut labelled = topology.labelled().into_iter();
    let is_sent = |label: &Labelled| matches!(label.wires[..], [Tap::Driven(wire)] if wire < links);
    match labelled.find(is_sent) {
        Some(label) => format!("node[i].{}.{}", label.scope, label.name),
        None => "node[i].sent".to_owned(),
    }
}
