//! `tb.v`: hosts that supply and take bits, and compare what comes with what was sent.

use std::fmt::Write;

use rtl_model::circuit::verilog::{Design, head};
use rtl_model::machine::device::Device;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::families::ports::verilog::Subject;
use crate::verilog::testbench::{
    BEGIN, CLOCK_AND_FAIL, PATIENCE, SHOWN, in_each, of_round, rounds_listed,
};

pub(super) fn text(subject: &Subject<'_>, design: &Design, title: &str) -> String {
    let (broadcast, wires) = (subject.broadcast(), subject.machine.wires());
    let nodes = broadcast.cube.nodes();
    let also = match subject.is_configured() {
        true => ", configuration.hex",
        false => "",
    };
    let mut text = head(&format!(
        "{title}\n\n\
         Run in this folder: it reads traffic.hex{also} and expected.hex, and with +vcd writes tb.vcd. One bit\n\
         time is 1 ns; the first nanosecond is the reset, so bit time 0 begins at 1 ns.{}",
        rounds_listed(subject.rounds)
    ));
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
    let ports = ports.chain(&design.to_host);
    for (name, width) in ports.clone() {
        let _ = writeln!(text, "  wire [{}:0] {name};", nodes * width - 1);
    }
    let connections: String = ports
        .map(|(name, _)| format!("    .{name}({name}),\n"))
        .collect();
    let _ = write!(
        text,
        "  cube cube (\n    .clk(clk),\n    .reset(reset),\n{connections}    .done(done)\n  );\n\n\
         \x20 // A line a round: the message of the source, its first bit lowest\n\
         \x20 reg [BITS-1:0] traffic [0:ROUNDS-1];\n\
         \x20 // A line a round: what all other nodes are to have\n\
         \x20 reg [BITS-1:0] expected [0:ROUNDS-1];\n\
         \x20 integer round; // from 1\n\n\
         {}",
        configuration(design),
    );
    let rotation = match wires.tree_bits {
        0 => "0".to_owned(),
        bits => format!("host_ask_rotation[SOURCE * {bits} +: {bits}]"),
    };
    text += &SUPPLY
        .replace("GROUP_BITS", &wires.group_bits.to_string())
        .replace("ROTATION", &rotation);
    text += CLOCK_AND_FAIL;
    text += &HOSTS.replace("SHOWN", &SHOWN.to_string());
    text += &begin_step(subject);
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

/// What the source's host answers, which is in the same bit time.
const SUPPLY: &str = "\
\x20 // The source's host is asked for the bit that the source sends in the next bit time, of each channel; the
  // first bits, before bit time 0, are those of the first packets. Nobody else has anything to supply.
  wire [BITS-1:0] message = traffic[round - 1];
  wire [CHANNELS-1:0] supplied;
  wire [CHANNELS-1:0] first_supplied;
  reg [31:0] next; // bit of the packets
  wire asks = host_ask[SOURCE];
  wire [31:0] index = host_ask_first[SOURCE] ? 32'd0 : next;
  wire [31:0] group = host_ask_group[SOURCE * GROUP_BITS +: GROUP_BITS];
  wire [31:0] rotation = ROTATION;
  genvar c;
  generate
    for (c = 0; c < CHANNELS; c = c + 1) begin : channels
      wire [31:0] supplied_packet = group * TREES + (c + rotation) % TREES;
      wire [31:0] supplied_bit = supplied_packet * PACKET_BITS + index;
      assign supplied[c] = asks && supplied_packet < PACKETS && message[supplied_bit];
      if (c % TREES < PACKETS) begin : there
        assign first_supplied[c] = message[c % TREES * PACKET_BITS];
      end else begin : not_there
        assign first_supplied[c] = 1'b0;
      end
    end
  endgenerate
  assign host_supply = {{(NODES - 1) * CHANNELS{1'b0}}, supplied} << SOURCE * CHANNELS;
  assign load_supply = {{(NODES - 1) * CHANNELS{1'b0}}, first_supplied} << SOURCE * CHANNELS;

";

/// What all hosts do at the end of a bit time.
const HOSTS: &str = "\
\x20 reg [BITS-1:0] value [0:NODES-1]; // what has come to a node
  reg [BITS-1:0] has [0:NODES-1]; // which bits of it
  integer packet [0:NODES*CHANNELS-1]; // that comes on the channel in this step, as the host has been told
  integer came [0:NODES*CHANNELS-1]; // bits of it
  integer node;
  integer channel;
  integer place;
  integer port;
  integer at;
  integer sends;
  integer receives;
  integer bit_time;
  integer wrong; // things that should not be
  integer missing; // nodes that have not what they should
  integer took; // bit times
  reg is_done;

  // At the end of each bit time: hosts take what has arrived, and in the first one of a step they are told
  // what is going to.
  always @(posedge clk) begin
    if (reset) begin
      bit_time = 0;
      wrong = 0;
      next <= 32'd1;
      for (node = 0; node < NODES; node = node + 1) begin
        value[node] = {BITS{1'b0}};
        has[node] = {BITS{1'b0}};
      end
      for (place = 0; place < NODES * CHANNELS; place = place + 1) begin
        packet[place] = 0;
        came[place] = 0;
      end
    end else begin
      if (host_take !== {NODES*CHANNELS{1'b0}}) take;
      if (bit_time % STEP == 0) begin
        end_step;
        begin_step;
      end
      for (node = 0; node < NODES; node = node + 1) begin
        if (host_violation[node] !== 1'b0) begin
          if (wrong < SHOWN) $display(\"bit time %0d: node %0d says that too many of its ports are busy\", bit_time, node);
          wrong = wrong + 1;
        end
        if (node != SOURCE && host_ask[node] !== 1'b0) begin
          if (wrong < SHOWN) $display(\"bit time %0d: node %0d asks its host, which has no message\", bit_time, node);
          wrong = wrong + 1;
        end
      end
      if (asks) next <= index + 32'd1;
      bit_time = bit_time + 1;
    end
  end

  // Bits come one after the other, each once.
  task take;
    begin
      for (node = 0; node < NODES; node = node + 1) begin
        for (channel = 0; channel < CHANNELS; channel = channel + 1) begin
          place = node * CHANNELS + channel;
          if (host_take[place] !== 1'b0) begin
            at = packet[place] * PACKET_BITS + came[place];
            if (packet[place] >= PACKETS || came[place] >= PACKET_BITS) begin
              if (wrong < SHOWN) $display(\"bit time %0d: bit %0d of packet %0d comes to node %0d, and there is none\",
                bit_time, came[place], packet[place], node);
              wrong = wrong + 1;
            end else begin
              if (has[node][at] !== 1'b0) begin
                if (wrong < SHOWN) $display(\"bit time %0d: bit %0d of packet %0d comes to node %0d again\",
                  bit_time, came[place], packet[place], node);
                wrong = wrong + 1;
              end
              has[node][at] = 1'b1;
              value[node][at] = host_bit[place];
            end
            came[place] = came[place] + 1;
          end
        end
      end
    end
  endtask

  // A packet comes in one step.
  task end_step;
    begin
      for (place = 0; place < NODES * CHANNELS; place = place + 1) begin
        if (came[place] != 0 && came[place] != PACKET_BITS) begin
          if (wrong < SHOWN) $display(\"bit time %0d: %0d of %0d bits of packet %0d came to node %0d\",
            bit_time, came[place], PACKET_BITS, packet[place], place / CHANNELS);
          wrong = wrong + 1;
        end
        came[place] = 0;
      end
    end
  endtask

";

/// What is looked at in the first bit time of a step.
fn begin_step(subject: &Subject<'_>) -> String {
    let (wires, model) = (subject.machine.wires(), subject.broadcast().ports);
    let (group_bits, tree_bits) = (wires.group_bits, wires.tree_bits);
    let named = (0..wires.channels).map(|channel| {
        let of_channel = match wires.channels {
            1 => String::new(),
            _ => format!("_{channel}"),
        };
        let tree = match tree_bits {
            0 => String::new(),
            bits => format!(" + host_tree{of_channel}[node * {bits} +: {bits}]"),
        };
        format!(
            "        packet[node * CHANNELS + {channel}] = host_group{of_channel}[node * {group_bits} +: {group_bits}] * \
             TREES{tree};\n"
        )
    });
    let admitted = match model {
        PortModel::OneWay => "sends + receives <= 1",
        PortModel::TwoWay => "sends <= 1 && receives <= 1",
        PortModel::All => "sends <= DIMS && receives <= DIMS",
    };
    format!(
        "  // Hosts are told which packets are going to come. What one node sends its neighbour receives, and no more\n\
         \x20 // ports are busy than may be: {}.\n\
         \x20 task begin_step;\n\
         \x20   begin\n\
         \x20     for (node = 0; node < NODES; node = node + 1) begin\n\
         {}\
         \x20       sends = 0;\n\
         \x20       receives = 0;\n\
         \x20       for (port = 0; port < DIMS; port = port + 1) begin\n\
         \x20         if (host_sending[node * DIMS + port] !== host_receiving[(node ^ (1 << port)) * DIMS + port]) begin\n\
         \x20           if (wrong < {SHOWN}) $display(\"bit time %0d: across dimension %0d node %0d sends, or its neighbour \
         receives, alone\",\n\
         \x20             bit_time, port, node);\n\
         \x20           wrong = wrong + 1;\n\
         \x20         end\n\
         \x20         sends = sends + host_sending[node * DIMS + port];\n\
         \x20         receives = receives + host_receiving[node * DIMS + port];\n\
         \x20       end\n\
         \x20       if (({admitted}) !== 1'b1) begin\n\
         \x20         if (wrong < {SHOWN}) $display(\"bit time %0d: node %0d sends on %0d ports and receives on %0d\",\n\
         \x20           bit_time, node, sends, receives);\n\
         \x20         wrong = wrong + 1;\n\
         \x20       end\n\
         \x20     end\n\
         \x20   end\n\
         \x20 endtask\n\n",
        model.allows(),
        named.collect::<String>(),
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
