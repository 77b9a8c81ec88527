//! Modules `node` and `sequencer`: ports, registers by part, and for each part its logic and its clock
//! edge.

use std::fmt::Write;

use crate::expression::Expression;
use crate::netlist::{Bundle, Netlist, Part};
use crate::verilog::logic::Logic;
use crate::verilog::names::Names;
use crate::verilog::update::Block;
use crate::verilog::{head, note, range, word_range};

/// What the modules' ports are called, apart from those that every router has.
pub(super) struct Ports {
    /// The strobes, in the order of the netlist.
    pub strobes: Vec<String>,
    /// With their widths.
    pub host_writes: Vec<(String, usize)>,
    /// With their widths.
    pub host_reads: Vec<(String, usize)>,
}

/// What every router's modules have: ports and parameters, and what module `cube` is made of.
const FIXED: [&str; 15] = [
    "clk",
    "reset",
    "done",
    "rx",
    "tx",
    "ADDRESS",
    "cube",
    "sequencer",
    "node",
    "router",
    "dim",
    "sent",
    "received",
    "n",
    "d",
];

impl Ports {
    /// Finds names that no register of either module has.
    pub fn of(netlist: &Netlist) -> Self {
        let mut names = Names::default();
        for name in FIXED {
            names.take(name);
        }
        for parts in [&netlist.node.parts, &netlist.sequencer.parts] {
            for register in parts.iter().flat_map(|part| &part.registers) {
                let name = register.name();
                if !names.is_taken(&name) {
                    names.take(&name);
                }
            }
        }
        let mut host = |prefix: &str, fields: &[(crate::host::Field, Vec<Expression>)]| {
            fields
                .iter()
                .map(|(field, bits)| {
                    let name = names.take(&format!("{prefix}_{}", field.name()));
                    (name, bits.len())
                })
                .collect()
        };
        let host_writes = host("load", &netlist.node.host_writes);
        let host_reads = host("unload", &netlist.node.host_reads);
        let strobes = netlist.node.strobes.iter();
        Ports {
            strobes: strobes.map(|bundle| names.take(&bundle.name)).collect(),
            host_writes,
            host_reads,
        }
    }

    /// The strobes with their names.
    pub fn named<'a>(
        &'a self,
        strobes: &'a [Bundle],
    ) -> impl Iterator<Item = (&'a str, &'a Bundle)> {
        self.strobes.iter().map(String::as_str).zip(strobes)
    }
}

/// Module `node`.
pub(super) fn node(netlist: &Netlist, ports: &Ports, title: &str) -> String {
    let node = &netlist.node;
    let dimensions = node.rx.len();
    let mut names = Names::default();
    for name in ["clk", "reset"] {
        names.take(name);
    }
    names.vector("ADDRESS", 0, &node.address);
    names.vector("rx", 0, &node.rx);
    names.take("tx");
    for ((name, _), (_, bits)) in ports.host_writes.iter().zip(&node.host_writes) {
        names.word(name, bits);
    }
    for (name, _) in &ports.host_reads {
        names.take(name);
    }
    for (name, bundle) in ports.named(&node.strobes) {
        match bundle.first {
            None => names.scalar(name, bundle.lines[0]),
            Some(first) => names.vector(name, first, &bundle.lines),
        };
    }

    let mut text = head(&format!(
        "A node, the same for every address. It sees its registers, its address, the bits it receives\n\
         and what the sequencer broadcasts.\n{title}"
    ));
    let _ = writeln!(
        text,
        "\nmodule node #(\n  parameter [{}:0] ADDRESS = {dimensions}'b0 // bit d: dimension d\n) (\n  \
         input wire clk,\n  input wire reset, // synchronous: registers take their first values, or what is on load_*",
        dimensions - 1
    );
    for (name, width) in &ports.host_writes {
        let _ = writeln!(text, "  input wire {}{name},", word_range(*width));
    }
    let _ = writeln!(
        text,
        "  // the sequencer's broadcast; bit d of a vector is for dimension d, of a tap for position d"
    );
    for (name, bundle) in ports.named(&node.strobes) {
        text += &note(bundle.note);
        let range = range(bundle.first, bundle.lines.len());
        let _ = writeln!(text, "  input wire {range}{name},");
    }
    let _ = writeln!(text, "  // the wires, bit d across dimension d");
    let _ = writeln!(text, "  input wire [{}:0] rx,", dimensions - 1);
    let _ = writeln!(text, "  output wire [{}:0] tx,", dimensions - 1);
    let _ = writeln!(text, "  // the host reads, once the sequencer is done");
    let outputs: Vec<String> = ports
        .host_reads
        .iter()
        .map(|(name, width)| format!("  output wire {}{name}", word_range(*width)))
        .collect();
    let _ = writeln!(text, "{}\n);", outputs.join(",\n"));

    let targets = declare(&mut text, &mut names, &node.parts);
    let host_reads = node.host_reads.iter().flat_map(|(_, bits)| bits);
    let outputs = [node.tx.clone(), host_reads.copied().collect()];
    let mut sections = next_states(&node.parts);
    sections.extend(outputs);
    let mut logic = Logic::new(&netlist.graph, names, &sections);
    let mut body = clock_edges(&mut logic, &node.parts, &targets);

    let _ = writeln!(body, "\n  // what goes onto the wires");
    for (dimension, wire) in node.tx.iter().enumerate() {
        let assignment = logic.assignment(&format!("assign tx[{dimension}]"), *wire);
        body += &logic.take_wires();
        body += &assignment;
    }
    let _ = writeln!(body, "\n  // what the host reads");
    for ((name, _), (_, bits)) in ports.host_reads.iter().zip(&node.host_reads) {
        let value = logic.concatenation(bits, 2);
        body += &logic.take_wires();
        let _ = writeln!(body, "  assign {name} = {value};");
    }
    text + &shared(&logic) + &body + "endmodule\n"
}

