//! What `tb.v` does: hosts send worms and take bodies, and what comes is compared with what was sent.

use std::fmt::Write;

use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::families::wormhole::verilog::{Round, stimulus};
use crate::verilog::testbench::Testbench;

/// Bits of a number in the files.
const NUMBER_BITS: usize = 32;

/// Of these rounds, where all worms of the first arrive, or block each other.
pub(super) fn of(machine: &WormholeMachine, completes: bool, rounds: &[Round]) -> Testbench {
    let wire_bits = machine.parameters().wire_bits;
    let worms = rounds[0].sent.len();
    Testbench {
        constants: constants(machine, rounds),
        drives_in_process: true,
        declarations: DECLARATIONS.to_owned(),
        at_reset: AT_RESET.to_owned(),
        ends_bit_time: ENDS_BIT_TIME.to_owned(),
        begins_bit_time: in_flits(BEGINS_BIT_TIME, wire_bits),
        tasks: in_flits(TASKS, wire_bits) + &begin_round(rounds),
        begins_round: "      begin_round;\n".to_owned(),
        compares: COMPARES.to_owned(),
        failures: if completes { &[] } else { DEADLOCK },
        is_wrong: "arrived != worms || wrong != 0",
        counts: [
            "%0d of %0d worms wrong, %0d arrived",
            "wrong, worms, arrived",
        ],
        passed: format!(
            "{worms} of {worms} worms arrived as they were sent, after {} bit times{}",
            rounds[0].bit_times,
            further(rounds.len().saturating_sub(1))
        ),
    }
}

fn constants(machine: &WormholeMachine, rounds: &[Round]) -> String {
    let wire_bits = machine.parameters().wire_bits;
    let longest = rounds.iter().map(|round| stimulus::longest(&round.sent));
    let longest = longest.max().unwrap_or(0).max(NUMBER_BITS);
    let lines = rounds.iter().map(|round| stimulus::lines(&round.sent));
    let wires = match wire_bits {
        1 => String::new(),
        _ => format!(
            "  localparam WIRE_BITS = {wire_bits}; // of a flit, which is what hosts count\n"
        ),
    };
    format!(
        "  localparam SWITCHES = {}; // of each node\n\
         \x20 localparam PORTS = NODES * SWITCHES; // of hosts: switch s of node n is port n * SWITCHES + s\n\
         \x20 localparam BUFFER_BITS = {};\n\
         \x20 localparam WORM_BITS = {}; // at the most\n\
         {wires}\
         \x20 localparam LINES = {}; // of traffic.hex and expected.hex\n",
        machine.network().switches(),
        machine.parameters().buffer_bits,
        longest.next_multiple_of(wire_bits),
        lines.sum::<usize>(),
    )
}

/// How a machine fails whose worms block each other: there is no other end for it.
const DEADLOCK: &[[&str; 3]] = &[
    [
        "!is_done && quiet >= PATIENCE",
        "deadlock: %0d of %0d worms arrived, and nothing has moved for %0d bit times; %0d wrong",
        "arrived, worms, quiet, wrong",
    ],
    [
        "is_done",
        "done after %0d bit times, it should end in a deadlock; %0d of %0d worms wrong",
        "took, wrong, worms",
    ],
];

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

/// What hosts have.
const DECLARATIONS: &str = "\
\x20 reg [WORM_BITS-1:0] body [0:PORTS-1]; // what has come of the body that is arriving
  integer first; // line of the round
  integer lines; // of the round
  integer worms; // of the round
  integer bit_times; // of the round, as simulated: until all worms have arrived, or nothing moves any more
  integer received [0:PORTS-1];
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
  integer quiet; // bit times since a bit or a credit last passed between a host and its node

";

/// No worm has arrived.
const AT_RESET: &str = "\
\x20     set_up;
      arrived = 0;
      quiet = 0;
";

/// Whether anything has passed between a host and its node.
const ENDS_BIT_TIME: &str = "\
\x20     quiet = (|inject_valid || |inject_credit || |eject_valid) ? 0 : quiet + 1;
";

/// What hosts take and send.
const BEGINS_BIT_TIME: &str = "\
\x20   // In the bit time that ends, hosts have seen what came to them; in the one that begins, they send
    // what credits allow. A worm begins only when all credits are back, and not before its time.
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
";

/// Which worms each port sends and takes, and a body that is whole.
const TASKS: &str = "\
\x20 // Gives each port the worms that it sends, and those that are to come to it.
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

  // The body at a port must be, bit by bit, one that was sent there and has not come yet.
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

/// Worms that others were taken for.
const COMPARES: &str = "
      for (worm = first; worm < first + lines; worm = worm + 1) begin
        if (is_done && traffic[4 * worm + 2] != 0 && !has_arrived[worm]) begin
          if (wrong <= SHOWN)
            $display(\"node %0d, switch %0d: what it sent to node %0d has not arrived\",
              traffic[4 * worm] / SWITCHES, traffic[4 * worm] % SWITCHES, expected[3 * worm] / SWITCHES);
        end
      end
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place where a host has a bit in its hands.
    #[test]
    fn all_that_hosts_send_and_take_is_in_flits() {
        let text = in_flits(&[BEGINS_BIT_TIME, TASKS].concat(), 3);
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
        assert_eq!(in_flits(TASKS, 1), TASKS);
    }
}
