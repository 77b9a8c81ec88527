use super::*;
use crate::embedding::constructions::tests::{assert_holds, assert_one_cycle, refusal};

#[test]
fn every_wire_is_an_edge() {
    for dimensions in (2..=12).step_by(2) {
        let (measures, phase) = assert_holds(&LargeCycle::Directed, dimensions);
        assert_eq!(measures.load, dimensions);
        assert_eq!(phase.hops().len(), dimensions << dimensions);
        assert_eq!(phase.wire_use(), 1.0);
        assert_one_cycle(
            &LargeCycle::Directed
                .embed(&Ask::of_dimensions(dimensions))
                .unwrap(),
        );
    }
}

#[test]
fn every_wire_is_an_edge_of_the_undirected_cycle_too() {
    for dimensions in (2..=12).step_by(2) {
        let (measures, phase) = assert_holds(&LargeCycle::Undirected, dimensions);
        assert_eq!(measures.load, dimensions / 2);
        assert_eq!(phase.hops().len(), dimensions << dimensions);
        assert_eq!((phase.wire_use(), phase.steps()), (1.0, 1));
        let ask = Ask::of_dimensions(dimensions);
        let embedding = LargeCycle::Undirected.embed(&ask).unwrap();
        let vertices = dimensions << dimensions >> 1;
        assert_eq!(embedding.vertices(), vertices);
        for vertex in 0..vertices {
            let next = (vertex + 1) % vertices;
            assert_eq!(embedding.edge(vertex), [vertex, next]);
            assert_eq!(embedding.edge(vertices + vertex), [next, vertex]);
        }
    }
}

#[test]
fn odd_dimensions_are_refused() {
    assert_eq!(
        refusal(&LargeCycle::Directed, 7),
        "the guest large-cycle is not embedded in a hypercube of 7 dimensions: their number is odd, and Hamiltonian cycles then \
         leave wires of every node over: choose 6 or 8"
    );
    assert!(refusal(&LargeCycle::Directed, 17).ends_with("choose 16"));
    assert!(refusal(&LargeCycle::Directed, 1).ends_with("choose 2"));
}