/// Module `sequencer`.
pub(super) fn sequencer(netlist: &Netlist, ports: &Ports, title: &str) -> String {
    let sequencer = &netlist.sequencer;
    let mut names = Names::default();
    for name in ["clk", "reset", "done"] {
        names.take(name);
    }
    let mut text = head(&format!(
        "The sequencer: counters and their decode. It sees no node and no message; one serves all.\n{title}"
    ));
    let _ = writeln!(
        text,
        "\nmodule sequencer (\n  input wire clk,\n  input wire reset, // synchronous: back to bit time 0"
    );
    for (name, bundle) in ports.named(&sequencer.strobes) {
        names.take(name);
        text += &note(bundle.note);
        let range = range(bundle.first, bundle.lines.len());
        let _ = writeln!(text, "  output wire {range}{name},");
    }
    let _ = writeln!(text, "  output wire done // the last step is over\n);");

    let targets = declare(&mut text, &mut names, &sequencer.parts);
    let lines = sequencer.strobes.iter().flat_map(|bundle| &bundle.lines);
    let outputs = lines.copied().chain([sequencer.done]).collect();
    let mut sections = next_states(&sequencer.parts);
    sections.push(outputs);
    let mut logic = Logic::new(&netlist.graph, names, &sections);
    let mut body = clock_edges(&mut logic, &sequencer.parts, &targets);
    let _ = write!(body, "\n  // what it broadcasts");
    for (name, bundle) in ports.named(&sequencer.strobes) {
        let _ = writeln!(body);
        for (place, line) in bundle.lines.iter().enumerate() {
            let bit = match bundle.first {
                None => String::new(),
                Some(first) => format!("[{}]", first + place),
            };
            let assignment = logic.assignment(&format!("assign {name}{bit}"), *line);
            body += &logic.take_wires();
            body += &assignment;
        }
    }
    let done = logic.assignment("assign done", sequencer.done);
    let _ = write!(body, "\n{}{done}", logic.take_wires());
    text + &shared(&logic) + &body + "endmodule\n"
}

/// What the registers of each part take.
fn next_states(parts: &[Part]) -> Vec<Vec<Expression>> {
    let of = |part: &Part| {
        let next = part.registers.iter().map(|register| &register.next);
        next.flatten().copied().collect()
    };
    parts.iter().map(of).collect()
}

/// The logic that several parts read, which stands before them.
fn shared(logic: &Logic<'_>) -> String {
    match logic.shared_wires() {
        "" => String::new(),
        wires => format!("\n  // logic that several of the following read\n{wires}"),
    }
}

/// Declares all registers, and returns their names in order.
fn declare(text: &mut String, names: &mut Names, parts: &[Part]) -> Vec<String> {
    let mut targets = Vec::new();
    for part in parts.iter().filter(|part| !part.registers.is_empty()) {
        let kind = part.kind.map_or(String::new(), |kind| format!(" ({kind})"));
        let purpose = match part.note {
            "" => String::new(),
            purpose => format!(": {purpose}"),
        };
        let _ = write!(text, "\n{}", note(&format!("{}{kind}{purpose}", part.name)));
        for register in &part.registers {
            let name = names.word(&register.name(), &register.bits);
            let _ = writeln!(text, "  reg {}{name};", word_range(register.bits.len()));
            targets.push(name);
        }
    }
    targets
}

/// Each part's logic and what its registers take.
fn clock_edges(logic: &mut Logic<'_>, parts: &[Part], targets: &[String]) -> String {
    let mut text = String::new();
    let mut targets = targets.iter();
    for part in parts.iter().filter(|part| !part.registers.is_empty()) {
        let mut reset = String::new();
        let mut block = Block::default();
        for (register, target) in part.registers.iter().zip(&mut targets) {
            let first = logic.concatenation(&register.reset, 6);
            let _ = writeln!(reset, "      {target} <= {first};");
            block.add(logic, target, &register.bits, &register.next);
        }
        let clocked = block.text(logic, 6);
        let _ = write!(text, "\n  // {}\n{}", part.name, logic.take_wires());
        let _ = write!(
            text,
            "  always @(posedge clk) begin\n    if (reset) begin\n{reset}    end"
        );
        if clocked.is_empty() {
            text.push_str("\n  end\n");
        } else {
            let _ = write!(text, " else begin\n{clocked}    end\n  end\n");
        }
    }
    text
}
