//! The figures of Ho & Johnsson, section 4, and the trees.

use super::trees::{base, rotated_right};
use super::*;

const TREES: [Tree; 3] = [Tree::Binomial, Tree::Balanced, Tree::TwoRooted];

/// Runs a scatter and the gather that is the same backwards, and expects of both these stages and so many
/// messages one after the other.
fn expect(scatter: Scatter, ports: Ports, dims: usize, (messages, stages): (u64, u64)) {
    for (bits, start_up) in [(1, 0), (12, 1), (12, 30)] {
        for algorithm in [Algorithm::Scatter(scatter), Algorithm::Gather(scatter)] {
            let what = format!("{algorithm:?}, {dims} dimensions, {ports}");
            let outcome = Collective {
                ports,
                ..collective(algorithm, dims, bits, start_up)
            }
            .run()
            .unwrap();
            assert_eq!(outcome.stages as u64, stages, "{what}");
            let expected = messages * bits + stages * start_up;
            assert_eq!(outcome.judgement.bit_times, expected, "{what}");
        }
    }
}

#[test]
fn subtrees_of_the_balanced_tree_are_as_in_table_5() {
    let printed = [
        2, 3, 5, 7, 13, 19, 35, 59, 107, 187, 351, 631, 1181, 2191, 4115, 7711, 14601, 27595, 52487,
    ];
    for (dims, printed) in (2..=20).zip(printed) {
        let mut sizes = vec![0_u64; dims];
        for node in 1..1 << dims {
            sizes[base(node, dims)] += 1;
        }
        assert_eq!(sizes.iter().max(), Some(&printed), "{dims} dimensions");
        assert_eq!(sizes[0], printed, "{dims} dimensions");
        assert_eq!(necklaces(dims as u64) - 1, printed, "{dims} dimensions");
    }
}

#[test]
fn bases_are_rotations_and_one_of_the_examples_is_wrong() {
    assert_eq!(base(0b110110, 6), 1);
    assert_eq!(base(0b011010, 6), 1, "printed as 3");
    for dims in 1..=8 {
        for node in (1..1 << dims).filter(|node| base(*node, dims) == 0) {
            for by in 0..dims {
                // What the table for port 0 says becomes that for another by rotation to the left.
                let left = rotated_right(node, dims, (dims - by) % dims);
                assert!(base(left, dims) <= by);
            }
        }
    }
}

#[test]
fn trees_span_the_cube_as_the_paper_says() {
    for dims in 1..=8 {
        for tree in TREES {
            let spanning = Spanning::new(tree, dims);
            let mut order = spanning.order.clone();
            order.sort_unstable();
            assert!(order.into_iter().eq(1..1 << dims));
            for node in 1..1_usize << dims {
                let path = spanning.path(node);
                assert!(path.windows(2).all(|it| (it[0] ^ it[1]).is_power_of_two()));
                assert!(path.len() - 1 <= dims);
                if tree != Tree::TwoRooted {
                    assert_eq!(path.len() - 1, node.count_ones() as usize);
                }
                let level = path.len() - 1;
                if tree == Tree::Balanced {
                    // Property 2 of section 4.1, and the base of a subtree.
                    assert!(spanning.children(node).len() <= (dims - level).div_ceil(2));
                    assert_eq!(path[1], 1 << base(node, dims));
                }
            }
        }
    }
}

#[test]
fn cyclic_nodes_are_few_and_subtrees_large_but_for_two_dimensions() {
    for dims in 2..=16_usize {
        let nodes = 1 << dims;
        let mut sizes = vec![0; dims];
        for node in 1..nodes {
            sizes[base(node, dims)] += 1;
        }
        // The bounds of lemma 4.1.
        let least = sizes.into_iter().min().unwrap();
        assert_eq!(
            least * (2 + dims) >= nodes + 2,
            dims != 2,
            "{dims} dimensions"
        );
        let cyclic = (0..nodes).filter(|node| period(*node, dims) < dims).count();
        assert_eq!(
            cyclic * (2 + dims) <= 2 * (nodes - dims),
            dims != 2,
            "{dims} dimensions"
        );
    }
}

/// After how many rotations an address is the same again.
fn period(node: usize, dims: usize) -> usize {
    let same = |by: &usize| rotated_right(node, dims, *by) == node;
    (1..dims).find(same).unwrap_or(dims)
}

#[test]
fn the_balanced_tree_has_the_properties_of_section_4_1() {
    for dims in 2..=8 {
        let spanning = Spanning::new(Tree::Balanced, dims);
        let level = |node: &usize| node.count_ones() as usize;
        for port in 0..dims {
            let subtree = spanning.subtree(1 << port);
            // Property 1. A subtree has the node in which all bits are 1, or is a level less high.
            let height = subtree.iter().map(level).max().unwrap();
            assert_eq!(height, if port == 0 { dims } else { dims - 1 });
            // Property 5.
            assert!(subtree.iter().all(|node| period(*node, dims) > port));
        }
        for node in 1..1 << dims {
            let children = spanning.children(node);
            // Property 6.
            assert!(children.is_empty() || period(node, dims) == dims);
            // Property 3.
            let at = |node: usize, distance: usize| {
                let deep = |other: &&usize| level(other) == level(&node) + distance;
                spanning.subtree(node).iter().filter(deep).count()
            };
            for child in children {
                assert!((0..dims).all(|distance| at(node, distance) >= at(child, distance)));
            }
        }
    }
}

