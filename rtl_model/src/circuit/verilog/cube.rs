//! Module `cube`: the sequencer, a node for each address, and the wires between them.

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::network;
use crate::machine::topology::hypercube::Dimensions;

/// Module `cube`.
pub(crate) fn cube(
    netlist: &Netlist,
    ports: &Ports,
    dimensions: Dimensions,
    title: &str,
) -> String {
    let (nodes, dimensions) = (dimensions.nodes(), dimensions.count());
    let notes = format!(
        "A hypercube of {nodes} nodes: what a node sends across dimension d, the node at address ^ 2^d \
         receives.\n\
         While `reset` is 1 every node takes what stands on its `load_` ports. Bit time 0 is the first\n\
         clock cycle without `reset`; once `done` is 1 the `unload_` ports hold what arrived.\n{title}"
    );
    format!(
        "{}{}  genvar n, d;\n\
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
        network::begin(("cube", &notes, network::BITS), ports, nodes, true),
        network::sequencer(netlist, ports),
        network::node(ports, nodes, None),
        last = dimensions - 1,
    )
}
