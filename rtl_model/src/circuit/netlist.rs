//! A router as a netlist: what each register takes at the clock edge, read off the description by
//! running it once over [`Expression`]s.
//!
//! ```text
//!   sequencer registers --broadcast--> strobes ~~> ports of the node (only those that it reads)
//!   node registers, address, rx, strobes --transmit--> tx
//!                                        --clock-----> next state
//! ```
//!
//! Nothing here knows any router: registers, strobes and host ports are found by walking them.

use std::collections::{HashMap, HashSet};

use crate::circuit::expression::{Expression, Graph};
use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::strobes::{Label, LineVisitor, Strobes};
use crate::language::wires::{Drive, Ledger, Transmit};
use crate::machine::described::{Described, Description};
use crate::machine::host::Field;
use crate::machine::router::Machine;

/// A router's two circuits.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// The gates of both.
    pub graph: Graph,
    /// The circuit that every node is.
    pub node: NodeCircuit,
    /// The sequencer.
    pub sequencer: SequencerCircuit,
}

/// A node.
#[derive(Clone, Debug)]
pub struct NodeCircuit {
    /// Its parts, in the order of the description.
    pub parts: Vec<Part>,
    /// Its own address, bit `d` being that of dimension `d`.
    pub address: Vec<Expression>,
    /// So many of the wires lead to other nodes; those that follow, to the host and from it.
    pub links: usize,
    /// What it receives on each wire.
    pub rx: Vec<Expression>,
    /// What it sends on each wire.
    pub tx: Vec<Expression>,
    /// The units that may drive these wires.
    pub drives: Vec<Drive<Expression>>,
    /// The strobes that it reads.
    pub strobes: Vec<Bundle>,
    /// What the host writes while the machine is reset.
    pub host_writes: Vec<(Field, Vec<Expression>)>,
    /// What the host reads.
    pub host_reads: Vec<(Field, Vec<Expression>)>,
}

/// The sequencer.
#[derive(Clone, Debug)]
pub struct SequencerCircuit {
    /// Its parts.
    pub parts: Vec<Part>,
    /// The strobes that nodes read, in the order of [`NodeCircuit::strobes`].
    pub strobes: Vec<Bundle>,
    /// 1 once the last step is over.
    pub done: Expression,
}

/// A field of a node or sequencer: a register, or a module and all registers inside.
#[derive(Clone, Debug)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The name of the module's struct; none for a register.
    pub kind: Option<&'static str>,
    /// What the description says that it is for, or nothing.
    pub note: &'static str,
    /// Its registers.
    pub registers: Vec<Register>,
}

/// A register.
#[derive(Clone, Debug)]
pub struct Register {
    /// The modules that it stands in, outermost first, and its own name.
    pub path: Vec<String>,
    /// Its outputs: variables, bit 0 first.
    pub bits: Vec<Expression>,
    /// What each bit takes at a clock edge.
    pub next: Vec<Expression>,
    /// What each bit takes while the machine is reset: a constant, or what the host writes.
    pub reset: Vec<Expression>,
}

/// A strobe, or a bundle of them.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its name.
    pub name: String,
    /// What the description says that it is for.
    pub note: &'static str,
    /// The number of the first line; none for a lone strobe.
    pub first: Option<usize>,
    /// The lines.
    pub lines: Vec<Expression>,
}

impl Register {
    /// Its name in its module.
    pub fn name(&self) -> String {
        self.path.join("_")
    }

    /// The name of its bit at `place`.
    pub fn bit_name(&self, place: usize) -> String {
        match self.bits.len() {
            1 => self.name(),
            _ => format!("{}[{place}]", self.name()),
        }
    }
}

impl Bundle {
    /// The name of its line at `place`.
    pub fn line_name(&self, place: usize) -> String {
        match self.first {
            None => self.name.clone(),
            Some(first) => format!("{}[{}]", self.name, first + place),
        }
    }
}

impl Netlist {
    /// The circuits of a router.
    pub fn of<R: Machine>(router: &R) -> Self {
        Self::read_off(&mut Description::of(router))
    }

