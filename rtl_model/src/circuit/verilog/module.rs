//! Modules `node` and `sequencer`: ports, registers by part, and for each part its logic and its clock
//! edge.

use std::collections::HashSet;
use std::fmt::Write;

use crate::circuit::expression::Expression;
use crate::circuit::netlist::{Bundle, Netlist, NodeCircuit, Part};
use crate::circuit::verilog::logic::Logic;
use crate::circuit::verilog::names::Names;
use crate::circuit::verilog::text::{head, note, range, word_range};
use crate::circuit::verilog::update::Block;

/// What the modules' ports are called, apart from those that every router has.
pub(crate) struct Ports {
    /// The strobes, in the order of the netlist.
    pub strobes: Vec<String>,
    /// With their widths.
    pub host_writes: Vec<(String, usize)>,
    /// With their widths.
    pub host_reads: Vec<(String, usize)>,
    /// Wires from the host.
    pub from_host: Vec<HostPort>,
    /// Wires to the host.
    pub to_host: Vec<HostPort>,
}

/// Wires between a node and its host that go by one name.
pub(crate) struct HostPort {
    pub name: String,
    /// Their numbers among those that a node receives, or drives.
    pub wires: Vec<usize>,
}

impl HostPort {
    /// Its name, and its bits.
    fn with_width(&self) -> (String, usize) {
        (self.name.clone(), self.wires.len())
    }

    /// Of what a node receives, or drives, what belongs here.
    fn bits(&self, wires: &[Expression]) -> Vec<Expression> {
        self.wires.iter().map(|wire| wires[*wire]).collect()
    }
}

/// What the file of module `node` says in words.
pub(crate) struct Words {
    /// What a node is, and sees.
    pub node: &'static str,
    /// What the bits of its address are.
    pub address: String,
    /// What registers take while it is reset.
    pub reset: &'static str,
    /// What the strobes are.
    pub broadcast: &'static str,
    /// What the wires are: comments, lines of their own.
    pub wires: String,
    /// Whether wires may come that nothing reads: they then are read into one, so that linters see that it is meant.
    pub has_unread: bool,
}

/// Of routers in lockstep.
pub(crate) fn lockstep_words() -> Words {
    Words {
        node: "A node, the same for every address. It sees its registers, its address, the bits it receives\n\
               and what the sequencer broadcasts.",
        address: "bit d: dimension d".to_owned(),
        reset: "registers take their first values, or what is on load_*",
        broadcast: "the sequencer's broadcast; bit d of a vector is for dimension d, of a tap for position d",
        wires: "  // the wires, bit d across dimension d\n".to_owned(),
        has_unread: false,
    }
}

/// What every router's modules have: ports and parameters, and what module `cube` is made of.
pub(super) const FIXED: [&str; 15] = [
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
    /// Finds names that no register of either module has. `wires` are those that lead from hosts and to them, each with its name,
    /// or one like it.
    pub fn of(netlist: &Netlist, wires: [Vec<(String, Vec<usize>)>; 2]) -> Self {
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
        let mut host = |prefix: &str, fields: &[(crate::machine::host::Field, Vec<Expression>)]| {
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
        let strobes = strobes.map(|bundle| names.take(&bundle.name)).collect();
        let [from_host, to_host] = wires.map(|ports| {
            let port = |(name, wires): (String, Vec<usize>)| HostPort {
                name: names.take(&name),
                wires,
            };
            ports.into_iter().map(port).collect()
        });
        Ports {
            strobes,
            host_writes,
            host_reads,
            from_host,
            to_host,
        }
    }

    /// Those that nodes read, with their widths.
    pub fn inputs(&self) -> Vec<(String, usize)> {
        with_hosts(&self.host_writes, &self.from_host)
    }

    /// Those that nodes drive, with their widths.
    pub fn outputs(&self) -> Vec<(String, usize)> {
        with_hosts(&self.host_reads, &self.to_host)
    }

    /// Whether wires lead from hosts or to them.
    pub(super) fn have_hosts(&self) -> bool {
        !(self.from_host.is_empty() && self.to_host.is_empty())
    }

    /// The strobes with their names.
    pub fn named<'a>(
        &'a self,
        strobes: &'a [Bundle],
    ) -> impl Iterator<Item = (&'a str, &'a Bundle)> {
        self.strobes.iter().map(String::as_str).zip(strobes)
    }
}