#[test]
fn packets_of_fixed_length() {
    for dims in 1..=7 {
        let nodes = 1 << dims;
        for tree in TREES {
            for parts in [1, 2, 3] {
                let packets = Scatter::Packets {
                    tree,
                    packet_bits: 12 / parts,
                };
                for ports in [Ports::OneWay, Ports::TwoWay, Ports::All] {
                    let messages = match (ports, tree) {
                        (Ports::OneWay | Ports::TwoWay, _) => nodes - 1,
                        (Ports::All, Tree::Balanced) => necklaces(dims as u64) - 1,
                        (Ports::All, _) => nodes / 2,
                    };
                    for start_up in [0, 5] {
                        let algorithm = Algorithm::Scatter(packets);
                        let run = Collective {
                            ports,
                            ..collective(algorithm, dims, 12, start_up)
                        };
                        let outcome = run.run().unwrap();
                        let stages = messages * parts;
                        assert_eq!(outcome.stages as u64, stages);
                        let expected = 12 * messages + stages * start_up;
                        assert_eq!(outcome.judgement.bit_times, expected);
                        let algorithm = Algorithm::Gather(packets);
                        let back = Collective { algorithm, ..run }.run().unwrap();
                        assert_eq!(back.judgement.bit_times, expected);
                    }
                }
            }
        }
    }
}

#[test]
fn level_by_level() {
    for dims in 1..=7 {
        let (n, nodes) = (dims as u64, 1 << dims);
        let all = Ports::All;
        expect(Scatter::Levels(Tree::Binomial), all, dims, (nodes / 2, n));
        expect(
            Scatter::Levels(Tree::Balanced),
            all,
            dims,
            (necklaces(n) - 1, n),
        );
        // Table 6 has 3N/2 - 1. There is no fourth of the nodes in one dimension.
        let two_rooted = if dims == 1 { 1 } else { 3 * nodes / 4 - 1 };
        expect(Scatter::Levels(Tree::TwoRooted), all, dims, (two_rooted, n));
    }
}

#[test]
fn in_one_shot() {
    for dims in 1..=7 {
        let (n, nodes) = (dims as u64, 1 << dims);
        let one_shot = |tree| Scatter::OneShot(tree);
        expect(
            one_shot(Tree::TwoRooted),
            Ports::All,
            dims,
            (3 * nodes / 2 - n - 1, n),
        );
        expect(one_shot(Tree::Binomial), Ports::All, dims, (nodes - 1, n));
        let balanced = [1, 3, 6, 11, 18, 32, 51][dims - 1];
        expect(one_shot(Tree::Balanced), Ports::All, dims, (balanced, n));
    }
}

#[test]
fn whole_subtrees_on_one_port() {
    for dims in 1..=7 {
        let (n, nodes) = (dims as u64, 1 << dims);
        let stages = if dims == 1 { 1 } else { 2 * n - 2 };
        let one_way = Ports::OneWay;
        expect(
            Scatter::Subtrees(Tree::Binomial),
            one_way,
            dims,
            (nodes - 1, n),
        );
        let two_rooted = Scatter::Subtrees(Tree::TwoRooted);
        expect(two_rooted, one_way, dims, (2 * nodes - 2 * n - 1, stages));
        let messages = [1, 3, 8, 18, 38, 76, 153][dims - 1];
        let balanced = Scatter::Subtrees(Tree::Balanced);
        expect(balanced, one_way, dims, (messages, stages));
        // Table 6 has this as an upper bound.
        let bound = nodes as f64 * (1.0 + 2.0 * (n as f64).log2() / n as f64);
        assert!(messages as f64 <= bound);
    }
}

#[test]
fn packets_have_to_be_longer_than_printed() {
    let longest = |scatter, dims| {
        let run = collective(Algorithm::Scatter(scatter), dims, 1, 0);
        run.sends().iter().map(|send| send.units).max().unwrap()
    };
    for dims in 1..=8 {
        let n = dims as u64;
        // Lemma 4.2 has a fraction where it needs a binomial.
        let widest = binomial(n - 1, (n - 1) / 2);
        assert_eq!(longest(Scatter::Levels(Tree::Binomial), dims), widest);
        // Section 4.2.2 has a packet of N / log N messages for each subtree.
        let largest = necklaces(n) - 1;
        assert_eq!(longest(Scatter::Subtrees(Tree::Balanced), dims), largest);
    }
}
