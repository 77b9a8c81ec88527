use super::*;
use crate::embedding::constructions::tests::{edges, holds};

#[test]
fn it_holds_what_is_said() {
    for dimensions in HOSTS {
        holds(&ButterflyCopies, &Ask::of_dimensions(dimensions));
    }
}

#[test]
fn every_copy_is_the_butterfly() {
    for (dimensions, levels) in HOSTS.into_iter().zip([2, 4, 8]) {
        let ask = Ask::of_dimensions(dimensions);
        let embedding = ButterflyCopies.embed(&ask).unwrap();
        assert_eq!(embedding.measures().load, 1);
        let columns = 1 << levels;
        let mut found = edges(&embedding);
        let mut expected = Vec::new();
        for vertex in 0..levels * levels * columns {
            let (copy, node) = (vertex / (levels * columns), vertex % (levels * columns));
            let (level, column) = (node / columns, node % columns);
            let next = (copy * levels + (level + 1) % levels) * columns;
            expected.push([vertex, next + column]);
            expected.push([vertex, next + (column ^ 1 << level)]);
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
