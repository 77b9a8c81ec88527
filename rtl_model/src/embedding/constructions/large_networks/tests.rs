use super::*;
use crate::embedding::constructions::tests::{edges, holds};

const ALL: [LargeNetwork; 3] = [
    LargeNetwork::Ccc,
    LargeNetwork::Butterfly,
    LargeNetwork::Fft,
];

#[test]
fn they_hold_what_is_said() {
    for network in ALL {
        for dimensions in (2..=12).chain([MOST]) {
            let embedding = holds(&network, &Ask::of_dimensions(dimensions));
            assert_eq!(embedding.vertices(), dimensions << dimensions);
            assert_eq!(embedding.measures().load, dimensions);
        }
    }
}

#[test]
fn an_edge_leads_to_the_next_level_or_stays_and_crosses() {
    for network in ALL {
        let levels = 5;
        let columns = 1 << levels;
        let embedding = network.embed(&Ask::of_dimensions(levels)).unwrap();
        let mut found = edges(&embedding);
        found.sort_unstable();
        let mut expected = Vec::new();
        let ranks = if network == LargeNetwork::Fft { 4 } else { 5 };
        for vertex in 0..ranks * columns {
            let (level, column) = (vertex / columns, vertex % columns);
            let next = (level + 1) % levels * columns;
            let crossed = column ^ 1 << level;
            expected.push([vertex, next + column]);
            expected.push(match network {
                LargeNetwork::Ccc => [vertex, level * columns + crossed],
                LargeNetwork::Butterfly | LargeNetwork::Fft => [vertex, next + crossed],
            });
        }
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[test]
fn the_congestion_of_two_is_of_both_wires_between_two_nodes() {
    let paper = LargeNetwork::Butterfly.paper(&Ask::default()).unwrap();
    assert_eq!(paper.congestion, Figure::Is(2));
    let embedding = LargeNetwork::Butterfly.embed(&Ask::default()).unwrap();
    let mut on_wire = vec![0; embedding.host().wires()];
    for edge in 0..embedding.edges() {
        let node = embedding.place(embedding.edge(edge)[0]);
        if let &[dimension] = embedding.path(edge, 0) {
            // The two wires between two nodes count as that of the lesser.
            let lesser = node & !(1 << dimension);
            on_wire[usize::from(dimension) << embedding.host().count() | lesser] += 1;
        }
    }
    assert_eq!(on_wire.into_iter().max(), Some(2));
}

#[test]
fn the_fft_of_n_levels_is_two_ffts_side_by_side() {
    let embedding = LargeNetwork::Fft.embed(&Ask::of_dimensions(5)).unwrap();
    let half = |vertex: usize| vertex % 32 / 16;
    let all = edges(&embedding);
    assert!(all.iter().all(|&[from, to]| half(from) == half(to)));
}