/// Ports of a node's memory, then of the wires of its host.
fn with_hosts(ports: &[(String, usize)], wires: &[HostPort]) -> Vec<(String, usize)> {
    let wires = wires.iter().map(HostPort::with_width);
    ports.iter().cloned().chain(wires).collect()
}

/// Their names and widths.
pub(crate) fn of_hosts(wires: &[HostPort]) -> Vec<(String, usize)> {
    wires.iter().map(HostPort::with_width).collect()
}

/// Module `node`.
pub(crate) fn node(netlist: &Netlist, ports: &Ports, words: &Words, title: &str) -> String {
    let node = &netlist.node;
    let mut names = names_of_ports(netlist, ports);
    let mut text = head(&format!("{}\n{title}", words.node));
    declare_ports(&mut text, netlist, ports, words);
    let targets = declare(&mut text, &mut names, &node.parts);
    let host_reads = node.host_reads.iter().flat_map(|(_, bits)| bits);
    let outputs = [node.tx.clone(), host_reads.copied().collect()];
    let mut sections = next_states(&node.parts);
    sections.extend(outputs);
    let mut logic = Logic::new(&netlist.graph, names, &sections);
    let mut body = clock_edges(&mut logic, &node.parts, &targets);

    let _ = writeln!(body, "\n  // what goes onto the wires");
    let links = node.tx.iter().enumerate().take(node.links);
    let links = links.map(|(number, wire)| (format!("tx[{number}]"), *wire));
    let to_host = ports.to_host.iter().flat_map(|port| {
        let bits = port.bits(&node.tx);
        let lone = bits.len() == 1;
        (bits.into_iter().enumerate()).map(move |(number, wire)| match lone {
            true => (port.name.clone(), wire),
            false => (format!("{}[{number}]", port.name), wire),
        })
    });
    for (name, wire) in links.chain(to_host) {
        let assignment = logic.assignment(&format!("assign {name}"), wire);
        body += &logic.take_wires();
        body += &assignment;
    }
    if !ports.host_reads.is_empty() || !ports.have_hosts() {
        let _ = writeln!(body, "\n  // what the host reads");
    }
    for ((name, _), (_, bits)) in ports.host_reads.iter().zip(&node.host_reads) {
        let value = logic.concatenation(bits, 2);
        body += &logic.take_wires();
        let _ = writeln!(body, "  assign {name} = {value};");
    }
    if words.has_unread {
        body += &unread(&mut logic, node);
    } else if !reads_address(&logic, node) {
        body += &unread_into_one(&mut logic, &node.address);
    }
    text + &shared(&logic) + &body + "endmodule\n"
}

/// The names of module `node` before any of its logic: ports and registers.
pub(super) fn names_of_node(netlist: &Netlist, ports: &Ports) -> Names {
    let mut names = names_of_ports(netlist, ports);
    declare(&mut String::new(), &mut names, &netlist.node.parts);
    names
}

/// The names of its ports.
fn names_of_ports(netlist: &Netlist, ports: &Ports) -> Names {
    let node = &netlist.node;
    let mut names = Names::default();
    for name in ["clk", "reset"] {
        names.take(name);
    }
    names.vector("ADDRESS", 0, &node.address);
    names.vector("rx", 0, &node.rx[..node.links]);
    names.take("tx");
    for ((name, _), (_, bits)) in ports.host_writes.iter().zip(&node.host_writes) {
        names.word(name, bits);
    }
    for (name, _) in &ports.host_reads {
        names.take(name);
    }
    for port in &ports.from_host {
        names.word(&port.name, &port.bits(&node.rx));
    }
    for port in &ports.to_host {
        names.take(&port.name);
    }
    for (name, bundle) in ports.named(&node.strobes) {
        match bundle.first {
            None => names.scalar(name, bundle.lines[0]),
            Some(first) => names.vector(name, first, &bundle.lines),
        };
    }
    names
}

