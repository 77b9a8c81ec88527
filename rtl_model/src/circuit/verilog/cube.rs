//! Module `cube`: the sequencer, a node for each address, and the wires between them.

use std::fmt::Write;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::{head, range};
use crate::machine::topology::hypercube::Dimensions;

/// Module `cube`.
pub(crate) fn cube(
    netlist: &Netlist,
    ports: &Ports,
    dimensions: Dimensions,
    title: &str,
) -> String {
    let (nodes, dimensions) = (dimensions.nodes(), dimensions.count());
    let mut text = head(&format!(
        "A hypercube of {nodes} nodes: what a node sends across dimension d, the node at address ^ 2^d \
         receives.\n\
         While `reset` is 1 every node takes what stands on its `load_` ports. Bit time 0 is the first\n\
         clock cycle without `reset`; once `done` is 1 the `unload_` ports hold what arrived.\n{title}"
    ));
    let _ = writeln!(
        text,
        "\nmodule cube (\n  input wire clk,\n  input wire reset,\n  // node n has bits n * width and up"
    );
    for (name, width) in &ports.host_writes {
        let _ = writeln!(text, "  input wire [{}:0] {name},", nodes * width - 1);
    }
    for (name, width) in &ports.host_reads {
        let _ = writeln!(text, "  output wire [{}:0] {name},", nodes * width - 1);
    }
    let _ = writeln!(text, "  output wire done\n);\n");

    for (name, bundle) in ports.named(&netlist.node.strobes) {
        let range = range(bundle.first, bundle.lines.len());
        let _ = writeln!(text, "  wire {range}{name};");
    }
    let mut connections = vec![".clk(clk)".to_owned(), ".reset(reset)".to_owned()];
    connections.extend(ports.strobes.iter().map(|name| format!(".{name}({name})")));
    let mut sequencer = connections.clone();
    sequencer.push(".done(done)".to_owned());
    let _ = writeln!(text, "  sequencer sequencer ({});\n", list(&sequencer, 4));

    let host = ports.host_writes.iter().chain(&ports.host_reads);
    connections.extend(host.map(|(name, width)| match width {
        1 => format!(".{name}({name}[n])"),
        width => format!(".{name}({name}[n * {width} +: {width}])"),
    }));
    connections.extend([".rx(received)".to_owned(), ".tx(sent)".to_owned()]);
    let _ = write!(
        text,
        "  genvar n, d;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {nodes}; n = n + 1) begin : node\n\
         \x20     wire [{last}:0] sent;\n\
         \x20     wire [{last}:0] received;\n\
         \x20     for (d = 0; d < {dimensions}; d = d + 1) begin : dim\n\
         \x20       wire tx = sent[d];\n\
         \x20       wire rx = node[n ^ (1 << d)].dim[d].tx;\n\
         \x20       assign received[d] = rx;\n\
         \x20     end\n\
         \x20     node #(.ADDRESS(n)) router ({});\n\
         \x20   end\n\
         \x20 endgenerate\n\
         endmodule\n",
        list(&connections, 8),
        last = dimensions - 1,
    );
    text
}

/// Connections, one a line.
pub(crate) fn list(connections: &[String], indent: usize) -> String {
    let margin = " ".repeat(indent);
    format!(
        "\n{margin}{}\n{}",
        connections.join(&format!(",\n{margin}")),
        " ".repeat(indent - 2)
    )
}
