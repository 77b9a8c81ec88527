//! Which units may drive one wire of a node.

use std::collections::{BTreeMap, HashSet};

use crate::circuit::expression::{Expression, Gate};
use crate::circuit::netlist::Netlist;
use crate::circuit::verilog::names::Names;
use crate::language::wires::Drive;

/// A wire, and the units that may drive it.
pub(super) type Contended = Vec<(usize, Vec<Drive<Expression>>)>;

/// The wires that several units may drive, each with those.
pub(super) fn contended(netlist: &Netlist, names: &Names) -> Contended {
    let mut wires: BTreeMap<usize, Vec<Drive<Expression>>> = BTreeMap::new();
    for drive in &netlist.node.drives {
        // What nodes do not hear drives nothing but zeros.
        let variables = variables(netlist, &[drive.enable]);
        if variables.iter().all(|one| names.reference(*one).is_some()) {
            wires.entry(drive.wire).or_default().push(*drive);
        }
    }
    let wires = wires.into_iter();
    wires.filter(|(_, drives)| drives.len() > 1).collect()
}

/// The variables that expressions follow from.
pub(super) fn variables(netlist: &Netlist, of: &[Expression]) -> Vec<Expression> {
    let graph = &netlist.graph;
    let (mut left, mut seen, mut found) = (of.to_vec(), HashSet::new(), Vec::new());
    while let Some(expression) = left.pop() {
        if !seen.insert(expression) {
            continue;
        }
        let gate = graph.gate(expression);
        if let Gate::Variable(_) = gate {
            found.push(expression);
        }
        left.extend(gate.inputs());
    }
    found.sort_unstable();
    found
}
