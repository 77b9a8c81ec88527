//! `properties.sv`: what a router promises, as SystemVerilog assertions that formal tools prove.
//!
//! ```text
//!   load ports, free but for what is assumed --> cube ( sequencer.v, node.v x N ) --> unload ports, done: asserted
//!                                                 | registers and strobes of each node, by their names
//!                                                 '--> node: drivers of wires, messages: asserted
//! ```
//!
//! What a node holds is read as the meters of a run read it, and who drives a wire is what the description says of that; so
//! nothing is said a second time here. A run takes a fixed number of bit times, so the assertions up to the end of one are all.

mod node;
mod promised;

use std::fmt::Write;

use crate::circuit::expression::Expression;
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::joined;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::text::{head, note, word_range};
use crate::machine::host::Field;
use crate::machine::router::Router;

use promised::Promised;
pub use promised::joined_by_yosys;

/// The file, whose head has this title; none of a router that promises nothing.
pub(crate) fn of<R: Router>(router: &R, title: &str) -> Option<String> {
    let promise = router.promise()?;
    let mut netlist = Netlist::of(router);
    let readings = netlist.metered(router)?;
    let topology = router.topology();
    let promised = Promised {
        ports: &Ports::of(&netlist, joined::host_wires(&topology)),
        netlist: &netlist,
        readings: &readings,
        topology: &topology,
        bit_times: router.bit_times(),
        promise,
    };
    Some(promised.text(title))
}

/// The beginning of the file: module `properties`, whose inputs are those of the machine, which is called so; the reset, and the
/// machine, with its ports and `done`, if it has that.
pub fn begin(
    notes: &str,
    (name, [inputs, outputs], has_done): (&str, [Vec<(String, usize)>; 2], bool),
    nodes: usize,
) -> String {
    let declared = |kind: &str, ports: &[(String, usize)], end: &str| {
        let ports = ports.iter();
        let ports = ports.map(|(name, width)| {
            let range = word_range(nodes * width);
            format!("  {kind} {range}{name}{end}")
        });
        ports.collect::<Vec<_>>()
    };
    let done = has_done.then(|| "done".to_owned());
    let ports = inputs.iter().chain(&outputs).map(|(name, _)| name.clone());
    let ports = ["clk", "reset"].map(str::to_owned).into_iter().chain(ports);
    let ports = ports.chain(done.clone());
    let connections: Vec<String> = ports.map(|port| format!("    .{port}({port})")).collect();
    format!(
        "{}\nmodule properties (\n  input wire clk,\n  // node n has bits n * width and up\n{}\n);\n\n\
         \x20 // The first clock cycle is the reset, as nodes are loaded in it, where they are. There is no other.\n\
         \x20 reg begun = 1'b0;\n\
         \x20 always @(posedge clk) begun <= 1'b1;\n\
         \x20 wire reset = ~begun;\n\n\
         {}{}\
         \x20 {name} {name} (\n{}\n  );\n\n",
        head(notes),
        declared("input wire", &inputs, "").join(",\n"),
        declared("wire", &outputs, ";\n").concat(),
        done.map_or(String::new(), |done| format!("  wire {done};\n")),
        connections.join(",\n"),
    )
}

