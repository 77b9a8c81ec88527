//! The module that joins the nodes of a machine on any network, with its sequencer and the wires of its hosts.
//!
//! A hypercube without hosts on wires is joined in [`super::cube`], where a node's neighbours are found with a gate. Here they
//! are looked up in tables, of which nothing is left once the wires are joined.

use std::fmt::Write;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::cube::list;
use crate::circuit::verilog::module::{HostPort, Ports, Words};
use crate::circuit::verilog::{head, range, word_range};
use crate::machine::topology::{Tap, Topology};

/// The wires between a node and its host, by name: from the host, and to it. What the network has no name for is called by
/// its number.
pub(super) fn host_wires(topology: &impl Topology) -> [Vec<(String, Vec<usize>)>; 2] {
    let links = topology.links();
    let labelled = topology.labelled();
    let ports = |wires: usize, what: &str, number: fn(&Tap) -> Option<usize>| {
        let mut unnamed: Vec<usize> = (links..wires).collect();
        let mut ports = Vec::new();
        for label in &labelled {
            let of_host = |wire: &usize| (links..wires).contains(wire);
            let numbers: Vec<usize> =
                (label.wires.iter().filter_map(number).filter(of_host)).collect();
            if !numbers.is_empty() {
                unnamed.retain(|wire| !numbers.contains(wire));
                ports.push((format!("{}_{}", label.scope, label.name), numbers));
            }
        }
        ports.extend(
            unnamed
                .into_iter()
                .map(|wire| (format!("{what}_{}", wire - links), vec![wire])),
        );
        ports
    };
    [
        ports(topology.received(), "from_host", |tap| match tap {
            Tap::Received(wire) => Some(*wire),
            Tap::Driven(_) => None,
        }),
        ports(topology.driven(), "to_host", |tap| match tap {
            Tap::Driven(wire) => Some(*wire),
            Tap::Received(_) => None,
        }),
    ]
}

/// What the file of module `node` says.
pub(super) fn words(topology: &impl Topology) -> Words {
    let mut wires = String::from(
        "  // the wires of links: what a node sends on one, the node at its end receives on the same\n",
    );
    for link in 0..topology.links() {
        let _ = writeln!(wires, "  //   bit {link}: {}", topology.describe(link));
    }
    Words {
        node: "A node, the same for every address. It sees its registers, its address, the bits it receives from\n\
               other nodes and its host, and what the sequencer broadcasts.",
        address: "which node it is".to_owned(),
        reset: "registers take their first values, or what is on load_*",
        broadcast: "the sequencer's broadcast",
        wires,
    }
}

/// A table of numbers, the first in the lowest bits.
fn table(name: &str, width: usize, numbers: &[usize]) -> String {
    const IN_A_LINE: usize = 8;
    let entries: Vec<String> = (numbers.iter().rev())
        .map(|number| format!("{width}'d{number}"))
        .collect();
    let lines: Vec<String> = (entries.chunks(IN_A_LINE))
        .map(|line| line.join(", "))
        .collect();
    format!(
        "  localparam [{}:0] {name} = {{\n    {}\n  }};\n",
        numbers.len() * width - 1,
        lines.join(",\n    ")
    )
}

/// The module, which is called as the machine is.
pub(super) fn joined(
    netlist: &Netlist,
    ports: &Ports,
    topology: &impl Topology,
    title: &str,
) -> String {
    let (nodes, links) = (topology.nodes(), topology.links());
    let arrived = match ports.host_reads.is_empty() {
        true => ".",
        false => "; once `done` is 1 the `unload_` ports hold what arrived.",
    };
    let mut text = head(&format!(
        "A network of {nodes} nodes, the sequencer that all of them hear, and their hosts' wires.\n\
         While `reset` is 1 every node takes what stands on its `load_` ports. Bit time 0 is the first\n\
         clock cycle without `reset`{arrived}\n{title}"
    ));
    let _ = writeln!(
        text,
        "\nmodule {} (\n  input wire clk,\n  input wire reset,\n  // node n has bits n * width and up",
        topology.machine_name()
    );
    let of_hosts = |ports: &[HostPort]| -> Vec<(String, usize)> {
        let port = |port: &HostPort| (port.name.clone(), port.wires.len());
        ports.iter().map(port).collect()
    };
    let (from_host, to_host) = (of_hosts(&ports.from_host), of_hosts(&ports.to_host));
    for (name, width) in ports.host_writes.iter().chain(&from_host) {
        let _ = writeln!(text, "  input wire {}{name},", word_range(nodes * width));
    }
    for (name, width) in ports.host_reads.iter().chain(&to_host) {
        let _ = writeln!(text, "  output wire {}{name},", word_range(nodes * width));
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

    let width = (nodes.saturating_sub(1)).checked_ilog2().unwrap_or(0) as usize + 1;
    let _ = writeln!(
        text,
        "  // by link: the nodes whose links lead to node 0, 1 and so on, the last one first"
    );
    for link in 0..links {
        let senders: Vec<usize> = (0..nodes).map(|node| topology.sender(node, link)).collect();
        text += &table(&format!("FROM_{link}"), width, &senders);
    }
    let spelled = |node: usize| {
        let bits = topology.address_of::<bool>(node);
        let bits = bits.iter().enumerate();
        bits.fold(0, |number, (place, bit)| {
            number | usize::from(*bit) << place
        })
    };
    let addresses: Vec<usize> = (0..nodes).map(spelled).collect();
    let address = match addresses.iter().copied().eq(0..nodes) {
        true => "n".to_owned(),
        false => {
            let bits = topology.address_bits();
            let _ = writeln!(text, "  // what nodes are called");
            text += &table("ADDRESSES", bits, &addresses);
            format!("ADDRESSES[n * {bits} +: {bits}]")
        }
    };

    let host = (ports.host_writes.iter()).chain(&ports.host_reads);
    let host = host.chain(&from_host).chain(&to_host);
    connections.extend(host.map(|(name, width)| match (width, nodes) {
        (1, 1) => format!(".{name}({name})"),
        (1, _) => format!(".{name}({name}[n])"),
        (width, _) => format!(".{name}({name}[n * {width} +: {width}])"),
    }));
    connections.extend([".rx(received)".to_owned(), ".tx(sent)".to_owned()]);
    let _ = write!(
        text,
        "\n  // each node has wires of its own: in one vector of all, a simulator would look at every link where one changes\n\
         \x20 genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {nodes}; n = n + 1) begin : node\n\
         \x20     wire [{last}:0] sent;\n\
         \x20     wire [{last}:0] received;\n",
        last = links - 1,
    );
    for link in 0..links {
        let _ = writeln!(
            text,
            "      assign received[{link}] = node[FROM_{link}[n * {width} +: {width}]].sent[{link}];"
        );
    }
    let _ = write!(
        text,
        "      node #(.ADDRESS({address})) router ({});\n    end\n  endgenerate\nendmodule\n",
        list(&connections, 8),
    );
    text
}
