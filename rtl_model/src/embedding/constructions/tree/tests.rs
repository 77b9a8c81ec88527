use super::*;
use crate::embedding::constructions::tests::{edges, holds, steps_by_level};

#[test]
fn it_holds_what_is_said() {
    let steps = [[4, 3, 3, 2], [4, 7, 3, 1]];
    for (dimensions, steps) in HOSTS.into_iter().zip(steps) {
        let embedding = holds(&Tree, &Ask::of_dimensions(dimensions));
        assert_eq!(embedding.measures().load, 3);
        assert_eq!(steps_by_level(&embedding), steps);
    }
}

#[test]
fn every_vertex_but_the_root_has_one_parent_and_every_inner_one_two_children() {
    for dimensions in HOSTS {
        let embedding = Tree.embed(&Ask::of_dimensions(dimensions)).unwrap();
        let vertices = (1 << dimensions) - 1;
        assert_eq!(embedding.vertices(), vertices);
        assert_eq!(embedding.edges(), vertices - 1);
        let mut parents = vec![Vec::new(); vertices];
        let mut children = vec![0; vertices];
        for [from, to] in edges(&embedding) {
            parents[to].push(from);
            children[from] += 1;
        }
        for vertex in 0..vertices {
            // From every vertex up to the root, in as many steps as its level says.
            assert_eq!(parents[vertex].len(), usize::from(vertex > 0));
            let inner = vertex < vertices / 2;
            assert_eq!(children[vertex], if inner { 2 } else { 0 });
            let (mut at, mut up) = (vertex, 0);
            while let Some(&parent) = parents[at].first() {
                (at, up) = (parent, up + 1);
            }
            assert_eq!((at, up), (0, (vertex + 1).ilog2()));
        }
    }
}

#[test]
fn leaves_of_a_tree_in_a_butterfly_lie_on_different_vertices() {
    for (levels, tree_levels) in [(2, 3), (4, 6)] {
        let copies = Copies::new(levels).unwrap();
        for copy in 0..levels {
            for root in 0..copies.network().nodes() {
                let tree = InButterfly::new(&copies, copy, root, tree_levels);
                assert_eq!(tree.places.len(), (1 << tree_levels) - 1);
                let mut leaves = tree.places[tree.places.len() / 2..].to_vec();
                leaves.sort_unstable();
                leaves.dedup();
                assert_eq!(leaves.len(), 1 << (tree_levels - 1));
            }
        }
    }
}
