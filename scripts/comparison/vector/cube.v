// The circuit of `cubewave verilog kuszmaul --schedule plain`, written by hand so that Verilator simulates it fast:
// Kuszmaul 1990, section III, Algorithm 2. It takes the place of the exported cube.v and node.v, has the ports of
// cube.v, and uses the exported sequencer.v as it is.
//
// A register of the node is here a vector with a bit for each node, so one operation serves all nodes:
//
//   node.v     reg packing_dim_2_out;                    in each of the nodes
//   this file  reg [NODES-1:0] packing_out [0:ROWS-1];   packing_out[2], of which bit n is node n's
//
// A wire across dimension d is a permutation of such a vector: bit n comes from bit n ^ 2^d (`ACROSS`).
//
// What makes it fast beyond that:
// - All registers are written in one block, by blocking assignments: none needs a second copy for the time of
//   the clock edge. The stages of a row are taken against the flow, so each reads what the stage before it
//   held before this edge; what is computed on the way is only there for this bit time.
// - What no strobe enables is not computed.
// - All nodes shift together, so a shift register does not move its bits: it is a memory over which a head moves.
//   Heads and the two lengths are shared by all nodes, take the place of the taps, and are no storage of a node.
// - What the host reads is put in its order once, when `done` rises.
//
// Verilog-2005. There are at least three dimensions.

`timescale 100 ps / 100 ps

// What each node receives when all send `vector` across dimension d.
`define ACROSS(vector, d) \
  (((vector & ADDRESS[(d) * NODES +: NODES]) >> (1 << (d))) \
  | ((vector & ~ADDRESS[(d) * NODES +: NODES]) << (1 << (d))))

// The size where no parameter is given: testbenches give none.
`ifndef DIMS
`define DIMS 4
`endif
`ifndef PAYLOAD_BITS
`define PAYLOAD_BITS 8
`endif

