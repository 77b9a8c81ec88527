//! `tb.v`: hosts that send worms and take bodies, and compare what comes with what was sent.

use std::fmt::Write;

use rtl_model::routers::wormhole::verilog::NetworkDesign;

use crate::families::wormhole::verilog::{Round, Subject, stimulus};
use crate::verilog::testbench::{BEGIN, CLOCK_AND_FAIL, PATIENCE, SHOWN, head, of_round};

/// Bits of a number in the files.
const NUMBER_BITS: usize = 32;

pub(super) fn text(subject: &Subject<'_>, design: &NetworkDesign, title: &str) -> String {
    let rounds = subject.rounds;
    let names: Vec<String> = rounds.iter().map(|round| round.name.clone()).collect();
    let longest = rounds.iter().map(|round| stimulus::longest(&round.sent));
    let longest = longest.max().unwrap_or(0);
    let mut text = head(title, "traffic.hex", &names);
    let wire_bits = subject.machine.parameters().wire_bits;
    let outcome = match subject.completes() {
        true => "as simulated, until the last worm has arrived",
        false => {
            "as simulated, until nothing moves any more: the worms that are left wait for each other"
        }
    };
    let _ = write!(
        text,
        "\n\
         module tb;\n\
         \x20 localparam NODES = {nodes};\n\
         \x20 localparam SWITCHES = {switches}; // of each node\n\
         \x20 localparam PORTS = NODES * SWITCHES; // of hosts: switch s of node n is port n * SWITCHES + s\n\
         \x20 localparam BUFFER_BITS = {buffer_bits};\n\
         \x20 localparam WORM_BITS = {worm_bits}; // at the most\n\
         {wires}\
         \x20 localparam ROUNDS = {rounds};\n\
         \x20 localparam LINES = {lines}; // of traffic.hex and expected.hex\n\
         \x20 localparam COMPLETES = {completes}; // 0: a deadlock\n\
         \x20 localparam PATIENCE = {PATIENCE};\n\n\
         \x20 reg clk;\n\
         \x20 reg reset;\n",
        nodes = subject.nodes(),
        switches = subject.switches(),
        buffer_bits = subject.machine.parameters().buffer_bits,
        worm_bits = longest.max(NUMBER_BITS).next_multiple_of(wire_bits),
        wires = match wire_bits {
            1 => String::new(),
            _ => format!(
                "  localparam WIRE_BITS = {wire_bits}; // of a flit, which is what hosts count\n"
            ),
        },
        rounds = rounds.len(),
        lines = (rounds.iter())
            .map(|round| stimulus::lines(&round.sent))
            .sum::<usize>(),
        completes = u8::from(subject.completes()),
    );
    for (kind, ports) in [("reg", &design.from_host), ("wire", &design.to_host)] {
        for name in ports {
            let bits = match (wire_bits > 1, name.as_str()) {
                (true, "inject" | "eject") => "PORTS * WIRE_BITS",
                _ => "PORTS",
            };
            let _ = writeln!(text, "  {kind} [{bits}-1:0] {name};");
        }
    }
    let ports = design.from_host.iter().chain(&design.to_host);
    let connections: Vec<String> = ports.map(|name| format!("    .{name}({name})")).collect();
    let _ = write!(
        text,
        "  {name} {name} (\n    .clk(clk),\n    .reset(reset),\n{connections}\n  );\n\n\
         \x20 // Of each worm, round by round, port by port, in the order in which they are sent: the port that sends it, the\n\
         \x20 // bit time before which it does not begin, its length, 0 if there is none, and its bits, the first one lowest\n\
         \x20 reg [WORM_BITS-1:0] traffic [0:4*LINES-1];\n\
         \x20 // Of each worm: the port that it is for, the length of the body, and the body\n\
         \x20 reg [WORM_BITS-1:0] expected [0:3*LINES-1];\n\n\
         \x20 reg [WORM_BITS-1:0] body [0:PORTS-1]; // what has come of the body that is arriving\n\
         \x20 integer round; // from 1\n\
         \x20 integer first; // line of the round\n\
         \x20 integer lines; // of the round\n\
         \x20 integer worms; // of the round\n\
         \x20 integer bit_times; // of the round, {outcome}\n",
        name = design.name,
        connections = connections.join(",\n"),
    );
    text.push_str(&in_flits(HOSTS, wire_bits));
    text.push_str(CLOCK_AND_FAIL);
    let take = TAKE.replace("SHOWN", &SHOWN.to_string());
    text.push_str(&in_flits(&take, wire_bits));
    text.push_str(&begin_round(rounds));
    text.push_str(BEGIN);
    let [which, arguments] = of_round(rounds.len());
    text.push_str(
        &RUN.replace("SHOWN", &SHOWN.to_string())
            .replace("WHICH", which)
            .replace("OF_ROUND", arguments)
            .replace("FURTHER", &further(rounds.len().saturating_sub(1))),
    );
    text
}

