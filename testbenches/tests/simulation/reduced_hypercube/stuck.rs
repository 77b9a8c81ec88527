//! Wires that are stuck. A wire over which goes what anybody needs is missed by some words when it is stuck, at 0 and at 1; any other
//! may stand at what it likes.

use rtl_model::machine::topology::Topology;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::prefix::PrefixForm;

use crate::reduced_hypercube::faulted::{Faulted, all, larger};
use crate::reduced_hypercube::job::{Job, Operation};

/// Whether anybody needs what goes over a wire, if anything does. Only of messages of a prefix operation is there more than that:
/// the one that goes to the lower address is needed by whoever gets it in its turn, further up.
fn is_needed(faulted: &Faulted, node: usize, wire: usize) -> bool {
    let Some(last) = faulted.last_carried(node, wire) else {
        return false;
    };
    let job = faulted.job;
    let Operation::Prefix(form, _) = job.operation else {
        return true;
    };
    let has_zero = |mut bits: std::ops::Range<usize>| bits.any(|bit| node >> bit & 1 == 0);
    let network = match job.network {
        BlockNetwork::Full(cube) => return has_zero(wire..cube.count()),
        BlockNetwork::Reduced(network) => network,
    };
    let (k, all_bits) = (network.block_dimensions(), network.address_bits());
    if wire == k {
        let crossed = k + network.subblock(node);
        return form == PrefixForm::Printed || has_zero(crossed..all_bits);
    }
    // After the exchanges in the blocks, walks and broadcasts carry what is needed.
    if last >= (k * job.bits) as u64 || has_zero(wire..k) {
        return true;
    }
    // Messages of a block meet at the node from which they walk.
    let meets = match form {
        PrefixForm::Printed => false,
        PrefixForm::Short => node & ((1 << wire) - 1) == 0,
        PrefixForm::InPlace => true,
    };
    meets && has_zero(k..all_bits)
}

fn every_wire(job: Job, nodes: impl Iterator<Item = usize>) {
    let mut faulted = Faulted::new(job, 20, true);
    let mut not_needed = 0;
    for node in nodes {
        for wire in 0..faulted.machine.topology().links() {
            let is_needed = is_needed(&faulted, node, wire);
            not_needed += usize::from(!is_needed && faulted.last_carried(node, wire).is_some());
            for value in [false, true] {
                let is_noticed = !faulted.stuck((node, wire, value)).objections.is_empty();
                let what = format!("{job:?}: node {node}, wire {wire} stuck at {value}");
                assert_eq!(is_noticed, is_needed, "{what}");
            }
        }
    }
    let has_none =
        !matches!(job.operation, Operation::Prefix(form, _) if form != PrefixForm::Printed);
    assert_eq!(not_needed == 0, has_none, "{job:?}");
}

#[test]
fn every_stuck_wire_is_noticed_if_anybody_needs_what_goes_over_it() {
    for job in all() {
        every_wire(job, 0..job.nodes());
    }
}

#[test]
#[ignore = "long: more nodes"]
fn so_is_every_stuck_wire_of_larger_machines() {
    for job in larger(6) {
        every_wire(job, (0..job.nodes()).step_by(3));
    }
}
