//! Modules of a machine of wormhole routers: a node, and module `ccc`, `cube`, `torus` or `mesh`, which joins the nodes.

use std::fmt::Write;
use std::ops::Range;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::cube::list;
use crate::circuit::verilog::module::{self, HostPort, Ports, Words};
use crate::circuit::verilog::{head, word_range};
use crate::language::register::Name;
use crate::machine::topology::grid::Way;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::{Joined, Network};
use crate::routers::wormhole::plan::{LinkPlan, Plan, host_wires};

/// The Verilog of a machine of wormhole routers.
#[derive(Clone, Debug)]
pub struct NetworkDesign {
    /// Module `node`.
    pub node: String,
    /// The module that joins the nodes.
    pub network: String,
    /// What that module is called: `ccc`, `cube`, `torus` or `mesh`.
    pub name: &'static str,
    /// Its ports from hosts, with a bit for each switch of each node: switch `s` of node `n` has bit
    /// `n * switches + s`.
    pub from_host: Vec<String>,
    /// Its ports to hosts, in the same way.
    pub to_host: Vec<String>,
}

impl NetworkDesign {
    /// Writes a machine down. `title` says in a line or more what it is, for the head of each file.
    pub fn of(machine: &WormholeMachine, title: &str) -> Self {
        let netlist = Netlist::of(machine);
        let ports = with_host_wires(Ports::of(&netlist), machine.plan());
        let names = |ports: &[HostPort]| ports.iter().map(|port| port.name.clone()).collect();
        NetworkDesign {
            node: module::node(&netlist, &ports, &words(machine), title),
            network: network(machine, &ports, title),
            name: name(machine.network()),
            from_host: names(&ports.from_host),
            to_host: names(&ports.to_host),
        }
    }
}

/// What the machine is called.
fn name(network: &Network) -> &'static str {
    match network.joined() {
        Joined::CubeConnectedCycles(_) => "ccc",
        Joined::Hypercube(_) => "cube",
        Joined::Grid(grid) => grid.kind(),
    }
}

/// Adds the wires between a node and its host: one of each kind for each switch.
fn with_host_wires(ports: Ports, plan: &Plan) -> Ports {
    let ports_of = |kinds: &[(&str, usize)], each: usize| {
        let port = |&(name, kind): &(&str, usize)| HostPort {
            name: name.to_owned(),
            wires: (0..plan.switches())
                .map(|switch| plan.link_wires() + switch * each + kind)
                .collect(),
        };
        kinds.iter().map(port).collect()
    };
    let from_host = [
        ("inject", host_wires::INJECT),
        ("inject_valid", host_wires::INJECT_VALID),
        ("inject_tail", host_wires::INJECT_TAIL),
    ];
    let to_host = [
        ("inject_credit", host_wires::INJECT_CREDIT),
        ("eject", host_wires::EJECT),
        ("eject_valid", host_wires::EJECT_VALID),
        ("eject_tail", host_wires::EJECT_TAIL),
    ];
    Ports {
        from_host: ports_of(&from_host, host_wires::FROM_HOST),
        to_host: ports_of(&to_host, host_wires::TO_HOST),
        ..ports
    }
}

fn words(machine: &WormholeMachine) -> Words {
    let mut wires = String::from(
        "  // the wires of links: what a node sends on the first four kinds, the node at the far end receives;\n  \
         // a credit goes back to the node whose bits it is for\n",
    );
    for link in &machine.plan().links {
        let kinds: Vec<String> = kinds(link)
            .into_iter()
            .map(|kind| match kind.wires.len() {
                1 => format!("{} {}", kind.described, kind.wires.start),
                _ => format!(
                    "{} {}:{}",
                    kind.described,
                    kind.wires.end - 1,
                    kind.wires.start
                ),
            })
            .collect();
        let _ = writeln!(wires, "  //   {}: {}", link.name, kinds.join(", "));
    }
    Words {
        node: "A node, the same for every address. It sees its registers, its address and the bits it receives from\n\
               other nodes and its host. There is no sequencer: worms set their own pace.",
        address: match machine.network().joined() {
            Joined::CubeConnectedCycles(cycles) => {
                format!("level * {} + column", cycles.columns())
            }
            Joined::Grid(grid) => {
                format!(
                    "digits of {} bits each, that of dimension 0 first",
                    grid.digit_bits()
                )
            }
            Joined::Hypercube(_) => "bit d: dimension d".to_owned(),
        },
        reset: "registers take their first values",
        broadcast: "",
        wires,
        has_unread: true,
    }
}

