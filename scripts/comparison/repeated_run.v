// Runs the exported `cube` again and again in Icarus, on the traffic of the project in whose folder it is run; `vvp`
// takes +runs=<runs>. What is there besides the bit times is what +runs=0 takes.
//
// Compiled with -DDIMS=<k> -DPAYLOAD_BITS=<D>. Prints the bit times of a run; ends with status 1 if a node does
// not hold what it should.

`timescale 100 ps / 100 ps

module repeated_run;
  localparam K = `DIMS;
  localparam D = `PAYLOAD_BITS;
  localparam NODES = 1 << K;

  reg clk;
  reg reset;
  wire done;
  reg [NODES-1:0] load_valid;
  reg [NODES*K-1:0] load_destination;
  reg [NODES*D-1:0] load_payload;
  wire [NODES-1:0] unload_valid;
  wire [NODES*D-1:0] unload_payload;
  cube cube (
    .clk(clk),
    .reset(reset),
    .load_valid(load_valid),
    .load_destination(load_destination),
    .load_payload(load_payload),
    .unload_valid(unload_valid),
    .unload_payload(unload_payload),
    .done(done)
  );

  // A line a node: {load_payload, load_destination, load_valid}
  reg [D+K:0] traffic [0:NODES-1];
  // A line a node: {unload_payload, unload_valid}, then which of these bits matter
  reg [D:0] expected [0:2*NODES-1];
  reg [D:0] arrived;
  integer node;
  integer run;
  integer runs;
  integer bit_time;

  initial begin
    if (!$value$plusargs("runs=%d", runs)) runs = 1;
    $readmemh("traffic.hex", traffic);
    $readmemh("expected.hex", expected);
    for (node = 0; node < NODES; node = node + 1) begin
      {load_payload[node * D +: D], load_destination[node * K +: K], load_valid[node]} = traffic[node];
    end
    clk = 1'b0;
    bit_time = 0;
    for (run = 0; run < runs; run = run + 1) begin
      reset = 1'b1;
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      reset = 1'b0;
      #1 bit_time = 0;
      while (done !== 1'b1 && bit_time < 1000000) begin
        #5 clk = 1'b1;
        #5 clk = 1'b0;
        bit_time = bit_time + 1;
      end
      for (node = 0; node < NODES; node = node + 1) begin
        arrived = {unload_payload[node * D +: D], unload_valid[node]};
        if (((arrived ^ expected[2 * node]) & expected[2 * node + 1]) !== {(D + 1){1'b0}}) begin
          $display("node %0d holds %h, expected %h of the bits %h",
            node, arrived, expected[2 * node], expected[2 * node + 1]);
          $finish_and_return(1);
        end
      end
    end
    $display("%0d", bit_time);
    $finish(0);
  end
endmodule
