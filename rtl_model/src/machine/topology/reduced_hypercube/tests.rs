#![expect(
    clippy::unusual_byte_groupings,
    reason = "digits are grouped by the fields of an address"
)]

use super::*;
use crate::machine::topology::{Tap, Topology};

const SIZES: [(usize, usize); 6] = [(1, 1), (3, 1), (2, 2), (5, 2), (3, 3), (7, 1)];

fn networks() -> impl Iterator<Item = ReducedHypercube> {
    SIZES
        .into_iter()
        .map(|(k, n)| ReducedHypercube::new(k, n).unwrap())
}

fn refusal(k: usize, n: usize) -> String {
    ReducedHypercube::new(k, n).unwrap_err().to_string()
}

#[test]
fn what_is_out_of_range_is_refused_and_it_is_said_why() {
    assert_eq!(
        refusal(3, 0),
        "the reduced hypercube RH(3,0) is out of range: with n = 0 no link is left out, and it would be a hypercube of \
         k + 1 dimensions: choose n from 1 to 4, or a hypercube"
    );
    assert_eq!(
        refusal(9, 5),
        "the reduced hypercube RH(9,5) is out of range: its addresses have k + 2^n bits, more than 28 whatever k is: \
         choose n from 1 to 4"
    );
    assert_eq!(
        refusal(2, 3),
        "the reduced hypercube RH(2,3) is out of range: a building block of k = 2 dimensions cannot have 2^n = 8 \
         sub-blocks, since k is less than n: choose k from 3 to 20"
    );
    assert_eq!(
        refusal(25, 2),
        "the reduced hypercube RH(25,2) is out of range: its addresses have k + 2^n = 29 bits, and 28 are the most: choose \
         k from 2 to 24"
    );
    for (k, n) in [
        (0, 0),
        (0, 1),
        (27, 1),
        (usize::MAX, 1),
        (usize::MAX, usize::MAX),
    ] {
        let refused = ReducedHypercube::new(k, n).unwrap_err().to_string();
        let begin = format!("the reduced hypercube RH({k},{n}) is out of range: ");
        assert!(refused.starts_with(&begin), "{refused}");
    }
}

#[test]
fn the_largest_of_each_number_of_subblocks_can_be_made() {
    for (k, n) in [(26, 1), (24, 2), (20, 3), (12, 4)] {
        let network = ReducedHypercube::new(k, n).unwrap();
        assert_eq!(network.nodes(), 1 << 28);
        assert!(ReducedHypercube::new(k + 1, n).is_err());
        assert!(ReducedHypercube::new(n, n).is_ok() && ReducedHypercube::new(n - 1, n).is_err());
    }
}

#[test]
fn the_figures_of_one_size() {
    let network = ReducedHypercube::new(5, 2).unwrap();
    assert_eq!(network.to_string(), "RH(5,2)");
    assert_eq!(
        (network.block_dimensions(), network.subblock_bits()),
        (5, 2)
    );
    assert_eq!((network.blocks_dimensions(), network.low_bits()), (4, 3));
    assert_eq!((network.nodes(), network.directed_wires()), (512, 3072));
    assert_eq!((network.between_blocks(), network.links()), (5, 6));
    assert_eq!((network.driven(), network.received()), (6, 6));
    assert_eq!((network.dims(), network.address_bits()), (5, 9));
    assert_eq!(
        (network.kind(), network.machine_name()),
        ("reduced-hypercube", "rh")
    );
    assert_eq!(network.as_hypercube(), None);
}

/// The paper's figure 1.1: building blocks 0 and 1 are joined by sub-blocks 0, blocks 0 and 2 by sub-blocks 1.
#[test]
fn the_wires_of_a_small_one() {
    let network = ReducedHypercube::new(3, 1).unwrap();
    assert_eq!(network.neighbour(0b00_0_00, 3), 0b01_0_00);
    assert_eq!(network.neighbour(0b00_1_00, 3), 0b10_1_00);
    assert_eq!(network.neighbour(0b11_1_10, 3), 0b01_1_10);
    assert_eq!(network.neighbour(0b00_1_00, 2), 0b00_0_00);
    assert_eq!(network.neighbour(0b01_1_00, 0), 0b01_1_01);
}

#[test]
fn a_node_is_its_three_fields() {
    for network in networks() {
        for node in 0..network.nodes() {
            let (block, subblock, low) = (
                network.block(node),
                network.subblock(node),
                network.low(node),
            );
            assert_eq!(network.node(block, subblock, low), node);
            assert!(block < 1 << network.blocks_dimensions());
            assert!(subblock < network.blocks_dimensions() && low < 1 << network.low_bits());
        }
    }
}

#[test]
fn a_wire_leads_there_and_back() {
    for network in networks() {
        for node in 0..network.nodes() {
            let mut ends = Vec::new();
            for wire in 0..network.links() {
                let end = network.neighbour(node, wire);
                assert_eq!(network.sender(network.sender(node, wire), wire), node);
                assert_eq!(network.sender(node, wire), end);
                assert_eq!(node ^ end, 1 << network.dimension(node, wire));
                assert_eq!(
                    network.block(node) != network.block(end),
                    wire == network.between_blocks()
                );
                ends.push(end);
            }
            ends.sort_unstable();
            ends.dedup();
            assert_eq!(ends.len(), network.links(), "wires lead to different nodes");
        }
    }
}

#[test]
fn nodes_are_called_by_their_fields() {
    let network = ReducedHypercube::new(3, 1).unwrap();
    assert_eq!(network.node_name(0b10_1_11), "2_1_3");
    assert_eq!(network.node_title(0b10_1_11), "node_2_1_3 = 10|1|11");
    assert_eq!(network.node_title(0), "node_0_0_0 = 00|0|00");
    for nobody in [
        "", "_", "2_1", "2_1_4", "2_2_0", "4_0_0", "2_1_3_0", "32", "-1", "2_1_+3", "2__3",
    ] {
        assert_eq!(network.node_named(nobody), None, "{nobody}");
    }
    let without_low = ReducedHypercube::new(2, 2).unwrap();
    assert_eq!(without_low.node_name(0b1010_11), "10_3");
    assert_eq!(without_low.node_title(0b1010_11), "node_10_3 = 1010|11");
    assert_eq!(without_low.node_named("10_3_0"), None);
    for network in networks() {
        for node in 0..network.nodes() {
            assert_eq!(network.node_named(&network.node_name(node)), Some(node));
            assert_eq!(network.node_named(&node.to_string()), Some(node));
        }
    }
}

#[test]
fn wires_are_labelled_by_what_they_cross() {
    let network = ReducedHypercube::new(2, 1).unwrap();
    let labelled = network.labelled();
    let labels: Vec<(&str, &str, &[Tap])> = (labelled.iter())
        .map(|label| (label.scope.as_str(), label.name.as_str(), &label.wires[..]))
        .collect();
    assert_eq!(
        labels,
        [
            ("dim_0", "tx", &[Tap::Driven(0)][..]),
            ("dim_0", "rx", &[Tap::Received(0)][..]),
            ("dim_1", "tx", &[Tap::Driven(1)][..]),
            ("dim_1", "rx", &[Tap::Received(1)][..]),
            ("between_blocks", "tx", &[Tap::Driven(2)][..]),
            ("between_blocks", "rx", &[Tap::Received(2)][..]),
        ]
    );
    assert_eq!(network.describe(1), "across dimension 1");
    assert_eq!(network.describe(2), "between building blocks");
}
