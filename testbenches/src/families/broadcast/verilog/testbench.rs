//! What `tb.v` does: hosts supply and take bits, and what has come is compared with what was sent.

use crate::families::broadcast::job::Job;
use crate::families::broadcast::verilog::{configuration, hosts};
use crate::verilog::contents::Hardware;
use crate::verilog::testbench::{Testbench, in_each, load};

/// What is said of the broadcast.
pub(super) fn constants(job: &Job) -> String {
    let (asked, wires) = (&job.asked, job.machine.wires());
    let broadcast = &asked.broadcast;
    format!(
        "  localparam DIMS = {dims};\n\
         \x20 localparam SOURCE = {source}; // its host has the message\n\
         \x20 localparam CHANNELS = {channels}; // of a node: what can come to it, or leave the source, in one bit time\n\
         \x20 localparam TREES = {trees};\n\
         \x20 localparam PACKETS = {packets};\n\
         \x20 localparam PACKET_BITS = {bits};\n\
         \x20 localparam BITS = PACKETS * PACKET_BITS; // {message} of the message, then zeros\n\
         \x20 localparam STEP = {start_up} + PACKET_BITS; // bit times of a routing step: start-up, then a packet\n",
        dims = wires.dimensions,
        source = broadcast.source,
        channels = wires.channels,
        trees = wires.trees,
        packets = broadcast.packets,
        bits = broadcast.packet_bits,
        message = asked.message_bits,
        start_up = broadcast.start_up,
    )
}

/// Of so many rounds.
pub(super) fn of(job: &Job, hardware: &Hardware, rounds: usize) -> Testbench {
    let configuration = match &*configuration(hardware) {
        [] => String::new(),
        ports => load(ports, "configured", "configuration[n]"),
    };
    let receivers = hardware.nodes - 1;
    let bit_times = hardware.bit_times();
    Testbench {
        constants: constants(job),
        declarations: hosts::declarations(&job.machine) + &configuration,
        at_reset: hosts::AT_RESET.to_owned(),
        ends_bit_time: hosts::ENDS_BIT_TIME.to_owned(),
        tasks: hosts::tasks(&job.machine),
        compares: COMPARES.to_owned(),
        is_wrong: "missing != 0 || wrong != 0",
        counts: [
            "%0d of %0d nodes wrong, %0d other mistakes",
            "missing, NODES, wrong",
        ],
        passed: format!(
            "{receivers} of {receivers} nodes have the message, every bit once, after {bit_times} bit times{}",
            in_each(rounds)
        ),
        ..Testbench::default()
    }
}

/// Each node against the message of the round.
const COMPARES: &str = "\
\x20     #20; // the last bits arrive, and then no more

      missing = 0;
      for (node = 0; node < NODES; node = node + 1) begin
        if (node == SOURCE ? has[node] !== {BITS{1'b0}}
            : has[node] !== {BITS{1'b1}} || value[node] !== expected[round - 1]) begin
          if (missing < SHOWN)
            $display(\"node %0d has %h of the bits %h, expected %h\", node, value[node], has[node],
              node == SOURCE ? {BITS{1'b0}} : expected[round - 1]);
          missing = missing + 1;
        end
      end
";