/// The same for flits of several bits in the place of bits.
fn in_flits(text: &str, wire_bits: usize) -> String {
    if wire_bits == 1 {
        return text.to_owned();
    }
    let of_flit = [
        ("inject[port]", "inject[port * WIRE_BITS +: WIRE_BITS]"),
        ("eject[port]", "eject[port * WIRE_BITS +: WIRE_BITS]"),
        ("[sent[port]];", "[sent[port] * WIRE_BITS +: WIRE_BITS];"),
        (
            "(received[port] < WORM_BITS) body[port][received[port]]",
            "(received[port] * WIRE_BITS < WORM_BITS) body[port][received[port] * WIRE_BITS +: WIRE_BITS]",
        ),
        (
            "+: WIRE_BITS] <= 1'b0;",
            "+: WIRE_BITS] <= {WIRE_BITS{1'b0}};",
        ),
        ("%0d bits arrived", "%0d flits arrived"),
    ];
    let text = text.to_owned();
    of_flit
        .iter()
        .fold(text, |text, (bit, flit)| text.replace(bit, flit))
}

/// What PASS says of so many rounds after the first one, whose worms it counts.
fn further(rounds: usize) -> String {
    match rounds {
        0 => String::new(),
        _ => format!(", and all of {rounds} further rounds as they should"),
    }
}

/// What is known of each round.
fn begin_round(rounds: &[Round]) -> String {
    let mut first = 0;
    let mut cases = String::new();
    for (number, round) in rounds.iter().enumerate() {
        let (lines, worms) = (stimulus::lines(&round.sent), round.sent.len());
        let (number, bit_times) = (number + 1, round.bit_times);
        // Writing to a string cannot fail.
        let _ = writeln!(
            cases,
            "        {number}: begin first = {first}; lines = {lines}; worms = {worms}; bit_times = {bit_times}; end"
        );
        first += lines;
    }
    format!(
        "  task begin_round;\n\
         \x20   begin\n\
         \x20     case (round)\n\
         {cases}\
         \x20       default: begin first = 0; lines = 0; worms = 0; bit_times = 0; end\n\
         \x20     endcase\n\
         \x20   end\n\
         \x20 endtask\n\n"
    )
}

