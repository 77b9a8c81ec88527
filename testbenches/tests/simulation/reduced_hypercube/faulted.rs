//! Jobs into which faults are put. Words of many patterns are in machines side by side, and each of them gets the fault.

use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Tap;
use rtl_model::routers::reduced_hypercube::broadcast::{Inner, Switching};
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::PrefixForm;
use rtl_model::routers::reduced_hypercube::reduction::ReductionForm;
use rtl_model::routers::reduced_hypercube::sort::SortForm;

use crate::reduced_hypercube::host::{Words, load, read};
use crate::reduced_hypercube::job::{Job, Operation, full, reduced};
use crate::reduced_hypercube::patterns::{alone, drawn, structured};

/// Each way to do each operation: small ones of all forms, and one with four ports between building blocks.
pub fn all() -> Vec<Job> {
    use Operation::{Broadcast, Prefix, Reduce, Sort};
    use Switching::{CutThrough, StoreAndForward};
    [
        (
            reduced(1, 1),
            Broadcast(Inner::DoubleRooted, StoreAndForward, 3),
            2,
        ),
        (
            reduced(2, 1),
            Broadcast(Inner::DoubleRooted, CutThrough, 9),
            3,
        ),
        (
            reduced(2, 1),
            Broadcast(Inner::ECube, StoreAndForward, 0),
            2,
        ),
        (reduced(1, 1), Broadcast(Inner::ECube, CutThrough, 6), 3),
        (full(3), Broadcast(Inner::ECube, StoreAndForward, 5), 3),
        (full(3), Broadcast(Inner::ECube, CutThrough, 2), 3),
        (
            reduced(1, 1),
            Reduce(ReductionForm::Printed, Operator::Add),
            3,
        ),
        (
            reduced(2, 1),
            Reduce(ReductionForm::Short, Operator::Min),
            3,
        ),
        (
            reduced(1, 1),
            Reduce(ReductionForm::Short, Operator::Carry),
            4,
        ),
        (
            reduced(2, 1),
            Reduce(ReductionForm::Printed, Operator::Or),
            2,
        ),
        (full(3), Reduce(ReductionForm::Printed, Operator::Max), 3),
        (reduced(1, 1), Prefix(PrefixForm::Printed, Operator::Add), 3),
        (
            reduced(2, 1),
            Prefix(PrefixForm::Printed, Operator::Carry),
            2,
        ),
        (reduced(1, 1), Prefix(PrefixForm::Short, Operator::Max), 3),
        (reduced(2, 1), Prefix(PrefixForm::Short, Operator::Add), 3),
        (
            reduced(1, 1),
            Prefix(PrefixForm::InPlace, Operator::Carry),
            4,
        ),
        (reduced(2, 1), Prefix(PrefixForm::InPlace, Operator::Min), 3),
        (full(3), Prefix(PrefixForm::Short, Operator::Add), 3),
        (reduced(1, 1), Sort(SortForm::VirtualCube, 2), 4),
        (reduced(2, 1), Sort(SortForm::VirtualCube, 1), 3),
        (reduced(1, 1), Sort(SortForm::PairsOfBlocks, 1), 3),
        (full(3), Sort(SortForm::VirtualCube, 2), 4),
    ]
    .map(|(network, operation, bits)| Job {
        network,
        operation,
        bits,
    })
    .into()
}

/// Those with four sub-blocks, in which not every fault can be tried; sorts with keys of so many bits.
pub fn larger(key_bits: usize) -> Vec<Job> {
    use Operation::{Broadcast, Prefix, Reduce, Sort};
    [
        (Broadcast(Inner::DoubleRooted, Switching::CutThrough, 37), 2),
        (Broadcast(Inner::ECube, Switching::StoreAndForward, 50), 1),
        (Reduce(ReductionForm::Printed, Operator::Min), 2),
        (Prefix(PrefixForm::Short, Operator::Add), 2),
        (Prefix(PrefixForm::InPlace, Operator::Carry), 2),
        (Sort(SortForm::VirtualCube, 1), key_bits),
    ]
    .map(|(operation, bits)| Job {
        network: reduced(2, 2),
        operation,
        bits,
    })
    .into()
}

/// What became of a run.
pub struct Outcome {
    /// Nodes that are looked at and have not what is due: the node's number counted through all machines.
    pub objections: Vec<usize>,
    /// What the nodes that are looked at have.
    pub found: Vec<Option<Vec<u128>>>,
}

/// A job with many patterns of words, and what comes of them without a fault.
pub struct Faulted {
    pub job: Job,
    pub patterns: Vec<Words>,
    pub machine: Box<dyn Lockstep>,
    loaded: Words,
    /// Nodes that are looked at, and what they are to have.
    due: Vec<(usize, Vec<u128>)>,
    clean: Vec<Option<Vec<u128>>>,
    /// Whether a wire of a node ever carries a 1, in any machine and bit time; and when it does so last.
    carries: Vec<Vec<Option<u64>>>,
}

