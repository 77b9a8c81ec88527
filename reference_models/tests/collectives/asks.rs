//! What is asked of every algorithm.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::algorithms::{Algorithm, Ask, Operation};
use rtl_model::routers::ports::algorithm::PortModel;

/// A plain ask: from node 0, or of all nodes.
pub fn plain(of: &dyn Algorithm, dims: usize, bits: usize, start_up: usize) -> Ask {
    let cube = Dimensions::new(dims).unwrap();
    let nodes = cube.nodes();
    Ask {
        cube,
        source: 0,
        destination: None,
        permutation: (of.operation() == Operation::PermutedSend)
            .then(|| (0..nodes).map(|node| (node + 1) % nodes).collect()),
        message_bits: bits,
        bins: match of.operation() {
            Operation::Histogram => nodes,
            _ => 0,
        },
        packet_bits: None,
        groups: None,
        start_up,
        ports: of.port_models()[0],
    }
}

/// Whether it sends to any node.
pub fn takes_any_destination(of: &dyn Algorithm) -> bool {
    of.name().starts_with("arbitrary") || of.name().starts_with("xoc")
}

/// Whether one node sends to others, or receives from them.
fn has_source(of: &dyn Algorithm) -> bool {
    let operation = of.operation();
    [Operation::Scatter, Operation::Gather, Operation::Send].contains(&operation)
}

/// Everything small that an algorithm may be asked in so many dimensions. It refuses some.
pub fn all(of: &dyn Algorithm, dims: usize, bits: usize, start_up: usize) -> Vec<Ask> {
    let plain = plain(of, dims, bits, start_up);
    let mut asks: Vec<Ask> = sources(of, dims)
        .into_iter()
        .map(|source| Ask {
            source,
            ..plain.clone()
        })
        .collect();
    if takes_any_destination(of) {
        asks = each(&asks, |ask| {
            let others = (0..ask.cube.nodes()).filter(|node| *node != ask.source);
            let to = |node| Ask {
                destination: Some(node),
                ..ask.clone()
            };
            // In the largest cubes the near and the far, in low and in high dimensions.
            let chosen = others.filter(|node| dims < 5 || node % 5 == 0);
            chosen.map(to).collect()
        });
    }
    if of.operation() == Operation::PermutedSend {
        asks = each(&asks, |ask| {
            let with = |permutation| Ask {
                permutation: Some(permutation),
                ..ask.clone()
            };
            permutations(dims).into_iter().map(with).collect()
        });
    }
    if of.operation() == Operation::Histogram {
        asks = each(&asks, |ask| {
            let nodes = ask.cube.nodes();
            let with = |bins| Ask {
                bins,
                ..ask.clone()
            };
            [1, nodes, nodes + 1, dims * nodes, 2 * dims * nodes - 1]
                .map(with)
                .to_vec()
        });
    }
    if of.operation() == Operation::Send || of.name() == "by-submatrices" {
        asks = each(&asks, |ask| {
            let with = |groups| Ask {
                groups,
                ..ask.clone()
            };
            [None, Some(1), Some(2), Some(3), Some(12)]
                .map(with)
                .to_vec()
        });
    }
    if ["sbt", "bst", "tcbt"].contains(&of.name()) {
        asks = each(&asks, |ask| {
            let with = |packet_bits| Ask {
                packet_bits,
                ..ask.clone()
            };
            [None, Some(1), Some(2), Some(5)].map(with).to_vec()
        });
    }
    each(&asks, |ask| {
        let with = |ports: &PortModel| Ask {
            ports: *ports,
            ..ask.clone()
        };
        of.port_models().iter().map(with).collect()
    })
}

/// Each ask in several ways.
fn each(asks: &[Ask], ways: impl Fn(&Ask) -> Vec<Ask>) -> Vec<Ask> {
    asks.iter().flat_map(ways).collect()
}

/// All nodes of a cube of three dimensions, and of others one that is neither the first nor the last.
fn sources(of: &dyn Algorithm, dims: usize) -> Vec<usize> {
    match (has_source(of), dims) {
        (false, _) => vec![0],
        (true, 3) => (0..8).collect(),
        (true, _) => vec![(1 << (dims - 1)) - 1],
    }
}

/// The next node, the same node, the opposite corner, and one without a rule that leaves some in their place.
pub fn permutations(dims: usize) -> Vec<Vec<usize>> {
    let nodes = 1 << dims;
    let mut mixed: Vec<usize> = (0..nodes).collect();
    for node in 1..nodes {
        mixed.swap(node, (node * node + 7) % (node + 1));
    }
    vec![
        (0..nodes).map(|node| (node + 1) % nodes).collect(),
        (0..nodes).collect(),
        (0..nodes).rev().collect(),
        mixed,
    ]
}
