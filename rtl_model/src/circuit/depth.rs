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
        // None: its inputs are being looked at.
        let mut depths: FxHashMap<Expression, Option<usize>> = FxHashMap::default();
        let mut left = ends.to_vec();
        while let Some(&expression) = left.last() {
            match depths.get(&expression) {
                Some(Some(_)) => {
                    left.pop();
                }
                Some(None) => {
                    let deepest = self.inputs(expression).filter_map(|input| depths[&input]);
                    let depth = deepest.max().unwrap_or(0) + gates(self.graph.gate(expression));
                    depths.insert(expression, Some(depth));
                    left.pop();
                }
                None => {
                    depths.insert(expression, None);
                    for input in self.inputs(expression) {
                        match depths.get(&input) {
                            Some(Some(_)) => {}
                            // Only through a wire does a gate come to read what reads it.
                            Some(None) => return Err(Error::CombinationalLoop),
                            None => left.push(input),
                        }
                    }
                }
            }
        }
        let depths = depths.into_iter();
        Ok(Depths(
            depths
                .filter_map(|(expression, depth)| Some((expression, depth?)))
                .collect(),
        ))
    }
}

/// What a gate adds to the paths through it.
fn gates(gate: Gate) -> usize {
    match gate {
        Gate::Constant(_) | Gate::Variable(_) | Gate::Not(_) => 0,
        Gate::And(..) | Gate::Or(..) | Gate::Xor(..) | Gate::Mux(..) => 1,
    }
}

/// Gates on the longest path to each expression.
struct Depths(FxHashMap<Expression, usize>);

impl Depths {
    /// The longest path to any of these.
    fn of(&self, ends: &[Expression]) -> usize {
        ends.iter().map(|end| self.to(*end)).max().unwrap_or(0)
    }

