//! What is stated of a broadcast, whatever the message: hosts as in `tb.v`, of which tools choose what the source's has.
//!
//! Each bit of each packet comes once to every node but the source, none where none is due, and a packet whole in its step; no more
//! ports are busy than may be. A packet that is overwritten before it is sent on is not delivered.

use std::fmt::Write;

use rtl_model::circuit::verilog::properties::Stated;
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::node::SUPPLY;

use crate::error::Error;
use crate::families::broadcast::job::Job;
use crate::families::broadcast::verilog::testbench::constants;
use crate::families::broadcast::verilog::{configuration, configured, hosts};
use crate::verilog::contents::Hardware;

/// Of a job's machine.
///
/// # Errors
/// One that does not fit into memory.
pub(super) fn stated(job: &Job, hardware: &Hardware) -> Result<Stated, Error> {
    let broadcast = &job.asked.broadcast;
    let configuration = configuration(hardware);
    let names = configuration.iter().map(|(name, _)| name.clone());
    let inputs = ["load_supply", "host_supply"].map(str::to_owned);
    let declared = format!(
        "  localparam NODES = {};\n\
         {}\
         {}\
         {MESSAGE}\
         {}{}{}",
        hardware.nodes,
        constants(job),
        configured_as(job, &configuration)?,
        hosts::supply(&job.machine, "reset ? any_message : kept"),
        STEPS,
        takes(job),
    );
    Ok(Stated {
        free: vec![(
            "any_message".to_owned(),
            broadcast.packets * broadcast.packet_bits,
        )],
        driven: names.chain(inputs).collect(),
        declared: declared + &ports(broadcast.ports),
        assumed: String::new(),
        asserted: ASSERTED.to_owned(),
    })
}

/// The places of nodes in a tree, if no closed rule gives them, as what drives their ports.
fn configured_as(job: &Job, ports: &[(String, usize)]) -> Result<String, Error> {
    if ports.is_empty() {
        return Ok(String::new());
    }
    let mut machine = configured(job)?;
    let mut all = vec![String::new(); ports.len()];
    for node in (0..machine.nodes()).rev() {
        let written = machine.host_writes(node).into_iter();
        let mut bits = written.filter(|(field, _)| *field != SUPPLY);
        for ((_, width), all) in ports.iter().zip(&mut all) {
            let of_port: Vec<bool> = bits.by_ref().take(*width).map(|(_, bit)| bit).collect();
            let digits = of_port.iter().rev();
            all.extend(digits.map(|bit| if *bit { '1' } else { '0' }));
        }
    }
    let mut text = "  // the places of nodes in the tree\n".to_owned();
    for ((name, width), bits) in ports.iter().zip(all) {
        let _ = writeln!(
            text,
            "  assign {name} = {}'b{bits};",
            width * machine.nodes()
        );
    }
    Ok(text)
}

/// What tools choose.
const MESSAGE: &str = "\
\x20 // The message, which tools choose while nodes are loaded.
  reg [BITS-1:0] kept;
  always @(posedge clk) if (reset) kept <= any_message;

";

/// What hosts know of time.
const STEPS: &str = "\
\x20 // In the first bit time of a step hosts are told what is going to come, and in the one behind the last the last bits come.
  reg [31:0] of_step;
  reg is_past;
  wire step_begins = of_step == 32'd0;
  always @(posedge clk) begin
    next <= reset ? 32'd1 : asks ? index + 32'd1 : next;
    of_step <= reset || of_step == STEP - 1 ? 32'd0 : of_step + 32'd1;
    is_past <= !reset && is_over;
  end

";

/// What hosts take.
fn takes(job: &Job) -> String {
    let channels = 0..job.machine.wires().channels;
    let told = channels.map(|channel| {
        format!(
            "          packet[{channel} * 32 +: 32] <= {};\n",
            hosts::packet_on(&job.machine, channel, "n")
        )
    });
    TAKES.replace("TOLD", &told.collect::<String>())
}

