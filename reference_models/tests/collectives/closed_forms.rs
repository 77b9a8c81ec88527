//! The most that nodes hold, by closed forms of both ways to count it.
//!
//! The model counts a packet as a whole, from the beginning of its arrival until the packet that takes it away
//! has gone. The hardware counts the pieces of which a packet is made, each from the beginning of its own
//! arrival until it has gone, so that in the same schedule it holds less wherever packets have several pieces.

use rtl_model::routers::collectives::algorithms::{Operation, algorithm};

use crate::asks::{permutations, plain};
use crate::compare::holds;
use crate::run::run;

/// A length that divides into whatever there is to be cut in up to five dimensions.
const MESSAGE: usize = 1920;

/// What the hardware and the model say of an algorithm, in parts of a message: multiples of `1 / of`.
fn peaks((operation, name): (Operation, &str), dims: usize, parts: usize) -> [usize; 2] {
    let of = algorithm(operation, name).unwrap();
    let mut ask = plain(of, dims, MESSAGE, 3);
    if operation == Operation::PermutedSend {
        ask.permutation = Some(permutations(dims).swap_remove(0));
    }
    let plan = of.plan(&ask).unwrap();
    assert!(plan.divides, "{name}");
    let due = holds(of, &ask, &plan);
    [plan.forwarding_buffer.value, due.peak].map(|bits| {
        let bits = bits as usize * parts;
        assert!(bits.is_multiple_of(MESSAGE), "{bits} of {name}");
        bits / MESSAGE
    })
}

/// How many ways there are to choose `chosen` of `all`.
fn binomial(all: usize, chosen: usize) -> usize {
    (0..chosen).fold(1, |ways, index| ways * (all - index) / (index + 1))
}

#[test]
fn exchanges() {
    for dims in 1..=5 {
        let nodes = 1 << dims;
        let pieces = nodes - 1 - dims;
        let packets = 2 * pieces - binomial(dims, 2);
        for of in [
            (Operation::AllToAll, "complete-exchange"),
            (Operation::Transpose, "by-rows"),
        ] {
            assert_eq!(peaks(of, dims, 1), [pieces, packets]);
        }
    }
}

/// In less than three dimensions the hardware has more, because it counts a block that has come to its end,
/// in the place of the one that has not been sent.
#[test]
fn permutations_by_blocks() {
    for dims in 1..=5 {
        let nodes = 1 << dims;
        let packets = [0, 3].get(dims - 1).copied();
        let packets = packets.unwrap_or(2 * nodes - dims - 2);
        // Blocks, and half a block for each port; in one dimension the only block.
        let pieces = match dims {
            1 => 2,
            _ => 2 * (nodes - 1) + dims,
        };
        let of = (Operation::PermutedSend, "permuted-send");
        assert_eq!(peaks(of, dims, 2 * nodes), [pieces, 2 * packets]);
    }
}

#[test]
fn distributing_and_collecting() {
    for dims in 1..=5 {
        // In parts of a message of which `lcm(1..=5)` are a message.
        let parts = 60;
        let packets = match dims {
            1 => 0,
            _ => binomial(dims + 1, dims.div_ceil(2).min(dims - 2)) * parts / dims,
        };
        // What came in a stage, and the first piece of the next.
        let of_stage = |stage: usize| {
            let next = match stage + 1 < dims {
                true => parts / (dims - stage),
                false => 0,
            };
            binomial(dims, stage - 1) * parts / dims + next
        };
        let pieces = (1..dims).map(of_stage).max().unwrap_or(0);
        let distribute = (Operation::Scatter, "distribute-1");
        assert_eq!(peaks(distribute, dims, parts), [pieces, packets]);
        let collect = peaks((Operation::Gather, "collect"), dims, parts);
        assert!(collect[0] <= collect[1] && collect[1] == packets);
    }
}

#[test]
fn levels_and_subtrees_of_trees() {
    for dims in 1..=5 {
        let nodes: usize = 1 << dims;
        let short = |more: usize| match dims {
            1 => 0,
            2 => 1,
            _ => more,
        };
        let half = (dims - 1) / 2;
        let of_binomial = match dims {
            3 => 2,
            _ => short(binomial(dims - 1, half) + 1),
        };
        let levels = [
            (
                "sbt-levels",
                of_binomial,
                short(binomial(dims, (dims / 2).min(dims.max(2) - 2))),
            ),
            (
                "bst-levels",
                [0, 1, 2, 2, 3][dims - 1],
                [0, 1, 2, 3, 4][dims - 1],
            ),
            ("tcbt-levels", short(nodes / 4 + 1), short(3 * nodes / 8)),
        ];
        for (name, pieces, packets) in levels {
            assert_eq!(
                peaks((Operation::Scatter, name), dims, 1),
                [pieces, packets],
                "{name}"
            );
        }
        // The root of the largest subtree sends on all but its own, whose first bit comes before any leaves.
        let largest = [1, 2, 3, 5, 7][dims - 1];
        for (name, inside) in [
            ("sbt-halving", nodes / 2 - 1),
            ("bst-subtrees", largest - 1),
            ("tcbt-subtrees", nodes / 2 - 1),
            ("tcbt-one-shot", nodes / 2 - 1),
        ] {
            assert_eq!(
                peaks((Operation::Scatter, name), dims, 1),
                [inside, inside],
                "{name}"
            );
        }
    }
}

/// Sums that are sent on count as kept in the model. In the hardware they are a node's own, to which is added.
#[test]
fn histograms() {
    for dims in 1..=5 {
        let nodes = 1 << dims;
        let of = algorithm(Operation::Histogram, "histogram").unwrap();
        let mut ask = plain(of, dims, 4, 3);
        ask.bins = 60 * nodes;
        let plan = of.plan(&ask).unwrap();
        let due = holds(of, &ask, &plan);
        assert_eq!(plan.forwarding_buffer.value, 0);
        assert_eq!(due.peak, (nodes / 2 - 1) as u64 * 60 * 4);
    }
}

#[test]
fn operations_that_both_count_alike() {
    for dims in 1..=5 {
        let nodes: usize = 1 << dims;
        let broadcast = (Operation::AllGather, "complete-broadcast");
        assert_eq!(peaks(broadcast, dims, 1), [nodes / 2 - 1; 2]);
        let inversion = (Operation::Inversion, "inversion");
        assert_eq!(peaks(inversion, dims, 1), [(dims - 1).min(2); 2]);
        let passes = usize::from(dims > 1);
        assert_eq!(peaks((Operation::Send, "oc-send-1"), dims, 1), [passes; 2]);
        for name in ["oc-send-2", "oc-send-3"] {
            assert_eq!(peaks((Operation::Send, name), dims, dims), [passes; 2]);
        }
    }
}

/// The closed forms are what nodes are counted to hold in runs.
#[test]
fn runs_hold_as_much() {
    for (operation, name) in [
        (Operation::AllToAll, "complete-exchange"),
        (Operation::Scatter, "distribute-1"),
        (Operation::Gather, "collect"),
        (Operation::Scatter, "sbt-levels"),
    ] {
        let of = algorithm(operation, name).unwrap();
        let plan = of.plan(&plain(of, 4, 12, 3)).unwrap();
        let program = &plan.program;
        let zeros = vec![vec![false; program.memory_bits]; program.cube.nodes()];
        let ran = run(&plan, zeros, true);
        assert_eq!(ran.peak, plan.forwarding_buffer.value, "{name}");
    }
}
