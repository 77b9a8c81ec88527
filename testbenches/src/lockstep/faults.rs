//! Wires that fail while a machine runs.

use hosts::whereabouts::receivers;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use waves::picture::run::Failure;

/// A directed wire that is stuck from a bit time on, until the run is over: whoever receives from it reads `value`, whatever
/// its node puts onto it.
///
/// A node reads a wire only in a bit time in which the schedule drives wires of that number. In any other there is nothing
/// to be read: nodes and the probe find 0 there, and a fault has no effect, not even where the wire is stuck at 1. A router
/// that is to notice what an idle wire says has to drive it with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFault {
    /// The node that drives the wire.
    pub node: usize,
    /// Which of the wires that it drives: in a hypercube, the dimension that the wire crosses.
    pub wire: usize,
    /// The first bit time in which it is stuck.
    pub from: u64,
    /// What is read from it.
    pub value: bool,
    /// What that is called, of a wire: `cut`, `stuck at 1`.
    pub called: &'static str,
}

/// The bit time in which the first of them shows; nothing if there is none.
pub(super) fn first(faults: &[WireFault]) -> Option<u64> {
    faults.iter().map(|fault| fault.from).min()
}

/// Puts the faults of this bit time onto the wires. It is called between the two halves of a bit time, before anybody is
/// shown the machine. Of several faults on a wire the last one in the list shows.
pub(super) fn force(machine: &mut dyn Lockstep, faults: &[WireFault]) {
    let now = machine.bit_time();
    for fault in faults.iter().filter(|fault| fault.from <= now) {
        debug_assert!(
            fault.node < machine.nodes() && fault.wire < machine.topology().driven(),
            "there is no such wire: {fault:?}"
        );
        machine.force_wire(fault.node, fault.wire, fault.value);
    }
}

/// Wires that fail, as a picture has them.
pub(super) fn drawn(faults: &[WireFault], topology: &dyn Topology) -> Vec<Failure> {
    if faults.is_empty() {
        return Vec::new();
    }
    let receivers = receivers(topology);
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let failure = |fault: &WireFault| Failure {
        sender: number(fault.node),
        receiver: receivers[fault.node][fault.wire],
        from: u32::try_from(fault.from).unwrap_or(u32::MAX),
        how: fault.called.to_owned(),
    };
    // What a node says to its host is on no wire between nodes.
    let between_nodes = |fault: &&WireFault| fault.wire < topology.links();
    faults.iter().filter(between_nodes).map(failure).collect()
}
