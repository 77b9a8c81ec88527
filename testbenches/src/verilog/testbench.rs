//! `tb.v`: resets the machine, has hosts do what they do bit time by bit time, and compares, round after round.

use rtl_model::circuit::verilog::{self, note};

use crate::report::and;
use crate::verilog::DUMP;
use crate::verilog::contents::{Contents, End, Memory};

/// What `tb.v` does for one kind of machine, as lines of Verilog. They may read `NODES`, `ROUNDS`, `SHOWN` (how many mistakes are
/// listed), `PATIENCE` (bit times that a machine may take beyond those it should), `round` from 1, `bit_time`, and what memories hold;
/// they count mistakes in `wrong`, which is 0 after a reset.
#[derive(Default)]
pub(crate) struct Testbench {
    /// Constants.
    pub constants: String,
    /// Whether hosts drive their ports in `begins_bit_time`, and not by assignments.
    pub drives_in_process: bool,
    /// What hosts have, and what they assign.
    pub declarations: String,
    /// What happens at a clock edge of the reset.
    pub at_reset: String,
    /// What happens at any other, while `bit_time` is the one that ends.
    pub ends_bit_time: String,
    /// What happens behind either, when `bit_time` is the one that begins.
    pub begins_bit_time: String,
    /// Tasks of those.
    pub tasks: String,
    /// What is done before the reset of a round.
    pub begins_round: String,
    /// What is compared once the machine is done, or is given up on: `is_done` says which, `took` has the bit times.
    pub compares: String,
    /// Ways to fail that only this kind has, which come first: the condition, and what FAIL says, a format and its arguments.
    pub failures: &'static [[&'static str; 3]],
    /// Whether anything is wrong.
    pub is_wrong: &'static str,
    /// How much is: a format, and its arguments.
    pub counts: [&'static str; 2],
    /// What PASS says.
    pub passed: String,
}

/// What PASS says of so many rounds, behind all else.
pub(crate) fn in_each(rounds: usize) -> String {
    match rounds {
        1 => String::new(),
        _ => format!(", in each of {rounds} rounds"),
    }
}

/// Ports as Verilog joins them: the first one lowest.
pub(crate) fn joined(ports: &[(String, usize)]) -> String {
    braced(ports, |name, _| name.to_owned())
}

/// The same of what one node has of them.
pub(crate) fn joined_of(ports: &[(String, usize)], node: &str) -> String {
    braced(ports, |name, width| match width {
        1 => format!("{name}[{node}]"),
        width => format!("{name}[{node} * {width} +: {width}]"),
    })
}

fn braced(ports: &[(String, usize)], written: impl Fn(&str, usize) -> String) -> String {
    let names = ports.iter().rev();
    let names: Vec<String> = names.map(|(name, width)| written(name, *width)).collect();
    format!("{{{}}}", names.join(", "))
}

/// How ports, of so many bits a node, are driven while nodes are reset: by what each node has in this memory, by its number.
pub(crate) fn load(ports: &[(String, usize)], block: &str, memory: &str) -> String {
    format!(
        "  genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < NODES; n = n + 1) begin : {block}\n\
         \x20     assign {} = {memory};\n\
         \x20   end\n\
         \x20 endgenerate\n\n",
        joined_of(ports, "n"),
    )
}

/// The whole file, with this title.
pub(crate) fn text(title: &str, contents: &Contents) -> String {
    let (hardware, own) = (&contents.hardware, &contents.testbench);
    let (memories, rounds) = (&contents.memories, contents.rounds.len());
    let (is_done, bit_times, constant, done) = match &hardware.end {
        End::Sequenced(form) => (
            "done === 1'b1",
            "BIT_TIMES",
            format!(
                "  localparam BIT_TIMES = {}; // {}\n",
                form.value, form.text
            ),
            "  wire done;\n",
        ),
        End::Seen { is_done, .. } => (*is_done, "bit_times", String::new(), ""),
    };
    format!(
        "{head}\n\
         module tb;\n\
         \x20 localparam NODES = {nodes};\n\
         {constants}\
         \x20 localparam ROUNDS = {rounds};\n\
         {constant}\
         \x20 localparam PATIENCE = {PATIENCE}; // bit times beyond those that it should take\n\
         \x20 localparam SHOWN = {SHOWN}; // mistakes that are listed\n\n\
         \x20 reg clk;\n\
         \x20 reg reset;\n\
         {done}\
         {instance}\
         {memories_declared}\
         \x20 integer round; // from 1\n\
         \x20 integer bit_time; // of the round\n\
         \x20 integer took; // bit times of the round\n\
         \x20 integer wrong; // mistakes\n\
         \x20 reg is_done;\n\
         {declarations}\
         {CLOCK_AND_FAIL}\
         \x20 always @(posedge clk) begin\n\
         \x20   if (reset) begin\n\
         \x20     bit_time = 0;\n\
         \x20     wrong = 0;\n\
         {at_reset}\
         \x20   end else begin\n\
         {ends_bit_time}\
         \x20     bit_time = bit_time + 1;\n\
         \x20   end\n\
         {begins_bit_time}\
         \x20 end\n\n\
         {tasks}\
         {begin}\
         \x20   for (round = 1; round <= ROUNDS && !failed; round = round + 1) begin\n\
         {begins_round}\
         \x20     reset = 1'b1;\n\
         \x20     #(round == 1 ? 15 : 10) reset = 1'b0; // in the middle of bit time 0\n\
         \x20     while (!({is_done}) && bit_time < {bit_times} + PATIENCE) begin\n\
         \x20       #10;\n\
         \x20     end\n\
         \x20     is_done = {is_done};\n\
         \x20     took = bit_time;\n\
         {compares}\
         {verdict}\
         \x20   end\n\
         \x20   #5;\n\
         \x20   if (!failed) begin\n\
         \x20     $display(\"PASS: {passed}\");\n\
         \x20     $finish(0);\n\
         \x20   end\n\
         \x20 end\n\
         endmodule\n",
        head = head(title, contents),
        nodes = hardware.nodes,
        constants = own.constants,
        instance = instance(contents),
        memories_declared = memories.iter().map(declared).collect::<String>(),
        declarations = own.declarations,
        at_reset = own.at_reset,
        ends_bit_time = own.ends_bit_time,
        begins_bit_time = own.begins_bit_time,
        tasks = own.tasks,
        begin = begin(memories),
        begins_round = own.begins_round,
        compares = own.compares,
        verdict = verdict(own, bit_times, rounds),
        passed = own.passed,
    )
}