/// Wires of a link that are one thing.
struct Kind {
    /// In a comment.
    described: &'static str,
    /// The name, after `tx` or `rx`.
    name: String,
    wires: Range<usize>,
    /// It comes back from where the link leads.
    is_credit: bool,
}

/// The wires of a link, in order. Credits are one kind for all channels.
fn kinds(link: &LinkPlan) -> Vec<Kind> {
    let wires = &link.wires;
    let kind = |described, name: &str, wires: Range<usize>| Kind {
        described,
        name: name.to_owned(),
        wires,
        is_credit: false,
    };
    let mut kinds = vec![
        kind("bit", "", wires.data..wires.data + 1),
        kind("valid", "_valid", wires.valid..wires.valid + 1),
        kind("tail", "_tail", wires.tail..wires.tail + 1),
        kind("channel", "_channel", wires.channel.clone()),
    ];
    kinds.push(Kind {
        is_credit: true,
        ..kind("credits", "_credit", wires.credits.clone())
    });
    kinds.retain(|kind| !kind.wires.is_empty());
    kinds
}

/// As in waves, where each channel's credit has a name of its own.
fn signals(link: &LinkPlan) -> Vec<Kind> {
    let each = |kind: Kind| -> Vec<Kind> {
        if !kind.is_credit {
            return vec![kind];
        }
        let wires = kind.wires.clone().enumerate();
        wires
            .map(|(channel, wire)| Kind {
                name: format!("{}_{channel}", kind.name),
                wires: wire..wire + 1,
                ..kind
            })
            .collect()
    };
    kinds(link).into_iter().flat_map(each).collect()
}

/// The numbers of the nodes from which a link leads to node `n`, and to which it leads from there.
fn ends(network: &Network, link: usize) -> (String, String) {
    match (network.joined(), link) {
        (Joined::CubeConnectedCycles(cycles), 0) => {
            let (nodes, columns) = (cycles.nodes(), cycles.columns());
            (
                format!("(n + {}) % {nodes}", nodes - columns),
                format!("(n + {columns}) % {nodes}"),
            )
        }
        (Joined::CubeConnectedCycles(cycles), _) => {
            let across = format!("n ^ (1 << (n / {}))", cycles.columns());
            (across.clone(), across)
        }
        (Joined::Grid(grid), link) => {
            let (dimension, way) = grid.way(link);
            let stride = grid.radix().pow(dimension as u32);
            let (last, round) = (grid.radix() - 1, stride * (grid.radix() - 1));
            let digit = format!("(n / {stride}) % {}", grid.radix());
            let below = format!("({digit} == 0 ? n + {round} : n - {stride})");
            let above = format!("({digit} == {last} ? n - {round} : n + {stride})");
            match way {
                Way::Plus => (below, above),
                Way::Minus => (above, below),
            }
        }
        (Joined::Hypercube(_), dimension) => {
            let across = format!("n ^ {}", 1usize << dimension);
            (across.clone(), across)
        }
    }
}

/// Where a mesh has no link from which bits come, and none by which they go: conditions of node `n`.
fn ends_of_mesh(network: &Network, link: usize) -> Option<(String, String)> {
    let Joined::Grid(grid) = network.joined() else {
        return None;
    };
    let (dimension, way) = grid.way(link);
    let stride = grid.radix().pow(dimension as u32);
    let at = |digit: usize| format!("(n / {stride}) % {} == {digit}", grid.radix());
    let (first, last) = (at(0), at(grid.radix() - 1));
    (!grid.wraps()).then(|| match way {
        Way::Plus => (first, last),
        Way::Minus => (last, first),
    })
}

/// The address of node `n`.
fn address(network: &Network) -> String {
    let grid = match network.joined() {
        Joined::Grid(grid) if !grid.radix().is_power_of_two() => grid,
        _ => return "n".to_owned(),
    };
    let digits = (0..grid.dimensions()).rev().map(|dimension| {
        let (radix, stride) = (grid.radix(), grid.radix().pow(dimension as u32));
        match dimension * grid.digit_bits() {
            0 => format!("n % {radix}"),
            shift => format!("((n / {stride}) % {radix} << {shift})"),
        }
    });
    digits.collect::<Vec<_>>().join(" + ")
}

