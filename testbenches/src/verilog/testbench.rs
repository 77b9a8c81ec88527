//! What every `tb.v` has.

use std::fmt::Write;

use rtl_model::circuit::verilog;

use crate::verilog::DUMP;

/// Bit times that a machine may take beyond those it should, before the testbench gives up on it.
pub(crate) const PATIENCE: u64 = 100;

/// Wrong nodes or worms that are listed.
pub(crate) const SHOWN: usize = 10;

/// The clock, and what ends a run that fails.
pub(crate) const CLOCK_AND_FAIL: &str = "\
\x20 initial begin
    clk = 1'b0;
    #10 clk = 1'b1;
    forever #5 clk = ~clk;
  end

  // Ends with an exit status that is not 0; where a simulator goes on all the same, no round follows.
  reg failed = 1'b0;
  task fail;
    begin
      failed = 1'b1;
`ifdef __ICARUS__
      $finish_and_return(1);
`else
      $stop(0);
`endif
    end
  endtask

";

/// The beginning of a run: the dump, if it is asked for, and what the files hold.
pub(crate) const BEGIN: &str = "\
\x20 initial begin
    if ($test$plusargs(\"vcd\")) begin
      $dumpfile(\"tb.vcd\");
      $dumpvars(0, tb);
    end
    $readmemh(\"traffic.hex\", traffic);
    $readmemh(\"expected.hex\", expected);
    if (^traffic[0] === 1'bx || ^expected[0] === 1'bx) begin
      $display(\"FAIL: traffic.hex and expected.hex are not here: run in the folder of tb.v\");
      fail;
    end
";

/// The head of `tb.v`: the title, the files that it reads (`first` those before `expected.hex`), when what happens, and its rounds.
pub(crate) fn head(title: &str, first: &str, rounds: &[String]) -> String {
    verilog::head(&format!(
        "{title}\n\n\
         Run in this folder: it reads {first} and expected.hex, and with +vcd writes {DUMP}. One bit\n\
         time is 1 ns; the first nanosecond is the reset, so bit time 0 begins at 1 ns.{}",
        rounds_listed(rounds)
    ))
}

/// A machine with a sequencer, and a wire for each of these ports, called as the port: the bits of all nodes side by side.
pub(crate) fn instance<'a>(
    machine: &str,
    ports: impl IntoIterator<Item = &'a (String, usize)>,
    nodes: usize,
) -> String {
    let (mut wires, mut connections) = (String::new(), String::new());
    for (name, width) in ports {
        // Writing to a string cannot fail.
        let _ = writeln!(wires, "  wire [{}:0] {name};", nodes * width - 1);
        let _ = writeln!(connections, "    .{name}({name}),");
    }
    format!(
        "{wires}  {machine} {machine} (\n    .clk(clk),\n    .reset(reset),\n{connections}    .done(done)\n  );\n\n"
    )
}

/// What the head says of the rounds, if there are several.
fn rounds_listed(rounds: &[String]) -> String {
    if rounds.len() == 1 {
        return String::new();
    }
    let listed = rounds.iter().enumerate();
    let listed: String = listed
        .map(|(round, name)| format!("\n  {}: {name}", round + 1))
        .collect();
    format!(
        "\n\nThe rounds, each after a reset; the first that is not as it should be is the last:{listed}"
    )
}

/// What PASS says of so many rounds, behind all else.
pub(crate) fn in_each(rounds: usize) -> String {
    match rounds {
        1 => String::new(),
        _ => format!(", in each of {rounds} rounds"),
    }
}

/// What FAIL says first: which round it is, if there are several. The format, and its arguments.
pub(crate) fn of_round(rounds: usize) -> [&'static str; 2] {
    match rounds {
        1 => ["", ""],
        _ => ["round %0d of %0d: ", "round, ROUNDS, "],
    }
}
