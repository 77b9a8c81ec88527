use super::*;
use crate::embedding::constructions::tests::{assert_holds, refusal};

#[test]
fn every_copy_has_its_own_wires() {
    for dimensions in 2..=13 {
        let (measures, phase) = assert_holds(&Cycles, dimensions);
        assert_eq!(measures.load, 1);
        let copies = dimensions / 2 * 2;
        assert!((phase.wire_use() - copies as f64 / dimensions as f64).abs() < 1e-12);
    }
}

#[test]
fn a_copy_is_a_cycle_through_all_nodes() {
    let embedding = Cycles.embed(&Ask::of_dimensions(5)).unwrap();
    assert_eq!((embedding.copies(), embedding.vertices()), (4, 4 * 32));
    for copy in 0..4 {
        let mut nodes: Vec<_> = (0..32).map(|at| embedding.place(32 * copy + at)).collect();
        nodes.sort_unstable();
        assert_eq!(nodes, (0..32).collect::<Vec<_>>());
        for at in 0..32 {
            let edge = embedding.edge(32 * copy + at);
            assert_eq!(edge, [32 * copy + at, 32 * copy + (at + 1) % 32]);
        }
    }
}

#[test]
fn an_edge_has_no_cycles() {
    assert_eq!(
        refusal(&Cycles, 1),
        "the guest cycles is not embedded in a hypercube of 1 dimensions: it is made for 2 to 16 dimensions: choose 2"
    );
}
