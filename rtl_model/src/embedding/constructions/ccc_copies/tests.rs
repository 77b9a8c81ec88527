use super::*;
use crate::embedding::constructions::tests::{edges, holds};

#[test]
fn it_holds_what_is_said() {
    for dimensions in HOSTS {
        holds(&CccCopies, &Ask::of_dimensions(dimensions));
    }
    assert!(CccCopies.host(&Ask::of_dimensions(20)).is_err());
}

#[test]
fn every_copy_is_the_network_and_takes_every_node_once() {
    for (dimensions, levels) in HOSTS.into_iter().zip([2, 4, 8]) {
        let embedding = CccCopies.embed(&Ask::of_dimensions(dimensions)).unwrap();
        let columns = 1 << levels;
        let nodes = levels * columns;
        assert_eq!(embedding.copies(), levels);
        assert_eq!(embedding.vertices(), levels * nodes);
        let measures = embedding.measures();
        assert_eq!(
            (measures.load, measures.expansion.to_string()),
            (1, "1".to_owned())
        );

        let mut found = edges(&embedding);
        let mut expected = Vec::new();
        for first in (0..levels).map(|copy| copy * nodes) {
            for level in 0..levels {
                for column in 0..columns {
                    let from = first + level * columns + column;
                    let straight = first + (level + 1) % levels * columns + column;
                    let cross = first + level * columns + (column ^ 1 << level);
                    expected.extend([[from, straight], [from, cross]]);
                }
            }
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