/// What a host does in a bit time.
const HOSTS: &str = "\
\x20 integer received [0:PORTS-1];
  integer sent [0:PORTS-1];
  integer credits [0:PORTS-1];
  integer next [0:PORTS-1]; // line of the worm that is being sent, or is the next one
  integer behind [0:PORTS-1]; // the line behind that of the last one
  integer first_to [0:PORTS-1]; // line of the first worm that is to come here, and has not; none is -1
  integer next_to [0:LINES-1]; // of the next one that is to come where this one is
  reg has_arrived [0:LINES-1];
  reg found;
  reg may_send;
  integer port;
  integer worm;
  integer before;
  integer arrived;
  integer wrong;
  integer bit_time;
  integer quiet; // bit times since a bit or a credit last passed between a host and its node

  // Gives each port the worms that it sends, and those that are to come to it.
  task set_up;
    begin
      for (port = 0; port < PORTS; port = port + 1) begin
        next[port] = 0;
        behind[port] = 0;
        first_to[port] = -1;
      end
      // From the last one on, so that a list is in the order of the lines.
      for (worm = first + lines - 1; worm >= first; worm = worm - 1) begin
        has_arrived[worm] = 1'b0;
        if (traffic[4 * worm + 2] != 0) begin
          port = traffic[4 * worm];
          next[port] = worm;
          if (behind[port] == 0) behind[port] = worm + 1;
          port = expected[3 * worm];
          next_to[worm] = first_to[port];
          first_to[port] = worm;
        end
      end
    end
  endtask

  // In the bit time that ends, hosts have seen what came to them; in the one that begins, they send
  // what credits allow. A worm begins only when all credits are back, and not before its time.
  always @(posedge clk) begin
    if (reset) begin
      set_up;
      arrived = 0;
      wrong = 0;
      bit_time = 0;
      quiet = 0;
    end else begin
      bit_time = bit_time + 1;
      quiet = (|inject_valid || |inject_credit || |eject_valid) ? 0 : quiet + 1;
    end
    for (port = 0; port < PORTS; port = port + 1) begin
      if (reset) begin
        received[port] = 0;
        sent[port] = 0;
        credits[port] = BUFFER_BITS;
      end else begin
        if (inject_valid[port]) credits[port] = credits[port] - 1;
        if (inject_credit[port] !== 1'b0) credits[port] = credits[port] + 1;
        if (eject_valid[port] !== 1'b0) begin
          if (received[port] == 0) body[port] = 0;
          if (received[port] < WORM_BITS) body[port][received[port]] = eject[port];
          received[port] = received[port] + 1;
          if (eject_tail[port] !== 1'b0) begin
            take(port);
            received[port] = 0;
          end
        end
      end
      may_send = (sent[port] == 0) ? credits[port] == BUFFER_BITS : credits[port] > 0;
      worm = next[port];
      // Where nothing moves any more, none begins that has a later time.
      if (sent[port] == 0)
        may_send = may_send && worm < behind[port] && traffic[4 * worm + 1] <= bit_time
          && traffic[4 * worm + 1] <= bit_times;
      if (may_send) begin
        inject[port] <= traffic[4 * worm + 3][sent[port]];
        inject_valid[port] <= 1'b1;
        inject_tail[port] <= sent[port] + 1 == traffic[4 * worm + 2];
        sent[port] = sent[port] + 1;
        if (sent[port] == traffic[4 * worm + 2]) begin
          sent[port] = 0;
          next[port] = worm + 1;
        end
      end else begin
        inject[port] <= 1'b0;
        inject_valid[port] <= 1'b0;
        inject_tail[port] <= 1'b0;
      end
    end
  end

";

/// A body that is whole.
const TAKE: &str = "\
\x20 // The body at a port must be, bit by bit, one that was sent there and has not come yet.
  task take;
    input integer at;
    begin
      arrived = arrived + 1;
      found = 1'b0;
      before = -1;
      worm = first_to[at];
      while (worm >= 0 && !found) begin
        if (expected[3 * worm + 1] == received[at] && body[at] === expected[3 * worm + 2]) begin
          found = 1'b1;
          has_arrived[worm] = 1'b1;
          if (before < 0) first_to[at] = next_to[worm];
          else next_to[before] = next_to[worm];
        end else begin
          before = worm;
          worm = next_to[worm];
        end
      end
      if (!found) begin
        if (wrong < SHOWN)
          $display(\"node %0d, switch %0d: %0d bits arrived, %h, that were not sent there\",
            at / SWITCHES, at % SWITCHES, received[at], body[at]);
        wrong = wrong + 1;
      end
    end
  endtask

";

/// From the first reset to the verdict.
const RUN: &str = "\
\x20   for (round = 1; round <= ROUNDS && !failed; round = round + 1) begin
      begin_round;
      reset = 1'b1;
      #(round == 1 ? 15 : 10) reset = 1'b0; // in the middle of bit time 0
      while (arrived < worms && bit_time < bit_times + PATIENCE) begin
        #10;
      end

      for (worm = first; worm < first + lines; worm = worm + 1) begin
        if (arrived >= worms && traffic[4 * worm + 2] != 0 && !has_arrived[worm]) begin
          if (wrong <= SHOWN)
            $display(\"node %0d, switch %0d: what it sent to node %0d has not arrived\",
              traffic[4 * worm] / SWITCHES, traffic[4 * worm] % SWITCHES, expected[3 * worm] / SWITCHES);
        end
      end
      if (arrived < worms && !COMPLETES && quiet >= PATIENCE) begin
        $display(\"FAIL: WHICHdeadlock: %0d of %0d worms arrived, and nothing has moved for %0d bit times; %0d wrong\",
          OF_ROUNDarrived, worms, quiet, wrong);
        fail;
      end else if (arrived < worms) begin
        $display(\"FAIL: WHICHnot done after %0d bit times, it should take %0d; %0d of %0d worms arrived, %0d wrong\",
          OF_ROUNDbit_time, bit_times, arrived, worms, wrong);
        fail;
      end else if (!COMPLETES) begin
        $display(\"FAIL: WHICHdone after %0d bit times, it should end in a deadlock; %0d of %0d worms wrong\",
          OF_ROUNDbit_time, wrong, worms);
        fail;
      end else if (arrived != worms || bit_time != bit_times || wrong != 0) begin
        $display(\"FAIL: WHICHdone after %0d bit times, it should take %0d; %0d of %0d worms wrong\",
          OF_ROUNDbit_time, bit_times, wrong, worms);
        fail;
      end
    end
    #5;
    if (!failed) begin
      round = 1;
      begin_round;
      $display(\"PASS: %0d of %0d worms arrived as they were sent, after %0d bit timesFURTHER\",
        worms, worms, bit_times);
      $finish(0);
    end
  end
endmodule
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place where a host has a bit in its hands.
    #[test]
    fn all_that_hosts_send_and_take_is_in_flits() {
        let text = in_flits(&[HOSTS, TAKE].concat(), 3);
        for of_a_bit in [
            "inject[port]",
            "eject[port]",
            "[sent[port]]",
            "[received[port]]",
            "1'b0}};",
            "bits arrived",
        ] {
            let is_left = text.contains(of_a_bit) && of_a_bit != "1'b0}};";
            assert!(!is_left, "{of_a_bit}");
        }
        assert_eq!(text.matches("WIRE_BITS +: WIRE_BITS]").count(), 5);
        assert_eq!(text.matches("{WIRE_BITS{1'b0}}").count(), 1);
        assert_eq!(in_flits(HOSTS, 1), HOSTS);
    }
}
