//! How deep the logic is: gates on the longest path from a register to a register. A bit time is as
//! long as that path, so machines compare by their bit times times their depth.
//!
//! ```text
//!   [sequencer] --decode--> strobe --> node --tx--wire--rx--> its neighbour --> [register]
//!   |<------- sequencer ---------->|<---------------------- node ---------------------->|
//!   |<------------------------------------- total ------------------------------------->|
//! ```
//!
//! Counted are the gates of the [`Netlist`], which is what Verilog is written from: an AND, OR or
//! XOR of two inputs and a mux are one each. An inverter is none (it goes into the gate that reads
//! it), and neither are constants, registers, ports and wires. Address bits are ports. Clock
//! enables are the muxes that [`crate::circuit::expression`] makes of them, and count; the reset
//! does not. Neither `done` nor the host's ports end at a register. It is the length of paths as
//! they are drawn: whether a path can ever be the one that is waited for is not looked at, and how
//! long a gate or a wire takes is up to the technology.

use rustc_hash::FxHashMap;

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::circuit::netlist::{Bundle, Netlist, Part};
use crate::error::Error;
use crate::machine::router::Machine;

/// Gates between registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogicDepth {
    /// The longest path where all strobes come straight from flip-flops: out of a node, across a
    /// wire and into its neighbour included.
    pub node: usize,
    /// The longest path inside the sequencer: to one of its registers, or to a strobe that nodes
    /// read.
    pub sequencer: usize,
    /// The longest path of the machine as it is: strobes come from the sequencer in the same bit
    /// time.
    pub total: usize,
    /// A path of so many gates, by its names, from register to register.
    pub path: Vec<Step>,
}

/// A place on a path that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Gates from the beginning of the path up to here.
    pub gates: usize,
    /// Where it is.
    pub module: Module,
    /// What it is called there: a register, a strobe, a wire.
    pub name: String,
}

/// A module that a path runs through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    /// The sequencer.
    Sequencer,
    /// A node; after a wire between nodes, its neighbour.
    Node,
}

impl Module {
    /// As its Verilog is called.
    pub fn name(self) -> &'static str {
        match self {
            Module::Sequencer => "sequencer",
            Module::Node => "node",
        }
    }
}

impl LogicDepth {
    /// Of a router.
    ///
    /// # Errors
    /// [`Error::CombinationalLoop`]: what a node receives decides in the same bit time what it
    /// sends, and that comes back to it.
    pub fn of<R: Machine>(router: &R) -> Result<Self, Error> {
        Self::of_netlist(&Netlist::of(router))
    }

    /// Of a netlist.
    ///
    /// # Errors
    /// As [`LogicDepth::of`].
    pub fn of_netlist(netlist: &Netlist) -> Result<Self, Error> {
        let Netlist {
            graph,
            node,
            sequencer,
        } = netlist;
        let lines = |bundles: &[Bundle]| -> Vec<Expression> {
            bundles.iter().flat_map(|one| one.lines.clone()).collect()
        };
        let wires = || (node.rx.iter().copied().zip(node.tx.iter().copied())).take(node.links);
        let (ports, driven) = (lines(&node.strobes), lines(&sequencer.strobes));
        let (node_ends, sequencer_ends) = (next(&node.parts), next(&sequencer.parts));
        let ends = |of: &[&[Expression]]| of.concat();

        let alone = Circuit::new(graph, wires());
        let decode = Circuit::new(graph, []);
        let strobes = ports.iter().copied().zip(driven.iter().copied());
        let whole = Circuit::new(graph, wires().chain(strobes));
        let whole_ends = ends(&[&sequencer_ends, &node_ends]);
        // A loop is one even where no register waits for it.
        let depths = whole.depths(&ends(&[&whole_ends, &node.tx]))?;
        Ok(LogicDepth {
            node: alone.depths(&node_ends)?.of(&node_ends),
            sequencer: {
                let ends = ends(&[&sequencer_ends, &driven]);
                decode.depths(&ends)?.of(&ends)
            },
            total: depths.of(&whole_ends),
            path: Names::of(netlist).steps(&whole, &depths),
        })
    }
}

/// What the registers of these parts take.
fn next(parts: &[Part]) -> Vec<Expression> {
    let registers = parts.iter().flat_map(|part| &part.registers);
    registers
        .flat_map(|register| register.next.iter().copied())
        .collect()
}

/// Gates, and what drives ports from outside of them.
struct Circuit<'a> {
    graph: &'a Graph,
    driven: FxHashMap<Expression, Expression>,
}

impl<'a> Circuit<'a> {
    fn new(graph: &'a Graph, driven: impl IntoIterator<Item = (Expression, Expression)>) -> Self {
        Circuit {
            graph,
            driven: driven.into_iter().collect(),
        }
    }

    /// What an expression waits for.
    fn inputs(&self, expression: Expression) -> impl Iterator<Item = Expression> + use<> {
        let driver = self.driven.get(&expression).copied();
        self.graph.gate(expression).inputs().chain(driver)
    }

