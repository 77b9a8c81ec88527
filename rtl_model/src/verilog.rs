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
//! A machine of wormhole routers has no sequencer ([`NetworkDesign`]): `ccc.v` or `cube.v` joins nodes alone, and hosts
//! talk over wires, bit time by bit time.

mod cube;
mod logic;
mod module;
mod names;
mod network;
mod update;

use crate::netlist::Netlist;
use crate::router::Router;

pub use network::NetworkDesign;

/// The Verilog of a router.
#[derive(Clone, Debug)]
pub struct Design {
    /// Module `node`.
    pub node: String,
    /// Module `sequencer`.
    pub sequencer: String,
    /// Module `cube`.
    pub cube: String,
    /// Ports of module `cube` through which the host writes every node: names and widths a node, in
    /// their order. Node `n` has bits `n * width ..`.
    pub host_writes: Vec<(String, usize)>,
    /// Ports through which the host reads.
    pub host_reads: Vec<(String, usize)>,
}

impl Design {
    /// Writes a router down. `title` says in a line or more what it is, for the head of each file.
    pub fn of<R: Router>(router: &R, title: &str) -> Self {
        let netlist = Netlist::of(router);
        let ports = module::Ports::of(&netlist);
        Design {
            node: module::node(&netlist, &ports, &module::lockstep_words(), title),
            sequencer: module::sequencer(&netlist, &ports, title),
            cube: cube::cube(&netlist, &ports, router.dimensions(), title),
            host_writes: ports.host_writes,
            host_reads: ports.host_reads,
        }
    }
}

/// The head of a file: a comment of these lines, and the unit of time, in which a bit time of 1 ns has ten.
pub fn head(text: &str) -> String {
    let comment: String = text.lines().map(|line| format!("// {line}\n")).collect();
    comment + "\n`timescale 100 ps / 100 ps\n"
}

/// A comment inside a module, broken into lines where it is long.
fn note(text: &str) -> String {
    let mut lines = vec![String::from("  //")];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < LONGEST_LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("  //   {word}")),
        }
    }
    lines.join("\n") + "\n"
}

/// Longest line, but for a name that alone is longer.
const LONGEST_LINE: usize = 100;

/// `[high:low] `, or nothing for a lone bit.
fn range(first: Option<usize>, width: usize) -> String {
    match first {
        None => String::new(),
        Some(first) => format!("[{}:{first}] ", first + width - 1),
    }
}

/// The range of a word that has no index where it has one bit.
fn word_range(width: usize) -> String {
    range((width > 1).then_some(0), width)
}
