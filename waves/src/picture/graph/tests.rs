use super::*;
use crate::picture::run::{Crossing, Route};

fn named(names: &[String]) -> Run {
    Run {
        nodes: names.to_vec(),
        ..Run::default()
    }
}

fn distance(graph: &Graph, one: usize, other: usize) -> f64 {
    let (one, other) = (graph.places[one], graph.places[other]);
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// No two nodes are so near that their circles would touch, and no edge has to be bent round a third node.
#[test]
fn hypercubes_can_be_read() {
    for dimensions in 0..=6 {
        let names: Vec<String> = (0..1 << dimensions).map(|node| format!("{node}")).collect();
        let mut run = named(&names);
        run.dimensions = Some(dimensions);
        let graph = Graph::of(&run).unwrap();
        assert_eq!(graph.places.len(), names.len());
        assert_eq!(
            graph.edges.len() * 2,
            names.len() * dimensions as usize,
            "{dimensions} dimensions"
        );
        let is_straight = |(_, _, bend): &(u32, u32, f64)| *bend == 0.0;
        assert!(graph.edges.iter().all(is_straight), "{:?}", graph.edges);
        for one in 0..names.len() {
            for other in 0..one {
                assert!(distance(&graph, one, other) > 0.6, "{one} and {other}");
            }
        }
    }
}

#[test]
fn levels_and_columns_are_a_grid_with_the_edges_that_were_crossed() {
    let names = ["0_0", "1_0", "2_0", "0_5", "1_5", "2_5"].map(str::to_owned);
    let mut run = named(&names);
    let crossing = |sender, receiver| Crossing {
        sender,
        receiver,
        from: 0,
        to: 1,
    };
    run.messages.push(Route {
        name: "0_0->2_5".to_owned(),
        source: 0,
        destination: 5,
        crossings: vec![
            crossing(0, 2),
            crossing(2, 0),
            crossing(0, 1),
            crossing(2, 5),
        ],
        ..Route::default()
    });
    let graph = Graph::of(&run).unwrap();
    assert_eq!(graph.places[4], [1.0, 1.0]);
    // From level 0 to level 2 there is a node in the way.
    assert_eq!(graph.edges, [(0, 1, 0.0), (0, 2, BEND), (2, 5, 0.0)]);
}

/// Digits of three and of four dimensions: all nodes apart, and links within a sheet straight.
#[test]
fn digits_of_many_dimensions_are_sheets() {
    for dimensions in 3u32..=4 {
        let digit = |node: usize, dimension: u32| node / 3usize.pow(dimension) % 3;
        let name = |node: usize| {
            let digits = (0..dimensions).map(|dimension| digit(node, dimension).to_string());
            digits.collect::<Vec<_>>().join("_")
        };
        let names: Vec<String> = (0..3usize.pow(dimensions)).map(name).collect();
        let graph = Graph::of(&named(&names)).unwrap();
        for one in 0..names.len() {
            for other in 0..one {
                assert!(distance(&graph, one, other) > 0.6, "{one} and {other}");
            }
        }
        assert_eq!(graph.places[1], [1.0, 0.0]);
        assert_eq!(graph.places[3], [0.0, 1.0]);
    }
}

/// Where wires lead along the edges of a cube, several along one and none along another, nodes are its corners.
#[test]
fn wires_along_edges_of_a_cube_make_it_one() {
    let names: Vec<String> = (0..8).map(|node| format!("{node}")).collect();
    let wire = |(sender, receiver): (u32, u32)| Wire {
        sender,
        receiver,
        bit_times: 0,
        used: Vec::new(),
    };
    let ends = [(0, 1), (1, 0), (0, 1), (2, 6), (7, 5)];
    let mut run = Run {
        wires: ends.map(wire).to_vec(),
        ..named(&names)
    };
    let graph = Graph::of(&run).unwrap();
    assert_eq!(graph.places, corners(3));
    assert_eq!(graph.edges, [(0, 1, 0.0), (2, 6, 0.0), (5, 7, 0.0)]);
    run.wires.push(wire((0, 3)));
    assert_eq!(Graph::of(&run).unwrap().places, circle(8));
}

/// Nodes of a large grid do not touch, and it is not much wider than high.
#[test]
fn wide_grids_are_drawn_close() {
    let name = |node: usize| format!("{}_{}", node / 16, node % 16);
    let graph = Graph::of(&named(&(0..64).map(name).collect::<Vec<_>>())).unwrap();
    let [last_right, last_down] = graph.places[63];
    assert!(last_right / last_down < 2.0, "{last_right} {last_down}");
    assert!(distance(&graph, 0, 1) > 0.5);
}

#[test]
fn others_stand_round_a_circle_one_unit_apart() {
    let graph = Graph::of(&named(&["a", "b", "c", "d", "e"].map(str::to_owned))).unwrap();
    for node in 0..5 {
        assert!((distance(&graph, node, (node + 1) % 5) - 1.0).abs() < 1e-9);
    }
    assert!(graph.edges.is_empty());
    assert_eq!(
        Graph::of(&named(&vec![String::new(); MOST_GRAPH_NODES + 1])),
        None
    );
}