/// Of each node.
const TAKES: &str = "\
\x20 wire [NODES-1:0] takes_each_once;
  wire [NODES-1:0] takes_whole_packets;
  wire [NODES-1:0] has_message;
  generate
    for (n = 0; n < NODES; n = n + 1) begin : host
      reg [BITS-1:0] value; // what has come
      reg [BITS-1:0] has; // which bits of it
      reg [CHANNELS*32-1:0] packet; // that comes on the channel in this step
      reg [CHANNELS*32-1:0] came; // bits of it
      reg [BITS-1:0] next_value;
      reg [BITS-1:0] next_has;
      reg [CHANNELS*32-1:0] next_came;
      reg is_due;
      reg is_whole;
      reg [31:0] at;
      integer channel;
      always @* begin
        next_value = value;
        next_has = has;
        next_came = came;
        is_due = 1'b1;
        is_whole = 1'b1;
        at = 32'd0;
        for (channel = 0; channel < CHANNELS; channel = channel + 1) begin
          if (host_take[n * CHANNELS + channel]) begin
            at = packet[channel * 32 +: 32] * PACKET_BITS + came[channel * 32 +: 32];
            if (packet[channel * 32 +: 32] >= PACKETS || came[channel * 32 +: 32] >= PACKET_BITS || next_has[at]) begin
              is_due = 1'b0;
            end else begin
              next_has[at] = 1'b1;
              next_value[at] = host_bit[n * CHANNELS + channel];
            end
            next_came[channel * 32 +: 32] = came[channel * 32 +: 32] + 32'd1;
          end
          if (next_came[channel * 32 +: 32] != 32'd0 && next_came[channel * 32 +: 32] != PACKET_BITS) is_whole = 1'b0;
        end
      end
      always @(posedge clk) begin
        if (reset) begin
          value <= {BITS{1'b0}};
          has <= {BITS{1'b0}};
          packet <= {CHANNELS{32'd0}};
          came <= {CHANNELS{32'd0}};
        end else begin
          value <= next_value;
          has <= next_has;
          came <= step_begins ? {CHANNELS{32'd0}} : next_came;
          if (step_begins) begin
TOLD          end
        end
      end
      assign takes_each_once[n] = is_due;
      assign takes_whole_packets[n] = is_whole;
      assign has_message[n] = n == SOURCE ? next_has == {BITS{1'b0}} : &next_has && next_value == kept;
    end
  endgenerate

";

/// Of the ports of each node.
fn ports(model: PortModel) -> String {
    let admitted = match model {
        PortModel::OneWay => "one_at_most({sends, receives})",
        PortModel::TwoWay => {
            "one_at_most({{DIMS{1'b0}}, sends}) && one_at_most({{DIMS{1'b0}}, receives})"
        }
        PortModel::All => "1'b1",
    };
    let one_at_most = match model {
        PortModel::All => "",
        _ => ONE_AT_MOST,
    };
    let text = PORTS
        .replace("ALLOWS", model.allows())
        .replace("ADMITTED", admitted);
    one_at_most.to_owned() + &text
}

const ONE_AT_MOST: &str = "\
\x20 function one_at_most(input [2*DIMS-1:0] busy);
    one_at_most = (busy & (busy - {{2*DIMS-1{1'b0}}, 1'b1})) == {2*DIMS{1'b0}};
  endfunction

";

const PORTS: &str = "\
\x20 // What one node sends its neighbour receives, and no more ports are busy than may be: ALLOWS.
  wire [NODES-1:0] few_are_busy;
  wire [NODES*DIMS-1:0] is_received;
  generate
    for (n = 0; n < NODES; n = n + 1) begin : ports
      wire [DIMS-1:0] sends = host_sending[n * DIMS +: DIMS];
      wire [DIMS-1:0] receives = host_receiving[n * DIMS +: DIMS];
      assign few_are_busy[n] = ADMITTED;
      for (c = 0; c < DIMS; c = c + 1) begin : of
        assign is_received[n * DIMS + c] = sends[c] == host_receiving[(n ^ (1 << c)) * DIMS + c];
      end
    end
  endgenerate

";

const ASSERTED: &str = "\
\x20     ports_admitted: assert (!step_begins || &few_are_busy);
      ports_joined: assert (!step_begins || &is_received);
      ports_arbiters: assert (host_violation == {NODES{1'b0}});
      ports_source: assert ((host_ask & ~({{(NODES - 1){1'b0}}, 1'b1} << SOURCE)) == {NODES{1'b0}});
      arrivals_once: assert (&takes_each_once);
      arrivals_whole: assert (!step_begins || &takes_whole_packets);
      delivery_to_all: assert (!is_past || &has_message);
";
