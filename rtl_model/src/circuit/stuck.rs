//! Nodes with a gate that is stuck, worked out from their netlist: 64 of them at once, a lane a node, each with a gate of its own.
//!
//! ```text
//!   registers, address, strobes ------> tx      before others receive
//!   registers, address, strobes, rx --> next    what the registers take at the clock edge
//! ```
//!
//! The machine around them runs as ever. Whoever runs it says what such a node holds, hears and receives, and puts what comes of it
//! onto its wires and into its registers.

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::circuit::netlist::{Bundle, Netlist, NodeCircuit, Part, Register};
use crate::language::bit::Bit;

/// Nodes that are worked out at once.
pub const LANES: usize = 64;

/// A gate of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedGate {
    /// The parts whose next state it decides, in the order of the description; none, where it decides what is sent alone.
    pub parts: Vec<String>,
    /// What the description calls it, or else what it is, and its number in the netlist.
    pub name: String,
    /// The wire that it drives without any other gate in between, if it does.
    pub drives: Option<usize>,
}

/// The circuit of a node, with gates that are stuck in some lanes.
#[derive(Clone, Debug)]
pub struct StuckNodes {
    /// The gates of a node, each after those that it reads, by the place of their value.
    gates: Vec<(usize, Gate)>,
    names: Vec<NamedGate>,
    /// Of each gate, the lanes in which it is stuck at 0, and at 1.
    stuck: Vec<[u64; 2]>,
    /// The lanes of each expression, by its number.
    values: Vec<u64>,
    held: Vec<usize>,
    next: Vec<usize>,
    address: Vec<usize>,
    heard: Vec<usize>,
    received: Vec<usize>,
    sent: Vec<usize>,
}

fn registers(parts: &[Part]) -> impl Iterator<Item = &Register> {
    parts.iter().flat_map(|part| &part.registers)
}

fn places<'e>(of: impl IntoIterator<Item = &'e Expression>) -> Vec<usize> {
    (of.into_iter()).map(|one| one.number() as usize).collect()
}

fn lines(bundles: &[Bundle]) -> Vec<usize> {
    places(bundles.iter().flat_map(|bundle| &bundle.lines))
}

/// Whatever these depend on, by number.
fn cone<'e>(graph: &Graph, of: impl IntoIterator<Item = &'e Expression>) -> Vec<bool> {
    let mut is_in = vec![false; graph.len()];
    let mut left: Vec<Expression> = of.into_iter().copied().collect();
    while let Some(one) = left.pop() {
        let is_known = std::mem::replace(&mut is_in[one.number() as usize], true);
        if !is_known {
            left.extend(graph.gate(one).inputs());
        }
    }
    is_in
}

/// Whether something else makes its value than what is given.
fn is_logic(gate: Gate) -> bool {
    !matches!(gate, Gate::Constant(_) | Gate::Variable(_))
}

fn kind(gate: Gate) -> &'static str {
    match gate {
        Gate::Constant(_) => "constant",
        Gate::Variable(_) => "variable",
        Gate::Not(_) => "not",
        Gate::And(..) => "and",
        Gate::Or(..) => "or",
        Gate::Xor(..) => "xor",
        Gate::Mux(..) => "mux",
    }
}

impl NodeCircuit {
    fn next(&self) -> impl Iterator<Item = &Expression> {
        registers(&self.parts).flat_map(|register| &register.next)
    }
}

impl Netlist {
    /// What nodes hear from the sequencer in each of so many bit times, from its reset on.
    pub fn heard(&self, bit_times: u64) -> Vec<Vec<bool>> {
        let parts = &self.sequencer.parts;
        let all = |side: fn(&Register) -> &[Expression]| -> Vec<Expression> {
            registers(parts).flat_map(side).copied().collect()
        };
        let (bits, next) = (all(|one| &one.bits), all(|one| &one.next));
        let told = lines(&self.sequencer.strobes);
        let mut values = vec![0; self.graph.len()];
        let gates: Vec<(usize, Gate)> = self.graph.gates().iter().copied().enumerate().collect();
        evaluate(&gates, &[], &mut values);
        let reset = places(registers(parts).flat_map(|one| &one.reset));
        let mut counts: Vec<u64> = reset.into_iter().map(|place| values[place]).collect();
        let in_bit_time = |_| {
            for (bit, count) in places(&bits).into_iter().zip(&counts) {
                values[bit] = *count;
            }
            evaluate(&gates, &[], &mut values);
            counts = places(&next)
                .into_iter()
                .map(|place| values[place])
                .collect();
            told.iter().map(|place| values[*place] != 0).collect()
        };
        (0..bit_times).map(in_bit_time).collect()
    }
}