    fn to(&self, expression: Expression) -> usize {
        self.0.get(&expression).copied().unwrap_or(0)
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
mod tests {
    use super::*;
    use crate::circuit::netlist::{NodeCircuit, Register, SequencerCircuit};
    use crate::language::bit::Bit;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::enumeration::EnumerationRouter;
    use crate::routers::kuszmaul::packing::PackingRouter;

    fn part(name: &str, bit: Expression, next: Expression) -> Vec<Part> {
        vec![Part {
            name: name.to_owned(),
            kind: None,
            note: "",
            registers: vec![Register {
                path: vec![name.to_owned()],
                bits: vec![bit],
                next: vec![next],
                reset: vec![bit],
            }],
        }]
    }

    fn strobe(line: Expression) -> Vec<Bundle> {
        vec![Bundle {
            name: "go".to_owned(),
            note: "",
            first: None,
            lines: vec![line],
        }]
    }

    /// A sequencer that sends the strobe `go` and has a register `count`; a node of a register
    /// `held`, that reads the strobe and what it receives.
    fn machine<const D: usize>(
        sequencer: impl FnOnce(Expression) -> [Expression; 2],
        node: impl FnOnce(Expression, Expression, [Expression; D]) -> ([Expression; D], Expression),
    ) -> Netlist {
        let (netlist, graph) = Graph::record(|| {
            let [count, port, held] = std::array::from_fn(|_| Expression::variable());
            let rx = std::array::from_fn(|_| Expression::variable());
            let [go, next] = sequencer(count);
            let (tx, taken) = node(port, held, rx);
            (
                NodeCircuit {
                    parts: part("held", held, taken),
                    address: Vec::new(),
                    links: D,
                    rx: rx.to_vec(),
                    tx: tx.to_vec(),
                    strobes: strobe(port),
                    host_writes: Vec::new(),
                    host_reads: Vec::new(),
                },
                SequencerCircuit {
                    parts: part("count", count, next),
                    strobes: strobe(go),
                    done: count,
                },
            )
        });
        Netlist {
            graph,
            node: netlist.0,
            sequencer: netlist.1,
        }
    }

    /// Node, sequencer, total; and the path, with the gates up to each place.
    fn depth(netlist: &Netlist) -> ([usize; 3], Vec<String>) {
        let depth = LogicDepth::of_netlist(netlist).unwrap();
        let step = |step: &Step| format!("{} {} {}", step.gates, step.module.name(), step.name);
        (
            [depth.node, depth.sequencer, depth.total],
            depth.path.iter().map(step).collect(),
        )
    }

    #[test]
    fn a_path_goes_from_the_counter_across_a_wire_to_the_neighbours_register() {
        let netlist = machine(
            |count| [(!count).named("not counted as a gate"), !count],
            |go, held, [rx]| {
                let sent = (go & held).named("sent");
                ([sent], (go ^ held ^ rx).named("sum"))
            },
        );
        let path = [
            "0 sequencer count",
            "0 sequencer not counted as a gate",
            "0 node go",
            "1 node sent",
            "1 node tx[0]",
            "1 node rx[0]",
            "2 node sum",
            "2 node held",
        ];
        assert_eq!(depth(&netlist), ([2, 0, 2], path.map(str::to_owned).into()));
    }

    #[test]
    fn what_is_deep_in_the_sequencer_adds_to_what_is_deep_in_the_node() {
        let netlist = machine(
            |count| {
                let [a, b] = std::array::from_fn(|_| Expression::variable());
                [((count | a) ^ b) & !a, a.mux(b, count)]
            },
            |go, held, rx: [_; 2]| ([held, go & held], go.mux(rx[0], held) | rx[1]),
        );
        // Three, an AND, a wire, an OR; alone an AND or a mux, and the OR.
        assert_eq!(depth(&netlist).0, [2, 3, 5]);
    }

    #[test]
    fn a_sequencer_may_be_deeper_than_all_that_hangs_on_it() {
        let netlist = machine(
            |count| [count, (count & Expression::variable()) ^ count],
            |go, _, [_]| ([go], go),
        );
        let ([node, sequencer, total], path) = depth(&netlist);
        assert_eq!([node, sequencer, total], [0, 2, 2]);
        assert_eq!(path.last().unwrap(), "2 sequencer count");
    }

    #[test]
    fn several_wires_in_one_bit_time_add_up_and_a_loop_is_an_error() {
        let relay = machine(
            |count| [count, count],
            |go, held, [a, b]| ([go & held, a ^ held], b | held),
        );
        let ([node, ..], path) = depth(&relay);
        assert_eq!(node, 3);
        let wires = path.iter().filter(|step| step.contains("x["));
        assert_eq!(wires.count(), 4, "two wires, an end each: {path:?}");

        // Without a gate between, and via another dimension.
        let echo = machine(|count| [count, count], |_, _, [a]| ([!a], a));
        assert_eq!(LogicDepth::of_netlist(&echo), Err(Error::CombinationalLoop));
        let round = machine(|count| [count, count], |go, _, [a, b]| ([b & go, a], go));
        assert_eq!(
            LogicDepth::of_netlist(&round),
            Err(Error::CombinationalLoop)
        );
    }

    fn of<R: Machine>(router: &R) -> [usize; 3] {
        depth(&Netlist::of(router)).0
    }

    /// Counted by hand in `tests/golden/packing.v`. The node: from `packing_dim_0_out` an XOR, AND,
    /// mux and AND to `tx[1]`; an OR, AND and two muxes to `message_bits`. In the sequencer, n1,
    /// t_is_4 and the mux of the counter. Together: `packer_inject` after two, five more to
    /// `tx[0]`, an OR and a mux.
    #[test]
    fn packing_on_four_nodes_is_as_deep_as_its_verilog_reads() {
        let router = PackingRouter::new(Dimensions::new(2).unwrap(), 1).unwrap();
        assert_eq!(of(&router), [8, 3, 9]);
    }

    /// The node: the stage begins the row and drives (AND), there is a member (AND), wire, AND,
    /// half sum (XOR), carry (AND, OR), clock enable. The sequencer: `drive` is not t = 2 (AND),
    /// and t < 1 (OR) is neither.
    #[test]
    fn enumeration_on_two_nodes_is_as_deep_as_counted_by_hand() {
        let router = EnumerationRouter::new(Dimensions::new(1).unwrap());
        assert_eq!(of(&router), [7, 2, 9]);
    }
}
