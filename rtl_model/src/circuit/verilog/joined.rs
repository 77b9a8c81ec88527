//! The module that joins the nodes of a machine on any network, with its sequencer and the wires of its hosts.
//!
//! A hypercube without hosts on wires is joined in [`super::cube`], where a node's neighbours are found with a gate. Here they
//! are looked up in tables, of which nothing is left once the wires are joined.

use std::fmt::Write;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::module::{FIXED, Ports, Words};
use crate::circuit::verilog::names::Names;
use crate::circuit::verilog::network;
use crate::circuit::verilog::text::word_range;
use crate::machine::topology::{Labelled, Tap, Topology};

/// The wires between a node and its host, by name: from the host, and to it. What the network has no name for is called by
/// its number.
pub(super) fn host_wires(topology: &dyn Topology) -> [Vec<(String, Vec<usize>)>; 2] {
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
pub(super) fn words(topology: &dyn Topology, has_hosts: bool) -> Words {
    let mut wires = String::from(
        "  // the wires of links: what a node sends on one, the node at its end receives on the same\n",
    );
    for link in 0..topology.links() {
        let _ = writeln!(wires, "  //   bit {link}: {}", topology.describe(link));
    }
    Words {
        node: match has_hosts {
            true => {
                "A node, the same for every address. It sees its registers, its address, the bits it receives from\n\
                 other nodes and its host, and what the sequencer broadcasts."
            }
            false => {
                "A node, the same for every address. It sees its registers, its address, the bits it receives from\n\
                 other nodes, and what the sequencer broadcasts."
            }
        },
        address: "which node it is".to_owned(),
        reset: "registers take their first values, or what is on load_*",
        broadcast: "the sequencer's broadcast",
        wires,
        has_unread: true,
    }
}

/// The links at a node, in blocks and by names as in waves; `sender` is the node that a link comes from.
fn named_links(topology: &dyn Topology, sender: impl Fn(usize) -> String) -> String {
    let links = topology.links();
    let labelled = topology.labelled();
    let is_link =
        |tap: &Tap| matches!(tap, Tap::Driven(wire) | Tap::Received(wire) if *wire < links);
    let labels: Vec<&Labelled> = (labelled.iter())
        .filter(|label| label.wires.iter().all(is_link))
        .collect();
    // What a link is called where it begins, as its end reads it.
    let mut sent: Vec<String> = (0..links).map(|link| format!("sent[{link}]")).collect();
    let mut received = vec![None; links];
    let mut names = Names::default();
    for name in FIXED {
        names.take(name);
    }
    let scopes: Vec<(String, &[&Labelled])> = (labels
        .chunk_by(|one, next| one.scope == next.scope))
    .map(|labels| (names.take(&labels[0].scope), labels))
    .collect();
    for (scope, labels) in &scopes {
        for label in *labels {
            let bit = |place| match label.wires.len() {
                1 => format!("{scope}.{}", label.name),
                _ => format!("{scope}.{}[{place}]", label.name),
            };
            for (place, tap) in label.wires.iter().enumerate() {
                match tap {
                    Tap::Driven(link) => sent[*link] = bit(place),
                    Tap::Received(link) => received[*link] = Some(bit(place)),
                }
            }
        }
    }
    let mut text = String::new();
    for (scope, labels) in &scopes {
        let _ = writeln!(text, "      if (1) begin : {scope}");
        for Labelled { name, wires, .. } in *labels {
            let bits = wires.iter().rev().map(|tap| match tap {
                Tap::Driven(link) => format!("sent[{link}]"),
                Tap::Received(link) => format!("{}.{}", sender(*link), sent[*link]),
            });
            let value = match wires.len() {
                1 => bits.collect(),
                _ => format!("{{{}}}", bits.collect::<Vec<_>>().join(", ")),
            };
            let _ = writeln!(
                text,
                "        wire {}{name} = {value};",
                word_range(wires.len())
            );
        }
        text += "      end\n";
    }
    for (link, name) in received.into_iter().enumerate() {
        let value = name.unwrap_or_else(|| format!("{}.{}", sender(link), sent[link]));
        let _ = writeln!(text, "      assign received[{link}] = {value};");
    }
    text
}

/// The module, which is called as the machine is.
pub(super) fn joined(
    netlist: &Netlist,
    ports: &Ports,
    (topology, address): (&dyn Topology, &dyn Fn(usize) -> Vec<bool>),
    title: &str,
) -> String {
    let (nodes, links) = (topology.nodes(), topology.links());
    let hosts = match ports.have_hosts() {
        true => format!(
            "A network of {nodes} nodes, the sequencer that all of them hear, and their hosts' wires."
        ),
        false => format!("A network of {nodes} nodes, and the sequencer that all of them hear."),
    };
    let arrived = match ports.host_reads.is_empty() {
        true => ".",
        false => "; once `done` is 1 the `unload_` ports hold what arrived.",
    };
    let notes = format!(
        "{hosts}\n\
         While `reset` is 1 every node takes what stands on its `load_` ports. Bit time 0 is the first\n\
         clock cycle without `reset`{arrived}\n{title}"
    );
    let name = topology.machine_name();
    let mut text = network::begin((name, &notes, network::BITS), ports, nodes, true);
    text += &network::sequencer(netlist, ports);

    let width = (nodes.saturating_sub(1)).checked_ilog2().unwrap_or(0) as usize + 1;
    let _ = writeln!(
        text,
        "  // by link: the nodes whose links lead to node 0, 1 and so on, the last one first"
    );
    for link in 0..links {
        let senders: Vec<usize> = (0..nodes).map(|node| topology.sender(node, link)).collect();
        text += &network::table(&format!("FROM_{link}"), width, &senders);
    }
    let [declared, address] = network::addresses((0..nodes).map(address), topology.address_bits());
    text += &declared;

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
    let senders = |link| format!("node[FROM_{link}[n * {width} +: {width}]]");
    match ports.have_hosts() {
        true => {
            for link in 0..links {
                let sender = senders(link);
                let _ = writeln!(
                    text,
                    "      assign received[{link}] = {sender}.sent[{link}];"
                );
            }
        }
        false => text += &named_links(topology, senders),
    }
    let _ = write!(
        text,
        "      node #(.ADDRESS({address})) router ({});\n    end\n  endgenerate\nendmodule\n",
        network::node(ports, nodes, None),
    );
    text
}