/// The module that joins the nodes.
fn network(machine: &WormholeMachine, ports: &Ports, title: &str) -> String {
    let (network, plan) = (machine.network(), machine.plan());
    let (nodes, switches) = (network.nodes(), plan.switches());
    let joined = match network.joined() {
        Joined::CubeConnectedCycles(cycles) => format!(
            "Cube-connected cycles of {levels} levels and {columns} columns: node level * {columns} + column.\n\
             The straight link of a node leads to the next level of its column, its cross link to the column that\n\
             differs in the bit of its level.",
            levels = cycles.levels(),
            columns = cycles.columns(),
        ),
        Joined::Grid(grid) => format!(
            "A {kind} of {radix} nodes in each of {dimensions} dimensions: node n has the digits of n to base {radix}. The link plus_d of a \
             node leads\nto the one whose digit d is one more, minus_d to the one whose is one less{ends}.",
            kind = grid.kind(),
            radix = grid.radix(),
            dimensions = grid.dimensions(),
            ends = match grid.wraps() {
                true => ", round from the last to the first",
                false => "; at the ends there is none, and what would come is 0",
            },
        ),
        Joined::Hypercube(_) => format!(
            "A hypercube of {nodes} nodes: the link dim_d of a node leads to the one at address ^ 2^d."
        ),
    };
    let mut text = head(&format!(
        "{joined}\nCredits come back from where a link leads. Bit time 0 is the first clock cycle without `reset`.\n\
         {title}"
    ));
    let _ = writeln!(
        text,
        "\nmodule {} (\n  input wire clk,\n  input wire reset,",
        name(network)
    );
    match switches {
        1 => text.push_str("  // node n has bit n\n"),
        _ => {
            let _ = writeln!(text, "  // switch s of node n has bit n * {switches} + s");
        }
    }
    let range = word_range(nodes * switches);
    for port in &ports.from_host {
        let _ = writeln!(text, "  input wire {range}{},", port.name);
    }
    let outputs: Vec<String> = (ports.to_host.iter())
        .map(|port| format!("  output wire {range}{}", port.name))
        .collect();
    let _ = writeln!(text, "{}\n);\n", outputs.join(",\n"));

    let wires = plan.link_wires() - 1;
    let _ = write!(
        text,
        "  genvar n;\n\
         \x20 generate\n\
         \x20   for (n = 0; n < {nodes}; n = n + 1) begin : node\n\
         \x20     wire [{wires}:0] sent;\n\
         \x20     wire [{wires}:0] received;\n"
    );
    for (number, link) in plan.links.iter().enumerate() {
        text += &join(
            link,
            &ends(network, number),
            ends_of_mesh(network, number).as_ref(),
        );
    }
    let mut connections = vec![".clk(clk)".to_owned(), ".reset(reset)".to_owned()];
    connections.extend([".rx(received)".to_owned(), ".tx(sent)".to_owned()]);
    let host = ports.from_host.iter().chain(&ports.to_host);
    connections.extend(host.map(|HostPort { name, .. }| match switches {
        1 => format!(".{name}({name}[n])"),
        _ => format!(".{name}({name}[n * {switches} +: {switches}])"),
    }));
    let _ = write!(
        text,
        "      node #(.ADDRESS({})) router ({});\n    end\n  endgenerate\nendmodule\n",
        address(network),
        list(&connections, 8),
    );
    text
}

/// The block of a link, as it is called in each node. `cross` alone is a word of SystemVerilog.
pub fn block(link: &LinkPlan) -> String {
    match link.name {
        Name::Dimension(_) => link.name.to_string(),
        _ => format!("{}_link", link.name),
    }
}

/// The wires of one link, at the node in whose block they stand.
fn join(
    link: &LinkPlan,
    (near, far): &(String, String),
    ends_of_mesh: Option<&(String, String)>,
) -> String {
    let scope = block(link);
    let signals = signals(link);
    let mut text = format!("      if (1) begin : {scope}\n");
    for Kind { name, wires, .. } in &signals {
        let bits = match wires.len() {
            1 => format!("[{}]", wires.start),
            _ => format!("[{}:{}]", wires.end - 1, wires.start),
        };
        let range = word_range(wires.len());
        let _ = writeln!(text, "        wire {range}tx{name} = sent{bits};");
    }
    for signal in &signals {
        let Kind { name, wires, .. } = signal;
        let from = if signal.is_credit { far } else { near };
        let range = word_range(wires.len());
        let sent = format!("node[{from}].{scope}.tx{name}");
        let received = match (ends_of_mesh, signal.is_credit) {
            (None, _) => sent,
            (Some((end, _)), false) | (Some((_, end)), true) => {
                format!("{end} ? {}'b0 : {sent}", wires.len())
            }
        };
        let _ = writeln!(text, "        wire {range}rx{name} = {received};");
    }
    let received: Vec<String> = (signals.iter().rev())
        .map(|signal| format!("rx{}", signal.name))
        .collect();
    let _ = writeln!(
        text,
        "        assign received[{}:{}] = {{{}}};\n      end",
        link.wires.end() - 1,
        link.wires.data,
        received.join(", ")
    );
    text
}