    /// The circuits of a description that nobody has run yet.
    fn read_off(described: &mut dyn Readable) -> Self {
        let ((node, sequencer), graph) = Graph::record(|| {
            let initial = listed(described.sequencer());
            let registers = variables(described.sequencer());
            described.broadcast();
            let done = described.is_done();
            described.clock_sequencer();
            let clocked = listed(described.sequencer());
            let parts = parts(initial, &registers, clocked, &HashMap::new());
            // In the node, every strobe that is not constant is a port.
            let mut lines = Vec::new();
            described.strobes(&mut |label, number, line| {
                if !line.is_known_zero() && !line.is_known_one() {
                    let port = Expression::variable();
                    lines.push(Line {
                        name: label.name.to_owned(),
                        note: label.note,
                        number,
                        driven: std::mem::replace(line, port),
                        port,
                    });
                }
            });
            (node(described), (parts, lines, done))
        });
        let (parts, lines, done) = sequencer;
        let read = read_by(&graph, &node);
        let lines: Vec<Line> = lines
            .into_iter()
            .filter(|line| read.contains(&line.port))
            .collect();
        Netlist {
            node: NodeCircuit {
                strobes: bundles(&lines, |line| line.port),
                ..node
            },
            sequencer: SequencerCircuit {
                parts,
                strobes: bundles(&lines, |line| line.driven),
                done,
            },
            graph,
        }
    }
}

/// What circuits are read off.
trait Readable: Described<Expression> {
    /// The sequencer's registers.
    fn sequencer(&mut self) -> &mut dyn Registers<Expression>;

    /// The node's.
    fn node(&mut self) -> &mut dyn Registers<Expression>;

    /// Hands out what the node hears.
    fn strobes(&mut self, visitor: &mut LineVisitor<'_, Expression>);

    /// As [`Machine::host_writes`].
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut Expression));

    /// As [`Machine::host_reads`].
    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, Expression));
}

impl<M: Machine> Readable for Description<'_, M, Expression> {
    fn sequencer(&mut self) -> &mut dyn Registers<Expression> {
        &mut self.sequencer
    }

    fn node(&mut self) -> &mut dyn Registers<Expression> {
        &mut self.node
    }

    fn strobes(&mut self, visitor: &mut LineVisitor<'_, Expression>) {
        self.strobes.visit_mut(Label::BROADCAST, visitor);
    }

    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut Expression)) {
        self.machine.host_writes(&mut self.node, port);
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, Expression)) {
        self.machine.host_reads(&self.node, port);
    }
}

/// A line that the sequencer drives and nodes read.
struct Line {
    name: String,
    note: &'static str,
    /// In its bundle.
    number: Option<usize>,
    /// What it is in the sequencer.
    driven: Expression,
    /// What it is in a node.
    port: Expression,
}

/// Runs one bit time of a node.
fn node(described: &mut dyn Readable) -> NodeCircuit {
    let port =
        |width: usize| -> Vec<Expression> { (0..width).map(|_| Expression::variable()).collect() };
    let initial = listed(described.node());
    let registers = variables(described.node());
    let topology = described.topology();
    let (address, rx) = (port(topology.address_bits()), port(topology.received()));
    let (links, mut tx) = (topology.links(), vec![Expression::ZERO; topology.driven()]);

    let mut host_writes: Vec<(Field, Vec<Expression>)> = Vec::new();
    let mut written = HashMap::new();
    described.host_writes(&mut |field, _, register| {
        let bit = Expression::variable();
        written.insert(*register, bit);
        push(&mut host_writes, field, bit);
    });
    let mut host_reads = Vec::new();
    described.host_reads(&mut |field, _, register| {
        push(&mut host_reads, field, register);
    });

    let mut ledger = Ledger::new(tx.len());
    described.transmit(&address, &mut Transmit::new(&mut tx, &mut ledger));
    described.clock_node(&address, &rx);
    NodeCircuit {
        parts: parts(initial, &registers, listed(described.node()), &written),
        address,
        links,
        rx,
        tx,
        drives: ledger.drives().to_vec(),
        strobes: Vec::new(),
        host_writes,
        host_reads,
    }
}

