// A node, the same for every address. It sees its registers, its address, the bits it receives
// and what the sequencer broadcasts.
// Packing, k = 2, D = 1.

`timescale 100 ps / 100 ps

module node #(
  parameter [1:0] ADDRESS = 2'b0 // bit d: dimension d
) (
  input wire clk,
  input wire reset, // synchronous: registers take their first values, or what is on load_*
  input wire load_valid,
  input wire [1:0] load_destination,
  input wire load_payload,
  // the sequencer's broadcast; bit d of a vector is for dimension d, of a tap for position d
  // The stage takes its valid bit from its input.
  input wire [1:1] packer_arm,
  // The stage consumes its header bit.
  input wire [1:0] packer_decide,
  // The stage passes bits on (`decide` included).
  input wire [1:0] packer_pass,
  // The stage's output is what the packing delivers.
  input wire [1:1] packer_deliver,
  // Message bits leave.
  input wire shift,
  // Message bits arrive.
  input wire fill,
  // The valid bit of what arrives.
  input wire arrival,
  // the wires, bit d across dimension d
  input wire [1:0] rx,
  output wire [1:0] tx,
  // the host reads, once the sequencer is done
  output wire unload_valid,
  output wire unload_payload
);

  // message (MessageBuffer): the message: leaves from bit 0, what arrives takes its place
  reg message_valid;
  reg [2:0] message_bits;

  // packing (Packer): a switch for each dimension, each consumes one destination bit (Algorithm 1)
  reg packing_dim_0_crossing;
  reg packing_dim_0_keeping;
  reg packing_dim_0_out;
  reg packing_dim_1_valid;
  reg packing_dim_1_crossing;
  reg packing_dim_1_keeping;

  // logic that several of the following read
  wire switch_1_header_differs = packing_dim_0_out ^ ADDRESS[1];
  wire switch_1_stays = packing_dim_1_valid & ~switch_1_header_differs;
  wire switch_0_header_differs = message_bits[0] ^ ADDRESS[0];
  wire switch_0_crosses = message_valid & switch_0_header_differs;
  wire switch_1_crosses = packing_dim_1_valid & switch_1_header_differs;

  // message
  wire switch_1_kept = packer_decide[1]
      ? switch_1_stays
      : (packing_dim_0_out & packing_dim_1_keeping);
  wire switch_1_merged = rx[1] | switch_1_kept;
  wire delivered = packer_deliver[1] & switch_1_merged;
  always @(posedge clk) begin
    if (reset) begin
      message_valid <= load_valid;
      message_bits <= {load_payload, load_destination};
    end else begin
      if (arrival) begin
        message_valid <= delivered;
      end
      if (shift) begin
        message_bits <= {1'b0, message_bits[2], fill ? delivered : message_bits[1]};
      end
    end
  end

  // packing
  wire switch_0_stays = message_valid & ~switch_0_header_differs;
  wire switch_0_kept = packer_decide[0]
      ? switch_0_stays
      : (message_bits[0] & packing_dim_0_keeping);
  wire switch_0_merged = rx[0] | switch_0_kept;
  always @(posedge clk) begin
    if (reset) begin
      packing_dim_0_crossing <= 1'b0;
      packing_dim_0_keeping <= 1'b0;
      packing_dim_0_out <= 1'b0;
      packing_dim_1_valid <= 1'b0;
      packing_dim_1_crossing <= 1'b0;
      packing_dim_1_keeping <= 1'b0;
    end else begin
      if (packer_pass[0]) begin
        if (packer_decide[0]) begin
          packing_dim_0_crossing <= switch_0_crosses;
          packing_dim_0_keeping <= switch_0_stays;
        end
        packing_dim_0_out <= switch_0_merged;
      end
      if (packer_arm[1]) begin
        packing_dim_1_valid <= packing_dim_0_out;
      end
      if (packer_pass[1]) begin
        if (packer_decide[1]) begin
          packing_dim_1_crossing <= switch_1_crosses;
          packing_dim_1_keeping <= switch_1_stays;
        end
      end
    end
  end

  // what goes onto the wires
  wire switch_0_sent = packer_decide[0]
      ? switch_0_crosses
      : (message_bits[0] & packing_dim_0_crossing);
  assign tx[0] = packer_pass[0] & switch_0_sent;
  wire switch_1_sent = packer_decide[1]
      ? switch_1_crosses
      : (packing_dim_0_out & packing_dim_1_crossing);
  assign tx[1] = packer_pass[1] & switch_1_sent;

  // what the host reads
  assign unload_valid = message_valid;
  assign unload_payload = message_bits[0];
endmodule

// The sequencer: counters and their decode. It sees no node and no message; one serves all.
// Packing, k = 2, D = 1.

`timescale 100 ps / 100 ps

