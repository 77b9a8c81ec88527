//! What `tb.v` does: it loads the traffic, and looks at what nodes hold when all is over.

use crate::verilog::contents::Hardware;
use crate::verilog::testbench::{Testbench, in_each, joined_of, load};

/// Of so many rounds.
pub(super) fn of(hardware: &Hardware, rounds: usize) -> Testbench {
    let (nodes, design) = (hardware.nodes, &hardware.design);
    let read_width: usize = design.host_reads.iter().map(|(_, width)| width).sum();
    let bit_times = hardware.bit_times();
    Testbench {
        declarations: format!(
            "  reg [{last}:0] arrived;\n\
             \x20 reg [{last}:0] due;\n\
             \x20 reg [{last}:0] matter;\n\
             \x20 integer first; // line of the round\n\
             \x20 integer node;\n\n\
             \x20 // Not written from the process below: Verilator 5.006 passes that on in the first round alone.\n\
             {}",
            load(&design.host_writes, "host", "traffic[first + n]"),
            last = read_width - 1,
        ),
        begins_round: "      first = (round - 1) * NODES;\n".to_owned(),
        compares: COMPARES
            .replace("HELD", &joined_of(&design.host_reads, "node"))
            .replace("WIDTH", &read_width.to_string()),
        is_wrong: "wrong != 0",
        counts: ["%0d of %0d nodes wrong", "wrong, NODES"],
        passed: format!(
            "{nodes} of {nodes} nodes hold what they should after {bit_times} bit times{}",
            in_each(rounds)
        ),
        ..Testbench::default()
    }
}

/// Each node against its line.
const COMPARES: &str = "
      for (node = 0; node < NODES; node = node + 1) begin
        arrived = HELD;
        due = expected[2 * (first + node)];
        matter = expected[2 * (first + node) + 1];
        if (((arrived ^ due) & matter) !== WIDTH'b0) begin
          if (wrong < SHOWN)
            $display(\"node %0d holds %h, expected %h of the bits %h\", node, arrived, due, matter);
          wrong = wrong + 1;
        end
      end
";