    /// The depths of `ends` and of all that they depend on, without recursion: circuits may be
    /// deep.
    fn depths(&self, ends: &[Expression]) -> Result<Depths, Error> {
        let mut depths = vec![Depth::Unknown; self.graph.len()];
        let mut left = ends.to_vec();
        while let Some(&expression) = left.last() {
            let number = expression.number() as usize;
            match depths[number] {
                Depth::Known(_) => _ = left.pop(),
                Depth::Open => {
                    let known = |input: Expression| depths[input.number() as usize].known();
                    let deepest = self.inputs(expression).filter_map(known).max();
                    let gates = deepest.unwrap_or(0) + gates(self.graph.gate(expression));
                    depths[number] = Depth::Known(gates);
                    left.pop();
                }
                Depth::Unknown => {
                    depths[number] = Depth::Open;
                    for input in self.inputs(expression) {
                        match depths[input.number() as usize] {
                            Depth::Known(_) => {}
                            // Only through a wire does a gate come to read what reads it.
                            Depth::Open => return Err(Error::CombinationalLoop),
                            Depth::Unknown => left.push(input),
                        }
                    }
                }
            }
        }
        Ok(Depths(depths))
    }
}

/// Gates on the longest path to an expression.
#[derive(Clone, Copy)]
enum Depth {
    /// Nothing that was asked for depends on it.
    Unknown,
    /// Its inputs are being looked at.
    Open,
    Known(usize),
}

impl Depth {
    fn known(self) -> Option<usize> {
        match self {
            Depth::Known(gates) => Some(gates),
            _ => None,
        }
    }
}

/// What a gate adds to the paths through it.
fn gates(gate: Gate) -> usize {
    match gate {
        Gate::Constant(_) | Gate::Variable(_) | Gate::Not(_) => 0,
        Gate::And(..) | Gate::Or(..) | Gate::Xor(..) | Gate::Mux(..) => 1,
    }
}

/// The depths of all expressions, by number.
struct Depths(Vec<Depth>);

impl Depths {
    /// The longest path to any of these.
    fn of(&self, ends: &[Expression]) -> usize {
        ends.iter().map(|end| self.to(*end)).max().unwrap_or(0)
    }

    fn to(&self, expression: Expression) -> usize {
        self.0[expression.number() as usize].known().unwrap_or(0)
    }
}

/// What is called how.
struct Names<'a> {
    netlist: &'a Netlist,
    /// What registers and ports are called.
    named: FxHashMap<Expression, Vec<(Module, String)>>,
    /// Register bits by what they take, in the order of the description.
    ends: Vec<(Expression, (Module, String))>,
}

impl<'a> Names<'a> {
    fn of(netlist: &'a Netlist) -> Self {
        let mut names = Names {
            netlist,
            named: FxHashMap::default(),
            ends: Vec::new(),
        };
        for (module, parts) in [
            (Module::Sequencer, &netlist.sequencer.parts),
            (Module::Node, &netlist.node.parts),
        ] {
            for register in parts.iter().flat_map(|part| &part.registers) {
                for (place, (bit, next)) in register.bits.iter().zip(&register.next).enumerate() {
                    let name = (module, register.bit_name(place));
                    names.add(*bit, name.clone());
                    names.ends.push((*next, name));
                }
            }
        }
        for bundle in &netlist.node.strobes {
            for (place, port) in bundle.lines.iter().enumerate() {
                names.add(*port, (Module::Node, bundle.line_name(place)));
            }
        }
        let node = &netlist.node;
        for (what, wires) in [("ADDRESS", &node.address), ("rx", &node.rx)] {
            for (dimension, wire) in wires.iter().enumerate() {
                names.add(*wire, (Module::Node, format!("{what}[{dimension}]")));
            }
        }
        names
    }

    fn add(&mut self, expression: Expression, name: (Module, String)) {
        self.named.entry(expression).or_default().push(name);
    }

    /// The longest path of a circuit; of several, one of them, always the same.
    fn steps(&self, circuit: &Circuit<'_>, depths: &Depths) -> Vec<Step> {
        let mut deepest: Option<&(Expression, (Module, String))> = None;
        for end in &self.ends {
            if deepest.is_none_or(|(next, _)| depths.to(end.0) > depths.to(*next)) {
                deepest = Some(end);
            }
        }
        let Some((next, (module, name))) = deepest else {
            return Vec::new();
        };
        let mut path = vec![Step {
            gates: depths.to(*next),
            module: *module,
            name: name.clone(),
        }];
        let (mut place, mut module) = (*next, *module);
        loop {
            let gates = depths.to(place);
            let mut step = |module, name| {
                path.push(Step {
                    gates,
                    module,
                    name,
                });
            };
            for (module, name) in self.named.get(&place).into_iter().flatten() {
                step(*module, name.clone());
            }
            if let Some(name) = self.netlist.graph.name(place) {
                step(module, name.to_owned());
            }
            let inputs = circuit.inputs(place);
            let Some(before) =
                inputs.reduce(|one, other| match depths.to(other) > depths.to(one) {
                    true => other,
                    false => one,
                })
            else {
                break;
            };
            if circuit.driven.contains_key(&place) {
                match self.netlist.node.rx.iter().position(|rx| *rx == place) {
                    Some(dimension) => step(module, format!("tx[{dimension}]")),
                    None => module = Module::Sequencer,
                }
            }
            place = before;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests;
