//! What every `tb.v` has.

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

/// What the head of `tb.v` says of its rounds, if there are several.
pub(crate) fn rounds_listed(rounds: &[String]) -> String {
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
