use super::*;

/// How many of the 2^n nodes a walk visits until it is at node 0 again, each once.
fn nodes_of(decomposition: &Decomposition, cycle: usize) -> usize {
    let mut seen = vec![false; 1 << decomposition.dimensions()];
    let (mut node, mut count) = (0, 0);
    loop {
        assert!(!seen[node], "node {node} comes twice");
        seen[node] = true;
        count += 1;
        let next = decomposition.next(cycle, node);
        assert_eq!(node ^ next, 1 << decomposition.dimension(cycle, node));
        node = next;
        if node == 0 {
            return count;
        }
    }
}

/// Every cycle is Hamiltonian, and the cycles and the matching have every directed wire once.
fn assert_holds(dimensions: usize) {
    let decomposition = Decomposition::new(dimensions).unwrap();
    let nodes = 1 << dimensions;
    assert_eq!(decomposition.dimensions(), dimensions);
    assert_eq!(decomposition.cycles(), dimensions / 2 * 2);
    let mut taken = vec![0u32; dimensions << dimensions];
    for cycle in 0..decomposition.cycles() {
        assert_eq!(
            nodes_of(&decomposition, cycle),
            nodes,
            "cycle {cycle} of {dimensions}"
        );
        for node in 0..nodes {
            let next = decomposition.next(cycle, node);
            assert_eq!(decomposition.next(cycle ^ 1, next), node, "backwards");
            taken[node * dimensions + decomposition.dimension(cycle, node)] += 1;
        }
    }
    for node in 0..nodes {
        let matching = decomposition.matching(node);
        assert_eq!(matching.is_some(), dimensions % 2 == 1);
        if let Some(dimension) = matching {
            taken[node * dimensions + dimension] += 1;
            assert_eq!(decomposition.matching(neighbour(node, dimension)), matching);
        }
    }
    assert!(
        taken.iter().all(|&times| times == 1),
        "{dimensions} dimensions"
    );
}

#[test]
fn every_edge_is_in_one_hamiltonian_cycle_or_in_the_matching() {
    for dimensions in 1..=13 {
        assert_holds(dimensions);
    }
}

#[test]
fn the_largest_ones_are_divided_too() {
    for dimensions in 14..=16 {
        assert_holds(dimensions);
    }
}

#[test]
fn the_square_is_one_cycle_both_ways() {
    let square = Decomposition::new(2).unwrap();
    let walk = |cycle| {
        let after = |&node: &usize| Some(square.next(cycle, node));
        std::iter::successors(Some(0), after)
            .take(5)
            .collect::<Vec<_>>()
    };
    assert_eq!(walk(0), [0, 1, 3, 2, 0]);
    assert_eq!(walk(1), [0, 2, 3, 1, 0]);
}

#[test]
fn an_edge_has_no_cycle() {
    let edge = Decomposition::new(1).unwrap();
    assert_eq!(edge.cycles(), 0);
    assert_eq!([edge.matching(0), edge.matching(1)], [Some(0), Some(0)]);
}

#[test]
fn no_more_than_sixteen_dimensions_are_divided() {
    for dimensions in [0, 17] {
        let error = Decomposition::new(dimensions).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the edges of the hypercube of {dimensions} dimensions are not divided into Hamiltonian cycles: choose 1 to 16 \
                 dimensions"
            )
        );
    }
}
