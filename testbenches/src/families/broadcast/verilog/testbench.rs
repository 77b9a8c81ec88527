//! `tb.v`: hosts that supply and take bits, and compare what comes with what was sent.

use std::fmt::Write;

use rtl_model::circuit::verilog::Design;
use rtl_model::machine::device::Device;

use crate::families::broadcast::verilog::{Subject, hosts};
use crate::verilog::testbench::{
    BEGIN, CLOCK_AND_FAIL, PATIENCE, SHOWN, head, in_each, instance, of_round,
};

pub(super) fn text(subject: &Subject<'_>, design: &Design, title: &str) -> String {
    let (broadcast, wires) = (subject.broadcast(), subject.machine.wires());
    let nodes = broadcast.cube.nodes();
    let first = match subject.is_configured() {
        true => "traffic.hex, configuration.hex",
        false => "traffic.hex",
    };
    let mut text = head(title, first, subject.rounds);
    let form = subject.machine.bit_times();
    let _ = write!(
        text,
        "\n\
         module tb;\n\
         \x20 localparam NODES = {nodes};\n\
         \x20 localparam DIMS = {dims};\n\
         \x20 localparam SOURCE = {source}; // its host has the message\n\
         \x20 localparam CHANNELS = {channels}; // of a node: what can come to it, or leave the source, in one bit time\n\
         \x20 localparam TREES = {trees};\n\
         \x20 localparam PACKETS = {packets};\n\
         \x20 localparam PACKET_BITS = {bits};\n\
         \x20 localparam BITS = PACKETS * PACKET_BITS; // {message} of the message, then zeros\n\
         \x20 localparam STEP = {start_up} + PACKET_BITS; // bit times of a routing step: start-up, then a packet\n\
         \x20 localparam ROUNDS = {rounds};\n\
         \x20 localparam BIT_TIMES = {}; // {}\n\n\
         \x20 reg clk;\n\
         \x20 reg reset;\n\
         \x20 wire done;\n",
        form.value,
        form.text,
        dims = wires.dimensions,
        source = broadcast.source,
        channels = wires.channels,
        trees = wires.trees,
        packets = broadcast.packets,
        bits = broadcast.packet_bits,
        message = subject.message_bits,
        start_up = broadcast.start_up,
        rounds = subject.rounds.len(),
    );
    let ports = design.host_writes.iter().chain(&design.from_host);
    text += &instance("cube", ports.chain(&design.to_host), nodes);
    let _ = write!(
        text,
        "  // A line a round: the message of the source, its first bit lowest\n\
         \x20 reg [BITS-1:0] traffic [0:ROUNDS-1];\n\
         \x20 // A line a round: what all other nodes are to have\n\
         \x20 reg [BITS-1:0] expected [0:ROUNDS-1];\n\
         \x20 integer round; // from 1\n\n\
         {}",
        configuration(design),
    );
    text += &hosts::supply(subject);
    text += CLOCK_AND_FAIL;
    text += &hosts::take(subject);
    let begin = match subject.is_configured() {
        false => BEGIN.to_owned(),
        true => {
            BEGIN.replace(
                "    $readmemh(\"expected.hex\", expected);\n",
                "    $readmemh(\"expected.hex\", expected);\n    $readmemh(\"configuration.hex\", configuration);\n",
            )
            .replace(
                "^expected[0] === 1'bx)",
                "^expected[0] === 1'bx || ^configuration[0] === 1'bx)",
            )
            .replace(
                "FAIL: traffic.hex and expected.hex",
                "FAIL: traffic.hex, configuration.hex and expected.hex",
            )
        }
    };
    let [which, arguments] = of_round(subject.rounds.len());
    text += &begin;
    text += &RUN
        .replace("PATIENCE", &PATIENCE.to_string())
        .replace("SHOWN", &SHOWN.to_string())
        .replace("WHICH", which)
        .replace("OF_ROUND", arguments)
        .replace("IN_EACH", &in_each(subject.rounds.len()));
    text
}

/// What nodes take at a reset beside the first bits: the rest of the ports that the host writes.
fn configuration(design: &Design) -> String {
    let ports: Vec<&(String, usize)> = (design.host_writes.iter())
        .filter(|(name, _)| name != "load_supply")
        .collect();
    if ports.is_empty() {
        return String::new();
    }
    let width: usize = ports.iter().map(|(_, width)| width).sum();
    let names: Vec<&str> = ports.iter().rev().map(|(name, _)| name.as_str()).collect();
    let slices: Vec<String> = (ports.iter().rev())
        .map(|(name, width)| format!("{name}[n * {width} +: {width}]"))
        .collect();
    format!(
        "  // A line a node: {}\n\
         \x20 reg [{}:0] configuration [0:NODES-1];\n\
         \x20 genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < NODES; n = n + 1) begin : configured\n\
         \x20     assign {{{}}} = configuration[n];\n\
         \x20   end\n\
         \x20 endgenerate\n\n",
        names.join(", "),
        width - 1,
        slices.join(", "),
    )
}

/// From the first reset to the verdict.
const RUN: &str = "\
\x20   for (round = 1; round <= ROUNDS && !failed; round = round + 1) begin
      reset = 1'b1;
      #(round == 1 ? 15 : 10) reset = 1'b0; // in the middle of bit time 0
      while (done !== 1'b1 && bit_time < BIT_TIMES + PATIENCE) begin
        #10;
      end
      is_done = done === 1'b1;
      took = bit_time;
      #20; // the last bits arrive, and then no more

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
      if (!is_done) begin
        $display(\"FAIL: WHICHnot done after %0d bit times, it should take %0d; %0d of %0d nodes wrong, %0d other mistakes\",
          OF_ROUNDtook, BIT_TIMES, missing, NODES, wrong);
        fail;
      end else if (took != BIT_TIMES || missing != 0 || wrong != 0) begin
        $display(\"FAIL: WHICHdone after %0d bit times, it should take %0d; %0d of %0d nodes wrong, %0d other mistakes\",
          OF_ROUNDtook, BIT_TIMES, missing, NODES, wrong);
        fail;
      end
    end
    #5;
    if (!failed) begin
      $display(\"PASS: %0d of %0d nodes have the message, every bit once, after %0d bit timesIN_EACH\",
        NODES - 1, NODES - 1, BIT_TIMES);
      $finish(0);
    end
  end
endmodule
";
