//! Which nodes a waveform shows where none are named: few, whose words meet in the first steps.
//!
//! | job on the reduced hypercube | nodes, by building block, sub-block and low bits |
//! |---|---|
//! | reduction | node 0, where it ends; (0,1,0), which sends to it; (2,1,0), which sends to that one from another block |
//! | prefix | (2,1,0) gets what precedes its block; from (0,1,0), across the blocks; (2,0,0), to which it goes |
//! | prefix, as printed | the same in corners of blocks 0 and 1, where sub-blocks and low bits are ones |
//! | sort | node 0; (1,0,0), with which it compares keys; (0,1,0), whose keys it gathers |
//! | broadcast | the source; the node to which it sends across the blocks; a child of that one |
//!
//! On the hypercube they are the source or node 0, its neighbour across dimension 0, and the node opposite to the source.

use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::prefix::PrefixForm;

use crate::families::reduced_hypercube::algorithm::Algorithm;
use crate::families::reduced_hypercube::job::Job;

/// The nodes to trace where none are named.
pub fn interesting(job: &Job) -> Vec<usize> {
    let mut shown = match job.network {
        BlockNetwork::Full(cube) => {
            let first = job.source().unwrap_or(0);
            vec![first, first ^ 1, first ^ (cube.nodes() - 1)]
        }
        BlockNetwork::Reduced(network) => in_blocks(job, network),
    };
    let mut seen = Vec::new();
    shown.retain(|node| {
        let is_new = !seen.contains(node);
        seen.push(*node);
        is_new
    });
    shown
}

fn in_blocks(job: &Job, network: ReducedHypercube) -> Vec<usize> {
    let node = |block, subblock| network.node(block, subblock, 0);
    match (job.algorithm, job.source()) {
        (_, Some(source)) => {
            let entry = network.sender(source, network.between_blocks());
            vec![source, entry, entry ^ 1 << network.low_bits()]
        }
        (Algorithm::Prefix(PrefixForm::Printed), _) => {
            let corner = network.blocks_dimensions() - 1;
            let ones = (1 << network.low_bits()) - 1;
            let node = |block, subblock| network.node(block, subblock, ones);
            vec![node(1, 0), node(0, 0), node(1, corner)]
        }
        (Algorithm::Prefix(_), _) => vec![node(2, 1), node(0, 1), node(2, 0)],
        (Algorithm::Sort(_), _) => vec![node(0, 0), node(1, 0), node(0, 1)],
        _ => vec![node(0, 0), node(0, 1), node(2, 1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::reduced_hypercube::testbench::{BROADCAST, PREFIX, REDUCE, SORT};
    use crate::testbench::Testbench;
    use crate::testbench::bench::asked;

    fn shown(bench: &'static Testbench, words: &str) -> Vec<usize> {
        interesting(&Job::new(&asked(bench, words)).unwrap())
    }

    #[test]
    fn nodes_that_meet_are_shown() {
        assert_eq!(shown(&REDUCE, ""), [0, 2, 18]);
        assert_eq!(shown(&PREFIX, ""), [18, 2, 16]);
        assert_eq!(shown(&SORT, ""), [0, 8, 2]);
        assert_eq!(shown(&BROADCAST, ""), [0, 8, 10]);
        assert_eq!(shown(&PREFIX, "--algorithm printed"), [9, 1, 15]);
    }

    #[test]
    fn on_small_networks_none_is_shown_twice() {
        assert_eq!(shown(&REDUCE, "--dims 1 --blocks 1"), [0, 1, 5]);
        assert_eq!(shown(&SORT, "--network hypercube --dims 1"), [0, 1]);
        let from_5 = "--network hypercube --source 5";
        assert_eq!(shown(&BROADCAST, from_5), [5, 4, 122]);
    }
}