impl Faulted {
    /// Of so many drawn patterns beside the structured ones; and, where it says so, those in which one word is alone.
    pub fn new(job: Job, drawn_patterns: usize, with_alone: bool) -> Self {
        let (nodes, keys, bits) = (job.nodes(), job.keys(), job.bits);
        let by_node = |words: Words| words.chunks(keys).map(<[_]>::concat).collect();
        let singles = structured(nodes * keys, bits).into_iter();
        let singles = singles.chain(match with_alone {
            true => alone(nodes * keys, bits),
            false => Vec::new(),
        });
        let patterns: Vec<Words> = (0..drawn_patterns as u64)
            .map(|seed| drawn(nodes, keys, bits, seed))
            .chain(singles.map(by_node))
            .collect();
        let due = patterns.iter().enumerate().flat_map(|(machine, words)| {
            let due = job.due(words).words.into_iter();
            due.map(move |(node, due)| (machine * nodes + node, due))
        });
        let due: Vec<_> = due.collect();
        let mut faulted = Faulted {
            job,
            machine: job.device().build(patterns.len()).unwrap(),
            loaded: job.loaded(&patterns.concat()),
            clean: due.iter().map(|(_, due)| Some(due.clone())).collect(),
            carries: vec![Vec::new(); nodes],
            patterns,
            due,
        };
        let links = faulted.machine.topology().links();
        let mut carries = vec![vec![None; links]; nodes];
        let outcome = faulted.run(&mut |_| (), &mut |machine| {
            for node in 0..machine.nodes() {
                for (wire, last) in carries[node % nodes].iter_mut().enumerate() {
                    if machine.tapped(node, Tap::Driven(wire)) {
                        *last = Some(machine.bit_time());
                    }
                }
            }
        });
        assert!(outcome.objections.is_empty(), "{job:?}");
        faulted.carries = carries;
        faulted
    }

    /// When a wire of a node carries a 1 last, if it ever does.
    pub fn last_carried(&self, node: usize, wire: usize) -> Option<u64> {
        self.carries[node][wire]
    }

    /// When a node sends a 1 last, if it ever does.
    pub fn last_sent(&self, node: usize) -> Option<u64> {
        self.carries[node].iter().copied().max().flatten()
    }

    /// The node with this number in each machine.
    pub fn everywhere(&self, node: usize) -> Vec<usize> {
        let machines = 0..self.patterns.len();
        machines
            .map(|machine| machine * self.job.nodes() + node)
            .collect()
    }

    /// A run with faults in registers, which are put in before each bit time and at the end, and on wires. What is due is worked
    /// out from the words alone; whoever compares with it objects exactly where a run without faults ends up with something else.
    pub fn run(
        &mut self,
        registers: &mut dyn FnMut(&mut dyn Lockstep),
        wires: &mut dyn FnMut(&mut dyn Lockstep),
    ) -> Outcome {
        let machine = &mut *self.machine;
        machine.restart();
        load(machine, &self.loaded, self.job.bits);
        loop {
            registers(machine);
            if machine.is_done() {
                break;
            }
            machine.transmit().unwrap();
            wires(machine);
            machine.clock();
        }
        assert_eq!(machine.bit_time(), machine.device().bit_times().value);
        let looked_at = self.due.iter().map(|(node, _)| *node);
        let found: Vec<_> = looked_at
            .map(|node| read(machine, node, self.job.bits))
            .collect();
        let is_due = |((_, due), found): (&(usize, Vec<u128>), &Option<Vec<u128>>)| {
            Some(due) == found.as_ref()
        };
        let objects: Vec<bool> = self
            .due
            .iter()
            .zip(&found)
            .map(|pair| !is_due(pair))
            .collect();
        let differs: Vec<bool> = self
            .clean
            .iter()
            .zip(&found)
            .map(|(clean, found)| clean != found)
            .collect();
        assert_eq!(objects, differs, "{:?}", self.job);
        let objections = (self.due.iter().zip(objects)).filter(|(_, objects)| *objects);
        Outcome {
            objections: objections.map(|((node, _), _)| *node).collect(),
            found,
        }
    }

    /// With a register bit of a node flipped before a bit time, or at the end.
    pub fn flipped(&mut self, (node, number, when): (usize, usize, u64)) -> Outcome {
        let nodes = self.everywhere(node);
        let mut flip = |machine: &mut dyn Lockstep| {
            if machine.bit_time() == when {
                for &node in &nodes {
                    machine.flip_register(node, number);
                }
            }
        };
        self.run(&mut flip, &mut |_| ())
    }

    /// With a wire of a node stuck throughout.
    pub fn stuck(&mut self, (node, wire, value): (usize, usize, bool)) -> Outcome {
        let nodes = self.everywhere(node);
        let mut force = |machine: &mut dyn Lockstep| {
            for &node in &nodes {
                machine.force_wire(node, wire, value);
            }
        };
        self.run(&mut |_| (), &mut force)
    }

    /// The names of a node's register bits.
    pub fn names(&self) -> Vec<String> {
        #[derive(Default)]
        struct Listing {
            modules: Vec<String>,
            names: Vec<String>,
        }
        impl Visitor<bool> for Listing {
            fn enter(&mut self, name: Name, _kind: &'static str) {
                self.modules.push(name.to_string());
            }
            fn leave(&mut self) {
                self.modules.pop();
            }
            fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
                let mut path = self.modules[1..].to_vec();
                path.push(name.to_string());
                let names = (0..width).map(|bit| format!("{}[{bit}]", path.join(".")));
                self.names.extend(names);
            }
        }
        let mut listing = Listing::default();
        self.machine.show_registers(0, &mut listing);
        listing.names
    }
}