/// Bit times that a machine may take beyond those it should, before the testbench gives up on it.
pub(crate) const PATIENCE: u64 = 100;

/// Wrong nodes or worms that are listed.
const SHOWN: usize = 10;

/// The title, the files that it reads, when what happens, and its rounds.
fn head(title: &str, contents: &Contents) -> String {
    let rounds = contents.rounds.iter().enumerate();
    let rounds = rounds.map(|(round, name)| format!("\n  {}: {name}", round + 1));
    let listed = match contents.rounds.len() {
        1 => String::new(),
        _ => format!(
            "\n\nThe rounds, each after a reset; the first that is not as it should be is the last:{}",
            rounds.collect::<String>()
        ),
    };
    verilog::head(&format!(
        "{title}\n\n\
         Run in this folder: it reads {}, and with +vcd writes {DUMP}. One bit\n\
         time is 1 ns; the first nanosecond is the reset, so bit time 0 begins at 1 ns.{listed}",
        files(&contents.memories),
    ))
}

/// The files that are read.
fn files(memories: &[Memory]) -> String {
    and(&memories.iter().map(Memory::file).collect::<Vec<_>>())
}

/// The machine, and for each of its ports what drives it or takes it, called as the port: the bits of all nodes side by side.
fn instance(contents: &Contents) -> String {
    let (hardware, own) = (&contents.hardware, &contents.testbench);
    let (nodes, machine) = (hardware.nodes, hardware.design.name);
    let inputs = if own.drives_in_process { "reg" } else { "wire" };
    let (mut declared, mut connections) = (String::new(), vec!["clk", "reset"]);
    let ports = hardware.design.ports();
    for (kind, ports) in [inputs, "wire"].into_iter().zip(&ports) {
        for (name, width) in ports {
            declared += &format!("  {kind} [{}:0] {name};\n", nodes * width - 1);
            connections.push(name);
        }
    }
    if let End::Sequenced(_) = hardware.end {
        connections.push("done");
    }
    let connections = connections
        .iter()
        .map(|name| format!("    .{name}({name})"));
    let connections: Vec<String> = connections.collect();
    format!(
        "{declared}  {machine} {machine} (\n{}\n  );\n\n",
        connections.join(",\n")
    )
}

/// A memory, as it is declared.
fn declared(memory: &Memory) -> String {
    let Memory {
        name,
        last: [bit, word],
        ..
    } = memory;
    format!(
        "{}  reg [{bit}:0] {name} [0:{word}];\n\n",
        note(&memory.holds)
    )
}

/// The beginning of a run: the dump, if it is asked for, and what the files hold.
fn begin(memories: &[Memory]) -> String {
    let read = memories.iter();
    let read =
        read.map(|memory| format!("    $readmemh(\"{}\", {});\n", memory.file(), memory.name));
    let missing = memories.iter();
    let missing = missing.map(|memory| format!("^{}[0] === 1'bx", memory.name));
    format!(
        "  initial begin\n\
         \x20   if ($test$plusargs(\"vcd\")) begin\n\
         \x20     $dumpfile(\"{DUMP}\");\n\
         \x20     $dumpvars(0, tb);\n\
         \x20   end\n\
         {}\
         \x20   if ({}) begin\n\
         \x20     $display(\"FAIL: {} are not here: run in the folder of tb.v\");\n\
         \x20     fail;\n\
         \x20   end\n",
        read.collect::<String>(),
        missing.collect::<Vec<_>>().join(" || "),
        files(memories),
    )
}

/// What is said of a round that is not as it should be, and of which round, if there are several.
fn verdict(own: &Testbench, bit_times: &str, rounds: usize) -> String {
    let [which, of_round] = match rounds {
        1 => ["", ""],
        _ => ["round %0d of %0d: ", "round, ROUNDS, "],
    };
    let fails = |[when, says, arguments]: [&str; 3]| {
        format!(
            "if ({when}) begin\n\
             \x20       $display(\"FAIL: {which}{says}\",\n\
             \x20         {of_round}{arguments});\n\
             \x20       fail;\n\
             \x20     end"
        )
    };
    let [counts, counted] = own.counts;
    let is_wrong = format!("took != {bit_times} || {}", own.is_wrong);
    let says = format!("done after %0d bit times, it should take %0d; {counts}");
    let arguments = format!("took, {bit_times}, {counted}");
    let never = ["!is_done", &format!("not {says}"), &arguments];
    let of_all = [never, [&is_wrong, &says, &arguments]];
    let all = own.failures.iter().copied().chain(of_all).map(fails);
    format!("      {}\n", all.collect::<Vec<_>>().join(" else "))
}

/// The clock, and what ends a run that fails.
const CLOCK_AND_FAIL: &str = "\
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