module sequencer (
  input wire clk,
  input wire reset, // synchronous: back to bit time 0
  // The stage takes its valid bit from its input.
  output wire [1:1] packer_arm,
  // The stage consumes its header bit.
  output wire [1:0] packer_decide,
  // The stage passes bits on (`decide` included).
  output wire [1:0] packer_pass,
  // The stage's output is what the packing delivers.
  output wire [1:1] packer_deliver,
  // Message bits leave.
  output wire shift,
  // Message bits arrive.
  output wire fill,
  // The valid bit of what arrives.
  output wire arrival,
  output wire done // the last step is over
);

  // bit_time: t, bit times since the run began
  reg [2:0] bit_time;

  // logic that several of the following read
  wire n1 = ~bit_time[0] & ~bit_time[1];
  wire t_is_4 = bit_time[2] & n1;
  wire n2 = bit_time[0] & bit_time[1];

  // bit_time
  always @(posedge clk) begin
    if (reset) begin
      bit_time <= 3'b0;
    end else begin
      if (t_is_4) begin
        bit_time <= 3'b100;
      end else begin
        bit_time <= {bit_time[2] ^ n2, bit_time[0] ^ bit_time[1], ~bit_time[0]};
      end
    end
  end

  // what it broadcasts
  wire t_is_1 = ~bit_time[2] & bit_time[0] & ~bit_time[1];
  assign packer_arm[1] = ~t_is_4 & t_is_1;

  wire t_is_0 = n1 & ~bit_time[2];
  assign packer_decide[0] = ~t_is_4 & t_is_0;
  wire t_is_2 = ~bit_time[2] & bit_time[1] & ~bit_time[0];
  wire n3 = ~t_is_4 & t_is_2;
  assign packer_decide[1] = n3;

  wire t_at_least_3 = bit_time[2] | n2;
  assign packer_pass[0] = ~t_is_4 & ~t_at_least_3;
  wire n4 = ~t_is_4 & bit_time[1] & ~bit_time[2];
  assign packer_pass[1] = n4;

  assign packer_deliver[1] = n4;

  assign shift = ~t_is_4;

  wire t_is_3 = ~bit_time[2] & n2;
  assign fill = ~t_is_4 & t_is_3;

  assign arrival = n3;

  assign done = t_is_4;
endmodule

// A hypercube of 4 nodes: what a node sends across dimension d, the node at address ^ 2^d receives.
// While `reset` is 1 every node takes what stands on its `load_` ports. Bit time 0 is the first
// clock cycle without `reset`; once `done` is 1 the `unload_` ports hold what arrived.
// Packing, k = 2, D = 1.

`timescale 100 ps / 100 ps

module cube (
  input wire clk,
  input wire reset,
  // node n has bits n * width and up
  input wire [3:0] load_valid,
  input wire [7:0] load_destination,
  input wire [3:0] load_payload,
  output wire [3:0] unload_valid,
  output wire [3:0] unload_payload,
  output wire done
);

  wire [1:1] packer_arm;
  wire [1:0] packer_decide;
  wire [1:0] packer_pass;
  wire [1:1] packer_deliver;
  wire shift;
  wire fill;
  wire arrival;
  sequencer sequencer (
    .clk(clk),
    .reset(reset),
    .packer_arm(packer_arm),
    .packer_decide(packer_decide),
    .packer_pass(packer_pass),
    .packer_deliver(packer_deliver),
    .shift(shift),
    .fill(fill),
    .arrival(arrival),
    .done(done)
  );

  genvar n, d;
  generate
    for (n = 0; n < 4; n = n + 1) begin : node
      wire [1:0] sent;
      wire [1:0] received;
      for (d = 0; d < 2; d = d + 1) begin : dim
        wire tx = sent[d];
        wire rx = node[n ^ (1 << d)].dim[d].tx;
        assign received[d] = rx;
      end
      node #(.ADDRESS(n)) router (
        .clk(clk),
        .reset(reset),
        .packer_arm(packer_arm),
        .packer_decide(packer_decide),
        .packer_pass(packer_pass),
        .packer_deliver(packer_deliver),
        .shift(shift),
        .fill(fill),
        .arrival(arrival),
        .load_valid(load_valid[n]),
        .load_destination(load_destination[n * 2 +: 2]),
        .load_payload(load_payload[n]),
        .unload_valid(unload_valid[n]),
        .unload_payload(unload_payload[n]),
        .rx(received),
        .tx(sent)
      );
    end
  endgenerate
endmodule
