//! Modules of a machine of wormhole routers: a node, and module `ccc`, `cube`, `torus`, `mesh` or `network`, which joins the nodes.

use std::fmt::Write;
use std::ops::Range;

use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::Design;
use crate::circuit::verilog::module::{self, Ports, Words};
use crate::machine::router::Machine as _;
use crate::machine::topology::Topology as _;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::plan::NodePlan;
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::verilog::link_wires::kinds;

pub use network::block;

mod link_wires;
mod network;

/// Writes a machine down. `title` says in a line or more what it is, for the head of each file. Its ports have a bit, or a flit, for
/// each switch of each node, one switch after the other.
pub fn design(machine: &WormholeMachine, title: &str) -> Design {
    let netlist = Netlist::of(machine);
    let mut ports = Ports::of(&netlist, host_wires(machine.plan()));
    let node = module::node(&netlist, &ports, &words(machine), title);
    // Tables stand in the module that joins the nodes, so it has no port for them.
    let table = std::mem::take(&mut ports.host_writes).into_iter().next();
    let table = table.as_ref().map(|(name, _)| &**name);
    Design {
        node,
        sequencer: None,
        network: network::network(machine, &ports, table, title),
        name: machine.topology().machine_name(),
        host_writes: ports.host_writes,
        host_reads: ports.host_reads,
        from_host: module::of_hosts(&ports.from_host),
        to_host: module::of_hosts(&ports.to_host),
    }
}

/// The wires between a node and its host, from the host and to it: one of each kind for each switch.
fn host_wires(plan: &NodePlan) -> [Vec<(String, Vec<usize>)>; 2] {
    let ports_of = |kinds: &[(&str, Range<usize>)], each: usize| {
        let port = |(name, kind): &(&str, Range<usize>)| {
            let wires = (0..plan.switches()).flat_map(|switch| {
                let first = plan.link_wires() + switch * each;
                kind.clone().map(move |wire| first + wire)
            });
            ((*name).to_owned(), wires.collect())
        };
        kinds.iter().map(port).collect()
    };
    let wires = plan.host_wires();
    let one = |wire: usize| wire..wire + 1;
    let from_host = [
        ("inject", wires.inject()),
        ("inject_valid", one(wires.inject_valid())),
        ("inject_tail", one(wires.inject_tail())),
    ];
    let to_host = [
        ("inject_credit", one(wires.inject_credit())),
        ("eject", wires.eject()),
        ("eject_valid", one(wires.eject_valid())),
        ("eject_tail", one(wires.eject_tail())),
    ];
    [
        ports_of(&from_host, wires.from_host()),
        ports_of(&to_host, wires.to_host()),
    ]
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
            Joined::Space(Space::Grid(grid)) => {
                format!(
                    "digits of {} bits each, that of dimension 0 first",
                    grid.digit_bits()
                )
            }
            Joined::Space(Space::Hypercube(_)) => "bit d: dimension d".to_owned(),
            Joined::Irregular(_) => "the number of the node".to_owned(),
        },
        reset: match machine.network() {
            Network::TableRouted(_) => "registers take their first values, or what is on load_*",
            _ => "registers take their first values",
        },
        broadcast: "",
        wires,
        has_unread: true,
    }
}