impl Promised<'_> {
    /// The port of a field, and its bits a node.
    fn port<'a>(
        fields: &[(Field, Vec<Expression>)],
        ports: &'a [(String, usize)],
        field: Field,
    ) -> (&'a str, usize) {
        let mut ports = fields.iter().zip(ports);
        let found = ports.find(|((known, _), _)| *known == field);
        found.map_or(("", 0), |(_, (name, width))| (name, *width))
    }

    fn written(&self, field: Field) -> (&str, usize) {
        let node = &self.netlist.node;
        Self::port(&node.host_writes, &self.ports.host_writes, field)
    }

    fn read(&self, field: Field) -> (&str, usize) {
        let node = &self.netlist.node;
        Self::port(&node.host_reads, &self.ports.host_reads, field)
    }

    fn text(&self, title: &str) -> String {
        let name = self.topology.machine_name();
        let notes = format!(
            "What module `{name}` promises, whatever it is loaded with: for tools that prove SystemVerilog assertions.\n\
             The top module is `properties`. Assertions are called wires_, messages_ and delivery_, by what they are of.\n\
             {title}"
        );
        let node = node::Block::of(self);
        let ports = [&self.ports.host_writes, &self.ports.host_reads].map(Vec::clone);
        format!(
            "{}{}{}{}{}{}endmodule\n",
            begin(&notes, (name, ports, true), self.nodes()),
            self.times(),
            self.destinations(),
            node.text(self, name),
            self.all_nodes(),
            self.asserted(&node),
        )
    }

    /// The bit times that are over.
    fn times(&self) -> String {
        let (form, width) = (&self.bit_times, self.time_digits());
        format!(
            "  // bit times that are over, until all are: {} = {}\n\
             \x20 reg {range}bit_times_over;\n\
             \x20 wire is_over = bit_times_over == {width}'d{last};\n\
             \x20 always @(posedge clk) begin\n\
             \x20   if (reset) begin\n\
             \x20     bit_times_over <= {width}'d0;\n\
             \x20   end else if (!is_over) begin\n\
             \x20     bit_times_over <= bit_times_over + {width}'d1;\n\
             \x20   end\n\
             \x20 end\n\n",
            form.text,
            form.value,
            range = word_range(width),
            last = form.value,
        )
    }

    /// Whether at most one message is for each node, what that one is due to receive, and whether it has.
    fn destinations(&self) -> String {
        let (nodes, last) = (self.nodes(), self.nodes() - 1);
        let (valid, _) = self.written(Field::VALID);
        let (destination, address) = self.written(Field::DESTINATION);
        let (payload, bits) = self.written(Field::PAYLOAD);
        let (arrived_payload, _) = self.read(Field::PAYLOAD);
        format!(
            "  wire [{last}:0] at_most_one_is_for;\n\
             \x20 reg [{last}:0] due;\n\
             \x20 wire [{last}:0] payload_is_due;\n\
             \x20 genvar n;\n\
             \x20 generate\n\
             \x20   for (n = 0; n < {nodes}; n = n + 1) begin : destination\n\
             \x20     // the nodes whose message is for this one, and the payload\n\
             \x20     integer from;\n\
             \x20     reg [{last}:0] senders;\n\
             \x20     reg {range}payload;\n\
             \x20     reg {range}due_payload;\n\
             \x20     always @* begin\n\
             \x20       payload = {bits}'d0;\n\
             \x20       for (from = 0; from < {nodes}; from = from + 1) begin\n\
             \x20         senders[from] = {valid}[from] && {destination}[from * {address} +: {address}] == n;\n\
             \x20         payload = payload | ({payload}[from * {bits} +: {bits}] & {{{bits}{{senders[from]}}}});\n\
             \x20       end\n\
             \x20     end\n\
             \x20     assign at_most_one_is_for[n] = (senders & (senders - {nodes}'d1)) == {nodes}'d0;\n\
             \x20     always @(posedge clk) begin\n\
             \x20       if (reset) begin\n\
             \x20         due[n] <= |senders;\n\
             \x20         due_payload <= payload;\n\
             \x20       end\n\
             \x20     end\n\
             \x20     assign payload_is_due[n] = {arrived_payload}[n * {bits} +: {bits}] == due_payload;\n\
             \x20   end\n\
             \x20 endgenerate\n\n",
            range = word_range(bits),
        )
    }

    /// The live bits of all nodes, and those of all messages that were loaded.
    fn all_nodes(&self) -> String {
        let nodes = self.nodes();
        let [width, all] = self.bit_digits();
        let (valid, _) = self.written(Field::VALID);
        let mut text = note(
            "Live message bits that all nodes hold, and that all messages have which were loaded.",
        );
        let _ = write!(
            text,
            "  integer i;\n\
             \x20 reg {range}sent;\n\
             \x20 reg {range}loaded;\n\
             \x20 reg {range}bits_held;\n\
             \x20 reg {range}bits_live;\n\
             \x20 always @* begin\n\
             \x20   sent = {all}'d0;\n\
             \x20   bits_held = {all}'d0;\n\
             \x20   for (i = 0; i < {nodes}; i = i + 1) begin\n\
             \x20     sent = sent + {{{{{more}{{1'b0}}}}, {valid}[i]}};\n\
             \x20     bits_held = bits_held + {{{{{wider}{{1'b0}}}}, bits_of_node[i * {width} +: {width}]}};\n\
             \x20   end\n\
             \x20   case (bit_times_over)\n",
            range = word_range(all),
            more = all - 1,
            // There are two nodes at the least, so that all of them take a digit more.
            wider = all - width,
        );
        for (live, times) in self.live() {
            let times = self.listed(&times);
            let _ = writeln!(text, "      {times}: bits_live = loaded * {all}'d{live};");
        }
        let _ = write!(
            text,
            "      default: bits_live = {all}'d0;\n\
             \x20   endcase\n\
             \x20 end\n\
             \x20 always @(posedge clk) begin\n\
             \x20   if (reset) begin\n\
             \x20     loaded <= sent;\n\
             \x20   end\n\
             \x20 end\n\n",
        );
        text
    }

    /// What is assumed, and what asserted.
    fn asserted(&self, node: &node::Block) -> String {
        let (valid, _) = self.written(Field::VALID);
        let (arrived, _) = self.read(Field::VALID);
        let every_node_sends = match self.promise.full_only {
            true => format!("      from_every_node: assume (&{valid});\n"),
            false => String::new(),
        };
        format!(
            "  always @(posedge clk) begin\n\
             \x20   if (reset) begin\n\
             \x20     for_every_node_at_most_one: assume (&at_most_one_is_for);\n\
             {every_node_sends}\
             \x20   end else begin\n\
             {of_nodes}\
             \x20     messages_kept: assert (bits_held == bits_live);\n\
             \x20     delivery_in_time: assert (done == is_over);\n\
             \x20     delivery_valid: assert (!is_over || {arrived} == due);\n\
             \x20     delivery_payload: assert (!is_over || &(payload_is_due | ~due));\n\
             \x20   end\n\
             \x20 end\n",
            of_nodes = node.asserted,
        )
    }

    /// The live bits of a message, each number of them with when there are so many.
    fn live(&self) -> Vec<(u32, Vec<usize>)> {
        let mut all: Vec<(u32, Vec<usize>)> = Vec::new();
        for (reading, times) in self.readings {
            match all.iter_mut().find(|(live, _)| *live == reading.live) {
                Some((_, known)) => known.extend(times),
                None => all.push((reading.live, times.clone())),
            }
        }
        all.iter_mut().for_each(|(_, times)| times.sort_unstable());
        all
    }
}