/// A wire that reads what nothing else does, so that linters see that it is meant: credits of channels that no
/// switch has, turns that never come. A register that only holds itself is not read.
fn unread(logic: &mut Logic<'_>, node: &NodeCircuit) -> String {
    let registers: Vec<_> = node.parts.iter().flat_map(|part| &part.registers).collect();
    let held = registers.iter().flat_map(|register| &register.bits);
    let next = registers.iter().flat_map(|register| &register.next);
    let ends = next.zip(held.clone().map(Some));
    let host_reads = node.host_reads.iter().flat_map(|(_, bits)| bits);
    let outputs = node.tx.iter().chain(host_reads);
    let ends = ends.chain(outputs.map(|wire| (wire, None)));
    let mut read = HashSet::new();
    for (end, held) in ends {
        // From each anew, since each register has a bit that does not count.
        let reached = reached(logic, vec![*end]).into_iter();
        read.extend(reached.filter(|one| Some(one) != held));
    }
    let mut bits: Vec<Expression> = held.chain(&node.rx).copied().collect();
    if !node.address.iter().any(|bit| read.contains(bit)) {
        bits.extend(&node.address);
    }
    bits.retain(|bit| !read.contains(bit));
    if bits.is_empty() {
        return String::new();
    }
    unread_into_one(logic, &bits)
}

/// A wire that reads these.
fn unread_into_one(logic: &mut Logic<'_>, bits: &[Expression]) -> String {
    let unread = logic.concatenation(bits, 2);
    let name = logic.names.take("unused");
    format!("\n  // what nothing reads\n  wire {name} = &{{1'b0, {unread}}};\n")
}

/// Whether anything in a node follows from its address.
fn reads_address(logic: &Logic<'_>, node: &NodeCircuit) -> bool {
    let registers = node.parts.iter().flat_map(|part| &part.registers);
    let next = registers.flat_map(|register| &register.next);
    let host_reads = node.host_reads.iter().flat_map(|(_, bits)| bits);
    let read = reached(
        logic,
        next.chain(&node.tx).chain(host_reads).copied().collect(),
    );
    node.address.iter().any(|bit| read.contains(bit))
}

/// Expressions that these follow from, and they themselves.
fn reached(logic: &Logic<'_>, mut left: Vec<Expression>) -> HashSet<Expression> {
    let mut seen = HashSet::new();
    while let Some(expression) = left.pop() {
        if seen.insert(expression) {
            left.extend(logic.gate(expression).inputs());
        }
    }
    seen
}

/// The head of module `node`, up to its ports.
fn declare_ports(text: &mut String, netlist: &Netlist, ports: &Ports, words: &Words) {
    let node = &netlist.node;
    let address_bits = node.address.len();
    let _ = writeln!(
        text,
        "\nmodule node #(\n  parameter [{}:0] ADDRESS = {address_bits}'b0 // {}\n) (\n  \
         input wire clk,\n  input wire reset, // synchronous: {}",
        address_bits - 1,
        words.address,
        words.reset,
    );
    for (name, width) in &ports.host_writes {
        let _ = writeln!(text, "  input wire {}{name},", word_range(*width));
    }
    if !node.strobes.is_empty() || !ports.have_hosts() {
        let _ = writeln!(text, "  // {}", words.broadcast);
    }
    for (name, bundle) in ports.named(&node.strobes) {
        *text += &note(bundle.note);
        let range = range(bundle.first, bundle.lines.len());
        let _ = writeln!(text, "  input wire {range}{name},");
    }
    *text += &words.wires;
    let _ = writeln!(text, "  input wire [{}:0] rx,", node.links - 1);
    let from_host = ports.from_host.iter().map(HostPort::with_width);
    let from_host =
        from_host.map(|(name, width)| format!("  input wire {}{name}", word_range(width)));
    let outputs = ports.outputs().into_iter();
    let outputs = outputs.map(|(name, width)| format!("  output wire {}{name}", word_range(width)));
    let rest: Vec<String> = from_host.chain(outputs).collect();
    let comma = if rest.is_empty() { "" } else { "," };
    let _ = writeln!(text, "  output wire [{}:0] tx{comma}", node.links - 1);
    match ports.have_hosts() {
        false => text.push_str("  // the host reads, once the sequencer is done\n"),
        true => text.push_str("  // from the host and to it\n"),
    }
    let _ = writeln!(text, "{}\n);", rest.join(",\n"));
}

/// Module `sequencer`.
pub(crate) fn sequencer(netlist: &Netlist, ports: &Ports, title: &str) -> String {
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