/// Works out gates whose variables have their values.
fn evaluate(gates: &[(usize, Gate)], stuck: &[[u64; 2]], values: &mut [u64]) {
    for (number, &(place, gate)) in gates.iter().enumerate() {
        let value = |of: Expression| values[of.number() as usize];
        let value = match gate {
            Gate::Constant(constant) => u64::MAX * u64::from(constant),
            Gate::Variable(_) => values[place],
            Gate::Not(a) => !value(a),
            Gate::And(a, b) => value(a) & value(b),
            Gate::Or(a, b) => value(a) | value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Mux(select, one, zero) => {
                let select = value(select);
                select & value(one) | !select & value(zero)
            }
        };
        let [at_0, at_1] = stuck.get(number).copied().unwrap_or_default();
        values[place] = value & !at_0 | at_1;
    }
}

impl StuckNodes {
    /// Of the node of a netlist, with no gate stuck.
    pub fn of(netlist: &Netlist) -> Self {
        let (graph, node) = (&netlist.graph, &netlist.node);
        let is_in = cone(graph, node.next().chain(&node.tx));
        let all = graph.gates().iter().copied().enumerate();
        let gates: Vec<(usize, Gate)> = all
            .filter(|(place, gate)| is_in[*place] && is_logic(*gate))
            .collect();
        let by_part: Vec<(&str, Vec<bool>)> = (node.parts.iter())
            .map(|part| {
                let next = part.registers.iter().flat_map(|register| &register.next);
                (&*part.name, cone(graph, next))
            })
            .collect();
        let named = |&(place, gate): &(usize, Gate)| {
            let decided = by_part.iter().filter(|(_, cone)| cone[place]);
            let name = graph.name_at(place);
            NamedGate {
                parts: decided.map(|(name, _)| (*name).to_owned()).collect(),
                name: name.map_or_else(|| format!("{} {place}", kind(gate)), str::to_owned),
                drives: places(&node.tx).iter().position(|wire| *wire == place),
            }
        };
        let mut values = vec![0; graph.len()];
        values[Expression::ONE.number() as usize] = u64::MAX;
        StuckNodes {
            names: gates.iter().map(named).collect(),
            stuck: vec![[0; 2]; gates.len()],
            values,
            held: places(registers(&node.parts).flat_map(|register| &register.bits)),
            next: places(node.next()),
            address: places(&node.address),
            heard: lines(&node.strobes),
            received: places(&node.rx),
            sent: places(&node.tx),
            gates,
        }
    }

    /// The gates of a node, by number.
    pub fn gates(&self) -> &[NamedGate] {
        &self.names
    }

    /// Begins anew, with no gate stuck.
    pub fn mend(&mut self) {
        self.stuck.fill([0; 2]);
    }

    /// From now on a gate is stuck, in a lane.
    pub fn stick(&mut self, lane: usize, gate: usize, value: bool) {
        self.stuck[gate][usize::from(value)] |= 1 << lane;
    }

    /// The bits of its own address that the node of a lane has.
    pub fn set_address(&mut self, lane: usize, bits: &[bool]) {
        for (place, bit) in self.address.iter().zip(bits) {
            set(&mut self.values[*place], lane, *bit);
        }
    }

    /// What the node of a lane holds, register bit by register bit.
    pub fn hold(&mut self, lane: usize, bits: &[bool]) {
        for (place, bit) in self.held.iter().zip(bits) {
            set(&mut self.values[*place], lane, *bit);
        }
    }

    /// What the node of a lane receives on a wire.
    pub fn receive(&mut self, lane: usize, wire: usize, bit: bool) {
        set(&mut self.values[self.received[wire]], lane, bit);
    }

    /// What all nodes hear in a bit time, as [`Netlist::heard`] has it.
    pub fn hear(&mut self, bits: &[bool]) {
        for (place, bit) in self.heard.iter().zip(bits) {
            self.values[*place] = u64::MAX * u64::from(*bit);
        }
    }

    /// Works out all gates.
    pub fn work_out(&mut self) {
        evaluate(&self.gates, &self.stuck, &mut self.values);
    }

    /// What the node of a lane puts onto a wire.
    pub fn sends(&self, lane: usize, wire: usize) -> bool {
        self.values[self.sent[wire]] >> lane & 1 == 1
    }

    /// What a register bit of the node of a lane takes at the clock edge.
    pub fn next(&self, lane: usize, number: usize) -> bool {
        self.values[self.next[number]] >> lane & 1 == 1
    }
}

fn set(word: &mut u64, lane: usize, bit: bool) {
    *word = *word & !(1 << lane) | u64::from(bit) << lane;
}
