//! A router as Verilog-2005, from its netlist: a node, the sequencer, and the cube that joins them.
//!
//! ```text
//!   cube.v        sequencer.v --strobes--> node.v [0], node.v [1], ...   tx of one is rx of another
//! ```
//!
//! One clock; reset is synchronous and is when the host writes: a bit time is a clock cycle, and bit
//! time 0 is the first one without `reset`. Registers are called as in the waves, with `_` between
//! the names of modules.
//!
//! A machine on another network, or one that has a sequencer and hosts on wires, has a module in the place of `cube` that is
//! called as its network says. Without hosts on wires, its nodes have their links in blocks, by the names that waves give
//! them. A machine without a sequencer, whose hosts talk over wires bit time by bit time, is for its own family to write
//! down, with what is here.

mod cube;
mod joined;
mod logic;
pub(crate) mod module;
mod names;
pub(crate) mod network;
pub mod properties;
mod text;
mod update;

use crate::circuit::netlist::Netlist;
use crate::machine::router::Machine;
use crate::machine::topology::Topology;

pub(crate) use text::word_range;
pub use text::{head, note};

/// The Verilog of a router.
#[derive(Clone, Debug)]
pub struct Design {
    /// Module `node`.
    pub node: String,
    /// Module `sequencer`, of a machine that has one.
    pub sequencer: Option<String>,
    /// The module that joins the nodes: module `cube`, or whatever the network calls its machine.
    pub network: String,
    /// What that module is called.
    pub name: &'static str,
    /// Ports of that module through which the host writes every node: names and widths a node, in
    /// their order. Node `n` has bits `n * width ..`.
    pub host_writes: Vec<(String, usize)>,
    /// Ports through which the host reads.
    pub host_reads: Vec<(String, usize)>,
    /// Ports for the wires that come from hosts.
    pub from_host: Vec<(String, usize)>,
    /// Ports for the wires that lead to hosts.
    pub to_host: Vec<(String, usize)>,
}

impl Design {
    /// Writes a router down. `title` says in a line or more what it is, for the head of each file.
    pub fn of<R: Machine>(router: &R, title: &str) -> Self {
        let topology = router.topology();
        let address = |node| topology.address_of(node);
        Self::of_netlist(&Netlist::of(router), (&topology, &address), title)
    }

    /// The same of a netlist, whose nodes are joined by this network and have these addresses.
    fn of_netlist(
        netlist: &Netlist,
        (topology, address): (&dyn Topology, &dyn Fn(usize) -> Vec<bool>),
        title: &str,
    ) -> Self {
        let ports = module::Ports::of(netlist, joined::host_wires(topology));
        let has_hosts = ports.have_hosts();
        let (words, network) = match topology.as_hypercube() {
            Some(dimensions) if !has_hosts => (
                module::lockstep_words(),
                cube::cube(netlist, &ports, dimensions, title),
            ),
            _ => (
                joined::words(topology, has_hosts),
                joined::joined(netlist, &ports, (topology, address), title),
            ),
        };
        Design {
            node: module::node(netlist, &ports, &words, title),
            sequencer: Some(module::sequencer(netlist, &ports, title)),
            network,
            name: topology.machine_name(),
            from_host: module::of_hosts(&ports.from_host),
            to_host: module::of_hosts(&ports.to_host),
            host_writes: ports.host_writes,
            host_reads: ports.host_reads,
        }
    }

    /// Its files, each with its text: the one that joins the nodes is the last.
    pub fn files(&self) -> Vec<(String, &str)> {
        let sequencer = self.sequencer.as_deref();
        let sequencer = sequencer.map(|text| ("sequencer.v".to_owned(), text));
        let node = [("node.v".to_owned(), &*self.node)].into_iter();
        let network = (format!("{}.v", self.name), &*self.network);
        node.chain(sequencer).chain([network]).collect()
    }

    /// Ports that nodes read, and ports that they drive, each in the order of the module.
    pub fn ports(&self) -> [Vec<(String, usize)>; 2] {
        [
            [&*self.host_writes, &*self.from_host].concat(),
            [&*self.host_reads, &*self.to_host].concat(),
        ]
    }
}
