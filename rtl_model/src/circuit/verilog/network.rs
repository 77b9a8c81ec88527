//! What every module that joins the nodes of a machine has: its ports, the sequencer, and what a node is connected to.

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::text::{head, range, word_range};

/// Where a node has its bits of a port, if all are as wide as it says.
pub(super) const BITS: &str = "  // node n has bits n * width and up\n";

/// From its head to its ports. `nodes` nodes have their bits of a port where the comment `bits` says; `has_done` is whether a
/// sequencer says that the machine is done.
pub(crate) fn begin(
    (name, notes, bits): (&str, &str, &str),
    ports: &Ports,
    nodes: usize,
    has_done: bool,
) -> String {
    let [inputs, outputs] =
        [("input", ports.inputs()), ("output", ports.outputs())].map(|(direction, ports)| {
            let port = move |(name, width): (String, usize)| {
                format!("  {direction} wire {}{name}", word_range(nodes * width))
            };
            ports.into_iter().map(port)
        });
    let done = has_done.then(|| "  output wire done".to_owned());
    let all: Vec<String> = inputs.chain(outputs).chain(done).collect();
    format!(
        "{}\nmodule {name} (\n  input wire clk,\n  input wire reset,\n{bits}{}\n);\n\n",
        head(notes),
        all.join(",\n"),
    )
}

/// The sequencer, and a wire for each strobe.
pub(super) fn sequencer(netlist: &Netlist, ports: &Ports) -> String {
    let wires: String = ports
        .named(&netlist.node.strobes)
        .map(|(name, bundle)| {
            let range = range(bundle.first, bundle.lines.len());
            format!("  wire {range}{name};\n")
        })
        .collect();
    let mut connections = of_strobes(ports);
    connections.push(".done(done)".to_owned());
    format!(
        "{wires}  sequencer sequencer ({});\n\n",
        list(&connections, 4)
    )
}

/// What node `n` of so many is connected to. What stands on a port of the node alone, as it is written down, is `own`: its name
/// and its value.
pub(crate) fn node(ports: &Ports, nodes: usize, own: Option<(&str, &str)>) -> String {
    let mut connections = of_strobes(ports);
    let port = |(name, width): (String, usize)| match (width, nodes) {
        (1, 1) => format!(".{name}({name})"),
        (1, _) => format!(".{name}({name}[n])"),
        (width, _) => format!(".{name}({name}[n * {width} +: {width}])"),
    };
    connections.extend(own.map(|(name, value)| format!(".{name}({value})")));
    let ports = [ports.inputs(), ports.outputs()];
    connections.extend(ports.into_iter().flatten().map(port));
    connections.extend([".rx(received)".to_owned(), ".tx(sent)".to_owned()]);
    list(&connections, 8)
}

/// What the sequencer and all nodes are connected to.
fn of_strobes(ports: &Ports) -> Vec<String> {
    let mut connections = vec![".clk(clk)".to_owned(), ".reset(reset)".to_owned()];
    connections.extend(ports.strobes.iter().map(|name| format!(".{name}({name})")));
    connections
}

/// A table of numbers, the first in the lowest bits.
pub(crate) fn table(name: &str, width: usize, numbers: &[usize]) -> String {
    format!(
        "  localparam [{}:0] {name} = {};\n",
        numbers.len() * width - 1,
        side_by_side(width, numbers, 2)
    )
}

/// What node `n` is called, of so many address bits: behind what that takes to be declared, which is nothing where it is `n`.
pub(super) fn addresses(addresses: impl Iterator<Item = Vec<bool>>, bits: usize) -> [String; 2] {
    let spelled = |address: Vec<bool>| {
        let bits = address.into_iter().enumerate();
        bits.fold(0, |number, (place, bit)| number | usize::from(bit) << place)
    };
    let numbers: Vec<usize> = addresses.map(spelled).collect();
    match numbers.iter().copied().eq(0..numbers.len()) {
        true => [String::new(), "n".to_owned()],
        false => [
            format!(
                "  // what nodes are called\n{}",
                table("ADDRESSES", bits, &numbers)
            ),
            format!("ADDRESSES[n * {bits} +: {bits}]"),
        ],
    }
}

/// Numbers of so many bits side by side, the first in the lowest bits. The line that they begin on is indented so far.
pub(crate) fn side_by_side(width: usize, numbers: &[usize], indent: usize) -> String {
    const IN_A_LINE: usize = 8;
    let entries: Vec<String> = (numbers.iter().rev())
        .map(|number| format!("{width}'d{number}"))
        .collect();
    let lines: Vec<String> = (entries.chunks(IN_A_LINE))
        .map(|line| line.join(", "))
        .collect();
    let margin = " ".repeat(indent);
    format!(
        "{{\n{margin}  {}\n{margin}}}",
        lines.join(&format!(",\n{margin}  "))
    )
}

/// Connections, one a line.
fn list(connections: &[String], indent: usize) -> String {
    let margin = " ".repeat(indent);
    format!(
        "\n{margin}{}\n{}",
        connections.join(&format!(",\n{margin}")),
        " ".repeat(indent - 2)
    )
}
