//! The module that joins the nodes of a machine.

use std::fmt::Write;

use crate::circuit::verilog::module::Ports;
use crate::circuit::verilog::network::{begin, node, side_by_side, table};
use crate::circuit::verilog::word_range;
use crate::language::register::Name;
use crate::machine::router::Machine as _;
use crate::machine::topology::Topology as _;
use crate::machine::topology::grid::Way;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::irregular::TableRouted;
use crate::routers::wormhole::plan::LinkPlan;
use crate::routers::wormhole::routing_table::EJECT;
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::verilog::link_wires::{Kind, signals};

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
        (Joined::Space(Space::Grid(grid)), link) => {
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
        (Joined::Irregular(network), colour) => {
            let bits = network.address_bits();
            let end = |side| format!("{side}_{colour}[n * {bits} +: {bits}]");
            (end("FROM"), end("TO"))
        }
        (Joined::Space(Space::Hypercube(_)), dimension) => {
            let across = format!("n ^ {}", 1usize << dimension);
            (across.clone(), across)
        }
    }
}

/// Where a node has no link from which bits come, and none by which they go: conditions of node `n`. None where all have both.
fn missing(network: &Network, link: usize) -> Option<(String, String)> {
    let grid = match network.joined() {
        Joined::Space(Space::Grid(grid)) => grid,
        Joined::Irregular(_) => {
            return Some((format!("~HAS_FROM_{link}[n]"), format!("~HAS_TO_{link}[n]")));
        }
        _ => return None,
    };
    let (dimension, way) = grid.way(link);
    let stride = grid.radix().pow(dimension as u32);
    let at = |digit: usize| format!("(n / {stride}) % {} == {digit}", grid.radix());
    let (first, last) = (at(0), at(grid.radix() - 1));
    (!grid.wraps()).then_some(match way {
        Way::Plus => (first, last),
        Way::Minus => (last, first),
    })
}

/// The address of node `n`.
fn address(network: &Network) -> String {
    let grid = match network.joined() {
        Joined::Space(Space::Grid(grid)) if !grid.radix().is_power_of_two() => grid,
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
/// Nodes read their routing tables, if they have any, by a port `table`.
pub(super) fn network(
    machine: &WormholeMachine,
    ports: &Ports,
    table: Option<&str>,
    title: &str,
) -> String {
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
        Joined::Space(Space::Grid(grid)) => format!(
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
        Joined::Irregular(network) => format!(
            "A network of {nodes} nodes: the link of colour c of node n leads to TO_c, the one of colour c that comes to it comes from FROM_c, where\n\
             HAS_TO_c and HAS_FROM_c have bit n. While the machine is reset each node takes its routing table.\n\
             There are {} links.",
            network.wires(),
        ),
        Joined::Space(Space::Hypercube(_)) => format!(
            "A hypercube of {nodes} nodes: the link dim_d of a node leads to the one at address ^ 2^d."
        ),
    };
    let notes = format!(
        "{joined}\nCredits come back from where a link leads. Bit time 0 is the first clock cycle without `reset`.\n\
         {title}"
    );
    let mut bits = match switches {
        1 => "  // node n has bit n\n".to_owned(),
        _ => format!("  // switch s of node n has bit n * {switches} + s\n"),
    };
    if plan.wire_bits > 1 {
        let _ = writeln!(
            bits,
            "  // of inject and eject {} bits in its place",
            plan.wire_bits
        );
    }
    let name = machine.topology().machine_name();
    let mut text = begin((name, &notes, &bits), ports, nodes, false);
    if let Network::TableRouted(routed) = network {
        text += &links(routed);
        text += &tables(routed);
    }
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
            missing(network, number).as_ref(),
        );
    }
    let _ = write!(
        text,
        "      node #(.ADDRESS({})) router ({});\n    end\n  endgenerate\nendmodule\n",
        address(network),
        node(ports, nodes, table.map(|table| (table, "table_of(n)"))),
    );
    text
}

/// Where the links of each colour come from and lead to, the last node first.
fn links(routed: &TableRouted) -> String {
    let network = &routed.network;
    let (nodes, bits) = (network.nodes(), network.address_bits());
    let mut text = String::new();
    let ends = [
        (
            "FROM",
            Irregular::near as fn(&Irregular, usize, usize) -> Option<usize>,
        ),
        ("TO", Irregular::far),
    ];
    for colour in 0..network.colours() {
        for (name, end) in ends {
            let ends: Vec<Option<usize>> =
                (0..nodes).map(|node| end(network, node, colour)).collect();
            let numbers: Vec<usize> = (ends.iter().enumerate())
                .map(|(node, end)| end.unwrap_or(node))
                .collect();
            let has: String = (ends.iter().rev())
                .map(|end| if end.is_some() { '1' } else { '0' })
                .collect();
            text += &table(&format!("{name}_{colour}"), bits, &numbers);
            let _ = writeln!(
                text,
                "  localparam [{}:0] HAS_{name}_{colour} = {nodes}'b{has};",
                nodes - 1,
            );
        }
    }
    text
}

/// The routing tables, the entry of the last destination first.
fn tables(routed: &TableRouted) -> String {
    let (nodes, bits) = (routed.network.nodes(), routed.table().entry_bits());
    let mut text = format!(
        "\n  // the routing table of a node, {bits} bits a destination: {EJECT} is to leave here, {} + class * {} + colour to go on\n  \
         function [{}:0] table_of(input integer n);\n    case (n)\n",
        EJECT + 1,
        routed.network.colours(),
        nodes * bits - 1,
    );
    for node in 0..nodes {
        let entries: Vec<usize> = (0..nodes).map(|to| routed.entry(node, to)).collect();
        let entries = side_by_side(bits, &entries, 6);
        let _ = writeln!(text, "      {node}: table_of = {entries};");
    }
    let _ = writeln!(
        text,
        "      default: table_of = 0;\n    endcase\n  endfunction\n"
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
    missing: Option<&(String, String)>,
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
        let received = match (missing, signal.is_credit) {
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
        link.wires.data.start,
        received.join(", ")
    );
    text
}
