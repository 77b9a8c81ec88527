//! The hosts of `tb.v`: that of the source supplies the bits that it is asked for, all others take what arrives, and all of them
//! look at which ports are busy.

use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::PortModel;

/// What hosts have, and what the source's answers.
pub(super) fn declarations(machine: &PortMachine) -> String {
    HOSTS.to_owned() + &supply(machine, "traffic[round - 1]")
}

/// What the source's host answers, which has that message: it drives what nodes are supplied with.
pub(super) fn supply(machine: &PortMachine, message: &str) -> String {
    let wires = machine.wires();
    let rotation = match wires.tree_bits {
        0 => "0".to_owned(),
        bits => format!("host_ask_rotation[SOURCE * {bits} +: {bits}]"),
    };
    SUPPLY
        .replace("GROUP_BITS", &wires.group_bits.to_string())
        .replace("ROTATION", &rotation)
        .replace("MESSAGE", message)
}

/// The packet that a host is told of on a channel, by what the node is called.
pub(super) fn packet_on(machine: &PortMachine, channel: usize, node: &str) -> String {
    let wires = machine.wires();
    let of_channel = match wires.channels {
        1 => String::new(),
        _ => format!("_{channel}"),
    };
    let (group_bits, tree_bits) = (wires.group_bits, wires.tree_bits);
    let tree = match tree_bits {
        0 => String::new(),
        bits => format!(" + host_tree{of_channel}[{node} * {bits} +: {bits}]"),
    };
    format!("host_group{of_channel}[{node} * {group_bits} +: {group_bits}] * TREES{tree}")
}

/// What all hosts do at the end of a bit time.
pub(super) fn tasks(machine: &PortMachine) -> String {
    TASKS.to_owned() + &begin_step(machine)
}

/// What the source's host answers, which is in the same bit time.
const SUPPLY: &str = "\
\x20 // The source's host is asked for the bit that the source sends in the next bit time, of each channel; the
  // first bits, before bit time 0, are those of the first packets. Nobody else has anything to supply.
  wire [BITS-1:0] message = MESSAGE;
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

/// What hosts have.
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
  integer missing; // nodes that have not what they should

";

/// Nothing has come yet.
pub(super) const AT_RESET: &str = "\
\x20     next <= 32'd1;
      for (node = 0; node < NODES; node = node + 1) begin
        value[node] = {BITS{1'b0}};
        has[node] = {BITS{1'b0}};
      end
      for (place = 0; place < NODES * CHANNELS; place = place + 1) begin
        packet[place] = 0;
        came[place] = 0;
      end
";

/// What hosts take and look at.
pub(super) const ENDS_BIT_TIME: &str = "\
\x20     // Hosts take what has arrived, and in the first bit time of a step they are told what is going to.
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
";

/// Tasks of that.
const TASKS: &str = "\
\x20 // Bits come one after the other, each once.
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
fn begin_step(machine: &PortMachine) -> String {
    let (wires, model) = (machine.wires(), machine.broadcast().ports);
    let named = (0..wires.channels).map(|channel| {
        let packet = packet_on(machine, channel, "node");
        format!("        packet[node * CHANNELS + {channel}] = {packet};\n")
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
         \x20           if (wrong < SHOWN) $display(\"bit time %0d: across dimension %0d node %0d sends, or its neighbour \
         receives, alone\",\n\
         \x20             bit_time, port, node);\n\
         \x20           wrong = wrong + 1;\n\
         \x20         end\n\
         \x20         sends = sends + host_sending[node * DIMS + port];\n\
         \x20         receives = receives + host_receiving[node * DIMS + port];\n\
         \x20       end\n\
         \x20       if (({admitted}) !== 1'b1) begin\n\
         \x20         if (wrong < SHOWN) $display(\"bit time %0d: node %0d sends on %0d ports and receives on %0d\",\n\
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
