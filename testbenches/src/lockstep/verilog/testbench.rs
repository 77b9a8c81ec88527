//! `tb.v`: loads the traffic, runs the machine until it is done, and compares.

use std::fmt::Write;

use rtl_model::circuit::verilog::Design;

use crate::lockstep::verilog::Subject;
use crate::verilog::testbench::{
    BEGIN, CLOCK_AND_FAIL, PATIENCE, SHOWN, head, in_each, instance, of_round,
};

pub(super) fn text(subject: &Subject<'_>, design: &Design, title: &str) -> String {
    let (nodes, rounds) = (subject.nodes(), subject.rounds.len());
    let mut text = head(title, "traffic.hex", subject.rounds);
    let load_width: usize = design.host_writes.iter().map(|(_, width)| width).sum();
    let read_width: usize = design.host_reads.iter().map(|(_, width)| width).sum();
    let _ = write!(
        text,
        "\n\
         module tb;\n\
         \x20 localparam NODES = {nodes};\n\
         \x20 localparam ROUNDS = {rounds};\n\
         \x20 localparam BIT_TIMES = {}; // {}\n\n\
         \x20 reg clk;\n\
         \x20 reg reset;\n\
         \x20 wire done;\n",
        subject.bit_times.value, subject.bit_times.text,
    );
    let ports = design.host_writes.iter().chain(&design.host_reads);
    text += &instance(design.name, ports, nodes);
    let slices = |ports: &[(String, usize)], node: &str| {
        names(ports, |name| {
            let width = ports
                .iter()
                .find(|(port, _)| port == name)
                .map_or(1, |(_, width)| *width);
            match width {
                1 => format!("{name}[{node}]"),
                width => format!("{name}[{node} * {width} +: {width}]"),
            }
        })
    };
    let _ = write!(
        text,
        "  // A line a node, round by round: {}\n\
         \x20 reg [{}:0] traffic [0:ROUNDS*NODES-1];\n\
         \x20 // A line a node, round by round: {}, then which of these bits matter\n\
         \x20 reg [{last}:0] expected [0:2*ROUNDS*NODES-1];\n\
         \x20 reg [{last}:0] arrived;\n\
         \x20 reg [{last}:0] due;\n\
         \x20 reg [{last}:0] matter;\n\
         \x20 integer round; // from 1\n\
         \x20 integer first; // line of the round\n\
         \x20 integer node;\n\
         \x20 integer bit_time;\n\
         \x20 integer wrong;\n\n\
         \x20 // Not written from the process below: Verilator 5.006 passes that on in the first round alone.\n\
         \x20 genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < NODES; n = n + 1) begin : host\n\
         \x20     assign {loads} = traffic[first + n];\n\
         \x20   end\n\
         \x20 endgenerate\n\n\
         {CLOCK_AND_FAIL}",
        names(&design.host_writes, |name| name.to_owned()),
        load_width - 1,
        names(&design.host_reads, |name| name.to_owned()),
        last = read_width - 1,
        loads = slices(&design.host_writes, "n"),
    );
    let [which, of_round] = of_round(rounds);
    let _ = write!(
        text,
        "{BEGIN}\
         \x20   for (round = 1; round <= ROUNDS && !failed; round = round + 1) begin\n\
         \x20     first = (round - 1) * NODES;\n\
         \x20     reset = 1'b1;\n\
         \x20     bit_time = 0;\n\
         \x20     #(round == 1 ? 15 : 10) reset = 1'b0; // in the middle of bit time 0\n\
         \x20     while (done !== 1'b1 && bit_time < BIT_TIMES + {PATIENCE}) begin\n\
         \x20       #10 bit_time = bit_time + 1;\n\
         \x20     end\n\n\
         \x20     wrong = 0;\n\
         \x20     for (node = 0; node < NODES; node = node + 1) begin\n\
         \x20       arrived = {};\n\
         \x20       due = expected[2 * (first + node)];\n\
         \x20       matter = expected[2 * (first + node) + 1];\n\
         \x20       if (((arrived ^ due) & matter) !== {read_width}'b0) begin\n\
         \x20         if (wrong < {SHOWN})\n\
         \x20           $display(\"node %0d holds %h, expected %h of the bits %h\", node, arrived, due, matter);\n\
         \x20         wrong = wrong + 1;\n\
         \x20       end\n\
         \x20     end\n\
         \x20     if (done !== 1'b1) begin\n\
         \x20       $display(\"FAIL: {which}not done after %0d bit times, it should take %0d; %0d of %0d nodes wrong\",\n\
         \x20         {of_round}bit_time, BIT_TIMES, wrong, NODES);\n\
         \x20       fail;\n\
         \x20     end else if (bit_time != BIT_TIMES || wrong != 0) begin\n\
         \x20       $display(\"FAIL: {which}done after %0d bit times, it should take %0d; %0d of %0d nodes wrong\",\n\
         \x20         {of_round}bit_time, BIT_TIMES, wrong, NODES);\n\
         \x20       fail;\n\
         \x20     end\n\
         \x20   end\n\
         \x20   #5;\n\
         \x20   if (!failed) begin\n\
         \x20     $display(\"PASS: %0d of %0d nodes hold what they should after %0d bit times{}\",\n\
         \x20       NODES, NODES, BIT_TIMES);\n\
         \x20     $finish(0);\n\
         \x20   end\n\
         \x20 end\n\
         endmodule\n",
        slices(&design.host_reads, "node"),
        in_each(rounds),
    );
    text
}

/// Ports as Verilog joins them: the first one lowest.
fn names(ports: &[(String, usize)], written: impl Fn(&str) -> String) -> String {
    let names: Vec<String> = ports.iter().rev().map(|(name, _)| written(name)).collect();
    format!("{{{}}}", names.join(", "))
}