fn push(fields: &mut Vec<(Field, Vec<Expression>)>, field: Field, bit: Expression) {
    match fields.last_mut() {
        Some((last, bits)) if *last == field => bits.push(bit),
        _ => fields.push((field, vec![bit])),
    }
}

/// Puts a variable into every register bit, and returns them in order.
fn variables(module: &mut dyn Registers<Expression>) -> Vec<Expression> {
    let mut variables = Vec::new();
    module.visit_mut(&mut |bit| {
        *bit = Expression::variable();
        variables.push(*bit);
    });
    variables
}

/// The parts of a module, with what its registers hold now as what they take.
fn listed(module: &dyn Registers<Expression>) -> Vec<Part> {
    let mut listing = Listing::default();
    module.visit(Name::Field("module"), &mut listing);
    listing.parts
}

/// The parts of a module, [listed] as it begins and when it has been clocked, with the variables in its registers.
fn parts(
    initial: Vec<Part>,
    variables: &[Expression],
    mut clocked: Vec<Part>,
    written: &HashMap<Expression, Expression>,
) -> Vec<Part> {
    let mut variables = variables.iter().copied();
    for (part, reset) in clocked.iter_mut().zip(initial) {
        for (register, reset) in part.registers.iter_mut().zip(reset.registers) {
            register.bits = variables.by_ref().take(register.next.len()).collect();
            let held = register.bits.iter();
            register.reset = held
                .zip(reset.next)
                .map(|(bit, initial)| written.get(bit).copied().unwrap_or(initial))
                .collect();
        }
    }
    clocked
}

/// Lists registers by part, with what they hold.
#[derive(Default)]
struct Listing {
    path: Vec<String>,
    note: &'static str,
    parts: Vec<Part>,
}

impl Visitor<Expression> for Listing {
    fn enter(&mut self, name: Name, kind: &'static str) {
        self.path.push(name.to_string());
        if self.path.len() == 2 {
            self.parts.push(Part {
                name: name.to_string(),
                kind: Some(kind),
                note: self.note,
                registers: Vec::new(),
            });
        }
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn note(&mut self, note: &'static str) {
        if self.path.len() == 1 {
            self.note = note;
        }
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r Expression) {
        if self.path.len() == 1 {
            self.parts.push(Part {
                name: name.to_string(),
                kind: None,
                note: self.note,
                registers: Vec::new(),
            });
        }
        let inside = self.path.iter().skip(1).cloned();
        let register = Register {
            path: inside.chain([name.to_string()]).collect(),
            bits: Vec::new(),
            next: (0..width).map(|place| *bit(place)).collect(),
            reset: Vec::new(),
        };
        if let Some(part) = self.parts.last_mut() {
            part.registers.push(register);
        }
    }
}

/// Everything that a node's registers and outputs depend on.
fn read_by(graph: &Graph, node: &NodeCircuit) -> HashSet<Expression> {
    let registers = node.parts.iter().flat_map(|part| &part.registers);
    let mut left: Vec<Expression> = registers
        .flat_map(|register| &register.next)
        .chain(&node.tx)
        .copied()
        .collect();
    let mut read = HashSet::new();
    while let Some(expression) = left.pop() {
        if read.insert(expression) {
            left.extend(graph.gate(expression).inputs());
        }
    }
    read
}

/// Gathers lines of one name. A bundle with a gap comes as lone strobes.
fn bundles(lines: &[Line], side: fn(&Line) -> Expression) -> Vec<Bundle> {
    let mut bundles = Vec::new();
    for group in lines.chunk_by(|one, other| one.name == other.name) {
        let contiguous = group
            .windows(2)
            .all(|pair| pair[1].number == pair[0].number.map(|number| number + 1));
        if contiguous {
            bundles.push(Bundle {
                name: group[0].name.clone(),
                note: group[0].note,
                first: group[0].number,
                lines: group.iter().map(side).collect(),
            });
            continue;
        }
        bundles.extend(group.iter().map(|line| Bundle {
            name: match line.number {
                Some(number) => format!("{}_{number}", line.name),
                None => line.name.clone(),
            },
            note: line.note,
            first: None,
            lines: vec![side(line)],
        }));
    }
    bundles
}
