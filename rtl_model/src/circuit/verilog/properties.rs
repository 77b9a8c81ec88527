//! `properties.sv`: what a machine in lockstep promises, as SystemVerilog assertions that formal tools prove.
//!
//! ```text
//!   load ports, free but for what is assumed --> cube ( sequencer.v, node.v x N ) --> unload ports, done: asserted
//!                                                 | registers and strobes of each node, by their names
//!                                                 '--> node: drivers of wires, messages: asserted
//! ```
//!
//! What a node holds is read as the meters of a run read it, and who drives a wire is what the description says of that; so
//! nothing is said a second time here. A run takes a fixed number of bit times, so the assertions up to the end of one are all.
//!
//! What arrives follows from a router's [promise](crate::machine::router::Promise), or is [stated](Stated) by whoever knows what hosts are
//! due to read.

mod arrivals;
mod messages;
mod node;
mod stated;
mod subject;
mod wires;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::joined;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::text::{head, word_range};
use crate::machine::router::Router;
use crate::machine::topology::Topology;

use messages::Promised;
use node::Block;
pub use stated::Stated;
use subject::Subject;
pub use subject::joined_by_yosys;

/// The file, whose head has this title, of what a router promises of messages; none of one that promises nothing.
pub(crate) fn of<R: Router>(router: &R, title: &str) -> Option<String> {
    let promise = router.promise()?;
    let mut netlist = Netlist::of(router);
    let readings = netlist.metered(router);
    of_netlist(router, &netlist, |subject| {
        let promised = Promised {
            subject,
            readings: &readings,
            promise,
        };
        text(subject, Some(&promised), &promised.stated(), title)
    })
}

/// The same of a router of which this is stated; none where there would be nothing but when it is over.
pub(crate) fn stated<R: Router>(router: &R, stated: &Stated, title: &str) -> Option<String> {
    of_netlist(router, &Netlist::of(router), |subject| {
        text(subject, None, stated, title)
    })
}

/// Has a router's file written with its netlist.
fn of_netlist<R: Router>(
    router: &R,
    netlist: &Netlist,
    written: impl FnOnce(&Subject<'_>) -> Option<String>,
) -> Option<String> {
    let topology = router.topology();
    let addresses = (0..topology.nodes()).map(|node| topology.address_of(node));
    written(&Subject {
        ports: &Ports::of(netlist, joined::host_wires(&topology)),
        netlist,
        addresses: addresses.collect(),
        topology: &topology,
        bit_times: router.bit_times(),
    })
}

/// The beginning of the file: module `properties`, whose inputs are those of the machine, which is called so; the reset, and the
/// machine, with its ports and `done`, if it has that. Further inputs are free, and those that are driven no inputs.
pub fn begin(
    notes: &str,
    (name, [inputs, outputs], has_done): (&str, [Vec<(String, usize)>; 2], bool),
    nodes: usize,
    stated: &Stated,
) -> String {
    let declared = |kind: &str, ports: &[(String, usize)], end: &str| {
        let ports = ports.iter();
        let ports = ports.map(|(name, width)| {
            let range = word_range(nodes * width);
            format!("  {kind} {range}{name}{end}")
        });
        ports.collect::<Vec<_>>()
    };
    let driven = |(name, _): &(String, usize)| stated.driven.contains(name);
    let (driven, inputs): (Vec<_>, Vec<_>) = inputs.into_iter().partition(driven);
    let free = stated.free.iter().map(|(name, width)| {
        let range = word_range(*width);
        format!("  input wire {range}{name}")
    });
    let all_inputs: Vec<String> = declared("input wire", &inputs, "")
        .into_iter()
        .chain(free)
        .collect();
    let done = has_done.then(|| "done".to_owned());
    let ports = inputs.iter().chain(&driven).chain(&outputs);
    let ports = ports.map(|(name, _)| name.clone());
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
        all_inputs.join(",\n"),
        declared("wire", &[driven, outputs].concat(), ";\n").concat(),
        done.map_or(String::new(), |done| format!("  wire {done};\n")),
        connections.join(",\n"),
    )
}

/// The kinds of assertions among these, as their names begin, in the order in which they come first.
fn kinds(asserted: &str) -> Vec<&str> {
    let mut kinds = Vec::new();
    for line in asserted.lines() {
        let name = line.trim_start().split_once(": assert");
        if let Some((kind, _)) = name.and_then(|(name, _)| name.split_once('_'))
            && !kinds.contains(&kind)
        {
            kinds.push(kind);
        }
    }
    kinds
}

/// Kinds as a sentence lists them.
fn listed(kinds: &[&str]) -> String {
    let mut names: Vec<String> = kinds.iter().map(|kind| format!("{kind}_")).collect();
    let last = names.pop().unwrap_or_default();
    match names.is_empty() {
        true => last,
        false => format!("{} and {last}", names.join(", ")),
    }
}

/// The whole file; none where there would be nothing in it but when all is over.
fn text(
    subject: &Subject<'_>,
    promised: Option<&Promised<'_>>,
    stated: &Stated,
    title: &str,
) -> Option<String> {
    let node = Block::of(subject, promised);
    if node.asserted.is_empty() && stated.asserted.is_empty() {
        return None;
    }
    let asserted = format!(
        "{}{}      delivery_in_time: assert (done == is_over);\n",
        node.asserted, stated.asserted
    );
    let name = subject.name();
    let notes = format!(
        "What module `{name}` promises, whatever it is loaded with: for tools that prove SystemVerilog assertions.\n\
         The top module is `properties`. Assertions are called {}, by what they are of.\n\
         {title}",
        listed(&kinds(&asserted)),
    );
    let ports = [subject.ports.inputs(), subject.ports.outputs()];
    let assumed = match stated.assumed.is_empty() {
        true => "    if (!reset) begin\n".to_owned(),
        false => format!(
            "    if (reset) begin\n{}    end else begin\n",
            stated.assumed
        ),
    };
    Some(format!(
        "{}  genvar n;\n{}{}{}\
         \x20 always @(posedge clk) begin\n\
         {assumed}\
         {asserted}\
         \x20   end\n\
         \x20 end\n\
         endmodule\n",
        begin(&notes, (name, ports, true), subject.nodes(), stated),
        times(subject),
        node.text(subject),
        stated.declared,
    ))
}

/// The bit times that are over.
fn times(subject: &Subject<'_>) -> String {
    let (form, width) = (&subject.bit_times, subject.time_digits());
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