// One block writes a register and no other block reads it before the next edge, so nothing races.
// verilator lint_off BLKSEQ
module cube #(
  parameter K = `DIMS, // dimensions
  parameter D = `PAYLOAD_BITS // payload bits of a message
) (
  input wire clk,
  input wire reset,
  // node n has bits n * width and up
  input wire [(1<<K)-1:0] load_valid,
  input wire [(1<<K)*K-1:0] load_destination,
  input wire [(1<<K)*D-1:0] load_payload,
  output reg [(1<<K)-1:0] unload_valid,
  output reg [(1<<K)*D-1:0] unload_payload,
  output wire done
);
  localparam NODES = 1 << K;

  // Bit d of every node's address: ADDRESS[d * NODES +: NODES].
  function [K*NODES-1:0] addresses(input integer dimensions);
    integer d, doubled;
    reg [NODES-1:0] bits;
    begin
      addresses = 0;
      for (d = 0; d < dimensions; d = d + 1) begin
        bits = ~({NODES{1'b1}} << (1 << d)) << (1 << d);
        for (doubled = d + 1; doubled < dimensions; doubled = doubled + 1)
          bits = bits | (bits << (1 << doubled));
        addresses[d * NODES +: NODES] = bits;
      end
    end
  endfunction
  localparam [K*NODES-1:0] ADDRESS = addresses(K);

  // The broadcast.
  wire [K-1:0] message_tap;
  wire [K-1:0] exchange;
  wire exchange_decide;
  wire [K-1:1] enumerator_inject;
  wire [K-1:1] enumerator_drive;
  wire [K-1:1] enumerator_add;
  wire [K-1:K-1] enumerator_last;
  wire enumerator_rank_fill;
  wire enumerator_rank_drain;
  wire [K-2:0] enumerator_rank_tap;
  wire [K-1:1] packer_inject;
  wire [K-1:1] packer_arm;
  wire [K-1:1] packer_decide;
  wire [K-1:1] packer_pass;
  wire [K-1:1] packer_deliver;
  wire packer_backward;
  wire empties;
  wire send_second;
  wire [K-1:1] send_address;
  wire second_arrival;
  wire first_arrival;
  wire first_shift;
  wire first_fill;
  wire second_shift;
  wire second_fill;
  wire rendezvous_push;
  wire rendezvous_pop;
  sequencer sequencer (
    .clk(clk),
    .reset(reset),
    .message_tap(message_tap),
    .exchange(exchange),
    .exchange_decide(exchange_decide),
    .enumerator_inject(enumerator_inject),
    .enumerator_drive(enumerator_drive),
    .enumerator_add(enumerator_add),
    .enumerator_last(enumerator_last),
    .enumerator_rank_fill(enumerator_rank_fill),
    .enumerator_rank_drain(enumerator_rank_drain),
    .enumerator_rank_tap(enumerator_rank_tap),
    .packer_inject(packer_inject),
    .packer_arm(packer_arm),
    .packer_decide(packer_decide),
    .packer_pass(packer_pass),
    .packer_deliver(packer_deliver),
    .packer_backward(packer_backward),
    .empties(empties),
    .send_second(send_second),
    .send_address(send_address),
    .second_arrival(second_arrival),
    .first_arrival(first_arrival),
    .first_shift(first_shift),
    .first_fill(first_fill),
    .second_shift(second_shift),
    .second_fill(second_fill),
    .rendezvous_push(rendezvous_push),
    .rendezvous_pop(rendezvous_pop),
    .done(done)
  );
  // `length` stands for the taps, rows of the enumeration end at the last stage, first messages are filled whenever
  // they shift, but for the bit time that decides.
  wire unused = &{1'b0, message_tap, enumerator_rank_tap, enumerator_last, first_fill};

  // A shift register: position p is place head + p of a memory, a power of two so that places wrap around.
  localparam PLACE_BITS = $clog2(K + D + 1);
  localparam PLACES = 1 << PLACE_BITS;

  // Registers by dimension stand in arrays of a power of two, so that no place is outside.
  localparam ROWS = 1 << $clog2(K);

  // first_message, second_message
  reg [NODES-1:0] first_valid;
  reg [NODES-1:0] first_bits [0:PLACES-1];
  reg [PLACE_BITS-1:0] first_head;
  reg [NODES-1:0] second_valid;
  reg [NODES-1:0] second_bits [0:PLACES-1];
  reg [PLACE_BITS-1:0] second_head;
  // L: message bits that are left in this iteration.
  reg [PLACE_BITS-1:0] length;
  // Dimensions that are left.
  reg [PLACE_BITS-1:0] stages;

  // exchange
  reg [NODES-1:0] leaving;
  reg [NODES-1:0] staying;

  // enumeration, by dimension; dimension 0 has none, nor dimension 1 an offset adder, nor the last a total;
  // the offset of the last is on its way into the rank
  reg [NODES-1:0] total_carry [0:ROWS-1];
  reg [NODES-1:0] offset_carry [0:ROWS-1];
  reg [NODES-1:0] total [0:ROWS-1];
  reg [NODES-1:0] offset [0:ROWS-1];
  reg [NODES-1:0] rank [0:PLACES-1];
  reg [PLACE_BITS-1:0] rank_head;

  // packing, by dimension; dimension 0 has none
  reg [NODES-1:0] packing_valid [0:ROWS-1];
  reg [NODES-1:0] packing_crossing [0:ROWS-1];
  reg [NODES-1:0] packing_keeping [0:ROWS-1];
  reg [NODES-1:0] packing_out [0:ROWS-1];

  // rendezvous: a stack
  reg [NODES-1:0] rendezvous [0:PLACES-1];
  reg [PLACE_BITS-1:0] rendezvous_head;

  // Of this bit time only, and no registers of the node.
  reg [NODES-1:0] arriving;
  reg [NODES-1:0] head;
  reg [NODES-1:0] differs;
  reg [NODES-1:0] selected;
  reg [NODES-1:0] source;
  reg [NODES-1:0] incoming;
  reg [NODES-1:0] sent;
  reg [NODES-1:0] kept;
  reg [NODES-1:0] received;
  reg [NODES-1:0] counted;
  reg [NODES-1:0] carried;
  reg [NODES-1:0] half_sum;
  reg [PLACE_BITS-1:0] entry; // where a bit enters a shift register
  integer d, place, node;

  always @(posedge clk) begin
    if (reset) begin
      first_valid = load_valid;
      second_valid = 0;
      leaving = 0;
      staying = 0;
      for (place = 0; place < PLACES; place = place + 1) begin
        first_bits[place] = 0;
        second_bits[place] = 0;
        rank[place] = 0;
        rendezvous[place] = 0;
      end
      for (d = 0; d < K; d = d + 1) begin
        total_carry[d] = 0;
        offset_carry[d] = 0;
        total[d] = 0;
        offset[d] = 0;
        packing_valid[d] = 0;
        packing_crossing[d] = 0;
        packing_keeping[d] = 0;
        packing_out[d] = 0;
      end
      for (place = 0; place < K; place = place + 1)
        for (node = 0; node < NODES; node = node + 1)
          first_bits[place][node] = load_destination[node * K + place];
      for (place = 0; place < D; place = place + 1)
        for (node = 0; node < NODES; node = node + 1)
          first_bits[K + place][node] = load_payload[node * D + place];
      first_head = 0;
      second_head = 0;
      rank_head = 0;
      rendezvous_head = 0;
      length = K[PLACE_BITS-1:0] + D[PLACE_BITS-1:0];
      stages = K[PLACE_BITS-1:0];
    end else begin
      // Step 1: who wants to cross dimension d does. The first bit time decides; then messages stream.
      if (exchange != 0) begin
        head = first_bits[first_head];
        for (d = 0; d < K; d = d + 1)
          if (exchange[d]) begin
            if (exchange_decide) begin
              differs = head ^ ADDRESS[d * NODES +: NODES];
              leaving = first_valid & differs;
              staying = first_valid & ~differs;
              arriving = `ACROSS(leaving, d);
            end else begin
              sent = leaving & head;
              arriving = `ACROSS(sent, d);
            end
          end
        first_bits[first_head] = 0;
        if (exchange_decide) begin
          first_valid = staying | arriving;
          second_valid = staying & arriving;
          length = length - 1;
          stages = stages - 1;
        end else begin
          entry = first_head + length;
          first_bits[entry] = (staying & head) | (~staying & arriving);
          if (second_shift) begin
            second_bits[second_head] = 0;
            entry = second_head + length;
            second_bits[entry] = arriving;
            second_head = second_head + 1;
          end
        end
        first_head = first_head + 1;
      end

      // Steps 2 and 4: a total goes both ways over each wire; who has a 1 in its address counts what comes.
      if (enumerator_add != 0) begin
        for (d = K - 1; d > 0; d = d - 1)
          if (enumerator_add[d]) begin
            if (enumerator_drive[d]) begin
              if (enumerator_inject[d]) begin
                sent = empties ? ~first_valid : second_valid;
                received = `ACROSS(sent, d);
                counted = received & ADDRESS[d * NODES +: NODES];
                carried = 0;
              end else begin
                sent = total[d - 1];
                received = `ACROSS(sent, d);
                counted = received & ADDRESS[d * NODES +: NODES];
                carried = offset[d - 1];
              end
              if (d < K - 1) begin
                half_sum = sent ^ received;
                total[d] = half_sum ^ total_carry[d];
                total_carry[d] = (sent & received) | (half_sum & total_carry[d]);
              end
              if (d > 1) begin
                half_sum = carried ^ counted;
                offset[d] = half_sum ^ offset_carry[d];
                offset_carry[d] = (carried & counted) | (half_sum & offset_carry[d]);
              end else begin
                offset[d] = counted;
              end
            end else begin
              // The carry comes out.
              if (d < K - 1) begin
                total[d] = total_carry[d];
                total_carry[d] = 0;
              end
              offset[d] = offset_carry[d];
              offset_carry[d] = 0;
            end
          end
        if (enumerator_rank_fill) begin
          rank[rank_head] = 0;
          entry = rank_head + stages;
          rank[entry] = offset[K - 1];
          rank_head = rank_head + 1;
        end
      end

      // Steps 3, 5 and 6: messages, or addresses, pass a row of switches. The header bit decides; then the
      // rest streams.
      if (packer_pass != 0) begin
        if (enumerator_rank_drain) begin
          source = rank[rank_head];
          rank[rank_head] = 0;
          rank_head = rank_head + 1;
        end else if (rendezvous_pop) begin
          source = rendezvous[rendezvous_head];
          rendezvous[rendezvous_head] = 0;
          rendezvous_head = rendezvous_head + 1;
        end else if (send_second) begin
          source = second_bits[second_head];
        end else begin
          source = 0;
          for (d = 1; d < K; d = d + 1)
            if (send_address[d]) source = ADDRESS[d * NODES +: NODES];
        end
        selected = empties ? ~first_valid : second_valid;
        if (!packer_backward) begin
          for (d = K - 1; d > 0; d = d - 1) begin
            if (packer_pass[d]) begin
              incoming = packer_inject[d] ? source : packing_out[d - 1];
              if (packer_decide[d]) begin
                differs = incoming ^ ADDRESS[d * NODES +: NODES];
                kept = packer_inject[d] ? selected : packing_valid[d];
                sent = kept & differs;
                kept = kept & ~differs;
                packing_crossing[d] = sent;
                packing_keeping[d] = kept;
              end else begin
                sent = packing_crossing[d] & incoming;
                kept = packing_keeping[d] & incoming;
              end
              packing_out[d] = kept | `ACROSS(sent, d);
            end
            if (packer_arm[d]) packing_valid[d] = packing_out[d - 1];
          end
          arriving = packing_out[K - 1];
        end else begin
          for (d = 1; d < K; d = d + 1) begin
            if (packer_pass[d]) begin
              incoming = d == K - 1 ? source : packing_out[d + 1];
              if (packer_decide[d]) begin
                differs = incoming ^ ADDRESS[d * NODES +: NODES];
                kept = d == K - 1 ? selected : packing_valid[d];
                sent = kept & differs;
                kept = kept & ~differs;
                packing_crossing[d] = sent;
                packing_keeping[d] = kept;
              end else begin
                sent = packing_crossing[d] & incoming;
                kept = packing_keeping[d] & incoming;
              end
              packing_out[d] = kept | `ACROSS(sent, d);
              if (packer_deliver[d]) arriving = packing_out[d];
            end
            if (d < K - 1 && packer_arm[d]) packing_valid[d] = packing_out[d + 1];
          end
        end
        if (second_shift) begin
          second_bits[second_head] = 0;
          entry = second_head + length;
          if (second_fill) second_bits[entry] = arriving;
          second_head = second_head + 1;
        end
        if (second_arrival) second_valid = arriving;
        if (rendezvous_push) begin
          rendezvous_head = rendezvous_head - 1;
          rendezvous[rendezvous_head] = arriving;
        end
        if (first_arrival) begin
          staying = ~arriving;
          first_valid = first_valid | arriving;
          second_valid = 0;
        end
        if (first_shift) begin
          head = first_bits[first_head];
          first_bits[first_head] = 0;
          entry = first_head + length;
          first_bits[entry] = (staying & head) | (~staying & arriving);
          first_head = first_head + 1;
        end
      end
    end
  end

  integer unloaded, unloaded_bit;
  reg [PLACE_BITS-1:0] unloaded_place;
  always @(posedge done) begin
    unload_valid = first_valid;
    for (unloaded_bit = 0; unloaded_bit < D; unloaded_bit = unloaded_bit + 1) begin
      unloaded_place = first_head + unloaded_bit[PLACE_BITS-1:0];
      for (unloaded = 0; unloaded < NODES; unloaded = unloaded + 1)
        unload_payload[unloaded * D + unloaded_bit] = first_bits[unloaded_place][unloaded];
    end
  end
endmodule
// verilator lint_on BLKSEQ
`undef ACROSS
